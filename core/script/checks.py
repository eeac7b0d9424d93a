"""What ``payoff.decide`` refuses or warns of: rows, values and levels are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.data import LoadedTable, encode_levels, place_of, printed
from payoff.errors import PayoffError
from payoff.types import FloatArray

SUM_TOLERANCE = 1e-6


def check_chances(
    table: LoadedTable, columns: Mapping[str, str], chances: FloatArray, levels: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse chances that are none at all; warn of rows that will be marked.

    Parameters
    ----------
    columns : mapping of level to column
    chances : (levels, n) float64

    Raises
    ------
    PayoffError
        For rows whose chances do not sum to 1, and for columns without a single chance.
    """
    name = next(iter(columns.values()))
    if len(columns) == len(levels):
        _check_sums(table, name, chances)
    given = chances[[levels.index(level) for level in columns]]
    outside = ((given < 0) | (given > 1)).any(axis=0)
    if not outside.any():
        return ()
    row = int(np.argmax(outside))
    value = float(next(v for v in given[:, row] if not 0 <= v <= 1))
    where = place_of(table, row, name, f"{value:g}")
    high, low = float(np.nanmax(given)), float(np.nanmin(given))
    if float(outside.mean()) > 0.5 or low < 0:
        is_percent = 1 < high <= 100 and low >= 0
        raise PayoffError(
            "A posterior lies outside 0 to 1.",
            where=where,
            why=f"{int(outside.sum()):,} of {table.rows:,} values do. "
            + ("They look like percentages." if is_percent else "They are scores, no chances."),
            remedy="Divide them by 100."
            if is_percent
            else "Turn the score into chances first: payoff.fit_chances.",
        )
    return (
        f"{int(outside.sum()):,} of {table.rows:,} cases have a chance outside 0 to 1, the first "
        f"at {where}: they are marked P and not decided.",
    )


def _check_sums(table: LoadedTable, column: str, chances: FloatArray) -> None:
    sums = chances.sum(axis=0)
    off = np.abs(sums - 1.0) > SUM_TOLERANCE
    if off.any():
        row = int(np.argmax(off))
        raise PayoffError(
            "Posteriors do not sum to 1.",
            where=f"{place_of(table, row, column)}, sum {sums[row]:.9g}",
            why=f"{int(off.sum()):,} of {table.rows:,} rows are off by more than 0.000001.",
            remedy="Save them with more digits, and check that no level is missing.",
        )


def check_spelling(table: LoadedTable, target: str, levels: tuple[str, ...]) -> None:
    """Refuse levels of the matrix that the data write with other capitals."""
    _, found = encode_levels(table, target)
    missing = [level for level in found if level not in levels]
    if len(levels) == 1 and missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            where=f"level {missing[0]}",
            why=f"'{target}' has the levels {', '.join(found[:8])}.",
            remedy="Give one row per level.",
        )
    folded = {level.casefold(): level for level in found}
    for level in levels:
        other = folded.get(level.casefold())
        if level not in found and other is not None:
            raise PayoffError(
                f"The matrix has a row '{level}', the data have '{other}'.",
                where=f"level {level}",
                why="Levels match by their printed form, capitals included.",
                remedy=f"Write '{other}' in the matrix.",
            )


def undecided_words(marks: Any) -> tuple[str, ...]:
    """Cases that got no decision because a cost is missing, with the first of them."""
    missing = np.array(["C" in mark for mark in marks.tolist()], dtype=bool)
    if not missing.any():
        return ()
    first = int(np.argmax(missing)) + 1
    return (
        f"{int(missing.sum()):,} of {len(missing):,} cases have a missing cost, the first in data "
        f"row {first:,}: they are marked C and not decided.",
    )


def cell_of(level: Any, decision: str, value: Any) -> float:
    """A cell as a number; refuses text, naming row and column."""
    where = f"level {printed(level)}, decision {decision}"
    return _number(value, "A cell of the decision matrix is not a number.", where)


def share_of(level: Any, value: Any, what: str) -> float:
    """A share as a number; refuses text, naming the class."""
    return _number(value, f"One of the {what} is not a number.", f"level {printed(level)}")


def _number(value: Any, what: str, where: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as reason:
        raise PayoffError(what, where=f"{where}, value {value!r}") from reason
