"""Whatever the window shows is of the document that is open, or says that it is not."""

from __future__ import annotations

import pkgutil
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QDialog

from core.document.commands import (
    DescribeProject,
    OpenData,
    SetReferenceModel,
    SetRoles,
    SetRowsUsed,
)
from core.document.data.model import DataChangedError, RowUse
from core.document.data.results import ColumnDetail
from core.document.decisions.commands import SetMatrix, SetParameter, SetPriors
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Role
from core.document.uplift.commands import SetUpliftOutcome
from core.document.uplift.model import UpliftKind
from core.engine.messages import JobState
from core.presentation.labels import Labels
from core.presentation.making_views import show as show_view
from core.questions.decide import AtDepth
from core.questions.explain import Explain
from gui.pages.compare.metric_table import MetricTable
from gui.pages.compare.widget import ComparePage
from gui.pages.data.roles_list import RolesModel
from gui.pages.data.widget import DataPage
from gui.pages.decide.widget import DecidePage
from gui.pages.explain.widget import ExplainPage
from gui.pages.report.known import KnownAnswers
from gui.pages.uplift.training import UpliftTraining
from gui.session.session import Session
from gui.shell.main_window import MainWindow
from gui.shell.page_list import PageId
from gui.widgets.veil import Veil
from payoff.errors import PayoffError
from tests.helpers.answers.models import document_with_inputs, one_case, summary_of
from tests.helpers.answers.models import explained as explained_model
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)
from tests.helpers.factories.loaded_file import make_summary
from tests.helpers.fake_engine import FakeEngine

PRIORS = SetPriors(priors=(("1", 0.2), ("0", 0.8)))


def summary(path: str = "/data/mail.csv", content: str = "abc"):
    made = make_summary(path)
    return replace(made, data=replace(made.data, content_hash=content))


def open_file(session, engine, qtbot, path: str, content: str) -> None:
    job = session.files.open_data(path)
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(job, summary(path, content))


def answer(session, engine, qtbot, kind: str, result: object) -> None:
    qtbot.waitUntil(lambda: bool(engine.of_kind(kind)), timeout=2000)
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last(kind).job, result)


def fail(session, engine, qtbot, kind: str, words: str) -> None:
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.fail(engine.last(kind).job, PayoffError(words))


@pytest.fixture
def decided(session: Session, engine: FakeEngine, qtbot) -> Session:
    """A file, its totals and its metric table."""
    open_file(session, engine, qtbot, "/data/mail.csv", "abc")
    answer(session, engine, qtbot, "decide.totals", make_decisions(2000))
    answer(session, engine, qtbot, "compare.models", make_evaluation())
    assert session.results.decisions is not None
    assert session.results.evaluation is not None
    return session


# ------------------------------------------------------------ another file


def test_another_file_takes_every_result_away_at_once(decided, engine, qtbot):
    decided.results.set_pinned(0.2)
    open_file(decided, engine, qtbot, "/data/other.csv", "def")
    assert (
        decided.results.decisions is decided.results.evaluation is decided.results.reading is None
    )
    assert decided.results.pinned_depth is None


def test_a_failed_comparison_on_another_file_leaves_nothing_to_save(decided, engine, qtbot, show):
    page = show(DecidePage(decided))
    qtbot.waitUntil(lambda: not page.headline.isHidden())
    assert page.buttons.save.isEnabled()
    requested = len(engine.of_kind("decide.totals"))
    open_file(decided, engine, qtbot, "/data/other.csv", "def")
    assert not page.buttons.save.isEnabled()
    qtbot.waitUntil(lambda: len(engine.of_kind("decide.totals")) > requested, timeout=2000)
    fail(decided, engine, qtbot, "decide.totals", "No row has an outcome.")
    qtbot.waitUntil(page.headline.isHidden)
    assert page.tables.isHidden()
    assert not page.buttons.save.isEnabled()
    assert not page.buttons.apply.isEnabled()
    assert not any(field.text() for field in page.priors.real_life.values())
    assert page.chart._empty_text.text() == "No row has an outcome."


def test_a_late_answer_about_the_former_file_is_not_taken(decided, engine, qtbot):
    decided.project.execute(PRIORS)
    late = engine.last("decide.totals").job
    open_file(decided, engine, qtbot, "/data/other.csv", "def")
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(late, make_decisions(900))
    assert decided.results.decisions is None


