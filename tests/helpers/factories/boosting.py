"""Cases for the tests of boosting, and the built-in distributions."""

import numpy as np

from core.boosting import BoostSettings, InputColumn, Inputs, TrainingCases, fit
from plugins.distributions.hooks import payoff_register_distributions

DISTRIBUTIONS = {item.id: item for item in payoff_register_distributions()}
PRICES = np.array([[0.0, -4.0, -6.0], [0.0, 6.0, 1.0], [-2.0, 3.0, 9.0]])  # class by decision


def mixed_inputs(rows, seed=1, *, missing=True):
    """Three numbers, one of them coarse, and a nominal column; some values missing."""
    random = np.random.default_rng(seed)
    arrays = [
        random.normal(size=rows),
        random.uniform(0, 1, rows),
        random.integers(0, 6, rows).astype(float),
        random.integers(0, 5, rows).astype(float),
    ]
    if missing:
        arrays[0][::7] = np.nan
        arrays[3][::9] = np.nan
    columns = (
        *(InputColumn(name=name) for name in ("x", "u", "k")),
        InputColumn(name="level", levels=tuple("abcde")),
    )
    return Inputs(columns, tuple(arrays))


def signal(inputs):
    x, u, k, level = (np.nan_to_num(array, nan=0.7) for array in inputs.arrays)
    return np.sin(2 * x) + 2 * u * (k > 2) + np.array([0.0, 1.5, -1.0, 0.3, 0.8])[level.astype(int)]


def cases_for(distribution, rows=600, seed=1, **more):
    """Cases that suit a distribution."""
    inputs = mixed_inputs(rows, seed)
    score = signal(inputs)
    random = np.random.default_rng(seed + 1)
    domain = DISTRIBUTIONS[distribution].target
    if domain == "binary":
        outcome = (random.random(rows) < 1 / (1 + np.exp(-score))).astype(float)
    elif domain == "classes":
        outcome = np.digitize(score + random.normal(0, 0.3, rows), [0.0, 1.2]).astype(float)
        more["n_classes"] = 3
    elif domain == "counts":
        outcome = random.poisson(np.exp(score / 2)).astype(float)
    elif domain in ("positive", "time_event"):
        outcome = random.gamma(2.0, np.exp(score / 2)) + 0.01
        more["extras"] = {"event": (random.random(rows) < 0.7).astype(float)}
    elif domain == "grades":
        outcome = np.clip(np.round(score + random.normal(0, 0.5, rows)), 0, 4)
        more["group"] = np.sort(np.arange(rows) % 30)
    else:
        outcome = score + random.normal(0, 0.5, rows)
    if distribution.startswith("uplift"):
        treated = (random.random(rows) < 0.5).astype(float)
        outcome = 3.0 * outcome * treated  # the signal is what treating brings
        more["extras"] = {"treatment": treated, "propensity": np.full(rows, 0.5)}
    elif distribution.startswith("expected_profit"):
        brings = PRICES if domain == "classes" else PRICES[:2]
        more["extras"] = {"consequences": np.repeat(brings[np.newaxis], rows, axis=0)}
    return TrainingCases(inputs=inputs, outcome=outcome, **more)


def train(distribution="gaussian", cases=None, parameters=None, **settings):
    """A small model."""
    chosen = {"n_trees": 20, "interaction_depth": 4, "bag_fraction": 1.0} | settings
    return fit(
        cases or cases_for(distribution),
        DISTRIBUTIONS[distribution],
        parameters or {},
        BoostSettings(**chosen),
    )
