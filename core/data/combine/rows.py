"""Rows of further files below those of the first, with a column that says what each is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.data.lazy.columns import LazyColumns
from core.data.lazy.stack import LazyStack, StackedFile
from core.data.profile.summary import summarise_columns
from core.data.table import LoadedTable, TablePart
from core.document.data.model import DataRecipe, RowUse
from core.document.data.results import ColumnSummary
from payoff.errors import PayoffError


def stack_files(
    files: Sequence[LoadedTable], recipe: DataRecipe, warnings: list[str]
) -> LoadedTable:
    """The files of a recipe below each other; of large ones columns are read on need.

    Raises
    ------
    PayoffError
        For a column that holds numbers in one file and texts in another, and a name that is taken.
    """
    first = files[0]
    if recipe.use_column in first.kinds:
        raise PayoffError(
            f"There is a column called '{recipe.use_column}' already.",
            where=first.path,
            remedy="Give the column of row uses another name.",
        )
    kinds = dict(first.kinds)
    for other in files[1:]:
        for name, kind in other.kinds.items():
            kinds[name] = _common_kind(kinds.get(name, kind), kind, name, other)
    stacked, parts, rows = [], [], 0
    uses = [recipe.own_use, *(entry.use for entry in recipe.rows)]
    for file, use in zip(files, uses, strict=True):
        if rows:
            parts.append(TablePart(first_row=rows, path=file.path, places=file.places))
        _warn_lacking(file, kinds, warnings)
        stacked.append(StackedFile(file, partial(_fit, kinds, recipe.use_column, use)))
        rows += file.rows
    names = (*kinds, recipe.use_column)
    is_lazy = any(isinstance(file.table, LazyColumns) for file in files)
    table = LazyStack(stacked, names) if is_lazy else _at_once(stacked, names)
    kinds = {**kinds, recipe.use_column: "text"}
    return replace(first, table=table, kinds=kinds, parts=tuple(parts))


def _at_once(stacked: Sequence[StackedFile], names: Sequence[str]) -> pa.Table:
    pieces = [entry.fit(entry.table.table, names) for entry in stacked]
    return pa.concat_tables(pieces).unify_dictionaries()


def first_rows(table: LoadedTable, count: int) -> pa.Table:
    """The first rows of each file of a stack, so many together."""
    starts = (0, *(part.first_row for part in table.parts))
    ends = (*starts[1:], table.rows)
    share = max(1, count // len(starts))
    slices = [
        table.table.slice(start, min(share, end - start))
        for start, end in zip(starts, ends, strict=True)
    ]
    return pa.concat_tables(slices).unify_dictionaries()


def _common_kind(first: str, second: str, name: str, other: LoadedTable) -> str:
    if first == second:
        return first
    if {first, second} == {"integer", "number"}:
        return "number"
    raise PayoffError(
        f"The column '{name}' holds {_of_kind(first)} in one file and {_of_kind(second)} here.",
        where=other.path,
        remedy="Say in the import settings of both files what the column holds.",
    )


def _of_kind(kind: str) -> str:
    return {"integer": "whole numbers", "boolean": "yes and no"}.get(kind, f"{kind}s")


def _warn_lacking(part: LoadedTable, kinds: Mapping[str, str], warnings: list[str]) -> None:
    lacking = [name for name in kinds if name not in part.kinds]
    if lacking:
        shown = ", ".join(lacking[:6]) + (" ..." if len(lacking) > 6 else "")
        warnings.append(f"{Path(part.path).name} has no {shown}: missing in its rows.")


def _fit(
    kinds: Mapping[str, str], use_column: str, use: RowUse, table: pa.Table, names: Sequence[str]
) -> pa.Table:
    """Some columns of a file, in the kinds that all files have in common."""
    there = set(table.column_names)
    columns: dict[str, pa.ChunkedArray] = {}
    for name in names:
        if name == use_column:
            columns[name] = pa.chunked_array([_repeated(use.value, table.num_rows)])
        elif name not in there:
            columns[name] = pa.nulls(table.num_rows, _arrow_type(kinds[name]))
        else:
            columns[name] = table.column(name).cast(_arrow_type(kinds[name]))
    return pa.table(columns)


def _repeated(text: str, count: int) -> pa.Array:
    indices = pa.array(np.zeros(count, dtype=np.int32))
    return pa.DictionaryArray.from_arrays(indices, pa.array([text])).cast(pa.string())


def _arrow_type(kind: str) -> pa.DataType:
    return {
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.timestamp("us"),
    }.get(kind, pa.string())


def stack_summaries(
    files: Sequence[LoadedTable], look: pa.Table, kinds: Mapping[str, str]
) -> tuple[ColumnSummary, ...]:
    """Columns at a glance: levels and means of the first rows, counts and ends of all."""
    rows = sum(table.rows for table in files)
    found = []
    for seen in summarise_columns(look, dict(kinds)):
        known = [
            next((entry for entry in table.summary.columns if entry.name == seen.name), None)
            for table in files
        ]
        if all(entry is None for entry in known):  # the use of rows: no file's own
            found.append(replace(seen, rows=rows))
            continue
        missing = sum(
            table.rows if entry is None else entry.missing
            for table, entry in zip(files, known, strict=True)
        )
        there = [entry for entry in known if entry is not None]
        lows = [entry.minimum for entry in there if entry.minimum is not None]
        highs = [entry.maximum for entry in there if entry.maximum is not None]
        found.append(
            replace(
                seen,
                rows=rows,
                missing=missing,
                minimum=min(lows) if lows else seen.minimum,
                maximum=max(highs) if highs else seen.maximum,
            )
        )
    return tuple(found)
