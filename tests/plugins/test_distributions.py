"""Worked numbers of the distributions: one stump of R gbm 2.1.8.1, offsets, edges."""

import numpy as np
import pytest

from payoff.deviance import deviance_metric
from payoff.errors import PayoffError
from payoff.targets import check_cases, check_target
from payoff.testing import DistributionHost, metric_value
from payoff.testing.cases import scored_sample, target_values
from payoff.vocabulary import LeafKind, Task
from plugins.distributions.adaboost import Adaboost
from plugins.distributions.bernoulli import Bernoulli
from plugins.distributions.gamma import Gamma
from plugins.distributions.gaussian import Gaussian
from plugins.distributions.hooks import payoff_register_distributions
from plugins.distributions.huber import Huber
from plugins.distributions.huberized import Huberized
from plugins.distributions.laplace import Laplace
from plugins.distributions.multinomial import MULTINOMIAL
from plugins.distributions.poisson import Poisson
from plugins.distributions.quantile import Quantile
from plugins.distributions.tdist import Tdist
from plugins.distributions.tweedie import Tweedie

ALL = (Gaussian, Bernoulli, Poisson, Laplace)

# R gbm 2.1.8.1 on x = 1..8, one tree of depth 1, shrinkage 1, bag 1: the split is after row 2.
STUMP_OUTCOME = np.array([0.0, 0, 1, 1, 0, 1, 1, 0])
STUMP = {
    "gaussian": (0.5, (0.0, 0.6666667), 0.1666666667),
    "bernoulli": (0.0, (-2.0, 0.6666667), 1.018352469),
    "adaboost": (0.0, (-1.0, 0.3333333), 0.7991386219),
    "laplace": (0.5, (0.0, 1.0), 0.25),
    "poisson": (-0.6931471806, (-19.0, -0.4054651081), 1.405465108),
}


@pytest.mark.parametrize("distribution", [*ALL, Adaboost], ids=lambda spec: spec.id)
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
    tolerance = 5e-9 if distribution is Poisson else 1e-9
    assert host.losses(score).mean() == pytest.approx(deviance, abs=tolerance)


def test_bernoulli_with_far_offsets_stays_finite_where_plain_newton_runs_away():
    """The offsets 0.04 (age - 120) of the page on gbm's faults: undamped steps give -390 or NaN."""
    random = np.random.default_rng(3)
    offset = 0.04 * (random.integers(20, 90, 248) - 120.0)[np.newaxis]
    outcome = (np.arange(248) % 3 == 0).astype(float)
    host = DistributionHost(Bernoulli, outcome)
    start = host.initial_score(np.ones(248), offset)
    probabilities = host.responses(offset + start)
    assert probabilities.sum() == pytest.approx(outcome.sum(), abs=1e-9)


@pytest.mark.parametrize("happened", [0.0, 1.0])
def test_bernoulli_with_one_class_only_is_finite(happened):
    host = DistributionHost(Bernoulli, np.full(5, happened))
    start = host.initial_score(np.ones(5), np.zeros((1, 5)))
    assert abs(start[0]) == pytest.approx(30.0)
    weightless = host.initial_score(np.zeros(5), np.zeros((1, 5)))
    assert weightless[0] == 0.0


def test_poisson_exposure_goes_in_as_log_offset():
    counts, exposure = np.array([2.0, 3.0, 5.0]), np.array([10.0, 10.0, 30.0])
    host = DistributionHost(Poisson, counts)
    start = host.initial_score(np.ones(3), np.log(exposure)[np.newaxis])
    assert start[0] == pytest.approx(np.log(10 / 50))
    far = np.log(exposure * np.exp(30.0))[np.newaxis]
    values = host.leaf_values(far, np.ones(3), np.arange(3), np.array([0, 3]), 0)
    assert values[0] == pytest.approx(np.log(10 / 50) - 30.0)  # no clamp where the best is known


def test_poisson_leaf_without_counts_never_goes_up():
    host = DistributionHost(Poisson, np.zeros(2))
    for score, wanted in ((-1.0, -18.0), (-25.0, 0.0)):
        scores = np.full((1, 2), score)
        value = host.leaf_values(scores, np.ones(2), np.arange(2), np.array([0, 2]), 0)
        assert value[0] == pytest.approx(wanted)


def test_laplace_takes_the_weighted_median():
    host = DistributionHost(Laplace, np.array([1.0, 2.0, 10.0]))
    assert host.initial_score(np.array([1.0, 1.0, 5.0]), np.zeros((1, 3)))[0] == 10.0
    gradient, _ = host.gradients(np.array([[1.0, 1.0, 1.0]]))
    assert gradient.tolist() == [[-1.0, 1.0, 1.0]]  # gbm's -1 at zero


@pytest.mark.parametrize(
    ("distribution", "bad"),
    [
        (Gaussian, np.nan),
        (Bernoulli, 2.0),
        (Poisson, -1.0),
        (Laplace, np.inf),
        (MULTINOMIAL, 1.5),
        (Tweedie, -0.1),
    ],
)
def test_a_target_that_does_not_fit_is_refused_with_its_row(distribution, bad):
    with pytest.raises(ValueError, match="row 3"):
        check_target(distribution, np.array([0.0, 1.0, bad, 1.0]))


