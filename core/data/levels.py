"""Levels by printed form: 1, 1.0 and "1" are one level; True matches only true; no clash.

Rows that an outcome says nothing of, or says something strange: named with their first rows.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.table import LoadedTable
from core.document.data.model import MissingOutcomesError
from core.document.model import TargetSpec
from core.document.studies.data import OutcomeGaps
from core.kernels import own_kernel, run_chunks, run_rows
from payoff.class_order import are_numbers, own_order
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.types import AnyArray, BoolArray, CodeArray, IntArray

FEW_LEVELS = 20
ENOUGH_ROWS = 20
"""Rows of a level from which its mean is little noise."""
CLOSE_NUMBERS = 256
"""Whole numbers that span less are coded by a table."""
_PLAIN = re.compile(r"[+-]?(0|[1-9]\d{0,14})(\.\d+)?\Z")


def printed(value: object) -> str:
    """The printed form of a value; nothing for a missing one.

    Examples
    --------
    >>> printed(1.0), printed("1"), printed(True), printed("007")
    ('1', '1', 'true', '007')
    """
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return ""
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    text = str(value).strip()
    if text.casefold() in ("true", "false"):
        return text.casefold()
    return printed(float(text)) if _PLAIN.match(text) else text


def sparse_levels_words(name: str, levels: int, rows: int, is_shrunk: bool = True) -> str:
    """Return what to know of a column with few rows a level; nothing where they are enough.

    Examples
    --------
    >>> sparse_levels_words("town", 900, 2000)
    "'town' has 900 levels in 2,000 rows, 2.2 a level: what they tell is shrunk by these counts. \
Grouped, they may tell more."
    """
    if levels <= FEW_LEVELS or rows >= ENOUGH_ROWS * levels:
        return ""
    reported = "what they tell is shrunk by these counts. Grouped, they may tell more."
    if not is_shrunk:
        reported = "what they seem to tell is mostly chance. Group them, or leave the column out."
    share = f"{rows / levels:.1f} a level"
    return f"'{name}' has {counted(levels, 'level')} in {counted(rows, 'row')}, {share}: {reported}"


def encode_levels(table: LoadedTable, name: str) -> tuple[CodeArray, tuple[str, ...]]:
    """Codes of a column's levels in order of first appearance; missing = -1.

    Returns
    -------
    codes : (n,) int32
        The caller's own.
    levels : tuple of str
        Printed forms.

    Raises
    ------
    PayoffError
        When two different texts of the column print alike ("1" and "1.0").
    """
    codes, levels = _kept_levels(table, name)
    return codes.copy(), levels


def count_levels(codes: CodeArray, levels: Sequence[str]) -> dict[str, int]:
    """Level -> rows, of codes (n,) as of ``encode_levels``; missing ones count nowhere."""
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    return dict(zip(levels, counts.tolist(), strict=True))


def _kept_levels(table: LoadedTable, name: str) -> tuple[CodeArray, tuple[str, ...]]:
    """Codes, not to be written into, and levels; the column read last is not read again."""
    known = table.encoded.get(name)
    if known is None:
        known = _read_levels(table, name)
        table.encoded.clear()
        table.encoded[name] = known
    return known


def _read_levels(table: LoadedTable, name: str) -> tuple[CodeArray, tuple[str, ...]]:
    column = table.require_column(name).combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # an empty column stays chunked
        column = pa.concat_arrays(column.chunks) if column.num_chunks else column
    coded = _coded_numbers(column)
    if coded is not None:
        return coded
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    raw = column.dictionary.to_pylist()
    forms = [printed(value) for value in raw]
    indices = column.indices.cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(len(raw))
    indices = indices.to_numpy(zero_copy_only=False)
    present = np.flatnonzero(are_present(indices, len(raw) + 1)[: len(raw)])
    levels: list[str] = []
    owner: dict[str, object] = {}
    lookup = np.full(len(raw) + 1, -1, dtype=np.int32)
    for index in present:
        form = forms[index]
        if form in owner:
            raise PayoffError(
                f"Two values of '{name}' are one level, '{form}'.",
                where=f"{table.path}, column {name}, values {owner[form]!r} and {raw[index]!r}",
                remedy="Write them the same way in the file.",
            )
        if form:
            owner[form] = raw[index]
            lookup[index] = len(levels)
            levels.append(form)
    is_as_read = np.array_equal(lookup[: len(raw)], np.arange(len(raw)))
    if is_as_read and len(levels) == len(raw) and not column.null_count:
        return indices, tuple(levels)
    return lookup[indices], tuple(levels)


def _coded_numbers(column: pa.Array) -> tuple[CodeArray, tuple[str, ...]] | None:
    """Codes and levels of whole numbers that lie close together; None for any other column."""
    if column.type != pa.int64() or column.null_count or not len(column):
        return None
    values = column.to_numpy()
    least, most = int(values.min()), int(values.max())
    if most - least >= CLOSE_NUMBERS:
        return None
    found = np.zeros(most - least + 1, dtype=np.bool_)
    run_rows(_mark_numbers, (values, least, found), len(values))
    order = np.empty(np.count_nonzero(found), dtype=np.int64)
    _first_seen(values, least, found, order)
    lookup = np.empty(len(found), dtype=np.int32)
    lookup[order] = np.arange(len(order))
    codes = np.empty(len(values), dtype=np.int32)
    run_rows(_code_numbers, (values, least, lookup, codes), len(values))
    return codes, tuple(str(least + place) for place in order.tolist())


@own_kernel
def _mark_numbers(values: IntArray, least: int, found: BoolArray, start: int, stop: int) -> None:
    """Mark the numbers of some rows, counted from the least; threads may mark the same one."""
    for row in range(start, stop):
        found[values[row] - least] = True


@own_kernel
def _first_seen(values: IntArray, least: int, found: BoolArray, order: IntArray) -> None:
    """Fill the numbers that are found in the order in which rows have them first, (levels,)."""
    is_new = found.copy()
    seen = row = 0
    while seen < order.shape[0]:
        place = values[row] - least
        if is_new[place]:
            is_new[place] = False
            order[seen] = place
            seen += 1
        row += 1


@own_kernel
def _code_numbers(
    values: IntArray, least: int, lookup: CodeArray, codes: CodeArray, start: int, stop: int
) -> None:
    for row in range(start, stop):
        codes[row] = lookup[values[row] - least]


def are_present(indices: AnyArray, most: int) -> BoolArray:
    """Which codes (most,) occur among codes (n,) from 0."""
    found = np.zeros(most, dtype=np.bool_)
    run_chunks(mark_present, (indices, found), len(indices))
    return found


@own_kernel
def mark_present(indices: AnyArray, found: BoolArray, start: int, stop: int) -> None:
    """Mark the codes of some rows; threads may mark the same one."""
    for row in range(start, stop):
        found[indices[row]] = True


def known_order(table: LoadedTable, target: TargetSpec) -> tuple[str, ...]:
    """The levels of a target in their own order: as asked, declared by the column, or as numbers.

    Empty where nothing says which order they have.
    """
    if target.order:
        if sorted(target.order) != sorted(target.levels):
            raise PayoffError(
                f"The order of the classes of '{target.column}' does not name each once.",
                where=f"order {', '.join(target.order)}",
                remedy=f"The classes are: {', '.join(target.levels)}.",
            )
        return target.order
    kind = table.require_column(target.column).type
    if pa.types.is_dictionary(kind) and kind.ordered:
        column = table.require_column(target.column).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            return ()
        declared = [printed(value) for value in column.dictionary.to_pylist()]
        if set(map(printed, target.levels)) <= set(declared):
            return tuple(sorted(target.levels, key=lambda level: declared.index(printed(level))))
    return own_order(target.levels) if are_numbers(target.levels) else ()


def outcome_codes(table: LoadedTable, target: TargetSpec) -> tuple[CodeArray, tuple[str, ...]]:
    """Code the outcome into the target's levels.

    Parameters
    ----------
    table : LoadedTable
    target : TargetSpec
        A binary or multiclass target; its levels match by printed form.

    Returns
    -------
    codes : (n,) int32
        Index into ``target.levels``; -1 where the outcome is missing or none of them.
    warnings : tuple of str
        Values that are none of the levels, with their counts and first rows.
    """
    wanted = _wanted_levels(target)
    codes, found = _kept_levels(table, target.column)
    lookup = np.array([wanted.get(level, -1) for level in found] + [-1], dtype=np.int32)
    unknown = [index for index, level in enumerate(found) if level not in wanted]
    warnings: list[str] = []
    if unknown:
        counts = np.bincount(codes[codes >= 0], minlength=len(found))
        shown = ", ".join(
            f"'{found[i]}' ({counted(counts[i], 'row')}, first data row "
            f"{_first_row(table, codes == i):,})"
            for i in unknown[:8]
        )
        more = " ..." if len(unknown) > 8 else ""
        warnings.append(f"Values of '{target.column}' that are none of its levels: {shown}{more}.")
    return lookup[codes], tuple(warnings)


def _first_row(table: LoadedTable, is_there: BoolArray) -> int:
    """The number, from 1, of the first of some rows in the file it comes from."""
    return table.source_of(int(np.argmax(is_there)))[2] + 1


def _wanted_levels(target: TargetSpec) -> dict[str, int]:
    """Printed form -> code, spellings too; refuses levels of the target that print alike."""
    wanted: dict[str, int] = {}
    for index, level in enumerate(target.levels):
        form = printed(level)
        if form in wanted:
            raise PayoffError(
                f"Two levels of '{target.column}' print alike: "
                f"'{target.levels[wanted[form]]}' and '{level}'.",
                why='1, 1.0 and "1" are one level.',
            )
        wanted[form] = index
    for spelling, level in target.spellings:
        wanted.setdefault(printed(spelling), wanted.get(printed(level), -1))
    return wanted


_SHOWN_ROWS = 5
_SHOWN_VALUES = 4


def is_empty(table: LoadedTable, column: str) -> BoolArray:
    """(n,) bool: where a column holds nothing; NaN among numbers is nothing too."""
    values = table.require_column(column)
    is_number = pa.types.is_floating(values.type)
    if not is_number and not values.null_count:
        return np.zeros(len(values), dtype=np.bool_)
    return np.asarray(values.is_null(nan_is_null=is_number))


def refuse_missing_outcomes(
    table: LoadedTable, column: str, without: BoolArray, page: str = "Data"
) -> None:
    """Refuse rows without an outcome, unless there are none: their count and the first of them.

    ``page`` is the page of the window on which it is asked.

    Raises
    ------
    MissingOutcomesError
    """
    count = int(without.sum())
    if not count:
        return
    where = f"{_path(table, without)}, column {column}, {list_first_rows(table, without)}"
    raise refused_gaps(count, table.rows, column, where, page)


def refused_gaps(
    count: int, rows: int, column: str, where: str, page: str = "Data"
) -> MissingOutcomesError:
    """The refusal of ``count`` of ``rows`` without an outcome; ``where`` names the first."""
    return MissingOutcomesError(
        f"{counted_of(count, rows, 'row', verbs='has/have')} no outcome in '{column}'.",
        where=where,
        why="Every number would come from the other rows only.",
        remedy=f"Say that they may be left out: in the window on page {page}, in scripts by "
        "missing_outcomes='leave_out', on the command line by --missing-outcomes leave_out. Or "
        "let a column say that they are rows to decide.",
    )


def refuse_third_value(table: LoadedTable, target: TargetSpec, strange: BoolArray) -> None:
    """Refuse a value beside the two of an outcome of two classes, with its first rows.

    Outcomes of more classes are counted and warned of elsewhere.

    Raises
    ------
    PayoffError
    """
    if target.kind != "binary" or len(target.levels) != 2 or not strange.any():
        return
    _refuse_third(table, target, strange)


def _refuse_third(table: LoadedTable, target: TargetSpec, strange: BoolArray) -> NoReturn:
    codes, forms = encode_levels(table, target.column)
    counts = np.bincount(codes[strange & (codes >= 0)], minlength=len(forms))
    values = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    shown = [
        f"'{forms[code]}' in {counts[code]:,} {'row' if counts[code] == 1 else 'rows'} "
        f"({list_first_rows(table, strange & (codes == code))})"
        for code in values[:_SHOWN_VALUES]
    ]
    more = f" and {counted(len(values) - _SHOWN_VALUES, 'more value')}" if len(values) > 4 else ""
    first, second = target.levels
    raise PayoffError(
        f"The outcome '{target.column}' has a third value.",
        where=f"{_path(table, strange)}, column {target.column}, "
        f"{list_first_rows(table, strange)}, value '{forms[values[0]]}'",
        why=f"It has two classes, '{first}' and '{second}'; beside them there is "
        f"{', '.join(shown)}{more}.",
        remedy=f"If it means '{first}' or '{second}', or is a class of its own, say so on page "
        "Data beside the outcome, or write it so in the file. If it means that the outcome is "
        "not known, name it in the import settings under 'Not known is written' (in scripts "
        "missing_marks).",
    )


def _path(table: LoadedTable, chosen: BoolArray) -> str:
    """The file that the first of some rows comes from."""
    return table.source_of(int(np.argmax(chosen)))[0]


def gaps_in(table: LoadedTable, without: BoolArray) -> OutcomeGaps:
    """Return rows without an outcome, (n,) bool, as an answer: how many, and the first of them."""
    count = int(without.sum())
    words = list_first_rows(table, without) if count else ""
    return OutcomeGaps(rows=count, total=table.rows, words=words)


def list_first_rows(table: LoadedTable, chosen: BoolArray) -> str:
    """The first of some rows, as the file they come from counts its data rows."""
    rows = np.flatnonzero(chosen)
    numbers = [f"{table.source_of(int(row))[2] + 1:,}" for row in rows[:_SHOWN_ROWS]]
    word = "data row" if len(rows) == 1 else "data rows"
    return f"{word} {', '.join(numbers)}" + (" …" if len(rows) > _SHOWN_ROWS else "")
