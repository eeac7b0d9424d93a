"""Files of other programs through the readers: what they hold, what is asked, what is refused."""

from __future__ import annotations

import datetime
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import xlsxwriter

from core import data
from core.data.reading.choosing import PLAIN_SUFFIXES
from payoff import PayoffError
from payoff.errors import StoppedError
from plugins.readers.plain import DELIMITED
from plugins.readers.sas_transport import special_missing
from tests.core.data.helpers import cells
from tests.helpers.factories.files import (
    frame,
    frame_rows,
    load,
    pack,
    preview,
    readers,
    write_as,
    write_stat,
    write_workbook,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "readers"


def refused(path: Path, **settings: object) -> str:
    with pytest.raises(PayoffError) as caught:
        load(path, **settings)
    assert str(path) in caught.value.where
    return str(caught.value)


def add_warning(table: data.LoadedTable, *parts: str) -> bool:
    return any(all(part in text for part in parts) for text in table.summary.warnings)


def test_columns_without_a_row_are_shown_and_take_no_memory(tmp_path):
    nothing = pd.DataFrame({name: np.empty(0) for name in ("a", "b")})
    seen = preview(write_stat(tmp_path, "xpt", nothing))
    assert (seen.columns, seen.rows) == (("a", "b"), ())
    assert seen.memory_estimate_bytes == 0


# ---------------------------------------------------------------- packed text

TEXT = b"id,score,y\n" + b"".join(b"%03d,0.%02d,%d\n" % (i, i, i % 2) for i in range(1, 90))


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zip"])
def test_packed_text_is_the_text(tmp_path, ending):
    (tmp_path / "cases.csv").write_bytes(TEXT)
    plain = load(tmp_path / "cases.csv")
    table = load(pack(tmp_path / f"cases.csv.{ending}", TEXT))
    assert cells(table) == cells(plain)
    assert table.kinds == plain.kinds == {"id": "text", "score": "number", "y": "integer"}
    assert table.data.reader.format == "compressed"
    assert table.data.content_hash == data.content_hash(table.path)
    again = data.load(table.path, table.data.reader, find_readers=readers)
    assert cells(again) == cells(table)


def test_faults_in_packed_text_name_file_and_line(tmp_path):
    path = pack(tmp_path / "cases.csv.gz", TEXT + b"090,0.9\n")
    assert "line 91" in refused(path)
    whole = path.read_bytes()
    for count in (3, 15, len(whole) // 2, len(whole) - 4):
        path.write_bytes(whole[:count])
        assert "unpacked" in refused(path)


def test_a_zip_with_two_files_asks_which(tmp_path):
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", TEXT)
        archive.writestr("b.csv", b"x,y\n1,2\n")
        archive.writestr("__MACOSX/._a.csv", b"shadow")
    seen = preview(path)
    assert seen.parts == ("a.csv", "b.csv")
    assert [f.is_certain for f in seen.findings if f.setting == "part"] == [False]
    assert "a.csv, b.csv" in refused(path)
    assert load(path, part="b.csv").columns == ("x", "y")
    assert "no file 'c.csv'" in refused(path, part="c.csv")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README.txt", b"Please read.\n")
        archive.writestr("export/a.csv", TEXT)
        archive.writestr("codes.pdf", b"%PDF")
    seen = preview(path)
    assert [f.is_certain for f in seen.findings if f.setting == "part"] == [True]
    assert load(path).data.reader.part == "export/a.csv"


# ---------------------------------------------------------------- fixed width

FIXED = (
    "id    region      score   y\n"
    "007   North       0.25    0\n"
    "008   Südwest     0.75    1\n"
    "0123  Mail order          1\n"
)


def test_fixed_width_is_cut_where_all_lines_are_blank(tmp_path):
    path = tmp_path / "cases.fwf"
    path.write_text(FIXED.replace("Mail order", "Mail-order"), encoding="utf-8")
    seen = preview(path)
    finding = next(f for f in seen.findings if f.setting == "widths")
    assert finding.value == "6, 12, 8, 1"
    assert not finding.is_certain
    table = load(path)
    assert table.columns == ("id", "region", "score", "y")
    assert cells(table)[2] == ("0123", "Mail-order", "", "1")
    assert table.kinds["id"] == "text"
    assert "line 3, data row 2" in data.place_of(table, 1, "y")
    assert cells(load(path, **_settings(table))) == cells(table)


def _settings(table: data.LoadedTable) -> dict[str, object]:
    reader = table.data.reader
    return {name: getattr(reader, name) for name in reader.__slots__}


def test_fixed_width_as_told(tmp_path):
    path = tmp_path / "codes.dat"
    path.write_bytes("AB12\nCD34\nÉF5\n".encode("cp1252"))
    table = load(path, format="fixed_width", widths=(2, 2), has_header=False)
    assert cells(table) == [("AB", "12"), ("CD", "34"), ("ÉF", "5")]
    assert add_warning(table, "Windows-1252")
    assert cells(load(path, **_settings(table))) == cells(table)
    assert "line 1" in refused(path, format="fixed_width", widths=(2, 1), has_header=False)
    assert "parted by blanks" in refused(path, format="fixed_width")


# ---------------------------------------------------------------- Excel


def test_a_workbook_gives_values_with_their_kinds(tmp_path):
    path = write_workbook(tmp_path / "cases.xlsx", {"Cases": frame_rows(frame())})
    table = load(path)
    assert table.kinds == {
        "id": "text",
        "p_gbm": "number",
        "orders": "integer",
        "since": "date",
        "region": "integer",
        "y": "integer",
    }
    assert cells(table)[0] == ("007", "0.9", "3", "2024-02-29", "1", "1")
    assert cells(table)[2][2] == ""
    assert "line 3, data row 2" in data.place_of(table, 1, "y")


def test_case_38_formulas_merged_hidden_faults_macros(tmp_path):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Data")
        for at, name in enumerate(("k", "v", "w")):
            sheet.write(0, at, name)
        for row in range(1, 6):
            sheet.write(row, 0, row)
            sheet.write_formula(row, 1, "=1+1", None, 2.5)
            sheet.write_formula(row, 2, "=NA()", None, "#N/A" if row == 3 else row)
        sheet.set_row(4, None, None, {"hidden": True})
        sheet.merge_range(7, 0, 7, 2, "")
        sheet.write_string(5, 0, "=cmd|' /C calc'!A0")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"not run")
    table = load(path)
    assert [row[1:] for row in cells(table)][2] == ("2.5", "")
    assert cells(table)[4][0] == "=cmd|' /C calc'!A0"  # plain text
    assert add_warning(table, "10 cells", "formulas")
    assert add_warning(table, "1 cell holds", "#N/A")
    assert add_warning(table, "1 hidden row: it is read")
    assert add_warning(table, "1 merged")
    assert add_warning(table, "macros")


def test_case_38_two_sheets_are_asked_about(tmp_path):
    rows = frame_rows(frame())
    sheets = {"Spring": rows, "Autumn": rows[:3], "Notes": [["nothing"]], "Empty": []}
    path = write_workbook(tmp_path / "two.xlsx", sheets, hidden=["Notes"])
    seen = preview(path)
    assert seen.parts == ("Spring", "Autumn", "Notes")
    assert not next(f for f in seen.findings if f.setting == "part").is_certain
    assert "Spring, Autumn, Notes" in refused(path)
    assert load(path, part="Autumn").rows == 2
    assert "no sheet 'Empty'" in refused(path, part="Empty")


def test_lists_of_codes_beside_a_far_larger_table_are_not_asked_about(tmp_path):
    codes = [["field", "meaning"], *([f"f{k}", f"words {k}"] for k in range(20))]
    cases = [["id", "y"], *([f"K{k}", k % 2] for k in range(400))]
    path = write_workbook(tmp_path / "codes.xlsx", {"Read me": codes, "Data": cases})
    assert load(path).data.reader.part == "Data"
    path = write_workbook(tmp_path / "codes.xlsx", {"Old": cases[:20], "Data": cases})
    assert "Old, Data" in refused(path)
    path = write_workbook(tmp_path / "codes.xlsx", {"Notes": cases[:200], "Data": cases})
    assert "Notes, Data" in refused(path)


def test_a_title_above_the_table_is_passed_over_and_said(tmp_path):
    rows = [["Campaign of May"], [], *frame_rows(frame())]
    path = write_workbook(tmp_path / "titled.xlsx", {"S": rows})
    finding = next(f for f in preview(path).findings if f.setting == "skip_lines")
    assert (finding.value, finding.is_certain) == ("2", False)
    table = load(path)
    assert table.columns == tuple(frame().columns)
    assert add_warning(table, "rows above the table")
    assert "line 4, data row 1" in data.place_of(table, 0, "y")
    assert cells(load(path, **_settings(table))) == cells(table)


def test_sheets_without_a_header_and_with_odd_cells(tmp_path):
    path = write_workbook(tmp_path / "bare.xlsx", {"S": [[1, 2.5], [2, 3.5], [], [3, "NA"]]})
    table = load(path)
    assert table.columns == ("column_1", "column_2")
    assert cells(table) == [("1", "2.5"), ("2", "3.5"), ("3", "")]
    assert add_warning(table, "1 blank row ")
    mixed = [["v", "when"], [1, datetime.date(2024, 1, 2)], ["many", None], [3, None]]
    table = load(write_workbook(tmp_path / "mixed.xlsx", {"S": mixed}))
    with pytest.raises(PayoffError) as caught:
        data.column_as_float(table, "v", role="weight")
    assert "line 3, data row 2, column v, value 'many'" in str(caught.value)
    twice = [["a", "a"], [1, 2]]
    assert "Two columns" in refused(write_workbook(tmp_path / "twice.xlsx", {"S": twice}))


def test_a_damaged_or_locked_workbook_is_refused(tmp_path):
    path = write_workbook(tmp_path / "cases.xlsx", {"S": frame_rows(frame())})
    whole = path.read_bytes()
    for count in (30, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:count])
        assert "workbook" in refused(path)
    path.write_bytes(b"id,y\n1,2\n")
    assert "not what its name says" in refused(path)


