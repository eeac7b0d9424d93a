"""Curves of a number as the outcome: predicted against observed, residuals, errors, quantiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import payoff
from payoff.curves import CurveLine
from payoff.groups import effective_cases, equal_groups, group_count, weighted_quantiles
from payoff.intervals import NORMAL_95, wilson_interval
from payoff.types import FloatArray
from plugins.curves.bands import concentration_band
from plugins.curves.parts import WHOLE, curve_spec, grey, percent, steady

POINTS = 301
_FIELDS = {
    "inputs": (payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
    "tasks": (payoff.Task.REGRESSION,),
    "form": payoff.MetricForm.GENERAL,
}
_SHARES = {**_FIELDS, "value_range": (0.0, 1.0)}


def _ends(lines: Sequence[CurveLine]) -> tuple[float, float]:
    return min(float(line.x[0]) for line in lines), max(float(line.x[-1]) for line in lines)


def predicted_observed(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Mean outcome by mean prediction."""
    del parameters
    outcome, weight = sample.outcome, sample.weight
    parts = equal_groups(sample.score, weight, group_count(len(sample)))
    mean = np.bincount(parts.group, weights=weight * outcome) / parts.weight
    away = (outcome - mean[parts.group]) ** 2
    spread = np.bincount(parts.group, weights=weight * away) / parts.weight
    with np.errstate(invalid="ignore", divide="ignore"):
        half = NORMAL_95 * np.sqrt(spread / np.maximum(parts.number - 1.0, 0.0))
    half = np.where(parts.number > 1.5, half, np.nan)
    return CurveLine(
        x=parts.prediction, y=mean, low=mean - half, high=mean + half, method="normal, of each mean"
    )


