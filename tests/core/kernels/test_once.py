"""Two first calls make one thing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from core.assembly.tables import ByteCache
from core.engine.local import LocalEngine
from core.kernels.cache import kernel_cache_folder
from core.kernels.once import made_once
from core.kernels.running import _pool
from core.script import session

LIMIT = 30


def at_once(call: Callable[[], object], count: int = 2) -> list[object]:
    """What the calls of several threads give."""
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(call())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    return found


class Slow:
    """Makes something as slowly as a second thread needs to come, where it can."""

    def __init__(self) -> None:
        self.count = 0
        self._both = threading.Event()

    def make(self, *_arguments: object) -> object:
        self.count += 1
        if self.count > 1:
            self._both.set()
        self._both.wait(0.2)
        return object()


def test_a_value_is_made_by_one_thread() -> None:
    slow = Slow()
    make = made_once(slow.make)
    first, second = at_once(lambda: make(1))
    assert first is second
    assert slow.count == 1
    assert make(2) is not first
    make.cache_clear()
    assert make(1) is not first


def test_what_failed_is_made_by_the_next_call() -> None:
    answers = iter([ValueError("disk"), "made"])

    def make() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    once = made_once(make)
    with pytest.raises(ValueError, match="disk"):
        once()
    assert once() == "made"


def test_what_is_shared_by_all_is_made_so() -> None:
    assert isinstance(_pool, made_once)
    assert isinstance(kernel_cache_folder, made_once)


def test_two_first_calls_of_a_script_make_one_engine(monkeypatch) -> None:
    slow = Slow()

    def make(options: object) -> LocalEngine:
        slow.make()
        return LocalEngine(options)

    monkeypatch.setattr(session, "_engines", {})
    monkeypatch.setattr(session, "LocalEngine", make)
    first, second = at_once(session.engine)
    assert first is second
    assert slow.count == 1


def test_a_making_that_failed_is_taken_over_by_one_of_those_that_wait() -> None:
    """A job that is stopped while it reads a table leaves the reading to one other, not to all."""
    cache = ByteCache(1000)
    begun, gate = threading.Event(), threading.Event()
    makings: list[str] = []
    together = threading.Semaphore(1)

    def stopped() -> tuple[object, int]:
        begun.set()
        gate.wait(LIMIT)
        raise RuntimeError("stopped")

    def make() -> tuple[object, int]:
        assert together.acquire(blocking=False), "two at a time"
        makings.append("made")
        late.start()
        late_is_here.wait(0.2)
        together.release()
        return "value", 1

    late_is_here = threading.Event()

    def come_late() -> None:
        cache.get_or_make("key", lambda: (late_is_here.set() or makings.append("again"), 1))

    late = threading.Thread(target=come_late)

    def first() -> None:
        with pytest.raises(RuntimeError, match="stopped"):
            cache.get_or_make("key", stopped)

    one = threading.Thread(target=first)
    one.start()
    begun.wait(LIMIT)
    two = threading.Thread(target=lambda: cache.get_or_make("key", make))
    two.start()
    while cache._making["key"].users < 2:
        pass
    gate.set()
    for thread in (one, two, late):
        thread.join(LIMIT)
    assert makings == ["made"]
    assert cache._making == {}
