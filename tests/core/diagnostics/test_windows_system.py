"""What Windows is asked for, against a stand-in of its library."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from platformdirs.windows import Windows

from core import settings
from core.data.reading import memory
from core.diagnostics import windows_system
from core.engine.sandbox import confining, memory_use
from core.engine.supervisor import engine_process
from core.engine.supervisor.crash_recovery import how_it_ended
from core.kernels import cache

ROOT = Path(__file__).resolve().parents[3]


class Kernel:
    """Keeps what it is asked; answers like Windows of a machine with 16 GB, 4 of them free."""

    def __init__(self) -> None:
        self.called: list[tuple[Any, ...]] = []
        self.flags = 0
        self.knows_processes = True

    def GlobalMemoryStatusEx(self, status: Any) -> int:
        status._obj.total, status._obj.free = 16 << 30, 4 << 30
        return int(status._obj.length == 64)  # the size that Windows insists on

    def OpenProcess(self, access: int, _: bool, pid: int) -> int:
        self.called.append(("open", access, pid))
        return 77 if self.knows_processes else 0

    def K32GetProcessMemoryInfo(self, process: int, held: Any, length: int) -> int:
        held._obj.resident = 123 << 20
        return int(process == 77 and length == 72)

    def CreateJobObjectW(self, *_: Any) -> int:
        return 55

    def SetInformationJobObject(self, job: int, kind: int, limits: Any, length: int) -> int:
        self.flags = limits._obj.flags
        return int((job, kind, length) == (55, 9, 144))

    def AssignProcessToJobObject(self, job: int, process: int) -> int:
        self.called.append(("assign", job, process))
        return 1

    def TerminateJobObject(self, job: int, code: int) -> int:
        self.called.append(("end", job, code))
        return 1

    def CloseHandle(self, handle: int) -> int:
        self.called.append(("close", handle))
        return 1


@pytest.fixture
def kernel(monkeypatch):
    library = Kernel()
    monkeypatch.setattr(windows_system, "kernel32", lambda: library)
    monkeypatch.setattr(sys, "platform", "win32")
    return library


def test_free_and_whole_memory_are_told(kernel):
    assert memory.free_memory() == 4 << 30
    assert memory_use.machine_bytes() == 16 << 30


def test_the_memory_of_an_engine_is_told_and_its_handle_closed(kernel):
    assert memory_use.resident_bytes(4711) == 123 << 20
    assert kernel.called == [("open", 0x1000, 4711), ("close", 77)]


def test_the_memory_of_a_process_that_is_gone_is_not_told(kernel):
    kernel.knows_processes = False
    assert memory_use.resident_bytes(4711) is None


class Started:
    """A process as multiprocessing has it on Windows: its sentinel is its handle."""

    pid, sentinel = 4711, 99


def test_a_process_and_what_it_starts_end_with_its_tree(kernel):
    tree = engine_process.ProcessTree(Started(), leads_group=True)
    assert kernel.flags == 0x2000  # ends with the last handle, that of this program
    assert kernel.called == [("assign", 55, 99)]
    tree.end()
    tree.end()
    assert kernel.called[1:] == [("end", 55, 1), ("close", 55)]


def test_where_no_group_can_be_made_the_process_runs_all_the_same(kernel, monkeypatch):
    monkeypatch.setattr(Kernel, "CreateJobObjectW", lambda *_: 0)
    tree = engine_process.ProcessTree(Started(), leads_group=True)
    tree.end()
    assert kernel.called == []


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_size_t) != 8, reason="the program needs 64 bits")
def test_structures_are_as_long_as_windows_has_them():
    assert ctypes.sizeof(windows_system._Memory) == 64
    assert ctypes.sizeof(windows_system._Held) == 72
    assert ctypes.sizeof(windows_system._Limits) == 144


@pytest.mark.parametrize(
    ("code", "word"),
    [(0xC0000005, "memory that is not its own"), (0xC00000FD, "stack"), (0xC0000409, "abort")],
)
def test_an_ending_by_windows_is_named(code, word):
    assert word in how_it_ended(code)
    assert f"0x{code:X}" in how_it_ended(code)


def test_a_folder_is_the_same_in_other_letters(monkeypatch):
    monkeypatch.setattr(os.path, "normcase", str.lower)
    assert confining._lies_in("/Temp/Payoff/a", "/temp/payoff")
    assert not confining._lies_in("/Temp/Payoff2", "/temp/payoff")
    assert not confining._lies_in("/elsewhere", "/temp")


LOCAL = r"C:\Users\Erna Müller\AppData\Local"


def test_what_is_the_users_lies_where_windows_keeps_it_and_installing_md_says(monkeypatch):
    monkeypatch.delenv("PAYOFF_HOME", raising=False)
    monkeypatch.delenv("PAYOFF_CACHE_DIR", raising=False)
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", LOCAL)
    monkeypatch.setattr(settings, "_DIRS", Windows("Payoff", appauthor=False))
    found = [settings.state_folder(), settings.plugin_folder(), settings.cache_folder()]
    places = [str(path).replace("/", "\\").removeprefix(LOCAL) for path in found]
    assert places == [r"\Payoff", r"\Payoff\plugins", r"\Payoff\Cache"]
    described = (ROOT / "docs" / "installing.md").read_text("utf-8")
    assert all(f"`%LOCALAPPDATA%{place}`" in described for place in places)
    assert settings.kernel_folder() == settings.cache_folder() / "kernels"


def test_kernels_that_cannot_be_kept_go_into_a_new_folder_where_users_have_no_number(monkeypatch):
    monkeypatch.delattr(os, "getuid")
    first, second = cache._private_temporary_folder(), cache._private_temporary_folder()
    assert first is not None
    assert second is not None
    assert first != second  # no name that another user could have taken before
    assert not any(first.iterdir())
