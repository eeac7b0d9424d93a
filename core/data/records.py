"""A careful splitter of delimited text into records, with the line each stands in.

It follows the rules of the fast reader (a quote opens a cell only at its start, a doubled quote is
a quote), is much slower, and serves two purposes: the head of a file, where separators are found,
and the exact place of a fault after the fast reader gave up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """One record. ``line`` counts from 1; ``start``/``end`` are byte offsets in the stream.

    ``open_line`` is set when a quote opened there is never closed; ``stray`` is the text found
    after a closing quote.
    """

    line: int
    start: int
    end: int
    fields: list[bytes]
    raw: bytes
    open_line: int | None = None
    stray: bytes = b""

    @property
    def is_blank(self) -> bool:
        """A line with nothing in it."""
        return not self.raw


def physical_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their ends, whatever the ends are (LF, CR LF or CR)."""
    parts: list[bytes] = []
    for chunk in chunks:
        rest = chunk
        if parts and rest and parts[-1].endswith(b"\r"):
            has_pair = rest.startswith(b"\n")
            yield b"".join(parts) + (b"\n" if has_pair else b"")
            parts = []
            rest = rest[1:] if has_pair else rest
        lines = rest.splitlines(keepends=True)
        last = len(lines) - 1
        for index, line in enumerate(lines):
            # A CR at a chunk's end may be half of CR LF: wait for the next chunk.
            if line.endswith(b"\n") or (line.endswith(b"\r") and index < last):
                yield b"".join((*parts, line)) if parts else line
                parts = []
            else:
                parts.append(line)
    if parts:
        yield b"".join(parts)


def iterate_records(
    chunks: Iterable[bytes], delimiter: bytes, quote: bytes, *, first_line: int = 1
) -> Iterator[Record]:
    """Split a stream of UTF-8 bytes into records.

    Parameters
    ----------
    chunks : iterable of bytes
        The text, cut anywhere.
    delimiter, quote : bytes
        One byte each; an empty quote means that no cell is quoted.
    first_line : int
        The line number of the first byte.
    """
    lines = physical_lines(chunks)
    number = first_line
    offset = 0
    for line in lines:
        body = line.rstrip(b"\r\n") if line[-1:] in (b"\n", b"\r") else line
        if not quote or quote not in body:
            end = offset + len(line)
            yield Record(number, offset, end, body.split(delimiter), body)
            number, offset = number + 1, end
            continue
        record = _quoted_record(line, lines, delimiter[0], quote[0], number, offset)
        yield record
        number += max(1, _count_lines(record.raw)) if record.open_line is None else 1
        offset = record.end


def _count_lines(raw: bytes) -> int:
    """Physical lines in a record without its last line end."""
    return raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") + 1


def _quoted_record(
    line: bytes, lines: Iterator[bytes], delimiter: int, quote: int, number: int, offset: int
) -> Record:
    """Read one record that holds a quote, over as many lines as it needs."""
    fields: list[bytes] = []
    stray = b""
    text, position, length = line, 0, len(line)
    parts: list[bytes] = []
    here = number
    while True:
        if position < len(text) and text[position] == quote:
            opened = here
            cell: list[bytes] = []
            position += 1
            while True:
                closing = _closing_quote(text, position, quote)
                if closing >= 0:
                    cell.append(text[position:closing])
                    break
                cell.append(text[position:])
                parts.append(text)
                text = next(lines, b"")
                here += 1
                position = 0
                length += len(text)
                if not text:
                    whole = b"".join(parts)
                    fields.append(b"".join(cell))
                    return Record(number, offset, offset + length, fields, whole, opened, stray)
            tail_end = _cell_end(text, closing + 1, delimiter)
            tail = text[closing + 1 : tail_end]
            stray = stray or tail
            doubled = bytes((quote, quote))
            fields.append(b"".join(cell).replace(doubled, bytes((quote,))) + tail)
            position = tail_end
        else:
            cell_end = _cell_end(text, position, delimiter)
            fields.append(text[position:cell_end])
            position = cell_end
        if position < len(text) and text[position] == delimiter:
            position += 1
            continue
        parts.append(text)
        return Record(
            number, offset, offset + length, fields, b"".join(parts).rstrip(b"\r\n"), None, stray
        )


def _closing_quote(text: bytes, position: int, quote: int) -> int:
    """The offset of the next quote that is not doubled, or -1."""
    while True:
        found = text.find(quote, position)
        if found < 0 or found + 1 >= len(text) or text[found + 1] != quote:
            return found
        position = found + 2


def _cell_end(text: bytes, position: int, delimiter: int) -> int:
    """The end of an unquoted stretch: the next delimiter or the line's end."""
    found = text.find(delimiter, position)
    if found >= 0:
        return found
    end = len(text)
    while end > position and text[end - 1] in (10, 13):
        end -= 1
    return end
