"""From a batch of rows to cases: the rows used, classes with the event first, chances, numbers.

Every rule is that of tables in memory, applied to a piece of one: levels by printed form, row
filters, what is left out and counted, and refusals that name file, row, column and value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from core.data import (
    LoadedTable,
    column_as_float,
    count_levels,
    encode_levels,
    outcome_codes,
    posteriors,
    rows_with_outcome_expected,
    select_rows,
)
from core.data import predictions as read_predictions
from core.data import scores as read_points
from core.data.levels import is_empty, refused_gaps
from core.data.table import Overview
from core.document.data.expressions import column_names
from core.document.data.limits import not_in_pieces
from core.document.data.model import DataRef, MissingOutcomes, RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role
from core.scale.sources import RowTask, Source, SourcePart, kind_of_type, read_batches
from payoff.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from payoff.vocabulary import COLUMN_ROLE

_SHOWN_ROWS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReading:
    """How rows of a source become cases.

    Attributes
    ----------
    document : Document
        Outcome, roles, row filter; its data are not read.
    models : tuple of str
    columns : tuple of str
        The columns that are read.
    places : tuple of int
        The target's levels in the order of codes: the event first; empty for a number.
    further : tuple of str
        Columns of numbers that metrics chose.
    """

    document: Document
    models: tuple[str, ...]
    columns: tuple[str, ...]
    places: tuple[int, ...] = ()
    further: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseRows:
    """Cases of one batch.

    Attributes
    ----------
    part : SourcePart
        The file that they are from.
    units : (n,) int64
        Row numbers in the whole, from 1.
    seen : int
        Rows of the batch, those that are left out included.
    outcome : (n,) int32 codes, the event 0, or (n,) float64
    predictions : mapping of model to (classes or 1, n) float64
    extras : mapping of role to (n,)
    dropped, lacking : counters of reasons and models
    """

    part: SourcePart
    units: IntArray
    seen: int
    outcome: CodeArray | FloatArray
    predictions: Mapping[str, FloatArray]
    extras: Mapping[str, AnyArray] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    lacking: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.units)

    @property
    def codes(self) -> CodeArray:
        """Class codes, zeros for a number. (n,) int32."""
        is_code = self.outcome.dtype == np.int32
        return np.asarray(self.outcome if is_code else np.zeros(len(self)), dtype=np.int32)

    def place(self, unit: int) -> str:
        """File and row of a case by its number in the whole."""
        return f"{self.part.shown}, data row {unit - self.part.first_row:,}"


def reading_of(document: Document, source: Source, additional: tuple[str, ...] = ()) -> CaseReading:
    """How a source is read for a document; refuses a column that is not there."""
    target = document.target
    assert target is not None
    models = tuple(model.name for model in document.models)
    names = [target.column, *additional, *filter_columns(document)]
    for model in models:
        prediction = document.prediction_column(model)
        names += [*document.score_columns(model), *([prediction] if prediction else [])]
    return CaseReading(
        document=document, models=models, columns=source.require(names), further=additional
    )


def filter_columns(document: Document) -> tuple[str, ...]:
    """The columns that say which rows count: the row filter's, and that of uses of rows."""
    use = document.split.column or document.column_of(Role.ROW_USE)
    filtered = column_names(document.split.where) if document.split.where else ()
    return (*filtered, *((use,) if use is not None else ()))


def refuse_drawn_rows(document: Document) -> None:
    """Refuse rows whose use is drawn by lot, or goes by their order: both need all of them.

    Raises
    ------
    PayoffError
    """
    split = document.split
    if document.rows_used is RowUse.ALL or split.column or document.column_of(Role.ROW_USE):
        return
    raise not_in_pieces("drawn rows", where="page Data, Which rows count")


