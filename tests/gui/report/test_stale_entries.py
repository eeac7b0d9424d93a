"""Entries that have become old: seen as such, made again by a button, told in what is written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.document.commands import RenameModel
from core.document.decisions.commands import EditCell
from core.document.files.codec import to_plain
from core.document.report.commands import PutOnReport
from core.presentation.making_views import question_of_entry
from core.presentation.report.page import report_html
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
def harness(jobs, engine):
    """A session whose results are of its document, over an engine that is told what to answer."""
    session = make_session(jobs=jobs)
    session.results._decided_key = totals_key(session.project.document)
    session.results._evaluated_key = comparison_key(session.project.document)
    return session


def change_a_cell(harness, value=99.0):
    matrix = harness.project.document.matrix
    place = {"level": matrix.levels[0], "decision": matrix.decisions[0]}
    assert harness.project.execute(EditCell(**place, value=value, resolved=None))
    harness.report.collect()


def put_capacity(harness, engine, qtbot):
    """An answered question on the report, asked with a number."""
    harness.report.put("decide/capacity")
    answer_capacity(harness, engine, qtbot)
    view = harness.report.block("decide/capacity")
    requested = json.dumps(to_plain(ASKED), sort_keys=True)
    harness.report.take((replace(view, asked=requested),))


def answer_capacity(harness, engine, qtbot):
    with qtbot.waitSignal(harness.jobs.job_ended, timeout=5000):
        engine.answer(engine.last("decide.capacity").job, answers.capacity(ASKED))


def test_what_follows_the_totals_is_old_until_they_are_there(harness, show, qtbot):
    harness.report.put_all(OWN)
    page = show(ReportPage(harness))
    assert page.words.state.text().startswith("Made ")
    assert OLD not in page.words.state.text()
    change_a_cell(harness)
    page.show_report()
    assert OLD in page.words.state.text()
    assert not page.words.renew.isVisible()  # nothing is to be asked: the totals come
    assert not page.outline.renew.isVisible()
    assert all(OLD in entry.warning for entry in harness.report.text().entries)
    harness.project.undo()
    page.show_report()
    assert OLD not in page.words.state.text()
    harness.project.redo()
    harness.results._set_decisions(make_decisions(8_000), totals_key(harness.project.document))
    harness.report.collect()
    assert [harness.report.is_stale(kind) for kind in OWN] == [False, False, True]
    assert "8,000" in harness.report.block("decide/profit").subtitle


def test_one_button_makes_every_old_entry_again(harness, engine, show, qtbot):
    put_capacity(harness, engine, qtbot)
    page = show(ReportPage(harness))
    assert not page.outline.renew.isVisible()
    change_a_cell(harness)
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
    answer_capacity(harness, engine, qtbot)
    assert not harness.report.is_stale("decide/capacity")
    harness.project.undo()  # it is of the changed document now
    assert harness.report.is_stale("decide/capacity")
    harness.project.redo()
    assert not harness.report.is_stale("decide/capacity")


def test_a_refusal_stands_beside_its_entry_and_goes_with_the_next_change(
    harness, engine, show, qtbot
):
    put_capacity(harness, engine, qtbot)
    page = show(ReportPage(harness))
    change_a_cell(harness)
    harness.report.ask_stale()
    with qtbot.waitSignal(harness.jobs.job_ended, timeout=5000):
        engine.fail(engine.last("decide.capacity").job, PayoffError("No case is left."))
    page.show_report()
    assert "It cannot be made of the project as it is: No case is left." in page.words.state.text()
    (entry,) = harness.report.text().entries
    assert OLD in entry.warning
    assert entry.block.charts  # what was known stays
    change_a_cell(harness, 98.0)
    page.show_report()
    assert "No case is left" not in page.words.state.text()
    assert page.words.renew.text() == "Update"


def test_an_entry_follows_a_model_that_gets_another_name_and_its_former_one_again(
    harness, engine, qtbot
):
    model = harness.project.document.models[0].name
    kind, renamed = f"models/learning {model}", "models/learning Spring"
    requested = json.dumps(to_plain(TreeNumbers(model=model)))
    harness.project.execute(PutOnReport(kind=kind, note="Look."))
    harness.report.take((View(key=kind, title=f"How {model} learned", asked=requested),))
    harness.project.execute(RenameModel(model=model, name="Spring"))
    (item,) = harness.project.document.report
    assert (item.kind, item.note) == (renamed, "Look.")
    assert harness.report.block(renamed).title == f"How {model} learned"  # until it is made again
    assert harness.report.is_stale(renamed)
    assert harness.report.can_ask(renamed)
    (kept,) = harness.report.blocks()  # what the project file keeps
    assert question_of_entry(renamed, kept) == TreeNumbers(model="Spring")
    harness.project.undo()
    assert question_of_entry(kind, harness.report.block(kind)) == TreeNumbers(model=model)


def test_under_other_data_everything_is_old_and_says_so_wherever_it_is_written(
    harness, engine, qtbot
):
    harness.report.put_all(OWN)
    put_capacity(harness, engine, qtbot)
    harness.report.collect()
    kept = [item.kind for item in harness.project.document.report]
    data = replace(harness.project.document.data, path="/other.csv", content_hash="other")
    harness.project.take_document(replace(harness.project.document, data=data))
    harness.report.collect()
    assert all(harness.report.is_stale(kind) for kind in kept)
    text = harness.report.text()
    assert [entry.kind for entry in text.entries] == kept
    assert report_html(text).count(OLD) == len(kept)
    assert lay_out(text).document.toPlainText().count(OLD) == len(kept)
