"""What a page offers for the report: a chart, a table or a total, under a key that stays.

A part makes a block of what its page shows at the moment, or None while there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtWidgets import QTableView, QWidget

from gui.widgets.tables.cells import cells_of
from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.model import Document
    from core.presentation.labels import Labels
    from core.presentation.table import Table
    from core.presentation.view import View
    from core.questions.question import Question
    from gui.charts.card import ChartCard

MOST_ROWS = 60  # of a table on the report: beyond them it says how many there are
_NUMBER_SIGNS = frozenset("0123456789.,+-−–%()€$£¥≈ \u00a0\u202f▲▼")


@dataclass(frozen=True, slots=True)
class ReportPart:
    """Something of a page that can stand on the report.

    ``chart`` shows by its button whether it is there; ``view`` offers it in its menu.
    """

    key: str
    title: str
    make: Callable[[], View | None]
    chart: ChartCard | None = None
    view: QWidget | None = None


class AnswerViews:
    """The views of one answer, each made once: the report knows a chart by its object."""

    def __init__(self, question: Question[Any], answer: Any, labels: Labels) -> None:
        self.question, self.answer, self.labels = question, answer, labels
        self._made: dict[str, View] = {}

    def view(self, part: str) -> View:
        """Return one by its part of the key; raises PayoffError where it cannot be made."""
        if part not in self._made:
            from core.presentation.showing import show

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
        """What the figures shown were worked out from; None while there are none."""

    def make_again(self, kind: str) -> bool:
        """Work an entry of the report out again; False where the user must do it."""


def view_part(view: View, chart: ChartCard | None = None) -> ReportPart:
    """A view as a part, under its own key; ``chart`` is the card that shows whether it is there."""
    return ReportPart(key=view.key, title=view.title, make=lambda: view, chart=chart)


def chart_part(key: str, title: str, chart: ChartCard) -> ReportPart:
    """A chart as a part."""

    def make() -> View | None:
        spec = chart.paper_spec()
        if spec is None:
            return None
        from core.presentation.view import View

        notes = (*spec.notes, spec.definition)
        return View(
            key=key,
            title=spec.title,
            subtitle=spec.subtitle,
            notes=tuple(line for line in notes if line),
            charts=(spec,),
        )

    return ReportPart(key=key, title=title, make=make, chart=chart)


def table_part(
    key: str,
    title: str,
    view: QTableView,
    *,
    subtitle: Callable[[], str] = str,
    lines: Callable[[], tuple[str, ...]] = tuple,
    table: Callable[[], Table] | None = None,
) -> ReportPart:
    """A table as a part; ``table`` gives its content where the cells shown are not all of it."""

    def make() -> View | None:
        content = table() if table is not None else table_of(view)
        if not content.rows:
            return None
        from core.presentation.view import View

        shown, left = shortened(content)
        more = (counted(left, "more row is", "more rows are") + " left out.",) if left else ()
        return View(
            key=key, title=title, subtitle=subtitle(), notes=(*more, *lines()), tables=(shown,)
        )

    return ReportPart(key=key, title=title, make=make, view=view)


def shortened(table: Table) -> tuple[Table, int]:
    """The first rows of a table, and how many were left out."""
    left = max(0, len(table.rows) - MOST_ROWS)
    if not left:
        return table, 0
    strong = tuple(place for place in table.strong if place[0] < MOST_ROWS)
    return replace(table, rows=table.rows[:MOST_ROWS], strong=strong), left


def table_of(view: QTableView) -> Table:
    """The cells that a table shows, without columns that hold no text (bars)."""
    from core.presentation.table import Table

    columns, rows = cells_of(view)
    kept = [
        at for at in range(len(columns)) if any(at < len(row) and row[at].strip() for row in rows)
    ]
    texts = tuple(tuple(row[at] if at < len(row) else "" for at in kept) for row in rows)
    right = tuple(
        place
        for place in range(1, len(kept))
        if all(set(row[place]) <= _NUMBER_SIGNS for row in texts)
    )
    return Table(columns=tuple(columns[at] for at in kept), rows=texts, right=right)
