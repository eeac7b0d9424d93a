"""The widget of a view: its words in a column, its charts beside them or below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from PySide6.QtCore import Qt, Signal
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
SIGNS = {"ok": ("check", "gain"), "warning": ("warning", "loss"), "error": ("cross", "error")}
"""Icon and colour of a view's state."""
_NARROW = 860  # below this width tables leave out what they can spare
_MOST_ROWS = 7 * 26  # pixels of a table beside a chart; beyond them it scrolls


class ViewWidget(QWidget):
    """Shows a View: figure, interval, sentences, tables, actions, notes; charts beside them.

    ``above`` is the room for what is asked, made by hand or by a form. What is
    read in a chart that fills its area stands below the tables.

    Parameters
    ----------
    side : "left", "right" or "above"
        Where the words stand beside the charts.
    width : int
        Of the words, in pixels; 0: ``share`` times as wide as the charts.
    card : Card, optional
        Holds the words, and lets them scroll.
    is_framed : bool
        Whether charts have a frame of their own: not in a card that holds all of it.
    """

    acted = Signal(object)  # Action
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
        is_framed: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.view: View | None = None
        self._in_card = card is not None
        self._is_above, self._is_framed = side == "above", is_framed
        self.words: QWidget = card or QWidget()
        if width:
            self.words.setFixedWidth(width)
        self.above = QVBoxLayout()
        self.caption = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.figure = TextLabel("", "number")
        self.interval = TextLabel("", "note", wraps=True)
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
        row = QVBoxLayout(self) if self._is_above else QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(current_theme().sizes.gap if card is not None else 16)
        row.addLayout(self._charts, 1)
        is_fixed = bool(width) or self._is_above
        row.insertWidget(1 if side == "right" else 0, self.words, 0 if is_fixed else share)

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
        for layout in (self._tables, self._actions):
            column.addLayout(layout)
        column.addWidget(self.reading)
        self.reading.hide()
        column.addWidget(self.notes)  # at the foot of the tab; else below the words
        if not self._is_above:
            column.insertStretch(column.count() - (0 if self._in_card else 1), 1)

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
        self._show_tables(view.tables)
        self._show_actions(view.actions)
        self._show_reading("")
        self._show_charts(view.charts)
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
        if view.state:
            self.sign.set_icon(*SIGNS[view.state])
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
            _fit(self.tables, wanted, self._tables, lambda: FigureTable(""))
        for label, table, content in zip(self._titles, self.tables, tables, strict=True):
            label.set_full_text(content.title)
            label.setVisible(bool(content.title))
            table.setAccessibleName(content.name)
            is_narrow = self.width() < _NARROW
            table.show_content(content.without_spare() if is_narrow else content)
            table.setFixedHeight(min(table.content_height() + 2, _MOST_ROWS))
            table.setEnabled(self.view is None or self.view.state != "error")

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
        card = ShownChart()
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
