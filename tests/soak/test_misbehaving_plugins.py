"""Every kind of misbehaviour of a plugin, many times, in the real window.

``PAYOFF_SOAK_REPEATS`` (50) says how often each, ``PAYOFF_SOAK_KINDS`` which (all), in that order.
A line each is printed, and one after each death: how often, the longest time for which the window
did not turn its event loop, the times until the engine for plugins answered again after it had been
ended, and the processor's time that the new engine had used by then (on Linux). One session of the
window serves all kinds. ``PAYOFF_SOAK_TALLY`` names a JSON file in which runs add up: each goes on
where the last one was cut short.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, MetricChoice, Role, RoleAssignment, TargetSpec
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobOutcome, JobState, LoadArguments, PluginsArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from gui.app.application import WindowRun
from tests.helpers.factories.misbehaving_plugins import KINDS, USE, Kind, write
from tests.helpers.factories.plugins import metric_code, write_file_plugin
from tests.helpers.program import Program

REPEATS = int(os.environ.get("PAYOFF_SOAK_REPEATS", "50"))
CHOSEN = os.environ.get("PAYOFF_SOAK_KINDS", "").split(",")
KIND_NAMES = list(KINDS) if CHOSEN == [""] else CHOSEN
TALLY_FILE = os.environ.get("PAYOFF_SOAK_TALLY", "")
AIM = 5.0  # s until the engine is back
BEAT = 20  # ms
AT_ONCE = 10  # plugins that are in the folder together; each is listed, used and named by itself
pytestmark = [pytest.mark.soak, pytest.mark.timeout(20_000)]  # every kind, many times


class Harness:
    """The window, a folder for one bad plugin beside a good one, and clocks."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.gap = 0.0
        self._beat = time.perf_counter()
        self._timer = QTimer(program.window)
        self._timer.timeout.connect(self._on_beat)
        self._timer.start(BEAT)
        self.document = self._load()
        assert isinstance(program.jobs._engine, EngineClient)
        self.engine = program.jobs._engine
        program.wait(lambda: program.session.plugins.known is not None, 300)
        program.settle()  # the pages are built once, after the start

    def _on_beat(self) -> None:
        now = time.perf_counter()
        self.gap = max(self.gap, now - self._beat - BEAT / 1000)
        self._beat = now

    def run(self, kind: str, arguments: object) -> JobOutcome:
        """A job from the window, waited for in its event loop."""
        ended: list[JobOutcome] = []
        self.program.jobs.submit(kind, arguments, on_end=ended.append)
        self.program.wait(lambda: bool(ended), 180)
        return ended[0]

    def engine_seconds(self) -> float | None:
        """Processor time that the engine for plugins has used so far; None if that is not told."""
        pid = self.engine.engine_pids.get("plugins")
        try:
            fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))

    def _load(self) -> Document:
        random = np.random.default_rng(5)
        amount = np.round(random.normal(size=800), 4)
        forecast = np.round(amount + random.normal(size=800), 4)
        path = self.folder.parent / "amounts.csv"
        rows = [f"{first},{second}" for first, second in zip(amount, forecast, strict=True)]
        path.write_text("amount,forecast\n" + "\n".join(rows), "utf-8")
        reader = ReaderSettings()
        loaded = self.run("load", LoadArguments(path=str(path), reader=reader)).result
        document = Document(
            data=loaded.data,
            target=TargetSpec(column="amount", kind="interval"),
            rows_used=RowUse.ALL,
        )
        return document.with_roles(
            (
                RoleAssignment(column="amount", role=Role.TARGET),
                RoleAssignment(column="forecast", role=Role.PREDICTION, model="forecast"),
            )
        )

    def evaluate(self, *metrics: str) -> JobOutcome:
        """The metrics of the forecast; few resamples."""
        chosen = tuple(MetricChoice(metric=name) for name in metrics)
        requested = Ask.of(replace(self.document, metrics=chosen), CompareModels(resamples=20))
        return self.run("compare.models", requested)


@pytest.fixture(scope="module")
def harness(qapp_args, tmp_path_factory) -> Iterator[Harness]:
    home = tmp_path_factory.mktemp("misbehaving")
    folder = home / "bad"
    folder.mkdir()

    def make(run: WindowRun, on_event: object) -> EngineClient:
        options = EngineOptions(
            plugin_folder=str(folder),
            quarantine_path=str(home / "quarantine.json"),
            log_folder=str(home),
            stop_seconds=1.0,
            plugin_seconds=2.0,
            call_seconds=2.0,
            plugin_bytes=200_000_000,
        )
        return EngineClient(on_event, options=options)

    patch = pytest.MonkeyPatch()
    patch.setattr(WindowRun, "_make_engine", make)
    program = Program(home, warm_up=True)
    try:
        write_file_plugin(folder / "good.py", metric_code("good_miss"), "org.example.good")
        yield Harness(program, folder)
    finally:
        program.close()
        patch.undo()


