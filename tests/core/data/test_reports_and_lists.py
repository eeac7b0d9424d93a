"""Reports of other programs: sums between groups, headings above names, notes, drawn lists."""

from __future__ import annotations

import pytest
import xlsxwriter

from core import data
from core.document.data.model import ReaderSettings
from core.document.model import Role
from payoff import PayoffError
from tests.core.data.helpers import cells, load_text, refusal, says, write
from tests.helpers.factories.files import load, preview, readers, write_workbook

REGIONS = ("North", "South", "East")
ROWS = 60


def _amounts(region: int) -> list[int]:
    return [100 * region + 7 * k for k in range(20)]


def _grouped(total: str) -> str:
    """Accounts of three regions, each with a row of sums, and their sum."""
    lines = ["Region;Account;Balance;Bad;PD"]
    for place, region in enumerate(REGIONS):
        lines += [
            f"{region};{place}{k:05d};{amount};{int(k % 5 == 0)};0.{10 + k}"
            for k, amount in enumerate(_amounts(place))
        ]
        lines.append(f"{total.format(region)};;{sum(_amounts(place))};4;")
    return "\n".join([*lines, f"Grand Total;;{sum(map(sum, map(_amounts, range(3))))};12;"])


@pytest.mark.parametrize(
    "total",
    [
        "{} Total",
        "Subtotal {}",
        "Summe {}",
        "{} Ergebnis",
        "Teilergebnis {}",
        "Total",
        "Regionssumme",
    ],
)
def test_sums_between_groups_are_no_cases(tmp_path, total):
    table = load_text(tmp_path, _grouped(total))
    assert (table.rows, table.summary.left_out, table.summary.totals) == (ROWS, 4, 4)
    assert max(data.column_as_float(table, "Balance")) == _amounts(2)[-1]
    label = total.format("North")
    says(" ".join(table.summary.warnings), f"line 22 ('{label}')", "4 rows hold totals")
    again = data.load(table.path, table.data.reader)
    assert again.rows == ROWS


def test_a_class_called_total_is_a_case(tmp_path):
    lines = [f"{k};{('Total', 'Partial')[k % 2]};{k % 7};0.{10 + k}" for k in range(60)]
    table = load_text(tmp_path, "\n".join(["id;Cover;Claims;p", *lines]))
    assert (table.rows, table.summary.left_out) == (60, 0)


@pytest.mark.parametrize("share", [9, 12, 40])
def test_a_brand_called_total_is_a_case(tmp_path, share):
    """One and none are sums of ones and nones by chance."""
    brands = ["Total" if k % share == 3 else "Shell" for k in range(120)]
    lines = [f"S{k};{brands[k]};{k % 2};{k % 3};2025;0.{10 + k % 50}" for k in range(120)]
    table = load_text(tmp_path, "\n".join(["Station;Brand;Out;Late;Year;Risk", *lines]))
    assert (table.rows, table.summary.left_out) == (120, 0)


def test_units_of_any_kind_below_the_names_are_no_case(tmp_path):
    lines = [f"P{k};{30 + k};{k / 7:.2f};{k % 2}" for k in range(20)]
    text = "\n".join(["Patient;Age;CRP;Sepsis", ";years;mg/l;0/1", *lines])
    table = load_text(tmp_path, text)
    assert table.rows == 20
    assert [table.kinds[name] for name in ("Age", "CRP", "Sepsis")] == [
        "integer", "number", "integer",
    ]  # fmt: skip
    assert table.data.reader.left_out is None


def test_lines_of_a_survey_below_the_names_are_no_cases(tmp_path):
    lines = [f"R_{k},{k % 7},{k % 11},2025-02-{1 + k % 28:02d} 10:00:00" for k in range(30)]
    above = ["Id,Q1,Q2,Date", "Response,How satisfied?,How likely?,Recorded"]
    text = "\n".join([*above, '"{""Import"":""a""}",QID1,QID2,endDate', *lines])
    table = load_text(tmp_path, text)
    assert (table.rows, table.summary.left_out) == (30, 2)
    assert [table.kinds[name] for name in ("Q1", "Q2", "Date")] == ["integer", "integer", "date"]


