"""The engine's process: one loop that listens, one thread per lane that works.

Everything heavy is imported in the lanes or in the background after the start, so that the first
job waits for nothing it does not need.

Libraries that the main engine does without: others only look whether they are there.

pyarrow would import pandas for a plain array, at 0.3 s a start, only to know whether it got a data
frame. numba would import scipy's linear algebra (and with it numpy's f2py and test tools) with its
first kernel, at 0.15 s, for kernels that multiply matrices. No job of the main engine has a data
frame, and no kernel of the program calls linear algebra. Scripts do both, in their own process, and
third parties' plugins may, in the engine that runs them.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import get_ident
from types import ModuleType
from typing import Any

import numpy as np

from core.diagnostics import describe_exception, start_log
from core.document.files.guarded import piece_of_work
from core.engine.context import JobContext, Workbench
from core.engine.messages import JobOutcome, JobProgress, JobState
from core.engine.plugin_use import MarkPlugin
from core.engine.precompile import Step, warm_up, warm_up_steps
from core.engine.preparing import Preparing
from core.engine.protocol import Begun, Blame, EngineRole, EngineSetup, Ready, Reroute, Submit
from core.engine.runner import RouteToPlugins, run_job
from core.engine.sandbox.confining import Confinement, own_thread
from core.engine.shared_memory import LANES, SharedState
from core.questions.lanes import Lane
from payoff.errors import PayoffError

__all__ = [
    "Engine",
    "EngineRole",
    "run_engine",
]


_LOOKS_FOR_LINEAR_ALGEBRA = "numba.np.arraymath"


class _WithoutPandas(MetaPathFinder):
    """Says of pandas that it is not installed."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Refuse pandas; leave every other module to those that come after."""
        if fullname == "pandas":
            raise ModuleNotFoundError("The main engine does without pandas.", name=fullname)
        return None


class _WithoutLinearAlgebraInKernels(MetaPathFinder):
    """Says to numba, once, that scipy's linear algebra is not installed; then gets out of the way.

    The job that needs it for itself imports it as ever, also while numba is being imported in
    another thread.
    """

    def __init__(self) -> None:
        self._thread: int | None = None

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Refuse the import that comes out of numba's module of array functions."""
        if fullname == _LOOKS_FOR_LINEAR_ALGEBRA:
            self._thread = get_ident()
        elif fullname == "scipy.linalg" and self._thread == get_ident():
            sys.meta_path.remove(self)
            raise ModuleNotFoundError("No kernel calls it.", name=fullname)
        return None


def import_leanly() -> None:
    """From now on import neither pandas nor, for kernels, linear algebra; what is there stays."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _WithoutPandas())
    if _LOOKS_FOR_LINEAR_ALGEBRA not in sys.modules:
        sys.meta_path.insert(0, _WithoutLinearAlgebraInKernels())


_PAUSE_SECONDS = 0.05
_REST_SECONDS = 1.0  # after a job the window asks for what follows from it
_PROGRESS_SECONDS = 0.05  # plain progress is told at most so often; partial results always
_KNOWN_TO_THE_WINDOW = ("payoff.", "core.document.", "core.questions.")
_log = logging.getLogger("payoff.engine")


def run_engine(
    setup: EngineSetup, connection: Connection, lifeline: Connection, shared: SharedState
) -> None:
    """Serve jobs until the window closes the pipe. Never returns: the process ends here."""
    _quiet_signals()
    _end_with_window(lifeline)
    if setup.options.log_folder:
        start_log(Path(setup.options.log_folder), f"engine-{setup.role}")
    elif sys.stderr is not None:
        faulthandler.enable()
    if setup.role is EngineRole.MAIN:
        import_leanly()
    try:
        Engine(setup, connection, shared).serve()
    except (EOFError, OSError):
        pass
    finally:
        logging.shutdown()
        os._exit(0)  # lanes may be busy in code that cannot be stopped


def _quiet_signals() -> None:
    """Ctrl+C in the terminal is the window's business."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_with_window(lifeline: Connection) -> None:
    """End this process when the window's end of ``lifeline`` closes, however the window ended.

    A thread watches the pipe. Where the system can signal a closing pipe, it does so too: then
    even code that never gives Python a turn cannot outlive the window.
    """

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            lifeline.recv_bytes()
        os._exit(0)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()
    if sys.platform == "linux":
        import fcntl

        # The default action of SIGIO ends the process; nothing is ever written to this pipe, so
        # the signal can only mean that the other end is gone.
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline.fileno(), fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(lifeline.fileno(), fcntl.F_GETFL)
        fcntl.fcntl(lifeline.fileno(), fcntl.F_SETFL, flags | os.O_ASYNC)


