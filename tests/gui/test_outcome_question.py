"""Rows without an outcome are asked about once, in a line above the page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from core.document.commands import DescribeProject, SetTarget
from core.document.data.model import MissingOutcomes, MissingOutcomesError
from core.document.model import TargetSpec
from core.document.studies.data import OutcomeGaps
from tests.helpers.factories.loaded_file import make_summary


def summary_with_gaps(missing: int):
    summary = make_summary()
    columns = tuple(
        replace(column, missing=missing) if column.name == summary.target.column else column
        for column in summary.columns
    )
    return replace(summary, columns=columns)


def open_file(window, engine, qtbot, missing: int) -> None:
    session = window.session
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, summary_with_gaps(missing))


def ask(window, engine, qtbot, rows: int = 7) -> None:
    open_file(window, engine, qtbot, 7)
    qtbot.waitUntil(lambda: bool(engine.of_kind("data.outcome_gaps")), timeout=2000)
    gaps = OutcomeGaps(rows=rows, total=100, words="data rows 3, 8, 12 …" if rows else "")
    with qtbot.waitSignal(window.session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("data.outcome_gaps").job, gaps)


def test_a_file_with_gaps_is_asked_about_and_the_answer_starts_the_numbers(window, engine, qtbot):
    ask(window, engine, qtbot)
    notice = window.outcome_question.notice
    assert notice.isVisible()
    assert "7 of 100 rows have no outcome" in notice.text.text()
    assert "data rows 3, 8, 12 …" in notice.text.text()
    document = window.session.project.document
    assert document.missing_outcomes is MissingOutcomes.ASK
    button = next(b for b in notice.findChildren(QPushButton) if b.text() == "Leave them out")
    requested = len(engine.of_kind("decide.totals"))
    button.click()
    assert window.session.project.document.missing_outcomes is MissingOutcomes.LEAVE_OUT
    assert not notice.isVisible()
    qtbot.waitUntil(lambda: len(engine.of_kind("decide.totals")) > requested, timeout=2000)
    window.session.project.undo()  # taken back, it is asked again
    qtbot.waitUntil(lambda: len(engine.of_kind("data.outcome_gaps")) == 2, timeout=2000)


def test_no_number_is_asked_for_while_it_waits(window, engine, qtbot):
    ask(window, engine, qtbot)
    session = window.session
    session.project.execute(DescribeProject(currency="$"))
    assert session.results.outcomes.is_waiting
    assert not engine.of_kind("decide.totals")
    assert not engine.of_kind("compare.models")
    window.show_page("decide")
    assert "rows without an outcome" in window.pages["decide"].chart._empty_text.text()
    refused = MissingOutcomesError("7 rows have no outcome.")  # by an answer that came too late
    session.results._take_refusal(refused, "decide")
    assert session.results.decisions is None
    assert not window.notice.isVisible()


@pytest.mark.parametrize("missing", [0, 7])
def test_nothing_is_asked_where_no_outcome_is_expected(window, engine, qtbot, missing):
    if missing:
        ask(window, engine, qtbot, rows=0)  # all of them are rows to decide
        qtbot.waitUntil(lambda: bool(engine.of_kind("decide.totals")), timeout=2000)
    else:
        open_file(window, engine, qtbot, 0)
        assert not engine.of_kind("data.outcome_gaps")
    assert not window.outcome_question.notice.isVisible()


def test_an_outcome_named_anew_is_looked_at(window, engine, qtbot):
    open_file(window, engine, qtbot, 0)
    session = window.session
    summary = session.project.summary
    gappy = next(c for c in summary.columns if c.name != summary.target.column)
    session.project.summary = replace(
        summary,
        columns=tuple(replace(c, missing=4) if c == gappy else c for c in summary.columns),
    )
    assert not engine.of_kind("data.outcome_gaps")
    session.project.execute(SetTarget(target=TargetSpec(column=gappy.name, kind="interval")))
    qtbot.waitUntil(lambda: bool(engine.of_kind("data.outcome_gaps")), timeout=2000)


def test_the_answer_can_be_changed_on_page_data(window, engine, qtbot):
    ask(window, engine, qtbot)
    window.show_page("data")
    card = window.pages["data"].rows
    assert card._gaps.isVisible()
    card._gaps.setCurrentIndex(card._gaps.findData(MissingOutcomes.LEAVE_OUT))
    card._gaps.activated.emit(card._gaps.currentIndex())
    assert window.session.project.document.missing_outcomes is MissingOutcomes.LEAVE_OUT
