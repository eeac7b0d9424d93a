"""Stata data files (dta)."""

from __future__ import annotations

from payoff import OpenedTable, ReaderForm, ReadRequest, TableReader
from plugins.readers.examples import STATA_FILE, write_example
from plugins.readers.readstat import open_table

_OLD = tuple(bytes((version, order)) for version in range(104, 116) for order in (1, 2))


def _open(request: ReadRequest) -> OpenedTable:
    """Open a Stata file; .a to .z are counted."""
    import pyreadstat

    return open_table(request, pyreadstat.read_dta, "Stata", [], user_missing=True)


STATA = TableReader(
    id="stata",
    label="Stata data (dta)",
    help="Codes or their labels; missing values .a to .z are counted and read as missing.",
    form=ReaderForm.COLUMNS,
    suffixes=(".dta",),
    marks=(b"<stata_dta>", *_OLD),
    open=_open,
    settings=("use_labels", "missing_marks", "encoding"),
    example=lambda folder: write_example(folder, "cases.dta", STATA_FILE),
)
