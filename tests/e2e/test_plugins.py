"""A plugin from its file to the Compare table and away again, in the real window."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.plugin_results import PluginState
from tests.contract.kernel_checks import BROKEN, COMPILES
from tests.e2e.dropping import drop
from tests.helpers.factories.plugins import manifest, metric_code, write_file_plugin
from tests.helpers.program import Program

OWN_ENGINE = True  # for plugins, or one that ends
pytestmark = pytest.mark.timeout(240)  # real window and engine; a cold machine compiles first


def state(program: Program, plugin: str) -> PluginState | None:
    known = program.session.plugins.known
    return next((p for p in known.plugins if p.plugin == plugin), None) if known else None


def test_installed_active_off_on_removed(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "own.payoff-plugin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest("org.example.window"))
        archive.writestr("own.py", metric_code("window_miss"))
    program.wait(lambda: program.session.plugins.known is not None, 100)
    drop(program.window, path)
    page = program.window.pages["plugins"]
    assert program.window.current_page == "plugins"
    program.wait(lambda: page.dialog is not None)
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)
    own = "org.example.window"
    program.wait(lambda: (found := state(program, own)) is not None and found.state == "active", 60)
    assert any(m.metric == "window_miss" for m in program.session.plugins.known.metrics)
    program.wait(lambda: page.details.name.text() == "window")
    assert "Manifest is valid" in page.details.details()
    page.switch(own, False)
    program.wait(lambda: state(program, own).state == "off", 60)
    assert not any(m.metric == "window_miss" for m in program.session.plugins.known.metrics)
    page.switch(own, True)
    program.wait(lambda: state(program, own).state == "active", 60)
    page.remove(own)
    program.wait(lambda: state(program, own) is None, 60)


def test_a_file_of_code_dropped_on_the_window_is_installed_after_the_same_question(
    program: Program, tmp_path: Path
) -> None:
    path = write_file_plugin(tmp_path / "dropped.py", metric_code("dropped_miss"), "org.a.dropped")
    program.wait(lambda: program.session.plugins.known is not None, 100)
    program.window.show_page("plugins")
    page = program.window.pages["plugins"]
    earlier = page.dialog
    drop(program.window, path)
    program.wait(lambda: page.dialog is not earlier)
    assert program.window.current_page == "plugins"
    assert state(program, "org.a.dropped") is None  # nothing before the answer
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)
    program.wait(
        lambda: (found := state(program, "org.a.dropped")) is not None and found.state == "active",
        60,
    )
    page.remove("org.a.dropped")
    program.wait(lambda: state(program, "org.a.dropped") is None, 60)


def test_a_file_that_is_no_plugin_is_refused_in_words(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "broken.payoff-plugin"
    path.write_bytes(b"GIF89a")
    before = len(program.messages)
    program.window.open_path(str(path))
    program.wait(lambda: len(program.messages) > before)
    assert "cannot be read" in str(program.messages[-1])


CHANCE = """\
import os, time

import payoff

GO = {go!r}


@payoff.metric("Mean chance", direction="none", value_range=(0, 10))
def mean_chance(outcome, score, weight):
    \"\"\"The mean of the chances of the event.\"\"\"
    end = time.monotonic() + 60
    while len(score) > 5000 and not os.path.exists(GO) and time.monotonic() < end:
        time.sleep(0.01)
    return {times} * float((weight * score).sum() / weight.sum())
