"""The mark at the total in the profit chart: dragged up or down it reads what would bring that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from core.presentation.labels import Labels
from core.questions.decide import GoalSeek
from core.questions.lanes import Lane
from gui.charts import ProfitChart
from gui.pages.decide.matrix.cell_drag import stepped
from gui.session.request import Request
from gui.session.session import Session
from gui.theme import current_theme
from gui.widgets import TextLabel

if TYPE_CHECKING:
    from core.document.studies.moving_numbers import GoalSeekResult

_GAP = 12  # pixels from the line
_WIDTH = 430  # of the words


class ProfitLift(QObject):
    """Asks for the newest total while it is dragged; ``sought`` once it is let go of."""

    sought = Signal(float)

    def __init__(self, session: Session, chart: ProfitChart) -> None:
        super().__init__(chart)
        self._session, self._view = session, chart.view
        self._wanted = math.nan
        self._request = Request(self, session.project, self._send)
        self.words = TextLabel(parent=chart.view)
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words.setWordWrap(True)
        self.words.setFixedWidth(_WIDTH)
        self.words.hide()
        chart.view.lifted.connect(self._go_to)
        chart.view.lift_stepped.connect(self._step)
        chart.view.lift_ended.connect(self._end)
        session.project.data_changed.connect(lambda: chart.view.end_lift(is_meant=False))
        session.results.decisions_changed.connect(self._show_offer)
        self._show_offer()

    def _show_offer(self, _sent: object = None) -> None:
        """The mark can be dragged where a total can be sought."""
        document = self._session.project.document
        self._view.can_lift = GoalSeek.why_not(document) is None

    def _total(self) -> float:
        """The total to begin with, as the page shows it."""
        decisions, document = self._session.results.decisions, self._session.project.document
        if decisions is None or not decisions.models:
            return math.nan
        named = [m for m in decisions.models if m.model == document.reference_model]
        labels = Labels.of(document, decisions)
        return labels.shown((named or decisions.models)[0].total.value)

    def _step(self, steps: int) -> None:
        start = self._total() if self._view.lift is None else self._wanted
        if math.isfinite(start):
            self._go_to(stepped(start, steps))

    def _go_to(self, total: float) -> None:
        if self._view.lift is None:
            self._show_words(("What would bring it is being worked out.",))
        self._wanted = _readable(total, self._total())
        self._view.set_lift(total)
        self._place_words()
        self._request.renew()

    def _send(self) -> None:
        wanted, project = self._wanted, self._session.project
        if self._view.lift is None:
            return
        document = project.document.without_rankers()

        def on_result(answer: GoalSeekResult) -> None:
            from core.presentation.decide.numbers import wanted_total

            labels = Labels.of(project.document, self._session.results.decisions)
            self._show_words(wanted_total(answer, labels).sentences)
            if wanted != self._wanted:
                self._request.renew()

        self._request.ask(
            document,
            GoalSeek(total=wanted),
            on_result=on_result,
            on_error=lambda refusal: self._show_words((str(refusal),)),
            is_wanted=lambda: self._view.lift is not None,
            lane=Lane.QUICK,
            title="",
        )

    def _show_words(self, lines: tuple[str, ...]) -> None:
        theme = current_theme()
        self.words.setStyleSheet(
            f"background: {theme.card}; color: {theme.text}; border: 1px solid {theme.border};"
            "border-radius: 4px; padding: 4px 8px;"
        )
        self.words.setText("\n".join(lines))
        self.words.setAccessibleName("; ".join(lines))
        self._view.setAccessibleDescription("; ".join(lines))
        self.words.adjustSize()
        self.words.show()
        self._place_words()

    def _place_words(self) -> None:
        """Beside the line that is dragged, inside the chart."""
        layout, height = self._view.chart_layout, self._view.lift
        if layout is None or height is None:
            return
        size, y = self.words.size(), layout.to_y(height)
        top = (
            y + _GAP if y + _GAP + size.height() < self._view.height() else y - _GAP - size.height()
        )
        left = min(layout.plot.left() + _GAP, self._view.width() - size.width())
        self.words.move(round(max(0.0, left)), round(max(0.0, top)))

    def _end(self, is_meant: bool) -> None:
        self._request.cancel()
        self.words.hide()
        if is_meant and math.isfinite(self._wanted):
            self.sought.emit(self._wanted)


def _readable(total: float, start: float) -> float:
    """A total of no more digits than a hand can aim at: a thousandth of the present one."""
    size = max(abs(total), abs(start)) if math.isfinite(start) else abs(total)
    if size <= 0:
        return total
    unit = 10.0 ** (math.floor(math.log10(size)) - 2)
    return round(round(total / unit) * unit, 10)
