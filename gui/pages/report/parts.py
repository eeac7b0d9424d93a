"""What a page offers for the report, under a key that stays.

An entry is made of its key and of answers about the document, by
``core.presentation.report.entries`` or by the view of its question; a page only says what it shows,
and hands over answers it has got.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.model import Document
    from core.presentation.labels import Labels
    from core.presentation.view import View
    from core.questions.question import Question
    from gui.charts.card import ChartCard


@dataclass(frozen=True, slots=True)
class ReportPart:
    """Something that a page shows and that can stand on the report.

    ``answered`` gives the view of an answer that the page has got, so that it need not be asked for
    again; left out, the entry is made of the project's results. ``charts`` show by their buttons
    whether the entry is there.
    """

    key: str
    title: str
    answered: Callable[[], View | None] | None = None
    charts: tuple[ChartCard, ...] = ()


class AnswerViews:
    """The views of one answer, each made once: the report knows a chart by its object."""

    def __init__(self, question: Question[Any], answer: Any, labels: Labels) -> None:
        self.question, self.answer, self.labels = question, answer, labels
        self._made: dict[str, View] = {}

    def view(self, part: str) -> View:
        """Return one by its part of the key; raises PayoffError where it cannot be made."""
        if part not in self._made:
            from core.presentation.making_views import show

            self._made[part] = show(self.question, self.answer, self.labels, part)
        return self._made[part]

    def view_or_none(self, part: str) -> View | None:
        """Return one; None where it cannot be made any more."""
        try:
            return self.view(part)
        except PayoffError:
            return None


class ReportedPage(Protocol):
    """A page as the report knows it."""

    def report_parts(self) -> tuple[ReportPart, ...]:
        """What can be put on the report."""

    def report_document(self) -> Document | None:
        """What the answers shown were worked out from; None while there are none."""


def view_part(view: View, charts: Iterable[ChartCard] = ()) -> ReportPart:
    """A view as a part, under its own key; ``charts`` are cards that show whether it is there."""
    return ReportPart(key=view.key, title=view.title, answered=lambda: view, charts=tuple(charts))
