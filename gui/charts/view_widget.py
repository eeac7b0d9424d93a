"""The widget of a view: its words in a column, its charts beside them or below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.presentation.charts.chart import Chart
from core.presentation.view import Action, View
from gui.charts.shown_chart import ShownChart
from gui.theme import current_theme
from gui.widgets import Card, ElidedLabel, IconLabel, TextLabel
from gui.widgets.scrolled import scrolled
from gui.widgets.tables.figure_table import ResultTable

WidgetKind = TypeVar("WidgetKind", bound=QWidget)
_NO_LIMIT = (1 << 24) - 1  # Qt's own, of a widget's height
SIGNS = {"ok": ("check", "gain"), "warning": ("warning", "loss"), "error": ("cross", "error")}
"""Icon and colour of a view's state."""
_NARROW = 860  # below this width tables leave out what they can spare
_LEAST_BESIDE, _LEAST_BELOW = 90, 200  # pixels of a chart beside and below words
_ROWS = 7 * 26  # pixels of a table beside or above a chart; where it needs more it scrolls
_MOST_ROWS = 9 * 26  # of one in a place that grows with it: screens end somewhere
_FEW_ROWS = 4 * 26  # of one without a chart, where there is little room
_ALL = 100  # times the room that is left free below the tables


class ViewWidget(QWidget):
    """Shows a View: figure, interval, sentences, tables, actions, notes; charts beside or below.

    ``above`` is the room for what is asked, made by hand or by a form. What is read in a chart that
    fills its area stands below the tables. Where there is room a table shows all its rows.

    Parameters
    ----------
    side : "left", "right" or "above"
        Where the words stand; above the charts, tables have the room that those leave.
    width : int
        Of the words, in pixels; 0: ``share`` times as wide as the charts.
    card : Card, optional
        Holds the words, and lets them scroll.
    is_whole : bool
        Whether tables are as high as their rows, up to some: where the place grows with them.
    spreads : bool
        Whether tables after the first stand beside it, above the charts.
    is_framed : bool
        Whether charts have a frame of their own: not in a card that holds all of it.
    """

    acted = Signal(object)  # Action
    table_clicked = Signal()
    row_chosen = Signal(int)  # of the first table, where rows have parts of their own
    refused = Signal(object)  # PayoffError: a copy or an export failed
    pointed = Signal(float)  # a place of a chart's x axis that a person went to
    released = Signal()  # the move there is over

    def __init__(
        self,
        side: Literal["left", "right", "above"],
        width: int = 0,
        *,
        share: int = 1,
        card: Card | None = None,
        is_whole: bool = False,
        spreads: bool = False,
        is_framed: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.view: View | None = None
        self._in_card, self._is_framed, self._spreads = card is not None, is_framed, spreads
        self._is_above, self._is_fixed, self._is_whole = side == "above", width > 0, is_whole
        self.words: QWidget = card or QWidget()
        if width:
            self.words.setFixedWidth(width)
        self.above = QVBoxLayout()
        self.caption = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.figure = TextLabel("", "number")
        self.interval = TextLabel("", "note", wraps=True)
        self.sentences: list[TextLabel] = []
        self.tables: list[ResultTable] = []
        self._titles: list[TextLabel] = []
        self.sign = IconLabel("check", "gain", 14)
        self.buttons: list[QPushButton] = []
        self.reading = TextLabel("", "body", wraps=True)
        self.notes = TextLabel("", "note", wraps=True)
        self.charts: list[ShownChart] = []
        self._tables, self._sentences, self._actions = (QVBoxLayout() for _ in range(3))
        column = QWidget() if card is not None else self.words
        self._fill_words(column)
        if card is not None:
            column.setProperty("scrolled", "true")
            area = scrolled(column, name=card.accessibleName(), is_sideways=True)
            card.body.addWidget(area, 1)
        self._fill_side()
        body = self._body = QVBoxLayout(self) if self._is_above else QHBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(8 if self._is_above else current_theme().sizes.gap if card else 16)
        body.addLayout(self._side, 1)
        body.insertWidget(int(side == "right"), self.words, 0 if width else share)
        if self._is_above:
            body.addWidget(self.notes)

    def _fill_side(self) -> None:
        """Make what stands beside the words."""
        self._side, self._more, self._charts = (QVBoxLayout() for _ in range(3))
        self._side.addLayout(self._more)
        self._side.addLayout(self._charts, 1)
        self._side.addStretch()

    def _fill_words(self, holder: QWidget) -> None:
        column = self._column = QVBoxLayout(holder)
        column.setContentsMargins(2, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self.above)
        for label in (self.caption, self.figure, self.interval):
            column.addWidget(label)
            label.hide()
        for layout in (self._sentences, self._tables, self._actions):
            layout.setSpacing(14 if self._in_card else 4)
            layout.setContentsMargins(0, 0, 0, 4)
        described = QHBoxLayout()
        described.setSpacing(8)
        described.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        described.addLayout(self._sentences, 1)
        self.sign.hide()
        column.addLayout(described)
        for layout in (self._tables, self._actions):
            column.addLayout(layout)
        column.addWidget(self.reading)
        self.reading.hide()
        if self._is_above:
            column.addStretch(0)  # takes the room where there is no table
            return
        column.addWidget(self.notes)  # at the foot of the tab; in a card below the words
        column.insertStretch(column.count() - (0 if self._in_card else 1), 1)

    def add_beside(self, widget: QWidget) -> None:
        """Put an editor made by hand at the left of the view."""
        self._body.insertWidget(0, widget)

    def show_view(self, view: View) -> None:
        """Show another answer; widgets that are there already stay, and so does the focus."""
        self.view = view
        self.caption.set_full_text(view.title)
        self.figure.setText(view.figure)
        self.figure.set_role("quietNumber" if view.state == "error" else "number")
        self.figure.setAccessibleName(f"{view.title}: {view.figure}")
        self.interval.setText(view.interval)
        for label, has_words in (
            (self.caption, view.figure),
            (self.figure, view.figure),
            (self.interval, view.interval),
        ):
            label.setVisible(bool(has_words))
        self._show_sentences(view)
        self._show_tables(view)
        self._show_actions(view.actions)
        self._show_reading("")
        self._show_charts(view.charts)
        if view.by_row:
            self.tables[0].selectRow(0)
        self.notes.setText("\n".join(view.notes))
        self.notes.setVisible(bool(view.notes))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_turned = (event.oldSize().width() < _NARROW) != (self.width() < _NARROW)
        if self.view is not None and has_turned:
            self._show_tables(self.view)

    def show_words(self, text: str) -> None:
        """Show a sentence while there is no answer, or why there is none."""
        self.show_view(View(title="", sentences=(text,)))
        self.view = None

    def _show_sentences(self, view: View) -> None:
        """One stands out; in a card all others are plain text, else small print."""
        out = "section" if self._in_card else "strong" if view.figure else "body"
        plain = "body" if self._in_card else "note"
        _fit(
            self.sentences,
            len(view.sentences),
            self._sentences,
            lambda: TextLabel("", plain, wraps=True),
        )
        if view.state:
            self.sign.set_icon(*SIGNS[view.state])
        self.sign.setVisible(bool(view.state))
        out = "strong" if view.state else out
        for place, label in enumerate(self.sentences):
            label.set_role(out if place == view.strong else plain)
            label.setText(view.sentences[place])

    def _show_tables(self, view: View) -> None:
        def title() -> TextLabel:
            label = TextLabel("", "quiet", wraps=True)
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            return label

        tables = view.tables
        while len(self.tables) != len(tables):  # a table stands below its own title
            wanted = min(len(tables), len(self.tables) + 1)
            layout = self._more if self._spreads and wanted > 1 else self._tables
            _fit(self._titles, wanted, layout, title)
            _fit(self.tables, wanted, layout, self._new_table)
        for label, table, content in zip(self._titles, self.tables, tables, strict=True):
            label.setText(content.title)
            label.setVisible(bool(content.title))
            table.setAccessibleName(content.name)
            is_narrow = self.width() < _NARROW
            table.show_content(content.without_spare() if is_narrow else content)
            self._fit_height(table)
            table.setEnabled(view.state != "error")
        if self.tables:
            self.tables[0].let_choose_rows(bool(view.by_row))
        self._column.setStretchFactor(self._tables, _ALL if tables and not self._in_card else 0)
        has_side = bool(view.charts) or (self._spreads and len(tables) > 1)
        if self._is_above:
            self._body.setStretchFactor(self.words, int(not view.charts))
            self._body.setStretchFactor(self._side, int(has_side))  # else the table has all of it
        else:
            self._body.setStretchFactor(self._side, int(has_side or self._is_fixed))

    def _new_table(self) -> ResultTable:
        table = ResultTable("", wraps=True, scrolls=self._is_above)
        table.clicked.connect(lambda _index: self.table_clicked.emit())
        table.height_changed.connect(partial(self._fit_height, table))
        table.selectionModel().currentRowChanged.connect(partial(self._on_row, table))
        return table

    def _fit_height(self, table: ResultTable) -> None:
        """As high as its rows, and where there is no room for them less; above no chart, all."""
        has_chart = self.view is not None and bool(self.view.charts)
        needed = table.content_height() + 2
        least = min(needed, _ROWS if has_chart or self._in_card else _FEW_ROWS)
        is_alone = self._is_above and not has_chart
        is_fixed = self._in_card or self._is_above
        table.setMinimumHeight(min(needed, _MOST_ROWS) if self._is_whole else least)
        table.setMaximumHeight(_NO_LIMIT if is_alone else least if is_fixed else needed)

    def _on_row(self, table: ResultTable, current: QModelIndex, _before: QModelIndex) -> None:
        """Say and draw what belongs to the row that was chosen."""
        view = self.view
        if view is not None and table is self.tables[0] and 0 <= current.row() < len(view.by_row):
            part = view.by_row[current.row()]
            self._show_sentences(part)
            self._show_charts(part.charts)
            self.row_chosen.emit(current.row())

    def _show_actions(self, actions: tuple[Action, ...]) -> None:
        for button in self.buttons:
            self._actions.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for action in actions:
            button = QPushButton(action.label)
            button.setProperty("small", True)
            button.setEnabled(action.is_possible)
            button.setToolTip(action.help)
            button.clicked.connect(partial(self._act, action))
            self._actions.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)

    def _act(self, action: Action, _is_checked: bool = False) -> None:
        self.acted.emit(action)

    def _show_charts(self, charts: tuple[Chart, ...]) -> None:
        _fit(self.charts, len(charts), self._charts, self._new_chart)
        for card, chart in zip(self.charts, charts, strict=True):
            card.show_chart(chart)

    def _new_chart(self) -> ShownChart:
        card = ShownChart(least_height=_LEAST_BELOW if self._is_above else _LEAST_BESIDE)
        if not self._is_framed:
            card.setProperty("card", "false")
        card.refused.connect(self.refused)
        card.read.connect(self._show_reading)
        card.enlarge_requested.connect(partial(self._toggle_large, card))
        card.cursor_requested.connect(lambda _depth: self._point(card))
        card.cursor_released.connect(self.released)
        return card

    def _point(self, card: ShownChart) -> None:
        place = card.place
        if place is not None:
            self.pointed.emit(place)

    def _show_reading(self, words: str) -> None:
        self.reading.setText(words)
        self.reading.setVisible(bool(words))

    def _toggle_large(self, card: ShownChart) -> None:
        """Give a chart the room of everything, or take it back."""
        is_large = not card.is_large
        self.words.setVisible(not is_large)
        if self._is_above:
            self.notes.setVisible(not is_large and bool(self.notes.text()))
        for other in self.charts:
            other.setVisible(other is card or not is_large)
        card.set_large(is_large)


def _fit(
    widgets: list[WidgetKind], count: int, layout: QLayout, make: Callable[[], WidgetKind]
) -> None:
    """Have so many widgets, keeping those that are there."""
    while len(widgets) < count:
        widgets.append(make())
        layout.addWidget(widgets[-1])
    while len(widgets) > count:
        widget = widgets.pop()
        layout.removeWidget(widget)
        widget.deleteLater()
