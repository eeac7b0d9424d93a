"""Stop while a folder of parts is read: what was shown stays, and the window goes on."""

from __future__ import annotations

import pytest

from core.document.data.model import PARTS, ReaderSettings
from core.document.decisions.commands import EditCell
from core.engine.client import EngineClient
from core.engine.messages import JobState
from core.engine.options import EngineOptions
from core.questions.data import TableRows
from core.questions.decide import AtDepth, Totals
from core.questions.lanes import Lane
from gui.session import JobQueue
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session
from gui.shell.main_window import MainWindow
from tests.core.scale.parts import coarse_cases, write_parts
from tests.gui.endless_parts import ENDLESS, handlers

pytestmark = pytest.mark.timeout(400)  # kernels may have to be compiled

LONG = 120_000  # ms


@pytest.fixture
def program(qtbot, tmp_path):
    """A window with the engine's process, on a folder of parts whose totals are there."""
    options = EngineOptions(warm_up=False, safe_mode=True, store_folder=str(tmp_path / "session"))
    (tmp_path / "session").mkdir()
    queue = JobQueue(lambda listen: EngineClient(listen, options=options, handlers=handlers))
    frame = MainWindow(Session(queue))
    qtbot.addWidget(frame, before_close_func=lambda w: setattr(w, "_may_close", True))
    frame.show()
    for name in ("first", "second"):
        write_parts(coarse_cases(263_000), tmp_path / name / "parts", 3)
    frame.session.files.open_data(str(tmp_path / "first" / "parts"), ReaderSettings(format=PARTS))
    qtbot.waitUntil(lambda: frame.session.results.reading is not None, timeout=LONG)
    yield frame
    queue.close()


def press_stop(frame, qtbot, kind):
    """Press Stop as soon as a job runs, and wait for its end."""
    entries = frame.session.jobs.entries

    def running():
        return [e for e in entries.values() if e.kind == kind and e.state is JobState.RUNNING]

    qtbot.waitUntil(lambda: bool(running()), timeout=LONG)
    (entry,) = running()
    stop = frame.strip.stop
    named = f"Stop {entry.title}"
    qtbot.waitUntil(lambda: stop.isVisible() and stop.accessibleName() == named, timeout=LONG)
    frame.strip.stop.click()
    qtbot.waitUntil(lambda: not entry.is_open, timeout=LONG)
    return entry


def test_stop_keeps_what_was_shown_and_the_window_goes_on(program, qtbot, tmp_path):
    session = program.session
    results, former = session.results, session.results.decisions
    # Totals that are worked out anew.
    endless = tmp_path / "first" / ENDLESS
    endless.touch()
    cells = tuple(tuple(row) for row in former.cells.tolist())
    place = {"level": former.levels[0], "decision": former.decisions[0]}
    session.project.execute(EditCell(**place, value=cells[0][0] + 1.0, resolved=cells))
    rows, asking = [], Request(session, session.project)
    asking.ask(session.project.document, TableRows(count=3), on_result=rows.append)
    qtbot.waitUntil(lambda: bool(rows), timeout=LONG)  # short questions go on beside it
    entry = press_stop(program, qtbot, "decide.totals")
    assert (entry.lane, entry.title) == (Lane.LONG, Totals.facts.title)
    assert entry.state is JobState.CANCELLED
    assert results.decisions is former
    assert not results.decisions_are_fresh
    endless.unlink()
    session.project.undo()
    qtbot.waitUntil(lambda: results.is_settled, timeout=LONG)
    assert results.decisions_are_fresh
    # Another folder that is opened.
    document, former = session.project.document, results.decisions
    endless = tmp_path / "second" / ENDLESS
    endless.touch()
    second = str(tmp_path / "second" / "parts")
    session.files.open_data(second, ReaderSettings(format=PARTS))
    assert press_stop(program, qtbot, "load").state is JobState.CANCELLED
    assert session.project.document == document
    assert results.decisions is former
    assert results.decisions_are_fresh
    endless.unlink()
    session.files.open_data(second, ReaderSettings(format=PARTS))
    qtbot.waitUntil(lambda: session.project.document.data.path == second, timeout=LONG)


@pytest.mark.soak
def test_a_short_question_that_reads_all_rows_is_asked_again_as_a_long_job(
    program, qtbot, tmp_path
):
    session = program.session
    endless = tmp_path / "first" / ENDLESS
    endless.touch()
    asked, refused = Request(session, session.project), []
    question, document = AtDepth(depth=0.25), session.project.document
    found = []
    asked.ask(document, question, on_result=found.append, on_error=refused.append)

    def long_jobs():
        return [
            e
            for e in session.jobs.entries.values()
            if e.kind == "decide.at_depth" and e.lane is Lane.LONG
        ]

    qtbot.waitUntil(lambda: [e.state for e in long_jobs()] == [JobState.RUNNING], timeout=LONG)
    assert asked.is_under_way
    # Short questions are answered beside it.
    rows, asking = [], Request(session, session.project)
    asking.ask(document, TableRows(count=3), on_result=rows.append)
    qtbot.waitUntil(lambda: bool(rows), timeout=LONG)
    (entry,) = long_jobs()
    assert (entry.state, entry.title) == (JobState.RUNNING, AtDepth.facts.title)
    assert not refused
    asked.stop()
    qtbot.waitUntil(lambda: not entry.is_open, timeout=LONG)
    assert not asked.is_under_way
    assert [type(reason) for reason in refused] == [NotFinishedError]
    assert not found
    endless.unlink()
    asked.ask(document, question, on_result=found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=LONG)
    assert found[0].depth == pytest.approx(0.25)
