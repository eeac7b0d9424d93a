"""Calibration: whether a model's chances come true, and scores that become chances.

Whether a model's chances come true: mean chances against shares, and by height of the chance.

Scores become chances: logistic, isotonic or by bands, cross-fitted.

A map says the chance of the event by the score. Rows that made a map flatter it, so each row of a
fit gets its chance from the folds that do not contain it; new cases get theirs from the map that
all rows made.

Logistic is Platt's (1999) way: a straight line in the log odds, fitted to smoothed targets
(events + 1) / (events + 2) and 1 / (others + 2). Isotonic is least squares under "never falling",
by pooling adjacent violators. Bands have equal weight and the share that was observed in each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.passes.workspace import ProbabilitySums
from core.document.model import CalibrationMap, CalibrationMethod
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

__all__ = [
    "CrossFitted",
    "cross_fit",
    "fit_map",
    "log_odds",
    "pool_violators",
    "probability_by",
    "stratified_folds",
]


GROUPS = 10
CLEAR = 3.5
"""Standard errors from which a group's deviation counts."""
RELATIVE = 0.2
"""Smallest relative deviation worth saying."""


@dataclass(frozen=True, slots=True)
class Miscalibration:
    """Chances that do not come true: ``low`` to ``high`` as the model says them.

    ``where``: "low", "high" or "all" chances. ``is_too_low``: the event happens more often.
    """

    where: str
    is_too_low: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationGroups:
    """About ten groups of equal weight, by the event's chance."""

    predicted: FloatArray  # mean chance
    observed: FloatArray  # weighted share of events
    error: FloatArray  # standard error of ``observed`` if the chances were right
    weight: FloatArray


def calibration_groups(
    probabilities: ProbabilitySums, class_weight: FloatArray
) -> CalibrationGroups:
    """Join fine bins of the chance into groups of about equal weight."""
    weights = np.nan_to_num(class_weight)
    cases, described = probabilities.bins[:, :, 0], probabilities.bins[:, :, 1]
    weight = cases @ weights
    running = np.cumsum(weight)
    total = running[-1] if running[-1] > 0 else 1.0
    # A bin belongs to the group in which its middle lies.
    group = np.minimum((GROUPS * (running - 0.5 * weight) / total).astype(np.int64), GROUPS - 1)

    def add(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=GROUPS).astype(np.float64)

    mass, squared = add(weight), add(cases @ weights**2)
    used = mass > 0
    mean = add(described @ weights)[used] / mass[used]
    seen = add(cases[:, 0] * weights[0])[used] / mass[used]
    variance = mean * (1.0 - mean) * squared[used] / mass[used] ** 2
    return CalibrationGroups(mean, seen, np.sqrt(np.maximum(variance, 0.0)), mass[used])


def find_miscalibration(groups: CalibrationGroups) -> Miscalibration | None:
    """The clearest stretch of chances that are too low or too high, or None."""
    gap = groups.observed - groups.predicted
    is_clear = (np.abs(gap) > CLEAR * groups.error) & (np.abs(gap) > RELATIVE * groups.predicted)
    if not is_clear.any():
        return None
    lows, highs = is_clear & (gap > 0), is_clear & (gap < 0)
    cost = groups.weight * np.abs(gap)
    is_too_low = bool(cost[lows].sum() >= cost[highs].sum())
    chosen = np.flatnonzero(lows if is_too_low else highs)
    count = groups.predicted.shape[0]
    middle = (count - 1) / 2
    where = "low" if chosen.mean() < middle else "high"
    if chosen.size >= 0.7 * count:
        where = "all"
    return Miscalibration(
        where, is_too_low, float(groups.predicted[chosen[0]]), float(groups.predicted[chosen[-1]])
    )


FEWEST_IN_BAND = 50
"""A band holds no fewer cases while there are enough for two of them."""

_STEPS = 100
_SMALLEST_STEP = 1e-10
_NEAREST_TO_CERTAIN = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class CrossFitted:
    """Chances of the rows of a fit, and the map for all others."""

    probability: FloatArray  # (n,), each from folds without the row
    final: CalibrationMap
    fold: IntArray  # (n,)


def log_odds(probability: FloatArray) -> FloatArray:
    """Log odds, for chances that are calibrated again by the logistic way."""
    inside = np.clip(probability, _NEAREST_TO_CERTAIN, 1.0 - _NEAREST_TO_CERTAIN)
    return np.asarray(np.log(inside / (1.0 - inside)))