def test_questions_and_ids_of_a_survey_are_no_cases_above_few_numbers(tmp_path):
    lines = [
        f"2025-02-{1 + k % 28:02d} 10:00:00,{k % 70},{('No', 'Yes')[k % 2]}" for k in range(30)
    ]
    ids = ",".join('"{""ImportId"":""QID1""}"' for _ in range(3))
    above = ["StartDate,Q1,Q2", "Start Date,How old are you?,Did you buy it?", ids]
    table = load_text(tmp_path, "\n".join([*above, *lines]))
    assert (table.rows, table.summary.left_out) == (30, 2)
    assert table.kinds == {"StartDate": "date", "Q1": "integer", "Q2": "text"}


def test_names_of_a_sheet_may_lack_that_of_the_index(tmp_path):
    rows = [[None, "y", "p"], *([k, k % 2, 0.1 + k / 50] for k in range(30))]
    table = load(write_workbook(tmp_path / "frame.xlsx", {"S": rows}))
    assert (table.columns, table.rows) == (("column_1", "y", "p"), 30)


def test_classes_and_years_may_be_names_of_columns(tmp_path):
    lines = [f"{k},0.{90 - k},0.{10 + k},{k % 2},{k % 3 // 2}" for k in range(20)]
    table = load_text(tmp_path, "\n".join([",0,1,y_test,y_pred", *lines]))
    assert table.columns == ("column_1", "0", "1", "y_test", "y_pred")
    book = tmp_path / "proba.xlsx"
    with xlsxwriter.Workbook(book) as made:
        sheet = made.add_worksheet("Scores")
        sheet.write_row(0, 0, ["id", 0, 1, "y_test"])
        for k in range(20):
            sheet.write_row(1 + k, 0, [k, 0.9 - k / 100, 0.1 + k / 100, k % 2])
    assert load(book).columns == ("id", "0", "1", "y_test")


HEADINGS = ["id;Old model;;New model;;Outcome", ";good;bad;good;bad;"]
TOLD = ("id", "Old model good", "Old model bad", "New model good", "New model bad", "Outcome")


def _judged() -> list[list[object]]:
    shares = [(0.1 + k / 100, 0.2 + k / 100) for k in range(30)]
    outcomes = ["bad" if k % 3 == 0 else "good" for k in range(30)]
    return [
        [f"{k:04d}", 1 - old, old, 1 - new, new, outcomes[k]] for k, (old, new) in enumerate(shares)
    ]


def test_headings_above_names_tell_alike_ones_apart(tmp_path):
    lines = [";".join(f"{c:.2f}" if isinstance(c, float) else str(c) for c in r) for r in _judged()]
    table = load_text(tmp_path, "\n".join([*HEADINGS, *lines]))
    assert table.columns == TOLD
    assert {e.model for e in table.summary.roles if e.role is Role.POSTERIOR} == {
        "Old model", "New model",
    }  # fmt: skip
    assert data.load(table.path, table.data.reader).columns == TOLD
    says(" ".join(table.summary.warnings), "have the heading above them in front: 'Old model good'")
    numbered = data.load(table.path, ReaderSettings(rename_repeated=True))
    assert numbered.columns[1:5] == ("good", "bad", "good_2", "bad_2")


def test_merged_headings_of_a_workbook_and_ids_above_a_note(tmp_path):
    path = tmp_path / "merged.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Scores")
        sheet.write(0, 0, "Scores of March")
        sheet.merge_range("B2:C2", "Old model")
        sheet.merge_range("D2:E2", "New model")
        sheet.write_row(2, 0, ["id", "good", "bad", "good", "bad", "Outcome"])
        for k, row in enumerate(_judged()):
            sheet.write_row(3 + k, 0, row)
        sheet.write(34, 0, "* without leasing")
    table = load(path)
    assert table.columns == TOLD
    assert preview(path).columns == TOLD
    assert "merged" not in " ".join(table.summary.warnings)  # what stands above tells names apart
    assert table.table.column("id")[7].as_py() == "0007"  # the note made the column one of texts


