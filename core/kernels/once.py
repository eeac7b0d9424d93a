"""What is made at its first use, by one thread: ``functools.cache`` alone lets two make it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


class made_once(Generic[Arguments, Made]):  # noqa: N801  used as a decorator
    """Make a value once for each set of arguments; a second thread waits for the first.

    What fails is tried again by the next call.
    """

    def __init__(self, make: Callable[Arguments, Made]) -> None:
        self._kept: Any = functools.cache(make)
        self._lock = threading.RLock()
        functools.update_wrapper(self, make)

    def __call__(self, *arguments: Arguments.args, **named: Arguments.kwargs) -> Made:
        with self._lock:
            return cast(Made, self._kept(*arguments, **named))

    def cache_clear(self) -> None:
        """Forget what was made."""
        self._kept.cache_clear()
