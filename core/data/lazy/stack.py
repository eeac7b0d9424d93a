"""Rows of several files below each other, with columns that are read when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.data.lazy.columns import LazyColumns, gather
from core.data.table import LoadedTable
from payoff.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class StackedFile:
    """One file of the stack.

    ``fit`` brings some of its rows, or one of its columns, to the columns and kinds that all have
    in common: ``(table, names) -> table``.
    """

    table: LoadedTable
    fit: Callable[[pa.Table, Sequence[str]], pa.Table]

    def column(self, name: str) -> pa.ChunkedArray:
        """One whole column in the common kind."""
        own = self.table
        # A column that the file lacks takes its length from one that it has.
        found = name if name in own.kinds else own.columns[0]
        some = pa.table({found: own.table.column(found)})
        return self.fit(some, (name,)).column(0)

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        """Some columns in pieces; nothing is kept."""
        own = self.table
        wanted = [name for name in names if name in own.kinds] or [own.columns[0]]
        table = own.table
        is_lazy = isinstance(table, LazyColumns)
        for part in table.parts(wanted) if is_lazy else [table.select(wanted)]:
            yield self.fit(part, names)

    def rows_at(self, rows: IntArray, names: Sequence[str]) -> pa.Table:
        """Some rows, every column."""
        table = self.table.table
        is_lazy = isinstance(table, LazyColumns)
        return self.fit(table.rows_at(rows) if is_lazy else table.take(pa.array(rows)), names)


class LazyStack(LazyColumns):
    """Files below each other.

    Parameters
    ----------
    files : sequence of StackedFile
    names : tuple of str
        Columns in common order.
    """

    def __init__(self, files: Sequence[StackedFile], names: tuple[str, ...]) -> None:
        counts = [entry.table.rows for entry in files]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        super().__init__(names, int(self._starts[-1]))
        self._files = tuple(files)

    def _make(self, name: str) -> pa.ChunkedArray:
        pieces = [entry.column(name) for entry in self._files]
        return pa.chunked_array([chunk for piece in pieces for chunk in piece.chunks])

    def parts(self, names: Sequence[str]) -> Iterator[pa.Table]:
        for entry in self._files:
            yield from entry.parts(names)

    def rows_at(self, rows: IntArray) -> pa.Table:
        return gather(
            self._starts,
            rows,
            lambda place, inside: self._files[place].rows_at(inside, self._names),
        )
