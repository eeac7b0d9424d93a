"""Every curve of one ranking, each under its own name and formula.

Heights stand at the ends of groups of equal scores and are joined by straight lines, so that no
curve depends on the order of rows. Undefined heights at the start (no control case among the best
yet) are left out: the curve runs straight from (0, 0) to the first defined point.

The baseline nu of V_nu = sum of (y - nu) s: the constant that makes the curve least noisy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.document.uplift.model import NuChoice
from core.uplift.ranked import area_kernels
from core.uplift.ranked.packed_kernels import packed_heights
from core.uplift.ranked.ranking import UpliftRanking
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray


def chosen_nu(ranking: UpliftRanking, choice: NuChoice | float) -> float:
    """The baseline that an experiment asks for."""
    if not isinstance(choice, NuChoice):
        return choice
    if choice is NuChoice.OVERALL:
        return overall_nu(ranking)
    return area_nu(ranking) if choice is NuChoice.AREA else 0.0


def overall_nu(ranking: UpliftRanking) -> float:
    """nu* = sum(y s^2) / sum(s^2): best for the last point, and near the best for the area."""
    return float(ranking.signed[3, -1] / ranking.signed[4, -1])


def pointwise_nu(ranking: UpliftRanking) -> FloatArray:
    """The same over the best cases down to the end of each group, (G,): appendix C's nu*(r)."""
    return np.asarray(ranking.signed[3] / ranking.signed[4])


def area_nu(ranking: UpliftRanking, *, minus_random: bool = False) -> float:
    """The constant that is about the best for the area: increments count by the depth that follows.

    sum(c^2 s^2 y) / sum(c^2 s^2) with c = 1 - X in the middle of the group, or 1/2 - X for the area
    above chance. Exact where the propensity is 1/2.
    """
    x, ssy, ss = ranking.signed[0], ranking.signed[3], ranking.signed[4]
    middle = 0.5 * (x + np.concatenate([[0.0], x[:-1]]))
    factor = (0.5 if minus_random else 1.0) * x[-1] - middle
    square = factor * factor
    bottom = float(square @ np.diff(ss, prepend=0.0))
    if bottom <= 0.0:
        return overall_nu(ranking)
    return float(square @ np.diff(ssy, prepend=0.0)) / bottom


DEFAULT_HALF_WIDTH = 25
MOST_CASES = 50_000_000
"""Cases that local propensities are worked out for one by one; beyond, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class UpliftCurve:
    """Points of a curve, (0, 0) first.

    Attributes
    ----------
    x : (M,) float64
        Share of cases acted on; re-balanced where the variant is.
    y : (M,) float64
    count : (M,) float64
        Weight of the cases acted on.
    skipped : float
        Weight of the best cases for which the curve is undefined.
    """

    x: FloatArray
    y: FloatArray
    count: FloatArray
    skipped: float = 0.0

    @property
    def area(self) -> float:
        """Area of the polygon."""
        return polygon_area(self.x, self.y)

    @property
    def above_chord(self) -> float:
        """Area less that of the triangle under the straight line to the end: a random ranking's."""
        return self.area - 0.5 * float(self.x[-1] * self.y[-1])

    def at(self, x: FloatArray) -> FloatArray:
        """Heights at depths between points."""
        return np.asarray(np.interp(x, self.x, self.y))


def polygon_area(x: FloatArray, y: FloatArray) -> float:
    """Area under straight lines between points."""
    return float(0.5 * np.sum((y[1:] + y[:-1]) * np.diff(x)))


JOINT_CODES = {
    "qini_joint_absolute": area_kernels.QINI_JOINT,
    "uplift_joint_absolute": area_kernels.UPLIFT_JOINT,
    "joint_relative": area_kernels.RELATIVE_JOINT,
    "plain": area_kernels.PLAIN,
    "generalised": area_kernels.GENERALISED,
}
SEPARATE_CODES = {
    "qini_separate_absolute": area_kernels.QINI_SEPARATE,
    "uplift_separate_absolute": area_kernels.UPLIFT_SEPARATE,
    "separate_relative": area_kernels.RELATIVE_SEPARATE,
}
LOCAL_VARIANTS = ("ips_local", "ips_local_stepwise")
VARIANTS = (
    "qini_separate_absolute",
    "uplift_separate_absolute",
    "separate_relative",
    "qini_joint_absolute",
    "uplift_joint_absolute",
    "joint_relative",
    "generalised",
    "ips_local",
    "ips_local_stepwise",
    "plain",
)


def require_variant(variant: str) -> None:
    """Refuse a name that is no variant."""
    if variant not in VARIANTS:
        raise no_such("uplift curve", variant, VARIANTS)


