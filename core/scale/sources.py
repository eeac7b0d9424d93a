"""Data that are larger than memory: a Parquet file, a folder of parts, or batches from a script.

Whatever it was, a source is a list of Parquet files with the number of each one's first row. Parts
of delimited text, and batches, are written to scratch Parquet once, so that rows can be read again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from core.data import free_memory, is_collection, load
from core.data.cancellation import check_stop
from core.data.identity import FileStamp, file_stamp
from core.data.kinds import finite_numbers
from core.data.reading.parquet import open_parquet, plain_types
from core.document.data.model import ReaderSettings
from core.document.files.guarded import note_read
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError, no_such

Batches: TypeAlias = Iterable[pa.RecordBatch | pa.Table]
StopCall: TypeAlias = Callable[[], bool]
ProgressCall: TypeAlias = Callable[[float, str, None], None]
Opened: TypeAlias = tuple[str, str, dict[str, str]]
"""A file of rows, what messages call it, and kinds of its columns where it does not say them."""

LEAST_ROWS, MOST_ROWS = 65_536, 4_194_304
BASE_BYTES = 400_000_000  # of the program itself with its libraries and kernels, beside the rows
ROW_BYTES = 70  # what a row under way takes: columns, keys, records, terms
MODEL_BYTES = 45  # of each score beyond the first
LEAST_MEMORY = 500_000_000
_SAMPLE_TASKS, _SAMPLE_ROWS = 24, 8_192
_TEXT_PARTS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")
_PARQUET_PARTS = (".parquet", ".pq")
_DIGITS = re.compile(r"(?i)^\s*([0-9.]+)\s*([kmgt]?)i?b?\s*$")
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_RISING = ("integer", "number", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePart:
    """A file of rows.

    Attributes
    ----------
    path : str
        The Parquet file that is read.
    shown : str
        The file that messages name.
    first_row : int
        Number, from 0, of its first row in the whole.
    group_rows : tuple of int
        Rows of each row group.
    stamp : FileStamp
        Of ``path``, when it was looked at.
    constants : tuple of (column, value)
        What the folders that it lies in say of all its rows: ``region=N``.
    """

    path: str
    shown: str
    first_row: int
    group_rows: tuple[int, ...]
    stamp: FileStamp
    constants: tuple[tuple[str, str], ...] = ()

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return sum(self.group_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTask:
    """A run of whole row groups of one part, and how many rows of it are held at a time."""

    number: int
    part: SourcePart
    first_group: int
    groups: int
    batch_rows: int

    @property
    def rows(self) -> int:
        """Rows of the task."""
        return sum(self.part.group_rows[self.first_group : self.first_group + self.groups])

    @property
    def first_in_part(self) -> int:
        """Number, from 0, of its first row in the part."""
        return sum(self.part.group_rows[: self.first_group])


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Rows in the order that they are numbered in.

    Attributes
    ----------
    name : str
        What the user calls it.
    parts : tuple of SourcePart
    kinds : tuple of (column, kind)
        "integer", "number", "text", "boolean" or "date".
    notes : tuple of str
        What is to be said of reading it.
    """

    name: str
    parts: tuple[SourcePart, ...]
    kinds: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Rows of all parts."""
        return sum(part.rows for part in self.parts)

    def require(self, names: Iterable[str]) -> tuple[str, ...]:
        """The columns of these names, once each; refuses one that is not there."""
        known = dict(self.kinds)
        wanted = tuple(dict.fromkeys(names))
        for name in wanted:
            if name not in known:
                raise no_such("column", name, known, where=self.name, listed="Columns are")
        return wanted

    def tasks(self, batch_rows: int) -> tuple[RowTask, ...]:
        """Runs of whole row groups of at most ``batch_rows`` rows, or single larger groups."""
        found: list[RowTask] = []
        for part in self.parts:
            first = rows = 0
            for group, size in enumerate(part.group_rows):
                if rows and rows + size > batch_rows:
                    found.append(_task(len(found), part, first, group, batch_rows))
                    first, rows = group, 0
                rows += size
            if rows:
                found.append(_task(len(found), part, first, len(part.group_rows), batch_rows))
        return tuple(found)


Plan = TypeVar("Plan")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask(Generic[Plan]):
    """Rows to read, and the plan that every task of a run shares."""

    rows: RowTask
    plan: Plan


def _task(number: int, part: SourcePart, first: int, stop: int, batch_rows: int) -> RowTask:
    return RowTask(
        number=number, part=part, first_group=first, groups=stop - first, batch_rows=batch_rows
    )


def sample_tasks(tasks: Sequence[RowTask]) -> Iterator[RowTask]:
    """The first rows of tasks from all over a source: what keys are cut by."""
    for task in tasks[:: max(1, len(tasks) // _SAMPLE_TASKS)]:
        yield replace(task, groups=1, batch_rows=_SAMPLE_ROWS)


# ---------------------------------------------------------------- memory


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBudget:
    """How much memory a run may take, in bytes, and who said so."""

    size: int
    words: str

    def batch_rows(self, threads: int, models: int) -> int:
        """Rows of a batch, such that what is under way fits."""
        row = ROW_BYTES + MODEL_BYTES * max(models - 1, 0)
        fitting = (self.size - BASE_BYTES) // (row * (threads + 1))
        return int(min(max(fitting, LEAST_ROWS), MOST_ROWS))

    def note(self, pieces: int) -> str:
        """What every answer says of data that were read in so many pieces."""
        return f"The data were read in {counted(pieces, 'piece')}, within {self.words}."

    def sort_bytes(self, threads: int) -> int:
        """Bytes of records that one sort may hold."""
        return max((self.size - BASE_BYTES) // (6 * threads), 8 * LEAST_ROWS)


def memory_budget(requested: float | str | None) -> MemoryBudget:
    """The memory of a run: what is asked for ("4 GB", bytes), else half of what is free.

    Raises
    ------
    PayoffError
        For a text that is no size, or less than the least that a run needs.
    """
    if requested is None:
        free = free_memory()
        size = max((free or 2 * 10**9) // 2, LEAST_MEMORY)
        return MemoryBudget(
            size=size, words=f"up to {size / 1e9:.1f} GB of memory, half of what is free"
        )
    size = _bytes_of(requested)
    if size < LEAST_MEMORY:
        raise PayoffError(
            f"{size / 1e9:.2f} GB of memory are too little.",
            where="memory",
            why=f"The program itself takes {BASE_BYTES / 1e9:.2f} GB of it.",
            remedy=f"Give {LEAST_MEMORY / 1e9:.1f} GB or more.",
        )
    return MemoryBudget(size=size, words=f"up to {size / 1e9:.1f} GB of memory")


def _bytes_of(requested: float | str) -> int:
    if not isinstance(requested, str):
        return int(requested)
    found = _DIGITS.match(requested)
    if found is None:
        raise PayoffError(
            f"'{requested}' is no amount of memory.",
            where="memory",
            remedy='Write "4 GB" or "800 MB".',
        )
    try:
        return int(float(found[1]) * _UNITS[found[2].lower()])
    except ValueError:
        raise PayoffError(
            f"'{requested}' is no amount of memory.",
            where="memory",
            remedy='Write "4 GB" or "800 MB".',
        ) from None


# ---------------------------------------------------------------- looking


def is_streamed(data: Any) -> bool:
    """Whether data can only be read in pieces: a folder, batches of a script, a Dask collection."""
    if isinstance(data, str | os.PathLike):
        return os.path.isdir(data)
    if is_collection(data):
        return True
    is_table = isinstance(data, pa.Table) or hasattr(data, "columns") or hasattr(data, "keys")
    return not is_table and (hasattr(data, "__next__") or callable(data))


def can_be_read_again(data: Any) -> bool:
    """Whether data are not gone when they were read once, as batches are."""
    return callable(data) or isinstance(data, str | os.PathLike) or is_collection(data)


def open_source(
    data: Any,
    columns: Iterable[str],
    scratch: Path,
    *,
    budget: MemoryBudget,
    should_stop: StopCall,
    reader: ReaderSettings,
) -> Source:
    """Look at data: files, schema, row numbers; text parts and batches go to scratch Parquet.

    Parameters
    ----------
    data : path of a Parquet file or of a folder, iterator of Arrow batches, callable that gives one
    columns : names
        Those that are needed; of batches only they are kept.
    scratch : Path
        A folder for what is written meanwhile.
    reader : ReaderSettings
        How delimited text is read.

    Raises
    ------
    PayoffError
        For a folder without parts or with parts of two formats, a part that cannot be opened, or
        parts whose columns differ: naming both files and the column.
    StoppedError
    """
    wanted = tuple(dict.fromkeys(columns))
    if isinstance(data, str | os.PathLike):
        return _open_files(os.fspath(data), scratch, budget, should_stop, reader)
    batches = data() if callable(data) else data
    return _open_batches(batches, wanted, scratch, should_stop)


def _open_files(
    path: str,
    scratch: Path,
    budget: MemoryBudget,
    should_stop: StopCall,
    reader: ReaderSettings,
) -> Source:
    files = _files_of(path)
    is_text = files[0].lower().endswith(_TEXT_PARTS)

    def opened() -> Iterator[Opened]:
        for number, file in enumerate(files):
            if should_stop():
                raise StoppedError
            note_read(file)
            made = _text_as_parquet(file, scratch, number, budget, reader) if is_text else None
            yield (made[0], file, made[1]) if made else (file, file, {})

    return joined_source(path, opened(), folder=path)


def joined_source(name: str, files: Iterable[Opened], folder: str | None = None) -> Source:
    """Files of rows as one source, in their order.

    Parameters
    ----------
    name : str
        What messages call the whole.
    files : iterable of (path, what messages call it, kinds of its columns)
        Kinds are empty where the file says them itself.
    folder : path, optional
        The folder of all, in which names of folders may be columns (``region=N``).

    Raises
    ------
    PayoffError
        For a file that cannot be opened, columns that differ, and no row at all.
    """
    parts: list[SourcePart] = []
    kinds: dict[str, tuple[str, str]] = {}  # column -> kind, file that it is from
    notes: list[str] = []
    rows = 0
    for path, shown, known in files:
        part, own = _inspect(path, shown, known, rows)
        if folder is not None:
            part, own = _with_constants(part, own, folder)
        if part.rows == 0:
            notes.append(f"{shown} has no rows.")
            continue
        _join_kinds(kinds, own, shown)
        parts.append(part)
        rows += part.rows
    if not parts:
        raise PayoffError("No part has a row.", where=name)
    return Source(
        name=name,
        parts=tuple(parts),
        kinds=tuple((column, kind) for column, (kind, _) in kinds.items()),
        notes=tuple(notes),
    )


@contextmanager
def writing_scratch(folder: str, shown: str) -> Iterator[None]:
    """Refuse in words where what is made of ``shown`` cannot be written to a folder."""
    try:
        yield
    except OSError as error:
        raise PayoffError(
            "The scratch space is full or cannot be written.",
            where=f"{folder}, while reading {shown}",
            why=error.strerror or str(error),
            remedy="Free space there, or name another folder by scratch=.",
        ) from None


def _with_constants(
    part: SourcePart, kinds: dict[str, str], folder: str
) -> tuple[SourcePart, dict[str, str]]:
    """A part with the columns that names of folders (``region=N``) say; they are texts.

    Raises
    ------
    PayoffError
        Where the file has such a column itself.
    """
    within = os.path.relpath(os.path.dirname(part.shown) or ".", folder).split(os.sep)
    named = [name.partition("=") for name in within if "=" in name]
    constants = tuple((unquote(name), unquote(value)) for name, _, value in named if name)
    for name, value in constants:
        if name in kinds:
            raise PayoffError(
                f"The column '{name}' is in the file, and its folder says '{name}={value}'.",
                where=part.shown,
                remedy="Rename the folder or the column.",
            )
    kinds = {**kinds, **dict.fromkeys((name for name, _ in constants), "text")}
    return replace(part, constants=constants), kinds


def _files_of(path: str) -> tuple[str, ...]:
    """The parts of a folder by the bytes of their path in it; a file is its own part."""
    if not os.path.isdir(path):
        if not path.lower().endswith((*_PARQUET_PARTS, *_TEXT_PARTS)):
            raise PayoffError(
                "Only Parquet and delimited text are read in pieces.",
                where=path,
                remedy="Save it as Parquet.",
            )
        return (path,)
    found: list[tuple[bytes, str]] = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        for name in names:
            if not name.startswith((".", "_")):
                full = os.path.join(folder, name)
                within = os.path.relpath(full, path).replace(os.sep, "/")
                found.append((within.encode("utf-8", "surrogateescape"), full))
    files = tuple(full for _, full in sorted(found))
    _check_formats(path, files)
    return files


def _check_formats(path: str, files: tuple[str, ...]) -> None:
    parquet = [file for file in files if file.lower().endswith(_PARQUET_PARTS)]
    texts = [file for file in files if file.lower().endswith(_TEXT_PARTS)]
    others = [file for file in files if file not in parquet and file not in texts]
    if not files:
        raise PayoffError("The folder is empty.", where=path, remedy="Name one that holds parts.")
    if others:
        raise PayoffError(
            "A file of the folder is neither Parquet nor delimited text.",
            where=others[0],
            remedy="Move it away, or begin its name with a dot or an underline: such are skipped.",
        )
    if parquet and texts:
        raise PayoffError(
            "The folder holds Parquet and delimited text.",
            where=f"{parquet[0]} and {texts[0]}",
            why="Both may say the same rows.",
            remedy="Keep one of the two formats in it.",
        )


def _inspect(
    path: str, shown: str, kinds: dict[str, str], first_row: int
) -> tuple[SourcePart, dict[str, str]]:
    """What the footer of a Parquet part says; ``kinds`` where they are known better."""
    with open_parquet(path) as file:
        meta = file.metadata
        groups = tuple(meta.row_group(group).num_rows for group in range(meta.num_row_groups))
        own = kinds or {field.name: kind_of_type(field.type) for field in file.schema_arrow}
    part = SourcePart(
        path=path, shown=shown, first_row=first_row, group_rows=groups, stamp=file_stamp(path)
    )
    return part, {name: kind for name, kind in own.items() if kind}


def kind_of_type(kind: pa.DataType) -> str:
    """The kind of a column by its type; empty for lists and records, which are not read."""
    types = pa.types
    if types.is_dictionary(kind):
        return kind_of_type(kind.value_type)
    if types.is_nested(kind):
        return ""
    if types.is_boolean(kind):
        return "boolean"
    if types.is_integer(kind) or types.is_duration(kind):
        return "integer"
    if types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    if types.is_temporal(kind):
        return "date"
    return "empty" if types.is_null(kind) else "text"


def _join_kinds(known: dict[str, tuple[str, str]], own: dict[str, str], file: str) -> None:
    """Take a part's kinds in; refuses a column that is missing, new, or of another kind."""
    if not known:
        known.update({name: (kind, file) for name, kind in own.items()})
        return
    first = next(iter(known.values()))[1]
    for name in known.keys() - own.keys():
        raise PayoffError(
            f"A part has no column '{name}'.",
            where=f"{file}; {first} has it",
            remedy="Write all parts with the same columns, or move this one away.",
        )
    for name in own.keys() - known.keys():
        raise PayoffError(
            f"A part has a column '{name}' that the others have not.",
            where=f"{file}; {first} has none",
            remedy="Write all parts with the same columns, or move this one away.",
        )
    for name, kind in own.items():
        before, source = known[name]
        known[name] = (_joined(name, (before, source), (kind, file)), source)