@dataclass
class Tally:
    """What one kind came to."""

    caught: int = 0
    longest_gap: float = 0.0
    back: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @classmethod
    def begin(cls, name: str) -> Tally:
        """What earlier runs came to."""
        known = json.loads(Path(TALLY_FILE).read_text("utf-8")) if _has_tally() else {}
        return cls(**known.get(name, {}))

    def keep(self, name: str) -> None:
        """Add to the file of all runs, and print the line of the log."""
        print(f"\n{self.words(name)}", flush=True)
        if TALLY_FILE:
            known = json.loads(Path(TALLY_FILE).read_text("utf-8")) if _has_tally() else {}
            text = json.dumps({**known, name: asdict(self)}, indent=1)
            Path(TALLY_FILE).write_text(text, "utf-8")

    def words(self, name: str) -> str:
        """The line of the log."""
        described = (
            f"{name}: {self.caught} of {REPEATS} named, "
            f"window held up {1000 * self.longest_gap:.0f} ms at most"
        )
        if self.back:
            late = sum(seconds > AIM for seconds in self.back)
            described += (
                f", engine back after {statistics.median(self.back):.1f} s (median), "
                f"{max(self.back):.1f} s at most, {late} above {AIM:g} s"
            )
        if self.processor:
            described += f"; its processor time till then {statistics.median(self.processor):.1f} s"
        return described


def _has_tally() -> bool:
    return bool(TALLY_FILE) and Path(TALLY_FILE).is_file()


def inject(harness: Harness, name: str, kind: Kind, numbers: range, tally: Tally) -> None:
    """Write plugins of a kind under names of their own, use each, and see what the user is told."""
    own_names = [f"{name}_{number}" for number in numbers]
    places = [write(harness.folder, name, own) for own in own_names]
    harness.gap = 0.0
    listed = harness.run("plugins", PluginsArguments(check_again=True))
    assert listed.state is JobState.DONE, listed.error
    entries = {entry.plugin: entry for entry in listed.result.plugins}
    for own, place in zip(own_names, places, strict=True):
        entry = entries[f"org.example.{own}"]
        if kind.moment == USE:
            assert entry.state == "active", entry
            reported = told_in_use(harness, own, kind)
        else:
            assert entry.state in ("quarantined", "does_not_fit"), entry
            reported = " ".join([entry.why, *(f"{one.check} {one.found}" for one in entry.checks)])
        assert any(word in reported for word in kind.words), reported
        ended = time.perf_counter()
        place.unlink()
        if kind.is_deadly:
            back = harness.evaluate("mae", "good_miss")
            assert back.state is JobState.DONE, back.error
            tally.back.append(time.perf_counter() - ended)
            used = harness.engine_seconds()
            tally.processor += [used] if used is not None else []
        tally.caught += 1
        tally.longest_gap = max(tally.longest_gap, harness.gap)
        if kind.is_deadly:  # each takes long: a run that is cut short has its figures, too
            tally.keep(name)
    assert harness.program.window.isVisible()


def told_in_use(harness: Harness, own: str, kind: Kind) -> str:
    """The reason that the user reads after an evaluation with the plugin's metric."""
    outcome = harness.evaluate("mae", own)
    if kind.is_deadly:
        assert outcome.state is JobState.LOST, outcome
        assert f"org.example.{own}" in outcome.error.what
        return str(outcome.error)
    assert outcome.state is JobState.DONE, outcome.error
    return " ".join(cell.estimate.note for cell in outcome.result.cells if cell.metric == own)


@pytest.mark.parametrize("name", KIND_NAMES)
def test_misbehaviour_again_and_again(harness: Harness, name: str) -> None:
    tally = Tally.begin(name)
    kind = KINDS[name]
    # One that ends the engine at its import would do so once for each in the folder.
    at_once = 1 if kind.is_deadly and kind.moment != USE else AT_ONCE
    for start in range(tally.caught, REPEATS, at_once):
        inject(harness, name, kind, range(start, min(start + at_once, REPEATS)), tally)
    tally.keep(name)
    assert tally.caught == REPEATS
