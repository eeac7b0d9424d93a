"""Poisson bootstrap of uplift curves: the sorted cases are weighted anew, never sorted again.

A row of weight w is w cases, each drawn by itself: its draws are Poisson counts of mean w.

Draws go through the same kernels as those of page Compare: 32 draws side by side over up to 1,100
bins of whole groups of equal scores. All rankings share their draws, so differences are paired.

Bands of the generalised curve: pointwise by formula, uniform from resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.inference.draws import (
    BinArray,
    DrawBlock,
    DrawPlan,
    draw_blocks,
)
from core.inference.normal import normal_reach
from core.uplift.ranked.ranking import UpliftRanking
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
    wanted = np.linspace(0.0, ranking.experiment.total, most + 1)[1:]
    found = np.searchsorted(ranking.count, wanted, side="left")
    found[-1] = ranking.groups - 1  # whatever rounding left of the last case
    return np.unique(np.minimum(found, ranking.groups - 1)).astype(np.int64)


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
    areas = np.empty((len(rankings), draws))
    less = np.empty((len(rankings), draws))
    heights = tuple(np.empty((draws if keep_heights else 0, len(entry))) for entry in cuts)
    blocks = drawn_sums(
        rankings,
        cuts,
        draws,
        seed,
        additional=3 if rankings[0].experiment.has_propensity else 0,
        should_stop=should_stop,
        step=step,
    )
    for first, by_model in blocks:
        lanes = slice(first, min(draws, first + by_model[0].shape[-1]))
        width = lanes.stop - first
        for place, ranking in enumerate(rankings):
            sums, experiment = by_model[place], ranking.experiment
            if experiment.has_propensity:
                x, y = signed_curves(sums[:, 4:7] / experiment.total, nu[place])
            else:
                x, y = curves_of_arms(sums, nu[place])
            area, above_chord = areas_below(x, y)
            areas[place, lanes], less[place, lanes] = area[:width], above_chord[:width]
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


def drawn_sums(
    rankings: Sequence[UpliftRanking],
    cuts: Sequence[IntArray],
    draws: int,
    seed: int,
    *,
    additional: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
    step: Callable[[float], None] = lambda _part: None,
) -> Iterator[tuple[int, list[FloatArray]]]:
    """Cumulative sums at the ends of bins over draws that all rankings share.

    Values are n_t, n_c, r_t, r_c, and of known propensities the ``additional`` next ones of
    ``UpliftSum`` (at most 6), not yet divided by the weight of all cases.

    Yields
    ------
    first : int
        Number of the first draw.
    sums : list of (bins, values, lanes) float64
        For every ranking.
    """
    bins = np.stack([_bins(r, c) for r, c in zip(rankings, cuts, strict=True)])
    passes = _Passes(rankings[0], bins, max(len(entry) for entry in cuts), draws, seed)
    plans = [*passes.of_arms(), *passes.of_probabilities(additional)]
    parts = [draw_blocks(plan, should_stop=should_stop, step=step) for plan in plans]
    for together in zip(*parts, strict=True):
        counts = passes.values(together)
        yield (
            together[0].first,
            [np.cumsum(counts[place, : len(c)], axis=0) for place, c in enumerate(cuts)],
        )


class _Passes:
    """The passes over the rows that fill the sums of draws.

    In ranked order the bins of the first ranking come one after the other and stay in the cache; a
    draw goes by the number of the row, so the order changes nothing else.
    """

    def __init__(
        self, ranking: UpliftRanking, bins: BinArray, count: int, draws: int, seed: int
    ) -> None:
        self.experiment = ranking.experiment
        self._order = ranking.order
        self._units = ranking.order.astype(np.int64)
        self._bins = np.ascontiguousarray(bins[:, ranking.order])
        self._count, self._draws, self._seed = count, draws, seed
        self._is_counted = self.experiment.is_binary
        weight = self.experiment.weight
        self._copies = weight[ranking.order] if len(weight) else _EMPTY

    def _plan(self, codes: NDArray[np.uint8], classes: int, weight: FloatArray) -> DrawPlan:
        return DrawPlan(
            seed=self._seed,
            draws=self._draws,
            units=self._units,
            codes=codes[self._order],
            classes=classes,
            weight=weight[self._order] if len(weight) else weight,
            bins=self._bins,
            bin_count=self._count,
            sums=0,
            contributions=lambda start, stop: np.empty((0, stop - start)),
            copies=self._copies,
        )

    def of_arms(self) -> list[DrawPlan]:
        """Counts and outcomes by arm: one pass where the outcome is 0/1."""
        experiment = self.experiment
        arms = experiment.treated
        if self._is_counted:
            cells = (arms + 2 * (experiment.outcome > 0)).astype(np.uint8)
            return [self._plan(cells, 4, _EMPTY)]
        return [self._plan(arms, 2, _EMPTY), self._plan(arms, 2, experiment.outcome)]

    def of_probabilities(self, count: int) -> list[DrawPlan]:
        """The first few of the sums that read each case's own chance of treatment."""
        if not count:
            return []
        experiment = self.experiment
        one = np.zeros(len(experiment), dtype=np.uint8)
        signed, outcome = experiment.signed_weight, experiment.outcome
        amounts = (
            experiment.step,
            signed * outcome,
            signed,
            signed**2 * outcome,
            signed**2,
            np.maximum(signed, 0.0) * outcome,
        )
        return [self._plan(one, 1, amount) for amount in amounts[:count]]

    def values(self, together: tuple[DrawBlock, ...]) -> FloatArray:
        """(R, bins, values, lanes) of blocks of every pass."""
        first = together[0].counts
        if self._is_counted:
            n_c, n_t = first[:, :, 0] + first[:, :, 2], first[:, :, 1] + first[:, :, 3]
            r_c, r_t = first[:, :, 2], first[:, :, 3]
            rest = together[1:]
        else:
            n_c, n_t = first[:, :, 0], first[:, :, 1]
            r_c, r_t = together[1].counts[:, :, 0], together[1].counts[:, :, 1]
            rest = together[2:]
        additional = [block.counts[:, :, 0] for block in rest]
        return np.stack([n_t, n_c, r_t, r_c, *additional], axis=2)


