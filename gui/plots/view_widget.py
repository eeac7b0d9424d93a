"""The widget of a view: its words in a column, its charts beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from core.presentation.chart import Chart
from core.presentation.table import Table
from core.presentation.view import Action, View
from gui.parts import Card, ElidedLabel, IconLabel, TextLabel
from gui.parts.figure_table import FigureTable
from gui.parts.scrolled import scrolled
from gui.plots.shown_chart import ShownChart
from gui.theme import current_theme

WidgetKind = TypeVar("WidgetKind", bound=QWidget)
_NO_LIMIT = (1 << 24) - 1  # Qt's own, of a widget's height
_NARROW = 860  # below this width tables leave out what they can spare
_LEAST_BESIDE, _LEAST_BELOW = 90, 200  # pixels of a chart beside and below words
_LEAST_ROWS, _MOST_ROWS = 3 * 26, 7 * 26  # pixels of a table; beside a chart it scrolls


class ViewWidget(QWidget):
    """Shows a View: figure, interval, sentences, tables, actions, notes; charts beside or below.

    ``above`` is the room for what is asked, made by hand or by a form. What is
    read in a chart that fills its area stands below the tables.

    Parameters
    ----------
    side : "left", "right" or "above"
        Where the words stand; above the charts, tables have the room that those leave.
    width : int
        Of the words, in pixels; 0: ``share`` times as wide as the charts.
    card : Card, optional
        Holds the words, and lets them scroll.
    """

    acted = Signal(object)  # Action
    row_chosen = Signal(int)  # of the first table
    refused = Signal(object)  # PayoffError: a copy or an export failed

    def __init__(
        self,
        side: Literal["left", "right", "above"],
        width: int = 0,
        *,
        share: int = 1,
        card: Card | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.view: View | None = None
        self._in_card, self._is_above = card is not None, side == "above"
        self.words: QWidget = card or QWidget()
        if width:
            self.words.setFixedWidth(width)
        self.above = QVBoxLayout()
        self.caption = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.figure = TextLabel("", "number")
        self.interval = TextLabel("", "note")
        self.sentences: list[TextLabel] = []
        self.tables: list[FigureTable] = []
        self._titles: list[ElidedLabel] = []
        self.sign = IconLabel("check", "gain", 14)
        self.buttons: list[QPushButton] = []
        self.reading = TextLabel("", "body", wraps=True)
        self.notes = TextLabel("", "note", wraps=True)
        self.charts: list[ShownChart] = []
        self._tables, self._sentences, self._actions = (QVBoxLayout() for _ in range(3))
        self._charts = QVBoxLayout()
        column = QWidget() if card is not None else self.words
        self._fill_words(column)
        if card is not None:
            column.setProperty("scrolled", "true")
            area = scrolled(column, name=card.accessibleName(), is_sideways=True)
            card.body.addWidget(area, 1)
        self._body = QVBoxLayout(self) if self._is_above else QHBoxLayout(self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(8 if self._is_above else current_theme().sizes.gap if card else 16)
        self._body.addLayout(self._charts, 1)
        self._body.insertWidget(int(side == "right"), self.words, 0 if width else share)
        if self._is_above:
            self._body.addWidget(self.notes)

    def _fill_words(self, holder: QWidget) -> None:
        column = QVBoxLayout(holder)
        column.setContentsMargins(2, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self.above)
        for label in (self.caption, self.figure, self.interval):
            column.addWidget(label)
            label.hide()
        for layout in (self._sentences, self._tables, self._actions):
            layout.setSpacing(14 if self._in_card else 4)
            layout.setContentsMargins(0, 0, 0, 4)
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        said.addLayout(self._sentences, 1)
        self.sign.hide()
        column.addLayout(said)
        column.addLayout(self._tables, int(self._is_above))
        column.addLayout(self._actions)
        column.addWidget(self.reading)
        self.reading.hide()
        if self._is_above:
            column.addStretch(0)  # takes the room where there is no table
            return
        column.addWidget(self.notes)  # at the foot of the tab; in a card below the words
        column.insertStretch(column.count() - (0 if self._in_card else 1), 1)

    def show_view(self, view: View) -> None:
        """Show another answer; widgets that are there already stay, and so does the focus."""
        self.view = view
        self.caption.set_full_text(view.title)
        self.figure.setText(view.figure)
        self.interval.setText(view.interval)
        for label, has_words in (
            (self.caption, view.figure),
            (self.figure, view.figure),
            (self.interval, view.interval),
        ):
            label.setVisible(bool(has_words))
        if self._is_above:
            self._body.setStretch(0, 0 if view.charts else 1)
        self._show_sentences(view)
        self._show_tables(view.tables)
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
            self._show_tables(self.view.tables)

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
        is_kept = view.state == "ok"
        self.sign.set_icon("check" if is_kept else "warning", "gain" if is_kept else "loss")
        self.sign.setVisible(bool(view.state))
        out = "strong" if view.state else out
        for place, label in enumerate(self.sentences):
            label.set_role(out if place == view.strong else plain)
            label.setText(view.sentences[place])

    def _show_tables(self, tables: tuple[Table, ...]) -> None:
        def title() -> ElidedLabel:
            return ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)

        while len(self.tables) != len(tables):  # a table stands below its own title
            _fit(self._titles, min(len(tables), len(self.tables) + 1), self._tables, title)
            wanted = len(self._titles)
            _fit(self.tables, wanted, self._tables, self._new_table)
        for label, table, content in zip(self._titles, self.tables, tables, strict=True):
            label.set_full_text(content.title)
            label.setVisible(bool(content.title))
            table.setAccessibleName(content.name)
            is_narrow = self.width() < _NARROW
            table.show_content(content.without_spare() if is_narrow else content)
            self._fit_height(table)
        if self.tables and self.view is not None:
            self.tables[0].let_choose_rows(bool(self.view.by_row))

    def _new_table(self) -> FigureTable:
        table = FigureTable("", wraps=self._is_above, scrolls=self._is_above)
        table.selectionModel().currentRowChanged.connect(partial(self._on_row, table))
        return table

    def _fit_height(self, table: FigureTable) -> None:
        """As high as its rows, up to a limit; all the room where words stand above no chart."""
        has_charts = self.view is not None and bool(self.view.charts)
        if self._is_above and not has_charts:
            table.setMinimumHeight(_LEAST_ROWS)
            table.setMaximumHeight(_NO_LIMIT)
        else:
            table.setFixedHeight(min(table.content_height() + 2, _MOST_ROWS))

    def _on_row(self, table: FigureTable, current: QModelIndex, _before: QModelIndex) -> None:
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
        card.refused.connect(self.refused)
        card.read.connect(self._show_reading)
        card.enlarge_requested.connect(partial(self._toggle_large, card))
        return card

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
