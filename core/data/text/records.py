"""A careful splitter of delimited text into records, with the line each stands in.

It follows the rules of the fast reader (a quote opens a cell only at its start, a doubled quote is
a quote), is much slower, and serves two purposes: the head of a file, where separators are found,
and the exact place of a fault after the fast reader gave up.

A text as the splitter sees it: a plain file, or a stream that a reader unpacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from core.data.reading.choosing import check_readable, read_start


@dataclass(frozen=True, slots=True)
class Record:
    """One record. ``line`` counts from 1; ``start``/``end`` are byte offsets in the stream.

    ``width`` is the number of fields. ``open_line`` is set when a quote opened there is never
    closed; ``stray`` is the text found after a closing quote.
    """

    line: int
    start: int
    end: int
    raw: bytes
    width: int
    marks: tuple[int, int]  # delimiter and quote; 0 = none
    open_line: int | None = None
    stray: bytes = b""

    @property
    def is_blank(self) -> bool:
        """A line with nothing in it."""
        return not self.raw

    @property
    def fields(self) -> list[bytes]:
        """The cells, quotes undone; cut when asked for, since most records are only counted."""
        delimiter, quote = self.marks
        if not quote or quote not in self.raw:
            return self.raw.split(bytes((delimiter,)))
        return _Cutter(self.raw, iter(()), delimiter, quote).cut().cells


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
    marks = (delimiter[0], quote[0] if quote else 0)
    number = first_line
    offset = 0
    for line in lines:
        body = line.rstrip(b"\r\n") if line[-1:] in (b"\n", b"\r") else line
        width = _plain_width(body, delimiter, quote)
        if width:
            end = offset + len(line)
            yield Record(number, offset, end, body, width, marks)
            number, offset = number + 1, end
            continue
        cut = _Cutter(line, lines, *marks).cut()
        raw = b"".join(cut.parts)
        opened = number + cut.open_at if cut.open_at is not None else None
        end = offset + len(raw)
        yield Record(
            number, offset, end, raw.rstrip(b"\r\n"), len(cut.cells), marks, opened, cut.stray
        )
        number, offset = number + len(cut.parts), end


def _plain_width(body: bytes, delimiter: bytes, quote: bytes) -> int:
    """Fields of a line that is a whole well-formed record; 0 where a closer look is needed."""
    if not quote or quote not in body:
        return body.count(delimiter) + 1
    parts = body.split(quote)
    if len(parts) % 2 == 0:  # an odd number of quotes
        return 0
    outside = parts[::2]
    first, last = outside[0], outside[-1]
    if (first and not first.endswith(delimiter)) or (last and not last.startswith(delimiter)):
        return 0
    for between in outside[1:-1]:  # nothing between two quotes: a doubled one
        if between and not (between.startswith(delimiter) and between.endswith(delimiter)):
            return 0
    return b"".join(outside).count(delimiter) + 1


class _Cutter:
    """Cuts one record with quotes, over as many lines as it needs.

    ``open_at`` is the index of the line whose quote stays open to the end of the text.
    """

    def __init__(self, line: bytes, lines: Iterator[bytes], delimiter: int, quote: int) -> None:
        self.cells: list[bytes] = []
        self.parts = [line]
        self.stray = b""
        self.open_at: int | None = None
        self._lines = lines
        self._delimiter = delimiter
        self._quote = quote
        self._position = 0

    def cut(self) -> _Cutter:
        """Cut all cells of the record."""
        while True:
            text = self.parts[-1]
            if self._position < len(text) and text[self._position] == self._quote:
                is_closed = self._take_quoted()
                if not is_closed:
                    return self
            else:
                self._take_plain()
            text = self.parts[-1]
            if self._position >= len(text) or text[self._position] != self._delimiter:
                return self
            self._position += 1

    def _take_plain(self) -> None:
        """A cell without quotes."""
        text = self.parts[-1]
        end = _cell_end(text, self._position, self._delimiter)
        self.cells.append(text[self._position : end])
        self._position = end

    def _take_quoted(self) -> bool:
        """A quoted cell and what follows it up to the delimiter; False if it is never closed."""
        opened = len(self.parts) - 1
        pieces: list[bytes] = []
        self._position += 1
        while (closing := _closing_quote(self.parts[-1], self._position, self._quote)) < 0:
            pieces.append(self.parts[-1][self._position :])
            line = next(self._lines, b"")
            if not line:
                self.open_at = opened
                self.cells.append(b"".join(pieces))
                return False
            self.parts.append(line)
            self._position = 0
        text = self.parts[-1]
        pieces.append(text[self._position : closing])
        end = _cell_end(text, closing + 1, self._delimiter)
        tail = text[closing + 1 : end]
        self.stray = self.stray or tail
        quote = bytes((self._quote,))
        self.cells.append(b"".join(pieces).replace(quote + quote, quote) + tail)
        self._position = end
        return True


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


@dataclass(frozen=True, slots=True)
class TextFile:
    """Where the bytes of a delimited text come from.

    ``path`` is the file that messages name; ``size`` the bytes of the text, about where the file
    is packed; ``is_plain`` that the text is the file itself.
    """

    path: str
    size: int
    open: Callable[[], BinaryIO]
    is_plain: bool

    def start(self, count: int) -> bytes:
        """The first ``count`` bytes, fewer where the text is shorter."""
        if self.is_plain:
            return read_start(self.path, count)
        pieces: list[bytes] = []
        missing = count
        with self.open() as source:
            while missing > 0 and (piece := source.read(missing)):
                pieces.append(piece)
                missing -= len(piece)
        return b"".join(pieces)


def open_plain_text(path: str) -> TextFile:
    """The text of an ordinary file; refuses what is no readable, non-empty one."""
    size = check_readable(path)
    return TextFile(path, size, lambda: open(path, "rb", buffering=0), True)
