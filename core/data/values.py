"""What jobs read from a table: numbers, texts, posteriors, weights; each refusal names the cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.kinds import first_non_number
from core.data.levels import printed
from core.data.looking.pages import cell_text
from core.data.looking.summary import as_float
from core.data.table import LoadedTable
from core.data.text.delimited import line_of_row
from core.document.model import Document, Role
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray

MOST = 1e120  # larger numbers overflow when their squares are added up
SUM_TOLERANCE = 1e-6


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


def refuse_overflow(table: LoadedTable, name: str, values: FloatArray) -> None:
    """Refuse amounts or weights whose sums would overflow, naming file, row, column and value."""
    beyond = np.flatnonzero(np.abs(values) > MOST)
    if len(beyond):
        row = int(beyond[0])
        raise PayoffError(
            f"A value of '{name}' is too large.",
            where=place_of(table, row, name, f"{values[row]:g}"),
            why="Sums of such numbers overflow.",
            remedy="Mend the value, or count in thousands or millions.",
        )


def summable_column(table: LoadedTable, name: str, role: str) -> FloatArray:
    """A column of amounts or weights (n,) whose sums do not overflow, in memory of its own.

    Kernels are compiled for arrays that may be written; memory of a table may not.

    Raises
    ------
    PayoffError
        As ``column_as_float`` and ``refuse_overflow``.
    """
    values = column_as_float(table, name, role=role)
    refuse_overflow(table, name, values)
    return np.require(values, requirements=("C", "W"))


def column_as_text(table: LoadedTable, name: str) -> list[str]:
    """A column as a list of n texts; missing = ""."""
    values = table.require_column(name)
    if table.kinds[name] == "text":
        plain: list[str] = values.cast(pa.string()).fill_null("").to_pylist()
        return plain
    return [cell_text(value) for value in values.to_pylist()]


def frequency(table: LoadedTable, document: Document) -> FloatArray | None:
    """Case weights.

    Returns
    -------
    (n,) float64, or None without a weight column

    Raises
    ------
    PayoffError
        For a negative or missing weight (file, line, row, column, value), or if all are zero.
    """
    name = document.column_of(Role.WEIGHT)
    if name is None:
        return None
    weight = column_as_float(table, name, role="weight")
    bad = np.flatnonzero(~(weight >= 0))
    if len(bad):
        row = int(bad[0])
        value = "" if np.isnan(weight[row]) else cell_text(float(weight[row]))
        raise PayoffError(
            "A weight is missing." if not value else "A weight is negative.",
            where=place_of(table, row, name, value),
            why=f"{len(bad):,} weights are missing or negative." if len(bad) > 1 else "",
            remedy="Weights are 0 or more; give rows that do not count the weight 0.",
        )
    refuse_overflow(table, name, weight)
    if table.rows and not weight.any():
        raise PayoffError("All weights are zero.", where=f"{table.path}, column {name}")
    return weight


def posteriors(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """A model's posteriors.

    Returns
    -------
    (K, n) float64, C-contiguous
        One row per level of the target, in its order. A single column gives the other of two
        levels as its complement. Where any is missing all K are NaN.

    Raises
    ------
    PayoffError
        For a value outside 0 to 1 (or 100 where the column is percent), a sum that is off by more
        than 1e-6, or a level without a column.
    """
    target = document.target
    if target is None:
        raise PayoffError("Name the target first: posteriors belong to its levels.")
    columns = _columns_by_level(document, model)
    first = next(iter(columns.values()))
    result = np.empty((len(target.levels), table.rows), dtype=np.float64)
    given = [printed(level) for level in target.levels]
    unknown = [level for level in columns if level not in given]
    if unknown:
        raise PayoffError(
            f"Model '{model}' has posteriors for '{unknown[0]}', which is no level of the target.",
            where=f"column {columns[unknown[0]]}",
            why=f"Levels of '{target.column}' are: {', '.join(target.levels)}.",
        )
    missing = [level for level in given if level not in columns]
    if missing and not (len(given) == 2 and len(columns) == 1):
        raise PayoffError(
            f"Model '{model}' has no column for level '{missing[0]}' of '{target.column}'.",
            remedy="Give each level a posterior column on page Data.",
        )
    for index, level in enumerate(given):
        if level in columns:
            result[index] = _one_posterior(table, document, columns[level])
    if missing:
        index = given.index(missing[0])
        result[index] = 1.0 - result[1 - index]
    else:
        _check_sums(table, result, model, first)
    result[:, np.isnan(result).any(axis=0)] = np.nan
    return result


def _columns_by_level(document: Document, model: str) -> dict[str, str]:
    """Printed level -> posterior column; a column without a level stands for the event."""
    assert document.target is not None
    columns = document.posterior_columns(model)
    if not columns:
        raise PayoffError(
            f"Model '{model}' has no posterior column.",
            remedy="Give one of its columns the role posterior on page Data.",
        )
    return {printed(level or document.target.event): name for level, name in columns.items()}


def _one_posterior(table: LoadedTable, document: Document, name: str) -> FloatArray:
    """One posterior column between 0 and 1."""
    role = document.role_of(name)
    values = column_as_float(table, name, role="posterior")
    scale = 100.0 if role is not None and role.is_percent else 1.0
    if scale != 1.0:
        values = values / scale
    bad = np.flatnonzero((values < 0) | (values > 1))
    if not len(bad):
        return values
    row = int(bad[0])
    high = float(np.nanmax(values))
    is_percent = scale == 1.0 and 1 < high <= 100 and float(np.nanmin(values)) >= 0
    is_percent = is_percent and len(bad) > table.rows / 2  # a slip is no other unit
    shown = cell_text(table.table.column(name)[row].as_py())
    raise PayoffError(
        "A posterior lies outside 0 to 1.",
        where=place_of(table, row, name, shown),
        why=f"{len(bad):,} of {table.rows:,} values do. "
        + ("They look like percentages." if is_percent else "They may be scores, not chances."),
        remedy="Say on page Data that the column is in percent."
        if is_percent
        else "Say on page Data that the column is a score in points: it then ranks cases, and "
        "can be turned into chances.",
    )


def _check_sums(table: LoadedTable, result: FloatArray, model: str, column: str) -> None:
    """Refuse rows whose posteriors do not sum to 1."""
    sums = result.sum(axis=0)
    bad = np.flatnonzero(np.abs(sums - 1.0) > SUM_TOLERANCE)
    if len(bad):
        row = int(bad[0])
        raise PayoffError(
            f"The posteriors of model '{model}' do not sum to 1.",
            where=f"{place_of(table, row, column)}, sum {sums[row]:.9g}",
            why=f"{len(bad):,} of {table.rows:,} rows are off by more than 0.000001.",
            remedy="Save the posteriors with more digits, and check that no level is missing.",
        )


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
        raise PayoffError(
            f"Model '{model}' has no prediction column.",
            remedy="Give one of its columns the role prediction on page Data.",
        )
    return column_as_float(table, name, role="prediction")


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
