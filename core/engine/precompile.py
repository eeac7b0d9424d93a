"""The engine's background work after its start: imports, and kernels that are not there yet.

The window hears how far it is only where something has to be compiled: kernels that came with the
program, or that an earlier start kept, are read within a second or two and nobody need know.

Jobs that the compiler holds up: the window hears how far it is, and Stop has patience with it.

Kernels that no cache holds are compiled when they are first called: half a minute for a first
training. The compiler cannot be interrupted, and what it has made is kept.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.engine.kinds import find_kind
from core.engine.messages import JobProgress, WarmUp
from core.engine.plugins import EnginePlugins
from core.engine.protocol import EngineRole, HandlerSource
from core.engine.shared_memory import SharedState
from payoff.counting import counted

_WATCH_SECONDS = 0.1


@dataclass(slots=True)
class _Work:
    """A job that runs: what it told last, and the kernels that were ready when it began."""

    kind: str
    ready: int
    told: JobProgress
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
        told = JobProgress(job=job, fraction=None, stage="")
        with self._lock:
            self._works[threading.get_ident()] = _Work(kind, _kernels_ready(), told)
            self._has_work.set()

    def told(self, progress: JobProgress) -> None:
        """Note what the job of this thread told: it stands again once the compiler is done."""
        with self._lock:
            work = self._works.get(threading.get_ident())
            if work is not None:
                work.told = progress

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
                self._look()
            except OSError:  # the window is gone
                return
            time.sleep(_WATCH_SECONDS)

    def _look(self) -> None:
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
                _said(work) if thread in held else work.told
                for thread, work in self._works.items()
                if work.is_held or thread in held
            ]
            for thread, work in self._works.items():
                work.is_held = thread in held
            for progress in news:  # under the lock: nothing is told of a job after its end
                self._send(progress)


def _said(work: _Work) -> JobProgress:
    """How far the kernels of a job are."""
    ready, about = _kernels_ready() - work.ready, find_kind(work.kind).kernels
    count = counted(ready, "calculation is", "calculations are")
    if about and ready <= about:
        count = f"{ready} of about {counted(about, 'calculation is', 'calculations are')}"
    stage = f"Preparing this computer, once: {count} ready"
    return JobProgress(job=work.told.job, fraction=None, stage=stage, is_preparing=True)


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


Step = tuple[float, Callable[[], object]]
"""Share of the work that is done before it, and what to do."""

_LOOK_SECONDS = 0.25
_PAUSE_SECONDS = 0.05


def warm_up(
    steps: Iterable[Step],
    *,
    is_busy: Callable[[], bool],
    tell: Callable[[WarmUp], None],
    compiled: Callable[[], int] | None = None,
) -> None:
    """Do the steps one after the other while the engine is at rest, and say how far that is.

    Parameters
    ----------
    steps : iterable of (float, callable)
        Taken one by one. Finding a step imports modules: that too waits as long as jobs run.
    is_busy : callable
        Whether a job runs, or the next is about to come.
    tell : callable
        Gets a WarmUp whenever further kernels had to be compiled, and one that is done at the end
        if there were any. Kernels that a job compiles meanwhile count too.
    compiled : callable, optional
        How many kernels this process had to compile so far.
    """
    news = _News(tell, compiled or kernels_compiled)
    news.start()
    try:
        waiting = iter(steps)
        while True:
            while is_busy():
                time.sleep(_PAUSE_SECONDS)
            found = next(waiting, None)
            if found is None:
                return
            news.share, step = found
            step()
    finally:
        news.end()


def warm_up_steps(plugins: EnginePlugins, handlers: HandlerSource) -> Iterator[Step]:
    """Imports and compilations for the background, in small steps with the share done before.

    The engine for plugins imports those of others in a job only, where their marker names them;
    until then it prepares what a table of metrics needs, with the built-in ones.
    """
    yield 0.0, handlers
    if plugins.role is EngineRole.PLUGINS:
        from core.engine.jobs.precompiling.plugin_engine import plugin_engine_steps

        steps = plugin_engine_steps(plugins.discover_built_ins)
    else:
        from core.engine.jobs.precompiling.first_totals import first_steps

        for step in first_steps():
            yield 0.0, step
        yield 0.0, lambda: plugins.registry
        from core.engine.jobs.precompiling.all_kernels import kernel_steps as all_steps

        steps = all_steps(lambda: plugins.registry)
    for number, step in enumerate(steps):
        yield number / len(steps), step


class _News:
    """Looks a few times a second whether further kernels were compiled."""

    def __init__(self, tell: Callable[[WarmUp], None], compiled: Callable[[], int]) -> None:
        self.share = 0.0
        self._tell = tell
        self._compiled = compiled
        self._told = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="warm-up news", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stop looking; the last news says that all is done."""
        self._is_over.set()
        self._thread.join()
        if self._told or self._compiled():
            self._tell(WarmUp(share=1.0, compiled=self._compiled()))

    def _watch(self) -> None:
        while not self._is_over.wait(_LOOK_SECONDS):
            count = self._compiled()
            if count > self._told:
                self._told = count
                self._tell(WarmUp(share=self.share, compiled=count))
