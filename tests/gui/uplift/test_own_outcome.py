"""Page Uplift asks about rows without a value in an outcome of its own, above its figures."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu, QPushButton

from core.document.data.missing_outcomes import MissingOutcomes
from core.document.data.model import ReaderSettings
from core.document.uplift.commands import SetUpliftOutcome
from core.engine.messages import LoadArguments
from tests.helpers.factories.experiment import columns, document_with_gaps, missing_in_arms
from tests.helpers.harness import UpliftHarness

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def gappy(real, tmp_path_factory):
    document = document_with_gaps(real, tmp_path_factory.mktemp("own"))
    arguments = LoadArguments(path=document.data.path, reader=ReaderSettings())
    return document, real.run("load", arguments)


@pytest.fixture
def desk(session, engine, qtbot, real, gappy) -> UpliftHarness:
    return UpliftHarness(session, engine, qtbot, real, *gappy)


def choose_spend(desk) -> None:
    """Choose the outcome in the header, and answer how many rows have none."""
    combo = desk.page.bar.outcome
    combo.setCurrentIndex(combo.findText("spend"))
    combo.activated.emit(combo.currentIndex())
    asked = desk.engine.last("uplift.outcome_gaps")
    with desk.qtbot.waitSignal(desk.session.jobs.job_ended, timeout=30_000):
        desk.engine.answer(asked.job, desk.real.run("uplift.outcome_gaps", asked.arguments))


def test_an_outcome_with_gaps_is_asked_about_before_any_number(desk):
    desk.answer()
    seen = len(desk.engine.of_kind("uplift.page"))
    choose_spend(desk)
    page, notice = desk.page, desk.page.outcome_question.notice
    assert notice.isVisible()
    count = len(missing_in_arms(columns()))
    assert f"{count} of 3,000 rows have no outcome in “spend”" in notice.text.text()
    assert page.stack.currentIndex() == 0
    assert "say above" in page.empty.sentence.text()
    assert not page.save.isEnabled()
    page.on_shown()
    page._request.renew()
    assert len(desk.engine.of_kind("uplift.page")) == seen
    button = next(b for b in notice.findChildren(QPushButton) if b.text() == "Leave them out")
    button.click()
    assert desk.session.project.document.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT
    assert not notice.isVisible()
    desk.next_answer(seen)
    assert page.result.outcome == "spend"
    assert page.stack.currentIndex() == 1


def test_the_answer_can_be_changed_in_the_menu_and_undone(desk):
    desk.answer()
    choose_spend(desk)
    desk.page.outcome_question.leave_out()
    menu = QMenu()
    desk.page._fill_options(menu)
    actions = menu.actions()
    place = next(i for i, a in enumerate(actions) if a.text() == "Give no numbers until I say")
    heading, entry = actions[place - 1], actions[place]
    assert heading.text() == "Rows without “spend”"
    assert not heading.isSeparator()  # a styled menu shows no titles of sections
    assert not heading.isEnabled()
    assert not entry.isChecked()
    entry.trigger()
    assert desk.session.project.document.uplift.missing_outcomes is MissingOutcomes.ASK
    desk.session.project.undo()
    assert desk.session.project.document.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT


def test_nothing_is_asked_of_the_outcome_of_the_project_or_of_one_without_gaps(desk):
    desk.answer()
    desk.session.project.execute(SetUpliftOutcome(outcome="x"))
    assert not desk.engine.of_kind("uplift.outcome_gaps")
    assert not desk.page.outcomes.is_waiting
    desk.session.project.execute(SetUpliftOutcome(outcome="bought"))
    assert not desk.engine.of_kind("uplift.outcome_gaps")


def test_an_answer_that_comes_too_late_is_not_shown(desk):
    desk.qtbot.waitUntil(lambda: bool(desk.engine.of_kind("uplift.page")))
    asked = desk.engine.last("uplift.page")
    choose_spend(desk)
    with desk.qtbot.waitSignal(desk.session.jobs.job_ended, timeout=30_000):
        desk.engine.answer(asked.job, desk.real.run("uplift.page", asked.arguments))
    assert desk.page.stack.currentIndex() == 0
    assert desk.page.result is None
