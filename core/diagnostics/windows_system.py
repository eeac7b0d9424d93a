"""What only Windows is asked, through its own library: memory, and groups of processes.

Nothing here is called on another system, but all of it runs against a stand-in of that library.
"""

from __future__ import annotations

import ctypes
from typing import Any

_MAY_ASK = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_END_WITH_HANDLE = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE


class _Memory(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *((name, ctypes.c_uint64) for name in ("total", "free", "page_total", "page_free")),
        *((name, ctypes.c_uint64) for name in ("virtual_total", "virtual_free", "extended")),
    )


class _Held(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("faults", ctypes.c_uint32),
        ("peak", ctypes.c_size_t),
        ("resident", ctypes.c_size_t),
        *((f"rest_{number}", ctypes.c_size_t) for number in range(6)),
    )


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_set", ctypes.c_size_t),
        ("most_set", ctypes.c_size_t),
        ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


def kernel32() -> Any:
    """Windows' library, with handles as wide as they are."""
    library = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009 - there on Windows only
    for name in ("OpenProcess", "CreateJobObjectW"):
        getattr(library, name).restype = ctypes.c_void_p
    library.OpenProcess.argtypes = [ctypes.c_uint32, ctypes.c_int, ctypes.c_uint32]
    library.CreateJobObjectW.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.AssignProcessToJobObject.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.TerminateJobObject.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.CloseHandle.argtypes = [ctypes.c_void_p]
    library.SetInformationJobObject.argtypes = [
        *(ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
    ]
    library.K32GetProcessMemoryInfo.argtypes = [
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32)
    ]
    return library


def memory_of_machine() -> tuple[int, int] | None:
    """Physical memory in bytes, whole and free; None where Windows does not say."""
    status = _Memory()
    status.length = ctypes.sizeof(status)
    if not kernel32().GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.total), int(status.free)


def memory_of_process(pid: int) -> int | None:
    """Physical memory that a process holds, in bytes; None where Windows does not say."""
    library = kernel32()
    process = library.OpenProcess(_MAY_ASK, False, pid)
    if not process:
        return None
    held = _Held()
    held.length = ctypes.sizeof(held)
    try:
        if not library.K32GetProcessMemoryInfo(process, ctypes.byref(held), held.length):
            return None
    finally:
        library.CloseHandle(process)
    return int(held.resident)


class ProcessGroup:
    """Processes that end when their group is ended, or when the program that made it does.

    A job object whose handle only this program has: however it ends, Windows closes the handle, and
    ends with it what runs in code that never gives Python a turn.
    """

    def __init__(self) -> None:
        self._library = kernel32()
        self._job = self._library.CreateJobObjectW(None, None)
        limits = _Limits()
        limits.flags = _END_WITH_HANDLE
        if self._job and not self._library.SetInformationJobObject(
            self._job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        ):
            self._close()

    def take(self, handle: int) -> bool:
        """Take a process into the group, by its handle, with all that it will start."""
        return bool(self._job) and bool(self._library.AssignProcessToJobObject(self._job, handle))

    def end(self) -> None:
        """End what is left of the group."""
        if self._job:
            self._library.TerminateJobObject(self._job, 1)
            self._close()

    def _close(self) -> None:
        self._library.CloseHandle(self._job)
        self._job = None
