"""Columns at a glance.

Counting numbers into bins, in one pass.

Cells of a table as text, a screenful at a time.

Columns at a glance: missing, distinct, range, mean, levels, histogram; one by target class.
"""

from __future__ import annotations

import datetime
import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.lazy.columns import LazyColumns
from core.data.levels import encode_levels, outcome_codes, printed
from core.data.table import LoadedTable
from core.document.data.results import ColumnDetail, ColumnSummary, RowsPage
from core.document.model import Document
from core.kernels import own_kernel
from payoff.counting import counted
from payoff.types import AnyArray, BoolArray, FloatArray, IntArray


@own_kernel
def count_bins(values: FloatArray, low: float, scale: float, bins: int) -> IntArray:
    """How many of (n,) values lie in each of ``bins`` equal bins from ``low`` on.

    ``scale`` is bins per unit. The last bin takes its upper end. Returns (bins,) int64.
    """
    counts = np.zeros(bins, dtype=np.int64)
    last = bins - 1
    for row in range(values.shape[0]):
        counts[min(int((values[row] - low) * scale), last)] += 1
    return counts


_MOST_ROWS = 2_000


def rows_page(table: LoadedTable, start: int, count: int) -> RowsPage:
    """Rows ``start`` to ``start + count`` as text, column by column in file order.

    Only the asked rows are touched, so any offset of ten million rows costs the same. At most
    2,000 rows at once; a start beyond the end gives no rows. Missing cells are empty.
    """
    start = min(max(0, start), table.rows)
    part = table.table.slice(start, min(max(0, count), _MOST_ROWS))
    columns = [_texts(part.column(index)) for index in range(part.num_columns)]
    rows = tuple(zip(*columns, strict=True)) if columns else ()
    numbers = range(start + 1, start + part.num_rows + 1)
    return RowsPage(start=start, rows=rows, numbers=tuple(numbers), total=table.rows)


def ordered_page(table: LoadedTable, rows: IntArray, start: int, count: int) -> RowsPage:
    """Places ``start`` to ``start + count`` of some rows in their order, as ``rows_page``."""
    start = min(max(0, start), len(rows))
    chosen = rows[start : start + min(max(0, count), _MOST_ROWS)]
    part = table.table.take(chosen)
    columns = [_texts(part.column(index)) for index in range(part.num_columns)]
    return RowsPage(
        start=start,
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        numbers=tuple((chosen + 1).tolist()),
        total=len(rows),
    )


def texts_at(table: LoadedTable, name: str, rows: IntArray) -> tuple[str, ...]:
    """Cells of one column at some rows, as text."""
    return tuple(cell_text(value) for value in table.require_column(name).take(rows).to_pylist())


def _texts(values: pa.ChunkedArray) -> list[str]:
    """Cells of one column as a person reads them; numbers with a point and all their digits."""
    return [cell_text(value) for value in values.to_pylist()]


def cell_text(value: object) -> str:
    """One cell; the shortest text that gives the same number back."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return str(value)


HISTOGRAM_BINS = 24
DETAIL_BINS = 12
_MOST_DISTINCT = 1_000
SHOWN_LEVELS = 30
_PREVIEW_ROWS = 20_000
_BLOCK_ROWS = 1_000_000


def summarise_columns(table: pa.Table, kinds: dict[str, str]) -> tuple[ColumnSummary, ...]:
    """Summaries of all columns, several at a time."""

    def of_one(name: str) -> ColumnSummary:
        return summarise_column(name, table.column(name), kinds[name])

    if table.num_rows < _PREVIEW_ROWS:
        return tuple(of_one(name) for name in kinds)
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="payoff-summary") as pool:
        return tuple(pool.map(of_one, kinds))


def summarise_column(name: str, values: pa.ChunkedArray, kind: str) -> ColumnSummary:
    """One column at a glance; ``distinct`` is -1 beyond about a thousand."""
    rows, missing = len(values), values.null_count
    if kind in ("integer", "number") and missing < rows:
        numbers = as_float(values)
        known = numbers[~np.isnan(numbers)] if missing else numbers
        distinct, levels = _count_numbers(values, known)
        low, high = float(known.min()), float(known.max())
        mean, deviation = _moments(known)
        counts, edges = _histogram(known, low, high)
        return ColumnSummary(
            name=name,
            kind=kind,
            rows=rows,
            missing=missing,
            distinct=distinct,
            minimum=low,
            maximum=high,
            mean=mean,
            standard_deviation=deviation,
            levels=levels,
            histogram=tuple(int(count) for count in counts),
            edges=tuple(edges.tolist()),
        )
    distinct, levels = _count_levels(values)
    return ColumnSummary(
        name=name,
        kind=kind,
        rows=rows,
        missing=missing,
        distinct=distinct,
        levels=levels,
        histogram=tuple(count for _, count in levels),
    )


def summarise_rows(table: LoadedTable, inside: BoolArray | None) -> tuple[ColumnSummary, ...]:
    """Return all columns at a glance over the rows ``inside``, (n,) bool; None: over all rows.

    A file whose columns are read on need keeps what is known of all its rows: reading every column
    is what it is spared.
    """
    if inside is None or isinstance(table.table, LazyColumns):
        return table.summary.columns
    rows = pa.array(inside)
    return tuple(
        summarise_column(entry.name, table.require_column(entry.name).filter(rows), entry.kind)
        for entry in table.summary.columns
    )


def _moments(known: FloatArray) -> tuple[float | None, float | None]:
    """Mean and standard deviation; None where they are beyond the largest double."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(known.mean())
        deviation = _deviation(known, mean) if len(known) > 1 else 0.0
    return (
        mean if math.isfinite(mean) else None,
        deviation if math.isfinite(deviation) else None,
    )


