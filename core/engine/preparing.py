"""Jobs that the compiler holds up: the window hears how far it is, and Stop has patience with it.

Kernels that no cache holds are compiled when they are first called: half a minute for a first
training. The compiler cannot be interrupted, and what it has made is kept.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.engine.kinds import find_kind
from core.engine.messages import JobProgress
from core.engine.shared_memory import SharedState
from payoff.counting import counted

_CHECK_SECONDS = 0.1


@dataclass(slots=True)
class _Work:
    """A job that runs: what it told last, and the kernels that were ready when it began."""

    kind: str
    ready: int
    reported: JobProgress
    is_held: bool = False


class Preparing:
    """Looks, while jobs run, whether the compiler holds them up.

    Parameters
    ----------
    shared : SharedState
        Where the window reads whether the compiler is at work. Written only while a job runs: a
        spare process shares it with the one that is given jobs.
    send : callable
        Takes a JobProgress for the window.
    """

    def __init__(self, shared: SharedState, send: Callable[[JobProgress], None]) -> None:
        self._shared = shared
        self._send = send
        self._works: dict[int, _Work] = {}  # by thread
        self._lock = threading.Lock()
        self._has_work = threading.Event()
        threading.Thread(target=self._watch, name="preparing", daemon=True).start()

    def begin(self, job: int, kind: str) -> None:
        """Note that this thread begins a job."""
        reported = JobProgress(job=job, fraction=None, stage="")
        with self._lock:
            self._works[threading.get_ident()] = _Work(kind, _kernels_ready(), reported)
            self._has_work.set()

    def reported(self, progress: JobProgress) -> None:
        """Note what the job of this thread told: it stands again once the compiler is done."""
        with self._lock:
            work = self._works.get(threading.get_ident())
            if work is not None:
                work.reported = progress

    def end(self) -> None:
        """Note that the job of this thread has ended."""
        with self._lock:
            self._works.pop(threading.get_ident(), None)
            if not self._works:
                self._has_work.clear()
                self._shared.note_compiler(is_at_work=False, kernels=kernels_compiled())

    def _watch(self) -> None:
        while True:
            self._has_work.wait()
            try:
                self._check_now()
            except OSError:  # the window is gone
                return
            time.sleep(_CHECK_SECONDS)

    def _check_now(self) -> None:
        kernels = sys.modules.get("core.kernels")
        find = getattr(kernels, "compiling_threads", None)  # None: not imported to its end
        if find is None:
            return
        held: frozenset[int] = find()
        with self._lock:
            if not self._works:
                return
            self._shared.note_compiler(is_at_work=bool(held), kernels=kernels_compiled())
            news = [
                _described(work) if thread in held else work.reported
                for thread, work in self._works.items()
                if work.is_held or thread in held
            ]
            for thread, work in self._works.items():
                work.is_held = thread in held
            for progress in news:  # under the lock: nothing is told of a job after its end
                self._send(progress)


def _described(work: _Work) -> JobProgress:
    """How far the kernels of a job are."""
    ready, about = _kernels_ready() - work.ready, find_kind(work.kind).kernels
    count = counted(ready, "calculation is", "calculations are")
    if about and ready <= about:
        count = f"{ready} of about {counted(about, 'calculation is', 'calculations are')}"
    stage = f"Preparing this computer, once: {count} ready"
    return JobProgress(job=work.reported.job, fraction=None, stage=stage, is_preparing=True)


def _kernels_ready() -> int:
    counts = getattr(sys.modules.get("core.kernels"), "cache_hits", None)
    if counts is None:
        return 0
    found = counts()
    return int(found.hits + found.compiled)


def kernels_compiled() -> int:
    """Kernels that had to be compiled since the process began; imports nothing for it."""
    counts = getattr(sys.modules.get("core.kernels"), "cache_hits", None)
    return int(counts().compiled) if counts is not None else 0
