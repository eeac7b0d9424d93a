"""The engine's own handlers in this process, behind the interface of its client."""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.engine.local import LocalEngine
from core.engine.messages import JobOutcome, JobProgress, JobState
from core.questions.lanes import Lane

LEFT_OUT = (
    "compare.models",
    "decide.resamples",
    "explain.model",
)  # what other pages and bars ask, and is not shown


class RealEngine:
    """Has the interface of EngineClient; jobs run at once, their outcomes arrive as events."""

    def __init__(self, engine: LocalEngine, send: Callable[[object], None]) -> None:
        self.engine = engine
        self.send = send
        self.jobs = 0
        self.left_out: tuple[str, ...] = LEFT_OUT
        self.failed: list[tuple[str, Exception]] = []

    def start(self) -> None:
        """It runs already."""

    def submit(self, kind: str, arguments: object, lane: Lane = Lane.LONG, title: str = "") -> int:
        self.jobs += 1
        if kind in self.left_out:
            self.send(JobOutcome(job=self.jobs, state=JobState.CANCELLED))
            return self.jobs
        try:
            result = self.engine.run(kind, arguments)
        except Exception as error:
            self.failed.append((kind, error))
            self.send(JobOutcome(job=self.jobs, state=JobState.FAILED, error=error))
        else:
            self.send(JobOutcome(job=self.jobs, state=JobState.DONE, result=result))
        return self.jobs

    def cancel(self, job: int) -> None:
        """Nothing runs by the time it could be cancelled."""

    def shutdown(self) -> None:
        """Others go on with the engine."""


class Events:
    """Collects what a client says and lets a test wait for it."""

    def __init__(self):
        self.all = []
        self._changed = threading.Condition()

    def __call__(self, event):
        with self._changed:
            self.all.append(event)
            self._changed.notify_all()

    def outcomes(self, job=None):
        return [e for e in self.all if isinstance(e, JobOutcome) and job in (None, e.job)]

    def partials(self, job):
        return [
            e
            for e in self.all
            if isinstance(e, JobProgress) and e.job == job and e.partial is not None
        ]

    def wait_for_partial(self, job, timeout=30):
        self.wait_until(lambda: self.partials(job), timeout)

    def wait_until(self, is_true, timeout=60):
        """Wait for something that an event brings about."""
        with self._changed:
            assert self._changed.wait_for(is_true, timeout), "it did not happen in time"
