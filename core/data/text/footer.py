"""Notes below a delimited table: lines of fewer fields than its rows, after the last of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.data.text.number_texts import bare_number, looks_numeric
from core.data.text.records import Record

_MOST_LINES = 20
_FEWEST_ROWS = 5  # above them
NOTE = re.compile(
    r"(?:source|quelle|fuente|bron|fonte|note|notes|nota|hinweis|anmerkung|remarque|legend|legende|"
    r"stand|as of|exported|export|created|erstellt|généré|printed|report|page|seite|confidential|"
    r"vertraulich|confidentiel)\b.*|"
    r"[©*†].*|\(?[\d.,' ]+ (?:rows?|records?|zeilen|datensätze|lignes|enregistrements)\b.*|"
    r"end of .*|n ?= ?\d+.*",
    re.IGNORECASE,
)
"""What stands below a table and is no case of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """Notes below a table as rows of it: each line filled up with delimiters.

    ``start`` is where they begin, in bytes of UTF-8 from the first data row on.
    """

    start: int
    text: bytes
    rows: int


def find_footer(records: Iterable[Record], width: int) -> Footer | None:
    """Find the notes below a table; None where a line of too few fields may be a broken case.

    They stand below the last whole row, hold no number, and either say what they are (a source, a
    count of rows) or begin below a blank line.

    Parameters
    ----------
    records : iterable of Record
        All records below the names, blank lines among them or not.
    width : int
        Fields of the table's rows.
    """
    found: list[Record] = []
    last: Record | None = None
    rows = 0
    for record in records:
        if record.is_blank:
            continue
        if record.width == width and not found:
            last, rows = record, rows + 1
            continue
        found.append(record)
        if len(found) > _MOST_LINES or not _may_be_note(record, width):
            return None
    if not found or last is None or rows < _FEWEST_ROWS:
        return None
    is_apart = found[0].line > last.line + last.raw.count(b"\n") + 1
    if not is_apart and not all(NOTE.fullmatch(_words(record)) for record in found):
        return None
    return Footer(start=found[0].start, text=_filled_up(found, width), rows=len(found))


def _may_be_note(record: Record, width: int) -> bool:
    """Fewer fields than the table has, and none of them a number."""
    if record.width >= width or record.open_line is not None or record.stray:
        return False
    if b"\n" in record.raw:
        return False
    cells = [cell.decode("utf-8", "replace") for cell in record.fields]
    return bool(_words(record).strip()) and not any(
        looks_numeric(bare_number(cell)) for cell in cells if cell.strip()
    )


def _words(record: Record) -> str:
    text = record.raw.decode("utf-8", "replace").strip()
    quote = chr(record.marks[1]) if record.marks[1] else ""
    return text.strip(quote) if quote and record.width == 1 else text


def _filled_up(found: list[Record], width: int) -> bytes:
    """The lines with as many fields as the table's rows, each in its own line of the file."""
    lines: list[bytes] = []
    number = found[0].line
    for record in found:
        lines += [b""] * (record.line - number)
        lines.append(record.raw + bytes((record.marks[0],)) * (width - record.width))
        number = record.line + 1
    return b"\n".join(lines) + b"\n"


__all__ = ["NOTE", "Footer", "find_footer"]
