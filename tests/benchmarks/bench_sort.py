"""Descending argsort of 10,000,000 scores beside numpy.argsort.

Run: ``python -m tests.benchmarks.bench_sort [rows]``. Target: at least 5x numpy's default argsort
for float64. Ours also breaks ties by row number, which numpy's default does not.
"""

from __future__ import annotations

import argparse

import numpy as np

from core.kernels import argsort_descending
from tests.benchmarks.harness import alternate, print_machine, print_race

TARGET = 5.0


def race(
    rows: int, *, has_ties: bool, precision: type[np.floating], target: float | None = None
) -> float:
    """Print one comparison; return the ratio to numpy's default argsort."""
    scores = np.random.default_rng(1).random(rows)
    if has_ties:
        scores = np.round(scores, 3)
    scores = scores.astype(precision)
    negative = -scores
    wanted = np.argsort(negative, kind="stable")
    if not np.array_equal(argsort_descending(scores), wanted):
        raise SystemExit("the orders differ")
    timings = alternate(
        {
            "payoff, stable": lambda: argsort_descending(scores),
            "numpy.argsort": lambda: np.argsort(negative),
            "numpy.argsort, stable": lambda: np.argsort(negative, kind="stable"),
        }
    )
    ties = "1,001 different values" if has_ties else "all different"
    title = f"argsort of {rows:,} {np.dtype(precision).name} scores, {ties}"
    return print_race(title, timings, target)


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=10_000_000)
    rows = parser.parse_args().rows
    print_machine()
    race(rows, has_ties=False, precision=np.float64, target=TARGET)
    race(rows, has_ties=True, precision=np.float64)
    race(rows, has_ties=False, precision=np.float32)


if __name__ == "__main__":
    main()
