"""SAS: data sets (sas7bdat) and transport files (xpt)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from payoff import OpenedTable, PayoffError, ReaderForm, ReadRequest, TableReader
from plugins.readers.examples import TRANSPORT, write_example
from plugins.readers.readstat import open_table, special_note
from plugins.readers.sas_transport import MARK, members, special_missing

_DATA_SET = b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf"


def _open(request: ReadRequest) -> OpenedTable:
    """Open a data set or a transport file."""
    import pyreadstat

    with open(request.path, "rb") as source:
        start = source.read(len(MARK))
    if start == MARK:
        return _open_transport(request, pyreadstat.read_xport)
    catalogue = _catalogue(request.path)
    options: dict[str, Any] = {"user_missing": True}
    if catalogue:
        options["catalog_file"] = catalogue
    return open_table(request, pyreadstat.read_sas7bdat, "SAS", [], **options)


def _open_transport(request: ReadRequest, read: Any) -> OpenedTable:
    """Open a transport file; its special missing values are counted beforehand."""
    notes: list[str] = []
    count = members(request.path)
    if count > 1:
        raise PayoffError(
            f"The transport file holds {count} data sets.",
            where=request.path,
            remedy="Write one data set to each transport file.",
        )
    if request.first_rows is None:
        special = special_missing(request.path)
        notes = [special_note(name, counts) for name, counts in special.items()]
    return open_table(request, read, "SAS", notes)


def _catalogue(path: str) -> str:
    """The catalogue of formats that stands beside a data set under its name, if there is one."""
    place = Path(path).with_suffix(".sas7bcat")
    beside = place if place.is_file() else place.with_name("formats.sas7bcat")
    return str(beside) if beside.is_file() else ""


SAS = TableReader(
    id="sas",
    label="SAS data (sas7bdat, xpt)",
    help="Dates by their formats; labels from a catalogue of the same name beside the file.",
    form=ReaderForm.COLUMNS,
    suffixes=(".sas7bdat", ".xpt", ".xport"),
    marks=(MARK, _DATA_SET),
    open=_open,
    settings=("use_labels", "missing_marks", "encoding"),
    example=lambda folder: write_example(folder, "cases.xpt", TRANSPORT),
    reference="SAS TS-140, Record Layout of a SAS Version 5 or 6 Data Set in Transport Format",
)
