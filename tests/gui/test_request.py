"""The one way to the engine: what it drops, what it says, and what follows what."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget
from shiboken6 import delete

from core.document.commands import DescribeProject
from core.document.data.results import RowsPage
from core.document.decisions.commands import SetPriors
from core.document.model import Document
from core.engine.messages import JobState
from core.questions.compare import CompareModels, Segments
from core.questions.decide import AtDepth, Totals
from core.questions.explain import Explain
from gui.session.request import NotFinishedError, Request
from payoff.errors import PayoffError
from tests.helpers.answers.synthetic import make_decisions, make_document, make_reading
from tests.helpers.factories.loaded_file import make_page

PRIORS = SetPriors(priors=(("1", 0.2), ("0", 0.8)))


class Place(QObject):
    """A place that notes what reaches it."""

    def __init__(self, session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.reported: list[str] = []
        self.request = Request(self, session.project)

    def ask(self, question=None, **more: object) -> int:
        return self.request.ask(
            self.session.project.document,
            question or Totals(),
            on_result=lambda _answer: self.reported.append("result"),
            on_partial=lambda _answer: self.reported.append("part"),
            on_error=lambda reason: self.reported.append(str(reason)),
            on_end=lambda outcome: self.reported.append("end"),
            **more,
        )


@pytest.fixture
def place(session) -> Place:
    session.project.take_document(make_document())
    return Place(session)


@pytest.fixture
def ends(jobs, engine, qtbot) -> Callable[..., list[str]]:
    """End a job and say what has reached a place since."""

    def end(place: Place, job: int, by: object = "answer", part: object = None) -> list[str]:
        reported = place.reported
        reported.clear()
        with qtbot.waitSignal(jobs.job_ended, timeout=2000, check_params_cb=lambda o: o.job == job):
            if part is not None:
                engine.progress(job, 0.5, partial=part)
            if isinstance(by, Exception):
                engine.fail(job, by)
            elif isinstance(by, JobState):
                engine.end(job, by)
            else:
                engine.answer(job, make_decisions() if by == "answer" else by)
        return list(reported)

    return end


def test_parts_an_answer_and_the_end_come_in_this_order(place, ends):
    assert ends(place, place.ask(), part=make_decisions()) == ["part", "result", "end"]
    assert not place.request.is_under_way


def test_a_new_question_takes_back_the_one_before(place, ends, engine):
    first, second = place.ask(), place.ask()
    assert engine.cancelled == [first]
    assert ends(place, first, part=make_decisions()) == ["end"]
    assert place.request.is_under_way
    assert ends(place, second) == ["result", "end"]


def test_a_refusal_stays_with_its_question(place, ends):
    first, second = place.ask(), place.ask()
    assert ends(place, first, PayoffError("No.")) == ["end"]
    assert ends(place, second, PayoffError("No outcome.")) == ["No outcome.", "end"]


def test_an_answer_of_another_type_is_not_shown(place, ends):
    reported = ends(place, place.ask(), make_reading(0.1), part=make_reading(0.1))
    assert reported == ["The answer is of another kind than what was asked for.", "end"]


def test_an_answer_about_the_former_document_is_not_shown(place, ends, session):
    job = place.ask()
    session.project.execute(DescribeProject(name="x"))  # not in what the totals read
    assert ends(place, job) == ["result", "end"]
    for by in ("answer", PayoffError("No prior.")):
        job = place.ask()
        session.project.execute(PRIORS)
        reported = ends(place, job, by, part=make_decisions())
        assert "The project was changed while this was worked out." in reported[0]
        assert reported[1:] == ["end"]
        session.project.undo()
    job = place.ask()
    session.project.execute(PRIORS)
    session.project.undo()
    assert ends(place, job) == ["result", "end"]


def test_a_place_may_know_better_what_it_would_ask(place, ends, session):
    requests = ["first"]
    job = place.ask(is_wanted=lambda: requests[-1] == "first")
    session.project.execute(PRIORS)
    assert ends(place, job) == ["result", "end"]
    job = place.ask(is_wanted=lambda: requests[-1] == "first")
    requests.append("second")
    assert ends(place, job, part=make_decisions()) == ["end"]


def test_that_a_person_stopped_it_is_said_in_its_place_and_is_no_message(
    place, ends, session, engine
):
    posted: list[object] = []
    session.project.message_posted.connect(posted.append)
    job = place.ask()
    place.request.stop()
    assert engine.cancelled == [job]
    assert ends(place, job, JobState.CANCELLED) == [str(NotFinishedError()), "end"]
    plain = Request(place, session.project)
    job = plain.ask(session.project.document, Totals(), on_result=place.reported.append)
    assert ends(place, job, JobState.CANCELLED) == []
    assert posted == []
    job = plain.ask(session.project.document, Totals(), on_result=place.reported.append)
    assert ends(place, job, PayoffError("No outcome.")) == []
    assert [str(reason) for reason in posted] == ["No outcome."]


def test_what_the_window_takes_back_is_said_by_nobody(place, ends, engine):
    job = place.ask()
    place.request.cancel()
    assert engine.cancelled == [job]
    assert ends(place, job, JobState.CANCELLED) == ["end"]


def test_nobody_is_called_once_the_place_is_gone(place, ends):
    reported = place.reported
    job = place.ask()
    delete(place)
    place.reported = reported
    assert ends(place, job, part=make_decisions()) == []


def test_a_closed_dialog_takes_its_questions_with_it(session, ends, engine, qtbot):
    session.project.take_document(make_document())
    dialog = QDialog()
    qtbot.addWidget(dialog)
    inner = QWidget()
    QVBoxLayout(dialog).addWidget(inner)
    place = Place(session, inner)
    job = place.ask()
    dialog.reject()
    assert engine.cancelled == [job]
    assert ends(place, job) == ["end"]


def test_a_closed_dialog_sends_nothing_after_the_pause(session, engine, qtbot):
    sent: list[int] = []
    dialog = QDialog()
    qtbot.addWidget(dialog)
    request = Request(dialog, session.project, lambda: sent.append(1), pause=1)
    request.renew_later()
    assert request.is_busy
    dialog.reject()
    assert not request.is_busy
    request.renew_later()
    qtbot.waitUntil(lambda: sent == [1])


def test_while_one_is_under_way_only_the_newest_wish_waits(session, engine, qtbot, ends):
    session.project.take_document(make_document())
    place = Place(session)
    depths = [0.1]

    def send() -> None:
        request.ask(
            session.project.document,
            AtDepth(depth=depths[-1]),
            on_result=lambda reading: place.reported.append(f"{reading.depth}"),
        )

    request = Request(place, session.project, send)
    for depth in (0.1, 0.2, 0.3, 0.4):
        depths.append(depth)
        request.renew()
    first, *others = engine.of_kind("decide.at_depth")
    assert (first.arguments.question.depth, others) == (0.1, [])
    assert ends(place, first.job, make_reading(0.1)) == ["0.1"]  # a drag never starves
    second = engine.last("decide.at_depth")
    assert second.arguments.question.depth == 0.4
    assert ends(place, second.job, make_reading(0.4)) == ["0.4"]
    assert len(engine.of_kind("decide.at_depth")) == 2
    assert not request.is_busy


def test_a_wish_that_asks_nothing_leaves_nothing_under_way(session):
    calls: list[int] = []
    request = Request(session, session.project, lambda: calls.append(1))
    request.renew()
    request.renew()
    assert len(calls) == 2
    assert not request.is_busy


def test_a_job_that_is_no_question_is_asked_the_same_way(session, engine, qtbot):
    pages: list[RowsPage] = []
    request = Request(session, session.project)
    job = request.run("rows", None, RowsPage, on_result=pages.append)
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(job, make_page(0, 3))
    assert [page.start for page in pages] == [0]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        (Explain(model="gbm 1"), "Explaining a model, gbm 1"),
        (Segments(column="region"), "By column, region"),
        (CompareModels(), "Comparing models"),
        (Totals(), ""),  # quick: over before anybody reads of it
    ],
)
def test_a_job_is_titled_by_its_question_and_what_that_is_about(session, question, title):
    jobs = session.jobs
    request = Request(session, session.project)
    job = request.ask(Document(), question, on_result=lambda _result: None)
    assert jobs.entries[job].title == title
    assert jobs.entries[job].lane is question.facts.lane
