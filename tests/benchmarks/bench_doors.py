"""The public functions, everything included, beside what a user would call or write instead.

    python -m tests.benchmarks.bench_doors [DOOR ...] [--rows ROWS] [--processor]

The clock runs from the call to the answer: input is a pandas table, the answer is what a user
reads. Every turn has a table of its own, which differs from the last in one number, so that nothing
of it is known to Payoff before. The peer is handed the same table. Each door has a
process of its own; its first call, which loads libraries and compiled kernels, is printed apart.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import payoff
from core.uplift.ranked.curves import JOINT_CODES, SEPARATE_CODES
from tests.benchmarks.harness import LEAST_RUNS, add_clock, clock_of, print_aim, print_machine

Calls = Mapping[str, Callable[[pd.DataFrame], Any]]

COLUMNS = 28
TREES = 100
LEAVES = 31
CHARTED = ["auc", "average_precision", "log_loss", "brier"]
DEPTHS = np.linspace(0.0, 1.0, 1_001)


@dataclass
class Clock:
    """What seconds are counted by."""

    now: Callable[[], float] = time.perf_counter

    def medians(
        self, calls: Calls, table: pd.DataFrame, runs: int = LEAST_RUNS
    ) -> dict[str, float]:
        """Median seconds of each call, the calls taking turns; one round before is not counted."""
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for turn in range(runs + 1):
            given = anew(table, turn)
            for name, call in calls.items():
                begun = self.now()
                answer = call(given)
                seconds = self.now() - begun
                del answer
                if turn:
                    taken[name].append(seconds)
                elif name == "payoff":
                    print(f"  first call {seconds:9.4f} s")
        return {name: statistics.median(runs_) for name, runs_ in taken.items()}

    def race(self, title: str, calls: Calls, table: pd.DataFrame, aim: float) -> None:
        """Print medians, and how many times as fast as the peer (the second call) we are."""
        print(f"\n{title}")
        found = self.medians(calls, table)
        for name, seconds in found.items():
            print(f"  {name:<44}{seconds:9.4f} s")
        peer = next(name for name in found if name != "payoff")
        ratio = found[peer] / found["payoff"]
        print_aim(title, f"{aim:g} x {peer}", f"{ratio:.2f} x", ratio >= aim)

    def alone(
        self,
        title: str,
        call: Callable[[pd.DataFrame], Any],
        table: pd.DataFrame,
        aim: float,
        runs: int = 50,
    ) -> None:
        """Print the median of a call that has no peer; the aim is seconds."""
        print(f"\n{title}")
        seconds = self.medians({"payoff": call}, table, runs)["payoff"]
        print_aim(title, f"under {aim * 1e3:g} ms", f"{seconds * 1e3:.2f} ms", seconds < aim)


def move(table: pd.DataFrame, turn: int) -> None:
    """Move the first number of a table a little: other data, as far as Payoff can know."""
    kinds = enumerate(table.dtypes)
    place = next(place for place, kind in kinds if pd.api.types.is_float_dtype(kind))
    table.iloc[0, place] = table.iat[0, place] * (1.0 - 1e-9 * (turn + 1))


def anew(table: pd.DataFrame, turn: int) -> pd.DataFrame:
    """A copy of a table with other data."""
    copy = table.copy()
    move(copy, turn)
    return copy


def made_up(rows: int, seed: int = 1) -> pd.DataFrame:
    """28 numbers and a yes-or-no outcome that depends on some of them."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(rows, COLUMNS))
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    probability = 1 / (1 + np.exp(-score + 0.3 * matrix[:, 4:10].sum(axis=1)))
    table = pd.DataFrame(matrix, columns=[f"x{place}" for place in range(COLUMNS)])
    table["y"] = (random.random(rows) < probability).astype(np.int64)
    return table


def boost(table: pd.DataFrame) -> Any:
    """Our training, with the loss after every tree as its user sees it."""
    return payoff.boost(
        table,
        target="y",
        distribution="bernoulli",
        n_trees=TREES,
        interaction_depth=LEAVES - 1,
        min_cases_in_node=20,
        bag_fraction=1.0,
    )


