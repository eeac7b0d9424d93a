"""Tables: read from their files once, made with their further files and columns.

A memory of tables and prepared problems, bounded by bytes, least recently used out first.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.document.data.model import (
    PARTS,
    DataChangedError,
    DataRef,
    FileRef,
    ReaderSettings,
)
from core.document.wording import NBSP
from core.questions.lanes import Watch
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.data import LoadedTable
    from payoff.readers import TableReader


Held = TypeVar("Held")


@dataclass(slots=True)
class _Gate:
    """Held by the thread that makes a value; ``users`` counts it and those that wait for it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class ByteCache:
    """Values by key, made once, dropped when the bytes exceed the bound.

    Two lanes that want the same value wait for one making; different values are made side by side.

    Parameters
    ----------
    max_bytes : int
        The newest value stays even if it alone exceeds this.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._held: weakref.WeakValueDictionary[Hashable, Any] = weakref.WeakValueDictionary()
        self._released: deque[Hashable] = deque()  # names of held values that nobody has any more
        self._making: dict[Hashable, _Gate] = {}
        self._clearings = 0
        self._is_kept: Callable[[Hashable], bool] = lambda _key: True  # at the last clearing
        self._lock = threading.Lock()

    def hold(self, key: Hashable, value: Held, name: Hashable) -> Held:
        """Know a value that cannot be made again for as long as somebody else has it.

        Returns the one that is known already, where there is one: whoever needs it keeps that.
        What was made from it, under keys that hold its name, goes with it.
        """
        with self._lock:
            held: Held = self._held.setdefault(key, value)
            if held is value:
                # Values may die at any moment, in a thread that has the lock too: noted, no more.
                weakref.finalize(value, self._released.append, name).atexit = False
            return held

    def get(self, key: Hashable) -> Any | None:
        """The value of a key, or None."""
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                return held
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of ``size`` bytes and drop what no longer fits."""
        with self._lock:
            self._drop_released()
            self._values[key] = (value, size)
            self._values.move_to_end(key)
            total = sum(kept for _, kept in self._values.values())
            while total > self.max_bytes and len(self._values) > 1:
                _, (_, dropped) = self._values.popitem(last=False)
                total -= dropped

    def _drop_released(self) -> None:
        while self._released:
            name = self._released.popleft()
            for key in [key for key in self._values if _mentions(key, name)]:
                del self._values[key]

    def keep_only(self, is_kept: Callable[[Hashable], bool]) -> None:
        """Drop every value whose key is not to be kept; what others hold stays.

        Values that are being made meanwhile are not kept either: they are of before.
        """
        with self._lock:
            self._clearings += 1
            self._is_kept = is_kept
            for key in [key for key in self._values if not is_kept(key)]:
                del self._values[key]

    def get_or_make(self, key: Hashable, make: Callable[[], tuple[Any, int]]) -> Any:
        """The value of a key; ``make`` gives it and its bytes when it is not there."""
        found = self.get(key)
        if found is not None:
            return found
        with self._lock:
            gate = self._making.setdefault(key, _Gate())
            gate.users += 1
        try:
            with gate.lock:
                found = self.get(key)
                if found is None:
                    clearings = self._clearings
                    found, size = make()
                    if clearings == self._clearings or self._is_kept(key):
                        self.put(key, found, size)
                return found
        finally:
            with self._lock:
                gate.users -= 1
                if gate.users == 0:  # who still waits makes it next where this making failed
                    del self._making[key]


def _mentions(key: Hashable, name: Hashable) -> bool:
    """Whether a name is a part of a key, or a part of its parts."""
    return key == name or (isinstance(key, tuple) and any(_mentions(part, name) for part in key))


