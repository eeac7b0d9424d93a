"""Boosting beside LightGBM: time of fit and prediction, log loss on held-out rows, peak memory.

    python -m tests.benchmarks.bench_boosting --rows 100000 --repeats 5 --threads 2

LightGBM is wanted for the comparison (extra ``benchmark``); without it only our own figures are
printed. Compiling is timed apart. Both sides alternate; medians are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from core.boosting import BoostedModel, BoostSettings, Cases, fit, inputs_of_matrix
from core.kernels import set_threads
from plugins.distributions.bernoulli import BERNOULLI

COLUMNS = 28
TREES = 100
LEAVES = 31


def made_up(rows: int, seed: int) -> tuple[Any, Any]:
    """Float32 columns and a yes-or-no outcome."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    chance = 1 / (1 + np.exp(-score + 0.3 * matrix[:, 4:10].sum(axis=1)))
    return matrix, (random.random(rows) < chance).astype(float)


def fit_ours(matrix: Any, outcome: Any) -> BoostedModel:
    """The same trees as LightGBM's: 31 leaves, 255 bins; like it without training deviance."""
    settings = BoostSettings(
        n_trees=TREES, interaction_depth=LEAVES - 1, min_cases_in_node=20, bag_fraction=1.0,
        precision="histogram", keeps_train_deviance=False,
    )  # fmt: skip
    return fit(Cases(inputs=inputs_of_matrix(matrix), outcome=outcome), BERNOULLI, {}, settings)


def fit_lightgbm(matrix: Any, outcome: Any, threads: int) -> Any:
    """LightGBM with its defaults but the settings under comparison; binning included."""
    import lightgbm

    settings = {
        "objective": "binary", "num_leaves": LEAVES, "learning_rate": 0.1, "max_bin": 255,
        "min_data_in_leaf": 20, "num_threads": threads, "verbose": -1,
    }  # fmt: skip
    data = lightgbm.Dataset(matrix, outcome, params=settings)
    return lightgbm.train(settings, data, TREES)


def log_loss(outcome: Any, chance: Any) -> float:
    """Mean log loss."""
    chance = np.clip(chance, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(outcome > 0, np.log(chance), np.log1p(-chance))))


def resident() -> int:
    """Resident memory in bytes (Linux)."""
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * 4096


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds, megabytes added at the peak, and the result."""
    before, peak, done = resident(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.005):
            peak[0] = max(peak[0], resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - began
    done.set()
    watcher.join()
    return seconds, max(0, peak[0] - before) / 1e6, result


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    set_threads(asked.threads)
    matrix, outcome = made_up(asked.rows, 1)
    held, truth = made_up(100_000, 2)
    inputs = inputs_of_matrix(held)
    sides: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        "ours": (lambda: fit_ours(matrix, outcome), lambda model: model.response(inputs)[0])
    }
    try:
        import lightgbm  # noqa: F401

        sides["lightgbm"] = (
            lambda: fit_lightgbm(matrix, outcome, asked.threads),
            lambda model: model.predict(held, num_threads=asked.threads),
        )
    except ImportError:
        pass
    began = time.perf_counter()
    fit_ours(matrix[:20_000], outcome[:20_000]).response(inputs)
    figures: dict[str, Any] = {"rows": asked.rows, "first_use_seconds": time.perf_counter() - began}
    runs: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in sides}
    for _ in range(asked.repeats):
        for name, (train, predict) in sides.items():
            seconds, memory, model = timed(train)
            scoring, _, chance = timed(lambda p=predict, m=model: p(m))
            runs[name].append((seconds, scoring, memory, log_loss(truth, chance)))
    for name, values in runs.items():
        names = ("fit_seconds", "predict_100k_seconds", "peak_added_mb", "log_loss")
        middle = [statistics.median(column) for column in zip(*values, strict=True)]
        figures[name] = dict(zip(names, middle, strict=True))
    if "lightgbm" in figures:
        for name in ("fit_seconds", "predict_100k_seconds"):
            figures[f"times_faster_{name}"] = figures["lightgbm"][name] / figures["ours"][name]
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
