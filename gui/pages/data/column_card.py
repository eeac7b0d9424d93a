"""The chosen column: what it holds, and how its values lie in each class of the outcome."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.document.data.results import ColumnDetail, ColumnSummary
from core.document.model import Document
from core.document.wording import format_count, format_share
from gui.pages.data.bars import ClassBars
from gui.pages.data.words import code_words, facts_of
from gui.parts import Card, ElidedLabel, HelpText, Rule, TextLabel, clear_layout
from gui.theme import theme_notifier

SHOWN_LEVELS = 5
SHOWN_CLASSES = 4
FREQUENT = 0.005  # of the rows: below this a value is not worth naming


class _Patch(QWidget):
    """A small square in a class's colour."""

    def __init__(self, bars: ClassBars, place: int) -> None:
        super().__init__()
        self._bars = bars
        self._place = place
        self.setFixedSize(11, 11)
        theme_notifier().theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = self._bars.colours()
        colour = QColor(colours[self._place % len(colours)])
        painter.fillRect(QRectF(self.rect()), colour)
        painter.end()


def has_frequent(column: ColumnSummary) -> bool:
    """Whether the most frequent values are worth a list."""
    if not column.levels:
        return False
    is_listed = 0 <= column.distinct <= len(column.levels)
    return is_listed or column.levels[0][1] >= FREQUENT * column.rows


class ColumnCard(Card):
    """Facts and levels at the left, bars by outcome at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        content = HelpText(
            title="Values by outcome",
            text=(
                "Within each class of the outcome, the share of its cases that falls into each "
                "group of values. Bars that differ between the classes show that the column "
                "tells them apart."
            ),
            formula="height = cases of the class in the group ÷ cases of the class",
        )
        super().__init__("Column", help_text=content, parent=parent)
        row = QHBoxLayout()
        row.setSpacing(16)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(4)
        facts = QVBoxLayout()
        facts.addLayout(self._facts)
        facts.addStretch(1)
        row.addLayout(facts, 2)
        row.addWidget(Rule(vertical=True))
        self._levels = QGridLayout()
        self._levels.setHorizontalSpacing(12)
        self._levels.setVerticalSpacing(4)
        levels = QVBoxLayout()
        levels.addLayout(self._levels)
        levels.addStretch(1)
        row.addLayout(levels, 2)
        row.addWidget(Rule(vertical=True))
        right = QVBoxLayout()
        right.setSpacing(6)
        self._legend = QHBoxLayout()
        self._legend.setSpacing(6)
        right.addLayout(self._legend)
        self.bars = ClassBars()
        right.addWidget(self.bars, 1)
        row.addLayout(right, 5)
        self.body.addLayout(row, 1)

    def show_summary(self, column: ColumnSummary, note: str) -> None:
        """Show what is known at once; the bars follow when the engine has counted them."""
        assert self.header is not None
        self.header.set_title(column.name)
        self.header.set_note(note)
        clear_layout(self._facts)
        for place, (caption, value) in enumerate(facts_of(column)):
            self._facts.addWidget(TextLabel(caption, "quiet"), place, 0)
            shown = ElidedLabel(value) if value == column.label else TextLabel(value)
            shown.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._facts.addWidget(shown, place, 1)
        self._show_levels(column)

    def _show_levels(self, column: ColumnSummary) -> None:
        clear_layout(self._levels)
        self._levels.addWidget(TextLabel("Most frequent", "note"), 0, 0)
        if not has_frequent(column):
            none = "Many different values, none of them frequent."
            self._levels.addWidget(TextLabel(none, "quiet", wraps=True), 1, 0, 1, 3)
            return
        for place, (level, count) in enumerate(column.levels[:SHOWN_LEVELS], start=1):
            name = ElidedLabel(code_words(column, level) or "(empty)")
            number = TextLabel(format_count(count))
            share = TextLabel(format_share(count / column.rows if column.rows else 0), "quiet")
            for label in (number, share):
                label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._levels.addWidget(name, place, 0)
            self._levels.addWidget(number, place, 1)
            self._levels.addWidget(share, place, 2)
        self._levels.setColumnStretch(0, 1)

    def show_nothing(self) -> None:
        """There is no table whose column could be shown."""
        assert self.header is not None
        self.header.set_title("Column")
        self.header.set_note("")
        for layout in (self._facts, self._levels, self._legend):
            clear_layout(layout)
        self.bars.show_detail(None, ())

    def show_detail(self, detail: ColumnDetail | None, document: Document, words: str = "") -> None:
        """Show the bars by outcome; ``words`` in their place say why there are none."""
        target = document.target
        names = tuple(
            target.label(level) if target is not None else level
            for level in (detail.levels if detail is not None else ())
        )
        self.bars.show_detail(detail, names)
        clear_layout(self._legend)
        if detail is None and words:
            self._legend.addWidget(ElidedLabel(words, "note"), 1)
        elif target is not None and names:
            words = f"Shares, by {target.column}"
            if document.split.where:
                words += f", where {document.split.where}"
            self._legend.addWidget(ElidedLabel(words, "note"), 1)
            for place, name in enumerate(names[:SHOWN_CLASSES]):
                self._legend.addWidget(_Patch(self.bars, place))
                self._legend.addWidget(TextLabel(name, "plainNote"))
                self._legend.addSpacing(8)
        else:
            self._legend.addWidget(TextLabel("All rows", "note"))
            self._legend.addStretch(1)
