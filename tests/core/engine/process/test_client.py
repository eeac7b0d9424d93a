"""The mechanics of client and engine: lanes, Stop, crashes, restarts, the end of the session."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import contextmanager
from itertools import product
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from core.document.data.model import MissingOutcomesError
from core.document.files.model_store import FOLDER, ModelStore
from core.document.files.project import ProjectInUseError
from core.document.model import Document
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobState
from core.engine.options import EngineOptions
from core.engine.supervisor import link
from core.questions.data import ColumnByClass
from core.questions.lanes import Lane, LongReadError
from payoff.errors import PayoffError
from tests.core.engine.process.fake_handlers import fake_handlers
from tests.helpers.real_engine import Events

LIMIT = 40.0


@contextmanager
def open_session(folder):
    events = Events()
    options = EngineOptions(
        store_folder=str(folder / "store"),
        log_folder=str(folder / "log"),
        stop_seconds=0.6,
        warm_up=False,
    )
    with EngineClient(events, options=options, handlers=fake_handlers) as client:
        yield client, events


@pytest.fixture
def session(tmp_path):
    """A session of the test's own, for tests that end engines or read what a session kept."""
    with open_session(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """One session for all tests whose engine lives on: starting one costs more than they do."""
    with open_session(tmp_path_factory.mktemp("calm")) as opened:
        yield opened


def run(client, kind, arguments=None, lane=Lane.LONG):
    return client.wait(client.submit(kind, arguments, lane), LIMIT)


def test_a_job_comes_back_with_its_result(calm):
    client, events = calm
    outcome = run(client, "echo", ("a", 1.5))
    assert outcome.state is JobState.DONE
    assert outcome.result == ("a", 1.5)
    assert len(events.outcomes(outcome.job)) == 1
    assert run(client, "pid").result == client.engine_pids["main"] != os.getpid()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("refuse", "This is refused."),
        ("unexpected", "Something went wrong inside Payoff."),
        ("exit", "The job asked the program to exit."),
        ("local class", "An odd error."),
    ],
)
def test_an_error_fails_its_job_only(calm, arguments, what):
    client, _ = calm
    pid = run(client, "pid").result
    outcome = run(client, "raise", arguments)
    assert outcome.state is JobState.FAILED
    assert type(outcome.error) is PayoffError
    assert outcome.error.what == what
    assert run(client, "pid").result == pid


@pytest.mark.parametrize("kind", [MissingOutcomesError, LongReadError, ProjectInUseError])
def test_a_refusal_keeps_the_class_that_the_window_goes_by(calm, kind):
    client, _ = calm
    refusal = run(client, "raise", kind("Refused.", where="here", why="So.", remedy="Do.")).error
    assert type(refusal) is kind
    assert str(refusal) == "Refused. (here) So. Do."


def test_the_log_has_what_the_user_is_spared(session):
    client, _ = session
    outcome = run(client, "raise", "unexpected")
    assert "Traceback" not in str(outcome.error)
    log = Path(client.options.log_folder) / "engine-main.log"
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_what_cannot_travel_fails_its_job_only(calm):
    client, _ = calm
    assert run(client, "unsendable").state is JobState.FAILED
    assert run(client, "echo", lambda: None).state is JobState.FAILED
    assert run(client, "no such kind").state is JobState.FAILED
    assert run(client, "echo", 1).result == 1


def ended_by(sign: int) -> str:
    """How an ending by a signal is named; Windows knows none and ends with its number as code."""
    return f"exit code {int(sign)}" if sys.platform == "win32" else signal.Signals(sign).name


def test_killed_engine_loses_only_the_running_job(session, tmp_path):
    client, events = session
    log = tmp_path / "computed"
    finished = run(client, "data.column", _column_arguments(log))
    running = client.submit("deaf", None, title="Long work")
    waiting = client.submit("echo", "after")
    events.wait_for_partial(running)
    os.kill(client.engine_pids["main"], signal.SIGKILL)

    lost = client.wait(running, LIMIT)
    assert lost.state is JobState.LOST
    assert ended_by(signal.SIGKILL) in lost.error.why
    assert lost.error.where == "Long work"
    assert client.wait(waiting, LIMIT).result == "after"
    kept = client.result(finished.ref)
    np.testing.assert_array_equal(kept.by_level, finished.result.by_level)
    again = run(client, "data.column", _column_arguments(log))
    np.testing.assert_array_equal(again.result.by_level, finished.result.by_level)
    assert log.read_text() == "computed\n", "a finished result was computed again"


