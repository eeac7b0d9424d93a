"""What a run over parts holds at a time is what its budget counts on."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import payoff
from core.scale import deciding
from core.scale.evaluation import evaluate, run
from core.scale.sources import MODEL_BYTES, ROW_BYTES
from core.scale.uplift import draws, rankings
from tests.soak.larger_than_memory import block

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 600_000
Task = Callable[[Any], Any]
ASKED: dict[str, Callable[[Path], Any]] = {
    "evaluate": lambda folder: payoff.evaluate(
        folder, outcome="event", scores="score", memory="1 GB", seconds=0.1
    ),
    "decide": lambda folder: payoff.decide(
        folder,
        target="event",
        posteriors={"1": "score"},
        matrix={"1": [10, 0], "0": [-1, 0]},
        memory="1 GB",
    ),
    "uplift": lambda folder: payoff.uplift(
        folder,
        outcome="event",
        treatment="treated",
        scores="score",
        treated=1,
        control=0,
        memory="1 GB",
    ),
    "uplift by case": lambda folder: payoff.uplift(
        folder,
        outcome="event",
        treatment="treated",
        scores="score",
        treated=1,
        control=0,
        weight="weight",
        propensity="chance",
        memory="1 GB",
    ).area("generalised", "score", draws=64),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task: a row group of all rows."""
    made = tmp_path_factory.mktemp("parts") / "scored"
    made.mkdir()
    rows = block(0, ROWS)
    rows = rows.append_column("weight", pa.array(np.linspace(0.5, 2.0, ROWS)))
    rows = rows.append_column("chance", pa.array(np.linspace(0.3, 0.7, ROWS)))
    pq.write_table(rows, made / "part.parquet", row_group_size=ROWS)
    return made


@pytest.mark.every_nth(2)
@pytest.mark.parametrize(
    ("kind", "tasks"),
    [
        ("evaluate", ((run, "first_read"), (evaluate, "second_read"))),
        ("decide", ((deciding, "decide_piece"),)),
        ("uplift", ((rankings, "read_uplift"),)),
        ("uplift by case", ((rankings, "sum_terms"), (rankings, "read_uplift"))),
        ("uplift by case", ((draws, "draw_cases"),)),
    ],
)
def test_a_row_under_way_takes_no_more_than_is_counted_on(
    kind: str, tasks: tuple[tuple[Any, str], ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ASKED[kind](folder)  # what is made once
    found: dict[str, float] = {}
    for module, name in tasks:
        monkeypatch.setattr(module, name, measured(getattr(module, name), name, found))
    tracemalloc.start()
    ASKED[kind](folder)
    tracemalloc.stop()
    assert sorted(found) == sorted(name for _, name in tasks)
    # Of one task; for each thread threads + 1 times as much is kept, of two threads 1.5.
    counted_on = 1.5 * (ROW_BYTES + MODEL_BYTES * (kind == "uplift by case"))
    assert {name: held for name, held in found.items() if held > counted_on} == {}


def measured(
    task: Callable[[Any], Any], name: str, found: dict[str, float]
) -> Callable[[Any], Any]:
    """A task whose bytes a row, at the most, are noted."""

    def run(given: Any) -> Any:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        done = task(given)
        found[name] = (tracemalloc.get_traced_memory()[1] - before) / ROWS
        return done

    return run
