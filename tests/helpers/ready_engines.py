"""Engines that begin ready: forked from a process that has imported what engines import.

An engine of the program begins from nothing, which is half a second of imports each time. Tests of
what engines do need them in their hundreds; those of how they begin, and of the whole program, have
them as they are. So have tests that give the program folders of their own by its environment, which
is read while it is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from core.engine import process

IMPORTED = "tests.helpers.what_engines_import"
READ = ("PAYOFF_", "TMP")


class ReadyProcess(ForkServerProcess):
    """Has the environment of who starts it, as one that begins from nothing has."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.environment = dict(os.environ)

    def run(self) -> None:
        """Take the environment over, then do what it was started for."""
        os.environ.clear()
        os.environ.update(self.environment)
        super().run()


class ReadyContext(ForkServerContext):
    """Begins them."""

    def __init__(self) -> None:
        super().__init__()
        self._read = _what_is_read()

    def Process(self, *arguments: Any, **named: Any) -> BaseProcess:
        """A process that begins ready, or from nothing where the imports would read other words."""
        is_same = self._read == _what_is_read()
        return (ReadyProcess if is_same else SpawnProcess)(*arguments, **named)


def _what_is_read() -> dict[str, str]:
    return {name: words for name, words in os.environ.items() if name.startswith(READ)}


@cache
def _ready_context() -> Any:
    made = ReadyContext()
    made.set_forkserver_preload([IMPORTED])
    return made


@contextmanager
def ready_engines() -> Iterator[None]:
    """Let engines begin ready meanwhile, where a process of many libraries can be forked."""
    if sys.platform != "linux":
        yield
        return
    usual, process.PROCESSES = process.PROCESSES, _ready_context()
    try:
        yield
    finally:
        process.PROCESSES = usual


def processor_seconds() -> float:
    """What they have used, those that have ended, and what they are forked from."""
    pid = forkserver._forkserver._forkserver_pid  # it has no public name
    if pid is None:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
