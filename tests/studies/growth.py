"""What the public functions cost as work grows: a table and a picture of each, docs/growth.md.

    python -m tests.studies.growth [NAME ...] [--write]

One thing grows at a time, the others stay where a first user would have them. Costs are given for
a million rows, so that a line is flat where work and time grow together. Medians of three calls
after one that is not counted; peak memory of the largest is what the process adds.
"""

from __future__ import annotations

import argparse
import datetime
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
from core.presentation.chart import AxisSpec, Chart, SeriesSpec
from tests.benchmarks import bench_doors as doors

DOCS = Path(__file__).resolve().parents[2] / "docs"
RUNS = 3
ROWS = (10_000, 100_000, 1_000_000, 10_000_000)
Call = Callable[[], Any]


@dataclass(frozen=True)
class Growth:
    """How one function's cost grows with one thing."""

    key: str
    door: str
    by: str  # what grows
    sizes: tuple[int, ...]
    make: Callable[[int], tuple[Call, int]]  # size -> the call, and the rows that it reads
    why: str  # where the line bends


def of_decide(rows: int, classes: int = 3) -> tuple[Call, int]:
    """Decide with its table."""
    if classes == 3:
        table = doors.chances(rows)
        return (lambda: doors.decide(table)), rows
    random = np.random.default_rng(classes)
    raw = random.random((rows, classes)) + 0.05
    raw /= raw.sum(axis=1, keepdims=True)
    names = [f"c{place}" for place in range(classes)]
    table = pd.DataFrame(raw, columns=[f"p_{name}" for name in names])
    matrix = {name: random.normal(size=4).tolist() for name in names}
    columns = {name: f"p_{name}" for name in names}

    def call() -> Any:
        return payoff.decide(table, posteriors=columns, matrix=matrix, decisions=doors.NAMES).table

    return call, rows


def of_evaluate(rows: int, models: int = 1, draws: int = 0) -> tuple[Call, int]:
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

    return call, rows


def of_boost(rows: int, columns: int = doors.COLUMNS) -> tuple[Call, int]:
    """Fit 100 trees."""
    table = doors.made_up(rows)
    random = np.random.default_rng(7)
    for place in range(doors.COLUMNS, columns):
        table[f"x{place}"] = random.normal(size=rows)
    kept = [f"x{place}" for place in range(columns)]
    return (lambda: doors.boost(table[[*kept, "y"]])), rows


def of_predict(rows: int) -> tuple[Call, int]:
    """Score with 100 trees."""
    model = doors.boost(doors.made_up(20_000))
    held = doors.made_up(rows, 2).drop(columns="y")
    return (lambda: model.predict(held)), rows


def of_uplift(rows: int) -> tuple[Call, int]:
    """All areas of uplift."""
    table = doors.experiment(rows)
    return (lambda: doors.uplift(table)), rows


GROWTHS = (
    Growth(
        "predict-rows",
        "predict",
        "rows",
        ROWS,
        of_predict,
        "Below 100,000 rows the second thread is not worth waking.",
    ),
    Growth(
        "boost-rows",
        "boost",
        "rows",
        ROWS[:3],
        of_boost,
        "Few rows: each of 31 leaves searches 255 bins of 28 columns, whatever the rows.",
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
        "decide-rows",
        "decide",
        "rows",
        ROWS,
        of_decide,
        "Few rows: what a call costs whatever it is asked, some milliseconds.",
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
        "Few rows: checks of the guard, some milliseconds whatever the rows.",
    ),
)


def seconds_of(call: Call) -> float:
    """Median seconds of some calls, one before them not counted."""
    call()
    taken = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        answer = call()
        taken.append(time.perf_counter() - begun)
        del answer
    return statistics.median(taken)


def measured(growth: Growth) -> list[tuple[int, int, float]]:
    """Size, rows and seconds of every size."""
    found = []
    for size in growth.sizes:
        call, rows = growth.make(size)
        found.append((size, rows, seconds_of(call)))
        print(f"{growth.key} {size:,}: {found[-1][2]:.4f} s", flush=True)
    return found


def picture(growth: Growth, found: list[tuple[int, int, float]], path: Path) -> None:
    """Draw seconds for a million rows by size."""
    from PySide6.QtWidgets import QApplication

    from gui.charts.export.export import export_chart

    application = QApplication.instance() or QApplication([])
    costs = np.array([seconds / rows * 1e6 for _, rows, seconds in found])
    places = np.arange(len(found), dtype=np.float64)
    words = tuple(f"{size:,}" for size, _, _ in found)
    chart = Chart(
        kind="growth",
        title=f"{growth.door} as {growth.by} grow",
        subtitle="seconds for a million rows",
        x_axis=AxisSpec(label=growth.by, quantity="number", low=0.0, high=places[-1], words=words),
        y_axis=AxisSpec(
            label="seconds for a million rows", quantity="number", low=0.0, high=1.1 * costs.max()
        ),
        series=(SeriesSpec(name=growth.door, series=0, x=places, y=costs),),
    )
    export_chart(chart, str(path), width_mm=160.0, height_mm=80.0)
    assert application is not None


def rows_of(growth: Growth, found: Iterable[tuple[int, int, float]]) -> Iterable[str]:
    """The rows of the table of one growth."""
    for size, rows, seconds in found:
        cost = seconds / rows * 1e6
        yield f"| {growth.door} | {size:,} {growth.by} | {rows:,} | {seconds:.4f} | {cost:.3f} |"


def page(found: dict[str, list[tuple[int, int, float]]]) -> str:
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
        lines += ["| function | size | rows | seconds | seconds for a million rows |"]
        lines += ["|---|---|---|---|---|", *rows_of(growth, measurements), ""]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the page with its pictures where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(growth.key for growth in GROWTHS))
    parser.add_argument("--write", action="store_true", help="make docs/growth.md")
    requested = parser.parse_args()
    chosen = [growth for growth in GROWTHS if not requested.names or growth.key in requested.names]
    found = {growth.key: measured(growth) for growth in chosen}
    if requested.write:
        for growth in chosen:
            path = DOCS / "pictures" / f"growth-{growth.key}.svg"
            picture(growth, found[growth.key], path)
        (DOCS / "growth.md").write_text(page(found), "utf-8")


if __name__ == "__main__":
    main()
