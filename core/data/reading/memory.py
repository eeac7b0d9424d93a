"""How much memory is free, and whether a file fits: said before anything is loaded."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.data.reading.choosing import FindReaders
from core.data.reading.previewing import preview
from core.diagnostics.windows_system import memory_of_machine
from core.document.data.model import ReaderSettings
from payoff.errors import PayoffError

_LOOKED_AT = 64 << 20  # smaller files are not worth a look
_MEMINFO = Path("/proc/meminfo")


def free_memory() -> int | None:
    """Bytes that a program can still have; None where the system does not say."""
    if sys.platform == "win32":
        found = memory_of_machine()
        return found[1] if found else None
    try:
        for line in _MEMINFO.read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError, AttributeError):
        return None


def check_memory(path: str, reader: ReaderSettings, find_readers: FindReaders) -> None:
    """Refuse a file whose columns alone would not fit into the memory that is free.

    Raises
    ------
    PayoffError
    """
    free = free_memory()
    if free is None or not os.path.isfile(path) or os.path.getsize(path) < _LOOKED_AT:
        return
    seen = preview(path, reader, count=1, find_readers=find_readers)
    needed = seen.column_bytes or seen.memory_estimate_bytes
    if needed / 2 > free:
        raise PayoffError(
            "There is not enough memory for this file.",
            where=path,
            why=f"It needs about {needed / 1e9:,.1f} GB; {free / 1e9:,.1f} GB are free.",
            remedy="Close other programs, leave columns out of the file, or save it as Parquet: "
            "payoff.evaluate(..., memory=) and payoff evaluate --memory read that in pieces.",
        )
