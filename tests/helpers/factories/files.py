"""Files of other programs, written for the tests that read them."""

from __future__ import annotations

import bz2
import datetime
import gzip
import lzma
import math
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import xlsxwriter

from core import data
from core.document.data.model import ReaderSettings
from payoff.readers import TableReader
from plugins.readers.hooks import payoff_register_readers
from tests.helpers.factories.sas_files import can_write_sas, write_sas


@cache
def readers() -> Sequence[TableReader]:
    """The built-in readers, as the registry serves them."""
    return tuple(payoff_register_readers())


def load(path: str | Path, **settings: Any) -> data.LoadedTable:
    """Load a file with the built-in readers."""
    return data.load(str(path), ReaderSettings(**settings), find_readers=readers)


def preview(path: str | Path, **settings: Any) -> Any:
    """Preview a file with the built-in readers."""
    return data.preview(str(path), ReaderSettings(**settings), find_readers=readers)


def frame() -> pd.DataFrame:
    """Six cases with every kind of column."""
    return pd.DataFrame(
        {
            "id": ["007", "008", "009", "010", "011", "012"],
            "p_gbm": [0.9, 0.2, 0.7, 0.1, 0.4, 0.55],
            "orders": [3.0, 1.0, None, 0.0, 2.0, 7.0],
            "since": pd.to_datetime(
                ["2024-02-29", "2023-01-31", "2022-12-01", "2021-07-04", "2020-05-06", "2019-03-02"]
            ),
            "region": [1, 2, 1, 2, 2, 1],
            "y": [1, 0, 1, 0, 0, 1],
        }
    )


LABELS = {"region": {1: "North", 2: "South"}}


def write_stat(folder: Path, ending: str, cases: pd.DataFrame | None = None) -> Path:
    """Write the cases as a SAS data set (``can_write_sas``), SAS transport, SPSS or Stata."""
    path = folder / f"cases.{ending}"
    cases = frame() if cases is None else cases
    labels = {
        name: words
        for name, words in LABELS.items()
        if name in cases and pd.api.types.is_numeric_dtype(cases[name])
    }
    if ending == "sas7bdat":
        write_sas(path, cases)
    elif ending == "xpt":
        pyreadstat.write_xport(cases, path, file_format_version=5, table_name="CASES")
    elif ending == "sav":
        pyreadstat.write_sav(cases, path, variable_value_labels=labels)
    else:
        pyreadstat.write_dta(cases, path, variable_value_labels=labels)
    return path


def endings() -> tuple[str, ...]:
    """One ending for each format that a reader opens, as far as it can be written here."""
    sas = ("sas7bdat",) if can_write_sas() else ()
    packed = ("csv.gz", "csv.bz2", "csv.xz", "zip")
    return ("xlsx", *sas, "xpt", "sav", "zsav", "dta", "parquet", "fwf", *packed)


def write_as(folder: Path, ending: str, cases: pd.DataFrame | None = None) -> Path:
    """Write the cases in any format of ``endings``."""
    cases = frame() if cases is None else cases
    if ending == "xlsx":
        return write_workbook(folder / "cases.xlsx", {"S": frame_rows(cases)})
    path = folder / f"cases.{ending}"
    if ending == "parquet":
        cases.to_parquet(path)
    elif ending == "fwf":
        path.write_text(cases.to_string(index=False), "utf-8")
    elif ending == "zsav":
        pyreadstat.write_sav(cases, path, compress=True)
    elif ending in ("sas7bdat", "xpt", "sav", "dta"):
        return write_stat(folder, ending, cases)
    else:
        return pack(path, cases.to_csv(index=False).encode())
    return path


def write_libsvm(folder: Path) -> Path:
    """Forty cases as LibSVM text, with queries; it holds numbers only, so no case of ``frame``."""
    rows = [
        f"{place % 2} qid:{1 + place // 4} 1:{place / 40:g} {2 + place % 5}:{place} 9:-1.5e-3"
        for place in range(40)
    ]
    path = folder / "cases.libsvm"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def write_workbook(
    path: Path, sheets: dict[str, Sequence[Sequence[Any]]], *, hidden: Sequence[str] = ()
) -> Path:
    """Write sheets of cells; dates get a date format."""
    with xlsxwriter.Workbook(str(path)) as book:
        as_date = book.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, datetime.date):
                        sheet.write_datetime(at, column, cell, as_date)
                    elif isinstance(cell, str):
                        sheet.write_string(at, column, cell)
                    elif cell is not None:
                        sheet.write(at, column, cell)
            if name in hidden:
                sheet.hide()
    return path


def frame_rows(cases: pd.DataFrame) -> list[list[Any]]:
    """A frame as rows of a sheet, its names first."""
    rows = [list(cases.columns)]
    for row in cases.itertuples(index=False):
        rows.append([_cell(cell) for cell in row])
    return rows


def _cell(cell: Any) -> Any:
    if isinstance(cell, pd.Timestamp):
        return cell.to_pydatetime()
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def pack(path: Path, content: bytes) -> Path:
    """Write content packed as the end of the name says."""
    kind = path.suffix
    if kind == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inside/cases.csv", content)
    else:
        packed = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[kind]
        path.write_bytes(packed(content))
    return path
