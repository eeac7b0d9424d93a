"""Runners: inline and threads give the same, errors come through, a stop ends what runs."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator

import pytest

from core.data.cancellation import never_stop
from core.kernels.task_runners import (
    InlineRunner,
    Runner,
    ThreadRunner,
    run_tasks_bounded,
)
from payoff.errors import PayoffError, StoppedError


def square(task: int) -> int:
    return task * task


def refuse(task: int) -> int:
    if task == 3:
        raise PayoffError("Part 3 is damaged.")
    return task


@pytest.fixture(params=["inline", "threads"])
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    if request.param == "inline":
        yield InlineRunner()
    else:
        with ThreadRunner(2) as threads:
            yield threads


def test_all_summaries_come(runner: Runner) -> None:
    found = run_tasks_bounded(runner, square, range(50), should_stop=never_stop)
    assert sorted(found) == [number * number for number in range(50)]


def test_what_a_task_raises_comes_through(runner: Runner) -> None:
    with pytest.raises(PayoffError, match="Part 3"):
        list(run_tasks_bounded(runner, refuse, range(50), should_stop=never_stop))


def test_a_stop_ends_the_run(runner: Runner) -> None:
    stop, seen = threading.Event(), []
    summaries = run_tasks_bounded(runner, square, range(50), should_stop=stop.is_set)
    seen.append(next(summaries))
    stop.set()
    with pytest.raises(StoppedError):
        seen.extend(summaries)
    assert len(seen) < 6


def test_a_bounded_number_of_tasks_is_out() -> None:
    begun, gate = [], threading.Semaphore(0)

    def tasks() -> Iterator[int]:
        for number in range(20):
            begun.append(number)
            yield number

    def wait_for_gate(task: int) -> int:
        gate.acquire()
        return task

    with ThreadRunner(2) as runner:
        summaries = run_tasks_bounded(
            runner, lambda task: gate.acquire() and task, tasks(), should_stop=never_stop
        )
        for done in range(20):
            gate.release()
            next(summaries)
            assert len(begun) <= done + 3
        assert list(summaries) == []


def test_functions_and_tasks_can_be_sent() -> None:
    assert pickle.loads(pickle.dumps((square, 7)))[0](7) == 49
