"""Boosting of untidy data beside LightGBM: missing cells, categories, case weights; and memory.

    python -m tests.benchmarks.bench_messy [rows ...]

23 numbers and 5 columns of 50 levels, a tenth of all cells missing, case weights; 100 trees of
31 leaves, binning included. Aim: 1.5 times as fast as LightGBM. Then the memory that a training of
tidy data adds at its peak, each side in a process of its own; aim: below LightGBM's.
"""

from __future__ import annotations

import argparse
import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting import (
    BoostedModel,
    BoostSettings,
    InputColumn,
    TrainingCases,
    fit,
    inputs_of_matrix,
)
from core.kernels import threads
from plugins.distributions.bernoulli import Bernoulli
from tests.benchmarks import bench_boosting
from tests.benchmarks.harness import alternate, print_aim, print_machine, print_race

NUMBERS, CATEGORIES, LEVELS = 23, 5, 50
MISSING = 0.1
SIZES = (100_000, 1_000_000)
AIM = 1.5
MEMORY_ROWS = 1_000_000


def made_up(rows: int) -> tuple[Any, Any, Any]:
    """Float32 columns (level numbers last, NaN = missing), a yes-or-no outcome, weights."""
    random = np.random.default_rng(11)
    numbers = random.normal(size=(rows, NUMBERS))
    levels = random.integers(0, LEVELS, size=(rows, CATEGORIES))
    effect = random.normal(size=(CATEGORIES, LEVELS))
    score = numbers[:, 0] + numbers[:, 1] * numbers[:, 2] + np.sin(2 * numbers[:, 3])
    for place in range(CATEGORIES):
        score = score + 0.5 * effect[place, levels[:, place]]
    outcome = (random.random(rows) < 1 / (1 + np.exp(-score))).astype(float)
    matrix = np.hstack([numbers, levels]).astype(np.float32)
    matrix[random.random(matrix.shape) < MISSING] = np.nan
    return matrix, outcome, random.uniform(0.5, 2.0, rows)


def fit_ours(matrix: Any, outcome: Any, weight: Any) -> BoostedModel:
    """Trees with LightGBM's size, missing values on a learned side."""
    names = tuple(str(level) for level in range(LEVELS))
    columns = [InputColumn(name=f"x{place}") for place in range(NUMBERS)]
    columns += [InputColumn(name=f"c{place}", levels=names) for place in range(CATEGORIES)]
    settings = BoostSettings(
        n_trees=bench_boosting.TREES,
        interaction_depth=bench_boosting.LEAVES - 1,
        min_cases_in_node=20,
        bag_fraction=1.0,
        precision="histogram",
        keeps_train_deviance=False,
    )
    cases = TrainingCases(
        inputs=inputs_of_matrix(matrix, columns=columns), outcome=outcome, weight=weight
    )
    return fit(cases, Bernoulli, {}, settings)


def fit_lightgbm(matrix: Any, outcome: Any, weight: Any) -> Any:
    """LightGBM with its defaults for categories; binning included."""
    import lightgbm

    settings = {
        "objective": "binary",
        "num_leaves": bench_boosting.LEAVES,
        "learning_rate": 0.1,
        "max_bin": 255,
        "min_data_in_leaf": 20,
        "num_threads": threads(),
        "verbose": -1,
    }
    data = lightgbm.Dataset(
        matrix,
        outcome,
        weight=weight,
        params=settings,
        categorical_feature=list(range(NUMBERS, NUMBERS + CATEGORIES)),
    )
    return lightgbm.train(settings, data, bench_boosting.TREES)


def race(rows: int) -> None:
    """Print medians and losses on the rows of the training."""
    matrix, outcome, weight = made_up(rows)
    calls = {
        "payoff": lambda: fit_ours(matrix, outcome, weight),
        "LightGBM": lambda: fit_lightgbm(matrix, outcome, weight),
    }
    title = f"{rows:,} x {NUMBERS} numbers and {CATEGORIES} categories, 10 % missing, weights"
    print_race(title, alternate(calls), AIM)


def added_memory(side: str, rows: int) -> int:
    """Bytes that a training adds at its peak, in a fresh process that has trained a little."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return int(pool.apply(_added_memory, (side, rows)))


def _added_memory(side: str, rows: int) -> int:
    train: Any = bench_boosting.fit_ours
    if side == "LightGBM":

        def train(matrix: Any, outcome: Any) -> Any:
            return bench_boosting.fit_lightgbm(matrix, outcome, threads())

    train(*bench_boosting.made_up(20_000, 0))  # libraries and kernels are loaded
    matrix, outcome = bench_boosting.made_up(rows, 1)
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    train(matrix, outcome)
    return _status("VmHWM") - before


def _status(name: str) -> int:
    """A size of this process in bytes, as Linux reports it."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024


def main() -> None:
    """Run the sizes asked for, all of them without arguments; then the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="*", default=list(SIZES))
    print_machine()
    for rows in parser.parse_args().rows:
        race(rows)
    print(f"\npeak memory added by a training of {MEMORY_ROWS:,} x {bench_boosting.COLUMNS}")
    added = {side: added_memory(side, MEMORY_ROWS) / 1e6 for side in ("payoff", "LightGBM")}
    for side, megabytes in added.items():
        print(f"  {side:<10} +{megabytes:,.0f} MB")
    ours, theirs = added.values()
    what = f"memory that a training of {MEMORY_ROWS:,} rows adds"
    print_aim(what, f"below LightGBM's {theirs:.0f} MB", f"{ours:.0f} MB", ours < theirs)


if __name__ == "__main__":
    main()
