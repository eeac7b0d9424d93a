"""Who works on a file: one program holds it, others are told who, and a dead one's hold is taken.

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
import tempfile
import time
import weakref
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from core.document.files.os_locks import OsLock

BEAT_SECONDS = 20
"""A holder calls ``refresh`` at least so often."""
STALE_SECONDS = 6 * BEAT_SECONDS
_MOST_BYTES = 10_000
_log = logging.getLogger("payoff.locks")


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
