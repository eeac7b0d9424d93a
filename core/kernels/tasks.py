"""Running numbered tasks on the room's threads: for work that is not cut by rows."""

from __future__ import annotations

from collections.abc import Callable

from core.kernels.running import _pool
from core.kernels.thread_control import threads


def run_tasks(task: Callable[[int], None], count: int) -> None:
    """Call ``task(0)`` to ``task(count - 1)``, several at a time where threads allow.

    A task spends its time in serial compiled kernels, which release the interpreter lock; tasks
    write to places of their own, so that the answer does not depend on threads.

    Raises
    ------
    Exception
        What a task raises.
    """
    workers = threads()
    if workers == 1 or count <= 1:
        for number in range(count):
            task(number)
        return
    for _ in _pool(workers).map(task, range(count)):
        pass
