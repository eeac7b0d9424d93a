"""What the compiler does while somebody looks: what it had to compile, and why it could not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numba.core import errors
from numba.core.event import install_recorder

_MOST_WORDS = 300


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
    said = [line for line in lines[: ends[0] if ends else None] if not line.startswith("Failed in")]
    words = " ".join(said)[:_MOST_WORDS]
    if not ends:
        return words
    place, _, line = lines[ends[0]].removeprefix('File "').rstrip(":").partition('", ')
    return f"{words} ({Path(place).name}, {line})"
