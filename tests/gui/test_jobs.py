"""The engine's events become signals and callbacks in the window's thread; the strip shows them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from core.document.wording import NBSP
from core.engine.messages import JobState
from core.questions.lanes import Lane
from gui.pages.models.model_list import ModelRow
from gui.session import JobQueue
from gui.session.job_list import JobListModel
from gui.session.job_queue import JobEntry
from payoff.errors import PayoffError


def test_engine_starts_with_the_first_job(engine, jobs):
    assert not jobs.is_started
    jobs.submit("load", "arguments", title="Loading")
    assert engine.is_running
    assert engine.last("load").arguments == "arguments"


def test_result_comes_back_in_the_window_thread(engine, jobs, qtbot):
    seen: list[tuple[object, threading.Thread]] = []
    job = jobs.submit(
        "load", None, on_result=lambda r: seen.append((r, threading.current_thread()))
    )
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        other = threading.Thread(target=engine.answer, args=(job, "table"))
        other.start()
        other.join()
    assert seen == [("table", threading.main_thread())]
    assert jobs.entries[job].state is JobState.DONE


def test_progress_carries_partial_results(engine, jobs, qtbot):
    partial: list[object] = []
    job = jobs.submit("compare.models", None, title="Comparing", on_partial=partial.append)
    with qtbot.waitSignal(jobs.job_changed, timeout=2000):
        engine.progress(job, 0.25, "ranking", partial="first")
    assert partial == ["first"]
    assert jobs.entries[job].state is JobState.RUNNING
    assert jobs.entries[job].fraction == 0.25


def test_a_window_that_draws_slowly_does_not_fall_behind_the_engine(engine, jobs, qtbot):
    partial: list[object] = []
    job = jobs.submit("experiments.run", None, title="Experiment", on_partial=partial.append)
    other = jobs.submit("train", None, title="Training", on_partial=partial.append)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        for number in range(500):  # while the window was busy with something else
            engine.progress(job, number / 500, "runs", partial=number)
        engine.progress(job, 0.999, "the last ones")
        engine.progress(other, 0.1, "trees", partial="of the other")
        engine.end(job, JobState.CANCELLED)
    assert partial == [499, "of the other"]
    assert jobs.entries[job].fraction == 0.999
    with qtbot.waitSignal(jobs.job_changed, timeout=2000):
        engine.progress(other, 0.2, "trees", partial="more")
    assert partial[-1] == "more"


@pytest.mark.parametrize("state", [JobState.CANCELLED, JobState.LOST])
def test_end_is_told_whatever_the_outcome(engine, jobs, qtbot, state):
    ended, results, errors = [], [], []
    job = jobs.submit(
        "x", None, on_result=results.append, on_error=errors.append, on_end=ended.append
    )
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.end(job, state)
    assert [outcome.state for outcome in ended] == [state]
    assert results == errors == []


def test_failure_goes_to_the_error_callback(engine, jobs, qtbot):
    errors: list[Exception] = []
    job = jobs.submit("x", None, on_error=errors.append)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.fail(job, PayoffError("No."))
    assert [error.what for error in errors] == ["No."]


def test_stop_asks_the_engine_only_while_the_job_is_open(engine, jobs, qtbot):
    job = jobs.submit("x", None)
    jobs.stop(job)
    assert engine.cancelled == [job]
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.end(job, JobState.CANCELLED)
    jobs.stop(job)
    assert engine.cancelled == [job]


def test_old_quick_jobs_are_forgotten_and_named_ones_kept(engine, jobs, qtbot):
    named = jobs.submit("load", None, title="Loading")
    for _ in range(260):
        job = jobs.submit("data.rows", None, lane=Lane.QUICK)
        engine.answer(job, None)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000, check_params_cb=lambda o: o.job == job):
        pass
    jobs.submit("data.rows", None)
    assert named in jobs.entries
    assert len(jobs.entries) <= 202


def test_closing_ends_the_engine_and_late_events_are_ignored(engine, qtbot, qapp):
    queue = JobQueue(engine.listen)
    results: list[object] = []
    job = queue.submit("x", None, on_result=results.append)
    engine.answer(job, "late")
    queue.close()
    qapp.processEvents()
    assert not engine.is_running
    assert results == []


# ---------------------------------------------------------------- the strip


def test_strip_is_ready_without_jobs(strip):
    assert strip.title.text() == "Ready"
    assert strip.counts.text() == "no jobs yet"
    assert not strip.stop.isVisible()


def test_a_quick_job_is_shown_while_the_compiler_holds_it_up(strip, engine, jobs, qtbot):
    job = jobs.submit("decide.totals", None, lane=Lane.QUICK)
    with qtbot.waitSignal(jobs.job_changed, timeout=2000):
        engine.progress(job, None, "reading")
    assert not strip._timer.isActive()
    engine.progress(job, None, "3 of 20 ready", is_preparing=True)
    qtbot.waitUntil(lambda: strip.title.text() == "First calculations", timeout=2000)
    assert strip.stage.full_text() == "3 of 20 ready"
    assert not strip.stop.isVisible()  # the compiler cannot be stopped
    assert jobs.open_entries() == []  # what a closing window asks about
    engine.progress(job, None, "drawing")
    qtbot.waitUntil(lambda: strip.title.text() == "Ready", timeout=2000)
    engine.progress(job, None, "5 of 20 ready", is_preparing=True)
    qtbot.waitUntil(lambda: strip.title.text() == "First calculations", timeout=2000)
    engine.answer(job, None)
    qtbot.waitUntil(lambda: strip.title.text() == "Ready", timeout=2000)


def test_what_was_stopped_and_kept_is_not_called_done(strip, engine, jobs, qtbot):
    job = jobs.submit("experiments.run", None, title="Experiment")
    with qtbot.waitSignal(jobs.job_changed, timeout=2000):
        engine.progress(job, 0.4, "40 of 100 models")
    strip.refresh()
    qtbot.mouseClick(strip.stop, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.answer(job, "40 models")
    strip.refresh()
    assert strip.title.text() == "Experiment: stopped; what was done is kept"
    model = JobListModel(jobs)
    assert model.index(0, 1).data() == "stopped, kept"


def test_strip_shows_progress_stage_stop_and_counts(strip, engine, jobs, qtbot):
    first = jobs.submit("load", None, title="Loading mail.csv")
    jobs.submit("compare.models", None, title="Comparing models")
    engine.progress(first, 0.43, "reading rows")
    qtbot.waitUntil(lambda: strip.percent.text() == "43\u00a0%", timeout=2000)
    assert strip.title.text() == "Loading mail.csv"
    assert strip.stage.full_text() == "reading rows"
    assert strip.waiting.text() == "Waiting: Comparing models"
    assert strip.counts.text() == "1 running, 1 waiting"
    qtbot.mouseClick(strip.stop, Qt.MouseButton.LeftButton)
    assert engine.cancelled == [first]


@pytest.mark.parametrize(
    ("following", "is_stopped"), [("Loading mail.csv", True), ("Comparing models", False)]
)
def test_stop_hits_what_the_strip_says_when_a_job_ended_since(
    strip, engine, jobs, qtbot, following, is_stopped
):
    first = jobs.submit("load", None, title="Loading mail.csv")
    engine.progress(first, 0.4, "reading rows")
    qtbot.waitUntil(strip.stop.isVisible, timeout=2000)
    strip._timer.start(60_000)  # the strip is not painted again before Stop is pressed
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.answer(first, None)
    second = jobs.submit("load", None, title=following)
    with qtbot.waitSignal(jobs.job_changed, timeout=2000):
        engine.progress(second, 0.1, "reading rows")
    qtbot.mouseClick(strip.stop, Qt.MouseButton.LeftButton)
    assert engine.cancelled == ([second] if is_stopped else [])


def test_strip_tells_how_a_job_ended(strip, engine, jobs, qtbot):
    job = jobs.submit("load", None, title="Loading mail.csv")
    engine.answer(job, None, seconds=0.8)
    qtbot.waitUntil(lambda: "done in" in strip.title.text(), timeout=2000)
    assert strip.counts.text() == "1 done"
    lost = jobs.submit("load", None, title="Loading <b>")
    engine.end(lost, JobState.LOST)
    qtbot.waitUntil(lambda: "lost" in strip.title.text(), timeout=2000)
    assert "Loading <b>" in strip.title.text()
    assert strip.title.textFormat() == Qt.TextFormat.PlainText


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.01, "Loading: done"), (3.0, f"Loading: done in 3.0{NBSP}s")]
)
def test_a_time_too_short_to_matter_is_not_told(strip, seconds, words):
    done = JobState.DONE
    entry = JobEntry(job=1, kind="load", title="Loading", lane=Lane.LONG, state=done)
    assert strip._ending(replace(entry, seconds=seconds)) == words


def test_quick_nameless_jobs_do_not_show(strip, engine, jobs, qtbot):
    job = jobs.submit("data.rows", None, lane=Lane.QUICK)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.answer(job, None)
    strip.refresh()
    assert strip.counts.text() == "no jobs yet"


def test_list_of_jobs_is_newest_first(strip, engine, jobs, qtbot):
    first = jobs.submit("load", None, title="First")
    jobs.submit("load", None, title="Second")
    model = JobListModel(jobs)
    with qtbot.waitSignal(jobs.job_ended, timeout=2000):
        engine.fail(first, PayoffError("No file."))
    titles = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert titles == ["Second", "First"]
    assert model.index(1, 1).data() == "failed"
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "No file."
    popup = strip.open_list()
    assert popup.table.model().rowCount() == 2
    popup.close()


def test_a_quiet_line_tells_of_kernels_until_they_are_ready(engine, jobs, qtbot, strip):
    jobs.start()
    strip.show()
    assert not strip.preparing.isVisible()
    with qtbot.waitSignal(jobs.warm_up_changed, timeout=2000):
        engine.warm_up(0.4, 30)
    assert strip.preparing.isVisible()
    assert strip.preparing.text() == "Preparing calculations: 40\u00a0%"
    assert not strip.bar.isVisible()  # it is no job, and nothing waits for it
    with qtbot.waitSignal(jobs.warm_up_changed, timeout=2000):
        engine.warm_up(1.0, 90)
    assert not strip.preparing.isVisible()


# ---------------------------------------------------------------- titles of questions


@pytest.mark.parametrize("fraction", [0.0, 0.434, 0.436, 0.5, 0.996, 1.0])
def test_one_figure_says_how_far_a_training_is(fraction: float):
    """The strip, the list of jobs and the list of models say the same, and never 100 %."""
    entry = JobEntry(job=1, kind="train", title="Training", lane=Lane.LONG, fraction=fraction)
    row = ModelRow(name="gbm", series=0, kind="boosted trees", fraction=fraction)
    assert entry.percent() == row.as_text().split(", ")[-1]
    assert entry.percent() != "100\u00a0%"
