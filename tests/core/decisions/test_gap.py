"""Expected against realised, depths as good as the best, what was left, the worth of ranking."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from core.decisions import DecisionWorkspace, analyse, decide_cases
from core.decisions.depths.best_depth import best_range, differences_to
from core.decisions.depths.depth import GRID
from core.decisions.passes.case_values import values_of
from core.decisions.studies.gap import _why_not, binormal_profit
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from core.document.results import RowsNote
from core.inference.delong import weighted_auc
from tests.core.decisions.cases import (
    THREE,
    WIDE,
    gap_of_first,
    mail_problem,
    model,
    outcome_of,
    posteriors,
    profit_by_hand,
)

NOTE = RowsNote(use="all", text="all rows", rows=0)


def state_of(problem, scores, **settings):
    workspace = DecisionWorkspace()
    analyse(problem, (scores,), workspace=workspace, **settings)
    return workspace.state


def gap(problem, scores, **settings):
    state = state_of(problem, scores, **settings)
    return gap_of_first(state)


# ------------------------------------------------------------------ the gap


@pytest.mark.parametrize("priors", [None, np.array([0.2, 0.8])])
@pytest.mark.parametrize("cells", [None, THREE])
def test_both_lines_and_the_gaps_variance_by_hand(priors, cells):
    table = posteriors(40, 2, 3, steps=8)
    problem = (
        mail_problem(table, priors=priors)
        if cells is None
        else mail_problem(table, cells, priors=priors)
    )
    found = gap(problem, model(table))
    for depth in (0.0, 0.25, 0.61, 1.0):
        place = int(np.argmin(np.abs(found.depth - depth)))
        total, expected, _, _ = profit_by_hand(problem, model(table), found.depth[place])
        assert found.realised[place] == pytest.approx(total)
        assert found.expected[place] == pytest.approx(expected)
    # At the end every case is acted on: the gap's spread is that of C - E of acting, case by case.
    gain = problem.cells[problem.outcome, 0]
    own = gain - (table[0] * problem.cells[0, 0] + table[1] * problem.cells[1, 0])
    values = values_of(state_of(problem, model(table)), state_of(problem, model(table)).models[0])
    wanted = values.estimate(own)
    half = (found.high[-1] - found.low[-1]) / 2
    assert half == pytest.approx((wanted.high - wanted.low) / 2)


def test_the_rule_and_the_curve_meet():
    table = posteriors(500, 2, 7)
    problem = mail_problem(table, do_nothing="Do nothing")
    found = gap(problem, model(table))
    place = int(np.searchsorted(found.depth, found.rule_depth))
    assert found.depth[place] == found.rule_depth
    assert found.realised[place] == pytest.approx(found.rule_realised)
    assert found.expected[place] == pytest.approx(found.rule_expected)
    assert found.rule_gap.value == pytest.approx(found.rule_realised - found.rule_expected)


def test_true_chances_keep_their_promise_and_doubled_ones_do_not():
    draw = np.random.default_rng(5)
    probability = draw.uniform(0.01, 0.3, 20_000)
    outcome = (draw.random(20_000) >= probability).astype(np.int32)
    true = np.ascontiguousarray(np.vstack([probability, 1 - probability]))
    doubled = np.ascontiguousarray(np.vstack([2 * probability, 1 - 2 * probability]))
    problem = mail_problem(true, outcome=outcome, do_nothing="Do nothing")
    honest, boasting = gap(problem, model(true)), gap(problem, model(doubled))
    assert honest.is_kept
    assert "keep their promise" in honest.verdict[0]
    assert not boasting.is_kept
    assert "promise too much" in boasting.verdict[0]
    assert "between depths" in boasting.verdict[1]
    assert boasting.rule_gap.value < 0
    halved = np.ascontiguousarray(np.vstack([probability / 2, 1 - probability / 2]))
    assert "promise too little" in gap(problem, model(halved)).verdict[0]


def test_stretches_hold_every_case_once():
    table = posteriors(300, 2, 8, steps=9)
    problem = mail_problem(table, do_nothing="Do nothing", priors=np.array([0.3, 0.7]))
    found = gap(problem, model(table))
    values = values_of(state_of(problem, model(table)), state_of(problem, model(table)).models[0])
    acting = values.realised(0) - values.realised(1)
    hope = values.expected[0] - values.expected[1]
    whole = float(values.weight @ (acting - hope))
    assert sum(entry.gap.value for entry in found.stretches) == pytest.approx(whole)
    assert sum(entry.expected for entry in found.stretches) == pytest.approx(
        float(values.weight @ hope)
    )


def test_firm_decisions_have_a_gap_of_their_own():
    table = posteriors(400, 3, 4)
    problem = mail_problem(table, WIDE, decisions=tuple("abcd"))
    found = gap(problem, model(table), chart_mode=ChartMode.FIRM)
    cases = decide_cases(problem, model(table))
    assert found.realised[-1] == pytest.approx(cases.computed.sum())
    assert found.expected[-1] == pytest.approx(cases.expected.sum())


# ------------------------------------------------------------------ left on the table


def test_left_on_the_table_is_best_less_computed():
    table = posteriors(200, 3, 9)
    cost = np.random.default_rng(1).uniform(0, 2, 200)
    problem = mail_problem(table, WIDE, decisions=tuple("abcd"), cost_columns={2: cost})
    found = gap(problem, model(table))
    cases = decide_cases(problem, model(table))
    for level in range(3):
        for decision in range(4):
            here = (problem.outcome == level) & (cases.decision == decision)
            wanted = (cases.best - cases.computed)[here].sum()
            assert found.left[level, decision] == pytest.approx(wanted, abs=1e-9)
    assert found.left_total == pytest.approx(found.best_total - cases.computed.sum())


# ------------------------------------------------------------------ depths as good as the best


@pytest.mark.parametrize("cells", [None, THREE])
@pytest.mark.parametrize("priors", [None, np.array([0.15, 0.85])])
def test_differences_of_depths_case_by_case(cells, priors):
    table = posteriors(60, 2, 12, steps=11)
    settings = {"priors": priors, "frequency": np.random.default_rng(2).integers(1, 4, 60) * 1.0}
    problem = (
        mail_problem(table, **settings) if cells is None else mail_problem(table, cells, **settings)
    )
    state = state_of(problem, model(table))
    curve = state.models[0].curve
    depths = np.array([0.0, 0.13, 0.4, 0.42, 0.77, 1.0])
    low, high = differences_to(curve.points(depths), 2)
    values = values_of(state, state.models[0])
    from core.decisions.studies.swap import shares_within
    from core.decisions.uncertainty.paired import cut_of

    act, rest = values.realised(values.acting), values.realised(values.rest_decision())
    shares = [
        shares_within(state.models[0], cut_of(curve.points(np.array([d]))), values.rows)
        for d in depths
    ]
    for place, share in enumerate(shares):
        wanted = values.estimate((share - shares[2]) * (act - rest))
        assert low[place] == pytest.approx(wanted.low, abs=1e-6)
        assert high[place] == pytest.approx(wanted.high, abs=1e-6)


def test_the_range_holds_the_best_depth_and_narrows_with_more_cases():
    widths = []
    for rows in (400, 40_000):
        table = posteriors(rows, 2, 20)
        table[0] *= 0.2
        table[1] = 1 - table[0]
        problem = mail_problem(table, outcome=outcome_of(table), do_nothing="Do nothing")
        state = state_of(problem, model(table))
        points = state.models[0].curve.points(GRID)
        low, high = best_range(points)
        best = float(points.depth[int(np.argmax(points.profit))])
        assert low <= best <= high
        widths.append(high - low)
    assert widths[1] < 0.7 * widths[0]


def test_paired_draws_give_the_same_range():
    """Poisson draws of the cases, both depths held fixed: as wide as the exact intervals."""
    table = posteriors(800, 2, 21)
    problem = mail_problem(table, do_nothing="Do nothing")
    state = state_of(problem, model(table))
    points = state.models[0].curve.points(np.linspace(0, 1, 21))
    place = int(np.argmax(points.profit))
    low, high = differences_to(points, place)
    values = values_of(state, state.models[0])
    gain = values.realised(0) - values.realised(1)
    order = np.argsort(-table[0])
    weight = np.random.default_rng(3).poisson(1.0, (4000, 800)).astype(float)
    weight *= 800 / weight.sum(axis=1, keepdims=True)
    inside = np.zeros((21, 800))
    for row, depth in enumerate(points.depth):
        inside[row, order[: round(depth * 800)]] = 1.0
    drawn = weight @ ((inside - inside[place]) * gain).T
    np.testing.assert_allclose(
        drawn.std(axis=0)[[0, 5, 20]],
        ((high - low) / (2 * 1.959963984540054))[[0, 5, 20]],
        rtol=0.06,
    )


# ------------------------------------------------------------------ a point of AUC


def test_auc_with_weights_and_ties_by_pairs():
    score = np.array([0.1, 0.4, 0.4, 0.8, 0.2])
    event = np.array([False, True, False, True, False])
    weight = np.array([1.0, 2.0, 3.0, 1.0, 1.0])
    pairs = [
        (
            weight[i] * weight[j],
            1.0 if score[i] > score[j] else 0.5 if score[i] == score[j] else 0.0,
        )
        for i in np.flatnonzero(event)
        for j in np.flatnonzero(~event)
    ]
    wanted = sum(w * v for w, v in pairs) / sum(w for w, _ in pairs)
    assert weighted_auc(score, event, weight) == pytest.approx(wanted)


@pytest.mark.parametrize(("event", "other"), [(24_000.0, -30_400.0), (-500.0, 900.0)])
def test_binormal_profit_is_the_best_of_all_cuts(event, other):
    auc = 0.83
    apart = math.sqrt(2) * norm.ppf(auc)
    cuts = np.linspace(-8, 8, 160_001)
    good, bad = max(event, other), min(event, other)
    wanted = (good * norm.sf(cuts - apart) + bad * norm.sf(cuts)).max()
    assert binormal_profit(event, other, auc) == pytest.approx(wanted, rel=1e-6)


def test_a_point_of_auc_on_binormal_scores():
    """Scores that are binormal indeed: the assumed best profit is the real one, within luck."""
    draw = np.random.default_rng(8)
    outcome = (draw.random(60_000) >= 0.1).astype(np.int32)
    score = draw.normal(size=60_000) + 1.5 * (outcome == 0)
    odds = 0.1 / 0.9 * np.exp(1.5 * score - 1.5**2 / 2)
    probability = odds / (1 + odds)
    table = np.ascontiguousarray(np.vstack([probability, 1 - probability]))
    problem = mail_problem(table, outcome=outcome, do_nothing="Do nothing")
    worth = gap(problem, model(table)).auc
    assert worth.auc == pytest.approx(norm.cdf(1.5 / math.sqrt(2)), abs=0.006)
    state = state_of(problem, model(table))
    best = state.models[0].curve.points(GRID).profit.max()
    assert worth.model_profit == pytest.approx(best, rel=0.02)
    assert worth.per_point > 0


def test_other_matrices_say_what_is_assumed_or_why_not():
    table = posteriors(100, 2, 3)
    cost = np.linspace(0.1, 2.0, 100)
    own = gap(mail_problem(table, cost_columns={0: cost}), model(table))
    assert "shared out evenly" in own.auc.method
    left = own.best_total - own.best_profit
    assert own.auc.per_point == pytest.approx(left / (100 * (1 - own.auc.auc)))
    wide = posteriors(100, 3, 3)
    three = gap(mail_problem(wide, WIDE, decisions=tuple("abcd")), model(wide)).auc
    assert math.isnan(three.per_point)
    assert "two classes" in three.method


def verdict_of(probability, outcome, cells, kind):
    table = np.ascontiguousarray(np.vstack([probability, 1 - probability]))
    problem = mail_problem(table, np.array(cells), outcome=outcome, kind=kind)
    return gap(problem, model(table)).verdict[0]


def test_the_verdict_speaks_of_losses_in_a_loss_project():
    """What is lost is no income, and chances that are too high promise too much of it."""
    draw = np.random.default_rng(5)
    probability = draw.uniform(0.01, 0.3, 20_000)
    outcome = (draw.random(20_000) >= probability).astype(np.int32)
    cells = [[20.0, 24.0], [1.6, 0.0]]  # an event costs most of what it costs either way
    kind = MatrixKind.LOSS
    much, little = (verdict_of(probability * by, outcome, cells, kind) for by in (2.0, 0.5))
    assert "promise too much loss: " in much
    assert "less was lost than they say." in much
    assert "promise too little loss: " in little
    assert "more was lost than they say." in little
    kept = verdict_of(probability, outcome, cells, kind)
    assert kept.startswith("The chances keep their promise: ")
    assert "lost, which luck alone can explain." in kept
    assert "came in" not in much + little + kept


def test_where_nothing_differs_nothing_is_said_to_be_luck():
    """Nobody is worth a letter: nothing is promised, nothing comes in."""
    probability = np.full(40, 0.01)
    outcome = np.ones(40, dtype=np.int32)
    described = verdict_of(probability, outcome, [[1.0, 0.0], [-50.0, 0.0]], MatrixKind.PROFIT)
    assert described == "The chances keep their promise: what came in is what they say."


@pytest.mark.parametrize(
    ("auc", "words"),
    [
        (math.nan, "one class has no case"),
        (0.3, "ranks worse than chance"),
        (0.503, "hardly ranks at all"),
        (0.997, "leaves no whole point above"),
        (1.0, "leaves no whole point above"),
    ],
)
def test_why_a_point_of_auc_has_no_worth(auc, words):
    assert words in _why_not(auc)
