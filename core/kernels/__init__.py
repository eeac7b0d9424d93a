"""Compiling, sorting, random draws, threads: the only room that knows numba.

Own kernels elsewhere in core are written with ``own_kernel``, ``parallel_kernel`` and ``prange``
from here; kernels of plugins go through ``compile_kernel`` and ``run_chunks``.
"""

from __future__ import annotations

from core.kernels.before_numba import IS_PORTABLE  # first: numba reads its settings once
from core.kernels.cache import kernel_cache_folder
from core.kernels.compiling import (
    CacheCounts,
    cache_hits,
    compile_kernel,
    own_kernel,
    parallel_kernel,
    prange,
    with_kernels,
)
from core.kernels.draws import LANES, fill_poisson, philox, poisson_weights, row_fold
from core.kernels.prefetching import prefetch
from core.kernels.running import (
    StopFlag,
    chunks,
    new_stop_flag,
    raise_if_stopped,
    run_chunks,
    run_rows,
)
from core.kernels.sorting import (
    SortBuffers,
    argsort_descending,
    group_ends,
    sort_ascending,
)
from core.kernels.thread_control import (
    PARALLEL_LOCK,
    ThreadReport,
    fitting_threads,
    limited_threads,
    parallel_region,
    set_threads,
    thread_report,
    threads,
)
from core.kernels.watching import compilations, compile_problem, compiling_threads
from payoff.kernels import CHUNK_ROWS

__all__ = [
    "CHUNK_ROWS",
    "IS_PORTABLE",
    "LANES",
    "PARALLEL_LOCK",
    "CacheCounts",
    "SortBuffers",
    "StopFlag",
    "ThreadReport",
    "argsort_descending",
    "cache_hits",
    "chunks",
    "compilations",
    "compile_kernel",
    "compile_problem",
    "compiling_threads",
    "fill_poisson",
    "fitting_threads",
    "group_ends",
    "kernel_cache_folder",
    "limited_threads",
    "new_stop_flag",
    "own_kernel",
    "parallel_kernel",
    "parallel_region",
    "philox",
    "poisson_weights",
    "prange",
    "prefetch",
    "raise_if_stopped",
    "row_fold",
    "run_chunks",
    "run_rows",
    "set_threads",
    "sort_ascending",
    "thread_report",
    "threads",
    "with_kernels",
]
