"""Lines that may be no rows of the table: a second header line, the start of another table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from core.data.text.number_marks import looks_numeric
from core.data.text.records import Record
from core.document.data.results import ReaderFinding
from payoff.readers import USUAL_MISSING_MARKS

_LOOKED_AT = 400
_MOSTLY = 0.8
MARKS = frozenset(USUAL_MISSING_MARKS)


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
    if _speaks_of_columns(looked[0], looked[1:]) or _mixes_names(looked[0], looked[1:]):
        line = looked[0].line
        _doubt(
            findings,
            ReaderFinding(
                setting="has_header",
                value="yes",
                is_certain=False,
                reason=f"line {line} holds words above numbers too: if it is part of the header, "
                f"skip {line - 1} {'line' if line == 2 else 'lines'} and say that there is one",
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
    cells = _cells_among_numbers(record, others)
    words = sum(map(_is_word, cells))
    return words > 0 and 2 * words >= len(cells) and _is_mostly_words(record)


def _mixes_names(record: Record, others: list[Record]) -> bool:
    """Whether a record names some columns of numbers, years or blanks standing in the others.

    Two names, or one beside no number at all, that occur in no other row: what is missing is marked
    alike in several rows, and one wrong cell is a fault of its column.
    """
    elsewhere = {cell for entry in others for cell in entry.fields}
    words = {
        cell
        for cell in _cells_among_numbers(record, others)
        if _is_word(cell) and cell not in elsewhere and cell.decode("utf-8", "replace") not in MARKS
    }
    return len(words) > 1 or (len(words) == 1 and not any(map(_is_number, record.fields)))


def _cells_among_numbers(record: Record, others: list[Record]) -> list[bytes]:
    """The record's cells in columns that hold numbers in the other rows."""
    cells = []
    for place, cell in enumerate(record.fields):
        known = [
            entry.fields[place] for entry in others if place < entry.width and entry.fields[place]
        ]
        if len(known) >= 2 and sum(map(_is_number, known)) >= _MOSTLY * len(known):
            cells.append(cell)
    return cells


def _is_word(cell: bytes) -> bool:
    return any(byte > 64 for byte in cell) and not _is_number(cell)


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
