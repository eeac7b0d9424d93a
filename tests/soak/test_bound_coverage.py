"""How often bounds fail on simulated truth: the table of docs/experiments.md.

Run by .ci/soak; prints the table. A valid bound may fail more often than its nominal rate only by
chance: the limit is the 99.9 % quantile of the number of failures at that rate.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.document.experiments.results import Side
from core.experiments.bounds import METHODS, compute_error_bound

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3000)]  # thousands of simulated trials

TRIALS = 2000
FAILURE = 0.05


def binary(draw, n):
    return (draw.random(n) < 0.05).astype(float)


def even(draw, n):
    return (draw.random(n) < 0.3).astype(float)


def squared(draw, n):
    """Squared errors of a fair forecaster: skewed, few large ones."""
    probability = draw.beta(0.5, 2.0, n)
    return (probability - (draw.random(n) < probability)) ** 2


def narrow(draw, n):
    return 0.3 + 0.05 * (2.0 * draw.random(n) - 1.0)


def rare(draw, n):
    """Nearly always almost nothing, seldom nearly all."""
    return np.where(draw.random(n) < 0.02, 0.9, 0.01)


TRUTH = {
    "0/1, 5 %": (binary, 0.05),
    "0/1, 30 %": (even, 0.3),
    "squared errors": (squared, 0.5 * 2.0 / (2.5**2 * 3.5) * 2.5),
    "narrow": (narrow, 0.3),
    "rare large": (rare, 0.02 * 0.9 + 0.98 * 0.01),
}


def failures(method: str, name: str, n: int, side: Side) -> float:
    """The share of test sets whose limits miss the true mean; no limit counts as a miss."""
    make, mean = TRUTH[name]
    draw = np.random.default_rng([17, n, sorted(TRUTH).index(name)])
    missed = 0
    for trial in range(TRIALS):
        losses = make(draw, n)
        if METHODS[method].id in ("bootstrap", "bca") and losses.min() == losses.max():
            missed += 1
            continue
        found = compute_error_bound(
            losses, method=method, confidence=1 - FAILURE, side=side, seed=trial, resamples=400
        )
        missed += not found.low - 1e-9 <= mean <= found.high + 1e-9
    return missed / TRIALS


def test_the_true_means_are_right():
    for name, (make, mean) in TRUTH.items():
        losses = make(np.random.default_rng(3), 400_000)
        assert losses.mean() == pytest.approx(mean, abs=4 * losses.std() / 632), name


@pytest.mark.parametrize("side", [Side.UPPER, Side.TWO])
def test_coverage(side):
    most = stats.binom.ppf(0.999, TRIALS, FAILURE) / TRIALS
    sizes = (50, 1000)
    heads = [f"{name}, n = {n:,}" for name in TRUTH for n in sizes]
    print(f"\n{side.value}-sided, nominal {FAILURE:.0%}, {TRIALS:,} test sets each, % failed")
    print("| bound | " + " | ".join(heads) + " |")
    print("|---|" + "---|" * len(heads))
    for method, spec in METHODS.items():
        shares = []
        for name in TRUTH:
            for n in sizes:
                fits = not spec.needs_binary or name.startswith("0/1")
                shares.append(failures(method, name, n, side) if fits else None)
        cells = ["–" if share is None else f"{100 * share:.1f}" for share in shares]
        label = spec.label if spec.is_valid else f"{spec.label} (approximate)"
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)
        if spec.is_valid:
            assert max(share for share in shares if share is not None) <= most, method
