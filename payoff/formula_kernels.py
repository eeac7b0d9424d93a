"""Kernels of losses and metrics that are written as formulas of one case.

A template holds the loop and the names of what it calls; a copy of it is bound to the functions
of one spec. So it compiles, and is kept on disk, like a kernel written out by hand, and no
compiled function is handed to another. Every copy has a name of its own that begins with the
spec's id: compiled code is filed by that name.

Loops run over strips of ``STRIP`` cases. In a strip the link is evaluated first, for formulas
that ask for the prediction; arrays are cut to the strip, so that the loop over the formula
compiles to vector instructions where the formula allows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, kernel
from payoff.numeric import (
    exp_or_infinity,
    fill_exp,
    fill_log,
    newton_leaf_values,
    sigmoid,
    weighted_quantile,
)
from payoff.specs import Kernel
from payoff.types import AnyArray, FloatArray, IntArray, StopFlag

STRIP = 512
"""Cases whose predictions are worked out together: they stay in the nearest cache."""

MOST_STEPS = 200

BEST_LIMIT, STEP_LIMIT, SCORE_LIMIT = 0, 1, 2
"""Where a leaf without counts goes: see ``log_ratio`` of ``payoff.own_loss``."""

_FORMULA = "__payoff_formula__"

Formula = Callable[..., Any]


# What the link gives to a formula that asks for it. Where cases are filled: first in strips
# (``fill``), then case by case (``pick``). Where they are summed, one by one (``link``).
@kernel(shape="helper")
def fill_nothing(score: FloatArray, room: FloatArray) -> None:
    """Fill nothing: no formula asks for the prediction."""


@kernel(shape="helper")
def pick_nothing(score: float, room: FloatArray, i: int) -> tuple[()]:
    """Return no argument of the link."""
    return ()


@kernel(shape="helper")
def link_nothing(score: float) -> tuple[()]:
    """Return no argument of the link."""
    return ()


@kernel(shape="helper")
def fill_exponential(score: FloatArray, room: FloatArray) -> None:
    """Fill exp F of (m,) scores."""
    for i in range(score.shape[0]):
        room[0, i] = exp_or_infinity(score[i])


@kernel(shape="helper")
def pick_exponential(score: float, room: FloatArray, i: int) -> tuple[float]:
    """Return the prediction exp F."""
    return (room[0, i],)


@kernel(shape="helper")
def pick_exponential_and_gradient(score: float, room: FloatArray, i: int) -> tuple[float, float]:
    """Return the prediction exp F, and its slope by the score: the same."""
    return room[0, i], room[0, i]


@kernel(shape="helper")
def link_exponential(score: float) -> tuple[float]:
    """Return the prediction exp F."""
    return (exp_or_infinity(score),)


@kernel(shape="helper")
def link_exponential_and_gradient(score: float) -> tuple[float, float]:
    """Return the prediction exp F, and its slope by the score: the same."""
    mean = exp_or_infinity(score)
    return mean, mean


@kernel(shape="helper")
def fill_logistic(score: FloatArray, room: FloatArray) -> None:
    """Fill exp(-|F|) of (m,) scores."""
    size, power = room[0, : score.shape[0]], room[1, : score.shape[0]]
    for i in range(score.shape[0]):
        size[i] = -abs(score[i])
    fill_exp(size, power)


@kernel(shape="helper")
def pick_probability(score: float, room: FloatArray, i: int) -> tuple[float]:
    """Return the chance p = 1 / (1 + exp(-F))."""
    less = room[1, i] * (1.0 / (1.0 + room[1, i]))  # the smaller of p and 1 - p
    return ((1.0 - less if score >= 0.0 else less),)


@kernel(shape="helper")
def pick_probability_and_gradient(score: float, room: FloatArray, i: int) -> tuple[float, float]:
    """Return the chance p and its slope by the score, p (1 - p)."""
    part = 1.0 / (1.0 + room[1, i])
    less = room[1, i] * part
    return (1.0 - less if score >= 0.0 else less), less * part


@kernel(shape="helper")
def link_probability(score: float) -> tuple[float]:
    """Return the chance p = 1 / (1 + exp(-F))."""
    return (sigmoid(score),)


@kernel(shape="helper")
def link_probability_and_gradient(score: float) -> tuple[float, float]:
    """Return the chance p and its slope by the score, p (1 - p)."""
    probability = sigmoid(score)
    return probability, probability * sigmoid(-score)


@kernel(shape="helper")
def no_values(parameters: FloatArray) -> tuple[()]:
    """Return the parameters of a loss without any."""
    return ()


@kernel(shape="helper")
def one_value(parameters: FloatArray) -> tuple[float]:
    """Return the one parameter."""
    return (parameters[0],)


@kernel(shape="helper")
def two_values(parameters: FloatArray) -> tuple[float, float]:
    """Return two parameters."""
    return parameters[0], parameters[1]


@kernel(shape="helper")
def three_values(parameters: FloatArray) -> tuple[float, float, float]:
    """Return three parameters."""
    return parameters[0], parameters[1], parameters[2]


@kernel(shape="helper")
def four_values(parameters: FloatArray) -> tuple[float, float, float, float]:
    """Return four parameters."""
    return parameters[0], parameters[1], parameters[2], parameters[3]


PARAMETER_TUPLES = (no_values, one_value, two_values, three_values, four_values)


def values_of(count: int, owner: str) -> Formula:
    """Return what gives a formula its parameters, as a tuple.

    Raises
    ------
    PayoffError
        If there are more than formulas take.
    """
    if count < len(PARAMETER_TUPLES):
        return PARAMETER_TUPLES[count]
    raise PayoffError(
        f"{owner} has {counted(count, 'parameter')}.",
        why=f"Formulas take up to {len(PARAMETER_TUPLES) - 1}.",
        remedy="Write it as kernels over arrays.",
    )


# The names bound in each copy of the templates; here any function that fits.
VALUES: Formula = no_values
PICK: Formula = pick_nothing
FILL: Formula = fill_nothing
LINK: Formula = link_nothing
FORMULA: Formula = fill_nothing
STEP: Formula = fill_nothing
RULE: Formula = fill_nothing
LIMIT: Formula = fill_nothing
SCORE: Formula = math.log
OUTCOME: Formula = math.log
KEEP: Formula = math.log
LEVEL = 0.5
PLACE = 0
LOWEST = -math.inf
HIGHEST = math.inf
KIND = BEST_LIMIT
IS_OF_MEAN = False
NEEDS_OTHERS = True


def loss_rows(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the loss of each case."""
    values = VALUES(parameters)
    room = np.empty((2, STRIP))
    for first in range(start, stop, STRIP):
        last = min(stop, first + STRIP)
        y, f, to = outcome[first:last], score[0, first:last], out[first:last]
        FILL(f, room)
        for i in range(f.shape[0]):
            to[i] = FORMULA(y[i], f[i], *PICK(f[i], room, i), *values)


