"""Where the public functions spend their time: seconds by stage, bytes moved, and the floor.

    python -m tests.studies.stages [NAME ...] [--most ROWS] [--write]

A stage is one of our own functions that the main thread waits for; one that holds most of the time
is taken apart into those it calls. Bytes are what is handed over and what comes back; the floor is
the time in which this machine copies as many. ``--write`` makes docs/stages.md.

The window's own path is there too, as its engine works: a Parquet file opened with its first rows,
the first totals after it, the totals after a cell of the matrix was edited, and the figures at a
cursor that was moved. What is drawn then is not part of it (``tests.benchmarks.bench_cursor``).
"""

from __future__ import annotations

import argparse
import cProfile
import datetime
import functools
import itertools
import os
import platform
import pstats
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import payoff
from core.document.files.project import read_project
from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.engine.options import EngineOptions
from core.questions.data import TableRows
from core.questions.decide import AtDepth, Totals
from tests.benchmarks import bench_doors as doors

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "stages.md"
SIZES = (10_000, 1_000_000, 10_000_000)
MOST_STAGES = 7
LEAST = 0.04  # of the time: smaller stages are the rest
WHOLE = 0.5  # of the time: a stage that holds more is taken apart
OWN = tuple(f"{ROOT / room}{os.sep}" for room in ("core", "payoff", "plugins"))
Call = Callable[[], Any]
Place = tuple[str, int, str]  # file, line, function, as the profiler keeps it


@dataclass(frozen=True)
class Measured:
    """One function at one size."""

    door: str
    rows: int
    seconds: float
    stages: tuple[tuple[str, float], ...]  # what is called, and its seconds
    moved: int  # bytes in and out


def bytes_of(value: object) -> int:
    """Bytes of a table, of arrays, and of what holds such."""
    if isinstance(value, pd.DataFrame):
        return int(value.memory_usage(deep=True, index=False).sum())
    if isinstance(value, np.ndarray | pa.Table):
        return value.nbytes
    if isinstance(value, Path):
        return value.stat().st_size
    if isinstance(value, tuple | list):
        return sum(bytes_of(entry) for entry in value)
    return 0


