"""Running kernels of plugins in fixed chunks on threads, and the stop byte.

Chunks have ``CHUNK_ROWS`` positions whatever the number of threads, and partial sums are added in
chunk order: an answer never depends on threads. A stop is asked for by writing a value other than
zero into a shared uint8; it is read between chunks, and inside ``whole`` kernels by themselves.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.kernels.once import made_once
from core.kernels.thread_control import threads
from payoff.errors import StoppedError
from payoff.kernels import CHUNK_ROWS

StopFlag = NDArray[np.uint8]

SMALL_PIECE = 8_192
"""Positions that are not worth handing to another thread."""


def new_stop_flag() -> StopFlag:
    """A stop byte that is not set; write 1 to ask for a stop."""
    return np.zeros(1, dtype=np.uint8)


def raise_if_stopped(stop: StopFlag | None) -> None:
    """Raise StoppedError if a stop was asked for."""
    if stop is not None and stop[0]:
        raise StoppedError


def chunks(rows: int) -> Iterator[tuple[int, int]]:
    """The fixed chunks of ``rows`` positions as (start, stop)."""
    for start in range(0, rows, CHUNK_ROWS):
        yield start, min(rows, start + CHUNK_ROWS)


@made_once
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=workers, thread_name_prefix="payoff-kernel")


def run_chunks(
    kernel: Callable[..., Any], arguments: tuple[Any, ...], rows: int, stop: StopFlag | None = None
) -> None:
    """Run an elementwise or by-group kernel over all positions, in fixed chunks on threads.

    Parameters
    ----------
    kernel : callable
        ``kernel(*arguments, start, stop)``; compiled kernels release the interpreter lock.
    arguments : tuple
        Inputs and outputs.
    rows : int
        Positions or groups.
    stop : uint8 array (1,), optional
        Read between chunks.

    Raises
    ------
    StoppedError
        If a stop was asked for.
    Exception
        What the kernel raises.
    """
    _run_pieces(kernel, arguments, tuple(chunks(rows)), stop)


def run_rows(kernel: Callable[..., Any], arguments: tuple[Any, ...], rows: int) -> None:
    """Run an elementwise kernel over all positions, in equal pieces for the threads.

    Unlike ``run_chunks`` the pieces depend on the number of threads: only for kernels whose
    positions know nothing of each other. ``kernel(*arguments, start, stop)`` as there.

    Raises
    ------
    Exception
        What the kernel raises.
    """
    workers = threads() if rows >= 2 * SMALL_PIECE else 1
    count = workers * max(1, -(-rows // (workers * CHUNK_ROWS)))
    edges = [rows * place // count for place in range(count + 1)]
    _run_pieces(kernel, arguments, tuple(itertools.pairwise(edges)), None)


def _run_pieces(
    kernel: Callable[..., Any],
    arguments: tuple[Any, ...],
    pieces: tuple[tuple[int, int], ...],
    stop: StopFlag | None,
) -> None:
    workers = threads()
    if len(pieces) <= 1 or workers == 1:
        for piece in pieces:
            raise_if_stopped(stop)
            kernel(*arguments, *piece)
        return

    waiting = iter(pieces)
    taking = threading.Lock()

    def run() -> None:
        while True:
            with taking:
                piece = next(waiting, None)
            if piece is None:
                return
            raise_if_stopped(stop)
            kernel(*arguments, *piece)

    # The calling thread works too: waking another one takes longer than a small piece.
    others = [_pool(workers).submit(run) for _ in range(min(workers, len(pieces)) - 1)]
    try:
        run()
    finally:
        for other in others:
            other.result()