def _column_arguments(log):
    from core.document.model import Document

    return Ask.of(Document(), ColumnByClass(column=str(log)))


def test_both_lanes_are_lost_with_a_crash_and_go_on_after(session):
    client, events = session
    long = client.submit("deaf", None)
    events.wait_for_partial(long)
    quick = client.submit("die", "segfault", Lane.QUICK)
    assert client.wait(quick, LIMIT).state is JobState.LOST
    assert ended_by(signal.SIGSEGV) in client.wait(quick).error.why
    assert client.wait(long, LIMIT).state is JobState.LOST
    assert run(client, "echo", 2).result == 2


@pytest.mark.parametrize("code", [0, 7])
def test_an_engine_that_ends_itself_is_reported(session, code):
    client, _ = session
    outcome = run(client, "die", code)
    assert outcome.state is JobState.LOST
    assert f"exit code {code}" in outcome.error.why
    assert run(client, "echo", 3).result == 3


class Poison:
    """Ends the engine while it reads the message, before the job begins."""

    def __reduce__(self):
        return os._exit, (5,)


def test_a_message_that_kills_engines_is_given_up(session):
    client, _ = session
    outcome = run(client, "echo", Poison())
    assert outcome.state is JobState.FAILED
    assert "exit code 5" in outcome.error.why
    assert run(client, "echo", 5).result == 5


def test_an_engine_killed_between_jobs_costs_nothing(session):
    client, _ = session
    pid = run(client, "pid").result
    for _ in range(4):
        os.kill(client.engine_pids["main"], signal.SIGKILL)
        outcome = run(client, "pid")
        assert outcome.state is JobState.DONE, outcome.error
        assert outcome.result != pid
        pid = outcome.result


def test_many_crashes_in_a_row_do_not_tire_the_client(session):
    client, _ = session
    for _ in range(5):
        assert run(client, "die", 1).state is JobState.LOST
    assert run(client, "echo", 4).result == 4


def test_stop_ends_a_long_job_and_keeps_the_engine(calm):
    client, _ = calm
    pid = run(client, "pid").result
    job = client.submit("sleep", 60.0)
    quick = client.wait(client.submit("echo", "meanwhile", Lane.QUICK), LIMIT)
    assert quick.result == "meanwhile"
    client.cancel(job)
    assert client.wait(job, LIMIT).state is JobState.CANCELLED
    assert run(client, "pid").result == pid


def test_stop_takes_a_waiting_job_out_of_the_queue(calm, tmp_path):
    client, _ = calm
    blocking = client.submit("sleep", 60.0)
    waiting = client.submit("note", str(tmp_path / "ran"))
    client.cancel(waiting)
    assert client.wait(waiting, LIMIT).state is JobState.CANCELLED
    client.cancel(blocking)
    client.wait(blocking, LIMIT)
    run(client, "echo", 1)
    assert not (tmp_path / "ran").exists()


def test_a_job_that_ignores_stop_is_ended_with_its_engine(session):
    client, events = session
    pid = run(client, "pid").result
    job = client.submit("deaf", None)
    events.wait_for_partial(job)
    innocent = client.submit("sleep", 1.5, Lane.QUICK)
    client.cancel(job)
    outcome = client.wait(job, LIMIT)
    assert outcome.state is JobState.CANCELLED
    assert "Stop" in outcome.error.what
    assert client.wait(innocent, LIMIT).result == "slept", "the other lane's job was not run again"
    assert run(client, "pid").result != pid


