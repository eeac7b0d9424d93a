"""Stands for Windows' file system, which neither removes nor replaces a file that is open."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.document.files import locks


def open_here() -> set[str]:
    """The files that this process has open, by their places."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.add(os.readlink(entry))
        except OSError:  # that of the listing itself
            continue
    return found


def files_as_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse, as Windows does, and say to the program that it runs on such a system."""

    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*places: Any, **named: Any) -> Any:
            held = open_here()
            for place in places:
                if os.path.realpath(place) in held:
                    raise PermissionError(13, "It is used by another process", str(place))
            return function(*places, **named)

        return call

    for name in ("unlink", "remove", "replace", "rename"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    monkeypatch.setattr(locks, "KEEPS_OPEN_FILES", True)
