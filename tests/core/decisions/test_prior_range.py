"""A range of the event's prior: intervals hold for every share in it, and say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decisions import (
    DecisionWorkspace,
    analyse,
    decide_cases,
    read_cursor,
    resample_differences,
    total_cases,
)
from core.decisions.passes.case_values import values_of
from core.document.decisions.matrix_model import MatrixKind
from core.document.results import RowsNote
from payoff.errors import PayoffError
from tests.core.decisions.break_even import noisy
from tests.core.decisions.cases import (
    MAIL,
    WIDE,
    capacity_of,
    class_weights,
    gap_of_first,
    mail_problem,
    model,
    posteriors,
)

ROWS = 1500
NOTE = RowsNote(use="all", text="all rows", rows=0)
PRIORS = np.array([0.05, 0.95])
OLD = np.array([0.4, 0.6])


def problem_of(**settings):
    table = posteriors(ROWS, 2)
    return mail_problem(table, priors=PRIORS, **settings), table


def ends_by_hand(problem, scores, share):
    """Interval of the total if the event's prior were another, decisions as at the prior."""
    decision = decide_cases(problem, scores).decision
    realised = problem.consequences.gain[problem.outcome, decision]
    at = replace(problem, priors=np.array([share, 1.0 - share]), prior_range=None)
    weights = class_weights(at, np.ones(ROWS, dtype=bool))[0]
    total, variance = 0.0, 0.0
    for level in (0, 1):
        here = realised[problem.outcome == level]
        total += weights[level] * here.sum()
        variance += weights[level] ** 2 * np.sum((here - here.mean()) ** 2)
    half = 1.959963984540054 * np.sqrt(variance)
    return total - half, total + half


def test_the_interval_is_the_widest_over_the_whole_range():
    problem, table = problem_of(prior_range=(0.04, 0.06))
    scores = model(table, old=OLD)
    total = analyse(problem, (scores,)).models[0].total
    every = [ends_by_hand(problem, scores, share) for share in np.linspace(0.04, 0.06, 41)]
    assert total.low == pytest.approx(min(low for low, _ in every), rel=1e-9)
    assert total.high == pytest.approx(max(high for _, high in every), rel=1e-9)
    without = analyse(replace(problem, prior_range=None), (scores,)).models[0].total
    assert total.value == without.value
    assert total.low < without.low
    assert total.high > without.high


def test_every_interval_of_money_says_the_range():
    problem, table = problem_of(prior_range=(0.04, 0.06), labels=("responds", "does not"))
    models = (model(table, "a", OLD), model(noisy(table, 3), "b", OLD))
    space = DecisionWorkspace()
    result = analyse(problem, models, workspace=space)
    wanted = "if 4.0 to 6.0\u00a0% respond"
    assert result.holds_fixed == wanted
    assert result.models[0].total.holds_fixed == wanted
    assert result.models[0].average.holds_fixed == wanted
    assert result.differences[0].estimate.holds_fixed == wanted
    # Chosen and valued on halves of the cases: at the prior itself, and it says so.
    assert result.models[0].best_profit_crossfitted.holds_fixed == "if 5.0\u00a0% respond"


def test_bands_cursor_and_differences_are_widened_too():
    problem, table = problem_of(prior_range=(0.03, 0.08))
    models = (model(table, "a", OLD), model(noisy(table, 3), "b", OLD))
    spaces = DecisionWorkspace(), DecisionWorkspace()
    wide = analyse(problem, models, workspace=spaces[0])
    narrow = analyse(replace(problem, prior_range=None), models, workspace=spaces[1])
    for one, other in zip(wide.models, narrow.models, strict=True):
        assert np.array_equal(one.profit, other.profit)
        assert (one.low <= other.low).all()
        assert (one.high >= other.high).all()
        assert one.high[300] > other.high[300]
    first, second = (read_cursor(space, 0.3) for space in spaces)
    assert (first.low < second.low).all()
    assert first.differences[0].p_value >= second.differences[0].p_value
    drawn, plain = (resample_differences(space, resamples=64) for space in spaces)
    for one, other in zip(drawn.differences, plain.differences, strict=True):
        assert one.estimate.low <= other.estimate.low
        assert one.estimate.high >= other.estimate.high
        assert one.ahead <= other.ahead or other.ahead < 32


