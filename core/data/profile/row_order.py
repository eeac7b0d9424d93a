"""Rows in another order: sorted by a column, searched, or only those of the row filter.

Whole numbers in whose digits others are looked for, as a search of what is displayed does.

Writing tens of millions of numbers out as texts takes many times as long as dividing them.

The order of a column as a table is sorted by it: numbers by size, text by letters.

Rows in another order: sorted by a column, searched, or only those of the row filter.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.cancellation import ShouldStop, never_stop
from core.data.lazy.columns import LazyColumns
from core.data.splits import rows_inside
from core.data.table import LoadedTable
from core.document.model import Document
from core.document.studies.data import TableOrder
from payoff.errors import StoppedError
from payoff.types import BoolArray, FloatArray, IntArray

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


def column_ranks(table: LoadedTable, name: str, rows: IntArray) -> FloatArray:
    """Places of some rows in the order of a column; missing = NaN, equal values share no place.

    Returns
    -------
    array (k,) of float64
        0 for the smallest.
    """
    values = table.require_column(name)
    if len(rows) < table.rows:
        values = values.take(rows)
    order = pc.sort_indices(values).to_numpy()
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order), dtype=np.float64)
    ranks[values.is_null().to_numpy()] = np.nan
    return ranks


def ordered_rows(
    table: LoadedTable, document: Document, order: TableOrder, should_stop: ShouldStop = never_stop
) -> IntArray:
    """(m,) int64: row numbers from 0 in the order that is asked for; ties in file order."""
    keep = np.ones(table.rows, dtype=bool)
    inside = rows_inside(table, document) if order.only_used else None
    if inside is not None:
        keep &= inside[0]
    if order.search:
        keep &= _found(table, order.search, should_stop)
    rows = np.flatnonzero(keep)
    if not order.sort:
        return rows
    values = table.require_column(order.sort).take(rows)
    if table.kinds[order.sort] == "text":
        values = values.cast(pa.string())
    way = "descending" if order.is_falling else "ascending"
    places = pc.array_sort_indices(values.combine_chunks(), order=way, null_placement="at_end")
    return np.asarray(rows[places.to_numpy()], dtype=np.int64)


def _found(table: LoadedTable, text: str, should_stop: ShouldStop) -> BoolArray:
    """Rows in which a cell holds a text, whatever the case; a number with decimals is that number.

    Texts of all decimals of millions of numbers would take long and find what nobody looks for.
    """
    number = _number(text)
    names = [name for name in table.columns if _may_hold(table.kinds[name], number)]
    if not names:
        return np.zeros(table.rows, dtype=bool)
    # Of columns that are read on need none is kept: a search goes through all of them once.
    is_lazy = isinstance(table.table, LazyColumns)
    parts = table.table.parts(names) if is_lazy else [table.table.select(names)]
    found: list[BoolArray] = []
    for part in parts:
        hits = np.zeros(part.num_rows, dtype=bool)
        for name in names:
            if should_stop():
                raise StoppedError
            hits |= _hits(part.column(name), table.kinds[name], text, number)
        found.append(hits)
    return np.concatenate(found)


def _may_hold(kind: str, number: float | None) -> bool:
    """Whether a column of a kind can hold what is searched for."""
    return number is not None or kind not in ("number", "integer")


def _hits(values: pa.ChunkedArray, kind: str, text: str, number: float | None) -> BoolArray:
    if kind == "number":
        return np.asarray(pc.fill_null(pc.equal(values, number), False))
    if pa.types.is_integer(values.type):
        return hold_digits(values, text)
    return _holds(values, text)


def _holds(values: pa.ChunkedArray, text: str) -> BoolArray:
    coded = values.combine_chunks() if pa.types.is_dictionary(values.type) else None
    if isinstance(coded, pa.DictionaryArray):
        hits = pc.match_substring(coded.dictionary.cast(pa.string()), text, ignore_case=True)
        lookup = np.append(np.asarray(hits.fill_null(False)), False)
        codes = coded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        return np.asarray(lookup[codes])
    hits = pc.match_substring(values.cast(pa.string()), text, ignore_case=True)
    return np.asarray(pc.fill_null(hits, False))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
