"""How much memory a process holds, seen from outside; light."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.diagnostics.windows_system import memory_of_machine, memory_of_process


def resident_bytes(pid: int) -> int | None:
    """Memory that a process holds; None where the system does not tell."""
    if sys.platform == "win32":
        return memory_of_process(pid)
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def machine_bytes() -> int:
    """The machine's memory; 0 where the system does not tell."""
    if sys.platform == "win32":
        whole = memory_of_machine()
        return whole[0] if whole else 0
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0
