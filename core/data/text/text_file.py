"""A text as the splitter sees it: a plain file, or a stream that a reader unpacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from core.data.reading.guards import check_readable, read_start


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
