"""What the public functions cost as work grows: a table and a picture of each, docs/growth.md.

    python -m tests.studies.growth [NAME ...] [--write] [--minutes MINUTES]

One thing grows at a time, the others stay where a first user would have them. Costs are given for
a million rows, so that a line is flat where work and time grow together. Medians of three calls
after one that is not counted; a call that takes longer than some seconds is made once. Sizes that
memory or the minutes do not allow are left out and named. The page and a picture are written after
each thing that grew, so that nothing is lost where the study is stopped.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pandas as pd

import payoff
from core.presentation.charts.chart import AxisSpec, Chart, SeriesSpec
from tests.benchmarks import bench_doors as doors

DOCS = Path(__file__).resolve().parents[2] / "docs"
RUNS = 3
LONG = 4.0  # seconds of a call that is not made again
MEMORY_SHARE = 0.6  # of what is free that one size may need
ROWS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
Found = list[tuple[int, int, float]]  # size, rows, seconds
Call = Callable[[], Any]


@dataclass(frozen=True)
class Growth:
    """How one function's cost grows with one thing."""

    key: str
    door: str
    by: str  # what grows
    sizes: tuple[int, ...]
    make: Callable[[int], tuple[Call, pd.DataFrame]]  # size -> the call, and what it reads
    why: str  # where the line bends
    row_bytes: int = 0  # memory for a row at the peak, where rows grow


def of_decide(rows: int, classes: int = 3) -> tuple[Call, pd.DataFrame]:
    """Decide with its table."""
    if classes == 3:
        table = doors.probabilities(rows)
        return (lambda: doors.decide(table)), table
    random = np.random.default_rng(classes)
    raw = random.random((rows, classes)) + 0.05
    raw /= raw.sum(axis=1, keepdims=True)
    names = [f"c{place}" for place in range(classes)]
    table = pd.DataFrame(raw, columns=[f"p_{name}" for name in names])
    matrix = {name: random.normal(size=4).tolist() for name in names}
    columns = {name: f"p_{name}" for name in names}

    def call() -> Any:
        return payoff.decide(table, posteriors=columns, matrix=matrix, decisions=doors.NAMES).table

    return call, table


def of_evaluate(rows: int, models: int = 1, draws: int = 0) -> tuple[Call, pd.DataFrame]:
    """Evaluate on four metrics."""
    table = doors.scored(rows)
    names = [f"p{place}" for place in range(models)]
    random = np.random.default_rng(6)
    for name in names:
        noise = random.normal(0, 0.02, rows)
        table[name] = np.clip(table["p"] + noise, 1e-6, 1 - 1e-6)

    def call() -> Any:
        return payoff.evaluate(
            table,
            outcome="y",
            scores=names,
            metrics=doors.CHARTED,
            intervals=draws > 0,
            resamples=max(draws, 1),
        ).table

    return call, table


def of_boost(rows: int, columns: int = doors.COLUMNS) -> tuple[Call, pd.DataFrame]:
    """Fit 100 trees."""
    table = doors.made_up(rows)
    random = np.random.default_rng(7)
    more = {f"x{at}": random.normal(size=rows) for at in range(doors.COLUMNS, columns)}
    table = pd.concat([table, pd.DataFrame(more, index=table.index)], axis=1)
    kept = [f"x{place}" for place in range(columns)]
    return (lambda: doors.boost(table[[*kept, "y"]])), table


def of_classes(rows: int, classes: int) -> tuple[Call, pd.DataFrame]:
    """Fit 100 rounds, a tree for each class in every one."""
    table = doors.made_up(rows)
    score = table["x0"] + table["x1"] + np.random.default_rng(9).normal(size=rows)
    table["y"] = pd.qcut(score, classes, labels=[f"c{place}" for place in range(classes)])

    def call() -> Any:
        return payoff.boost(
            table,
            target="y",
            distribution="multinomial",
            n_trees=doors.TREES,
            interaction_depth=doors.LEAVES - 1,
            min_cases_in_node=20,
            bag_fraction=1.0,
        )

    return call, table


def of_predict(rows: int, columns: int = doors.COLUMNS) -> tuple[Call, pd.DataFrame]:
    """Score with 100 trees."""
    kept = [f"x{place}" for place in range(columns)]
    model = doors.boost(doors.made_up(20_000)[[*kept, "y"]])
    held = doors.made_up(rows, 2)[kept]
    return (lambda: model.predict(held)), held


