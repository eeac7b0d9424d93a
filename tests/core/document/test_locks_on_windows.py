"""Locks of the system as Windows has them: of bytes beyond a file's end, against a stand-in."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.document.files import locks


class Bytes:
    """Stands for ``msvcrt``: who has which bytes of a file, until it is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.taken: list[tuple[int, tuple[int, int], range]] = []

    def locking(self, file: int, mode: int, length: int) -> None:
        """Lock bytes from where the file stands; refuse what another holds."""
        assert mode == self.LK_NBLCK, "the window must not wait"
        start, found = os.lseek(file, 0, os.SEEK_CUR), os.fstat(file)
        wanted, what = range(start, start + length), (found.st_dev, found.st_ino)
        for _, other, held in self.taken:
            if other == what and held.start < wanted.stop and wanted.start < held.stop:
                raise PermissionError(13, "Permission denied")
        self.taken.append((file, what, wanted))

    def close(self, file: int, close: Callable[[int], None] = os.close) -> None:
        """Close a file: its locks go."""
        self.taken = [entry for entry in self.taken if entry[0] != file]
        close(file)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Bytes]:
    """The module as Windows imports it, and its stand-in."""
    system = Bytes()
    module = ModuleType("msvcrt")
    module.__dict__.update(locking=system.locking, LK_NBLCK=Bytes.LK_NBLCK)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "close", system.close)
    spec = importlib.util.spec_from_file_location("os_locks_there", locks.__file__)
    assert spec is not None
    assert spec.loader is not None
    there = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(there)
    assert there.KEEPS_OPEN_FILES
    return there, system


def test_many_share_a_lock_and_none_takes_it_alone(windows, tmp_path: Path) -> None:
    there, system = windows
    path = tmp_path / "held"
    sharing = [there.OsLock(path) for _ in range(3)]
    assert all(lock.try_take(is_shared=True) for lock in sharing)
    assert len({held.start for _, _, held in system.taken}) == 3
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
    assert all(held.start > 1 << 29 for _, _, held in system.taken)
    assert path.stat().st_size == 10_000


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
