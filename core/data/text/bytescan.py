"""What the fast reader does not tell: looked for in every byte while the file streams past it.

One pass over blocks of bytes finds NUL bytes, the number of lines and their ends, quotes that do
not open and close as they should, and cells that a number would spoil (007, 1e-400).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data.text.byte_kernels import (
    count_marks,
    count_pairs,
    find_spoilt,
    follow_quotes,
    mark_padded,
)

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
