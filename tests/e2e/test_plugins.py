"""A plugin from its file to the Compare table and away again, in the real window."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.plugin_results import PluginState
from tests.core.extensions.making import manifest, metric_code, write_file_plugin
from tests.e2e.conftest import Program
from tests.e2e.dropping import drop

pytestmark = pytest.mark.timeout(240)


def state(program: Program, plugin: str) -> PluginState | None:
    known = program.workspace.plugins
    return next((p for p in known.plugins if p.plugin == plugin), None) if known else None


def test_installed_active_off_on_removed(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "own.payoff-plugin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest("org.example.window"))
        archive.writestr("own.py", metric_code("window_miss"))
    program.wait(lambda: program.workspace.plugins is not None, 100)
    drop(program.window, path)
    page = program.window.pages["plugins"]
    assert program.window.current_page == "plugins"
    program.wait(lambda: page.dialog is not None)
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)
    own = "org.example.window"
    program.wait(lambda: (found := state(program, own)) is not None and found.state == "active", 60)
    assert any(m.metric == "window_miss" for m in program.workspace.plugins.metrics)
    program.wait(lambda: page.details.name.text() == "window")
    assert "Manifest is valid" in page.details.details()
    page.switch(own, False)
    program.wait(lambda: state(program, own).state == "off", 60)
    assert not any(m.metric == "window_miss" for m in program.workspace.plugins.metrics)
    page.switch(own, True)
    program.wait(lambda: state(program, own).state == "active", 60)
    page.remove(own)
    program.wait(lambda: state(program, own) is None, 60)


def test_a_file_of_code_dropped_on_the_window_is_installed_after_the_same_question(
    program: Program, tmp_path: Path
) -> None:
    path = write_file_plugin(tmp_path / "dropped.py", metric_code("dropped_miss"), "org.a.dropped")
    program.wait(lambda: program.workspace.plugins is not None, 100)
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
