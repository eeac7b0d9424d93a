"""Odd but ordinary files: read, and their roles guessed, as a person would expect."""

from __future__ import annotations

import pytest

from core import data
from core.document.model import Role
from payoff import PayoffError
from tests.core.data.odd_files import OddFile, odd_files
from tests.helpers.factories.files import load, preview

FILES = {file.name: file for file in odd_files()}


@pytest.mark.parametrize("name", FILES)
def test_an_odd_file_is_read_as_a_person_would(tmp_path, name):
    file = FILES[name]
    path = file.write(tmp_path)
    preview(path, **file.settings)
    if file.refuses:
        with pytest.raises(PayoffError) as caught:
            load(path, **file.settings)
        assert all(part in str(caught.value) for part in file.refuses), caught.value
        return
    table = load(path, **file.settings)
    summary = table.summary
    assert table.rows == file.rows
    assert summary.left_out == file.left_out
    if file.columns:
        assert table.columns == file.columns
    found = {entry.column: entry.role for entry in summary.roles}
    assert {column: found[column] for column in file.roles} == dict(file.roles)
    _check_outcome(file, summary)
    models = tuple(dict.fromkeys(e.model for e in summary.roles if e.role is Role.POSTERIOR))
    assert models == (file.models or models)
    for column, numbers in file.numbers.items():
        assert data.column_as_float(table, column) == pytest.approx(list(numbers), abs=1e-4)
    for column, texts in file.texts.items():
        assert data.column_as_text(table, column) == list(texts)
    for words in file.warns:
        assert any(words in warning for warning in summary.warnings), summary.warnings


def _check_outcome(file: OddFile, summary: data.LoadedTable) -> None:
    """The outcome's kind, classes and event."""
    target = summary.target
    if file.kind or file.event or file.levels:
        assert target is not None
        assert target.kind == (file.kind or target.kind)
        assert target.event == (file.event or target.event)
        assert set(target.levels) == set(file.levels or target.levels)


def test_each_name_is_there_once():
    assert len(FILES) == len(odd_files()) > 80


def test_a_sheet_by_its_own_name_is_read_whole(tmp_path):
    path = FILES["a_small_table_beside"].write(tmp_path)
    assert load(path, part="Loans").columns == ("Loan", "Default", "Amount", "PD", "Grade", "Limit")
    parts = preview(path).parts
    assert parts == ("Loans", "Loans!A1:D151", "Loans!G1:H4")
    assert load(path, part=parts[2]).rows == 3
    assert load(path).data.reader.part == parts[1]


def test_notes_below_a_file_longer_than_its_head(tmp_path):
    lines = ["id,default,pd", *(f"{k},{k % 3 == 0:d},0.{k % 90 + 10}" for k in range(40_000))]
    path = tmp_path / "long.csv"
    path.write_text("\n".join([*lines, "", "Source: warehouse, as of May", "Restricted"]), "utf-8")
    table = load(path)
    assert (table.rows, table.summary.left_out, table.summary.totals) == (40_000, 2, 0)
    assert table.kinds == {"id": "integer", "default": "integer", "pd": "number"}
    again = load(path, left_out=(40_001, 40_002))
    assert again.rows == 40_000
    broken = tmp_path / "broken.csv"
    broken.write_text("\n".join([*lines, "40000"]), "utf-8")
    with pytest.raises(PayoffError, match=r"line 40002, data row 40001"):
        load(broken)
