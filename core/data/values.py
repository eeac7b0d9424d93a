"""What jobs read from a table: numbers, texts, posteriors, weights; each refusal names the cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.kinds import first_non_number
from core.data.profile.summary import as_float, cell_text
from core.data.table import LoadedTable
from core.data.text.delimited import line_of_row
from core.document.data.model import BadValues
from core.document.model import Document, Role
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

MOST = 1e120  # larger numbers overflow when their squares are added up


def place_of(table: LoadedTable, row: int, column: str, value: object = None) -> str:
    """Where a cell stands, as the user knows it: file, line, data row, column, value."""
    path, places, row = table.source_of(row)
    line = line_of_row(path, places, row)
    parts = [path, *([f"line {line}"] if line else []), f"data row {row + 1}"]
    origin = table.origins.get(column, "")
    parts.append(f"column {column} ({origin})" if origin else f"column {column}")
    if value is not None:
        parts.append(f"value '{value}'")
    return ", ".join(parts)


def column_as_float(table: LoadedTable, name: str, *, role: str = "number") -> FloatArray:
    """A column as numbers.

    Parameters
    ----------
    table : LoadedTable
    name : str
    role : str
        What the column is wanted for, in the user's words: "weight", "cost" ...

    Returns
    -------
    (n,) float64
        Missing = NaN; booleans are 0 and 1.

    Raises
    ------
    PayoffError
        For the first cell that is no number: file, line, data row, column, value.
    """
    values = table.require_column(name)
    kind = table.kinds[name]
    if kind in ("integer", "number", "boolean"):
        return as_float(values)
    if kind == "text":
        row, value = first_non_number(values)
        if row < 0:
            return as_float(pc.utf8_trim_whitespace(values.cast(pa.string())))
    else:
        row = int(np.argmax(~np.asarray(pc.is_null(values))))
        value = cell_text(values[row].as_py())
    raise PayoffError(
        f"Column '{name}' is wanted as {role}, and a cell is no number.",
        where=place_of(table, row, name, value),
        why=_number_hint(value),
        remedy="Mend the cell, or add its text to the missing marks in the import settings.",
    )


def _number_hint(value: str) -> str:
    """What may be wrong with a text that should be a number."""
    text = value.strip()
    if not text:
        return "It holds nothing but blanks."
    if text.endswith("%"):
        return "A percent sign is no part of a number."
    if text[:1] in "$€£¥" or text[-1:] in "$€£¥":
        return "A currency sign is no part of a number."
    if "," in text:
        return "The comma may be a decimal or thousands mark that the import settings do not name."
    return ""


def refuse_overflow(
    table: LoadedTable, name: str, values: FloatArray, rows: IntArray | None = None
) -> None:
    """Refuse amounts or weights whose sums would overflow, naming file, row, column and value.

    ``rows`` are those that the values belong to, where they are not all of the table.
    """
    ends = np.fmin.reduce(values, initial=0.0), np.fmax.reduce(values, initial=0.0)
    if max(-ends[0], ends[1]) > MOST:
        beyond = np.flatnonzero(np.abs(values) > MOST)
        place = int(beyond[0])
        row = place if rows is None else int(rows[place])
        raise PayoffError(
            f"A value of '{name}' is too large.",
            where=place_of(table, row, name, f"{values[place]:g}"),
            why="Sums of such numbers overflow.",
            remedy="Mend the value, or count in thousands or millions.",
        )


def column_as_text(table: LoadedTable, name: str) -> list[str]:
    """A column as a list of n texts; missing = ""."""
    values = table.require_column(name)
    if table.kinds[name] == "text":
        plain: list[str] = values.cast(pa.string()).fill_null("").to_pylist()
        return plain
    return [cell_text(value) for value in values.to_pylist()]


def frequency(
    table: LoadedTable, document: Document, rows: IntArray | None = None
) -> FloatArray | None:
    """Case weights.

    Parameters
    ----------
    table : LoadedTable
    document : Document
    rows : (m,) int64, optional
        Only the weights of these rows are looked at.

    Returns
    -------
    (n,) or (m,) float64, or None without a weight column

    Raises
    ------
    PayoffError
        For a negative or missing weight (file, line, row, column, value), or if all are zero. Where
        the document marks cases of bad values, they stay as they are.
    """
    name = document.column_of(Role.WEIGHT)
    if name is None:
        return None
    weight = column_as_float(table, name, role="weight")
    if rows is not None:
        weight = weight[rows]
    if document.bad_values is BadValues.MARK:
        refuse_overflow(table, name, weight, rows)
        return weight
    bad = np.flatnonzero(~(weight >= 0))
    if len(bad):
        place = int(bad[0])
        row = place if rows is None else int(rows[place])
        value = "" if np.isnan(weight[place]) else cell_text(float(weight[place]))
        raise PayoffError(
            "A weight is missing." if not value else "A weight is negative.",
            where=place_of(table, row, name, value),
            why=f"{counted(len(bad), 'weight is', 'weights are')} missing or negative."
            if len(bad) > 1
            else "",
            remedy="Weights are 0 or more; give rows that do not count the weight 0.",
        )
    refuse_overflow(table, name, weight, rows)
    if len(weight) and not weight.any():
        raise PayoffError("All weights are zero.", where=f"{table.path}, column {name}")
    return weight


def scores(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """A model's scores in points, (n,) float64: any real number; missing = NaN.

    Raises
    ------
    PayoffError
        If no column holds them, or one is infinite (file, line, row, column, value).
    """
    role = document.score_role(model)
    if role is None:
        raise PayoffError(
            f"Model '{model}' has no column of scores.",
            remedy="Give one of its columns the role score on page Data.",
        )
    return column_as_float(table, role.column, role="score")


def predictions(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """(n,) float64 predictions of a model for an interval target; missing = NaN."""
    name = document.prediction_column(model)
    if name is None:
        raise no_predictions(model)
    return column_as_float(table, name, role="prediction")


def no_predictions(model: str) -> PayoffError:
    """What is said of a model of a number without predictions."""
    return PayoffError(
        f"Model '{model}' has no prediction column.",
        remedy="Give one of its columns the role prediction on page Data.",
    )


def score_is_missing(table: LoadedTable, document: Document, model: str) -> BoolArray:
    """(n,) bool: rows for which a model says nothing."""
    names = [*document.score_columns(model)]
    prediction = document.prediction_column(model)
    names += [prediction] if prediction else []
    missing = np.zeros(table.rows, dtype=bool)
    for name in names:
        values = table.require_column(name)
        if values.null_count:
            missing |= np.asarray(pc.is_null(values, nan_is_null=False))
    return missing
