"""What the values of a sheet do not tell: formulas, faults, hidden rows, macros.

Looked for in the text of the sheet's part, a megabyte at a time, without building a tree of it.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from functools import partial
from xml.etree import ElementTree

from payoff.counting import counted
from plugins.readers.excel_size import tag_stretches

_MOST_INDEX = 4 << 20  # bytes of the two small parts that name the sheets
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PATTERNS = {
    "formulas": re.compile(rb"<f[ >/]"),
    "faults": re.compile(rb'<c [^>]*t="e"'),
    "hidden rows": re.compile(rb'<row [^>]*hidden="(?:1|true)"'),
    "hidden columns": re.compile(rb'<col [^>]*hidden="(?:1|true)"'),
}


def sheet_notes(path: str, sheet: str) -> list[str]:
    """Say in sentences what of a sheet is not plain values."""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        part = _part_of(archive, sheet)
        counts = _count(archive, part) if part in names else dict.fromkeys(_PATTERNS, 0)
    notes: list[str] = []
    if counts["formulas"]:
        notes.append(
            counted(counts["formulas"], "cell holds a formula", "cells hold formulas")
            + f" in sheet '{sheet}': what was last calculated is read."
        )
    if counts["faults"]:
        notes.append(
            counted(counts["faults"], "cell holds", "cells hold")
            + f" a fault such as #N/A in sheet '{sheet}': read as missing."
        )
    for what in ("rows", "columns"):
        if counts[f"hidden {what}"]:
            notes.append(
                f"Sheet '{sheet}' has {counted(counts[f'hidden {what}'], f'hidden {what[:-1]}')}: "
                "they are read like the others."
            )
    if any(name.endswith("vbaProject.bin") for name in names):
        notes.append("The workbook has macros: they are passed over.")
    return notes


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """The archive's member that holds a sheet, or nothing."""
    try:
        book = ElementTree.fromstring(_small(archive, "xl/workbook.xml"))
        links = ElementTree.fromstring(_small(archive, "xl/_rels/workbook.xml.rels"))
    except (KeyError, ElementTree.ParseError):
        return ""
    wanted = next(
        (
            entry.get(_RELATION)
            for entry in book.iter()
            if entry.tag.endswith("}sheet") and entry.get("name") == sheet
        ),
        None,
    )
    target = next((link.get("Target") or "" for link in links if link.get("Id") == wanted), "")
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _small(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as stream:
        return stream.read(_MOST_INDEX)


def _count(archive: zipfile.ZipFile, part: str) -> dict[str, int]:
    """Matches of each pattern; a tag that two stretches share is counted once."""
    counts = dict.fromkeys(_PATTERNS, 0)
    for text in _stretches(archive, part):
        for name, pattern in _PATTERNS.items():
            counts[name] += sum(1 for _ in pattern.finditer(text))
    return counts


def _stretches(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """The part's text, cut between tags."""
    with archive.open(part) as stream:
        yield from tag_stretches(iter(partial(stream.read, 1 << 20), b""), part)
