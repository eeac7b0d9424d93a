"""Notes below a delimited table: lines of fewer fields than its rows, after the last of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.data.text.number_texts import bare_number, looks_numeric
from core.data.text.records import Record

_MOST_LINES = 20
_FEWEST_ROWS = 5  # above them
_MOST_MORE = 3  # lines that are counted beside the rows: a header, the names, the trailer itself
NOTE = re.compile(
    r"(?:source|quelle|fuente|bron|fonte|note|notes|nota|hinweis|anmerkung|remarque|legend|legende|"
    r"stand|as of|exported|export|created|erstellt|généré|printed|report|page|seite|confidential|"
    r"vertraulich|confidentiel|applied filters)\b.*|"
    r"[©*†].*|\(?[\d.,' ]+ (?:rows?|records?|zeilen|datensätze|lignes|enregistrements)\b.*|"
    r"(?:anzahl|number of|count of|nombre (?:de |d['\u2019]))[^\d]{0,40}\d[\d.,' ]*|"
    r"\x1a|end of .*|n ?= ?\d+.*",
    re.IGNORECASE | re.DOTALL,
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
    count of rows) or begin below a blank line. A trailer as mainframes write it holds the number of
    rows: "T|000120".

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
        is_trailer = len(found) == 1 and _counts_rows(record, width, rows)
        if len(found) > _MOST_LINES or not (is_trailer or _may_be_note(record, width)):
            return None
    if not found or last is None or rows < _FEWEST_ROWS:
        return None
    is_apart = found[0].line > last.line + last.raw.count(b"\n") + 1
    notes = found[1:] if _counts_rows(found[0], width, rows) else found
    if not is_apart and not all(NOTE.fullmatch(_words(record)) for record in notes):
        return None
    return Footer(start=found[0].start, text=_filled_up(found, width), rows=len(found))


def _may_be_note(record: Record, width: int) -> bool:
    """Fewer fields than the table has, and none of them a number."""
    if record.width >= width or record.open_line is not None or record.stray:
        return False
    if b"\n" in record.raw and record.width > 1:
        return False
    cells = [cell.decode("utf-8", "replace") for cell in record.fields]
    return bool(_words(record).strip()) and not any(
        looks_numeric(bare_number(cell)) for cell in cells if cell.strip()
    )


def _counts_rows(record: Record, width: int, rows: int) -> bool:
    """Whether a line of too few fields is a word, and the number of the rows above or the lines.

    A number in front would be that of a broken case: cases are numbered too.
    """
    if record.width >= width or record.width < 2:
        return False
    counts = {str(rows + more) for more in range(_MOST_MORE + 1)}
    word, *cells = (cell.decode("utf-8", "replace").strip() for cell in record.fields)
    return word.isalpha() and any(cell.lstrip("0") in counts for cell in cells)


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
        number = record.line + record.raw.count(b"\n") + 1
    return b"\n".join(lines) + b"\n"


__all__ = ["NOTE", "Footer", "find_footer"]
