"""Swap sets: who moves between two ways to decide the same cases, and what the moves bring.

A case in a group of ties at the edge of a depth is acted on by a share. Of two shares the common
part counts as both, what is left over as one of them only: no other split moves fewer cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.decisions.passes.case_values import CaseValues
from core.decisions.passes.workspace import ModelState
from core.decisions.problem import DecisionProblem
from core.decisions.uncertainty.paired import cut_of
from core.document.results import Estimate, PairedDifference, RowsNote
from core.document.studies.decided_cases import (
    BOTH,
    FIRST,
    GROUPS,
    NEITHER,
    SECOND,
    SwapGroup,
    SwapSet,
)
from core.inference.normal import error_of_interval, normal_p_value
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, FloatArray, IntArray

METRIC = "profit of the swap"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way:
    """One way to decide k cases, valued under the matrix that judges.

    Attributes
    ----------
    label : str
    share : array (k,)
        By which a case is acted on.
    acted, rested : array (k,)
        What the case brings where it is acted on, and where not.
    decision : array (k,), optional
        Of each case, where it is whole.
    model : str
        Whose scores it goes by.
    """

    label: str
    share: FloatArray
    acted: FloatArray
    rested: FloatArray
    decision: IntArray | None = None
    model: str = ""


def way_by_rule(
    problem: DecisionProblem, values: CaseValues, label: str, *, judge: CaseValues | None = None
) -> Way:
    """Every case gets its own decision.

    Parameters
    ----------
    problem : DecisionProblem
        By which it is decided.
    values : CaseValues
        The cases under that problem.
    label : str
    judge : CaseValues, optional
        The same cases under the matrix that values the decisions; left out = ``values``.

    Raises
    ------
    PayoffError
        If a decision is not in the matrix that judges.
    """
    own = values.own_decision()
    judge = judge or values
    place = _places(values, judge)[own]
    realised = judge.realised(place)
    return Way(
        label=label,
        share=is_action(problem, values)[own].astype(np.float64),
        acted=realised,
        rested=realised,
        decision=place,
    )


def way_at_depth(
    values: CaseValues,
    model: ModelState,
    depth: float,
    label: str,
    *,
    judge: CaseValues | None = None,
) -> Way:
    """The best cases of a model down to a depth are acted on, the others not.

    Parameters and refusals as ``way_by_rule``; ``model`` gives the order of the cases.
    """
    point = model.curve.points(np.array([min(max(depth, 0.0), 1.0)]))
    judge = judge or values
    places = _places(values, judge)
    return Way(
        label=label,
        share=shares_within(model, cut_of(point), values.rows),
        acted=judge.realised(int(places[values.acting])),
        rested=judge.realised(places[values.rest_decision()]),
    )


def _places(values: CaseValues, judge: CaseValues) -> IntArray:
    """Where the decisions of one matrix stand in another."""
    if values is judge:
        return np.arange(len(values.names))
    missing = [name for name in values.names if name not in judge.names]
    if missing:
        raise PayoffError(
            f"The matrix that judges knows no decision '{missing[0]}'.",
            why=f"It has {', '.join(judge.names)}.",
            remedy="Give both matrices the same names of decisions.",
        )
    return np.array([judge.names.index(name) for name in values.names], dtype=np.int64)


def is_action(problem: DecisionProblem, values: CaseValues) -> BoolArray:
    """Which decisions count as acting: all but doing nothing; without one named, acting alone."""
    names = np.array(values.names)
    if problem.do_nothing is None:
        return np.asarray(np.arange(len(names)) == values.acting)
    return np.asarray(names != problem.do_nothing)


def shares_within(model: ModelState, cut: tuple[float, float], rows: IntArray) -> FloatArray:
    """By which share each of some rows lies within a depth."""
    key, sign = model.curve.ordering.key[rows], model.curve.ordering.sign
    return np.where(key == cut[0], cut[1], ((key - cut[0]) * sign > 0).astype(np.float64))


def compare_ways(
    problem: DecisionProblem,
    values: CaseValues,
    first: Way,
    second: Way,
    *,
    rows: RowsNote,
    judged_by: str = "",
) -> SwapSet:
    """Who moves between two ways to decide, and what that brings.

    Parameters
    ----------
    problem : DecisionProblem
        Whose matrix judges.
    values : CaseValues
        The cases under that matrix.
    first, second : Way
    rows : RowsNote
    judged_by : str
        Whose matrix it is, in words.

    Raises
    ------
    PayoffError
        If the ways decide different cases.
    """
    if first.share.shape != second.share.shape or first.share.shape != values.level.shape:
        raise PayoffError(
            "The two do not decide the same cases.",
            why=f"{counted(first.share.shape[0], 'case')} against {second.share.shape[0]:,}.",
        )
    parts = _parts(first.share, second.share)
    groups = tuple(_group(values, name, parts[name], first, second) for name in GROUPS)
    value = _value(first) - _value(second)
    whole = _group_of(values, "all", np.ones_like(value), _value(first), _value(second))
    estimate = values.estimate(value)
    return SwapSet(
        rows=rows,
        first=first.label,
        second=second.label,
        first_depth=_depth(values, first),
        second_depth=_depth(values, second),
        levels=problem.levels,
        decisions=values.names,
        groups=groups,
        everyone=whole,
        difference=_paired(first.label, second.label, estimate),
        moves=_moves(values, first, second),
        judged_by=judged_by,
        holds_fixed=values.holds_fixed,
        models=(first.model, second.model),
    )


def _value(way: Way) -> FloatArray:
    return np.asarray(way.rested + way.share * (way.acted - way.rested))


def _depth(values: CaseValues, way: Way) -> float:
    return float(values.weight @ way.share / values.size)


def _parts(first: FloatArray, second: FloatArray) -> dict[str, FloatArray]:
    both = np.minimum(first, second)
    return {
        BOTH: both,
        FIRST: first - both,
        SECOND: second - both,
        NEITHER: 1.0 - np.maximum(first, second),
    }


def _group(values: CaseValues, name: str, part: FloatArray, first: Way, second: Way) -> SwapGroup:
    one = first.acted if name in (BOTH, FIRST) else first.rested
    other = second.acted if name in (BOTH, SECOND) else second.rested
    return _group_of(values, name, part, one, other)


def _group_of(
    values: CaseValues, name: str, part: FloatArray, one: FloatArray, other: FloatArray
) -> SwapGroup:
    by_class = values.by_class(part)
    cases = float(by_class.sum())
    return SwapGroup(
        name=name,
        cases=cases,
        class_cases=tuple(map(float, by_class)),
        event_rate=_rate(values, part, by_class),
        first=float(values.by_class(part * one).sum()),
        second=float(values.by_class(part * other).sum()),
        difference=values.estimate(part * (one - other)),
    )


def _rate(values: CaseValues, part: FloatArray, by_class: FloatArray) -> Estimate:
    """Share of the first class with Wilson's interval (1927) at the effective number of cases.

    A row that stands for several cases counts as these; one with a sampling weight as one.
    """
    cases = float(by_class.sum())
    weight = values.weight * part
    copies = np.ones(len(weight)) if values.is_sampled else values.frequency
    squares = float(
        np.sum(np.divide(weight**2, copies, where=copies > 0, out=np.zeros_like(weight)))
    )
    if cases <= 0 or squares <= 0:
        return Estimate(value=math.nan, low=math.nan, high=math.nan, note="no case")
    share = float(by_class[0]) / cases
    (low,), (high,) = wilson_interval(np.array([share]), np.array([cases**2 / squares]))
    return Estimate(value=share, low=float(low), high=float(high), method="Wilson")


def _paired(first: str, second: str, estimate: Estimate) -> PairedDifference:
    return PairedDifference(
        first=first,
        second=second,
        metric=METRIC,
        estimate=estimate,
        p_value=normal_p_value(estimate.value, error_of_interval(estimate.low, estimate.high) ** 2),
    )


def _moves(values: CaseValues, first: Way, second: Way) -> tuple[tuple[float, ...], ...]:
    if first.decision is None or second.decision is None:
        return ()
    width = len(values.names)
    place = first.decision * width + second.decision
    sums = np.bincount(place, weights=values.weight, minlength=width * width)
    return tuple(tuple(map(float, row)) for row in sums.reshape(width, width))
