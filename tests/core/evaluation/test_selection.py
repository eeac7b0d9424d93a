"""Choosing among models, and figures by other tools' definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import auc, log_loss, precision_recall_curve

from core.document.wording import format_ahead
from core.evaluation import EvaluationRequest, assess
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions import SAME, definition_rows, interpolated_area
from tests.helpers.factories.evaluation import binary_problem, made_cases


def test_the_best_by_each_metric_with_its_margin_and_wins():
    outcome, good, poor = made_cases(3_000, 31, (0.2, 1.2))
    problem = binary_problem(outcome, {"poor": poor, "good": good}, ["auc", "brier"], resamples=200)
    by_metric = {entry.metric: entry for entry in assess(problem).selections}
    for metric, sign in (("auc", 1), ("brier", -1)):
        found = by_metric[metric]
        assert (found.winner, found.runner_up) == ("good", "poor")
        assert sign * found.margin.estimate.value > 0
        assert dict(found.wins) == {"good": 200, "poor": 0}
        assert found.corrected == pytest.approx(found.margin.p_value)


def test_the_best_of_equals_is_flattered_and_seldom_alone():
    rng = np.random.default_rng(32)
    outcome = (rng.random(600) < 0.3).astype(int)
    models = {f"m{k}": rng.random(600) for k in range(6)}
    found = assess(binary_problem(outcome, models, ["auc"], resamples=400)).selections[0]
    wins = dict(found.wins)
    assert sum(wins.values()) == 400
    assert wins[found.winner] < 360
    assert found.optimism > 0.002
    assert found.corrected > 0.05


def test_models_that_are_level_share_a_win_and_none_is_surely_behind():
    """The first of equal ones was the best of all draws, and the other "ahead in 0 (p < 0.01)"."""
    outcome, good, poor = made_cases(800, 34, (0.6, 1.2))
    models = {"one": good, "two": good, "again": 0.5 * good, "poor": poor}
    problem = binary_problem(outcome, models, ["auc", "brier"], resamples=200)
    by_metric = {entry.metric: entry for entry in assess(problem).selections}
    found = EvaluationRequest(problem)
    wins = dict(by_metric["auc"].wins)
    assert wins["one"] == wins["two"] == wins["again"] > 60
    assert sum(wins.values()) == pytest.approx(200)
    wins = dict(by_metric["brier"].wins)
    assert wins["one"] == wins["two"]
    assert sum(wins.values()) == pytest.approx(200)
    for metric in ("auc", "brier"):
        pair = found.compare("one", "two", metric)
        assert (pair.ahead, pair.level, pair.resamples) == (0, 200, 200)
        assert (
            format_ahead(pair.ahead, pair.resamples, level=pair.level)
            == "level in all 200 resamples"
        )
        assert found.probability_ahead("one", "two", metric) == 0.5
    assert found.compare("one", "again", "brier").level == 0


def test_one_model_or_no_direction_gives_no_choice():
    outcome, good = made_cases(500, 33)
    assert assess(binary_problem(outcome, {"m": good}, ["auc"])).selections == ()


# ---------------------------------------------------------------- definitions


@pytest.fixture(scope="module")
def cases():
    outcome, probability = made_cases(1_500, 34)
    probability = np.round(probability, 3)
    probability[np.flatnonzero(outcome == 1)[0]] = 0.0
    return outcome, probability, JudgedCases(binary_problem(outcome, {"m": probability}, []))


def rows_of(cases, convention):
    return {row.figure: row for row in definition_rows(cases[2], convention)}


def test_figures_as_scikit_learn(cases):
    outcome, probability, _ = cases
    rows = rows_of(cases, "scikit-learn")
    precision, recall, _ = precision_recall_curve(outcome, probability)
    found = rows["Area under precision-recall"]
    assert found.theirs == pytest.approx(auc(recall, precision), abs=1e-12)
    assert found.cause != SAME
    loss = rows["Log loss"]
    assert np.isinf(loss.ours)
    assert loss.theirs == pytest.approx(log_loss(outcome, probability), abs=1e-9)
    assert "2.2e-16" in loss.cause
    assert rows["AUC"].cause == SAME


def test_figures_as_sas_em(cases):
    rows = rows_of(cases, "sas_em")
    gain, lift = rows["Gain, best 10 %"], rows["Lift, best 10 %"]
    assert gain.theirs == pytest.approx(100 * (lift.ours - 1))
    assert rows["KS"].theirs <= rows["KS"].ours
    assert rows["Squared error"].cause == SAME
    assert rows["Right decisions"].ours + rows["Right decisions"].theirs == pytest.approx(1.0)


def test_figures_as_r(cases):
    outcome, probability, made = cases
    rows = rows_of(cases, "r")
    edges = np.quantile(probability, np.arange(1, 10) / 10)
    group = np.searchsorted(np.unique(edges), probability)
    total = 0.0
    for number in np.unique(group):
        here = group == number
        expected, seen, size = probability[here].sum(), outcome[here].sum(), here.sum()
        total += (seen - expected) ** 2 / (expected * (1 - expected / size))
    assert rows["Hosmer-Lemeshow, 10 groups"].theirs == pytest.approx(total)
    assert rows["AUC"].theirs >= 0.5
    ranking = made.ranked(made.problem.models[0])
    assert rows["Area under precision-recall"].theirs == interpolated_area(ranking)


def test_interpolated_area_is_the_integral_between_cut_offs(cases):
    ranking = cases[2].ranked(cases[2].problem.models[0])
    found, alarms = np.append(0.0, ranking.events), np.append(0.0, ranking.others)
    total = 0.0
    for k in range(len(found) - 1):
        step = found[k + 1] - found[k]
        if step == 0:
            continue
        middle = (np.arange(4_000) + 0.5) / 4_000
        hit = found[k] + middle * step
        total += step * np.mean(hit / (hit + alarms[k] + middle * (alarms[k + 1] - alarms[k])))
    assert interpolated_area(ranking) == pytest.approx(total / found[-1], abs=1e-7)


def test_selections_stay_with_an_evaluation_asked_further():
    outcome, good, poor = made_cases(800, 35, (0.2, 0.9))
    requested = EvaluationRequest(
        binary_problem(outcome, {"a": good, "b": poor}, ["auc"], resamples=64)
    )
    assert requested.result.selections[0].margin == requested.compare("a", "b", "auc")