# ---------------------------------------------------------------- SAS, SPSS, Stata


@pytest.mark.parametrize("ending", ["xpt", "sav", "dta"])
def test_files_of_statistics_programs(tmp_path, ending):
    table = load(write_stat(tmp_path, ending))
    assert table.kinds == {
        "id": "text",
        "p_gbm": "number",
        "orders": "integer",
        "since": "date",
        "region": "integer",
        "y": "integer",
    }
    expected = frame()
    assert cells(table)[0] == ("007", "0.9", "3", "2024-02-29", "1", "1")
    np.testing.assert_allclose(data.column_as_float(table, "orders"), expected["orders"])
    assert table.column_summary("orders").missing == 1
    assert "data row 2" in data.place_of(table, 1, "y")
    seen = preview(table.path)
    assert seen.rows[1] == cells(table)[1]
    assert seen.row_estimate in (6, 2)


@pytest.mark.parametrize("ending", ["xlsx", "xpt", "sav", "dta"])
def test_whole_numbers_with_gaps_are_integers_as_in_text(tmp_path, ending):
    gaps = pd.DataFrame(
        {"n": [0.0, None, -7.0], "big": [2.0**53 + 2, None, 1.0], "x": [0.5, 0.5, 1]}
    )
    table = load(write_as(tmp_path, ending, gaps))
    assert table.kinds == {"n": "integer", "big": "number", "x": "number"}
    assert [row[0] for row in cells(table)] == ["0", "", "-7"]
    assert table.column_summary("n").levels == (("0", 1), ("-7", 1))


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_codes_stay_codes_unless_labels_are_wanted(tmp_path, ending):
    path = write_stat(tmp_path, ending)
    finding = next(f for f in preview(path).findings if f.setting == "use_labels")
    assert "1 = North" in finding.reason
    assert cells(load(path))[0][4] == "1"
    assert [row[4] for row in cells(load(path, use_labels=True))][:2] == ["North", "South"]


