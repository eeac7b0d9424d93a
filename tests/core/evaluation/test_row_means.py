"""One pass gives what the formulas give: values, variances, differences, reasons."""

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from core.evaluation import assess
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import measure_rows
from core.evaluation.problem import MetricRequest, call_unmarked
from core.evaluation.ranked.rankings import area_influence, roc_area
from core.evaluation.rows.row_means import (
    mean_skewness,
    paired_rows,
    row_mean,
    row_terms,
    row_totals,
)
from core.kernels import CHUNK_ROWS, limited_threads
from plugins.curves.probabilities import calibration_groups
from plugins.metrics.hooks import payoff_register_metrics
from tests.helpers.factories.evaluation import binary_problem, made_cases

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
ROWS = CHUNK_ROWS + 321  # two chunks


@contextmanager
def marked_calls(spec):
    """The marker of a third party's plugin."""
    yield


def mean_of(cases, metric, place=0):
    terms = row_terms(
        cases, BoundMetric(MetricRequest(spec=METRICS[metric])), cases.problem.models[place]
    )
    return row_mean(cases, terms, row_totals(cases, terms))


def by_hand(above, below, weight, strata):
    """Ratio of weighted sums, and the variance of its influences, n - 1 in each stratum."""
    value = (weight * above).sum() / (weight * below).sum()
    parts = (above - value * below) * weight / (weight * below).sum()
    variance = 0.0
    for code in np.unique(strata):
        mine, here = parts[strata == code], weight[strata == code]
        if len(np.unique(strata)) > 1:
            mine = mine - here * mine.sum() / here.sum()
        variance += (mine**2).sum() * len(mine) / (len(mine) - 1)
    return value, variance


@pytest.mark.parametrize("is_weighted", [False, True])
def test_value_and_variance_are_those_of_the_definition(is_weighted):
    outcome, probability = made_cases(ROWS, 1)
    weight = np.random.default_rng(2).uniform(0.5, 3.0, ROWS) if is_weighted else np.ones(ROWS)
    cases = JudgedCases(
        binary_problem(outcome, {"m": probability}, [], frequency=weight if is_weighted else None)
    )
    square = (probability - outcome) ** 2
    value, variance = by_hand(square, np.ones(ROWS), weight, np.zeros(ROWS))
    found = mean_of(cases, "brier")
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.variance == pytest.approx(variance, rel=1e-10)
    is_event = (outcome == 1).astype(float)
    value, variance = by_hand((probability >= 0.5) * is_event, is_event, weight, np.zeros(ROWS))
    found = mean_of(cases, "recall")
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.variance == pytest.approx(variance, rel=1e-10)


def test_priors_hold_the_class_shares_fixed():
    outcome, probability = made_cases(ROWS, 3)
    priors = np.array([0.05, 0.95])
    cases = JudgedCases(binary_problem(outcome, {"m": probability}, [], priors=priors))
    found = mean_of(cases, "net_benefit")
    gain = np.where(outcome == 1, 1.0, -0.25) * (probability >= 0.2)
    value, variance = by_hand(gain, np.ones(ROWS), cases.prior_weight, cases.codes)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.variance == pytest.approx(variance, rel=1e-9)


def test_paired_differences_and_mcnemars_counts():
    outcome, first, second = made_cases(ROWS, 4, (0.2, 0.8))
    cases = JudgedCases(binary_problem(outcome, {"a": first, "b": second}, []))
    means = {place: mean_of(cases, "accuracy", place) for place in (0, 1)}
    pair = paired_rows(cases, means)[0, 1]
    hits = [(probability >= 0.5) == (outcome == 1) for probability in (first, second)]
    gap = hits[0].astype(float) - hits[1]
    assert pair.variance == pytest.approx(gap.var(ddof=1) / ROWS, rel=1e-9)
    assert pair.table is not None
    assert 0.0 <= pair.table.p_value <= 1.0
    same = JudgedCases(binary_problem(outcome, {"a": first, "b": first.copy()}, []))
    means = {place: mean_of(same, "brier", place) for place in (0, 1)}
    assert paired_rows(same, means)[0, 1].variance == 0.0


def test_an_infinite_row_is_named_wherever_it_lies():
    outcome, probability = made_cases(ROWS, 5)
    row = int(np.flatnonzero(outcome[CHUNK_ROWS:] == 1)[0]) + CHUNK_ROWS
    probability[row] = 0.0
    cases = JudgedCases(binary_problem(outcome, {"m": probability}, []))
    bound = BoundMetric(MetricRequest(spec=METRICS["log_loss"]))
    measured, mean, terms = measure_rows(cases, bound, cases.problem.models[0])
    assert measured.value == np.inf
    assert f"row {row + 1:,}" in measured.note
    assert mean is None
    assert terms is None


