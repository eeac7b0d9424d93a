"""From the columns of a table to conditions: numbers, one-hot levels, ids, leakage by name."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

import numpy as np

from core.data import LoadedTable, column_as_float, encode_levels
from core.document.experiments.results import DataFacts
from core.experiments.study import Study
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

UNSAFE = (
    "*post24*",
    "*post28*",
    "*_post_*",
    "delta_*",
    "time_to_*",
    "duration*",
    "los_since_alert",
    "discharge_to_home",
    "*_cost",
    "consult14",
    "unique_providers",
    "attending",
    "*_documentation",
    "max_stage",
    "*progression14",
    "death14",
    "dialysis14",
    "composite_outcome",
)
"""Names of columns that are measured after the decision; evaluation conditions come before it."""

SAFE = ("time_to_rand",)

FEWEST_ROWS = 20


def unsafe_names(names: Sequence[str]) -> list[str]:
    """Columns that by their names are known only after the decision."""
    return [
        name
        for name in names
        if name not in SAFE and any(fnmatch.fnmatch(name.lower(), form) for form in UNSAFE)
    ]


def require_columns(table: LoadedTable, names: Sequence[str], protocol: str) -> None:
    """Refuse a file without a column of the protocol, naming all that are missing."""
    missing = [name for name in names if name not in table.kinds]
    if missing:
        shown = ", ".join(missing[:8]) + (" ..." if len(missing) > 8 else "")
        word = "column" if len(missing) == 1 else counted(len(missing), "column")
        raise PayoffError(
            f"The file has no {word} {shown}." if len(missing) == 1 else f"The file lacks {word}.",
            where=f"{table.path}: {shown}",
            why=f"The protocol {protocol} needs them.",
            remedy="Rename the columns, or choose another protocol.",
        )


def number(table: LoadedTable, name: str) -> FloatArray:
    """A column as numbers; missing = NaN."""
    return column_as_float(table, name, role="number")


def zero_one(table: LoadedTable, name: str) -> FloatArray:
    """A column of 0 and 1 without gaps."""
    values = number(table, name)
    bad = np.flatnonzero(~((values == 0.0) | (values == 1.0)))
    if len(bad):
        raise PayoffError(
            f"Column '{name}' must be 0 or 1 in every row.",
            where=f"{table.path}, data row {bad[0] + 1}, value {values[bad[0]]:g}",
        )
    return values


def one_hot(table: LoadedTable, name: str) -> tuple[list[str], FloatArray]:
    """A 0/1 column per level; a missing value is 0 in all of them."""
    codes, levels = encode_levels(table, name)
    names = [f"{name}={level}" for level in levels]
    return names, (codes[:, None] == np.arange(len(levels))).astype(np.float64)


def condition_columns(
    table: LoadedTable,
    numbers: Sequence[str],
    categories: Sequence[str],
    replaced: dict[str, FloatArray] | None = None,
) -> tuple[tuple[str, ...], FloatArray]:
    """Names and values (n, p) of the conditions; ``replaced`` are columns mended beforehand."""
    names: list[str] = []
    parts: list[FloatArray] = []
    for name in numbers:
        values = (replaced or {}).get(name)
        parts.append((number(table, name) if values is None else values)[:, None])
        names.append(name)
    for name in categories:
        levels, coded = one_hot(table, name)
        names += levels
        parts.append(coded)
    if not parts:
        raise PayoffError("No column is left as an evaluation condition.", where=table.path)
    return tuple(names), np.ascontiguousarray(np.hstack(parts))


def ids_and_order(table: LoadedTable, name: str) -> tuple[np.ndarray, IntArray]:
    """Ids and the rows in their order; refuses ids that stand twice."""
    column = table.require_column(name)
    if table.kinds[name] in ("integer", "number"):
        ids: np.ndarray = number(table, name)
    else:
        ids = np.array([str(value) for value in column.to_pylist()])
    order = np.argsort(ids, kind="stable").astype(np.int64)
    ordered = ids[order]
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(same):
        value = ordered[same[0]]
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        raise PayoffError(
            f"The id '{shown}' stands in two rows.",
            where=f"{table.path}, column {name}, data rows "
            f"{order[same[0]] + 1:,} and {order[same[0] + 1] + 1:,}",
            why="Losses of one case depend on each other, so that no bound would hold.",
            remedy="Keep one row per case.",
        )
    return ordered, order


def finish_study(
    table: LoadedTable,
    names: tuple[str, ...],
    conditions: FloatArray,
    outcome: FloatArray,
    *,
    id_column: str,
    warnings: Sequence[str],
    notes: Sequence[str],
    scale: float = 1.0,
) -> Study:
    """Put the rows into the order of their ids and say what was found."""
    if table.rows < FEWEST_ROWS:
        raise PayoffError(
            f"The file has {counted(table.rows, 'row')}.",
            where=table.path,
            why=f"An experiment needs {FEWEST_ROWS} or more.",
        )
    ids, order = ids_and_order(table, id_column)
    facts = DataFacts(
        source=table.path,
        rows=table.rows,
        conditions=conditions.shape[1],
        parameters=conditions.shape[1] + 1,
        prevalence=float(outcome.mean()),
        warnings=tuple(warnings),
        notes=tuple(notes),
    )
    return Study(
        names=names,
        conditions=np.ascontiguousarray(conditions[order]),
        outcome=outcome[order],
        ids=ids,
        parameters=conditions.shape[1] + 1,
        facts=facts,
        scale=scale,
    )
