"""At the next start the guilty plugin is named, once, and can be turned off with one press."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.document.plugin_results import PluginsResult
from core.engine.messages import PluginsArguments
from gui.app.plugin_crashes import CrashNotice, crash_book
from gui.session.session import Session
from gui.widgets.notice import Notice
from tests.gui.plugins.plugins_page import plugin
from tests.helpers.fake_engine import FakeEngine

GUILTY = plugin("Costs", "quarantined", why="It was ended by signal SIGSEGV.")


@pytest.fixture
def notice(session: Session, qtbot: QtBot, tmp_path, monkeypatch: pytest.MonkeyPatch) -> Notice:
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path))
    made = Notice()
    qtbot.addWidget(made)
    made.crashes = CrashNotice(session, made, made)
    return made


def know(session: Session, *plugins) -> None:
    session.plugins.changed.emit(PluginsResult(plugins=plugins, metrics=(), templates=()))


def test_the_guilty_one_is_named_and_turned_off(
    notice: Notice, session: Session, engine: FakeEngine
) -> None:
    crash_book().add(GUILTY.plugin, "metric costs", "It was ended by signal SIGSEGV.")
    know(session, GUILTY)
    assert "Costs (org.example.costs) stopped the engine" in notice.text.text()
    assert "SIGSEGV" in notice.text.text()
    assert notice._action.text() == "Turn it off"
    notice._action.click()
    assert session.settings.settings.plugins_off == ("org.example.costs",)
    assert engine.last("plugins").arguments == PluginsArguments(check_again=True)
    assert crash_book().untold() == []
    assert notice.isHidden()


def test_it_is_told_once_and_only_of_plugins_that_are_there(
    notice: Notice, session: Session
) -> None:
    crash_book().add("org.example.gone", "import", "x")
    know(session, GUILTY)
    assert notice.isHidden()


def test_put_away_it_is_not_told_again(notice: Notice, session: Session) -> None:
    crash_book().add(GUILTY.plugin, "metric costs", "x")
    know(session, GUILTY)
    assert not notice.isHidden()
    notice.dismiss()
    assert crash_book().untold() == []
    assert session.settings.settings.plugins_off == ()


def test_another_message_is_waited_for(notice: Notice, session: Session) -> None:
    crash_book().add(GUILTY.plugin, "metric costs", "x")
    crash_book().add("org.example.other", "import", "y")
    notice.show_text("Work that was not saved was found")
    know(session, GUILTY, plugin("Other"))
    assert "Work" in notice.text.text()
    notice.dismiss()
    assert "These plugins stopped the engine" in notice.text.text()
    assert notice._action.text() == "Turn them off"
