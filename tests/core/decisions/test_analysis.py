"""The analysis as a whole: rows, baselines, differences, the workspace between edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import DecisionWorkspace, ModelScores, analyse, read_cursor
from core.decisions.depths.best_depth import crossfitted_peak
from core.document.model import ChartMode
from core.document.results import RowsNote
from core.inference.normal import normal_p_value
from payoff.errors import PayoffError

from .cases import (
    MAIL,
    THREE,
    class_weights,
    mail_problem,
    model,
    outcome_of,
    posteriors,
    profit_by_hand,
    variance_by_hand,
)

ROWS = 500


def noisy(table, seed):
    """Another model's chances: the same with noise."""
    draw = np.random.default_rng(seed)
    probability = np.clip(table[0] + draw.normal(0, 0.15, table.shape[1]), 0.01, 0.99).round(2)
    return np.vstack([probability, 1.0 - probability])


def two_models(cells=MAIL, **settings):
    table = posteriors(ROWS, 2, steps=40)
    problem = mail_problem(table, cells, **settings)
    return problem, (model(table, "gbm"), model(noisy(table, 5), "logit"))


def values_by_hand(problem, scores, depth, mode):
    """What each case brings, by differences of totals with that case's class weight alone."""
    from .cases import by_hand, consequence

    cases = by_hand(problem, scores)
    if depth is None:
        return np.array([consequence(problem, row, c[3], c[0]) for row, c in enumerate(cases)])
    acting = problem.acting_index
    keys = np.array([c[2][acting] - c[2][c[1]] for c in cases])
    if len(problem.decisions) == 2:
        keys = scores.posteriors[0]
    weights, sizes = class_weights(problem, np.ones(len(cases), dtype=bool))
    target, reached = depth * np.sum(weights * sizes), 0.0
    share = np.zeros(len(cases))
    for key in sorted(set(keys), reverse=True):
        rows = np.flatnonzero(keys == key)
        size = weights[problem.outcome[rows]].sum()
        share[rows] = np.clip((target - reached) / size, 0, 1)
        reached += size
    found = []
    for row, (own, rest, _, level) in enumerate(cases):
        if mode is ChartMode.FIRM:
            found.append(share[row] * consequence(problem, row, level, own))
        else:
            base = consequence(problem, row, level, rest)
            more = consequence(problem, row, level, acting) - base
            found.append(base + share[row] * more)
    return np.array(found)


@pytest.mark.parametrize("mode", list(ChartMode))
@pytest.mark.parametrize("cells", [MAIL, THREE])
@pytest.mark.parametrize("priors", [None, np.array([0.1, 0.9])])
def test_paired_differences_are_those_of_the_same_cases(cells, priors, mode):
    problem, models = two_models(cells, priors=priors)
    workspace = DecisionWorkspace()
    result = analyse(problem, models, workspace=workspace, chart_mode=mode)
    depth = 0.213
    reading = read_cursor(workspace, depth)
    weights, sizes = class_weights(problem, np.ones(ROWS, dtype=bool))
    for found, at in ((result.differences[0], None), (reading.differences[0], depth)):
        apart = values_by_hand(problem, models[0], at, mode) - values_by_hand(
            problem, models[1], at, mode
        )
        value = np.sum(weights[problem.outcome] * apart)
        variance = variance_by_hand(problem, apart, weights, sizes, np.ones(ROWS))
        assert (found.first, found.second) == ("gbm", "logit")
        assert found.estimate.value == pytest.approx(value, abs=1e-8)
        half = (found.estimate.high - found.estimate.low) / 2
        assert half == pytest.approx(1.959963984540054 * np.sqrt(variance), abs=1e-8)
        assert found.p_value == pytest.approx(normal_p_value(value, variance))
    totals = [profit.total.value for profit in result.models]
    assert result.differences[0].estimate.value == pytest.approx(totals[0] - totals[1], abs=1e-8)
    assert reading.differences[0].estimate.value == pytest.approx(
        reading.profit[0] - reading.profit[1], abs=1e-8
    )


