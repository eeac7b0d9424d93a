"""A table of parts: what page Data shows of rows that are never held as a whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data import (
    LoadedTable,
    count_levels,
    encode_levels,
    from_data,
    guess_roles,
    remembered_hash,
)
from core.data.cancellation import check_stop, listen_for_stop
from core.data.currency import currency_of
from core.data.lazy.columns import LazyColumns, gather
from core.data.levels import is_empty
from core.data.profile.summary import summarise_columns
from core.data.table import Overview
from core.document.data.limits import not_in_pieces
from core.document.data.model import HELD_ROWS, PARTS, DataRef, ReaderSettings
from core.document.data.results import ColumnSummary, TableSummary
from core.kernels.task_runners import ThreadRunner, run_tasks_bounded
from core.scale.reading import batch_table
from core.scale.sources import (
    MemoryBudget,
    PlannedTask,
    Source,
    memory_budget,
    open_source,
    read_batches,
    source_head,
)
from payoff.counting import counted
from payoff.types import IntArray

LOOK_ROWS = 200_000
"""Rows from which roles are guessed and small charts are drawn."""
_SCREEN_ROWS = 16_384
_MOST_LEVELS = 200
_SHOWN_LEVELS = 30

TellCall = Callable[[float | None, str], None]


class PartsTable(LazyColumns):
    """Rows of parts by their numbers in the whole; no column is read as a whole.

    Attributes
    ----------
    source : Source
    look : LoadedTable
        The first rows.
    counted : ColumnsSummary
        Of all rows.
    scratch : path
        A folder of its own; it goes with the table.
    """

    def __init__(
        self, source: Source, look: LoadedTable, counted: ColumnsSummary, scratch: str
    ) -> None:
        super().__init__(tuple(name for name, _ in source.kinds), source.rows)
        self.source, self.look, self.counted, self.scratch = source, look, counted, scratch
        weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)
        self._tasks = tuple(replace(t, batch_rows=_SCREEN_ROWS) for t in source.tasks(1))
        ends = np.cumsum([task.rows for task in self._tasks])
        self._starts = np.concatenate([[0], ends]).astype(np.int64)
        self._held: tuple[int, int, pa.Table] | None = None  # the batch that was shown last

    def _make(self, name: str) -> pa.ChunkedArray:
        raise not_in_pieces("whole columns", f"the column '{name}' as a whole", self.source.name)

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        for task in self._tasks:
            for _, table in read_batches(task, tuple(names)):
                check_stop()
                yield table

    def rows_at(self, rows: IntArray) -> pa.Table:
        def inside(place: int, wanted: IntArray) -> pa.Table:
            if not len(wanted):
                return self.look.table.slice(0, 0)
            pieces = list(self._pieces(place, int(wanted.min()), int(wanted.max())))
            first = pieces[0][0]
            found = pa.concat_tables([table for _, table in pieces], promote_options="permissive")
            return found.take(pa.array(wanted - first))

        return gather(self._starts, rows, inside)

    def _pieces(self, place: int, first: int, last: int) -> Iterator[tuple[int, pa.Table]]:
        """Batches of a task that hold the rows from ``first`` to ``last`` of it, with their first.

        The one that was read last is kept: who scrolls asks for it again.
        """
        task = self._tasks[place]
        with self._lock:
            held = self._held
            is_held = held is not None and held[0] == place and held[1] <= first
            if held is not None and is_held and last < held[1] + held[2].num_rows:
                yield held[1:]
                return
            for start, table in read_batches(task, self._names):
                begin = start - task.first_in_part
                if begin > last:
                    break
                if begin + table.num_rows > first:
                    self._held = place, begin, table
                    yield begin, table


# ---------------------------------------------------------------- columns at a glance


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsPlan:
    """Columns that are counted; of the ``coded`` ones their levels too."""

    names: tuple[str, ...]
    coded: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class ColumnsSummary:
    """Missing cells, extremes and levels by column; None where a column has too many levels."""

    rows: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    lowest: dict[str, float] = field(default_factory=dict)
    highest: dict[str, float] = field(default_factory=dict)
    levels: dict[str, Counter[str] | None] = field(default_factory=dict)

    def merge(self, other: ColumnsSummary) -> None:
        """Take in what other rows hold."""
        self.rows += other.rows
        self.missing.update(other.missing)
        for name, low in other.lowest.items():
            self.lowest[name] = min(low, self.lowest.get(name, low))
        for name, high in other.highest.items():
            self.highest[name] = max(high, self.highest.get(name, high))
        for name, theirs in other.levels.items():
            ours = self.levels.get(name, Counter())
            both = None if ours is None or theirs is None else ours + theirs
            self.levels[name] = None if both is None or len(both) > _MOST_LEVELS else both


def look_at_columns(task: PlannedTask[ColumnsPlan]) -> ColumnsSummary:
    """Count the rows of a task column by column."""
    found = ColumnsSummary()
    for first, raw in read_batches(task.rows, task.plan.names):
        table = batch_table(raw, task.rows.part, first)
        piece = ColumnsSummary(rows=table.rows)
        for name, kind in table.kinds.items():
            column = raw.column(name)
            piece.missing[name] = int(is_empty(table, name).sum())
            if kind in ("integer", "number"):
                _note_extremes(piece, name, column)
            if name in task.plan.coded:
                piece.levels[name] = Counter(count_levels(*encode_levels(table, name)))
        found.merge(piece)
    return found


def _note_extremes(found: ColumnsSummary, name: str, column: pa.ChunkedArray) -> None:
    ends = pc.min_max(column).as_py()
    if ends["min"] is not None and np.isfinite([ends["min"], ends["max"]]).all():
        found.lowest[name], found.highest[name] = float(ends["min"]), float(ends["max"])


def _of_all_rows(seen: ColumnSummary, found: ColumnsSummary) -> ColumnSummary:
    """What the first rows show, with the counts, extremes and levels of all."""
    name, levels = seen.name, found.levels.get(seen.name)
    known = replace(
        seen,
        rows=found.rows,
        missing=found.missing[name],
        minimum=found.lowest.get(name, seen.minimum),
        maximum=found.highest.get(name, seen.maximum),
    )
    if levels is None:
        return replace(known, distinct=-1)
    return replace(known, distinct=len(levels), levels=tuple(levels.most_common(_SHOWN_LEVELS)))


# ---------------------------------------------------------------- loading


def load_parts(
    path: str,
    reader: ReaderSettings,
    tell: TellCall,
    should_stop: Callable[[], bool],
    folder: str | None = None,
) -> LoadedTable:
    """Open a folder of parts, or a file, and read it once: rows, schema, missing cells, levels.

    What parts of delimited text become lies in ``folder``, among temporary files where it is None.

    Raises
    ------
    PayoffError
        As ``open_source``.
    StoppedError
    """
    listen_for_stop(should_stop)
    scratch = tempfile.mkdtemp(prefix="payoff-parts-", dir=folder)
    is_kept = False
    try:
        loaded = _load(path, reader, scratch, tell, should_stop)
        is_kept = isinstance(loaded.table, PartsTable)
    finally:
        if not is_kept:
            shutil.rmtree(scratch, ignore_errors=True)
    return loaded


def _load(
    path: str,
    reader: ReaderSettings,
    scratch: str,
    tell: TellCall,
    should_stop: Callable[[], bool],
) -> LoadedTable:
    began = time.perf_counter()
    tell(None, "Looking at the parts")
    budget = memory_budget(None)
    source = open_source(
        path,
        (),
        Path(scratch),
        budget=budget,
        should_stop=should_stop,
        reader=replace(reader, format=None),
    )
    data = _data_of(path, source, reader)
    if source.rows <= HELD_ROWS:
        return _held(source, data)
    look = source_head(source, LOOK_ROWS)
    kinds = {name: "text" if kind == "empty" else kind for name, kind in source.kinds}
    seen = summarise_columns(look, kinds)
    found = _counted_columns(source, seen, budget, tell, should_stop)
    columns = tuple(_of_all_rows(entry, found) for entry in seen)
    guessed = guess_roles(look, columns)
    summary = TableSummary(
        data=data,
        columns=columns,
        roles=guessed.roles,
        target=guessed.target,
        split=guessed.split,
        warnings=(_words_of(source, look), *source.notes, *guessed.warnings),
        seconds=time.perf_counter() - began,
        parts=len(source.parts),
        currency=currency_of(look, columns),
    )
    first = batch_table(look, source.parts[0], 0)
    first = replace(first, data=replace(data, rows=look.num_rows), overview=Overview.of(summary))
    return LoadedTable(
        table=PartsTable(source, first, found, scratch),
        kinds=kinds,
        data=data,
        overview=Overview.of(summary),
    )


def _held(source: Source, data: DataRef) -> LoadedTable:
    """The parts as one table, as any other."""
    table = from_data(source_head(source, HELD_ROWS), name=source.name)
    summary = replace(table.summary, parts=len(source.parts))
    return replace(table, data=data, overview=Overview.of(summary))


def _counted_columns(
    source: Source,
    seen: tuple[ColumnSummary, ...],
    budget: MemoryBudget,
    tell: TellCall,
    should_stop: Callable[[], bool],
) -> ColumnsSummary:
    """All rows, read once."""
    coded = (e for e in seen if 0 <= e.distinct <= _MOST_LEVELS and e.kind != "number")
    plan = ColumnsPlan(
        names=tuple(entry.name for entry in seen), coded=tuple(entry.name for entry in coded)
    )
    found = ColumnsSummary()
    with ThreadRunner(on_start=partial(listen_for_stop, should_stop)) as runner:
        rows = budget.batch_rows(runner.in_process, len(seen))
        tasks = (PlannedTask(rows=task, plan=plan) for task in source.tasks(rows))
        pieces = run_tasks_bounded(runner, look_at_columns, tasks, should_stop=should_stop)
        for piece in pieces:
            found.merge(piece)
            share = found.rows / source.rows
            tell(share, f"Counting, {share:.0%} of the rows")
    return found


def _data_of(path: str, source: Source, reader: ReaderSettings) -> DataRef:
    """The data by what the parts hold, in their order."""
    digest = hashlib.sha256()
    size = 0
    for part in source.parts:
        within = os.path.relpath(part.shown, path).replace(os.sep, "/")
        digest.update(f"{within}\n{remembered_hash(part.shown)}\n".encode())
        size += os.path.getsize(part.shown)
    return DataRef(
        path=path,
        content_hash=digest.hexdigest(),
        rows=source.rows,
        columns=tuple(name for name, _ in source.kinds),
        size_bytes=size,
        reader=replace(reader, format=PARTS),
    )


def _words_of(source: Source, look: pa.Table) -> str:
    parts, rows = counted(len(source.parts), "part"), counted(source.rows, "row")
    return (
        f"{rows} in {parts} are read in pieces. Page Compare, the totals of page Decide and page "
        "Uplift are of all of them; whatever looks at all cases at once is not there and says so. "
        "Counts and levels here are of all rows, means and small charts of the first "
        f"{counted(look.num_rows, 'row')}."
    )


__all__ = ["PartsTable", "load_parts"]