class Tables:
    """Tables by content and reader settings, read again when they are no longer in memory.

    Parameters
    ----------
    cache : ByteCache
    find_readers : callable
        Gives the readers of the plugins; asked only for files that are no plain text.
    check_reader : callable
        Refuses, for a path, settings that name a reader that is not here.
    scratch : path, optional
        A folder for what tables need on disk; left out: among temporary files.
    refuses_changed : bool, optional
        Whether ``table`` refuses a file that has changed since, in place of reading it as it is.
    """

    def __init__(
        self,
        cache: ByteCache,
        find_readers: Callable[[], Sequence[TableReader]],
        check_reader: Callable[[str, ReaderSettings | None], None],
        scratch: str | None = None,
        *,
        refuses_changed: bool = False,
    ) -> None:
        self.cache = cache
        self.find_readers = find_readers
        self.check_reader = check_reader
        self._scratch = scratch
        self._refuses_changed = refuses_changed

    def read(self, path: str, reader: ReaderSettings, context: Watch) -> LoadedTable:
        """Read a file in a job, with the plugins' readers, watched for progress and Stop."""
        return self._read(path, reader, context, context.progress)

    def _read_within(self, path: str, reader: ReaderSettings, context: Watch) -> LoadedTable:
        """Read a file as a part of a job, whose own share of work done is another one."""

        def tell(fraction: float | None, stage: str) -> None:
            done = "" if fraction is None else f", {100 * fraction:.0f}{NBSP}%"
            context.progress(None, f"Reading {Path(path).name}: {stage}{done}")

        return self._read(path, reader, context, tell)

    def _read(
        self,
        path: str,
        reader: ReaderSettings,
        context: Watch,
        tell: Callable[[float | None, str], None],
    ) -> LoadedTable:
        from core.data import load

        self.check_reader(path, reader)
        if reader.format == PARTS:
            from core.assembly.pieces.table import load_parts

            return load_parts(path, reader, tell, context.should_stop, self._scratch)
        return load(path, reader, tell, context.should_stop, self.find_readers)

    def holds(self, data: DataRef) -> bool:
        """Whether a table is in memory."""
        return self.cache.get(_table_key(data)) is not None

    def table(self, data: DataRef, context: Watch, *, as_it_is: bool = False) -> LoadedTable:
        """A loaded table by its content; read again from its path when it is no longer in memory.

        A file that has changed since is read as it is now (``changed_data`` then says so), or
        refused where nobody was told of it.

        Raises
        ------
        DataChangedError
            If a file has changed, unless it is asked for ``as_it_is``.
        """
        from core.data import build_table, listen_for_stop

        listen_for_stop(context.should_stop)
        if data.is_in_memory and not self.holds(data):
            raise PayoffError(
                f"The table '{data.path}' is no longer there.",
                why="It was handed over by a script, and lives as long as the answer made from it.",
                remedy="Keep the answer, or hand the table over again.",
            )

        def check(changed: list[str]) -> None:
            if changed and self._refuses_changed and not as_it_is:
                raise DataChangedError(
                    "The data file has changed since it was opened.",
                    where=changed[0],
                    why="Its content is not the same.",
                    remedy="It is read again: all numbers will be of the file as it is now.",
                )

        def read() -> tuple[LoadedTable, int]:
            table = self._read_within(_where_is(data), data.reader, context)
            check([data.path] if table.data.own_hash != data.own_hash else [])
            return table, table_bytes(table)

        def make() -> tuple[LoadedTable, int]:
            base = self.cache.get_or_make(_key(data.own_hash, data.reader), read)
            near = str(Path(data.path).parent)
            table = build_table(
                base, data.recipe, lambda file: self.additional_table(file, near, context)
            )
            return table, table_bytes(table) - table_bytes(base)  # the columns of both are one

        how = read if data.recipe.is_empty else make
        table: LoadedTable = self.cache.get_or_make(_table_key(data), how)
        check(_changed_files(data, table.data))
        return table

    def additional_table(self, file: FileRef, near: str, context: Watch) -> LoadedTable:
        """The table of a further file; looked for beside the data's file when it has moved.

        Raises
        ------
        PayoffError
            If it is nowhere to be found.
        """

        def read() -> tuple[LoadedTable, int]:
            path = _where_is(as_data(file), near)
            if not Path(path).exists():
                raise PayoffError(
                    "A further file of the data is not there.",
                    where=file.path,
                    why=f"No file with the same content was found beside it or in {near} either.",
                    remedy="Put the file back, or beside the data; its name does not matter.",
                )
            table = self._read_within(path, file.reader, context)
            return table, table_bytes(table)

        table: LoadedTable = self.cache.get_or_make(_key(file.content_hash, file.reader), read)
        return table

    def keep(self, table: LoadedTable) -> LoadedTable:
        """Keep a table that was just loaded; of one that a script handed over, know where it is.

        Such a table lives as long as whoever was answered from it: jobs find the one returned.
        """
        data = table.data
        if data.is_in_memory:
            return self.cache.hold(_table_key(data), table, data.content_hash)
        self.cache.put(_table_key(data), table, table_bytes(table))
        return table

    def data_hash(self, data: DataRef) -> str:
        """The content that results of ``data`` are computed from."""
        table: LoadedTable | None = self.cache.get(_table_key(data))
        return table.data.content_hash if table is not None else data.content_hash

    def changed_data(self, data: DataRef) -> tuple[str, ...]:
        """A warning when the loaded table is not what the document saw; else nothing."""
        table: LoadedTable | None = self.cache.get(_table_key(data))
        if table is None:
            return ()
        now = table.data
        changed = _changed_files(data, now)
        moved = [
            f"{Path(requested.path).name} was found at {there.path}."
            for requested, there in zip(data.recipe.files, now.recipe.files, strict=False)
            if requested.content_hash == there.content_hash and requested.path != there.path
        ]
        return (
            *(
                f"{Path(path).name} has changed since it was opened; the numbers are from the "
                "file as it is now."
                for path in changed
            ),
            *moved,
        )


def _changed_files(data: DataRef, now: DataRef) -> list[str]:
    """The files whose content is not the one that was asked for."""
    changed = [data.path] if now.own_hash != data.own_hash else []
    return changed + [
        there.path
        for requested, there in zip(data.recipe.files, now.recipe.files, strict=False)
        if requested.content_hash != there.content_hash
    ]


def as_data(file: FileRef) -> DataRef:
    """A further file as a data file of its own."""
    return DataRef(
        path=file.path,
        content_hash=file.content_hash,
        rows=0,
        columns=(),
        size_bytes=file.size_bytes,
        reader=file.reader,
    )


def _where_is(data: DataRef, *additional: str) -> str:
    """The path of a data file, found again by its hash when it was renamed or moved nearby."""
    from core.data import find_moved

    path = Path(data.path)
    if path.exists():
        return data.path
    folders = tuple(dict.fromkeys(folder for folder in (str(path.parent), *additional) if folder))
    return find_moved(data, folders) or data.path


def _table_key(data: DataRef) -> tuple[str, str, ReaderSettings]:
    """The key of a table."""
    return _key(*data.identity)


def _key(content_hash: str, reader: ReaderSettings) -> tuple[str, str, ReaderSettings]:
    return ("table", content_hash, reader)


def table_bytes(table: LoadedTable) -> int:
    """Memory that a table holds."""
    return int(table.table.nbytes)
