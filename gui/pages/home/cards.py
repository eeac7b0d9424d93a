"""The cards of Home: open, continue, sample."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.files.project import Headline
from core.document.markup import NOTHING, Html, filled, plain_text
from core.document.wording import format_money, format_share
from core.settings import RecentProject
from gui.frame.moments import moment_words
from gui.parts import Card, IconLabel, MiniCurve, RichLabel, TextLabel, strong
from gui.samples import Sample


class OpenCard(Card):
    """An icon, a title, a sentence and a button with its shortcut."""

    pressed = Signal()

    def __init__(
        self, icon: str, title: str, sentence: str, button: str, hint: str, *, primary: bool
    ) -> None:
        super().__init__(margin=16)
        self.setMinimumHeight(156)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(IconLabel(icon, "accent", 22))
        head.addWidget(TextLabel(title, "section"))
        head.addStretch(1)
        self.body.addLayout(head)
        self.body.addWidget(TextLabel(sentence, "quiet", wraps=True))
        self.body.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self.button = QPushButton(button)
        if primary:
            self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.pressed)
        foot.addWidget(self.button)
        foot.addWidget(TextLabel(hint, "note"))
        foot.addStretch(1)
        self.body.addLayout(foot)


class ContinueCard(Card):
    """The project that was open last, with its profit curve."""

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__(margin=16)
        self.setMinimumHeight(156)
        self._path = ""
        row = QHBoxLayout()
        row.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(6)
        left.addWidget(TextLabel("Continue where you stopped", "quiet"))
        self.name = TextLabel("", "section")
        self.line = RichLabel("", wraps=True)
        self.rows = TextLabel("", "quiet")
        left.addWidget(self.name)
        left.addWidget(self.line)
        left.addWidget(self.rows)
        left.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self.button = QPushButton("Continue")
        self.button.clicked.connect(lambda: self.pressed.emit(self._path))
        self.when = TextLabel("", "note")
        foot.addWidget(self.button)
        foot.addWidget(self.when)
        foot.addStretch(1)
        left.addLayout(foot)
        row.addLayout(left, 1)
        self.curve = MiniCurve()
        self.curve.setFixedSize(QSize(206, 124))
        row.addWidget(self.curve)
        self.body.addLayout(row)

    def show_project(self, entry: RecentProject) -> None:
        """Show a recent project."""
        head = entry.headline
        self._path = entry.path
        self.name.setText(entry.name)
        self.line.setText(headline_words(head, entry.currency))
        self.line.setVisible(bool(self.line.text()))
        self.rows.setText(f"{head.rows:,} {entry.case_words}" if head.rows else "")
        self.when.setText(_when(entry.opened_at))
        said = plain_text(headline_words(head, entry.currency))
        self.curve.show_curves((head.curve,), head.depth, said)
        self.curve.setVisible(len(head.curve) > 1)


def headline_words(head: Headline, currency: str) -> Html:
    """ "Best 21.3 % with gbm 2: € 12,294", in rich text."""
    if head.profit is None or head.depth is None:
        return NOTHING
    words = "Best %1 with %2: %3"
    amount = amount_words(head, currency)
    depth = format_share(head.depth)
    for number in "123":
        words = words.replace(f"%{number}", "%s")
    return filled(words, depth, head.best_model, strong(amount))


def amount_words(head: Headline, currency: str = "€") -> str:
    """The amount of a project: "€ 12,294", "a loss of € 400", "€ 12, cross-fitted"."""
    if head.profit is None:
        return ""
    words = format_money(-head.profit if head.is_loss else head.profit, currency)
    if head.is_loss:
        words = "a loss of %1".replace("%1", words)
    if head.is_crossfitted:
        words = "%1, cross-fitted".replace("%1", words)
    return words


def _when(text: str) -> str:
    try:
        return moment_words(datetime.fromisoformat(text), datetime.now(UTC))
    except ValueError:
        return ""


class SampleCard(Card):
    """A sample: its picture, the question it answers, and the button that opens the answer."""

    pressed = Signal(str)

    def __init__(self, sample: Sample, head: Headline) -> None:
        super().__init__(margin=12)
        self.setMinimumHeight(112)
        self.setMaximumHeight(190)
        picture = MiniCurve(framed=False)
        picture.show_curves((head.curve,), head.depth, sample.title)
        picture.setFixedWidth(104)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(TextLabel(sample.title, "section"))
        words.addWidget(TextLabel(sample.text, "quiet", wraps=True))
        words.addStretch(1)
        self.button = QPushButton("Try it")
        self.button.setAccessibleName(f"Try {sample.title}")
        self.button.clicked.connect(lambda: self.pressed.emit(sample.key))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.button)
        foot.addWidget(TextLabel(sample.note, "note"))
        foot.addStretch(1)
        if head.profit is not None:
            foot.addWidget(TextLabel(amount_words(head), "strong"))
        words.addLayout(foot)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(picture)
        row.addLayout(words, 1)
        self.body.addLayout(row)


def row_of(widgets: list[tuple[QWidget, int]], spacing: int) -> QHBoxLayout:
    """Widgets side by side with their stretch."""
    row = QHBoxLayout()
    row.setSpacing(spacing)
    for widget, stretch in widgets:
        row.addWidget(widget, stretch)
    return row
