"""The report for the committee in the window: put in one step, it fills itself."""

from __future__ import annotations

import main
from core.document.decisions.commands import EditCell
from core.document.files.project import Headline, save_project
from core.document.report.commands import COMMITTEE
from core.presentation.report.page import report_html
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from gui.pages.report.widget import ReportPage
from gui.session.results import comparison_key, totals_key
from gui.session.session import Session
from tests.helpers.factories.questions import PROJECTS
from tests.helpers.harness import make_session


def test_the_menu_puts_all_of_it_in_one_step(jobs, show):
    session = make_session(jobs=jobs)
    page = show(ReportPage(session))
    menu = page.add.menu()
    page.fill_menu(menu)
    action = next(a for a in menu.actions() if a.text() == "For the committee")
    assert action.isEnabled()
    action.trigger()
    kinds = [item.kind for item in session.project.document.report]
    assert kinds == list(COMMITTEE)
    assert [view.key for view in session.report.blocks()] == kinds
    page.show_report()
    assert not any(page._state_of(kind) for kind in kinds)
    page.fill_menu(menu)
    assert not next(a for a in menu.actions() if a.text() == "For the committee").isEnabled()
    session.project.undo()
    assert not session.project.document.report


def test_it_is_stale_until_the_totals_are_of_the_project(jobs, show):
    session = make_session(jobs=jobs)
    session.results._decided_key = totals_key(session.project.document)
    page = show(ReportPage(session))
    session.report.put_all(COMMITTEE)
    matrix = session.project.document.matrix
    session.project.execute(
        EditCell(level=matrix.levels[0], decision=matrix.decisions[0], value=99.0, resolved=None)
    )
    session.report.collect()
    page.show_report()
    assert page._state_of("committee/money")
    assert not page.words.renew.isVisible()  # it follows by itself
    session.results._decided_key = totals_key(session.project.document)
    session.report.collect()
    assert not page._state_of("committee/money")


def test_before_there_are_totals_it_says_what_it_needs(jobs, show):
    session = Session(jobs)
    page = show(ReportPage(session))
    menu = page.add.menu()
    page.fill_menu(menu)
    action = next(a for a in menu.actions() if a.text() == "For the committee")
    assert not action.isEnabled()
    assert action.toolTip() == str(Totals.why_not(session.project.document))
    session.report.put_all(COMMITTEE)
    page.show_report()
    assert str(Totals.why_not(session.project.document)) in page.words.state.text()
    assert not page.words.renew.isVisible()


def test_window_and_command_line_write_the_same_bytes(local, jobs, tmp_path):
    document = PROJECTS["scored"](local, tmp_path)
    saved = save_project(
        tmp_path / "x.payoff", document, Headline(), local.workbench.model_store, ()
    )
    command = ["run", str(saved), "--report", str(tmp_path / "made"), "--template", "committee"]
    assert main.main(command) == 0
    session = Session(jobs)
    session.project.take_document(document)
    session.results._set_decisions(local.ask(document, Totals()), totals_key(document))
    session.results._set_evaluation(local.ask(document, CompareModels()), comparison_key(document))
    session.report.put_all(COMMITTEE)
    page = report_html(session.report.text())
    assert page.encode("utf-8") == (tmp_path / "made" / "report.html").read_bytes()
    for title in ("The question", "The data", "The decision", "What it brings", "How sure is it?"):
        assert f"<h2>{title}</h2>" in page
