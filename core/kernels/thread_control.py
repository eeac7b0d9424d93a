"""Threads of parallel kernels: how many, which layer, and one parallel region at a time.

numba's ``workqueue`` layer ends the process when two threads enter parallel kernels together, and
any layer slows down when regions compete for cores. Every own parallel kernel therefore runs under
``PARALLEL_LOCK``; long jobs call their kernels in pieces, so that a quick job waits a moment only.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

import numba

# How long a thread of libgomp waits awake for the next region: long enough within a tree (regions
# follow each other within 0.1 ms), short enough not to hold a core that other threads or programs
# need. Its own 300,000 rounds are milliseconds. Read when the library is loaded, by the first
# parallel kernel; a setting of the user's stays.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")

PARALLEL_LOCK = threading.RLock()
"""Held around every parallel region; own kernels take it themselves."""

SMALL_WORK = 32_768
"""Rows below which a second thread costs more than it saves."""

# OpenMP keeps its threads warm; workqueue (always there) is safe under the lock, at half the speed.
numba.config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadReport:
    """What the diagnostics page says of threads. ``remedy`` is empty when all is well."""

    threads: int
    cores: int
    layer: str
    has_openmp: bool
    remedy: str


def threads() -> int:
    """Number of threads that the calling thread's parallel kernels use."""
    return int(numba.get_num_threads())


def set_threads(count: int | None) -> None:
    """Use ``count`` threads in this thread's kernels; None = every core. Results do not change."""
    most = int(numba.config.NUMBA_NUM_THREADS)
    numba.set_num_threads(most if count is None else max(1, min(int(count), most)))


class _LimitedThreads:
    """Sets the number of threads inside a block; asks the library twice only where it differs."""

    __slots__ = ("_before", "_count")

    def __init__(self, count: int | None) -> None:
        self._count = count
        self._before = 0

    def __enter__(self) -> None:
        before = threads()
        if self._count != before:
            set_threads(self._count)
            self._before = before

    def __exit__(self, *reason: object) -> None:
        if self._before:
            set_threads(self._before)


def limited_threads(count: int | None) -> AbstractContextManager[None]:
    """Use at most ``count`` threads inside the block."""
    return _LimitedThreads(count)


def fitting_threads(rows: int) -> AbstractContextManager[None]:
    """Use one thread for small work, which waking the others would only delay."""
    return _LimitedThreads(1) if rows < SMALL_WORK else nullcontext()


@contextmanager
def parallel_region() -> Iterator[None]:
    """Hold the lock around a parallel region that is not an own kernel."""
    with PARALLEL_LOCK:
        yield


def _has_openmp() -> bool:
    try:
        importlib.import_module("numba.np.ufunc.omppool")
    except ImportError:
        return False
    return True


def thread_report() -> ThreadReport:
    """Which layer serves parallel kernels, and what to do if it is the slow one."""
    has_openmp = _has_openmp()
    try:
        layer = str(numba.threading_layer())
    except ValueError:  # no parallel kernel has run yet
        layer = "omp" if has_openmp else "workqueue"
    remedy = ""
    if not has_openmp:
        remedy = (
            "The OpenMP library is missing, so large jobs take about twice as long. "
            "On Debian and Ubuntu install the package libgomp1."
        )
    return ThreadReport(
        threads=threads(),
        cores=int(numba.config.NUMBA_NUM_THREADS),
        layer=layer,
        has_openmp=has_openmp,
        remedy=remedy,
    )
