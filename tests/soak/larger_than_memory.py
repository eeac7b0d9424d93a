"""A long run: made-up rows of any number, evaluated within a limit that the system enforces.

    python -m tests.soak.larger_than_memory make FOLDER 2e8
    python -m tests.soak.larger_than_memory run FOLDER --memory "1 GB" --limit 1e9
    python -m tests.soak.larger_than_memory run FOLDER --asked window
    python -m tests.soak.larger_than_memory batches FOLDER 1e9 --memory "3.5 GB" --limit 4e9
    python -m tests.soak.larger_than_memory peer FOLDER --memory "1 GB"

``--limit`` bytes of data and heap are allowed to the process (RLIMIT_DATA); the peak of resident
memory, seconds and seconds per 100 million rows are printed. ``batches`` asks of rows that are made
one block after another and stand in no file; FOLDER is its scratch space. ``peer`` has DuckDB sort
the same scores within the same memory, for the area under the ROC curve alone. Not a test: it
takes minutes.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

# Arrow's allocator sets a gigabyte aside at its start: RLIMIT_DATA would count what is never used.
os.environ.setdefault("MIMALLOC_ARENA_EAGER_COMMIT", "0")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BLOCK = 1_000_000
PART_ROWS = 10_000_000

Data = Path | Callable[[], Iterator[pa.RecordBatch]]


def block(number: int, rows: int) -> pa.Table:
    """Rows that depend on the number of their block only."""
    random = np.random.default_rng([3, number])
    z = random.standard_normal(rows)
    probability = 1 / (1 + np.exp(-(1.2 * z - 2.2)))
    score = 1 / (1 + np.exp(-(1.2 * z - 2.2 + 0.7 * random.standard_normal(rows))))
    score = np.where(random.random(rows) < 0.1, np.round(score, 3), score)
    event = (random.random(rows) < probability).astype(np.int8)
    treated = (random.random(rows) < 0.5).astype(np.int8)
    return pa.table({"score": score, "event": event, "treated": treated})


def make(folder: Path, rows: int) -> None:
    """Write parts of ten million rows."""
    folder.mkdir(parents=True)
    for part, first in enumerate(range(0, rows, PART_ROWS)):
        path = folder / f"part-{part:05d}.parquet"
        with pq.ParquetWriter(path, block(0, 1).schema, use_dictionary=False) as writer:
            for start in range(first, min(first + PART_ROWS, rows), BLOCK):
                writer.write_table(block(start // BLOCK, min(BLOCK, rows - start)))
    print(f"{rows:,} rows, {sum(f.stat().st_size for f in folder.iterdir()) / 1e9:.2f} GB")


def batches(rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows, block by block."""
    for start in range(0, rows, BLOCK):
        yield from block(start // BLOCK, min(BLOCK, rows - start)).to_batches()


def evaluate(data: Data, **room: Any) -> None:
    """Five figures with their intervals."""
    import payoff

    found = payoff.evaluate(data, outcome="event", scores="score", **room)
    print(found.table.to_string(), *found.warnings, sep="\n")
    print(f"{found.figures.resamples} draws")


def decide(data: Data, **room: Any) -> None:
    """The total of a matrix with its interval, and the best depth."""
    import payoff

    found = payoff.decide(
        data,
        target="event",
        posteriors={"1": "score"},
        matrix={"1": [40.0, 0.0], "0": [-6.0, 0.0]},
        decisions=["Mail", "Leave"],
        **room,
    )
    print(found.total, found.intervals, found.best_range, *found.warnings, sep="\n")


def uplift(data: Data, **room: Any) -> None:
    """Two areas with their intervals; the arms are drawn by lot, whatever the score."""
    import payoff

    found = payoff.uplift(data, outcome="event", treatment="treated", scores="score", **room)
    for variant in ("qini_joint_absolute", "separate_relative"):
        print(found.area(variant, "score"))


def window(data: Data, **room: Any) -> None:
    """The folder opened and page Compare asked for, as by the window: when each answer comes."""
    from core.document.commands import OpenData
    from core.document.data.model import PARTS, MissingOutcomes, ReaderSettings
    from core.document.model import Document
    from core.engine.local import LocalEngine
    from core.engine.messages import LoadArguments
    from core.engine.options import EngineOptions
    from core.questions.compare import CompareModels

    del room  # the window takes half of what is free
    engine = LocalEngine(EngineOptions(safe_mode=True))
    begun = time.time()
    reading = LoadArguments(path=str(data), reader=ReaderSettings(format=PARTS))
    summary = engine.run("load", reading)
    print(f"opened after {time.time() - begun:.1f} s")
    document = OpenData(
        data=summary.data,
        roles=summary.roles,
        target=summary.target,
        split=summary.split,
        missing_outcomes=MissingOutcomes.ASK,
        name="parts",
    ).apply(Document())
    begun = time.time()

    def tell(_fraction: float | None, stage: str, partial: Any) -> None:
        if partial is not None:
            area = next(cell.estimate for cell in partial.cells if cell.metric == "auc")
            charts = sum(bool(chart.curves) for chart in partial.charts)
            print(f"after {time.time() - begun:.1f} s ({stage}): {partial.rows.text}")
            print(f"  {charts} charts, AUC {area.value:.6f} ({area.low:.6f} to {area.high:.6f})")

    found = engine.ask(document, CompareModels(), tell)
    print(f"{found.resamples} draws after {time.time() - begun:.1f} s")


ASKED = {"evaluate": evaluate, "decide": decide, "uplift": uplift, "window": window}


def run(data: Data, rows: int, asked: str, limit: int, **room: Any) -> None:
    """Ask for an answer, and print it with seconds and memory."""
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    begun, spent = time.time(), time.process_time()
    ASKED[asked](data, **room)
    wall, processor = time.time() - begun, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{asked}: {rows:,} rows",
        f"{wall:.1f} s, processor {processor:.1f} s",
        f"{processor / rows * 1e8:.1f} processor seconds for 100 million rows",
        f"peak {peak / 1e6:.0f} MB resident" + (f", limit {limit / 1e6:.0f} MB" if limit else ""),
        sep="\n",
    )


