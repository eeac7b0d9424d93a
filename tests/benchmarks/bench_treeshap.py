"""Exact Shapley values against LightGBM's pred_contrib, trees of the same size.

    python -m tests.benchmarks.bench_treeshap [rows]

100 trees of 31 leaves over 20 columns, all of ``rows`` cases. Aim: at least twice as fast. Each
program explains its own model, trained on the same cases; medians over turns one after the other.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable

import numpy as np

from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from core.kernels import threads
from plugins.distributions.gaussian import Gaussian
from tests.benchmarks.harness import add_clock, clock_of, print_aim, print_machine

COLUMNS, TREES, LEAVES, REPEATS, AIM = 20, 100, 31, 3, 2.0


def seconds_of(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds of one call."""
    began = clock()
    work()
    return clock() - began


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=100_000)
    add_clock(parser)
    requested = parser.parse_args()
    rows, clock = requested.rows, clock_of(requested)
    print_machine()
    random = np.random.default_rng(3)
    matrix = random.normal(size=(rows, COLUMNS))
    outcome = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    outcome += random.normal(0, 0.5, rows)
    inputs = inputs_of_matrix(matrix)
    settings = BoostSettings(
        n_trees=TREES, interaction_depth=LEAVES - 1, bag_fraction=1.0, precision="histogram"
    )
    model = fit(TrainingCases(inputs=inputs, outcome=outcome), Gaussian, {}, settings)
    model.contributions(inputs.take(np.arange(100)))
    import lightgbm

    options = {
        "objective": "regression",
        "num_leaves": LEAVES,
        "verbose": -1,
        "num_threads": threads(),
    }
    theirs = lightgbm.train(options, lightgbm.Dataset(matrix, outcome), TREES)
    own_seconds, their_seconds = [], []
    for _ in range(REPEATS):
        own_seconds.append(seconds_of(lambda: model.contributions(inputs), clock))
        their_seconds.append(seconds_of(lambda: theirs.predict(matrix, pred_contrib=True), clock))
    own, their = statistics.median(own_seconds), statistics.median(their_seconds)
    ratio = their / own
    print(f"\n{rows:,} x {COLUMNS}, {TREES} trees of {LEAVES} leaves")
    print(f"  Payoff    {own:8.2f} s\n  LightGBM  {their:8.2f} s")
    what = f"Shapley values of {rows:,} x {COLUMNS}"
    print_aim(what, f"{AIM:g} x LightGBM", f"{ratio:.1f} x", ratio >= AIM)


if __name__ == "__main__":
    main()
