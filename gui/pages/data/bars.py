"""Small histograms in the header of the table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter


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
