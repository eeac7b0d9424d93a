"""Areas under uplift curves with analytic errors, ties and estimated arm sizes included."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.document.studies.uplift import Area
from core.inference.normal import CONFIDENCE, normal_interval
from core.kernels import threads
from core.kernels.tasks import run_tasks
from core.uplift.ranked.area_kernels import joint_moments, separate_moments
from core.uplift.ranked.curves import (
    JOINT_CODES,
    LOCAL_VARIANTS,
    SEPARATE_CODES,
    curve_of,
    generalised_curve,
    require_variant,
)
from core.uplift.ranked.packed_kernels import packed_joint_moments, packed_separate_moments
from core.uplift.ranked.ranking import UpliftRanking
from payoff.types import FloatArray

_NO_TABLES: FloatArray = np.empty((4, 0))
_IN_ORDER = (*JOINT_CODES, *SEPARATE_CODES)
LEAST_AHEAD = 65_536
"""Cases from which on a thread that has nothing to do works out the next variant."""


def area_of(
    ranking: UpliftRanking,
    variant: str,
    *,
    nu: float = 0.0,
    half_width: int = 25,
    confidence: float = CONFIDENCE,
) -> Area:
    """The area of a variant over the share of cases acted on.

    Raises
    ------
    PayoffError
        For an unknown variant.
    """
    require_variant(variant)
    if ranking.exact_area is not None and variant in _IN_ORDER:
        return ranking.exact_area(variant, nu, confidence)
    if variant in LOCAL_VARIANTS:
        curve = curve_of(ranking, variant, half_width=half_width)
        figures = (curve.area, curve.above_chord, float(curve.y[-1]))
        return area_record(figures, (math.nan, math.nan, math.nan), confidence, method="none")
    if variant == "generalised" and ranking.experiment.has_propensity:
        return _propensity_area(ranking, nu, confidence)
    moments = _moments(ranking, variant, nu, _NO_TABLES)
    figures = (float(moments[0]), float(moments[0] - moments[5]), float(moments[1]))
    errors = (math.sqrt(moments[2]), math.sqrt(moments[3]), math.sqrt(moments[4]))
    return area_record(figures, errors, confidence)


def area_ahead(
    ranking: UpliftRanking, variant: str, *, nu: float, half_width: int, confidence: float
) -> Area:
    """``area_of``, while another thread works out the variant that is asked for next as a rule.

    A variant is a pass of one thread over the ranked cases; who asks for one after the other waits
    for every second one only.
    """
    require_variant(variant)
    known = ranking.moments
    is_new = variant in _IN_ORDER and _key(variant, nu) not in known
    if is_new and ranking.is_counted and len(ranking) >= LEAST_AHEAD and threads() > 1:
        place = _IN_ORDER.index(variant)
        later = (*_IN_ORDER[place + 1 :], *_IN_ORDER[:place])
        following = next((name for name in later if _key(name, 0.0) not in known), variant)
        areas_of(ranking, [variant] if following == variant else [variant, following], nu=nu)
    return area_of(ranking, variant, nu=nu, half_width=half_width, confidence=confidence)


def _key(variant: str, nu: float) -> tuple[str, float]:
    """What the moments of a variant are kept under; only one depends on the baseline."""
    return variant, float(nu) if variant == "generalised" else 0.0


def with_errors(
    area: Area, error: float, minus_random: float, confidence: float, method: str
) -> Area:
    """An area with other standard errors, of itself and less that of a random ranking."""
    figures = (area.area, area.minus_random, area.end)
    errors = (error, minus_random, area.standard_error_end)
    return area_record(figures, errors, confidence, method)


def area_record(
    figures: tuple[float, float, float],
    errors: tuple[float, float, float],
    confidence: float,
    method: str = "analytic",
) -> Area:
    """The record of an area, of itself less the chord's, and of the curve's end."""
    low, high = normal_interval(figures[0], errors[0], confidence)
    low_minus_random, high_minus_random = normal_interval(figures[1], errors[1], confidence)
    return Area(
        area=figures[0],
        minus_random=figures[1],
        end=figures[2],
        standard_error=errors[0],
        standard_error_minus_random=errors[1],
        standard_error_end=errors[2],
        low=low,
        high=high,
        low_minus_random=low_minus_random,
        high_minus_random=high_minus_random,
        method=method,
    )


def areas_of(
    ranking: UpliftRanking, variants: Sequence[str], *, nu: float = 0.0
) -> dict[str, Area]:
    """Areas of several variants, side by side where threads allow."""
    found: list[Area | None] = [None] * len(variants)
    # What the threads share is made before they begin.
    if not ranking.is_counted:
        _ = ranking.ends

    def work(place: int) -> None:
        found[place] = area_of(ranking, variants[place], nu=nu)

    run_tasks(work, len(variants))
    return {name: area for name, area in zip(variants, found, strict=True) if area is not None}


def _moments(ranking: UpliftRanking, variant: str, nu: float, tables: FloatArray) -> FloatArray:
    """The six figures of ``joint_moments``; kept by the ranking where no tables are filled."""
    key = _key(variant, nu)
    if not tables.shape[1] and key in ranking.moments:
        return ranking.moments[key]
    is_packed = ranking.is_counted and not tables.shape[1]
    if variant in JOINT_CODES:
        out = np.empty(6)
        if is_packed:
            packed_joint_moments(JOINT_CODES[variant], key[1], ranking.packed, out)
        else:
            joint_moments(JOINT_CODES[variant], key[1], ranking.sums, tables, out)
        ranking.moments[key] = out
        return out
    of_all = np.empty((len(SEPARATE_CODES), 6))
    if is_packed:
        packed_separate_moments(ranking.packed, of_all)
    else:
        separate_moments(ranking.sums, SEPARATE_CODES[variant], tables, of_all)
    for name, code in SEPARATE_CODES.items():
        ranking.moments[_key(name, nu)] = of_all[code]
    return ranking.moments[key]


def _propensity_area(ranking: UpliftRanking, nu: float, confidence: float) -> Area:
    """AUNUC with known propensities: nothing about the arms is estimated."""
    curve = generalised_curve(ranking, nu)
    figures = (curve.area, curve.above_chord, float(curve.y[-1]))
    errors = propensity_errors(ranking.signed, ranking.experiment.total, nu)
    return area_record(figures, errors, confidence)


def propensity_errors(signed: FloatArray, total: float, nu: float) -> tuple[float, float, float]:
    """Standard errors of AUNUC, of it less its chord's area, and of the last height.

    Known propensities: the spread of ``influence_parts`` over the cases, from sums of groups.

    Parameters
    ----------
    signed : (9, G) float64
        As ``UpliftRanking.signed``.
    total : float
        Weight of all cases.
    """
    x, y = signed[0], signed[1] - nu * signed[2]
    inside = np.diff(signed, axis=1, prepend=0.0)
    step, jump = inside[0], inside[1] - nu * inside[2]
    jumps = inside[5] - 2.0 * nu * inside[3] + nu * nu * inside[4]
    both, steps = 0.5 * (inside[7] - nu * inside[8]), 0.25 * inside[4]
    ahead, middle = x[-1] - (x - 0.5 * step), y - 0.5 * jump

    def error(of_jump: FloatArray, of_step: FloatArray) -> float:
        mean = float(of_jump @ jump + of_step @ step)
        square = float(
            (of_jump**2) @ jumps + 2.0 * ((of_jump * of_step) @ both) + (of_step**2) @ steps
        )
        return math.sqrt(max(square - mean * mean, 0.0) / total)

    less = error(ahead - 0.5 * x[-1], middle - 0.5 * y[-1])
    return error(ahead, middle), less, error(np.ones(len(x)), np.zeros(len(x)))


def influence_parts(ranking: UpliftRanking, nu: float) -> tuple[FloatArray, FloatArray]:
    """What each case does to AUNUC and to its chord's area under known propensities, (n,) each.

    psi = s (y - nu) (X_end - X_middle) + V_middle w, and for the chord's half product
    (V_end w + X_end s (y - nu)) / 2; both before their means are taken off.
    """
    curve = generalised_curve(ranking, nu)
    x_middle = 0.5 * (curve.x[1:] + curve.x[:-1])
    height_middle = 0.5 * (curve.y[1:] + curve.y[:-1])
    group, experiment = ranking.group_of, ranking.experiment
    jump = experiment.signed_weight * (experiment.outcome - nu)
    step = experiment.step
    inside = jump * (curve.x[-1] - x_middle[group]) + height_middle[group] * step
    chord = 0.5 * (curve.y[-1] * step + curve.x[-1] * jump)
    return inside, chord


def influence(ranking: UpliftRanking, variant: str, *, nu: float = 0.0) -> FloatArray:
    """What each case does to the area, (n,) in row order, mean 0: psi of the paired test.

    The standard error of the area is the root of the mean of psi^2 over the number of cases.
    """
    experiment = ranking.experiment
    weight, total = experiment.frequency, experiment.total
    if variant == "generalised" and experiment.has_propensity:
        values = influence_parts(ranking, nu)[0]
    else:
        tables = np.empty((4, ranking.groups))
        _moments(ranking, variant, nu, tables)
        group = ranking.group_of
        treated = experiment.treated > 0
        base = np.where(treated, tables[0, group], tables[2, group])
        slope = np.where(treated, tables[1, group], tables[3, group])
        values = (base + slope * experiment.outcome) * total
    return np.asarray(values - float(weight @ values) / total)


def aunuc(ranking: UpliftRanking, *, nu: float = 0.0, form: str = "xaxis_trapz") -> float:
    """AUNUC of the generalised curve on its re-balanced depth.

    ``xaxis_trapz`` is the exact area of the polygon; ``xaxis_sum`` formula (26)'s right-end sum of
    the same polygon, case by case, each case of a tie with its group's mean step and square step.
    """
    curve = generalised_curve(ranking, nu)
    if form != "xaxis_sum":
        return curve.area
    experiment = ranking.experiment
    squares = np.bincount(
        ranking.group_of,
        weights=experiment.frequency * experiment.step**2,
        minlength=ranking.groups,
    )
    slope = np.diff(curve.y) / np.diff(curve.x)
    # A right-end sum exceeds the polygon by half the slope times the sum of squared steps.
    return curve.area + 0.5 * float(slope @ squares) / experiment.total**2
