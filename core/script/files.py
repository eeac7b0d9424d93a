"""``payoff.join`` and ``payoff.overlap``: columns of another file by key, rows in common.

``payoff.read`` and ``payoff.write_table``: files as tables and back, as the window does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa

from core import data as tables
from core.data import LoadedTable
from core.data.combine.joining import join_columns
from core.document.data.model import FileRef, JoinSpec, ReaderSettings, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec
from core.document.studies.data import JoinReport
from core.questions.data import RowsInCommon
from core.script.session import ScriptData, data_of, engine, loaded_table
from payoff.counting import counted
from payoff.errors import PayoffError

Keys: TypeAlias = str | Sequence[str] | Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Joined:
    """What ``payoff.join`` returns.

    Attributes
    ----------
    table : pyarrow.Table
        The rows of the data, as they were, with the columns of the other file behind them.
    report : JoinReport
        Rows and keys that matched, that did not, and that are written differently; the same record
        as the window shows.
    """

    table: pa.Table
    report: JoinReport

    @property
    def spellings(self) -> pd.DataFrame:
        """Keys that are one though written differently: own, other, rows."""
        rows = [(entry.own, entry.other, entry.rows) for entry in self.report.spellings]
        return pd.DataFrame(rows, columns=["own", "other", "rows"])


def join(
    data: ScriptData,
    other: ScriptData,
    *,
    on: Keys | None = None,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    ignore_case: bool = False,
    ignore_zeros: bool = False,
    take_first: bool = False,
) -> Joined:
    """Set columns of another table beside the rows with the same key; no row is lost or added.

    Keys match by printed form: 1, 1.0 and " 1" are one.

    Parameters
    ----------
    data, other : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    on : str, list of str, or {column of data: column of other}, optional
        Left out = the columns that look like a common key.
    columns : list of str or {column of other: new name}, optional
        Left out = all but the key.
    ignore_case, ignore_zeros : bool
        "Yes" is "yes"; "007" is 7.
    take_first : bool
        A key that stands in several rows of ``other`` takes the first; else it is refused where
        those rows differ.

    Raises
    ------
    PayoffError
        If no key is found, nothing matches, keys are ambiguous, or a column is there already.
    """
    table, second = tables.from_data(data), tables.from_data(other, name="other")
    keys = _keys(table, second, on)
    spec = JoinSpec(
        file=FileRef(path="", content_hash="", size_bytes=0),
        keys=keys,
        columns=_columns(second, columns, {key for _, key in keys}),
        ignores_case=ignore_case,
        ignores_zeros=ignore_zeros,
        takes_first=take_first,
    )
    match = tables.match_rows(table, second, spec)
    report = match.report
    if not report.matched:
        raise PayoffError(
            "No row finds a partner.",
            where=", ".join(f"{own} = {theirs}" for own, theirs in keys),
            why=_near(report),
            remedy="Name the key: on={'column of data': 'column of other'}.",
        )
    arrow = table.table
    for name, values in join_columns(table, second, spec, match).items():
        arrow = arrow.append_column(name, values)
    return Joined(table=arrow, report=report)


def read_joined(table: pa.Table, joins: Any) -> pa.Table:
    """A table with the joins of ``payoff.read``: {"path": ..., "on": ...} or a list of them."""
    for entry in [joins] if isinstance(joins, Mapping) else list(joins):
        settings = dict(entry)
        if "path" not in settings:
            raise PayoffError("A join names no file.", remedy='Give join={"path": ..., "on": ...}.')
        table = join(table, settings.pop("path"), **settings).table
    return table


def overlap(
    data: ScriptData,
    *,
    rows: str,
    id: str | None = None,
    meaning: Mapping[Any, str] | None = None,
) -> pd.DataFrame:
    """Rows that train, validation and test have in common, by id and by all values.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    rows : str
        The column that says what rows are for.
    id : str, optional
        The column that names cases.
    meaning : {value: "train", "validation", "test" or "to_decide"}, optional
        Left out = the usual spellings.

    Returns
    -------
    DataFrame
        ``by`` ("id" or "row"), ``first``, ``second``, ``rows`` (of the second), ``first_row``,
        ``second_row`` (data rows from 1) and an ``example``; no rows = nothing in common.
    """
    table = loaded_table(data)
    split = SplitSpec(
        column=rows,
        meaning=tuple((str(value), RowUse(use)) for value, use in (meaning or {}).items()),
    )
    table.require_column(rows)
    roles = [RoleAssignment(column=rows, role=Role.ROW_USE)]
    if id is not None:
        table.require_column(id)
        roles.append(RoleAssignment(column=id, role=Role.ID))
    document = Document(data=table.data, split=split, roles=tuple(roles))
    found = engine().ask(document, RowsInCommon())
    lines = [(line.what, *line.uses, line.rows, *line.first, line.example) for line in found.lines]
    names = ["by", "first", "second", "rows", "first_row", "second_row", "example"]
    return pd.DataFrame(lines, columns=names)


def _keys(table: LoadedTable, other: LoadedTable, on: Keys | None) -> tuple[tuple[str, str], ...]:
    if isinstance(on, str):
        return ((on, on),)
    if isinstance(on, Mapping):
        return tuple((str(own), str(theirs)) for own, theirs in on.items())
    if on is not None:
        return tuple((name, name) for name in on)
    found = tables.likely_keys(table, other)
    if not found:
        raise PayoffError(
            "No columns look like a common key.",
            remedy="Name them: on={'column of data': 'column of other'}.",
        )
    return found[:1]


def _columns(
    other: LoadedTable, columns: Sequence[str] | Mapping[str, str] | None, keys: set[str]
) -> tuple[tuple[str, str], ...]:
    if columns is None:
        return tuple((name, name) for name in other.columns if name not in keys)
    if isinstance(columns, Mapping):
        return tuple((str(name), str(new)) for name, new in columns.items())
    return tuple((name, name) for name in columns)


def _near(report: JoinReport) -> str:
    if report.by_case:
        return f"{counted(report.by_case, 'row')} would match with ignore_case=True."
    if report.by_zeros:
        return f"{counted(report.by_zeros, 'row')} would match with ignore_zeros=True."
    return ""


def read(path: str | Path, *, join: Any = None, **options: Any) -> pa.Table:
    """Read a file as a pyarrow Table: delimited text, packed or not, fixed width, Parquet, Excel,
    SAS, SPSS, Stata, or what an installed reader plugin opens.

    Parameters
    ----------
    path : str or Path
    join : mapping or list of mappings, optional
        Columns of further files: {"path": ..., "on": ...} and the other arguments of
        ``payoff.join``.
    options
        format ("delimited", "fixed_width", "excel" ...), delimiter, quote, decimal, thousands,
        encoding, has_header, skip_lines, missing_marks, column_types ({column: "number" | "text" |
        "date"}), date_order ("dmy", "mdy", "text"), sheet (a sheet's name, or a file's in an
        archive), widths (characters per column), use_labels, rename_repeated (True: a second column
        "name" is called "name_2"), left_out (data rows from 1 that are no cases, such as totals;
        empty: none), number_texts (False: "6,96 %" and "€ 1,234" stay text); what is left out is
        found out.

    Raises
    ------
    PayoffError
        Naming file, line, data row, column and value; also where something must be said first,
        such as which of two sheets is meant.
    """
    tables_here, settings = engine().workbench.tables, reader_settings(options)
    tables_here.check_reader(str(path), settings)
    table = tables.load(str(path), settings, find_readers=tables_here.find_readers).table
    return table if join is None else read_joined(table, join)


def reader_settings(options: dict[str, Any]) -> ReaderSettings:
    """The import settings that options of a script stand for."""
    named = dict(options)
    if "sheet" in named:
        named["part"] = named.pop("sheet")
    known = {item.name for item in fields(ReaderSettings)}
    unknown = sorted(set(named) - known)
    if unknown:
        raise PayoffError(
            f"There is no reading option called '{unknown[0]}'.",
            why=f"There are: {', '.join(sorted(known | {'sheet'}))}.",
        )
    if "column_types" in named:
        named["column_types"] = tuple(dict(named["column_types"]).items())
    for name in ("missing_marks", "widths", "left_out"):
        if name in named:
            named[name] = tuple(named[name])
    return ReaderSettings(**named)


_WHOLE = ("skip_lines",)
_YES_NO = ("has_header", "use_labels", "rename_repeated", "number_texts")


def told_settings(told: dict[str, str]) -> ReaderSettings:
    """The settings that a verb's ``--read NAME=VALUE`` stand for.

    Raises
    ------
    PayoffError
        For a name or a value that there is not.
    """
    options: dict[str, Any] = {}
    for name, value in told.items():
        try:
            options[name] = _told_value(name, value)
        except ValueError:
            raise PayoffError(
                f"'{value}' is not possible for the reading option '{name}'.",
                where=f"--read {name}={value}",
                remedy="Write yes or no, a whole number, or values parted by commas.",
            ) from None
    return reader_settings(options)


def _told_value(name: str, value: str) -> Any:
    """One value of the command line as its option wants it."""
    if name in _WHOLE:
        return int(value)
    if name in _YES_NO:
        if value not in ("yes", "no"):
            raise ValueError
        return value == "yes"
    if name in ("widths", "left_out"):
        return [int(part) for part in value.split(",")]
    if name == "missing_marks":
        return value.split(",")
    if name == "column_types":
        return dict(part.split(":") for part in value.split(","))
    return {"tab": "\t"}.get(value, value) if name == "delimiter" else value


def write_table(data: Any, path: str | Path) -> None:
    """Write a table as CSV, Parquet or Excel, by the end of the name.

    Parameters
    ----------
    data : str, Path, pandas.DataFrame, pyarrow.Table or mapping of columns
    path : str or Path
        ``.xlsx`` and ``.parquet``; any other ending is CSV. Texts that a spreadsheet could take
        for formulas are guarded.

    Raises
    ------
    PayoffError
        When it cannot be written; what was there before is untouched.
    """
    tables.write_arrow(str(path), plain_table(data_of(data).table))


def plain_table(table: pa.Table) -> pa.Table:
    """A table without coded columns, as files want it."""
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)
