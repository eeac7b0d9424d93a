"""Text is as it was in the file, byte for byte, whatever marks the numbers beside it have."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import data
from core.data.text.bytescan import padded_columns
from core.data.text.number_texts import plain_number
from core.document.data.model import ReaderSettings
from tests.core.data.helpers import cells, load_text, write

#: What a column of ids or codes may hold: each list is one column, three rows.
TEXTS = {
    "leading zeros": ["0000011", "0000012", "1234567"],
    "padded behind a blank": [" 007", "8", "9"],
    "padded behind a sign": ["-007", "8", "9"],
    "padded with decimals": ["00012,5", "3,25", "7,5"],
    "hexadecimal": ["0x1F", "12", "13"],
    "codes like powers": ["1e5", "12", "7E3"],
    "telephone": ["+4917112345", "+4930123", "+43123"],
    "telephone in groups": ["+49 171 123", "+49 030 456", "+43 555 777"],
    "beyond 2^53": ["9007199254740993", "9007199254740995", "1"],
    "16 digits, small one first": ["1000000000000000", "9999999999999999", "5"],
    "beyond int64": ["12345678901234567890", "12345678901234567891", "7"],
    "times of day": ["08:30", "9:15", "23:59"],
    "whole times of day": ["08:30", "09:15", "23:59"],
    "words and numbers": ["12", "1,5", "A7"],
    "blanks around": [" a ", "b ", "\tc"],
    "no-break blanks": ["a\u00a0b", "\u00a01", "2\u202f3x"],
    "words of truth among others": ["TRUE", "maybe", "False"],
    "percent and others": ["12%", "5", "7.5%"],
    "two currencies": ["€ 12", "$ 5", "€ 7"],
    "versions": ["1.0.0", "1.10.0", "2.0"],
    "dates in words": ["01.02.", "12/2024", "5. Mai"],
    "long zip codes": ["01067-1", "99423-0", "10115-7"],
    "grouped and padded": ["007 123", "008 456", "009 789"],
}
#: Numbers beside them, which decide the marks of the whole file.
NUMBERS = {
    "plain": ["1", "2", "3"],
    "thousands comma": ["1,234.50", "12,345.25", "9.75"],
    "thousands point": ["1.234,50", "12.345,25", "9,75"],
    "thousands blank": ["1 234,50", "12 345,25", "9,75"],
    "thousands no-break blank": ["1\u00a0234,50", "12\u00a0345,25", "9,75"],
    "thousands apostrophe": ["1'234.50", "12'345.25", "9.75"],
    "percent sign": ["1%", "2%", "3.5%"],
    "missing marks": ["1.5", "NA", ""],
    "padded": ["007", "1,234", "5"],
}


def _file(folder: Path, columns: dict[str, list[str]], delimiter: str = ";") -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return write(folder, buffer.getvalue())


@pytest.mark.parametrize("beside", NUMBERS)
@pytest.mark.parametrize("kind", TEXTS)
def test_texts_come_back_byte_for_byte(tmp_path, kind, beside):
    texts = TEXTS[kind]
    is_comma = "," in "".join(NUMBERS[beside]) and "." not in NUMBERS[beside][2]
    if kind == "padded with decimals" and not is_comma:
        texts = [text.replace(",", ".") for text in texts]
    columns = {"amount": NUMBERS[beside], "item": texts, "y": ["0", "1", "0"]}
    table = data.load(_file(tmp_path, columns), ReaderSettings(decimal="," if is_comma else "."))
    assert table.kinds["item"] == "text"
    assert data.column_as_text(table, "item") == texts
    assert [row[1] for row in cells(table)] == texts


def test_grouped_numbers_are_numbers_still(tmp_path):
    text = "id;amount;loss\n0000011;1,234.5;-1,000\n0000012;12;2,500.25\n"
    table = load_text(tmp_path, text)
    assert data.column_as_float(table, "amount").tolist() == [1234.5, 12.0]
    assert data.column_as_float(table, "loss").tolist() == [-1000.0, 2500.25]
    assert data.column_as_text(table, "id") == ["0000011", "0000012"]
    stated = load_text(tmp_path, text, column_types=(("id", "number"),))
    assert data.column_as_float(stated, "id").tolist() == [11.0, 12.0]
    signed = load_text(tmp_path, "a;b\n+1,250.5;x\n+2,000;y\n", column_types=(("a", "number"),))
    assert data.column_as_float(signed, "a").tolist() == [1250.5, 2000.0]


_CODE = st.text(alphabet="0123456789 +-.,eExAb'%\u00a0", min_size=1, max_size=9)


@given(
    codes=st.lists(_CODE, min_size=3, max_size=3),
    beside=st.sampled_from(list(NUMBERS)),
    other=st.sampled_from(list(NUMBERS)),
)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_column_that_is_text_is_so_beside_any_numbers(tmp_path, codes, beside, other):
    columns = {
        "amount": NUMBERS[beside],
        "item": codes,
        "other": NUMBERS[other],
        "word": ["a", "b", "c"],
    }
    table = data.load(
        _file(tmp_path, columns, "|"), ReaderSettings(decimal=".", delimiter="|", quote='"')
    )
    if table.kinds["item"] == "text":
        assert data.column_as_text(table, "item") == [
            "" if code in ReaderSettings().missing_marks else code for code in codes
        ]
    else:  # a number says what is written, all of its digits, whatever mark groups them
        assert not any(code.strip().lstrip("+-").startswith(("00", "0x")) for code in codes)
        for code, value in zip(codes, data.column_as_float(table, "item"), strict=True):
            assert _is_what_is_written(code, float(value))


def _is_what_is_written(code: str, value: float) -> bool:
    """Whether a number has the digits of its text, grouped and signed in any way."""
    digits = code.replace("%", "").strip(" \u00a0")
    scale = Decimal(100) if "%" in code else Decimal(1)
    if digits.endswith("-"):
        digits = "-" + digits[:-1].strip(" \u00a0")
    readings = {
        re.sub("[ \u00a0']", "", digits).replace(thousands, "").replace(",", ".")
        for thousands in (",", ".", "'", " ")
    }
    wanted = Decimal(repr(value)) * scale
    return any(_decimal(reading) == wanted for reading in readings)


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


@given(
    text=st.text(alphabet='a,"\n\r07x -+', max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=6),
)
@settings(max_examples=200, deadline=None)
def test_padded_columns_do_not_depend_on_the_cuts(text, cuts):
    raw = text.encode()
    places = sorted({0, len(raw), *(min(cut, len(raw)) for cut in cuts)})
    names = tuple("abcdefgh")
    parts = [raw[a:b] for a, b in pairwise(places)]
    assert padded_columns([raw], names, 44, 34) == padded_columns(parts, names, 44, 34)


def test_padded_columns_are_told_by_column():
    raw = b'1,007,"008"," 09",x07,0.5\n2,3,"a ""0""07",+07,-0x1,"5,01"\n\r\n00,1,2,3,4,5\n'
    assert padded_columns([raw], tuple("abcdef"), 44, 34) == {"a", "b", "c", "d", "e"}
    assert padded_columns([b"07\t'07'\t5\n"], tuple("abc"), 9, 0) == {"a"}


def test_saved_texts_match_the_file(tmp_path):
    texts = TEXTS["leading zeros"]
    table = data.load(_file(tmp_path, {"id": texts, "amount": NUMBERS["thousands comma"]}))
    for name in ("out.csv", "out.parquet", "out.xlsx"):
        data.write_columns(str(tmp_path / name), {"id": data.column_as_text(table, "id")})
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as source:
        assert [row[0] for row in csv.reader(source)] == ["id", *texts]
    assert pq.read_table(tmp_path / "out.parquet").column("id").to_pylist() == texts


def test_long_decimals_of_parquet_are_ids(tmp_path):
    path = str(tmp_path / "ids.parquet")
    ids = [Decimal("12345678901234567890"), Decimal("12345678901234567891"), None]
    small = [Decimal("5"), Decimal("6"), Decimal("7")]
    kind = pa.decimal128(38, 0)
    pq.write_table(pa.table({"id": pa.array(ids, kind), "n": pa.array(small, kind)}), path)
    table = data.load(path)
    assert data.column_as_text(table, "id") == ["12345678901234567890", "12345678901234567891", ""]
    assert data.column_as_float(table, "n").tolist() == [5.0, 6.0, 7.0]


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1e5", None),
        ("12345678901234567890", None),
        ("007", None),
        ("+5", None),
        ("1e-05", 1e-05),
        ("1,234.5", 1234.5),
        ("\u22122", -2.0),
    ],
)
def test_cells_of_the_window_are_numbers_only_where_nothing_is_lost(cell, number):
    assert plain_number(cell) == number
