"""From parts to parts: every row of a source gets new columns, in files that are whole or absent.

A run is cut by row numbers alone, so that its files are the same whatever the memory. Each file is
written aside, synced and renamed, and then noted in the folder's journal; ``_record.json`` comes
last. A folder without it is unfinished: the same run asked again keeps what is noted and unchanged.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.document.files.guarded import make_folder, write_file
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.exact_sums import SumArray, add_terms, merge_sums, new_sums, rounded_value
from core.scale.sources import RowTask, Source, read_batches
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.version import __version__

PART_ROWS = 1_048_576
RECORD = "_record.json"
_JOURNAL = "_journal"
_MOST_WORDS = 100  # different texts of a column that are counted

MakeColumns: TypeAlias = Callable[[pa.Table], pa.Table]
"""New columns for a batch of rows, one row each."""


@dataclass(slots=True, kw_only=True)
class ColumnTotals:
    """Exact sums of columns of numbers, and counts of the texts of others."""

    sums: dict[str, SumArray] = field(default_factory=dict)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, table: pa.Table) -> None:
        """Take in the columns of a batch."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            if pa.types.is_floating(column.type):
                values = column.to_numpy().astype(np.float64)
                own = new_sums()
                add_terms(np.where(np.isfinite(values), values, 0.0), own)
                self._add_sums(name, own)
            elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                seen = pc.value_counts(column).to_pylist()
                self._add_counts(name, {str(e["values"]): int(e["counts"]) for e in seen})

    def merge(self, other: ColumnTotals) -> None:
        """Take in what other rows gave."""
        for name, sums in other.sums.items():
            self._add_sums(name, sums)
        for name, counts in other.counts.items():
            self._add_counts(name, counts)

    def _add_sums(self, name: str, sums: SumArray) -> None:
        known = self.sums.get(name)
        self.sums[name] = sums if known is None else merge_sums(known, sums)

    def _add_counts(self, name: str, counts: dict[str, int]) -> None:
        known = self.counts.setdefault(name, {})
        for word, number in counts.items():
            known[word] = known.get(word, 0) + number

    def as_plain(self) -> dict[str, Any]:
        """As the journal keeps them."""
        return {
            "sums": {name: sums.tolist() for name, sums in self.sums.items()},
            "counts": {n: c for n, c in self.counts.items() if len(c) <= _MOST_WORDS},
        }

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> ColumnTotals:
        """From what the journal keeps."""
        sums = {name: np.array(own, dtype=np.int64) for name, own in plain["sums"].items()}
        return cls(sums=sums, counts=plain["counts"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredParts:
    """What a run from parts to parts wrote.

    Attributes
    ----------
    folder : str
    files : tuple of str
        In the order of rows.
    rows : int
    columns : tuple of str
    totals : mapping of column to the sum of its finite numbers, each rounded once
    counts : mapping of column to how often each of its texts stands there
    kept : int
        Files of a former run that was cut short.
    warnings : tuple of str
    """

    folder: str
    files: tuple[str, ...]
    rows: int
    columns: tuple[str, ...]
    totals: dict[str, float]
    counts: dict[str, dict[str, int]]
    kept: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPart:
    """A file that is written: its rows, its bytes' CRC-32, and its totals."""

    file: str
    rows: int
    check: int
    columns: list[str]
    totals: ColumnTotals


def score_parts(
    source: Source,
    columns: tuple[str, ...],
    kept: tuple[str, ...],
    make: MakeColumns,
    folder: str | os.PathLike[str],
    *,
    run: dict[str, Any],
    runner: Runner,
    progress: Callable[[float, str], None],
    should_stop: Callable[[], bool],
) -> ScoredParts:
    """Write a file of new columns for every run of rows of a source.

    Parameters
    ----------
    columns : names
        What ``make`` reads.
    kept : names
        Columns of the source that are written along.
    make : callable
    folder : path
        New, empty, or of the same run that was cut short.
    run : mapping
        What tells this run apart from others; kept in the record.
    runner : Runner
        Where files are made; ``make`` is pickled where that is another process.

    Raises
    ------
    PayoffError
        For a folder that holds something else, and whatever ``make`` refuses, with the part.
    StoppedError
        What is written stays, and the run can go on.
    """
    place = Path(folder)
    tasks = source.tasks(PART_ROWS)
    key = _key(source, columns, kept, run)
    _begin(place, key)
    read = tuple(dict.fromkeys((*columns, *kept)))
    totals, files, rows, names, resumed = ColumnTotals(), [], 0, [""], 0
    work = (
        PartTask(place=place, rows=task, read=read, columns=columns, kept=kept, make=make)
        for task in tasks
    )
    for done, was_known in run_tasks_bounded(runner, write_part, work, should_stop=should_stop):
        resumed += was_known
        totals.merge(done.totals)
        files.append(done.file)
        rows += done.rows
        names = done.columns
        progress(rows / max(source.rows, 1), f"Writing, {counted(rows, 'row')}")
    files.sort()  # as their tasks are numbered
    answer = ScoredParts(
        folder=str(place),
        files=tuple(str(place / file) for file in files),
        rows=rows,
        columns=tuple(names),
        totals={name: rounded_value(sums) for name, sums in totals.sums.items()},
        counts={n: c for n, c in totals.counts.items() if len(c) <= _MOST_WORDS},
        kept=resumed,
        warnings=source.notes,
    )
    _finish(place, answer, files, run)
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTask:
    """Rows of which one file is made."""

    place: Path
    rows: RowTask
    read: tuple[str, ...]
    columns: tuple[str, ...]
    kept: tuple[str, ...]
    make: MakeColumns


def write_part(task: PartTask) -> tuple[WrittenPart, bool]:
    """Write the file of a task, or find what a former run wrote; and whether it did.

    Raises
    ------
    PayoffError
        What ``make`` refuses, with the part; a file that cannot be written.
    """
    known = _known(task.place, task.rows)
    if known is not None:
        return known, True
    own = task.read, task.columns, task.kept, task.make
    return _write_part(task.place, task.rows, *own), False


def _key(
    source: Source, columns: tuple[str, ...], kept: tuple[str, ...], run: dict[str, Any]
) -> str:
    """What a run and its rows are, as one hash; a part that was mended is another one."""
    parts = [(part.shown, part.group_rows) for part in source.parts]
    plain = json.dumps([__version__, parts, columns, kept, run], sort_keys=True, default=str)
    return hashlib.sha256(plain.encode()).hexdigest()


def _begin(place: Path, key: str) -> None:
    """Make the folder, or find the same run in it.

    Raises
    ------
    PayoffError
        Where it holds something else.
    """
    if (place / RECORD).exists():
        raise PayoffError(
            "The folder holds a finished run.",
            where=str(place),
            remedy="Name another folder, or delete this one.",
        )
    plan = place / _JOURNAL / "plan.json"
    if plan.exists():
        if json.loads(plan.read_text("utf-8"))["key"] != key:
            raise PayoffError(
                "The folder holds another run, which was cut short.",
                where=str(place),
                why="Its rule, its rows or its columns are not those of this one.",
                remedy="Name another folder, or delete this one.",
            )
        return
    if place.exists() and any(place.iterdir()):
        raise PayoffError(
            "The folder is not empty.", where=str(place), remedy="Name a new or an empty one."
        )
    make_folder(place / _JOURNAL)
    write_file(plan, json.dumps({"key": key}).encode(), what="The journal")


def _file_of(task: RowTask) -> str:
    return f"part-{task.number:05d}.parquet"


def _known(place: Path, task: RowTask) -> WrittenPart | None:
    """What a former run wrote of a task, where it is whole and of the same bytes."""
    note = place / _JOURNAL / f"{task.number:05d}.json"
    file = place / _file_of(task)
    if not (note.exists() and file.exists()):
        return None
    plain = json.loads(note.read_text("utf-8"))
    if plain["stamp"] != list(task.part.stamp[:2]) or plain["check"] != _check_of(file):
        return None
    return WrittenPart(
        file=file.name,
        rows=plain["rows"],
        check=plain["check"],
        columns=plain["columns"],
        totals=ColumnTotals.of_plain(plain["totals"]),
    )


def _write_part(
    place: Path,
    task: RowTask,
    read: tuple[str, ...],
    columns: tuple[str, ...],
    kept: tuple[str, ...],
    make: MakeColumns,
) -> WrittenPart:
    totals = ColumnTotals()
    made: list[tuple[int, list[str]]] = []

    def fill(path: str) -> None:
        writer: pq.ParquetWriter | None = None
        try:
            for table in _made(task, read, columns, kept, make):
                writer = writer or pq.ParquetWriter(path, table.schema)
                writer.write_table(table.cast(writer.schema))
                totals.add(table.drop_columns(["row", *kept]))
                made.append((table.num_rows, table.column_names))
        finally:
            if writer is not None:
                writer.close()

    file = place / _file_of(task)
    write_file(file, fill, what="A part of the result")
    done = WrittenPart(
        file=file.name,
        rows=sum(rows for rows, _ in made),
        check=_check_of(file),
        columns=made[0][1],
        totals=totals,
    )
    plain = {
        "rows": done.rows,
        "check": done.check,
        "columns": done.columns,
        "stamp": list(task.part.stamp[:2]),
        "totals": totals.as_plain(),
    }
    note = place / _JOURNAL / f"{task.number:05d}.json"
    write_file(note, json.dumps(plain).encode(), what="The journal")
    return done


def _made(
    task: RowTask,
    read: tuple[str, ...],
    columns: tuple[str, ...],
    kept: tuple[str, ...],
    make: MakeColumns,
) -> Iterator[pa.Table]:
    """Row numbers in the whole, the columns that are kept, and the new ones, batch by batch."""
    for first, table in read_batches(task, read):
        begin = task.part.first_row + first + 1
        try:
            new = make(table.select(list(columns)))
        except PayoffError as refusal:
            last = first + table.num_rows
            raise PayoffError(
                refusal.what,
                where=f"{task.part.shown}, of data rows {first + 1:,} to {last:,}: {refusal.where}",
                why=refusal.why,
                remedy=refusal.remedy,
            ) from None
        numbers = pa.array(np.arange(begin, begin + table.num_rows, dtype=np.int64))
        names = ["row", *kept, *new.column_names]
        if len(set(names)) < len(names):
            double = next(name for name in names if names.count(name) > 1)
            raise PayoffError(f"The column '{double}' is the name of a result.", where="keep")
        yield pa.table([numbers, *(table.column(n) for n in kept), *new.columns], names=names)


def _check_of(file: Path) -> int:
    check = 0
    with file.open("rb") as source:
        while block := source.read(1 << 20):
            check = zlib.crc32(block, check)
    return check


def _finish(place: Path, answer: ScoredParts, files: list[str], run: dict[str, Any]) -> None:
    """Write the record, and take the journal away."""
    record = {
        "payoff": __version__,
        "run": run,
        "rows": answer.rows,
        "columns": list(answer.columns),
        "files": [{"file": name, "crc32": _check_of(place / name)} for name in files],
        "totals": answer.totals,
        "counts": answer.counts,
    }
    text = json.dumps(record, indent=2, default=str)
    write_file(place / RECORD, text.encode(), what="The record")
    shutil.rmtree(place / _JOURNAL, ignore_errors=True)


__all__ = ["PART_ROWS", "RECORD", "ColumnTotals", "ScoredParts", "score_parts"]
