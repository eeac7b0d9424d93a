"""Paired resamples against the exact variance; the same draws whatever the threads and edits."""

import numpy as np
import pytest

from core.decisions import DecisionWorkspace, analyse, read_cursor, resample_differences
from core.document.model import ChartMode
from core.kernels import limited_threads, new_stop_flag, poisson_weights
from payoff.errors import PayoffError, StoppedError

from .cases import MAIL, THREE, mail_problem, model, posteriors

ROWS = 1200


def analysed(cells=MAIL, priors=None, mode=ChartMode.ACT_ON_BEST, **settings):
    table = posteriors(ROWS, 2, steps=40)
    noise = np.random.default_rng(3).normal(0, 0.2, ROWS)
    probability = np.clip(table[0] + noise, 0.01, 0.99)
    problem = mail_problem(table, cells, priors=priors, **settings)
    models = (model(table, "gbm"), model(np.vstack([probability, 1 - probability]), "logit"))
    workspace = DecisionWorkspace()
    result = analyse(problem, models, workspace=workspace, chart_mode=mode)
    return problem, workspace, result


@pytest.mark.parametrize("cells", [MAIL, THREE])
@pytest.mark.parametrize("priors", [None, np.array([0.1, 0.9])])
def test_spread_of_draws_is_the_exact_one(cells, priors):
    _, workspace, result = analysed(cells, priors)
    drawn = resample_differences(workspace, depth=0.2, resamples=2000)
    exact, found = result.differences[0], drawn.differences[0]
    assert found.resamples == 2000
    assert found.estimate.method == "Poisson bootstrap, 2,000 draws"
    width = exact.estimate.high - exact.estimate.low
    assert found.estimate.high - found.estimate.low == pytest.approx(width, rel=0.08)
    assert found.estimate.value == exact.estimate.value
    at_depth = read_cursor(workspace, 0.2).differences[0].estimate.value
    assert drawn.at_depth[0].estimate.value == at_depth
    assert found.p_value == pytest.approx(exact.p_value, abs=0.06)


def test_draws_by_hand():
    """Weights of row and draw, each class scaled back to its share."""
    problem, workspace, result = analysed(priors=np.array([0.1, 0.9]))
    drawn = resample_differences(workspace, resamples=50, seed=9)
    state = workspace.state
    assert state is not None
    weights = poisson_weights(9, np.arange(ROWS), first_draw=0, draws=50).astype(float)
    totals = []
    for rated in state.models:
        acts = 24.0 * rated.scores.posteriors[0] > 1.6 * rated.scores.posteriors[1]
        value = np.where(acts, MAIL[problem.outcome, 0], 0.0)
        total = 0.0
        for level, prior in enumerate((0.1, 0.9)):
            mine = problem.outcome == level
            total = total + prior * ROWS * (value[mine] @ weights[mine]) / weights[mine].sum(axis=0)
        totals.append(total)
    apart = totals[0] - totals[1]
    assert drawn.differences[0].ahead == int((apart > 0).sum())
    assert drawn.differences[0].estimate.value == result.differences[0].estimate.value
    assert drawn.differences[0].estimate.low == pytest.approx(np.quantile(apart, 0.025))


def test_never_certain():
    """Ahead in every draw: p is 2 / draws, not 0."""
    table = posteriors(ROWS, 2)
    problem = mail_problem(table)
    perfect = np.where(problem.outcome == 0, 0.99, 0.001)
    models = (
        model(np.vstack([perfect, 1 - perfect]), "good"),
        model(np.vstack([1 - perfect, perfect]), "bad"),
    )
    workspace = DecisionWorkspace()
    analyse(problem, models, workspace=workspace)
    found = resample_differences(workspace, resamples=200).differences[0]
    assert (found.ahead, found.p_value) == (200, 0.01)


@pytest.mark.parametrize("mode", list(ChartMode))
def test_at_the_rules_depth_acting_is_the_rule(mode):
    """The reference's own depth: its value there is its total in every draw."""
    _, workspace, result = analysed(mode=mode)
    drawn = resample_differences(workspace, depth=1.0, resamples=64)
    if mode is ChartMode.FIRM:
        assert drawn.at_depth[0].estimate.value == pytest.approx(
            drawn.differences[0].estimate.value
        )
    else:
        assert drawn.at_depth[0].estimate.value == pytest.approx(0.0, abs=1e-9)
    assert result.differences


def test_draws_survive_edits_and_do_not_depend_on_threads():
    _, workspace, _ = analysed(THREE, frequency=np.random.default_rng(1).random(ROWS) + 0.5)
    first = resample_differences(workspace, depth=0.3, resamples=96)
    with limited_threads(1):
        second = resample_differences(workspace, depth=0.3, resamples=96)
    assert first.differences == second.differences
    assert first.at_depth == second.at_depth
    other = resample_differences(workspace, depth=0.3, resamples=96, seed=1)
    assert other.differences != first.differences


@pytest.mark.parametrize("priors", [None, np.array([0.1, 0.9])])
def test_a_row_that_stands_for_four_cases_is_four_draws(priors):
    """The spread is that of the cases themselves; a sampling weight's is twice as wide."""
    four = np.full(ROWS, 4.0)
    widths = []
    for is_sampled in (False, True):
        _, workspace, result = analysed(priors=priors, frequency=four, is_sampled=is_sampled)
        drawn = resample_differences(workspace, resamples=1000).differences[0].estimate
        widths.append(drawn.high - drawn.low)
        exact = result.differences[0].estimate
    assert widths[0] == pytest.approx(exact.high - exact.low, rel=0.12)
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.12)


def test_stop_and_progress():
    _, workspace, _ = analysed()
    stop, seen = new_stop_flag(), []
    stop[0] = 1
    with pytest.raises(StoppedError):
        resample_differences(workspace, stop=stop)
    resample_differences(
        workspace, resamples=32, progress=lambda fraction, stage: seen.append(fraction)
    )
    assert seen == [1.0]


def test_refusals():
    with pytest.raises(PayoffError, match="worked out yet"):
        resample_differences(DecisionWorkspace())
    with pytest.raises(PayoffError, match="says nothing"):
        resample_differences(DecisionWorkspace(), resamples=1)