def test_every_distribution_of_gbm_and_more_is_there():
    assert [spec.id for spec in payoff_register_distributions()] == [
        "gaussian",
        "laplace",
        "tdist",
        "quantile",
        "multi_quantile",
        "expectile",
        "huber",
        "bernoulli",
        "huberized",
        "adaboost",
        "multinomial",
        "ordinal",
        "expected_profit",
        "expected_profit_classes",
        "poisson",
        "negative_binomial",
        "gamma",
        "tweedie",
        "coxph",
        "aft",
        "pairwise",
        "uplift",
        "uplift_baseline",
    ]


@pytest.mark.parametrize(
    ("distribution", "parameters", "outcome", "score", "loss", "gradient"),
    [
        (Tdist, {"df": 4}, 3.0, 1.0, np.log(8.0), 0.5),
        (Quantile, {"alpha": 0.9}, 3.0, 1.0, 1.8, 0.9),
        (Quantile, {"alpha": 0.9}, 1.0, 3.0, 0.2, -0.1),
        (Quantile, {"alpha": 0.9}, 1.0, 1.0, 0.0, -0.1),
        (Huber, {"delta": 1.0}, 1.5, 1.0, 0.125, 0.5),
        (Huber, {"delta": 1.0}, 4.0, 1.0, 2.5, 1.0),
        (Huber, {"delta": 1.0}, -4.0, 1.0, 4.5, -1.0),
        (Huberized, {}, 1.0, 0.5, 0.25, 1.0),
        (Huberized, {}, 1.0, -2.0, 8.0, 4.0),
        (Huberized, {}, 0.0, -2.0, 0.0, 0.0),
        (Adaboost, {}, 1.0, -1.0, np.e, np.e),
        (Adaboost, {}, 0.0, -1.0, 1 / np.e, -1 / np.e),
        (Gamma, {}, 3.0, 0.0, 6.0, 2.0),
        (Tweedie, {"power": 1.5}, 3.0, 0.0, 16.0, 2.0),
        (Tweedie, {"power": 1.5}, 0.0, 0.0, 4.0, -1.0),
    ],
)
def test_losses_and_gradients_by_hand(distribution, parameters, outcome, score, loss, gradient):
    host = DistributionHost(distribution, np.array([outcome]), parameters=parameters)
    scores = np.array([[score]])
    assert host.losses(scores)[0] == pytest.approx(loss, rel=1e-14)
    assert host.gradients(scores)[0][0, 0] == pytest.approx(gradient, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize(
    ("distribution", "outcome", "start"),
    [
        (Quantile, [5.0, 1.0, 2.0, 9.0], 3.5),
        (Huber, [0.0, 0.2, 100.0], 0.6),
        (Huberized, [1.0, 1.0, 1.0, 0.0], 0.5),
        (Huberized, [1.0, 1.0], 1.0),
        (Adaboost, [1.0, 1.0, 1.0, 0.0], 0.5 * np.log(3.0)),
        (Adaboost, [1.0, 1.0], 15.0),
        (Adaboost, [0.0], -15.0),
        (Gamma, [1.0, 3.0], np.log(2.0)),
        (Tweedie, [0.0, 4.0], np.log(2.0)),
        (Tweedie, [0.0, 0.0], -19.0),
    ],
)
def test_first_scores_by_hand(distribution, outcome, start):
    host = DistributionHost(distribution, np.array(outcome))
    found = host.initial_score(np.ones(host.size), np.zeros((1, host.size)))
    assert found[0] == pytest.approx(start, rel=1e-13)
    nothing = host.initial_score(np.zeros(host.size), np.zeros((1, host.size)))
    assert np.isfinite(nothing).all()


def test_classes_start_at_the_logs_of_their_shares_and_balance_offsets():
    outcome, weight = np.array([0.0, 1, 1, 2, 2, 2]), np.array([2.0, 1, 1, 1, 1, 4])
    host = DistributionHost(MULTINOMIAL, outcome)
    start = host.initial_score(weight, np.zeros((3, 6)))
    np.testing.assert_allclose(start, np.log([2, 2, 6]) - np.log([2, 2, 6]).mean(), atol=1e-13)
    offset = np.random.default_rng(6).normal(0, 2, (3, 6))
    score = offset + host.initial_score(weight, offset)[:, np.newaxis]
    np.testing.assert_allclose(host.responses(score) @ weight, [2, 2, 6], atol=1e-10)
    unseen = DistributionHost(MULTINOMIAL, np.zeros(4)).initial_score(np.ones(4), np.zeros((2, 4)))
    assert np.isfinite(unseen).all()
    assert unseen[0] - unseen[1] > 25.0


LOCATIONS = [
    spec
    for spec in payoff_register_distributions()
    if spec.leaf_kind in (LeafKind.LOCATION, LeafKind.QUANTILE)
]


@pytest.mark.parametrize("distribution", LOCATIONS, ids=lambda spec: spec.id)
@pytest.mark.parametrize("seed", range(4))
def test_leaf_values_are_best_on_a_fine_grid(distribution, seed):
    random = np.random.default_rng(seed)
    host = DistributionHost(distribution, target_values(distribution.target, 15, random))
    score, weight = random.normal(0, 1.5, (1, 15)), random.uniform(0.1, 3.0, 15)
    value = host.leaf_values(score, weight, np.arange(15), np.array([0, 15]), 0)[0]
    at_value = weight @ host.losses(score + value)
    reach = 1.0 if distribution is Tdist else 6.0  # its loss has further valleys
    for shift in value + np.linspace(-reach, reach, 401):
        assert at_value <= weight @ host.losses(score + shift) + 1e-9


def test_wild_rows_and_one_sided_leaves_do_not_stop_the_search():
    values = np.array([1e9, -1e9, 0.0, 1e-9, 3.0, 3.0])
    whole, rows, ones = np.array([0, 6]), np.arange(6), np.ones(6)
    for distribution in (Tdist, Huber, Quantile):
        host = DistributionHost(distribution, values)
        assert abs(host.leaf_values(np.zeros((1, 6)), ones, rows, whole, 0)[0]) < 4.0
    host = DistributionHost(Huberized, np.ones(6))
    score = np.array([[-50.0, 3.0, 0.0, 2.0, 1.0, 1.0]])
    value = host.leaf_values(score, ones, rows, whole, 0)[0]
    assert host.losses(score + value).sum() == pytest.approx(0.0, abs=1e-12)
    assert value == pytest.approx(51.0)


def test_tweedie_leaf_where_nothing_was_paid_never_goes_up():
    host = DistributionHost(Tweedie, np.zeros(2))
    for score, wanted in ((-1.0, -18.0), (-25.0, 0.0)):
        scores = np.full((1, 2), score)
        value = host.leaf_values(scores, np.ones(2), np.arange(2), np.array([0, 2]), 0)
        assert value[0] == pytest.approx(wanted)


def test_poisson_of_gbm_is_clamped_only_without_an_offset():
    outcome, score = np.array([1e9, 1e9]), np.array([[1.0, 2.0]])
    arguments = (score, np.ones(2), np.arange(2), np.array([0, 2]), 0)
    free = DistributionHost(Poisson.gbm_with_offset, outcome).leaf_values(*arguments)[0]
    assert free == pytest.approx(np.log(2e9 / (np.e + np.e**2)))
    clamped = DistributionHost(Poisson.gbm, outcome).leaf_values(*arguments)[0]
    assert clamped == 17.0
    none = DistributionHost(Poisson.gbm, np.zeros(2)).leaf_values(*arguments)[0]
    assert none == -19.0
    assert DistributionHost(Poisson.gbm, np.zeros(2)).leaf_values(-score, *arguments[1:])[0] == -17


def test_deviances_on_the_scale_of_predictions():
    random = np.random.default_rng(8)
    numbers = scored_sample(Task.REGRESSION, 30, random)
    found, y, w = numbers.posteriors[0], numbers.outcome, numbers.weight
    for distribution, loss in (
        (Gamma, 2 * (y / found - 1 - np.log(y / found))),
        (Tweedie, 4 * (np.sqrt(y) - np.sqrt(found)) ** 2 / np.sqrt(found)),
        (Huber, np.where(abs(y - found) < 1, (y - found) ** 2 / 2, abs(y - found) - 0.5)),
        (Tdist, np.log1p((y - found) ** 2 / 4)),
    ):
        value = metric_value(deviance_metric(distribution), numbers)
        assert value == pytest.approx(np.average(loss, weights=w), rel=1e-12)
    probabilities = scored_sample(Task.BINARY, 30, random)
    probability = probabilities.posteriors[probabilities.outcome, np.arange(30)]  # of what happened
    for distribution, loss in (
        (Huberized, 4 * (1 - probability) ** 2),
        (Adaboost, np.sqrt((1 - probability) / probability)),
    ):
        value = metric_value(deviance_metric(distribution), probabilities)
        assert value == pytest.approx(np.average(loss, weights=probabilities.weight), rel=1e-12)
    classes = scored_sample(Task.MULTICLASS, 30, random)
    loss = -np.log(classes.posteriors[classes.outcome, np.arange(30)])
    value = metric_value(deviance_metric(MULTINOMIAL), classes)
    assert value == pytest.approx(np.average(loss, weights=classes.weight), rel=1e-12)


@pytest.mark.parametrize("distribution", [Bernoulli, Adaboost, Huberized, MULTINOMIAL])
def test_one_class_alone_is_refused(distribution):
    check_cases(distribution, np.array([0.0, 1.0]), np.ones(2), {}, {})
    for outcome, weight in (([1.0, 1.0], [1.0, 1.0]), ([0.0, 1.0], [0.0, 1.0])):
        with pytest.raises(PayoffError, match="always 1"):
            check_cases(distribution, np.array(outcome), np.array(weight), {}, {})
    with pytest.raises(PayoffError, match="no case of positive weight"):
        check_cases(distribution, np.array([0.0, 1.0]), np.zeros(2), {}, {})
