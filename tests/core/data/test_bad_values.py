"""The catalogue of bad data files: numbers, dates, missing marks, outcomes, posteriors."""

from __future__ import annotations

import numpy as np
import pytest

from core import data
from core.document.data.model import ReaderSettings
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from payoff import PayoffError
from tests.core.data.helpers import cells, load_text, refusal, says, write


def test_case_16_semicolon_and_decimal_comma(tmp_path):
    path = write(tmp_path, "a;b;c\n1,5;2;x\n0,25;3;y\n")
    settings = data.preview(path).settings
    assert (settings.delimiter, settings.decimal) == (";", ",")
    table = data.load(path)
    assert data.column_as_float(table, "a").tolist() == [1.5, 0.25]


@pytest.mark.parametrize("mark", [".", ","])
def test_case_17_ambiguous_marks_are_asked_for(tmp_path, mark):
    text = f"a;b\n1{mark}234;x\n5{mark}678;y\n"
    path = write(tmp_path, text)
    finding = next(f for f in data.preview(path).findings if f.setting == "decimal")
    assert not finding.is_certain
    says(refusal(tmp_path, text), "decimal mark is not clear", f"1{mark}234")
    as_decimal = load_text(tmp_path, text, decimal=mark)
    assert data.column_as_float(as_decimal, "a").tolist() == [1.234, 5.678]
    other = "," if mark == "." else "."
    as_thousands = load_text(tmp_path, text, decimal=other, thousands=mark)
    assert data.column_as_float(as_thousands, "a").tolist() == [1234.0, 5678.0]


@pytest.mark.parametrize("mark", [",", ".", "'", "\u202f", "\u00a0", " "])
def test_case_18_thousands(tmp_path, mark):
    decimal = "," if mark == "." else "."
    rows = f"x;1{mark}234{decimal}50\ny;12{mark}345{mark}678{decimal}25\nz;9{decimal}75\n"
    table = load_text(tmp_path, f"k;v\n{rows}")
    assert data.column_as_float(table, "v").tolist() == [1234.5, 12345678.25, 9.75]


@pytest.mark.parametrize("value", ["12%", "$5", "5 kg"])
def test_case_19_units_are_refused_where_a_number_is_needed(tmp_path, value):
    table = load_text(tmp_path, f"k,v\na,1\nb,{value}\nc,3\n")
    with pytest.raises(PayoffError) as caught:
        data.column_as_float(table, "v", role="weight")
    says(caught.value, "weight", "line 3", "data row 2", "column v", f"'{value}'")


def test_case_19_a_cell_of_blanks_is_missing_in_a_column_of_numbers_and_counted(tmp_path):
    table = load_text(tmp_path, "y,p,n\n" + "1,0.5,7\n" * 30 + "0, ,  \n")
    assert (table.kinds["p"], table.kinds["n"]) == ("number", "integer")
    assert table.table.column("p").null_count == table.table.column("n").null_count == 1
    says(" ".join(table.summary.warnings), "'p': 1 of 31 rows holds nothing but spaces")
    kept = data.load(table.path, ReaderSettings(number_texts=False))
    with pytest.raises(PayoffError, match="nothing but blanks") as caught:
        data.column_as_float(kept, "p", role="posterior")
    says(caught.value, "line 32", "data row 31", "column p")
    assert "currency" not in str(caught.value)


def test_case_20_missing_marks(tmp_path):
    marks = ("NA", "N/A", "null", "None", ".", "\\N", "(null)", "NaT")
    lines = "".join(f"{mark},x\n" for mark in marks)
    table = load_text(tmp_path, f"v,w\n1,x\n{lines}2,x\n")
    assert table.kinds["v"] == "integer"
    assert table.column_summary("v").missing == len(marks)
    text = "v\n" + "".join(f"{i}\n" for i in range(50)) + "?\n999\n"
    offered = [
        f for f in data.preview(write(tmp_path, text)).findings if f.setting == "missing_marks"
    ]
    assert [f.value for f in offered] == ["?"]
    table = load_text(tmp_path, text)
    assert table.kinds["v"] == "text"  # not taken by itself
    assert any("line 52" in w and "'?'" in w for w in table.summary.warnings)
    assert load_text(tmp_path, text, missing_marks=("", "?")).kinds["v"] == "integer"


