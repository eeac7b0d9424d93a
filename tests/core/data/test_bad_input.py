"""The catalogue of bad data files: empty files, headers, rows, quotes, encodings."""

from __future__ import annotations

import pytest

from core import data
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from tests.core.data.helpers import cells, load_text, refusal, says, write


def test_case_1_empty_file(tmp_path):
    says(refusal(tmp_path, b""), "The file is empty (0 bytes).", "cases.csv")
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
    again = data.load(table.path, table.data.reader)
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
    again = data.load(path, table.data.reader)
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


@pytest.mark.parametrize(
    ("encoding", "names", "yes", "no"),
    [
        ("cp1251", "Номер клиента,Сумма,Дефолт", "да", "нет"),
        ("koi8-r", "Номер клиента,Сумма,Дефолт", "да", "нет"),
        ("cp1253", "Αρ. πελάτη,Ποσό,Αθέτηση", "Ναι", "Όχι"),
        ("gb18030", "客户编号,余额,是否流失", "是", "否"),
        ("big5", "客戶編號,餘額,是否流失", "是", "否"),
        ("cp932", "顧客ID,融資額,延滞フラグ", "有", "無"),
        ("cp949", "고객번호,대출금액,연체여부", "예", "아니오"),
        ("cp1252", "N° dossier,Prénom,Défaut (œuvre)", "éé®", "Société"),
    ],
)
def test_case_14_encodings_are_told_by_the_letters_of_their_languages(
    tmp_path, encoding, names, yes, no
):
    rows = "".join(f"{row},{row}.5,{yes if row % 3 else no}\n" for row in range(30))
    table = load_text(tmp_path, f"{names}\n{rows}".encode(encoding))
    assert table.columns == tuple(names.split(","))
    assert cells(table)[1][2] == yes


def test_case_14_fault_far_into_the_file(tmp_path):
    rows = b"".join(b"abc,%d\n" % i for i in range(60_000))
    error = refusal(tmp_path, b"name,value\n" + rows + b"\xe9t\xe9,1\n")
    says(error, "line 60002", f"byte offset {11 + len(rows):,}")
    error = refusal(tmp_path, "a,b\nx,\u00fc\n".encode() + b"y,\x81\n", encoding="cp1252")
    says(error, "not cp1252", "byte offset")


def test_case_15_nul_bytes(tmp_path):
    error = refusal(tmp_path, b"a,b\n1,2\n3,\x004\n")
    says(error, "NUL", "line 3", "byte offset 10")


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
    assert cells(data.load(path, table.data.reader)) == cells(table)
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
            ("id", "2023", "2024", "score_c", "y"),
        ),
        (  # a unit above one column only
            "amount,share\nEUR,\n1,0.5\n2,0.2\n3,0.1\n",
            "has_header",
            "line 2 holds words above numbers too",
            1,
            ("EUR", "share"),
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
    assert not any("Please check" in reported for reported in table.summary.warnings)


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


def test_case_42_odd_column_names(tmp_path):
    names = ["__class__", "index", "; DROP TABLE", "<b>bold</b>", "n" * 10_000]
    table = load_text(tmp_path, ",".join(names) + "\n1,2,3,4,5\n")
    assert table.columns == tuple(names)
