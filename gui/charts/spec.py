"""What a chart shows (``core.presentation.charts.chart``), and where its cursor stands."""

from __future__ import annotations

from core.presentation.charts.chart import (
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    Corner,
    PointsSpec,
    Quantity,
    SeriesSpec,
    Side,
)
from core.presentation.charts.depths import CursorState, ReadingLine, Ring

__all__ = [
    "AxisSpec",
    "BarsSpec",
    "BaselineSpec",
    "Chart",
    "Corner",
    "CursorState",
    "PointsSpec",
    "Quantity",
    "ReadingLine",
    "Ring",
    "SeriesSpec",
    "Side",
]