@pytest.mark.parametrize("mark", ["-", "--", "?", "-999"])
def test_case_20_other_marks_are_offered_and_taken_when_that_is_said(tmp_path, mark):
    text = "v\n" + "".join(f"{i % 40 + 20}\n" for i in range(200)) + f"{mark}\n{mark}\n"
    findings = data.preview(write(tmp_path, text)).findings
    assert [f.value for f in findings if f.setting == "missing_marks"] == [mark]
    assert load_text(tmp_path, text).column_summary("v").missing == 0  # not taken by itself
    described = load_text(tmp_path, text, missing_marks=("", mark))
    assert (described.kinds["v"], described.column_summary("v").missing) == ("integer", 2)


def test_case_21_numbers_that_are_none(tmp_path):
    table = load_text(tmp_path, "v,w\nnan,1\n2.5,1\n")
    assert table.column_summary("v").missing == 1
    says(refusal(tmp_path, "k,v\n1,2.5\n2,inf\n"), "line 3", "data row 2", "column v", "'inf'")
    says(refusal(tmp_path, "k,v\n1,-2.5\n2,1e309\n"), "line 3", "'1e309'")
    table = load_text(tmp_path, "k,v\n1,1e-400\n2,0.5\n")
    assert any("1e-400" in warning for warning in table.summary.warnings)


def test_case_22_long_ids_stay_text(tmp_path):
    for long in ("9007199254740993", "12345678901234567890123"):
        table = load_text(tmp_path, f"id,v\n{long},1\n12,2\n")
        assert table.kinds["id"] == "text"
        assert cells(table)[0][0] == long
        assert any("longer than a number" in w for w in table.summary.warnings)
    assert load_text(tmp_path, "id,v\n9007199254740992,1\n").kinds["id"] == "integer"


@pytest.mark.parametrize("value", ["007", "0x1F", "1E5", "SEPT2"])
def test_case_23_codes_stay_text(tmp_path, value):
    rows = "".join(f"{i},1\n" for i in range(10, 2000))
    table = load_text(tmp_path, f"code,v\n{rows}{value},2\n{rows}")
    assert table.kinds["code"] == "text"
    assert cells(table)[1990][0] == value
    assert table.kinds["v"] == "integer"


def test_case_23_numbers_in_powers_of_ten_stay_numbers(tmp_path):
    table = load_text(tmp_path, "v\n1.5e-05\n2e-07\n0.5\n")
    assert table.kinds["v"] == "number"


def test_case_24_bad_value_far_down_is_found(tmp_path):
    table = load_text(tmp_path, "a,b\n" + "1.5,2\n" * 999_999 + "oops,1\n")
    assert any("line 1000001" in w and "'oops'" in w for w in table.summary.warnings)
    with pytest.raises(PayoffError) as caught:
        data.column_as_float(table, "a", role="cost")
    says(caught.value, "line 1000001", "data row 1000000", "'oops'")


def test_case_25_dates(tmp_path):
    table = load_text(tmp_path, "d,e\n2024-02-29,05/06/2024\n2023-01-31,31/12/2023\n")
    assert table.kinds == {"d": "date", "e": "date"}  # 31/12 can only have the day first
    assert [row[1] for row in cells(table)] == ["2024-06-05", "2023-12-31"]
    table = load_text(tmp_path, "d,k\n2024-02-29,1\n2023-02-29,2\n")
    assert table.kinds["d"] == "text"
    says(" ".join(table.summary.warnings), "do not exist", "line 3", "2023-02-29")


