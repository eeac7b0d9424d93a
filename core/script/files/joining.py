"""``payoff.join`` and ``payoff.overlap``: columns of another file by key, rows in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa

from core import data as tables
from core.data import LoadedTable
from core.data.combine.joining import join_columns
from core.document.data.model import FileRef, JoinSpec, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec
from core.document.studies.data import JoinReport
from core.questions.data import RowsInCommon
from core.script.session import ScriptData, engine, loaded_table
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
