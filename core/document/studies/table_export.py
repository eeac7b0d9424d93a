"""What window and engine say to each other about a table that is written to a file."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document

#: Ends of file names that a table can be written with, and their words.
EXPORT_KINDS = ((".csv", "CSV"), (".parquet", "Parquet"), (".xlsx", "Excel"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportDataArguments:
    """-> TableExported. Kind "export_data": the data of a document, every column."""

    document: Document
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCellsArguments:
    """-> TableExported. Kind "export_cells": a table of the window, as it is shown.

    A column of which every filled cell is a plain number is written as numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    path: str
    document: Document | None = None  # whose figures they are: its files are not written over


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExported:
    """A file that was written."""

    path: str
    rows: int
    columns: int
