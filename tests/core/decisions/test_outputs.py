"""Output columns, classification tables and score rankings: by hand, and against the totals."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.decisions import DecisionWorkspace, analyse, decide_cases, profit_chart, total_cases
from core.decisions.passes.workspace import Analysis
from core.decisions.studies.outputs import (
    decision_table,
    output_columns,
    predicted_classes,
    prediction_table,
    residuals,
)
from core.decisions.studies.rankings import ranked_cases, rankings
from core.questions.decide import Rankings
from core.questions.lanes import Unwatched
from payoff.errors import PayoffError
from tests.core.decisions.cases import ALL_ROWS, mail_problem, model, outcome_of, posteriors
from tests.core.decisions.numbers import gift_problem, predictions
from tests.core.decisions.numbers import model as number_model

PRIORS, OLD = np.array([0.05, 0.95]), np.array([0.25, 0.75])


def decided(rows=500, *, steps=0, levels=2, **settings):
    table = posteriors(rows, levels, steps=steps)
    old = settings.pop("old", None)
    problem = mail_problem(table, **settings)
    scores = model(table, old=old)
    return problem, scores, decide_cases(problem, scores, with_posteriors=True)


# ------------------------------------------------------------------ columns


def test_the_first_class_wins_unless_a_later_one_beats_it_by_more_than_1e_8():
    probabilities = np.array(
        [[0.5, 0.5, 0.5 - 1e-8, 0.3, np.nan], [0.5, 0.5, 0.5 + 1e-8, 0.7, 0.2]]
    )
    probabilities[1, 1] += 0.9e-8
    assert predicted_classes(probabilities).tolist() == [0, 0, 1, 1, -1]


def test_columns_by_hand():
    table = np.array([[0.9, 0.1, 0.5], [0.1, 0.9, 0.5]])
    problem = mail_problem(
        table, levels=("1", "0"), outcome=np.array([0, 1, -1], dtype=np.int32), priors=PRIORS
    )
    scores = model(table, old=np.array([0.5, 0.5]))
    cases = decide_cases(problem, scores, with_posteriors=True)
    found = output_columns(problem, scores, cases, "y", "PIUFR")
    first = 0.9 * 0.1 / (0.9 * 0.1 + 0.1 * 1.9)
    assert found["P_y1"][0] == pytest.approx(first)
    assert found["I_y"].tolist() == ["0", "0", "0"]  # 0.9 falls to 0.32 with these priors
    assert found["U_y"].tolist() == [0.0, 0.0, 0.0]
    assert found["F_y"].tolist() == ["1", "0", ""]
    assert found["R_y1"][:2] == pytest.approx([0.1, -0.1])  # of the posteriors as in the file
    assert found["R_y0"][:2] == pytest.approx([-0.1, 0.1])
    assert np.isnan(found["R_y1"][2])


def test_classes_with_words_stay_words_and_bad_posteriors_have_no_class():
    table = np.array([[0.9, np.nan], [0.1, 0.5]])
    problem = mail_problem(table, levels=("yes", "no"), outcome=np.zeros(2, dtype=np.int32))
    cases = decide_cases(problem, model(table))
    found = output_columns(problem, model(table), cases, "y", "IU")
    assert found["I_y"].tolist() == ["yes", ""]
    assert found["U_y"].tolist() == ["yes", ""]


def test_a_number_has_residuals_and_no_class():
    predicted = predictions(20)
    problem, scores = gift_problem(predicted), number_model(predicted)
    cases = decide_cases(problem, scores)
    found = output_columns(problem, scores, cases, "gift", "PR")
    assert found["R_gift"] == pytest.approx(problem.actual - predicted)
    assert np.array_equal(found["P_gift"], predicted)
    with pytest.raises(PayoffError, match="I_gift is a class"):
        output_columns(problem, scores, cases, "gift", "I")
    with pytest.raises(PayoffError, match="no output column X_"):
        output_columns(problem, scores, cases, "gift", "X")


def test_residuals_need_an_outcome():
    problem, scores, _ = decided()
    with pytest.raises(PayoffError, match="without an outcome"):
        residuals(replace(problem, outcome=None), scores)


# ------------------------------------------------------------------ classification tables


def test_tables_of_the_promotion_campaign():
    """T1: counts of a real campaign; priors .05/.95; 15 for a hit, -1.5 for a miss."""
    counts = np.array([[1653, 1100], [1170, 7189]])
    probability = np.repeat([0.9, 0.01, 0.9, 0.01], counts.ravel())
    table = np.vstack([probability, 1 - probability])
    outcome = np.repeat([0, 0, 1, 1], counts.ravel()).astype(np.int32)
    problem = mail_problem(
        table, cells=np.array([[15.0, 0.0], [-1.5, 0.0]]), outcome=outcome, priors=PRIORS
    )
    scores = model(table)
    cases = decide_cases(problem, scores)
    found = decision_table(problem, scores, cases)
    assert found["cases"].tolist() == [1653, 1100, 1170, 7189]
    assert found["decision"].tolist() == ["Mail", "Do nothing"] * 2
    assert found["target_percent"] == pytest.approx(
        [100 * 1653 / 2823, 100 * 1100 / 8289, 100 * 1170 / 2823, 100 * 7189 / 8289]
    )
    assert found["outcome_percent"][:2] == pytest.approx([100 * 1653 / 2753, 100 * 1100 / 2753])
    assert found["total_percent"] == pytest.approx(100 * counts.ravel() / 11112)
    weights = np.array([0.2018162005, 0.2018162005, 1.2628783347, 1.2628783347])
    assert found["adjusted_percent"] == pytest.approx(100 * counts.ravel() * weights / 11112)
    assert found["adjusted_percent"].sum() == pytest.approx(100.0)
    assert found["total"].sum() == pytest.approx(2787.681214, abs=1e-6)
    predicted = prediction_table(problem, scores, cases)
    assert predicted["cases"].tolist() == [1653, 1100, 1170, 7189]  # 0.9 is above one half
    assert set(predicted) == {*found, "outcome"} - {
        "decision",
        "total",
        "expected_total",
        "best_total",
        "left",
    }


@pytest.mark.parametrize("with_priors", [False, True])
def test_tables_add_up_to_the_totals(with_priors):
    draw = np.random.default_rng(6)
    extra = {"priors": PRIORS, "old": OLD} if with_priors else {}
    frequency = draw.integers(0, 4, 500).astype(float)
    problem, scores, cases = decided(frequency=frequency, **extra)
    totals = total_cases(problem, cases)
    table = decision_table(problem, scores, cases)
    assert table["total"].sum() == pytest.approx(totals.total)
    assert table["expected_total"].sum() == pytest.approx(totals.expected_total)
    assert table["best_total"].sum() == pytest.approx(totals.best_total)
    assert table["total"].reshape(2, 2) == pytest.approx(totals.profits)
    assert table["left"].sum() == pytest.approx(totals.best_total - totals.total)
    assert (table["left"] >= 0).all()
    assert table["cases"].reshape(2, 2) == pytest.approx(totals.counts)
    assert prediction_table(problem, scores, cases)["cases"].sum() == pytest.approx(totals.cases)


def test_bands_stand_beside_decisions_for_a_number():
    predicted = predictions(300)
    problem, scores = gift_problem(predicted), number_model(predicted)
    cases = decide_cases(problem, scores)
    table = decision_table(problem, scores, cases)
    assert table["target"][:3].tolist() == ["below 10"] * 3
    assert table["total"].sum() == pytest.approx(total_cases(problem, cases).total)
    with pytest.raises(PayoffError, match="no predicted class"):
        prediction_table(problem, scores, cases)


# ------------------------------------------------------------------ rankings


def test_four_cases_in_two_bins_by_hand():
    """Chances .9 .9 .6 .1 with outcomes 1 0 1 0: the tied first two are one group."""
    table = np.array([[0.9, 0.6, 0.1, 0.9], [0.1, 0.4, 0.9, 0.1]])
    problem = mail_problem(
        table, cells=np.array([[5.0, 0.0], [-1.0, 0.0]]), outcome=np.array([0, 0, 1, 1], np.int32)
    )
    scores = model(table)
    found = rankings(problem, scores, decide_cases(problem, scores), bins=4)
    assert found["events"] == pytest.approx([0.5, 0.5, 1.0, 0.0])
    assert found["response"] == pytest.approx([50, 50, 100, 0])
    assert found["cumulative_response"] == pytest.approx([50, 50, 200 / 3, 50])
    assert found["captured"] == pytest.approx([25, 25, 50, 0])
    assert found["cumulative_captured"] == pytest.approx([25, 50, 100, 100])
    assert found["lift"] == pytest.approx([1, 1, 2, 0])
    assert found["cumulative_lift"] == pytest.approx([1, 1, 4 / 3, 1])
    assert found["gain"] == pytest.approx([0, 0, 100 / 3, 0])
    assert found["mean_score"] == pytest.approx([0.9, 0.9, 0.6, 0.1])
    assert found["total"] == pytest.approx([2, 2, 5, 0])  # two times (5 - 1) / 2, then 5
    assert found["best_cumulative_captured"] == pytest.approx([50, 100, 100, 100])
    assert found["best_lift"] == pytest.approx([2, 2, 0, 0])
    assert found["base_cumulative_captured"] == pytest.approx([25, 50, 75, 100])
    assert found["best_cumulative_total"] == pytest.approx([5, 10, 10, 10])
    assert found["base_cumulative_total"] == pytest.approx([2.25, 4.5, 6.75, 9])


def test_enterprise_miner_averages_ties_before_it_weights_and_adds_up_averages():
    """As above with priors .1 and .9: weights .2 and 1.8. The tied pair brings 5 and -1."""
    table = np.array([[0.9, 0.6, 0.1, 0.9], [0.1, 0.4, 0.9, 0.1]])
    problem = mail_problem(
        table,
        cells=np.array([[5.0, 0.0], [-1.0, 0.0]]),
        outcome=np.array([0, 0, 1, 1], np.int32),
        priors=np.array([0.1, 0.9]),
    )
    scores = model(table)
    cases = decide_cases(problem, scores)
    found = rankings(problem, scores, cases, bins=4, as_em=True)
    assert found["cumulative_total"] == pytest.approx([-0.4, -0.8, 0.2 * 5 - 0.8, 0.2])
    assert found["em_cumulative_total"] == pytest.approx([2, 4, 5, 5])  # (5 - 1) / 2 times 2, + 1
    assert found["em_total"] == pytest.approx([2, 2, 1, 0])
    assert found["em_base_cumulative_average"] == pytest.approx([0.05, 0.1, 0.15, 0.2])
    assert found["base_average"] == pytest.approx([0.05] * 4)
    plain = replace(problem, priors=None)
    found = rankings(plain, scores, decide_cases(plain, scores), bins=4, as_em=True)
    assert found["em_cumulative_total"] == pytest.approx(found["cumulative_total"])


@pytest.mark.parametrize("as_em", [False, True])
def test_an_answer_says_whose_rankings_it_holds(as_em):
    problem, scores, _ = decided(200)
    workspace = DecisionWorkspace()
    analyse(problem, (scores,), workspace=workspace)
    inputs = Analysis(state=workspace.state, rows=ALL_ROWS)
    answer = ranked_cases(inputs, Rankings(model="m", as_em=as_em), Unwatched())
    assert answer.as_em is as_em


def test_best_lift_of_the_first_bin_is_one_over_the_prior():
    problem, scores, cases = decided(2000, priors=PRIORS, old=OLD)
    found = rankings(problem, scores, cases, bins=20)
    assert found["best_lift"][0] == pytest.approx(20.0)
    assert found["base_response"][0] == pytest.approx(5.0)


@pytest.mark.parametrize("by", ["chance", "expected"])
@pytest.mark.parametrize("steps", [0, 9])
def test_rankings_end_at_the_totals(by, steps):
    costs = np.random.default_rng(6).uniform(0, 2, 500)
    problem, scores, cases = decided(
        steps=steps, priors=PRIORS, old=OLD, cost_columns={0: costs}, frequency=costs + 0.1
    )
    totals = total_cases(problem, cases)
    found = rankings(problem, scores, cases, by=by)
    assert found["cumulative_total"][-1] == pytest.approx(totals.total)
    assert found["expected_cumulative_total"][-1] == pytest.approx(totals.expected_total)
    assert found["best_cumulative_total"][-1] == pytest.approx(totals.best_total)
    assert found["base_cumulative_total"][-1] == pytest.approx(totals.total)
    assert found["cumulative_average"][-1] == pytest.approx(totals.average)
    assert found["cumulative_roi"][-1] == pytest.approx(totals.roi)
    assert found["cumulative_captured"][-1] == pytest.approx(100.0)
    assert found["cumulative_lift"][-1] == pytest.approx(1.0)
    assert (found["best_cumulative_total"] >= found["cumulative_total"] - 1e-9).all()


def test_by_expected_profit_the_rankings_are_the_profit_chart():
    problem, scores, cases = decided(steps=11, priors=PRIORS, old=OLD)
    found, chart = rankings(problem, scores, cases, by="expected"), profit_chart(problem, scores)
    for name in ("cases", "total", "cumulative_total", "expected_total", "average"):
        assert found[name] == pytest.approx(chart[name])


def test_rankings_of_a_number_are_of_its_value():
    predicted = predictions(300)
    problem, scores = gift_problem(predicted), number_model(predicted)
    cases = decide_cases(problem, scores)
    found = rankings(problem, scores, cases, bins=3)
    order = np.argsort(-predicted)
    assert found["value_total"][0] == pytest.approx(problem.actual[order[:100]].sum())
    assert found["value"][0] == pytest.approx(problem.actual[order[:100]].mean())
    assert found["mean_score"][2] == pytest.approx(predicted[order[200:]].mean())
    assert found["cumulative_total"][-1] == pytest.approx(total_cases(problem, cases).total)
    assert "response" not in found


def test_the_row_order_changes_nothing():
    problem, scores, cases = decided(levels=3, cells=np.eye(3)[:, :2] * 4 - 1, steps=4)
    order = np.random.default_rng(1).permutation(500)
    mixed = replace(problem, outcome=problem.outcome[order])
    other = model(np.ascontiguousarray(scores.posteriors[:, order]))
    first = rankings(problem, scores, cases, level=1)
    second = rankings(mixed, other, decide_cases(mixed, other), level=1)
    for name, values in first.items():
        assert values == pytest.approx(second[name], nan_ok=True)


def test_rankings_that_cannot_be_are_refused():
    problem, scores, cases = decided()
    with pytest.raises(PayoffError, match="0 bins"):
        rankings(problem, scores, cases, bins=0)
    with pytest.raises(PayoffError, match="by 'profit'"):
        rankings(problem, scores, cases, by="profit")
    with pytest.raises(PayoffError, match="no outcome"):
        rankings(replace(problem, outcome=None), scores, cases)
    assert outcome_of(scores.posteriors).shape == (500,)


def test_a_model_that_the_analysis_does_not_hold_is_refused_with_those_it_does():
    held = SimpleNamespace(scores=SimpleNamespace(name="gbm"))
    analysis = Analysis(state=SimpleNamespace(models=(held,)), rows=None)
    assert analysis.model("gbm") is held
    with pytest.raises(PayoffError, match=r"no model 'gmb'\. .*Known models: gbm\."):
        analysis.model("gmb")
