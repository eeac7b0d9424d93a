"""The drawing surface of one chart: curves as a kept picture, the cursor painted on top.

pyqtgraph draws bands, bars and lines into the picture once per size, zoom and theme. While the
cursor moves, only the rectangles it touches are painted again: so six charts follow the mouse.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gui.charts.areas import paint_area, paint_steps, paint_tiles
from gui.charts.corners import box_corner, hides_curves
from gui.charts.curves import add_to_box, screen_items
from gui.charts.frame import paint_axes, paint_baseline_names, paint_focus, paint_grid
from gui.charts.layout import ChartLayout, Zoom, make_layout
from gui.charts.overlay import OverlayGeometry, fitted, overlay_geometry, paint_overlay
from gui.charts.spec import Chart, Corner, CursorState
from gui.theme import Theme, current_theme, theme_notifier

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Up: (0, 1),
}
_EDGE = 2.0  # lines along the edge of the plot are drawn whole
_NEAR = 6.0  # pixels from the line in which the pointer says "drag me"
_MARK = 9.0  # pixels around the mark in which a press takes hold of it
_SMALLEST_ZOOM = 8.0  # a smaller rubber band is a click


class ChartView(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph is untyped
    """Shows a Chart and a CursorState; says what the mouse and the keyboard want."""

    pointed = Signal(float, float)  # data position under the pressed mouse
    released = Signal()
    stepped = Signal(int, bool)  # direction, large step
    jumped = Signal(float)  # Home 0.0, End 1.0
    typed = Signal(str)  # the first character of a number
    double_clicked = Signal()
    entry_clicked = Signal(str)  # a name in legend, flag or box
    zoom_changed = Signal(bool)
    hovered = Signal(float, float)  # data position under the mouse, of a chart that fills its area
    moved = Signal(int, int, bool)  # steps across and up, large; of a chart that fills its area
    lifted = Signal(float)  # a height of the y axis that the chosen line's mark was dragged to
    lift_stepped = Signal(int)  # the same by keys: up or down
    lift_ended = Signal(bool)  # whether it is meant: let go of, or given up

    def __init__(
        self, parent: QWidget | None = None, *, is_compact: bool = True, theme: Theme | None = None
    ) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._is_compact = is_compact
        self._fixed_theme = theme
        self._spec: Chart | None = None
        self._state: CursorState | None = None
        self._fitted: CursorState | None = None  # what of it the read-out has room for
        self._layout: ChartLayout | None = None
        self._corner: Corner | None = None  # where the read-out box or the legend stands
        self._is_over = False  # it hides curves there
        self._corner_has_flag: bool | None = None  # whether it was found beside a flag
        self._geometry = OverlayGeometry()
        self._layer: QPixmap | None = None
        self._names: list[QRectF] = []  # where names of lines stand in it
        self._items: list[pg.GraphicsObject] = []
        self._has_old_items = True
        self._zoom: Zoom | None = None
        self._is_zooming = False
        self._rubber: QRectF | None = None
        self._is_dragging = False
        self._is_sparse = False
        self._shows_focus = False  # only while the keyboard is used
        self.can_lift = False  # whether the mark on the chosen line can be dragged up and down
        self._is_lifting = False  # by the mouse
        self._lift: float | None = None  # the height that is wanted
        self.tip_at: Callable[[float, float], str] | None = None
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self._box.setMouseEnabled(False, False)
        self._box.disableAutoRange()
        self.addItem(self._box)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(60, 40)
        theme_notifier().theme_changed.connect(self._on_theme_changed)

    # ------------------------------------------------------------ what is shown

    @property
    def spec(self) -> Chart | None:
        """What the chart was last asked to draw; None where it is empty."""
        return self._spec

    @property
    def state(self) -> CursorState | None:
        """Where the cursor stands."""
        return self._state

    @property
    def chart_layout(self) -> ChartLayout | None:
        """Where things stand, once there is something to show."""
        return self._layout

    @property
    def geometry_of_cursor(self) -> OverlayGeometry:
        """Where the cursor's parts stand."""
        return self._geometry

    @property
    def zoom(self) -> Zoom | None:
        """The ranges zoomed to, or None."""
        return self._zoom

    def shown_theme(self) -> Theme:
        """The theme that is drawn with."""
        return self._fixed_theme or current_theme()

    def set_compact(self, is_compact: bool) -> None:
        """Small chart with a read-out box, or large chart with a flag."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self._relayout()

    def set_sparse(self, is_sparse: bool) -> None:
        """Show only the lines: there is no room for more."""
        if is_sparse != self._is_sparse:
            self._is_sparse = is_sparse
            self._relayout()

    @property
    def has_flag(self) -> bool:
        """Does the cursor carry a flag (large charts) instead of a box?"""
        return not self._is_compact and self._state is not None and self._state.x is not None

    def set_spec(self, spec: Chart | None) -> None:
        """Show a chart; the zoom stays while the kind does."""
        if spec is None or self._spec is None or spec.kind != self._spec.kind:
            self._zoom = None
        self._spec = spec
        self._has_old_items = True
        self.setAccessibleName(f"{spec.title}, {spec.subtitle}" if spec else "")
        self._relayout()

    def set_cursor(self, state: CursorState | None) -> None:
        """Move the cursor; paints only what it touches."""
        before = self._geometry
        self._state = state
        self.setAccessibleDescription(state.as_text() if state else "")
        self._place_cursor()
        region = QRegion()
        for rect in (*before.dirty_rects(), *self._geometry.dirty_rects()):
            region = region.united(QRegion(rect))
        self.viewport().update(region)

    # ------------------------------------------------------------ a height that is wanted

    @property
    def lift(self) -> float | None:
        """The height that is wanted; None where none is."""
        return self._lift

    def set_lift(self, height: float | None) -> None:
        """Draw a level line at a height that is wanted."""
        self._lift = height
        self.viewport().update()

    def end_lift(self, *, is_meant: bool) -> None:
        """Let go of the mark, or give it up."""
        was_lifted = self._lift is not None
        self._is_lifting = False
        self.set_lift(None)
        if was_lifted:
            self.lift_ended.emit(is_meant)

    def _is_on_mark(self, place: QPointF) -> bool:
        """Whether the pointer is on the mark of the chosen line."""
        state, layout = self._state, self._layout
        if not self.can_lift or self._is_zooming or state is None or layout is None:
            return False
        chosen = {line.name for line in state.lines if line.is_chosen}
        marks = [ring for ring in state.rings if ring.name in chosen or len(state.rings) == 1]
        return any(
            math.hypot(layout.to_x(ring.x) - place.x(), layout.to_y(ring.y) - place.y()) <= _MARK
            for ring in marks
        )

    def _paint_lift(self, painter: QPainter, theme: Theme) -> None:
        assert self._layout is not None
        assert self._lift is not None
        plot = self._layout.plot
        y = min(plot.bottom(), max(plot.top(), self._layout.to_y(self._lift)))
        painter.setPen(QPen(QColor(theme.accent), 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))

    # ------------------------------------------------------------ zoom

    def set_zooming(self, is_zooming: bool) -> None:
        """Turn the mouse from moving the cursor to drawing a zoom rectangle."""
        self._is_zooming = is_zooming
        shape = Qt.CursorShape.CrossCursor if is_zooming else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    @property
    def is_zooming(self) -> bool:
        """Does a drag draw a zoom rectangle?"""
        return self._is_zooming

    def set_zoom(self, zoom: Zoom | None) -> None:
        """Show a part of the ranges; None shows all."""
        self._zoom = zoom
        self._relayout()
        self.zoom_changed.emit(zoom is not None)

    def _zoom_to(self, rubber: QRectF) -> None:
        layout = self._layout
        if layout is None:
            return
        x = sorted((layout.from_x(rubber.left()), layout.from_x(rubber.right())))
        y = sorted((layout.from_y(rubber.bottom()), layout.from_y(rubber.top())))
        if rubber.height() < _SMALLEST_ZOOM:
            y = [layout.y_low, layout.y_high]
        self.set_zoom((x[0], x[1], y[0], y[1]))

    def _zoom_by(self, factor: float, centre: float) -> None:
        layout, spec = self._layout, self._spec
        if layout is None or spec is None:
            return
        low = centre - (centre - layout.x_low) * factor
        high = centre + (layout.x_high - centre) * factor
        low, high = max(low, spec.x_axis.low), min(high, spec.x_axis.high)
        is_whole = high - low >= (spec.x_axis.high - spec.x_axis.low) * 0.999
        self.set_zoom(None if is_whole else (low, high, layout.y_low, layout.y_high))

    # ------------------------------------------------------------ picture

    def _relayout(self) -> None:
        """Lay out anew; curves follow when they are painted next."""
        self._layer = None
        self._layout = None
        self._corner_has_flag = None
        if self._spec is not None:
            size = self.viewport().size()
            self._layout = make_layout(
                self._spec,
                size.width(),
                size.height(),
                is_compact=self._is_compact,
                is_sparse=self._is_sparse,
                zoom=self._zoom,
            )
        self._place_cursor()
        self.viewport().update()

    def _fit_box(self, layout: ChartLayout) -> None:
        """Give pyqtgraph's box the place and the ranges of the plot, a little wider."""
        self._box.setGeometry(layout.plot.adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE))
        across = _EDGE * (layout.x_high - layout.x_low) / layout.plot.width()
        along = _EDGE * (layout.y_high - layout.y_low) / layout.plot.height()
        self._box.setRange(
            xRange=(layout.x_low - across, layout.x_high + across),
            yRange=(layout.y_low - along, layout.y_high + along),
            padding=0,
            disableAutoRange=True,
        )

    def _renew_items(self, spec: Chart) -> None:
        """Put the curves of a spec into the box, in the theme's colours.

        Qt deletes the old ones now: left to Python's collector they would die at any moment.
        """
        for item in self._items:
            self._box.removeItem(item)
            item.deleteLater()
        self._items = screen_items(spec, self.shown_theme(), self.devicePixelRatioF())
        for item in self._items:
            add_to_box(self._box, item)
        self._has_old_items = False

    def _place_cursor(self) -> None:
        if self._layout is None or self._state is None or self._spec is None:
            self._geometry, self._fitted = OverlayGeometry(), None
            return
        self._fitted = fitted(self._state, self._layout)
        has_flag = self.has_flag
        if self._corner_has_flag is not has_flag:  # once for each picture: a box must not jump
            shown = self._fitted, self._spec, self._layout
            self._corner = box_corner(*shown, has_flag=has_flag)
            self._is_over = hides_curves(*shown, self._corner, has_flag=has_flag)
            self._corner_has_flag = has_flag
        self._geometry = overlay_geometry(
            self._fitted, self._layout, has_flag=has_flag, corner=self._corner
        )
        self._geometry.is_over = self._is_over

    def _render_layer(self) -> QPixmap:
        """The picture of everything but the cursor."""
        ratio = self.devicePixelRatioF()
        size = self.viewport().size()
        layer = QPixmap(QSize(round(size.width() * ratio), round(size.height() * ratio)))
        layer.setDevicePixelRatio(ratio)
        theme = self.shown_theme()
        layer.fill(QColor(theme.card))
        if self._spec is None or self._layout is None:
            return layer
        painter = QPainter(layer)
        if self._spec.steps or self._spec.tiles:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint = paint_steps if self._spec.steps else paint_tiles
            paint(painter, self._spec, size.width(), size.height(), theme)
            painter.end()
            return layer
        if self._spec.fills_area:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_area(painter, self._spec, self._layout, theme)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            paint_axes(painter, self._spec, self._layout, theme)
            painter.end()
            return layer
        self._fit_box(self._layout)
        if self._has_old_items:
            self._renew_items(self._spec)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        paint_grid(painter, self._layout, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(0, 0, size.width(), size.height())
        self.render(painter, QRectF(area), area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        paint_axes(painter, self._spec, self._layout, theme)
        home = self._geometry.home
        self._names = paint_baseline_names(painter, self._spec, self._layout, theme, home)
        painter.end()
        return layer

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._layer is None or self._layer.devicePixelRatio() != self.devicePixelRatioF():
            self._layer = self._render_layer()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._layer)
        theme = self.shown_theme()
        if self._layout is not None and self._fitted is not None:
            geometry, names = self._geometry, self._names
            paint_overlay(painter, self._fitted, self._layout, geometry, theme, names)
        if self._layout is not None and self._lift is not None:
            self._paint_lift(painter, theme)
        if self._rubber is not None:
            self._paint_rubber(painter, theme)
        if self._layout is not None and self._shows_focus:
            paint_focus(painter, self._layout, theme)
        painter.end()

    def _paint_rubber(self, painter: QPainter, theme: Theme) -> None:
        assert self._rubber is not None
        tint = QColor(theme.accent)
        painter.setPen(QPen(tint, 1))
        tint.setAlphaF(0.12)
        painter.setBrush(tint)
        painter.drawRect(self._rubber)

    def _on_theme_changed(self) -> None:
        self._has_old_items = True
        self._relayout()

    # ------------------------------------------------------------ events

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:  # it came to another screen
            self._on_theme_changed()
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if getattr(self, "_box", None) is not None:  # the base class resizes while it is made
            self._relayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._shows_focus = event.reason() in reasons
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._shows_focus = False
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() != Qt.MouseButton.LeftButton or self._layout is None:
            event.ignore()
            return
        place = event.position()
        name = self._entry_at(place)
        if name is not None:
            self.entry_clicked.emit(name)
        elif self._is_zooming:
            self._rubber = QRectF(place, place)
        elif self._is_on_mark(place):
            self._is_lifting = True
        else:
            self._is_dragging = True
            self._point(place)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._rubber is not None:
            self._rubber = QRectF(self._rubber.topLeft(), place)
            self.viewport().update()
        elif self._is_lifting and self._layout is not None:
            self.lifted.emit(self._layout.from_y(place.y()))
        elif self._is_dragging:
            self._point(place)
        else:
            self._show_shape(place)
            self._show_tip(place)
            layout = self._layout
            if self._spec is not None and self._spec.fills_area and layout is not None:
                self.hovered.emit(layout.from_x(place.x()), layout.from_y(place.y()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._rubber is not None:
            rubber, self._rubber = self._rubber.normalized(), None
            if rubber.width() >= _SMALLEST_ZOOM:
                self._zoom_to(rubber)
            self.viewport().update()
        if self._is_lifting:
            self.end_lift(is_meant=True)
        if self._is_dragging:
            self._is_dragging = False
            self.released.emit()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._entry_at(event.position()) is None:
            self.double_clicked.emit()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier or self._layout is None:
            event.ignore()  # the page scrolls
            return
        factor = 0.8 if event.angleDelta().y() > 0 else 1.25
        self._zoom_by(factor, self._layout.from_x(event.position().x()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        is_large = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        arrow = _ARROWS.get(Qt.Key(key))
        if self._lift_by_key(event):
            pass
        elif arrow is not None and self._spec is not None and self._spec.fills_area:
            self.moved.emit(*arrow, is_large)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Down):
            self.stepped.emit(-1, is_large)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Up):
            self.stepped.emit(1, is_large)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.jumped.emit(0.0 if key == Qt.Key.Key_Home else 1.0)
        elif key == Qt.Key.Key_Escape and self._zoom is not None:
            self.set_zoom(None)
        elif event.text() and event.text() in "0123456789.,":
            self.typed.emit(event.text())
        else:
            event.ignore()
            return
        self._shows_focus = True
        event.accept()

    def _lift_by_key(self, event: QKeyEvent) -> bool:
        """Ctrl or Alt with an arrow up or down asks for more or less; Enter means it, Esc not."""
        key, held = event.key(), event.modifiers()
        modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(key), 0)
        if self.can_lift and steps and held & modifiers:
            is_large = bool(held & Qt.KeyboardModifier.ShiftModifier)
            self.lift_stepped.emit(10 * steps if is_large else steps)
            return True
        if self._lift is None:
            return False
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter or key == Qt.Key.Key_Escape:
            self.end_lift(is_meant=is_enter)
        return is_enter or key == Qt.Key.Key_Escape

    def _show_tip(self, place: QPointF) -> None:
        """Exact values under the mouse, for those who wait a moment."""
        layout, text = self._layout, ""
        if layout is not None and self.tip_at is not None and layout.plot.contains(place):
            text = self.tip_at(layout.from_x(place.x()), layout.from_y(place.y()))
        self.viewport().setToolTip(text)

    def _point(self, place: QPointF) -> None:
        assert self._layout is not None
        self.pointed.emit(self._layout.from_x(place.x()), self._layout.from_y(place.y()))

    def _entry_at(self, place: QPointF) -> str | None:
        found = (hit.name for hit in self._geometry.hits if hit.rect.contains(place))
        return next(found, None)

    def _show_shape(self, place: QPointF) -> None:
        """The pointer's shape tells what a press would do."""
        if self._is_zooming:
            return
        shape = Qt.CursorShape.ArrowCursor
        x = self._state.x if self._state is not None else None
        if self._entry_at(place) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        elif self._is_on_mark(place):
            shape = Qt.CursorShape.SizeVerCursor
        elif x is not None and self._is_near(x, place):
            shape = Qt.CursorShape.SplitHCursor
        self.viewport().setCursor(shape)

    def _is_near(self, x: float, place: QPointF) -> bool:
        return self._layout is not None and abs(self._layout.to_x(x) - place.x()) <= _NEAR

    def sizeHint(self) -> QSize:
        return QSize(420, 220)
