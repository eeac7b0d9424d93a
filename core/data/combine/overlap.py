"""Rows that are in two uses: the same id, or the same values, among train and test rows.

Values are compared by 64-bit fingerprints of whole rows; the chance that two different rows of ten
million share one is below 1 in 300,000.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.combine.joining import printed_forms
from core.data.levels import printed
from core.data.profile.summary import texts_at
from core.data.splits import ROW_USE_CODES, row_uses
from core.data.table import LoadedTable
from core.document.data.model import RowUse
from core.document.model import Document, Role
from core.document.studies.data import Overlap, OverlapLine
from payoff.counting import counted
from payoff.types import IntArray

_USE_WORDS = {
    RowUse.TRAIN: "training",
    RowUse.VALIDATION: "validation",
    RowUse.TEST: "test",
}
_USES = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def find_overlap(table: LoadedTable, document: Document) -> Overlap:
    """What train, validation and test rows have in common.

    Two rows are the same if all columns agree but the id and the use of the row; models' scores
    count. Ids agree by printed form.
    """
    began = time.perf_counter()
    uses = row_uses(table, document)
    lines: list[OverlapLine] = []
    name = document.column_of(Role.ID)
    if name is not None and name in table.kinds:
        codes = _id_codes(table, name)
        lines += _lines("id", codes, uses, lambda row: texts_at(table, name, np.array([row]))[0])
    compared = compared_columns(table, document)
    if compared:
        codes = np.unique(row_fingerprints(table, compared), return_inverse=True)[1]
        lines += _lines("row", codes.astype(np.int64), uses, lambda row: "")
    return Overlap(
        rows=table.rows,
        id_column=name,
        compared=compared,
        lines=tuple(lines),
        seconds=time.perf_counter() - began,
    )


def overlap_warnings(table: LoadedTable, most_rows: int) -> tuple[str, ...]:
    """What rows of different uses have in common, in words, by the roles that were guessed.

    Nothing without a column that says what rows are for, or with more rows than ``most_rows``.
    """
    summary = table.summary
    if not summary.split.column or table.rows > most_rows:
        return ()
    document = Document(roles=summary.roles, split=summary.split, target=summary.target)
    found = find_overlap(table, document)
    return tuple(
        _in_words(line, found.id_column) for line in found.lines if line.uses[0] != line.uses[1]
    )


def _in_words(line: OverlapLine, id_column: str | None) -> str:
    first, second = (_USE_WORDS[RowUse(use)] for use in line.uses)
    is_id = line.what == "id"
    one = f"{second} row " + (f"has the '{id_column}' of" if is_id else "repeats all values of")
    many = f"{second} rows " + (f"have the '{id_column}' of" if is_id else "repeat all values of")
    return (
        f"Overlap: {counted(line.rows, one, many)} a {first} row (first: rows "
        f"{line.first[0]:,} and {line.first[1]:,}). They flatter what was trained on those rows."
    )


def rows_sharing_ids(
    table: LoadedTable, document: Document, rows: IntArray, others: IntArray
) -> tuple[IntArray, IntArray]:
    """Those of ``rows`` that have the id of one of ``others`` without being one of them.

    Returns
    -------
    shared, partners : (m,) int64
        Row numbers from 0, and for each the first of ``others`` with the same id.
    """
    none = np.empty(0, dtype=np.int64)
    name = document.column_of(Role.ID)
    if name is None or name not in table.kinds or not len(rows) or not len(others):
        return none, none
    if len(pc.unique(table.require_column(name))) == table.rows:
        return none, none
    codes = _id_codes(table, name)
    rows = np.setdiff1d(rows, others)
    rows = rows[codes[rows] >= 0]
    first = np.full(int(codes.max(initial=-1)) + 1, -1, dtype=np.int64)
    named = others[codes[others] >= 0]
    first[codes[named][::-1]] = named[::-1]  # the last written stands: the first row of an id
    partners = first[codes[rows]]
    return rows[partners >= 0], partners[partners >= 0]


def compared_columns(table: LoadedTable, document: Document) -> tuple[str, ...]:
    """Columns whose values make two rows the same: all but names and uses of rows."""
    left_out = {entry.column for entry in document.roles if entry.role in (Role.ID, Role.ROW_USE)}
    left_out.add(document.split.column or "")
    return tuple(name for name in table.columns if name not in left_out)


def row_fingerprints(table: LoadedTable, columns: tuple[str, ...]) -> NDArray[np.uint64]:
    """(n,) uint64: a fingerprint of each row's values; missing is a value of its own."""
    total = np.zeros(table.rows, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for place, name in enumerate(columns):
            key = _mixed(np.array([place + 1], dtype=np.uint64) * _MIX)
            total += _mixed(_bits(table.require_column(name)) ^ key)
    return total


def _bits(values: pa.ChunkedArray) -> NDArray[np.uint64]:
    """64 bits per value that are equal for equal values of the column."""
    if pa.types.is_floating(values.type) or pa.types.is_integer(values.type):
        numbers = values.cast(pa.float64()).fill_null(float("nan")).to_numpy()
        numbers = np.where(np.isnan(numbers), np.nan, numbers + 0.0)  # one NaN, and no -0
        return np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
    if not pa.types.is_dictionary(values.type):
        values = pc.dictionary_encode(values)
    whole = values.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        return np.empty(0, dtype=np.uint64)
    forms: dict[str, int] = {}
    lookup = [forms.setdefault(printed(v), len(forms)) for v in whole.dictionary.to_pylist()]
    codes = whole.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    places: IntArray = np.array([*lookup, -1], dtype=np.int64)[codes]
    return places.view(np.uint64)


def _mixed(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def _id_codes(table: LoadedTable, name: str) -> IntArray:
    """A code per id; -1 = missing."""
    values = table.require_column(name)
    coded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
    whole = coded.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        return np.empty(0, dtype=np.int64)
    forms = pc.dictionary_encode(printed_forms(whole.dictionary, table.kinds[name]))
    lookup = forms.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    codes = whole.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    places: IntArray = np.append(lookup, -1)[codes]
    return places


def _lines(
    what: str, codes: IntArray, uses: NDArray[np.uint8], example: Callable[[int], str]
) -> list[OverlapLine]:
    """A line for each pair of uses with something in common, and for repeats within a use."""
    first: dict[RowUse, IntArray] = {}
    size = int(codes.max(initial=-1)) + 1
    lines = []
    members = {use: np.flatnonzero((uses == ROW_USE_CODES[use]) & (codes >= 0)) for use in _USES}
    for use, rows in members.items():
        place = np.full(size, -1, dtype=np.int64)
        place[codes[rows][::-1]] = rows[::-1]
        first[use] = place
    for index, one in enumerate(_USES):
        for other in _USES[index:]:
            rows = members[other]
            partner = first[one][codes[rows]] if len(rows) else rows
            shared = rows[(partner >= 0) & (partner != rows)]
            if len(shared):
                begin, again = int(first[one][codes[shared[0]]]), int(shared[0])
                lines.append(
                    OverlapLine(
                        what=what,
                        uses=(one.value, other.value),
                        rows=len(shared),
                        first=(begin + 1, again + 1),
                        example=example(again),
                    )
                )
    return lines
