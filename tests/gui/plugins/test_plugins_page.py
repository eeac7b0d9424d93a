"""Page Plugins: states with reasons, a sheet, installing after a question, on, off, remove."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from core.document.plugin_results import (
    InstallPluginArguments,
    PluginCheck,
    PluginOffering,
    PluginOfferings,
    PluginsResult,
    PreviewPluginArguments,
    RemovePluginArguments,
)
from core.engine.messages import PluginsArguments
from gui.app.plugin_crashes import crash_book
from gui.pages.plugins.widget import PluginsPage
from gui.pages.plugins.words import adds_words
from gui.session.session import Session
from gui.widgets import TextLabel
from tests.gui.plugins.plugins_page import plugin
from tests.helpers.fake_engine import FakeEngine

SHEET = (
    PluginCheck(check="Manifest is valid", subject="org.example.linex", state="passed"),
    PluginCheck(
        check="Gradient matches the loss",
        subject="linex",
        state="failed",
        found="0.40 stated, 0.80 measured",
    ),
)


PLUGINS = (
    plugin(
        "Boosting",
        source="built in",
        families=("distributions",),
        adds=("distribution a: A", "distribution b: B"),
    ),
    plugin(
        "Linex",
        "quarantined",
        families=("distributions",),
        why="its gradient is half",
        stage="conformance",
        checks=SHEET,
        traceback="Traceback ...",
    ),
    plugin("Costs"),
    plugin("Scorecard", "does_not_fit", why="It needs plugin contract >=2; here is 1.1."),
    plugin("Old", "off", why="Turned off by you."),
)


def test_what_a_plugin_adds_is_counted_by_its_kind():
    curves = plugin("Curves", adds=("curve roc: ROC", "curve gains: gains", "metric auc: AUC"))
    assert adds_words(curves) == "2 curves, 1 metric"


@pytest.fixture
def page(session: Session, engine: FakeEngine, qtbot: QtBot) -> PluginsPage:
    session.plugins.known = PluginsResult(plugins=PLUGINS, metrics=(), templates=())
    page = PluginsPage(session)
    qtbot.addWidget(page)
    page.resize(1368, 802)
    page.show()
    qtbot.waitExposed(page)
    return page


def texts(page: PluginsPage) -> list[str]:
    """What stands beside the list."""
    return [label.text() for label in page.details.findChildren(TextLabel)]


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def offering(**settings: object) -> PluginOffering:
    return PluginOffering(
        **{
            "plugin": "org.example.new",
            "name": "New",
            "version": "2.0",
            "licence": "MIT",
            "author": "A",
            "description": "Says more.",
            "families": ("metrics",),
            "files": 3,
            "size_bytes": 6200,
            "is_listed": False,
            "packages": (),
            "change": "new",
            **settings,
        }
    )


def test_every_plugin_stands_in_its_family_with_its_state_and_why(page: PluginsPage) -> None:
    assert list(page.list.rows) == [p.plugin for p in PLUGINS]
    assert page.list.rows["org.example.linex"].chip.text() == "Quarantined"
    assert page.counts.text() == "2 active, 1 quarantined, 2 other"
    assert page.counts_by_family() == {"distributions": 2, "metrics": 3}


def test_the_faulty_one_is_shown_first_with_its_sheet(page: PluginsPage) -> None:
    assert page.chosen == "org.example.linex"
    details = page.details.details()
    assert "state: quarantined" in details
    assert "failed: Gradient matches the loss (linex) 0.40 stated, 0.80 measured" in details
    assert "Traceback" in details
    assert "contract: >=1,<2" in details
    assert page.details.by.text().endswith("by R. Okafor, MIT, user folder, contract >=1,<2")
    click(page.details.copy)
    assert QGuiApplication.clipboard().text() == details


def test_a_click_chooses_and_a_family_can_be_shown_alone(page: PluginsPage) -> None:
    QTest.mouseClick(page.list.rows["org.example.costs"], Qt.MouseButton.LeftButton)
    assert page.details.name.text() == "Costs"
    page.family.choose("distributions")
    page.family.chosen.emit("distributions")
    assert list(page.list.rows) == ["org.example.boosting", "org.example.linex"]


def test_what_came_with_the_program_can_be_neither_removed_nor_turned_off(
    page: PluginsPage,
) -> None:
    page.choose("org.example.boosting")
    assert not page.details.remove.isEnabled()
    assert not page.details.switch.isEnabled()


def test_of_what_shipped_it_is_said_that_it_was_checked_before(
    session: Session, page: PluginsPage
) -> None:
    own = PluginCheck(check="Manifest is valid", subject="org.example.boosting", state="passed")
    waiting = plugin(
        "Blood", "checking", families=("decision_matrices",), adds=("decision_matrices",)
    )
    known = (replace(PLUGINS[0], checks=(own,)), waiting)
    session.plugins.known = PluginsResult(plugins=known, metrics=(), templates=())
    session.plugins.changed.emit(session.plugins.known)
    page.choose("org.example.boosting")
    assert any("before it shipped" in text for text in texts(page))
    page.choose("org.example.blood")
    assert not any("before it shipped" in text for text in texts(page))
    assert "Decision matrices" in texts(page)  # in words as long as it was not imported


def test_installing_asks_first_and_looks_again_afterwards(
    page: PluginsPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    page.offer("/somewhere/new.payoff-plugin")
    requested = engine.last("plugin_file")
    assert requested.arguments == PreviewPluginArguments(path="/somewhere/new.payoff-plugin")
    found = PluginOfferings(folder="/plugins", plugins=(offering(packages=("tiny 1.0",)),))
    engine.answer(requested.job, found)
    qtbot.waitUntil(lambda: page.dialog is not None)
    assert engine.of_kind("install_plugin") == []
    assert page.dialog is not None
    click(page.dialog.install)
    qtbot.waitUntil(lambda: bool(engine.of_kind("install_plugin")))
    request = engine.last("install_plugin")
    assert request.arguments == InstallPluginArguments(path="/somewhere/new.payoff-plugin")
    engine.answer(request.job, found)
    qtbot.waitUntil(lambda: len(engine.of_kind("plugins")) == 2)
    requested = [entry.arguments for entry in engine.of_kind("plugins")]
    # All are looked at, quickly; then the new one's kernels are compiled.
    assert requested == [
        PluginsArguments(check_again=True),
        PluginsArguments(check="org.example.new"),
    ]
    assert page.chosen == "org.example.new"
    titles = [entry.title for entry in page.session.jobs.open_entries()]
    assert titles[-1] == "Preparing calculations of New"


def test_refusing_the_question_installs_nothing(
    page: PluginsPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    page.offer("/somewhere/new.zip")
    engine.answer(engine.last("plugin_file").job, PluginOfferings(folder="", plugins=(offering(),)))
    qtbot.waitUntil(lambda: page.dialog is not None)
    assert page.dialog is not None
    click(page.dialog.cancel)
    assert engine.of_kind("install_plugin") == []


def test_turning_off_is_remembered_and_looked_at_again(
    page: PluginsPage, engine: FakeEngine, session: Session
) -> None:
    page.choose("org.example.costs")
    click(page.details.switch)
    assert session.settings is not None
    assert session.settings.settings.plugins_off == ("org.example.costs",)
    assert engine.last("plugins").arguments == PluginsArguments(check_again=True)
    page.switch("org.example.costs", True)
    assert session.settings.settings.plugins_off == ()


def test_one_plugin_can_be_checked_and_its_sheet_is_in_plain_words(
    page: PluginsPage, engine: FakeEngine
) -> None:
    described = texts(page)
    assert "Not fit for use: 1 of 2 checks failed." in described
    assert "It improves exactly what it measures." in described
    assert "Gradient matches the loss. 0.40 stated, 0.80 measured" in described
    click(page.details.check)
    assert engine.last("plugins").arguments == PluginsArguments(check="org.example.linex")


def test_turning_on_forgives_crashes(page: PluginsPage, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path))
    for _ in range(3):
        crash_book().add("org.example.old", "import", "x")
    page.switch("org.example.old", True)
    assert crash_book().disabled() == {}


def test_removing_asks_first(page: PluginsPage, engine: FakeEngine, qtbot: QtBot) -> None:
    page.choose("org.example.costs")
    click(page.details.remove)
    box = page.findChild(QMessageBox)
    assert box is not None
    agreed = next(b for b in box.buttons() if b.text() == "Remove")
    agreed.click()
    qtbot.waitUntil(lambda: bool(engine.of_kind("remove_plugin")))
    request = engine.last("remove_plugin").arguments
    assert request == RemovePluginArguments(plugin="org.example.costs")


def test_rows_of_before_are_gone_at_once(page: PluginsPage, session: Session) -> None:
    """Not only when Qt comes round to deleting them: they would show through until then."""
    old = list(page.list.rows.values())
    session.plugins.changed.emit(session.plugins.known)
    assert not any(row.isVisibleTo(page) for row in old)
    assert not set(old) & set(page.list.rows.values())


def test_a_file_that_is_no_plugin_adds_nothing(page: PluginsPage, session: Session) -> None:
    torn = plugin(
        "Torn",
        "quarantined",
        families=(),
        adds=(),
        description="",
        stage="manifest",
        why="The file has no manifest.",
    )
    session.plugins.known = PluginsResult(plugins=(torn,), metrics=(), templates=())
    session.plugins.changed.emit(session.plugins.known)
    assert "What it adds" not in texts(page)
    assert page.details.text.isHidden()
    assert any("tries it again" in text for text in texts(page))
