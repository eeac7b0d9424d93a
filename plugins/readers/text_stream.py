"""Lines that a reader makes, as the stream of bytes that the host reads."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

SEPARATOR = "\x1f"  # the unit separator: made for this, and in no one's texts
_BLOCK = 1 << 18


def text_stream(lines: Iterator[str]) -> BinaryIO:
    """Lines with their ends as a stream of UTF-8 bytes, made while it is read."""
    return cast(BinaryIO, io.BufferedReader(_TextStream(lines), _BLOCK))


class _TextStream(io.RawIOBase):
    """Lines as a stream of UTF-8 bytes."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__()
        self._lines = lines
        self._held = b""

    def readable(self) -> bool:
        """Say that reading works."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer with the next bytes."""
        view = memoryview(cast(bytearray, buffer))
        if len(self._held) < len(view):
            pieces, total = [self._held], len(self._held)
            for line in self._lines:
                pieces.append(line.encode("utf-8", "replace"))
                total += len(pieces[-1])
                if total >= len(view):
                    break
            self._held = b"".join(pieces)
        piece, self._held = self._held[: len(view)], self._held[len(view) :]
        view[: len(piece)] = piece
        return len(piece)