def batch_table(table: pa.Table, part: SourcePart, first: int) -> LoadedTable:
    """A batch as a table whose messages name the part and its rows."""
    kinds = {entry.name: kind_of_type(entry.type) for entry in table.schema}
    kinds = {name: "text" if kind == "empty" else kind for name, kind in kinds.items()}

    def summarise(name: str) -> ColumnSummary:
        column = table.column(name)
        return ColumnSummary(
            name=name, kind=kinds[name], rows=len(column), missing=column.null_count, distinct=-1
        )

    def refuse() -> None:
        raise TypeError("a batch has no summary")

    return LoadedTable(
        table=table,
        kinds=kinds,
        data=DataRef(path=part.shown),
        overview=Overview(refuse, summarise),  # type: ignore[arg-type]  # a refusal returns nothing
        row_numbers=np.arange(first, first + table.num_rows, dtype=np.int64),
    )


def read_cases(task: RowTask, reading: CaseReading) -> Iterator[CaseRows]:
    """The cases of a task, batch by batch.

    Raises
    ------
    PayoffError
        As for a table in memory: a value that cannot be judged, with file, row and column.
    """
    for first, table in read_batches(task, reading.columns):
        yield cases_of_batch(batch_table(table, task.part, first), task.part, first, reading)


def cases_of_batch(
    table: LoadedTable, part: SourcePart, first: int, reading: CaseReading
) -> CaseRows:
    """The cases of one batch of a part, ``first`` being its first row there (from 0)."""
    document = reading.document
    kept = select_rows(table, document, document.rows_used, reading.models)
    rows = np.flatnonzero(kept.rows)
    is_all = len(rows) == table.rows
    outcome = _outcome(table, reading)
    extras = {
        f"{COLUMN_ROLE}{name}": column_as_float(table, name, role="metric")
        for name in reading.further
    }
    scores = {name: _scores(table, reading, name) for name in reading.models}
    return CaseRows(
        part=part,
        units=rows + (part.first_row + first + 1),
        seen=table.rows,
        outcome=outcome if is_all else outcome[rows],
        predictions=scores
        if is_all
        else {name: np.ascontiguousarray(values[:, rows]) for name, values in scores.items()},
        extras=extras if is_all else {name: values[rows] for name, values in extras.items()},
        dropped=dict(kept.dropped),
        lacking=dict(kept.lacking),
    )


def _outcome(table: LoadedTable, reading: CaseReading) -> CodeArray | FloatArray:
    target = reading.document.target
    assert target is not None
    if not target.levels:
        values = column_as_float(table, target.column, role="outcome")
        return np.require(values, requirements=("C", "W"))
    codes = outcome_codes(table, target)[0]
    order = np.argsort(np.array([*reading.places]))
    return np.append(order, -1)[codes].astype(np.int32)


def _scores(table: LoadedTable, reading: CaseReading, model: str) -> FloatArray:
    """Chances (classes, n), the event first, a score in points (1, n), or predictions (1, n)."""
    document = reading.document
    if not reading.places:
        return np.array(read_predictions(table, document, model))[np.newaxis]
    if document.score_role(model) is not None:
        points = read_points(table, document, model)
        return np.array(-points if document.is_score_reversed(model) else points)[np.newaxis]
    probabilities = posteriors(table, document, model)
    return np.ascontiguousarray(probabilities[list(reading.places)])


# ---------------------------------------------------------------- the outcome of all rows


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTask:
    """Rows whose outcomes are looked at."""

    rows: RowTask
    document: Document
    columns: tuple[str, ...]
    most_levels: int


