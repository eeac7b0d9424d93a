"""The catalogue of bad data files: each case gets the stated answer, none is taken silently."""

from __future__ import annotations

import gzip
import io
import os
import time
import zipfile

import numpy as np
import pytest

from core import data
from core.data import memory
from core.data.choosing import no_readers
from core.document.data.model import ReaderSettings
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from payoff import PayoffError
from tests.core.data.helpers import cells, load_text, refusal, write


def says(error: PayoffError | str, *parts: str) -> None:
    text = str(error)
    for part in parts:
        assert part in text, f"{part!r} not in {text!r}"


def test_case_1_empty_file(tmp_path):
    says(refusal(tmp_path, b""), "empty", "cases.csv")
    says(refusal(tmp_path, b"\n\n  \n"), "blank lines")


def test_case_2_header_only(tmp_path):
    says(refusal(tmp_path, "a,b,c\n"), "no data rows", "a, b, c")
    assert data.preview(write(tmp_path, "a,b,c\n")).columns == ("a", "b", "c")


def test_case_3_no_header_keeps_the_first_row(tmp_path):
    path = write(tmp_path, "1,2\n3,4\n5,6\n")
    seen = data.preview(path)
    finding = next(f for f in seen.findings if f.setting == "has_header")
    assert finding.value == "no"
    assert not finding.is_certain
    table = data.load(path)
    assert table.rows == 3
    assert table.columns == ("column_1", "column_2")
    assert any("header line" in warning for warning in table.summary.warnings)


def test_case_4_duplicate_names(tmp_path):
    error = refusal(tmp_path, "a,b,a\n1,2,3\n")
    says(error, "'a'", "columns 1 and 3", "line 1")


def test_case_5_blank_name_and_leading_index(tmp_path):
    table = load_text(tmp_path, "a,,c\n1,2,3\n")
    assert table.columns == ("a", "column_2", "c")
    assert any("column_2" in warning for warning in table.summary.warnings)
    table = load_text(tmp_path, "a,b\nr1,1,2\nr2,3,4\n")
    assert table.columns == ("row_name", "a", "b")
    assert cells(table) == [("r1", "1", "2"), ("r2", "3", "4")]
    again = data.load(table.path, table.summary.data.reader)
    assert again.columns == table.columns
    assert cells(again) == cells(table)


def test_case_6_names_that_differ_in_case(tmp_path):
    table = load_text(tmp_path, "Age,age,caf\u00e9,cafe\u0301\n1,2,3,4\n")
    assert any("'Age', 'age'" in warning for warning in table.summary.warnings)
    assert any("caf\u00e9" in warning for warning in table.summary.warnings)


def test_case_7_and_8_wrong_number_of_fields(tmp_path):
    rows = "".join(f"{i},{i},{i}\n" for i in range(2000))
    error = refusal(tmp_path, f"a,b,c\n{rows}1,2,3,4\n{rows}")
    says(error, "too many fields", "line 2002", "data row 2001", "Expected 3", "found 4", "1,2,3,4")
    error = refusal(tmp_path, f"a,b,c\n{rows}1,2\n{rows}9\n")
    says(error, "too few fields", "line 2002", "Expected 3", "found 2", "2 rows differ", "4003")


def test_case_9_unclosed_quote(tmp_path):
    rows = "".join(f"{i},x{i}\n" for i in range(500))
    error = refusal(tmp_path, f'a,b\n{rows}7,"open\n{rows}')
    says(error, "never closed", "line 502")
    error = refusal(tmp_path, f'a,b\n{rows}7,"open\n{rows}8,"again\n{rows}')
    says(error, "closing quote", "line 502")


def test_case_10_quote_inside_an_unquoted_cell_is_literal(tmp_path):
    table = load_text(tmp_path, 'a,b\n1,5" pipe\n2,"a ""b"""\n')
    assert cells(table) == [("1", '5" pipe'), ("2", 'a "b"')]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_case_11_line_breaks_inside_quotes_keep_line_numbers(tmp_path, end):
    table = load_text(tmp_path, f'a,b{end}1,"x{end}y"{end}2,z{end}3,oops{end}')
    assert cells(table)[0][1] == f"x{end}y"
    with pytest.raises(PayoffError) as caught:
        data.column_as_float(table, "b")
    says(caught.value, "line 2", "data row 1")
    assert "line 5, data row 3" in data.place_of(table, 2, "b")


