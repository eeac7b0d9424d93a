"""A lock between programs that the system holds: it is gone as soon as its program is, by a crash
too. The file itself means nothing and stays."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO

_log = logging.getLogger("payoff.engine.locks")

if sys.platform == "win32":
    import msvcrt

    _PLACES = 1024

    def _try(file: BinaryIO, *, is_shared: bool) -> bool:
        """Many may each hold one byte; who wants it alone takes all bytes at once."""
        wanted = [(0, _PLACES)]
        if is_shared:
            first = os.getpid()
            wanted = [((first + step) % _PLACES, 1) for step in range(_PLACES)]
        for place, length in wanted:
            file.seek(place)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, length)
            except OSError:
                continue
            return True
        return False

else:
    import fcntl

    def _try(file: BinaryIO, *, is_shared: bool) -> bool:
        kind = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class OsLock:
    """One lock of this program on a file: shared with others, or alone.

    Where the file cannot be made or its disk knows no locks, every attempt succeeds: nobody is
    kept from working by it.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._is_held = False

    @property
    def is_held(self) -> bool:
        """Whether this program holds it through this object."""
        return self._is_held

    def try_take(self, *, is_shared: bool) -> bool:
        """Take it at once, or say that others hold it; what is held is not taken again."""
        if self._is_held:
            return True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab")
            self._is_held = _try(self._file, is_shared=is_shared)
        except OSError as reason:
            _log.info("no lock on %s: %s", self._path, reason)
            self._is_held = True
        if not self._is_held:
            self._close()
        return self._is_held

    def release(self) -> None:
        """Give it back; closing the file does so."""
        self._is_held = False
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
