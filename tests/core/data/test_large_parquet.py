"""Large Parquet files open at once; their columns are read when they are needed."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import payoff
from core import data
from core.data import identity
from core.data.combine import joining
from core.data.lazy import columns as lazy_columns
from core.data.lazy import parquet as lazy_parquet
from core.data.lazy.table import LazyTable
from core.data.reading import memory
from core.data.reading.choosing import no_readers
from core.document.data.model import (
    DataRecipe,
    DerivedColumn,
    FileRef,
    JoinSpec,
    ReaderSettings,
    RowsSpec,
    RowUse,
)
from core.document.model import Document, SplitSpec
from core.document.studies.data import TableOrder
from payoff import PayoffError
from payoff.errors import StoppedError

ROWS = 5_000
FILE = FileRef(path="", content_hash="", size_bytes=0)


@pytest.fixture
def large(tmp_path, monkeypatch) -> str:
    monkeypatch.setattr(lazy_columns, "EAGER_ROWS", 500)
    monkeypatch.setattr(lazy_parquet, "LARGE_ROWS", 1_000)
    monkeypatch.setattr(lazy_parquet, "LOOK_ROWS", 500)
    draw = np.random.default_rng(20261)
    table = pa.table(
        {
            "id": np.arange(ROWS) + 2**54,
            "p_gbm": draw.random(ROWS),
            "region": pa.array(["North", "South"] * (ROWS // 2)).dictionary_encode(),
            "y": draw.integers(0, 2, ROWS),
            "lists": [[1]] * ROWS,
        }
    )
    path = str(tmp_path / "large.parquet")
    pq.write_table(table, path, row_group_size=700)
    return path


def test_a_large_file_is_opened_without_its_columns(large):
    table = data.load(large)
    assert isinstance(table.table, LazyTable)
    assert (table.rows, table.columns) == (ROWS, ("id", "p_gbm", "region", "y"))
    assert table.table.loaded == ()
    assert table.kinds == {"id": "text", "p_gbm": "number", "region": "text", "y": "integer"}
    assert table.summary.target.column == "y"
    whole = pq.read_table(large, columns=["p_gbm"]).column(0).to_numpy()
    entry = table.column_summary("p_gbm")
    assert (entry.rows, entry.minimum, entry.maximum) == (ROWS, whole.min(), whole.max())
    assert any("read when they are needed" in text for text in table.summary.warnings)
    assert any("'lists'" in text for text in table.summary.warnings)


def test_rows_and_columns_are_those_of_the_file(large):
    table = data.load(large)
    expected = pq.read_table(large, columns=["id", "p_gbm", "region", "y"]).to_pydict()
    for start in (0, 690, 1_399, ROWS - 3):
        page = data.rows_page(table, start, 30)
        for at, row in enumerate(page.rows):
            assert row[0] == str(expected["id"][start + at])
            assert float(row[1]) == expected["p_gbm"][start + at]
    assert data.rows_page(table, ROWS, 10).rows == ()
    assert table.table.loaded == ()  # a screenful reads its row groups only
    np.testing.assert_array_equal(data.column_as_float(table, "p_gbm"), expected["p_gbm"])
    assert table.table.loaded == ("p_gbm",)
    assert table.table.select(["y"]).column(0).to_pylist() == expected["y"]


def test_a_large_file_is_found_again_and_a_changed_one_refused(large, tmp_path):
    table = data.load(large)
    moved = str(tmp_path / "elsewhere.parquet")
    os.rename(large, moved)
    assert data.find_moved(table.data, (str(tmp_path),)) == moved
    with pytest.raises(PayoffError, match="changed or gone"):
        data.column_as_float(table, "p_gbm")


def test_a_filter_goes_through_the_columns_it_names_and_keeps_none(large):
    table = data.load(large)
    document = Document(split=SplitSpec(where='region = "North"'))
    rows = data.ordered_rows(table, document, TableOrder(only_used=True))
    assert table.table.loaded == ()
    page = data.ordered_page(table, rows, 1_000, 40)
    assert page.numbers == tuple(range(2_001, 2_081, 2))
    assert {row[2] for row in page.rows} == {"North"}
    assert table.table.loaded == ()  # what is shown comes from its row groups
    mixed = np.array([4_999, 3, 701, 3, 2_000])
    shown = data.ordered_page(table, mixed, 0, 5).rows
    expected = pq.read_table(large).take(pa.array(mixed)).to_pydict()
    assert [row[0] for row in shown] == [str(value) for value in expected["id"]]
    assert [float(row[1]) for row in shown] == expected["p_gbm"]
    assert [row[2] for row in shown] == expected["region"]


def test_a_join_and_a_derived_column_read_what_they_need(large):
    table = data.load(large)
    ids = [str(2**54 + place) for place in range(0, ROWS, 2)]
    other = data.from_data({"id": ids, "amount": np.arange(float(len(ids)))})
    join = JoinSpec(file=FILE, keys=(("id", "id"),), columns=(("amount", "amount"),))
    recipe = DataRecipe(joins=(join,), derived=(DerivedColumn(name="high", text="p_gbm > 0.5"),))
    made = data.build_table(table, recipe, lambda _file: other)
    assert set(table.table.loaded) == {"id"}  # of the derived column only its values are kept
    assert made.columns == ("id", "p_gbm", "region", "y", "amount", "high")
    assert made.table.column("amount").to_pylist()[:4] == [0.0, None, 1.0, None]
    page = data.rows_page(made, 698, 4).rows
    assert [row[4] for row in page] == ["349", "", "350", ""]
    assert set(table.table.loaded) == {"id"}
    many = made.with_rows(np.arange(1, ROWS, dtype=np.int64))  # a view beyond a screenful
    assert many.rows == ROWS - 1
    assert data.column_as_float(many, "y").shape == (ROWS - 1,)
    assert set(table.table.loaded) == {"id", "y"}


@pytest.mark.parametrize(
    "text",
    [
        'region = "North" and p_gbm > 0.5',
        "log(p_gbm - 0.5)",
        'if(p_gbm > 0.9, region, "other")',
        'if(p_gbm > 0.9, "high", if(y = 1, region, "low"))',
        "1 + 1",
        "y > 0 or p_gbm is missing",
    ],
)
def test_an_expression_gives_the_same_piece_by_piece(large, text):
    lazy = data.load(large)
    table = replace(lazy, table=lazy.table.whole())
    there, here = (
        data.evaluate_expression(table, text),
        data.evaluate_expression(data.load(large), text),
    )
    assert here.kind == there.kind
    assert here.lost == there.lost
    assert here.as_column().to_pylist() == there.as_column().to_pylist()
    some = lazy.with_rows(np.arange(ROWS - 1, -1, -1, dtype=np.int64))
    assert (
        data.evaluate_expression(some, text).as_column().to_pylist()
        == there.as_column().to_pylist()[::-1]
    )


def test_a_cell_that_is_no_number_is_named_with_its_row_in_a_later_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(lazy_parquet, "LARGE_ROWS", 100)
    words = pa.array([str(place) for place in range(900)] + ["many"] + ["1"] * 99)
    path = str(tmp_path / "words.parquet")
    pq.write_table(pa.table({"word": words}), path, row_group_size=300)
    with pytest.raises(PayoffError, match="901") as caught:
        data.evaluate_expression(data.load(path), "word + 1")
    assert "many" in str(caught.value)


def test_a_search_goes_through_the_file_and_keeps_no_column(large):
    table = data.load(large)
    document = Document()
    whole = pq.read_table(large, columns=["id", "region"]).to_pydict()
    found = data.ordered_rows(table, document, TableOrder(search="nor"))
    np.testing.assert_array_equal(found, np.flatnonzero(np.array(whole["region"]) == "North"))
    last = str(whole["id"][-1])
    np.testing.assert_array_equal(
        data.ordered_rows(table, document, TableOrder(search=last)), [ROWS - 1]
    )
    assert table.table.loaded == ()
    data.column_as_text(table, "region")  # what was read before is not read again
    again = data.ordered_rows(table, document, TableOrder(search="nor"))
    np.testing.assert_array_equal(again, found)
    assert table.table.loaded == ("region",)
    made = data.build_table(
        table, DataRecipe(derived=(DerivedColumn(name="side", text='region = "North"'),)), no_file
    )
    assert len(data.ordered_rows(made, document, TableOrder(search="true"))) == len(found)


def no_file(file: FileRef):
    raise AssertionError(file)


def test_rows_of_a_large_file_and_a_small_one_are_one_table_read_on_need(large, tmp_path):
    table = data.load(large)
    small = tmp_path / "test.csv"
    small.write_text("y,p_gbm,region,extra\n1,0.5,West,7\n0,1,,8\n", "utf-8")
    other = data.load(str(small))
    recipe = DataRecipe(
        own_use=RowUse.TRAIN,
        rows=(RowsSpec(file=FILE, use=RowUse.TEST),),
        derived=(DerivedColumn(name="high", text="p_gbm > 0.5"),),
    )
    made = data.build_table(table, recipe, lambda _file: other)
    assert isinstance(made.table, lazy_columns.LazyColumns)
    assert made.rows == ROWS + 2
    assert made.columns == ("id", "p_gbm", "region", "y", "extra", "row_use", "high")
    assert table.table.loaded == ()  # of the derived column only its values are kept
    page = data.rows_page(made, ROWS - 1, 3).rows
    assert page[1] == ("", "0.5", "West", "1", "7", "test", "false")
    assert page[2] == ("", "1", "", "0", "8", "test", "true")
    assert page[0][5] == "train"
    mixed = data.ordered_page(made, np.array([ROWS + 1, 3, ROWS, 0]), 0, 4).rows
    assert [row[3] for row in mixed[::2]] == ["0", "1"]
    assert table.table.loaded == ()
    summaries = {entry.name: entry for entry in made.summary.columns}
    assert summaries["extra"].missing == ROWS
    assert summaries["id"].missing == 2
    assert summaries["p_gbm"].rows == ROWS + 2
    assert summaries["p_gbm"].maximum == 1.0
    assert {level for level, _ in summaries["row_use"].levels} == {"train", "test"}
    assert made.summary.split.column == "row_use"
    assert made.summary.target.column == "y"
    found = data.ordered_rows(made, Document(), TableOrder(search="West"))
    np.testing.assert_array_equal(found, [ROWS])
    whole = data.column_as_float(made, "y")
    expected = pq.read_table(large, columns=["y"]).column(0).to_pylist()
    np.testing.assert_array_equal(whole, [*expected, 1, 0])
    assert data.place_of(made, ROWS + 1, "y").startswith(f"{small}, line 3")


def test_reading_a_column_can_be_stopped_between_its_row_groups(large):
    table = data.load(large)
    asked: list[int] = []

    def at_the_third() -> bool:
        asked.append(1)
        return len(asked) == 3

    data.listen_for_stop(at_the_third)
    with pytest.raises(StoppedError):
        table.table.column("p_gbm")
    assert table.table.loaded == ()
    del at_the_third  # the Stop of a job that is over ends nothing that comes after it
    assert table.table.column("p_gbm").length() == ROWS


def test_the_memory_of_a_column_is_said_before_and_no_more_is_asked_for(large, monkeypatch):
    seen = data.preview(large)
    assert seen.row_estimate == ROWS
    assert 8 * ROWS <= seen.column_bytes < seen.memory_estimate_bytes
    monkeypatch.setattr(memory, "_LOOKED_AT", 0)
    monkeypatch.setattr(memory, "free_memory", lambda: seen.column_bytes)
    memory.check_memory(large, ReaderSettings(), no_readers)  # all of them would not fit
    monkeypatch.setattr(memory, "free_memory", lambda: seen.column_bytes // 4)
    with pytest.raises(PayoffError, match="not enough memory"):
        memory.check_memory(large, ReaderSettings(), no_readers)


def test_whole_numbers_are_joined_as_numbers(tmp_path):
    table = data.from_data({"id": np.array([3, 1, 2, 9], dtype=np.int8), "a": [1.0, 2.0, 3.0, 4.0]})
    other = data.from_data({"key": np.array([1, 2, 3, 3, 1_000]), "b": [10, 20, 30, 30, 40]})
    join = JoinSpec(file=FILE, keys=(("id", "key"),), columns=(("b", "b"),))
    report = data.match_rows(table, other, join).report
    assert (report.matched, report.unmatched, report.unused) == (3, 1, 1)
    assert report.unmatched_examples == ("9",)
    assert report.unused_examples == ("1000",)
    assert report.repeated_examples == ("3",)
    assert (report.spellings, report.by_case, report.by_zeros) == ((), 0, 0)
    made = data.build_table(table, DataRecipe(joins=(join,)), lambda _file: other)
    assert made.table.column("b").to_pylist() == [30, 10, 20, None]


def test_joins_of_whole_numbers_are_those_of_texts(monkeypatch):
    monkeypatch.setattr(joining, "PIECE_ROWS", 64)
    draw = np.random.default_rng(3)
    for own in (draw.integers(0, 400, 500), np.arange(0, 1_000, 2)):
        ids = pa.array(own, mask=draw.random(500) < 0.1)
        keys = pa.array(draw.integers(-50, 300, 90), mask=draw.random(90) < 0.1)
        cases = data.from_data({"id": ids})
        other = data.from_data({"id": keys, "b": np.zeros(90)})
        join = JoinSpec(file=FILE, keys=(("id", "id"),), columns=(("b", "b"),))
        whole = data.match_rows(cases, other, join)
        text = data.match_rows(
            data.from_data({"id": ids.cast(pa.string())}),
            data.from_data({"id": keys.cast(pa.string()), "b": np.zeros(90)}),
            join,
        )
        np.testing.assert_array_equal(whole.rows, text.rows)
        assert whole.report == text.report


def test_likely_keys_of_a_large_file_read_the_keys_only(large):
    table = data.load(large)
    other = data.from_data({"ID": [str(2**54 + place) for place in range(ROWS)], "a": range(ROWS)})
    assert data.likely_keys(table, other)[0] == ("id", "ID")
    assert table.table.loaded == ("id",)


@pytest.mark.parametrize(
    ("kind", "far"),
    [
        (pa.timestamp("s"), 2**40),
        (pa.timestamp("us", "UTC"), -(2**62)),
        (pa.date32(), 3_000_000),
        (pa.date64(), 2**60 // 86_400_000 * 86_400_000),
    ],
)
def test_a_date_beyond_the_calendar_is_refused_with_its_row(tmp_path, kind, far):
    path = str(tmp_path / "far.parquet")
    pq.write_table(pa.table({"since": pa.array([0, None, far], kind), "y": [0, 1, 0]}), path)
    with pytest.raises(PayoffError, match="years 1 to 9999") as caught:
        data.load(path)
    assert "data row 3, column since" in caught.value.where


def test_repeated_texts_of_a_large_file_are_read_as_codes(tmp_path, large):
    texts = pq.read_table(large).column("region").cast(pa.string())
    path = str(tmp_path / "plain.parquet")
    pq.write_table(pa.table({"region": texts}), path, row_group_size=700)
    table = data.load(path)
    found = data.ordered_rows(table, Document(), TableOrder(search="SOU"))
    np.testing.assert_array_equal(found, np.arange(1, ROWS, 2))
    column = table.table.column("region")
    assert pa.types.is_dictionary(column.type)
    assert column.to_pylist() == texts.to_pylist()
    (text,) = data.rows_page(table, 699, 1).rows[0]
    assert text == "South"


def plain_file(path, values) -> str:
    """A file whose bytes outside the values say nothing of them."""
    table = pa.table({"id": np.arange(ROWS), "x": values, "y": np.arange(ROWS) % 2})
    pq.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
    return str(path)


def footer_of(path: str) -> bytes:
    whole = Path(path).read_bytes()
    return whole[-8 - int.from_bytes(whole[-8:-4], "little") :]


def test_large_files_of_one_size_and_footer_are_told_apart(large, tmp_path):
    """By their values: a project that knows one of them must not answer with the other."""
    draw = np.random.default_rng(3)
    one = plain_file(tmp_path / "one.parquet", draw.random(ROWS))
    two = plain_file(tmp_path / "two.parquet", draw.random(ROWS))
    assert os.path.getsize(one) == os.path.getsize(two)
    assert footer_of(one) == footer_of(two)
    first, second = data.load(one), data.load(two)
    assert isinstance(first.table, LazyTable)
    assert first.identity != second.identity
    assert first.data.content_hash == data.content_hash(one)
    os.remove(one)
    assert data.find_moved(first.data, (str(tmp_path),)) is None


def test_a_script_answers_from_the_file_it_is_given(large, tmp_path):
    draw = np.random.default_rng(4)
    label = np.arange(ROWS) % 2
    paths = [
        plain_file(tmp_path / f"{name}.parquet", values)
        for name, values in (("good", (label + draw.random(ROWS)) / 2), ("bad", draw.random(ROWS)))
    ]
    found = [
        payoff.evaluate(path, outcome="y", scores="x", metrics=["auc"]).value("auc", "x")
        for path in paths
    ]
    assert found[0] == 1.0
    assert found[1] < 0.6


def test_a_file_changed_behind_its_clock_is_noticed(large, tmp_path):
    """Size, times and footer can agree; what tells of a change then is the inode's own clock."""
    path = plain_file(tmp_path / "one.parquet", np.zeros(ROWS))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    before = data.remembered_hash(path)
    assert data.remembered_hash(path) == before == data.content_hash(path)
    plain_file(path, np.ones(ROWS))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert data.remembered_hash(path) != before


def test_a_file_that_stays_is_read_once_for_its_hash(tmp_path, monkeypatch):
    path = tmp_path / "one.parquet"
    path.write_bytes(b"as it is")
    found = data.remembered_hash(str(path))
    real = identity.content_hash
    reads = []
    monkeypatch.setattr(identity, "content_hash", lambda *a: reads.append(a[0]) or real(*a))
    assert data.remembered_hash(str(path)) == found
    assert len(reads) == 1  # changed just now: it may change again within one tick of the clock
    late = time.time_ns() + 10_000_000_000
    monkeypatch.setattr(identity.time, "time_ns", lambda: late)
    assert data.remembered_hash(str(path)) == data.remembered_hash(str(path)) == found
    assert len(reads) == 2