class Engine:
    """The loop, the lanes and what they share."""

    def __init__(self, setup: EngineSetup, connection: Connection, shared: SharedState) -> None:
        self._setup = setup
        self._connection = connection
        self._shared = shared
        self._stop = np.frombuffer(shared.stop, dtype=np.uint8)
        self._sending = threading.Lock()
        self._warming = threading.Lock()
        self._busy = {lane: threading.Event() for lane in LANES}
        self._rests_from = 0.0  # of the monotonic clock: when warming up may go on
        self._inbox: dict[Lane, SimpleQueue[Submit]] = {lane: SimpleQueue() for lane in LANES}
        self._preparing = Preparing(shared, self._send)
        self.workbench = Workbench(setup.options, role=setup.role)
        self._confinement: Confinement | None = None
        if setup.role is EngineRole.PLUGINS:
            self._confinement = Confinement(setup.options)
            self._confinement.begin()
        for blame in setup.blamed:
            self.workbench.plugins.blame(blame)

    def serve(self) -> None:
        """Listen until the pipe closes."""
        for lane in LANES:
            threading.Thread(target=self._work, args=(lane,), name=lane, daemon=True).start()
        self._send(Ready())
        if self._setup.options.warm_up:
            threading.Thread(target=self._warm_up, name="warm-up", daemon=True).start()
        while True:
            message = self._connection.recv()
            if isinstance(message, Submit):
                self._inbox[message.request.lane].put(message)
            elif isinstance(message, Blame):
                self.workbench.plugins.blame(message)

    # ------------------------------------------------------------ lanes

    def _work(self, lane: Lane) -> None:
        own_thread()
        while True:
            submit = self._inbox[lane].get()
            self._busy[lane].set()
            if self._setup.role is EngineRole.PLUGINS:
                # A plugin is held to what the process is like before and after it, so nothing else
                # may be at work in it meanwhile. The steps of this engine are short.
                with self._warming:
                    pass
            self._preparing.begin(submit.request.job, submit.request.kind)
            try:
                self._answer(lane, submit)
            finally:
                self._rests_from = time.monotonic() + _REST_SECONDS
                self._busy[lane].clear()

    def _answer(self, lane: Lane, submit: Submit) -> None:
        """Run one job and send how it ended; nothing that a handler raises gets past here."""
        ending = self._ending_of(lane, submit)
        self._preparing.end()
        try:
            self._send(ending)
        except OSError:
            raise
        except Exception as reason:  # a result that cannot travel
            seconds = ending.seconds if isinstance(ending, JobOutcome) else 0.0
            job = submit.request.job
            self._send(
                JobOutcome(job=job, state=JobState.FAILED, error=_as_plain(reason), seconds=seconds)
            )

    def _ending_of(self, lane: Lane, submit: Submit) -> JobOutcome | Reroute:
        started = time.perf_counter()
        job = submit.request.job
        context = self._context(lane, submit)
        self._send(Begun(job))
        state, result, error = JobState.DONE, None, None
        try:
            with piece_of_work():
                result = run_job(
                    self._setup.handlers(), submit.request.kind, submit.request.arguments, context
                )
        except RouteToPlugins:
            return Reroute(job)
        except BaseException as reason:
            state, error = self._failure(reason, context, submit)
        seconds = time.perf_counter() - started
        return JobOutcome(
            job=job, state=state, result=result, error=error, seconds=seconds, ref=context.ref
        )

    def _failure(
        self, reason: BaseException, context: JobContext, submit: Submit
    ) -> tuple[JobState, PayoffError | None]:
        """What an exception of a handler means for its job."""
        if context.should_stop() and not isinstance(reason, PayoffError):
            return JobState.CANCELLED, None
        if isinstance(reason, SystemExit | MemoryError):
            _log.error("job %s failed", submit.request.kind, exc_info=reason)
        return JobState.FAILED, _as_plain(reason)

    def _context(self, lane: Lane, submit: Submit) -> JobContext:
        last = 0.0

        def tell(fraction: float | None, stage: str, partial: object) -> None:
            nonlocal last
            now = time.monotonic()
            if partial is None and now - last < _PROGRESS_SECONDS:
                return
            last = now
            job = submit.request.job
            self._preparing.reported(JobProgress(job=job, fraction=fraction, stage=stage))
            self._send(JobProgress(job=job, fraction=fraction, stage=stage, partial=partial))

        mark: MarkPlugin = partial(self._shared.in_plugin, lane)
        return JobContext(
            self.workbench,
            stop=self._stop[submit.slot : submit.slot + 1],
            on_progress=tell,
            lane=lane,
            mark_plugin=self._confinement.marking(mark) if self._confinement else mark,
        )

    def _send(self, message: Any) -> None:
        with self._sending:
            self._connection.send(message)

    # ------------------------------------------------------------ warming up

    def _warm_up(self) -> None:
        """Import and compile while no job runs."""
        own_thread()
        try:
            steps = warm_up_steps(self.workbench.plugins, self._setup.handlers)
            if self._setup.role is EngineRole.PLUGINS:
                self._warm_up_apart(steps)
                return
            warm_up(
                steps,
                is_busy=lambda: self._is_busy() or self._rests(),
                tell=self._send,
            )
        except Exception:
            _log.exception("warming up failed; the first jobs will be slower")

    def _is_busy(self) -> bool:
        return any(busy.is_set() for busy in self._busy.values())

    def _rests(self) -> bool:
        """Whether the next job is about to come; plugins, which the first ones need, go first."""
        return self.workbench.plugins.is_found and time.monotonic() < self._rests_from

    def _warm_up_apart(self, steps: Iterator[Step]) -> None:
        """Find and take one step after the other, never beside a job, which waits for a step."""
        while True:
            with self._warming:
                if not self._is_busy():
                    found = next(steps, None)  # finding it imports modules, too
                    if found is None:
                        return
                    found[1]()
                    continue
            time.sleep(_PAUSE_SECONDS)


def _as_plain(reason: BaseException) -> PayoffError:
    """An error that unpickles in the window, of a class that the window knows."""
    if isinstance(reason, SystemExit):
        return PayoffError(
            "The job asked the program to exit.",
            why=f"Exit code {reason.code}.",
            remedy="A plugin does this; quarantine it on page Plugins.",
        )
    if isinstance(reason, MemoryError):
        return PayoffError(
            "There is not enough memory for this job.",
            why=str(reason),
            remedy="Close other programs, or work with fewer rows or columns.",
        )
    error = describe_exception(reason)
    kind = type(error) if type(error).__module__.startswith(_KNOWN_TO_THE_WINDOW) else PayoffError
    return kind(
        str(error.what), where=str(error.where), why=str(error.why), remedy=str(error.remedy)
    )