def test_a_model_against_itself_differs_by_nothing():
    problem, (first, _) = two_models()
    twin = ModelScores(name="twin", posteriors=first.posteriors)
    result = analyse(problem, (first, twin))
    apart = result.differences[0]
    assert (apart.estimate.value, apart.estimate.low, apart.p_value) == (0.0, 0.0, 1.0)


def test_any_reference():
    problem, models = two_models()
    result = analyse(problem, models, reference="logit")
    assert (result.differences[0].first, result.differences[0].second) == ("logit", "gbm")
    forward = analyse(problem, models).differences[0].estimate.value
    assert result.differences[0].estimate.value == pytest.approx(-forward)


def test_an_edited_workspace_answers_like_a_new_one():
    """Cells, priors, old priors, costs, chart mode, rows: whatever changes, nothing is stale."""
    table = posteriors(ROWS, 2, steps=40)
    other = posteriors(ROWS, 2, seed=8, steps=30)
    outcome = outcome_of(table)
    weight = np.random.default_rng(1).random(ROWS) + 0.5
    cost = np.random.default_rng(2).random(ROWS)
    old = np.array([0.4, 0.6])
    plain, corrected = model(table), model(table, old=old)
    wrong = table.copy()
    wrong[0, :7] = np.nan
    steps = [
        ({}, plain, ChartMode.ACT_ON_BEST),
        ({"cells": MAIL * 2}, plain, ChartMode.ACT_ON_BEST),
        ({"cells": -MAIL}, plain, ChartMode.ACT_ON_BEST),
        ({"priors": np.array([0.1, 0.9])}, corrected, ChartMode.ACT_ON_BEST),
        ({"priors": np.array([0.3, 0.7])}, corrected, ChartMode.ACT_ON_BEST),
        ({"priors": np.array([0.3, 0.7])}, plain, ChartMode.FIRM),
        ({"cells": THREE}, plain, ChartMode.FIRM),
        ({"cells": THREE}, plain, ChartMode.ACT_ON_BEST),
        ({"cost_columns": {0: cost}}, plain, ChartMode.ACT_ON_BEST),
        ({"cost_columns": {0: np.where(cost > 0.5, cost, np.nan)}}, plain, ChartMode.ACT_ON_BEST),
        ({"frequency": weight}, plain, ChartMode.ACT_ON_BEST),
        ({"cells": np.full((2, 2), [3.0, 0.0])}, plain, ChartMode.ACT_ON_BEST),
        ({}, model(other), ChartMode.ACT_ON_BEST),
        ({}, model(wrong), ChartMode.ACT_ON_BEST),
        ({}, plain, ChartMode.ACT_ON_BEST),
    ]
    workspace = DecisionWorkspace()
    for change, scores, mode in steps:
        problem = mail_problem(table, **{"cells": MAIL, "outcome": outcome, **change})
        again = analyse(problem, (scores,), workspace=workspace, chart_mode=mode)
        fresh = analyse(problem, (scores,), chart_mode=mode)
        a, b = again.models[0], fresh.models[0]
        for field in ("profit", "low", "expected", "class_cases", "cases", "threshold", "counts"):
            assert np.array_equal(getattr(a, field), getattr(b, field)), (change, field)
        assert a.total == b.total
        assert again.advice == fresh.advice
        assert again.rows == fresh.rows


def test_rows_that_do_not_count_are_named():
    table = posteriors(ROWS, 2)
    outcome = outcome_of(table)
    outcome[:3] = -1
    table[0, 3:5] = np.nan
    frequency = np.ones(ROWS)
    frequency[5:9] = 0
    cost = np.zeros(ROWS)
    cost[9] = np.nan
    problem = mail_problem(table, outcome=outcome, frequency=frequency, cost_columns={0: cost})
    note = RowsNote(use="validation", text="validation rows", rows=ROWS, dropped=(("other", 7),))
    result = analyse(problem, (model(table),), rows=note)
    assert result.rows.rows == ROWS - 10
    assert result.rows.text == "validation rows"
    assert result.rows.dropped == (
        ("other", 7),
        ("outcome not known", 3),
        ("weight missing or not above 0", 4),
        ("cost missing", 1),
        ("a chance is missing or not between 0 and 1", 2),
    )
    good = slice(10, None)
    clean = mail_problem(
        table, outcome=outcome[good], cost_columns={0: cost[good]}, frequency=frequency[good]
    )
    kept = analyse(clean, (model(np.ascontiguousarray(table[:, good])),))
    assert result.models[0].total.value == pytest.approx(kept.models[0].total.value)
    assert result.models[0].profit == pytest.approx(kept.models[0].profit, abs=1e-9)
    assert result.class_counts.sum() == ROWS - 10