def test_special_missing_values_of_a_transport_file_are_told(tmp_path):
    cases = pd.DataFrame({"id": ["a", "b", "c", "d"], "x": [1.5, np.nan, np.nan, np.nan]})
    path = write_stat(tmp_path, "xpt", cases)
    content = bytearray(path.read_bytes())
    point = b".\0\0\0\0\0\0\0"
    first = content.find(point)
    content[first] = ord("A")
    second = content.find(point)
    content[second] = ord("_")
    path.write_bytes(content)
    assert special_missing(str(path)) == {"x": {"A": 1, "_": 1}}
    table = load(path)
    assert add_warning(table, "'x'", ".A (1)", "._ (1)")
    assert table.column_summary("x").missing == 3


def test_special_missing_values_of_stata_are_told(tmp_path):
    path = tmp_path / "cases.dta"
    cases = pd.DataFrame({"x": [1.5, np.nan, "a", "b", "a"]}, dtype=object)
    pyreadstat.write_dta(cases, path, missing_user_values={"x": ["a", "b"]})
    table = load(path)
    assert add_warning(table, "'x'", ".A (2)", ".B (1)")
    assert table.kinds["x"] == "number"
    assert table.column_summary("x").missing == 4


def test_values_that_spss_declares_missing_are_missing(tmp_path):
    path = tmp_path / "cases.sav"
    cases = pd.DataFrame({"x": [1.0, 9.0, 2.0, 99.0]})
    pyreadstat.write_sav(cases, path, missing_ranges={"x": [9, {"lo": 90, "hi": 99}]})
    table = load(path)
    assert table.column_summary("x").missing == 2
    assert add_warning(table, "'x'", "9", "90 to 99")


