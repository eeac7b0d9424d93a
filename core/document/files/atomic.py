"""Writing a file so that a crash at any moment leaves the old or the new one, never a mixture."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def write_atomically(
    target: Path,
    content: bytes,
    *,
    keep_backup: bool = False,
    verify: Callable[[bytes], object] | None = None,
) -> None:
    """Write a file so that a crash leaves the old or the new one; raises OSError on failure.

    What is no file (a terminal, a pipe, /dev/null) is written to and never replaced.
    """
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        written = temporary.read_bytes()
        if written != content:
            raise OSError("what was read back differs from what was written")
        if verify is not None:
            verify(written)
        _copy_mode(target, temporary)
        if keep_backup and target.exists():
            _keep_backup(target)
        os.replace(temporary, target)
        _sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _copy_mode(target: Path, temporary: Path) -> None:
    """Give the new file the old one's permissions, or those any new file gets."""
    if target.exists():
        mode = target.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(temporary, mode)


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
        os.replace(fresh, backup)
    finally:
        fresh.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable; Windows cannot open folders and does not need it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
