"""Bins against a plain search, for every way of finding them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.boosting import inputs_of_matrix
from core.boosting.growing.binning import MOST_STEPS, Borders, bin_inputs, byte_table, make_grid

ODD = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1e30, -1e30, 1e-40]


def bins_of(values, borders):
    """Bins of one column, as a model takes them."""
    numbers = np.asarray(borders, dtype=np.float64)
    given_borders = Borders((numbers,), np.array([numbers.shape[0] + 1]), False)
    matrix = np.ascontiguousarray(np.asarray(values)[:, None])
    return bin_inputs(inputs_of_matrix(matrix), given_borders)[0]


def counted(values, borders):
    values = np.asarray(values, dtype=np.float64)
    bins = np.searchsorted(np.asarray(borders, dtype=np.float64), values, side="right")
    return np.where(np.isnan(values), 255, bins)


@settings(deadline=None, max_examples=150)
@given(
    borders=st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40, unique=True),
    values=st.lists(st.floats(), max_size=30),
)
def test_bins_count_the_borders_at_or_below(borders, values):
    borders = sorted(borders)
    values = np.array([*values, *borders, *ODD])
    assert bins_of(values, borders).tolist() == counted(values, borders).tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", ["even", "normal", "skewed", "clumped", "one"])
def test_bins_of_many_values(kind, shape):
    random = np.random.default_rng(4)
    drawn = {
        "even": random.random(20_000),
        "normal": random.normal(size=20_000),
        "skewed": random.lognormal(0.0, 6.0, size=20_000),
        "clumped": np.concatenate([random.random(10_000) * 1e-6, random.random(10_000)]),
        "one": np.full(20_000, 3.0),
    }[shape].astype(kind)
    borders = np.unique(np.quantile(drawn.astype(np.float64), np.linspace(0, 1, 254)))
    values = np.concatenate(
        [drawn, borders.astype(kind), np.array(ODD, dtype=np.float64).astype(kind)]
    )
    assert np.array_equal(bins_of(values, borders), counted(values, borders))


def test_a_grid_steps_or_halves():
    random = np.random.default_rng(4)
    even, skewed = np.linspace(0.0, 1.0, 254), np.sort(random.lognormal(0.0, 6.0, size=254))
    borders = Borders((even, skewed), np.array([255, 255]), False)
    grid = make_grid(byte_table(borders, np.float64), [254, 254])
    assert 0 < grid.steps[0] <= MOST_STEPS
    assert grid.steps[1] == -1