def of_uplift(rows: int, draws: int = 0) -> tuple[Call, pd.DataFrame]:
    """All areas of uplift; with draws the resampled error of one."""
    table = doors.experiment(rows)
    if not draws:
        return (lambda: doors.uplift(table)), table

    def call() -> Any:
        found = payoff.uplift(table, outcome="y", treatment="t", scores="s")
        return found.area("generalised", "s", draws=draws)

    return call, table


GROWTHS = (
    Growth(
        "predict-rows",
        "predict",
        "rows",
        ROWS,
        of_predict,
        "Below 100,000 rows the second thread is not worth waking.",
        500,
    ),
    Growth(
        "boost-rows",
        "boost",
        "rows",
        ROWS[:4],
        of_boost,
        "Few rows: each of 31 leaves searches 255 bins of 28 columns, whatever the rows. From "
        "1,000,000 on gradients and scores outgrow the caches of the processor.",
        800,
    ),
    Growth(
        "boost-classes",
        "boost",
        "classes",
        (2, 4, 8, 16),
        lambda classes: of_classes(30_000, classes),
        "A round grows a tree for each class: work is classes times rows.",
    ),
    Growth(
        "boost-columns",
        "boost",
        "columns",
        (7, 28, 112, 448),
        lambda columns: of_boost(50_000, columns),
        "A tile of 28 columns is counted at a time: more are more passes over the rows.",
    ),
    Growth(
        "predict-columns",
        "predict",
        "columns",
        (7, 14, 28),
        lambda columns: of_predict(1_000_000, columns),
        "Every column is binned once; the trees are as many whatever the columns.",
    ),
    Growth(
        "decide-rows",
        "decide",
        "rows",
        ROWS,
        of_decide,
        "Few rows: what a call costs whatever it is asked, some milliseconds.",
        150,
    ),
    Growth(
        "decide-classes",
        "decide",
        "classes",
        (2, 5, 10, 20, 40),
        lambda classes: of_decide(300_000, classes),
        "Up to three classes the choice is three lines compared; beyond, products of a matrix.",
    ),
    Growth(
        "evaluate-rows",
        "evaluate",
        "rows",
        ROWS,
        of_evaluate,
        "From 1,000,000 rows on the keys of the sort outgrow the caches of the processor.",
        110,
    ),
    Growth(
        "evaluate-models",
        "evaluate",
        "models",
        (1, 2, 4, 8),
        lambda models: of_evaluate(300_000, models),
        "Each model is sorted by itself; the outcome is read once.",
    ),
    Growth(
        "evaluate-draws",
        "evaluate",
        "resamples",
        (100, 300, 1_000, 3_000),
        lambda draws: of_evaluate(100_000, 1, draws),
        "A draw costs a pass over the ranked rows; the sort is done once.",
    ),
    Growth(
        "uplift-rows",
        "uplift",
        "rows",
        ROWS,
        of_uplift,
        "Few rows: checks of the guard, some milliseconds whatever the rows. At 100,000,000 the "
        "arms and outcomes, read in the order of the scores, are in no cache: a third of the time "
        "is that.",
        110,
    ),
    Growth(
        "uplift-draws",
        "uplift",
        "draws",
        (100, 300, 1_000, 3_000),
        lambda draws: of_uplift(200_000, draws),
        "Few draws: sorting and the checks, done once; then a draw costs a pass over the blocks.",
    ),
)


def seconds_of(call: Call, table: pd.DataFrame) -> float:
    """Median seconds of some calls, each on other data, one before them not counted.

    Of a call that takes long, the first.
    """

    def once(turn: int) -> float:
        doors.move(table, turn)
        begun = time.perf_counter()
        answer = call()
        seconds = time.perf_counter() - begun
        del answer
        return seconds

    first = once(0)
    return first if first > LONG else statistics.median(once(turn + 1) for turn in range(RUNS))


def free_bytes() -> int:
    """Memory that is free (without an end where the system does not say)."""
    place = Path("/proc/meminfo")
    lines = place.read_text("utf-8").splitlines() if place.exists() else []
    found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")]
    return found[0] if found else 2**62


