"""Submits jobs to the engine and brings its answers back into the window's thread."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal

from core.document.files.model_store import FOLDER, ModelStore
from core.document.wording import NBSP
from core.engine.kinds import find_kind
from core.engine.messages import JobOutcome, JobProgress, JobState, WarmUp, is_of_project, owner_of
from core.questions.lanes import Lane

_log = logging.getLogger(__name__)
KEPT_ENTRIES = 200

OnResult = Callable[[object], None]
OnError = Callable[[Exception], None]


class EngineApi(Protocol):
    """What the window needs of an engine; ``core.engine.client.EngineClient`` has it."""

    def start(self) -> None:
        """Start the engine; returns at once."""

    def submit(self, kind: str, arguments: object, lane: Lane = ..., title: str = "") -> int:
        """Start a job and return its number."""

    def cancel(self, job: int) -> None:
        """Ask a job to stop, as a person does."""

    def shutdown(self) -> None:
        """End the engine."""


EngineFactory = Callable[[Callable[[object], None]], EngineApi]


def percent_words(fraction: float) -> str:
    """Say how much of a job is done, in every place alike; never all of it while the job runs."""
    return f"{min(99, math.floor(fraction * 100 + 1e-9))}{NBSP}%"


@dataclass(slots=True)
class JobEntry:
    """One line of the job list."""

    job: int
    kind: str
    title: str
    lane: Lane
    state: JobState = JobState.PENDING
    fraction: float | None = None
    stage: str = ""
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    error: Exception | None = None
    owner: object = None  # the data it is about
    is_of_project: bool = False  # it is about the project that was open then, with or without data
    is_dropped: bool = False  # the window itself took it back: nobody need hear how it ended
    is_stopped: bool = False  # somebody asked it to stop; it may still hand over what it has
    is_preparing: bool = False  # what it needs is being compiled for this computer, once
    _first: tuple[float, float] | None = None  # a moment, and the fraction done by then

    @property
    def is_open(self) -> bool:
        """Whether the job still waits or runs."""
        return self.state in (JobState.PENDING, JobState.RUNNING)

    @property
    def is_worth_showing(self) -> bool:
        """Whether it has a name, or the compiler makes a quick nameless one a long one."""
        return bool(self.title) or self.is_preparing

    @property
    def seconds_so_far(self) -> float:
        """For how long it has run; 0 while it waits."""
        is_running = self.state is JobState.RUNNING
        return time.monotonic() - self.started if is_running else 0.0

    def take(self, progress: JobProgress) -> None:
        """Note how far the job is."""
        now = time.monotonic()
        self.is_preparing = progress.is_preparing
        if progress.is_waiting:  # it made way, and begins anew; or it waits for the compiler
            self.state, self.fraction, self._first = JobState.PENDING, None, None
            self.stage = progress.stage
            return
        if self.state is JobState.PENDING:
            self.state = JobState.RUNNING
            self.started = now
        fraction = progress.fraction
        is_behind = self._first is not None and fraction is not None and fraction < self._first[1]
        if fraction is None or is_behind:
            self._first = None  # what comes is another kind of work: it has its own speed
        if fraction is not None and self._first is None:
            self._first = (now, fraction)
        self.fraction, self.stage = fraction, progress.stage

    def percent(self) -> str:
        """How much is done, in words; never all of it while the job runs."""
        return "" if self.fraction is None else percent_words(self.fraction)

    def seconds_left(self) -> float | None:
        """A forecast from the speed so far, or None while it would be a guess."""
        if self.fraction is None or self._first is None:
            return None
        spent, done = time.monotonic() - self._first[0], self.fraction - self._first[1]
        if spent < 1.0 or done < 0.05 or self.fraction >= 1.0:
            return None
        return spent * (1 - self.fraction) / done


@dataclass(slots=True)
class _Callbacks:
    result: OnResult | None
    partial: OnResult | None
    error: OnError | None
    ended: Callable[[JobOutcome], None] | None


class JobQueue(QObject):
    """The jobs of one window. Callbacks and signals always come in the window's thread.

    The engine is asked for by the first job or by ``start()``, never before the window shows.
    """

    job_changed = Signal(object)  # JobEntry
    job_ended = Signal(object)  # JobOutcome
    engine_started = Signal()
    warm_up_changed = Signal(object)  # WarmUp: kernels are being compiled in the background
    _arrived = Signal(object)

    def __init__(self, factory: EngineFactory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._factory = factory
        self._engine: EngineApi | None = None
        self._callbacks: dict[int, _Callbacks] = {}
        self.entries: dict[int, JobEntry] = {}
        self._lock = threading.Lock()
        self._unseen: dict[int, JobProgress] = {}  # the newest of each job, on its way here
        self._arrived.connect(self._on_event, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Start the engine if it does not run yet."""
        if self._engine is None:
            self._engine = self._factory(self._hear)
            self._engine.start()
            self.engine_started.emit()

    @property
    def is_started(self) -> bool:
        """Whether the engine has been started."""
        return self._engine is not None

    @property
    def model_store(self) -> ModelStore | None:
        """Where the files of trained models lie; None for an engine that keeps no files."""
        self.start()
        options = getattr(self._engine, "options", None)
        folder = getattr(options, "store_folder", "")
        return ModelStore(Path(folder) / FOLDER) if folder else None

    def submit(
        self,
        kind: str,
        arguments: object,
        *,
        lane: Lane | None = None,
        title: str = "",
        on_result: OnResult | None = None,
        on_partial: OnResult | None = None,
        on_error: OnError | None = None,
        on_end: Callable[[JobOutcome], None] | None = None,
    ) -> int:
        """Run a job, without a lane where its kind is usually run; ``on_end`` is called last.

        The window asks by ``gui.session.request``, which knows until when an answer is shown.
        """
        self.start()
        assert self._engine is not None
        lane = lane or find_kind(kind).lane
        job = self._engine.submit(kind, arguments, lane, title)
        self._callbacks[job] = _Callbacks(on_result, on_partial, on_error, on_end)
        entry = JobEntry(
            job=job,
            kind=kind,
            title=title,
            lane=lane,
            owner=owner_of(arguments),
            is_of_project=is_of_project(arguments),
        )
        self.entries[job] = entry
        self._forget_old()
        self.job_changed.emit(entry)
        return job

    def stop(self, job: int) -> None:
        """Ask a job to stop; its outcome arrives like any other."""
        entry = self.entries.get(job)
        if self._engine is not None and entry is not None and entry.is_open:
            entry.is_stopped = True
            self._engine.cancel(job)

    def drop(self, job: int) -> None:
        """Take back a job whose answer nobody wants: of its callbacks only ``on_end`` is called."""
        entry, callbacks = self.entries.get(job), self._callbacks.get(job)
        if self._engine is None or entry is None or not entry.is_open:
            return
        if callbacks is not None:
            callbacks.result = callbacks.partial = callbacks.error = None
        entry.is_dropped = True
        take_back = getattr(self._engine, "drop", self._engine.cancel)  # stand-ins know Stop only
        take_back(job)

    def keep_to(self, owner: object) -> None:
        """Drop the jobs about other data than ``owner``; what writes a file is finished."""
        for entry in list(self.entries.values()):
            is_former = entry.owner is not None and entry.owner != owner
            if is_former and not find_kind(entry.kind).writes:
                self.drop(entry.job)

    def leave_project(self) -> None:
        """Drop the jobs about the project, whatever they read; what writes a file is finished."""
        for entry in list(self.entries.values()):
            if entry.is_of_project and not find_kind(entry.kind).writes:
                self.drop(entry.job)

    def close(self) -> None:
        """End the engine; later events are ignored."""
        self._callbacks.clear()
        if self._engine is not None:
            self._engine.shutdown()
            self._engine = None

    def open_entries(self, *, titled: bool = True) -> list[JobEntry]:
        """Jobs that wait or run; ``titled`` leaves out the nameless quick ones."""
        return [e for e in self.entries.values() if e.is_open and (e.title or not titled)]

    def count(self, state: JobState) -> int:
        """How many named jobs have ended in a state."""
        return sum(1 for e in self.entries.values() if e.state is state and e.title)

    def _forget_old(self) -> None:
        if len(self.entries) <= KEPT_ENTRIES:
            return
        for job in [j for j, e in self.entries.items() if not e.is_open and not e.title]:
            del self.entries[job]
            if len(self.entries) <= KEPT_ENTRIES:
                return

    def _hear(self, event: object) -> None:
        """Hand an event on to the window's thread; called in another one.

        Of a job's progress only the newest is shown: a window that draws more slowly than the
        engine tells must not fall behind, or nobody could press Stop.
        """
        if isinstance(event, JobProgress):
            with self._lock:
                waiting = self._unseen.get(event.job)
                if waiting is not None and event.partial is None:
                    event = replace(event, partial=waiting.partial)
                self._unseen[event.job] = event
            if waiting is not None:
                return
        self._arrived.emit(event)

    def _on_event(self, event: object) -> None:
        if isinstance(event, JobProgress):
            with self._lock:
                event = self._unseen.pop(event.job)
            self._on_progress(event)
        elif isinstance(event, JobOutcome):
            self._on_outcome(event)
        elif isinstance(event, WarmUp):
            self.warm_up_changed.emit(event)

    def _on_progress(self, progress: JobProgress) -> None:
        entry = self.entries.get(progress.job)
        if entry is None or not entry.is_open:
            return
        entry.take(progress)
        callbacks = self._callbacks.get(progress.job)
        on_partial = callbacks.partial if callbacks else None
        if progress.partial is not None and on_partial is not None:
            on_partial(progress.partial)
        self.job_changed.emit(entry)

    def _on_outcome(self, outcome: JobOutcome) -> None:
        entry = self.entries.get(outcome.job)
        callbacks = self._callbacks.pop(outcome.job, None)
        if entry is not None:
            entry.state = outcome.state
            entry.seconds = outcome.seconds
            entry.error = outcome.error
        if callbacks is not None:
            self._call_back(outcome, callbacks)
        if entry is not None:
            self.job_changed.emit(entry)
        self.job_ended.emit(outcome)

    @staticmethod
    def _call_back(outcome: JobOutcome, callbacks: _Callbacks) -> None:
        try:
            if outcome.state is JobState.DONE and callbacks.result is not None:
                callbacks.result(outcome.result)
            elif outcome.error is not None and callbacks.error is not None:
                callbacks.error(outcome.error)
        finally:
            if callbacks.ended is not None:
                callbacks.ended(outcome)
