"""Rows in another order: sorted by a column, searched, or only those of the row filter."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.cancellation import ShouldStop, never_stop
from core.data.lazy.columns import LazyColumns
from core.data.profile.digits import hold_digits
from core.data.splits import rows_inside
from core.data.table import LoadedTable
from core.document.model import Document
from core.document.studies.data import TableOrder
from payoff.errors import StoppedError
from payoff.types import BoolArray, IntArray


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
