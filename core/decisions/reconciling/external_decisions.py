"""Columns of a table that another program decided: read with SAS's special missing values."""

from __future__ import annotations

import numpy as np

from core.data import LoadedTable, column_as_float, column_as_text, place_of
from core.decisions.reconciling.comparing import Carried, decision_codes
from core.document.studies.reconciling import require_carried
from payoff.errors import PayoffError
from payoff.types import FloatArray

_ENDLESS = {"I": np.inf, ".I": np.inf, "INF": np.inf, "M": -np.inf, ".M": -np.inf, "-INF": -np.inf}
_MISSING = ("", ".", "NA", "NAN")


def read_carried(
    table: LoadedTable, columns: dict[str, str], decisions: tuple[str, ...]
) -> Carried:
    """Read the columns that ``carried_columns`` found.

    Raises
    ------
    PayoffError
        If there is none, or naming file, line, row, column and value of what is no number.
    """
    require_carried(columns, table.path)
    names = tuple(column_as_text(table, columns["D"])) if "D" in columns else ()
    amounts, is_loss = {}, {}
    for letter, column in columns.items():
        if letter == "D":
            continue
        key = letter.replace("L", "P") if letter in ("EL", "CL", "BL") else letter
        values = _numbers(table, column)
        is_loss[key] = key != letter
        amounts[key] = -values if key != letter else values
    return Carried(
        columns=columns,
        names=names,
        codes=decision_codes(names, decisions),
        amounts=amounts,
        is_loss=is_loss,
    )


def _numbers(table: LoadedTable, column: str) -> FloatArray:
    """A column as numbers; I and M (SAS .I and .M) are infinities."""
    table.require_column(column)
    if table.kinds[column] in ("integer", "number"):
        return column_as_float(table, column)
    texts = column_as_text(table, column)
    values = np.empty(len(texts))
    for row, text in enumerate(texts):
        mark = text.strip().upper()
        if mark in _MISSING:
            values[row] = np.nan
        elif mark in _ENDLESS:
            values[row] = _ENDLESS[mark]
        else:
            values[row] = _number(table, row, column, text)
    return values


def _number(table: LoadedTable, row: int, column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise PayoffError(
            f"“{text}” is no amount.",
            where=place_of(table, row, column, text),
            why="Numbers, a point for missing, I and M for infinite are read.",
        ) from None
