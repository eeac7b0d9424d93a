"""Boosting beside LightGBM: seconds of fit and prediction, log loss on held-out rows.

    python -m tests.benchmarks.bench_boosting [rows ...]

10,000, 100,000 and 1,000,000 rows x 28 float32 columns, 100 trees of 31 leaves, 255 bins, learning
rate 0.1, binning included; prediction of 1,000,000 rows. Every repeat draws new data, both sides
see the same; medians are compared. Greedy trees are sensitive to the last bit: on one and the same
data the losses of two sound programs differ by some thousandths, so the mean of their differences
stands beside its standard error. On equal bins and in exact arithmetic the trees are LightGBM's own
(tests/core/boosting/test_peers.py). Compiling is timed apart. LightGBM is in the extra
``benchmark``; without it only our own figures are printed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from core.boosting import BoostedModel, BoostSettings, TrainingCases, fit, inputs_of_matrix
from core.kernels import cache_hits, threads
from plugins.distributions.bernoulli import Bernoulli
from tests.benchmarks.harness import print_aim, print_machine

COLUMNS = 28
TREES = 100
LEAVES = 31
SIZES = {10_000: 1.0, 100_000: 2.0, 1_000_000: 2.2}
"""Rows of a training and how many times faster than LightGBM it is to be."""
PREDICTED_ROWS = 1_000_000
PREDICT_TARGET = 10.0
REPEATS = 5


def made_up(rows: int, seed: int) -> tuple[Any, Any]:
    """Float32 columns and a yes-or-no outcome."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    probability = 1 / (1 + np.exp(-score + 0.3 * matrix[:, 4:10].sum(axis=1)))
    return matrix, (random.random(rows) < probability).astype(float)


def fit_ours(matrix: Any, outcome: Any) -> BoostedModel:
    """The same trees as LightGBM's: 31 leaves, 255 bins; like it without training deviance."""
    settings = BoostSettings(
        n_trees=TREES,
        interaction_depth=LEAVES - 1,
        min_cases_in_node=20,
        bag_fraction=1.0,
        precision="histogram",
        keeps_train_deviance=False,
    )
    return fit(
        TrainingCases(inputs=inputs_of_matrix(matrix), outcome=outcome), Bernoulli, {}, settings
    )


def fit_lightgbm(matrix: Any, outcome: Any, threads: int) -> Any:
    """LightGBM with its defaults but the settings under comparison; binning included."""
    import lightgbm

    settings = {
        "objective": "binary",
        "num_leaves": LEAVES,
        "learning_rate": 0.1,
        "max_bin": 255,
        "min_data_in_leaf": 20,
        "num_threads": threads,
        "verbose": -1,
    }
    data = lightgbm.Dataset(matrix, outcome, params=settings)
    return lightgbm.train(settings, data, TREES)


def log_loss(outcome: Any, probability: Any) -> float:
    """Mean log loss."""
    probability = np.clip(probability, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(outcome > 0, np.log(probability), np.log1p(-probability))))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and the result."""
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def fits(matrix: Any, outcome: Any) -> dict[str, Callable[[], Any]]:
    """Our training and, where it is installed, LightGBM's."""
    sides = {"payoff": lambda: fit_ours(matrix, outcome)}
    try:
        import lightgbm  # noqa: F401 - only asked whether it is there
    except ImportError:
        return sides
    return {**sides, "LightGBM": lambda: fit_lightgbm(matrix, outcome, threads())}


def predict(name: str, model: Any, matrix: Any) -> Any:
    """Chances of the event, by either side."""
    if name == "payoff":
        return model.response(inputs_of_matrix(matrix))[0]
    return model.predict(matrix, num_threads=threads())


def race(rows: int) -> None:
    """Print medians of fit and prediction and the difference of log losses."""
    fit_seconds: dict[str, list[float]] = {}
    predict_seconds: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {}
    for repeat in range(REPEATS):
        matrix, outcome = made_up(rows, 2 * repeat + 1)
        held, truth = made_up(PREDICTED_ROWS, 2 * repeat + 2)
        for name, train in fits(matrix, outcome).items():
            seconds, model = timed(train)
            fit_seconds.setdefault(name, []).append(seconds)
            seconds, probability = timed(lambda n=name, m=model, h=held: predict(n, m, h))
            predict_seconds.setdefault(name, []).append(seconds)
            losses.setdefault(name, []).append(log_loss(truth, probability))
    print(f"\n{rows:,} x {COLUMNS}, {TREES} trees, {LEAVES} leaves; medians of {REPEATS}")
    print_side_by_side("fit", f"trees on {rows:,} rows", fit_seconds, SIZES.get(rows))
    title = f"predict {PREDICTED_ROWS:,} rows"
    what = f"scores of {PREDICTED_ROWS:,} rows, trees of {rows:,}"
    print_side_by_side(title, what, predict_seconds, PREDICT_TARGET)
    for name, values in losses.items():
        print(f"  log loss, {name:<10} {' '.join(f'{value:.4f}' for value in values)}")
    if len(losses) == 2:
        less = np.subtract(*losses.values())
        error = less.std(ddof=1) / np.sqrt(less.shape[0])
        print(f"  difference {less.mean():+.4f}, standard error {error:.4f}")


def print_side_by_side(
    title: str, what: str, seconds: dict[str, list[float]], target: float | None
) -> None:
    """Print medians, spreads and the ratio to ours; ``what``: the aim in the overview."""
    ours = statistics.median(seconds["payoff"])
    for name, values in seconds.items():
        middle = statistics.median(values)
        spread = f"{min(values):.3f} to {max(values):.3f}"
        print(f"  {title}, {name:<10} median {middle:7.3f} s ({spread})  {middle / ours:5.2f}x")
    if target is not None and len(seconds) == 2:
        ratio = statistics.median(seconds["LightGBM"]) / ours
        print_aim(what, f"{target:g} x LightGBM", f"{ratio:.2f} x", ratio >= target)


def main() -> None:
    """Run the sizes asked for, all of them without arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="*", default=list(SIZES))
    print_machine()
    matrix, outcome = made_up(20_000, 0)
    seconds, model = timed(lambda: fit_ours(matrix, outcome))
    predict("payoff", model, matrix)
    counts = cache_hits()
    print(f"first fit in this process {seconds:.2f} s, {counts.compiled} kernels compiled")
    for rows in parser.parse_args().rows:
        race(rows)


if __name__ == "__main__":
    main()
