"""Sorting against numpy's stable sort of the negated scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.kernels import (
    SortBuffers,
    argsort_descending,
    group_ends,
    limited_threads,
    sort_ascending,
)
from payoff.errors import PayoffError

FLOATS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, -0.0, 0.1, 1.0, np.nan, np.inf, -np.inf]),
)


def expected_order(scores):
    return np.argsort(-scores, kind="stable")


def many_scores(kind, rows, seed=7):
    draw = np.random.default_rng(seed)
    if kind == "distinct":
        return draw.random(rows)
    if kind == "few values":
        return draw.integers(0, 5, rows).astype(np.float64)
    if kind == "nearly equal":  # equal leading bits: the exact path
        return 1.0 + draw.random(rows) * 1e-12
    if kind == "missing":
        return np.where(draw.random(rows) < 0.1, np.nan, draw.normal(size=rows))
    if kind == "zeros":
        return np.where(draw.random(rows) < 0.5, -0.0, 0.0)
    return draw.choice([np.inf, -np.inf, np.nan, 0.0, 5e-324, -5e-324, 1e38], rows)


@settings(deadline=None, max_examples=60)
@given(arrays(np.float64, st.integers(0, 200), elements=FLOATS))
def test_order_is_that_of_a_stable_sort(scores):
    order = argsort_descending(scores)
    assert order.dtype == np.uint32
    assert np.array_equal(order, expected_order(scores))


@pytest.mark.parametrize(
    "kind", ["distinct", "few values", "nearly equal", "missing", "zeros", "extremes"]
)
@pytest.mark.parametrize("rows", [1, 2, 300, 20_001])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_long_columns_and_both_precisions(kind, rows, precision):
    scores = many_scores(kind, rows).astype(precision)
    assert np.array_equal(argsort_descending(scores), expected_order(scores))


@pytest.mark.parametrize("kind", ["distinct", "few values", "nearly equal", "missing"])
def test_order_does_not_depend_on_threads(kind):
    scores = many_scores(kind, 40_000)
    with limited_threads(1):
        alone = argsort_descending(scores)
    assert np.array_equal(alone, argsort_descending(scores))


def test_buffers_are_reused_and_released():
    buffers = SortBuffers()
    scores = many_scores("distinct", 1000)
    first = argsort_descending(scores, buffers=buffers)
    held = buffers.nbytes
    assert held == 16_000
    assert np.array_equal(
        argsort_descending(scores[:10], buffers=buffers), np.argsort(-scores[:10])
    )
    assert buffers.nbytes == held
    assert np.array_equal(first, expected_order(scores))
    buffers.release()
    assert buffers.nbytes == 0


def test_strided_and_read_only_columns():
    table = np.random.default_rng(1).random((500, 3))
    column = table[:, 1]
    column.flags.writeable = False
    assert np.array_equal(argsort_descending(column), expected_order(column))


@pytest.mark.parametrize("scores", [np.arange(3), np.zeros((2, 2)), np.array(["a"])])
def test_other_types_are_refused(scores):
    with pytest.raises(PayoffError, match="column of floats"):
        argsort_descending(scores)


@pytest.mark.parametrize("kind", ["distinct", "few values", "zeros"])
def test_group_ends(kind):
    scores = many_scores(kind, 5000)
    order = argsort_descending(scores)
    ranked = scores[order]
    wanted = [i + 1 for i in range(5000) if i == 4999 or ranked[i + 1] != ranked[i]]
    assert group_ends(order, scores).tolist() == wanted
    assert group_ends(order[:0], scores).size == 0


def rising(values):
    return np.sort(values[~np.isnan(values)].astype(np.float64) + 0.0)


@settings(deadline=None)  # the first call compiles
@given(arrays(np.float64, st.integers(0, 300), elements=FLOATS))
def test_numbers_rise_as_numpy_sorts_them(values):
    assert sort_ascending(values).tobytes() == rising(values).tobytes()


@pytest.mark.parametrize(
    "kind", ["distinct", "few values", "nearly equal", "missing", "zeros", "extremes"]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_many_numbers_rise(kind, dtype):
    with np.errstate(over="ignore"):
        values = many_scores(kind, 30_000).astype(dtype)
    assert np.array_equal(sort_ascending(values[::3]), rising(values[::3]))
