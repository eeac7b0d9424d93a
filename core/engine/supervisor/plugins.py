"""Plugins as the window's side holds them.

Changes of plugins' files wait until no job uses plugins, and such jobs wait for a change.

A plugin's code may read its own files whenever it likes: a module that is imported when it is first
needed, a table beside the code. A job that has begun therefore ends with the files it began with,
whether they are changed from this window, from another one or from a terminal.

How long a plugin may be called, and how much memory the engine may take in the meantime.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from core.engine.messages import JobRequest
from core.engine.plugin_use import PluginLock
from core.engine.sandbox.memory_use import machine_bytes, resident_bytes
from core.engine.shared_memory import PluginInUse
from core.questions.lanes import Lane

Start = Callable[[JobRequest], None]


@dataclass(slots=True)
class PluginChanges:
    """Who waits for whom; it starts nothing itself but says what may start.

    Parameters
    ----------
    is_idle : callable
        Whether no job waits or runs in the engine for plugins.
    lock : PluginLock
        What other programs are told, and tell.
    """

    is_idle: Callable[[], bool]
    lock: PluginLock
    _waiting: deque[JobRequest] = field(default_factory=deque)
    _running: JobRequest | None = None
    _behind: deque[JobRequest] = field(default_factory=deque)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def add(self, request: JobRequest) -> None:
        """Take a request that changes plugins; it waits until no job reads them."""
        with self._lock:
            self._waiting.append(request)

    def start(self, request: JobRequest, start: Start) -> None:
        """Start a job that calls plugins, now or behind a change.

        Long jobs keep their turn. A quick one is over soon and waits only while files are written.
        """
        with self._lock:
            is_long = not request.lane.is_short
            is_held = self._running is not None or (bool(self._waiting) and is_long)
            if is_held or not self.lock.begin_use(keeps_turn=is_long):
                self._behind.append(request)
            else:
                start(request)

    def next_change(self) -> JobRequest | None:
        """The change that is to start now, if any."""
        with self._lock:
            if self._running is not None or not self.is_idle():
                return None
            self.lock.end_use()
            if not self._waiting or not self.lock.begin_change():
                return None
            self._running = self._waiting.popleft()
            return self._running

    def waits(self, job: int) -> bool:
        """Whether a change waits for jobs that use plugins."""
        with self._lock:
            return any(request.job == job for request in self._waiting)

    @property
    def waits_for_others(self) -> bool:
        """Whether something waits that no job of this program will set free when it ends."""
        with self._lock:
            return self._running is None and bool(self._behind or self._waiting) and self.is_idle()

    def end(self, job: int) -> None:
        """Note that a job has ended: it may have been a change."""
        with self._lock:
            if self._running is not None and self._running.job == job:
                self._running = None
                self.lock.end_change()

    def release(self, start: Start) -> None:
        """Start the jobs that need not wait any longer."""
        with self._lock:
            if self._running is not None or self._waiting:
                return
            for request in list(self._behind):
                if self.lock.begin_use(keeps_turn=not request.lane.is_short):
                    self._behind.remove(request)
                    start(request)

    def drop(self, job: int) -> bool:
        """Take a job out that waits here; False if it does not."""
        with self._lock:
            for queue in (self._waiting, self._behind):
                for request in queue:
                    if request.job == job:
                        queue.remove(request)
                        self._give_up_turn()
                        return True
            return False

    def clear(self) -> list[JobRequest]:
        """Take everything out that waits here; other programs need not wait for this one."""
        with self._lock:
            requests = [*self._waiting, *self._behind]
            self._waiting.clear()
            self._behind.clear()
            self._running = None
            self.lock.end_change()
            self.lock.end_use()
            return requests

    def _give_up_turn(self) -> None:
        if not self._waiting and self._running is None:
            self.lock.end_change()


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
