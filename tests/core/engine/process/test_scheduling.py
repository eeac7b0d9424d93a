"""Who waits for whom: previews for nobody, background for everybody, Stop not for the compiler."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from core.document.data.model import DataRef, ReaderSettings
from core.document.model import Document
from core.engine import preparing
from core.engine.client import EngineClient
from core.engine.kinds import find_kind
from core.engine.messages import (
    Ask,
    JobOutcome,
    JobProgress,
    JobState,
    LoadArguments,
    WarmUp,
    owner_of,
)
from core.engine.options import EngineOptions
from core.questions.decide import Totals
from core.questions.lanes import Lane
from tests.core.engine.process.gated_handlers import gated_handlers
from tests.helpers.real_engine import Events

LIMIT = 60.0


class Session:
    """A client, what it said, and the gates of its jobs."""

    def __init__(self, folder: Path, client: EngineClient, events: Events) -> None:
        self.folder, self.client, self.events = folder, client, events
        self._jobs: dict[int, Path] = {}

    def begin(self, kind: str, lane: Lane | None = None) -> int:
        """Submit a job and wait until it runs."""
        job = self.submit(kind, lane)
        self.events.wait_for_partial(job, LIMIT)
        return job

    def submit(self, kind: str, lane: Lane | None = None) -> int:
        gate = self.folder / f"gate{len(self._jobs)}"
        job = self.client.submit(kind, str(gate), lane, title=kind)
        self._jobs[job] = gate
        return job

    def open_gate(self, job: int) -> None:
        self._jobs[job].touch()

    def begun(self, job: int) -> int:
        """How often a job has begun."""
        noted = self._jobs[job].with_suffix(".begun")
        return len(noted.read_text().splitlines()) if noted.exists() else 0

    def end(self, job: int):
        """Open the gate and give the outcome."""
        self.open_gate(job)
        return self.client.wait(job, LIMIT)

    def pid(self) -> int:
        return self.client.wait(self.client.submit("pid", None, Lane.QUICK), LIMIT).result

    def reported(self, job: int) -> list[JobProgress]:
        return [e for e in self.events.all if isinstance(e, JobProgress) and e.job == job]

    def wait_told(self, job: int, is_so) -> None:
        self.events.wait_until(lambda: any(is_so(e) for e in self.reported(job)), LIMIT)


def opened(folder: Path, **limits: float):
    events = Events()
    options = EngineOptions(
        store_folder=str(folder / "store"), log_folder=str(folder / "log"), warm_up=False, **limits
    )
    client = EngineClient(events, options=options, handlers=gated_handlers)
    client.start()
    return Session(folder, client, events)


@pytest.fixture
def session(tmp_path):
    """No job is ended by force in it, but by the compiler's limit of the test's own."""
    made = opened(tmp_path, stop_seconds=0.3, drop_seconds=120.0)
    yield made
    made.client.shutdown()


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """One session for the tests that leave their engine as it was."""
    made = opened(tmp_path_factory.mktemp("calm"), stop_seconds=0.3, drop_seconds=120.0)
    yield made
    made.client.shutdown()


def test_a_preview_waits_for_nobody(calm):
    held = [
        calm.begin("explain.model"),
        calm.begin("train"),
        calm.begin("decide.totals", Lane.QUICK),
        calm.begin("capacity"),
        calm.begin("load"),
    ]
    preview = calm.client.wait(calm.client.submit("preview", "first rows"), LIMIT)
    assert preview.result == "first rows"
    for job in held[1:]:
        assert calm.events.outcomes(job) == []
    assert [calm.end(job).state for job in reversed(held)] == [JobState.DONE] * 5


def test_opening_a_file_waits_for_no_job_a_person_asked_for_and_for_no_explanation(calm):
    held = [calm.begin("decide.resamples"), calm.begin("train"), calm.begin("capacity")]
    load = calm.begin("load")
    assert calm.end(load).result == "through"
    assert all(calm.events.outcomes(job) == [] for job in held)
    for job in reversed(held):
        assert calm.end(job).state is JobState.DONE


def test_background_work_gives_way_and_runs_again_afterwards(calm):
    explain = calm.begin("explain.model")
    saving = calm.begin("save_decisions")  # runs at once
    calm.wait_told(explain, lambda reported: reported.is_waiting)
    assert calm.events.outcomes(explain) == []
    assert calm.begun(explain) == 1
    assert calm.end(saving).result == "through"
    assert calm.end(explain).result == "through"
    assert len(calm.events.outcomes(explain)) == 1


def test_background_work_does_not_begin_while_somebody_waits(calm):
    saving, waiting = calm.begin("save_decisions"), calm.submit("capacity")
    evaluate = calm.submit("compare.models")
    load = calm.begin("load")
    assert calm.end(saving).state is JobState.DONE
    calm.events.wait_for_partial(waiting, LIMIT)
    assert calm.end(waiting).state is JobState.DONE
    assert calm.begun(evaluate) == 0
    assert calm.end(load).state is JobState.DONE
    assert calm.end(evaluate).result == "through"
    assert calm.begun(evaluate) == 1


def test_a_training_does_not_keep_the_other_work_waiting(calm):
    train = calm.begin("train")
    capacity, evaluate = calm.begin("capacity"), calm.submit("compare.models")
    assert calm.end(capacity).result == "through"
    assert calm.end(evaluate).result == "through"
    assert calm.events.outcomes(train) == []
    assert calm.end(train).state is JobState.DONE


def test_a_person_may_stop_what_gives_way(calm):
    resample = calm.begin("decide.resamples")  # hears nothing: it still runs when somebody comes
    saving = calm.begin("save_decisions")
    calm.client.drop(resample)
    assert calm.client.wait(resample, LIMIT).state is JobState.CANCELLED
    assert calm.end(saving).state is JobState.DONE
    calm.open_gate(resample)
    follower = calm.begin("compare.models")  # in its lane, which is free again
    assert calm.end(follower).state is JobState.DONE
    assert calm.begun(resample) == 1


@pytest.mark.parametrize("lane", list(Lane))
def test_what_the_window_takes_back_ends_at_once_without_an_error(calm, lane):
    pid = calm.pid()
    job = calm.begin("deaf", lane)
    calm.client.drop(job)
    outcome = calm.client.wait(job, LIMIT)  # its gate is still closed
    assert outcome.state is JobState.CANCELLED
    assert outcome.error is None
    calm.open_gate(job)
    follower = calm.begin("deaf", lane)
    assert calm.end(follower).result == "through"
    assert len(calm.events.outcomes(job)) == 1, "its late answer was told"
    assert calm.pid() == pid


def test_what_is_taken_back_and_never_ends_gives_its_lane_free(tmp_path):
    session = opened(tmp_path, stop_seconds=0.2, drop_seconds=0.2)
    pid = session.pid()
    job = session.begin("deaf")
    session.client.drop(job)
    follower = session.begin("deaf")  # an engine of its own
    outcome = session.client.wait(job, LIMIT)
    assert (outcome.state, outcome.error) == (JobState.CANCELLED, None)
    assert session.end(follower).result == "through"
    assert session.pid() != pid
    session.client.shutdown()


# ---------------------------------------------------------------- the compiler


def test_stop_answers_at_once_while_kernels_are_compiled_and_the_engine_lives(session):
    pid = session.pid()
    job = session.begin("compiling", Lane.LONG)
    session.wait_told(job, lambda reported: reported.is_preparing)
    session.client.cancel(job)
    outcome = session.client.wait(job, LIMIT)  # the compiler is still at work
    assert (outcome.state, outcome.error) == (JobState.CANCELLED, None)
    assert session.pid() == pid
    session.open_gate(job)
    follower = session.begin("capacity")
    assert session.end(follower).result == "through"
    assert session.pid() == pid
    assert len(session.events.outcomes(job)) == 1


def test_a_job_that_compiles_after_stop_is_not_ended_with_its_engine(session):
    pid = session.pid()
    job = session.begin("compiling_late", Lane.LONG)
    session.client.cancel(job)
    outcome = session.client.wait(job, LIMIT)
    assert (outcome.state, outcome.error) == (JobState.CANCELLED, None)
    session.open_gate(job)
    assert session.end(session.begin("capacity")).result == "through"
    assert session.pid() == pid


def test_the_next_job_says_what_it_waits_for_and_stop_what_the_compiler_took_over(tmp_path):
    session = opened(tmp_path, stop_seconds=120.0, drop_seconds=120.0)
    job = session.begin("compiling_late", Lane.LONG)
    follower = session.submit("capacity")
    session.client.cancel(job)  # answered when the compiler begins, long before its time is over
    assert session.client.wait(job, LIMIT).state is JobState.CANCELLED
    session.wait_told(follower, lambda reported: reported.is_preparing and reported.is_waiting)
    session.open_gate(job)
    assert session.end(follower).result == "through"
    session.client.shutdown()


def test_a_compiler_without_an_end_is_ended(tmp_path):
    session = opened(tmp_path, stop_seconds=0.2, drop_seconds=0.2, compile_seconds=0.0)
    pid = session.pid()
    job = session.begin("compiling", Lane.LONG)
    session.wait_told(job, lambda reported: reported.is_preparing)
    session.client.cancel(job)
    assert session.client.wait(job, LIMIT).state is JobState.CANCELLED
    assert session.end(session.begin("capacity")).result == "through"
    assert session.pid() != pid
    session.client.shutdown()


def test_a_training_that_has_trees_keeps_them_when_it_is_stopped_while_compiling(session):
    pid = session.pid()
    job = session.begin("train")  # has told of its first trees
    session.wait_told(job, lambda reported: reported.is_preparing)
    session.client.cancel(job)
    session.begin("capacity", Lane.LONG)
    assert session.events.outcomes(job) == []
    outcome = session.end(job)
    assert (outcome.state, outcome.result) == (JobState.DONE, "kept, stopped: True")
    assert session.pid() == pid


def test_the_window_hears_that_the_computer_is_prepared_and_then_of_the_work_again(session):
    job = session.begin("compiling", Lane.LONG)
    session.wait_told(job, lambda reported: reported.is_preparing)
    reported = [entry for entry in session.reported(job) if entry.is_preparing]
    assert all(entry.stage.startswith("Preparing this computer, once: ") for entry in reported)
    assert {entry.fraction for entry in reported} == {None}, "no share that is not known"
    assert session.end(job).result == "compiled"


def test_calculations_that_were_ready_before_a_job_do_not_count_for_it(monkeypatch):
    work = preparing._Work("train", 40, JobProgress(job=3, fraction=0.5, stage="Tree 7"))
    monkeypatch.setattr(preparing, "_kernels_ready", lambda: 47)
    told = preparing._described(work)
    assert told.stage == "Preparing this computer, once: 7 of about 90 calculations are ready"
    assert (told.job, told.fraction, told.is_preparing) == (3, None, True)
    monkeypatch.setattr(preparing, "_kernels_ready", lambda: 141)  # more than was known of
    assert preparing._described(work).stage.endswith(": 101 calculations are ready")


# ---------------------------------------------------------------- whose a job is


def document(content: str, **changes: object) -> Document:
    data = DataRef(path="a.csv", content_hash=content, rows=1, columns=(), size_bytes=1)
    return Document(**{"name": "x", "data": data, **changes})


def test_a_job_is_of_the_file_it_is_about():
    first = owner_of(Ask.of(document("a"), Totals()))
    assert first is not None
    assert first == owner_of(Ask.of(document("a", name="y"), Totals()))
    assert first != owner_of(Ask.of(document("b"), Totals()))
    assert owner_of(LoadArguments(path="a.csv", reader=ReaderSettings())) is None
    assert owner_of(Ask.of(Document(), Totals())) is None


def test_lanes_of_the_kinds_a_window_asks_for():
    assert find_kind("preview").lane is Lane.LOOK
    assert find_kind("load").lane is Lane.OPEN
    assert find_kind("explain.model").lane is Lane.BACKGROUND
    assert find_kind("train").lane is Lane.TRAIN
    assert find_kind("save_decisions").lane is Lane.LONG


def test_what_a_dead_engine_was_preparing_ends_with_it(tmp_path):
    """The next one may find every kernel on the disk, and then says nothing of them."""
    events = Events()
    options = EngineOptions(store_folder=str(tmp_path / "store"), log_folder=str(tmp_path / "log"))
    with EngineClient(events, options=options, handlers=gated_handlers) as client:
        job = client.submit("compiled_one", str(tmp_path / "gate"), Lane.LONG)
        events.wait_until(lambda: any(isinstance(e, WarmUp) for e in events.all), LIMIT)
        assert not any(isinstance(e, WarmUp) and e.is_done for e in events.all)
        os.kill(client.engine_pids["main"], signal.SIGKILL)
        assert client.wait(job, LIMIT).state is JobState.LOST
        reported = [event for event in events.all if isinstance(event, WarmUp | JobOutcome)]
        assert reported[-2].is_done
        assert reported[-1].job == job