def _deviation(known: FloatArray, mean: float) -> float:
    """The standard deviation, some rows at a time: numpy's own makes a copy of the column."""
    squares = 0.0
    for start in range(0, len(known), _BLOCK_ROWS):
        apart = known[start : start + _BLOCK_ROWS] - mean
        squares += float(np.add.reduce(apart * apart))
    return math.sqrt(squares / (len(known) - 1))


def as_float(values: pa.ChunkedArray) -> FloatArray:
    """Numbers as (n,) float64, missing = NaN."""
    plain = values.cast(pa.float64())
    if plain.null_count:
        plain = pc.fill_null(plain, float("nan"))
    return np.ascontiguousarray(plain.to_numpy(), dtype=np.float64)


def distinct_values(table: LoadedTable, name: str) -> int:
    """``distinct`` of the summary of a column, without the rest of it where it can be had so."""
    values, known = table.require_column(name), table.overview.known_column(name)
    is_plain = pa.types.is_integer(values.type) or pa.types.is_floating(values.type)
    if known is None and is_plain and not values.null_count:
        return _count_numbers(values, values.to_numpy())[0]
    return table.column_summary(name).distinct


def _count_numbers(
    values: pa.ChunkedArray, known: AnyArray
) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Distinct numbers and the most frequent; a look at some rows saves the full count."""
    if len(known) > _PREVIEW_ROWS:
        look = known[:: len(known) // _PREVIEW_ROWS]
        if len(np.unique(look)) > _MOST_DISTINCT:
            return -1, ()
    return _count_levels(values)


def _count_levels(values: pa.ChunkedArray) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Distinct values and the most frequent of them."""
    rows = len(values)
    if pa.types.is_dictionary(values.type):
        found, counts = _count_codes(values)
    else:
        if rows > _PREVIEW_ROWS:
            look = values.take(pa.array(np.linspace(0, rows - 1, _PREVIEW_ROWS).astype(np.int64)))
            if len(pc.unique(look)) > _MOST_DISTINCT:
                return -1, ()
        counted = pc.value_counts(values.drop_null())
        found, counts = counted.field("values"), counted.field("counts").to_numpy()
    if len(counts) > _MOST_DISTINCT and rows > _PREVIEW_ROWS:
        return -1, ()
    order = np.argsort(-counts, kind="stable")[:SHOWN_LEVELS]
    names = found.take(pa.array(order)).to_pylist()
    levels = tuple((printed(v), int(counts[i])) for v, i in zip(names, order, strict=True))
    return len(counts), levels


def _count_codes(values: pa.ChunkedArray) -> tuple[pa.Array, IntArray]:
    """Values that occur in a dictionary column, and how often: only codes are counted."""
    chunks = values.chunks
    if not chunks:
        return pa.array([], pa.string()), np.zeros(0, dtype=np.int64)
    dictionary = chunks[0].dictionary
    if not all(chunk.dictionary.equals(dictionary) for chunk in chunks):
        chunks = values.unify_dictionaries().chunks
        dictionary = chunks[0].dictionary
    codes = pa.chunked_array([chunk.indices for chunk in chunks]).drop_null()
    counts = np.bincount(codes.to_numpy(), minlength=len(dictionary)).astype(np.int64)
    occurring = np.flatnonzero(counts)
    return dictionary.take(pa.array(occurring)), counts[occurring]


