"""A process of ours with all that it starts, which ends with it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.process import BaseProcess

from core.diagnostics.windows_system import ProcessGroup


class ProcessTree:
    """One process, started just now, and what it will start.

    On Windows the tree also ends with this program, however that ends: elsewhere the process sees
    its lifeline close, but Windows has no signal for code that never gives Python a turn.

    Parameters
    ----------
    process : BaseProcess
    leads_group : bool
        Whether it makes itself the leader of a group, as what runs plugins does (``confining``).
    """

    def __init__(self, process: BaseProcess, *, leads_group: bool) -> None:
        self._leader = process.pid if leads_group else None
        self._group: ProcessGroup | None = None
        if sys.platform == "win32":
            self._group = ProcessGroup()
            self._group.take(process.sentinel)  # which is the process's handle there

    def end(self) -> None:
        """End what the process started and left behind; nothing where it leads no group."""
        if self._group is not None:
            self._group.end()
        elif self._leader is not None and sys.platform != "win32":
            with suppress(OSError):
                os.killpg(self._leader, signal.SIGKILL)
