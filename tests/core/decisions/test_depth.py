"""Profit by depth against a case-by-case reference, on both ways to work it out."""

import numpy as np
import pytest

from core.decisions import GRID, DecisionWorkspace, analyse, profit_chart, read_cursor, total_cases
from core.decisions.passes.cases import decide_cases
from core.document.model import ChartMode
from core.kernels import limited_threads

from .cases import (
    ROWS,
    SETTINGS,
    mail_problem,
    model,
    profit_by_hand,
    setting,
)

DEPTHS = (0.0, 0.037, 0.25, 0.5, 0.731, 1.0)


@pytest.mark.parametrize("mode", list(ChartMode))
@pytest.mark.parametrize("name", SETTINGS)
def test_profit_expected_and_variance_by_depth_as_by_hand(name, mode):
    problem, scores = setting(name)
    workspace = DecisionWorkspace()
    result = analyse(problem, (scores,), workspace=workspace, chart_mode=mode)
    profit = result.models[0]
    assert workspace.state is not None
    assert workspace.state.models[0].is_by_probability == (
        name in {"mail", "mail with priors", "lend", "one decision", "frequency", "loss"}
    )
    for depth in DEPTHS:
        total, expected, variance, within = profit_by_hand(
            problem, scores, depth, is_firm=mode is ChartMode.FIRM
        )
        reading = read_cursor(workspace, depth)
        assert reading.profit[0] == pytest.approx(total, abs=1e-8)
        half = 1.959963984540054 * np.sqrt(variance)
        assert reading.high[0] - reading.profit[0] == pytest.approx(half, abs=1e-8)
        assert reading.class_cases[0] == pytest.approx(within, abs=1e-8)
        place = int(np.argmin(np.abs(GRID - depth)))
        if GRID[place] == depth:
            assert profit.profit[place] == pytest.approx(total, abs=1e-8)
            assert profit.expected[place] == pytest.approx(expected, abs=1e-8)
            assert profit.high[place] - profit.profit[place] == pytest.approx(half, abs=1e-8)
            assert profit.class_cases[:, place] == pytest.approx(within, abs=1e-8)
    total, expected, variance, _ = profit_by_hand(problem, scores, 1.0, by_rule=True)
    assert profit.total.value == pytest.approx(total, abs=1e-8)
    assert profit.total.high - profit.total.value == pytest.approx(
        1.959963984540054 * np.sqrt(variance), abs=1e-8
    )
    assert profit.expected_total == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_chart_ends_at_the_total_and_other_totals_agree(name):
    problem, scores = setting(name)
    profit = analyse(problem, (scores,)).models[0]
    totals = total_cases(problem, decide_cases(problem, scores))
    assert profit.chart_end == pytest.approx(profit.total.value, abs=1e-8)
    assert profit.warnings == ()
    assert problem.sense * totals.total == pytest.approx(profit.total.value, abs=1e-8)
    assert problem.sense * totals.best_total == pytest.approx(profit.best_total, abs=1e-8)
    assert totals.total_high - totals.total_low == pytest.approx(
        profit.total.high - profit.total.low, abs=1e-8
    )
    assert np.nansum(profit.profits) == pytest.approx(profit.total.value, abs=1e-8)
    assert totals.intervals["average"][1] == pytest.approx(
        totals.intervals["total"][1] / totals.cases
    )
    if not np.isnan(totals.roi):
        assert profit.roi == pytest.approx(totals.roi)


@pytest.mark.parametrize("name", ["mail", "mail with priors", "lend", "three decisions", "costs"])
def test_acting_to_the_depth_of_the_rule_brings_the_total(name):
    problem, scores = setting(name)
    workspace = DecisionWorkspace()
    profit = analyse(problem, (scores,), workspace=workspace).models[0]
    reading = read_cursor(workspace, profit.rule_depth)
    assert reading.profit[0] == pytest.approx(profit.total.value, abs=1e-7)
    assert reading.cases[0] == profit.rule_cases
    assert profit.best_profit >= profit.total.value - 1e-9


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("bins", [1, 20])
def test_profit_chart_adds_up(name, bins):
    problem, scores = setting(name)
    chart = profit_chart(problem, scores, bins=bins)
    totals = total_cases(problem, decide_cases(problem, scores))
    assert chart["cumulative_total"][-1] == pytest.approx(totals.total, abs=1e-8)
    assert chart["total"].sum() == pytest.approx(totals.total, abs=1e-8)
    assert chart["expected_cumulative_total"][-1] == pytest.approx(totals.expected_total, abs=1e-8)
    assert chart["cumulative_average"][-1] == pytest.approx(totals.average)
    weighted = totals.prior_weights @ totals.counts.sum(axis=1)
    assert chart["cases"] == pytest.approx(np.full(bins, weighted / bins))
    assert chart["depth"][-1] == 1.0
    order = problem.sense * chart["expected_average"]
    assert np.all(np.diff(order) <= 1e-9)