"""
OWN = "org.example.chance"


def probability_file(folder: Path, version: str, times: int) -> Path:
    """A version of a plugin that waits, among many cases, for the file "go" beside it."""
    text = CHANCE.format(go=str(folder / "go"), times=times)
    path = folder / f"chance-{version}.py"
    return write_file_plugin(path, text, OWN, version=version)


def press_install(program: Program, path: Path) -> None:
    page = program.window.pages.get("plugins")
    earlier = page.dialog if page is not None else None
    drop(program.window, path)
    page = program.window.pages["plugins"]
    program.wait(lambda: page.dialog is not None and page.dialog is not earlier)
    program.picture(f"install-{path.stem}", page.dialog)
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)


def values(program: Program) -> list[float]:
    result = program.session.results.evaluation
    cells = [c for c in result.cells if c.metric == "mean_chance"] if result is not None else []
    return [c.estimate.value for c in cells]


@pytest.mark.soak
@pytest.mark.timeout(600)  # real window and engine; a cold machine compiles first
def test_updated_and_removed_at_work_with_the_project_open(
    program: Program, sample: Path, tmp_path: Path
) -> None:
    """The table keeps its old column until the new one is there; nothing else is lost."""
    program.window.files.open_path(str(sample))
    program.wait(lambda: program.session.results.evaluation is not None, 90)
    program.settle()
    others = {
        (c.model, c.metric): c.estimate.value for c in program.session.results.evaluation.cells
    }
    (tmp_path / "go").touch()
    press_install(program, probability_file(tmp_path, "1.0.0", 1))
    program.wait(lambda: bool(values(program)), 90)
    program.settle()
    first = values(program)
    seen: list[bool] = []
    watching = program.session.results.evaluation_changed.connect(
        lambda result: seen.append(result is not None)
    )
    press_install(program, probability_file(tmp_path, "2.0.0", 2))
    program.wait(lambda: values(program) not in ([], first), 90)
    program.settle()
    assert values(program) == pytest.approx([2 * value for value in first])
    assert all(seen), "the table was empty between the two versions"
    program.session.results.evaluation_changed.disconnect(watching)
    assert state(program, OWN).version == "2.0.0"
    press_install(program, probability_file(tmp_path, "1.0.0", 1))  # the older one again
    program.wait(lambda: values(program) == first, 90)
    program.settle()
    _removed_at_work(program, tmp_path)
    left = {(c.model, c.metric): c.estimate.value for c in program.session.results.evaluation.cells}
    assert left == others


def _removed_at_work(program: Program, folder: Path) -> None:
    """A comparison is in the plugin; "Remove" says what it waits for, and is done after it."""
    (folder / "go").unlink()
    client = program.jobs._engine
    program.session.results.set_level("0")  # another comparison: of the other class
    program.wait(lambda: (client.plugin_in_use or ("",))[0] == OWN, 100)
    described = len(program.messages)
    program.window.show_page("plugins")
    program.window.pages["plugins"].remove(OWN)
    program.wait(lambda: len(program.messages) > described)
    waits = "Removing chance waits until this has ended: Comparing models. Stop ends it sooner."
    assert str(program.messages[-1]) == waits
    program.picture("remove-waits")
    assert state(program, OWN).state == "active"
    (folder / "go").touch()
    program.wait(lambda: state(program, OWN) is None, 90)
    assert "Removing chance: done" in map(str, program.messages)
    program.session.results.set_level(None)
    program.wait(lambda: not values(program), 90)
    program.settle()
    program.window.show_page("compare")
    program.picture("removed")


@pytest.mark.soak  # the suite has it without a window in contract/test_kernel_checks
@pytest.mark.timeout(400)  # real window and engine; a cold machine compiles first
def test_kernels_are_compiled_when_a_plugin_is_installed(program: Program, tmp_path: Path) -> None:
    """Not by its first user: what does not compile is in quarantine, with the line, and stays."""
    own = "org.example.table"
    path = write_file_plugin(tmp_path / "table.py", BROKEN[COMPILES], own)
    titles: set[str] = set()
    program.jobs.job_changed.connect(lambda entry: titles.add(entry.title))
    press_install(program, path)
    program.wait(lambda: (known := state(program, own)) is not None and bool(known.why), 200)
    found = state(program, own)
    assert found.state == "quarantined"
    assert COMPILES in found.why
    assert "SHARES" in found.why
    assert "Preparing calculations of table" in titles
    program.window.pages["plugins"].check_all()  # quick, and does not take it back
    program.settle()
    assert state(program, own).state == "quarantined"
    program.picture("does-not-compile")
    program.window.pages["plugins"].remove(own)
    program.wait(lambda: state(program, own) is None, 90)
