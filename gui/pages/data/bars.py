"""Small histograms: in the header of the table, and of the chosen column by outcome."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.document.data.results import ColumnDetail
from core.document.wording import format_number
from gui.theme import current_theme, text_font, theme_notifier

MOST_LABEL = 96  # pixels of a label below the bars


def paint_bars(painter: QPainter, area: QRectF, counts: Sequence[float], colour: str) -> None:
    """Bars side by side, one pixel apart, the highest as high as the area."""
    top = max(counts, default=0.0)
    if top <= 0:
        return
    step = area.width() / len(counts)
    shade = QColor(colour)
    for place, count in enumerate(counts):
        height = max(1.0 if count else 0.0, area.height() * count / top)
        left = round(area.left() + place * step)
        right = round(area.left() + (place + 1) * step) - 1
        painter.fillRect(QRectF(left, area.bottom() - height, max(1, right - left), height), shade)


class ClassBars(QWidget):
    """One column by outcome: for each bin, the share of each class that falls into it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detail: ColumnDetail | None = None
        self._names: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_notifier().theme_changed.connect(self.update)

    def show_detail(self, detail: ColumnDetail | None, names: tuple[str, ...]) -> None:
        """Show a column; ``names`` are the user's words for the classes."""
        self._detail = detail
        self._names = names
        self.setAccessibleName(self._spoken())
        self.update()

    def _spoken(self) -> str:
        if self._detail is None:
            return ""
        lines = []
        for place, words in enumerate(self._detail.bins):
            shares = ", ".join(
                f"{name} {100 * share:.0f} %"
                for name, share in zip(self._names, self._detail.by_level[:, place], strict=False)
            )
            lines.append(f"{words}: {shares}")
        return "; ".join(lines)

    def sizeHint(self) -> QSize:
        return QSize(360, 170)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 110)

    def colours(self) -> list[str]:
        """The event in the first series colour, one other class in grey, more in further ones."""
        theme = current_theme()
        count = len(self._names)
        if count <= 1:
            return [theme.series_colour(0)]
        if count == 2:
            return [theme.series_colour(0), theme.control_border]
        return [theme.series_colour(place) for place in range(count)]

    def paintEvent(self, event: QPaintEvent) -> None:
        detail = self._detail
        if detail is None or not detail.bins:
            return
        painter = QPainter(self)
        shares = np.asarray(detail.by_level, dtype=float)
        if shares.size == 0 or not np.isfinite(shares).any():
            counts = detail.summary.histogram or (1,)
            shares = np.asarray([counts], dtype=float) / max(1, sum(counts))
        right = end_room(detail.bins, QFontMetrics(text_font("note")))
        area = QRectF(44, 8, self.width() - 44 - right, self.height() - 30)
        self._paint_scale(painter, area, float(np.nanmax(shares)))
        self._paint_groups(painter, area, np.nan_to_num(shares))
        self._paint_bins(painter, area, detail.bins)
        painter.end()

    def _paint_scale(self, painter: QPainter, area: QRectF, top: float) -> None:
        theme = current_theme()
        painter.setFont(text_font("note"))
        for share in (0.0, top / 2, top):
            y = round(area.bottom() - (share / top if top else 0) * area.height())
            painter.setPen(QPen(QColor(theme.control_border if share == 0 else theme.grid), 1))
            painter.drawLine(round(area.left()), y, round(area.right()), y)
            painter.setPen(QColor(theme.quiet))
            painter.drawText(
                QRectF(0, y - 8, area.left() - 6, 16),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                f"{100 * share:.0f}\u00a0%" if top >= 0.02 else f"{100 * share:.1f}\u00a0%",
            )

    def _paint_groups(self, painter: QPainter, area: QRectF, shares: np.ndarray) -> None:
        top = float(shares.max()) or 1.0
        classes, bins = shares.shape
        step = area.width() / bins
        room = min(step * 0.8, 26.0 * classes)
        colours = self.colours()
        for place in range(bins):
            left = area.left() + place * step + (step - room) / 2
            for row in range(classes):
                height = area.height() * shares[row, place] / top
                bar = QRectF(left + row * room / classes, area.bottom() - height, 0, height)
                bar.setWidth(max(1.0, room / classes - 1))
                painter.fillRect(bar, QColor(colours[row % len(colours)]))

    def _paint_bins(self, painter: QPainter, area: QRectF, bins: tuple[str, ...]) -> None:
        painter.setFont(text_font("note"))
        painter.setPen(QColor(current_theme().quiet))
        step = area.width() / len(bins)
        metrics = painter.fontMetrics()
        edges = edges_of(bins)
        labels = edges or bins
        widest = max(metrics.horizontalAdvance(words) for words in labels) + 8
        every = max(1, -(-min(widest, MOST_LABEL) // max(1, int(step))))
        for place in range(0, len(labels), every):
            middle = area.left() + (place if edges else place + 0.5) * step
            room = QRectF(0, area.bottom() + 4, min(widest, step * every), 16)
            room.moveCenter(QPointF(middle, room.center().y()))
            room.moveLeft(max(0.0, min(room.left(), self.width() - room.width())))
            words = metrics.elidedText(
                labels[place], Qt.TextElideMode.ElideMiddle, round(room.width())
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)


def end_room(bins: tuple[str, ...], metrics: QFontMetrics) -> float:
    """Room right of the bars, so that the label of the last end is not pushed into another."""
    edges = edges_of(bins)
    if not edges:
        return 8.0
    widest = max(metrics.horizontalAdvance(words) for words in edges) + 8
    return max(8.0, min(widest, MOST_LABEL) / 2.0)


def edges_of(bins: tuple[str, ...]) -> tuple[str, ...]:
    """The ends of bins named "0.2 to 0.4", one more than bins; nothing if they are not such."""
    pairs = [words.split(" to ") for words in bins]
    if not all(len(pair) == 2 for pair in pairs):
        return ()
    try:
        numbers = [float(pairs[0][0]), *(float(pair[1]) for pair in pairs)]
    except ValueError:
        return ()
    decimals = edge_decimals(numbers[-1] - numbers[0])
    return tuple(format_number(number, decimals) for number in numbers)


def edge_decimals(span: float) -> int:
    """Decimals that tell edges apart: about three digits of their span."""
    if span <= 0:
        return 2
    return max(0, min(6, 2 - math.floor(math.log10(span))))
