"""Reading well-formed files of every shape: what is written is what is read."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core import data
from core.data.profile.summary import distinct_values
from core.data.text.bytescan import ByteScan
from core.data.text.records import iterate_records
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from payoff.errors import StoppedError
from tests.core.data.helpers import cells, load_text, write
from tests.helpers.factories.files import load

SPECTRUM = [
    (
        'first,last,address\nJohn,Doe,"120 any st., Anytown, WW 08123"\n',
        [("John", "Doe", "120 any st., Anytown, WW 08123")],
    ),
    ('a,b\n1,"ha ""ha"" ha"\n3,4\n', [("1", 'ha "ha" ha'), ("3", "4")]),
    ('a,b,c\n1,"",""\n2,3,4\n', [("1", "", ""), ("2", "3", "4")]),
    ('a,b,c\r\n1,"",""\r\n2,3,4\r\n', [("1", "", ""), ("2", "3", "4")]),
    (
        'key,val\n1,"{""type"": ""Point"", ""at"": [102.0, 0.5]}"\n',
        [("1", '{"type": "Point", "at": [102.0, 0.5]}')],
    ),
    (
        'a,b,c\n1,2,3\n"Once upon \na time",5,6\n7,8,9\n',
        [("1", "2", "3"), ("Once upon \na time", "5", "6"), ("7", "8", "9")],
    ),
    ("a,b,c\n1,2,3\n4,5,\u02a4\n", [("1", "2", "3"), ("4", "5", "\u02a4")]),
    ('"a","b"\n"1","x"\n"2","y"\n', [("1", "x"), ("2", "y")]),
    ("a\tb\n1\tx y\n2\tz, w\n", [("1", "x y"), ("2", "z, w")]),
    ("a|b\n1|x\n2|y\n", [("1", "x"), ("2", "y")]),
    ("sep=;\na;b\n1;x\n2;y\n", [("1", "x"), ("2", "y")]),
    (  # lists in quotes, and lists that need none, in every row
        'id,tags,place\n1,"u;v;w","K; L"\n2,"x;y;z","M; N"\n3,"u;x;z","K; N"\n',
        [("1", "u;v;w", "K; L"), ("2", "x;y;z", "M; N"), ("3", "u;x;z", "K; N")],
    ),
    (
        "id\ttags\n;1;\t;u;v;\n;2;\t;x;y;\n;3;\t;u;y;\n",
        [(";1;", ";u;v;"), (";2;", ";x;y;"), (";3;", ";u;y;")],
    ),
    ("a,b\n1,x\n\n2,y\n\n", [("1", "x"), ("2", "y")]),
    ("a,b\n1,x\n2,y", [("1", "x"), ("2", "y")]),
]


@pytest.mark.parametrize(("text", "rows"), SPECTRUM)
def test_spectrum(tmp_path, text, rows):
    table = load_text(tmp_path, text)
    assert cells(table) == rows
    assert cells(data.load(table.path, table.data.reader)) == rows


WORDS = st.text(alphabet="abc,;\"' \n\u00e9\u4e2d", min_size=1, max_size=8).filter(
    lambda text: text.strip() == text and text.strip("'\"") and not text[0].isdigit()
)


@given(
    rows=st.lists(st.tuples(WORDS, st.integers(0, 10**6), WORDS), min_size=6, max_size=25),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    ends=st.sampled_from(["\n", "\r\n"]),
)
@example(  # an apostrophe at a cell's start is no quote because the cells around it look tidier
    rows=[(";", 0, ";"), (";", 0, ";"), (",,'", 0, ";"), *[(";", 0, ";")] * 3],
    delimiter=",",
    quoting=csv.QUOTE_MINIMAL,
    ends="\n",
)
@example(rows=[(";", 0, ";")] * 8, delimiter=",", quoting=csv.QUOTE_NONNUMERIC, ends="\n")
@example(rows=[(";;", 0, ";;")] * 8, delimiter="\t", quoting=csv.QUOTE_MINIMAL, ends="\n")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_round_trip_of_any_dialect(tmp_path, rows, delimiter, quoting, ends):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, quoting=quoting, lineterminator=ends)
    writer.writerow(["first", "number", "last"])
    writer.writerows(rows)
    path = write(tmp_path, buffer.getvalue())
    seen = data.preview(path)
    assert seen.settings.delimiter == delimiter
    assert seen.columns == ("first", "number", "last")
    assert seen.column_types[1] == "integer"
    table = data.load(path, ReaderSettings(missing_marks=()))
    assert [row[0] for row in cells(table)] == [row[0] for row in rows]
    assert [row[2] for row in cells(table)] == [row[2] for row in rows]
    assert data.column_as_float(table, "number").tolist() == [float(row[1]) for row in rows]


@given(
    numbers=st.lists(
        st.decimals(-99999, 99999, places=2, allow_nan=False), min_size=8, max_size=40
    ),
    decimal=st.sampled_from([".", ","]),
)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_decimal_mark_is_found(tmp_path, numbers, decimal):
    lines = "".join(f"k{i};{str(n).replace('.', decimal)}\n" for i, n in enumerate(numbers))
    table = load_text(tmp_path, f"key;value\n{lines}")
    assert table.data.reader.decimal == decimal
    assert data.column_as_float(table, "value").tolist() == [float(n) for n in numbers]


@given(
    text=st.text(alphabet='ab,"\n\r07xe-34 +', max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=6),
)
@settings(max_examples=300, deadline=None)
def test_scan_and_records_do_not_depend_on_the_cuts(text, cuts):
    raw = text.encode()
    places = sorted({0, len(raw), *(min(cut, len(raw)) for cut in cuts)})
    pieces = [raw[a:b] for a, b in pairwise(places)]
    whole, parts = ByteScan(44, 34), ByteScan(44, 34)
    whole.feed(raw)
    whole.finish()
    for piece in pieces:
        parts.feed(piece)
    parts.finish()
    names = ("line_feeds", "carriage_returns", "pairs", "quotes", "has_broken_quotes", "size")
    names += ("has_leading_zeros", "has_tiny_numbers")
    assert [getattr(whole, n) for n in names] == [getattr(parts, n) for n in names]
    assert whole.lines == len(raw.splitlines())
    assert whole.has_leading_zeros == bool(re.search(rb'(?:^|[,"\r\n])[ +-]?0[0-9xX]', raw))
    assert whole.has_tiny_numbers == bool(re.search(rb"[eE]-[3-9][0-9]{2}", raw))
    one = list(iterate_records([raw], b",", b'"'))
    many = list(iterate_records(pieces, b",", b'"'))
    assert [(r.line, r.fields, r.open_line) for r in one] == [
        (r.line, r.fields, r.open_line) for r in many
    ]
    has_fault = any(r.open_line is not None or r.stray for r in one)
    assert whole.has_broken_quotes or not has_fault


@given(
    rows=st.lists(
        st.lists(st.text(alphabet='ab,"\n ', max_size=5), min_size=3, max_size=3),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=150, deadline=None)
def test_records_agree_with_the_standard_reader(rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    found = list(iterate_records([buffer.getvalue().encode()], b",", b'"'))
    assert [[f.decode() for f in r.fields] for r in found] == rows
    lines = np.cumsum([1, *(sum(c.count("\n") for c in row) + 1 for row in rows)])
    assert [r.line for r in found] == lines[:-1].tolist()


def test_progress_rises_and_stop_ends_the_reading(tmp_path):
    path = write(tmp_path, "a,b\n" + "1.5,word\n" * 1_500_000)
    seen: list[tuple[float | None, str, str]] = []
    table = data.load(path, None, lambda f, s: seen.append((f, s, threading.current_thread().name)))
    assert table.rows == 1_500_000
    fractions = [f for f, _, _ in seen if f is not None]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert {name for _, _, name in seen} == {threading.current_thread().name}
    with pytest.raises(StoppedError):
        data.load(path, None, data.no_progress, lambda: True)
    assert not [t for t in threading.enumerate() if t.name == "payoff-read"]


def test_quote_that_first_occurs_far_down(tmp_path):
    rows = "".join(f"{i},plain\n" for i in range(60_000))
    table = load_text(tmp_path, f'a,b\n{rows}1,"two\nlines"\n{rows}')
    assert table.rows == 120_001
    assert data.rows_page(table, 60_000, 1).rows == (("1", "two\nlines"),)
    assert not table.places.is_regular
    assert "line 120003, data row 120001" in data.place_of(table, 120_000, "a")


def test_hash_is_that_of_the_whole_file(tmp_path):
    for content in (b"\xef\xbb\xbfa,b\n1,2\n", "a,b\n\u00fc,2\n".encode("utf-16")):
        path = write(tmp_path, content)
        assert data.load(path).data.content_hash == hashlib.sha256(content).hexdigest()


def test_preview_says_how_much_there_is(tmp_path):
    path = write(tmp_path, "a,b\n" + "".join(f"{i},{i / 8}\n" for i in range(100_000)))
    seen = data.preview(path, count=20)
    assert len(seen.rows) == 20
    assert seen.rows[0] == ("0", "0.0")
    assert seen.row_estimate == pytest.approx(100_000, rel=0.2)
    assert 1e6 < seen.memory_estimate_bytes < 1e7
    assert seen.column_types == ("integer", "number")
    reasons = {f.setting: f.reason for f in seen.findings}
    assert reasons["delimiter"] == "400 of 400 lines have 2 fields cut at the comma"


def test_preview_shows_faulty_rows_instead_of_refusing(tmp_path):
    seen = data.preview(write(tmp_path, "a,b\n1,2\n3\n4,5\n"))
    assert seen.rows == (("1", "2"), ("3", ""), ("4", "5"))
    assert any("lines 3" in warning for warning in seen.warnings)


def test_column_types_that_the_user_settled(tmp_path):
    text = "code,v\n10,1\n20,x\n"
    table = load_text(tmp_path, text, column_types=(("code", "text"),))
    assert table.kinds["code"] == "text"
    with pytest.raises(PayoffError, match="line 3, data row 2, column v, value 'x'"):
        load_text(tmp_path, text, column_types=(("v", "number"),))


def test_settings_that_cannot_be(tmp_path):
    for wrong in (
        {"delimiter": "ab"},
        {"decimal": "x"},
        {"encoding": "klingon"},
        {"decimal": ",", "thousands": ","},
        {"format": "parquet"},
    ):
        with pytest.raises(PayoffError):
            load_text(tmp_path, "a,b\n1,2\n", **wrong)


@pytest.fixture
def parquet_file(tmp_path):
    names = [None if i % 7 == 0 else f"n{i % 3}" for i in range(5000)]
    table = pa.table(
        {
            "id": pa.array(range(5000)),
            "p": pa.array(np.linspace(0, 1, 5000)),
            "name": pa.array(names).dictionary_encode(),
            "day": pa.array([18_000 + i for i in range(5000)], pa.date32()),
            "flag": pa.array([i % 2 == 0 for i in range(5000)]),
            "price": pa.array([f"{i}.25" for i in range(5000)]).cast(pa.decimal128(10, 2)),
            "many": pa.array([[1, 2]] * 5000),
            "nan": pa.array([float("nan")] * 2500 + [1.5] * 2500),
        }
    )
    path = tmp_path / "cases.parquet"
    pq.write_table(table, path, row_group_size=700)
    return str(path)


def test_parquet(parquet_file):
    seen = data.preview(parquet_file)
    assert seen.row_estimate == 5000
    fractions = []
    table = data.load(parquet_file, None, lambda f, _s: fractions.append(f))
    assert table.kinds == {
        "id": "integer",
        "p": "number",
        "name": "text",
        "day": "date",
        "flag": "boolean",
        "price": "number",
        "nan": "number",
        "many_0": "integer",
        "many_1": "integer",
    }
    assert (
        "Column 'many' holds lists or records: read as 2 columns (many_0, many_1)."
        in table.summary.warnings
    )
    assert table.column_summary("nan").missing == 2500
    assert data.column_as_float(table, "price")[3] == 3.25
    assert cells(table)[1] == (
        "1",
        repr(1 / 4999),
        "n1",
        "2019-04-15",
        "false",
        "1.25",
        "1",
        "2",
        "",
    )
    assert max(fractions) == 1.0
    with pytest.raises(StoppedError):
        data.load(parquet_file, None, data.no_progress, lambda: True)
    with pytest.raises(PayoffError, match="data row 2, column name, value 'n"):
        data.column_as_float(table, "name")


def test_damaged_parquet(parquet_file, tmp_path):
    raw = Path(parquet_file).read_bytes()
    with pytest.raises(PayoffError, match="cannot be opened"):
        data.load(write(tmp_path, raw[: len(raw) // 2], "cut.parquet"))


def test_data_of_a_script():
    frame = pd.DataFrame({"y": [1, 0, None], "s": ["a", None, "b"], "b": [True, False, True]})
    table = data.from_data(frame)
    assert table.kinds == {"y": "number", "s": "text", "b": "boolean"}
    assert table.column_summary("y").missing == 1
    assert data.column_as_text(table, "s") == ["a", "", "b"]
    coded = data.from_data(
        pd.DataFrame({"c": pd.Categorical(["u", None, "v"]), "k": [[1], [2], [3]]})
    )
    assert data.encode_levels(coded, "c")[0].tolist() == [0, -1, 1]
    assert coded.columns == ("c", "k_0")
    assert coded.summary.warnings == ("Column 'k' holds lists or records: read as 1 column (k_0).",)
    again = data.from_data({"y": np.array([1, 0, np.nan]), "s": ["a", None, "b"]})
    assert data.column_as_text(again, "y") == ["1", "0", ""]
    assert data.column_as_text(again, "s") == ["a", "", "b"]
    with pytest.raises(PayoffError):
        data.from_data({"a": [1, 2], "b": [1]})
    with pytest.raises(PayoffError, match="list"):
        data.from_data([1, 2])
    with pytest.raises(PayoffError, match="no rows"):
        data.from_data({"a": []})


def test_rows_page_at_any_offset(tmp_path):
    table = data.from_data({"n": np.arange(100_000), "x": np.arange(100_000) / 4})
    page = data.rows_page(table, 99_998, 10)
    assert page.rows == (("99998", "24999.5"), ("99999", "24999.75"))
    assert data.rows_page(table, 10**9, 5).rows == ()
    assert data.rows_page(table, -5, 1).rows == (("0", "0"),)


@pytest.mark.parametrize("mark", [";", ",", "|"])
def test_excels_line_that_names_the_separator_needs_no_check(tmp_path, mark):
    rows = "".join(f"K{row}{mark}{row % 2}\n" for row in range(30))
    path = tmp_path / "scores.csv"
    path.write_text(f"sep={mark}\nid{mark}bought\n{rows}")
    assert load(path).summary.warnings == ()


@pytest.mark.parametrize("title", ["Scores of March\n", "Scores of March\n\n", "Scores;\n"])
def test_a_title_below_the_line_that_names_the_separator_is_left_out(tmp_path, title):
    rows = "".join(f"K{row};{row % 2};0.{row + 10}\n" for row in range(30))
    path = tmp_path / "scores.csv"
    path.write_text(f"sep=;\n{title}id;bought;score\n{rows}")
    found = load(path)
    assert [column.name for column in found.summary.columns] == ["id", "bought", "score"]
    assert found.summary.data.rows == 30


def test_a_file_of_the_line_that_names_the_separator_alone_is_refused_in_words(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("sep=;\n")
    with pytest.raises(PayoffError):
        load(path)


@settings(deadline=None)
@given(
    st.integers(-(2**63), 2**63 - 300),
    st.lists(st.integers(0, 290), min_size=1, max_size=60),
)
def test_levels_of_whole_numbers_are_those_of_their_texts(least, steps):
    values = [least + step for step in steps]
    table = data.from_data({"n": pa.array(values, pa.int64()), "s": [f"n{v}" for v in values]})
    codes, levels = data.encode_levels(table, "n")
    as_texts, texts = data.encode_levels(table, "s")
    assert codes.dtype == np.int32
    np.testing.assert_array_equal(codes, as_texts)
    assert tuple(f"n{level}" for level in levels) == texts
    assert [int(levels[code]) for code in codes] == values


def test_levels_are_read_once_and_handed_out_as_copies():
    table = data.from_data({"s": ["a", "b", "a", "c"], "t": ["x", "y", "y", "x"]})
    codes, levels = data.encode_levels(table, "s")
    codes[:] = 7
    again, same = data.encode_levels(table, "s")
    assert (again.tolist(), same) == ([0, 1, 0, 2], levels)
    assert data.encode_levels(table, "t")[0].tolist() == [0, 1, 1, 0]  # in the place of the first
    assert list(table.encoded) == ["t"]
    some = table.with_rows(np.array([1, 2]))
    assert data.encode_levels(some, "t")[0].tolist() == [0, 0]
    assert data.encode_levels(some, "s")[1] == ("b", "a")


@pytest.mark.parametrize("whole", [False, True])
def test_distinct_values_are_those_of_the_summary(whole):
    random = np.random.default_rng(4)
    columns = {
        "few": random.integers(0, 3, 30_000),
        "gaps": np.where(random.random(30_000) < 0.1, np.nan, random.integers(0, 30, 30_000)),
        "many": random.random(30_000),
        "words": random.choice(["a", "b"], 30_000),
    }
    table = data.from_data(columns)
    seen = data.from_data(columns).summary
    if whole:
        assert table.summary.columns
    for entry in seen.columns:
        assert distinct_values(table, entry.name) == entry.distinct