def _joined(name: str, first: tuple[str, str], second: tuple[str, str]) -> str:
    """The kind that holds both: whole numbers, numbers, texts; empty joins with any."""
    kinds = first[0], second[0]
    if kinds[0] == kinds[1] or "empty" in kinds:
        return kinds[1] if kinds[0] == "empty" else kinds[0]
    if all(kind in _RISING for kind in kinds):
        return max(kinds, key=_RISING.index)
    raise PayoffError(
        f"The column '{name}' is of two kinds.",
        where=f"{first[1]}: {first[0]}; {second[1]}: {second[0]}",
        remedy="Write it the same way in all parts.",
    )


def _text_as_parquet(
    file: str, scratch: Path, number: int, budget: MemoryBudget, reader: ReaderSettings
) -> tuple[str, dict[str, str]]:
    """Write a part of delimited text to Parquet; its path and the kinds of its columns."""
    size = os.path.getsize(file)
    if 4 * size > budget.size:
        raise PayoffError(
            "A part of delimited text is too large.",
            where=file,
            why=f"It has {size / 1e9:.1f} GB and is read as a whole, within {budget.words}.",
            remedy="Cut it into several parts, save it as Parquet, or allow more memory.",
        )
    table = load(file, reader)
    target = scratch / f"text-{number:05d}.parquet"
    with writing_scratch(os.fspath(scratch), file):
        pq.write_table(table.table, target, row_group_size=4 * LEAST_ROWS)
    return os.fspath(target), dict(table.kinds)