@dataclass(slots=True, kw_only=True)
class OutcomeSummary:
    """What the outcome's column holds.

    Attributes
    ----------
    counts : counter of level, within all rows
    first : mapping of level to the least row number
    missing : int
        Rows that should have an outcome and have none.
    missing_rows : list of (row number, file, row in the file)
        The first of them.
    too_many : bool
        There are more levels than were counted.
    """

    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)
    missing: int = 0
    missing_rows: list[tuple[int, str, int]] = field(default_factory=list)
    too_many: bool = False

    def note_missing(self, without: BoolArray, part: SourcePart, first: int) -> None:
        """Take in which rows (n,) of a batch of a part, from row ``first`` on, have none."""
        self.missing = int(without.sum())
        self.missing_rows = [
            (part.first_row + first + int(row) + 1, part.shown, first + int(row) + 1)
            for row in np.flatnonzero(without)[:_SHOWN_ROWS]
        ]

    def merge(self, other: OutcomeSummary) -> None:
        """Take in what other rows hold."""
        self.rows += other.rows
        self.counts.update(other.counts)
        for level, row in other.first.items():
            self.first[level] = min(row, self.first.get(level, row))
        self.missing += other.missing
        self.missing_rows = sorted([*self.missing_rows, *other.missing_rows])[:_SHOWN_ROWS]
        self.too_many |= other.too_many

    @property
    def missing_words(self) -> str:
        """The first rows without one: file and row."""
        rows = "; ".join(f"{file}, data row {row:,}" for _, file, row in self.missing_rows)
        return rows + (" …" if self.missing > len(self.missing_rows) else "")

    def levels(self) -> dict[str, int]:
        """Level -> rows, in order of first appearance."""
        return {
            level: self.counts[level] for level in sorted(self.first, key=self.first.__getitem__)
        }


def look_at_outcome(task: OutcomeTask) -> OutcomeSummary:
    """Count the levels of the outcome, and rows without one."""
    found = OutcomeSummary()
    document = task.document
    target = document.target
    assert target is not None
    for first, raw in read_batches(task.rows, task.columns):
        part = task.rows.part
        table = batch_table(raw, part, first)
        piece = OutcomeSummary(rows=table.rows)
        if found.too_many:
            piece.too_many = True
        else:
            _count_levels(piece, table, target.column, part.first_row + first, task.most_levels)
        _count_missing(piece, table, document, part, first)
        found.merge(piece)
        found.too_many |= len(found.first) > task.most_levels
    return found


def _count_levels(
    found: OutcomeSummary, table: LoadedTable, column: str, first_row: int, most: int
) -> None:
    codes, levels = encode_levels(table, column)
    if len(levels) > most:
        found.too_many = True
        return
    found.counts.update(count_levels(codes, levels))
    for code, level in enumerate(levels):
        found.first[level] = first_row + int(np.argmax(codes == code))


def _count_missing(
    found: OutcomeSummary, table: LoadedTable, document: Document, part: SourcePart, first: int
) -> None:
    target = document.target
    assert target is not None
    without = is_empty(table, target.column) & rows_with_outcome_expected(table, document)
    found.note_missing(without, part, first)


def refuse_unknown_outcomes(found: OutcomeSummary, document: Document) -> None:
    """Refuse rows without an outcome, unless it was said that they may be left out.

    Raises
    ------
    MissingOutcomesError
    """
    target = document.target
    assert target is not None
    if not found.missing or document.missing_outcomes is not MissingOutcomes.ASK:
        return
    where = f"column {target.column}; {found.missing_words}"
    raise refused_gaps(found.missing, found.rows, target.column, where)


def with_event(reading: CaseReading, level: str | None) -> CaseReading:
    """The reading with the target's levels put in order, the event first."""
    target = reading.document.target
    assert target is not None
    event = 0 if level is None else target.levels.index(level)
    places = [event, *(place for place in range(len(target.levels)) if place != event)]
    settled = replace(reading.document, missing_outcomes=MissingOutcomes.LEAVE_OUT)
    return replace(reading, document=settled, places=tuple(places) if target.levels else ())


def refuse_full_posteriors(document: Document) -> None:
    """Refuse a model with a chance for every class: one of them is what the others leave.

    Rounded chances are scaled to sum to 1 by the digits that a whole file has, which a piece of it
    does not know.

    Raises
    ------
    PayoffError
    """
    target = document.target
    levels = target.levels if target is not None else ()
    for model in document.models:
        columns = document.posterior_columns(model.name)
        if len(columns) == len(levels) > 1:
            raise not_in_pieces(
                "every class", f"a chance for every class, as of the model '{model.name}'"
            )


__all__ = [
    "CaseReading",
    "CaseRows",
    "OutcomeSummary",
    "OutcomeTask",
    "cases_of_batch",
    "look_at_outcome",
    "read_cases",
    "reading_of",
    "refuse_drawn_rows",
    "refuse_full_posteriors",
    "refuse_unknown_outcomes",
    "with_event",
]
