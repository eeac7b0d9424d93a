"""Joining by one key of whole numbers: partners and counts without a list of all keys.

A dictionary of tens of millions of different ids costs more than all else of a join. Only the keys
of the other file are put into one; ids of the data are looked up in it piece by piece, and counted
by sorting where they do not ascend already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.cancellation import check_stop
from payoff.types import BoolArray, IntArray

PIECE_ROWS = 16_000_000  # every look-up hashes the other keys anew: few and large pieces


@dataclass(frozen=True, slots=True, eq=False)
class WholeMatch:
    """What looking up a column of whole numbers found.

    Attributes
    ----------
    partner : (n,) int32
        Place of each row's key among those looked up; -1 = none.
    has_key : (n,) bool
    repeated : int
        Keys of the column that stand in several rows.
    """

    partner: np.ndarray[tuple[int], np.dtype[np.int32]]
    has_key: BoolArray
    repeated: int


def look_up(values: pa.ChunkedArray, forms: pa.Array) -> WholeMatch:
    """Find whole numbers among others, all different, and count those that repeat.

    Raises
    ------
    StoppedError
    """
    partner = np.empty(len(values), dtype=np.int32)
    has_key = np.ones(len(values), dtype=bool)
    for start, piece in _pieces(values):
        found = pc.index_in(piece, value_set=forms).fill_null(-1)
        stop = start + len(piece)
        partner[start:stop] = found.to_numpy()
        if piece.null_count:
            has_key[start:stop] = pc.is_valid(piece).to_numpy()
    partner[~has_key] = -1  # a null among the forms is no key
    return WholeMatch(partner, has_key, _repeated(values))


def first_different(values: pa.ChunkedArray, rows: IntArray, most: int) -> list[int]:
    """The first different values at some rows, in the order of the rows."""
    taken = 64 * most
    while True:
        found: list[int] = pc.unique(values.take(pa.array(rows[:taken]))).to_pylist()
        if len(found) >= most or taken >= len(rows):
            return found[:most]
        taken *= 16


def _repeated(values: pa.ChunkedArray) -> int:
    """How many values stand in several rows; missing ones do not count."""
    if _ascends(values):
        return 0
    known = np.sort(values.drop_null().to_numpy())
    same = known[1:] == known[:-1]
    # A run of equal values counts once: where a row equals the one before, and that one does not.
    return int(np.count_nonzero(same[1:] & ~same[:-1])) + int(bool(len(same)) and bool(same[0]))


def _ascends(values: pa.ChunkedArray) -> bool:
    """Whether every known value is greater than the one before, as ids mostly are."""
    last = None
    for _, piece in _pieces(values):
        known = piece.drop_null().to_numpy()
        if not len(known):
            continue
        if (last is not None and known[0] <= last) or not bool((known[1:] > known[:-1]).all()):
            return False
        last = known[-1]
    return True


def _pieces(values: pa.ChunkedArray) -> Iterator[tuple[int, pa.ChunkedArray]]:
    """Pieces of a column with their first row; Stop is asked between them."""
    for start in range(0, len(values), PIECE_ROWS):
        check_stop()
        yield start, values.slice(start, PIECE_ROWS)
