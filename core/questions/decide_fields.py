"""Fields of questions of page Decide that are filled in together: an axis, a way to decide, a list.

Each form has a frozen record of what was said; ``*_fields`` are the fields as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.model import Document
from core.document.results import DecisionResult
from core.document.studies.decided_cases import SwapSide
from core.document.studies.moving_numbers import MapAxis, TriedNumber
from core.questions.fields import FieldKind, FieldOption, FormField

# ---------------------------------------------------------------- axes of the winner map

Axes: TypeAlias = tuple[MapAxis, MapAxis]
"""Across and up."""
AXES = ("x", "y")
_AXIS_WORDS = ("Across", "Up")


def axis_fields(axes: Axes, numbers: Sequence[TriedNumber]) -> tuple[FormField, ...]:
    """Return which number is on each axis, and from where to where: "x", "x_low", "x_high"."""
    options = tuple(
        FieldOption(value=entry.number, words=entry.name[:1].upper() + entry.name[1:])
        for entry in numbers
    )
    shares = {entry.number for entry in numbers if entry.unit == "share"}
    found: list[FormField] = []
    for name, words, axis in zip(AXES, _AXIS_WORDS, axes, strict=True):
        number = FormField(
            name=name, label=words, kind=FieldKind.CHOICE, value=axis.number, options=options
        )
        found.append(number)
        ends = (("low", "", "lowest", axis.low), ("high", "to", "highest", axis.high))
        for end, label, spoken, value in ends:
            field = FormField(
                name=f"{name}_{end}", label=label, spoken=f"{words}, {spoken}", value=value
            )
            is_share = axis.number in shares
            found.append(replace(field, unit="%", factor=100.0) if is_share else field)
    return tuple(found)


def with_axis(axes: Axes, numbers: Sequence[TriedNumber], name: str, value: Any) -> Axes:
    """Return the axes after a field was filled in.

    Another number begins with its own range; the number of the other axis changes places.
    """
    axis, _, end = name.partition("_")
    place = AXES.index(axis)
    changed = list(axes)
    if end:
        ends = {"low": axes[place].low, "high": axes[place].high} | {end: float(value)}
        changed[place] = MapAxis(number=axes[place].number, **ends)
    elif value == axes[1 - place].number:
        changed.reverse()
    else:
        entry = next(entry for entry in numbers if entry.number == value)
        changed[place] = MapAxis(number=value, low=entry.low, high=entry.high)
    return changed[0], changed[1]


def has_number(document: Document, number: NumberRef) -> bool:
    """Return whether a document still has a number."""
    matrix = document.matrix
    if matrix is None:
        return False
    if number.kind is NumberKind.PARAMETER:
        return number.name in dict(matrix.parameters)
    if number.kind is NumberKind.PRIOR:
        return document.priors is not None
    if number.kind is NumberKind.COST:
        return bool(matrix.costs) and number.decision in matrix.decisions
    return number.level in matrix.levels and number.decision in matrix.decisions


# ---------------------------------------------------------------- ways of the swap set

RULE, CURSOR, PINNED, BEST = "rule", "cursor", "pinned", "best"
SCENARIO = "scenario "  # before its name: a way to cut that is no depth
_CUTS = {
    RULE: "at its rule",
    CURSOR: "at the cursor's depth",
    PINNED: "at the pinned depth",
    BEST: "at its best depth",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapWay:
    """One way to decide: a model, and how deep it acts, or by the rule of which scenario."""

    model: str
    cut: str = RULE


Ways: TypeAlias = tuple[SwapWay, SwapWay]


def usual_ways(document: Document, totals: DecisionResult) -> Ways:
    """Return the chosen model against the next one; of one model its rule against its best."""
    names = [entry.model for entry in totals.models]
    reference = document.outcome_reference
    mine = reference if reference in names else names[0]
    other = next((name for name in names if name != mine), None)
    if other is None:
        return SwapWay(model=mine), SwapWay(model=mine, cut=BEST)
    return SwapWay(model=mine), SwapWay(model=other)


def ways_left(ways: Ways, document: Document, totals: DecisionResult) -> Ways:
    """Return the ways without models and scenarios that are gone."""
    models = {entry.name for entry in document.outcome_models}
    cuts = {option.value for option in _cut_options(document)}
    first, second = (
        replace(
            way if way.model in models else usual,
            cut=way.cut if way.cut in cuts else RULE,
        )
        for way, usual in zip(ways, usual_ways(document, totals), strict=True)
    )
    return first, second


def swap_fields(ways: Ways, document: Document) -> tuple[FormField, ...]:
    """Return model and depth of both ways: "first_model", "first_cut", and of the second."""
    models = tuple(
        FieldOption(value=entry.name, words=entry.name, series=entry.series)
        for entry in document.outcome_models
    )
    found: list[FormField] = []
    for name, label, way in zip(("first", "second"), ("", "against"), ways, strict=True):
        spoken = f"{name.capitalize()} model"
        found += [
            FormField(
                name=f"{name}_model",
                label=label,
                spoken=spoken,
                kind=FieldKind.CHOICE,
                value=way.model,
                options=models,
            ),
            FormField(
                name=f"{name}_cut",
                label="",
                spoken=f"{spoken}: how deep it acts",
                kind=FieldKind.CHOICE,
                value=way.cut,
                options=_cut_options(document),
            ),
        ]
    return tuple(found)


def with_way(ways: Ways, name: str, value: str) -> Ways:
    """Return the ways after a field was filled in."""
    which, _, part = name.partition("_")
    first, second = ways
    if which == "first":
        return replace(first, **{part: value}), second
    return first, replace(second, **{part: value})


def _cut_options(document: Document) -> tuple[FieldOption, ...]:
    scenarios = (
        FieldOption(value=SCENARIO + entry.name, words=f"by the rule of “{entry.name}”")
        for entry in document.scenarios
    )
    return (*(FieldOption(value=cut, words=words) for cut, words in _CUTS.items()), *scenarios)


def side_of(way: SwapWay, totals: DecisionResult, cursor: float, pinned: float | None) -> SwapSide:
    """Return a way as the question has it; without a pin its depth is the cursor's."""
    if way.cut == RULE:
        return SwapSide(model=way.model)
    if way.cut.startswith(SCENARIO):
        return SwapSide(model=way.model, scenario=way.cut.removeprefix(SCENARIO))
    if way.cut == BEST:
        entry = next((entry for entry in totals.models if entry.model == way.model), None)
        if entry is not None:
            return SwapSide(model=way.model, depth=entry.best_depth)
    is_pinned = way.cut == PINNED and pinned is not None
    return SwapSide(model=way.model, depth=pinned if is_pinned else cursor)


# ---------------------------------------------------------------- which cases are listed

ALL, WITHIN = "\0all", "\0within"  # no decision has such a name


def which_cases(chosen: str, document: Document, totals: DecisionResult | None) -> FormField:
    """Return the choice of the cases that are listed: all, down to the cursor, one decision's."""
    matrix = document.matrix
    names = totals.decisions if totals is not None else matrix.decisions if matrix else ()
    words = {ALL: f"All {document.case_word[1]}", WITHIN: "Down to the cursor"}
    words |= {name: name for name in names}
    words[""] = "Without a decision"
    return FormField(
        name="which",
        label="",
        spoken="Which cases are listed",
        kind=FieldKind.CHOICE,
        value=chosen if chosen in words else ALL,
        options=tuple(
            FieldOption(value=value, words=described) for value, described in words.items()
        ),
    )
