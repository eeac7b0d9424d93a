"""What can be asked: every question of the program, page by page, and what it needs."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from core.document.markup import Html, joined, tag
from core.document.model import Document
from core.questions.question import Question, first_line, questions
from gui.session.session import Session
from gui.shell.commands.question_places import place_of
from gui.theme import current_theme, theme_notifier
from gui.widgets import TextLabel
from gui.widgets.labels import MarkupView

_INTRODUCTION = (
    "Everything that can be asked of a project. The same questions are asked by scripts, by "
    "“payoff ask”, and for the report. Ctrl+K finds each by its name."
)


class QuestionListDialog(QDialog):
    """Every question with what it answers; one that can be asked now is a link to its place."""

    question_chosen = Signal(str)  # its key
    outlives_data = True  # it says of other data what can be asked of them

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("What can be asked")
        self.resize(720, 640)
        self._session = session
        self.text = MarkupView()
        self.text.setAccessibleName("Questions, page by page")
        self.text.anchorClicked.connect(self._go)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(TextLabel(_INTRODUCTION, "quiet", wraps=True))
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        session.project.document_changed.connect(self._show)
        theme_notifier().theme_changed.connect(self._show)
        self._show()

    def _show(self, _sent: object = None) -> None:
        theme = current_theme()
        style = (
            f"h2 {{ font-size: {theme.sizes.section}px; }} a {{ color: {theme.accent}; }} "
            f".quiet {{ color: {theme.quiet}; }} p {{ margin: 4px 0 8px 0; }}"
        )
        self.text.show_markup(question_list(self._session.project.document), style)

    def _go(self, link: QUrl) -> None:
        self.accept()
        self.question_chosen.emit(link.toString())


def question_list(document: Document) -> Html:
    """All questions as markup; of those that cannot be asked, why not."""
    by_page = groupby(questions().values(), key=lambda record: place_of(record).title)
    return joined(
        joined((tag("h2", title), *(_entry(record, document) for record in records)))
        for title, records in by_page
    )


def _entry(record: type[Question[Any]], document: Document) -> Html:
    refusal, title = record.why_not(document), record.facts.title
    if refusal is None:
        head = tag("a", title, href=record.facts.key)
        return tag("p", head, tag("br"), first_line(record))
    return tag(
        "p",
        title,
        tag("br"),
        first_line(record),
        tag("br"),
        tag("span", str(refusal), kind="quiet"),
    )
