"""The only way from a place of the window to the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from core.engine.messages import Ask, JobOutcome, JobState
from gui.pauses import single_shot
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.model import Document
    from core.questions.lanes import Lane
    from core.questions.question import Answer, Question
    from gui.session.job_queue import JobQueue

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
Part = TypeVar("Part")
OnError = Callable[[Exception], None]
OnEnd = Callable[[JobOutcome], None]


_requests: WeakKeyDictionary[QObject, list[ReferenceType[Request]]] = WeakKeyDictionary()


def _always() -> bool:
    return True


def answered_at(place: QObject) -> Question[Any] | None:
    """The question whose answer a widget, or what it stands in, shows; None where there is none.

    Questions that only page through what is there (quick lanes) are not meant.
    """
    above: QObject | None = place
    while above is not None:
        for known in reversed(_requests.get(above, [])):
            request = known()
            shown = request.answered if request is not None else None
            if shown is not None and not shown.facts.lane.is_short:
                return shown
        above = above.parent()
    return None


class NotFinishedError(PayoffError):
    """A person stopped what was asked; what is shown in its place, and no message, says so."""

    def __init__(self) -> None:
        super().__init__("This was stopped before it was done.")


class Source(Protocol):
    """What a request must know of what it is asked of."""

    jobs: JobQueue

    @property
    def document(self) -> Document:
        """The document as it is."""

    def post(self, message: Exception | str, about: str = "") -> None:
        """Show a message."""


class Request:
    """What one place of the window asks of the engine, one thing at a time.

    A new question takes back the one before. An answer, a part of it or a refusal reaches the place
    only while the place is there, its dialog is open, its question is the newest, and what the
    question reads of the project has not moved. Whatever takes its place ends what is under way:
    a closed dialog takes its job back.

    Parameters
    ----------
    owner : QObject
        The place: a widget, a dialog, a presenter.
    source : Source
        Its document, its queue of jobs, and where refusals go that no place shows.
    send : callable, optional
        Asks for what the place would show now, by ``ask`` or ``run``, or does nothing. ``renew``
        calls it once what is under way has ended, so that a drag never starves.
    pause : int, optional
        How long ``renew_later`` waits for further changes, in milliseconds.
    """

    def __init__(
        self,
        owner: QObject,
        source: Source,
        send: Callable[[], None] | None = None,
        *,
        pause: int | None = None,
    ) -> None:
        self._owner = owner
        self._source = source
        self._send = send
        self._requested: _Requested | None = None  # what is under way
        self.answered: Question[Any] | None = None  # whose answer the place was given last
        self._is_wanted = False  # again, once what is under way has ended
        self._dialog: QDialog | None = None
        self._timer = None if pause is None else single_shot(owner, pause, self.renew)
        _requests.setdefault(owner, []).append(ref(self))

    @property
    def is_there(self) -> bool:
        """Whether the place still exists."""
        return isValid(self._owner)

    @property
    def is_under_way(self) -> bool:
        """Whether the engine works on it, or it waits there."""
        return self._requested is not None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come, or a question to be sent."""
        is_paused = self._timer is not None and self._timer.isActive()
        return self.is_under_way or self._is_wanted or is_paused

    # ------------------------------------------------------------ asking

    def renew(self) -> None:
        """Have it sent now, or as soon as what is under way has ended; the newest wish counts."""
        assert self._send is not None
        self._follow_dialog()
        if self.is_under_way:
            self._is_wanted = True
        else:
            self._send()

    def renew_later(self) -> None:
        """Have it sent once nothing has changed for the time of the pause."""
        assert self._timer is not None
        self._follow_dialog()
        self._timer.start()

    def ask(
        self,
        document: Document,
        question: Question[Answer],
        *,
        on_result: Callable[[Answer], None],
        on_partial: Callable[[Answer], None] | None = None,
        on_error: OnError | None = None,
        on_end: OnEnd | None = None,
        is_wanted: Callable[[], bool] | None = None,
        lane: Lane | None = None,
        title: str | None = None,
    ) -> int:
        """Ask a question of a document; usually its title and its lane are its own.

        Parameters
        ----------
        document : Document
            The project's, or one made of it.
        question : Question
            What is asked.
        on_result, on_partial : callable
            Show the answer, whole or in part.
        on_error : callable, optional
            Shows a refusal, or that it was stopped, where the answer would stand; left out, a
            refusal becomes a message.
        on_end : callable, optional
            Called after the others while the place is there, whatever the outcome, for a question
            that was taken back as well.
        is_wanted : callable, optional
            Whether the place would still ask this: it follows the project and asks again. Left out:
            while what the question reads of the project is what it was; else that is said.
        lane, title
            Of the job, where not the question's own; an empty title is no line in the list.

        Returns
        -------
        int
            Number of the job.
        """
        facts = question.facts
        then = facts.reads.of(self._source.document)

        def is_unmoved() -> bool:
            return facts.reads.of(self._source.document) == then

        requested = _Requested(
            self,
            facts.answer,
            facts.answer,
            on_result,
            on_partial,
            on_error or self._source.post,
            on_end,
            is_wanted or is_unmoved,
            reports_change=is_wanted is None,
            question=question,
        )
        own = facts.lane_of(document)
        heading = question.heading() if title is None else title
        arguments = Ask.of(document, question)
        requested.again = partial(self._submit, facts.key, arguments, title=heading)
        shown = "" if own.is_short else heading
        return self._submit(facts.key, arguments, requested, lane or own, shown)

    def run(
        self,
        kind: str,
        arguments: object,
        answer: type[Result],
        *,
        on_result: Callable[[Result], None],
        part: type[Part] | None = None,
        on_partial: Callable[[Part], None] | None = None,
        on_error: OnError | None = None,
        on_end: OnEnd | None = None,
        is_wanted: Callable[[], bool] | None = None,
        title: str = "",
    ) -> int:
        """Run a job that is no question: read, train, write, install. As ``ask``.

        ``answer`` and ``part`` are the types of what it ends with and what it says on the way. Its
        answer is taken, whatever becomes of the project, unless ``is_wanted`` says otherwise.
        """
        requested = _Requested(
            self,
            answer,
            part or object,
            on_result,
            on_partial,
            on_error or self._source.post,
            on_end,
            is_wanted or _always,
        )
        return self._submit(kind, arguments, requested, title=title)

    # ------------------------------------------------------------ ending

    def stop(self) -> None:
        """Stop it as a person does: what is done by then may still come."""
        if self._requested is not None:
            self._source.jobs.stop(self._requested.job)

    def cancel(self) -> None:
        """Take back what is under way and what waits: nobody wants an answer."""
        self._is_wanted = False
        if self._timer is not None and isValid(self._timer):
            self._timer.stop()
        self._leave()

    def _leave(self) -> None:
        requested, self._requested = self._requested, None
        if requested is not None:
            self._source.jobs.drop(requested.job)

    def _follow_dialog(self) -> None:
        """Have the dialog that the place is in, if it is in one, take the question with it."""
        above: QObject | None = self._owner
        while above is not None and not isinstance(above, QDialog):
            above = above.parent()
        if above is not None and above is not self._dialog:
            self._dialog = above
            above.finished.connect(self._on_closed)

    def _on_closed(self, _code: int) -> None:
        self.cancel()

    # ------------------------------------------------------------ the way of a job

    def _submit(
        self,
        kind: str,
        arguments: object,
        requested: _Requested,
        lane: Lane | None = None,
        title: str = "",
    ) -> int:
        self._leave()
        self._follow_dialog()
        self._requested = requested
        requested.job = self._source.jobs.submit(
            kind,
            arguments,
            lane=lane,
            title=title,
            on_result=requested.take,
            on_partial=requested.take_part,
            on_error=requested.refuse,
            on_end=requested.end,
        )
        return requested.job

    def _close(self, requested: _Requested) -> bool:
        """The job of a question has ended: whether anybody waited for it."""
        if self._requested is not requested:
            return False
        self._requested = None
        return self.is_there

    def _end(self, requested: _Requested, outcome: JobOutcome) -> None:
        """Say so where a person stopped it, and go on with what waits."""
        is_stopped = outcome.state is not JobState.DONE and outcome.error is None
        entry = self._source.jobs.entries.get(outcome.job)
        is_dropped = entry is not None and entry.is_dropped
        if is_stopped and not is_dropped and not self._is_wanted:
            requested.refuse(NotFinishedError())
        self._close(requested)
        if self.is_there and requested.on_end is not None:
            requested.on_end(outcome)
        if self._is_wanted and not self.is_under_way and self.is_there:
            self._is_wanted = False
            self.renew()


