"""``payoff.read`` and ``payoff.write_table``: files as tables and back, as the window does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from core import data as tables
from core.document.data.model import ReaderSettings
from core.script.files.joining import read_joined
from core.script.session import data_of, engine
from payoff.errors import PayoffError


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
        empty: none), column_names ({position from 1: name}, or a list of all names), number_texts
        (False: "6,96 %" and "€ 1,234" stay text); what is left out is found out.

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
    if "column_names" in named:
        names = named["column_names"]
        given = names.items() if isinstance(names, Mapping) else enumerate(names, start=1)
        named["column_names"] = tuple((int(at), str(name)) for at, name in given)
    for name in ("missing_marks", "widths", "left_out"):
        if name in named:
            named[name] = tuple(named[name])
    return ReaderSettings(**named)


_WHOLE = ("skip_lines",)
_YES_NO = ("has_header", "use_labels", "rename_repeated", "number_texts")


def described_settings(reported: dict[str, str]) -> ReaderSettings:
    """The settings that a verb's ``--read NAME=VALUE`` stand for.

    Raises
    ------
    PayoffError
        For a name or a value that there is not.
    """
    options: dict[str, Any] = {}
    for name, value in reported.items():
        try:
            options[name] = _described_value(name, value)
        except ValueError:
            raise PayoffError(
                f"'{value}' is not possible for the reading option '{name}'.",
                where=f"--read {name}={value}",
                remedy="Write yes or no, a whole number, or values parted by commas.",
            ) from None
    return reader_settings(options)


def _described_value(name: str, value: str) -> Any:
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
    if name == "column_names":
        return {int(at): called for at, called in (part.split(":") for part in value.split(","))}
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
