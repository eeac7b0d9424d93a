"""The way from a case of which nothing is known to this one: a step for each input."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.document.studies.one_case import CasePart, OneCaseResult
from core.document.wording import format_number
from gui.pages.explain.dependence import number_words, prediction_words
from gui.theme import current_theme, text_font, theme_notifier

ROW = 26
ROOMY = 40
"""A step takes at least the one and at most the other, by the room there is."""
MOST_STEPS = 12
_BAR = 12


@dataclass(frozen=True, slots=True)
class Step:
    """One line: a bar from ``start`` to ``end`` of the score, or a place alone where they agree."""

    name: str
    start: float
    end: float
    words: str
    is_total: bool = False


def steps_of(result: OneCaseResult) -> tuple[Step, ...]:
    """The lines of a case: what is known of nobody, the largest parts, the rest, this case."""
    shown = result.parts
    rest: tuple[CasePart, ...] = ()
    if len(shown) > MOST_STEPS:
        shown, rest = shown[: MOST_STEPS - 1], shown[MOST_STEPS - 1 :]
    base = prediction_words(result.base_prediction, is_chance=result.is_chance)
    steps = [Step("nothing known", result.base, result.base, base, is_total=True)]
    at = result.base
    lines = [(f"{part.column} = {part.value or 'missing'}", part.amount) for part in shown]
    if rest:
        lines.append((f"{len(rest)} others", sum(part.amount for part in rest)))
    for name, amount in lines:
        steps.append(Step(name, at, at + amount, signed(amount)))
        at += amount
    own = prediction_words(result.prediction, is_chance=result.is_chance)
    steps.append(Step("this case", result.score, result.score, own, is_total=True))
    return tuple(steps)


def signed(amount: float) -> str:
    """An amount with its sign, to a hundredth where it is small."""
    size = abs(amount)
    words = format_number(size, 2) if size < 10 else number_words(size)
    return f"{'+' if amount >= 0 else '−'}{words}"


class Waterfall(QWidget):
    """Steps below each other, up in the colour of gain and down in that of loss."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps: tuple[Step, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("What each input adds")
        theme_notifier().theme_changed.connect(self.update)

    def show_case(self, result: OneCaseResult | None) -> None:
        """Show another case, or nothing."""
        self.steps = () if result is None else steps_of(result)
        spoken = ", ".join(f"{step.name} {step.words}" for step in self.steps)
        self.setAccessibleDescription(spoken)
        self.setMaximumHeight(ROOMY * max(1, len(self.steps)))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, ROW * max(1, len(self.steps)))

    def minimumSizeHint(self) -> QSize:
        return QSize(300, ROW * max(1, len(self.steps)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.steps:
            return
        painter = QPainter(self)
        painter.setFont(text_font("body"))
        metrics = painter.fontMetrics()
        widest = max(metrics.horizontalAdvance(step.name) for step in self.steps)
        names = min(widest + 16.0, 0.4 * self.width())
        values = max(metrics.horizontalAdvance(step.words) for step in self.steps) + 12.0
        low = min(min(step.start, step.end) for step in self.steps)
        high = max(max(step.start, step.end) for step in self.steps)
        room = QRectF(names, 0.0, max(20.0, self.width() - names - values), self.height())
        scale = room.width() / (high - low) if high > low else 0.0
        tall = self.height() / len(self.steps)
        for place, step in enumerate(self.steps):
            left = room.left() + (min(step.start, step.end) - low) * scale
            length = abs(step.end - step.start) * scale
            area = QRectF(left, place * tall, length, tall)
            self._paint_step(painter, step, place, names, area)
        painter.end()

    def _paint_step(
        self, painter: QPainter, step: Step, place: int, names: float, area: QRectF
    ) -> None:
        theme = current_theme()
        row = QRectF(0, area.top(), self.width(), area.height())
        if step.is_total:
            painter.fillRect(row, QColor(theme.hover))
        painter.setPen(QColor(theme.text))
        name = painter.fontMetrics().elidedText(
            step.name, Qt.TextElideMode.ElideMiddle, round(names - 12)
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(row.adjusted(4, 0, 0, 0), middle | Qt.AlignmentFlag.AlignLeft, name)
        painter.drawText(
            row.adjusted(0, 0, -4, 0), middle | Qt.AlignmentFlag.AlignRight, step.words
        )
        colour = (
            theme.text if step.is_total else theme.gain if step.end > step.start else theme.loss
        )
        bar = QRectF(area.left(), area.center().y() - _BAR / 2, max(2.0, area.width()), _BAR)
        painter.fillRect(bar, QColor(colour))
        if place + 1 < len(self.steps):  # a thread down to where the next step begins
            end = bar.right() - 1 if step.end > step.start else bar.left()
            painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
            painter.drawLine(
                round(end),
                round(bar.bottom()),
                round(end),
                round(row.bottom() + (row.height() - _BAR) / 2),
            )