def _histogram(known: FloatArray, low: float, high: float) -> tuple[IntArray, FloatArray]:
    """Counts in equal bins between the extremes."""
    if high == low:
        return np.array([len(known)], dtype=np.int64), np.array([low, high])
    bins = HISTOGRAM_BINS
    if not math.isfinite(high - low):  # the range of two doubles may be no double
        known, low, high = known / 4, low / 4, high / 4
        counts, edges = _histogram(known, low, high)
        return counts, edges * 4
    scale = bins / (high - low)
    if not math.isfinite(scale):  # or too small to divide
        return np.array([len(known)], dtype=np.int64), np.array([low, high])
    values = known.view()
    values.flags.writeable = False  # as columns without a gap are: one form to compile, not two
    return count_bins(values, low, scale, bins), low + (high - low) * (np.arange(bins + 1) / bins)


def column_detail(
    table: LoadedTable, document: Document, column: str, inside: BoolArray | None = None
) -> ColumnDetail:
    """One column's summary and its distribution within each target class.

    ``by_level`` is (levels, bins) shares that sum to 1 within a class; without a target there is
    one class, "all rows". Only rows ``inside`` the row filter, (n,) bool, are counted.
    """
    summary = table.column_summary(column)
    places, bins = _bin_column(table, column, summary)
    if inside is not None:
        places = np.where(inside, places, -1)
    target = document.target
    levels: tuple[str, ...] = ("all rows",)
    codes: AnyArray = np.zeros(table.rows, dtype=np.int32)
    if target is not None and target.levels and target.column in table.kinds:
        levels = target.levels
        codes, _ = outcome_codes(table, target)
    shares = np.zeros((len(levels), len(bins)))
    for index in range(len(levels)):
        counts = np.bincount(places[(codes == index) & (places >= 0)], minlength=len(bins))
        shares[index] = counts / max(1, counts.sum())
    known = table.table.column(column).slice(0, 200).drop_null().slice(0, 5).to_pylist()
    return ColumnDetail(
        summary=summary,
        bins=bins,
        levels=levels,
        by_level=shares,
        example_rows=tuple(printed(value) for value in known),
    )


def _bin_names(cuts: FloatArray) -> tuple[str, ...]:
    """What is in each bin: the first and the last hold whatever lies beyond them."""
    if not len(cuts):
        return ("all values",)
    ends = [f"{cut:.12g}" for cut in cuts]
    middle = (f"{low} to {high}" for low, high in pairwise(ends))
    return f"below {ends[0]}", *middle, f"{ends[-1]} and more"


def _bin_column(
    table: LoadedTable, column: str, summary: ColumnSummary
) -> tuple[IntArray, tuple[str, ...]]:
    """The bin of each row (-1 = missing) and the bins' names."""
    is_number = summary.kind in ("integer", "number") and summary.minimum is not None
    if is_number and (summary.distinct < 0 or summary.distinct > DETAIL_BINS):
        numbers = as_float(table.table.column(column))
        known = numbers[~np.isnan(numbers)]
        # The middle 98 % get the bins: one huge value must not put all others into the first.
        low, high = np.quantile(known[:: max(1, len(known) // 100_000)], [0.01, 0.99])
        edges = np.linspace(low, high, DETAIL_BINS + 1) if high > low else np.array([low, low])
        places = np.searchsorted(edges[1:-1], numbers, side="right").astype(np.int64)
        places[np.isnan(numbers)] = -1
        return places, _bin_names(edges[1:-1])
    codes, forms = encode_levels(table, column)
    counts = np.bincount(codes[codes >= 0], minlength=len(forms))
    order = np.argsort(-counts, kind="stable")
    shown = order[:DETAIL_BINS] if len(forms) <= DETAIL_BINS else order[: DETAIL_BINS - 1]
    names = [forms[index] for index in shown]
    if is_number:
        shown = np.array(sorted(shown, key=lambda index: float(forms[index])), dtype=np.int64)
        names = [forms[index] for index in shown]
    if len(shown) < len(forms):
        names.append(f"{counted(len(forms) - len(shown), 'other value')}")
    lookup = np.full(len(forms) + 1, len(shown), dtype=np.int64)
    lookup[shown] = np.arange(len(shown))
    lookup[-1] = -1
    return lookup[codes], tuple(names)
