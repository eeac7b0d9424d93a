"""What scripts share: one engine in this process, and tables made from whatever a script has."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from core import data as tables
from core.data import LoadedTable, count_levels, encode_levels, printed
from core.data.profile.summary import distinct_values
from core.document.data.column_meaning import counted_together, spellings_of
from core.document.data.events import guess_event
from core.document.data.model import DataRef, MissingOutcomes, ReaderSettings, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec, WeightKind
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

ScriptData: TypeAlias = Any  # a path, a pandas DataFrame, a pyarrow Table, a mapping of arrays
ScoreColumns: TypeAlias = str | Sequence[str] | Mapping[str, Any]

MAX_CLASSES = 100
REFUSE = "refuse"  # rows without an outcome are named; nothing is computed
TASKS = {"binary": "binary", "multiclass": "multiclass", "regression": "interval"}

_reading: ContextVar[ReaderSettings | None] = ContextVar("payoff_reading", default=None)
_USUAL = EngineOptions()
_start: ContextVar[EngineOptions] = ContextVar("payoff_start")
_engines: dict[EngineOptions, LocalEngine] = {}
_making = threading.Lock()


def engine(*, safe_mode: bool = False) -> LocalEngine:
    """The engine of this process; made at first use."""
    options = _start.get(_USUAL)
    options = replace(options, safe_mode=options.safe_mode or safe_mode)
    with _making:  # two first calls make one engine
        if options not in _engines:
            made = LocalEngine(options)
            for other in _engines.values():  # models of an opened project serve every engine
                made.workbench.model_store = other.workbench.model_store
            _engines[options] = made
        return _engines[options]


@contextmanager
def starting_with(
    *, safe_mode: bool = False, only_plugins: tuple[str, ...] = (), trace_hooks: bool = False
) -> Iterator[None]:
    """Choose which plugins take part in everything inside: what a verb was told."""
    reported = EngineOptions(
        safe_mode=safe_mode, only_plugins=only_plugins, trace_hooks=trace_hooks
    )
    before = _start.set(reported)
    try:
        yield
    finally:
        _start.reset(before)


def data_of(data: ScriptData) -> LoadedTable:
    """A loaded table from what a script has; files of every format that a plugin reads."""
    here = engine().workbench.tables
    readers = here.find_readers
    if isinstance(data, str | os.PathLike):
        here.check_reader(os.fspath(data), _reading.get())
    return tables.from_data(data, reader=_reading.get(), find_readers=readers)


@contextmanager
def reading_as(reader: ReaderSettings) -> Iterator[None]:
    """Read every file inside with these settings: what a verb was told."""
    before = _reading.set(reader)
    try:
        yield
    finally:
        _reading.reset(before)


def reporting_reader() -> ReaderSettings:
    """How files are read: what a verb was told, else as they look."""
    return _reading.get() or ReaderSettings()


def loaded_table(data: ScriptData) -> LoadedTable:
    """A loaded table from what a script has, known to the engine while somebody has it.

    An answer that asks the engine again has to keep the table.
    """
    return engine().workbench.tables.keep(tables.as_table_of_its_own(data_of(data)))


def chosen_rows(table: LoadedTable, rows: str | None) -> LoadedTable:
    """The rows for which a condition is true; all without one.

    Raises
    ------
    PayoffError
        If it cannot be read, or is true for no row.
    """
    if rows is None:
        return table
    inside, unknown = tables.row_filter(table, rows)
    if not inside.any():
        raise PayoffError(
            f"There are no rows where {rows}.",
            where=table.path,
            why=f"For {counted(unknown, 'row')} it is not known: a value is missing."
            if unknown
            else "",
        )
    return table.with_rows(np.flatnonzero(inside), chosen_by=rows)


def target_of(table: LoadedTable, column: str, task: str | None, first: str | None) -> TargetSpec:
    """The outcome of a script: its levels with the event first, or a number.

    Parameters
    ----------
    table : LoadedTable
    column : str
    task : str or None
        "binary", "multiclass", "regression"; None: numbers of more than 20 values are regression.
    first : str or None
        The level to stand first; None: the one that looks like an event.
    """
    check_task(task)
    is_number = table.kinds.get(column) in ("integer", "number")
    if outcome_is_number(task, is_number=is_number, distinct=distinct_values(table, column)):
        return TargetSpec(column=column, kind="interval")
    codes, levels = encode_levels(table, column)
    check_class_count(column, len(levels))
    return target_of_counts(column, count_levels(codes, levels), task, first)


def check_task(task: str | None) -> None:
    """Refuse a task that is none."""
    if task is not None and task not in TASKS:
        raise no_such("task", task, TASKS)


def outcome_is_number(task: str | None, *, is_number: bool, distinct: int) -> bool:
    """Whether an outcome is a number; ``distinct`` below 0: more values than were counted."""
    return task == "regression" or (task is None and is_number and not 0 <= distinct <= 20)


def check_class_count(column: str, levels: int) -> None:
    """Refuse an outcome of more classes than can be judged."""
    if levels > MAX_CLASSES:
        raise PayoffError(
            f"The outcome '{column}' has {counted(levels, 'class', 'classes')}.",
            why=f"At most {MAX_CLASSES} can be judged.",
            remedy="Name a column with few classes, or task='regression' for a number.",
        )


def target_of_counts(
    column: str, counts: Mapping[str, int], task: str | None, first: str | None
) -> TargetSpec:
    """An outcome with classes, of the rows of each in order of first appearance."""
    spellings = spellings_of(dict(counts)) if task != "multiclass" else ()
    together = counted_together(dict(counts), spellings)
    levels = tuple(together)
    first = dict(spellings).get(first or "", first)
    if first is not None and first not in levels:
        raise no_such("level", first, levels, where=f"event of column {column}")
    event = guess_event(together)[0] if first is None else first
    ordered = (event, *(level for level in levels if level != event))
    kind = "binary" if len(ordered) == 2 and task != "multiclass" else "multiclass"
    return TargetSpec(column=column, kind=kind, levels=ordered, spellings=spellings)


def score_roles(target: TargetSpec, scores: ScoreColumns) -> tuple[RoleAssignment, ...]:
    """Roles of the score columns: a name, names, {model: column} or {model: {level: column}}."""
    if isinstance(scores, str):
        named: Mapping[str, Any] = {scores: scores}
    elif isinstance(scores, Mapping):
        named = scores
    else:
        named = {column: column for column in scores}
    if not named:
        raise PayoffError("No score column is named.", remedy="Give scores='column'.")
    roles: list[RoleAssignment] = []
    for model, columns in named.items():
        roles.extend(_roles_of_model(target, str(model), columns))
    return tuple(roles)


def _roles_of_model(target: TargetSpec, model: str, columns: Any) -> list[RoleAssignment]:
    if target.kind == "interval":
        return [RoleAssignment(column=str(columns), role=Role.PREDICTION, model=model)]
    if isinstance(columns, Mapping):
        return [
            RoleAssignment(
                column=str(column), role=Role.POSTERIOR, model=model, level=printed(level)
            )
            for level, column in columns.items()
        ]
    if len(target.levels) == 1:
        raise PayoffError(
            f"The outcome '{target.column}' is '{target.levels[0]}' in every row.",
            why="With one class only, no score can tell cases apart.",
            remedy="Give rows in which the event happened and rows in which it did not.",
        )
    if target.kind == "multiclass":
        raise PayoffError(
            f"The model '{model}' has one score column for "
            f"{counted(len(target.levels), 'class', 'classes')}.",
            remedy="Give scores={model: {level: column, ...}}.",
        )
    role = RoleAssignment(column=str(columns), role=Role.POSTERIOR, model=model, level=target.event)
    return [role]


def document_of(
    table: LoadedTable,
    target: TargetSpec,
    roles: Sequence[RoleAssignment],
    *,
    weight: str | None = None,
    rows: str | None = None,
    weight_kind: str | None = None,
    missing_outcomes: str = REFUSE,
) -> Document:
    """A document over all rows of a table with a known outcome, or those where ``rows`` is true."""
    extra = [RoleAssignment(column=target.column, role=Role.TARGET)]
    if weight is not None:
        extra.append(
            RoleAssignment(column=weight, role=Role.WEIGHT, weight_kind=_weight_kind(weight_kind))
        )
    for entry in (*extra, *roles):
        table.require_column(entry.column)
    return document_of_roles(table.data, target, (*extra, *roles), rows, missing_outcomes)


def document_of_roles(
    data: DataRef,
    target: TargetSpec,
    roles: tuple[RoleAssignment, ...],
    rows: str | None,
    missing_outcomes: str,
) -> Document:
    """A document over all rows of some data, whose columns are there."""
    document = Document(
        data=data,
        target=target,
        split=SplitSpec(where=rows or ""),
        rows_used=RowUse.ALL,
        missing_outcomes=missing_outcomes_of(missing_outcomes),
    )
    return document.with_roles(roles)


def missing_outcomes_of(said: str) -> MissingOutcomes:
    """What a script says of rows without an outcome."""
    known = {REFUSE: MissingOutcomes.ASK, "leave_out": MissingOutcomes.LEAVE_OUT}
    if said not in known:
        raise PayoffError(
            f"missing_outcomes={said!r} is not known.", why=f"There are: {', '.join(known)}."
        )
    return known[said]


def _weight_kind(kind: str | None) -> WeightKind | None:
    """What a script says of its weight."""
    known = [entry.value for entry in WeightKind]
    if kind is not None and kind not in known:
        raise PayoffError(f"weight_kind={kind!r} is not known.", why=f"There are: {known}.")
    return None if kind is None else WeightKind(kind)


def named_priors(
    given: Mapping[Any, float] | None, target: TargetSpec
) -> tuple[tuple[str, float], ...] | None:
    """Priors of a script in the order of the levels; a level not named is refused later."""
    if given is None:
        return None
    named = {printed(level): float(share) for level, share in given.items()}
    unknown = [level for level in named if level not in target.levels]
    if unknown:
        raise PayoffError(
            f"There is no class '{unknown[0]}'.",
            where="priors",
            why=f"The classes are {', '.join(target.levels)}.",
        )
    return tuple((level, named[level]) for level in target.levels if level in named)
