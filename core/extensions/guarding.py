"""What a plugin must leave as it was: folder, environment, locale, signals, random seeds, numpy's
handling of errors, path. Code that all share is looked after in ``shared_code``.

Libraries that a plugin imports may add environment variables and warning filters of their own;
that is no fault of the plugin. Changing or removing a variable that was there is.
"""

from __future__ import annotations

import locale
import os
import random
import signal
import sys
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class ProcessState:
    """The state of the process that belongs to everyone in it."""

    folder: str
    environment: dict[str, str]
    number_locale: str
    handlers: tuple[Any, ...]
    numpy_random: Any
    plain_random: Any
    errors: dict[str, Any]
    path: tuple[str, ...]
    streams: tuple[Any, Any]

    @classmethod
    def capture(cls) -> ProcessState:
        """Take note of the state as it is."""
        return cls(
            folder=os.getcwd(),
            environment=dict(os.environ),
            number_locale=locale.setlocale(locale.LC_NUMERIC),
            handlers=tuple(signal.getsignal(number) for number in _SIGNALS),
            numpy_random=np.random.get_state(legacy=False),
            plain_random=random.getstate(),
            errors=dict(np.geterr()),
            path=tuple(sys.path),
            streams=(sys.stdout, sys.stderr),
        )

    def restore(self) -> list[str]:
        """Put everything back; return in words what had been changed."""
        now = ProcessState.capture()
        changed = []
        if now.folder != self.folder:
            os.chdir(self.folder)
            changed.append("the working folder")
        if any(now.environment.get(name) != value for name, value in self.environment.items()):
            os.environ.update(self.environment)
            changed.append("environment variables")
        if now.number_locale != self.number_locale:
            locale.setlocale(locale.LC_NUMERIC, self.number_locale)
            changed.append("the locale")
        if now.handlers != self.handlers and threading.current_thread() is threading.main_thread():
            for number, handler in zip(_SIGNALS, self.handlers, strict=True):
                signal.signal(number, handler)
            changed.append("signal handlers")
        if not _is_same_random(now.numpy_random, self.numpy_random):
            np.random.set_state(self.numpy_random)
            changed.append("numpy's global random numbers")
        if now.plain_random != self.plain_random:
            random.setstate(self.plain_random)
            changed.append("Python's global random numbers")
        if now.errors != self.errors:
            np.seterr(**self.errors)
            changed.append("numpy's handling of errors")
        if now.path != self.path:
            sys.path[:] = self.path
            changed.append("the module search path")
        if now.streams != self.streams:
            sys.stdout, sys.stderr = self.streams
            changed.append("the standard output")
        return changed


def _is_same_random(first: Any, second: Any) -> bool:
    inner, outer = first["state"], second["state"]
    return bool(inner["pos"] == outer["pos"] and np.array_equal(inner["key"], outer["key"]))
