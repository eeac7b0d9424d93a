"""A model's line: colour and dash, the same on every page."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme, series_dash, theme_notifier


def dash_pen(series: int, width: float = 2.0) -> QPen:
    """The pen of a model in the theme of the moment."""
    pen = QPen(QColor(current_theme().series_colour(series)), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dashes = series_dash(series)
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen


def series_icon(series: int, width: int = 18) -> QIcon:
    """A model's line as an icon, for combo boxes and menus."""
    ratio = 2.0
    pixmap = QPixmap(QSize(round(width * ratio), round(16 * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(dash_pen(series))
    painter.drawLine(QPointF(0, 8), QPointF(width, 8))
    painter.end()
    return QIcon(pixmap)


class SeriesSwatch(QWidget):
    """A short line in a model's colour and dash."""

    def __init__(self, series: int = 0, width: int = 26, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series = series
        self.setFixedSize(width, 14)
        theme_notifier().theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(dash_pen(self._series))
        middle = self.height() / 2
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
        painter.end()