def test_a_file_that_was_replaced_on_disk_is_read_again_and_that_is_said(
    decided, engine, qtbot, show
):
    """Its engine has read it anew meanwhile: the numbers would be of rows that nobody opened."""
    posted = []
    decided.project.message_posted.connect(lambda message, *_about: posted.append(str(message)))
    decided.project.execute(PRIORS)
    qtbot.waitUntil(lambda: len(engine.of_kind("decide.totals")) > 1)
    job = engine.last("decide.totals").job
    before = len(engine.of_kind("load"))
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.fail(job, DataChangedError("The data file has changed since it was opened."))
    assert len(engine.of_kind("load")) == before + 1
    assert decided.results.decisions is None
    answer(decided, engine, qtbot, "load", summary("/data/mail.csv", "other content"))
    assert any("The data file has changed since it was opened." in one for one in posted)
    assert decided.project.document.data.content_hash == "other content"
    assert decided.project.document.priors == PRIORS.priors
    assert decided.results.evaluation is None
    decided.project.undo()  # of the same file: nothing is read
    assert decided.project.document.data.content_hash == "other content"
    assert decided.project.document.priors is None
    assert len(engine.of_kind("load")) == before + 1


def test_undo_across_an_opened_file_shows_no_number_of_either(decided, engine, qtbot):
    other = summary("/data/other.csv", "def")
    decided.project.execute(
        OpenData(data=other.data, roles=other.roles, target=other.target, split=other.split)
    )
    assert decided.results.decisions is None
    answer(decided, engine, qtbot, "load", other)
    decided.project.undo()
    assert decided.project.document.data.path == "/data/mail.csv"
    assert decided.results.decisions is decided.results.evaluation is None
    assert decided.project.summary is None  # until the file has been read again


def test_data_that_were_being_read_do_not_come_into_an_opened_project(
    decided, engine, qtbot, tmp_path
):
    job = decided.files.open_data("/data/late.csv")
    decided.files.take_project(make_document())
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(job, summary("/data/late.csv", "late"))
    assert decided.project.document.data.path != "/data/late.csv"


# ------------------------------------------------------------ another number


def test_totals_of_other_priors_are_greyed_until_the_answer_is_there(decided, engine, qtbot, show):
    page = show(DecidePage(decided))
    veil = page.headline.findChild(Veil)
    assert not veil.is_drawn
    decided.project.execute(PRIORS)
    assert not decided.results.decisions_are_fresh
    assert veil.is_drawn
    qtbot.waitUntil(veil.isVisible)
    decided.project.execute(DescribeProject(name="x"))
    assert veil.is_drawn
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))
    assert not veil.is_drawn
    decided.project.execute(DescribeProject(name="y"))  # no number depends on it
    assert not veil.is_drawn


def test_counts_of_former_rows_stand_nowhere(decided, engine, qtbot, show):
    page, compared = show(DecidePage(decided)), show(ComparePage(decided))
    in_data = list(page.priors._in_data.values())
    before = [label.text() for label in in_data]
    assert "," in page.choices.rows.currentText()
    assert "," in compared.choices.data.currentText()
    assert all(any(sign.isdigit() for sign in words) for words in before)
    assert page.priors.probabilities.text()
    assert compared.header_cursor.words.full_text()
    decided.project.execute(PRIORS)  # the same rows, other chances
    assert [label.text() for label in in_data] == before
    assert not page.priors.probabilities.text()
    assert "," in page.choices.rows.currentText()
    decided.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    assert page.choices.rows.currentText() == "All rows"
    assert "," not in compared.choices.data.currentText()
    assert not compared.header_cursor.words.full_text()
    assert not any(sign.isdigit() for label in in_data for sign in label.text())
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))  # of the former shares
    assert page.choices.rows.currentText() == "All rows"
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))
    assert [label.text() for label in in_data] == before
    assert "," in page.choices.rows.currentText()


def test_the_opening_sentence_is_greyed_with_the_total_that_it_says(decided, show):
    page = show(DecidePage(decided))
    veil = page.opening.findChild(Veil)
    assert not veil.is_drawn
    decided.project.execute(PRIORS)
    assert veil.is_drawn


