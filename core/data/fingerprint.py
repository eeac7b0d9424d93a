"""Files by content: the hash that finds a file again when it has moved."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.document.data.model import DataRef
from payoff.errors import StoppedError

_BLOCK = 1 << 20
_MOST_FILES = 5_000
_MOST_KNOWN = 1_000
#: A file changed later than this may change again with no clock telling: its hash is not kept.
_SETTLED_NS = 2_000_000_000


class FileStamp(NamedTuple):
    """What changes with a file, and costs nothing to look at; no identity, for files can agree."""

    size: int
    modified_ns: int
    changed_ns: int
    inode: int
    device: int

    def agrees(self, other: FileStamp) -> bool:
        """Whether nobody wrote in between; rights and links may have changed."""
        return self._replace(changed_ns=other.changed_ns) == other


_known: dict[tuple[str, FileStamp], str] = {}


def file_stamp(path: str | os.PathLike[str]) -> FileStamp:
    """The stamp of a file as it is now.

    Raises
    ------
    OSError
    """
    now = os.stat(path)
    return FileStamp(now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, now.st_dev)


def remembered_hash(
    path: str, progress: Progress = no_progress, should_stop: ShouldStop = never_stop
) -> str:
    """The same as ``content_hash``, read once while the file stays as it is."""
    where = os.path.abspath(path)
    before = file_stamp(where)
    found = _known.get((where, before))
    if found is not None:
        return found
    found = content_hash(where, progress, should_stop)
    newest = max(before.modified_ns, before.changed_ns)
    if file_stamp(where) == before and newest < time.time_ns() - _SETTLED_NS:
        while len(_known) >= _MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        _known[where, before] = found
    return found


def content_hash(
    path: str, progress: Progress = no_progress, should_stop: ShouldStop = never_stop
) -> str:
    """The SHA-256 of a file as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    size = max(1, os.path.getsize(path))
    done = 0
    with open(path, "rb", buffering=0) as source:
        while block := source.read(_BLOCK):
            if should_stop():
                raise StoppedError
            digest.update(block)
            done += len(block)
            progress(min(1.0, done / size), "checking contents")
    return digest.hexdigest()


def find_moved(data: DataRef, folders: tuple[str, ...]) -> str | None:
    """Find a data file again.

    The old place first, then files of the same size in the given folders and two levels below
    (at most 5,000 files are looked at). Same size and same hash = the same file.
    """
    for candidate in _candidates(data, folders):
        try:
            if candidate.stat().st_size != data.size_bytes or not candidate.is_file():
                continue
            if remembered_hash(str(candidate)) == data.own_hash:
                return str(candidate)
        except OSError:
            continue
    return None


def _candidates(data: DataRef, folders: tuple[str, ...]) -> Iterator[Path]:
    """Places to look at, the likeliest first."""
    old = Path(data.path)
    yield old
    for folder in folders:
        yield Path(folder) / old.name
    count = 0
    for folder in folders:
        for here, inside, files in os.walk(folder):
            depth = len(Path(here).relative_to(folder).parts)
            if depth >= 2:
                inside.clear()
            inside.sort()
            for name in sorted(files):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(here) / name