def of_boost(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.made_up(rows)
    return (lambda: doors.boost(table)), table


def of_predict(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    model, held = doors.boost(doors.made_up(10_000)), doors.made_up(rows, 2).drop(columns="y")
    return (lambda: model.predict(held)), held


def of_decide(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.probabilities(rows)
    return (lambda: doors.decide(table)), table


def of_apply(rows: int, folder: Path) -> tuple[Call, object]:
    doors.probabilities(10_000).to_csv(folder / "rule.csv", index=False)
    payoff.new_project(folder / "rule.csv").save(folder / "rule.payoff")
    cases = doors.probabilities(rows).drop(columns="y")
    return (lambda: payoff.apply(folder / "rule.payoff", cases).table), cases


def of_evaluate(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.scored(rows)
    return (lambda: doors.evaluate(table)), table


def of_compare(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.scored(rows)
    noise = np.random.default_rng(8).normal(0, 0.02, rows)
    table["q"] = np.clip(table["p"] + noise, 1e-6, 1 - 1e-6)

    def call() -> object:
        found = payoff.evaluate(table, outcome="y", scores=["p", "q"], metrics=["auc", "brier"])
        return payoff.compare(found, "p", "q", "auc")

    return call, table


def of_uplift(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.experiment(rows)
    return (lambda: doors.uplift(table)), table


def of_bound(rows: int, folder: Path) -> tuple[Call, object]:
    del folder
    table = doors.scored(rows)
    return (lambda: payoff.bound(table, outcome="y", scores=["p"]).table), table


def of_read(rows: int, folder: Path) -> tuple[Call, object]:
    path = folder / "read.csv"
    doors.made_up(rows).round(4).to_csv(path, index=False)
    return (lambda: payoff.read(path)), path


def window_document(rows: int, folder: Path) -> Document:
    """A project of a Parquet file, as a person has it who opened the file."""
    path = folder / "window.parquet"
    doors.probabilities(rows).to_parquet(path, index=False)
    payoff.new_project(path).save(folder / "window.payoff")
    return read_project(folder / "window.payoff").document


def opened(document: Document) -> LocalEngine:
    """An engine of its own with the file open and its first rows shown."""
    engine = LocalEngine(EngineOptions(safe_mode=True))
    engine.run("load", LoadArguments(path=document.data.path, reader=document.data.reader))
    engine.ask(document, TableRows(start=0, count=50))
    return engine


def of_window_open(rows: int, folder: Path) -> tuple[Call, object]:
    document = window_document(rows, folder)
    return (lambda: opened(document)), Path(document.data.path)


def of_window_totals(rows: int, folder: Path) -> tuple[Call, object]:
    document = window_document(rows, folder)
    return (lambda: opened(document).ask(document, Totals())), Path(document.data.path)


def of_window_edit(rows: int, folder: Path) -> tuple[Call, object]:
    document = window_document(rows, folder)
    engine, turns = opened(document), itertools.count(1)
    engine.ask(document, Totals())

    def call() -> object:
        cells = [list(row) for row in document.matrix.cells]
        cells[0][0] += 0.01 * next(turns)
        matrix = replace(document.matrix, cells=tuple(map(tuple, cells)))
        return engine.ask(replace(document, matrix=matrix), Totals())

    return call, Path(document.data.path)


def of_window_cursor(rows: int, folder: Path) -> tuple[Call, object]:
    document = window_document(rows, folder)
    engine, turns = opened(document), itertools.count(1)
    engine.ask(document, Totals())

    def call() -> object:
        return engine.ask(document, AtDepth(depth=0.3 + 0.01 * next(turns)))

    return call, Path(document.data.path)


DOORS: dict[str, Callable[[int, Path], tuple[Call, object]]] = {
    "boost": of_boost,
    "predict": of_predict,
    "decide": of_decide,
    "apply": of_apply,
    "evaluate": of_evaluate,
    "compare": of_compare,
    "uplift": of_uplift,
    "bound": of_bound,
    "read": of_read,
    "window: open": of_window_open,
    "window: open and first totals": of_window_totals,
    "window: edit": of_window_edit,
    "window: cursor": of_window_cursor,
}
TOO_MUCH = {("read", 10_000_000)}  # 2 GB of text written to be read once


def is_own(place: Place) -> bool:
    """Whether a function is one of the program's."""
    return place[0].startswith(OWN)


def name_of(place: Place) -> str:
    """How a stage is called: its module and its function."""
    return f"{'.'.join(Path(place[0]).relative_to(ROOT).with_suffix('').parts)}.{place[2]}"


def calls_of(profile: cProfile.Profile) -> dict[Place, dict[Place, float]]:
    """Seconds that a function of ours waits for each other one of ours, whatever lies between."""
    stats: Any = pstats.Stats(profile)
    called: dict[Place, dict[Place, float]] = {}
    for place, (_, _, _, _, callers) in stats.stats.items():
        for caller, (_, _, _, seconds) in callers.items():
            called.setdefault(caller, {})[place] = seconds
    return {
        place: dict(_own_below(place, called, frozenset())) for place in called if is_own(place)
    }


def _own_below(
    place: Place, called: dict[Place, dict[Place, float]], seen: frozenset[Place]
) -> Iterator[tuple[Place, float]]:
    for below, seconds in called.get(place, {}).items():
        if is_own(below):
            yield below, seconds
        elif below not in seen:
            yield from _own_below(below, called, seen | {below})


def stages_of(call: Call) -> tuple[tuple[str, float], ...]:
    """The stages of a call, the largest first, and the rest."""
    profile = cProfile.Profile()
    begun = time.perf_counter()
    profile.runcall(call)
    whole = time.perf_counter() - begun
    called = calls_of(profile)
    below = {place for found in called.values() for place in found}
    parts = {place: sum(found.values()) for place, found in called.items() if place not in below}
    taken_apart: set[Place] = set()
    while True:
        place = max(parts, key=lambda entry: parts[entry] * (entry not in taken_apart))
        inner = {
            name: seconds
            for name, seconds in called.get(place, {}).items()
            if seconds >= LEAST * whole and name not in parts
        }
        if place in taken_apart or parts[place] < WHOLE * whole or not inner:
            break
        taken_apart.add(place)
        parts[place] = max(parts[place] - sum(inner.values()), 0.0)
        parts |= inner
    shown = sorted(parts.items(), key=lambda entry: -entry[1])[:MOST_STAGES]
    shown = [(place, seconds) for place, seconds in shown if seconds >= LEAST * whole]
    rest = whole - sum(seconds for _, seconds in shown)
    return (*((name_of(place), seconds) for place, seconds in shown), ("the rest", max(rest, 0.0)))


def measured(door: str, rows: int) -> Measured:
    """One function at one size: the quicker of two calls after a first one, and its stages."""
    with tempfile.TemporaryDirectory() as name:
        call, given = DOORS[door](rows, Path(name))
        moved = bytes_of(given)
        call()
        taken = []
        for _ in range(2):
            begun = time.perf_counter()
            answer = call()
            taken.append(time.perf_counter() - begun)
        moved += bytes_of(answer)
        del answer
        return Measured(door, rows, min(taken), stages_of(call), moved)


@functools.cache
def copy_rate() -> float:
    """Bytes a second that one thread copies from array to array."""
    source, target = np.ones(50_000_000), np.zeros(50_000_000)
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        np.copyto(target, source)
        taken.append(time.perf_counter() - begun)
    return source.nbytes / min(taken)


def lines_of(found: Measured) -> Iterator[str]:
    """The rows of the table of one function at one size."""
    floor = found.moved / copy_rate()
    yield (
        f"| **{found.door}** | {found.rows:,} | **{found.seconds:.4f}** | | "
        f"{found.moved / 1e6:,.1f} | {floor:.4f} |"
    )
    whole = sum(seconds for _, seconds in found.stages)
    for name, seconds in found.stages:
        yield f"| `{name}` | | {found.seconds * seconds / whole:.4f} | {seconds / whole:.0%} | | |"


def page(every: list[Measured]) -> str:
    """The text of docs/stages.md."""
    lines = [
        "# Where the time goes",
        "",
        "Made by `python -m tests.studies.stages --write`, "
        f"{datetime.date.today().isoformat()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}; one thread copies {copy_rate() / 1e9:.1f} GB a second.",
        "Seconds are the quicker of two calls after a first one; shares are those of a profile of",
        "one more call: what the main thread waits for. MB: what is handed over and what comes",
        "back. Floor: the time in which as many bytes are copied once.",
        "",
        "| function, stage | rows | seconds | share | MB | floor |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *(line for found in every for line in lines_of(found)), ""])


def main() -> None:
    """Measure what is asked for, everything without names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(DOORS))
    parser.add_argument("--most", type=int, default=SIZES[-1], help="rows")
    parser.add_argument("--write", action="store_true", help="make docs/stages.md")
    requested = parser.parse_args()
    every = []
    for door in requested.names or DOORS:
        for rows in SIZES:
            if rows <= requested.most and (door, rows) not in TOO_MUCH:
                every.append(measured(door, rows))
                print("\n".join(lines_of(every[-1])), flush=True)
    if requested.write:
        PAGE.write_text(page(every), "utf-8")


if __name__ == "__main__":
    main()