def _open_batches(
    batches: Batches, columns: tuple[str, ...], scratch: Path, should_stop: StopCall
) -> Source:
    """Write the needed columns of batches to one scratch file, in the order that they come in."""
    target = scratch / "batches.parquet"
    writer: pq.ParquetWriter | None = None
    kinds: dict[str, tuple[str, str]] = {}
    try:
        for number, piece in enumerate(_pieces(batches, columns, should_stop)):
            shown = f"batch {number + 1:,}"
            _join_kinds(kinds, {f.name: kind_of_type(f.type) for f in piece.schema}, shown)
            with writing_scratch(os.fspath(scratch), shown):
                if writer is None:
                    writer = pq.ParquetWriter(target, piece.schema)
                writer.write_table(_as_first(piece, writer.schema, shown))
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise PayoffError("The batches hold no row.", where="data")
    part, own = _inspect(os.fspath(target), "batches", {}, 0)
    return Source(name="batches", parts=(part,), kinds=tuple(own.items()))


def _pieces(
    batches: Batches, columns: tuple[str, ...], should_stop: StopCall
) -> Iterator[pa.Table]:
    """Batches as tables of the needed columns, joined to row groups of a fair size."""
    held: list[pa.Table] = []
    for number, batch in enumerate(batches):
        if should_stop():
            raise StoppedError
        if not isinstance(batch, pa.RecordBatch | pa.Table):
            raise PayoffError(
                f"Batch {number + 1:,} is {type(batch).__name__}, not Arrow.",
                remedy="Give pyarrow.RecordBatch or pyarrow.Table.",
            )
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        missing = [name for name in columns if name not in table.column_names]
        if missing:
            raise no_such("column", missing[0], table.column_names, where=f"batch {number + 1:,}")
        if held and table.schema.names != held[0].schema.names:
            yield pa.concat_tables(held, promote_options="permissive")
            held = []
        held.append(table.select(list(columns) or table.column_names))
        if sum(entry.num_rows for entry in held) >= LEAST_ROWS:
            yield pa.concat_tables(held, promote_options="permissive")
            held = []
    if sum(entry.num_rows for entry in held):
        yield pa.concat_tables(held, promote_options="permissive")


