"""Entries that have become old: seen as such, made again by a button, told in what is written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.document.commands import RenameModel
from core.document.decisions.commands import EditCell
from core.document.files.codec import to_plain
from core.document.report.commands import PutOnReport
from core.presentation.making_views import asked_of
from core.presentation.report_text import report_html
from core.presentation.view import View
from core.questions.decide import Capacity
from core.questions.explain import TreeNumbers
from gui.pages.report.paper import lay_out
from gui.pages.report.widget import ReportPage
from gui.session.results import comparison_key, totals_key
from payoff.errors import PayoffError
from tests.helpers.answers import decide as answers
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.harness import make_session

OLD = "before the data or the settings were changed"
ASKED = Capacity(most_actions=300.0)
OWN = ("decide/total", "decide/profit", "roc")


@pytest.fixture
def desk(jobs, engine):
    """A session whose results are of its document, over an engine that is told what to answer."""
    session = make_session(jobs=jobs)
    session.results._decided_key = totals_key(session.project.document)
    session.results._evaluated_key = comparison_key(session.project.document)
    return session


def change_a_cell(desk, value=99.0):
    matrix = desk.project.document.matrix
    place = {"level": matrix.levels[0], "decision": matrix.decisions[0]}
    assert desk.project.execute(EditCell(**place, value=value, resolved=None))
    desk.report.collect()


def put_capacity(desk, engine, qtbot):
    """An answered question on the report, asked with a number."""
    desk.report.put("decide/capacity")
    answer_capacity(desk, engine, qtbot)
    view = desk.report.block("decide/capacity")
    asked = json.dumps(to_plain(ASKED), sort_keys=True)
    desk.report.take((replace(view, asked=asked),))


def answer_capacity(desk, engine, qtbot):
    with qtbot.waitSignal(desk.jobs.job_ended, timeout=5000):
        engine.answer(engine.last("decide.capacity").job, answers.capacity(ASKED))


def test_what_follows_the_totals_is_old_until_they_are_there(desk, show, qtbot):
    desk.report.put_all(OWN)
    page = show(ReportPage(desk))
    assert page.words.state.text().startswith("Made ")
    assert OLD not in page.words.state.text()
    change_a_cell(desk)
    page.show_report()
    assert OLD in page.words.state.text()
    assert not page.words.renew.isVisible()  # nothing is to be asked: the totals come
    assert not page.outline.renew.isVisible()
    assert all(OLD in entry.warning for entry in desk.report.text().entries)
    desk.project.undo()
    page.show_report()
    assert OLD not in page.words.state.text()
    desk.project.redo()
    desk.results._set_decisions(make_decisions(8_000), totals_key(desk.project.document))
    desk.report.collect()
    assert [desk.report.is_stale(kind) for kind in OWN] == [False, False, True]
    assert "8,000" in desk.report.block("decide/profit").subtitle


def test_one_button_makes_every_old_entry_again(desk, engine, show, qtbot):
    put_capacity(desk, engine, qtbot)
    page = show(ReportPage(desk))
    assert not page.outline.renew.isVisible()
    change_a_cell(desk)
    page.show_report()
    assert page.outline.renew.isVisible()
    assert page.outline.renew.text() == "Update 1 old entry"
    assert page.words.renew.text() == "Update"
    seen = len(engine.of_kind("decide.capacity"))
    page.outline.renew.click()
    page.show_report()
    assert page.words.state.text() == "Being made."
    assert not page.outline.renew.isVisible()
    assert len(engine.of_kind("decide.capacity")) == seen + 1
    assert engine.last("decide.capacity").arguments.question == ASKED  # what was asked then
    answer_capacity(desk, engine, qtbot)
    assert not desk.report.is_stale("decide/capacity")
    desk.project.undo()  # it is of the changed document now
    assert desk.report.is_stale("decide/capacity")
    desk.project.redo()
    assert not desk.report.is_stale("decide/capacity")


def test_a_refusal_stands_beside_its_entry_and_goes_with_the_next_change(desk, engine, show, qtbot):
    put_capacity(desk, engine, qtbot)
    page = show(ReportPage(desk))
    change_a_cell(desk)
    desk.report.ask_stale()
    with qtbot.waitSignal(desk.jobs.job_ended, timeout=5000):
        engine.fail(engine.last("decide.capacity").job, PayoffError("No case is left."))
    page.show_report()
    assert "It cannot be made of the project as it is: No case is left." in page.words.state.text()
    (entry,) = desk.report.text().entries
    assert OLD in entry.warning
    assert entry.block.charts  # what was known stays
    change_a_cell(desk, 98.0)
    page.show_report()
    assert "No case is left" not in page.words.state.text()
    assert page.words.renew.text() == "Update"


def test_an_entry_follows_a_model_that_gets_another_name_and_its_former_one_again(
    desk, engine, qtbot
):
    model = desk.project.document.models[0].name
    kind, renamed = f"models/learning {model}", "models/learning Spring"
    asked = json.dumps(to_plain(TreeNumbers(model=model)))
    desk.project.execute(PutOnReport(kind=kind, note="Look."))
    desk.report.take((View(key=kind, title=f"How {model} learned", asked=asked),))
    desk.project.execute(RenameModel(model=model, name="Spring"))
    (item,) = desk.project.document.report
    assert (item.kind, item.note) == (renamed, "Look.")
    assert desk.report.block(renamed).title == f"How {model} learned"  # until it is made again
    assert desk.report.is_stale(renamed)
    assert desk.report.can_ask(renamed)
    (kept,) = desk.report.blocks()  # what the project file keeps
    assert asked_of(renamed, kept) == TreeNumbers(model="Spring")
    desk.project.undo()
    assert asked_of(kind, desk.report.block(kind)) == TreeNumbers(model=model)


def test_under_other_data_everything_is_old_and_says_so_wherever_it_is_written(desk, engine, qtbot):
    desk.report.put_all(OWN)
    put_capacity(desk, engine, qtbot)
    desk.report.collect()
    kept = [item.kind for item in desk.project.document.report]
    data = replace(desk.project.document.data, path="/other.csv", content_hash="other")
    desk.project.take_document(replace(desk.project.document, data=data))
    desk.report.collect()
    assert all(desk.report.is_stale(kind) for kind in kept)
    text = desk.report.text()
    assert [entry.kind for entry in text.entries] == kept
    assert report_html(text).count(OLD) == len(kept)
    assert lay_out(text).document.toPlainText().count(OLD) == len(kept)