def test_no_command_is_made_of_cells_that_are_of_the_matrix_before(decided, engine, qtbot, show):
    levels, decisions = make_decisions().levels, make_decisions().decisions
    worded = MatrixSpec(
        template="x.mail",
        kind=MatrixKind.PROFIT,
        levels=levels,
        decisions=decisions,
        cells=(),
        acting=decisions[0],
        parameters=(("letter", 2.0),),
    )
    decided.project.execute(SetMatrix(matrix=worded))
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))
    page = show(DecidePage(decided))
    model = page.earns.matrix.matrix_model
    assert len(model.resolved()) == len(levels)
    decided.project.execute(SetParameter(name="letter", value=5.0))
    present = decided.project.document.matrix
    model.setData(model.index(0, 1), "40")
    assert decided.project.document.matrix == present
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))
    model.setData(model.index(0, 1), "40")
    assert decided.project.document.matrix.cells[0][0] == 40.0


def test_a_stopped_or_failed_comparison_shows_no_old_figures(decided, engine, qtbot):
    for end, words in ((None, "stopped"), ("One class only.", "One class only.")):
        decided.project.undo() if decided.project.history.undo_label == "Set priors" else None
        requested = len(engine.of_kind("compare.models"))
        decided.project.execute(PRIORS)
        assert decided.results.evaluation is None or not decided.results.evaluation_is_fresh
        qtbot.waitUntil(lambda n=requested: len(engine.of_kind("compare.models")) > n, timeout=4000)
        with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
            job = engine.last("compare.models").job
            if end is None:
                engine.end(job, JobState.CANCELLED)
            else:
                engine.fail(job, PayoffError(end))
        assert decided.results.evaluation is None
        assert words in decided.results.refusals["evaluate"]
        decided.project.execute(SetPriors(priors=None))


def test_a_saved_headline_is_never_of_an_earlier_document(decided):
    assert decided.files.headline().best_model
    decided.project.execute(PRIORS)
    assert not decided.files.headline().best_model


def test_an_entry_waits_for_what_the_first_values_at_a_depth_do_not_say(session):
    """They come with the totals, without the differences between models."""
    depth = make_decisions().models[0].rule_depth
    first = replace(make_reading(depth), differences=())
    session.project.take_document(make_document())
    results = session.results
    results.decisions = replace(make_decisions(), at_rest=first)
    results.decided, results.reading = session.project.document, first
    known = KnownAnswers(session.project, results)
    with pytest.raises(PayoffError, match="still being worked out"):
        known.answer(AtDepth(depth=depth), "decide/total")
    results.reading = make_reading(depth)
    assert known.answer(AtDepth(depth=depth), "decide/total") is results.reading


def test_a_models_figures_are_not_shown_for_another_of_its_name(session):
    document = document_with_inputs()
    session.project.take_document(document)
    session.results._set_evaluation(make_evaluation(), None)
    trained = document.trained_model("gbm 1")
    assert session.results.evaluation_of("gbm 1") is session.results.evaluation
    other = replace(trained, model_hash="f" * 64)
    models = tuple(
        replace(entry, trained=other) if entry.name == "gbm 1" else entry
        for entry in document.models
    )
    session.project.history.reset(replace(document, models=models))
    assert session.results.evaluation_of("gbm 1") is None
    assert session.results.evaluation_of("logit") is session.results.evaluation


# ------------------------------------------------------------ explanations, columns, studies


@pytest.fixture
def explained(session, engine, qtbot, show) -> ExplainPage:
    """A case of the model "gbm 1" is on screen."""
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = show(ExplainPage(session))
    page.choose_view("case")
    answer(session, engine, qtbot, "explain.one_case", one_case(0))
    assert page.case.view is not None
    return page


@pytest.mark.parametrize("what", ["file", "model"])
def test_a_case_of_another_file_or_model_of_one_name_goes(explained, session, engine, qtbot, what):
    document = session.project.document
    if what == "file":
        other = replace(document, data=replace(document.data, path="/b.csv", content_hash="b"))
    else:
        trained = replace(document.trained_model("gbm 1"), model_hash="f" * 64)
        models = tuple(
            replace(entry, trained=trained) if entry.name == "gbm 1" else entry
            for entry in document.models
        )
        other = replace(document, models=models)
    requested = len(engine.of_kind("explain.one_case"))
    session.project.take_document(other)
    session.project.summary = summary_of(other)
    session.project.summary_changed.emit(session.project.summary)
    assert explained.case.view is None
    assert "14.2" not in explained.case.panel.sentences[0].text()
    assert len(engine.of_kind("explain.one_case")) > requested
    fail(session, engine, qtbot, "explain.one_case", "An input is missing: tenure.")
    assert explained.case.view is None
    assert explained.case.panel.sentences[0].text() == "An input is missing: tenure."


