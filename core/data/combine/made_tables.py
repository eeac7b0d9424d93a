"""A table made of a file by a recipe: further rows, columns of other files, derived columns.

Rows of further files below those of the first, with a column that says what each is for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.data.combine.joining import join_columns, match_rows
from core.data.expressions import evaluate_expression
from core.data.lazy.columns import LazyColumns, LazyStack, StackedFile
from core.data.lazy.parquet import PREVIEW_ROWS
from core.data.profile.summary import summarise_column, summarise_columns
from core.data.roles.labelled import guess_labelled_roles, with_labels_of
from core.data.table import LoadedTable, Overview, TablePart
from core.document.data.expressions import column_names
from core.document.data.model import DataRecipe, DerivedColumn, FileRef, JoinSpec, RowUse
from core.document.data.opening import with_recipe
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Role, RoleAssignment, SplitSpec
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError

__all__ = [
    "OpenFile",
    "build_table",
    "with_derived_columns",
]


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


OpenFile = Callable[[FileRef], LoadedTable]


def build_table(base: LoadedTable, recipe: DataRecipe, open_file: OpenFile) -> LoadedTable:
    """The table that a recipe makes.

    Parameters
    ----------
    base : LoadedTable
        The file itself.
    recipe : DataRecipe
    open_file : callable
        The table of a further file; one that has changed is taken as it is now.

    Returns
    -------
    LoadedTable
        Its reference names the contents that were found, which may differ from the recipe's.

    Raises
    ------
    PayoffError
        For kinds that do not fit, keys in several rows, names that are taken, expressions that
        cannot be worked out.
    """
    began = time.perf_counter()
    warnings: list[str] = []
    found: dict[FileRef, FileRef] = {}

    def opened(file: FileRef) -> LoadedTable:
        other = open_file(file)
        data = other.data
        found[file] = replace(
            file, content_hash=data.content_hash, size_bytes=data.size_bytes, path=data.path
        )
        return other

    made, files = base, [base]
    if recipe.rows:
        files += [opened(entry.file) for entry in recipe.rows]
        made = stack_files(files, recipe, warnings)
    for join in recipe.joins:
        made = _with_join(made, join, opened(join.file), warnings)
    for column in recipe.derived:
        made = _with_derived(made, column, warnings)
    return _complete(files, made, _as_found(recipe, found), warnings, began)


def with_derived_columns(table: LoadedTable, derived: tuple[DerivedColumn, ...]) -> LoadedTable:
    """Another file with the derived columns of a project, as far as it has what they need.

    A column that stands in the file itself is left as it is.
    """
    there = set(table.columns)
    possible = []
    for column in derived:
        if column.name not in there and set(column_names(column.text)) <= there:
            possible.append(column)
            there.add(column.name)
    if not possible:
        return table
    return build_table(table, DataRecipe(derived=tuple(possible)), _no_file)


def _no_file(file: FileRef) -> LoadedTable:
    raise PayoffError("No further file was named.", where=file.path)


def _as_found(recipe: DataRecipe, found: Mapping[FileRef, FileRef]) -> DataRecipe:
    """The recipe with the contents that were read."""
    return replace(
        recipe,
        rows=tuple(replace(entry, file=found[entry.file]) for entry in recipe.rows),
        joins=tuple(replace(entry, file=found[entry.file]) for entry in recipe.joins),
    )


def _complete(
    files: list[LoadedTable],
    made: LoadedTable,
    recipe: DataRecipe,
    warnings: list[str],
    began: float,
) -> LoadedTable:
    """Summaries of what is new, roles, and the reference of it all."""
    base = files[0]
    # Of columns that are read on need the first rows have to do, as when the file was opened.
    is_lazy = isinstance(made.table, LazyColumns)
    look = first_rows(made, PREVIEW_ROWS) if is_lazy else made.table
    known = {} if recipe.rows else {entry.name: entry for entry in base.summary.columns}
    if recipe.rows and is_lazy:
        stacked = {name: made.kinds[name] for name in made.columns if name not in made.origins}
        found = stack_summaries(files, look.select(list(stacked)), stacked)
        known = {entry.name: entry for entry in found}
    columns = tuple(
        known.get(name) or summarise_column(name, made.table.column(name), made.kinds[name])
        for name in made.columns
    )
    columns = with_labels_of(base.summary.columns, columns)
    guessed = guess_labelled_roles(look, columns)
    split = guessed.split
    if recipe.rows:
        uses = dict.fromkeys((recipe.own_use, *(entry.use for entry in recipe.rows)))
        split = SplitSpec(column=recipe.use_column, meaning=tuple((use.value, use) for use in uses))
    data = replace(with_recipe(base.data, recipe), rows=made.rows, columns=made.columns)
    kept = (line for line in base.summary.warnings if line not in base.summary.guesses)
    summary = TableSummary(
        data=data,
        columns=columns,
        roles=_with_base_id(guessed.roles, base),
        target=guessed.target,
        split=split,
        warnings=(*kept, *warnings, *guessed.warnings),
        guesses=guessed.warnings,
        seconds=time.perf_counter() - began,
        currency=base.summary.currency,
    )
    return replace(made, data=data, overview=Overview.of(summary))


def _with_base_id(
    roles: tuple[RoleAssignment, ...], base: LoadedTable
) -> tuple[RoleAssignment, ...]:
    """The id of the first file stays one though its values stand in further files again."""
    known = next((entry for entry in base.summary.roles if entry.role is Role.ID), None)
    if known is None or any(entry.role is Role.ID for entry in roles):
        return roles
    return tuple(known if entry.column == known.column else entry for entry in roles)


# ---------------------------------------------------------------- columns


def _with_join(
    table: LoadedTable, join: JoinSpec, other: LoadedTable, warnings: list[str]
) -> LoadedTable:
    name = Path(other.path).name
    match = match_rows(table, other, join)
    columns, report = join_columns(table, other, join, match), match.report
    lost = report.unmatched + report.keyless
    if lost:
        warnings.append(
            f"{counted_of(lost, table.rows, 'row', verbs='has/have')} no partner in {name}: "
            "its columns are missing there."
        )
    if not report.matched:
        warnings.append(f"No row has a partner in {name}: please check the key.")
    if report.unused:
        warnings.append(
            f"{counted(report.unused, f'row of {name} belongs', f'rows of {name} belong')} to "
            "no row of the data."
        )
    kinds = {new: other.kinds[old] for old, new in join.columns}
    return _with_columns(table, columns, kinds, dict.fromkeys(kinds, f"joined from {name}"))


def _with_derived(table: LoadedTable, column: DerivedColumn, warnings: list[str]) -> LoadedTable:
    if not column.name.strip():
        raise PayoffError("A derived column needs a name.")
    if column.name in table.kinds:
        raise PayoffError(
            f"There is a column called '{column.name}' already.",
            remedy="Give the derived column another name.",
        )
    try:
        found = evaluate_expression(table, column.text)
    except PayoffError as refusal:
        raise PayoffError(
            f"The column '{column.name}' cannot be worked out: {refusal.what}",
            where=refusal.where,
            why=refusal.why,
            remedy=refusal.remedy,
        ) from refusal
    for reason, count in found.lost.items():
        warnings.append(f"{column.name} is missing in {counted(count, 'row')}: {reason}.")
    columns = {column.name: found.as_column()}
    return _with_columns(
        table, columns, {column.name: found.kind}, {column.name: f"= {column.text}"}
    )


def _with_columns(
    table: LoadedTable,
    columns: Mapping[str, pa.Array],
    kinds: Mapping[str, str],
    origins: Mapping[str, str],
) -> LoadedTable:
    arrow = table.table
    for name, values in columns.items():
        arrow = arrow.append_column(name, values)
    return replace(
        table,
        table=arrow,
        kinds={**table.kinds, **kinds},
        origins={**table.origins, **origins},
    )