def exact_predictions(
    basis: payoff.Sample, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Predictions that come true."""
    del basis, parameters
    return (grey("exact", _ends(lines), _ends(lines)),)


def residuals(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Median and middle 80 % of outcome less prediction, by prediction."""
    del parameters
    weight = sample.weight
    parts = equal_groups(sample.score, weight, group_count(len(sample)))
    left = sample.outcome - sample.score
    found = np.empty((3, len(parts.weight)))
    for number in range(len(parts.weight)):
        rows = np.flatnonzero(parts.group == number)
        found[:, number] = weighted_quantiles(left[rows], weight[rows], (0.1, 0.5, 0.9))
    return CurveLine(x=parts.prediction, y=found[1], low=found[0], high=found[2])


def no_error(
    basis: payoff.Sample, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Predictions without an error."""
    del basis, parameters
    return (grey("no error", _ends(lines), (0.0, 0.0)),)


def _miss(sample: payoff.Sample) -> FloatArray:
    return np.asarray(np.abs(sample.outcome - sample.score), dtype=np.float64)


def misses(samples: Sequence[payoff.Sample], parameters: payoff.Parameters) -> FloatArray:
    """Errors up to that which 95 % of the cases of every model keep."""
    del parameters
    tops = [weighted_quantiles(_miss(s), s.weight, (0.95,))[0] for s in samples if len(s)]
    return np.linspace(0.0, max(tops, default=1.0) or 1.0, POINTS)


def error_share(
    sample: payoff.Sample, parameters: payoff.Parameters, grid: FloatArray
) -> CurveLine:
    """Share of cases that miss by no more than x."""
    del parameters
    miss, weight = _miss(sample), sample.weight
    order = np.argsort(miss, kind="stable")
    running = np.append(0.0, np.cumsum(weight[order]) / weight.sum())
    share = np.clip(running[np.searchsorted(miss[order], grid, side="right")], 0.0, 1.0)
    low, high = wilson_interval(share, np.full(len(grid), effective_cases(weight)))
    half = float(weighted_quantiles(miss, weight, (0.5,))[0])
    return CurveLine(
        x=grid,
        y=share,
        low=low,
        high=high,
        method="Wilson intervals",
        note=f"half of the cases are missed by at most {half:.4g}.",
    )


def quantile_calibration(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Share of outcomes at or below their prediction, by depth."""
    del parameters
    weight = sample.weight
    parts = equal_groups(sample.score, weight, group_count(len(sample)))
    is_below = (sample.outcome <= sample.score).astype(np.float64)
    share = np.clip(np.bincount(parts.group, weights=weight * is_below) / parts.weight, 0.0, 1.0)
    low, high = wilson_interval(share, parts.number)
    whole = float(np.average(is_below, weights=weight))
    return CurveLine(
        x=1.0 - parts.middle[::-1],
        y=share[::-1],
        low=low[::-1],
        high=high[::-1],
        method="Wilson intervals",
        note=f"{percent(whole)} of all outcomes lie at or below.",
    )


# ---------------------------------------------------------------- Lorenz


def held_share(
    key: FloatArray, outcome: FloatArray, weight: FloatArray, grid: FloatArray
) -> FloatArray:
    """Share of the sum held by the lowest by a key; equal keys share it evenly."""
    values, place = np.unique(key, return_inverse=True)
    cases = np.cumsum(np.bincount(place, weights=weight, minlength=len(values)))
    held = np.cumsum(np.bincount(place, weights=weight * outcome, minlength=len(values)))
    x, y = np.append(0.0, cases / cases[-1]), np.append(0.0, held / held[-1])
    return np.asarray(np.interp(grid, x, y))


def lorenz_of_numbers(sample: payoff.Sample, parameters: payoff.Parameters) -> CurveLine:
    """Share of the outcomes' sum that the lowest cases hold.

    Raises
    ------
    PayoffError
        Where an outcome is below 0, or all are 0.
    """
    del parameters
    outcome, weight = np.asarray(sample.outcome, np.float64), sample.weight
    if not len(outcome) or outcome.min() < 0 or not float(weight @ outcome) > 0:
        raise payoff.PayoffError(
            "There is no share of a sum to which a case adds less than nothing.",
            why="An outcome is below 0, or all are 0.",
        )
    grid: FloatArray = np.linspace(0.0, 1.0, POINTS)
    y = held_share(sample.score, outcome, weight, grid)
    low, high = concentration_band(sample.score, outcome, weight, grid)
    half = 0.5 * (high - low)
    return CurveLine(x=grid, y=y, low=y - half, high=y + half, method="by influence functions")


def lorenz_best(sample: payoff.Sample, x: FloatArray) -> FloatArray:
    """The line of a ranking by the outcome itself."""
    outcome = np.asarray(sample.outcome, np.float64)
    return held_share(outcome, outcome, sample.weight, x)


# ---------------------------------------------------------------- specs


def _over_predictions(
    question: str, y: str, variant: str, references: Callable[..., tuple[CurveLine, ...]]
) -> payoff.CurveAxes:
    """Axes of a chart in the unit of the outcome, by prediction."""
    return payoff.CurveAxes(
        question=question,
        x="prediction",
        y=y,
        axis=payoff.CurveAxis.PREDICTION,
        x_unit=payoff.NumberUnit.PLAIN,
        y_unit=payoff.NumberUnit.PLAIN,
        variant=variant,
        references=references,
    )


PREDICTED_OBSERVED = curve_spec(
    "predicted_observed",
    "predicted against observed",
    _over_predictions(
        "Do the predictions come true?", "mean outcome", "groups of equal size", exact_predictions
    ),
    help=(
        "Cases in groups of equal size by prediction; equal predictions stay together. x = mean "
        "prediction of a group, y = mean outcome. On the diagonal the predictions come true."
    ),
    formula="x = mean prediction of a group, y = mean outcome",
    reference="Steyerberg, Clinical Prediction Models, 2019, 15",
    compute=predicted_observed,
    **_FIELDS,
)

RESIDUALS = curve_spec(
    "residuals",
    "residuals by prediction",
    _over_predictions(
        "Where is it wrong, and by how much?",
        "outcome less prediction",
        "median and middle 80 %",
        no_error,
    ),
    help=(
        "Outcome less prediction, by prediction, in groups of equal size: the line is the median "
        "of a group, the area the middle 80 % of its cases (no interval of the median)."
    ),
    formula="y = median (outcome - prediction) of a group",
    reference="Cleveland, Visualizing Data, 1993, 3",
    compute=residuals,
    **_FIELDS,
)

ERROR_SHARE = curve_spec(
    "error_share",
    "regression error characteristic",
    payoff.CurveAxes(
        question="How many are missed by how much?",
        x="absolute error",
        y="share of {cases}",
        axis=payoff.CurveAxis.VALUE,
        x_unit=payoff.NumberUnit.PLAIN,
        y_ends=WHOLE,
        variant="absolute error",
        grid=misses,
    ),
    help=(
        "Share of the cases whose prediction misses by no more than x (Bi & Bennett 2003). The "
        "area above the line is the mean absolute error."
    ),
    formula="y(x) = cases with |outcome - prediction| <= x / cases",
    reference="Bi & Bennett, Regression error characteristic curves, ICML 2003",
    compute=error_share,
    **_SHARES,
)

QUANTILE_CALIBRATION = curve_spec(
    "quantile_calibration",
    "quantile calibration",
    payoff.CurveAxes(
        question="How many turn out lower than predicted?",
        x="{cases}, highest prediction first",
        y="at or below the prediction",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=WHOLE,
        y_ends=WHOLE,
        variant="groups of equal size",
        references=steady(grey("a half", WHOLE, (0.5, 0.5))),
    ),
    help=(
        "Share of outcomes at or below their prediction, in groups of equal size by prediction, "
        "highest first. A prediction of the q-quantile should have q everywhere, one of the "
        "median a half."
    ),
    formula="y = cases of a group with outcome <= prediction / its cases",
    reference="Koenker & Machado, Goodness of fit for quantile regression, JASA 94, 1999",
    compute=quantile_calibration,
    **_SHARES,
)

NUMBER_CURVES = (PREDICTED_OBSERVED, RESIDUALS, ERROR_SHARE, QUANTILE_CALIBRATION)
