"""The experiment without a model: the effect of each arm, plain and adjusted, and the next test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from core.document.studies.uplift import Effect
from core.inference.intervals import student_interval, student_p_value, welch
from core.inference.normal import normal_quantile, normal_reach
from core.uplift.experiment import Experiment
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, BoolArray, FloatArray, IntArray


def plain_effect(
    outcome: FloatArray,
    in_arm: BoolArray,
    in_control: BoolArray,
    *,
    arm: str = "treated",
    control: str = "control",
    weight: FloatArray | None = None,
    confidence: float = 0.95,
) -> Effect:
    """Difference of means with Welch's interval.

    Raises
    ------
    PayoffError
        If an arm has fewer than two cases.
    """
    mean_t, square_t, t = _moments(outcome, in_arm, weight, arm)
    mean_c, square_c, c = _moments(outcome, in_control, weight, control)
    error, freedom = welch(square_t, t, square_c, c)
    return _effect(
        arm,
        control,
        (t, c),
        (mean_t, mean_c),
        mean_t - mean_c,
        error,
        freedom,
        confidence,
        "difference of means, Welch",
    )


def adjusted_effect(
    outcome: FloatArray,
    in_arm: BoolArray,
    in_control: BoolArray,
    covariates: FloatArray,
    *,
    arm: str = "treated",
    control: str = "control",
    weight: FloatArray | None = None,
    confidence: float = 0.95,
) -> Effect:
    """Difference of the arms' regressions at the mean of all cases (Lin 2013).

    Parameters
    ----------
    covariates : (n, k) float64
        Known before the treatment; columns without spread are left out.
    """
    plain = plain_effect(outcome, in_arm, in_control, arm=arm, control=control, weight=weight)
    both = in_arm | in_control
    w = np.ones(len(outcome)) if weight is None else weight
    centre = (w[both] @ covariates[both]) / w[both].sum()
    centred = covariates - centre
    kept = np.ptp(covariates[both], axis=0) > 0
    centred = centred[:, kept]
    columns = centred.shape[1]
    if min(plain.cases, plain.control_cases) < 2 * (columns + 2):
        return plain
    at_t, slope_t, noise_t = _regression(outcome[in_arm], centred[in_arm], w[in_arm])
    at_c, slope_c, noise_c = _regression(outcome[in_control], centred[in_control], w[in_control])
    gap = centred[both] @ (slope_t - slope_c)
    spread = float(w[both] @ gap**2) / w[both].sum() ** 2
    error = math.sqrt(noise_t / plain.cases + noise_c / plain.control_cases + spread)
    freedom = plain.cases + plain.control_cases - 2 * (columns + 1)
    sizes = plain.cases, plain.control_cases
    return _effect(
        arm,
        control,
        sizes,
        (at_t, at_c),
        at_t - at_c,
        error,
        freedom,
        confidence,
        f"adjusted for {counted(columns, 'column')} (Lin 2013)",
    )


def _moments(
    outcome: FloatArray, chosen: BoolArray, weight: FloatArray | None, name: str
) -> tuple[float, float, float]:
    values = outcome[chosen]
    w = np.ones(len(values)) if weight is None else weight[chosen]
    total = float(w.sum())
    if total < 2:
        raise PayoffError(
            f"The arm '{name}' has fewer than two cases.",
            why="A mean without a spread has no interval.",
            remedy="Choose more rows, or another arm.",
        )
    mean = float(w @ values) / total
    return mean, float(w @ (values - mean) ** 2) / (total - 1), total


def _regression(
    outcome: FloatArray, centred: FloatArray, weight: FloatArray
) -> tuple[float, FloatArray, float]:
    """Height at the centre, slopes, and residual variance of a weighted least-squares plane."""
    design = np.column_stack([np.ones(len(outcome)), centred])
    root = np.sqrt(weight)
    solution, *_ = np.linalg.lstsq(design * root[:, None], outcome * root, rcond=None)
    rest = outcome - design @ solution
    noise = float(weight @ rest**2) / max(float(weight.sum()) - design.shape[1], 1.0)
    return float(solution[0]), solution[1:], noise


def _effect(
    arm: str,
    control: str,
    sizes: tuple[float, float],
    means: tuple[float, float],
    effect: float,
    error: float,
    freedom: float,
    confidence: float,
    method: str,
) -> Effect:
    low, high = student_interval(effect, error, freedom, confidence)
    return Effect(
        arm=arm,
        control=control,
        cases=sizes[0],
        control_cases=sizes[1],
        mean=means[0],
        control_mean=means[1],
        effect=effect,
        low=low,
        high=high,
        standard_error=error,
        p_value=student_p_value(effect, error, freedom),
        relative=effect / means[1] if means[1] else math.nan,
        method=method,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentEffects:
    """Effects by level of a column, and whether they differ more than by chance."""

    column: str
    levels: tuple[str, ...]
    effects: tuple[Effect, ...]
    left_out: tuple[str, ...]  # levels in which an arm has too few cases
    p_value: float  # of one effect for all


def effects_by_segment(
    outcome: FloatArray,
    in_arm: BoolArray,
    in_control: BoolArray,
    segments: AnyArray,
    *,
    column: str,
    weight: FloatArray | None = None,
    most: int = 30,
) -> SegmentEffects:
    """The plain effect in each level; p-value of Cochran's Q.

    Raises
    ------
    PayoffError
        If the column has more than ``most`` levels.
    """
    if weight is not None:  # a case of weight 0 is no case
        in_arm, in_control = in_arm & (weight > 0), in_control & (weight > 0)
    levels, codes = _levels_of(segments, in_arm | in_control)
    if len(levels) > most:
        raise PayoffError(
            f"'{column}' has {counted(len(levels), 'level')}, too many for segments.",
            remedy=f"Choose a column with at most {counted(most, 'level')}.",
        )
    names: list[str] = []
    effects: list[Effect] = []
    left_out: list[str] = []
    for code, level in enumerate(levels):
        inside = codes == code
        try:
            found = plain_effect(outcome, in_arm & inside, in_control & inside, weight=weight)
        except PayoffError:
            left_out.append(str(level))
            continue
        names.append(str(level))
        effects.append(found)
    return SegmentEffects(
        column=column,
        levels=tuple(names),
        effects=tuple(effects),
        left_out=tuple(left_out),
        p_value=_heterogeneity(effects),
    )


def _levels_of(segments: AnyArray, is_used: BoolArray) -> tuple[AnyArray, IntArray]:
    """The levels of the cases used, and the number of each case's level; -1 of the others."""
    levels, codes = np.unique(segments[is_used], return_inverse=True)
    every = np.full(segments.shape[0], -1, dtype=np.int64)
    every[is_used] = codes
    return levels, every


