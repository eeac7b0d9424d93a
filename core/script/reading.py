"""``payoff.read``: a file as a table, with the options of the import dialog."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from core import data as tables
from core.document.model import ReaderSettings
from core.script.joining import read_joined
from payoff.errors import PayoffError


def read(path: str | Path, *, join: Any = None, **options: Any) -> pa.Table:
    """Read delimited text or Parquet as a pyarrow Table.

    Parameters
    ----------
    path : str or Path
    join : mapping or list of mappings, optional
        Columns of further files: {"path": ..., "on": ...} and the other arguments of
        ``payoff.join``.
    options
        delimiter, quote, decimal, thousands, encoding, has_header, skip_lines, missing_marks,
        column_types ({column: "number" | "text"}); what is left out is found out.

    Raises
    ------
    PayoffError
        Naming file, line, data row, column and value.
    """
    known = {item.name for item in fields(ReaderSettings)}
    unknown = sorted(set(options) - known)
    if unknown:
        raise PayoffError(
            f"There is no reading option called '{unknown[0]}'.",
            why=f"There are: {', '.join(sorted(known))}.",
        )
    if "column_types" in options:
        options["column_types"] = tuple(dict(options["column_types"]).items())
    if "missing_marks" in options:
        options["missing_marks"] = tuple(options["missing_marks"])
    table = tables.load(str(path), ReaderSettings(**options)).table
    return table if join is None else read_joined(table, join)
