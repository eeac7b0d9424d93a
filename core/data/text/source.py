"""The stream the fast reader draws from: decodes, hashes, scans, counts, and can be stopped."""

from __future__ import annotations

import codecs
import hashlib

from core.data.text.bytescan import ByteScan
from core.data.text.footer import Footer
from core.data.text.text_file import TextFile
from payoff.errors import PayoffError, StoppedError


class ScannedSource:
    """A file object in the shape pyarrow wants, over the UTF-8 text from a given offset on.

    Read from one thread at a time (the reader's own); ``bytes_read`` and ``stop`` may be used from
    another. A failure is kept in ``failure``, since the reader may wrap it.
    """

    closed = False

    def __init__(
        self,
        text: TextFile,
        encoding: str,
        skip_bytes: int,
        offset: int,
        scan: ByteScan | None,
        footer: Footer | None = None,
    ) -> None:
        self._file = text.open()
        self._path = text.path
        self._encoding = encoding
        self._digest = hashlib.sha256()
        self._scan = scan
        self._footer = footer
        self._given = 0  # bytes of the stream from the offset on
        self._decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
        self._pending = b""
        self._ended = False
        self.bytes_read = 0
        self.stop = False
        self.failure: Exception | None = None
        try:
            self._begin(skip_bytes, offset)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, skip_bytes: int, offset: int) -> None:
        """Move past the byte-order mark and the header, hashing what is passed."""
        self._take(skip_bytes)
        if self._decoder is None:
            while offset > 0:
                passed = len(self._take(min(offset, 1 << 20)))
                offset -= passed
                if not passed:
                    return
            return
        while len(self._pending) < offset and not self._ended:
            self._pending += self._decoded(1 << 20)
        self._pending = self._pending[offset:]

    def _take(self, count: int) -> bytes:
        """Raw bytes, hashed and counted."""
        block = self._file.read(count)
        self._digest.update(block)
        self.bytes_read += len(block)
        return block

    def _decoded(self, count: int) -> bytes:
        """The next stretch as UTF-8 bytes; refuses bytes that the encoding does not have."""
        assert self._decoder is not None
        before = self.bytes_read
        block = self._take(count)
        self._ended = not block
        held = len(self._decoder.getstate()[0])
        try:
            return self._decoder.decode(block, final=self._ended).encode("utf-8")
        except UnicodeError as error:
            start = getattr(error, "start", 0)
            place = before - held + start
            raise PayoffError(
                f"The file is not {self._encoding} text.",
                where=f"{self._path}, byte offset {place:,}",
                why="The bytes there mean nothing in this encoding.",
                remedy="Choose another encoding in the import settings.",
            ) from None

    def read(self, count: int = -1) -> bytes:
        """Give the next bytes of the stream; b"" at its end."""
        try:
            return self._read(count if count is not None and count >= 0 else 1 << 20)
        except Exception as error:
            self.failure = error
            raise

    def _read(self, count: int) -> bytes:
        if self.stop:
            raise StoppedError
        if self._footer is None:
            block = self._next(count)
        else:
            block = self._read_with_footer(count, self._footer)
        if self._scan is not None:
            self._scan.feed(block)
            if self._scan.has_nul:
                raise NulFoundError
        return block

    def _next(self, count: int) -> bytes:
        """The next bytes of the text as UTF-8."""
        if self._decoder is None:
            return self._take(count)
        while len(self._pending) < count and not self._ended:
            self._pending += self._decoded(count)
        block, self._pending = self._pending[:count], self._pending[count:]
        return block

    def _read_with_footer(self, count: int, footer: Footer) -> bytes:
        """The stream up to the notes below the table, then these as rows of it."""
        if self._given < footer.start:
            block = self._next(min(count, footer.start - self._given))
        else:
            begin = self._given - footer.start
            block = footer.text[begin : begin + count]
        self._given += len(block)
        return block

    def digest(self) -> str:
        """The SHA-256 of the whole file; reads what the reader left."""
        while self._take(1 << 20):
            pass
        return self._digest.hexdigest()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def readable(self) -> bool:
        """Say that reading works."""
        return True

    def writable(self) -> bool:
        """Say that writing does not."""
        return False

    def seekable(self) -> bool:
        """Say that the stream only goes forward."""
        return False


class NulFoundError(Exception):
    """A NUL byte went past; its place is looked for afterwards."""
