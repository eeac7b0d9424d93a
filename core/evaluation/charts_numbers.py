"""Charts of a number as the outcome: predicted against observed, residuals, errors, quantiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.document.chart_kinds import chart_kind
from core.document.results import Chart, Curve, ModelDepths
from core.evaluation.calibration import group_count
from core.evaluation.cases import Cases, percent
from core.evaluation.chart_bands import concentration_band
from core.evaluation.chart_lines import baseline
from core.evaluation.intervals import effective_cases
from core.evaluation.problem import ModelScores
from core.evaluation.ranking import DEPTH_GRID, GRID_POINTS
from payoff.curves import wilson_interval
from payoff.types import FloatArray, IntArray

POINTS = 301
_Z = 1.959963984540054

PREDICTED_TEXT = (
    "Cases in groups of equal size by prediction; equal predictions stay together. x = mean "
    "prediction of a group, y = mean outcome. On the diagonal the predictions come true. Bands: "
    "95 %, normal, of each mean."
)
RESIDUALS_TEXT = (
    "Outcome less prediction, by prediction, in groups of equal size: the line is the median of a "
    "group, the area the middle 80 % of its cases (no interval of the median)."
)
ERROR_TEXT = (
    "Share of the cases whose prediction misses by no more than x (Bi & Bennett 2003). The area "
    "above the line is the mean absolute error. Bands: 95 % Wilson intervals."
)
QUANTILE_TEXT = (
    "Share of outcomes at or below their prediction, in groups of equal size by prediction, "
    "highest first. A prediction of the q-quantile should have q everywhere, one of the median a "
    "half. Bands: 95 % Wilson intervals."
)
LORENZ_TEXT = (
    "Cases lowest prediction first: share of the sum of all outcomes (y) that the lowest share x "
    "of the cases holds. The lowest grey line sorts by the outcome itself. Bands: pointwise 95 %, "
    "by influence functions."
)


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Groups of equal weight by prediction, lowest first."""

    group: IntArray  # (n,)
    prediction: FloatArray  # mean of each group
    weight: FloatArray
    number: FloatArray  # effective number of cases
    middle: FloatArray  # share of the cases below the middle of the group


def number_charts(cases: Cases) -> tuple[Chart, ...]:
    """The charts wanted for a number, in the order asked for."""
    found = []
    for kind in cases.problem.charts:
        known = chart_kind(kind)
        make = _MAKERS.get(kind)
        if known is not None and make is not None:
            chart = make(cases)
            if chart is not None:
                found.append(chart)
    return tuple(found)


def _weight(cases: Cases) -> FloatArray:
    return cases.weight if len(cases.weight) else np.ones(len(cases))


def _prediction(cases: Cases, model: ModelScores) -> FloatArray:
    return np.ascontiguousarray(cases.fit_chances(model)[0])


