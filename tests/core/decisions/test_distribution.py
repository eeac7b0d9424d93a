"""Consequences averaged over predicted quantiles: by hand, and against a fine grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import (
    LeafCases,
    analyse,
    decide_cases,
    predicted_quantiles,
    predicted_scores,
    total_cases,
)
from core.decisions.number_targets.knots import KnotTable, expected_lines
from payoff.errors import PayoffError
from tests.core.decisions.numbers import gift_problem, model, predictions

BENT = KnotTable(np.array([0.0, 10.0, 1000.0]), np.array([[0.0], [10.0], [10.0]]))  # at most 10


def quantiles(levels, *rows):
    return predicted_quantiles(np.array(levels, dtype=float), np.array(rows, dtype=float))


def test_a_cap_costs_what_lies_above_it():
    """Uniform on 0 to 20, capped at 10: half the mass has mean 5, half brings 10."""
    found = expected_lines(BENT, quantiles((0, 1), (0.0,), (20.0,)))
    assert found[0, 0] == pytest.approx(7.5)
    assert BENT.at(np.array([10.0]))[0, 0] == 10.0  # the prediction taken as exact


def test_the_outer_quantiles_hold_the_mass_beyond_them():
    """A quarter at 4, a quarter at 30 (capped: 10), between them straight over half the mass."""
    found = expected_lines(BENT, quantiles((0.25, 0.75), (4.0,), (30.0,)))
    inner = (6 / 26) * 7.0 + (20 / 26) * 10.0
    assert found[0, 0] == pytest.approx(0.25 * 4 + 0.25 * 10 + 0.5 * inner)


def test_a_point_is_a_distribution_too():
    found = expected_lines(BENT, quantiles((0.1, 0.5, 0.9), (7.0,), (7.0,), (7.0,)))
    assert found[0, 0] == pytest.approx(7.0)
    alone = expected_lines(BENT, quantiles((0.5,), (13.0,)))
    assert alone[0, 0] == pytest.approx(10.0)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.floats(-50, 150), min_size=3, max_size=3),
    st.lists(st.integers(-40, 120), min_size=1, max_size=5, unique=True),
    st.integers(0, 1000),
)
def test_as_a_fine_grid_of_the_quantile_function(values, knots, seed):
    amounts = np.random.default_rng(seed).uniform(-20, 20, (len(knots), 2))
    table = KnotTable(np.array(sorted(knots), dtype=float), amounts)
    levels = np.array([0.1, 0.4, 0.9])
    found = expected_lines(table, quantiles(levels, *[[value] for value in sorted(values)]))
    grid = (np.arange(20_000) + 0.5) / 20_000
    drawn = np.interp(grid, levels, sorted(values))
    wanted = table.at(drawn).mean(axis=1)
    scale = 1.0 + np.abs(table.at(drawn)).max()
    assert found[:, 0] == pytest.approx(wanted, abs=2e-3 * scale)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-50, 150), min_size=3, max_size=3))
def test_straight_lines_see_the_mean_only(values):
    table = KnotTable(np.array([-3.0, 8.0, 40.0]), np.array([[-7.0], [15.0], [79.0]]))  # 2 y - 1
    spread = quantiles((0.2, 0.5, 0.7), *[[value] for value in sorted(values)])
    assert expected_lines(table, spread)[0] == pytest.approx(2 * spread.mean - 1, abs=1e-9)


def test_crossed_quantiles_are_put_in_order_and_counted():
    crossed = quantiles((0.9, 0.1), (3.0, 9.0), (5.0, 1.0))
    assert crossed.crossed == 1
    assert crossed.levels.tolist() == [0.1, 0.9]
    assert crossed.values.tolist() == [[3.0, 1.0], [5.0, 9.0]]


@pytest.mark.parametrize(
    ("levels", "words"),
    [((0.1, 1.2), "level 1.2"), ((0.5, 0.5), "0.5 is given twice"), ((0.5,), "do not fit")],
)
def test_levels_that_cannot_be_meant_are_refused(levels, words):
    with pytest.raises(PayoffError, match=words):
        quantiles(levels, (1.0,), (2.0,))


def spread_problem(rows=400):
    centre = np.abs(predictions(rows))
    draw = np.random.default_rng(4)
    actual = centre * draw.uniform(0, 2, rows)
    cells = np.array([[-12.0, 0.0], [8.0, 0.0], [8.0, 0.0]])  # y - 12, at most 8
    problem = gift_problem(
        centre, knots=(0, 20, 100), cells=cells, decisions=("Act", "Rest"), actual=actual
    )
    known = predicted_quantiles(np.array([0.0, 1.0]), np.vstack([0 * centre, 2 * centre]))
    return problem, centre, known


def test_deciding_over_the_true_distribution_beats_deciding_at_its_mean():
    problem, centre, known = spread_problem(4000)
    over = predicted_scores("distribution", centre, quantiles=known)
    result = analyse(problem, (over, model(centre, "mean")))
    first, second = result.models
    assert first.total.value > second.total.value
    assert first.chart_end == pytest.approx(first.total.value)
    assert abs(first.expected_total - first.total.value) < 3 * (first.total.high - first.total.low)
    assert second.expected_total > first.expected_total  # the cap was not seen
    decided = decide_cases(problem, over)
    assert total_cases(problem, decided).total == pytest.approx(first.total.value)


def test_a_missing_quantile_is_marked():
    problem, centre, known = spread_problem()
    known.values[1, 3] = np.nan
    cases = decide_cases(problem, predicted_scores("m", centre, quantiles=known))
    assert cases.warnings[3] == "P"
    assert cases.warnings[4] == ""


def test_leaves_average_over_the_distributions():
    problem, centre, known = spread_problem()
    code = (np.arange(400) % 5).astype(np.int64)
    scores = predicted_scores("m", centre, quantiles=known, leaf=LeafCases(code=code))
    cases = decide_cases(problem, scores)
    values = expected_lines(problem.knot_table, known)
    wanted = np.array([values[:, code == leaf].mean(axis=1).max() for leaf in range(5)])
    assert cases.expected == pytest.approx(wanted[code])
