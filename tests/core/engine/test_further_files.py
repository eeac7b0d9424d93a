"""Further files, derived columns and a row filter, from the document to numbers and back."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter

from core import data
from core.document.commands import OpenData
from core.document.data.commands import (
    AddColumns,
    AddRows,
    ChangeTable,
    DeriveColumn,
    SetRowFilter,
    SetSharedIds,
    without_column,
)
from core.document.data.model import (
    DataRef,
    DerivedColumn,
    FileRef,
    JoinSpec,
    ReaderSettings,
    RowsSpec,
    RowUse,
)
from core.document.data.recipes import at_paths, joined, roles_beside, with_recipe
from core.document.data.results import RowsPage, TableSummary
from core.document.data.row_sharing import SharedIds
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.files.project import Headline, pack_project, unpack_project
from core.document.history import History
from core.document.model import Document, Role
from core.document.studies.joining import (
    JoinArguments,
    JoinReport,
    MakeTableArguments,
    Overlap,
    OverlapArguments,
    SecondFile,
    SecondFileArguments,
)
from core.document.studies.looking import ExpressionResult, RowOrder, TryArguments
from core.engine.local import LocalEngine
from core.engine.messages import (
    ApplyArguments,
    EvaluateArguments,
    LoadArguments,
    RowsArguments,
    SaveArguments,
)
from payoff.errors import PayoffError

ROWS = 400


def write(path: Path, columns: dict[str, list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    return path


def cases(first: int, count: int, seed: int) -> dict[str, list[object]]:
    draw = np.random.default_rng(seed)
    chance = draw.uniform(0.02, 0.98, count).round(6)
    happened = (draw.uniform(size=count) < chance).astype(int)
    return {
        "customer_id": [f"{n:05d}" for n in range(first, first + count)],
        "age": draw.integers(18, 80, count).tolist(),
        "region": draw.choice(["N", "S"], count).tolist(),
        "p_gbm": chance.tolist(),
        "responded": happened.tolist(),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    columns = cases(1, ROWS, 5)
    outcome = {
        "id": [int(str(v)) for v in columns["customer_id"]][::-1],
        "responded": columns["responded"][::-1],
    }
    whole = dict(columns)
    del columns["responded"]
    write(tmp_path / "scores.csv", columns)
    write(tmp_path / "outcomes.csv", outcome)
    write(tmp_path / "whole.csv", whole)
    return tmp_path


@pytest.fixture
def engine() -> LocalEngine:
    return LocalEngine()


def opened(engine: LocalEngine, path: Path) -> Document:
    summary = engine.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    return taken(Document(), summary, OpenData)


def taken(document: Document, summary: TableSummary, command: type[OpenData]) -> Document:
    made = command(
        data=summary.data,
        roles=roles_beside(document, summary) if document.roles else summary.roles,
        target=document.target or summary.target,
        split=document.split if document.data and command is not AddRows else summary.split,
    )
    return made.apply(document)


def look(engine: LocalEngine, document: Document, path: Path) -> SecondFile:
    arguments = SecondFileArguments(document=document, path=str(path), reader=ReaderSettings())
    found: SecondFile = engine.run("second_file", arguments)
    return found


def change(
    engine: LocalEngine, document: Document, made: DataRef, command: type[ChangeTable]
) -> Document:
    return taken(document, engine.run("make_table", MakeTableArguments(data=made)), command)


def outcome_join(file: FileRef, **settings: bool) -> JoinSpec:
    return JoinSpec(
        file=file, keys=(("customer_id", "id"),), columns=(("responded", "responded"),), **settings
    )


def with_outcome(engine: LocalEngine, folder: Path) -> Document:
    document = opened(engine, folder / "scores.csv")
    found = look(engine, document, folder / "outcomes.csv")
    join = outcome_join(found.file, ignores_zeros=True)
    assert document.data is not None
    return change(engine, document, joined(document.data, join), AddColumns)


def auc(engine: LocalEngine, document: Document) -> tuple[float, str, int]:
    document = replace(document, rows_used=RowUse.ALL)
    result = engine.run("evaluate", EvaluateArguments(document=document, resamples=0))
    cell = next(cell for cell in result.cells if cell.metric == "auc")
    return cell.estimate.value, result.rows.text, result.rows.rows


def test_an_outcome_joined_onto_scores_gives_the_numbers_of_the_whole_file(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "scores.csv")
    assert document.target is None
    found = look(engine, document, folder / "outcomes.csv")
    report: JoinReport = engine.run(
        "look_at_join", JoinArguments(document=document, join=outcome_join(found.file))
    )
    assert (report.matched, report.by_zeros) == (0, ROWS)  # 00001 is 1 once zeros do not count
    document = with_outcome(engine, folder)
    assert document.target is not None
    assert document.target.column == "responded"
    assert document.column_of(Role.POSTERIOR) == "p_gbm"
    assert auc(engine, document) == auc(engine, opened(engine, folder / "whole.csv"))


def test_a_project_keeps_the_recipe_and_opens_again(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    before = auc(engine, document)
    again = unpack_project(pack_project(document, Headline())).document
    assert again == document
    assert auc(LocalEngine(), again) == before


def test_a_workbook_is_joined_like_any_other_file(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "scores.csv")
    book = xlsxwriter.Workbook(str(folder / "outcomes.xlsx"))
    sheet = book.add_worksheet()
    for at, line in enumerate((folder / "outcomes.csv").read_text("utf-8").splitlines()):
        sheet.write_row(at, 0, [int(cell) if at else cell for cell in line.split(",")])
    book.close()
    found = look(engine, document, folder / "outcomes.xlsx")
    assert found.file.reader.format == "excel"
    assert found.columns == look(engine, document, folder / "outcomes.csv").columns


def test_a_moved_second_file_is_found_and_said(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    before = auc(engine, document)
    (folder / "outcomes.csv").rename(folder / "renamed.csv")
    fresh = LocalEngine()
    assert auc(fresh, document) == before
    result = fresh.run("evaluate", EvaluateArguments(document=document, resamples=0))
    assert any("outcomes.csv was found at" in text for text in result.warnings)


def test_a_changed_second_file_is_said_and_a_lost_one_refused(
    engine: LocalEngine, folder: Path
) -> None:
    document = with_outcome(engine, folder)
    other = cases(1, ROWS, 6)
    write(
        folder / "outcomes.csv",
        {"id": [int(str(v)) for v in other["customer_id"]], "responded": other["responded"]},
    )
    fresh = LocalEngine()
    result = fresh.run(
        "evaluate",
        EvaluateArguments(document=replace(document, rows_used=RowUse.ALL), resamples=0),
    )
    assert any("outcomes.csv has changed" in text for text in result.warnings)
    (folder / "outcomes.csv").unlink()
    with pytest.raises(PayoffError, match="further file") as caught:
        auc(LocalEngine(), document)
    assert "outcomes.csv" in caught.value.where


def test_undo_takes_a_join_back(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "scores.csv")
    history = History(document)
    found = look(engine, document, folder / "outcomes.csv")
    assert document.data is not None
    made = joined(document.data, outcome_join(found.file, ignores_zeros=True))
    summary = engine.run("make_table", MakeTableArguments(data=made))
    history.execute(
        AddColumns(
            data=summary.data,
            roles=roles_beside(document, summary),
            target=summary.target,
            split=document.split,
        )
    )
    assert "responded" in (history.document.data or document.data).columns
    assert history.undo() == document


def test_a_row_filter_is_followed_and_named(engine: LocalEngine, folder: Path) -> None:
    document = opened(engine, folder / "whole.csv")
    filtered = SetRowFilter(where=' age >= 40 and region == "N" ').apply(document)
    value, text, rows = auc(engine, filtered)
    kept = {key: [] for key in cases(1, 1, 5)}  # type: dict[str, list[object]]
    for row in zip(*cases(1, ROWS, 5).values(), strict=True):
        if int(str(row[1])) >= 40 and row[2] == "N":
            for key, cell in zip(kept, row, strict=True):
                kept[key].append(cell)
    by_hand = auc(engine, opened(engine, write(folder / "kept.csv", kept)))
    assert value == pytest.approx(by_hand[0], abs=1e-12)
    assert rows == by_hand[2] == len(kept["age"])
    assert 'where age >= 40 and region == "N"' in text
    with pytest.raises(PayoffError, match="not there: 'income'"):
        SetRowFilter(where="income > 3").apply(document)


def test_a_filter_stays_for_next_months_file_and_goes_where_its_columns_are_gone(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))
    summary = engine.run(
        "load", LoadArguments(path=str(folder / "scores.csv"), reader=ReaderSettings())
    )
    parts = {"roles": summary.roles, "target": None, "split": summary.split}
    assert OpenData(data=summary.data, **parts).apply(document).split.where == "age >= 40"
    other = engine.run(
        "load", LoadArguments(path=str(folder / "outcomes.csv"), reader=ReaderSettings())
    )
    parts = {"roles": other.roles, "target": None, "split": other.split}
    assert OpenData(data=other.data, **parts).apply(document).split.where == ""


def test_derived_columns_follow_each_other_and_are_counted(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    assert document.data is not None
    recipe = replace(
        document.data.recipe,
        derived=(
            DerivedColumn(name="odds", text="p_gbm / (1 - p_gbm)"),
            DerivedColumn(name="points", text="100 * log(odds)"),
            DerivedColumn(name="per_zero", text="age / (responded - responded)"),
            DerivedColumn(name="band", text="bands(age, 30, 50)"),
        ),
    )
    summary = engine.run("make_table", MakeTableArguments(data=with_recipe(document.data, recipe)))
    kinds = {column.name: column.kind for column in summary.columns}
    assert [kinds[name] for name in ("odds", "points", "band")] == ["number", "number", "text"]
    assert f"per_zero is missing in {ROWS} rows: division by zero." in summary.warnings
    changed = taken(document, summary, DeriveColumn)
    assert changed.data is not None
    page: RowsPage = engine.run("rows", RowsArguments(document=changed, start=0, count=1))
    chance, points = float(page.rows[0][3]), float(page.rows[0][6])
    assert points == pytest.approx(100 * np.log(chance / (1 - chance)))
    with pytest.raises(PayoffError, match="'points' needs 'odds'"):
        without_column(changed.data, "odds")
    assert without_column(changed.data, "band").recipe.derived == recipe.derived[:3]
    with pytest.raises(PayoffError, match="stands in the file"):
        without_column(changed.data, "age")


def test_adding_a_column_does_not_forget_which_rows_trained(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    assert document.data is not None
    derived = with_recipe(
        document.data,
        replace(document.data.recipe, derived=(DerivedColumn(name="x", text="age * 2"),)),
    )
    assert derived.content_hash != document.data.content_hash
    assert derived.rows_hash == document.data.rows_hash
    file = FileRef(path="b.csv", content_hash="1", size_bytes=1)
    recipe = replace(derived.recipe, rows=(RowsSpec(file=file, use=RowUse.TEST),))
    assert with_recipe(derived, recipe).rows_hash != derived.rows_hash
    # paths are no content
    moved = with_recipe(derived, at_paths(recipe, {"b.csv": "c.csv"}))
    assert moved.content_hash == with_recipe(derived, recipe).content_hash


def test_separate_files_become_row_uses(engine: LocalEngine, tmp_path: Path) -> None:
    train = write(tmp_path / "train.csv", cases(1, 200, 7))
    test = cases(151, 100, 8)  # ids 151 to 200 are in both
    for key, values in cases(1, 200, 7).items():
        test[key][:5] = values[10:15]  # and five rows of train once more
    write(tmp_path / "test.csv", test)
    document = opened(engine, train)
    found = look(engine, document, tmp_path / "test.csv")
    assert document.data is not None
    recipe = replace(
        document.data.recipe,
        own_use=RowUse.TRAIN,
        rows=(RowsSpec(file=found.file, use=RowUse.TEST),),
    )
    document = change(engine, document, with_recipe(document.data, recipe), AddRows)
    assert document.split.column == "row_use"
    assert document.column_of(Role.ROW_USE) == "row_use"
    assert document.rows_used is RowUse.TEST  # there are no validation rows
    asked = EvaluateArguments(document=document, resamples=0)
    with pytest.raises(PayoffError, match="have the id of a training row") as caught:
        engine.run("evaluate", asked)
    assert "column customer_id, data rows 11 and 201, value '00011'" in caught.value.where
    assert caught.value.why.startswith("50 of 100 rows do")
    apart = SetSharedIds(shared_ids=SharedIds.LEAVE_OUT).apply(document)
    result = engine.run("evaluate", replace(asked, document=apart))
    assert result.rows.rows == 50
    assert ("'customer_id' stands in training rows too", 50) in result.rows.dropped
    counted = SetSharedIds(shared_ids=SharedIds.COUNT).apply(document)
    assert engine.run("evaluate", replace(asked, document=counted)).rows.rows == 100
    everything = replace(document, rows_used=RowUse.ALL)  # training rows too, as was asked for
    assert engine.run("evaluate", replace(asked, document=everything)).rows.rows == 300
    told = engine.run("make_table", MakeTableArguments(data=document.data)).warnings
    assert told[0] == (
        "Overlap: 50 test rows have the 'customer_id' of a training row (first: rows 11 and 201). "
        "They flatter what was trained on those rows."
    )
    assert told[1].startswith("Overlap: 5 test rows repeat all values of a training row")
    overlap: Overlap = engine.run("overlap", OverlapArguments(document=document))
    lines = {(line.what, *line.uses): line for line in overlap.lines}
    # five were put over ids 151 to 155, so 45 of these and the five are in both
    assert lines["id", "train", "test"].rows == 50
    assert lines["row", "train", "test"].rows == 5
    assert lines["row", "train", "test"].first == (11, 201)
    assert overlap.id_column == "customer_id"


def test_rows_in_common_within_one_file_are_told_when_it_is_opened(
    engine: LocalEngine, tmp_path: Path
) -> None:
    columns = cases(1, 60, 7)
    columns["use"] = ["train"] * 30 + ["test"] * 30
    for key in ("customer_id", "age", "region", "p_gbm", "responded"):
        columns[key][40] = columns[key][2]
    path = write(tmp_path / "one.csv", columns)
    summary = engine.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    told = [text for text in summary.warnings if text.startswith("Overlap")]
    assert len(told) == 2
    assert all("first: rows 3 and 41" in text for text in told)


def test_a_fault_in_a_further_file_is_named_by_its_own_line(
    engine: LocalEngine, tmp_path: Path
) -> None:
    train = write(tmp_path / "train.csv", cases(1, 50, 7))
    bad = cases(51, 50, 8)
    bad["p_gbm"][3] = 1.5
    document = opened(engine, train)
    found = look(engine, document, write(tmp_path / "test.csv", bad))
    assert document.data is not None
    recipe = replace(document.data.recipe, rows=(RowsSpec(file=found.file, use=RowUse.TEST),))
    document = change(engine, document, with_recipe(document.data, recipe), AddRows)
    document = document.with_roles(
        tuple(
            replace(entry, role=Role.POSTERIOR, model="gbm", level="1", is_percent=False)
            if entry.column == "p_gbm"
            else entry
            for entry in document.roles
        )
    )
    with pytest.raises(PayoffError) as caught:
        auc(engine, document)
    assert "test.csv, line 5, data row 4, column p_gbm" in caught.value.where


def test_rows_are_sorted_searched_and_filtered_for_looking_only(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))

    def page(**order: object) -> RowsPage:
        arguments = RowsArguments(
            document=document,
            start=0,
            count=500,
            order=RowOrder(**order),
        )
        found: RowsPage = engine.run("rows", arguments)
        return found

    ages = [int(row[1]) for row in page(sort="age").rows]
    assert ages == sorted(ages)
    assert [int(row[1]) for row in page(sort="age", is_falling=True).rows] == ages[::-1]
    first = page(sort="age")
    assert first.rows[0][0] == f"{first.numbers[0]:05d}"
    assert page(only_used=True).total == sum(age >= 40 for age in ages)
    assert page(search="0007").total == 11  # 00007 and 00070 to 00079
    assert page(search="s", only_used=True).total == sum(
        row[2] == "S" and int(row[1]) >= 40 for row in page().rows
    )
    assert page().total == ROWS


def test_trying_an_expression_answers_with_a_refusal_in_words(
    engine: LocalEngine, folder: Path
) -> None:
    document = opened(engine, folder / "whole.csv")
    good: ExpressionResult = engine.run(
        "try_expression", TryArguments(document=document, text="age > 0", is_filter=True)
    )
    assert (good.true, good.rows, good.refusal) == (ROWS, ROWS, "")
    bad = engine.run("try_expression", TryArguments(document=document, text="age >"))
    assert "ends too early" in bad.refusal


def test_a_rule_works_out_its_derived_columns_in_another_file(
    engine: LocalEngine, folder: Path
) -> None:
    columns = cases(1, 30, 9)
    columns["tenths"] = [float(str(value)) * 10 for value in columns.pop("p_gbm")]
    del columns["responded"]
    path = write(folder / "new.csv", columns)
    table = data.load(str(path))
    derived = (
        DerivedColumn(name="chance", text="tenths / 10"),
        DerivedColumn(name="twice", text="chance * 2"),
        DerivedColumn(name="lost", text="income / 2"),
        DerivedColumn(name="age", text="0"),
    )
    made = data.with_derived_columns(table, derived)
    assert made.columns == (*table.columns, "chance", "twice")
    assert made.summary.data.content_hash != table.summary.data.content_hash
    assert data.with_derived_columns(table, derived[2:]) is table


def test_applying_decides_every_row_and_says_that_the_filter_is_not_followed(
    engine: LocalEngine, folder: Path
) -> None:
    document = SetRowFilter(where="age >= 40").apply(opened(engine, folder / "whole.csv"))
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((5.0, 0.0), (-1.0, 0.0)),
        acting="Mail",
    )
    document = replace(document, matrix=matrix, rows_used=RowUse.ALL)
    (model,) = document.models
    path = write(folder / "new.csv", cases(900, 50, 9))
    applied = engine.run(
        "apply",
        ApplyArguments(
            document=document, model=model.name, path=str(path), reader=ReaderSettings()
        ),
    )
    assert applied.rows == 50
    assert sum(count for _name, count in applied.counts) == 50
    assert any("rows where age >= 40" in text for text in applied.warnings)
    saved = engine.run(
        "save_decisions",
        SaveArguments(document=document, model=model.name, path=str(folder / "out.csv")),
    )
    kept = sum(int(str(age)) >= 40 for age in cases(1, ROWS, 5)["age"])
    assert saved.rows == kept
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == kept + 1


def test_a_copied_project_finds_both_files_beside_it(engine: LocalEngine, folder: Path) -> None:
    document = with_outcome(engine, folder)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    for name in ("scores.csv", "outcomes.csv"):
        shutil.move(folder / name, elsewhere / name)
    assert document.data is not None
    there = replace(document, data=replace(document.data, path=str(elsewhere / "scores.csv")))
    assert auc(LocalEngine(), there)[2] == ROWS
