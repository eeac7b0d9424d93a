"""A large Parquet file as a table whose columns are read when they are needed.

Rows for a screen are cut out of the row groups they stand in; a column that is asked for is read
whole, settled and kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.data.lazy_columns import LazyColumns
from payoff.errors import PayoffError
from payoff.types import IntArray

MARK = "parquet-"
_TAIL = 8  # length of the footer and the closing mark
_KEPT_GROUPS = 2

#: What a damaged file makes the Parquet library raise: types that do not exist, names that are no
#: text, sizes beyond the file.
DAMAGED = (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError)

#: Takes a column's name and its values as they stand in the file; gives them as the program has.
Settle = Callable[[str, pa.ChunkedArray], pa.ChunkedArray]


def parquet_fingerprint(path: str) -> str:
    """A hash that tells Parquet files apart without reading them: size and footer.

    The footer holds every column's places, sizes and extremes in every row group.
    """
    size = os.path.getsize(path)
    with open(path, "rb") as source:
        source.seek(max(0, size - _TAIL))
        length = int.from_bytes(source.read(4), "little")
        source.seek(max(0, size - _TAIL - length))
        digest = hashlib.sha256(source.read(length + _TAIL))
    digest.update(str(size).encode())
    return MARK + digest.hexdigest()


class LazyTable(LazyColumns):
    """Columns of a Parquet file, read on need.

    Parameters
    ----------
    path : str
    columns : tuple of str
        Those that are offered, in file order.
    settle : callable
        Brings a column to the kind that the rest of the program expects.
    """

    def __init__(self, path: str, columns: tuple[str, ...], settle: Settle) -> None:
        with pq.ParquetFile(path) as file:
            counts = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        super().__init__(columns, int(self._starts[-1]))
        self._path = path
        self._settle = settle
        self._groups: dict[int, pa.Table] = {}
        self._stamp = os.stat(path).st_mtime_ns

    def _make(self, name: str) -> pa.ChunkedArray:
        self._check_unchanged()
        read = self._read(lambda file: file.read(columns=[name], use_threads=True))
        return self._settle(name, read.column(0))

    def _rows_at(self, rows: IntArray) -> pa.Table:
        """Every column at some rows; no more is read than the row groups they stand in."""
        if not len(rows):
            return self._group(0).slice(0, 0)
        groups = np.searchsorted(self._starts, rows, side="right") - 1
        order = np.argsort(groups, kind="stable")
        pieces = []
        for group in np.unique(groups):
            inside = rows[order[groups[order] == group]] - self._starts[group]
            whole = self._group(int(group))
            first, last = int(inside[0]), int(inside[-1])
            is_run = len(inside) == last - first + 1 and bool((np.diff(inside) == 1).all())
            pieces.append(
                whole.slice(first, len(inside)) if is_run else whole.take(pa.array(inside))
            )
        found = pa.concat_tables(pieces)
        if bool((np.diff(order) == 1).all()):
            return found
        back = np.empty(len(rows), dtype=np.int64)
        back[order] = np.arange(len(rows))
        return found.unify_dictionaries().take(pa.array(back))

    def _group(self, group: int) -> pa.Table:
        """One row group, settled; the last two are kept."""
        with self._lock:
            if group not in self._groups:
                self._check_unchanged()
                wanted = list(self._names)
                read = self._read(lambda file: file.read_row_group(group, columns=wanted))
                while len(self._groups) >= _KEPT_GROUPS:
                    self._groups.pop(next(iter(self._groups)))
                self._groups[group] = pa.table(
                    {name: self._settle(name, read.column(name)) for name in wanted}
                )
            return self._groups[group]

    def _read(self, read: Callable[[pq.ParquetFile], pa.Table]) -> pa.Table:
        try:
            with pq.ParquetFile(self._path) as file:
                return read(file)
        except DAMAGED as error:
            raise PayoffError(
                "A part of the Parquet file cannot be read.",
                where=self._path,
                why=str(error).split("\n")[0],
                remedy="The file is damaged or gone: copy or export it again.",
            ) from None

    def _check_unchanged(self) -> None:
        """Refuse a file that is another one by now: its columns would not belong together."""
        try:
            is_same = os.stat(self._path).st_mtime_ns == self._stamp
        except OSError:
            is_same = False
        if not is_same:
            raise PayoffError(
                "The data file has changed or gone while it was open.",
                where=self._path,
                why="A large Parquet file is read column by column, when each is needed.",
                remedy="Open the file again.",
            )
