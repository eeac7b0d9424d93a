"""Concordance: figures of R's survival::concordance, and the definition spelt out."""

from pathlib import Path

import numpy as np
import pytest

from core.evaluation.binding import BoundMetric
from core.evaluation.problem import MetricRequest
from core.extensions import Registry
from payoff import PayoffError, Sample, Task
from payoff.testing import metric_value

# R 4.2, survival 3.5-3: set.seed(7); n <- 40; entry <- round(runif(n, 0, 2), 1);
# time <- entry + round(rexp(n, .4) + .1, 1); event <- rbinom(n, 1, .6); strata <- rep(0:1, 20);
# w <- sample(1:3, n, TRUE); risk <- round(rnorm(n) - 0.3 * time, 1)
GOLDEN = Path(__file__).parents[1] / "golden" / "survival" / "concordance_cases.csv"
ENTRY, TIME, EVENT, WEIGHT, RISK = np.loadtxt(GOLDEN, delimiter=",", skiprows=1, unpack=True)
STRATA = [0, 1] * 20


@pytest.fixture(scope="module")
def metric():
    return Registry.discover(has_packages=False).metric("concordance")


def sample(risk, time, event, entry=None, strata=None, weight=None):
    zeros = np.zeros(len(time))
    roles = {
        "time": np.array(time, float),
        "event": np.array(event, float),
        "entry": zeros if entry is None else np.array(entry, float),
        "strata": zeros if strata is None else np.array(strata, float),
    }
    return Sample(time, risk, weight=weight, task=Task.SURVIVAL, roles=roles)


def spelt_out(cases):
    """All pairs, one by one."""
    time, event, entry, strata = (cases.roles[k] for k in ("time", "event", "entry", "strata"))
    right = pairs = 0.0
    for i in np.flatnonzero(event == 1):
        later = (time > time[i]) | ((time == time[i]) & (event == 0))
        risk_set = later & (entry < time[i]) & (strata == strata[i])
        weight = cases.weight[i] * cases.weight[risk_set]
        higher = cases.score[i] > cases.score[risk_set]
        tied = cases.score[i] == cases.score[risk_set]
        right += (weight * (higher + 0.5 * tied)).sum()
        pairs += weight.sum()
    return right / pairs


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [
        ({}, 0.6654040404040404),
        ({"weight": WEIGHT}, 0.6838632273545291),
        ({"weight": WEIGHT, "entry": ENTRY}, 0.702247191011236),
        ({"weight": WEIGHT, "entry": ENTRY, "strata": STRATA}, 0.7203038674033149),
    ],
    ids=["plain", "weighted", "left truncation", "strata"],
)
def test_concordance_is_that_of_r(metric, extra, wanted):
    assert metric_value(metric, sample(RISK, TIME, EVENT, **extra)) == pytest.approx(wanted)


def test_the_small_published_case(metric):
    """Times 1 to 5, the second and the last censored: 6.5 of 7 pairs."""
    cases = sample([5, 3, 4, 4, 1], [1, 2, 3, 4, 5], [1, 0, 1, 1, 0])
    assert metric_value(metric, cases) == pytest.approx(6.5 / 7)


def test_compiled_and_plain_agree_with_the_definition(metric):
    compiled = BoundMetric(MetricRequest(spec=metric))
    for seed in range(12):
        random = np.random.default_rng(seed)
        rows = int(random.integers(3, 60))
        time = random.integers(1, 9, rows).astype(float)
        cases = sample(
            random.integers(0, 6, rows),
            time,
            np.append(random.integers(0, 2, rows - 1), 1),
            time * random.uniform(0.0, 0.9, rows),
            random.integers(0, 3, rows),
            random.uniform(0.1, 3.0, rows),
        )
        value = metric_value(metric, cases)
        assert compiled.compute(cases, {}) == pytest.approx(value, rel=1e-12, nan_ok=True)
        if not np.isnan(value):
            assert value == pytest.approx(spelt_out(cases), rel=1e-12)


def test_wrong_marks_and_entries_are_refused(metric):
    with pytest.raises(PayoffError, match="event mark is 2"):
        metric_value(metric, sample([1, 2], [3, 4], [1, 2]))
    with pytest.raises(PayoffError, match="enters at 5 and ends at 4"):
        metric_value(metric, sample([1, 2], [3, 4], [1, 0], entry=[0, 5]))
