"""Jobs that nobody waits for: about data that are closed, or for what nobody looks at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.document.data.model import ReaderSettings
from core.document.studies.data import MakeTableArguments
from core.engine.messages import (
    ApplyArguments,
    Ask,
    JobOutcome,
    JobState,
    PluginsArguments,
    PreviewArguments,
    SaveArguments,
    TrainArguments,
    WarmUp,
    owner_of,
)
from core.questions.decide import Totals
from core.questions.experiments import RunExperiment
from core.questions.explain import Explain
from core.questions.lanes import Lane
from gui.pages.data.reading.import_dialog import ImportDialog
from gui.pages.explain.widget import ExplainPage
from gui.pages.models.widget import ModelsPage
from gui.session.job_list import JobListModel
from gui.session.job_queue import JobEntry
from payoff.errors import PayoffError
from tests.helpers.answers.models import TRAINED, document_with_inputs, summary_of
from tests.helpers.factories.loaded_file import loaded_document, make_summary


def other_data(document):
    return replace(document, data=replace(document.data, content_hash="other"))


def test_jobs_about_closed_data_are_taken_back_and_files_are_written(session, engine, qtbot):
    """Previews are about no open data; what is derived or joined closes nothing."""
    document = loaded_document()
    session.project.take_document(document)
    jobs, described = session.jobs, []
    explain = jobs.submit(
        "explain.model",
        Ask.of(document, Explain(model="x")),
        title="Explaining x",
        on_result=described.append,
        on_error=described.append,
        on_end=described.append,
    )
    apply = ApplyArguments(document=document, model="x", path="a", reader=ReaderSettings())
    jobs.submit("apply", apply)
    jobs.submit("preview", PreviewArguments(path="b.csv", reader=ReaderSettings()))
    derived = replace(document.data, content_hash="with one more", file_hash="abc")
    session.project.mend_document(replace(document, data=derived))
    assert engine.cancelled == []
    session.project.mend_document(other_data(document))
    assert engine.cancelled == [explain]
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.fail(explain, PayoffError("The job was ended because it did not answer Stop."))
    assert [type(one) for one in described] == [JobOutcome], "its error is nobody's"


def test_every_job_of_a_project_ends_with_it_even_where_the_next_has_the_same_data(
    session, engine, qtbot
):
    """Whatever it reads: data, none at all, or a file of the project; files are written."""
    document = document_with_inputs(has_trained=False)
    session.project.take_document(document)
    jobs = session.jobs
    totals = jobs.submit("decide.totals", Ask.of(document, Totals()), title="Totals")
    run = jobs.submit("experiments.run", Ask.of(document, RunExperiment()), title="Experiment")
    table = jobs.submit("make_table", MakeTableArguments(data=document.data), title="Table")
    jobs.submit("save_decisions", SaveArguments(document=document, model="x", path="a.csv"))
    jobs.submit("plugins", PluginsArguments())
    reading = session.files.load_summary(document.data)
    session.trainings.start(replace(TRAINED, model_hash=""), 0)
    training = engine.last("train").job
    session.project.take_document(document)
    assert set(engine.cancelled) == {totals, run, table, reading, training}
    assert session.trainings.running == ()
    described = []
    session.project.message_posted.connect(described.append)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.end(training, JobState.CANCELLED)
    assert described == [], "the window has asked before"


def test_undo_to_another_file_takes_jobs_back_too(session, engine, qtbot):
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary())
    document = session.project.document
    running = session.jobs.submit("decide.totals", Ask.of(document, Totals()), lane=Lane.QUICK)
    session.project.undo()
    assert session.project.document.data is None
    assert running in engine.cancelled


def test_a_training_of_closed_data_adds_no_model_and_says_so(session, engine, qtbot):
    document = document_with_inputs(has_trained=False)
    session.project.take_document(document)
    session.trainings.start(replace(TRAINED, model_hash=""), 0)
    job = engine.last("train").job
    assert engine.last("train").lane is Lane.TRAIN
    session.project.mend_document(other_data(document))
    assert job in engine.cancelled
    with qtbot.waitSignal(session.project.message_posted, timeout=2000) as posted:
        engine.end(job, JobState.CANCELLED)
    assert "was not kept: the data" in str(posted.args[0])
    assert session.trainings.running == ()


def test_a_training_stopped_by_a_person_is_not_said_to_have_lost_its_data(session, engine, qtbot):
    session.project.take_document(document_with_inputs(has_trained=False))
    described: list[object] = []
    session.project.message_posted.connect(described.append)
    session.trainings.start(replace(TRAINED, model_hash=""), 0)
    job = engine.last("train").job
    session.jobs.stop(job)
    with qtbot.waitSignal(session.trainings.changed, timeout=2000):
        engine.end(job, JobState.CANCELLED)
    assert described == []


# ---------------------------------------------------------------- what nobody looks at


@pytest.mark.parametrize("page_of", [ExplainPage, ModelsPage])
def test_nothing_is_explained_before_its_page_is_looked_at(session, engine, qtbot, page_of):
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = page_of(session)
    qtbot.addWidget(page)
    session.project.summary_changed.emit(session.project.summary)
    if page_of is ModelsPage:
        page.presenter.choose("gbm 1")
    assert engine.of_kind("explain.model") == []
    assert engine.of_kind("explain.one_case") == []
    page.show()
    qtbot.waitExposed(page)
    page.on_shown()
    assert len(engine.of_kind("explain.model")) == 1
    assert engine.last("explain.model").lane is Lane.BACKGROUND


def test_a_page_that_is_left_asks_nothing_further(session, engine, qtbot):
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = ExplainPage(session)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    from tests.helpers.answers.models import explained

    page.hide()
    job = engine.last("explain.model").job
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(job, explained("gbm 1", (), (), False, ()))
    assert len(engine.of_kind("explain.model")) == 1
    page.show()
    assert engine.last("explain.model").arguments.question.columns == ("orders_12m",)


def test_another_input_does_not_wait_for_the_one_that_was_looked_at(session, engine, qtbot):
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = ExplainPage(session)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    from tests.helpers.answers.models import explained

    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("explain.model").job, explained("gbm 1", (), (), False, ()))
    former = engine.last("explain.model")
    assert former.arguments.question.columns == ("orders_12m",)
    page.presenter.choose("age")
    assert former.job in engine.cancelled
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.end(former.job, JobState.CANCELLED)
    assert engine.last("explain.model").arguments.question.columns == ("age",)


def test_a_closed_import_dialog_takes_its_preview_back(session, engine, qtbot):
    dialog = ImportDialog(session, "/data/mail.csv", ReaderSettings())
    first = engine.last("preview")
    assert first.lane is Lane.LOOK
    dialog._ask()
    assert engine.cancelled == [first.job]
    second = engine.last("preview").job
    dialog.reject()
    assert engine.cancelled == [first.job, second]


# ---------------------------------------------------------------- what the strip says


def test_what_was_taken_back_is_no_line_of_the_strip(strip, engine, jobs, qtbot):
    job = jobs.submit("load", None, title="Loading mail.csv")
    engine.answer(job, None, seconds=0.8)
    qtbot.waitUntil(lambda: "done in" in strip.title.text())
    dropped = jobs.submit("compare.models", None, title="Comparing models")
    jobs.drop(dropped)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.end(dropped, JobState.CANCELLED)
    strip.refresh()
    assert strip.title.text().startswith("Loading mail.csv: done")
    assert JobListModel(jobs).index(0, 1).data() == "no longer needed"


def test_a_success_after_a_failure_is_no_red_line(strip, engine, jobs, qtbot):
    """Sign and sentence are of one job: the one that ended last, in whatever order they began."""
    first = jobs.submit("load", None, title="First")
    second = jobs.submit("load", None, title="Second")
    shown: list[tuple[str, str]] = []
    strip._sign.set_icon = lambda name, tone: shown.append((name, tone))
    engine.fail(second, PayoffError("No."))
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        pass
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.answer(first, None)
    strip.refresh()
    assert strip.title.text().startswith("First: done")
    assert shown[-1] == ("check", "gain")


def test_one_number_at_a_time_says_how_far_it_is(strip, engine, jobs, qtbot):
    job = jobs.submit("train", None, title="Training gbm 1")
    with qtbot.waitSignal(jobs.warm_up_changed, timeout=2000):
        engine._send(WarmUp(share=0.02, compiled=3))
    engine.progress(job, 1.0, "Reading mail.csv")
    qtbot.waitUntil(lambda: strip.percent.text() != "")
    assert strip.percent.text() == "99\u00a0%", "a job that runs is not at its end"
    assert strip.stage.full_text() == "Reading mail.csv"
    assert not strip.preparing.isVisible()
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.answer(job, None)
    strip.refresh()
    assert strip.preparing.isVisible()


def test_what_was_asked_for_is_shown_before_background_work(strip, engine, jobs, qtbot):
    explain = jobs.submit("explain.model", None, title="Explaining gbm 1")
    engine.progress(explain, 0.5, "Dependence")
    saving = jobs.submit("save_decisions", None, title="Saving decisions")
    engine.progress(saving, None, "Writing")
    qtbot.waitUntil(lambda: strip.title.text() == "Saving decisions")
    assert strip.waiting.text() == "Also running: Explaining gbm 1"


def test_the_forecast_follows_the_work_that_is_done_now(monkeypatch):
    from core.engine.messages import JobProgress

    now = [0.0]
    monkeypatch.setattr("gui.session.job_queue.time.monotonic", lambda: now[0])
    entry = JobEntry(job=1, kind="train", title="Training", lane=Lane.TRAIN, started=0.0)

    def tell(moment: float, fraction: float | None, **more: bool) -> None:
        now[0] = moment
        entry.take(JobProgress(job=1, fraction=fraction, stage="s", **more))

    tell(0, 0.9)
    tell(5, 1.0)  # reading is done
    assert entry.seconds_left() is None
    tell(6, None, is_preparing=True)
    assert entry.seconds_left() is None
    tell(36, 0.0)
    tell(46, 0.25)
    assert entry.seconds_left() == pytest.approx(30.0)  # not of the half minute before
    tell(47, None, is_waiting=True)
    assert entry.state is JobState.PENDING
    assert entry.percent() == ""


def test_owners_follow_arguments():
    arguments = TrainArguments(document=loaded_document(), settings=TRAINED)
    assert owner_of(arguments) == ("abc", ReaderSettings())
    assert owner_of(Path("x")) is None
