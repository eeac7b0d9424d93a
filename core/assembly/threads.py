"""How many threads a piece of work may use: a long one leaves shorter ones a core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.assembly.context import AssemblyContext
from core.kernels import limited_threads, threads


@contextmanager
def fair_threads(context: AssemblyContext) -> Iterator[None]:
    """Leave a core free while a long job runs in an engine that also serves a window."""
    if context.leaves_core:
        with limited_threads(max(1, threads() - 1)):
            yield
    else:
        yield
