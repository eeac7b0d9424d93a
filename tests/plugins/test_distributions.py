"""Worked numbers of the distributions: one stump of R gbm 2.1.8.1, offsets, edges."""

import numpy as np
import pytest

from payoff.targets import check_target
from payoff.testing import DistributionHost
from plugins.distributions.bernoulli import BERNOULLI
from plugins.distributions.gaussian import GAUSSIAN
from plugins.distributions.laplace import LAPLACE
from plugins.distributions.poisson import POISSON

ALL = (GAUSSIAN, BERNOULLI, POISSON, LAPLACE)

# R gbm 2.1.8.1 on x = 1..8, one tree of depth 1, shrinkage 1, bag 1: the split is after row 2.
STUMP_OUTCOME = np.array([0.0, 0, 1, 1, 0, 1, 1, 0])
STUMP = {
    "gaussian": (0.5, (0.0, 0.6666667), 0.1666666667),
    "bernoulli": (0.0, (-2.0, 0.6666667), 1.018352469),
    "laplace": (0.5, (0.0, 1.0), 0.25),
    "poisson": (-0.6931471806, (-19.0, -0.4054651081), 1.405465108),
}


@pytest.mark.parametrize("distribution", ALL, ids=lambda spec: spec.id)
def test_one_stump_of_gbm(distribution):
    start, fit, deviance = STUMP[distribution.id]
    host = DistributionHost(distribution, STUMP_OUTCOME)
    weight = np.ones(8)
    first = host.initial_score(weight, np.zeros((1, 8)))
    assert first[0] == pytest.approx(start, abs=1e-9)
    score = np.repeat(first[:, np.newaxis], 8, axis=1)
    values = host.leaf_values(score, weight, np.arange(8), np.array([0, 2, 8]), 0)
    total = first[0] + values
    np.testing.assert_allclose(total, fit, atol=1e-7)
    score[0] = np.repeat(total, (2, 6))
    # exp(-19) in the two rows without counts adds 2.8e-9 that gbm's printed figure lacks.
    tolerance = 5e-9 if distribution is POISSON else 1e-9
    assert host.losses(score).mean() == pytest.approx(deviance, abs=tolerance)


def test_bernoulli_with_far_offsets_stays_finite_where_plain_newton_runs_away():
    """The offsets 0.04 (age - 120) of the page on gbm's faults: undamped steps give -390 or NaN."""
    random = np.random.default_rng(3)
    offset = 0.04 * (random.integers(20, 90, 248) - 120.0)[np.newaxis]
    outcome = (np.arange(248) % 3 == 0).astype(float)
    host = DistributionHost(BERNOULLI, outcome)
    start = host.initial_score(np.ones(248), offset)
    chances = host.responses(offset + start)
    assert chances.sum() == pytest.approx(outcome.sum(), abs=1e-9)


@pytest.mark.parametrize("happened", [0.0, 1.0])
def test_bernoulli_with_one_class_only_is_finite(happened):
    host = DistributionHost(BERNOULLI, np.full(5, happened))
    start = host.initial_score(np.ones(5), np.zeros((1, 5)))
    assert abs(start[0]) == pytest.approx(30.0)
    weightless = host.initial_score(np.zeros(5), np.zeros((1, 5)))
    assert weightless[0] == 0.0


def test_poisson_exposure_goes_in_as_log_offset():
    counts, exposure = np.array([2.0, 3.0, 5.0]), np.array([10.0, 10.0, 30.0])
    host = DistributionHost(POISSON, counts)
    start = host.initial_score(np.ones(3), np.log(exposure)[np.newaxis])
    assert start[0] == pytest.approx(np.log(10 / 50))
    far = np.log(exposure * np.exp(30.0))[np.newaxis]
    values = host.leaf_values(far, np.ones(3), np.arange(3), np.array([0, 3]), 0)
    assert values[0] == pytest.approx(np.log(10 / 50) - 30.0)  # no clamp where the best is known


def test_poisson_leaf_without_counts_never_goes_up():
    host = DistributionHost(POISSON, np.zeros(2))
    for score, wanted in ((-1.0, -18.0), (-25.0, 0.0)):
        scores = np.full((1, 2), score)
        value = host.leaf_values(scores, np.ones(2), np.arange(2), np.array([0, 2]), 0)
        assert value[0] == pytest.approx(wanted)


def test_laplace_takes_the_weighted_median():
    host = DistributionHost(LAPLACE, np.array([1.0, 2.0, 10.0]))
    assert host.initial_score(np.array([1.0, 1.0, 5.0]), np.zeros((1, 3)))[0] == 10.0
    gradient, _ = host.gradients(np.array([[1.0, 1.0, 1.0]]))
    assert gradient.tolist() == [[-1.0, 1.0, 1.0]]  # gbm's -1 at zero


@pytest.mark.parametrize(
    ("distribution", "bad"),
    [(GAUSSIAN, np.nan), (BERNOULLI, 2.0), (POISSON, -1.0), (LAPLACE, np.inf)],
)
def test_a_target_that_does_not_fit_is_refused_with_its_row(distribution, bad):
    with pytest.raises(ValueError, match="row 3"):
        check_target(distribution, np.array([0.0, 1.0, bad, 1.0]))
