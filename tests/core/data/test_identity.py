"""Tables are told apart by what they hold, never by how Arrow keeps it."""

import datetime as dt
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import data
from core.data.identity import table_identity

DAYS = st.dates(dt.date(1950, 1, 1), dt.date(2100, 1, 1))
MOMENTS = st.datetimes(dt.datetime(1950, 1, 1), dt.datetime(2100, 1, 1))
CENTS = st.integers(-(10**9), 10**9).map(lambda cents: Decimal(cents) / 100)
KINDS = {
    pa.int64(): st.integers(-(2**40), 2**40),
    pa.int8(): st.integers(-128, 127),
    pa.float64(): st.floats(allow_nan=False).map(lambda x: x + 0.0),  # no -0.0
    pa.float16(): st.floats(allow_nan=False, width=16).map(lambda x: np.float16(x + 0.0)),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(max_size=4),
    pa.large_string(): st.text(max_size=4),
    pa.string_view(): st.text(max_size=20),
    pa.binary(): st.binary(max_size=4),
    pa.binary(3): st.binary(min_size=3, max_size=3),
    pa.date32(): DAYS,
    pa.timestamp("us"): MOMENTS,
    pa.timestamp("us", tz="Europe/Rome"): MOMENTS,
    pa.decimal128(12, 2): CENTS,
    pa.list_(pa.int16()): st.lists(st.none() | st.integers(-9, 9), max_size=3),
    pa.list_(pa.bool_(), 2): st.lists(st.booleans(), min_size=2, max_size=2),
    pa.map_(pa.string(), pa.int8()): st.dictionaries(
        st.text(max_size=2), st.integers(-9, 9), max_size=2
    ).map(lambda pairs: list(pairs.items())),
    pa.struct([("a", pa.int8()), ("b", pa.string())]): st.fixed_dictionaries(
        {"a": st.none() | st.integers(-9, 9), "b": st.none() | st.text(max_size=2)}
    ),
    pa.null(): st.none(),
}
CODED = pa.dictionary(pa.int8(), pa.string())


@st.composite
def columns(draw, rows):
    kind = draw(st.sampled_from([*KINDS, CODED]))
    values = KINDS.get(kind, st.sampled_from(["no", "yes", "", "perhaps"]))
    cells = draw(st.lists(st.none() | values, min_size=rows, max_size=rows))
    return pa.array(cells, kind) if kind != CODED else pa.array(cells).cast(CODED)


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 12))
    count = draw(st.integers(1, 3))
    names = draw(st.lists(st.text(max_size=3), min_size=count, max_size=count))
    return pa.table([draw(columns(rows)) for _ in range(count)], names=names)


def chunked_anew(table: pa.Table, cuts: list[int]) -> pa.Table:
    """The same rows in other chunks, each a slice of something longer."""
    ends = [0, *sorted(min(cut, table.num_rows) for cut in cuts), table.num_rows]
    padded = pa.concat_tables([table, table, table])
    parts = [padded.slice(table.num_rows + a, b - a) for a, b in pairwise(ends)]
    return pa.concat_tables(parts)


@settings(max_examples=80, deadline=None)
@given(tables(), st.lists(st.integers(0, 12), max_size=3))
def test_equal_tables_have_one_identity_however_they_are_kept(table, cuts):
    there = table_identity(table)
    sliced = chunked_anew(table, cuts)
    assert table_identity(sliced) == there
    assert table_identity(sliced.combine_chunks()) == there
    assert table_identity(table.replace_schema_metadata({"pandas": "an index"})) == there


@settings(max_examples=80, deadline=None)
@given(tables(), st.data())
def test_another_name_row_or_value_is_another_identity(table, draw):
    there = table_identity(table)
    place = draw.draw(st.integers(0, table.num_columns - 1))
    name = table.column_names[place]
    names = [*table.column_names]
    names[place] = name + "x"
    assert table_identity(table.rename_columns(names)) != there
    shorter = table.slice(0, table.num_rows - 1)
    assert table_identity(shorter) != there
    order = draw.draw(st.permutations(range(table.num_rows)))
    moved = pa.concat_tables([table.slice(row, 1) for row in order])
    is_other = moved.to_pylist() != table.to_pylist() or any(
        moved.column(i).to_pylist() != table.column(i).to_pylist() for i in range(table.num_columns)
    )
    assert (table_identity(moved) != there) == is_other


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_another_cell_is_another_identity(draw):
    kind = draw.draw(st.sampled_from([kind for kind in KINDS if kind != pa.null()]))
    cells = draw.draw(st.lists(st.none() | KINDS[kind], min_size=1, max_size=8))
    place = draw.draw(st.integers(0, len(cells) - 1))
    other = draw.draw(st.none() | KINDS[kind])
    before = pa.array(cells, kind)
    after = pa.array([*cells[:place], other, *cells[place + 1 :]], kind)
    is_same = before[place].as_py() == after[place].as_py()
    assert (table_identity(pa.table({"x": before})) == table_identity(pa.table({"x": after}))) == (
        is_same
    )