def test_the_newest_quick_request_of_a_kind_wins(calm):
    client, _ = calm
    first = client.submit("sleep", 0.4, Lane.QUICK)
    other = client.submit("pid", None, Lane.QUICK)
    echoes = [client.submit("echo", number, Lane.QUICK) for number in range(20)]
    assert client.wait(echoes[-1], LIMIT).result == 19
    states = [client.wait(job, LIMIT).state for job in echoes[:-1]]
    assert set(states) == {JobState.CANCELLED}
    assert client.wait(first, LIMIT).state is JobState.DONE
    assert client.wait(other, LIMIT).state is JobState.DONE


def test_every_job_gets_exactly_one_outcome(calm):
    client, events = calm
    jobs = [client.submit("echo", number) for number in range(60)]
    jobs += [client.submit("echo", number, Lane.QUICK) for number in range(60)]
    for job in jobs[::3]:
        client.cancel(job)
    events.wait_until(lambda: {e.job for e in events.outcomes()} >= set(jobs), LIMIT)
    run(client, "echo", "last")
    assert sorted(e.job for e in events.outcomes() if e.job in jobs) == sorted(jobs)


def test_waiting_for_a_job_that_ended_long_ago_does_not_hang(calm):
    client, _ = calm
    first = client.submit("echo", "first")
    for number in range(70):
        run(client, "echo", number)
    with pytest.raises(LookupError, match=str(first)):
        client.wait(first, LIMIT)


def test_large_partial_results_arrive_in_order(calm):
    client, events = calm
    outcome = run(client, "crowd", 30)
    partials = events.partials(outcome.job)
    assert len(partials) == 30
    assert [e.fraction for e in partials] == sorted(e.fraction for e in partials)
    assert events.all.index(partials[-1]) < events.all.index(outcome)


def test_a_failing_listener_does_not_stop_the_client(tmp_path, caplog):
    def listener(event):
        raise ValueError("listener")

    options = EngineOptions(store_folder=str(tmp_path), warm_up=False)
    with EngineClient(listener, options=options, handlers=fake_handlers) as client:
        assert run(client, "echo", 1).result == 1
        assert run(client, "echo", 2).result == 2
    assert "a listener failed" in caplog.text


# ------------------------------------------------------------ third-party plugins


def test_plugin_jobs_run_in_the_second_engine(session):
    client, _ = session
    assert set(client.engine_pids) <= {"main"}
    pid, blamed = run(client, "third", ("org.good", "work")).result
    assert client.engine_pids["plugins"] == pid
    assert blamed == []


ENDED_PLUGINS = {("exit", Lane.LONG), ("hang", Lane.QUICK), ("exit", Lane.TRAIN)}


def some_of(pairs: Iterable[tuple[Any, Any]], usual: set[tuple[Any, Any]]) -> list[Any]:
    """All pairs as parameters of a test; those that are not usual in the long run only."""
    return [
        pair if pair in usual else pytest.param(*pair, marks=pytest.mark.soak) for pair in pairs
    ]


@pytest.mark.parametrize(("deed", "lane"), some_of(product(("exit", "hang"), Lane), ENDED_PLUGINS))
def test_a_plugin_that_ends_or_holds_its_engine_is_blamed(session, deed, lane):
    client, events = session
    main = run(client, "pid").result
    job = client.submit("third", ("org.bad", deed), lane, "Evaluate")
    events.wait_for_partial(job)
    other = client.submit("third", ("org.good", "work"), lane)
    builtin = client.submit("sleep", 1.0)
    outcome = client.wait(job, LIMIT)
    assert outcome.state is JobState.LOST
    assert "org.bad" in outcome.error.what
    assert outcome.error.where == "Evaluate"
    _, blamed = client.wait(other, LIMIT).result
    assert blamed == ["org.bad"]
    assert client.wait(builtin, LIMIT).result == "slept"
    assert run(client, "pid").result == main, "the main engine was touched"


