"""Lines that may be no rows of the table: a second header line, the start of another table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from core.data.number_marks import looks_numeric
from core.data.records import Record
from core.document.results import ReaderFinding

_LOOKED_AT = 400
_MOSTLY = 0.8


def note_doubtful_lines(
    header: Record | None, rows: list[Record], findings: list[ReaderFinding]
) -> None:
    """Ask about lines of words where the lines around them hold numbers.

    Nothing is cut off by itself: the reader's settings can skip lines in front of a table, and a
    table below another one has to go into a file of its own.
    """
    looked = rows[:_LOOKED_AT]
    if header is None or len(looked) < 3:
        return
    if _speaks_of_columns(looked[0], looked[1:]):
        line = looked[0].line
        _doubt(
            findings,
            ReaderFinding(
                setting="has_header",
                value="yes",
                is_certain=False,
                reason=f"line {line} holds words above numbers too: if it is part of the header, "
                f"skip {line - 1} {'line' if line == 2 else 'lines'}",
            ),
        )
    for place, (above, below) in enumerate(pairwise(looked), start=1):
        is_apart = below.line > above.line + above.raw.count(b"\n") + 1
        if is_apart and _speaks_of_columns(below, looked[:place]):
            _doubt(findings, _second_table(below.line))
            return


def _second_table(line: int) -> ReaderFinding:
    return ReaderFinding(
        setting="skip_lines",
        value="0",
        is_certain=False,
        reason=f"line {line}, below a blank line, may begin another table: skip {line - 1} lines "
        "to read that one, or save each table in a file of its own",
    )


def _speaks_of_columns(record: Record, others: list[Record]) -> bool:
    """Whether a record has words in half of the columns, at least, that hold numbers elsewhere."""
    words = numeric = 0
    for place, cell in enumerate(record.fields):
        known = [
            entry.fields[place] for entry in others if place < entry.width and entry.fields[place]
        ]
        if len(known) < 2 or sum(map(_is_number, known)) < _MOSTLY * len(known):
            continue
        numeric += 1
        words += bool(cell.strip()) and not _is_number(cell)
    return words > 0 and 2 * words >= numeric and _is_mostly_words(record)


def _is_mostly_words(record: Record) -> bool:
    """Names of columns: more words than numbers, and none a mark for a missing value."""
    given = [cell for cell in record.fields if cell.strip()]
    numbers = sum(map(_is_number, given))
    has_letters = sum(any(byte > 64 for byte in cell) for cell in given)
    return has_letters > len(record.fields) / 2 and numbers <= len(given) / 2


def _is_number(cell: bytes) -> bool:
    return looks_numeric(cell.decode("utf-8", "replace"))


def _doubt(findings: list[ReaderFinding], doubt: ReaderFinding) -> None:
    """Put a doubt beside what was found on the same setting."""
    for place, known in enumerate(findings):
        if known.setting == doubt.setting:
            reason = f"{known.reason}; {doubt.reason}"
            findings[place] = replace(known, is_certain=False, reason=reason)
            return
    findings.append(doubt)
