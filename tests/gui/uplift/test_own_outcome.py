"""Page Uplift asks about rows without a value in an outcome of its own, above its figures."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from core.document.data.model import MissingOutcomes, ReaderSettings
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
def harness(session, engine, qtbot, real, gappy) -> UpliftHarness:
    return UpliftHarness(session, engine, qtbot, real, *gappy)


def choose_spend(harness) -> None:
    """Choose the outcome in the header, and answer how many rows have none."""
    combo = harness.page.bar.outcome
    combo.setCurrentIndex(combo.findText("spend"))
    combo.activated.emit(combo.currentIndex())
    requested = harness.engine.last("uplift.outcome_gaps")
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=30_000):
        harness.engine.answer(
            requested.job, harness.real.run("uplift.outcome_gaps", requested.arguments)
        )


def test_an_outcome_with_gaps_is_asked_about_before_any_number(harness):
    harness.answer()
    seen = len(harness.engine.of_kind("uplift.page"))
    choose_spend(harness)
    page, notice = harness.page, harness.page.outcome_question.notice
    assert notice.isVisible()
    count = len(missing_in_arms(columns()))
    assert f"{count} of 3,000 rows have no outcome in “spend”" in notice.text.text()
    assert page.stack.currentIndex() == 0
    assert "say above" in page.empty.sentence.text()
    assert not page.save.isEnabled()
    page.on_shown()
    page._request.renew()
    assert len(harness.engine.of_kind("uplift.page")) == seen
    button = next(b for b in notice.findChildren(QPushButton) if b.text() == "Leave them out")
    button.click()
    assert harness.session.project.document.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT
    assert not notice.isVisible()
    harness.next_answer(seen)
    assert page.result.outcome == "spend"
    assert page.stack.currentIndex() == 1


def test_the_answer_can_be_changed_in_the_menu_and_undone(harness):
    harness.answer()
    choose_spend(harness)
    harness.page.outcome_question.leave_out()
    button = harness.page.setup.gaps
    assert button.text() == "Rows without “spend”: left out"
    button.menu().aboutToShow.emit()
    entry = next(a for a in button.menu().actions() if a.text() == "Give no numbers until I say")
    assert not entry.isChecked()
    entry.trigger()
    assert button.text() == "Rows without “spend”: no numbers yet"
    assert harness.session.project.document.uplift.missing_outcomes is MissingOutcomes.ASK
    harness.session.project.undo()
    assert harness.session.project.document.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT


def test_nothing_is_asked_of_the_outcome_of_the_project_or_of_one_without_gaps(harness):
    harness.answer()
    harness.session.project.execute(SetUpliftOutcome(outcome="x"))
    assert not harness.engine.of_kind("uplift.outcome_gaps")
    assert not harness.page.outcomes.is_waiting
    harness.session.project.execute(SetUpliftOutcome(outcome="bought"))
    assert not harness.engine.of_kind("uplift.outcome_gaps")


def test_an_answer_that_comes_too_late_is_not_shown(harness):
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("uplift.page")))
    requested = harness.engine.last("uplift.page")
    choose_spend(harness)
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=30_000):
        harness.engine.answer(requested.job, harness.real.run("uplift.page", requested.arguments))
    assert harness.page.stack.currentIndex() == 0
    assert harness.page.result is None
