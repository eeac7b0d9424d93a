"""Poisson bootstrap of uplift curves: the sorted cases are weighted anew, never sorted again.

Draws go through the same kernels as those of page Compare: 32 draws side by side over up to 1,100
bins of whole groups of equal scores. All rankings share their draws, so differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.draws import DrawPlan, draw_blocks
from core.evaluation.passes import BinArray
from core.uplift.ranking import UpliftRanking
from payoff.types import FloatArray, IntArray

MOST_BINS = 1_000
_EMPTY: FloatArray = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCurves:
    """Resampled curves of several rankings.

    Attributes
    ----------
    area : (R, draws) float64
        AUNUC at the baseline nu.
    minus_random : (R, draws) float64
    heights : tuple of R arrays (draws, bins)
        V_N at the ends of the bins.
    cuts : tuple of R int64 arrays (bins,)
        The group at the end of each bin.
    """

    area: FloatArray
    minus_random: FloatArray
    heights: tuple[FloatArray, ...]
    cuts: tuple[IntArray, ...]


def group_cuts(ranking: UpliftRanking, most: int = MOST_BINS) -> IntArray:
    """Groups at which bins end: all of them where they are few, else about evenly by depth."""
    if ranking.groups <= most:
        return np.arange(ranking.groups, dtype=np.int64)
    wanted = np.linspace(0.0, float(len(ranking)), most + 1)[1:]
    found = np.unique(np.searchsorted(ranking.ends, wanted, side="left"))
    return np.minimum(found, ranking.groups - 1).astype(np.int64)


def draw_curves(
    rankings: Sequence[UpliftRanking],
    *,
    nu: Sequence[float],
    draws: int = 1_000,
    seed: int = 20261,
    should_stop: Callable[[], bool] = lambda: False,
    step: Callable[[float], None] = lambda _part: None,
    keep_heights: bool = True,
) -> DrawnCurves:
    """Resample the generalised curves of rankings of one experiment.

    Raises
    ------
    StoppedError
        If a stop was asked for.
    """
    cuts = tuple(group_cuts(ranking) for ranking in rankings)
    bins = np.stack([_bins(r, c) for r, c in zip(rankings, cuts, strict=True)])
    count = max(len(entry) for entry in cuts)
    areas = np.empty((len(rankings), draws))
    less = np.empty((len(rankings), draws))
    heights = tuple(np.empty((draws if keep_heights else 0, len(entry))) for entry in cuts)
    for first, sums in _blocks(rankings[0], bins, count, draws, seed, should_stop, step):
        lanes = slice(first, min(draws, first + sums.shape[-1]))
        width = lanes.stop - first
        for place in range(len(rankings)):
            x, y = _drawn_curve(rankings[place], sums[place, : len(cuts[place])], nu[place])
            area = 0.5 * np.sum((y[1:] + y[:-1]) * np.diff(x, axis=0), axis=0)
            areas[place, lanes] = area[:width]
            less[place, lanes] = (area - 0.5 * x[-1] * y[-1])[:width]
            if keep_heights:
                heights[place][lanes] = y[1:, :width].T
    return DrawnCurves(areas, less, heights, cuts)


def _bins(ranking: UpliftRanking, cuts: IntArray) -> BinArray:
    """The bin of each row in row order."""
    ends = ranking.ends[cuts]
    ranked = np.repeat(np.arange(len(cuts), dtype=np.uint16), np.diff(ends, prepend=0))
    out = np.empty(len(ranking), dtype=np.uint16)
    out[ranking.order] = ranked
    return out


def _blocks(
    ranking: UpliftRanking,
    bins: BinArray,
    count: int,
    draws: int,
    seed: int,
    should_stop: Callable[[], bool],
    step: Callable[[float], None],
) -> Iterator[tuple[int, FloatArray]]:
    """Sums per draw: (R, bins, values, lanes).

    Values are n_c, n_t, r_c, r_t; with known propensities s y, s and the step of the depth.
    """
    experiment = ranking.experiment
    rows, order = len(experiment), ranking.order
    # In ranked order the bins of the first ranking come one after the other and stay in the
    # cache; a draw goes by the number of the row, so the order changes nothing else.
    units = order.astype(np.int64)
    bins = np.ascontiguousarray(bins[:, order])

    def plan(codes: np.ndarray, classes: int, weight: FloatArray) -> DrawPlan:
        return DrawPlan(
            seed=seed,
            draws=draws,
            units=units,
            codes=codes[order],
            classes=classes,
            weight=weight[order] if len(weight) else weight,
            bins=bins,
            bin_count=count,
            sums=0,
            contributions=lambda start, stop: np.empty((0, stop - start)),
        )

    arms = experiment.treated
    is_counted = experiment.is_binary and not len(experiment.weight)
    if is_counted and not experiment.has_propensity:
        cells = (arms + 2 * (experiment.outcome > 0)).astype(np.uint8)
        for block in draw_blocks(plan(cells, 4, _EMPTY), should_stop=should_stop, step=step):
            n = block.counts[:, :, :2] + block.counts[:, :, 2:]
            yield block.first, np.concatenate([n, block.counts[:, :, 2:]], axis=2)
        return
    frequency = experiment.frequency
    if experiment.has_propensity:
        one = np.zeros(rows, dtype=np.uint8)
        signed = frequency * experiment.signed_weight
        amounts = (signed * experiment.outcome, signed, frequency * experiment.step)
        plans = [plan(one, 1, amount) for amount in amounts]
    else:
        plans = [plan(arms, 2, frequency), plan(arms, 2, frequency * experiment.outcome)]
    parts = [draw_blocks(entry, should_stop=should_stop, step=step) for entry in plans]
    for together in zip(*parts, strict=True):
        counts = np.concatenate([block.counts for block in together], axis=2)
        yield together[0].first, counts


def _drawn_curve(
    ranking: UpliftRanking, sums: FloatArray, nu: float
) -> tuple[FloatArray, FloatArray]:
    """Depth and height at the ends of bins, (bins + 1, lanes), from sums (bins, values, lanes)."""
    total = np.cumsum(sums, axis=0)
    zero = np.zeros((1, sums.shape[2]))
    if ranking.experiment.has_propensity:
        n = ranking.experiment.total
        x, y = total[:, 2] / n, (total[:, 0] - nu * total[:, 1]) / n
    else:
        n_c, n_t, r_c, r_t = (total[:, column] for column in range(4))
        x = 0.5 * (n_t / n_t[-1] + n_c / n_c[-1])
        y = (r_t - nu * n_t) / n_t[-1] - (r_c - nu * n_c) / n_c[-1]
    return np.concatenate([zero, x]), np.concatenate([zero, y])