def test_alike_names_below_one_heading_are_still_refused(tmp_path):
    text = "a;Model;;x\nid;p;p;y\n" + "".join(
        f"{k};0.{k};0.{k + 1};{k % 2}\n" for k in range(10, 30)
    )
    says(refusal(tmp_path, text, skip_lines=1, has_header=True), "Two columns are called 'p'")


def test_quoted_notes_below_a_report_are_no_cases(tmp_path):
    lines = [f'"006{k:04d}","Deal, {k}","{"Closed Won" if k % 3 else "Closed Lost"}","{k}"'
             for k in range(30)]  # fmt: skip
    below = ["", '"Grand Totals (30 records)"', "", '"Generated By: A. Bauer, 2025-11-03"']
    text = "\r\n".join(['"ID","Name","Stage","Age"', *lines, *below, ""])
    table = load_text(tmp_path, text)
    assert (table.rows, table.summary.left_out) == (30, 2)
    assert not any("Lines end" in words for words in table.summary.warnings)


SAP = """Open items                                Page {page}

-------------------------------------
| Customer   |  Balance  | Defaulted |
-------------------------------------
"""


def test_a_list_with_bars_is_read_over_its_pages(tmp_path):
    rows = [f"| {k:010d} | {k},50{'-' if k % 2 else ' '}   | {'X' if k % 3 else ' '}         |"
            for k in range(60)]  # fmt: skip
    pages = [SAP.format(page=1 + k) + "\n".join(rows[30 * k : 30 * k + 30]) for k in range(2)]
    rule = "\n-------------------------------------\n"
    text = rule.join(pages) + rule + "| *          |   1.770,00|           |" + rule
    for name in ("list.txt", "list.dat"):
        table = load(write(tmp_path, text, name))
        assert table.columns == ("Customer", "Balance", "Defaulted")
        assert (table.rows, table.kinds["Defaulted"]) == (60, "boolean")
        assert list(data.column_as_float(table, "Balance")[:3]) == [0.5, -1.5, 2.5]
        says(" ".join(table.summary.warnings), "1 row of sums (*)", "read as true and false")


def test_other_bars_and_rules_are_read_alike(tmp_path):
    drawn = {
        "markdown.md": "| id | y |\n|---|---|\n| a1 | 1 |\n| a2 | 0 |\n",
        "psql.txt": " id | y\n----+---\n a1 | 1\n a2 | 0\n(2 rows)\n",
    }
    for name, text in drawn.items():
        assert load(write(tmp_path, text, name)).columns == ("id", "y")
        assert load(tmp_path / name).rows == 2


def test_a_tick_or_nothing_is_yes_or_no(tmp_path):
    lines = [f"{k};{'x' if k % 3 else ''};{k % 2}" for k in range(30)]
    table = load_text(tmp_path, "\n".join(["id;mailed;y", *lines]))
    assert table.kinds["mailed"] == "boolean"
    says(" ".join(table.summary.warnings), "'mailed' holds 'x' in 20 of 30 rows")
    for settings in ({"column_types": (("mailed", "text"),)}, {"number_texts": False}):
        kept = data.load(table.path, ReaderSettings(**settings))
        assert kept.kinds["mailed"] == "text"


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a": 2}\n', '[{"a": 1}]', "[[1, 2]]"])
def test_json_is_refused_by_its_name(tmp_path, text):
    with pytest.raises(PayoffError, match="looks like JSON"):
        load(write(tmp_path, text, "events.jsonl"))


def _fixed(head: str, rows: int = 40) -> str:
    regions = ("NORTH", "SOUTH", "EAST", "WEST")
    lines = [
        f"P{k:07d}{100 + k / 4:12.2f}   {regions[k % 4]:<6}{k % 3:7d}{0.05 + k / 900:9.4f}"
        for k in range(rows)
    ]
    return "\n".join([head, *lines]) + "\n"