def test_case_12_line_ends(tmp_path):
    assert cells(load_text(tmp_path, "a,b\r1,x\r2,y\r")) == [("1", "x"), ("2", "y")]
    table = load_text(tmp_path, "a,b\n1,x\r\n2,y\n")
    assert table.rows == 2
    assert any("different ways" in warning for warning in table.summary.warnings)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_case_13_wide_encodings(tmp_path, encoding):
    text = "name,value\n" + "".join(f"Gr\u00fcn{i},{i}\n" for i in range(50))
    path = write(tmp_path, text.encode(encoding))
    finding = next(f for f in data.preview(path).findings if f.setting == "encoding")
    assert finding.is_certain == (encoding in ("utf-8-sig", "utf-16"))
    table = data.load(path)
    assert table.columns == ("name", "value")
    assert cells(table)[7] == ("Gr\u00fcn7", "7")
    again = data.load(path, table.summary.data.reader)
    assert cells(again) == cells(table)


def test_case_14_old_encodings(tmp_path):
    text = "name,value\n" + "".join(f"M\u00fcller {i} \u20ac,{i}\n" for i in range(30))
    path = write(tmp_path, text.encode("cp1252"))
    finding = next(f for f in data.preview(path).findings if f.setting == "encoding")
    assert finding.value == "cp1252"
    assert not finding.is_certain
    assert cells(data.load(path))[3] == ("M\u00fcller 3 \u20ac", "3")
    with pytest.raises(PayoffError) as caught:
        data.load(path, ReaderSettings(encoding="utf-8"))
    says(caught.value, "not UTF-8", "line 2", "byte offset 12", "0xFC")


def test_case_14_fault_far_into_the_file(tmp_path):
    rows = b"".join(b"abc,%d\n" % i for i in range(60_000))
    error = refusal(tmp_path, b"name,value\n" + rows + b"\xe9t\xe9,1\n")
    says(error, "line 60002", f"byte offset {11 + len(rows):,}")
    error = refusal(tmp_path, "a,b\nx,\u00fc\n".encode() + b"y,\x81\n", encoding="cp1252")
    says(error, "not cp1252", "byte offset")


def test_case_15_nul_bytes(tmp_path):
    error = refusal(tmp_path, b"a,b\n1,2\n3,\x004\n")
    says(error, "NUL", "line 3", "byte offset 10")


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


def test_case_19_a_cell_of_blanks_is_not_taken_for_a_currency(tmp_path):
    table = load_text(tmp_path, "y,p\n" + "1,0.5\n" * 30 + "0, \n")
    with pytest.raises(PayoffError, match="nothing but blanks") as caught:
        data.column_as_float(table, "p", role="posterior")
    says(caught.value, "line 32", "data row 31", "column p")
    assert "currency" not in str(caught.value)


def test_case_20_missing_marks(tmp_path):
    table = load_text(tmp_path, "v,w\n1,x\nNA,x\nN/A,\nnull,x\nNone,x\n2,x\n")
    assert table.kinds["v"] == "integer"
    assert table.column_summary("v").missing == 4
    text = "v\n" + "".join(f"{i}\n" for i in range(50)) + "?\n999\n"
    offered = [
        f for f in data.preview(write(tmp_path, text)).findings if f.setting == "missing_marks"
    ]
    assert [f.value for f in offered] == ["?"]
    table = load_text(tmp_path, text)
    assert table.kinds["v"] == "text"  # not taken by itself
    assert any("line 52" in w and "'?'" in w for w in table.summary.warnings)
    assert load_text(tmp_path, text, missing_marks=("", "?")).kinds["v"] == "integer"


@pytest.mark.parametrize("mark", ["-", ".", "?", "-999"])
def test_case_20_other_marks_are_offered_and_taken_when_that_is_said(tmp_path, mark):
    text = "v\n" + "".join(f"{i % 40 + 20}\n" for i in range(200)) + f"{mark}\n{mark}\n"
    findings = data.preview(write(tmp_path, text)).findings
    assert [f.value for f in findings if f.setting == "missing_marks"] == [mark]
    assert load_text(tmp_path, text).column_summary("v").missing == 0  # not taken by itself
    said = load_text(tmp_path, text, missing_marks=("", mark))
    assert (said.kinds["v"], said.column_summary("v").missing) == ("integer", 2)


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
    again = data.load(table.path, table.summary.data.reader)
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