def test_profit_chart_shares_ties_in_proportion():
    """All cases tied: every bin gets the same share of every class."""
    table = np.full((2, 100), 0.5)
    problem = mail_problem(table, outcome=(np.arange(100) % 4 == 0).astype(np.int32))
    chart = profit_chart(problem, model(table), bins=8)
    assert chart["total"] == pytest.approx(np.full(8, chart["total"].sum() / 8))


@pytest.mark.parametrize("name", SETTINGS)
def test_row_order_changes_nothing(name):
    """T5 f."""
    problem, scores = setting(name)
    order = np.random.default_rng(3).permutation(ROWS)
    moved = mail_problem(
        scores.posteriors,
        problem.cells,
        outcome=problem.outcome[order],
        kind=problem.kind,
        priors=problem.priors,
        frequency=None if problem.frequency is None else problem.frequency[order],
        cost_amounts=problem.cost_amounts,
        cost_columns={d: column[order] for d, column in problem.cost_columns.items()},
    )
    table = np.ascontiguousarray(scores.posteriors[:, order])
    first = analyse(problem, (scores,)).models[0]
    second = analyse(moved, (model(table, old=scores.old_priors),)).models[0]
    for field in ("profit", "low", "high", "expected", "class_cases", "cases", "threshold"):
        assert getattr(first, field) == pytest.approx(getattr(second, field), abs=1e-8), field


@pytest.mark.parametrize("name", ["mail", "three classes"])
def test_weight_two_is_the_row_twice(name):
    problem, scores = setting(name)
    twice = np.repeat(np.arange(ROWS), 2)
    double = mail_problem(
        scores.posteriors, problem.cells, outcome=problem.outcome[twice], priors=problem.priors
    )
    weighted = mail_problem(
        scores.posteriors,
        problem.cells,
        outcome=problem.outcome,
        frequency=np.full(ROWS, 2.0),
        priors=problem.priors,
    )
    table = np.ascontiguousarray(scores.posteriors[:, twice])
    a = analyse(double, (model(table),)).models[0]
    b = analyse(weighted, (scores,)).models[0]
    for field in ("profit", "low", "expected", "class_cases"):
        assert getattr(a, field) == pytest.approx(getattr(b, field), abs=1e-7), field
    assert a.total.low == pytest.approx(b.total.low)


@pytest.mark.parametrize("name", ["mail with priors", "three classes"])
def test_answers_do_not_depend_on_threads(name):
    problem, scores = setting(name)
    big = np.tile(np.arange(ROWS), 200)
    table = np.ascontiguousarray(scores.posteriors[:, big])
    wide = mail_problem(table, problem.cells, outcome=problem.outcome[big], priors=problem.priors)
    rated = model(table, old=scores.old_priors)
    many = analyse(wide, (rated,))
    with limited_threads(1):
        one = analyse(wide, (rated,))
    for field in ("profit", "low", "expected", "threshold"):
        assert np.array_equal(getattr(many.models[0], field), getattr(one.models[0], field))
    assert many.models[0].total == one.models[0].total


def test_thresholds_are_corrected_chances_of_the_last_case_within():
    problem, scores = setting("mail with priors")
    result = analyse(problem, (scores,))
    profit = result.models[0]
    assert result.threshold_kind == "chance"
    event, other = scores.posteriors[0] * 0.05, scores.posteriors[1] * 0.95
    mended = event / (event + other)
    assert profit.threshold[0] == pytest.approx(mended.max(), abs=1e-12)
    assert profit.threshold[-1] == pytest.approx(mended.min(), abs=1e-12)
    assert np.all(np.diff(profit.threshold) <= 1e-12)
    place = int(np.searchsorted(-profit.threshold, -result.rule_threshold, side="left"))
    assert profit.depth[place] == pytest.approx(profit.rule_depth, abs=0.03)
    assert analyse(*[setting("costs")[0], (setting("costs")[1],)]).threshold_kind == "advantage"
    lend = analyse(*[setting("lend")[0], (setting("lend")[1],)])
    assert lend.threshold_side == "below"
    assert np.all(np.diff(lend.models[0].threshold) >= -1e-12)


def test_cursor_table_with_more_than_two_decisions():
    problem, scores = setting("three decisions")
    for mode in ChartMode:
        workspace = DecisionWorkspace()
        analyse(problem, (scores,), workspace=workspace, chart_mode=mode)
        reading = read_cursor(workspace, 0.31)
        assert reading.counts is not None
        assert reading.profits is not None
        assert reading.profits[0].sum() == pytest.approx(reading.profit[0], abs=1e-8)
        share = 1.0 if mode is ChartMode.ACT_ON_BEST else 0.31
        assert reading.counts[0].sum() == pytest.approx(share * ROWS)
        if mode is ChartMode.ACT_ON_BEST:
            assert reading.counts[0][:, 0] == pytest.approx(reading.class_cases[0])
    workspace = DecisionWorkspace()
    analyse(*[setting("mail")[0], (setting("mail")[1],)], workspace=workspace)
    assert read_cursor(workspace, 0.31).counts is None