def test_all_models_are_judged_on_the_same_rows():
    problem, (first, second) = two_models()
    holes = second.posteriors.copy()
    holes[0, :50] = np.nan
    result = analyse(problem, (first, ModelScores(name="logit", posteriors=holes)))
    assert result.rows.rows == ROWS - 50
    apart = result.models[0].total.value - result.models[1].total.value
    assert result.differences[0].estimate.value == pytest.approx(apart)


def test_baselines():
    problem, models = two_models(priors=np.array([0.2, 0.8]))
    result = analyse(problem, models)
    counts = np.bincount(problem.outcome)
    weights = np.array([0.2, 0.8]) * ROWS / counts
    everyone = np.sum(weights * counts * MAIL[:, 0])
    assert result.act_on_all == pytest.approx(everyone)
    assert result.do_nothing == 0
    assert result.rest == "Do nothing"
    assert result.random_profit == pytest.approx(np.linspace(0, everyone, 1001))
    assert result.perfect_total == pytest.approx(24.0 * 0.2 * ROWS)
    for profit in result.models:
        assert profit.profit[0] == pytest.approx(0, abs=1e-9)
        assert profit.profit[-1] == pytest.approx(everyone)
    three = analyse(mail_problem(models[0].posteriors, THREE), models)
    assert three.rest == "their best other decision"
    firm = analyse(problem, models, chart_mode=ChartMode.FIRM)
    assert firm.random_profit[-1] == pytest.approx(firm.models[0].total.value)
    assert firm.models[0].profit[-1] == pytest.approx(firm.models[0].total.value)


def test_crossfitted_value_of_the_best_depth():
    """Each half chooses on its own cases; the value counts on the other half's."""
    problem, models = two_models(priors=np.array([0.2, 0.8]))
    workspace = DecisionWorkspace()
    profit = analyse(problem, models[:1], workspace=workspace, seed=4).models[0]
    folds = workspace.folds(ROWS, 4)
    weights, sizes = class_weights(problem, np.ones(ROWS, dtype=bool))
    value, chosen = 0.0, []
    assert workspace.state is not None
    curve = workspace.state.models[0].curve
    points = curve.points(np.linspace(0, 1, 51))  # where the search begins decides nothing
    peak = crossfitted_peak(curve, points)
    within = curve.sums_before(np.arange(ROWS + 1))[:, :, 0] @ curve.weighting.location_weight
    every = within / within[-1]
    by_case = np.array(
        [values_by_hand(problem, models[0], depth, ChartMode.ACT_ON_BEST) for depth in every]
    )
    weighted = by_case * weights[problem.outcome]
    per_case = np.zeros(ROWS)
    for fold in (0, 1):
        mine = folds == fold
        sums = weighted[:, mine].sum(axis=1)
        best = int(np.argmax(sums >= sums.max() - 1e-9))
        chosen.append(float(every[best]))
        value += weighted[best, ~mine].sum()
        per_case[~mine] = by_case[best, ~mine]
    assert peak.depths == pytest.approx(tuple(chosen), abs=1e-12)
    assert peak.value == pytest.approx(value)
    assert peak.variance == pytest.approx(
        variance_by_hand(problem, per_case, weights, sizes, np.ones(ROWS))
    )
    crossed = profit.best_profit_crossfitted
    assert crossed.value == peak.value
    assert crossed.low < crossed.value < crossed.high
    assert profit.best_profit >= profit.profit.max()  # the best of all depths, not of the grid


