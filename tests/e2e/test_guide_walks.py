"""The plugin guide as a newcomer follows it, family by family, from the first file to its use.

Each walk takes the guide's own text: its commands, its code, the files where it says, the file
dropped on the real window, "Install" pressed, the thing looked for where the guide says it stands.
``-s`` prints how long each step took, by the clock and of the processor (window and engines).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.document.experiments.spec import ExperimentSpec
from core.document.files.project import Headline, save_project
from core.document.model import RowUse
from core.document.plugin_results import PluginState
from core.engine.local import LocalEngine
from gui.pages.experiments.part_fields import PARAMETER
from payoff.readers import TableReader
from tests.contract.own_curve import CODE as CURVE
from tests.contract.own_curve import NAME as CURVE_FILE
from tests.contract.own_loss import CODE as LOSS
from tests.contract.own_loss import NAME as LOSS_FILE
from tests.contract.plugin_guide import EXAMPLES, GUIDE
from tests.e2e.dropping import drop
from tests.e2e.opening import load as press_load
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document
from tests.helpers.program import Program

OWN_ENGINE = True  # for plugins, or one that ends
pytestmark = pytest.mark.timeout(600)  # the engine for plugins starts, on a machine that compiles
PATIENCE = 250.0
ROOT = Path(__file__).parents[2]
NAMES = {  # what the guide's example is called when its template is made
    "reader": ("JSON lines", "json_lines"),
    "system": ("Weakest link", "weakest_link"),
    "matrix": ("Call centre", "call_centre"),
}


class Clock:
    """Tells how long the steps of a walk took."""

    def __init__(self, program: Program, walk: str) -> None:
        self.program = program
        self.walk = walk
        self.since, self.used = time.perf_counter(), self._processor()

    def lap(self, step: str) -> None:
        """Tell of a step that has just ended."""
        now, used = time.perf_counter(), self._processor()
        print(f"\n{self.walk}: {step}: {now - self.since:.1f} s, {used - self.used:.1f} s used")
        self.since, self.used = now, used

    def _processor(self) -> float:
        """Seconds of processors that window, engines and ended children have used."""
        client = self.program.jobs._engine
        living = [*client.engine_pids.values(), client.spare_pid] if client is not None else []
        ended = os.times()
        return time.process_time() + ended[2] + ended[3] + sum(map(_processor_of, living))


def _processor_of(pid: int | None) -> float:
    place = Path(f"/proc/{pid}/stat")
    if pid is None or not place.is_file():
        return 0.0
    figures = place.read_text().rpartition(")")[2].split()
    own_and_ended_children = map(int, figures[11:15])
    return sum(own_and_ended_children) / os.sysconf("SC_CLK_TCK")


def found(program: Program, plugin: str) -> PluginState | None:
    known = program.session.plugins.known
    return next((p for p in known.plugins if p.plugin == plugin), None) if known else None


def is_active(program: Program, plugin: str) -> bool:
    entry = found(program, plugin)
    assert entry is None or entry.state != "quarantined", entry
    return entry is not None and entry.state == "active"


def payoff(folder: Path, *words: str) -> str:
    """A command as the guide has it, typed in a terminal; what it says."""
    command = [sys.executable, str(ROOT / "main.py"), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def from_template(kind: str, folder: Path) -> Path:
    """ "Begin with a template": make it, put the example over its module, check it, pack it."""
    name, slug = NAMES[kind]
    payoff(folder, "new-plugin", kind, name)
    (folder / slug / f"{kind}.py").write_text(EXAMPLES[slug], "utf-8")
    assert "Fit for use" in payoff(folder, "check-plugin", slug)
    payoff(folder, "pack-plugin", slug)
    return folder / f"{slug}-0.1.0.payoff-plugin"


def one_file(name: str, place: Path, **words: str) -> Path:
    """The example as "a plugin of one file": the guide's comment block above it."""
    (manifest,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)
    lines = [line.partition("  #")[0].rstrip() for line in manifest.splitlines()]
    lines = [line for line in lines if not line.startswith("entry")]
    for key, value in words.items():
        lines = [f"{key} = {value}" if line.startswith(f"{key} =") else line for line in lines]
    block = "\n".join(f"# {line}" for line in lines)
    place.write_text(f"# /// payoff\n{block}\n# ///\n{EXAMPLES[name]}", "utf-8")
    return place


def install(program: Program, path: Path, plugin: str) -> None:
    """Drop the file on the window, read what it adds, press Install."""
    program.wait(lambda: program.session.plugins.known is not None, PATIENCE)
    known = program.window.pages.get("plugins")
    earlier = known.dialog if known is not None else None
    drop(program.window, path)
    page = program.window.pages["plugins"]
    program.wait(lambda: page.dialog is not None and page.dialog is not earlier)
    assert program.window.current_page == "plugins"
    program.picture(f"install-{plugin}", page.dialog)
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)
    program.wait(lambda: is_active(program, plugin), PATIENCE)
    program.wait(lambda: page.details.name.text() == found(program, plugin).name)


