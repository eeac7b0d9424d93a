"""Deviances by a formula of their own are loss less saturated loss at the link."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics as peer

from core.evaluation.binding import BoundMetric
from core.evaluation.problem import MetricRequest
from payoff.deviance import deviance_metric
from plugins.distributions.gamma import Gamma
from plugins.distributions.poisson import Poisson
from plugins.distributions.tweedie import Tweedie

PEERS = {
    "poisson": peer.mean_poisson_deviance,
    "gamma": peer.mean_gamma_deviance,
    "tweedie": lambda *both: peer.mean_tweedie_deviance(*both, power=1.5),
}


def rows_of(distribution, outcome, predicted):
    bound = BoundMetric(MetricRequest(spec=deviance_metric(distribution)))
    return bound.row_values(outcome, predicted[np.newaxis], ())[0][0]


@pytest.mark.parametrize("distribution", [Poisson, Gamma, Tweedie], ids=lambda d: d.id)
def test_the_short_formula_is_loss_less_saturated(distribution):
    random = np.random.default_rng(3)
    outcome, predicted = random.gamma(1.5, 2.0, 2_000), random.gamma(2.0, 2.0, 2_000)
    if distribution.id != "gamma":
        outcome = np.where(random.random(2_000) < 0.3, 0.0, np.ceil(outcome))
    short = rows_of(distribution, outcome, predicted)
    long = rows_of(replace(distribution, deviance=None), outcome, predicted)
    np.testing.assert_allclose(short, long, rtol=1e-9, atol=1e-11)
    expected = PEERS[distribution.id](outcome, predicted)
    assert short.mean() == pytest.approx(expected, rel=1e-11)
    assert short.min() >= -1e-12
