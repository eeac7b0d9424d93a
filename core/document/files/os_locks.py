"""A lock between programs that the system holds: it is gone as soon as its program is, by a crash
too. The file itself means nothing to the lock."""

from __future__ import annotations

import logging
import os
import sys
import weakref
from pathlib import Path

_log = logging.getLogger("payoff.locks")

KEEPS_OPEN_FILES = sys.platform == "win32"
"""Whether the system refuses to remove or replace a file that is open."""

if sys.platform == "win32":
    import ctypes
    import msvcrt

    _PLACE = 1 << 62  # a locked byte cannot be read: beyond the end of any file
    _AT_ONCE, _ALONE = 1, 2  # LOCKFILE_FAIL_IMMEDIATELY, LOCKFILE_EXCLUSIVE_LOCK
    _OTHERS_HOLD_IT = 33  # ERROR_LOCK_VIOLATION

    class _Overlapped(ctypes.Structure):
        """OVERLAPPED."""

        _fields_ = (
            ("internal", ctypes.c_size_t * 2),
            ("place", ctypes.c_uint64),
            ("event", ctypes.c_void_p),
        )

    def _try(file: int, *, is_shared: bool) -> bool:
        library = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(file))
        flags = _AT_ONCE if is_shared else _AT_ONCE | _ALONE
        if library.LockFileEx(handle, flags, 0, 1, 0, ctypes.byref(_Overlapped(place=_PLACE))):
            return True
        reason = ctypes.get_last_error()
        if reason == _OTHERS_HOLD_IT:
            return False
        raise ctypes.WinError(reason)

else:
    import fcntl

    def _try(file: int, *, is_shared: bool) -> bool:
        kind = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class OsLock:
    """One lock of this program on a file: shared with others, or alone.

    Where the file cannot be made or its disk knows no locks, every attempt succeeds: nobody is
    kept from working by it. ``is_certain`` then says no.

    Parameters
    ----------
    path : Path
    may_create : bool
        False: a file that is not there is not made; taking it fails.
    """

    def __init__(self, path: Path, *, may_create: bool = True) -> None:
        self._path = path
        self._may_create = may_create
        self._file = -1  # a descriptor: the collector closes it without a word
        self._closing: weakref.finalize[[int], OsLock] | None = None
        self._is_held = False
        self._is_certain = False

    @property
    def is_held(self) -> bool:
        """Whether this program holds it through this object."""
        return self._is_held

    @property
    def is_certain(self) -> bool:
        """Whether the system holds it, so that no other program can have it."""
        return self._is_held and self._is_certain

    def try_take(self, *, is_shared: bool) -> bool:
        """Take it at once, or say that others hold it; what is held is not taken again."""
        while not self._is_held:
            try:
                self._open()
            except FileNotFoundError:
                if not self._may_create:
                    return False
                self._is_held, self._is_certain = True, False
                break
            except OSError as reason:
                _log.info("no lock on %s: %s", self._path, reason)
                self._is_held, self._is_certain = True, False
                break
            if not self._lock(is_shared=is_shared):
                return False
            if self._is_removed():  # by who held it, between our opening and locking
                self.release()
        return True

    def _open(self) -> None:
        if self._may_create:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        made = os.O_CREAT if self._may_create else 0
        self._file = os.open(self._path, os.O_RDWR | made | getattr(os, "O_BINARY", 0), 0o666)
        self._closing = weakref.finalize(self, os.close, self._file)

    def _lock(self, *, is_shared: bool) -> bool:
        try:
            self._is_held = self._is_certain = _try(self._file, is_shared=is_shared)
        except OSError as reason:
            _log.info("no lock on %s: %s", self._path, reason)
            self._is_held, self._is_certain = True, False
        if not self._is_held:
            self._close()
        return self._is_held

    def _is_removed(self) -> bool:
        try:
            return not os.path.samestat(os.fstat(self._file), os.stat(self._path))
        except FileNotFoundError:
            return True
        except OSError:
            return False

    def release(self) -> None:
        """Give it back; closing the file does so."""
        self._is_held = self._is_certain = False
        self._close()

    def remove_file(self) -> None:
        """Remove the file of a lock that is held, and give the lock back.

        The file goes first where the system lets it: nobody then takes what is about to go.

        Raises
        ------
        OSError
            Where the file cannot be removed; the lock is given back all the same.
        """
        try:
            if KEEPS_OPEN_FILES:
                self.release()
            self._path.unlink(missing_ok=True)
        finally:
            self.release()

    def _close(self) -> None:
        if self._closing is not None:
            self._closing()
            self._closing = None
