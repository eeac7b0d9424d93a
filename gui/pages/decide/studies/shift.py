"""A cell with a thin bar below its text: how far a value lies from the present one, and where."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from core.presentation.table import Cell
from gui.parts.figure_table import FIGURE, AnyIndex, FigureDelegate, FigureTable
from gui.theme import current_theme

THICK = 3.0
MOST = 1.0  # a shift of 100 % reaches the end of the bar


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftFigure(Cell):
    """``shift`` is (value - now) / abs(now): to the left of the middle where it is below 0."""

    shift: float = 0.0


class ShiftDelegate(FigureDelegate):
    """Draws the bar of a shift under what every figure has."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        figure = index.data(FIGURE)
        if not isinstance(figure, ShiftFigure):
            return
        theme = current_theme()
        area = QRectF(option.rect).adjusted(6, 0, -4, 0)
        foot = area.bottom() - THICK - 1.5
        half = area.width() / 2.0
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.track))
        painter.drawRoundedRect(QRectF(area.left(), foot, area.width(), THICK), 1.5, 1.5)
        reach = half * min(abs(figure.shift), MOST) / MOST
        left = area.center().x() - (reach if figure.shift < 0 else 0.0)
        painter.setBrush(QColor(theme.accent))
        painter.drawRect(QRectF(left, foot, max(reach, 1.5), THICK))
        painter.setBrush(QColor(theme.text))
        painter.drawRect(QRectF(area.center().x() - 0.5, foot - 1.5, 1.0, THICK + 3.0))
        painter.restore()


class ShiftTable(FigureTable):
    """A table of figures some of which show a shift."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setItemDelegate(ShiftDelegate(self))