def test_choosing_and_valuing_on_the_same_cases_flatters_a_useless_model():
    """Noise has a naive peak above doing nothing on most draws; cross-fitted it has none."""
    naive, crossed = [], []
    for seed in range(40):
        table = posteriors(400, 2, seed=seed)
        outcome = (np.random.default_rng(seed + 100).random(400) > 0.0625).astype(np.int32)
        profit = analyse(mail_problem(table, outcome=outcome), (model(table),)).models[0]
        naive.append(profit.best_profit)
        crossed.append(profit.best_profit_crossfitted.value)
    assert min(naive) >= 0
    assert np.mean(naive) > np.mean(crossed) + 10


@pytest.mark.soak
def test_coverage_of_the_interval():
    """With class shares held fixed, about 95 % of intervals hold the true total."""
    draw = np.random.default_rng(1)
    size = np.array([100, 900])
    true = 1000 * (0.1 * (0.7 * 24.0) + 0.9 * (0.2 * -1.6))
    hits = 0
    for _ in range(300):
        hit = [draw.random(n) < share for n, share in zip(size, (0.7, 0.2), strict=True)]
        probability = np.where(np.concatenate(hit), 0.9, 0.01)
        table = np.vstack([probability, 1.0 - probability])
        outcome = np.repeat([0, 1], size).astype(np.int32)
        problem = mail_problem(table, outcome=outcome, priors=np.array([0.1, 0.9]))
        total = analyse(problem, (model(table),)).models[0].total
        hits += total.low <= true <= total.high
    assert 0.91 <= hits / 300 <= 0.985


def test_what_the_interval_holds_fixed():
    problem, models = two_models(
        priors=np.array([1.0, 19.0]), labels=("responds", "does not respond")
    )
    assert analyse(problem, models).holds_fixed == "if 5.0\u00a0% respond"
    assert analyse(problem, models).models[0].total.method == "exact variance"
    problem, models = two_models(labels=("responds", "does not respond"))
    assert analyse(problem, models).holds_fixed == "for this finished model"


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.floats(-20, 20).map(lambda x: round(x, 2)), min_size=4, max_size=4),
    st.sampled_from([None, (0.2, 0.8), (0.9, 0.1)]),
    st.sampled_from(list(ChartMode)),
    st.sampled_from([0, 1]),
)
def test_any_two_by_two_matrix(cells, priors, mode, acting):
    """Totals and depths as by hand, whatever the signs: dominated, reversed and equal columns."""
    table = posteriors(80, 2, steps=9)
    problem = mail_problem(
        table,
        np.array(cells).reshape(2, 2),
        priors=None if priors is None else np.array(priors),
        acting=("Mail", "Do nothing")[acting],
    )
    scores = model(table)
    workspace = DecisionWorkspace()
    result = analyse(problem, (scores,), workspace=workspace, chart_mode=mode)
    total, _, _, _ = profit_by_hand(problem, scores, 1.0, by_rule=True)
    assert result.models[0].total.value == pytest.approx(total, abs=1e-7)
    assert result.models[0].chart_end == pytest.approx(total, abs=1e-7)
    gain = np.array(cells).reshape(2, 2)
    edge = gain[:, acting] - gain[:, 1 - acting]
    if edge[0] != edge[1]:
        by_hand = profit_by_hand(problem, scores, 0.4, is_firm=mode is ChartMode.FIRM)[0]
        assert read_cursor(workspace, 0.4).profit[0] == pytest.approx(by_hand, abs=1e-7)


def test_refusals():
    problem, models = two_models()
    with pytest.raises(PayoffError, match="no model"):
        analyse(problem, ())
    with pytest.raises(PayoffError, match="called gbm, gbm"):
        analyse(problem, (models[0], models[0]))
    with pytest.raises(PayoffError, match="reference is 'x'"):
        analyse(problem, models, reference="x")
    with pytest.raises(PayoffError, match="outcome of these rows"):
        analyse(mail_problem(models[0].posteriors, outcome=None), models)
    with pytest.raises(PayoffError, match="No row can be counted"):
        analyse(
            mail_problem(models[0].posteriors, outcome=np.full(ROWS, -1, dtype=np.int32)), models
        )
    with pytest.raises(PayoffError, match="worked out yet"):
        read_cursor(DecisionWorkspace(), 0.5)
