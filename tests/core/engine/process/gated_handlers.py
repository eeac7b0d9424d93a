"""Handlers that begin, say so, and end when a test opens their gate: a file that comes to be."""

from __future__ import annotations

import os
import time
from pathlib import Path

from core.engine.context import JobContext
from core.kernels.compiling import CacheCounts


def _begin(arguments: str, context: JobContext) -> Path:
    """Leave a line that a test can count, and tell it."""
    gate = Path(arguments)
    with gate.with_suffix(".begun").open("a", encoding="utf-8") as file:
        file.write("begun\n")
    context.progress(None, "Begun", partial="begun")
    return gate


def _wait(gate: Path) -> None:
    while not gate.exists():
        time.sleep(0.002)


def _gated(arguments: str, context: JobContext) -> str:
    """Waits for its gate, and hears Stop."""
    gate = _begin(arguments, context)
    while not gate.exists():
        context.check()
        time.sleep(0.002)
    return "through"


def _deaf(arguments: str, context: JobContext) -> str:
    """Waits for its gate, and hears nothing."""
    _wait(_begin(arguments, context))
    return "through"


def _compiling(arguments: str, context: JobContext) -> str:
    """Compiles, as far as anybody can see, until its gate opens; then it hears Stop."""
    import core.kernels  # noqa: F401  listens to the compiler

    context.progress(0.25, "At work")
    _compile_until(_begin(arguments, context))
    context.check()
    return "compiled"


def _compiling_late(arguments: str, context: JobContext) -> str:
    """Begins to compile once it was told to stop."""
    import core.kernels  # noqa: F401  as above

    gate = _begin(arguments, context)
    while not context.should_stop():
        time.sleep(0.002)
    _compile_until(gate)
    context.check()
    return "compiled"


def _keeping(arguments: str, context: JobContext) -> str:
    """Compiles in the middle of its work, and ends with what it has."""
    import core.kernels  # noqa: F401  as above

    _compile_until(_begin(arguments, context))
    return f"kept, stopped: {context.should_stop()}"


def _compile_until(gate: Path) -> None:
    from numba.core import event

    with event.trigger_event("numba:compile"):
        _wait(gate)


def _compiled_one(arguments: str, context: JobContext) -> str:
    """Waits for its gate in an engine that had to compile a kernel, as its warming up sees it."""
    import core.kernels

    core.kernels.cache_hits = lambda: CacheCounts(0, 1)
    return _gated(arguments, context)


def _answer(arguments: object, context: JobContext) -> object:
    return arguments


def _pid(arguments: object, context: JobContext) -> int:
    return os.getpid()


GATED = (
    "load",
    "compare.models",
    "explain.model",
    "save_decisions",
    "decide.totals",
    "experiments.run",
    "capacity",
)
HANDLERS = {
    **dict.fromkeys(GATED, _gated),
    "decide.resamples": _deaf,
    "deaf": _deaf,
    "preview": _answer,
    "compiling": _compiling,
    "compiling_late": _compiling_late,
    "compiled_one": _compiled_one,
    "train": _keeping,
    "pid": _pid,
}


def gated_handlers():
    return HANDLERS