def test_curves_of_a_model_are_those_on_the_rows_that_are_open(explained, session):
    presenter = explained.presenter
    before = presenter._key()
    document = session.project.document
    session.project.take_document(replace(document, data=replace(document.data, content_hash="b")))
    assert presenter._key() != before
    session.project.take_document(replace(document, cursor_depth=0.3, name="x"))
    assert presenter._key() == before


def test_the_bars_of_a_column_are_not_those_of_another_file(decided, engine, qtbot, show):
    page = show(DataPage(decided))
    page.select_column("age")
    age = next(column for column in decided.project.summary.columns if column.name == "age")
    shares = np.array([[0.4, 0.6], [0.5, 0.5]])
    detail = ColumnDetail(summary=age, bins=("to 50", "to 99"), levels=("1", "0"), by_level=shares)
    answer(decided, engine, qtbot, "data.column", detail)  # of the column shown first: not taken
    assert page.column.bars.chart is None
    answer(decided, engine, qtbot, "data.column", detail)
    assert list(page.column.bars.chart.bars[0].y) == [0.4, 0.6]
    open_file(decided, engine, qtbot, "/data/other.csv", "def")
    assert page.chosen_column() == "age"
    assert page.column.bars.chart is None
    fail(decided, engine, qtbot, "data.column", "The file is gone.")
    assert page.column.bars.chart is None


# ------------------------------------------------------------ places that are gone