@pytest.mark.parametrize(
    ("head", "names"),
    [
        (
            "POLICY  PREMIUM  REGION  CLAIMS  PRED",
            ["POLICY", "PREMIUM", "REGION", "CLAIMS", "PRED"],
        ),
        ("POLICY PREMIUM REGION CLAIMS PRED", ["POLICY", "PREMIUM", "REGION", "CLAIMS", "PRED"]),
        (
            "Policy no  Premium in EUR  Region  Claims paid  Prediction",
            ["Policy no", "Premium in EUR", "Region", "Claims paid", "Prediction"],
        ),
    ],
)
def test_headings_need_not_stand_above_their_columns(tmp_path, head, names):
    path = write(tmp_path, _fixed(head), "list.prn")
    table = load(path)
    assert list(table.columns) == names
    assert table.table.column(names[2]).to_pylist()[:2] == ["NORTH", "SOUTH"]
    assert data.column_as_float(table, names[1])[:2].tolist() == [100.0, 100.25]
    again = load(path, widths=table.data.reader.widths, format="fixed_width")
    assert again.columns == table.columns
    assert cells(again) == cells(table)


@pytest.mark.parametrize(
    ("between", "left_out"),
    [
        ((), 2),
        (("Loans;;Page 2;", ";;;"), 6),
        (("---;-------;-----;--",), 5),
    ],
)
def test_names_on_each_page_of_a_list_are_no_cases(tmp_path, between, left_out):
    names = "No;Default;Amount;PD"
    head, rule = (between, ()) if not between or ";Page" in between[0] else ((), between)
    lines = [names, *rule]
    for row in range(90):
        if row in (30, 60):
            lines += [*head, names, *rule]
        lines.append(f"{row};{'yes' if row % 4 == 0 else 'no'};1.{100 + row},50;0,{10 + row}")
    table = load_text(tmp_path, "\n".join([*lines, "Total;;98.685,00;"]) + "\n")
    assert (table.rows, table.summary.left_out) == (90, left_out + 1)
    assert table.kinds == {
        "No": "integer", "Default": "text", "Amount": "number", "PD": "number"
    }  # fmt: skip
    assert table.summary.target is not None
    assert table.summary.target.levels == ("yes", "no")
    says(" ".join(table.summary.warnings), "repeat the names of the columns")


def _list_file(path, rows):
    """Rows of texts as a file of commas, or as a workbook with its numbers."""
    if path.suffix == ".csv":
        path.write_text("\n".join(map(",".join, rows)) + "\n", "utf-8")
        return path
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            cells = [float(c) if c.replace(".", "", 1).isdigit() else c or None for c in row]
            sheet.write_row(at, 0, cells)
    return path


@pytest.mark.parametrize("name", ["list.csv", "list.xlsx"])
def test_pages_of_a_list_below_blank_rows_are_one_table(tmp_path, name):
    names = ["No", "Default", "Amount", "PD"]
    rows = [["Loans", "", "", "Page 1"], names]
    for row in range(90):
        if row in (30, 60):
            rows += [["", "", "", ""], ["Loans", "", "", f"Page {row // 30 + 1}"], names]
        rows.append([f"L{row}", "yes" if row % 4 else "no", f"{1000 + row}.5", f"0.{10 + row}"])
    table = load(_list_file(tmp_path / name, rows))
    assert table.rows == 90
    assert list(table.kinds.values()) == ["text", "text", "number", "number"]


@pytest.mark.parametrize("name", ["list.csv", "list.xlsx"])
@pytest.mark.parametrize("label", ["Branch {}", "{}", ""])
def test_headings_of_groups_in_rows_of_their_own_are_no_cases(tmp_path, name, label):
    rows = [["No", "Default", "Amount", "PD"]]
    for row in range(60):
        if row % 20 == 0 and label:
            rows.append([label.format("AB"[row > 0] * (1 + row)), "", "", ""])
        cell = [f"{7 + row}", "yes" if row % 4 else "no", f"{100 + row}.5", f"0.{10 + row}"]
        rows.append(cell if label or row % 20 else [cell[0], "", "", ""])
    table = load(_list_file(tmp_path / name, rows))
    assert (table.rows, table.summary.left_out) == (60, 3 * bool(label))
    assert table.columns == tuple(rows[0])
    assert table.kinds["No"] == "integer"
    assert table.summary.totals == 0


def test_the_end_mark_of_old_systems_is_no_row(tmp_path):
    table = load_text(
        tmp_path, "id,y,p\n" + "".join(f"{k},{k % 2},0.5\n" for k in range(9)) + "\x1a"
    )
    assert table.rows == 9


