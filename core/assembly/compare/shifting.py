"""Shift: scores and inputs of two sets of rows beside each other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core import data
from core.assembly.cases import predictions_of
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import training_rows
from core.assembly.scores import posteriors_of
from core.data import LoadedTable
from core.decisions.studies.shift import MeasuredShift, shift_of_levels, shift_of_numbers
from core.document.model import Document, Role, TrainedModel
from core.document.studies.compare import ColumnShift, ShiftResult, ShiftSide
from core.document.wording import format_share
from core.questions.compare import Shift
from core.questions.needs import named_target
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray

FEW_VALUES = 12  # a number with no more values is compared value by value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """Rows of a table with their weights; ``is_own``: of the project's own data."""

    table: LoadedTable
    rows: IntArray
    weight: FloatArray
    text: str
    is_own: bool


def compare_populations(
    document: Document, question: Shift, context: AssemblyContext
) -> ShiftResult:
    """The index of every score and input that both sides have."""
    began = time.perf_counter()
    then, now = (_side(document, side, context) for side in (question.then, question.now))
    found: list[ColumnShift] = []
    left_out: list[str] = []
    for entry in document.models:
        context.check()
        try:
            first, second = (_scores(document, entry.name, side, context) for side in (then, now))
        except PayoffError:
            left_out.append(f"score of {entry.name}")
            continue
        shift = shift_of_numbers(first, second, then.weight, now.weight)
        if shift is not None:
            found.append(_column(entry.name, shift, is_score=True))
    names = inputs_of(document)
    for number, name in enumerate(names):
        context.progress(number / max(1, len(names)), f"Comparing {name}")
        if name not in then.table.kinds or name not in now.table.kinds:
            left_out.append(name)
            continue
        shift = _input_shift(name, then, now)
        if shift is not None:
            found.append(_column(name, shift, is_score=False))
    ordered = sorted(found, key=lambda entry: (not entry.is_score, -entry.index))
    names = tuple(entry.name for entry in ordered)
    if question.column and question.column not in names:
        raise no_such("score or input in both", question.column, names)
    return ShiftResult(
        then_text=then.text,
        now_text=now.text,
        then_rows=len(then.rows),
        now_rows=len(now.rows),
        columns=tuple(ordered),
        left_out=tuple(left_out),
        warnings=tuple(_seen_words(document, (then, now))),
        drawn=question.column,
        seconds=time.perf_counter() - began,
    )


def inputs_of(document: Document) -> tuple[str, ...]:
    """Columns that models learn from, or could: inputs by role, then those of trained models."""
    names = list(document.columns_of(Role.INPUT))
    for entry in document.models:
        for name in entry.trained.features if entry.trained is not None else ():
            if name not in names:
                names.append(name)
    return tuple(names)


def _side(document: Document, side: ShiftSide, context: AssemblyContext) -> _Side:
    if side.path:
        table = context.tables.read(side.path, side.reader, context)
        rows = np.arange(table.rows, dtype=np.int64)
        name = side.path.replace("\\", "/").rsplit("/", 1)[-1]
        text = f"{name}, {counted(table.rows, 'row')}"
    else:
        table = table_of(document, context)
        rows, note = data.usable_rows(table, document, side.use)
        text = note.text
    weight = np.ones(len(rows))
    if document.column_of(Role.WEIGHT) in table.kinds:
        given = data.frequency(table, document)
        weight = weight if given is None else given[rows]
    return _Side(table=table, rows=rows, weight=weight, text=text, is_own=not side.path)


def _scores(document: Document, model: str, side: _Side, context: AssemblyContext) -> FloatArray:
    """A model's chance of the event, or its prediction, over the rows of a side."""
    if named_target(document).levels:
        chances: FloatArray = posteriors_of(side.table, document, model, context)[0]
        return chances[side.rows]
    return predictions_of(side.table, document, model, context)[side.rows]


def _seen_words(document: Document, sides: tuple[_Side, _Side]) -> Iterator[str]:
    """Models whose scores shift because they learned from more of one side than of the other."""
    for entry in document.models:
        if entry.trained is None:
            continue
        seen = [_share_seen(document, entry.trained, side) for side in sides]
        if seen[0] == seen[1]:
            continue
        how = "by models of its folds" if entry.trained.has_folds else "nearer to what happened"
        yield (
            f"{entry.name} learned from {format_share(seen[0])} of the rows then and "
            f"{format_share(seen[1])} of those now. Rows that trained it are scored {how}, so that "
            "its score shifts even where the cases are alike."
        )


def _share_seen(document: Document, trained: TrainedModel, side: _Side) -> float:
    """The share of a side's rows that trained a model."""
    if not side.is_own or not len(side.rows):
        return 0.0
    return float(np.isin(side.rows, training_rows(side.table, document, trained)).mean())


def _input_shift(name: str, then: _Side, now: _Side) -> MeasuredShift | None:
    kinds = {side.table.kinds[name] for side in (then, now)}
    distinct = then.table.column_summary(name).distinct
    if kinds <= {"integer", "number"} and not 0 <= distinct <= FEW_VALUES:
        first, second = (
            data.column_as_float(side.table, name, role="input")[side.rows] for side in (then, now)
        )
        return shift_of_numbers(first, second, then.weight, now.weight)
    (codes, levels), (others, other_levels) = (
        data.encode_levels(side.table, name) for side in (then, now)
    )
    return shift_of_levels(
        (codes[then.rows], levels), (others[now.rows], other_levels), then.weight, now.weight
    )


def _column(name: str, shift: MeasuredShift, *, is_score: bool) -> ColumnShift:
    return ColumnShift(
        name=name,
        is_score=is_score,
        index=shift.found.index,
        noise=shift.found.noise,
        verdict=shift.found.verdict,
        bins=shift.bins,
        then=shift.then,
        now=shift.now,
    )
