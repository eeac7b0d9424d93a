"""Interval problems for tests, and their answers worked out case by case in plain Python."""

import math

import numpy as np

from core.decisions import interval_problem, predicted_scores
from core.document.decisions.matrix_model import MatrixKind

KNOTS = (0.0, 10.0, 50.0)
GIFTS = np.array([[-0.68, -2.0, 0.0], [9.32, 7.0, 0.0], [49.32, 60.0, 0.0]])
NAMES = ("Mail", "Call", "Do nothing")


def predictions(rows, seed=1, *, steps=0):
    """Predicted amounts, some beyond the knots; ``steps`` > 0 makes ties."""
    values = np.random.default_rng(seed).normal(14.0, 22.0, rows)
    return np.round(values / steps) * steps if steps else values


def outcomes(predicted, seed=2):
    """Amounts around the predictions, half of them 0."""
    draw = np.random.default_rng(seed)
    near = predicted + draw.normal(0.0, 8.0, predicted.shape[0])
    return np.where(draw.random(predicted.shape[0]) < 0.5, near, 0.0)


def gift_problem(predicted, cells=GIFTS, knots=KNOTS, **settings):
    settings.setdefault("decisions", NAMES[: cells.shape[1]])
    settings.setdefault("actual", outcomes(predicted))
    return interval_problem(knots=knots, cells=cells, **settings)


def model(predicted, name="m", **settings):
    return predicted_scores(name, predicted, **settings)


# ------------------------------------------------------------------ by hand


def line(problem, row, value, decision):
    """L(i, y, d) in the sense of profit, by the formula of the source, corrected."""
    knots = [float(knot) for knot in problem.knots]
    sign = -1.0 if problem.kind is MatrixKind.LOSS else 1.0
    cost = 0.0 if problem.cost_amounts is None else float(problem.cost_amounts[decision])
    if decision in problem.cost_columns:
        cost = float(problem.cost_columns[decision][row])
    amount = [sign * float(cells[decision]) for cells in problem.cells]
    if len(knots) == 1:
        return amount[0] - cost
    if value < knots[0]:
        place = 0
    elif value >= knots[-1]:
        place = len(knots) - 2
    else:
        place = max(j for j in range(len(knots) - 1) if knots[j] <= value)
    share = (value - knots[place]) / (knots[place + 1] - knots[place])
    return amount[place] + share * (amount[place + 1] - amount[place]) - cost


def by_hand(problem, scores):
    """Per case: decision, E, C, B."""
    tolerance = float(np.abs(problem.cells).max()) * 2.0**-41
    found = []
    for row, predicted in enumerate(scores.predicted):
        expected = [line(problem, row, predicted, d) for d in range(len(problem.decisions))]
        best = 0
        for place in range(1, len(expected)):
            if expected[place] > expected[best] + tolerance:
                best = place
        actual = float(problem.actual[row])
        realised = [line(problem, row, actual, d) for d in range(len(problem.decisions))]
        found.append((best, expected[best], realised[best], max(realised)))
    return found


def total_by_hand(problem, scores):
    frequency = np.ones(len(scores.predicted)) if problem.frequency is None else problem.frequency
    cases = by_hand(problem, scores)
    return math.fsum(f * case[2] for f, case in zip(frequency, cases, strict=True))