def coded(codes, levels, *, ordered=False, index="int8"):
    values = pa.DictionaryArray.from_arrays(
        pa.array(codes, index), pa.array(levels), ordered=ordered
    )
    return pa.table({"x": values})


def test_levels_count_and_codes_do_not():
    there = table_identity(coded([0, 1, 0], ["a", "b"]))
    assert table_identity(coded([1, 0, 1], ["b", "a"])) == there
    assert table_identity(coded([0, 1, 0], ["a", "b"], index="int32")) == there
    apart = pa.concat_tables([coded([0], ["a", "b"]), coded([0, 1], ["b", "a"])])
    assert table_identity(apart) == there
    assert table_identity(coded([0, 1, 0], ["b", "a"])) != there  # exchanged
    assert table_identity(coded([0, 1, 0], ["a", "c"])) != there
    assert table_identity(coded([0, 1, 0], ["a", "b", "c"])) != there  # a level that no row has
    assert table_identity(coded([0, 1, 0], ["a", "b"], ordered=True)) != there
    up, down = ["a", "b", "c"], ["a", "c", "b"]
    assert table_identity(coded([0], up, ordered=True)) != table_identity(
        coded([0], down, ordered=True)
    )


def test_types_count():
    kinds = [pa.int32(), pa.int64(), pa.float64(), pa.string(), pa.large_string(), pa.bool_()]
    ones = [pa.table({"x": pa.array([1]).cast(kind)}) for kind in kinds]
    units = [pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("s", tz="UTC")]
    ones += [pa.table({"x": pa.array([1]).cast(unit)}) for unit in units]
    assert len({table_identity(table) for table in ones}) == len(ones)


def test_what_lies_beneath_a_missing_value_does_not_count():
    bits = pa.py_buffer(bytes([0b101]))
    made = [
        pa.Array.from_buffers(pa.int64(), 3, [bits, pa.py_buffer(np.array([1, hidden, 3]))])
        for hidden in (2, 9)
    ]
    places = pa.py_buffer(np.array([0, 1, 3, 4], dtype=np.int32))
    texts = [
        pa.Array.from_buffers(pa.string(), 3, [bits, places, pa.py_buffer(text)])
        for text in (b"axxb", b"ayyb")
    ]
    for pair in (made, texts):
        first, second = (table_identity(pa.table({"x": values})) for values in pair)
        plain = pa.table({"x": pa.array(pair[0].to_pylist(), pair[0].type)})
        assert first == second == table_identity(plain)


def test_texts_are_not_run_together():
    def named(*names):
        return table_identity(pa.table({name: [1] for name in names}))

    def holding(*cells):
        return table_identity(pa.table({"x": pa.array(cells, pa.string())}))

    assert named("ab", "c") != named("a", "bc")
    assert holding("ab", "c") != holding("a", "bc")
    assert holding(None, "") != holding("", None)


@pytest.mark.parametrize("slices", [(0, 1000), (1000, 1000)])
def test_a_slice_is_its_own_rows(slices):
    draw = np.random.default_rng(3)
    whole = pa.table({"y": draw.integers(0, 2, 3000), "p": draw.random(3000)})
    part = whole.slice(*slices)
    copied = pa.table(part.to_pydict())
    assert hash_of(part) == hash_of(copied)
    assert hash_of(part) != hash_of(whole.slice(2000, 1000)) != hash_of(whole)


def hash_of(given):
    return data.from_data(given).data.content_hash


def test_an_index_of_pandas_is_no_part_of_the_data():
    frame = pd.DataFrame({"y": [1, 0, 1], "c": pd.Categorical(["a", "b", "a"])})
    assert hash_of(frame) == hash_of(frame.set_index(pd.Index([7, 8, 9])))
    renamed = frame.assign(c=frame["c"].cat.rename_categories({"a": "b", "b": "a"}))
    assert hash_of(frame) != hash_of(renamed)
    assert hash_of(frame) != hash_of(frame.rename(columns={"y": "c", "c": "y"}))