def grouped(prediction: FloatArray, weight: FloatArray, groups: int) -> Grouped:
    """Cut cases into groups of equal weight; equal predictions stay in one group."""
    values, place = np.unique(prediction, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    below = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    number = np.minimum((below * groups).astype(np.int64), groups - 1)
    _, dense = np.unique(number, return_inverse=True)
    group = dense[place].astype(np.int64)
    whole = np.bincount(group, weights=weight).astype(np.float64)
    share = whole / whole.sum()
    return Grouped(
        group,
        np.bincount(group, weights=weight * prediction) / whole,
        whole,
        whole**2 / np.bincount(group, weights=weight * weight),
        np.cumsum(share) - 0.5 * share,
    )


def number_depths(cases: Cases) -> tuple[ModelDepths, ...]:
    """What the shared cursor reads of every model: highest predictions first, no classes."""
    grid = DEPTH_GRID
    weight, none = _weight(cases), np.empty((0, GRID_POINTS))
    found = []
    for model in cases.problem.models:
        prediction = _prediction(cases, model)
        order = np.argsort(-prediction, kind="stable")
        running = np.concatenate([[0.0], np.cumsum(weight[order])])
        running /= running[-1]
        rows = np.interp(grid, running, np.arange(len(order) + 1, dtype=np.float64))
        last = np.clip(np.ceil(rows - 1e-9).astype(np.int64) - 1, 0, len(order) - 1)
        found.append(
            ModelDepths(
                model=model.name, depth=grid, cases=rows, threshold=prediction[order][last],
                class_share=none, class_share_low=none, class_share_high=none,
            )
        )  # fmt: skip
    return tuple(found)


def quantiles(values: FloatArray, weight: FloatArray, levels: tuple[float, ...]) -> FloatArray:
    """Weighted quantiles, as ``payoff.numeric.weighted_quantile`` defines them."""
    order = np.argsort(values, kind="stable")
    ranked, running = values[order], np.cumsum(weight[order])
    wanted = np.asarray(levels) * running[-1]
    first = np.minimum(np.searchsorted(running, wanted, side="left"), len(ranked) - 1)
    after = np.minimum(first + 1, len(ranked) - 1)
    middle = 0.5 * (ranked[first] + ranked[after])
    return np.asarray(np.where(running[first] == wanted, middle, ranked[first]))


def predicted_observed(cases: Cases) -> Chart:
    """Mean outcome by mean prediction."""
    outcome, weight = np.asarray(cases.outcome, np.float64), _weight(cases)
    curves = []
    for model in cases.problem.models:
        parts = grouped(_prediction(cases, model), weight, group_count(len(cases)))
        mean = np.bincount(parts.group, weights=weight * outcome) / parts.weight
        away = (outcome - mean[parts.group]) ** 2
        spread = np.bincount(parts.group, weights=weight * away) / parts.weight
        with np.errstate(invalid="ignore", divide="ignore"):
            half = _Z * np.sqrt(spread / np.maximum(parts.number - 1.0, 0.0))
        half = np.where(parts.number > 1.5, half, np.nan)
        curves.append(
            Curve(model=model.name, x=parts.prediction, y=mean, low=mean - half, high=mean + half)
        )
    low = min(float(curve.x[0]) for curve in curves)
    high = max(float(curve.x[-1]) for curve in curves)
    curves.append(baseline("exact", (low, high), (low, high)))
    return Chart(
        kind="predicted_observed", curves=tuple(curves), definition=PREDICTED_TEXT,
        variant="groups of equal size",
    )  # fmt: skip


def residuals(cases: Cases) -> Chart:
    """Median and middle 80 % of outcome less prediction, by prediction."""
    outcome, weight = np.asarray(cases.outcome, np.float64), _weight(cases)
    curves, ends = [], []
    for model in cases.problem.models:
        prediction = _prediction(cases, model)
        parts = grouped(prediction, weight, group_count(len(cases)))
        left = outcome - prediction
        lines = np.empty((3, len(parts.weight)))
        for number in range(len(parts.weight)):
            rows = np.flatnonzero(parts.group == number)
            lines[:, number] = quantiles(left[rows], weight[rows], (0.1, 0.5, 0.9))
        curves.append(
            Curve(model=model.name, x=parts.prediction, y=lines[1], low=lines[0], high=lines[2])
        )
        ends += [float(parts.prediction[0]), float(parts.prediction[-1])]
    curves.append(baseline("no error", (min(ends), max(ends)), (0.0, 0.0)))
    return Chart(
        kind="residuals", curves=tuple(curves), definition=RESIDUALS_TEXT,
        variant="median and middle 80 %",
    )  # fmt: skip


def error_share(cases: Cases) -> Chart:
    """Share of cases that miss by no more than x."""
    outcome, weight = np.asarray(cases.outcome, np.float64), _weight(cases)
    misses = [np.abs(outcome - _prediction(cases, model)) for model in cases.problem.models]
    top = max(float(np.quantile(miss, 0.95)) for miss in misses) or 1.0
    x: FloatArray = np.linspace(0.0, top, POINTS)
    number = effective_cases(cases.weight) if len(cases.weight) else float(len(cases))
    curves, notes = [], []
    for model, miss in zip(cases.problem.models, misses, strict=True):
        order = np.argsort(miss, kind="stable")
        running = np.concatenate([[0.0], np.cumsum(weight[order]) / weight.sum()])
        share = running[np.searchsorted(miss[order], x, side="right")]
        low, high = wilson_interval(share, np.full(POINTS, number))
        curves.append(Curve(model=model.name, x=x, y=share, low=low, high=high))
        half = float(quantiles(miss, weight, (0.5,))[0])
        notes.append(f"{model.name}: half of the cases are missed by at most {half:.4g}.")
    return Chart(
        kind="error_share", curves=tuple(curves), definition=ERROR_TEXT, notes=tuple(notes),
        variant="absolute error",
    )  # fmt: skip


def quantile_calibration(cases: Cases) -> Chart:
    """Share of outcomes at or below their prediction, by depth."""
    outcome, weight = np.asarray(cases.outcome, np.float64), _weight(cases)
    curves, notes = [], []
    for model in cases.problem.models:
        prediction = _prediction(cases, model)
        parts = grouped(prediction, weight, group_count(len(cases)))
        is_below = (outcome <= prediction).astype(np.float64)
        share = np.bincount(parts.group, weights=weight * is_below) / parts.weight
        share = np.clip(share, 0.0, 1.0)
        low, high = wilson_interval(share, parts.number)
        back = slice(None, None, -1)
        curves.append(
            Curve(
                model=model.name, x=1.0 - parts.middle[back], y=share[back], low=low[back],
                high=high[back],
            )
        )  # fmt: skip
        whole = float(np.average(is_below, weights=weight))
        notes.append(f"{model.name}: {percent(whole)} of all outcomes lie at or below.")
    curves.append(baseline("a half", (0.0, 1.0), (0.5, 0.5)))
    return Chart(
        kind="quantile_calibration", curves=tuple(curves), definition=QUANTILE_TEXT,
        notes=tuple(notes), variant="groups of equal size",
    )  # fmt: skip


def lorenz(cases: Cases) -> Chart | None:
    """Share of the outcomes' sum that the lowest cases hold; None where an outcome is below 0."""
    outcome, weight = np.asarray(cases.outcome, np.float64), _weight(cases)
    total = float(weight @ outcome)
    if (outcome < 0).any() or total <= 0:
        return None
    grid: FloatArray = np.linspace(0.0, 1.0, POINTS)
    curves, notes = [], []
    for model in cases.problem.models:
        prediction = _prediction(cases, model)
        y = _held(prediction, outcome, weight, grid)
        ends = concentration_band(prediction, outcome, weight, grid)
        half = 0.5 * (ends[1] - ends[0])
        curves.append(Curve(model=model.name, x=grid, y=y, low=y - half, high=y + half))
        notes.append(f"{model.name}: concentration {1.0 - 2.0 * float(np.trapezoid(y, grid)):.3f}.")
    curves.append(baseline("even", (0.0, 1.0), (0.0, 1.0)))
    best = _held(outcome, outcome, weight, grid)
    curves.append(Curve(model="", name="best possible", x=grid, y=best))
    return Chart(
        kind="lorenz", curves=tuple(curves), definition=LORENZ_TEXT, notes=tuple(notes),
        variant="lowest predictions first",
    )  # fmt: skip


def _held(key: FloatArray, outcome: FloatArray, weight: FloatArray, grid: FloatArray) -> FloatArray:
    """Share of the sum held by the lowest by a key; equal keys share it evenly."""
    values, place = np.unique(key, return_inverse=True)
    cases = np.cumsum(np.bincount(place, weights=weight, minlength=len(values)))
    held = np.cumsum(np.bincount(place, weights=weight * outcome, minlength=len(values)))
    x, y = np.append(0.0, cases / cases[-1]), np.append(0.0, held / held[-1])
    return np.asarray(np.interp(grid, x, y))


_MAKERS: dict[str, Callable[[Cases], Chart | None]] = {
    "predicted_observed": predicted_observed,
    "residuals": residuals,
    "error_share": error_share,
    "quantile_calibration": quantile_calibration,
    "lorenz": lorenz,
}
