"""A new plugin's column and chart stand on page Compare, however it came to be known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.document.history import History
from core.document.model import MetricChoice
from core.document.plugin_results import CurveInfo, MetricInfo, PluginsResult
from core.engine.messages import JobState, PluginsArguments
from core.settings import SettingsStore
from gui.session.plugin_watch import PluginWatch
from gui.session.session import Session
from tests.helpers.answers.synthetic import make_evaluation
from tests.helpers.factories.loaded_file import loaded_document, make_summary
from tests.helpers.fake_engine import FakeEngine

NONE = PluginsResult(plugins=(), metrics=(), templates=())


def metric(name: str, task: str = "binary") -> MetricInfo:
    return MetricInfo(
        id=name,
        label=name,
        metric=name,
        title=name,
        direction="higher",
        help="A metric.",
        formula="",
        reference="",
        decimals=3,
        tasks=(task,),
    )


CURVE = CurveInfo(
    id="missed",
    title="How many are missed?",
    label="missed",
    help="A curve.",
    formula="",
    reference="",
    tasks=("binary",),
    axis="depth",
)


@pytest.fixture
def watch(session: Session, tmp_path: Path) -> PluginWatch:
    """A watch on a folder in which nothing changes: all it hears is the answers of the engine."""
    session.project.history = History(loaded_document())
    session.results.evaluation = make_evaluation()
    made = PluginWatch(session, tmp_path / "plugins", session)
    session.plugins.changed.emit(NONE)  # the list of the start
    return made


def columns(session: Session) -> list[str]:
    return [choice.metric for choice in session.project.document.metrics]


def test_what_is_installed_from_the_page_is_shown_before_the_folder_tells(
    session: Session, watch: PluginWatch
) -> None:
    both = replace(NONE, metrics=(metric("near"),), curves=(CURVE,))
    session.plugins.changed.emit(both)
    assert columns(session)[-1] == "near"
    assert session.project.document.charts[-1] == "missed"


def test_columns_of_the_usual_table_keep_their_parameters(
    session: Session, watch: PluginWatch
) -> None:
    shown = make_evaluation()
    lift = replace(
        shown.metrics[2], metric="lift_at(depth=0.5)", id="lift_at", given=(("depth", 0.5),)
    )
    session.results.evaluation = replace(
        shown, metrics=(*shown.metrics[:2], lift, *shown.metrics[3:])
    )
    session.plugins.changed.emit(replace(NONE, metrics=(metric("near"),)))
    wanted = MetricChoice(metric="lift_at", parameters=(("depth", 0.5),))
    assert session.project.document.metrics[2] == wanted


def test_what_judges_another_outcome_is_not_put_into_the_table(
    session: Session, watch: PluginWatch
) -> None:
    numbers = replace(CURVE, tasks=("regression",))
    found = replace(NONE, metrics=(metric("of_numbers", "regression"),), curves=(numbers,))
    session.plugins.changed.emit(found)
    assert columns(session) == []
    assert session.project.document.charts == ()


def test_a_column_that_is_there_already_is_not_there_twice(
    session: Session, watch: PluginWatch
) -> None:
    """Turned off and on again: the document still asks for it."""
    session.plugins.changed.emit(replace(NONE, metrics=(metric("near"),)))
    before = session.project.document.metrics
    session.plugins.changed.emit(NONE)
    session.plugins.changed.emit(replace(NONE, metrics=(metric("near"),)))
    assert session.project.document.metrics == before
    assert MetricChoice(metric="near") in before


def test_the_folder_is_looked_at_again_when_it_tells(
    session: Session, engine: FakeEngine, watch: PluginWatch, tmp_path: Path, qtbot
) -> None:
    watch.start()
    (tmp_path / "plugins" / "own.py").write_text("pass\n")
    qtbot.waitUntil(lambda: bool(engine.of_kind("plugins")))
    assert engine.last("plugins").arguments == PluginsArguments(check_again=True)


def test_a_changed_file_asks_for_the_table_and_the_totals(
    session: Session, engine: FakeEngine, tmp_path: Path, qtbot
) -> None:
    """A decision matrix may have changed: both pages are to say the same."""
    watch = PluginWatch(session, tmp_path / "plugins", session)
    engine.answer(session.files.open_data("/data/mail.csv"), make_summary())
    qtbot.waitUntil(lambda: bool(engine.of_kind("decide.totals")))
    engine.end(engine.last("decide.totals").job, JobState.CANCELLED)
    session.plugins.changed.emit(NONE)
    watch.start()
    (tmp_path / "plugins" / "own.py").write_text("pass\n")
    qtbot.waitUntil(lambda: bool(engine.of_kind("plugins")))
    engine.answer(engine.last("plugins").job, NONE)
    qtbot.waitUntil(lambda: len(engine.of_kind("decide.totals")) == 2, timeout=5000)


def test_it_is_said_where_a_new_metric_is_to_be_found(session: Session, watch: PluginWatch) -> None:
    described: list[object] = []
    session.project.message_posted.connect(described.append)
    both = (metric("near"), metric("of_numbers", "regression"))
    session.plugins.changed.emit(replace(NONE, metrics=both))
    assert described == [
        "New in the metric table: near",
        "New, for other outcomes than this one: of_numbers",
    ]


def test_a_plugin_turned_off_in_a_terminal_is_noticed(
    session: Session, engine: FakeEngine, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "state" / "settings.json"
    session.settings = SettingsStore(place)
    watch = PluginWatch(session, tmp_path / "plugins", session)
    watch.start()
    terminal = SettingsStore(place)
    terminal.change(replace(terminal.settings, theme="dark"))  # nothing of plugins
    with qtbot.waitSignal(watch._watcher.directoryChanged, timeout=5000):
        terminal.change(replace(terminal.settings, last_folder="/data"))
    assert not watch._pause.isActive()
    terminal.change(replace(terminal.settings, plugins_off=("org.example.own",)))
    qtbot.waitUntil(lambda: bool(engine.of_kind("plugins")), timeout=5000)
    assert engine.last("plugins").arguments.check_again
    assert session.settings.settings.plugins_off == ("org.example.own",)
