"""The chosen column: what it holds, and how its values lie in each class of the outcome."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.document.data.results import ColumnSummary
from core.presentation.data import column_facts, frequent_levels
from core.presentation.view import View
from gui.charts.shown_chart import ShownChart
from gui.theme import current_theme
from gui.widgets import Card, ElidedLabel, Rule, TextLabel, clear_layout


class ColumnCard(QWidget):
    """Facts and levels in a card, and beside it the bars by outcome."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card()
        self.title = ElidedLabel("Column", "section")  # a long name leaves the bars their room
        self.note = ElidedLabel("", "note")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        card.body.addLayout(head)
        self._facts, self._levels = QGridLayout(), QGridLayout()
        self._facts.setHorizontalSpacing(16)
        self._levels.setHorizontalSpacing(12)
        row = QHBoxLayout()
        row.setSpacing(16)
        for grid in (self._facts, self._levels):
            grid.setVerticalSpacing(4)
            column = QVBoxLayout()
            column.addLayout(grid)
            column.addStretch(1)
            row.addLayout(column, 1)
            if grid is self._facts:
                row.addWidget(Rule(vertical=True))
        card.body.addLayout(row, 1)
        self.bars = ShownChart()
        self.view: View | None = None  # of the bars
        self._shown: tuple[ColumnSummary, str] | None = None
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(current_theme().sizes.gap)
        whole.addWidget(card, 4)
        whole.addWidget(self.bars, 5)

    def show_summary(self, column: ColumnSummary, note: str) -> None:
        """Show what is known at once; the bars follow when the engine has counted them."""
        if (column, note) == self._shown:
            return
        self._shown = column, note
        self.title.set_full_text(column.name)
        self.note.set_full_text(note)
        clear_layout(self._facts)
        for place, (caption, value) in enumerate(column_facts(column)):
            if value == column.label:  # a sentence: whole, over the whole width
                words = TextLabel(value, wraps=True)
                words.setAccessibleName(caption)
                self._facts.addWidget(words, place, 0, 1, 2)
                continue
            self._facts.addWidget(TextLabel(caption, "quiet"), place, 0)
            shown = TextLabel(value)
            shown.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._facts.addWidget(shown, place, 1)
        self._show_levels(column)

    def _show_levels(self, column: ColumnSummary) -> None:
        clear_layout(self._levels)
        self._levels.addWidget(TextLabel("Most frequent", "note"), 0, 0)
        frequent = frequent_levels(column)
        if not frequent:
            none = "Many different values, none of them frequent."
            self._levels.addWidget(TextLabel(none, "quiet", wraps=True), 1, 0, 1, 3)
            return
        for place, (level, count, share) in enumerate(frequent, start=1):
            self._levels.addWidget(ElidedLabel(level), place, 0)
            for at, label in ((1, TextLabel(count)), (2, TextLabel(share, "quiet"))):
                label.setAlignment(Qt.AlignmentFlag.AlignRight)
                self._levels.addWidget(label, place, at)
        self._levels.setColumnStretch(0, 1)

    def show_nothing(self) -> None:
        """There is no table whose column could be shown."""
        self._shown = None
        self.title.set_full_text("Column")
        self.note.set_full_text("")
        for layout in (self._facts, self._levels):
            clear_layout(layout)
        self.show_view(None)

    def show_view(self, view: View | None, words: str = "") -> None:
        """Show the bars by outcome; ``words`` in their place say why there are none."""
        self.view = view
        self.bars.show_chart(view.charts[0] if view is not None else None)
        self.bars.set_empty("", words)