def test_answers_below_the_questions_of_a_survey_are_names(tmp_path):
    lines = ["Respondent,Date,Which of these?,,Churned?", ",,Car,House,Response"]
    lines += [
        f"{900 + k},2025-03-{1 + k % 28:02d},{'Car' * (k % 2)},{'House' * (k % 3 == 0)},"
        f"{'Yes' if k % 5 else 'No'}"
        for k in range(40)
    ]
    for name in ("s.csv", "s.xlsx"):
        table = load(_list_file(tmp_path / name, [line.split(",") for line in lines]))
        for read in (table, data.load(table.path, table.data.reader, find_readers=readers)):
            assert read.rows == 40
            assert read.columns == ("Respondent", "Date", "Car", "House", "Churned?")
            assert (read.kinds["Car"], read.kinds["Date"]) == ("boolean", "date")
            assert read.summary.target is not None
            assert set(read.summary.target.levels) == {"Yes", "No"}
    lines = [
        "who;;what;;scores;",
        "id;age;response;;A;B",
        *(f"{k};5;{k % 2};;0.1;1" for k in range(9)),
    ]
    assert load_text(tmp_path, "\n".join(lines) + "\n", skip_lines=1).columns[2] == "response"


STATISTICS = (
    "Minimum;0;12,0;0,10",
    "Median;0;61,5;0,55",
    "Max:;1;111,0;0,99",
    "Std. dev.;0,4;29;0,3",
)


@pytest.mark.parametrize(
    ("below", "left_out"),
    [
        (STATISTICS, 4),
        ((*STATISTICS[:3], "Mean;0,25;62,1;0,54", STATISTICS[3]), 5),
        (("Germany;25;6.150,0;54,95",), 1),
        (("All branches;;6.150,0;0,2",), 1),
        (("Berlin;1;6.150,0;0,5",), 0),  # sums of one column, of a row without a name for them
        (("Median;0;999,0;7,0",), 0),
        (("Q4;0;61,5;0,55",), 0),
    ],
)
def test_statistics_and_sums_of_all_below_a_table_are_no_cases(tmp_path, below, left_out):
    rows = [f"B{k};{int(k % 4 == 0)};{12 + k},0;0,{10 + k % 90}" for k in range(100)]
    text = "\n".join(["Branch;Default;Amount;PD", *rows, *below]) + "\n"
    table = load_text(tmp_path, text)
    assert (table.rows, table.summary.left_out) == (100 + len(below) - left_out, left_out)
    if left_out == 1:
        first = "\n".join(["Branch;Default;Amount;PD", *below, *rows]) + "\n"
        table = load_text(tmp_path, first)
        assert (table.rows, table.summary.left_out) == (100, 1)
        assert table.kinds["Amount"] == "number"


def test_sums_carried_forward_from_page_to_page_are_no_cases(tmp_path):
    lines, total = ["No;Default;Amount"], 0
    for row in range(90):
        total += 1_000 + row
        lines.append(f"{row};{int(row % 4 == 0)};1.{row:03d},00")
        if row % 30 == 29:
            lines.append(f"Übertrag;;{total // 1000}.{total % 1000:03d},00")
    table = load_text(tmp_path, "\n".join(lines) + "\n")
    assert (table.rows, table.summary.left_out, table.summary.totals) == (90, 3, 3)
    assert table.kinds["No"] == "integer"


