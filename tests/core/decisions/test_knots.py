"""Straight lines between knots: worked by hand, and the properties they must keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions.number_targets.knots import KnotTable, band_codes, band_names, sorted_knots
from payoff.errors import PayoffError

TABLE = KnotTable(np.array([0.0, 10.0, 50.0]), np.array([[-2.0, 0.0], [8.0, 1.0], [28.0, 1.0]]))

amounts = st.floats(-1000, 1000).map(lambda value: round(value, 2))
values = st.lists(st.floats(-500, 500), min_size=1, max_size=30)


@st.composite
def tables(draw):
    knots = draw(st.lists(st.integers(-100, 100), min_size=1, max_size=5, unique=True))
    width = draw(st.integers(1, 3))
    row = st.lists(amounts, min_size=width, max_size=width)
    cells = [draw(row) for _ in knots]
    return KnotTable(np.array(sorted(knots), dtype=float), np.array(cells))


@pytest.mark.parametrize(
    ("value", "first", "second"),
    [
        (5.0, 3.0, 0.5),  # half way from -2 to 8, from 0 to 1
        (0.0, -2.0, 0.0),  # on a knot: the knot's own amounts
        (10.0, 8.0, 1.0),
        (50.0, 28.0, 1.0),
        (30.0, 18.0, 1.0),  # half way from 8 to 28
        (-4.0, -6.0, -0.4),  # the first line carried on: 1 and 0.1 per unit
        (70.0, 38.0, 1.0),  # the last line carried on: 0.5 and 0 per unit
    ],
)
def test_lines_by_hand(value, first, second):
    found = TABLE.at(np.array([value]))[:, 0]
    assert found == pytest.approx([first, second], abs=1e-12)


def test_one_knot_is_constant_and_a_missing_value_has_no_amount():
    single = KnotTable(np.array([3.0]), np.array([[5.0, -1.0]]))
    found = single.at(np.array([-1e6, 3.0, np.nan, np.inf]))
    assert found[:, :2].tolist() == [[5.0, 5.0], [-1.0, -1.0]]
    assert np.isnan(found[:, 2:]).all()
    assert np.isnan(TABLE.at(np.array([np.nan, -np.inf]))).all()


@settings(max_examples=100, deadline=None)
@given(tables())
def test_on_a_knot_the_amounts_are_exactly_those_of_the_matrix(table):
    assert np.array_equal(table.at(table.knots), table.amounts.T)


@settings(max_examples=100, deadline=None)
@given(tables(), values, amounts)
def test_a_flat_matrix_stays_flat(table, given_values, amount):
    flat = KnotTable(table.knots, np.full_like(table.amounts, amount))
    assert np.all(flat.at(np.array(given_values)) == amount)


@settings(max_examples=100, deadline=None)
@given(st.floats(-50, 50), st.floats(-5, 5), values)
def test_knots_on_one_line_change_nothing(start, slope, given_values):
    points = np.array([-3.0, 1.0, 4.0, 20.0])
    table = KnotTable(points, (start + slope * points)[:, np.newaxis])
    at = np.array(given_values)
    assert table.at(at)[0] == pytest.approx(start + slope * at, abs=1e-8)


def test_bands_begin_at_the_knots_and_the_first_holds_what_lies_below():
    knots = np.array([0.0, 10.0, 52.5])
    assert band_names(knots) == ("below 10", "10 to 52.5", "52.5 and more")
    assert band_names(np.array([7.0])) == ("all values",)
    codes = band_codes(np.array([-5.0, 0.0, 9.99, 10.0, 52.5, 1e9, np.nan]), knots)
    assert codes.tolist() == [0, 0, 0, 1, 2, 2, -1]


@pytest.mark.parametrize(
    ("knots", "words"),
    [((), "no knot"), ((1.0, np.nan), "A knot is nan"), ((1.0, 2.0, 1.0), "knot 1 stands twice")],
)
def test_knots_that_cannot_be_meant_are_refused(knots, words):
    with pytest.raises(PayoffError, match=words):
        sorted_knots(knots)
