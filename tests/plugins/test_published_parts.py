"""Published figures that metrics are parts of: ideal gains, AIC, chi-squares, variances."""

import math

import numpy as np
import pytest
from scipy.special import chdtrc, gammaln

from payoff import Sample, Task
from payoff.deviance import deviance_metric
from payoff.testing import metric_value
from plugins.distributions.poisson import Poisson
from plugins.metrics.calibration import sample_quantiles
from tests.plugins.cox_figures import lives
from tests.plugins.gbm_steps import GOLDEN
from tests.plugins.metric_figures import BIRTHS, value
from tests.plugins.published import binary, numbers

# Wikipedia, discounted cumulative gain: six documents as ranked, and two that were not found.
FOUND, LEFT = [3, 2, 3, 0, 1, 2], [3, 2]
GAIN, IDEAL_OF_SIX, IDEAL_OF_EIGHT = 6.861126688593502, 7.1409951841, 8.7402623655


@pytest.mark.parametrize(
    ("grades", "ideal", "wanted"),
    [(FOUND, IDEAL_OF_SIX, 0.9608081943), (FOUND + LEFT, IDEAL_OF_EIGHT, 0.7850023720)],
)
def test_the_ideal_is_that_of_the_whole_collection(grades, ideal, wanted):
    falling = np.arange(len(grades), 0, -1)
    sample = Sample(
        grades, falling, task=Task.RANKING, roles={"group": np.zeros(len(grades), dtype=int)}
    )
    found = value("ndcg", sample, places=6)
    assert found == pytest.approx(wanted, abs=1e-9)
    assert found * ideal == pytest.approx(GAIN, abs=1e-8)


def test_akaikes_criterion_of_dobsons_trial():
    """R, ?glm: counts of Dobson (1990) by outcome and treatment, 5 coefficients."""
    counts = np.array([18, 17, 15, 20, 10, 20, 25, 13, 12], dtype=float)
    fitted = np.tile([21.0, 40.0 / 3.0, 47.0 / 3.0], 3)
    metric = deviance_metric(Poisson)
    assert metric is not None
    deviance = 9.0 * metric_value(metric, numbers(counts, fitted), {})
    perfect = float((counts * np.log(counts) - counts - gammaln(counts + 1.0)).sum())
    assert deviance - 2.0 * perfect + 2 * 5 == pytest.approx(56.76131840, abs=1e-7)


def test_pearsons_chi_square_by_covariate_pattern():
    """Stata's manual, estat gof after logistic: 182 patterns, 179.24, p .3567; R 179.2499331."""
    sample = binary(BIRTHS["low"], BIRTHS["chance"])
    probability = sample.score[sample.order[sample.group_ends - 1]]
    cases = np.diff(sample.cumulative("all"), prepend=0.0)
    events = np.diff(sample.cumulative("event"), prepend=0.0)
    assert len(probability) == 182
    expected = cases * probability
    square = float(((events - expected) ** 2 / (expected * (1.0 - probability))).sum())
    assert square == pytest.approx(179.2499331, abs=1e-5)
    assert chdtrc(182 - 9, square) == pytest.approx(0.3565190, abs=1e-6)


def test_the_groups_of_hosmer_and_lemeshow():
    """R, quantiles of type 2: observed and expected of ten groups."""
    sample = binary(BIRTHS["low"], BIRTHS["chance"])
    edges = sample_quantiles(sample, np.linspace(0.0, 1.0, 11), 2)
    group = np.clip(np.searchsorted(edges, sample.score, side="left"), 1, 10) - 1
    expected = np.bincount(group, weights=sample.score)
    wanted = [1.18, 2.03, 3.17, 4.30, 4.89, 5.64, 6.54, 8.18, 10.31, 12.77]
    np.testing.assert_allclose(expected, wanted, atol=0.005)
    observed = np.bincount(group, weights=sample.outcome == 0)
    np.testing.assert_array_equal(observed, BIRTHS["groups_type_2"]["observed"])
    np.testing.assert_array_equal(np.bincount(group), BIRTHS["groups_type_2"]["cases"])


GEHAN = [np.array(GOLDEN["gehan"][name], dtype=float) for name in ("time", "event", "treated")]
SMALL = [
    np.array(column, dtype=float)
    for column in (
        [9, 1, 1, 6, 6, 8],
        [1, 1, 0, 1, 1, 0],
        [0, 1, 1, 1, 0, 0],
    )
]


@pytest.mark.parametrize(
    ("data", "ties", "slope", "variance"),
    [
        (SMALL, "Breslow", 1.475284915, 1.576868866),
        (SMALL, "Efron", 1.676857486, 1.632301561),
        (GEHAN, "Breslow", -1.509191413, 0.4095644064**2),
        (GEHAN, "Efron", -1.572125149, 0.4123967177**2),
    ],
)
def test_variances_of_cox_coefficients_are_the_likelihoods_curvature(data, ties, slope, variance):
    """Therneau & Grambsch, appendix E, and Gehan's trial, by R's coxph."""
    time, event, cover = data

    def likelihood(at):
        return value("cox_log_likelihood", lives(at * cover, time, event), ties=ties)

    step = 0.02  # a fourth-order second difference
    sides = [likelihood(slope + k * step) for k in (-2, -1, 0, 1, 2)]
    hessian = np.dot([-1.0, 16.0, -30.0, 16.0, -1.0], sides) / (12.0 * step**2)
    assert -1.0 / hessian == pytest.approx(variance, rel=2e-6)


def test_an_exact_treatment_of_these_ties_would_not_end():
    """R: without Breslow's or Efron's shortcut the coefficient is infinite; ours stay finite."""
    time, event, cover = SMALL
    far = [
        value("cox_log_likelihood", lives(at * cover, time, event), ties="Efron")
        for at in (1.676857486, 5.0, 50.0)
    ]
    assert far[0] > far[1] > far[2]
    assert math.isfinite(far[2])
