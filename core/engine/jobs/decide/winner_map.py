"""The job behind tab Winner map of page Decide."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.cases import data_warnings, prior_warnings
from core.assembly.missing_models import without_lost_models
from core.assembly.numbers import Ground, changes_of_document, ground_of, tried_number
from core.assembly.threads import fair_threads
from core.decisions.moving.changes import Change
from core.decisions.moving.winner_map import (
    COARSE_STEPS,
    EXACT_STEPS,
    Axis,
    WinnerMap,
    axis_of,
    default_range,
    winner_map,
)
from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.studies.numbers import TriedNumber
from core.document.studies.winner_map import (
    MapAxis,
    WinnerMapArguments,
    WinnerMapResult,
)
from core.engine.context import JobContext
from payoff.errors import PayoffError

Known = tuple[tuple[NumberRef, Change], ...]


def draw_winner_map(arguments: WinnerMapArguments, context: JobContext) -> WinnerMapResult:
    """Which model or constant rule wins at every setting of two numbers."""
    with fair_threads(context):
        context.progress(None, "Reading cases")
        document, lost = without_lost_models(arguments.document, context)
        ground = ground_of(document, context)
        known, warnings = changes_of_document(document, ground, context)
        x, y = _chosen(arguments, known, ground)
        steps = arguments.steps or _steps(ground)
        axes = tuple(_axis(axis, known, steps) for axis in (x, y))
        found = winner_map(
            ground.problem, ground.models, axes[0], axes[1], progress=context.progress
        )
    numbers = tuple(tried_number(number, change, ground.problem) for number, change in known)
    first = (*lost, *data_warnings(document, ground.cases, context), *prior_warnings(document))
    return _result(found, (x, y), axes, numbers, ground, (*first, *warnings))


def _steps(ground: Ground) -> int:
    problem = ground.problem
    has_own = bool(problem.cost_columns) or problem.has_amounts
    return EXACT_STEPS if len(problem.levels) == 2 and not has_own else COARSE_STEPS


def _chosen(arguments: WinnerMapArguments, known: Known, ground: Ground) -> tuple[MapAxis, MapAxis]:
    """The axes asked for; those left out are the first numbers that say something."""
    free = [number for number, _ in sorted(known, key=lambda entry: _rank(entry, ground))]
    taken = [axis.number for axis in (arguments.x, arguments.y) if axis is not None]
    found = []
    for axis in (arguments.x, arguments.y):
        if axis is not None:
            found.append(axis)
            continue
        number = next((entry for entry in free if entry not in taken), None)
        if number is None:
            raise PayoffError("There are not two numbers that may move.")
        taken.append(number)
        low, high = default_range(dict(known)[number], ground.problem)
        found.append(MapAxis(number=number, low=low, high=high))
    return found[0], found[1]


def _rank(entry: tuple[NumberRef, Change], ground: Ground) -> tuple[bool, bool]:
    """Parameters first, then what acting brings, then the rest."""
    number, _change = entry
    acting = ground.problem.decisions[ground.problem.acting_index]
    return number.kind is not NumberKind.PARAMETER, number.decision != acting


def _axis(axis: MapAxis, known: Known, steps: int) -> Axis:
    change = dict(known).get(axis.number)
    if change is None:
        named = axis.number.name or ", ".join(
            part for part in (axis.number.decision, axis.number.level) if part
        )
        raise PayoffError(
            f"The number “{named}” cannot be an axis.",
            why=f"There are: {', '.join(change.name for _, change in known)}.",
        )
    return axis_of(change, axis.low, axis.high, steps)


def _result(
    found: WinnerMap,
    chosen: tuple[MapAxis, MapAxis],
    axes: tuple[Axis, ...],
    numbers: tuple[TriedNumber, ...],
    ground: Ground,
    warnings: tuple[str, ...],
) -> WinnerMapResult:
    by_number = {entry.number: entry for entry in numbers}
    x, y = (replace(by_number[axis.number], low=axis.low, high=axis.high) for axis in chosen)
    return WinnerMapResult(
        rows=replace(ground.cases.note, rows=found.rows),
        x=x,
        y=y,
        x_values=axes[0].values,
        y_values=axes[1].values,
        names=found.names,
        models=found.models,
        winner=found.winner,
        second=found.second,
        profit=found.profit,
        margin=found.margin,
        now_winner=found.now_winner,
        now_profit=found.now_profit,
        is_exact=found.is_exact,
        cases=found.cases,
        error=found.error,
        checked=found.checked,
        missed=found.missed,
        numbers=numbers,
        seconds=found.seconds,
        warnings=warnings,
    )