def _heterogeneity(effects: Sequence[Effect]) -> float:
    usable = [effect for effect in effects if effect.standard_error > 0]
    if len(usable) < 2:
        return math.nan
    precision = np.array([1.0 / effect.standard_error**2 for effect in usable])
    values = np.array([effect.effect for effect in usable])
    pooled = float(precision @ values / precision.sum())
    return float(chdtrc(len(usable) - 1, float(precision @ (values - pooled) ** 2)))


def arm_spread(experiment: Experiment) -> tuple[float, float]:
    """Variance of the outcome in the treated and in the control arm, as samples of cases.

    Raises
    ------
    PayoffError
        If an arm has fewer than two cases.
    """
    inside = experiment.treated > 0
    weight = experiment.weight if len(experiment.weight) else None
    outcome = experiment.outcome
    return (
        _moments(outcome, inside, weight, "treated")[1],
        _moments(outcome, ~inside, weight, "control")[1],
    )


def next_test_size(
    effect: float,
    spread: tuple[float, float],
    *,
    treated_share: float = 0.5,
    power: float = 0.8,
    confidence: float = 0.95,
) -> int:
    """Cases of both arms together that a test needs to find an effect.

    Parameters
    ----------
    effect : float
        The smallest effect worth finding.
    spread : (float, float)
        Variances of the outcome in the treated and the control arm.

    Raises
    ------
    PayoffError
        For no effect, or shares and powers that cannot be.
    """
    if effect == 0 or not math.isfinite(effect):
        raise PayoffError(
            "A test for an effect of 0 would need endless cases.",
            remedy="Give the smallest effect that is worth finding.",
        )
    if not 0 < treated_share < 1 or not 0 < power < 1:
        raise PayoffError("Share treated and power lie between 0 and 1.")
    reach = normal_reach(confidence) + normal_quantile(power)
    variance = spread[0] / treated_share + spread[1] / (1 - treated_share)
    return math.ceil(reach**2 * variance / effect**2)