def curve_of(
    ranking: UpliftRanking,
    variant: str,
    *,
    nu: float | str = 0.0,
    half_width: int = DEFAULT_HALF_WIDTH,
) -> UpliftCurve:
    """One curve of a ranking.

    Parameters
    ----------
    variant : str
        One of ``VARIANTS``.
    nu : float or "pointwise"
        Baseline of the generalised curve.
    half_width : int
        Of the local propensities: 2h + 1 cases.

    Raises
    ------
    PayoffError
        For an unknown variant.
    """
    require_variant(variant)
    if variant == "generalised":
        return generalised_curve(ranking, nu)
    if variant in LOCAL_VARIANTS:
        return _local_curve(ranking, half_width, is_stepwise=variant == "ips_local_stepwise")
    if variant in SEPARATE_CODES:
        return _separate_curve(ranking, variant)
    return _JOINT[variant](ranking)


def curve_of_sums(variant: str, sums: FloatArray, nu: float) -> UpliftCurve:
    """A joint or the generalised curve of cases with one chance of treatment, from sums at ends.

    Parameters
    ----------
    variant : str
        One of ``JOINT_CODES``.
    sums : (6, k) float64
        n_T, n_C, r_T, r_C and squares of outcomes of both arms, at rising ends up to all cases.
    nu : float
        Baseline of the generalised curve.
    """
    n_t, n_c, r_t, r_c = sums[:4]
    t, c = float(n_t[-1]), float(n_c[-1])
    count = n_t + n_c
    with np.errstate(divide="ignore", invalid="ignore"):
        height = {
            "qini_joint_absolute": np.where(n_c > 0, r_t - r_c * n_t / n_c, np.nan),
            "uplift_joint_absolute": (r_t / n_t - r_c / n_c) * count,
            "joint_relative": r_t / t - r_c / c,
            "plain": (r_t - r_c) / (t + c),
            "generalised": r_t / t - r_c / c - nu * (n_t / t - n_c / c),
        }[variant]
    is_balanced = variant == "generalised"
    x = 0.5 * (n_t / t + n_c / c) if is_balanced else count / (t + c)
    return _from_origin(np.asarray(x), np.asarray(height), count)


def heights_at(
    ranking: UpliftRanking, variant: str, depths: FloatArray, *, nu: float = 0.0
) -> FloatArray:
    """Heights of a curve at some depths, without the curve: ``curve_of(...).at(depths)``.

    Where cases are counted one pass over their bytes does, and no memory by group is needed.

    Parameters
    ----------
    depths : (m,) float64
        Shares of the cases acted on, ascending.

    Raises
    ------
    PayoffError
        For an unknown variant.
    """
    require_variant(variant)
    has_probabilities = variant == "generalised" and ranking.experiment.has_propensity
    if not ranking.is_counted or variant not in JOINT_CODES or has_probabilities:
        return curve_of(ranking, variant, nu=nu).at(depths)
    out = np.empty(len(depths))
    base = float(nu) if variant == "generalised" else 0.0
    requested = np.ascontiguousarray(depths, dtype=np.float64)
    packed_heights(JOINT_CODES[variant], base, ranking.packed, requested, out)
    return out


def generalised_curve(ranking: UpliftRanking, nu: float | str = 0.0) -> UpliftCurve:
    """Formulas (25) and (26): V_N against the re-balanced depth, (y - nu) in place of y."""
    base = pointwise_nu(ranking) if isinstance(nu, str) else nu
    return curve_of_signed(ranking.signed, ranking.count, base)


def curve_of_signed(signed: FloatArray, count: FloatArray, nu: FloatArray | float) -> UpliftCurve:
    """The generalised curve from sums with the chances of treatment (9, G), as of a ranking."""
    x, sy, s = signed[:3]
    return _from_origin(x, sy - nu * s, count)


def _from_origin(x: FloatArray, y: FloatArray, count: FloatArray) -> UpliftCurve:
    """Put (0, 0) first, and leave out an undefined start."""
    first = int(np.argmax(np.isfinite(y)))
    skipped = float(count[first - 1]) if first else 0.0
    zero = np.zeros(1)
    return UpliftCurve(
        np.concatenate([zero, x[first:]]),
        np.concatenate([zero, y[first:]]),
        np.concatenate([zero, count[first:]]),
        skipped,
    )


def _qini(ranking: UpliftRanking) -> UpliftCurve:
    with np.errstate(divide="ignore", invalid="ignore"):
        height = ranking.r_t - ranking.r_c * ranking.n_t / ranking.n_c
    height[ranking.n_c == 0] = np.nan
    return _from_origin(ranking.depth, height, ranking.count)


