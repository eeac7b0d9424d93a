"""Columns of a table as boosting reads them: for jobs and scripts alike.

Boosting is imported when a model reads columns: a table of imported scores does without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.data import LoadedTable, column_as_float, encode_levels, place_of, plain_numbers
from core.document.model import LevelOrder
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from core.boosting import InputColumn, Inputs

MOST_LEVELS = 65_534
"""Levels of a nominal column: what bins of two bytes tell apart beside missing and unknown."""


def input_column(table: LoadedTable, name: str, reported: LevelOrder | None = None) -> InputColumn:
    """What a model knows of a column: texts are nominal, numbers and yes/no are numbers.

    Where its levels are told it is read by level, whatever it holds.
    """
    from core.boosting import InputColumn

    table.require_column(name)
    if reported is not None:
        return InputColumn(name=name, levels=reported.levels, is_ordered=reported.is_ordered)
    if table.kinds[name] == "date":
        raise PayoffError(
            f"The column '{name}' holds dates, which trees cannot split.",
            remedy="Turn it into numbers (days, months), or leave it out of features.",
        )
    if table.kinds[name] != "text":
        return InputColumn(name=name)
    levels = tuple(sorted(encode_levels(table, name)[1]))
    if len(levels) > MOST_LEVELS:
        raise PayoffError(
            f"The column '{name}' has {counted(len(levels), 'level')}.",
            why=f"At most {MOST_LEVELS:,} can be told apart.",
            remedy="Group its levels, or leave it out of features.",
        )
    return InputColumn(name=name, levels=levels or ("",))


def read_inputs(table: LoadedTable, columns: tuple[InputColumn, ...]) -> Inputs:
    """The columns of a table as a model reads them."""
    from core.boosting import UNSEEN, Inputs

    arrays: list[FloatArray] = []
    for column in columns:
        if not column.levels:
            arrays.append(column_as_float(table, column.name, role="input"))
            continue
        codes, found = encode_levels(table, column.name)
        known = {level: float(place) for place, level in enumerate(column.levels)}
        lookup = np.array([known.get(level, UNSEEN) for level in found] + [np.nan])
        if column.is_ordered:  # a rank outside the list is no rank
            lookup[lookup == UNSEEN] = np.nan
        arrays.append(lookup[codes])
    return Inputs(columns, tuple(arrays))


def plain_inputs(data: object, columns: tuple[InputColumn, ...]) -> Inputs | None:
    """The columns of a script's data, where all are numbers that need no look; else nothing."""
    from core.boosting import Inputs

    if any(column.levels for column in columns):
        return None
    arrays = plain_numbers(data, [column.name for column in columns])
    return None if arrays is None else Inputs(columns, tuple(arrays))


def whole_codes(table: LoadedTable, name: str) -> IntArray:
    """The levels of a column as whole numbers; refused where one is missing."""
    codes = encode_levels(table, name)[0].astype(np.int64)
    refuse_missing(table, name, codes < 0)
    return codes


def role_values(table: LoadedTable, role: str, name: str) -> FloatArray:
    """A column with a role in the training as numbers: strata by code; none may be missing."""
    if role == "strata":
        return whole_codes(table, name).astype(np.float64)
    values = column_as_float(table, name, role=role)
    refuse_missing(table, name, np.isnan(values))
    return values


def known_values(table: LoadedTable, role: str, name: str, rows: IntArray) -> FloatArray:
    """A further column over some rows, in which it must be known; groups and strata as codes."""
    if role in ("strata", "group"):
        values = encode_levels(table, name)[0][rows].astype(np.float64)
        is_missing = values < 0
    else:
        values = column_as_float(table, name, role=role)[rows]
        is_missing = np.isnan(values)
    if is_missing.any():
        row = int(rows[int(np.argmax(is_missing))])
        raise PayoffError(
            f"The {role} column '{name}' has a missing value.",
            where=place_of(table, row, name),
            why="It must be known in every row that trains or is judged.",
            remedy="Fill it in, or leave these rows out.",
        )
    return values


def refuse_missing(table: LoadedTable, name: str, is_missing: BoolArray) -> None:
    """Refuse a column that is missing in some row, naming the first."""
    if is_missing.any():
        row = int(np.argmax(is_missing))
        raise PayoffError(
            f"The column '{name}' has a missing value.",
            where=place_of(table, row, name),
            why="Training needs it known in every row.",
        )
