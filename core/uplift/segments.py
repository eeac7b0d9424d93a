"""Uplift among the best cases and by slices of the ranking.

The share treated in each slice of a ranking, with the band that chance keeps it in.

Sums of ranked cases by arm, as metrics of the task "uplift" read them: whole, and resampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from core.document.studies.uplift import RankingSlices, SliceBalance
from core.inference.normal import normal_reach
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import drawn_sums, group_cuts
from payoff.arm_sums import with_shares
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray


def uplift_at(ranking: UpliftRanking, k: float, *, strategy: str = "overall") -> float:
    """Difference of the arms' means among the best cases.

    Parameters
    ----------
    k : float
        A share below 1 (or 1.0), or a whole number of cases above 1.
    strategy : {"overall", "by_group"}
        The best of all cases, or the best of each arm.

    Raises
    ------
    PayoffError
        For a share or number that cannot be.
    """
    total = ranking.experiment.total
    share = _share_of(k, total)
    if strategy == "overall":
        cut = _whole_cases(total, share) if k <= 1 else float(k)
        n_t, r_t = _at(cut, ranking.count, ranking.n_t), _at(cut, ranking.count, ranking.r_t)
        n_c, r_c = _at(cut, ranking.count, ranking.n_c), _at(cut, ranking.count, ranking.r_c)
    elif strategy == "by_group":
        n_t, n_c = (_whole_cases(size, share) for size in ranking.experiment.sizes)
        r_t = _at(n_t, ranking.n_t, ranking.r_t)
        r_c = _at(n_c, ranking.n_c, ranking.r_c)
    else:
        raise PayoffError(f"There is no strategy '{strategy}'.", why="overall, by_group.")
    if n_t <= 0 or n_c <= 0:
        return float("nan")
    return r_t / n_t - r_c / n_c


def _share_of(k: float, total: float) -> float:
    if 0 < k <= 1:
        return float(k)
    if k > 1 and k == int(k) and k <= total:
        return float(k) / total
    raise PayoffError(
        f"The best {k:g} cannot be taken.",
        why=f"A share up to 1, or 2 to {counted(total, 'case')}.",
    )


def _whole_cases(total: float, share: float) -> float:
    """A share of the cases: whole ones, where weights do not count in parts of a case."""
    return float(int(total * share)) if total == int(total) else total * share


def _at(x: float, xs: FloatArray | np.ndarray, ys: FloatArray) -> float:
    return float(np.interp(x, np.concatenate([[0.0], xs]), np.concatenate([[0.0], ys])))


def slices_of(
    ranking: UpliftRanking, count: int = 10, *, strategy: str = "overall"
) -> RankingSlices:
    """Slices of equally many cases, best first; ties in proportion.

    ``strategy="by_group"`` slices each arm on its own, as scikit-uplift does.
    """
    zero = np.zeros(1)

    def between(edges: FloatArray, xs: FloatArray, ys: FloatArray) -> FloatArray:
        at = np.interp(edges, np.concatenate([zero, xs]), np.concatenate([zero, ys]))
        return np.diff(at)

    if strategy == "by_group":
        edges_t = _edges(ranking.experiment.sizes[0], count)
        edges_c = _edges(ranking.experiment.sizes[1], count)
        over_t, over_c = ranking.n_t, ranking.n_c
    else:
        edges_t = edges_c = _edges(ranking.experiment.total, count)
        over_t = over_c = ranking.count
    n_t, n_c = between(edges_t, over_t, ranking.n_t), between(edges_c, over_c, ranking.n_c)
    r_t, r_c = between(edges_t, over_t, ranking.r_t), between(edges_c, over_c, ranking.r_c)
    q_t, q_c = between(edges_t, over_t, ranking.q_t), between(edges_c, over_c, ranking.q_c)
    weighted = ranking.thresholds * np.diff(ranking.count, prepend=0.0)
    edges = _edges(ranking.experiment.total, count)
    mean_score = between(edges, ranking.count, np.cumsum(weighted)) / np.diff(edges)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate_t, rate_c = r_t / n_t, r_c / n_c
        spread = (q_t / n_t - rate_t**2) / n_t + (q_c / n_c - rate_c**2) / n_c
        uplift = np.where((n_t > 0) & (n_c > 0), rate_t - rate_c, np.nan)
    error = np.sqrt(np.maximum(spread, 0.0))
    average, average_error = _weighted(uplift, error, n_t)
    return RankingSlices(
        treated=n_t,
        control=n_c,
        rate_treated=rate_t,
        rate_control=rate_c,
        uplift=uplift,
        standard_error=error,
        mean_score=mean_score,
        weighted_average=average,
        weighted_error=average_error,
    )


def _weighted(uplift: FloatArray, error: FloatArray, treated: FloatArray) -> tuple[float, float]:
    """The mean uplift of the slices that have both arms, by their treated cases; its error."""
    known = np.isfinite(uplift)
    part = treated[known]
    whole = float(part.sum())
    if not whole:
        return math.nan, math.nan
    spread = math.sqrt(float(((part * error[known]) ** 2).sum()))
    return float(uplift[known] @ part / part.sum()), spread / whole


def _edges(total: float, count: int) -> FloatArray:
    """Edges of slices: whole cases, the first slices one larger where it does not come out even."""
    if total != int(total) or total < count:
        return np.linspace(0.0, total, count + 1)
    size, rest = divmod(int(total), count)
    sizes = np.full(count, size, dtype=np.float64)
    sizes[:rest] += 1
    return np.concatenate([[0.0], np.cumsum(sizes)])


def targeting_curve(ranking: UpliftRanking) -> tuple[FloatArray, FloatArray]:
    """The targeting operator curve: effect among the best less the effect of all, by depth.

    Means of each arm are weighted by the inverse chance of the arm and by their own sums, so that
    it is a difference of proper means. Cases before both arms appear count with the first group
    at which both do.
    """
    x, sy, s, ty = (ranking.signed[row] for row in (0, 1, 2, 6))
    first = ranking.first_with_both
    weight_t, weight_c = x + 0.5 * s, x - 0.5 * s
    effect = ty[first:] / weight_t[first:] - (ty - sy)[first:] / weight_c[first:]
    return x[first:] / x[-1], effect - effect[-1]


def rate_of(ranking: UpliftRanking, *, weighting: str = "autoc") -> float:
    """RATE: the targeting operator curve averaged over depth, plain or times depth.

    Yadlowsky et al. 2021: "autoc" is the integral of TOC(x), "qini" that of x TOC(x).

    Raises
    ------
    PayoffError
        For another weighting.
    """
    if weighting not in ("autoc", "qini"):
        raise PayoffError(f"There is no weighting '{weighting}'.", why="autoc, qini.")
    x, height = targeting_curve(ranking)
    step = np.diff(x, prepend=0.0)
    return float(step @ (height * x if weighting == "qini" else height))


def pehe(
    predicted: FloatArray, true_effect: FloatArray, weight: FloatArray | None = None
) -> tuple[float, float]:
    """Mean squared error of predicted effects where the truth is known, and its root (Hill's)."""
    square = float(np.average((predicted - true_effect) ** 2, weights=weight))
    return square, square**0.5


def treatment_balance(ranking: UpliftRanking, points: int = 200) -> tuple[FloatArray, FloatArray]:
    """Share of the treated in a window that moves along the ranking: depth and share."""
    total = ranking.experiment.total
    width = max(total / 40.0, min(total, 30.0))
    middle = np.linspace(width / 2, total - width / 2, points)
    zero = np.zeros(1)
    count, n_t = np.concatenate([zero, ranking.count]), np.concatenate([zero, ranking.n_t])
    inside = np.interp(middle + width / 2, count, n_t) - np.interp(middle - width / 2, count, n_t)
    return middle / total, inside / width


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
    probability, total = experiment.probability, experiment.total
    expected, variance = (
        _slice_means(ranking, values, len(size))
        for values in (probability, probability * (1.0 - probability))
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


class ArmSums:
    """Implements ``core.evaluation.problem.RankedSums`` over rankings of one experiment."""

    def __init__(self, rankings: Sequence[UpliftRanking]) -> None:
        self.rankings = tuple(rankings)
        self._cuts = tuple(group_cuts(ranking) for ranking in rankings)

    def whole(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Sums at the end of every group, (rows, 1, groups)."""
        return _sums(self.rankings[model], None, has_propensity)

    def binned(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Sums at the ends of bins, (rows, 1, bins)."""
        return _sums(self.rankings[model], self._cuts[model], has_propensity)

    def draws(
        self,
        draws: int,
        seed: int,
        *,
        has_propensity: bool,
        should_stop: Callable[[], bool],
        step: Callable[[float], None],
    ) -> Iterator[tuple[int, list[FloatArray]]]:
        """Resampled sums of every model, (rows, lanes, bins), all models on the same draws."""
        known = self.rankings[0].experiment.has_propensity
        blocks = drawn_sums(
            self.rankings,
            self._cuts,
            draws,
            seed,
            additional=6 if has_propensity and known else 0,
            should_stop=should_stop,
            step=step,
        )
        for first, by_model in blocks:
            found = []
            for sums in by_model:
                arms = np.ascontiguousarray(sums.transpose(1, 2, 0))
                if has_propensity and not known:
                    arms = with_shares(arms)
                elif has_propensity:
                    arms[4:] /= (arms[0, :, -1:] + arms[1, :, -1:])[np.newaxis]
                found.append(arms)
            yield first, found


def _sums(ranking: UpliftRanking, cuts: IntArray | None, has_propensity: bool) -> FloatArray:
    places = slice(None) if cuts is None else cuts
    arms = np.stack([ranking.n_t, ranking.n_c, ranking.r_t, ranking.r_c])[:, np.newaxis]
    if not has_propensity:
        return np.ascontiguousarray(arms[:, :, places])
    if not ranking.experiment.has_propensity:
        return with_shares(np.ascontiguousarray(arms[:, :, places]))
    signed = ranking.signed
    additional = np.stack([signed[row] for row in (0, 1, 2, 3, 4, 6)])[:, np.newaxis]
    return np.ascontiguousarray(np.concatenate([arms, additional])[:, :, places])
