"""Columns of one name: refused with both positions, or numbered where that is asked for."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import xlsxwriter

import payoff
from core import data
from core.data.lazy import parquet as lazy_parquet
from core.data.names import NameSink, settle_given_names
from core.document.data.model import ReaderSettings
from core.document.files.codec import from_plain, to_plain
from core.script.files.reading import described_settings
from payoff import PayoffError
from tests.core.data.helpers import cells, load_text, refusal, write
from tests.helpers.factories.files import load, preview, readers

HEAD = ("a", "b", "a", "a", "a_2")
NUMBERED = ("a", "b", "a_3", "a_4", "a_2")  # a_2 is taken, though it stands behind
ROWS = ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10))
ASKED = ReaderSettings(rename_repeated=True)


def write_workbook(folder: Path) -> Path:
    path = folder / "cases.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    for at, row in enumerate((HEAD, *ROWS)):
        sheet.write_row(at, 0, row)
    book.close()
    return path


def write_fixed(folder: Path) -> Path:
    path = folder / "cases.fwf"
    lines = ["".join(f"{cell!s:<5}" for cell in row) for row in (HEAD, *ROWS)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def write_text(folder: Path) -> Path:
    path = folder / "cases.tsv"
    lines = ["\t".join(map(str, row)) for row in (HEAD, *ROWS)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def write_parquet(folder: Path) -> Path:
    path = folder / "cases.parquet"
    columns = [pa.array(column) for column in zip(*ROWS, strict=True)]
    pq.write_table(pa.Table.from_arrays(columns, names=HEAD), path, row_group_size=1)
    return path


WRITERS = (write_text, write_fixed, write_workbook, write_parquet)


@pytest.mark.parametrize("write_file", WRITERS)
def test_case_4_names_are_numbered_on_request_in_every_format(tmp_path, write_file):
    path = write_file(tmp_path)
    with pytest.raises(PayoffError) as refused:
        load(path)
    assert "columns 1 and 3" in refused.value.where
    assert "2 columns" in refused.value.why
    assert "rename_repeated" in refused.value.remedy
    assert "import settings" in refused.value.remedy
    table = load(path, rename_repeated=True)
    assert table.columns == NUMBERED
    assert cells(table) == [tuple(map(str, row)) for row in ROWS]
    assert any("column 3 ('a', like column 1) is 'a_3'" in w for w in table.summary.warnings)
    assert table.data.reader.rename_repeated
    again = data.load(str(path), table.data.reader, find_readers=readers)  # as kept
    assert again.columns == NUMBERED


@pytest.mark.parametrize("write_file", WRITERS)
def test_case_4_a_preview_asks_and_shows_the_names_there_would_be(tmp_path, write_file):
    path = write_file(tmp_path)
    seen = preview(path)
    (question,) = [f for f in seen.findings if f.setting == "rename_repeated"]
    assert not question.is_certain
    assert "column 3" in question.reason
    assert seen.columns == NUMBERED
    assert "rename_repeated" in seen.obeyed or not seen.obeyed
    answered = preview(path, rename_repeated=True)
    (answer,) = [f for f in answered.findings if f.setting == "rename_repeated"]
    assert answer.is_certain
    assert answered.settings.rename_repeated


def test_case_4_a_large_parquet_file_is_read_by_position(tmp_path, monkeypatch):
    path = str(write_parquet(tmp_path))
    monkeypatch.setattr(lazy_parquet, "LARGE_ROWS", 1)
    with pytest.raises(PayoffError, match="Two columns are called 'a'"):
        data.load(path)
    table = data.load(path, ASKED)
    assert table.columns == NUMBERED
    assert table.require_column("a_4").to_pylist() == [4, 9]
    assert table.require_column("a").to_pylist() == [1, 6]
    assert cells(table) == [tuple(map(str, row)) for row in ROWS]
    found = {column.name: (column.minimum, column.maximum) for column in table.summary.columns}
    assert found["a_3"] == (3, 8)


def test_case_4_lists_and_columns_of_one_name(tmp_path):
    path = str(tmp_path / "cases.parquet")
    columns = [pa.array([[1], [2]]), pa.array([3, 4]), pa.array([5, 6])]
    pq.write_table(pa.Table.from_arrays(columns, names=["a", "a", ""]), path)
    table = data.load(path, ASKED)
    assert table.columns == ("a_0", "a_2", "column_3")
    assert cells(table) == [("1", "3", "5"), ("2", "4", "6")]
    assert any("'a' holds lists" in warning for warning in table.summary.warnings)


def test_case_4_a_first_line_that_is_no_header_repeats_nothing(tmp_path):
    text = "x,y,x\n1,2,3\n4,5,6\n"
    assert load_text(tmp_path, text, has_header=False).columns == (
        "column_1",
        "column_2",
        "column_3",
    )


def test_case_4_kept_types_follow_the_new_names(tmp_path):
    table = load_text(
        tmp_path, "a,a\n1,2\n3,4\n", rename_repeated=True, column_types=(("a_2", "text"),)
    )
    assert table.kinds == {"a": "integer", "a_2": "text"}


def test_case_4_settings_are_written_into_projects_and_absent_in_old_ones():
    kept = from_plain(ReaderSettings, to_plain(ASKED))
    assert kept == ASKED
    old = to_plain(ReaderSettings())
    del old["rename_repeated"]
    assert from_plain(ReaderSettings, old).rename_repeated is None


def test_case_4_data_of_a_script_say_a_remedy_that_they_have():
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(PayoffError, match="Two columns are called 'a'") as refused:
        data.from_data(frame)
    assert "import settings" not in refused.value.remedy


def test_case_4_very_many_names_are_told_apart(tmp_path):
    sink = NameSink.of(ASKED)  # comparing each with each would outlast the limit of a test
    settled = settle_given_names(["x", ""] * 100_000, "wide.csv", sink)
    assert len(set(settled)) == 200_000
    assert settled[-2] == "x_100000"
    path = write(tmp_path, ",".join(["x", ""] * 2_500) + "\n" + ",".join("1" * 5_000) + "\n")
    columns = data.preview(path, ASKED, count=1).columns
    assert len(set(columns)) == 5_000
    assert columns[-2] == "x_2500"
    assert "columns 1 and 3" in str(refusal(tmp_path, "x,y,x\n1,2,3\n"))


GIVEN = {"column_names": ((2, "PD"), (3, "default"))}


def _frame_of_three() -> pd.DataFrame:
    return pd.DataFrame({"a": [7, 8, 9, 10], "b": [0.1, 0.2, 0.3, 0.4], "c": [0, 1, 0, 1]})


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "sav", "txt"])
def test_columns_are_called_as_somebody_says(tmp_path, ending):
    path, frame = tmp_path / f"cases.{ending}", _frame_of_three()
    if ending == "xlsx":
        frame.to_excel(path, index=False, header=False, engine="xlsxwriter")
    elif ending == "parquet":
        frame.to_parquet(path)
    elif ending == "sav":
        pyreadstat.write_sav(frame, path)
    else:
        frame.to_csv(path, index=False, header=ending == "txt")
    first = "a" if ending in ("parquet", "sav", "txt") else "column_1"
    assert preview(path, **GIVEN).columns == (first, "PD", "default")
    table = load(path, **GIVEN)
    assert table.columns == (first, "PD", "default")
    assert load(path, **vars_of(table.data.reader)).columns == table.columns
    with pytest.raises(PayoffError, match="Column 4 cannot be called 'x'"):
        load(path, column_names=((4, "x"),))
    with pytest.raises(PayoffError, match=f"Two columns are called '{first}'"):
        load(path, column_names=((2, first),))


def vars_of(reader: ReaderSettings) -> dict[str, object]:
    return {field.name: getattr(reader, field.name) for field in fields(reader)}


def test_scripts_and_the_command_line_give_names(tmp_path):
    path = tmp_path / "cases.csv"
    _frame_of_three().to_csv(path, index=False, header=False)
    assert payoff.read(path, column_names=["id", "PD", "y"]).column_names == ["id", "PD", "y"]
    assert payoff.read(path, column_names={2: "PD"}).column_names == ["column_1", "PD", "column_3"]
    assert described_settings({"column_names": "2:PD,3:y"}).column_names == ((2, "PD"), (3, "y"))
