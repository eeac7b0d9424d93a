"""A model's line: colour and dash, the same on every page."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from gui.theme import current_theme, series_dash


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
