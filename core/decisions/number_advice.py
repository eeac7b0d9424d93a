"""Advice on predictions of a number: their mean, and how many lie beyond the knots."""

from __future__ import annotations

import math

import numpy as np

from core.decisions.number_rule import format_value
from core.decisions.workspace import AnalysisState, ModelState
from core.document.results import Advice
from core.document.wording import format_share
from payoff.types import BoolArray, FloatArray

OK, WARNING = "ok", "warning"
STANDARD_ERRORS = 3.0
MANY_BEYOND = 0.05
"""Share of predictions beyond the outer knots that is worth a word."""


def number_advice(state: AnalysisState) -> list[Advice]:
    """Per model: whether its predictions are right on average, and inside the knots."""
    marks = state.rows.marks
    assert state.problem.actual is not None  # counted_rows refuses without
    counted = marks == 0 if marks.shape[0] else np.ones(state.problem.actual.shape[0], dtype=bool)
    found: list[Advice] = []
    for model in state.models:
        found += _mean_advice(state, model, counted)
        found += _knot_advice(state, model, counted)
    return found


def _weights(state: AnalysisState, counted: BoolArray) -> FloatArray:
    frequency = state.problem.frequency
    return np.ones(int(counted.sum())) if frequency is None else frequency[counted]


def _mean_advice(state: AnalysisState, model: ModelState, counted: BoolArray) -> list[Advice]:
    """The mean prediction against the mean outcome, with the noise of their difference."""
    predicted, actual = model.scores.predicted, state.problem.actual
    assert predicted is not None  # an interval problem takes no other models
    assert actual is not None
    weight = _weights(state, counted)
    size = float(weight.sum())
    gap = actual[counted] - predicted[counted]
    mean = float(weight @ gap) / size
    spread = float(weight @ (gap - mean) ** 2) / size
    noise = STANDARD_ERRORS * math.sqrt(spread / size)
    said = float(weight @ predicted[counted]) / size
    happened = float(weight @ actual[counted]) / size
    name, number = model.scores.name, state.problem.words.number
    words = f"{format_value(said)}, the {number} {format_value(happened)}"
    if abs(mean) <= noise:
        text = f"{name}: predictions are right on average: {words}."
        return [Advice(state=OK, text=text)]
    return [
        Advice(
            state=WARNING,
            text=f"{name}: predictions are too {'low' if mean > 0 else 'high'} on average: "
            f"{words}.",
            detail="The difference is more than chance explains. Decisions and expected amounts "
            "take predictions as they are.",
        )
    ]


def _knot_advice(state: AnalysisState, model: ModelState, counted: BoolArray) -> list[Advice]:
    """How many predictions lie where the lines of the matrix are only carried on."""
    knots, predicted = state.problem.knots, model.scores.predicted
    assert knots is not None
    assert predicted is not None
    if knots.shape[0] == 1:
        return []
    values, weight = predicted[counted], _weights(state, counted)
    beyond = float(weight[(values < knots[0]) | (values > knots[-1])].sum() / weight.sum())
    if beyond <= MANY_BEYOND:
        return []
    low, high = format_value(float(knots[0])), format_value(float(knots[-1]))
    return [
        Advice(
            state=WARNING,
            text=f"{model.scores.name}: {format_share(beyond)} of the predictions lie outside the "
            f"knots {low} to {high}.",
            detail="There the last straight line of each column is carried on. Add a knot if the "
            "amounts bend.",
        )
    ]
