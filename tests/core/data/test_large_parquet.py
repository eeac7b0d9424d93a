"""Large Parquet files open at once; their columns are read when they are needed."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import data
from core.data import lazy_columns, lazy_parquet
from core.data.lazy_table import LazyTable
from core.document.data_model import DataRecipe, DerivedColumn, FileRef, JoinSpec
from core.document.model import Document, SplitSpec
from core.document.studies.looking import RowOrder
from payoff import PayoffError

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
    assert data.find_moved(table.summary.data, (str(tmp_path),)) == moved
    with pytest.raises(PayoffError, match="changed or gone"):
        data.column_as_float(table, "p_gbm")


def test_a_filter_reads_the_columns_it_names(large):
    table = data.load(large)
    document = Document(split=SplitSpec(where='region = "North"'))
    rows = data.ordered_rows(table, document, RowOrder(only_used=True))
    assert table.table.loaded == ("region",)
    page = data.ordered_page(table, rows, 1_000, 40)
    assert page.numbers == tuple(range(2_001, 2_081, 2))
    assert {row[2] for row in page.rows} == {"North"}
    assert table.table.loaded == ("region",)  # what is shown comes from its row groups
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
    made = data.make_table(table, recipe, lambda _file: other)
    assert set(table.table.loaded) == {"id", "p_gbm"}
    assert made.columns == ("id", "p_gbm", "region", "y", "amount", "high")
    assert made.table.column("amount").to_pylist()[:4] == [0.0, None, 1.0, None]
    page = data.rows_page(made, 698, 4).rows
    assert [row[4] for row in page] == ["349", "", "350", ""]
    assert set(table.table.loaded) == {"id", "p_gbm"}
    many = made.with_rows(np.arange(1, ROWS, dtype=np.int64))  # a view beyond a screenful
    assert many.rows == ROWS - 1
    assert data.column_as_float(many, "y").shape == (ROWS - 1,)
    assert set(table.table.loaded) == {"id", "p_gbm", "y"}


def test_likely_keys_of_a_large_file_read_the_keys_only(large):
    table = data.load(large)
    other = data.from_data({"ID": [str(2**54 + place) for place in range(ROWS)], "a": range(ROWS)})
    assert data.likely_keys(table, other)[0] == ("id", "ID")
    assert table.table.loaded == ("id",)