def test_case_25_years_of_two_digits(tmp_path):
    table = load_text(tmp_path, "k;due\n1;31.12.24\n2;01.02.58 08:30\n3;05.06.29\n4;05.06.30\n")
    assert [row[1][:10] for row in cells(table)] == [
        "2024-12-31",
        "1958-02-01",
        "2029-06-05",
        "1930-06-05",
    ]
    for text in ("1.2.10", "24-05-12", "24/05/12", "10.20.30.40", "31.13.24"):
        table = load_text(tmp_path, "k,due\n" + f"1,{text}\n" * 3)
        assert table.kinds["due"] == "text", text


def test_case_25_ambiguous_dates_are_asked_for(tmp_path):
    text = "k,due\n1,03/04/2024\n2,05/06/2024 08:30\n"
    path = write(tmp_path, text)
    finding = next(f for f in data.preview(path).findings if f.setting == "date_order")
    assert not finding.is_certain
    says(finding.reason, "03/04/2024", "column due")
    table = data.load(path)
    assert table.kinds["due"] == "text"  # not taken either way
    assert any("order of dates" in warning for warning in table.summary.warnings)
    read = [cells(load_text(tmp_path, text, date_order=order))[0][1] for order in ("dmy", "mdy")]
    assert read == ["2024-04-03 00:00:00", "2024-03-04 00:00:00"]
    assert load_text(tmp_path, text, date_order="text").kinds["due"] == "text"


def test_case_25_dates_that_do_not_exist(tmp_path):
    text = "due\n" + "31.01.2024\n" * 20 + "29.02.2023\n"
    says(refusal(tmp_path, text, date_order="dmy"), "line 22", "column due", "'29.02.2023'")
    table = load_text(tmp_path, text)
    assert table.kinds["due"] == "text"
    assert any("line 22" in warning for warning in table.summary.warnings)
    again = data.load(table.path, table.data.reader)
    assert cells(again) == cells(table)
    both = "a,b\n13/01/2024,01/13/2024\n"
    finding = next(
        f for f in data.preview(write(tmp_path, both)).findings if f.setting == "date_order"
    )
    assert not finding.is_certain


def test_case_25_zones_named_here_and_not_there(tmp_path):
    table = load_text(tmp_path, "t,k\n2024-01-01T10:00:00Z,1\n2024-01-01T10:00:00,2\n")
    assert table.kinds["t"] == "text"
    says(" ".join(table.summary.warnings), "time zone")


def test_case_26_third_value_in_a_binary_column(tmp_path):
    table = load_text(tmp_path, "y,p\n1,0.5\n0,0.25\n2,0.5\n2,0.75\n")
    target = TargetSpec(column="y", kind="binary", levels=("1", "0"))
    codes, warnings = data.outcome_codes(table, target)
    assert codes.tolist() == [0, 1, -1, -1]
    assert "'2' (2 rows, first data row 3)" in warnings[0]
    for spelling in ("true", "True", "TRUE"):
        table = load_text(tmp_path, f"y,p\n{spelling},0.5\nfalse,0.25\n")
        assert table.kinds["y"] == "boolean"


def test_case_27_one_class(tmp_path):
    table = load_text(tmp_path, "target,p_x\n1,0.5\n1,0.25\n")
    assert any("needs 2 classes, found 1" in w for w in table.summary.warnings)


def test_case_28_missing_outcomes(tmp_path):
    table = load_text(tmp_path, "target,p_x\n1,0.5\n,0.25\n0,0.3\n,0.1\n")
    assert any("2 of 4 rows have no outcome" in w for w in table.summary.warnings)
    document = Document(target=TargetSpec(column="target", kind="binary", levels=("1", "0")))
    assert np.flatnonzero(data.row_uses(table, document) == 3).tolist() == [1, 3]