def step_rows(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the negative gradient and the curvature of each case."""
    values = VALUES(parameters)
    room = np.empty((2, STRIP))
    for first in range(start, stop, STRIP):
        last = min(stop, first + STRIP)
        y, f = outcome[first:last], score[0, first:last]
        pull, hessian = gradient[0, first:last], curvature[0, first:last]
        FILL(f, room)
        for i in range(f.shape[0]):
            pull[i], hessian[i] = FORMULA(y[i], f[i], *PICK(f[i], room, i), *values)


def saturated_rows(
    outcome: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the loss of a perfect prediction."""
    values = VALUES(parameters)
    for i in range(start, stop):
        out[i] = FORMULA(outcome[i], *values)


def deviance_rows(
    outcome: FloatArray,
    prediction: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill loss less saturated at predictions; logs of y / mu come from the host."""
    values = VALUES(parameters)
    ratio, log_ratio = np.empty(STRIP), np.empty(STRIP)
    for first in range(start, stop, STRIP):
        last = min(stop, first + STRIP)
        y, mean, to = outcome[first:last], prediction[0, first:last], out[first:last]
        for i in range(y.shape[0]):
            ratio[i] = y[i] / mean[i] if y[i] > 0.0 else 1.0
        fill_log(ratio[: y.shape[0]], log_ratio[: y.shape[0]])
        for i in range(y.shape[0]):
            to[i] = FORMULA(y[i], mean[i], log_ratio[i], *values)


def response_rows(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill predictions of scores by the loss's own link, or scores of predictions."""
    values = VALUES(parameters)
    for i in range(start, stop):
        out[0, i] = FORMULA(score[0, i], *values)


@kernel(shape="helper")
def event_of(code: int) -> float:
    """Return 1 for the event, the first level, and 0 for any other."""
    return 1.0 if code == 0 else 0.0


@kernel(shape="helper")
def number_of(outcome: float) -> float:
    """Return an outcome that is a number."""
    return outcome


# How the answer of a metric's formula is kept: a number, a number and how much the case counts,
# or several of either, for metrics that combine several means.
@kernel(shape="helper")
def keep_number(to: FloatArray, factor: FloatArray, i: int, answer: float) -> None:
    """Keep the figure of one case."""
    to[0, i] = answer
    factor[0, i] = 1.0


@kernel(shape="helper")
def keep_pair(to: FloatArray, factor: FloatArray, i: int, answer: tuple[float, float]) -> None:
    """Keep the figure of one case and how much it counts."""
    to[0, i] = answer[0]
    factor[0, i] = answer[1]


@kernel(shape="helper")
def keep_numbers(to: FloatArray, factor: FloatArray, i: int, answer: tuple[float, ...]) -> None:
    """Keep several figures of one case."""
    for k in range(len(answer)):
        to[k, i] = answer[k]
        factor[k, i] = 1.0


@kernel(shape="helper")
def keep_pairs(
    to: FloatArray, factor: FloatArray, i: int, answer: tuple[tuple[float, float], ...]
) -> None:
    """Keep several figures of one case, each with how much it counts."""
    for k in range(len(answer)):
        to[k, i] = answer[k][0]
        factor[k, i] = answer[k][1]


def case_rows(
    outcome: AnyArray,
    prediction: FloatArray,
    parameters: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the figure of each case; y of classes is 1 for the event."""
    values = VALUES(parameters)
    y, p = outcome[start:stop], prediction[0, start:stop]
    to, counts = contribution[:, start:stop], factor[:, start:stop]
    for i in range(y.shape[0]):
        KEEP(to, counts, i, FORMULA(OUTCOME(y[i]), p[i], *values))


def column_rows(
    outcome: AnyArray,
    prediction: FloatArray,
    parameters: FloatArray,
    column: FloatArray,
    contribution: FloatArray,
    factor: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the figure of each case of a metric that reads a column of the data."""
    values = VALUES(parameters)
    y, p, own = outcome[start:stop], prediction[0, start:stop], column[start:stop]
    to, counts = contribution[:, start:stop], factor[:, start:stop]
    for i in range(y.shape[0]):
        KEEP(to, counts, i, FORMULA(OUTCOME(y[i]), p[i], own[i], *values))


def ranked_draws(
    events: FloatArray,
    others: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill the figure of each draw of a ranked metric, NaN without what it needs."""
    values = VALUES(parameters)
    last = events.shape[1] - 1
    for draw in range(start, stop):
        has_others = last >= 0 and (others[draw, last] > 0.0 or not NEEDS_OTHERS)
        if has_others and events[draw, last] > 0.0:
            out[draw] = FORMULA(events[draw], others[draw], *values)
        else:
            out[draw] = math.nan


def newton_start(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill one Newton step from the offsets, 0 without curvature."""
    values = VALUES(parameters)
    gradient = 0.0
    hessian = 0.0
    for i in range(outcome.shape[0]):
        f = offset[0, i]
        pull, own = FORMULA(outcome[i], f, *LINK(f), *values)
        gradient += weight[i] * pull
        hessian += weight[i] * own
    out[0] = gradient / hessian if hessian > 0.0 else 0.0


def rule_start(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill what a rule gives for all cases, 0 where that is no number."""
    value = RULE(outcome, offset[0], weight, *VALUES(parameters))
    out[0] = value if math.isfinite(value) else 0.0


def rule_leaves(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill what a rule gives for the cases of each leaf, 0 where that is no number."""
    values = VALUES(parameters)
    for leaf in range(first_group, last_group):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        value = RULE(outcome[cases], score[0][cases], weight[cases], *values)
        out[leaf] = value if math.isfinite(value) else 0.0


def minus_newton_leaves(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the Newton values of leaves with the other sign."""
    newton_leaf_values(
        outcome,
        score,
        weight,
        gradient,
        curvature,
        parameters,
        output,
        rows,
        offsets,
        out,
        first_group,
        last_group,
    )
    for leaf in range(first_group, last_group):
        out[leaf] = -out[leaf]


def fixed_quantile(y: FloatArray, f: FloatArray, weight: FloatArray, *values: float) -> float:
    """Return the weighted quantile of y - F at a fixed level."""
    return weighted_quantile(y - f, weight, LEVEL)


def quantile_of_parameter(
    y: FloatArray, f: FloatArray, weight: FloatArray, *values: float
) -> float:
    """Return the weighted quantile of y - F at the level that is a parameter."""
    return weighted_quantile(y - f, weight, values[PLACE])


def ratio_start(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the log of what was counted over what is expected at the offsets."""
    values = VALUES(parameters)
    counted = 0.0
    expected = 0.0
    for i in range(outcome.shape[0]):
        f = offset[0, i]
        pull, hessian = STEP(outcome[i], f, *LINK(f), *values)
        part, whole = FORMULA(outcome[i], pull, hessian, *values)
        counted += weight[i] * part
        expected += weight[i] * whole
    if counted > 0.0 and expected > 0.0:
        out[0] = math.log(counted / expected)
    else:
        out[0] = LOWEST if -math.inf < LOWEST else 0.0


def ratio_leaves(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the log of what was counted in each leaf over what is expected of it."""
    values = VALUES(parameters)
    for leaf in range(first_group, last_group):
        counted = 0.0
        expected = 0.0
        least = math.inf
        most = -math.inf
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            part, whole = FORMULA(outcome[i], gradient[0, i], curvature[0, i], *values)
            counted += weight[i] * part
            expected += weight[i] * whole
            if KIND != BEST_LIMIT or weight[i] > 0.0:
                least = min(least, score[0, i])
                most = max(most, score[0, i]) if KIND == SCORE_LIMIT else most
        out[leaf] = LIMIT(counted, expected, least, most)


def limited_log_ratio(counted: float, expected: float, least: float, most: float) -> float:
    """Return log(counted / expected) within the limits of a leaf's scores ``least`` to ``most``.

    Where nothing was counted the best score is minus infinity. ``BEST_LIMIT``: the lowest score
    goes to ``LOWEST`` instead, and never up. ``STEP_LIMIT``: the value itself is ``LOWEST``.
    ``SCORE_LIMIT``: as that, and no score of the leaf leaves ``LOWEST`` to ``HIGHEST``.
    """
    if KIND == BEST_LIMIT:
        if expected <= 0.0:
            return 0.0
        if counted > 0.0:
            return math.log(counted / expected)
        return min(LOWEST - least, 0.0) if -math.inf < LOWEST else 0.0
    value = LOWEST
    if counted > 0.0:
        value = math.log(counted / expected) if expected > 0.0 else 0.0
    if KIND == STEP_LIMIT or math.isinf(least):
        return value
    return min(max(value, LOWEST - least), HIGHEST - most)


def total_step(
    y: FloatArray, f: FloatArray, weight: FloatArray, shift: float, *values: float
) -> tuple[float, float]:
    """Return the sums of w gradient and w curvature when all scores move by a shift."""
    gradient = 0.0
    hessian = 0.0
    for i in range(y.shape[0]):
        moved = f[i] + shift
        pull, own = FORMULA(y[i], moved, *LINK(moved), *values)
        gradient += weight[i] * pull
        hessian += weight[i] * own
    return gradient, hessian


def balanced(y: FloatArray, f: FloatArray, weight: FloatArray, *values: float) -> float:
    """Return the shift at which the gradients balance: Newton steps in a shrinking bracket.

    The bracket begins at the shifts that bring the scores furthest down and furthest up to the
    score of the mean outcome. With ``IS_OF_MEAN`` it holds the balance; else its ends are moved
    outwards until the gradients say so. Plain Newton from 0 can run away.
    """
    total = 0.0
    mass = 0.0
    least = math.inf
    most = -math.inf
    for i in range(y.shape[0]):
        total += weight[i] * y[i]
        mass += weight[i]
        if weight[i] > 0.0:
            least = min(least, f[i])
            most = max(most, f[i])
    if mass <= 0.0:
        return 0.0
    plain = min(max(SCORE(total / mass), LOWEST), HIGHEST)
    low = plain - most
    high = plain - least
    if not IS_OF_MEAN:
        low, high = outer_bracket(y, f, weight, low, high, *values)
    value: float = 0.5 * (low + high)
    for _ in range(MOST_STEPS):
        if high - low <= 1e-14 * max(1.0, abs(value)):
            break
        gradient, hessian = RULE(y, f, weight, value, *values)
        if gradient > 0.0:
            low = value
        else:
            high = value
        following = value + (gradient / hessian if hessian > 0.0 else math.inf)
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - value) <= 1e-15 * max(1.0, abs(value)):
            break
        value = following
    return value


def outer_bracket(
    y: FloatArray, f: FloatArray, weight: FloatArray, low: float, high: float, *values: float
) -> tuple[float, float]:
    """Return shifts with the balance between them: ends go out by steps that double."""
    for side in (-1.0, 1.0):
        width = 1.0
        for _ in range(MOST_STEPS):
            end = low if side < 0.0 else high
            gradient, _ = RULE(y, f, weight, end, *values)
            if gradient * side <= 0.0 or not LOWEST < end < HIGHEST:
                break
            if side < 0.0:
                high, low = min(high, low), max(low - width, LOWEST)
            else:
                low, high = max(low, high), min(high + width, HIGHEST)
            width *= 2.0
    return low, high


def bind(
    template: Callable[..., Any], name: str, shape: KernelShape | str, **names: object
) -> Kernel:
    """Return a copy of a template with names bound, marked as a kernel.

    Parameters
    ----------
    template : function
    name : str
        Begins with the loss's id, and is given to one copy only.
    shape : str
    names : functions and numbers
        What the template calls, by the names above. The formula among them is what
        ``formula_of`` gives back.
    """
    assert isinstance(template, FunctionType)
    scope = {**template.__globals__, **names}
    copy = FunctionType(template.__code__, scope, name, template.__defaults__, template.__closure__)
    copy.__qualname__, copy.__module__ = name, template.__module__
    copy.__doc__ = template.__doc__
    written = names.get("FORMULA", names.get("RULE"))
    note_formula(copy, getattr(written, _FORMULA, written))
    return kernel(shape=shape)(copy)


def note_formula(function: object, formula: object) -> None:
    """Note what a function was made of, for ``formula_of``."""
    setattr(function, _FORMULA, formula)


def formula_of(function: object) -> FunctionType | None:
    """Return the formula that a kernel was made of, or None for a kernel written by hand."""
    found = getattr(function, _FORMULA, None)
    return found if isinstance(found, FunctionType) else None
