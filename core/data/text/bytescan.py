"""What the fast reader does not tell: looked for in every byte while the file streams past it.

One pass over blocks of bytes finds NUL bytes, the number of lines and their ends, quotes that do
not open and close as they should, and cells that a number would spoil (007, 1e-400).

The loops that look at every byte of a text while it streams past.

Everything stays in single bytes, casts and all: only then does the compiler look at sixteen or
more of them at once, and a pass costs a twentieth of what reading the file costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]

_LF_BYTE, _CR_BYTE, _NUL_BYTE = np.uint8(10), np.uint8(13), np.uint8(0)
_ZERO, _THREE, _MINUS, _PLUS = np.uint8(48), np.uint8(51), np.uint8(45), np.uint8(43)
_SPACE, _TAB = np.uint8(32), np.uint8(9)
_TEN, _SEVEN = np.uint8(10), np.uint8(7)
_LOWER, _X, _E = np.uint8(32), np.uint8(120), np.uint8(101)
_STRETCH = 192  # the sums of one stretch fit a byte, and it is a whole number of vectors


@own_kernel
def count_marks(text: Bytes, quote: np.uint8) -> tuple[int, int, int, int]:
    """Line feeds, carriage returns, quotes and NUL bytes in (n,) bytes."""
    feeds = returns = quotes = nuls = 0
    for begin in range(0, text.shape[0], _STRETCH):
        part = text[begin : begin + _STRETCH]
        feed = carriage = quoted = nul = np.uint8(0)
        for place in range(part.shape[0]):
            byte = part[place]
            feed = np.uint8(feed + np.uint8(byte == _LF_BYTE))
            carriage = np.uint8(carriage + np.uint8(byte == _CR_BYTE))
            quoted = np.uint8(quoted + np.uint8(byte == quote))
            nul = np.uint8(nul + np.uint8(byte == _NUL_BYTE))
        feeds += int(feed)
        returns += int(carriage)
        quotes += int(quoted)
        nuls += int(nul)
    return feeds, returns, quotes, nuls


@own_kernel
def find_spoilt(text: Bytes, delimiter: np.uint8, quote: np.uint8) -> tuple[int, int]:
    """Whether cells are there that a number would spoil; both answers are 0 or 1.

    First: a cell that starts with 0 and another digit, or with 0x, behind a blank or sign or not.
    Second: an exponent of -300 or below. Of (n,) bytes the first four are only what stands before;
    n is 4 at least.
    """
    # Five views, not five places of one: an index that may be negative keeps the loop scalar.
    last, one, two, three, four = text[4:], text[3:-1], text[2:-2], text[1:-3], text[:-4]
    zeros = tiny = np.uint8(0)
    for place in range(last.shape[0]):
        byte, before, second = last[place], one[place], two[place]
        is_digit = np.uint8(np.uint8(byte - _ZERO) < _TEN)
        is_hex = np.uint8(np.uint8(byte | _LOWER) == _X)
        padded = np.uint8(np.uint8(before == _ZERO) & np.uint8(is_digit | is_hex))
        parted = np.uint8(np.uint8(second == delimiter) | np.uint8(second == quote))
        ended = np.uint8(np.uint8(second == _LF_BYTE) | np.uint8(second == _CR_BYTE))
        third = three[place]
        blank = np.uint8(np.uint8(second == _SPACE) | np.uint8(second == _TAB))
        signed = np.uint8(np.uint8(second == _PLUS) | np.uint8(second == _MINUS))
        blank_before = np.uint8(np.uint8(third == _SPACE) | np.uint8(third == _TAB))
        parted_before = np.uint8(np.uint8(third == delimiter) | np.uint8(third == quote))
        ended_before = np.uint8(np.uint8(third == _LF_BYTE) | np.uint8(third == _CR_BYTE))
        outside = np.uint8(np.uint8(blank_before | parted_before) | ended_before)
        behind = np.uint8(np.uint8(blank | signed) & outside)
        begins = np.uint8(np.uint8(parted | ended) | behind)
        zeros = np.uint8(zeros | np.uint8(padded & begins))
        tens = np.uint8(np.uint8(before - _ZERO) < _TEN)
        hundreds = np.uint8(np.uint8(second - _THREE) < _SEVEN)
        minus = np.uint8(third == _MINUS)
        exponent = np.uint8(np.uint8(four[place] | _LOWER) == _E)
        digits = np.uint8(np.uint8(is_digit & tens) & hundreds)
        tiny = np.uint8(tiny | np.uint8(digits & np.uint8(minus & exponent)))
    return int(zeros), int(tiny)


@own_kernel
def count_pairs(text: Bytes, before: np.uint8) -> int:
    """CR LF in (n,) bytes that follow the byte ``before``."""
    pairs = 0
    for place in range(text.shape[0]):
        pairs += (text[place] == _LF_BYTE) and (before == _CR_BYTE)
        before = text[place]
    return pairs


@own_kernel
def _ends_cell(byte: np.uint8, delimiter: np.uint8, quote: np.uint8) -> bool:
    """Whether a byte may stand on the outer side of a quote."""
    return bool(byte in (delimiter, _LF_BYTE, _CR_BYTE, quote))


@own_kernel
def follow_quotes(
    text: Bytes, before: np.uint8, state: int, delimiter: np.uint8, quote: np.uint8
) -> tuple[int, int]:
    """Whether quotes take turns: one at a cell's start, one at its end (or doubled).

    ``state`` is 0 outside of quotes, 1 inside, 2 right after a closing quote; given back at the
    end of the (n,) bytes with the number of quotes that stand where none belongs.
    """
    broken = 0
    for place in range(text.shape[0]):
        byte = text[place]
        if state == 2:
            broken += not _ends_cell(byte, delimiter, quote)
            state = 0
        if byte == quote:
            if state == 0:
                broken += not _ends_cell(before, delimiter, quote)
                state = 1
            else:
                state = 2
        before = byte
    return state, broken


@own_kernel
def _next_phase(byte: np.uint8, phase: int) -> int:
    """What a cell is by one more byte: 1 behind blanks, 2 a sign, 3 a zero, 4 known, 5 padded."""
    if phase == 3:
        is_digit = _ZERO <= byte < _ZERO + 10
        return 5 if is_digit or byte | _LOWER == _X else 4
    if phase == 4:
        return 4
    if byte == _ZERO:
        return 3
    if phase < 2 and byte in (_PLUS, _MINUS):
        return 2
    return 1 if phase < 2 and byte in (_SPACE, _TAB) else 4


@own_kernel
def mark_padded(
    text: Bytes, state: Places, delimiter: np.uint8, quote: np.uint8, marked: Marks
) -> None:
    """Mark columns with a cell that begins with 0 and a digit, or 0x: ids, not numbers.

    ``state`` goes from one stretch of the text to the next: the column; 0 at a cell's first byte
    or as in ``_next_phase``; and quotes as in ``follow_quotes``. A quote opens a cell only at its
    first byte.
    """
    column, phase, quoted = state[0], state[1], state[2]
    for place in range(text.shape[0]):
        byte = text[place]
        if quoted == 1 and byte == quote:
            quoted = 2
        elif quoted == 2 and byte == quote:
            quoted, phase = 1, 4
        elif quoted != 1 and byte in (delimiter, _LF_BYTE, _CR_BYTE):
            column = column + 1 if byte == delimiter else 0
            phase, quoted = 0, 0
        elif quoted != 1 and phase == 0 and byte == quote:
            quoted, phase = 1, 1
        else:
            quoted = 1 if quoted == 1 else 0
            phase = _next_phase(byte, phase)
            if phase == 5:
                marked[min(column, marked.shape[0] - 1)] = True
                phase = 4
    state[0], state[1], state[2] = column, phase, quoted


_LF, _CR = 10, 13
_REACH = 4  # bytes before a byte that decide what it means


@dataclass(slots=True)
class ByteScan:
    """Running findings over a UTF-8 stream; feed blocks, then call ``finish``.

    ``has_broken_quotes`` means that the careful splitter has to look: some quote neither opens a
    cell at its start nor closes one at its end, or the number of quotes is odd.
    """

    delimiter: int
    quote: int  # 0: cells are never quoted
    line_feeds: int = 0
    carriage_returns: int = 0
    pairs: int = 0  # CR LF
    has_nul: bool = False
    quotes: int = 0
    has_broken_quotes: bool = False
    has_leading_zeros: bool = False
    has_tiny_numbers: bool = False
    size: int = 0
    _tail: bytes = b"\n" * _REACH  # what stands before the next block
    _quote_state: int = 0

    @property
    def lines(self) -> int:
        """Physical lines fed, an unended last one included."""
        ends = self.line_feeds + self.carriage_returns - self.pairs
        return ends + (self._tail[-1] not in (_LF, _CR) and self.size > 0)

    @property
    def has_mixed_ends(self) -> bool:
        """More than one of LF, CR LF and CR ends lines."""
        kinds = (self.line_feeds - self.pairs, self.carriage_returns - self.pairs, self.pairs)
        return sum(count > 0 for count in kinds) > 1

    def feed(self, block: bytes) -> None:
        """Look at the next block."""
        if not block:
            return
        text = np.frombuffer(block, dtype=np.uint8)
        self._count(text)
        # The first bytes are looked at with the end of the block before, without copying a block.
        seam = np.frombuffer(self._tail + block[:_REACH], dtype=np.uint8)
        for part in (seam, text):
            if len(part) > _REACH:
                self._find_spoilt(part)
        self.size += len(block)
        self._tail = (self._tail + block[-_REACH:])[-_REACH:]

    def _count(self, text: NDArray[np.uint8]) -> None:
        """Count line ends, quotes and NUL bytes; look closer where there are some."""
        before = np.uint8(self._tail[-1])
        quote = np.uint8(self.quote)
        feeds, returns, quotes, nuls = count_marks(text, quote)
        self.line_feeds += feeds
        self.carriage_returns += returns
        self.has_nul |= nuls > 0
        if returns or before == _CR:
            self.pairs += count_pairs(text, before)
        if self.quote:
            self.quotes += quotes
            self._follow_quotes(text, before, quotes > 0)

    def _follow_quotes(self, text: NDArray[np.uint8], before: np.uint8, has_quotes: bool) -> None:
        """Follow how quotes take turns; without one only the byte after a closing one matters."""
        if self.has_broken_quotes or not (has_quotes or self._quote_state == 2):
            return
        look = text if has_quotes else text[:1]
        self._quote_state, broken = follow_quotes(
            look, before, self._quote_state, np.uint8(self.delimiter), np.uint8(self.quote)
        )
        self.has_broken_quotes |= broken > 0

    def _find_spoilt(self, text: NDArray[np.uint8]) -> None:
        """Look for leading zeros and tiny numbers."""
        quote = np.uint8(self.quote or _LF)
        zeros, tiny = find_spoilt(text, np.uint8(self.delimiter), quote)
        self.has_leading_zeros |= zeros > 0
        self.has_tiny_numbers |= tiny > 0

    def finish(self) -> None:
        """Judge the end of the stream: a quote that is still open is a broken one."""
        self.has_broken_quotes |= self.quotes % 2 == 1


def padded_columns(
    blocks: Iterable[bytes], names: tuple[str, ...], delimiter: int, quote: int
) -> frozenset[str]:
    """Columns with a cell that has leading zeros (007, -07, 0x1F); the quotes are sound.

    Parameters
    ----------
    blocks : iterable of bytes
        The data rows in UTF-8, cut anywhere.
    names : tuple of str
    delimiter, quote : int
        0 as quote: cells are never quoted.
    """
    state = np.zeros(3, dtype=np.int64)
    marked = np.zeros(len(names), dtype=np.bool_)
    marks = np.uint8(delimiter), np.uint8(quote or _LF)
    for block in blocks:
        mark_padded(np.frombuffer(block, dtype=np.uint8), state, *marks, marked)
    return frozenset(name for name, is_padded in zip(names, marked, strict=True) if is_padded)
