"""What the fast reader does not tell: looked for in every byte while the file streams past it.

One pass over blocks of bytes finds NUL bytes, the number of lines and their ends, quotes that do
not open and close as they should, and cells that a number would spoil (007, 1e-400).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LF, _CR, _ZERO = 10, 13, 48
_PIECE = 131_072  # stays in the second-level cache


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
    nul_offset: int = -1
    quotes: int = 0
    has_broken_quotes: bool = False
    has_leading_zeros: bool = False
    has_tiny_numbers: bool = False
    size: int = 0
    _before: int = _LF
    _tail: bytes = b""
    _last_byte: int = _LF

    @property
    def lines(self) -> int:
        """Physical lines fed, an unended last one included."""
        ends = self.line_feeds + self.carriage_returns - self.pairs
        return ends + (self._last_byte not in (_LF, _CR) and self.size > 0)

    @property
    def has_mixed_ends(self) -> bool:
        """More than one of LF, CR LF and CR ends lines."""
        kinds = (self.line_feeds - self.pairs, self.carriage_returns - self.pairs, self.pairs)
        return sum(count > 0 for count in kinds) > 1

    def feed(self, block: bytes) -> None:
        """Look at the next block."""
        if not block:
            return
        if self.nul_offset < 0:
            found = block.find(b"\0")
            self.nul_offset = found + self.size if found >= 0 else -1
        self.size += len(block)
        self._last_byte = block[-1]
        self._look(np.frombuffer(self._tail + block, dtype=np.uint8))
        self._tail = block[-1:]

    def finish(self) -> None:
        """Look at the last byte, which had been kept until its successor was known."""
        if self._tail:
            # A pretended CR: it ends a cell, and makes no pair with a CR before it.
            self._look(np.frombuffer(self._tail + b"\r", dtype=np.uint8))
            self._tail = b""
        self.has_broken_quotes |= self.quotes % 2 == 1

    def _look(self, data: NDArray[np.uint8]) -> None:
        """Look at all bytes but the last, whose successor is not known yet."""
        for begin in range(0, len(data) - 1, _PIECE):
            piece = data[begin : min(begin + _PIECE + 1, len(data))]
            self._count_ends(piece)
            if self.quote:
                self._check_quotes(piece)
            if not self.has_leading_zeros:
                self._find_leading_zeros(piece)
            if not self.has_tiny_numbers:
                self._find_tiny_numbers(piece)
            self._before = int(piece[-2])

    def _count_ends(self, piece: NDArray[np.uint8]) -> None:
        self.line_feeds += int(np.count_nonzero(piece[:-1] == _LF))
        returns = piece[:-1] == _CR
        count = int(np.count_nonzero(returns))
        if count:
            self.carriage_returns += count
            self.pairs += int(np.count_nonzero(returns & (piece[1:] == _LF)))

    def _check_quotes(self, piece: NDArray[np.uint8]) -> None:
        """Check that quotes take turns: at a cell's start, at a cell's end (or doubled)."""
        places = np.flatnonzero(piece[:-1] == self.quote)
        if not len(places):
            return
        previous = piece[places - 1]
        if places[0] == 0:
            previous[0] = self._before
        following = piece[places + 1]
        first = self.quotes % 2
        opening = previous[first::2]
        closing = following[1 - first :: 2]
        self.quotes += len(places)
        if self.has_broken_quotes:
            return
        for around in (opening, closing):
            fits = (
                (around == self.delimiter)
                | (around == _LF)
                | (around == _CR)
                | (around == self.quote)
            )
            self.has_broken_quotes |= not bool(fits.all())

    def _find_leading_zeros(self, piece: NDArray[np.uint8]) -> None:
        """Look for a cell that starts with 0 and another digit (or 0x)."""
        zero = piece[:-1] == _ZERO
        following = piece[1:]
        zero &= (following - np.uint8(_ZERO) < 10) | ((following | np.uint8(32)) == ord("x"))
        inner = zero[1:]
        if zero[0]:
            self.has_leading_zeros |= self._before in (self.delimiter, _LF, _CR, self.quote or _LF)
        previous = piece[:-2]
        for mark in (self.delimiter, _LF, _CR, self.quote or _LF):
            self.has_leading_zeros |= bool((inner & (previous == mark)).any())

    def _find_tiny_numbers(self, piece: NDArray[np.uint8]) -> None:
        """Look for exponents of -300 and below."""
        signs = ((piece[:-1] | np.uint8(32)) == ord("e")) & (piece[1:] == ord("-"))
        places = np.flatnonzero(signs)
        places = places[places + 4 < len(piece)]
        if not len(places):
            return
        hundreds, tens, ones = (piece[places + offset] - np.uint8(_ZERO) for offset in (2, 3, 4))
        # Unsigned: what is no digit wraps to a large number.
        is_tiny = (hundreds >= 3) & (hundreds < 10) & (tens < 10) & (ones < 10)
        self.has_tiny_numbers = bool(is_tiny.any())