def test_case_29_constant_and_empty_columns(tmp_path):
    table = load_text(tmp_path, "a,b,c\n1,,x\n1,,y\n")
    assert any("'b' holds no value" in w for w in table.summary.warnings)
    assert any("one value only: a" in w for w in table.summary.warnings)
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles["a"] is Role.IGNORED
    assert roles["b"] is Role.IGNORED


def test_case_31_one_row(tmp_path):
    table = load_text(tmp_path, "target,p_x\n1,0.5\n")
    assert table.rows == 1
    assert data.rows_page(table, 0, 10).rows == (("1", "0.5"),)


def test_case_34_weights(tmp_path):
    document = Document(roles=(RoleAssignment(column="w", role=Role.WEIGHT),))
    table = load_text(tmp_path, "k,w\na,1\nb,-2\n")
    with pytest.raises(PayoffError) as caught:
        data.frequency(table, document)
    says(caught.value, "negative", "line 3", "data row 2", "'-2'")
    for text, word in (
        ("k,w\na,1\nb,\n", "missing"),
        ("k,w\na,0\nb,0\n", "All weights are zero"),
        ("k,w\na,1\nb,many\n", "'many'"),
    ):
        with pytest.raises(PayoffError, match=word):
            data.frequency(load_text(tmp_path, text), document)


def posterior_document(*columns: tuple[str, str], percent: bool = False) -> Document:
    roles = tuple(
        RoleAssignment(column=name, role=Role.POSTERIOR, model="m", level=level, is_percent=percent)
        for name, level in columns
    )
    target = TargetSpec(column="y", kind="binary", levels=("1", "0"))
    return Document(target=target).with_roles(roles)


def test_case_43_posterior_outside(tmp_path):
    table = load_text(tmp_path, "y,p\n1,0.5\n0,1.25\n")
    with pytest.raises(PayoffError) as caught:
        data.posteriors(table, posterior_document(("p", "1")), "m")
    says(caught.value, "outside 0 to 1", "line 3", "data row 2", "'1.25'")


def test_case_44_sums(tmp_path):
    table = load_text(tmp_path, "y,p1,p0\n1,0.5,0.5000009\n0,0.5,0.48\n")
    with pytest.raises(PayoffError) as caught:
        data.posteriors(table, posterior_document(("p1", "1"), ("p0", "0")), "m")
    says(caught.value, "do not sum to 1", "data row 2", "0.98", "1 of 2")


def test_case_45_percentages(tmp_path):
    table = load_text(tmp_path, "target,p_m\n1,80.5\n0,12\n0,3\n")
    role = next(entry for entry in table.summary.roles if entry.column == "p_m")
    assert role.is_percent
    assert "percent" in role.reason
    assert any("percent" in warning for warning in table.summary.warnings)
    table = load_text(tmp_path, "y,p\n1,80.5\n0,12\n")
    with pytest.raises(PayoffError, match="look like percentages"):
        data.posteriors(table, posterior_document(("p", "1")), "m")
    read = data.posteriors(table, posterior_document(("p", "1"), percent=True), "m")
    assert read == pytest.approx(np.array([[0.805, 0.12], [0.195, 0.88]]))


def test_case_20_sentinel_numbers_are_offered_where_they_stick_out(tmp_path):
    ages = "".join(f"{i % 70 + 18},{i}\n" for i in range(200))
    seen = data.preview(write(tmp_path, f"age,n\n{ages}999,1\n999,2\n"))
    offered = [f for f in seen.findings if f.setting == "missing_marks"]
    assert [(f.value, f.is_certain) for f in offered] == [("999", False)]
    assert "column age" in offered[0].reason
    assert data.load(seen.path).column_summary("age").maximum == 999.0  # never by itself


def test_case_33_duplicate_ids(tmp_path):
    rows = "".join(f"{i},1\n" for i in range(100, 200))
    table = load_text(tmp_path, f"id,x\n{rows}150,2\n")
    assert table.summary.roles[0].role is Role.ID
    assert any("data rows 51 and 101" in warning for warning in table.summary.warnings)
