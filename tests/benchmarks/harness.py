"""Side by side: ours and a named peer, alternating in one process, medians printed as ratios.

Absolute seconds are not stable from machine to machine or from hour to hour; ratios of medians of
alternating runs are. ``peak`` is the memory a call adds at its highest, sampled every 2 ms.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from core.kernels import parallel_kernel, prange, thread_report, threads
from payoff.types import FloatArray

LEAST_RUNS = 5
AIM = "aim: "
"""What begins a line that tells of an aim."""


@dataclass(frozen=True)
class Timing:
    """Seconds of all runs, and the memory added at the highest."""

    name: str
    seconds: tuple[float, ...]
    peak_bytes: int

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def add_clock(parser: argparse.ArgumentParser) -> None:
    """Let the caller choose the clock."""
    parser.add_argument(
        "--processor",
        action="store_true",
        help="time of the processor, of all threads together: on a busy machine it says more",
    )


def clock_of(asked: argparse.Namespace) -> Callable[[], float]:
    """The clock that was chosen; what it is stands in the output."""
    if asked.processor:
        print("time of the processor, of all threads together")
        return time.process_time
    return time.perf_counter


def resident_bytes() -> int:
    """Resident memory of this process (0 where the system does not say)."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0


def measure(call: Callable[[], Any]) -> tuple[float, int, Any]:
    """Seconds, bytes added at the peak (sampled every 2 ms), and the answer of one call."""
    before, peak, done = resident_bytes(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.002):
            peak[0] = max(peak[0], resident_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    begun = time.perf_counter()
    answer = call()
    seconds = time.perf_counter() - begun
    done.set()
    watcher.join()
    peak[0] = max(peak[0], resident_bytes())
    return seconds, max(peak[0] - before, 0), answer


def alternate(calls: dict[str, Callable[[], Any]], runs: int = LEAST_RUNS) -> list[Timing]:
    """Run all calls in turn, ``runs`` times.

    Before that one round that is not counted, and one that only measures memory: the thread that
    watches it would take its share of two cores from what is timed.
    """
    if runs < LEAST_RUNS:
        raise ValueError(f"a median of {runs} runs is not stable: {LEAST_RUNS} at least")
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    peaks: dict[str, int] = dict.fromkeys(calls, 0)
    for call in calls.values():
        call()
    for name, call in calls.items():
        peaks[name] = measure(call)[1]
    for _ in range(runs):
        for name, call in calls.items():
            begun = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - begun)
    return [Timing(name, tuple(seconds[name]), peaks[name]) for name in calls]


def print_race(title: str, timings: list[Timing], target: float | None = None) -> float:
    """Print medians, ratios to the first (ours) and peaks; return the ratio of the second."""
    ours = timings[0]
    print(f"\n{title}")
    for timing in timings:
        spread = f"{min(timing.seconds):.4f} to {max(timing.seconds):.4f}"
        ratio = timing.median / ours.median
        print(
            f"  {timing.name:<34} median {timing.median:8.4f} s ({spread})"
            f"  {ratio:6.2f}x  peak +{timing.peak_bytes / 1e6:,.0f} MB"
        )
    ratio = timings[1].median / ours.median
    if target is not None:
        aim = f"{target:g} x {timings[1].name}"
        print_aim(title, aim, f"{ratio:.1f} x", ratio >= target)
    return ratio


def print_aim(what: str, aim: str, measured: str, reached: bool) -> None:
    """Print a figure beside its aim; the overview of docs/benchmarks.md is made of these lines."""
    print(f"  {AIM}{what} | {aim} | {measured} | {'reached' if reached else 'missed'}")


@parallel_kernel
def _copy(source: FloatArray, target: FloatArray) -> None:
    for place in prange(source.shape[0]):
        target[place] = source[place]


def copy_bandwidth(values: int = 20_000_000, runs: int = 9) -> float:
    """Bytes per second read and written by a parallel copy of float64 values."""
    # Written first: pages never touched would be read from one shared page of zeros.
    source, target = np.arange(values, dtype=np.float64), np.ones(values)
    _copy(source, target)
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        _copy(source, target)
        taken.append(time.perf_counter() - begun)
    return 16.0 * values / statistics.median(taken)


def print_machine() -> None:
    """The facts that a figure depends on."""
    report = thread_report()
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"{threads()} of {report.cores} threads ({report.layer}), {platform.machine()}"
    )