def test_a_plugin_that_ignores_stop_is_blamed(session):
    client, events = session
    job = client.submit("third", ("org.deaf", "deaf"))
    events.wait_for_partial(job)
    client.cancel(job)
    assert client.wait(job, LIMIT).state is JobState.CANCELLED
    assert run(client, "third", ("org.good", "work")).result[1] == ["org.deaf"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are no sockets there")
def test_a_plugin_that_writes_into_its_engine_s_pipe_is_blamed(session, monkeypatch):
    """What it writes is read as the length of a message that never comes."""
    monkeypatch.setattr(link, "_MESSAGE_SECONDS", 0.5)
    client, _ = session
    outcome = run(client, "third", ("org.loud", "scribble"))
    assert outcome.state is JobState.LOST
    assert "org.loud" in outcome.error.what
    assert "written into its pipe" in outcome.error.why
    assert run(client, "third", ("org.good", "work")).result[1] == ["org.loud"]


def test_a_plugin_that_raises_fails_its_job(session):
    client, _ = session
    outcome = run(client, "third", ("org.raises", "raise"))
    assert outcome.state is JobState.FAILED
    assert run(client, "third", ("org.good", "work")).result[1] == []


def test_a_spare_engine_takes_the_place_of_a_dead_one(tmp_path):
    options = EngineOptions(store_folder=str(tmp_path / "store"), log_folder=str(tmp_path / "log"))
    good = ("org.good", "work")
    with EngineClient(Events(), options=options, handlers=fake_handlers) as client:
        first, _ = run(client, "third", good).result
        assert run(client, "third", good).result[0] == first
        spare = client.spare_pid  # started once the first job was answered
        assert spare not in (None, first)
        assert run(client, "third", ("org.bad", "exit")).state is JobState.LOST
        assert run(client, "third", good).result == (spare, ["org.bad"])
        assert run(client, "third", good).result[0] == spare
        os.kill(client.spare_pid, signal.SIGTERM)  # its own death costs nothing
        assert run(client, "third", ("org.worse", "exit")).state is JobState.LOST
        assert run(client, "third", good).result[1] == ["org.bad", "org.worse"]
        assert run(client, "third", good).state is JobState.DONE
        last = client.spare_pid
    assert not psutil.pid_exists(last)


# ------------------------------------------------------------ start and end


def test_an_engine_that_cannot_start_fails_the_jobs(tmp_path):
    from . import unimportable_handlers

    events = Events()
    options = EngineOptions(store_folder=str(tmp_path), log_folder=str(tmp_path), warm_up=False)
    with EngineClient(events, options=options, handlers=unimportable_handlers.handlers) as client:
        outcome = client.wait(client.submit("echo", 1), LIMIT)
        assert outcome.state is JobState.FAILED
        assert outcome.error.what == "The engine cannot be started."
        assert client.wait(client.submit("echo", 1), LIMIT).state is JobState.FAILED


@pytest.mark.skipif(sys.platform == "win32", reason="so it is there, without a stand-in")
def test_an_engine_that_dies_before_it_takes_its_pipe_is_seen(tmp_path, monkeypatch):
    """On Windows the end that was meant for it stays open in the window: the pipe never closes."""
    make_pipe = SpawnContext.Pipe
    held = []

    def pipe(context, duplex=True):
        ours, theirs = make_pipe(context, duplex)
        held.append(os.dup(theirs.fileno()))
        return ours, theirs

    monkeypatch.setattr(SpawnContext, "Pipe", pipe)
    try:
        test_an_engine_that_cannot_start_fails_the_jobs(tmp_path)
    finally:
        for place in held:
            os.close(place)


def test_shutdown_ends_engines_and_answers_every_job(tmp_path):
    events = Events()
    client = EngineClient(events, options=EngineOptions(warm_up=False), handlers=fake_handlers)
    client.start()
    folder = client.options.store_folder
    run(client, "third", ("org.good", "work"))
    pids = client.engine_pids
    jobs = [client.submit("deaf", None), client.submit("echo", 1)]
    events.wait_for_partial(jobs[0])
    client.shutdown()
    assert len(pids) == 2
    assert not any(_is_alive(pid) for pid in pids.values())
    assert {events.outcomes(job)[0].state for job in jobs} == {JobState.CANCELLED}
    assert not os.path.exists(folder)
    with pytest.raises(PayoffError):
        client.submit("echo", 1)


def _is_alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _wait_gone(pids, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(_is_alive(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


_WINDOW = """
import sys, time
from core.document.data.model import MissingOutcomesError
from core.document.files.model_store import FOLDER, ModelStore
from core.document.files.project import ProjectInUseError
from core.engine.client import EngineClient
from core.engine.options import EngineOptions
from tests.core.engine.process.fake_handlers import fake_handlers
if __name__ == "__main__":
    options = EngineOptions(store_folder=sys.argv[1], warm_up=False)
    client = EngineClient(lambda event: None, options=options, handlers=fake_handlers)
    client.start()
    client.wait(client.submit("third", ("org.good", "work")), 40)
    client.submit(sys.argv[2], None)
    print(*client.engine_pids.values(), flush=True)
    if sys.argv[3] == "wait":
        time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("kind", "end"),
    some_of(product(("deaf", "spin"), ("kill", "exit")), {("deaf", "kill"), ("spin", "exit")}),
)
def test_no_engine_outlives_its_window(tmp_path, kind, end):
    window = subprocess.Popen(
        [sys.executable, "-c", _WINDOW, str(tmp_path), kind, "wait" if end == "kill" else "go"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        pids = [int(word) for word in window.stdout.readline().split()]
        assert len(pids) == 2
        if end == "kill":
            window.kill()
        window.wait(30)
        assert _wait_gone(pids), "an engine outlived its window"
    finally:
        window.kill()
        window.wait()
        window.stdout.close()


def test_importing_the_client_stays_light():
    code = (
        "import sys, core.engine.client, core.engine.messages;"
        "heavy = {'numba', 'pandas', 'pyarrow', 'scipy', 'PySide6', 'core.data',"
        " 'core.kernels', 'core.engine.worker', 'core.engine.jobs'} & set(sys.modules);"
        "print(sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_client_leaves_no_thread_behind(tmp_path):
    before = set(threading.enumerate())
    options = EngineOptions(store_folder=str(tmp_path), warm_up=False)
    with EngineClient(Events(), options=options, handlers=fake_handlers) as client:
        run(client, "echo", 1)
    assert {t for t in threading.enumerate() if not t.daemon} <= before
    assert not any(t.name.startswith("engine-") for t in set(threading.enumerate()) - before)


def test_the_folder_of_a_window_that_lives_stays_however_long_it_rests(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living = EngineClient(Events())
    model_store = ModelStore(Path(living.options.store_folder) / FOLDER)
    name = model_store.put(b"trees that nobody has saved yet")
    killed = tmp_path / "payoff-session-killed"
    killed.mkdir()
    (killed / "in-use").touch()
    eight_days_ago = time.time() - 8 * 24 * 3600
    for folder in (killed, Path(living.options.store_folder)):
        os.utime(folder, (eight_days_ago, eight_days_ago))
    EngineClient(Events())  # another window begins
    assert model_store.read(name) == b"trees that nobody has saved yet"
    assert not killed.exists()


def test_what_the_window_asks_by_itself_is_asked_once_more_after_a_death(tmp_path):
    """Nobody else could: totals and the metric table have no button that asks for them."""
    with open_session(tmp_path) as (client, _events):
        for lane in (Lane.QUICK, Lane.BACKGROUND):
            marked = str(tmp_path / f"died in {lane.name}")
            assert run(client, "die_once", marked, lane).result == "the second time"
        assert run(client, "die", "segfault", Lane.BACKGROUND).state is JobState.LOST
        assert run(client, "die_once", str(tmp_path / "asked by a person")).state is JobState.LOST


def test_a_question_is_asked_once_more_after_a_death_in_every_lane(tmp_path):
    """Page Uplift asks by itself what takes long, and has no button that asks for it."""
    with open_session(tmp_path) as (client, _events):
        for lane in (None, Lane.LONG, Lane.QUICK):
            asked = Ask(document=Document(name="n"), question=str(tmp_path / f"died in {lane}"))
            assert run(client, "die_once", asked, lane).result == "the second time"
