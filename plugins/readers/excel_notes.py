"""What the values of a sheet do not tell: formulas, faults, hidden rows, macros, signs of money.

Looked for in the text of the sheet's part, a megabyte at a time, without building a tree of it.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from xml.etree import ElementTree

from payoff.counting import counted
from plugins.readers.excel_size import column_number, tag_stretches

_MOST_INDEX = 4 << 20  # bytes of the two small parts that name the sheets
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PATTERNS = {
    "formulas": re.compile(rb"<f[ >/]"),
    "without a value": re.compile(rb"(?:</f>|<f[^>]*/>)(?:<v/>|<v></v>|</c>)"),
    "zeros": re.compile(rb"(?:</f>|<f[^>]*/>)<v>0</v>"),
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
        is_due = b'fullCalcOnLoad="1"' in _small(archive, "xl/workbook.xml") if part else False
    notes: list[str] = []
    if counts["formulas"]:
        empty = counts["without a value"] + counts["zeros"] * is_due
        never = "nothing is calculated yet, empty or 0 stands there until a spreadsheet program "
        never += "opens the workbook and saves it."
        notes.append(
            counted(counts["formulas"], "cell holds a formula", "cells hold formulas")
            + f" in sheet '{sheet}': "
            + (never if empty == counts["formulas"] else "what was last calculated is read.")
        )
    if counts["faults"]:
        notes.append(
            counted(counts["faults"], "cell holds", "cells hold")
            + f" a fault such as #N/A in sheet '{sheet}': read as missing."
        )
    for what in ("rows", "columns"):
        count = counts[f"hidden {what}"]
        if count:
            they = "it is" if count == 1 else "they are"
            notes.append(
                f"Sheet '{sheet}' has {counted(count, f'hidden {what[:-1]}')}: {they} read like "
                "the others."
            )
    if any(name.endswith("vbaProject.bin") for name in names):
        notes.append("The workbook has macros: they are passed over.")
    return notes


_FORMAT = re.compile(
    r'<numFmt [^>]*?numFmtId="(\d+)"[^>]*?formatCode="([^"]*)"|'
    r'<numFmt [^>]*?formatCode="([^"]*)"[^>]*?numFmtId="(\d+)"'
)
_STYLES = re.compile(r"<cellXfs\b.*?</cellXfs>", re.DOTALL)
_STYLE = re.compile(r'<xf [^>]*?numFmtId="(\d+)"')
_STYLED = re.compile(
    rb'<c (?=[^>]*\br="([A-Z]{1,3})\d+")(?=[^>]*\bs="(\d+)")'
    rb'(?![^>]*\bt="(?:s|str|inlineStr|b|e)")[^>]*[^/]>'
)
_PLACE_ALONE = re.compile(r"\[\$-[^\]]*\]")  # whose months and digits are written, no money
_MONEY = re.compile(
    r"\[\$([^\]\-]+)|([€$£¥₹₽₺₪₩]|\b(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|HUF)\b|kr\b|Kč|zł)"
)


def sheet_currencies(path: str, sheet: str) -> dict[int, str]:
    """The signs of money in the formats of a sheet's numbers, by column from 0.

    By the first stretch of the sheet: those of most of a column's numbers.
    """
    with zipfile.ZipFile(path) as archive:
        part = _part_of(archive, sheet)
        if not {part, "xl/styles.xml"} <= set(archive.namelist()):
            return {}
        signs = _money_of_styles(_small(archive, "xl/styles.xml").decode("utf-8", "replace"))
        text = next(_stretches(archive, part), b"") if any(signs) else b""
    seen: dict[int, Counter[str]] = {}
    for letters, style in _STYLED.findall(text):
        sign = signs[int(style)] if int(style) < len(signs) else ""
        seen.setdefault(column_number(letters) - 1, Counter())[sign] += 1
    usual = {column: counts.most_common(1)[0][0] for column, counts in seen.items()}
    return {column: sign for column, sign in usual.items() if sign}


def _money_of_styles(text: str) -> list[str]:
    """The sign of money in the format of each style of cells; empty where there is none."""
    codes = {
        a or d: _PLACE_ALONE.sub("", html.unescape(b or c)) for a, b, c, d in _FORMAT.findall(text)
    }
    styles = _STYLES.search(text)
    found = (_MONEY.search(codes.get(n, "")) for n in _STYLE.findall(styles[0] if styles else ""))
    return ["" if sign is None else (sign[1] or sign[2]).strip() for sign in found]


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
