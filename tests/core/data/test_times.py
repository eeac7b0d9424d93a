"""Durations, halves of a day, and dates that are written as whole numbers."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from core import data
from core.document.data.model import ReaderSettings
from tests.core.data.helpers import load_text, says, write
from tests.helpers.factories.files import load, preview


def _column(tmp_path, name: str, cells: list[str], **settings: object) -> data.LoadedTable:
    lines = [f"{k};{cell}" for k, cell in enumerate(cells)]
    return load_text(tmp_path, "\n".join([f"id;{name}", *lines]) + "\n", **settings)


@pytest.mark.parametrize(
    ("name", "cells", "numbers"),
    [
        ("TalkTime", ["00:05:12", "01:00:00", ""], [312, 3600, None]),
        ("Gesprächsdauer", ["0:05:12.5", "1:00:00"], [312.5, 3600]),
        ("wait", ["2:09", "0:30", "-0:10"], [129, 30, -10]),
        ("x", ["31:05:07", "02:00:00"], [111_907, 7200]),
        ("Elapsed", ["1d 02:03:04", "0d 00:00:09"], [93_784, 9]),
        ("x", ["1 day, 2:03:04", "0:00:09"], [93_784, 9]),
        ("x", ["4:12", "1:04:12"], [252, 3852]),
        ("x", [f"00:{k:02d}:{2 * k:02d}" for k in range(1, 26)], [62 * k for k in range(1, 26)]),
    ],
)
def test_durations_are_numbers(tmp_path, name, cells, numbers):
    table = _column(tmp_path, name, cells)
    assert table.table.column(name).to_pylist() == numbers
    says(" ".join(table.summary.warnings), f"Column '{name}' holds durations such as {cells[0]}")
    says(" ".join(preview(table.path).warnings), "holds durations")
    assert _column(tmp_path, name, cells, number_texts=False).kinds[name] == "text"
    assert _column(tmp_path, name, cells, column_types=((name, "text"),)).kinds[name] == "text"


@pytest.mark.parametrize("cells", [["08:30", "9:15", "23:59"], ["08:30:00", "21:15:10"]])
def test_times_of_day_are_numbers_only_where_that_is_said(tmp_path, cells):
    assert _column(tmp_path, "Start time", cells).kinds["Start time"] == "text"
    stated = _column(tmp_path, "at", cells, column_types=(("at", "number"),))
    first = 510 if len(cells[0]) == 5 else 510 * 60
    assert stated.table.column("at")[0].as_py() == first


def test_a_length_of_time_in_a_workbook_is_a_number_of_seconds(tmp_path):
    path = str(tmp_path / "calls.xlsx")
    with xlsxwriter.Workbook(path) as book:
        sheet, length = book.add_worksheet(), book.add_format({"num_format": "[h]:mm:ss"})
        sheet.write_row(0, 0, ["id", "Handling", "y"])
        for row in range(1, 30):
            sheet.write_row(row, 0, [row, "", row % 2])
            sheet.write(row, 1, row * 1800 / 86_400, length)
    table = load(path)
    assert data.column_as_float(table, "Handling")[:2].tolist() == [1800.0, 3600.0]


def test_halves_of_a_day_are_read(tmp_path):
    cells = ["3/14/2026 2:05 PM", "12/31/2026 12:00 AM", "1/2/2026 12:30 pm"]
    table = _column(tmp_path, "at", cells)
    read = table.table.column("at").to_pylist()
    assert [f"{moment:%m-%d %H:%M}" for moment in read] == [
        "03-14 14:05",
        "12-31 00:00",
        "01-02 12:30",
    ]
    assert _column(tmp_path, "at", ["3/14/2026 14:05 PM", *cells]).kinds["at"] == "text"


@pytest.mark.parametrize(
    ("name", "cells", "first"),
    [
        ("CallDate", [45158, 45200, 45999], datetime.date(2023, 8, 20)),
        ("Kündigungsdatum", [20240229, 20231231], datetime.date(2024, 2, 29)),
        ("ISSUE_DT", [19991231, 20000101], datetime.date(1999, 12, 31)),
    ],
)
def test_dates_written_as_whole_numbers_are_dates_where_the_name_says_so(
    tmp_path, name, cells, first
):
    table = _column(tmp_path, name, list(map(str, cells)))
    assert table.kinds[name] == "date"
    assert table.table.column(name)[0].as_py() == first
    says(" ".join(table.summary.warnings), f"Column '{name}' holds dates such as {cells[0]}")
    kept = _column(tmp_path, name, list(map(str, cells)), column_types=((name, "number"),))
    assert kept.kinds[name] == "integer"
    assert data.load(table.path, ReaderSettings(number_texts=False)).kinds[name] == "integer"


def _serials(first: str, count: int, step: str) -> list[int]:
    """Days as spreadsheets count them."""
    begin, rest = np.datetime64("1899-12-30"), np.arange(count)
    if step == "workdays":
        days = np.busday_offset(first, rest, roll="forward")
    elif step == "ends":
        days = (np.datetime64(first[:7]) + 1 + rest).astype("datetime64[D]") - 1
    else:
        days = np.datetime64(first) + rest
    return (days - begin).astype(int).tolist()


@pytest.mark.parametrize(
    ("name", "cells", "first"),
    [
        ("Vertragsende", _serials("2023-01-01", 9, "days"), datetime.date(2023, 1, 1)),
        ("opened", _serials("2019-05-04", 9, "days"), datetime.date(2019, 5, 4)),
        ("valid_from", _serials("2019-05-04", 9, "days"), datetime.date(2019, 5, 4)),
        ("Eröffnet am", _serials("2019-05-04", 9, "days"), datetime.date(2019, 5, 4)),
        ("x1", _serials("2021-03-01", 80, "workdays"), datetime.date(2021, 3, 1)),
        ("period", _serials("2020-01-31", 24, "ends"), datetime.date(2020, 1, 31)),
        ("Periode", [20230100 + k for k in range(1, 20)], datetime.date(2023, 1, 1)),
    ],
)
def test_dates_written_as_whole_numbers_are_known_by_what_they_are(tmp_path, name, cells, first):
    table = _column(tmp_path, name, list(map(str, cells)))
    assert table.kinds[name] == "date"
    assert table.table.column(name)[0].as_py() == first
    says(" ".join(table.summary.warnings), f"Column '{name}' holds dates such as {cells[0]}")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Saldo", _serials("2023-01-01", 200, "days")),
        ("PLZ", [44135 + 7 * k for k in range(90)]),
        ("income", [30_000 + 500 * k for k in range(40)]),
        ("end", [28_800 + 600 * k for k in range(40)]),  # seconds of a day
        ("salary_from", [36_000 + 211 * k for k in range(40)]),
        ("Preis ab", [36_000 + 211 * k for k in range(40)]),
        ("start", [36_000 + 211 * k for k in range(40)]),  # kilometres
        ("km_end", [36_000 + 211 * k for k in range(40)]),
        ("order_no", [20240100 + k for k in range(1, 30)]),
        ("account", [20230100 + k for k in range(1, 90)]),
        ("x1", _serials("2020-01-31", 12, "ends")),
        ("CallDate", [45158, 145200]),
        ("update_count", [45158, 45200]),
        ("Balance", [45158, 45200]),
        ("IssueDate", [20240231, 20240101]),
        ("days_to_date", [3, 45200]),
    ],
)
def test_other_whole_numbers_stay_numbers(tmp_path, name, cells):
    assert _column(tmp_path, name, list(map(str, cells))).kinds[name] == "integer"


def test_days_of_a_spreadsheet_in_a_workbook_without_formats_are_dates(tmp_path):
    path = write(tmp_path, "", "plain.xlsx")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["id", "Order date", "y"])
        for row in range(1, 30):
            sheet.write_row(row, 0, [row, 45_000 + row, row % 2])
    assert load(path).kinds["Order date"] == "date"


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (["2021-01-31", "2021-02-28", "2021-03-31"], datetime.date(2021, 1, 31)),
        (["31.01.2021", "28.02.2021", "01.03.2021"], datetime.date(2021, 1, 31)),
        (["01/31/2021", "02/28/2021", "03/01/2021"], datetime.date(2021, 1, 31)),
        (["2021-01-31 10:05", "2021-02-28 11:00", ""], datetime.datetime(2021, 1, 31, 10, 5)),
    ],
)
@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_texts_that_are_dates_are_dates_where_dates_have_a_type(tmp_path, cells, first, ending):
    """A workbook filled from a system, a file of a database: nothing else says their order."""
    cells = cells * 4
    path = str(tmp_path / f"file.{ending}")
    if ending == "parquet":
        known = [cell or None for cell in cells]
        pq.write_table(pa.table({"id": range(len(cells)), "when": known, "y": range(12)}), path)
    else:
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, ["id", "when", "y"])
            for row, cell in enumerate(cells, start=1):
                sheet.write_row(row, 0, [row, cell, row % 5])
    table = load(path)
    assert table.kinds["when"] == "date"
    assert table.table.column("when")[0].as_py() == first


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["4 March 2024", "Mon, 28 Feb 2023", "1 May 1999"], "2024-03-04"),
        (["March 4, 2024", "Dec 28, 2023"], "2024-03-04"),
        (["04-MAR-24", "28DEC1999"], "2024-03-04"),
        (["4. März 2024", "28. Dez. 2023"], "2024-03-04"),
        (["4 de marzo de 2024", "1er août 2022"], "2024-03-04"),
        (["2024/3/4", "2023/12/28"], "2024-03-04"),
        (["2024.03.04.", "2023.12.28."], "2024-03-04"),
        (["2024年3月4日", "2023年12月28日"], "2024-03-04"),
        (["3/4/24", "12/28/99"], "2024-03-04"),
        (["3/4/24 2:05 PM", "12/28/23 9:00 AM"], "2024-03-04 14:05:00"),
        (["04-Mar-2024 14:05:10", "28-Dec-2023 09:00:00"], "2024-03-04 14:05:10"),
        ([f"{4 + k % 20}/{3 + k % 9}/{24 - k % 3}" for k in range(60)], "2024-03-04"),
        (["3/4/24", "2/8/23"], ""),
        ([f"{24 - k % 3}/{3 + k % 9}/{4 + k % 20}" for k in range(60)], ""),
        (["Mar-24", "Dec-23"], ""),
        (["30 Feb 2024", "1 Mar 2024"], ""),
        (["4 Mar 2024 25:00", "1 Mar 2024 09:00"], ""),
        (["4 apples 2024", "5 pears 2023"], ""),
        (["2024.1.3", "2023.2.1"], ""),
    ],
)
def test_dates_that_can_be_read_in_one_way_are_dates(tmp_path, cells, read):
    table = load_text(tmp_path, "d;n\n" + "".join(f"{cell};1\n" for cell in [*cells, ""]))
    assert table.kinds["d"] == ("date" if read else "text")
    assert str(table.table.column("d")[0].as_py()) == (read or cells[0])
    assert table.column_summary("d").missing == 1


@pytest.mark.parametrize("cells", [["01/02/2021", "03/04/2021"], ["2021-02-30", "2021-01-01"]])
def test_texts_that_may_be_other_dates_or_none_stay_texts(tmp_path, cells):
    path = str(tmp_path / "file.parquet")
    pq.write_table(pa.table({"id": range(12), "when": cells * 6}), path)
    table = load(path)
    assert table.kinds["when"] == "text"
    is_told = "do not exist in the calendar" in " ".join(table.summary.warnings)
    assert is_told is ("2021-02-30" in cells)
