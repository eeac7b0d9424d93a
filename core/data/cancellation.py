"""How long work in this room reports and how it is told to stop."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import TypeAlias

from payoff.errors import StoppedError

#: Called with the fraction done (None = unknown) and a few words on the stage.
Progress: TypeAlias = Callable[[float | None, str], None]
#: Asked between blocks; True ends the work with ``StoppedError``.
ShouldStop: TypeAlias = Callable[[], bool]


_of_thread = threading.local()


def listen_for_stop(should_stop: ShouldStop) -> None:
    """What long reads of this thread ask, until another is named: columns that are read on need
    are read deep inside other work, which knows of no Stop.
    """
    is_method = hasattr(should_stop, "__self__")
    # Held weakly: the Stop of a job that is over ends nothing that comes after it.
    _of_thread.should_stop = (
        weakref.WeakMethod(should_stop) if is_method else weakref.ref(should_stop)
    )


def check_stop() -> None:
    """End the work of this thread if it was told to stop.

    Raises
    ------
    StoppedError
    """
    if is_stop_wanted():
        raise StoppedError


def is_stop_wanted() -> bool:
    """Whether the work of this thread was told to stop."""
    named = getattr(_of_thread, "should_stop", None)
    should_stop = named() if named is not None else None
    return should_stop is not None and should_stop()


def no_progress(_fraction: float | None, _stage: str) -> None:
    """Progress of work that nobody watches."""


def never_stop() -> bool:
    """Run to the end."""
    return False
