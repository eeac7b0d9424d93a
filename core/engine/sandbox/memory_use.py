"""How much memory a process holds, seen from outside. Standard library only."""

from __future__ import annotations

import os
from pathlib import Path


def resident_bytes(pid: int) -> int | None:
    """Memory that a process holds; None where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def machine_bytes() -> int:
    """The machine's memory; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0
