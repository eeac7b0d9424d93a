"""The exact place of a fault in a delimited file, looked for after the fast reader gave up."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from core.data.cancellation import ShouldStop
from core.data.text.dialect import Dialect
from core.data.text.records import Record, iterate_records
from core.data.text.source import ScannedSource
from core.data.text.text_file import TextFile
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError

_SHOWN_LINES = 20
_SHOWN_TEXT = 70


def data_chunks(dialect: Dialect, should_stop: ShouldStop) -> Iterator[bytes]:
    """The UTF-8 text of the data rows, a megabyte at a time."""
    source = ScannedSource(
        dialect.text,
        dialect.settings.encoding or "utf-8",
        dialect.mark_bytes,
        dialect.data_offset,
        None,
        dialect.footer,
    )
    try:
        while block := source.read(1 << 20):
            if should_stop():
                raise StoppedError
            yield block
    finally:
        source.close()


def data_records(dialect: Dialect, should_stop: ShouldStop) -> Iterator[Record]:
    """Every data record with its line; blank lines are passed over where the reader does."""
    records = iterate_records(
        data_chunks(dialect, should_stop),
        dialect.delimiter,
        dialect.quote,
        first_line=dialect.data_line,
    )
    for record in records:
        if len(dialect.names) == 1 or not record.is_blank:
            yield record


def find_broken_record(path: str, dialect: Dialect, should_stop: ShouldStop) -> PayoffError | None:
    """Look for rows with a wrong number of fields, quotes left open, text after a closing quote."""
    width = len(dialect.names)
    wrong: list[tuple[Record, int]] = []
    count = 0
    for row, record in enumerate(data_records(dialect, should_stop), start=1):
        if record.open_line is not None:
            if wrong:
                break
            return _open_quote(path, record, row)
        if record.stray and not wrong:
            return _text_after_quote(path, record, row)
        if record.width != width:
            count += 1
            if len(wrong) < _SHOWN_LINES:
                wrong.append((record, row))
    return _wrong_width(path, width, wrong, count) if wrong else None


def _wrong_width(path: str, width: int, wrong: list[tuple[Record, int]], count: int) -> PayoffError:
    record, row = wrong[0]
    found = record.width
    kind = "too many" if found > width else "too few"
    why = f"Expected {counted(width, 'field')}, found {found}: {_shown(record.raw)}."
    if count > 1:
        lines = ", ".join(str(entry.line) for entry, _ in wrong[1:])
        more = " ..." if count > _SHOWN_LINES else ""
        why += (
            f" {counted(count, 'row differs', 'rows differ')}; the others are in lines "
            f"{lines}{more}."
        )
    return PayoffError(
        f"A row has {kind} fields.",
        where=f"{path}, line {record.line}, data row {row}",
        why=why,
        remedy="Check delimiter, quote and skipped lines in the import settings, or mend the line.",
    )


def _open_quote(path: str, record: Record, row: int) -> PayoffError:
    return PayoffError(
        "A quote is opened and never closed.",
        where=f"{path}, line {record.open_line}, data row {row}",
        why=f"The cell would swallow the rest of the file: {_shown(record.raw)}.",
        remedy="Close the quote in that line, or choose another quote mark in the import settings.",
    )


def _text_after_quote(path: str, record: Record, row: int) -> PayoffError:
    return PayoffError(
        "Text follows a closing quote.",
        where=f"{path}, line {record.line}, data row {row}",
        why=f"After the quote comes {_shown(record.stray)}, in {_shown(record.raw)}.",
        remedy="A quote inside a cell is written twice; or an earlier quote was never closed.",
    )


def find_nul(path: str, dialect: Dialect, should_stop: ShouldStop) -> PayoffError:
    """The place of the first NUL byte."""
    line = dialect.data_line
    offset = dialect.data_offset + dialect.mark_bytes
    for block in data_chunks(dialect, should_stop):
        found = block.find(b"\0")
        piece = block if found < 0 else block[:found]
        line += piece.count(b"\n")
        offset += len(piece)
        if found >= 0:
            break
    return PayoffError(
        "The file holds a NUL byte, which no text has.",
        where=f"{path}, line {line}, byte offset {offset:,}",
        why="The file is damaged, binary, or in UTF-16 without saying so.",
        remedy="Choose the encoding in the import settings, or export the file again.",
    )


def find_bad_bytes(text: TextFile) -> PayoffError:
    """The place of the first byte that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines, offset, value = 1, 0, b""
    with text.open() as source:
        while True:
            block = source.read(1 << 20)
            held = decoder.getstate()[0]
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                value = (held + block)[error.start : error.start + 1]
                lines += (held + block)[: error.start].count(b"\n")
                offset += error.start - len(held)
                break
            lines += block.count(b"\n")
            offset += len(block)
            if not block:
                break
    return PayoffError(
        "The file is not UTF-8 text.",
        where=f"{text.path}, line {lines}, byte offset {offset:,}",
        why=f"The byte there is 0x{value.hex().upper()}.",
        remedy="Choose another encoding in the import settings; cp1252 is usual on Windows.",
    )


def cell_of_row(
    dialect: Dialect, row: int, column: int, should_stop: ShouldStop
) -> tuple[int, str]:
    """Line number and text of a cell (data row from 0)."""
    for number, record in enumerate(data_records(dialect, should_stop)):
        if number == row:
            return record.line, record.fields[column].decode("utf-8", "replace")
    return 0, ""


def _shown(raw: bytes) -> str:
    """A stretch of the file short enough for a message."""
    text = raw.decode("utf-8", "replace")
    text = " ".join(text.split("\n"))
    return f"'{text[:_SHOWN_TEXT]}...'" if len(text) > _SHOWN_TEXT else f"'{text}'"