def fit_map(
    score: FloatArray,
    is_event: BoolArray,
    weight: FloatArray,
    method: CalibrationMethod,
    *,
    bands: int = 10,
    is_falling: bool = False,
    start: CalibrationMap | None = None,
) -> CalibrationMap:
    """Fit the chance of the event by the score.

    Parameters
    ----------
    score : (n,) float64
        Finite.
    is_event : (n,) bool
    weight : (n,) float64
        Above 0.
    method : ChanceMethod
    bands : int
        Bands at most.
    is_falling : bool
        Isotonic: the chance never rises with the score.
    start : ChanceMap, optional
        Logistic: a curve near the one looked for, which saves steps and changes nothing.

    Raises
    ------
    PayoffError
        Where events or others are missing.
    """
    if bool(is_event.all()) or not bool(is_event.any()):
        raise PayoffError(
            "Chances cannot be fitted to one class only.",
            why=f"{counted(len(score), 'case')}, {int(is_event.sum()):,} of them with the event.",
            remedy="Choose rows in which both happen.",
        )
    if method is CalibrationMethod.LOGISTIC:
        return _fit_logistic(score, is_event, weight, start)
    values, place = np.unique(score, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values)).astype(np.float64)
    events = np.bincount(place, weights=weight * is_event, minlength=len(values))
    share = np.asarray(events / mass, dtype=np.float64)
    if method is CalibrationMethod.ISOTONIC:
        return _fit_isotonic(values, share, mass, -1.0 if is_falling else 1.0)
    rows = np.bincount(place, minlength=len(values)).astype(np.float64)
    return _fit_bands(values, share, mass, rows, bands)


def probability_by(
    fitted: CalibrationMap, method: CalibrationMethod, score: FloatArray
) -> FloatArray:
    """The chances (n,) that a map says; a missing score has a missing chance."""
    if method is CalibrationMethod.LOGISTIC:
        return _expit(fitted.slope * score + fitted.intercept)
    probabilities = np.array(fitted.probabilities)
    if method is CalibrationMethod.ISOTONIC:
        return np.asarray(
            np.interp(score, np.array(fitted.scores), probabilities), dtype=np.float64
        )
    band = np.searchsorted(np.array(fitted.scores), score, side="right")
    return np.asarray(np.where(np.isnan(score), np.nan, probabilities[band]))


def cross_fit(
    score: FloatArray,
    is_event: BoolArray,
    weight: FloatArray,
    method: CalibrationMethod,
    *,
    folds: int = 5,
    seed: int = 20261,
    bands: int = 10,
    is_falling: bool = False,
) -> CrossFitted:
    """Chances from folds that do not contain the row, and the map of all rows.

    Parameters as in ``fit_map``; ``folds`` and ``seed`` say how rows are parted.

    Raises
    ------
    PayoffError
        If a class has fewer cases than there are folds.
    """
    fold = stratified_folds(is_event, folds, seed)
    probability = np.empty(len(score))
    final = fit_map(score, is_event, weight, method, bands=bands, is_falling=is_falling)
    for number in range(folds):
        here = fold == number
        part = fit_map(
            score[~here],
            is_event[~here],
            weight[~here],
            method,
            bands=bands,
            is_falling=is_falling,
            start=final,
        )
        probability[here] = probability_by(part, method, score[here])
    return CrossFitted(probability=probability, final=final, fold=fold)


def stratified_folds(is_event: BoolArray, folds: int, seed: int) -> IntArray:
    """A fold per row, (n,) int64: drawn within each class, so that every fold has both."""
    smallest = int(min(is_event.sum(), (~is_event).sum()))
    if folds < 2 or smallest < folds:
        raise PayoffError(
            f"{counted(folds, 'fold')} cannot be made.",
            why=f"The rarer class has {counted(smallest, 'case')}; each fold needs one of them."
            if folds >= 2
            else "A row's chance comes from the other folds, so there must be two at least.",
            remedy="Choose fewer folds, or more rows." if folds >= 2 else "Choose 2 or more.",
        )
    draw = np.random.default_rng(seed).random(len(is_event))
    fold = np.empty(len(is_event), dtype=np.int64)
    offset = 0
    for rows in (np.flatnonzero(is_event), np.flatnonzero(~is_event)):
        order = rows[np.argsort(draw[rows], kind="stable")]
        fold[order] = (np.arange(len(order)) + offset) % folds
        offset += len(order)  # the remainder of one class does not pile up on that of the other
    return fold


# ---------------------------------------------------------------- logistic