def measured(growth: Growth, end: float) -> Found:
    """Size, rows and seconds of every size that memory allows and that can be had by ``end``."""
    found: Found = []
    spent = 0.0
    for size in growth.sizes:
        if growth.by == "rows" and size * growth.row_bytes > MEMORY_SHARE * free_bytes():
            print(f"{growth.key} {size:,}: not enough memory", flush=True)
            break
        more = spent * size / found[-1][0] if found else 0.0
        if time.monotonic() + more > end:
            print(f"{growth.key} {size:,}: not enough time", flush=True)
            break
        begun = time.monotonic()
        call, table = growth.make(size)
        if not found:
            call()  # loads libraries and compiled kernels
        found.append((size, len(table), seconds_of(call, table)))
        spent = time.monotonic() - begun
        print(f"{growth.key} {size:,}: {found[-1][2]:.4f} s", flush=True)
        del call, table
    return found


def picture(growth: Growth, found: Found, path: Path) -> None:
    """Draw seconds for a million rows by size."""
    from PySide6.QtWidgets import QApplication

    from gui.charts.export.export import export_chart

    application = QApplication.instance() or QApplication([])
    costs = np.array([seconds / rows * 1e6 for _, rows, seconds in found])
    places = np.arange(len(found), dtype=np.float64)
    words = tuple(f"{size:,}" for size, _, _ in found)
    # Powers of ten: a call of few rows costs a thousand times as much by the row.
    low = math.floor(math.log10(costs.min()))
    high = max(math.ceil(math.log10(costs.max())), low + 1)
    powers = tuple(f"{10.0**power:g}" for power in range(low, high + 1))
    chart = Chart(
        kind="growth",
        title=f"{growth.door} as {growth.by} grow",
        subtitle="seconds for a million rows",
        x_axis=AxisSpec(label=growth.by, quantity="number", low=0.0, high=places[-1], words=words),
        y_axis=AxisSpec(
            label="seconds for a million rows",
            quantity="number",
            low=0.0,
            high=float(high - low),
            words=powers,
        ),
        series=(SeriesSpec(name=growth.door, series=0, x=places, y=np.log10(costs) - low),),
    )
    export_chart(chart, str(path), width_mm=160.0, height_mm=80.0)
    assert application is not None


def rows_of(growth: Growth, found: Found) -> Iterable[str]:
    """The rows of the table of one growth."""
    for size, rows, seconds in found:
        cost = seconds / rows * 1e6
        yield f"| {growth.door} | {size:,} {growth.by} | {rows:,} | {seconds:.4f} | {cost:.3f} |"


def page(found: dict[str, Found]) -> str:
    """The text of docs/growth.md."""
    known = {growth.key: growth for growth in GROWTHS}
    day = datetime.date.today().isoformat()
    cores = os.cpu_count()
    lines = [
        "# Cost as work grows",
        "",
        "Made by `python -m tests.studies.growth --write`, "
        f"{day}, {cores} cores, Python {platform.python_version()}.",
        "Public functions, everything included; a flat line: time grows as the work does.",
        "",
    ]
    for key, measurements in found.items():
        growth = known[key]
        lines += [f"## {growth.door} by {growth.by}", ""]
        lines += [f"![{growth.door} by {growth.by}](pictures/growth-{key}.svg)", "", growth.why, ""]
        left_out = ", ".join(f"{size:,}" for size in growth.sizes[len(measurements) :])
        if left_out:
            lines += [f"Not measured, for want of memory or time: {left_out} {growth.by}.", ""]
        lines += ["| function | size | rows | seconds | seconds for a million rows |"]
        lines += ["|---|---|---|---|---|", *rows_of(growth, measurements), ""]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the page with its pictures where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(growth.key for growth in GROWTHS))
    parser.add_argument("--write", action="store_true", help="make docs/growth.md")
    parser.add_argument("--minutes", type=float, default=10.0, help="after which it ends")
    requested = parser.parse_args()
    end = time.monotonic() + 60.0 * requested.minutes
    found: dict[str, Found] = {}
    for growth in GROWTHS:
        if requested.names and growth.key not in requested.names:
            continue
        measurements = measured(growth, end)
        if not measurements:
            continue
        found[growth.key] = measurements
        if requested.write:
            picture(growth, measurements, DOCS / "pictures" / f"growth-{growth.key}.svg")
            (DOCS / "growth.md").write_text(page(found), "utf-8")


if __name__ == "__main__":
    main()