def curves_of_arms(sums: FloatArray, nu: float) -> tuple[FloatArray, FloatArray]:
    """Depths and heights of generalised curves, (bins + 1, lanes), at the share of the treated.

    Parameters
    ----------
    sums : (bins, 4 or more, lanes) float64
        Cumulative n_T, n_C, r_T, r_C at the ends of bins.
    """
    n_t, n_c, r_t, r_c = (sums[:, column] for column in range(4))
    x = 0.5 * (n_t / n_t[-1] + n_c / n_c[-1])
    y = (r_t - nu * n_t) / n_t[-1] - (r_c - nu * n_c) / n_c[-1]
    return _after_origin(x, y)


def signed_curves(sums: FloatArray, nu: float) -> tuple[FloatArray, FloatArray]:
    """The same with known chances of treatment: of depth, s y and s, (bins, 3, lanes), over N."""
    return _after_origin(sums[:, 0], sums[:, 1] - nu * sums[:, 2])


def _after_origin(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    zero = np.zeros((1, x.shape[1]))
    return np.concatenate([zero, x]), np.concatenate([zero, y])


def areas_below(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Areas below curves (points, lanes), and less those of their chords, (lanes,)."""
    area = 0.5 * np.sum((y[1:] + y[:-1]) * np.diff(x, axis=0), axis=0)
    return area, area - 0.5 * x[-1] * y[-1]


def pointwise_error(ranking: UpliftRanking, nu: float = 0.0) -> FloatArray:
    """Standard error of V_N at the end of each group, (G,), for the cut-off score as it stands.

    With known chances the variance of the mean of s (y - nu) over the cases above the cut; with the
    share of the treated, of the difference of the two arms' means, each about its own.
    """
    total = ranking.experiment.total
    if ranking.experiment.has_propensity:
        return error_of_signed(ranking.signed, total, nu)
    sums = (ranking.n_t, ranking.n_c, ranking.r_t, ranking.r_c, ranking.q_t, ranking.q_c)
    return error_of_sums(np.stack(sums), nu)


def error_of_signed(signed: FloatArray, total: float, nu: float) -> FloatArray:
    """``pointwise_error`` from sums with the chances of treatment (9, G) of so many cases."""
    _, sy, s, ssy, ss, ssyy = signed[:6]
    square = ssyy - 2.0 * nu * ssy + nu * nu * ss
    return np.asarray(np.sqrt(np.maximum(square - (sy - nu * s) ** 2, 0.0) / total))


def error_of_sums(sums: FloatArray, nu: float) -> FloatArray:
    """``pointwise_error`` at the share of the treated, from n_T, n_C, r_T, r_C, q_T, q_C (6, G)."""
    variance = np.zeros(sums.shape[1])
    for n, r, q in (sums[::2], sums[1::2]):
        size = n[-1]
        centred = r - nu * n
        square = q - 2.0 * nu * r + nu * nu * n
        variance += np.maximum(square - centred**2 / size, 0.0) / size**2
    return np.asarray(np.sqrt(variance))


def uniform_reach(
    draws: FloatArray, centre: FloatArray, error: FloatArray, confidence: float
) -> float:
    """How many standard errors a band must reach to hold the whole curve with this confidence.

    Parameters
    ----------
    draws : (draws, M) float64
        Resampled heights at the points of the band.
    centre, error : (M,) float64
        Heights and their pointwise standard errors.

    Notes
    -----
    The quantile of the largest distance in standard errors; never less than the pointwise reach.
    """
    usable = error > 0
    widest = np.max(np.abs(draws[:, usable] - centre[usable]) / error[usable], axis=1)
    widest = widest[np.isfinite(widest)]
    return max(float(np.quantile(widest, confidence)), normal_reach(confidence))