def test_a_difference_that_changes_sign_within_the_range_is_not_significant():
    problem, table = problem_of(prior_range=(0.001, 0.9))
    flat = np.full_like(table, 0.5)  # decides for all cases: better where events are common
    models = (model(table, "a"), model(flat, "b"))
    result = analyse(problem, models)
    pair = result.differences[0]
    assert pair.estimate.low < 0 < pair.estimate.high
    assert pair.p_value == 1.0


def test_a_range_of_no_width_changes_nothing():
    problem, table = problem_of(prior_range=(0.05, 0.05))
    scores = model(table, old=OLD)
    one = analyse(problem, (scores,)).models[0].total
    other = analyse(replace(problem, prior_range=None), (scores,)).models[0].total
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


@pytest.mark.parametrize("kind", [MatrixKind.PROFIT, MatrixKind.LOSS])
def test_totals_for_scripts_are_widened_in_their_own_sense(kind):
    sign = -1.0 if kind is MatrixKind.LOSS else 1.0
    problem, table = problem_of(prior_range=(0.04, 0.06), cells=sign * MAIL, kind=kind)
    scores = model(table, old=OLD)
    totals = total_cases(problem, decide_cases(problem, scores))
    profit = analyse(problem, (scores,)).models[0].total
    ends = sorted((sign * profit.low, sign * profit.high))
    assert (totals.total_low, totals.total_high) == pytest.approx(tuple(ends))


def test_three_classes_keep_their_proportions():
    table = posteriors(ROWS, 3)
    problem = mail_problem(table, WIDE, priors=np.array([0.2, 0.3, 0.5]), prior_range=(0.1, 0.3))
    scores = model(table)
    total = analyse(problem, (scores,)).models[0].total
    moved = []
    for share in (0.1, 0.3):
        at = np.array([share, (1 - share) * 0.375, (1 - share) * 0.625])
        moved.append(analyse(replace(problem, priors=at, prior_range=None), (scores,)).models[0])
    assert total.low == pytest.approx(min(entry.total.low for entry in moved))
    assert total.high == pytest.approx(max(entry.total.high for entry in moved))


@pytest.mark.parametrize("ends", [(0.06, 0.08), (0.01, 0.04), (0.0, 0.1), (0.01, 1.0)])
def test_a_range_that_misses_the_prior_is_refused(ends):
    with pytest.raises(PayoffError, match="range"):
        problem_of(prior_range=ends)


def test_a_range_needs_a_prior():
    with pytest.raises(PayoffError, match="needs the prior"):
        mail_problem(posteriors(20, 2), prior_range=(0.1, 0.2))


def test_the_studies_of_cases_widen_too():
    problem, table = problem_of(prior_range=(0.04, 0.06), do_nothing="Do nothing")
    scores = model(table, old=OLD)
    found, plain = (
        _studies(part, scores) for part in (problem, replace(problem, prior_range=None))
    )
    for wide, narrow in zip(found, plain, strict=True):
        assert wide[0] < narrow[0]
        assert wide[1] > narrow[1]
    total = analyse(problem, (scores,)).models[0].total
    np.testing.assert_allclose(found[0], (total.low, total.high), rtol=1e-9)


def _studies(problem, scores):
    """Ends of the totals without a limit, of the curve against capacity, and of the gap."""
    workspace = DecisionWorkspace()
    analyse(problem, (scores,), workspace=workspace)
    state = workspace.state
    whole = values_of(state, state.models[0])
    total = whole.estimate(whole.realised(whole.own_decision()))
    curve = capacity_of(state).curves[0]
    gap = gap_of_first(state).rule_gap
    return [(total.low, total.high), (curve.low[-1], curve.high[-1]), (gap.low, gap.high)]
