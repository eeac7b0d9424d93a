"""The cards of Home: open, continue, sample."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.files.project import Headline
from core.document.markup import NOTHING, Content, Html, filled, joined, plain_text
from core.document.model import Document
from core.document.wording import format_money, format_share
from core.settings import RecentProject
from gui.session.samples import Sample
from gui.shell.moments import moment_words
from gui.widgets import Card, ElidedLabel, IconLabel, MiniCurve, RichLabel, TextLabel, strong
from payoff.counting import counted


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
    """The project that is open, or was open last, with what it is worth and its profit curve."""

    pressed = Signal(str)  # the project to open
    shown_wanted = Signal()  # the project that is open is to be shown

    def __init__(self) -> None:
        super().__init__(margin=16)
        self.setMinimumHeight(156)
        self._path = ""
        row = QHBoxLayout()
        row.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(6)
        self.heading = TextLabel("", "quiet")
        left.addWidget(self.heading)
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
        self.button.clicked.connect(self._on_pressed)
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
        self.heading.setText("Continue where you stopped")
        rows = counted(head.rows, entry.case_word, entry.case_words) if head.rows else ""
        self._show(entry.name, headline_words(head, entry.currency), rows, head)
        self.when.setText(_when(entry.opened_at))

    def show_open(self, document: Document, head: Headline, described: str) -> None:
        """Show the project that is open.

        Parameters
        ----------
        document : Document
        head : Headline
            Of the project as it is now.
        described : str
            What its file holds and earns; empty where nothing was assumed of it.
        """
        self._path = ""
        self.heading.setText("The project that is open")
        rows = "" if described else counted(head.rows, *document.case_word)
        words = described or headline_words(head, document.currency)
        self._show(document.name, words, rows, head)
        self.when.setText("")

    def _show(self, name: str, words: Content, rows: str, head: Headline) -> None:
        self.name.setText(name)
        self.line.setText(words)
        self.line.setVisible(bool(self.line.text()))
        self.rows.setText(rows)
        self.rows.setVisible(bool(rows))
        self.curve.show_curves((head.shown_curve,), head.depth, plain_text(joined((words,))))
        self.curve.setVisible(len(head.curve) > 1)

    def _on_pressed(self) -> None:
        if self._path:
            self.pressed.emit(self._path)
        else:
            self.shown_wanted.emit()


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
    words: str = format_money(-head.profit if head.is_loss else head.profit, currency)
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
        picture.show_curves((head.shown_curve,), head.depth, sample.title)
        picture.setFixedWidth(88)
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
        note = ElidedLabel(role="note")
        note.set_full_text(sample.note, "")  # button and amount are whole in a narrow card
        note.setMinimumWidth(1)
        foot.addWidget(note, 1)
        amount = "" if head.profit is None else amount_words(head)
        self.amount = TextLabel(amount, "strong")
        foot.addWidget(self.amount)
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