def test_a_page_behind_another_follows_once_it_is_in_front(
    window: MainWindow, decided: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit on one page does not wait for all others to show it; none of them stays behind."""
    shown: list[type] = []
    for part in (MetricTable, RolesModel):
        name = "set_reference" if part is MetricTable else "show"
        show = getattr(part, name)

        def note(self, given, show=show, part=part):
            shown.append(part)
            show(self, given)

        monkeypatch.setattr(part, name, note)
    window.show_page(PageId.COMPARE)
    window.show_page(PageId.DATA)
    roles = window.pages[PageId.DATA].roles
    roles.choose("age")
    window.show_page(PageId.DECIDE)
    shown.clear()
    other = next(
        model.name
        for model in decided.project.document.models
        if model.name != decided.project.document.outcome_reference
    )
    assert decided.project.execute(SetReferenceModel(model=other))
    assert decided.project.execute(SetRoles(role=Role.IGNORED, columns=("age",)))
    assert not shown
    window.show_page(PageId.COMPARE)
    assert shown == [MetricTable]
    assert window.pages[PageId.COMPARE].decide_button.text() == f"Decide with {other}"
    window.show_page(PageId.DATA)
    assert shown == [MetricTable, RolesModel]
    boxes = [box for box in roles.findChildren(QComboBox) if box.accessibleName() == "age"]
    assert boxes[-1].currentData() == Role.IGNORED


@pytest.mark.parametrize(
    ("page", "part"),
    [
        (PageId.MODELS, "gui.pages.models.model_list.ModelListCard.show_session"),
        (PageId.EXPLAIN, "gui.pages.explain.widget.ExplainPage._show_chooser"),
        (PageId.EXPERIMENTS, "gui.pages.experiments.parts_card.PartsCard.show_spec"),
    ],
)
def test_an_edit_is_not_shown_on_pages_that_nobody_looks_at(
    window: MainWindow, decided: Session, monkeypatch: pytest.MonkeyPatch, page: PageId, part: str
) -> None:
    shown: list[str] = []
    before = pkgutil.resolve_name(part)

    def note(self, *given, **named):
        shown.append(part)
        return before(self, *given, **named)

    monkeypatch.setattr(part, note)
    window.show_page(page)
    window.show_page(PageId.DECIDE)
    shown.clear()
    assert decided.project.execute(SetRoles(role=Role.IGNORED, columns=("age",)))
    assert not shown
    window.show_page(page)
    assert shown


def test_a_dialog_about_data_closes_with_them(window: MainWindow, engine, qtbot):
    session = window.session
    open_file(session, engine, qtbot, "/data/mail.csv", "abc")
    window.open_dialog("derive_column")
    dialog = window.findChild(QDialog)
    assert dialog.isVisible()
    open_file(session, engine, qtbot, "/data/other.csv", "def")
    assert not window.findChildren(QDialog) or not window.findChild(QDialog).isVisible()


def test_a_message_ends_with_its_cause(window: MainWindow, engine, qtbot):
    session = window.session
    open_file(session, engine, qtbot, "/data/mail.csv", "abc")
    qtbot.waitUntil(lambda: bool(engine.of_kind("decide.totals")), timeout=2000)
    fail(session, engine, qtbot, "decide.totals", "A prior is missing.")
    assert window.notice.isVisible()
    session.project.execute(PRIORS)
    answer(session, engine, qtbot, "decide.totals", make_decisions(2000))
    assert not window.notice.isVisible()
    session.project.post(PayoffError("The file has a strange column."))
    assert window.notice.isVisible()
    open_file(session, engine, qtbot, "/data/other.csv", "def")
    assert not window.notice.isVisible()


def test_a_refused_step_is_said_until_the_project_changes(window: MainWindow, engine, qtbot):
    """In red stood "name it as the outcome, then train" after both had been done."""
    session = window.session
    open_file(session, engine, qtbot, "/data/mail.csv", "abc")
    training = UpliftTraining(session)
    session.project.execute(SetUpliftOutcome(outcome="another column"))
    training.start(UpliftKind.TWO_MODELS, "arm", ("mail", "none"))
    assert "outcome of the project" in window.notice.text.text()
    session.project.execute(SetUpliftOutcome(outcome=""))
    assert not window.notice.isVisible()
    assert not session.project.execute(DescribeProject(name="  "))
    assert window.notice.isVisible()
    session.project.undo()
    assert not window.notice.isVisible()
    session.project.post(PayoffError("The disk is full."))
    session.project.redo()
    assert window.notice.isVisible()  # nothing in the project is its cause


def test_a_question_of_the_window_stays_when_data_come(window: MainWindow, engine, qtbot):
    window.notice.show_text("Work was recovered.", "warning")
    open_file(window.session, engine, qtbot, "/data/mail.csv", "abc")
    assert window.notice.isVisible()


def test_the_note_below_the_rows_is_not_of_other_rows_than_are_chosen(decided, engine, qtbot, show):
    note = show(DataPage(decided)).rows.note
    assert note.text().startswith("Every number comes from")
    decided.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    assert not note.text().startswith("Every number comes from")
    answer(decided, engine, qtbot, "decide.totals", make_decisions(2000))
    assert note.text().startswith("Every number comes from")
    decided.project.execute(PRIORS)  # the rows are the same ones
    assert note.text().startswith("Every number comes from")


def test_why_an_entry_of_the_report_cannot_be_made_is_said_until_it_is_made(
    window: MainWindow, engine, qtbot
):
    session = window.session
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    view = show_view(Explain(model="gbm 1"), explained_model("gbm 1"), Labels.of(document))
    session.report.take((view,))
    session.report.ask(view.key)
    fail(session, engine, qtbot, "explain.model", "There is no model 'gbm 1'.")
    assert session.report.why_not(view.key).startswith("There is no model 'gbm 1'.")
    session.report.ask(view.key)
    answer(session, engine, qtbot, "explain.model", explained_model("gbm 1"))
    assert session.report.why_not(view.key) == ""


@pytest.mark.parametrize("ending", [JobState.CANCELLED, JobState.LOST])
def test_data_that_were_not_read_are_said_so_and_read_again(window, engine, qtbot, ending):
    session = window.session
    open_file(session, engine, qtbot, "/data/mail.csv", "abc")
    window.show_page(PageId.DECIDE)
    decide = window.pages[PageId.DECIDE]
    window.show_page(PageId.DATA)
    data = window.pages[PageId.DATA]
    other = summary("/data/other.csv", "def")
    session.project.execute(
        OpenData(data=other.data, roles=other.roles, target=other.target, split=other.split)
    )
    assert data.facts.text() == "The file is being read."
    job = engine.last("load").job
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        if ending is JobState.LOST:
            engine.fail(job, PayoffError("The engine stopped."))
        else:
            engine.end(job, ending)
    assert data.facts.text().startswith("Not read.")
    assert decide.chart._empty_text.text().startswith("The data are not read.")
    assert window.notice.is_open
    assert window.notice._action.text() == "Read them"
    window.notice._action.click()
    assert data.facts.text() == "The file is being read."
    assert decide.chart._empty_text.text() == "The totals are being worked out."
    assert engine.last("load").job != job
    answer(session, engine, qtbot, "load", other)
    assert session.project.summary is other
    assert not window.notice.is_open
