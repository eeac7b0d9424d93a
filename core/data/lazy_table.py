"""A large Parquet file as a table whose columns are read when they are needed.

It answers to the same names as an Arrow table. Rows for a screen are cut out of the row groups they
stand in; a column that is asked for is read whole, settled and kept; anything else that an Arrow
table can do reads all columns first.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from payoff.errors import PayoffError

MARK = "parquet-"
_TAIL = 8  # length of the footer and the closing mark
_KEPT_GROUPS = 2

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


class LazyTable:
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
        self._path = path
        self._names = columns
        self._settle = settle
        self._columns: dict[str, pa.ChunkedArray] = {}
        self._groups: dict[int, pa.Table] = {}
        self._lock = threading.RLock()
        self._stamp = os.stat(path).st_mtime_ns
        with pq.ParquetFile(path) as file:
            counts = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @property
    def num_rows(self) -> int:
        """Rows of the file."""
        return int(self._starts[-1])

    @property
    def num_columns(self) -> int:
        """Columns that are offered."""
        return len(self._names)

    @property
    def column_names(self) -> list[str]:
        """Names in file order."""
        return list(self._names)

    @property
    def nbytes(self) -> int:
        """Bytes of the columns that were read so far."""
        return sum(column.nbytes for column in self._columns.values())

    @property
    def loaded(self) -> tuple[str, ...]:
        """Columns that were read so far."""
        return tuple(self._columns)

    def column(self, which: str | int) -> pa.ChunkedArray:
        """One whole column; read at its first use."""
        name = self._names[which] if isinstance(which, int) else which
        with self._lock:
            if name not in self._columns:
                self._check_unchanged()
                read = self._read(lambda file: file.read(columns=[name], use_threads=True))
                self._columns[name] = self._settle(name, read.column(0))
            return self._columns[name]

    def slice(self, start: int, count: int | None = None) -> pa.Table:
        """Some rows, every column, without reading more than the row groups they stand in."""
        end = self.num_rows if count is None else min(self.num_rows, start + count)
        if end <= start:
            return self._group(0).slice(0, 0)
        first = int(np.searchsorted(self._starts, start, side="right")) - 1
        last = int(np.searchsorted(self._starts, end - 1, side="right")) - 1
        pieces = []
        for group in range(first, last + 1):
            begin = int(self._starts[group])
            low, high = max(start, begin), min(end, int(self._starts[group + 1]))
            pieces.append(self._group(group).slice(low - begin, high - low))
        return pa.concat_tables(pieces)

    def whole(self) -> pa.Table:
        """All columns as an Arrow table."""
        return pa.table({name: self.column(name) for name in self._names})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole(), name)

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
        except (pa.ArrowInvalid, OSError) as error:
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
