"""The share treated in each slice of a ranking, with the band that chance keeps it in."""

from __future__ import annotations

import numpy as np

from core.document.studies.uplift import RankingSlices, SliceBalance
from core.inference.normal import normal_reach
from core.uplift.ranking import UpliftRanking
from payoff.types import FloatArray


def balance_of(
    ranking: UpliftRanking, slices: RankingSlices, *, confidence: float = 0.95
) -> SliceBalance:
    """Shares treated and the band that holds all of them at once in ``confidence`` of experiments.

    About the share of all, or the mean chance of the slice where cases have chances of their own.
    The variance is that of drawing without replacement where the share is the same for all; the
    band is widened for the number of slices (Sidak 1967).
    """
    size = slices.treated + slices.control
    experiment = ranking.experiment
    chance, total = experiment.chance, experiment.total
    expected, variance = (
        _slice_means(ranking, values, len(size)) for values in (chance, chance * (1.0 - chance))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        share = slices.treated / size
        spread = variance / size
        if not experiment.has_propensity:
            spread = spread * (total - size) / max(total - 1.0, 1.0)
    reach = normal_reach(confidence ** (1.0 / len(size))) * np.sqrt(spread)
    low, high = np.clip(expected - reach, 0.0, 1.0), np.clip(expected + reach, 0.0, 1.0)
    return SliceBalance(share=share, low=low, high=high)


def _slice_means(ranking: UpliftRanking, values: FloatArray, count: int) -> FloatArray:
    """Means of a case's figure over equal slices of the ranking, ties in proportion, (count,)."""
    frequency = ranking.experiment.frequency[ranking.order]
    sums = np.cumsum(values[ranking.order] * frequency)[ranking.ends - 1]
    zero = np.zeros(1)
    edges = np.linspace(0.0, float(ranking.count[-1]), count + 1)
    at = np.interp(edges, np.concatenate([zero, ranking.count]), np.concatenate([zero, sums]))
    return np.asarray(np.diff(at) / np.diff(edges))