def light(table: pd.DataFrame) -> Any:
    """LightGBM's with its defaults but the settings under comparison, and its training loss."""
    import lightgbm

    settings = {"objective": "binary", "metric": "binary_logloss", "num_leaves": LEAVES}
    settings |= {"learning_rate": 0.1, "max_bin": 255, "min_data_in_leaf": 20, "verbose": -1}
    data = lightgbm.Dataset(table.drop(columns="y"), table["y"], params=settings)
    seen: dict[str, Any] = {}
    return lightgbm.train(
        settings,
        data,
        TREES,
        valid_sets=[data],
        callbacks=[lightgbm.record_evaluation(seen)],
    )


def door_boost(clock: Clock, rows: int | None) -> None:
    """Fit, from table to model."""
    for size, aim in ((10_000, 1.2), (100_000, 2.0), (1_000_000, 2.2)):
        if rows in (None, size):
            table = made_up(size)
            title = f"boost, {size:,} x {COLUMNS}, {TREES} trees"
            clock.race(title, {"payoff": boost, "LightGBM": light}, table, aim)


def door_predict(clock: Clock, rows: int | None) -> None:
    """Chances of new cases, many and one."""
    table = made_up(100_000)
    ours, theirs = boost(table), light(table)
    held = made_up(rows or 1_000_000, 2).drop(columns="y")
    title = f"predict, {len(held):,} x {COLUMNS}, {TREES} trees"
    clock.race(title, {"payoff": ours.predict, "LightGBM": theirs.predict}, held, 10.0)
    clock.alone("predict, one row", ours.predict, held.iloc[:1], 0.3e-3)


def probabilities(rows: int) -> pd.DataFrame:
    """Chances of three classes, the class that came true."""
    random = np.random.default_rng(3)
    raw = random.random((rows, 3)) + 0.05
    raw /= raw.sum(axis=1, keepdims=True)
    table = pd.DataFrame(raw, columns=["p_a", "p_b", "p_c"])
    drawn = (random.random(rows)[:, None] > raw.cumsum(axis=1)[:, :2]).sum(axis=1)
    table["y"] = pd.Categorical.from_codes(drawn, ["a", "b", "c"])
    return table


MATRIX = {"a": [10.0, 4.0, -2.0, 0.0], "b": [-3.0, 2.0, 5.0, 0.0], "c": [-8.0, -1.0, 3.0, 0.0]}
NAMES = ["One", "Two", "Three", "None"]


def decide(table: pd.DataFrame) -> Any:
    """Decision, its expected and computed consequence for every case, and the totals."""
    decided = payoff.decide(
        table,
        target="y",
        posteriors={"a": "p_a", "b": "p_b", "c": "p_c"},
        matrix=MATRIX,
        decisions=NAMES,
    )
    return decided.total, decided.table


def by_hand(table: pd.DataFrame) -> Any:
    """The same by the numpy lines that a user would write."""
    matrix = np.array(list(MATRIX.values()))
    expected = table[["p_a", "p_b", "p_c"]].to_numpy() @ matrix
    best = expected.argmax(axis=1)
    rows = np.arange(len(table))
    computed = matrix[table["y"].cat.codes.to_numpy(), best]
    answer = pd.DataFrame(
        {
            "decision": pd.Categorical.from_codes(best, NAMES),
            "expected": expected[rows, best],
            "computed": computed,
        }
    )
    return computed.sum(), answer


def door_decide(clock: Clock, rows: int | None) -> None:
    """Decisions with their table."""
    table = probabilities(rows or 10_000_000)
    title = f"decide, {len(table):,} x 3 classes x 4 decisions, with its table"
    clock.race(title, {"payoff": decide, "numpy and pandas": by_hand}, table, 1.0)
    clock.alone("decide, 100 rows", decide, table.iloc[:100].reset_index(drop=True), 3e-3)


def scored(rows: int) -> pd.DataFrame:
    """A chance and an outcome."""
    random = np.random.default_rng(4)
    latent = random.normal(size=rows)
    outcome = (random.random(rows) < 1 / (1 + np.exp(3 - latent))).astype(np.int64)
    score = 1 / (1 + np.exp(3 - latent - random.normal(0, 0.5, rows)))
    return pd.DataFrame({"y": outcome, "p": score})


def evaluate(table: pd.DataFrame) -> Any:
    """Four metrics, ROC and gains."""
    found = payoff.evaluate(table, outcome="y", scores=["p"], metrics=CHARTED, intervals=False)
    return found.table, found.curve("roc", "p"), found.curve("gains", "p")