def peer(folder: Path, memory: str, scratch: str | None) -> None:
    """The area under the ROC curve by ranks, equal scores at their mean rank."""
    import duckdb

    begun, spent = time.time(), time.process_time()
    settings = {"memory_limit": memory.replace(" ", ""), "preserve_insertion_order": False}
    database = duckdb.connect(config=settings | ({"temp_directory": scratch} if scratch else {}))
    events, others, ranks = database.execute(
        """
        SELECT sum(events), sum(cases - events), sum(events * (before + (cases + 1) / 2.0))
        FROM (SELECT cases, events, sum(cases) OVER (ORDER BY score) - cases AS before
              FROM (SELECT score, count(*) AS cases, sum(event) AS events
                    FROM read_parquet(?) GROUP BY score))
        """,
        [str(folder / "*.parquet")],
    ).fetchone()
    rows = int(events + others)
    area = (float(ranks) - float(events) * (float(events) + 1) / 2) / float(events) / float(others)
    wall, processor = time.time() - begun, time.process_time() - spent
    print(f"DuckDB {duckdb.__version__}: {rows:,} rows, area under the ROC curve {area:.6f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{wall:.1f} s, processor {processor:.1f} s, peak {peak / 1e6:.0f} MB resident")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "run", "batches", "peer"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("rows", nargs="?", type=float, default=2e8)
    parser.add_argument("--asked", choices=tuple(ASKED), default="evaluate")
    parser.add_argument("--memory", default="1 GB")
    parser.add_argument("--limit", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--scratch")
    reported = parser.parse_args()
    if reported.what == "make":
        make(reported.folder, int(reported.rows))
    elif reported.what == "peer":
        peer(reported.folder, reported.memory, reported.scratch)
    else:
        room = {"memory": reported.memory, "scratch": reported.scratch}
        if reported.asked == "evaluate":
            room["seconds"] = reported.seconds
        data: Data = reported.folder
        if reported.what == "batches":
            rows = int(reported.rows)
            data, room["scratch"] = partial(batches, rows), str(reported.folder)
        else:
            parts = reported.folder.glob("*.parquet")
            rows = sum(pq.read_metadata(part).num_rows for part in parts)
        run(data, rows, reported.asked, int(reported.limit), **room)


if __name__ == "__main__":
    main()
