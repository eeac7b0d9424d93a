"""Bootstrap limits of a mean: percentile and BCa (Efron 1987).

Small samples are drawn by index. Large ones are drawn by bucket: losses are sorted into a few
thousand buckets of neighbours and a draw takes a multinomial number of each bucket's mean; the
spread lost within buckets is worked out and given back.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from payoff.types import FloatArray

RESAMPLES = 1000
SMALL = 4096
"""Losses up to which every draw takes single losses."""

_BUCKETS = 1024
_AT_ONCE = 2_000_000  # drawn places held in memory


def bootstrap_means(loss: FloatArray, *, seed: int, resamples: int = RESAMPLES) -> FloatArray:
    """Means of resamples, sorted.

    Parameters
    ----------
    loss : float64 (n,)
    seed : int
    resamples : int

    Returns
    -------
    float64 (resamples,)
    """
    draw = np.random.default_rng(seed)
    n = loss.shape[0]
    values, counts = np.unique(loss, return_counts=True)
    if len(values) <= SMALL // 8:  # few different losses: exact by their numbers
        drawn = draw.multinomial(n, counts / n, size=resamples)
        return np.sort(drawn @ values / n)
    if n <= SMALL:
        return np.sort(_drawn_by_index(loss, draw, resamples))
    means, shares, lost = _buckets(values, counts)
    drawn = draw.multinomial(n, shares, size=resamples)
    whole = float(loss.mean())
    return np.sort(whole + (drawn @ means / n - whole) * lost)


def _drawn_by_index(loss: FloatArray, draw: np.random.Generator, resamples: int) -> FloatArray:
    n = loss.shape[0]
    rows = max(1, _AT_ONCE // n)
    parts = [
        loss[draw.integers(0, n, size=(min(rows, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(parts)


def _buckets(values: FloatArray, counts: np.ndarray) -> tuple[FloatArray, FloatArray, float]:
    """Means and shares of buckets of equal number and of equal width, and the spread given back."""
    passed = np.cumsum(counts)
    by_number = np.searchsorted(passed, np.linspace(0, passed[-1], _BUCKETS + 1)[1:-1])
    by_width = np.searchsorted(values, np.linspace(values[0], values[-1], _BUCKETS + 1)[1:-1])
    starts = np.unique(np.concatenate([[0], by_number, by_width]))
    starts = starts[starts < len(values)]
    number = np.add.reduceat(counts, starts).astype(np.float64)
    means = np.add.reduceat(values * counts, starts) / number
    whole = float((values * counts).sum() / passed[-1])
    spread = float((counts * (values - whole) ** 2).sum())
    between = float((number * (means - whole) ** 2).sum())
    shares = number / number.sum()
    return means, shares, math.sqrt(spread / between) if between > 0.0 else 1.0


def percentile_limits(means: FloatArray, low: float, high: float) -> tuple[float, float]:
    """The drawn means below which a share of ``low`` and of ``high`` lie.

    Between the drawn means: the smallest with at least that share at or below it.
    """
    return _quantile(means, low), _quantile(means, high)


def _quantile(means: FloatArray, share: float) -> float:
    place = math.ceil(share * len(means) - 1e-9) - 1
    return float(means[min(max(place, 0), len(means) - 1)])


def bca_limits(
    loss: FloatArray, means: FloatArray, low: float, high: float
) -> tuple[float, float] | None:
    """BCa limits; None where the losses do not vary or the mean lies outside all draws."""
    whole = float(loss.mean())
    deviation = loss - whole  # the jackknife: mean less the mean without the case
    square = float((deviation**2).sum())
    below = (np.count_nonzero(means < whole) + 0.5 * np.count_nonzero(means == whole)) / len(means)
    if square <= 0.0 or not 0.0 < below < 1.0:
        return None
    z0 = float(special.ndtri(below))
    acceleration = float((deviation**3).sum()) / (6.0 * square**1.5)

    def moved(share: float) -> float:
        z = z0 + float(special.ndtri(share))
        return float(special.ndtr(z0 + z / (1.0 - acceleration * z)))

    return _quantile(means, moved(low)), _quantile(means, moved(high))
