"""Records of 8 bytes on disk, by key range: written batch by batch, read back in order.

A record is (key less the start of its range) << 8 | code; whole numbers of 8 bytes may follow it
that say how much its case counts, one a measure. A range that does not fit into memory is read in
stretches of keys, each of which does; where one key alone does not, its codes are added up.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.document.files.atomic import replace_path
from core.scale.ranked.kernels import KeyArray
from core.scale.sources import writing_scratch
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, IntArray

CODES = 256  # that a record can say
_SPLIT = 4_096  # pieces that a range is cut into where it does not fit
_BLOCK = 1 << 20  # records read at a time
_ALL_KEYS = (1 << 56) - 1


@dataclass(frozen=True, slots=True, eq=False)
class SpillFile:
    """Records of one batch by range: range r is ``offsets[r]`` to ``offsets[r + 1]``.

    ``width`` numbers of 8 bytes a record: itself, and how much it counts by each measure.
    """

    path: str
    shown: str
    offsets: IntArray
    checks: NDArray[np.uint32]
    width: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpilledRange:
    """One key range of one ranking.

    Attributes
    ----------
    ranking, number : int
        Which ranking, which range.
    files : tuple of SpillFile
    start : int
        The first key of the range.
    before, whole : (counts,) int64
        What is counted before the range, and in all.
    held : int
        Records that may be held at a time.
    """

    ranking: int
    number: int
    files: tuple[SpillFile, ...]
    start: int
    before: IntArray
    whole: IntArray
    held: int


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Sorted records of some keys of a range.

    Attributes
    ----------
    records : (n,) uint64
    times : (n, measures) int64 or None
        How often each is there, by every measure; None: once.
    """

    records: KeyArray
    times: IntArray | None = None


def write_records(records: KeyArray, offsets: IntArray, path: str, shown: str) -> SpillFile:
    """Write the records of one batch, (n, width) uint64, which stand by range.

    Raises
    ------
    PayoffError
        Where the file cannot be written.
    """
    checks = np.array(
        [zlib.crc32(_bytes(records[begin:end])) for begin, end in pairwise(offsets.tolist())],
        dtype=np.uint32,
    )
    temporary = f"{path}.tmp"
    with writing_scratch(os.path.dirname(path), shown):
        with open(temporary, "wb", buffering=0) as file:
            view = _bytes(records)
            while len(view):
                view = view[file.write(view) :]
        replace_path(temporary, path)
    return SpillFile(path, shown, offsets, checks, records.shape[1])


def _bytes(records: KeyArray) -> memoryview:
    return memoryview(records.reshape(-1).view(np.uint8).data)


def sorted_stretches(task: SpilledRange) -> Iterator[Stretch]:
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
    yield _in_order(_blocks(task), size)


def _in_order(blocks: Iterator[KeyArray], size: int) -> Stretch:
    """So many records, sorted."""
    records = np.empty((size, 0), dtype=np.uint64)
    done = 0
    for block in blocks:
        if not done:
            records = np.empty((size, block.shape[1]), dtype=np.uint64)
        records[done : done + len(block)] = block
        done += len(block)
    if records.shape[1] < 2:
        plain = records.reshape(-1)
        plain.sort()
        return Stretch(plain)
    records = records[np.argsort(records[:, 0])]
    return Stretch(np.ascontiguousarray(records[:, 0]), records[:, 1:].view(np.int64))


def _stretches_between(task: SpilledRange, low: int, high: int) -> Iterator[Stretch]:
    """Records of keys from ``low`` to ``high`` (less the start of the range)."""
    least, most, codes = _extremes(task, low, high)
    rows = int(codes[:, 0].sum())
    if rows == 0:
        return
    if least == most:
        there = np.flatnonzero(codes[:, 0])
        key = np.uint64(least) << np.uint64(8)
        times = codes[there, 1:] if codes.shape[1] > 1 else codes[there]
        yield Stretch(key | there.astype(np.uint64), times)
        return
    if rows <= task.held:
        between = (block[_between(block, least, most)] for block in _blocks(task))
        yield _in_order(between, rows)
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


def _between(records: KeyArray, low: int, high: int) -> BoolArray:
    keys = records[:, 0] >> np.uint64(8)
    return np.asarray((keys >= np.uint64(low)) & (keys <= np.uint64(high)))


def _extremes(task: SpilledRange, low: int, high: int) -> tuple[int, int, IntArray]:
    """Least and greatest key from ``low`` to ``high``; by code, how many records, and measures."""
    least, most = high, low
    codes = np.zeros((CODES, max(f.width for f in task.files)), dtype=np.int64)
    for block in _blocks(task):
        kept = block[_between(block, low, high)]
        if len(kept):
            own = kept[:, 0]
            least = min(least, int(own.min() >> np.uint64(8)))
            most = max(most, int(own.max() >> np.uint64(8)))
            code = (own & np.uint64(255)).astype(np.int64)
            codes[:, 0] += np.bincount(code, minlength=CODES)
            np.add.at(codes[:, 1:], code, kept[:, 1:].view(np.int64))
    return least, most, codes


def _histogram(task: SpilledRange, low: int, high: int, step: int) -> IntArray:
    counts = np.zeros(_SPLIT, dtype=np.int64)
    for block in _blocks(task):
        kept = block[_between(block, low, high)]
        places = ((kept[:, 0] >> np.uint64(8)) - np.uint64(low)) // np.uint64(step)
        counts += np.bincount(places.astype(np.int64), minlength=_SPLIT)
    return counts


def _blocks(task: SpilledRange) -> Iterator[KeyArray]:
    """The records of a range, (n, width), file by file, as they were written.

    Raises
    ------
    PayoffError
        For a file that is cut off, or whose bytes changed.
    """
    for spilled in task.files:
        begin, end = (int(spilled.offsets[task.number + step]) for step in (0, 1))
        if begin == end:
            continue
        check, width = 0, spilled.width
        try:
            with open(spilled.path, "rb", buffering=0) as file:
                file.seek(8 * width * begin)
                for start in range(begin, end, _BLOCK):
                    wanted = min(_BLOCK, end - start)
                    block = np.fromfile(file, np.uint64, width * wanted)
                    check = zlib.crc32(block.data, check)
                    if len(block) < width * wanted:
                        break
                    yield block.reshape(-1, width)
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
    "SpilledRange",
    "Stretch",
    "sorted_stretches",
    "write_records",
]
