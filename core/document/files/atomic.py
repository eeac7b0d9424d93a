"""Writing a file so that a crash at any moment leaves the old or the new one, never a mixture.

The new content goes into a file of its own in the same folder, which its writer holds by a lock of
the system: what a killed writer left is known by that lock and removed by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from core.document.files import locks
from core.document.files.locks import OsLock

Content: TypeAlias = bytes | Callable[[str], None]
"""What a file is to hold, or a function that fills the file at a path."""

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.payoff-part\Z")
_LONGEST_NAME = 100  # bytes of the target's name in that of its temporary file
_UNKNOWN_WRITER_SECONDS = 24 * 3600.0  # where the disk knows no locks
_REPLACING_SECONDS = 60.0  # where a file is let go before it takes the other's place
_WAITS = (0.05, 0.1, 0.2, 0.4)  # seconds, before a file that is open counts as refused
_log = logging.getLogger("payoff.files")


def write_atomically(
    target: Path,
    content: Content,
    *,
    keep_backup: bool = False,
    verify: Callable[[bytes], object] | None = None,
) -> None:
    """Write a file so that a crash leaves the old or the new one; raises OSError on failure.

    A link stays: what it leads to is written. A file that is marked as read-only is refused. What
    is no file (a terminal, a pipe, /dev/null) is written to and never replaced.
    """
    if target.exists() and not target.is_file():
        _write_through(target, content)
        return
    place = real_place(target)
    _refuse_read_only(place)
    remove_leftovers(place.parent)
    with _temporary_beside(place) as temporary:
        _fill(temporary, content, verify)
        _copy_mode(place, temporary)
        if keep_backup and place.exists():
            _keep_backup(place)
        if locks.KEEPS_OPEN_FILES:
            _let_go(temporary)
        replace_path(temporary, place)
    _sync_folder(place.parent)


def replace_path(source: str | Path, target: str | Path) -> None:
    """Put a file or folder in another's place; one that is looked into for a moment is waited for.

    Windows refuses while either is open, or anything in a folder: a virus scanner or an indexer has
    it so right after it was written. Nothing else in the program calls ``os.replace``.

    Raises
    ------
    OSError
        Where it stays refused.
    """
    for seconds in _WAITS if locks.KEEPS_OPEN_FILES else ():
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    os.replace(source, target)


def real_place(target: Path) -> Path:
    """Where a path leads, through every link; the file need not be there."""
    place = Path(os.path.realpath(target))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(target))
    return place


def file_identity(path: str) -> str:
    """Return what tells one file from another: where a path leads, through every link."""
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):  # no path at all
        return path


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files in a folder whose writer is gone; those of others stay."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for path in [Path(entry.path) for entry in entries if _TEMPORARY.match(entry.name)]:
            with contextlib.suppress(OSError):
                _remove_if_left(path)


def _remove_if_left(path: Path) -> None:
    lock = OsLock(path, may_create=False)
    if not lock.try_take(is_shared=False):
        return
    age = time.time() - path.stat().st_mtime
    patience = _REPLACING_SECONDS if locks.KEEPS_OPEN_FILES else -1.0
    if age <= (patience if lock.is_certain else _UNKNOWN_WRITER_SECONDS):
        lock.release()
        return
    lock.remove_file()
    _log.info("removed what a killed writer left: %s", path)


_held: dict[Path, OsLock] = {}  # temporary files of this process


@contextlib.contextmanager
def _temporary_beside(place: Path) -> Iterator[Path]:
    """A new, empty, locked file in the same folder; afterwards it is gone or has been renamed."""
    name = place.name.encode("utf-8", "surrogateescape")[:_LONGEST_NAME].decode("utf-8", "ignore")
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o666  # less what the user masks
    is_ours = False
    while not is_ours:  # until no other writer has taken it for left over before it was locked
        temporary = place.with_name(f".{name}.{secrets.token_hex(8)}.payoff-part")
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode | 0o200))
        _held[temporary] = OsLock(temporary, may_create=False)
        is_ours = _held[temporary].try_take(is_shared=False)
        if not is_ours:
            _let_go(temporary)
    try:
        yield temporary
    except BaseException:
        _let_go(temporary)
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _let_go(temporary)


def _let_go(temporary: Path) -> None:
    lock = _held.pop(temporary, None)
    if lock is not None:
        lock.release()


def _fill(
    temporary: Path, content: Content, verify: Callable[[bytes], object] | None = None
) -> None:
    """Write, sync and, where the content is known, read back."""
    if not isinstance(content, bytes):
        content(str(temporary))
        with temporary.open("rb+") as stream:
            os.fsync(stream.fileno())
        return
    with temporary.open("rb+") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    written = temporary.read_bytes()
    if written != content:
        raise OSError("what was read back differs from what was written")
    if verify is not None:
        verify(written)


def _write_through(target: Path, content: Content) -> None:
    """Write to a pipe, a terminal or a device."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / target.name
        made.touch()
        if isinstance(content, bytes):
            made.write_bytes(content)
        else:
            content(str(made))
        with made.open("rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)


def _refuse_read_only(place: Path) -> None:
    """Replacing needs no right on the file itself: the mark is looked at here."""
    if place.exists() and not (place.stat().st_mode & 0o222 and os.access(place, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only", str(place))


def _copy_mode(target: Path, temporary: Path) -> None:
    """Give the new file the old one's permissions; a new one has those any new file gets."""
    if not target.exists():
        return
    try:
        os.chmod(temporary, target.stat().st_mode & 0o777)
    except OSError as reason:
        if reason.errno not in (errno.EPERM, errno.EINVAL, errno.ENOTSUP):
            raise
        _log.info("this disk keeps no permissions: %s", reason)


def _keep_backup(target: Path) -> None:
    """Keep the present file as .bak without a moment in which neither is there."""
    backup = target.with_name(target.name + ".bak")
    fresh = target.with_name(target.name + ".bak.tmp")
    fresh.unlink(missing_ok=True)
    try:
        try:
            os.link(target, fresh)
        except OSError:
            fresh.write_bytes(target.read_bytes())  # no hard links on this file system
        replace_path(fresh, backup)
    finally:
        fresh.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable where the system can: the file itself is whole already."""
    if locks.KEEPS_OPEN_FILES:  # Windows opens no folder
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as reason:
        _log.info("the folder %s could not be synced: %s", folder, reason)