def sklearn_metrics(table: pd.DataFrame) -> Any:
    """The same by scikit-learn; gains by a sort."""
    from sklearn import metrics

    y, p = table["y"].to_numpy(), table["p"].to_numpy()
    figures = [
        metrics.roc_auc_score(y, p),
        metrics.average_precision_score(y, p),
        metrics.log_loss(y, p),
        metrics.brier_score_loss(y, p),
    ]
    captured = np.cumsum(y[np.argsort(-p, kind="stable")])
    places = (DEPTHS * len(y)).astype(np.int64)
    return figures, metrics.roc_curve(y, p), np.concatenate([[0], captured])[places] / captured[-1]


def resampled(table: pd.DataFrame) -> Any:
    """The same metrics with intervals from 1,000 resamples."""
    return payoff.evaluate(table, outcome="y", scores=["p"], metrics=CHARTED, resamples=1_000).table


def door_evaluate(clock: Clock, rows: int | None) -> None:
    """Metrics and curves, with and without intervals."""
    table = scored(rows or 10_000_000)
    title = f"evaluate, {len(table):,} rows, four metrics and two curves"
    clock.race(title, {"payoff": evaluate, "scikit-learn": sklearn_metrics}, table, 6.0)
    table = table.iloc[:1_000_000].reset_index(drop=True)
    title = "evaluate, 1,000,000 rows, four metrics with 1,000 resamples"
    clock.alone(title, resampled, table, 3.0, LEAST_RUNS)


def experiment(rows: int) -> pd.DataFrame:
    """Outcome, arm and score of a made-up experiment."""
    random = np.random.default_rng(5)
    score = random.random(rows)
    treated = random.random(rows) < 0.5
    outcome = random.random(rows) < 0.2 + treated * 0.1 * (score - 0.3)
    return pd.DataFrame({"y": outcome.astype(np.int64), "t": treated.astype(np.int64), "s": score})


def uplift(table: pd.DataFrame) -> Any:
    """The areas of all variants with their intervals, and the guard's checks."""
    found = payoff.uplift(table, outcome="y", treatment="t", scores="s")
    return found.guard, [found.area(variant, "s") for variant in (*JOINT_CODES, *SEPARATE_CODES)]


def sklift_metrics(table: pd.DataFrame) -> Any:
    """Two areas and a curve by scikit-uplift."""
    from sklift import metrics

    warnings.simplefilter("ignore", FutureWarning)  # of what scikit-uplift calls
    given = table["y"], table["s"], table["t"]
    areas = metrics.qini_auc_score(*given), metrics.uplift_auc_score(*given)
    return areas, metrics.qini_curve(*given)


def door_uplift(clock: Clock, rows: int | None) -> None:
    """All variants of uplift, the guard's checks among them."""
    table = experiment(rows or 1_000_000)
    title = f"uplift, {len(table):,} rows, all variants"
    try:
        import sklift  # noqa: F401 - only asked whether it is there
    except ImportError:
        print("scikit-uplift is not installed: no peer")
        clock.alone(title, uplift, table, 1.0, LEAST_RUNS)
        return
    peer = "two areas and a curve of scikit-uplift"
    clock.race(title, {"payoff": uplift, peer: sklift_metrics}, table, 8.0)


def door_import(clock: Clock, rows: int | None) -> None:
    """``import payoff`` in a new process, the start of Python taken off."""
    del rows

    def started(line: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", line], check=True)
        return time.perf_counter() - begun

    pairs = [(started("pass"), started("import payoff")) for _ in range(2 * LEAST_RUNS)]
    seconds = statistics.median(after - before for before, after in pairs)
    print_aim("import payoff", "under 150 ms", f"{seconds * 1e3:.0f} ms", seconds < 0.15)


DOORS = {
    "boost": door_boost,
    "predict": door_predict,
    "decide": door_decide,
    "evaluate": door_evaluate,
    "uplift": door_uplift,
    "import": door_import,
}


def main() -> None:
    """Measure the doors asked for, all of them without arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("doors", nargs="*", help=", ".join(DOORS))
    parser.add_argument("--rows", type=int)
    add_clock(parser)
    requested = parser.parse_args()
    if not requested.doors:  # each in a process of its own: what one door's peer leaves is not ours
        for name in DOORS:
            command = [sys.executable, "-m", "tests.benchmarks.bench_doors", name, *sys.argv[1:]]
            subprocess.run(command, check=True)
        return
    print_machine()
    clock = Clock(clock_of(requested))
    for name in requested.doors:
        print(f"\n{name}: {DOORS[name].__doc__}")
        DOORS[name](clock, requested.rows)


if __name__ == "__main__":
    main()
