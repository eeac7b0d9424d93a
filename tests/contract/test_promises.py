"""Losses that break what they say beyond their predictions: chances over time, quantiles."""

from dataclasses import replace

import numpy as np
import pytest

from payoff.testing import check_distribution
from payoff.testing.checks import CheckFailedError
from payoff.testing.distribution_promises import DISTRIBUTION_PROPERTIES
from plugins.distributions.aft import AFT, surviving
from plugins.distributions.multi_quantile import MULTI_QUANTILE
from tests.contract.conformance import failed
from tests.contract.promises import BROKEN_PROMISES, IN_ORDER, OVER_TIME, crossed


def a_bit_less(score, times, parameters):
    return 0.9 * surviving(score, times, parameters)


def at_half_the_scale(score, times, parameters):
    return surviving(score, times, {**parameters, "scale": 0.5 * parameters["scale"]})


def sooner_with_more_score(score, times, parameters):
    return surviving(-score, times, parameters)


def of_the_first_case(score, times, parameters):
    return np.repeat(surviving(score[:1], times, parameters), len(score), axis=0)


def of_one_time(score, times, parameters):
    return surviving(score, times, parameters)[:, :1]


BROKEN_PROBABILITIES = {
    "instead of": of_one_time,
    "beyond time 0": a_bit_less,
    "other way than stated": sooner_with_more_score,
    "of a case alone": of_the_first_case,
    "over minus log chance": at_half_the_scale,
}


BROKEN_QUANTILES = {
    "levels for": {"quantile_levels": lambda parameters: (0.1, 0.9)},
    "that do not rise": {
        "quantile_levels": lambda p: tuple(MULTI_QUANTILE.quantile_levels(p)[::-1])
    },
    "outside 0 to 1": {
        "quantile_levels": lambda p: tuple(100 * q for q in MULTI_QUANTILE.quantile_levels(p))
    },
    "predicted lower": {"response": crossed},
}


@pytest.mark.parametrize("check", BROKEN_PROMISES)
def test_a_broken_promise_is_caught_by_the_named_check(check):
    assert check in failed(check_distribution(BROKEN_PROMISES[check]))


def run(check, spec):
    return next(entry for entry in DISTRIBUTION_PROPERTIES if entry.name == check).run(spec)


@pytest.mark.parametrize("words", BROKEN_PROBABILITIES)
def test_each_way_of_breaking_chances_over_time_is_named(words):
    with pytest.raises(CheckFailedError, match=words):
        run(OVER_TIME, replace(AFT, surviving=BROKEN_PROBABILITIES[words]))


@pytest.mark.parametrize("words", BROKEN_QUANTILES)
def test_each_way_of_breaking_quantiles_is_named(words):
    with pytest.raises(CheckFailedError, match=words):
        run(IN_ORDER, replace(MULTI_QUANTILE, **BROKEN_QUANTILES[words]))


def test_those_that_promise_nothing_pass():
    quiet = replace(AFT, surviving=None)
    assert run(OVER_TIME, quiet) == "no chances of its own"
    assert run(IN_ORDER, quiet) == "predicts no quantiles"
