"""Loading 1,000,000 x 30 delimited text (about 230 MB) and Parquet, beside bare pyarrow.

Payoff's load does more than the bare reader: it hashes the file, looks at every byte for ids that
numbers would spoil, NUL bytes and quotes, sums up every column, and guesses roles. Runs take turns
in one process; medians of five, printed with their ratio.

Run: python -m tests.benchmarks.bench_load [rows]
and, for a Parquet file of 50,000,000 rows (about 1 GB in the temporary folder, removed again):
python -m tests.benchmarks.bench_load --large [rows]
and, for a join by ids that are text:
python -m tests.benchmarks.bench_load --text-ids [rows]
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from core import data
from core.document.data.model import (
    DataRecipe,
    DerivedColumn,
    FileRef,
    JoinSpec,
    RowsSpec,
    RowUse,
)
from core.document.model import Document, SplitSpec
from core.document.studies.data import TableOrder

RUNS = 5
PLAIN = Document()
DERIVED = DataRecipe(derived=(DerivedColumn(name="net", text="p_logit - cost"),))
FILE = FileRef(path="", content_hash="", size_bytes=0)
JOINED = DataRecipe(
    joins=(JoinSpec(file=FILE, keys=(("id", "id"),), columns=(("amount", "amount"),)),)
)
STACKED = DataRecipe(own_use=RowUse.TRAIN, rows=(RowsSpec(file=FILE, use=RowUse.TEST),))


def make_files(folder: Path, rows: int) -> tuple[str, str]:
    """Twenty columns of floats, six of whole numbers, four of words; as CSV and Parquet."""
    draw = np.random.default_rng(20261)
    words = pa.array(["North", "South", "Mail order", "None of these"])
    columns: dict[str, object] = {f"x{i}": np.round(draw.normal(size=rows), 6) for i in range(20)}
    columns |= {f"k{i}": draw.integers(0, 10_000, rows) for i in range(6)}
    columns |= {f"s{i}": words.take(pa.array(draw.integers(0, 4, rows))) for i in range(4)}
    table = pa.table(columns)
    text, packed = folder / "cases.csv", folder / "cases.parquet"
    with text.open("wb") as target:
        target.write((",".join(table.column_names) + "\n").encode())
        options = pacsv.WriteOptions(include_header=False, quoting_style="none")
        pacsv.write_csv(table, target, options)
    pq.write_table(table, packed)
    return str(text), str(packed)


def alternate(ours: Callable[[], object], peer: Callable[[], object]) -> tuple[float, float]:
    """Medians of both in seconds, runs taking turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for run, kept in zip((ours, peer), times, strict=True):
            began = time.perf_counter()
            run()
            kept.append(time.perf_counter() - began)
    return statistics.median(times[0]), statistics.median(times[1])