def _uplift(ranking: UpliftRanking) -> UpliftCurve:
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = ranking.r_t / ranking.n_t - ranking.r_c / ranking.n_c
    gap[(ranking.n_c == 0) | (ranking.n_t == 0)] = np.nan
    return _from_origin(ranking.depth, gap * ranking.count, ranking.count)


def _relative(ranking: UpliftRanking) -> UpliftCurve:
    t, c = ranking.experiment.sizes
    return _from_origin(ranking.depth, ranking.r_t / t - ranking.r_c / c, ranking.count)


def _plain(ranking: UpliftRanking) -> UpliftCurve:
    height = (ranking.r_t - ranking.r_c) / ranking.experiment.total
    return _from_origin(ranking.depth, height, ranking.count)


_JOINT: dict[str, Callable[[UpliftRanking], UpliftCurve]] = {
    "qini_joint_absolute": _qini,
    "uplift_joint_absolute": _uplift,
    "joint_relative": _relative,
    "plain": _plain,
}


def _separate_curve(ranking: UpliftRanking, variant: str) -> UpliftCurve:
    """Each arm ranked on its own: the best share p of the treated against that of the control."""
    t, c = ranking.experiment.sizes
    zero = np.zeros(1)
    share_t = np.concatenate([zero, ranking.n_t / t])
    share_c = np.concatenate([zero, ranking.n_c / c])
    p = np.union1d(share_t, share_c)
    best_t = np.interp(p, share_t, np.concatenate([zero, ranking.r_t]))
    best_c = np.interp(p, share_c, np.concatenate([zero, ranking.r_c]))
    height = {
        "qini_separate_absolute": lambda: best_t - best_c * t / c,
        "uplift_separate_absolute": lambda: best_t - best_c,
        "separate_relative": lambda: best_t / t - best_c / c,
    }[variant]()
    return UpliftCurve(p, np.asarray(height), p * (t + c))


def _local_curve(ranking: UpliftRanking, half_width: int, *, is_stepwise: bool) -> UpliftCurve:
    """V_IPS (18): sums divided by the local share of the treated.

    Tied cases stand for their group's share of the treated, so that their order does not matter.
    As printed the sums are divided by the share at the place; stepwise every case has its own.
    """
    if half_width < 0:
        raise PayoffError("The half width of local propensities is negative.")
    count = ranking.count
    sizes = np.diff(count, prepend=0.0)
    height: FloatArray
    if is_stepwise:
        group, start, part = _cases_in_order(ranking, sizes)
        share = _local_share(ranking, start, half_width)
        safe = np.where(sizes > 0, sizes, 1.0)
        up, down = (np.diff(sums, prepend=0.0) / safe for sums in (ranking.r_t, ranking.r_c))
        steps = part * (up[group] / share - down[group] / (1.0 - share))
        height = np.cumsum(np.bincount(group, weights=steps, minlength=ranking.groups))
    else:
        share = _local_share(ranking, count - 1.0, half_width)
        height = ranking.r_t / share - ranking.r_c / (1.0 - share)
    return _from_origin(ranking.depth, np.asarray(height), count)


def _cases_in_order(
    ranking: UpliftRanking, sizes: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Group, place and size of every case, best first; of every row where weights are no counts."""
    every = np.arange(ranking.groups)
    total = ranking.experiment.total
    if np.all(sizes == np.floor(sizes)) and total <= MOST_CASES:
        group = np.repeat(every, sizes.astype(np.int64))
        return group, np.arange(len(group), dtype=np.float64), np.ones(len(group))
    group = np.repeat(every, np.diff(ranking.ends, prepend=0))
    part = ranking.experiment.frequency[ranking.order]
    return group, np.cumsum(part) - 0.5 * part - 0.5, part


def _local_share(ranking: UpliftRanking, start: FloatArray, half_width: int) -> FloatArray:
    """Share of the treated among h cases before and after the one that begins at each place."""
    lowest = 1.0 / (2.0 * (2 * half_width + 1))
    zero = np.zeros(1)
    count, n_t = np.concatenate([zero, ranking.count]), np.concatenate([zero, ranking.n_t])
    low = np.maximum(start - half_width, 0.0)
    high = np.minimum(start + 1.0 + half_width, count[-1])
    inside = np.interp(high, count, n_t) - np.interp(low, count, n_t)
    width = np.maximum(high - low, np.finfo(np.float64).tiny)
    return np.asarray(np.clip(inside / width, lowest, 1.0 - lowest))
