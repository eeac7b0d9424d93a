"""Rows that an outcome says nothing of, or says something strange: named with their first rows."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pyarrow as pa

from core.data.levels import encode_levels
from core.data.table import LoadedTable
from core.document.data.model import MissingOutcomesError
from core.document.model import TargetSpec
from core.document.studies.data import OutcomeGaps
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.types import BoolArray

_SHOWN_ROWS = 5
_SHOWN_VALUES = 4


def is_empty(table: LoadedTable, column: str) -> BoolArray:
    """(n,) bool: where a column holds nothing; NaN among numbers is nothing too."""
    values = table.require_column(column)
    is_number = pa.types.is_floating(values.type)
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
    raise MissingOutcomesError(
        f"{counted_of(count, table.rows, 'row', verbs='has/have')} no outcome in '{column}'.",
        where=f"{_path(table, without)}, column {column}, {list_first_rows(table, without)}",
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
