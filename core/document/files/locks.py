"""Who works on a file: locks that the system holds between programs, and who held one.

A lock between programs that the system holds: it is gone as soon as its program is, by a crash
too. The file itself means nothing to the lock.

Who works on a file: one program holds it, others are told who, and a dead one's hold is taken.

The system's lock on a small file says whether the holder lives. Where a disk knows no locks, or
each computer of a network keeps its own, the record in the file says who holds it; a holder that
lives touches the file now and then.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import logging
import os
import platform
import secrets
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
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


BEAT_SECONDS = 20
"""A holder calls ``refresh`` at least so often."""
STALE_SECONDS = 6 * BEAT_SECONDS
_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a file; empty where the record cannot be read."""

    session: str = ""
    host: str = ""
    user: str = ""
    since: str = ""  # ISO 8601, UTC

    @property
    def words(self) -> str:
        """By whom and where the file is open."""
        if not self.user and not self.host:
            return "another window"
        is_here = self.host == platform.node() and self.user == _user()
        return "another window on this computer" if is_here else f"{self.user} on {self.host}"


def new_session() -> str:
    """The name of a session: when it began, and a random part that no other one has."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(8)}"


class FileHold:
    """One program's hold on something, through a file that stands for it.

    Parameters
    ----------
    path : Path
        The file that is locked and says who holds it; it is there while it is held.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = OsLock(path)
        self._end: Callable[[], object] = lambda: None  # what gives it back
        self._me = Holder(
            session=new_session(),
            host=platform.node(),
            user=_user(),
            since=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    @property
    def is_held(self) -> bool:
        """Whether this program holds it."""
        return self._lock.is_held

    def try_take(self) -> Holder | None:
        """Take it: None; or who holds it."""
        if self.is_held:
            return None
        is_taken = self._lock.try_take(is_shared=False)
        there = _read(self.path)
        if not is_taken:
            return there or Holder()
        if there is not None and self._may_live(there):
            self._lock.release()
            return there
        self._write()
        self._end = weakref.finalize(self, _give_back, self.path, self._lock, self._me, os.getpid())
        return None

    def refresh(self) -> None:
        """Say that the holder lives; called every ``BEAT_SECONDS``."""
        if self.is_held:
            with contextlib.suppress(OSError):
                self.path.touch()

    def release(self) -> None:
        """Give it back; the file goes."""
        self._end()

    def _may_live(self, there: Holder) -> bool:
        """Whether the holder that a record names may be at work, though its lock was to be had."""
        if self._lock.is_certain and there.host == self._me.host:
            return False
        try:
            beaten = self.path.stat().st_mtime
        except OSError:
            return False
        return _now_in(self.path.parent) - beaten < STALE_SECONDS

    def _write(self) -> None:
        try:
            self.path.write_bytes(json.dumps(asdict(self._me)).encode("utf-8"))
        except OSError as reason:
            _log.info("nobody is told who holds %s: %s", self.path, reason)


def _read(path: Path) -> Holder | None:
    """Who a file says that it is held by."""
    try:
        with path.open("rb") as file:
            plain = json.loads(file.read(_MOST_BYTES))
        return Holder(**{entry.name: str(plain[entry.name]) for entry in fields(Holder)})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _give_back(path: Path, lock: OsLock, holder: Holder, process: int) -> None:
    """Remove what says who holds it, and let the lock go; not in a copy of the process."""
    if not lock.is_held or os.getpid() != process:
        return
    if lock.is_certain or _read(path) == holder:
        with contextlib.suppress(OSError):  # Windows removes no open file
            path.unlink()
    lock.release()
    with contextlib.suppress(OSError):
        if _read(path) == holder:
            path.unlink()


def _now_in(folder: Path) -> float:
    """The time by the clock of the computer that keeps a folder."""
    with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:
        file.write(b".")
        file.flush()
        return os.fstat(file.fileno()).st_mtime
    return time.time()


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
