"""A chart in its card: the question as title, the small toolbar, the empty state."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QMetaMethod, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.charts.layout import HEADER, LOW_HEADER, MINIMUM_HEIGHT, MINIMUM_WIDTH
from gui.charts.spec import Chart, CursorState
from gui.charts.view import ChartView
from gui.pauses import PAUSES, single_shot
from gui.theme import icon
from gui.widgets import ElidedLabel, HelpText, NumberField, Popover, TextLabel
from gui.widgets.labels import whole_parts
from payoff.errors import PayoffError

_LOW = 225  # a lower card gives less room to its title
_TOOLS = ("zoom", "reset", "pin", "copy", "export", "table", "report", "help", "expand")


class ChartCard(QFrame):
    """Base of all charts: header, toolbar, view, empty state. Subclasses say what is drawn.

    Signals
    -------
    cursor_requested(float)
        The depth that mouse or keyboard ask for; the page moves the shared cursor.
    cursor_released()
        The move is over: one undo step.
    best_requested()
        Double click: go to the best profit.
    pin_requested(object)
        Pin the cursor at this depth, or None.
    enlarge_requested()
        Show this chart large, or small again; where no page answers it has a window of its own.
    fill_requested()
        The button of the empty state.
    """

    cursor_requested = Signal(float)
    cursor_released = Signal()
    best_requested = Signal()
    pin_requested = Signal(object)
    enlarge_requested = Signal()
    fill_requested = Signal()
    report_toggled = Signal(bool)  # put this chart on the report, or take it off
    refused = Signal(object)  # PayoffError: a copy or an export failed

    def __init__(self, parent: QWidget | None = None, *, is_compact: bool = True) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setMinimumSize(120, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._is_compact = is_compact
        self._is_large = False
        self._depth: float | None = None
        self._pin: float | None = None
        self._hidden: set[str] = set()
        self._is_settling = False
        self.view = ChartView(self, is_compact=is_compact)
        self._settle = single_shot(self, PAUSES.cursor, self._finish_move)
        self._entry = self._make_entry()
        self._build()
        self._connect()
        self.refresh()

    # ------------------------------------------------------------ for subclasses

    def make_spec(self) -> Chart | None:
        """What to draw, or None where there is nothing."""
        raise NotImplementedError

    def make_state(self, depth: float) -> CursorState | None:
        """The cursor at a depth."""
        raise NotImplementedError

    def depth_at(self, x: float, y: float) -> float | None:
        """The depth that a point of the chart stands for."""
        raise NotImplementedError

    def cases_in_all(self) -> float:
        """The number of cases; one of them is a small step of the cursor."""
        return 100.0

    def tip(self, x: float, y: float) -> str:
        """Exact values at a point, for hovering."""
        depth = self.depth_at(x, y)
        state = self.make_state(depth) if depth is not None else None
        return state.as_text() if state is not None else ""

    def table_rows(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of the numbers behind the chart."""
        from core.presentation.charts.reading import chart_numbers

        return chart_numbers(self.view.spec) if self.view.spec is not None else ((), [])

    # ------------------------------------------------------------ for pages

    def refresh(self) -> None:
        """Draw again from what is known."""
        spec = self.make_spec()
        has_chart = spec is not None
        self._stack.setCurrentIndex(0 if has_chart else 1)
        if spec is not None:
            spec = replace(spec, hidden=frozenset(self._hidden))
            self._title.set_full_text(spec.title)
            self._subtitle.set_full_text(spec.subtitle, *whole_parts(spec.subtitle), "")
            self.setAccessibleName(spec.title)
        for button in self._buttons.values():
            button.setEnabled(has_chart)
        self.view.set_spec(spec)
        self._show_cursor()

    def set_cursor(self, depth: float | None) -> None:
        """Show the shared cursor at a depth."""
        self._depth = depth
        self._show_cursor()

    def set_pin(self, depth: float | None) -> None:
        """Show a pinned second cursor; None takes it away."""
        self._pin = depth
        self._buttons["pin"].setChecked(depth is not None)
        self._show_cursor()

    def set_empty(self, title: str, sentence: str, button: str = "") -> None:
        """What stands here while nothing is drawn: one sentence and the button that fills it."""
        self._empty_text.setText(sentence)
        self._empty_button.setText(button)
        self._empty_button.setVisible(bool(button))
        if self.view.spec is None:
            self._title.set_full_text(title)
            self._subtitle.set_full_text("")
            self.setAccessibleName(title)

    def add_header_button(self, button: QWidget) -> None:
        """Put a control of the page at the right end of the title row."""
        row = self._header.layout()
        assert row is not None
        row.addWidget(button)

    def add_below(self, widget: QWidget) -> None:
        """Put a control of the page below the chart, inside its card."""
        column = self.layout()
        assert column is not None
        column.addWidget(widget)

    def set_on_report(self, is_on: bool | None) -> None:
        """Whether the chart is on the report; None: the page has no report to put it on."""
        button = self._buttons["report"]
        button.setVisible(is_on is not None)
        button.setChecked(bool(is_on))
        words = "Take off the report" if is_on else "Add to report"
        button.setToolTip(words)
        button.setAccessibleName(words)

    def set_large(self, is_large: bool) -> None:
        """Draw as the one large chart of a page."""
        self._is_large = is_large
        self.view.set_compact(self._is_compact and not is_large)
        button = self._buttons["expand"]
        button.setIcon(icon("shrink" if is_large else "expand", "quiet"))
        words = "Make small again" if is_large else "Enlarge"
        button.setToolTip(words)
        button.setAccessibleName(words)
        self._show_tools()
        self.refresh()

    @property
    def is_large(self) -> bool:
        """Is this the one large chart of its page?"""
        return self._is_large

    @property
    def cursor_depth(self) -> float | None:
        """Where the shared cursor was shown last."""
        return self._depth

    @property
    def hidden(self) -> frozenset[str]:
        """Names switched off in the legend."""
        return frozenset(self._hidden)

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 6)
        outer.setSpacing(0)
        self._header = QWidget()
        self._header.setFixedHeight(HEADER)
        row = QHBoxLayout(self._header)
        row.setContentsMargins(11, 4, 8, 0)
        row.setSpacing(8)
        self._title = ElidedLabel("", "section", mode=Qt.TextElideMode.ElideRight)
        self._subtitle = ElidedLabel("", "note", mode=Qt.TextElideMode.ElideRight)
        self._subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(self._title)
        row.addWidget(self._subtitle, 1)
        self._tools = QWidget()
        tools = QHBoxLayout(self._tools)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(0)
        self._buttons = {name: self._tool_button(name) for name in _TOOLS}
        for name in _TOOLS[:-1]:
            tools.addWidget(self._buttons[name])
        row.addWidget(self._tools)
        row.addWidget(self._buttons["expand"])
        outer.addWidget(self._header)
        room = QWidget()
        self._stack = QStackedLayout(room)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._make_empty())
        outer.addWidget(room, 1)
        self._show_tools()

    def _make_entry(self) -> NumberField:
        """The small field that a typed digit opens."""
        entry = NumberField(
            math.nan,
            decimals=1,
            minimum=0.0,
            maximum=1.0,
            unit="%",
            factor=100.0,
            may_be_empty=True,
            parent=self.view,
        )
        entry.setFixedWidth(84)
        entry.value_changed.connect(self._on_entered)
        entry.setPlaceholderText("depth, %")
        entry.setAccessibleName("Depth of the cursor in percent")
        entry.hide()
        return entry

    def _make_empty(self) -> QWidget:
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(24, 8, 24, 24)
        column.addStretch(1)
        self._empty_text = TextLabel("", "quiet", wraps=True)
        self._empty_text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty_button = QPushButton()
        self._empty_button.clicked.connect(self.fill_requested)
        self._empty_button.hide()
        column.addWidget(self._empty_text)
        column.addWidget(self._empty_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return empty

    def _tool_button(self, name: str) -> QToolButton:
        words = {
            "zoom": "Zoom: drag a rectangle",
            "reset": "Show all again",
            "pin": "Pin the cursor here",
            "copy": "Copy picture and numbers",
            "export": "Export as PNG, SVG, PDF, CSV or Excel",
            "table": "Show the numbers as a table",
            "report": "On the report",
            "help": "What is this?",
            "expand": "Enlarge",
        }[name]
        button = QToolButton()
        button.setIcon(icon(name, "quiet"))
        button.setIconSize(QSize(16, 16))
        button.setFixedSize(24, 24)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setCheckable(name in ("zoom", "pin", "report"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _connect(self) -> None:
        view, buttons = self.view, self._buttons
        for widget in (self._entry, *buttons.values()):
            widget.installEventFilter(self)
        view.tip_at = self.tip
        view.pointed.connect(self._on_pointed)
        view.released.connect(self.cursor_released)
        view.stepped.connect(self._on_stepped)
        view.jumped.connect(self._on_jumped)
        view.typed.connect(self._open_entry)
        view.double_clicked.connect(self.best_requested)
        view.entry_clicked.connect(self.toggle_series)
        buttons["zoom"].toggled.connect(view.set_zooming)
        buttons["reset"].clicked.connect(self.reset_zoom)
        buttons["pin"].clicked.connect(self._on_pin)
        buttons["copy"].clicked.connect(self.copy)
        buttons["export"].clicked.connect(self.open_export)
        buttons["table"].clicked.connect(self.open_table)
        buttons["report"].clicked.connect(self.report_toggled)
        buttons["report"].hide()
        buttons["help"].clicked.connect(self.explain)
        buttons["expand"].clicked.connect(self._toggle_large)

    # ------------------------------------------------------------ cursor

    def _show_cursor(self) -> None:
        if self._depth is None or self.view.spec is None:
            self.view.set_cursor(None)
            return
        state = self.make_state(self._depth)
        if state is not None and self._pin is not None:
            pinned = self.make_state(self._pin)
            if pinned is not None:
                state = replace(state, pin=pinned.x, pin_rings=pinned.rings)
        self.view.set_cursor(state)

    def _on_pointed(self, x: float, y: float) -> None:
        depth = self.depth_at(x, y)
        if depth is not None:
            self.cursor_requested.emit(min(1.0, max(0.0, depth)))

    def _on_stepped(self, direction: int, is_large: bool) -> None:
        if self._depth is None:
            return
        step = 0.01 if is_large else 1.0 / max(1.0, self.cases_in_all())
        self._on_jumped(self._depth + direction * step)

    def _on_jumped(self, depth: float) -> None:
        self.cursor_requested.emit(min(1.0, max(0.0, depth)))
        self._is_settling = True
        self._settle.start()

    def _finish_move(self) -> None:
        if self._is_settling:
            self._is_settling = False
            self.cursor_released.emit()

    def _open_entry(self, first: str) -> None:
        """A typed digit opens a small field at the cursor; Enter moves the cursor there."""
        layout, state = self.view.chart_layout, self.view.state
        if layout is None:
            return
        x = state.x if state is not None and state.x is not None else layout.x_low
        left = min(max(layout.to_x(x) - 42, 2.0), layout.width - 88)
        self._entry.move(round(left), round(layout.plot.top()) + 2)
        self._entry.set_value(math.nan)
        self._entry.show()
        self._entry.setFocus()
        self._entry.replace_text("")
        self._entry.insert(first)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self._entry:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._on_entry_key(event)
            if event.type() == QEvent.Type.FocusOut:
                self._entry.hide()
        elif event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_tools()
        return False

    def _on_entry_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self._entry.replace_text("")
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._entry.editingFinished.emit()
        self._entry.hide()
        self.view.setFocus()
        return True

    def _on_entered(self, depth: float) -> None:
        """A depth was typed; nothing where the field is empty."""
        if not math.isnan(depth):
            self._on_jumped(depth)

    # ------------------------------------------------------------ toolbar

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._show_tools()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._show_tools()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _LOW
        self._header.setFixedHeight(LOW_HEADER if is_low else HEADER)
        self._header.setVisible(self.is_useful_size())
        self.view.set_sparse(not self.is_useful_size())

    def _show_tools(self) -> None:
        """The toolbar shows while the mouse or the keyboard is here, and always in large charts."""
        has_focus = any(button.hasFocus() for button in self._buttons.values())
        is_busy = self._buttons["zoom"].isChecked() or self._buttons["pin"].isChecked()
        is_wanted = self.underMouse() or has_focus or is_busy
        self._tools.setVisible(is_wanted or self._is_large or not self._is_compact)

    def toggle_series(self, name: str) -> None:
        """Switch a line off or on, as a click in the legend does."""
        self._hidden.symmetric_difference_update({name})
        self.refresh()

    def reset_zoom(self) -> None:
        """Show all again and let the mouse move the cursor."""
        self._buttons["zoom"].setChecked(False)
        self.view.set_zoom(None)

    def _on_pin(self, is_on: bool) -> None:
        self.pin_requested.emit(self._depth if is_on else None)
        self._show_tools()

    def explain(self) -> None:
        """Open "what is this?"."""
        spec = self.view.spec
        if spec is None:
            return
        notes = [part for part in (spec.variant, spec.rows_text) if part]
        text = "\n".join((spec.definition, *spec.notes))
        content = HelpText(title=spec.title, text=text, reference=" · ".join(notes))
        Popover(content, self).show_at(self._buttons["help"])

    def _toggle_large(self) -> None:
        """Have the page give it all its room, else open a window of its own, or close that."""
        from gui.charts.large_chart import LargeChart

        if self.isSignalConnected(QMetaMethod.fromSignal(self.enlarge_requested)):
            self.enlarge_requested.emit()
        elif self._is_large:
            self.window().close()
        else:
            LargeChart(self, self.set_large).open()

    def copy(self) -> None:
        """Put picture (PNG, SVG) and numbers on the clipboard."""
        from gui.charts.export.export import copy_chart

        view, spec = self.view, self.view.spec
        if spec is not None:
            is_small = self._is_compact and not self._is_large
            size = self.width() * 25.4 / 96, self.height() * 25.4 / 96  # mm, 96 dots per inch
            copy_chart(spec, view.state, view.zoom, size, is_small)

    def open_table(self) -> QWidget:
        """Show the numbers behind the chart."""
        from gui.charts.export.table_dialog import TableDialog

        header, rows = self.table_rows()
        dialog = TableDialog(self._title.full_text(), header, rows, self)
        dialog.show()
        return dialog

    def open_export(self) -> QWidget:
        """Ask for format and size and write the chart to a file."""
        from gui.charts.export.export_dialog import ExportDialog

        dialog = ExportDialog(self, self.export_to)
        dialog.failed.connect(self.refused)
        dialog.show()
        return dialog

    def export_to(self, path: str, width_mm: float, height_mm: float) -> None:
        """Write the chart; the file's ending says how (png, svg, pdf, csv, xlsx).

        Workbooks are written by the engine, behind the window: they come a moment later.

        Raises
        ------
        PayoffError
            If there is nothing to draw, or the file cannot be written.
        """
        from gui.charts.export.export import export_chart
        from gui.widgets.tables.copying import export_cells

        if self.view.spec is None:
            raise PayoffError("There is nothing to export.", why=self._empty_text.text())
        if path.lower().endswith(".xlsx"):
            header, rows = self.table_rows()
            export_cells(self, (header, tuple(rows)), title=self._title.full_text(), path=path)
            return
        export_chart(
            self.view.spec,
            path,
            width_mm=width_mm,
            height_mm=height_mm,
            state=self.view.state,
            zoom=self.view.zoom,
            is_compact=self._is_compact and not self._is_large,
        )

    def sizeHint(self) -> QSize:
        return QSize(420, 260)

    def is_useful_size(self) -> bool:
        """Is there room for more than the line?"""
        return self.width() >= MINIMUM_WIDTH and self.height() >= MINIMUM_HEIGHT