def _fit_logistic(
    score: FloatArray, is_event: BoolArray, weight: FloatArray, start: CalibrationMap | None = None
) -> CalibrationMap:
    """Platt's curve by Newton's method, on scores brought to mean 0 and spread 1."""
    events, others = float(weight[is_event].sum()), float(weight[~is_event].sum())
    target = np.where(is_event, (events + 1.0) / (events + 2.0), 1.0 / (others + 2.0))
    centre = float(np.average(score, weights=weight))
    spread = float(np.sqrt(np.average((score - centre) ** 2, weights=weight)))
    if not spread > 0:
        share = (events + 1.0) / (events + others + 2.0)
        return CalibrationMap(slope=0.0, intercept=float(np.log(share / (1.0 - share))))
    scaled = (score - centre) / spread
    at = np.array([0.0, float(np.log((events + 1.0) / (others + 1.0)))])
    if start is not None:
        at = np.array([start.slope * spread, start.intercept + start.slope * centre])
    loss = _logistic_loss(at, scaled, target, weight)
    for _ in range(_STEPS):
        step = _newton_step(at, scaled, target, weight)
        size = 1.0
        while size > _SMALLEST_STEP:  # halved until the loss falls
            tried = at + size * step
            new = _logistic_loss(tried, scaled, target, weight)
            if new <= loss:
                break
            size /= 2.0
        else:
            break
        is_done = float(np.abs(size * step).max()) < _SMALLEST_STEP
        at, loss = tried, new
        if is_done:
            break
    slope = float(at[0]) / spread
    return CalibrationMap(slope=slope, intercept=float(at[1]) - slope * centre)


def _newton_step(
    at: FloatArray, score: FloatArray, target: FloatArray, weight: FloatArray
) -> FloatArray:
    probability = _expit(at[0] * score + at[1])
    miss = weight * (target - probability)
    hessian = weight * np.maximum(probability * (1.0 - probability), 1e-12)
    gradient = np.array([miss @ score, miss.sum()])
    cross = float(hessian @ score)
    curvature = np.array([[float(hessian @ (score * score)), cross], [cross, float(hessian.sum())]])
    return np.asarray(np.linalg.solve(curvature, gradient))


def _logistic_loss(
    at: FloatArray, score: FloatArray, target: FloatArray, weight: FloatArray
) -> float:
    line = at[0] * score + at[1]
    return float(weight @ (np.logaddexp(0.0, line) - target * line))


def _expit(line: FloatArray) -> FloatArray:
    """1 / (1 + exp(-line)) without overflow."""
    small = np.exp(-np.abs(line))
    return np.asarray(np.where(line >= 0, 1.0, small) / (1.0 + small))


# ---------------------------------------------------------------- isotonic


def _fit_isotonic(
    values: FloatArray, share: FloatArray, mass: FloatArray, sign: float
) -> CalibrationMap:
    """The ends of the level stretches; straight lines join them, as in scikit-learn."""
    level = sign * pool_violators(sign * share, mass)
    level = np.clip(level, 0.0, 1.0)
    kept = np.ones(len(level), dtype=bool)
    if len(level) > 2:
        kept[1:-1] = (level[1:-1] != level[:-2]) | (level[1:-1] != level[2:])
    return CalibrationMap(
        scores=tuple(values[kept].tolist()), probabilities=tuple(level[kept].tolist())
    )


def pool_violators(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The never-falling sequence nearest to some values, weighted least squares, (n,).

    Whole runs of falling blocks are pooled at a time: neighbours in such a run would be pooled
    one after the other, in whichever order.
    """
    starts = np.arange(len(values))
    mean, mass = values.astype(np.float64), weight.astype(np.float64)
    while True:
        is_new = np.concatenate([[True], mean[1:] >= mean[:-1]])
        if bool(is_new.all()):
            break
        first = np.flatnonzero(is_new)
        joined = np.add.reduceat(mass, first)
        mean = np.add.reduceat(mass * mean, first) / joined
        starts, mass = starts[first], joined
    sizes = np.diff(np.append(starts, len(values)))
    return np.asarray(np.repeat(mean, sizes))


# ---------------------------------------------------------------- bands


def _fit_bands(
    values: FloatArray, share: FloatArray, mass: FloatArray, rows: FloatArray, bands: int
) -> CalibrationMap:
    """Bands of equal weight; equal scores stay together, in the band their middle falls into."""
    most = max(2, int(rows.sum()) // FEWEST_IN_BAND)
    count = min(bands, most, len(values))
    running = np.cumsum(mass)
    middle = (running - 0.5 * mass) / running[-1]
    band = np.minimum((middle * count).astype(np.int64), count - 1)
    first = np.flatnonzero(np.concatenate([[True], band[1:] != band[:-1]]))
    whole = np.add.reduceat(mass, first)
    probability = np.clip(np.add.reduceat(mass * share, first) / whole, 0.0, 1.0)
    edges = 0.5 * (values[first[1:] - 1] + values[first[1:]])
    return CalibrationMap(scores=tuple(edges.tolist()), probabilities=tuple(probability.tolist()))
