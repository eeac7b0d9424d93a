"""The cursor: line, foot, rings, flag and read-out box, painted over the finished curves.

Only this is painted while the cursor is dragged; the curves below are a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.document.wording import format_count
from gui.charts.curves import BAR_OPACITY, line_pen
from gui.charts.fonts import chart_font, chart_metrics, text_width
from gui.charts.layout import FLAG_MARGIN, ChartLayout
from gui.charts.spec import Corner, CursorState, ReadingLine, Ring
from gui.theme import Theme

RING = 4.5  # radius of the marks at the curves
SEEN_THROUGH = 0.7  # opacity of a box that has no free corner: letters stay sharp, curves visible
_SAMPLE = 20.0  # length of a line sample
_ROW, _SHORT_ROW = 17.0, 15.0
_PAD = 8.0
_MARGINS = 14.0  # between a box and the edges of the plot
_LEAST_LINES = 4  # of a read-out, however low its plot
_TRIANGLE = 5.0
_FLAG_GAP = 20.0
_IN_BOX, _IN_SHORT, _LEAST_NAME = 0.45, 0.25, 80.0  # of the plot's width for a name; pixels
_IN_FLAG = 0.6  # of the plot's width for all names beside one another


@dataclass(frozen=True, slots=True)
class Hit:
    """A rectangle that answers a click on a legend entry."""

    rect: QRectF
    name: str


@dataclass(slots=True)
class OverlayGeometry:
    """Where the cursor's parts stand, for partial repaints and clicks."""

    parts: list[QRectF] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    box: QRectF | None = None
    flag: QRectF | None = None
    home: QRectF | None = None  # where the box is while no flag is in its way
    is_over: bool = False  # the box has no free corner: curves are seen through it

    def dirty_rects(self) -> list[QRect]:
        """Whole pixels that these parts touch."""
        return [part.adjusted(-2, -2, 2, 2).toAlignedRect() for part in self.parts]


# ---------------------------------------------------------------- geometry


def overlay_geometry(
    state: CursorState, layout: ChartLayout, *, has_flag: bool, corner: Corner | None
) -> OverlayGeometry:
    """Lay out the cursor's parts of one chart; beside a flag there need be no ``corner``."""
    geometry = OverlayGeometry()
    plot = layout.plot
    for x in (state.x, state.pin):
        if x is not None and layout.x_low <= x <= layout.x_high:
            # The strip is as wide as a ring: few large rectangles repaint faster than many small.
            at, half = layout.to_x(x), RING + 2
            strip = QRectF(at - half, plot.top() - half, 2 * half, plot.height() + half + 8)
            geometry.parts.append(strip)
    loose = QRectF()
    for ring in (*state.rings, *state.pin_rings):
        if ring.x not in (state.x, state.pin) and layout.is_inside(ring.x, ring.y):
            x, y = layout.to_x(ring.x), layout.to_y(ring.y)
            loose = loose.united(QRectF(x - RING - 2, y - RING - 2, 2 * RING + 4, 2 * RING + 4))
    if not loose.isNull():
        geometry.parts.append(loose)
    if layout.is_sparse:
        return geometry
    if has_flag:
        geometry.flag = flag_rect(state, layout)
    if geometry.flag is not None:
        geometry.parts.append(geometry.flag)
        geometry.home = None if corner is None else legend_rect(state, layout, corner)
        if geometry.home is not None and not geometry.home.intersects(geometry.flag):
            geometry.box = geometry.home
    elif state.head or state.lines:
        geometry.home = geometry.box = box_rect(state, layout, corner or "top right")
    if geometry.box is not None:
        geometry.parts.append(geometry.box)
    geometry.hits = _hits(state, geometry, layout, has_values=geometry.flag is None)
    return geometry


def _sample_width(entry: ReadingLine) -> float:
    return 0.0 if entry.series is None else (10.0 if entry.is_bar else _SAMPLE) + 8


