"""Files by content: the hash that finds a file again when it has moved."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from core.data.lazy.table import MARK, parquet_fingerprint
from core.data.signals import Progress, ShouldStop, never_stop, no_progress
from core.document.data.model import DataRef
from payoff.errors import StoppedError

_BLOCK = 1 << 20
_MOST_FILES = 5_000


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
            if _hash_like(data.own_hash, str(candidate)) == data.own_hash:
                return str(candidate)
        except OSError:
            continue
    return None


def _hash_like(known: str, path: str) -> str:
    """The hash of a file made the way a known one was: of a large Parquet file, by its footer."""
    return parquet_fingerprint(path) if known.startswith(MARK) else content_hash(path)


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
