"""The rule of an interval target: for which predictions each decision is best, in words.

Problems of interval targets: the outcome is a number, rows of the matrix are its knots.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.decisions.advice.thresholds import Region
from core.decisions.number_targets.knots import (
    KnotTable,
    PredictedQuantiles,
    band_codes,
    band_names,
    sorted_knots,
)
from core.decisions.problem import LARGEST, DecisionProblem, LeafCases, ModelScores, Words
from core.decisions.ties import first_best_of
from core.document.decisions.matrix_model import MatrixKind
from core.document.wording import MINUS, format_number, join_words
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray


def _check_size(what: str, values: FloatArray | None) -> None:
    """Refuse numbers whose squares, added up, would overflow."""
    if values is None:
        return
    ends = np.fmin.reduce(values, initial=0.0), np.fmax.reduce(values, initial=0.0)
    if max(-ends[0], ends[1]) <= LARGEST:
        return  # the usual case, without an array in between
    bad = np.flatnonzero(np.isfinite(values) & (np.abs(values) > LARGEST))
    if len(bad):
        raise PayoffError(
            f"The {what} is {values[bad[0]]:g}.",
            where=f"row {int(bad[0]) + 1}",
            why="Sums of such numbers overflow.",
            remedy="Use a larger unit, or mend the value.",
        )


def interval_problem(
    *,
    knots: Sequence[float] | FloatArray,
    decisions: tuple[str, ...],
    cells: FloatArray,
    kind: MatrixKind = MatrixKind.PROFIT,
    actual: FloatArray | None = None,
    frequency: FloatArray | None = None,
    cost_amounts: FloatArray | None = None,
    cost_columns: Mapping[int, FloatArray] | None = None,
    acting: str = "",
    do_nothing: str | None = None,
    words: Words | None = None,
) -> DecisionProblem:
    """The problem of an interval target; rows of ``cells`` are knots, in any order.

    Classes of the outcome, in counts and tables, are the bands that begin at the knots.

    Parameters
    ----------
    knots : array (knots,)
    cells : array (knots, decisions)
    actual : array (n,), optional
        The outcome; missing = NaN.

    Other parameters are those of ``DecisionProblem``.

    Raises
    ------
    PayoffError
        As ``DecisionProblem``; also for knots that stand twice or are no numbers.
    """
    rising, order = sorted_knots(knots)
    actual = None if actual is None else np.require(actual, np.float64, ("C", "W"))
    _check_size("outcome", actual)
    _check_size("knot", rising)
    cells = np.asarray(cells, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != rising.shape[0]:
        raise PayoffError(
            f"{counted(rising.shape[0], 'knot does', 'knots do')} not fit cells of shape "
            f"{cells.shape}.",
            where="decision matrix",
            remedy="Give one row per knot.",
        )
    return DecisionProblem(
        levels=band_names(rising),
        decisions=decisions,
        cells=np.ascontiguousarray(cells[order]),
        kind=kind,
        outcome=None if actual is None else band_codes(actual, rising),
        frequency=frequency,
        cost_amounts=cost_amounts,
        cost_columns=cost_columns or {},
        acting=acting,
        do_nothing=do_nothing,
        words=words or Words(),
        knots=rising,
        actual=actual,
    )


def predicted_scores(
    name: str,
    predicted: FloatArray,
    *,
    quantiles: PredictedQuantiles | None = None,
    leaf: LeafCases | None = None,
) -> ModelScores:
    """A model of an interval target: one prediction per case, no chances.

    With ``quantiles`` expected consequences are averaged over the distribution of each case.
    """
    values = np.require(predicted, np.float64, ("C", "W"))  # one kind of array for the kernels
    _check_size(f"prediction of '{name}'", values)
    for quantile in quantiles.values if quantiles is not None else ():
        _check_size(f"quantile of '{name}'", quantile)
    return ModelScores(
        name=name,
        posteriors=np.empty((0, values.shape[0])),
        predicted=values,
        quantiles=quantiles,
        leaf=leaf,
    )


_SAME = 1e-9
"""Crossings nearer to each other than this share of the knots' span are one."""