def open_sample(program: Program, sample: Path) -> None:
    program.session.project.history.mark_saved()
    program.window.files.open_path(str(sample))
    program.wait(lambda: program.session.results.evaluation is not None, PATIENCE)
    program.settle()


def choose(box, key: str) -> None:
    """In a list, as a person does."""
    place = box.findData(key)
    assert place >= 0, [box.itemText(i) for i in range(box.count())]
    box.setCurrentIndex(place)
    box.activated.emit(place)


@pytest.mark.soak  # the suite has its bands in contract/test_own_curve
def test_a_curve_saved_into_the_folder_is_drawn(program: Program, sample: Path) -> None:
    """ "Your own curve in five minutes": no manifest, no hook, no restart."""
    open_sample(program, sample)
    program.window.show_page("compare")
    clock = Clock(program, "curve")
    (program.folder / "home" / "plugins" / CURVE_FILE).write_text(CURVE, "utf-8")
    grid = program.window.pages["compare"].grid

    def is_drawn() -> bool:
        result = program.session.results.evaluation
        charts = [c for c in result.charts if c.kind == "false_omission"] if result else []
        return bool(charts) and bool(charts[0].curves) and "false_omission" in grid.kinds

    program.wait(is_drawn, PATIENCE)
    program.settle()
    clock.lap("from saving the file to the chart with its bands")
    program.picture("walk-curve")
    shown = grid.viewport().rect()
    card = next(c for c in grid.evaluation_charts if grid.kind_of(c) == "false_omission")
    assert shown.contains(card.mapTo(grid.viewport(), card.rect().center()))
    spec = card.make_spec()
    assert len([line for line in spec.series if line.low is not None]) == 3, spec.series


@pytest.mark.soak
def test_a_reader_from_the_template_opens_its_files(program: Program, tmp_path: Path) -> None:
    clock = Clock(program, "reader")
    packed = from_template("reader", tmp_path)
    clock.lap("new-plugin, check-plugin, pack-plugin")
    _change_the_name_its_test_imports(tmp_path / "json_lines")
    install(program, packed, "org.example.json_lines")
    clock.lap("install")
    program.window.files.choose_data()
    (requested,) = program.window.findChildren(QFileDialog)
    assert "*.jsonl" in requested.nameFilters()[0]
    requested.close()
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "007", "score": 0.25}\n{"id": "008", "score": 0.75}\n', "utf-8")
    program.session.project.history.mark_saved()
    drop(program.window, path)
    dialog = program.window.findChildren(_import_dialog())[-1]
    program.wait(lambda: dialog._preview is not None, PATIENCE)
    program.picture("walk-reader-import", dialog)
    press_load(program, dialog)
    clock.lap("from dropping a file of the new kind to its rows on page Data")
    program.window.show_page("data")
    program.picture("walk-reader")
    assert [c.name for c in program.session.project.summary.columns] == ["id", "score"]
    assert program.session.project.document.data.reader.format == "json_lines"


def _import_dialog() -> type:
    from gui.pages.data.reading.import_dialog import ImportDialog

    return ImportDialog


