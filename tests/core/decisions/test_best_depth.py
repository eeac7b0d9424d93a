"""The best depth is the best of all depths, not of a grid of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import DecisionWorkspace, analyse, read_cursor
from core.document.model import ChartMode
from tests.core.decisions.cases import gap_of_first

from .cases import MAIL, SETTINGS, THREE, mail_problem, model, outcome_of, posteriors, setting

MODES = (ChartMode.ACT_ON_BEST, ChartMode.FIRM)


def best_by_hand(score, gain, rest=0.0):
    """The highest of all sums down to the end of a group of equal scores, and its share."""
    order = np.argsort(-score, kind="stable")
    sums = np.append(0.0, np.cumsum(gain[order]))
    ends = np.append(np.flatnonzero(np.diff(score[order])) + 1, [len(score), 0])
    ends = np.sort(ends)
    place = ends[np.argmax(sums[ends])]
    return place / len(score), rest + sums[place]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SETTINGS)
def test_no_depth_is_better_than_the_best(name, mode):
    problem, scores = setting(name)
    space = DecisionWorkspace()
    profit = analyse(problem, (scores,), chart_mode=mode, workspace=space).models[0]
    curve = space.state.models[0].curve
    rows = curve.ordering.order.shape[0]
    every = curve.sums_before(np.arange(rows + 1))[:, :, 0] @ curve.weighting.location_weight
    dense = curve.points(every / every[-1]).profit
    assert profit.best_profit == pytest.approx(dense.max(), rel=1e-12, abs=1e-9)
    assert profit.best_profit >= profit.profit.max() - 1e-9
    # what the cursor says at that depth is that amount
    at_best = read_cursor(space, profit.best_depth, with_differences=False)
    assert at_best.profit[0] == profit.best_profit
    assert at_best.threshold[0] == profit.best_threshold


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(1, 5_000),
    steps=st.sampled_from([0, 3, 40]),
    seed=st.integers(0, 1_000),
    loss=st.floats(0.01, 60.0),
)
def test_the_best_depth_of_random_scores(rows, steps, seed, loss):
    """A score without worth has its best anywhere, also between two points of the grid."""
    table = posteriors(rows, 2, seed=seed, steps=steps)
    outcome = (np.random.default_rng(seed + 1).random(rows) > 0.1).astype(np.int32)
    cells = np.array([[24.0, 0.0], [-loss, 0.0]])
    profit = analyse(mail_problem(table, cells, outcome=outcome), (model(table),)).models[0]
    depth, value = best_by_hand(table[0], np.where(outcome == 0, 24.0, -loss))
    assert profit.best_profit == pytest.approx(value, rel=1e-9, abs=1e-7)
    assert profit.best_depth == pytest.approx(depth, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(2, 5_000),
    steps=st.sampled_from([0, 3, 40]),
    seed=st.integers(0, 1_000),
    loss=st.floats(0.01, 60.0),
)
def test_each_half_chooses_among_all_depths(rows, steps, seed, loss):
    """The cross-fitted figure, by hand: the best end for one half, read on the other."""
    table = posteriors(rows, 2, seed=seed, steps=steps)
    outcome = (np.random.default_rng(seed + 1).random(rows) > 0.1).astype(np.int32)
    cells = np.array([[24.0, 0.0], [-loss, 0.0]])
    space = DecisionWorkspace()
    profit = analyse(
        mail_problem(table, cells, outcome=outcome), (model(table),), workspace=space, seed=seed
    ).models[0]
    folds, gain = space.folds(rows, seed), np.where(outcome == 0, 24.0, -loss)
    value = 0.0
    for fold in (0, 1):
        depth, _ = best_by_hand(table[0], np.where(folds == fold, gain, 0.0))
        within = np.argsort(-table[0], kind="stable")[: round(depth * rows)]
        value += np.where(folds != fold, gain, 0.0)[within].sum()
    assert profit.best_profit_crossfitted.value == pytest.approx(value, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("cells", [MAIL, THREE])
def test_many_cases_whose_best_lies_between_two_points_of_the_grid(cells):
    table = posteriors(30_000, 2, seed=5)
    problem = mail_problem(table, cells, outcome=outcome_of(table, seed=6))
    space = DecisionWorkspace()
    result = analyse(problem, (model(table),), workspace=space)
    profit = result.models[0]
    every = np.arange(30_001) / 30_000
    dense = space.state.models[0].curve.points(every).profit
    assert profit.best_profit == pytest.approx(dense.max(), rel=1e-12)
    assert profit.best_depth == pytest.approx(every[np.argmax(dense)], abs=1e-9)
    if cells is MAIL:
        depth, value = best_by_hand(table[0], np.where(problem.outcome == 0, 24.0, -1.6))
        assert (profit.best_depth, profit.best_profit) == pytest.approx((depth, value))
    gap = gap_of_first(space.state)
    assert gap.best_profit == profit.best_profit


@pytest.mark.parametrize("cells", [MAIL, THREE])
def test_totals_that_are_not_known_have_no_best_depth(cells):
    """A class without a case whose prior is above zero; a depth that is no number is nobody."""
    table = posteriors(200, 2, seed=5)
    problem = mail_problem(
        table, cells, outcome=np.ones(200, dtype=np.int32), priors=np.array([0.2, 0.8])
    )
    space = DecisionWorkspace()
    profit = analyse(problem, (model(table),), workspace=space).models[0]
    assert np.isnan([profit.best_depth, profit.best_profit, profit.best_threshold]).all()
    assert space.state.models[0].curve.points(np.array([np.nan])).rows[0] == 0