def test_case_32_stop_and_a_long_row(tmp_path):
    path = write(tmp_path, "a,b\n" + "1,2\n" * 400_000)
    with pytest.raises(data.Stopped):
        data.load(path, None, data.no_progress, lambda: True)
    text = "x" * (3 << 20)
    table = load_text(tmp_path, f"a,b\n1,{text}\n2,y\n")
    assert cells(table)[0][1] == text


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


def test_case_35_changed_file_has_another_hash(tmp_path):
    first = load_text(tmp_path, "a,b\n1,2\n").summary.data.content_hash
    assert load_text(tmp_path, "a,b\n1,3\n").summary.data.content_hash != first
    assert load_text(tmp_path, "a,b\n1,2\n").summary.data.content_hash == first
    assert data.content_hash(str(tmp_path / "cases.csv")) == first


def test_case_36_folder_pipe_device_link(tmp_path):
    with pytest.raises(PayoffError, match="folder"):
        data.load(str(tmp_path))
    with pytest.raises(PayoffError, match="no such file"):
        data.load(str(tmp_path / "gone.csv"))
    with pytest.raises(PayoffError, match="folder of this file does not exist"):
        data.load(str(tmp_path / "gone" / "gone.csv"))
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere.csv")
    with pytest.raises(PayoffError, match="link points to a file that no longer exists"):
        data.load(str(tmp_path / "link.csv"))
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(PayoffError, match="device or a pipe"):
        data.preview(str(tmp_path / "pipe.csv"))
    with pytest.raises(PayoffError, match="device or a pipe"):
        data.load("/dev/zero")


def test_case_36_no_permission(tmp_path, monkeypatch):
    path = write(tmp_path, "a,b\n1,2\n")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PayoffError, match="no permission"):
        data.load(path)


