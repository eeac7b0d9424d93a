"""Whole numbers in whose digits others are looked for, as a search of what is displayed does.

Writing tens of millions of numbers out as texts takes many times as long as dividing them.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from payoff.types import BoolArray

_SOUGHT = re.compile(r"(-?)([0-9]+)", re.ASCII)


def hold_digits(values: pa.ChunkedArray | pa.Array, text: str) -> BoolArray:
    """Whether a text stands in the digits of whole numbers as they are written.

    Parameters
    ----------
    values : (n,) integers
    text : str
        Digits, a minus before them or not; no other text stands in a whole number.

    Returns
    -------
    (n,) bool; False where the number is missing.
    """
    sought = _SOUGHT.fullmatch(text)
    if sought is None or not len(values):
        return np.zeros(len(values), dtype=bool)
    numbers = np.asarray(pc.fill_null(values.cast(pa.int64()), 0).to_numpy())
    magnitude = np.abs(numbers).view(np.uint64)  # of -2**63, too
    most = int(magnitude.max())
    if most < 2**32:
        magnitude = magnitude.astype(np.uint32)  # is divided in half the time
    if sought[1]:
        found = _stands_first(magnitude, sought[2], most) & (numbers < 0)
    else:
        found = _stands_anywhere(magnitude, sought[2], most)
    if values.null_count:
        found &= np.asarray(pc.is_valid(values))
    return found


def _stands_first(
    magnitude: np.ndarray[tuple[int], np.dtype[np.unsignedinteger]], digits: str, most: int
) -> BoolArray:
    """Whether numbers begin with some digits."""
    found = np.zeros(len(magnitude), dtype=bool)
    if digits[0] == "0":
        return found
    rest = magnitude
    for _ in range(len(str(most)) - len(digits) + 1):
        found |= rest == int(digits)
        rest = rest // 10
    return found


def _stands_anywhere(
    magnitude: np.ndarray[tuple[int], np.dtype[np.unsignedinteger]], digits: str, most: int
) -> BoolArray:
    """Whether numbers have some digits, one behind the other."""
    found = (magnitude == 0) if digits == "0" else np.zeros(len(magnitude), dtype=bool)
    beyond = 10 ** len(digits)
    rest = magnitude
    for _ in range(len(str(most)) - len(digits) + 1):
        end = rest if beyond > most else rest % beyond
        hits = end == int(digits)
        if digits[0] == "0":  # no number is written with a zero in front
            hits &= rest >= min(beyond, most + 1)
        found |= hits
        rest = rest // 10
    return found
