"""Where tasks run: in the calling thread, in threads of this process, on workers of a cluster.

A function that is submitted is a plain one of a module, a task and what it returns are plain
records that can be pickled; so that a cluster runs the same functions, tasks and merges.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeVar

from core.kernels.thread_control import set_threads
from payoff.errors import StoppedError

Task_contra = TypeVar("Task_contra", contravariant=True)
Task = TypeVar("Task")
Summary = TypeVar("Summary")

MOST_THREADS = 8


class TaskFuture(Protocol):
    """A task under way, as ``concurrent.futures`` and ``distributed`` know it."""

    def result(self) -> Any:
        """What the function returned; raises what it raised."""

    def cancel(self) -> Any:
        """Take the task back where it has not begun."""


class Runner(Protocol):
    """Runs functions on tasks.

    Attributes
    ----------
    width : int
        Tasks that run at the same time; one more is kept out, so that none of them waits.
    in_process : int
        Those of them that share the memory of one process.
    """

    @property
    def width(self) -> int:
        """Tasks that run at the same time."""

    @property
    def in_process(self) -> int:
        """Tasks that run at the same time in one process."""

    def submit(self, function: Callable[[Task], Summary], task: Task) -> TaskFuture:
        """Begin ``function(task)``."""

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """Futures in the order in which they end."""

    def cancel(self, futures: Iterable[TaskFuture]) -> None:
        """Take back what has not begun, and wait for what has."""


class InlineRunner:
    """Runs each task when it is submitted, in the calling thread."""

    width = 1
    in_process = 1

    def __enter__(self) -> InlineRunner:
        return self

    def __exit__(self, *_reason: object) -> None:
        pass

    def submit(self, function: Callable[[Task], Summary], task: Task) -> TaskFuture:
        """Run ``function(task)`` now."""
        future: Future[Summary] = Future()
        try:
            future.set_result(function(task))
        except Exception as error:
            future.set_exception(error)
        return future

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """The futures as they come."""
        return iter(tuple(futures))

    def cancel(self, futures: Iterable[TaskFuture]) -> None:
        """Nothing is left to take back."""


class ThreadRunner:
    """Runs tasks in threads of this process; a context manager that ends them.

    Kernels and Arrow release the interpreter lock. A task uses one thread in its kernels.

    Parameters
    ----------
    threads : int, optional
        Left out: one for each core, at most 8.
    on_start : callable, optional
        Called in each thread before its first task.
    """

    def __init__(
        self, threads: int | None = None, on_start: Callable[[], None] = lambda: None
    ) -> None:
        self.width = self.in_process = max(1, threads or min(os.cpu_count() or 1, MOST_THREADS))

        def begin() -> None:
            set_threads(1)
            on_start()

        self._pool = ThreadPoolExecutor(self.width, "payoff-scale", initializer=begin)

    def __enter__(self) -> ThreadRunner:
        return self

    def __exit__(self, *_reason: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, function: Callable[[Task], Summary], task: Task) -> TaskFuture:
        """Begin ``function(task)`` in a thread."""
        return self._pool.submit(function, task)

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """Futures in the order in which they end."""
        left: set[Any] = set(futures)
        while left:
            done, left = wait(left, return_when=FIRST_COMPLETED)
            yield from done

    def cancel(self, futures: Iterable[TaskFuture]) -> None:
        """Take back what has not begun, and wait for what has."""
        running = [future for future in futures if not future.cancel()]
        wait(running)  # type: ignore[arg-type]  # its own futures


def run_tasks_bounded(
    runner: Runner,
    function: Callable[[Task], Summary],
    tasks: Iterable[Task],
    *,
    should_stop: Callable[[], bool],
) -> Iterator[Summary]:
    """Give the summaries of all tasks as they end; a bounded number of tasks is out at a time.

    Raises
    ------
    StoppedError
        If a stop was asked for; what runs has ended by then.
    Exception
        What a task raises.
    """
    waiting = iter(tasks)
    out: list[TaskFuture] = []
    try:
        while True:
            while len(out) < runner.width + (runner.width > 1):
                if should_stop():
                    raise StoppedError
                task = next(waiting, None)
                if task is None:
                    break
                out.append(runner.submit(function, task))
            if not out:
                return
            done = next(runner.as_completed(out))
            out.remove(done)
            yield done.result()
    finally:
        runner.cancel(out)


__all__ = ["InlineRunner", "Runner", "TaskFuture", "ThreadRunner", "run_tasks_bounded"]
