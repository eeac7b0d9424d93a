"""Advice on predictions of a number: their mean, and how many lie beyond the knots."""

from __future__ import annotations

import math

import numpy as np

from core.decisions.number_targets.rule import format_value
from core.decisions.workspace import AnalysisState, ModelState
from core.document.results import Advice
from core.document.wording import format_share
from payoff.types import BoolArray, FloatArray

OK, WARNING = "ok", "warning"

Counted = BoolArray | slice
"""Which rows count: a mark for each, or all of them."""

STANDARD_ERRORS = 3.0
MANY_BEYOND = 0.05
"""Share of predictions beyond the outer knots that is worth a word."""


def number_advice(state: AnalysisState) -> list[Advice]:
    """Per model: whether its predictions are right on average, and inside the knots."""
    marks = state.rows.marks
    assert state.problem.actual is not None  # counted_rows refuses without
    counted = marks == 0 if marks.shape[0] else slice(None)  # all: nothing is copied
    found: list[Advice] = []
    for model in state.models:
        found += _mean_advice(state, model, counted)
        found += _knot_advice(state, model, counted)
    return found


def _mean(state: AnalysisState, counted: Counted, values: FloatArray) -> float:
    """Mean over the cases; ``values`` are those of the counted rows."""
    frequency = state.problem.frequency
    if frequency is None:
        return float(values.mean())
    weight = frequency[counted]
    return float(weight @ values) / float(weight.sum())


def _mean_advice(state: AnalysisState, model: ModelState, counted: Counted) -> list[Advice]:
    """The mean prediction against the mean outcome, with the noise of their difference."""
    predicted, actual = model.scores.predicted, state.problem.actual
    assert predicted is not None  # an interval problem takes no other models
    assert actual is not None
    gap = actual[counted] - predicted[counted]
    size = float(state.rows.class_cases.sum())
    mean = _mean(state, counted, gap)
    gap -= mean
    np.multiply(gap, gap, out=gap)
    noise = STANDARD_ERRORS * math.sqrt(_mean(state, counted, gap) / size)
    described = _mean(state, counted, predicted[counted])
    happened = _mean(state, counted, actual[counted])
    name, number = model.scores.name, state.problem.words.number
    words = f"{format_value(described)}, the {number} {format_value(happened)}"
    if abs(mean) <= noise:
        text = f"{name}: predictions are not off on average by more than chance explains: {words}."
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


def _knot_advice(state: AnalysisState, model: ModelState, counted: Counted) -> list[Advice]:
    """How many predictions lie where the lines of the matrix are only carried on."""
    knots, predicted = state.problem.knots, model.scores.predicted
    assert knots is not None
    assert predicted is not None
    if knots.shape[0] == 1:
        return []
    values = predicted[counted]
    is_beyond = (values < knots[0]) | (values > knots[-1])
    beyond = _mean(state, counted, is_beyond.astype(np.float64))
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
