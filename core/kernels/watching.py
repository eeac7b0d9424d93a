"""What the compiler does while somebody looks: what it had to compile, and why it could not."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core import errors, event
from numba.core.event import install_recorder

_MOST_WORDS = 300
_COMPILE, _LOCK = "numba:compile", "numba:compiler_lock"


class _Compilers(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Which threads compile, and which wait for the compiler."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depths: dict[str, Counter[int]] = {_COMPILE: Counter(), _LOCK: Counter()}

    def on_start(self, started: Any) -> None:
        with self._lock:
            self._depths[started.kind][threading.get_ident()] += 1

    def on_end(self, ended: Any) -> None:
        here = threading.get_ident()
        with self._lock:
            depths = self._depths[ended.kind]
            depths[here] -= 1
            if depths[here] <= 0:
                del depths[here]

    def threads(self) -> frozenset[int]:
        """Threads held up by the compiler; none while what is needed is only read from disk."""
        with self._lock:
            if not self._depths[_COMPILE]:
                return frozenset()
            return frozenset(self._depths[_COMPILE]) | frozenset(self._depths[_LOCK])


_compilers = _Compilers()
for _kind in (_COMPILE, _LOCK):
    event.register(_kind, _compilers)


def compiling_threads() -> frozenset[int]:
    """The threads (``threading.get_ident``) that compile now, or wait for one that does."""
    return _compilers.threads()


@contextmanager
def compilations() -> Iterator[list[str]]:
    """Note the names of functions that are compiled, not read from disk; full at the end."""
    names: list[str] = []
    with install_recorder("numba:compile") as recorder:
        yield names
    found = (event.data["dispatcher"].py_func.__qualname__ for _, event in recorder.buffer)
    names.extend(dict.fromkeys(found))


def compile_problem(error: BaseException) -> str:
    """Why and in which line a function could not be compiled; empty for any other error."""
    if not isinstance(error, errors.NumbaError):
        return ""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # colours of a terminal
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ends = [number for number, line in enumerate(lines) if line.startswith('File "')]
    described = [
        line for line in lines[: ends[0] if ends else None] if not line.startswith("Failed in")
    ]
    words = " ".join(described)[:_MOST_WORDS]
    if not ends:
        return words
    place, _, line = lines[ends[0]].removeprefix('File "').rstrip(":").partition('", ')
    return f"{words} ({Path(place).name}, {line})"
