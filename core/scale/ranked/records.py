"""Records of 8 bytes on disk, by key range: written batch by batch, read back in order.

A record is (key less the start of its range) << 8 | code. A range that does not fit into memory is
read in stretches of keys, each of which does; where one key alone does not, its codes are counted.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.document.files.atomic import replace_path
from core.scale.ranked.kernels import KeyArray
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, IntArray

CODES = 256  # that a record can say
_SPLIT = 4_096  # pieces that a range is cut into where it does not fit
_BLOCK = 1 << 20  # records read at a time
_ALL_KEYS = (1 << 56) - 1


@dataclass(frozen=True, slots=True, eq=False)
class SpillFile:
    """Records of one batch by range: range r is ``offsets[r]`` to ``offsets[r + 1]``."""

    path: str
    shown: str
    offsets: IntArray
    checks: NDArray[np.uint32]


class StoredRange(Protocol):
    """One key range of spilled files, and how many of its records may be held at a time."""

    @property
    def number(self) -> int: ...

    @property
    def files(self) -> tuple[SpillFile, ...]: ...

    @property
    def held(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Sorted records of some keys of a range.

    Attributes
    ----------
    records : (n,) uint64
    times : (n,) int64 or None
        How often each is there; None: once.
    """

    records: KeyArray
    times: IntArray | None = None


def write_records(records: KeyArray, offsets: IntArray, path: str, shown: str) -> SpillFile:
    """Write the records of one batch, which stand by range.

    Raises
    ------
    PayoffError
        Where the file cannot be written.
    """
    checks = np.array(
        [zlib.crc32(records[begin:end].data) for begin, end in pairwise(offsets.tolist())],
        dtype=np.uint32,
    )
    temporary = f"{path}.tmp"
    try:
        with open(temporary, "wb", buffering=0) as file:
            view = memoryview(records.data).cast("B")
            while len(view):
                view = view[file.write(view) :]
        replace_path(temporary, path)
    except OSError as error:
        raise PayoffError(
            "The scratch space is full or cannot be written.",
            where=f"{os.path.dirname(path)}, while reading {shown}",
            why=error.strerror or str(error),
            remedy="Free space there, or name another folder by scratch=.",
        ) from None
    return SpillFile(path, shown, offsets, checks)


def sorted_stretches(task: StoredRange) -> Iterator[Stretch]:
    """The records of a range in order, in stretches of whole keys that fit.

    Raises
    ------
    PayoffError
        For a file that is cut off, or whose bytes changed.
    """
    size = sum(int(f.offsets[task.number + 1] - f.offsets[task.number]) for f in task.files)
    if size > task.held:
        yield from _stretches_between(task, 0, _ALL_KEYS)
        return
    records = np.empty(size, dtype=np.uint64)
    done = 0
    for block in _blocks(task):
        records[done : done + len(block)] = block
        done += len(block)
    records.sort()
    yield Stretch(records)


def _stretches_between(task: StoredRange, low: int, high: int) -> Iterator[Stretch]:
    """Records of keys from ``low`` to ``high`` (less the start of the range)."""
    least, most, codes = _extremes(task, low, high)
    rows = int(codes.sum())
    if rows == 0:
        return
    if least == most:
        there = np.flatnonzero(codes)
        key = np.uint64(least) << np.uint64(8)
        yield Stretch(key | there.astype(np.uint64), codes[there])
        return
    if rows <= task.held:
        records = _gather_between(task, least, most, rows)
        records.sort()
        yield Stretch(records)
        return
    step = -(-(most - least + 1) // _SPLIT)
    counts = _histogram(task, least, most, step)
    begin = 0
    while begin < _SPLIT:
        end, held = begin + 1, int(counts[begin])
        while end < _SPLIT and held + int(counts[end]) <= task.held:
            held += int(counts[end])
            end += 1
        if held:
            yield from _stretches_between(task, least + begin * step, least + end * step - 1)
        begin = end


def _gather_between(task: StoredRange, low: int, high: int, size: int) -> KeyArray:
    records = np.empty(size, dtype=np.uint64)
    done = 0
    for block in _blocks(task):
        kept = block[_between(block, low, high)]
        records[done : done + len(kept)] = kept
        done += len(kept)
    return records


def _between(records: KeyArray, low: int, high: int) -> BoolArray:
    keys = records >> np.uint64(8)
    return np.asarray((keys >= np.uint64(low)) & (keys <= np.uint64(high)))


def _extremes(task: StoredRange, low: int, high: int) -> tuple[int, int, IntArray]:
    """Least and greatest key from ``low`` to ``high``, and how often each code is there."""
    least, most = high, low
    codes = np.zeros(CODES, dtype=np.int64)
    for block in _blocks(task):
        kept = block[_between(block, low, high)]
        if len(kept):
            least = min(least, int(kept.min() >> np.uint64(8)))
            most = max(most, int(kept.max() >> np.uint64(8)))
            codes += np.bincount((kept & np.uint64(255)).astype(np.int64), minlength=CODES)
    return least, most, codes


def _histogram(task: StoredRange, low: int, high: int, step: int) -> IntArray:
    counts = np.zeros(_SPLIT, dtype=np.int64)
    for block in _blocks(task):
        kept = block[_between(block, low, high)]
        places = ((kept >> np.uint64(8)) - np.uint64(low)) // np.uint64(step)
        counts += np.bincount(places.astype(np.int64), minlength=_SPLIT)
    return counts


def _blocks(task: StoredRange) -> Iterator[KeyArray]:
    """The records of a range, file by file, as they were written.

    Raises
    ------
    PayoffError
        For a file that is cut off, or whose bytes changed.
    """
    for spilled in task.files:
        begin, end = (int(spilled.offsets[task.number + step]) for step in (0, 1))
        if begin == end:
            continue
        check = 0
        try:
            with open(spilled.path, "rb", buffering=0) as file:
                file.seek(8 * begin)
                for start in range(begin, end, _BLOCK):
                    block = np.fromfile(file, np.uint64, min(_BLOCK, end - start))
                    check = zlib.crc32(block.data, check)
                    if len(block) < min(_BLOCK, end - start):
                        break
                    yield block
        except OSError as error:
            raise _damaged(spilled, error.strerror or str(error)) from None
        if check != int(spilled.checks[task.number]):
            raise _damaged(spilled, "Its bytes are not those that were written.")


def _damaged(spilled: SpillFile, why: str) -> PayoffError:
    return PayoffError(
        "A file of the scratch space is damaged.",
        where=f"{spilled.path}, of {spilled.shown}",
        why=why,
        remedy=f"Check the disk, delete it and ask again: {counted(1, 'part')} is read again.",
    )


__all__ = [
    "CODES",
    "SpillFile",
    "StoredRange",
    "Stretch",
    "sorted_stretches",
    "write_records",
]
