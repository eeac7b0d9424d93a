"""An engine that records what it is asked: the test answers by hand, or it answers at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.engine.messages import Ask, JobOutcome, JobProgress, JobState, WarmUp
from core.questions.lanes import Lane


@dataclass(frozen=True)
class Asked:
    """One request."""

    job: int
    kind: str
    arguments: object
    lane: Lane


class FakeEngine:
    """Has the interface of EngineClient.

    A kind that ``answers`` knows is answered at once, in the same thread: its function is called
    with the question, or the arguments of a kind that is none. Every other job waits until the test
    sends what becomes of it (``progress``, ``answer``, ``fail``, ``end``).
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.cancelled: list[int] = []
        self.is_running = False
        self.answers: dict[str, Callable[[object], object]] = {}
        self._send: Callable[[object], None] = lambda event: None

    def listen(self, on_event: Callable[[object], None]) -> FakeEngine:
        """The factory that a JobQueue calls."""
        self._send = on_event
        return self

    def start(self) -> None:
        self.is_running = True

    def shutdown(self) -> None:
        self.is_running = False

    def submit(self, kind: str, arguments: object, lane: Lane = Lane.LONG, title: str = "") -> int:
        job = len(self.asked) + 1
        self.asked.append(Asked(job, kind, arguments, lane))
        if kind in self.answers:
            try:
                result = self.answers[kind](question_of_entry(arguments))
            except Exception as error:
                self.fail(job, error)
            else:
                self.answer(job, result)
        return job

    def cancel(self, job: int) -> None:
        self.cancelled.append(job)

    def drop(self, job: int) -> None:
        self.cancelled.append(job)

    # ------------------------------------------------------------ for tests

    def warm_up(self, share: float, compiled: int) -> None:
        """As if kernels were compiled in the background."""
        self._send(WarmUp(share=share, compiled=compiled))

    def of_kind(self, kind: str) -> list[Asked]:
        return [requested for requested in self.asked if requested.kind == kind]

    def last(self, kind: str) -> Asked:
        return self.of_kind(kind)[-1]

    def arguments_of(self, kind: str) -> list[object]:
        """What was asked of a kind, each as its answering function sees it."""
        return [question_of_entry(requested.arguments) for requested in self.of_kind(kind)]

    def progress(
        self, job: int, fraction: float | None, stage: str = "", partial=None, **more
    ) -> None:
        self._send(JobProgress(job=job, fraction=fraction, stage=stage, partial=partial, **more))

    def answer(self, job: int, result: object, seconds: float = 0.5) -> None:
        self._send(JobOutcome(job=job, state=JobState.DONE, result=result, seconds=seconds))

    def fail(self, job: int, error: Exception) -> None:
        self._send(JobOutcome(job=job, state=JobState.FAILED, error=error))

    def end(self, job: int, state: JobState) -> None:
        self._send(JobOutcome(job=job, state=state))


def question_of_entry(arguments: object) -> object:
    """What a job asks: its question, or the arguments of a kind that is none."""
    return arguments.question if isinstance(arguments, Ask) else arguments
