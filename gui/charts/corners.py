"""Where the box of a chart is put, a read-out or a legend: in the corner where it covers least."""

from __future__ import annotations

from typing import get_args

import numpy as np
from PySide6.QtCore import QRectF

from gui.charts.layout import ChartLayout
from gui.charts.overlay import box_rect, flag_rect, legend_rect
from gui.charts.spec import Chart, Corner, CursorState
from payoff.types import FloatArray

STEP = 3.0  # pixels between the places that are looked at
MARGIN = 3.0  # pixels kept free around the box
CLEARLY_LESS = 3  # times less must be hidden elsewhere for a box to leave its corner
LINE = 10  # times as much is lost under a box of a line as of the band around it
OVER_LINE = 5  # of the cursor beside bars, which have no marks on it: less than any of them
OVER_CURSOR = 100_000


def free_corner(state: CursorState, spec: Chart, layout: ChartLayout) -> Corner:
    """The chart's own corner, unless its box covers data there and far less elsewhere."""
    wanted = spec.box_corner
    cost = {wanted: _cost(wanted, state, spec, layout)}
    if cost[wanted]:
        for corner in get_args(Corner):
            cost.setdefault(corner, _cost(corner, state, spec, layout))
    best = min(cost, key=lambda corner: (cost[corner], corner != wanted))
    return best if cost[best] * CLEARLY_LESS <= cost[wanted] else wanted


def box_corner(
    state: CursorState, spec: Chart, layout: ChartLayout, *, has_flag: bool
) -> Corner | None:
    """Where the read-out goes; of a chart whose cursor has a flag, the legend beside it.

    None: that legend would hide curves in every corner. The flag names them too.
    """
    if not has_flag or flag_rect(state, layout) is None:
        return free_corner(state, spec, layout)
    corners: tuple[Corner, ...] = ("top right", "bottom right", "top left", "bottom left")
    free = (c for c in corners if not covered(legend_rect(state, layout, c), spec, layout))
    return next(free, None)


def hides_curves(
    state: CursorState, spec: Chart, layout: ChartLayout, corner: Corner | None, *, has_flag: bool
) -> bool:
    """Whether the read-out lies over curves even so: then they are seen through it."""
    if corner is None or layout.is_sparse or (has_flag and flag_rect(state, layout) is not None):
        return False
    return covered(box_rect(state, layout, corner), spec, layout) > 0


def _cost(corner: Corner, state: CursorState, spec: Chart, layout: ChartLayout) -> int:
    """What the box hides in a corner; over the cursor's line or marks it is not put."""
    box = box_rect(state, layout, corner)
    is_over = state.x is not None and box.left() <= layout.to_x(state.x) <= box.right()
    for ring in state.rings:
        is_over = is_over or box.contains(layout.to_x(ring.x), layout.to_y(ring.y))
    hidden = LINE * covered(box, spec, layout) + _covered_bands(box, spec, layout)
    return hidden + (OVER_LINE if spec.bars and not spec.series else OVER_CURSOR) * is_over


def covered(box: QRectF, spec: Chart, layout: ChartLayout) -> int:
    """How many places of the curves and bars a box hides, every few pixels of its width."""
    area = box.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
    at = np.arange(area.left(), area.right(), STEP)
    x = layout.x_low + (at - layout.plot.left()) / layout.plot.width() * (
        layout.x_high - layout.x_low
    )
    hidden = 0
    for line in spec.visible_series():
        hidden += _hits(area, layout, _heights(line.x, line.y, x))
    for bars in spec.visible_bars():
        for left, top in zip(bars.x + bars.offset, bars.y, strict=True):
            is_over = (x >= left) & (x <= left + bars.width)
            hidden += int(np.sum(is_over) * (layout.to_y(float(top)) <= area.bottom()))
    return hidden


def _covered_bands(box: QRectF, spec: Chart, layout: ChartLayout) -> int:
    """How many places of the bands around curves a box hides, every few pixels of its width."""
    at = np.arange(box.left(), box.right(), STEP)
    x = layout.x_low + (at - layout.plot.left()) / layout.plot.width() * (
        layout.x_high - layout.x_low
    )
    hidden = 0
    for line in spec.visible_series():
        if line.low is None or line.high is None:
            continue
        bottom, top = (_pixels(layout, _heights(line.x, y, x)) for y in (line.low, line.high))
        hidden += int(np.sum((top <= box.bottom()) & (bottom >= box.top())))
    return hidden


def _heights(x: FloatArray, y: FloatArray, wanted: FloatArray) -> FloatArray:
    """A curve's values at some places; NaN where it is not drawn."""
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return np.full(len(wanted), np.nan)
    order = np.argsort(x[known], kind="stable")
    return np.interp(wanted, x[known][order], y[known][order], left=np.nan, right=np.nan)


def _hits(area: QRectF, layout: ChartLayout, values: FloatArray) -> int:
    pixels = _pixels(layout, values)
    return int(np.sum((pixels >= area.top()) & (pixels <= area.bottom())))


def _pixels(layout: ChartLayout, values: FloatArray) -> FloatArray:
    share = (values - layout.y_low) / (layout.y_high - layout.y_low)
    return np.asarray(layout.plot.bottom() - share * layout.plot.height())
