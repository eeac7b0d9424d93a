"""Refusals of boosting, said in the places of the user's file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.data import LoadedTable, place_of
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

_CASE = re.compile(r"(?:(?P<role>[a-z]+), )?row (?P<row>\d+)")


def in_the_file(
    refusal: PayoffError,
    table: LoadedTable,
    columns: Mapping[str, str],
    rows: IntArray | None = None,
) -> PayoffError:
    """The refusal with file, line, data row and column instead of the number of a case.

    Parameters
    ----------
    refusal : PayoffError
        ``where`` says "row 3", "event, row 3" (the third case, and the role at fault), a role
        alone, or anything else; without a role it is about the target.
    table : LoadedTable
    columns : mapping of role to column
    rows : int64 (n,), optional
        The row of each case in the table; left out: they are the same.
    """
    where = refusal.where or "target"
    case = _CASE.fullmatch(where)
    if case is not None:
        row = int(case["row"]) - 1
        column = columns.get(case["role"] or "target", columns["target"])
        where = place_of(table, row if rows is None else int(rows[row]), column)
    elif where in columns:
        where = f"{table.path}, column {columns[where]}"
    return PayoffError(refusal.what, where=where, why=refusal.why, remedy=refusal.remedy)


def refuse_one_class(
    table: LoadedTable, target: str, outcome: FloatArray, classes: tuple[str, ...]
) -> None:
    """Refuse training cases that are all of one class, by its name.

    Parameters
    ----------
    outcome : float64 (n,)
        Class numbers of the training cases.
    """
    if classes and len(outcome) and bool((outcome == outcome[0]).all()):
        raise PayoffError(
            f"The target '{target}' is always '{classes[int(outcome[0])]}' in the training rows.",
            where=f"{table.path}, column {target}",
            why="Training needs at least 2 classes and found 1.",
            remedy="Choose another target, or training rows that hold "
            + ("both." if len(classes) == 2 else "several of them."),
        )
