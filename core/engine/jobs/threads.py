"""How many threads a job may use: a long one leaves the quick lane a core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.engine.context import JobContext
from core.kernels import limited_threads, threads
from core.questions.lanes import Lane


@contextmanager
def fair_threads(context: JobContext) -> Iterator[None]:
    """Leave a core free while a long job runs in an engine that also serves a window."""
    if context.lane is not Lane.QUICK and context.workbench.role is not None:
        with limited_threads(max(1, threads() - 1)):
            yield
    else:
        yield