def peak_megabytes() -> float:
    """The largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def memory_of_load(path: str) -> tuple[float, float]:
    """In a process of its own: megabytes above those before loading, and those of the table."""
    data.from_data({"x": [1.0, 2.0]})  # what is imported late is no part of the table
    before = peak_megabytes()
    held = data.load(path).table.nbytes / 2**20
    return peak_megabytes() - before, held


def make_large(path: str, rows: int) -> None:
    """Write a Parquet file of six columns in row groups of a million."""
    draw = np.random.default_rng(20261)
    writer: pq.ParquetWriter | None = None
    for start in range(0, rows, 1_000_000):
        count = min(1_000_000, rows - start)
        part = pa.table(
            {
                "id": np.arange(start, start + count),
                "p_gbm": draw.random(count, dtype=np.float32),
                "p_logit": draw.random(count, dtype=np.float32),
                "region": pa.array(["North", "South", "East", "West"]).take(
                    pa.array(draw.integers(0, 4, count))
                ),
                "cost": np.round(draw.random(count), 2),
                "y": draw.integers(0, 2, count).astype(np.int8),
            }
        )
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    if writer is not None:
        writer.close()


def measure_large(rows: int) -> None:
    """Open a large Parquet file, show pages of it, read one column."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "large.parquet")
        maker = multiprocessing.get_context("spawn").Process(target=make_large, args=(path, rows))
        maker.start()
        maker.join()
        before = peak_megabytes()
        began, used = time.perf_counter(), time.process_time()
        table = data.load(path)
        opened, used = time.perf_counter() - began, time.process_time() - used
        size = Path(path).stat().st_size / 1e6
        peak = peak_megabytes() - before
        print(
            f"Parquet {size:,.0f} MB, {rows:,} rows: opened in {opened:.2f} s "
            f"({used:.2f} s of processors), +{peak:,.0f} MB"
        )
        for start in (0, rows // 2, rows - 60):
            began = time.perf_counter()
            data.rows_page(table, start, 60)
            print(f"  page at row {start:,}: {1000 * (time.perf_counter() - began):.0f} ms")
        began = time.perf_counter()
        data.column_as_float(table, "p_gbm")
        print(f"  one column on need: {time.perf_counter() - began:.2f} s")
        measure_need(path, rows)


def measure_text_join(rows: int) -> None:
    """Join a column by ids that are text, such as K000000012: one row in fifty has a partner."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "text.parquet")
        spawned = multiprocessing.get_context("spawn")
        maker = spawned.Process(target=make_text_ids, args=(path, rows))
        maker.start()
        maker.join()
        numbers = np.arange(0, rows, 50)
        other = data.from_data({"id": text_ids(numbers), "amount": numbers % 97})
        table = data.load(path)
        began, used, before = time.perf_counter(), time.process_time(), peak_megabytes()
        data.build_table(table, JOINED, lambda _file: other)
        seconds, peak = time.perf_counter() - began, peak_megabytes() - before
    print(
        f"join by text id, {rows:,} rows: {seconds:.2f} s "
        f"({time.process_time() - used:.2f} s of processors), peak +{peak:,.0f} MB"
    )


def text_ids(numbers: np.ndarray[Any, Any]) -> pa.Array:
    """Ids of ten signs that are no numbers."""
    digits = pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width=9, padding="0")
    return pc.binary_join_element_wise("K", digits, "")


def make_text_ids(path: str, rows: int) -> None:
    """Write a Parquet file of ids and a number in row groups of a million."""
    schema = pa.schema({"id": pa.string(), "x": pa.float64()})
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 1_000_000):
            numbers = np.arange(start, min(rows, start + 1_000_000))
            writer.write_table(pa.table({"id": text_ids(numbers), "x": (numbers % 7) / 2}))


def measure_need(path: str, rows: int) -> None:
    """What each way to look at a large file, or to add to it, reads and the memory it takes."""
    table = data.load(path)
    ids = np.arange(0, rows, 50)
    other = data.from_data({"id": ids, "amount": ids % 97})
    more = data.from_data({"id": ids[:1000] + rows, "y": ids[:1000] % 2})
    document = Document(split=SplitSpec(where="cost > 0.5"))
    kept: list[Any] = []
    for what, work in (
        ("search of words", lambda: data.ordered_rows(table, PLAIN, TableOrder(search="east"))),
        (
            "search of a number",
            lambda: data.ordered_rows(table, PLAIN, TableOrder(search="4999999")),
        ),
        ("rows of a second file", lambda: data.build_table(table, STACKED, lambda _file: more)),
        (
            "page of both files",
            lambda: data.rows_page(kept[-1], rows - 30, 60),
        ),
        ("row filter", lambda: data.ordered_rows(table, document, TableOrder(only_used=True))),
        ("page of its rows", lambda: data.ordered_page(table, kept[-1], rows // 4, 60)),
        ("derived column", lambda: data.build_table(table, DERIVED, lambda _file: table)),
        ("join by id", lambda: data.build_table(table, JOINED, lambda _file: other)),
    ):
        began, used, before = time.perf_counter(), time.process_time(), peak_megabytes()
        kept.append(work())
        seconds, peak = time.perf_counter() - began, peak_megabytes() - before
        used = time.process_time() - used
        held = f"{', '.join(table.table.loaded) or 'none'} ({table.table.nbytes / 1e6:,.0f} MB)"
        print(
            f"  {what}: {seconds:.2f} s ({used:.2f} s of processors), peak +{peak:,.0f} MB, "
            f"columns read so far: {held}"
        )


def main() -> None:
    """Print one line per format."""
    for word, measure in (("--large", measure_large), ("--text-ids", measure_text_join)):
        if word in sys.argv:
            numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
            measure(numbers[0] if numbers else 50_000_000)
            return
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        text, packed = make_files(Path(folder), rows)
        size = Path(text).stat().st_size / 1e6
        with multiprocessing.get_context("spawn").Pool(1) as fresh:
            peak, held = fresh.apply(memory_of_load, (text,))
        print(
            f"CSV {size:,.0f} MB, {rows:,} x 30: peak memory +{peak:,.0f} MB, "
            f"{peak / held:.2f} times the table of {held:,.0f} MB"
        )
        began = time.perf_counter()
        data.preview(text)
        print(f"preview {1000 * (time.perf_counter() - began):.0f} ms")
        ours, peer = alternate(lambda: data.load(text), lambda: pacsv.read_csv(text))
        print(f"load CSV {ours:.2f} s, bare pyarrow {peer:.2f} s, ratio {ours / peer:.2f}")
        ours, peer = alternate(lambda: data.load(packed), lambda: pq.read_table(packed))
        print(f"load Parquet {ours:.2f} s, bare pyarrow {peer:.2f} s, ratio {ours / peer:.2f}")
        table = data.load(packed)
        spots = np.linspace(0, rows - 60, 200).astype(int).tolist()
        began = time.perf_counter()
        for start in spots:
            data.rows_page(table, start, 60)
        print(f"page of 60 rows {1000 * (time.perf_counter() - began) / len(spots):.2f} ms")


if __name__ == "__main__":
    main()
