"""Numbers of a script's table are read as a loaded table would give them, or looked at."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import column_as_float, from_data, plain_numbers

FLOATS = st.one_of(st.floats(allow_infinity=False, width=32), st.just(float("nan")))


@st.composite
def frames(draw):
    """A few columns of numbers of several types, few rows or many."""
    rows = draw(st.sampled_from([1, 3, 999, 1_000, 1_500]))
    columns = {}
    for place in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["float64", "float32", "int64", "uint8", "bool"]))
        if kind.startswith("float"):
            few = draw(st.lists(FLOATS, min_size=1, max_size=4))
        else:
            few = draw(st.lists(st.integers(0, 1 if kind == "bool" else 200), min_size=1))
        columns[f"x{place}"] = np.resize(np.array(few, dtype=kind), rows)
    return pd.DataFrame(columns)


@settings(deadline=None)
@given(frames(), st.booleans())
def test_they_are_what_a_loaded_table_gives(frame, is_mapping):
    table = from_data(frame)
    data = {name: frame[name].to_numpy() for name in frame} if is_mapping else frame
    names = list(frame.columns)[::-1]
    found = plain_numbers(data, names)
    assert found is not None
    for name, numbers in zip(names, found, strict=True):
        np.testing.assert_array_equal(numbers.astype(float), column_as_float(table, name))
        assert numbers.flags.c_contiguous


@pytest.mark.parametrize("rows", [1, 5_000])
@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.inf, id="infinite"),
        pytest.param(2**53 + 1, id="longer than a double holds"),
        pytest.param(np.uint64(2**63), id="longer than an int64"),
        pytest.param("12", id="text"),
        pytest.param(np.datetime64("2026-01-01"), id="date"),
        pytest.param(None, id="object"),
    ],
)
def test_what_needs_a_look_is_looked_at(values, rows):
    frame = pd.DataFrame({"x": np.full(rows, values), "y": np.ones(rows)})
    assert plain_numbers(frame, ["x", "y"]) is None


@pytest.mark.parametrize("rows", [1, 5_000])
def test_columns_that_are_not_there_and_other_data_are_left_to_the_reader(rows):
    frame = pd.DataFrame({"x": np.ones(rows)})
    assert plain_numbers(frame, ["x", "z"]) is None
    assert plain_numbers(frame, []) is None
    assert plain_numbers(frame.iloc[:0], ["x"]) is None
    assert plain_numbers(pd.concat([frame, frame], axis=1), ["x"]) is None
    assert plain_numbers(pa.table(frame), ["x"]) is None
    assert plain_numbers("file.csv", ["x"]) is None
    assert plain_numbers({"x": np.ones(rows), "y": np.ones(rows + 1)}, ["x", "y"]) is None
    assert plain_numbers({"x": [1.0] * rows}, ["x"]) is None
    assert plain_numbers(frame.convert_dtypes(), ["x"]) is None


def test_no_pass_over_a_table_of_numbers_overflows():
    large = np.full(2_000, 1.7e308)
    found = plain_numbers(pd.DataFrame({"x": large}), ["x"])
    assert found is not None
    np.testing.assert_array_equal(found[0], large)