@pytest.mark.parametrize("decimals", [2, 12])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_the_area_varies_alike_in_ranked_order_and_by_row(decimals, is_weighted):
    outcome, probability = made_cases(ROWS, 6)
    weight = np.random.default_rng(7).uniform(0.5, 3.0, ROWS) if is_weighted else None
    cases = JudgedCases(
        binary_problem(outcome, {"m": np.round(probability, decimals)}, [], frequency=weight)
    )
    ranking = cases.ranked(cases.problem.models[0])
    auc = ranking.summary().auc
    influence = area_influence(cases, ranking.placements())
    assert influence.value == pytest.approx(auc, abs=1e-12)
    assert roc_area(cases, ranking, auc).variance == pytest.approx(influence.variance(), rel=1e-9)


@pytest.mark.parametrize("decimals", [1, 12])
def test_calibration_groups_are_those_of_the_middles_of_ties(decimals):
    outcome, probability = made_cases(900, 8)
    probability = np.round(probability, decimals)
    weight = np.random.default_rng(9).uniform(0.5, 3.0, 900)
    cases = JudgedCases(binary_problem(outcome, {"m": probability}, [], frequency=weight))
    groups = calibration_groups(cases.sample(cases.problem.models[0]), 7)
    above = np.array([weight[probability > here].sum() for here in probability])
    level = np.array([weight[probability == here].sum() for here in probability])
    number = np.minimum(((above + 0.5 * level) / weight.sum() * 7).astype(int), 6)
    present = np.unique(number)[::-1]
    expected = [np.average(probability[number == k], weights=weight[number == k]) for k in present]
    shares = [np.average(outcome[number == k] == 1, weights=weight[number == k]) for k in present]
    np.testing.assert_allclose(groups.probability, expected, rtol=1e-12)
    np.testing.assert_allclose(groups.share, shares, rtol=1e-12)


@pytest.mark.parametrize("calling", [call_unmarked, marked_calls])
def test_rows_measured_beside_other_metrics_are_those_measured_alone(calling):
    outcome, probability = made_cases(ROWS, 11)
    probability[CHUNK_ROWS + 7] = float(outcome[CHUNK_ROWS + 7] == 0)  # one log loss is infinite
    names = ["mcc", "log_loss", "brier", "accuracy", "precision", "f_beta"]
    problem = binary_problem(outcome, {"a": probability, "b": probability**2}, names)
    beside = assess(problem, calling=calling, with_charts=False)
    with limited_threads(1):  # one after the other
        alone = assess(problem, calling=calling, with_charts=False)
    assert [str(cell) for cell in beside.cells] == [str(cell) for cell in alone.cells]
    assert beside.cells[2].estimate.note == alone.cells[2].estimate.note != ""


def test_a_row_a_plugin_left_out_refuses_the_metric():
    def rows(outcome, prediction, parameters, contribution, factor, start, stop):
        contribution[0, start:stop] = prediction[0, start:stop]
        factor[0, start : stop - 1] = 1.0

    spec = replace(METRICS["brier"], id="own", rows=rows)
    outcome, probability = made_cases(ROWS, 12)
    problem = replace(
        binary_problem(outcome, {"m": probability}, []), metrics=(MetricRequest(spec=spec),)
    )
    cell = assess(problem, with_charts=False).cells[0]
    assert "did not fill them" in cell.estimate.note


def test_the_skewness_of_a_mean_is_that_of_its_terms_over_the_root_of_their_number():
    outcome, probability = made_cases(900, 5)
    weight = np.random.default_rng(5).gamma(2.0, 1.0, 900)
    problem = binary_problem(outcome, {"m": probability}, ["log_loss"], frequency=weight)
    cases = JudgedCases(problem)
    metric = BoundMetric(problem.metrics[0])
    terms = row_terms(cases, metric, problem.models[0])
    found = mean_skewness(cases, row_mean(cases, terms, row_totals(cases, terms)))
    loss = -np.where(outcome == 1, np.log(probability), np.log1p(-probability))
    parts = weight * (loss - np.average(loss, weights=weight))
    assert found == pytest.approx(np.sum(parts**3) / np.sum(parts**2) ** 1.5, rel=1e-9)
    cell = assess(problem).cells[0].estimate
    assert cell.high - cell.value > 1.02 * (cell.value - cell.low)  # losses reach far up
    by_pair = np.array([f"c{k // 2}" for k in range(900)])
    drawn = assess(replace(problem, cluster=by_pair)).cells[0].estimate
    pairs = np.add.reduceat(parts, np.arange(0, 900, 2))
    skewness = np.sum(pairs**3) / np.sum(pairs**2) ** 1.5
    assert np.sign(skewness) == np.sign(drawn.high + drawn.low - 2.0 * drawn.value)
