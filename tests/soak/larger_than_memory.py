"""A long run: made-up rows of any number, evaluated within a limit that the system enforces.

    python -m tests.soak.larger_than_memory make FOLDER 2e8
    python -m tests.soak.larger_than_memory run FOLDER --memory "1 GB" --limit 1e9

``--limit`` bytes of data and heap are allowed to the process (RLIMIT_DATA); the peak of resident
memory, seconds and seconds per 100 million rows are printed. Not a test: it takes minutes.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BLOCK = 1_000_000
PART_ROWS = 10_000_000


def block(number: int, rows: int) -> pa.Table:
    """Rows that depend on the number of their block only."""
    random = np.random.default_rng([3, number])
    z = random.standard_normal(rows)
    probability = 1 / (1 + np.exp(-(1.2 * z - 2.2)))
    score = 1 / (1 + np.exp(-(1.2 * z - 2.2 + 0.7 * random.standard_normal(rows))))
    score = np.where(random.random(rows) < 0.1, np.round(score, 3), score)
    event = (random.random(rows) < probability).astype(np.int8)
    return pa.table({"score": score, "event": event})


def make(folder: Path, rows: int) -> None:
    """Write parts of ten million rows."""
    folder.mkdir(parents=True)
    for part, first in enumerate(range(0, rows, PART_ROWS)):
        path = folder / f"part-{part:05d}.parquet"
        with pq.ParquetWriter(path, block(0, 1).schema, use_dictionary=False) as writer:
            for start in range(first, min(first + PART_ROWS, rows), BLOCK):
                writer.write_table(block(start // BLOCK, min(BLOCK, rows - start)))
    print(f"{rows:,} rows, {sum(f.stat().st_size for f in folder.iterdir()) / 1e9:.2f} GB")


def run(folder: Path, memory: str, limit: int, seconds: float, scratch: str | None) -> None:
    """Evaluate, and print figures, seconds and memory."""
    import payoff

    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    begun, spent = time.time(), time.process_time()
    found = payoff.evaluate(
        folder, outcome="event", scores="score", memory=memory, seconds=seconds, scratch=scratch
    )
    wall, processor = time.time() - begun, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(found.table.to_string())
    print(*found.warnings, sep="\n")
    rows = found.figures.rows.rows
    print(
        f"{rows:,} rows, {found.figures.resamples} draws",
        f"{wall:.1f} s, processor {processor:.1f} s",
        f"{processor / rows * 1e8:.1f} processor seconds for 100 million rows",
        f"peak {peak / 1e6:.0f} MB resident" + (f", limit {limit / 1e6:.0f} MB" if limit else ""),
        sep="\n",
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("rows", nargs="?", type=float, default=2e8)
    parser.add_argument("--memory", default="1 GB")
    parser.add_argument("--limit", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--scratch")
    reported = parser.parse_args()
    if reported.what == "make":
        make(reported.folder, int(reported.rows))
    else:
        run(
            reported.folder,
            reported.memory,
            int(reported.limit),
            reported.seconds,
            reported.scratch,
        )


if __name__ == "__main__":
    main()
