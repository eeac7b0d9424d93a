"""Locks of the system as Windows has them: of a byte beyond a file's end, against a stand-in."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.document.files import locks

OTHERS_HOLD_IT, NOT_SUPPORTED = 33, 50


class Kernel:
    """Stands for ``kernel32``: which handle has which byte of a file, until it is closed.

    A handle is here the descriptor itself.
    """

    def __init__(self) -> None:
        self.taken: list[tuple[int, tuple[int, int], int, bool]] = []
        self.knows_locks = True
        self.error = 0

    def LockFileEx(self, *asked: Any) -> int:
        """Lock a byte, shared or alone; refuse at once what another handle holds."""
        handle, flags, reserved, low, high, place = asked
        assert flags & 1, "the window must not wait"
        assert (reserved, low, high) == (0, 1, 0)
        file, at, is_alone = handle.value, place._obj.place, bool(flags & 2)
        found = os.fstat(file)
        what = (found.st_dev, found.st_ino)
        in_the_way = [
            entry for entry in self.taken if entry[1:3] == (what, at) and (is_alone or entry[3])
        ]
        if in_the_way or not self.knows_locks:
            self.error = OTHERS_HOLD_IT if in_the_way else NOT_SUPPORTED
            return 0
        self.taken.append((file, what, at, is_alone))
        return 1

    def close(self, file: int, close: Callable[[int], None] = os.close) -> None:
        """Close a file: its locks go."""
        self.taken = [entry for entry in self.taken if entry[0] != file]
        close(file)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Kernel]:
    """The module as Windows imports it, and its stand-in."""
    system = Kernel()
    module = ModuleType("msvcrt")
    module.__dict__.update(get_osfhandle=lambda file: file)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "close", system.close)
    here: dict[str, Any] = {
        "WinDLL": lambda name, use_last_error: {("kernel32", True): system}[name, use_last_error],
        "get_last_error": lambda: system.error,
        "WinError": lambda reason: OSError(22, f"error {reason} of Windows"),
    }
    for name, stand_in in here.items():
        monkeypatch.setattr(ctypes, name, stand_in, raising=False)
    spec = importlib.util.spec_from_file_location("os_locks_there", locks.__file__)
    assert spec is not None
    assert spec.loader is not None
    there = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, there)  # its records look for their module
    spec.loader.exec_module(there)
    assert there.KEEPS_OPEN_FILES
    return there, system


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_size_t) != 8, reason="the program needs 64 bits")
def test_the_structure_is_as_long_as_windows_has_it(windows) -> None:
    there, _ = windows
    assert ctypes.sizeof(there._Overlapped) == 32
    assert there._Overlapped.place.offset == 16


def test_many_share_a_lock_and_none_takes_it_alone(windows, tmp_path: Path) -> None:
    there, system = windows
    path = tmp_path / "held"
    sharing = [there.OsLock(path) for _ in range(3)]
    assert all(lock.try_take(is_shared=True) for lock in sharing)
    assert len(system.taken) == 3
    alone = there.OsLock(path)
    assert not alone.try_take(is_shared=False)
    for lock in sharing:
        lock.release()
    assert alone.try_take(is_shared=False)
    assert alone.is_certain
    assert not sharing[0].try_take(is_shared=True)


def test_what_is_locked_can_still_be_read_and_written(windows, tmp_path: Path) -> None:
    there, system = windows
    path = tmp_path / "held"
    lock = there.OsLock(path)
    assert lock.try_take(is_shared=False)
    path.write_bytes(b"x" * 10_000)
    most = 16 << 50  # bytes of one file, by far the most that Windows' file systems take
    assert all(at > most for _, _, at, _ in system.taken)
    assert path.stat().st_size == 10_000


def test_a_disk_that_knows_no_locks_keeps_nobody_from_working(windows, tmp_path: Path) -> None:
    there, system = windows
    system.knows_locks = False
    for lock in (there.OsLock(tmp_path / "held"), there.OsLock(tmp_path / "held")):
        assert lock.try_take(is_shared=False)
        assert not lock.is_certain


def test_a_lock_goes_with_the_file_that_held_it(windows, tmp_path: Path) -> None:
    there, _ = windows
    path = tmp_path / "held"
    first, second = there.OsLock(path), there.OsLock(path)
    assert first.try_take(is_shared=False)
    assert not second.try_take(is_shared=True)
    first.remove_file()
    assert not path.exists()
    assert second.try_take(is_shared=True)
    assert path.exists()
