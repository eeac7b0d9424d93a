"""What a plugin must leave as it was: everything in the process that belongs to all of it.

Libraries that a plugin imports may add environment variables and warning filters of their own, and
may draw from Python's random numbers; that is no fault of the plugin, and what can be put back is,
without a word. Changing or removing what was there is.
"""

from __future__ import annotations

import locale
import os
import random
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGCHLD", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)
_STATUS = Path("/proc/self/status")
_request_mask = threading.Lock()


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that belongs to the whole process.

    ``differs(before, now)`` says whether it has to be put back; ``is_reported(before, now)``
    whether the plugin is told of it. An aspect without a name is never told.
    """

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object]
    differs: Callable[[Any, Any], bool] = lambda before, now: bool(before != now)
    is_reported: Callable[[Any, Any], bool] = lambda _before, _now: True


def file_mask() -> int:
    """The process's mask for new files; read without changing it where the system tells it."""
    try:
        for line in _STATUS.read_text("ascii", "replace").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    except OSError:
        pass
    with _request_mask:  # elsewhere it has to be set to be known: to the strictest, for a moment
        mask = os.umask(0o077)
        os.umask(mask)
        return mask


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # deleted under the process
        return ""


def _go_to(folder: str) -> None:
    if folder:
        os.chdir(folder)


def _is_variable_lost(before: dict[str, str], now: dict[str, str]) -> bool:
    return any(now.get(name) != value for name, value in before.items())


def _handlers() -> dict[int, Any]:
    """Python's signal handlers; only the main thread can change them."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.getsignal(number) for number in _SIGNALS}


def _set_handlers(handlers: dict[int, Any]) -> None:
    for number, handler in handlers.items():
        if handler is not None and signal.getsignal(number) != handler:
            signal.signal(number, handler)


def _set_path(path: tuple[str, ...]) -> None:
    sys.path[:] = path


def _set_streams(streams: tuple[Any, Any]) -> None:
    sys.stdout, sys.stderr = streams


def _is_other_random(before: Any, now: Any) -> bool:
    inner, outer = before["state"], now["state"]
    return not (inner["pos"] == outer["pos"] and np.array_equal(inner["key"], outer["key"]))


def _set_filters(filters: tuple[Any, ...]) -> None:
    warnings.filters[:] = filters  # type: ignore[index]  # a list, whatever its stub says
    warnings._filters_mutated()  # type: ignore[attr-defined]  # no stub has it


def _is_filter_lost(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    return any(entry not in now for entry in before)


ASPECTS = (
    Aspect("the working folder", _folder, _go_to),
    Aspect(
        "environment variables",
        lambda: dict(os.environ),
        os.environ.update,
        differs=_is_variable_lost,
    ),
    Aspect("the mask for new files", file_mask, os.umask),
    Aspect(
        "the locale",
        lambda: locale.setlocale(locale.LC_ALL),
        lambda name: locale.setlocale(locale.LC_ALL, name),
    ),
    Aspect("signal handlers", _handlers, _set_handlers),
    Aspect(
        "numpy's global random numbers",
        lambda: np.random.get_state(legacy=False),
        np.random.set_state,
        differs=_is_other_random,
    ),
    Aspect(
        "numpy's handling of errors",
        lambda: {**np.geterr(), "call": np.geterrcall()},
        lambda errors: (
            np.seterrcall(errors["call"]),
            np.seterr(**{kind: how for kind, how in errors.items() if kind != "call"}),
        ),
    ),
    Aspect("how numpy prints", np.get_printoptions, lambda options: np.set_printoptions(**options)),
    Aspect("the module search path", lambda: tuple(sys.path), _set_path),
    Aspect("the standard output", lambda: (sys.stdout, sys.stderr), _set_streams),
    Aspect("the depth of calls", sys.getrecursionlimit, sys.setrecursionlimit),
    Aspect("the turns of threads", sys.getswitchinterval, sys.setswitchinterval),
    Aspect("the time limit of connections", socket.getdefaulttimeout, socket.setdefaulttimeout),
    Aspect(
        "filters of warnings",
        lambda: tuple(warnings.filters),
        _set_filters,
        is_reported=_is_filter_lost,
    ),
    Aspect("", random.getstate, random.setstate),
)
"""All that is looked at; what a plugin is told of has a name."""


@dataclass(frozen=True, slots=True)
class ProcessState:
    """The state of the process that belongs to everyone in it: a value for each aspect."""

    values: tuple[Any, ...]

    @classmethod
    def capture(cls) -> ProcessState:
        """Take note of the state as it is."""
        return cls(tuple(aspect.read() for aspect in ASPECTS))

    def restore(self) -> list[str]:
        """Put everything back; return in words what had been changed."""
        changed = []
        for aspect, before in zip(ASPECTS, self.values, strict=True):
            now = aspect.read()
            if not aspect.differs(before, now):
                continue
            aspect.write(before)
            if aspect.name and aspect.is_reported(before, now):
                changed.append(aspect.name)
        return changed