def test_a_sas_data_set(tmp_path):
    path = shutil.copy(GOLDEN / "cases.sas7bdat", tmp_path / "cases.sas7bdat")
    table = load(path)
    assert table.columns == ("id", "score", "since", "y")
    assert cells(table)[0] == ("007", "0.25", "2024-02-29", "0")
    assert table.kinds == {"id": "text", "score": "number", "since": "date", "y": "integer"}
    assert table.column_summary("score").missing == 1


def test_two_data_sets_in_one_transport_file_are_refused(tmp_path):
    path = write_stat(tmp_path, "xpt")
    content = path.read_bytes()
    path.write_bytes(content + content[240:])
    assert "2 data sets" in refused(path)


# ---------------------------------------------------------------- choosing


def test_plain_text_never_waits_for_plugins(tmp_path):
    def not_asked():
        raise AssertionError("plugins were asked for")

    (tmp_path / "cases.csv").write_bytes(TEXT)
    assert data.load(str(tmp_path / "cases.csv"), find_readers=not_asked).rows == 89
    assert DELIMITED.suffixes == PLAIN_SUFFIXES


def test_an_unknown_ending_is_told_by_its_first_bytes(tmp_path):
    path = write_stat(tmp_path, "sav").rename(tmp_path / "cases.spss_export")
    assert load(path).rows == 6
    (tmp_path / "cases.scores").write_bytes(TEXT)
    assert load(tmp_path / "cases.scores").rows == 89
    assert "no reader 'odt'" in refused(tmp_path / "cases.scores", format="odt")


def test_stop_between_batches(tmp_path):
    path = write_stat(tmp_path, "sav")
    with pytest.raises(StoppedError):
        data.load(str(path), None, data.no_progress, lambda: True, readers)