@dataclass(slots=True, eq=False)
class _Requested:
    """One thing that was asked, and who is told of it."""

    request: Request
    answer: type[Any]
    part: type[Any]
    on_result: Callable[[Any], None]
    on_partial: Callable[[Any], None] | None
    on_error: OnError
    on_end: OnEnd | None
    is_wanted: Callable[[], bool]
    reports_change: bool = False  # where the project has changed meanwhile
    question: Question[Any] | None = None
    again: Callable[..., int] | None = None  # sends it in another lane
    job: int = 0

    def take(self, result: object) -> None:
        """Show the answer."""
        if not isinstance(result, self.answer):
            _log.error("%s was answered with a %s", self.answer, type(result))
            self.refuse(PayoffError("The answer is of another kind than what was asked for."))
        elif self.request._close(self):
            if self.is_wanted():
                self.request.answered = self.question
                self.on_result(result)
            else:
                self._report_change()

    def take_part(self, result: object) -> None:
        """Show a part of it."""
        is_newest = self.request._requested is self and self.request.is_there
        is_part = self.on_partial is not None and isinstance(result, self.part)
        if self.on_partial is not None and is_part and is_newest and self.is_wanted():
            self.on_partial(result)

    def refuse(self, reason: Exception) -> None:
        """Show why there is no answer; what reads all rows is asked again, as a long job."""
        from core.questions.lanes import Lane, LongReadError

        again = self.again if isinstance(reason, LongReadError) and self.is_wanted() else None
        if again is not None and self.request._requested is self:
            following = replace(self, again=None)
            self.on_end = None  # it is the one that ends
            again(following, lane=Lane.LONG)
        elif self.request._close(self):
            if self.is_wanted():
                self.on_error(reason)
            else:
                self._report_change()

    def _report_change(self) -> None:
        if self.reports_change:
            self.on_error(
                PayoffError(
                    "The project was changed while this was worked out.",
                    remedy="Ask again to see it of the project as it is now.",
                )
            )

    def end(self, outcome: JobOutcome) -> None:
        """Nothing more will come."""
        self.request._end(self, outcome)