def _as_first(piece: pa.Table, schema: pa.Schema, shown: str) -> pa.Table:
    """A piece with the types of the first one."""
    try:
        return piece.cast(schema)
    except (pa.ArrowException, ValueError) as error:
        raise PayoffError(
            "A batch has other types than the first.",
            where=shown,
            why=str(error).split("\n")[0],
            remedy="Give all batches one schema.",
        ) from None


# ---------------------------------------------------------------- reading


def read_batches(task: RowTask, columns: tuple[str, ...]) -> Iterator[tuple[int, pa.Table]]:
    """The rows of a task, a batch at a time, with the number (from 0) of the first in its part.

    Raises
    ------
    PayoffError
        For a part that changed since it was looked at, or a row group that cannot be read.
    """
    _check_unchanged(task.part)
    first = task.first_in_part
    try:
        with pq.ParquetFile(
            task.part.path, pre_buffer=False, buffer_size=1 << 20, memory_map=False
        ) as file:
            constants = dict(task.part.constants)
            stored = tuple(name for name in columns if name not in constants)
            for table in _joined_batches(file, task, stored):
                check_stop()
                plain = _with_finite_numbers(plain_types(table, task.part.shown), task.part, first)
                for name in (name for name in columns if name in constants):
                    value = pa.scalar(constants[name], pa.string())
                    plain = plain.append_column(name, pa.repeat(value, table.num_rows))
                yield first, plain.select(list(columns))
                first += table.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError) as error:
        _check_unchanged(task.part)
        last = task.first_group + task.groups
        raise PayoffError(
            "A part cannot be read.",
            where=f"{task.part.shown}, row groups {task.first_group + 1:,} to {last:,} of "
            f"{counted(len(task.part.group_rows), 'row group')}",
            why=str(error).split("\n")[0],
            remedy="The file is damaged: copy or export it again, and ask again.",
        ) from None
    _check_unchanged(task.part)


