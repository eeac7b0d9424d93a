"""Three trees of R gbm, step by step: start, leaf values and deviance from its own leaves.

Origin of the figures: tests/golden/distributions/gbm_and_survival.json, made with R 4.2.2,
gbm 2.1.8.1 and survival 3.5.
"""

import numpy as np
import pytest

from payoff.testing import DistributionHost
from plugins.distributions import huberized
from plugins.distributions.hooks import payoff_register_distributions
from tests.plugins.gbm_steps import COLUMNS, GOLDEN

SPECS = {spec.id: spec for spec in payoff_register_distributions()}
SHRINKAGE, MIN_CASES = 0.5, 5
CASES = {
    # case: distribution, outcome, has weights, has offset, parameters
    "gaussian": ("gaussian", "number", True, True, {}),
    "laplace": ("laplace", "number", True, True, {}),
    "tdist": ("tdist", "number", True, False, {"df": 4}),
    "tdist_offset": ("tdist", "number", True, True, {"df": 3}),
    "quantile": ("quantile", "number", False, True, {"alpha": 0.3}),
    "bernoulli": ("bernoulli", "binary", True, False, {}),
    "adaboost": ("adaboost", "binary", True, True, {}),
    "huberized": ("huberized", "binary", True, False, {}),
    "poisson": ("poisson", "count", True, False, {}),
    "poisson_offset": ("poisson", "count", True, True, {}),
    "multinomial": ("multinomial", "class", True, False, {}),
    "coxph": ("coxph", "time", True, False, {}),
}


def gbm_variant(name, has_offset):
    spec = SPECS[name]
    return (spec.gbm_with_offset if has_offset else None) or spec.gbm or spec


def leaves_of(values):
    """Rows by leaf, the leaf of value 0 last: in a Cox tree that is the one held fixed."""
    kinds, number = np.unique(np.round(values, 9), return_inverse=True)
    place = np.argsort(kinds == 0.0, kind="stable")
    rows = [np.flatnonzero(number == leaf) for leaf in place]
    offsets = np.concatenate([[0], np.cumsum([part.size for part in rows])])
    return np.concatenate(rows), offsets


def replay(host, weight, offset, golden, deviances):
    """Follow gbm's trees; its own leaf values move the scores, so that errors do not add up."""
    start = host.initial_score(weight, offset)
    np.testing.assert_allclose(start, np.broadcast_to(golden["initial"], start.shape), atol=1e-9)
    score = offset + start[:, np.newaxis]
    for step, given in enumerate(golden["leaf"]):
        values = np.atleast_2d(np.array(given).T)
        for output in range(score.shape[0]):
            rows, bounds = leaves_of(values[output])
            assert bounds.size > 2
            found = host.leaf_values(score, weight, rows, bounds, output, MIN_CASES)
            np.testing.assert_allclose(found, values[output][rows[bounds[:-1]]], atol=1e-8)
        score = score + SHRINKAGE * values
        if step < len(deviances):
            assert host.deviance(score, weight) == pytest.approx(deviances[step], abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_three_trees_of_gbm(case):
    name, target, has_weight, has_offset, parameters = CASES[case]
    golden, outcome = GOLDEN["cases"][case], COLUMNS[target]
    weight = COLUMNS["weight"] if has_weight else np.ones(outcome.size)
    weight = weight * weight.size / weight.sum()
    host = DistributionHost(gbm_variant(name, has_offset), outcome, COLUMNS, parameters)
    scores = 3 if name == "multinomial" else 1
    offset = np.tile(COLUMNS["offset"] if has_offset else np.zeros(outcome.size), (scores, 1))
    # gbm reports the deviance of a multinomial model before each tree.
    deviances = golden["deviance"][1:] if name == "multinomial" else golden["deviance"]
    replay(host, weight, offset, golden, deviances)


@pytest.mark.parametrize("case", GOLDEN["pairwise"])
def test_three_rankings_of_gbm(case):
    golden = GOLDEN["pairwise"][case]
    parameters = {"metric": golden["metric"], "max_rank": golden["max_rank"]}
    columns = {"group": np.array(golden["group"], dtype=float)}
    host = DistributionHost(SPECS["pairwise"].gbm, np.array(golden["label"]), columns, parameters)
    weight, offset = np.array(golden["weight"]), np.array(golden["offset"])[np.newaxis]
    replay(host, weight, offset, golden, golden["deviance"])


@pytest.mark.parametrize(
    ("outcome", "score", "slope"),
    [
        # the loss is 0, (1 - m)^2 or -4 m of the margin m: its slope by the score
        (1.0, 1.5, 0.0),
        (1.0, 0.5, -1.0),
        (1.0, -0.5, -3.0),
        (1.0, -1.5, -4.0),
        (0.0, -0.5, 1.0),
        (0.0, 0.5, 3.0),
        (0.0, 1.5, 4.0),
    ],
)
def test_the_working_response_of_gbm_s_huberized_has_the_sign_of_the_slope(outcome, score, slope):
    assert huberized.wrong_signed_step(outcome, score) == (slope, 1.0)
