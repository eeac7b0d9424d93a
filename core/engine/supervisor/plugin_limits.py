"""How long a plugin may be called, and how much memory the engine may take in the meantime."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from core.engine.sandbox.memory_use import machine_bytes, resident_bytes
from core.engine.shared_memory import PluginInUse
from core.questions.lanes import Lane


@dataclass(frozen=True, slots=True)
class _Watched:
    """A call into a plugin when it was first seen: its number, the time, the engine's memory."""

    entry: int
    since: float
    held: int


class PluginLimits:
    """Watches the calls into plugins of one engine process.

    Parameters
    ----------
    pid : int
        The engine process.
    most_bytes : int
        What a call may add to the engine's memory; 0 = half of the machine's.
    """

    def __init__(self, pid: int, most_bytes: int) -> None:
        self._pid = pid
        self._most_bytes = most_bytes or machine_bytes() // 2 or sys.maxsize
        self._watched: dict[Lane, _Watched] = {}

    def broken(self, lane: Lane, in_use: PluginInUse | None) -> str:
        """Which limit the plugin in a lane has broken, as a sentence; empty = none."""
        if in_use is None:
            self._watched.pop(lane, None)
            return ""
        now, held = time.monotonic(), resident_bytes(self._pid) or 0
        seen = self._watched.get(lane)
        if seen is None or seen.entry != in_use.entry:
            self._watched[lane] = _Watched(in_use.entry, now, held)
        elif 0 < in_use.limit < now - seen.since:
            return f"It did not come back within {in_use.limit:g} seconds."
        elif held - seen.held > self._most_bytes:
            return f"It took more than {self._most_bytes / 1e9:.2g} GB of memory."
        return ""
