"""The cursor from kept sums: tables at a depth against plain numpy, differences only when asked."""

from dataclasses import fields

import numpy as np
import pytest

from core.decisions import DecisionWorkspace, analyse, read_cursor
from core.decisions.depths.table import TABLE_STEP
from core.document.model import ChartMode

from .cases import MAIL, THREE, mail_problem, model, posteriors

ROWS = 2 * TABLE_STEP + 777


def setting(steps, *, has_frequency):
    """Three decisions of which one has a cost by case, in ties for ``steps`` above 0."""
    draw = np.random.default_rng(4)
    table = posteriors(ROWS, 2, steps=steps)
    cost = np.round(draw.random(ROWS), 1) if steps else draw.random(ROWS)
    frequency = draw.integers(1, 4, ROWS).astype(float) if has_frequency else None
    return mail_problem(table, THREE, frequency=frequency, cost_columns={0: cost}), table


def tables_by_hand(problem, table, depth, *, is_firm):
    """Cases and profit by class and decision, (2, levels, decisions)."""
    worth = np.repeat(problem.cells[:, :, np.newaxis], ROWS, axis=2)
    worth[:, 0] -= problem.cost_columns[0]
    expected = np.einsum("tdi,ti->di", worth, table)
    key = np.round(expected[0] - expected[1:].max(axis=0), 12)
    weight = np.ones(ROWS) if problem.frequency is None else problem.frequency
    share = np.zeros(ROWS)
    left = depth * weight.sum()
    for value in np.unique(key)[::-1]:
        here = key == value
        share[here] = min(1.0, max(left, 0.0) / weight[here].sum())
        left -= weight[here].sum()
    best, rest = expected.argmax(axis=0), 1 + expected[1:].argmax(axis=0)
    inside = best if is_firm else np.zeros(ROWS, dtype=int)
    found = np.zeros((2, 2, 3))
    row = np.arange(ROWS)
    groups = [(inside, weight * share)]
    if not is_firm:
        groups.append((rest, weight * (1.0 - share)))
    for decision, cases in groups:
        np.add.at(found[0], (problem.outcome, decision), cases)
        np.add.at(
            found[1],
            (problem.outcome, decision),
            cases * worth[problem.outcome, decision, row],
        )
    return found


@pytest.mark.parametrize("mode", [ChartMode.ACT_ON_BEST, ChartMode.FIRM])
@pytest.mark.parametrize("steps", [0, 20])
@pytest.mark.parametrize("has_frequency", [False, True])
def test_tables_at_a_depth_are_those_of_all_cases(mode, steps, has_frequency):
    problem, table = setting(steps, has_frequency=has_frequency)
    workspace = DecisionWorkspace()
    analyse(problem, (model(table),), workspace=workspace, chart_mode=mode)
    for depth in (0.0, 0.013, 0.5, 0.77, 1.0):
        reading = read_cursor(workspace, depth)
        wanted = tables_by_hand(problem, table, depth, is_firm=mode == ChartMode.FIRM)
        assert reading.counts[0] == pytest.approx(wanted[0], abs=1e-5), depth
        assert reading.profits[0] == pytest.approx(wanted[1], abs=1e-4), depth


def test_a_new_analysis_has_new_tables():
    problem, table = setting(0, has_frequency=False)
    workspace = DecisionWorkspace()
    analyse(problem, (model(table),), workspace=workspace)
    before = read_cursor(workspace, 0.4).profits
    doubled = mail_problem(
        table, 2 * THREE, outcome=problem.outcome, cost_columns=problem.cost_columns
    )
    analyse(doubled, (model(table),), workspace=workspace)
    after = read_cursor(workspace, 0.4).profits
    fresh = DecisionWorkspace()
    analyse(doubled, (model(table),), workspace=fresh)
    assert not np.allclose(before, after)
    assert np.array_equal(after, read_cursor(fresh, 0.4).profits)


@pytest.mark.parametrize("cells", [MAIL, THREE])
def test_a_cursor_on_the_move_leaves_out_differences_only(cells):
    table, other = posteriors(900, 2, seed=1), posteriors(900, 2, seed=8)
    workspace = DecisionWorkspace()
    problem = mail_problem(table, cells)
    analyse(problem, (model(table, "a"), model(other, "b")), workspace=workspace)
    resting = read_cursor(workspace, 0.3)
    moving = read_cursor(workspace, 0.3, with_differences=False)
    assert len(resting.differences) == 1
    assert moving.differences == ()
    for field in fields(moving):
        if field.name != "differences":
            np.testing.assert_array_equal(
                getattr(moving, field.name), getattr(resting, field.name), field.name
            )


@pytest.mark.parametrize("mode", [ChartMode.ACT_ON_BEST, ChartMode.FIRM])
def test_one_column_of_costs_answers_as_two(mode):
    """A second column that costs nothing takes the way on which every case is looked at."""
    problem, table = setting(0, has_frequency=True)
    columns = {**problem.cost_columns, 1: np.zeros(ROWS)}
    two = mail_problem(
        table,
        THREE,
        outcome=problem.outcome,
        frequency=problem.frequency,
        cost_columns=columns,
        priors=np.array([0.1, 0.9]),
    )
    one = mail_problem(
        table,
        THREE,
        outcome=problem.outcome,
        frequency=problem.frequency,
        cost_columns=problem.cost_columns,
        priors=np.array([0.1, 0.9]),
    )
    first = analyse(one, (model(table),), chart_mode=mode).models[0]
    second = analyse(two, (model(table),), chart_mode=mode).models[0]
    for name in ("profit", "low", "high", "expected", "class_cases", "profits", "counts"):
        assert getattr(first, name) == pytest.approx(getattr(second, name), rel=1e-9, abs=1e-7)
    assert first.total.low == pytest.approx(second.total.low)
    assert first.best_profit_crossfitted.low == pytest.approx(second.best_profit_crossfitted.low)
    assert (first.best_total, first.roi) == pytest.approx((second.best_total, second.roi))


@pytest.mark.parametrize("mode", [ChartMode.ACT_ON_BEST, ChartMode.FIRM])
@pytest.mark.parametrize("steps", [0, 20])
def test_totals_come_with_exact_values_where_the_cursor_rests(mode, steps):
    draw = np.random.default_rng(8)
    tables = [posteriors(ROWS, 2, seed=seed, steps=steps) for seed in (3, 4)]
    problem = mail_problem(tables[0], MAIL, frequency=draw.integers(1, 4, ROWS).astype(float))
    workspace = DecisionWorkspace()
    models = (model(tables[0], "first"), model(tables[1], "second"))
    found = analyse(problem, models, workspace=workspace, reference="second", chart_mode=mode)
    own = found.models[1]
    exact = read_cursor(workspace, own.resting_depth, with_differences=False)
    assert found.at_rest.depth == own.rule_depth
    for field in fields(exact):
        np.testing.assert_array_equal(
            getattr(found.at_rest, field.name), getattr(exact, field.name), field.name
        )
    if mode is ChartMode.ACT_ON_BEST:
        assert found.at_rest.profit[1] == pytest.approx(own.total.value, abs=1e-6)
    off_grid = np.interp(own.rule_depth, own.depth, own.profit)
    assert abs(off_grid - own.total.value) > 0.001
