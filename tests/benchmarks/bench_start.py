"""Starting: first painted window, engine ready, first totals, and what a second start compiles.

Medians of processes of their own with a warm cache. The first process of each kind is not counted:
on a machine that never ran the program it compiles every kernel, and its processor seconds are
printed as the cold start (``--cold`` makes one with an empty cache).

Run: python -m tests.benchmarks.bench_start [--cold]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from core.engine.client import EngineClient
from core.engine.messages import JobState, PluginsArguments
from core.engine.options import EngineOptions
from tests.benchmarks.harness import LEAST_RUNS, print_aim, print_machine
from tests.e2e.measure_start import first_paint

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 900


def journey(home: str, cache: str | None = None) -> dict[str, Any]:
    """The sample's journey in one process, as ``tests.core.engine.journey`` tells it."""
    environment = dict(os.environ, PAYOFF_HOME=home, PYTHONPATH=str(ROOT))
    if cache is not None:
        environment["PAYOFF_CACHE_DIR"] = cache
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.engine.journey"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def engine_ready(home: str) -> float:
    """Seconds from starting an engine to its first answer (the list of plugins)."""
    options = EngineOptions(
        store_folder=str(Path(home) / "store"), log_folder=home, safe_mode=True, warm_up=False
    )
    begun = time.perf_counter()
    with EngineClient(lambda event: None, options=options) as client:
        outcome = client.wait(client.submit("plugins", PluginsArguments()), PATIENCE)
        taken = time.perf_counter() - begun
    assert outcome.state is JobState.DONE, outcome.error
    return taken


def print_median(caption: str, seconds: list[float]) -> None:
    """One line: median, best, worst."""
    median, spread = statistics.median(seconds), f"{min(seconds):.2f} to {max(seconds):.2f}"
    print(f"{caption:<46} median {median:6.2f} s ({spread})")


def print_steps(found: dict[str, Any]) -> None:
    """Processor and wall seconds after each step of a journey."""
    for name, (busy, wall) in found["steps"].items():
        print(f"  {name:<44} after {busy:6.2f} s of processor, {wall:6.2f} s of wall time")
    print(f"  kernels from the cache: {found['hits']}, compiled: {found['compiled']}")


def bench(home: str) -> int:
    """Warm starts; the number of kernels that second starts compiled."""
    first_paint(home)
    paints = [first_paint(home) for _ in range(LEAST_RUNS)]
    print_median("first paint", [float(str(entry["seconds"])) for entry in paints])
    print_median("first paint, whole process", [float(str(entry["process"])) for entry in paints])
    first = statistics.median(float(str(entry["seconds"])) for entry in paints)
    print_aim("first painted window", "under 1 s", f"{first:.2f} s", first < 1.0)
    engine_ready(home)
    print_median("engine ready", [engine_ready(home) for _ in range(LEAST_RUNS)])
    journey(home)
    found = [journey(home) for _ in range(LEAST_RUNS)]
    for step in ("first totals", "first metric table", "saved"):
        print_median(f"{step}, from the start", [run["steps"][step][1] for run in found])
    hits, compiled = found[-1]["hits"], sum(run["compiled"] for run in found)
    print(f"second start: {hits} kernels from the cache, {compiled} compiled in {len(found)} runs")
    words = f"{compiled} of {hits + compiled}"
    print_aim("kernels that second starts compile", "none", words, compiled == 0)
    return compiled


def main() -> int:
    """Print the figures; 1 if a second start compiled anything."""
    print_machine()
    with tempfile.TemporaryDirectory() as home:
        if "--cold" in sys.argv:
            print("cold: empty cache")
            print_steps(journey(home, str(Path(home) / "cold")))
        return int(bench(home) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
