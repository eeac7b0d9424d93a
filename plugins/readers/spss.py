"""SPSS data files (sav, zsav)."""

from __future__ import annotations

from typing import Any

from payoff import OpenedTable, ReaderForm, ReadRequest, TableReader
from plugins.readers.examples import SPSS_FILE, write_example
from plugins.readers.readstat import open_table
from plugins.readers.spss_layout import check_dictionary


def _open(request: ReadRequest) -> OpenedTable:
    """Open an SPSS file; values that it declares missing are missing."""
    import pyreadstat

    def read(path: str, **options: Any) -> Any:
        content, meta = pyreadstat.read_sav(path, **options)
        if options.get("metadataonly"):
            notes.extend(_declared(path, meta))
        return content, meta

    check_dictionary(request.path)
    notes: list[str] = []
    return open_table(request, read, "SPSS", notes)


def _declared(path: str, meta: Any) -> list[str]:
    """Say which values the file declares missing."""
    import pyreadstat

    _, full = pyreadstat.read_sav(path, metadataonly=True, user_missing=True, output_format="dict")
    described = []
    for name, ranges in {**meta.missing_ranges, **full.missing_ranges}.items():
        shown = ", ".join(_range_words(entry) for entry in ranges)
        described.append(f"Column '{name}': the file declares {shown} missing; read as missing.")
    return described


def _range_words(entry: dict[str, Any]) -> str:
    low, high = (
        int(end) if isinstance(end, float) and end.is_integer() else end
        for end in (entry["lo"], entry["hi"])
    )
    return str(low) if low == high else f"{low} to {high}"


SPSS = TableReader(
    id="spss",
    label="SPSS data (sav)",
    help="Codes or their labels; values that the file declares missing are missing.",
    form=ReaderForm.COLUMNS,
    suffixes=(".sav", ".zsav"),
    marks=(b"$FL2", b"$FL3"),
    open=_open,
    settings=("use_labels", "missing_marks", "encoding"),
    example=lambda folder: write_example(folder, "cases.sav", SPSS_FILE),
)
