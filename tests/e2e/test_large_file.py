"""A CSV of 1,000,000 rows by 30 columns: progress, Stop, and a window that never pauses."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv
from PySide6.QtCore import QTimer

from core.document.data.model import ReaderSettings
from core.engine.messages import JobState
from tests.helpers.pauses import usual_pauses
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(300)  # a million rows are written and read

ROWS, COLUMNS = 1_000_000, 30
# Seconds between two ticks of a timer of 20 ms: the window's own work, and on the clock. Looked at
# in the long run alone: the clock also counts what other processes of a busy machine take.
MOST_WORK, LONGEST_GAP = 0.5, 5.0
LEAST_TURNS = 20  # of the window's loop while a file is loaded


@pytest.fixture(scope="module")
def large_file(tmp_path_factory) -> Iterator[Path]:
    """About 230 MB: an id, an outcome, two models, and numbers."""
    draws = np.random.default_rng(20261)
    probability = draws.beta(1.0, 9.0, ROWS)
    columns: dict[str, object] = {
        "case_id": np.arange(ROWS),
        "outcome": (draws.random(ROWS) < probability).astype(np.int64),
        "p_first": np.round(probability, 6),
        "p_second": np.round(np.clip(probability + draws.normal(0, 0.05, ROWS), 0.001, 0.999), 6),
    }
    noise = np.round(draws.normal(0, 100, ROWS), 4)
    for index in range(COLUMNS - len(columns)):
        columns[f"input_{index}"] = np.roll(noise, 7 * index + 1)
    path = tmp_path_factory.mktemp("large") / "large.csv"
    arrow_csv.write_csv(pa.table(columns), path)
    yield path
    path.unlink()


@pytest.fixture(scope="module", autouse=True)
def pauses() -> Iterator[None]:
    """How long the window is held up depends on what its pauses keep apart."""
    with usual_pauses():
        yield


class Pulse:
    """Measures the longest time between two turns of the window's event loop."""

    def __init__(self) -> None:
        self.longest = self.work = 0.0
        self.turns = 0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setInterval(20)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.turns += 1
        self.longest = max(self.longest, now - self._last)
        self.work = max(self.work, worked - self._worked)
        self._last, self._worked = now, worked

    def stop(self) -> None:
        self._timer.stop()


def test_a_million_rows_load_while_the_window_stays_awake(
    program: Program, large_file: Path, request: pytest.FixtureRequest
):
    program.wait(lambda: program.jobs.is_started)
    program.window.build_page("data")  # once, whatever is loaded
    program.settle()
    fractions: list[float] = []
    program.jobs.job_changed.connect(
        lambda entry: entry.fraction is not None and fractions.append(entry.fraction)
    )
    pulse = Pulse()
    stopped = program.session.files.open_data(str(large_file), ReaderSettings())
    program.wait(lambda: any(0.0 < fraction < 1.0 for fraction in fractions))
    program.jobs.stop(stopped)
    program.wait(lambda: not program.jobs.entries[stopped].is_open)
    assert program.jobs.entries[stopped].state is JobState.CANCELLED
    assert program.session.project.document.data is None

    fractions.clear()
    begun, turns = time.perf_counter(), pulse.turns
    job = program.session.files.open_data(str(large_file), ReaderSettings())
    program.wait(lambda: not program.jobs.entries[job].is_open, 120)
    loaded = time.perf_counter() - begun
    assert program.jobs.entries[job].state is JobState.DONE
    assert len(set(fractions)) >= 5, "no progress was shown"
    assert pulse.turns - turns >= LEAST_TURNS
    program.wait(lambda: program.session.project.summary is not None)
    page = program.window.pages["data"]
    program.wait(lambda: page.model.index(0, 0).data() not in (None, ""), 120)  # may compile first
    page.table.scrollToBottom()
    last = page.model.rowCount() - 1
    program.wait(lambda: page.model.index(last, 0).data() == str(ROWS - 1))
    program.wait(lambda: program.session.results.decisions is not None, 120)
    pulse.stop()  # while loading, scrolling and deciding; page Decide is built after it
    program.window.show_page("decide")
    number = program.window.pages["decide"].headline.number
    program.wait(lambda: number.isVisible() and number.text() != "")
    size = large_file.stat().st_size / 1e6
    print(
        f"\n{size:.0f} MB loaded in {loaded:.1f} s; longest pause of the window"
        f" {pulse.longest:.3f} s, of which its own work at most {pulse.work:.3f} s"
    )
    if request.config.getoption("--soak"):
        assert pulse.work < MOST_WORK
        assert pulse.longest < LONGEST_GAP
    assert program.session.project.document.data.rows == ROWS
    assert [model.name for model in program.session.project.document.models] == [
        "first",
        "second",
    ]
    assert program.session.results.decisions.rows.rows > 400_000