def _with_finite_numbers(table: pa.Table, part: SourcePart, first: int) -> pa.Table:
    """Rows of a part from ``first`` on, NaN as missing cells; refuses infinite numbers."""

    def place(name: str, row: int, _value: str) -> str:
        return f"{part.shown}, data row {first + row + 1:,}, column {name}"

    for at, field in enumerate(table.schema):
        if pa.types.is_floating(field.type):
            values = finite_numbers(field.name, table.column(at), place)
            table = table.set_column(at, field.name, values)
    return table


def source_head(source: Source, most: int) -> pa.Table:
    """At most so many of the first rows, every column."""
    held: list[pa.Table] = []
    rows = 0
    names = tuple(name for name, _ in source.kinds)
    for table in (table for task in source.tasks(most) for _, table in read_batches(task, names)):
        held.append(table)
        rows += table.num_rows
        if rows >= most:
            break
    return pa.concat_tables(held, promote_options="permissive").slice(0, most)


def _joined_batches(
    file: pq.ParquetFile, task: RowTask, columns: tuple[str, ...]
) -> Iterator[pa.Table]:
    """Batches of about the size asked for, whatever the row groups."""
    groups = list(range(task.first_group, task.first_group + task.groups))
    held: list[pa.RecordBatch] = []
    rows = 0
    batches = file.iter_batches(
        batch_size=task.batch_rows, row_groups=groups, columns=list(columns), use_threads=False
    )
    for batch in batches:
        if held and rows + batch.num_rows > task.batch_rows:
            yield pa.Table.from_batches(held)
            held, rows = [], 0
        held.append(batch)
        rows += batch.num_rows
    if held:
        yield pa.Table.from_batches(held)


def why_unseen(part: SourcePart) -> str:
    """Why a part is not what it was when it was looked at, as this process sees it; or nothing."""
    try:
        same = file_stamp(part.path).agrees(part.stamp)
    except OSError as reason:
        return f"{part.path}, {reason.strerror or reason}"
    return "" if same else f"{part.path}, another file of that name"


def why_not_written(folder: str) -> str:
    """Why nothing can be written to a folder, as this process sees it; or nothing."""
    can = os.path.isdir(folder) and os.access(folder, os.W_OK)
    return "" if can else f"{folder}, which is not there or cannot be written"


def _check_unchanged(part: SourcePart) -> None:
    if why_unseen(part):
        raise PayoffError(
            "A part changed, or went away, while it was being read.",
            where=part.shown,
            why="Figures of a file that changes would be of no data at all.",
            remedy="Wait until it is written, and ask again.",
        )


__all__ = [
    "MemoryBudget",
    "PlannedTask",
    "RowTask",
    "Source",
    "SourcePart",
    "can_be_read_again",
    "is_streamed",
    "joined_source",
    "memory_budget",
    "open_source",
    "read_batches",
    "sample_tasks",
    "source_head",
    "why_not_written",
    "why_unseen",
    "writing_scratch",
]