def _change_the_name_its_test_imports(folder: Path) -> None:
    """As the guide says; the other test knows the template's format, and is the author's."""
    test = folder / "tests" / "test_reader.py"
    text = test.read_text("utf-8")
    names = [key for key, value in _made_by(EXAMPLES["json_lines"]).items() if value]
    test.write_text(text.replace("READER", names[0]), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "contract", str(folder)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def _made_by(code: str) -> dict[str, bool]:
    """The names of a module, and whether each is a reader."""
    scope: dict[str, object] = {"__name__": "example"}
    exec(compile(code, "example.py", "exec"), scope)
    return {name: True for name, value in scope.items() if isinstance(value, TableReader)}


@pytest.mark.soak
def test_a_system_from_the_template_runs_in_an_experiment(program: Program, tmp_path: Path) -> None:
    program.window.show_page("experiments")  # its list is there before the plugin is
    page = program.window.pages["experiments"]
    presenter = page.presenter
    presenter.take(ExperimentSpec(protocol="sepsis", synthetic_rows=200, systems=2, splits=2))
    program.settle()
    clock = Clock(program, "system")
    packed = from_template("system", tmp_path)
    clock.lap("new-plugin, check-plugin, pack-plugin")
    install(program, packed, "org.example.weakest_link")
    clock.lap("install")
    program.window.show_page("experiments")
    parts = page.parts
    program.wait(lambda: parts.system.findData("weakest_link") >= 0, PATIENCE)
    choose(parts.system, "weakest_link")
    parts.drawing.editor(PARAMETER + "share").choose(0.2)
    presenter.take(replace(presenter.spec, learners=("linear",)))
    program.wait(parts.run.isEnabled, PATIENCE)
    QTest.mouseClick(parts.run, Qt.MouseButton.LeftButton)
    program.wait(lambda: presenter.result is not None and not presenter.is_running, PATIENCE)
    clock.lap("from the installed plugin to the finished experiment")
    program.picture("walk-system")
    assert presenter.result.is_whole, program.messages
    assert presenter.result.spec.system == "weakest_link"
    assert presenter.result.spec.system_parameters == (("share", 0.2),)
    assert np.isfinite(presenter.result.runs.error).all()


def open_models(program: Program, tmp_path: Path) -> Any:
    """Page Models of a project whose target is an amount, with a short training asked for."""
    path = write_csv(tmp_path / "amounts.csv", raw_columns(600))
    document = raw_document(load(LocalEngine(), path), "amount")
    project = save_project(tmp_path / "amounts.payoff", document, Headline())
    program.session.project.history.mark_saved()
    assert program.session.files.open_project(str(project))
    program.window.show_page("models")
    page = program.window.pages["models"]
    program.wait(lambda: page.presenter.offered is not None, PATIENCE)
    program.settle()
    page.presenter.take_draft(replace(page.presenter.draft, n_trees=30, seed=11))
    return page


def train_with(program: Program, page: Any, loss: str) -> None:
    """Wait until page Models offers a loss, choose it and train."""

    def is_offered() -> bool:
        offered = page.presenter.offered
        return offered is not None and loss in {info.id for info in offered.distributions}

    program.wait(is_offered, PATIENCE)
    draft = page.presenter.draft
    assert (draft.n_trees, draft.seed) == (30, 11), "a new plugin cost what had been set"
    page.chooser.distribution_chosen.emit(loss)
    assert page.presenter.draft.distribution == loss
    program.picture(f"walk-{loss}-chooser")
    program.wait(page.inspector.train.isEnabled)
    QTest.mouseClick(page.inspector.train, Qt.MouseButton.LeftButton)
    program.wait(lambda: program.session.project.document.trained_model("gbm 1") is not None, 300)
    program.settle()
    trained = program.session.project.document.trained_model("gbm 1")
    assert (trained.distribution, trained.trees) == (loss, 30)


def test_a_loss_saved_into_the_folder_grows_trees(program: Program, tmp_path: Path) -> None:
    """ "Your own loss in five minutes": no manifest, no hook, no restart."""
    page = open_models(program, tmp_path)
    clock = Clock(program, "own loss")
    (program.folder / "home" / "plugins" / LOSS_FILE).write_text(LOSS, "utf-8")
    train_with(program, page, "pseudo_huber")
    clock.lap("from saving the file to the trained model")
    program.picture("walk-own-loss")
    assert "gbm 1" in {cell.model for cell in program.session.results.evaluation.cells}


@pytest.mark.soak
def test_a_loss_of_one_file_grows_trees(program: Program, tmp_path: Path) -> None:
    page = open_models(program, tmp_path)
    clock = Clock(program, "loss")
    plugin = one_file("log_cosh", tmp_path / "log_cosh.py")
    assert "Fit for use" in payoff(tmp_path, "check-plugin", plugin.name)
    clock.lap("check-plugin")
    install(program, plugin, "org.example.log_cosh")
    clock.lap("install")
    program.window.show_page("models")
    train_with(program, page, "log_cosh")
    clock.lap("from the installed plugin to the trained model")
    program.picture("walk-loss")
    assert "gbm 1" in {cell.model for cell in program.session.results.evaluation.cells}
    _without_its_loss(program)


def _without_its_loss(program: Program) -> None:
    """The plugin is removed with a model that it grew in the open project."""
    before = program.session.results.evaluation
    posted = len(program.messages)
    program.window.pages["plugins"].remove("org.example.log_cosh")
    program.wait(lambda: len(program.messages) > posted, PATIENCE)
    described = str(program.messages[-1])
    assert described.startswith("The model 'gbm 1' needs its loss 'log_cosh'.")
    assert "Install it again" in described
    program.settle()
    program.window.show_page("compare")
    program.picture("walk-loss-removed")
    assert program.session.results.evaluation is before  # what was found out stays
    assert program.session.project.document.trained_model("gbm 1") is not None


@pytest.mark.soak
def test_a_matrix_from_the_template_decides(program: Program, sample: Path, tmp_path: Path) -> None:
    open_sample(program, sample)
    clock = Clock(program, "matrix")
    packed = from_template("matrix", tmp_path)
    clock.lap("new-plugin, check-plugin, pack-plugin")
    install(program, packed, "org.example.call_centre")
    clock.lap("install")
    program.window.show_page("decide")
    page = program.window.pages["decide"]
    box = page.earns.kind
    program.wait(lambda: box.findData("example.call_centre") >= 0, PATIENCE)
    before = program.session.results.decisions
    choose(box, "example.call_centre")
    program.wait(
        lambda: (
            program.session.results.decisions is not before
            and program.session.results.decisions is not None
            and program.session.results.decisions.decisions == ("Call", "Do nothing")
        ),
        PATIENCE,
    )
    program.settle()
    clock.lap("from the installed plugin to totals under its numbers")
    program.picture("walk-matrix")
    assert program.session.project.document.matrix.template == "example.call_centre"
    assert program.session.project.document.rows_used is not RowUse.TRAIN
