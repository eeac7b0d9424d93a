"""Chances over time of accelerated failure times: closed forms, R's psurvreg, their own loss."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from plugins.distributions.aft import AFT, case_gradients, surviving

PATH = Path(__file__).parent.parent / "golden" / "survival" / "parametric.json"
GOLDEN = json.loads(PATH.read_text("utf-8"))
SCORES, TIMES = np.array(GOLDEN["scores"]), np.array(GOLDEN["times"])
SHAPES = ("lognormal", "loglogistic", "weibull")


def probabilities(shape, scale=0.7, scores=SCORES, times=TIMES):
    return surviving(scores, times, {"shape": float(SHAPES.index(shape)), "scale": scale})


@pytest.mark.parametrize("shape", SHAPES)
def test_chances_are_those_of_survreg(shape):
    np.testing.assert_allclose(probabilities(shape), GOLDEN["chance"][shape], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5])
def test_chances_are_the_closed_forms(scale):
    middle = np.exp(SCORES)[:, np.newaxis]
    forms = {
        "lognormal": stats.lognorm(scale, scale=middle),
        "loglogistic": stats.fisk(1.0 / scale, scale=middle),
        "weibull": stats.weibull_min(1.0 / scale, scale=middle),
    }
    for shape, form in forms.items():
        np.testing.assert_allclose(
            probabilities(shape, scale), form.sf(TIMES), rtol=1e-9, atol=1e-300
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_censored_case_has_that_likelihood(shape):
    level, _, _ = case_gradients(2.5, 0.3, 0.0, 0.0, SHAPES.index(shape), 0.7)
    assert np.exp(level) == pytest.approx(probabilities(shape)[1, 3], rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_everybody_lasts_at_first_and_nobody_for_ever(shape):
    found = probabilities(shape, times=np.array([0.0, 1.0, 2.0, 1e300]))
    assert (found[:, 0] == 1.0).all()
    assert (np.diff(found, axis=1) < 0.0).all()
    assert (found[:, -1] < 1e-6).all()
    assert AFT.surviving is surviving
