"""Stands for Windows' file system, which neither removes nor replaces what is open or mapped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.document.files import locks


def open_here() -> set[str]:
    """The files that this process has open or mapped, by their places."""
    found = {
        line.split(maxsplit=5)[5]
        for line in Path("/proc/self/maps").read_text("utf-8").splitlines()
        if line.count("/") and len(line.split(maxsplit=5)) == 6
    }
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
            for place in map(os.path.realpath, places):
                if place in held or any(file.startswith(f"{place}{os.sep}") for file in held):
                    raise PermissionError(13, "It is used by another process", str(place))
            return function(*places, **named)

        return call

    for name in ("unlink", "remove", "replace", "rename"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    monkeypatch.setattr(locks, "KEEPS_OPEN_FILES", True)