GROUPED = [",model A,model A,model B,model B,truth", ",p,score,p,score,y"]
BY_GROUP = ("model A p", "model A score", "model B p", "model B score", "y")
COUNTED = [",X1,X2,X3,X4,Y", "ID,LIMIT,p_old,AGE,p_new,default next month"]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("above", "names"),
    [
        (GROUPED, ("column_1", *BY_GROUP)),
        ([*GROUPED, "id,,,,,"], ("id", *BY_GROUP)),
        (COUNTED, tuple(COUNTED[1].split(","))),
        (["A,B,C,D,E,F", COUNTED[1]], tuple(COUNTED[1].split(","))),
        ([",X1,X2,X3,X4,Y"], ("column_1", "X1", "X2", "X3", "X4", "Y")),
    ],
)
def test_names_stand_below_lines_that_count_or_group_columns(tmp_path, ending, above, names):
    rows = [[k + 7, 0.1 + k / 100, 600 + k, 0.2 + k / 100, 500 + k, k % 2] for k in range(40)]
    if ending == "csv":
        lines = [*above, *(",".join(map(str, row)) for row in rows)]
        path = tmp_path / "two.csv"
        path.write_text("\n".join(lines) + "\n", "utf-8")
    else:
        heads = [[cell or None for cell in line.split(",")] for line in above]
        path = write_workbook(tmp_path / "two.xlsx", {"S": [*heads, *rows]})
    table = load(path)
    assert (table.columns, table.rows, table.summary.left_out) == (names, 40, 0)
    again = data.load(table.path, table.data.reader, find_readers=readers)
    assert (again.columns, again.rows) == (names, 40)


@pytest.mark.parametrize(
    "steps", ["0,1,2,3", "400.5,401.0,401.5,402.0,402.5", "2015,2016,2017,2018,2019"]
)
def test_numbers_that_rise_by_one_step_are_names_beside_words(tmp_path, steps):
    days = [f"2008-07-{1 + k % 28:02d}" for k in range(30)]
    rows = [
        f"{day},{','.join(f'{k / 7 + at:.2f}' for at in range(steps.count(',') + 1))},{k % 2}"
        for k, day in enumerate(days)
    ]
    table = load_text(tmp_path, "\n".join([f"Time,{steps},Pass/Fail", *rows]) + "\n")
    assert table.columns == ("Time", *steps.split(","), "Pass/Fail")


@pytest.mark.parametrize(
    ("head", "first", "names", "told"),
    [
        (["age", "y", "p", None], range(1, 31), ("row_name", "age", "y", "p"), "moved one place"),
        (["id", "age", "y", None], range(1, 31), ("id", "age", "y", "column_4"), ""),
        (["age", "y", "p", None], "abcdefghijklmnopqrstuvwxyzABCD", None, "row names of R"),
    ],
)
def test_names_of_a_workbook_that_lack_that_of_the_row_names(tmp_path, head, first, names, told):
    rows = [[at, 20 + k, k % 2, 0.1 + k / 50] for k, at in enumerate(first)]
    path = write_workbook(tmp_path / "r.xlsx", {"S": [head, *rows]})
    table = load(path)
    assert names is None or table.columns == names
    says(" ".join(table.summary.warnings), told)


@pytest.mark.parametrize("delimiter", ["~", "^", "\x01", "\x1f", ":"])
def test_delimiters_of_old_systems_are_found_where_no_usual_one_cuts(tmp_path, delimiter):
    rows = [delimiter.join([f"L{k}", str(k % 2), f"0.{k + 10}"]) for k in range(30)]
    table = load_text(tmp_path, "\n".join([delimiter.join(["loan", "bad", "pd"]), *rows]) + "\n")
    assert table.columns == ("loan", "bad", "pd")
    assert table.kinds["pd"] == "number"


def test_numbers_between_blanks_need_not_stand_at_the_same_characters(tmp_path):
    rows = [
        "   " + "   ".join(map(str, (k % 3, 7 * k, 90 + 9 * k, k % 2))) + " " for k in range(40)
    ]
    path = tmp_path / "numbers.data"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    table = load(path, has_header=False)
    assert len(table.columns) == 4
    assert data.column_as_float(table, "column_3").tolist() == [90 + 9 * k for k in range(40)]


@pytest.mark.parametrize("name", ["list.csv", "list.xlsx"])
def test_cases_of_which_nothing_but_the_id_is_known_are_no_headings(tmp_path, name):
    rows = [["id", "Default", "Amount", "PD"]]
    for row in range(60):
        known = ["yes" if row % 4 else "no", f"{100 + row}.5", f"0.{10 + row}"]
        rows.append([f"C{row:04d}", *(known if row % 13 else ["", "", ""])])
    table = load(_list_file(tmp_path / name, rows))
    assert (table.rows, table.summary.left_out) == (60, 0)