def shown_name(entry: ReadingLine, layout: ChartLayout, *, in_flag: int = 0) -> str:
    """The name of a line, its middle left out where it would take the room of the curves.

    Other lines are sentences: these end where the box does. ``in_flag``: how many stand there
    beside one another.
    """
    pixels, width = 12 if in_flag else 11, layout.plot.width()
    share = _IN_FLAG / in_flag if in_flag else _IN_SHORT if layout.is_short else _IN_BOX
    room = max(share * width, _LEAST_NAME)
    mode = Qt.TextElideMode.ElideMiddle
    if entry.series is None:
        room, mode = width - 4 * _PAD - text_width(entry.value), Qt.TextElideMode.ElideRight
    if text_width(entry.name, False, pixels) <= room:
        return entry.name
    return chart_metrics(False, pixels).elidedText(entry.name, mode, room)


def row_height(layout: ChartLayout) -> float:
    """The height of one line of the read-out box."""
    return _SHORT_ROW if layout.is_short else _ROW


def has_head(state: CursorState, layout: ChartLayout) -> bool:
    """Low charts leave out the box's head where the values speak for themselves."""
    return not layout.is_short or all(entry.series is None for entry in state.lines)


def fitted(state: CursorState, layout: ChartLayout) -> CursorState:
    """The read-out with no more lines than the plot is high: the chosen ones, then the first."""
    room = layout.plot.height() - _PAD - _MARGINS
    most = max(_LEAST_LINES, int(room // row_height(layout)) - has_head(state, layout))
    rest = len(state.lines) - most + 1
    if rest <= 1:
        return state
    ranked = sorted(range(len(state.lines)), key=lambda at: not state.lines[at].is_chosen)
    kept = tuple(state.lines[at] for at in sorted(ranked[: most - 1]))
    more = ReadingLine(name=f"{format_count(rest)} more", value="", series=None)
    return replace(state, lines=(*kept, more))


def box_rect(state: CursorState, layout: ChartLayout, corner: Corner) -> QRectF:
    """The small charts' read-out box, in its corner or beside the line."""
    names = max((text_width(shown_name(e, layout), False) for e in state.lines), default=0.0)
    values = max((text_width(e.value, False) for e in state.lines), default=0.0)
    sample = max((_sample_width(e) for e in state.lines), default=0.0)
    body = sample + names + (20 + values if values else 0)
    head = text_width(state.head, True) if has_head(state, layout) else 0.0
    width = max(head, body) + 2 * _PAD
    row = row_height(layout)
    height = row * (len(state.lines) + has_head(state, layout)) + _PAD
    plot = layout.plot
    top, left = plot.top() + 6, plot.right() - width - 4
    if corner.startswith("bottom"):
        top = plot.bottom() - height - 8
    if corner.endswith("left"):
        left = plot.left() + 8
    elif corner == "beside cursor" and state.x is not None:
        at = layout.to_x(min(max(state.x, layout.x_low), layout.x_high))
        left = at + 8 if at + 8 + width <= plot.right() else at - 8 - width
        left = max(left, plot.left() + 4)  # never over the axis
    return QRectF(round(max(left, 1.0)), round(max(top, 1.0)), round(width), round(height))


def _entry_width(entry: ReadingLine, layout: ChartLayout, beside: int) -> float:
    name = text_width(shown_name(entry, layout, in_flag=beside), False, 12)
    value = text_width(entry.value, entry.is_chosen, 12)
    return _flag_sample(entry) + name + 5 + value


def _flag_sample(entry: ReadingLine) -> float:
    """The room of a sample in the flag; a verdict has none."""
    return 0.0 if entry.series is None else _SAMPLE + 8


def flag_rect(state: CursorState, layout: ChartLayout) -> QRectF | None:
    """The two-line flag: right of the line, left of it past half.

    A flag too wide for its side stays inside the plot, or at least the chart, and hangs over the
    line. One that is wider than the chart, or would stand over the curves of a low one, gives way
    to the box.
    """
    if state.x is None or layout.height < FLAG_MARGIN:
        return None
    beside = len(state.lines)
    widths = [_entry_width(entry, layout, beside) + _FLAG_GAP for entry in state.lines]
    entries = sum(widths) - _FLAG_GAP
    head = text_width(state.head, True, 12)
    note = text_width(state.note, False)
    width = max(entries, head + 10 + note) + 26
    if width > layout.width - 2:
        return None
    at = layout.to_x(min(max(state.x, layout.x_low), layout.x_high))
    is_flipped = at > layout.plot.center().x()
    left = at - width if is_flipped else at
    least = layout.plot.left() if width <= layout.plot.width() else 1.0  # off the axis' numbers
    left = min(max(left, least), layout.width - width - 1)
    return QRectF(round(left), layout.plot.top(), round(width), 44)


def legend_rect(state: CursorState, layout: ChartLayout, corner: Corner) -> QRectF:
    """The legend of a chart with a flag: names only, in one of its four corners."""
    names = max((text_width(shown_name(e, layout), False) for e in state.lines), default=0.0)
    width = _SAMPLE + 14 + names + 2 * _PAD + 4
    height = _ROW * len(state.lines) + _PAD
    plot = layout.plot
    left = plot.left() + 8 if corner.endswith("left") else plot.right() - width - 4
    top = plot.bottom() - height - 8 if corner.startswith("bottom") else plot.top()
    return QRectF(round(left), round(top), round(width), height)


def _hits(
    state: CursorState, geometry: OverlayGeometry, layout: ChartLayout, *, has_values: bool
) -> list[Hit]:
    """Clickable legend entries of the box, and of the flag that stands for it."""
    hits = []
    if geometry.box is not None:
        height = row_height(layout) if has_values else _ROW
        top = geometry.box.top() + _PAD / 2
        top += height if has_values and has_head(state, layout) else 0
        for index, entry in enumerate(state.lines):
            if entry.series is not None:  # others have no line that is switched off and on
                row = (geometry.box.left(), top + index * height, geometry.box.width(), height)
                hits.append(Hit(QRectF(*row), entry.name))
    elif geometry.flag is not None:
        left = geometry.flag.left() + 13
        for entry in state.lines:
            width = _entry_width(entry, layout, len(state.lines))
            if entry.series is not None:
                hits.append(Hit(QRectF(left, geometry.flag.top() + 22, width, 22), entry.name))
            left += width + _FLAG_GAP
    return hits


# ---------------------------------------------------------------- painting


def paint_overlay(
    painter: QPainter,
    state: CursorState,
    layout: ChartLayout,
    geometry: OverlayGeometry,
    theme: Theme,
    names: Sequence[QRectF] = (),
) -> None:
    """Paint the cursor's parts where ``overlay_geometry`` put them; lines stop at ``names``."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if state.pin is not None and layout.x_low <= state.pin <= layout.x_high:
        _paint_line(painter, layout, state.pin, theme, names, is_pin=True)
    _paint_rings(painter, state.pin_rings, layout, theme, 3.0)
    if state.x is not None and layout.x_low <= state.x <= layout.x_high:
        _paint_line(painter, layout, state.x, theme, names, is_pin=False)
    _paint_rings(painter, state.rings, layout, theme, RING)
    if geometry.box is not None:
        _paint_box(painter, state, geometry, layout, theme)
    if geometry.flag is not None:
        _paint_flag(painter, state, geometry.flag, layout, theme)


def _paint_line(
    painter: QPainter,
    layout: ChartLayout,
    x: float,
    theme: Theme,
    names: Sequence[QRectF],
    *,
    is_pin: bool,
) -> None:
    plot = layout.plot
    at = layout.to_x(x)
    colour = QColor(theme.quiet if is_pin else theme.accent)
    pen = QPen(colour, 1.0 if is_pin else theme.sizes.cursor_line)
    if is_pin:
        pen.setDashPattern([3.0, 3.0])
    painter.setPen(pen)
    top = plot.top()
    for name in sorted(names, key=QRectF.top):  # a line through letters could not be read
        if name.left() <= at <= name.right():
            painter.drawLine(QLineF(at, top, at, max(name.top(), top)))
            top = max(name.bottom(), top)
    painter.drawLine(QLineF(at, top, at, plot.bottom()))
    if layout.is_sparse:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    foot = plot.bottom()
    painter.drawPolygon(
        QPolygonF(
            [
                QPointF(at, foot),
                QPointF(at + _TRIANGLE, foot + 6),
                QPointF(at - _TRIANGLE, foot + 6),
            ]
        )
    )


def _paint_rings(
    painter: QPainter, rings: tuple[Ring, ...], layout: ChartLayout, theme: Theme, radius: float
) -> None:
    painter.setBrush(QColor(theme.card))
    for ring in rings:
        if layout.is_inside(ring.x, ring.y):
            painter.setPen(QPen(QColor(theme.series_colour(ring.series)), 2.0))
            painter.drawEllipse(QPointF(layout.to_x(ring.x), layout.to_y(ring.y)), radius, radius)


def _paint_sample(
    painter: QPainter, entry: ReadingLine, left: float, middle: float, theme: Theme
) -> None:
    """A piece of the model's line, or a small square for bars."""
    assert entry.series is not None
    if entry.is_bar:
        colour = QColor(theme.control_border)
        if entry.series >= 0:
            colour = QColor(theme.series_colour(entry.series))
            colour.setAlphaF(BAR_OPACITY)
        painter.fillRect(QRectF(round(left), round(middle - 5), 10, 10), colour)
        return
    painter.setPen(line_pen(entry, theme))
    painter.drawLine(QLineF(left, round(middle), left + _SAMPLE, round(middle)))


def _paint_box(
    painter: QPainter,
    state: CursorState,
    geometry: OverlayGeometry,
    layout: ChartLayout,
    theme: Theme,
) -> None:
    box, is_legend = geometry.box, geometry.flag is not None
    assert box is not None  # by the caller
    plate = QColor(theme.card)
    plate.setAlphaF(SEEN_THROUGH if geometry.is_over else 1.0)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.setBrush(plate)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    height = _ROW if is_legend else row_height(layout)
    row = box.top() + _PAD / 2
    metrics = chart_metrics()
    drop = (height + metrics.ascent() - metrics.descent()) / 2
    if not is_legend and has_head(state, layout):
        painter.setFont(chart_font(True))
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(box.left() + _PAD, round(row + drop)), state.head)
        row += height
    painter.setFont(chart_font())
    for entry in state.lines:
        left = box.left() + _PAD
        if entry.series is not None:
            painter.setOpacity(0.35 if entry.is_hidden else 1.0)
            _paint_sample(painter, entry, left, row + height / 2, theme)
            painter.setOpacity(1.0)
            left += _sample_width(entry)
        is_quiet = entry.is_hidden or entry.series is None
        painter.setPen(QColor(theme.quiet if is_quiet else theme.text))
        painter.drawText(QPointF(round(left), round(row + drop)), shown_name(entry, layout))
        if not is_legend and entry.value:
            right = box.right() - _PAD - text_width(entry.value)
            painter.drawText(QPointF(round(right), round(row + drop)), entry.value)
        row += height


def _paint_flag(
    painter: QPainter, state: CursorState, flag: QRectF, layout: ChartLayout, theme: Theme
) -> None:
    """The flag's two lines; a thick edge joins it to the cursor's line."""
    assert state.x is not None
    at = layout.to_x(min(max(state.x, layout.x_low), layout.x_high))
    painter.setPen(QPen(QColor(theme.accent), 1))
    painter.setBrush(QColor(theme.card))
    painter.drawRoundedRect(flag.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    if min(abs(at - flag.left()), abs(at - flag.right())) < 2:
        painter.fillRect(QRectF(at - 1.5, flag.top(), 3, flag.height()), QColor(theme.accent))
    left, base = flag.left() + 13, flag.top() + 18
    painter.setFont(chart_font(True, 12))
    painter.setPen(QColor(theme.text))
    painter.drawText(QPointF(left, base), state.head)
    painter.setPen(QColor(theme.quiet))
    note_left = left + text_width(state.head, True, 12) + 10
    painter.setFont(chart_font(False, 11))
    painter.drawText(QPointF(round(note_left), base), state.note)
    base, beside = flag.top() + 36, len(state.lines)
    for entry in state.lines:
        if entry.series is not None:
            painter.setOpacity(0.35 if entry.is_hidden else 1.0)
            _paint_sample(painter, entry, left, base - 4, theme)
            painter.setOpacity(1.0)
        is_quiet = entry.is_hidden or entry.series is None
        painter.setPen(QColor(theme.quiet if is_quiet else theme.text))
        painter.setFont(chart_font(False, 12))
        name_left = left + _flag_sample(entry)
        name = shown_name(entry, layout, in_flag=beside)
        painter.drawText(QPointF(round(name_left), base), name)
        value_left = name_left + text_width(name, False, 12) + 5
        painter.setFont(chart_font(entry.is_chosen, 12))
        painter.drawText(QPointF(round(value_left), base), entry.value)
        left += _entry_width(entry, layout, beside) + _FLAG_GAP