def prediction_regions(problem: DecisionProblem) -> tuple[Region, ...]:
    """Which decision is best for which predictions, from minus to plus infinity.

    The only decision of a matrix stands against the implicit do-nothing, numbered one past it.
    Empty where costs differ by case: the prediction alone then decides nothing.
    """
    if problem.cost_columns or problem.knots is None:
        return ()
    knots, table = problem.knots, problem.knot_table
    if len(problem.decisions) == 1:
        nothing = np.zeros((knots.shape[0], 1))
        table = KnotTable(knots, np.hstack([table.amounts, nothing]))
    cuts = _cuts(knots, table.amounts)
    span = max(float(np.ptp(knots)), abs(float(knots[0])), 1.0)
    inner = [0.5 * (low + high) for low, high in pairwise(cuts)]
    probes = [cuts[0] - span, *inner, cuts[-1] + span] if cuts else [float(knots[0])]
    best = [first_best_of(values, problem.tie_tolerance) for values in table.at(np.array(probes)).T]
    regions: list[Region] = []
    for low, high, decision in zip([-math.inf, *cuts], [*cuts, math.inf], best, strict=True):
        if regions and regions[-1].decision == decision:
            regions[-1] = Region(decision, regions[-1].low, high)
        else:
            regions.append(Region(decision, low, high))
    return tuple(regions)


def _cuts(knots: FloatArray, amounts: FloatArray) -> list[float]:
    """Where two decisions may change places, rising: knots and crossings of their lines."""
    if knots.shape[0] == 1:
        return []
    found = {float(knot) for knot in knots}
    last = knots.shape[0] - 2
    for place in range(knots.shape[0] - 1):
        low = -math.inf if place == 0 else float(knots[place])
        high = math.inf if place == last else float(knots[place + 1])
        found |= _crossings(knots, amounts, place, low, high)
    rising = sorted(found)
    near = _SAME * max(float(np.ptp(knots)), 1e-300)
    return [value for i, value in enumerate(rising) if i == 0 or value - rising[i - 1] > near]


def _crossings(
    knots: FloatArray, amounts: FloatArray, place: int, low: float, high: float
) -> set[float]:
    """Values between ``low`` and ``high`` at which two lines of a segment meet."""
    step = float(knots[place + 1] - knots[place])
    start, slope = amounts[place], (amounts[place + 1] - amounts[place]) / step
    found = set()
    for first in range(amounts.shape[1]):
        for second in range(first + 1, amounts.shape[1]):
            steep = float(slope[first] - slope[second])
            if steep != 0.0:
                value = float(knots[place] + (start[second] - start[first]) / steep)
                if low < value < high:
                    found.add(value)
    return found


def number_threshold(problem: DecisionProblem) -> tuple[float, str] | None:
    """The one prediction above or below which acting is best, or None where there is no one."""
    regions, acting = prediction_regions(problem), problem.acting_index
    if len(regions) != 2:
        return None
    first, second = regions
    if second.decision == acting:
        return second.low, "above"
    return (first.high, "below") if first.decision == acting else None


def region_words(problem: DecisionProblem) -> str:
    """Regions as a list: “Mail” from 12.40 up, “Do nothing” below 12.40."""
    names = (*problem.decisions, "Do nothing")
    return join_words(
        [f"“{names[region.decision]}” {_span(region)}" for region in prediction_regions(problem)]
    )


def _span(region: Region) -> str:
    low, high = format_value(region.low), format_value(region.high)
    if math.isinf(region.low) and math.isinf(region.high):
        return "always"
    if math.isinf(region.low):
        return f"below {high}"
    return f"from {low} up" if math.isinf(region.high) else f"from {low} to {high}"


def format_value(value: float) -> str:
    """A value of the outcome with as many decimals as its size asks for: 12.40, 1,250, 0.0625."""
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    size = abs(value)
    if size >= 1000 or value == round(value):
        return format_number(value, 0)
    decimals = 2 if size >= 1 else min(6, 2 - math.floor(math.log10(size)))
    text: str = format_number(value, decimals)
    while decimals > 2 and text.endswith("0"):
        text, decimals = text[:-1], decimals - 1
    return text
