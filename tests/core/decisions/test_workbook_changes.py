"""A decision workbook changed by a person, read back: numbers, decisions and rows are listed."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import main
from core.decisions.rules import export
from core.decisions.rules.code_forms import expected_results, rule_parts
from core.decisions.rules.export import rule_to_excel
from core.decisions.rules.workbook_changes import changed_rule, read_workbook_changes
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.decisions.numbers import TakeOverNumbers
from core.document.model import Document
from core.document.studies.decision_files import NumberChange
from core.presentation.decide.lists import workbook_changes
from core.presentation.labels import Labels
from payoff import PayoffError
from tests.helpers.factories.files import load
from tests.helpers.factories.rules import RULES, columns_for, own_columns, written

ROWS = 40


def cells_of(path: Path):
    return lambda name: load(
        path, part=name, has_header=False, missing_marks=("",), left_out=(), number_texts=False
    )


def read(path: Path):
    return read_workbook_changes(str(path), cells_of(path))


def made(folder: Path, name: str):
    """The parts of a rule, cases, their decisions and the workbook."""
    parts = written(folder / "over", name)
    drawn = columns_for(parts.inputs, own_columns(parts.rule))
    columns = {key: values[:ROWS] for key, values in drawn.items()}
    results = expected_results(parts, columns)
    path = folder / "decide.xlsx"
    path.write_bytes(rule_to_excel(parts, columns, results))
    return parts, columns, results, path


def edit(path: Path, sheet: int, pattern: str, instead: str) -> None:
    """Change the text of a sheet inside the workbook, once."""
    member = f"xl/worksheets/sheet{sheet}.xml"
    with zipfile.ZipFile(path) as book:
        held = {name: book.read(name) for name in book.namelist()}
    text, count = re.subn(pattern, instead, held[member].decode(), count=1, flags=re.DOTALL)
    assert count == 1
    held[member] = text.encode()
    with zipfile.ZipFile(path, "w") as book:
        for name, content in held.items():
            book.writestr(name, content)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("name", RULES)
def test_an_unchanged_workbook_has_no_changes(tmp_path, name):
    *_, path = made(tmp_path, name)
    found = read(path)
    assert not found.are_any, found
    assert found.cases == ROWS
    view = workbook_changes(found, Labels())
    assert view.state == "ok"
    assert view.tables == ()


def moving_cell(parts, columns, results):
    """A class whose first cell, moved far enough, changes decisions; the rule with it moved."""
    decision = parts.outputs[0]
    for level in range(parts.levels):
        for step in (-40.0, 40.0, -4_000.0, 4_000.0):
            cells = [list(row) for row in parts.rule.cells]
            cells[level][0] += step
            changed = replace(parts.rule, cells=tuple(map(tuple, cells)))
            other = rule_parts(changed, parts.inputs)
            moved = expected_results(other, columns)[decision] != results[decision]
            is_fixed = len(parts.decisions) == 1 or not any(results[decision])
            if moved.any() or is_fixed:
                return level, cells, other
    raise AssertionError("no cell moves a decision")


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("name", RULES)
def test_numbers_changed_and_worked_out_anew(tmp_path, monkeypatch, name):
    """As a spreadsheet leaves it: other numbers on Rule, decisions that follow from them."""
    parts, columns, results, path = made(tmp_path, name)
    rule = parts.rule
    level, cells, other = moving_cell(parts, columns, results)
    new = expected_results(other, columns)
    record = export._write_record
    monkeypatch.setattr(
        export, "_write_record", lambda sheet, *_: record(sheet, parts, columns, results)
    )
    path.write_bytes(rule_to_excel(replace(other, tolerance=parts.tolerance), columns, new))
    found = read(path)
    assert found.numbers == (
        NumberChange(
            level=rule.levels[level],
            decision=rule.decisions[0],
            before=rule.cells[level][0],
            after=pytest.approx(cells[level][0], rel=1e-11),
        ),
    )
    decision = parts.outputs[0]
    moved = {
        str(row + 1): (str(a), str(b))
        for row, (a, b) in enumerate(zip(results[decision], new[decision], strict=True))
        if a != b
    }
    assert {entry.case: (entry.before, entry.after) for entry in found.decisions} == moved
    assert not any(entry.by_hand for entry in found.decisions)
    assert changed_rule(rule, found.numbers).cells[level][0] == pytest.approx(cells[level][0])


def test_a_decision_written_by_hand_a_row_removed_and_one_added(tmp_path):
    parts, _columns, results, path = made(tmp_path, next(iter(RULES)))
    column = "ABCDEFGHIJ"[1 + len(parts.columns)]
    old = str(results[parts.outputs[0]][2])
    other = next(name for name in parts.decisions if name != old)
    cell = rf'<c r="{column}4"[^>]*>.*?</c>'
    edit(path, 1, cell, f'<c r="{column}4" t="str"><v>{other}</v></c>')
    edit(path, 1, r'<row r="6".*?</row>', "")
    edit(
        path,
        1,
        "</sheetData>",
        '<row r="99"><c r="A99"><v>999</v></c><c r="B99"><v>0.5</v></c></row></sheetData>',
    )
    found = read(path)
    assert [
        (entry.case, entry.row, entry.before, entry.after, entry.by_hand)
        for entry in found.decisions
    ] == [("3", 4, old, other, True)]
    assert found.removed == ("5",)
    assert len(found.added) == 1
    described = workbook_changes(found, Labels()).sentences
    first, *_rows = described
    assert first.startswith("1 decision is another one. 1 of them was changed by hand. ")
    assert first.endswith("1 row was added. 1 row was removed.")


def test_numbers_that_no_spreadsheet_worked_out_decide_as_the_program_does(tmp_path):
    parts, _columns, _results, path = made(tmp_path, next(iter(RULES)))
    gain = parts.gain[0][0]
    edit(path, 2, r'<c r="B3"><v>[^<]*</v></c>', f'<c r="B3"><v>{gain - 50.0!r}</v></c>')
    found = read(path)
    assert found.is_stale
    assert found.decisions
    assert not any(entry.by_hand for entry in found.decisions)


@pytest.mark.parametrize(
    ("sheet", "pattern", "instead", "said"),
    [
        (
            2,
            r'<c r="B3"><v>[^<]*</v></c>',
            '<c r="B3" t="str"><v>dear</v></c>',
            ("sheet Rule", "'dear'"),
        ),
        (4, r"<sheetData>.*</sheetData>", "<sheetData/>", ("no decision workbook", "As written")),
    ],
)
def test_what_cannot_be_read_back_says_where(tmp_path, sheet, pattern, instead, said):
    *_, path = made(tmp_path, next(iter(RULES)))
    edit(path, sheet, pattern, instead)
    with pytest.raises(PayoffError) as caught:
        read(path)
    assert all(part in str(caught.value) for part in said), caught.value


def test_the_verb_lists_the_changes(tmp_path, capsys):
    *_, path = made(tmp_path, next(iter(RULES)))
    edit(path, 2, r'<c r="B3"><v>[^<]*</v></c>', '<c r="B3"><v>2.5</v></c>')
    target = tmp_path / "changes.json"
    assert main.main(["verify-export", str(path), "--json", str(target)]) == 0
    reported = capsys.readouterr()
    record = json.loads(target.read_text("utf-8"))
    assert [entry["after"] for entry in record["numbers"]] == [2.5]
    assert "1 number of the rule was changed." in reported.err
    assert "Is now: 2.5" in reported.err


def test_numbers_are_taken_over_in_one_step():
    matrix = MatrixSpec(
        template="plain_profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Lend", "Decline"),
        cells=((10.0, 0.0), (-2.0, 0.0)),
        acting="Lend",
        do_nothing="Decline",
        amount="amount",
    )
    numbers = (
        NumberChange(level="1", decision="Lend", before=10.0, after=12.5),
        NumberChange(level="0", decision="Lend", before=-0.4, after=-0.45, is_share=True),
    )
    changed = TakeOverNumbers(numbers=numbers).apply(Document(matrix=matrix)).matrix
    assert changed.cells[0] == (12.5, 0.0)
    formula = next(entry for entry in changed.formulas if entry.level == "0")
    assert formula.text == "-0.45 * amount"