def test_case_37_disguises(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    for content, word in (
        (packed.getvalue(), "Excel workbook"),
        (gzip.compress(b"a,b\n1,2\n"), "gzip"),
        (b"\n <!DOCTYPE html>\n<html><body>404</body></html>", "web page"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PAR1 no parquet at all", "cannot be opened"),
    ):
        says(refusal(tmp_path, content), word)


def test_case_39_formulas_are_plain_text(tmp_path):
    table = load_text(tmp_path, "k,v\n1,\"=cmd|' /C calc'!A0\"\n2,+1+1\n")
    assert cells(table)[0][1] == "=cmd|' /C calc'!A0"


def test_case_40_preamble_and_footnotes(tmp_path):
    text = (
        "Scores of the spring campaign\nmade 2024-05-01\n\nid,score,y\n1,0.5,1\n2,0.25,0\n3,0.1,0\n"
    )
    path = write(tmp_path, text)
    finding = next(f for f in data.preview(path).findings if f.setting == "skip_lines")
    assert finding.value == "3"
    assert not finding.is_certain
    table = data.load(path)
    assert table.columns == ("id", "score", "y")
    assert "line 5, data row 1" in data.place_of(table, 0, "id")
    assert cells(data.load(path, table.summary.data.reader)) == cells(table)
    says(refusal(tmp_path, text + "Source: our own\n"), "line 8", "too few", "Source: our own")


@pytest.mark.parametrize(
    ("text", "setting", "reason", "skip", "columns"),
    [
        (
            "id,score\n1,0.5\n2,0.25\n3,0.1\n\nregion,share\nN,0.1\nS,0.9\n",
            "skip_lines",
            "line 6, below a blank line, may begin another table: skip 5 lines",
            5,
            ("region", "share"),
        ),
        (
            "customer,score,score_b,outcome\nid,gbm,logit,y\n1,0.5,0.4,1\n2,0.2,0.3,0\n3,0.1,0.2,0\n",
            "has_header",
            "line 2 holds words above numbers too: if it is part of the header, skip 1 line",
            1,
            ("id", "gbm", "logit", "y"),
        ),
        (  # names, years and a blank in the second header line
            "customer,score,score_b,score_c,outcome\nid,2023,2024,,y\n1,0.5,0.4,0.1,1\n"
            "2,0.2,0.3,0.6,0\n3,0.1,0.2,0.3,0\n",
            "has_header",
            "line 2 holds words above numbers too: if it is part of the header, skip 1 line",
            1,
            ("id", "2023", "2024", "column_4", "y"),
        ),
        (  # a unit above one column only
            "amount,share\nEUR,\n1,0.5\n2,0.2\n3,0.1\n",
            "has_header",
            "line 2 holds words above numbers too",
            1,
            ("EUR", "column_2"),
        ),
    ],
)
def test_case_40_two_tables_and_two_header_lines_are_asked_about(
    tmp_path, text, setting, reason, skip, columns
):
    path = write(tmp_path, text)
    finding = next(f for f in data.preview(path).findings if f.setting == setting)
    assert not finding.is_certain
    says(finding.reason, reason)
    says(" ".join(data.load(path).summary.warnings), "Please check", reason)
    table = data.load(path, ReaderSettings(skip_lines=skip, has_header=True))
    assert table.columns == columns
    assert not any("Please check" in told for told in table.summary.warnings)


@pytest.mark.parametrize(
    "first",
    ["1,NA,0.4,1", "1,none,n/k,1", "1,N/A,,1", "1,oops,0.4,1", ",,,"],
)
def test_case_40_a_first_row_with_marks_or_one_fault_is_no_header(tmp_path, first):
    text = f"customer,score,score_b,outcome\n{first}\n2,none,n/k,0\n" + "".join(
        f"{n},0.{n},0.{n + 1},{n % 2}\n" for n in range(3, 9)
    )
    findings = data.preview(write(tmp_path, text)).findings
    assert not any("part of the header" in entry.reason for entry in findings)


def test_case_40_a_second_table_of_another_width_is_refused_by_its_line(tmp_path):
    text = "id,score\n1,0.5\n2,0.25\n3,0.5\n\nregion,customers,revenue\nN,10,3.5\n"
    says(refusal(tmp_path, text), "line 6", "Expected 2 fields, found 3", "region,customers")


@pytest.mark.parametrize("name", ["with space.csv", "\U0001f4c8 chart.csv", "n" * 240 + ".csv"])
def test_case_41_paths(tmp_path, name):
    table = data.load(write(tmp_path, "a,b\n1,2\n", name))
    assert table.path.endswith(name)
    says(not_loaded(str(tmp_path / ("n" * 300))), "n" * 300)


def not_loaded(path: str) -> PayoffError:
    with pytest.raises(PayoffError) as caught:
        data.load(path)
    return caught.value


@pytest.mark.parametrize("name", ["cases.csv.", "cases.", " leading and trailing .csv "])
def test_case_41_trailing_dots_and_spaces(tmp_path, name):
    assert data.load(write(tmp_path, "a,b\n1,2\n", name)).rows == 1


def test_case_41_a_path_of_more_than_300_characters(tmp_path):
    folder = tmp_path.joinpath(*["d" * 60] * 5)
    folder.mkdir(parents=True)
    path = write(folder, "a,b\n1,2\n")
    assert len(path) > 300
    assert data.load(path).rows == 1


@pytest.mark.parametrize("path", [r"\\server\share\cases.csv", "//server/share/cases.csv"])
def test_case_41_a_share_that_is_not_there_is_named(path):
    says(not_loaded(path), path)


def test_case_41_a_path_with_a_nul_is_refused(tmp_path):
    says(not_loaded(str(tmp_path / "a\0b.csv")), "cannot be opened")


def test_case_42_odd_column_names(tmp_path):
    names = ["__class__", "index", "; DROP TABLE", "<b>bold</b>", "n" * 10_000]
    table = load_text(tmp_path, ",".join(names) + "\n1,2,3,4,5\n")
    assert table.columns == tuple(names)


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


@pytest.mark.parametrize("cell", ["1", '"a, b"'])
def test_case_32_many_columns(tmp_path, cell):
    names = ",".join(f"x{at}" for at in range(20_000))
    rows = ",".join([cell] * 20_000)
    path = write(tmp_path, f"{names}\n{rows}\n{rows}\n")
    began = time.process_time()
    assert len(data.preview(path).columns) == 20_000
    assert time.process_time() - began < 10  # the square of the width would take minutes


def test_case_32_memory_is_said_first_and_refused_above_the_limit(tmp_path, monkeypatch):
    path = write(tmp_path, "a,b\n" + "1,2\n" * 1000)
    assert data.preview(path).memory_estimate_bytes > 0
    assert (data.free_memory() or 1) > 0
    monkeypatch.setattr(memory, "_LOOKED_AT", 1)
    monkeypatch.setattr(memory, "free_memory", lambda: 4_000)
    with pytest.raises(PayoffError) as caught:
        memory.check_memory(path, ReaderSettings(), no_readers)
    says(caught.value, "not enough memory", path, "free")
