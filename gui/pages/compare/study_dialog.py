"""What the studies of page Compare share: choices above, a table, what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.files.spreadsheet import pasted_text
from core.document.model import Document
from core.document.views import Narrow
from core.questions.lanes import Lane
from core.questions.question import Answer, Question
from gui.jobs.request import Request
from gui.models.text_table import TextTableModel
from gui.parts import TextLabel
from gui.parts.form import FormLook, QuestionForm
from gui.parts.veil import Veil
from gui.workspace import Workspace

Written = TypeVar("Written")
FIELD = 76  # pixels of a number


def _as_it_is(document: Document) -> Document:
    return document


class StudyDialog(QDialog):
    """A study in a window of its own, beside the page; the newest question wins."""

    def __init__(
        self, workspace: Workspace, title: str, lead: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(860, 560)
        self.workspace = workspace
        self._requests: list[Request] = []  # since ``begin``
        self._forms: list[QuestionForm] = []
        self._rests_on: list[
            tuple[Callable[[], Document], Document]
        ] = []  # how it is read, and was
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.setSpacing(8)
        outer.addWidget(TextLabel(lead, "quiet", wraps=True))
        self.choices = QHBoxLayout()
        self.choices.setSpacing(8)
        outer.addLayout(self.choices)
        content = QWidget()
        outer.addWidget(content, 1)
        self.column = column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.message = TextLabel("", "body", wraps=True)
        column.addWidget(self.message)
        self.table_model = TextTableModel(self)
        self.table = QTableView()
        self.table.setModel(self.table_model)
        self.table.setAccessibleName(title)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(26)
        self.table.horizontalHeader().setHighlightSections(False)
        column.addWidget(self.table, 1)
        self.notes = TextLabel("", "note", wraps=True)
        column.addWidget(self.notes)
        column.addStretch(0)  # takes the room where there is no table
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton("Copy table")
        copy.setAutoDefault(False)
        # Enter ends a number that is typed above, and must not press Close.
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy)
        self.again = QPushButton("Ask again")
        self.again.setAutoDefault(False)
        self.again.setToolTip("The project has changed since this was asked")
        self.again.clicked.connect(lambda _checked: self.refresh())
        self.buttons.addButton(self.again, QDialogButtonBox.ButtonRole.ActionRole)
        self.again.hide()
        self.buttons.rejected.connect(self.close)
        outer.addWidget(self.buttons)
        self.veil = Veil(content)
        self.veil.words = "Of the project before the change"
        workspace.document_changed.connect(self._show_freshness)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table, self.copy)

    # ------------------------------------------------------------ building

    def add_form(self, record: type[Question[Any]], names: Sequence[str]) -> QuestionForm:
        """The form of a question above the table; what is said in it is asked at once."""
        form = QuestionForm(record, names, FormLook.LINE, width=FIELD)
        form.show_for(self.workspace.form_context())
        form.asked_anew.connect(self.refresh)
        self.choices.addWidget(form, 1)
        self._forms.append(form)
        return form

    def add_choice(self, caption: str, entries: Sequence[tuple[str, object]]) -> QComboBox:
        """A selector with a caption before it."""
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        combo.setMaximumWidth(260)
        combo.setAccessibleName(caption)
        for words, value in entries:
            combo.addItem(words, value)
        self.choices.addWidget(TextLabel(caption, "quiet"))
        self.choices.addWidget(combo)
        return combo

    def show_rows(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[int] = (),
        wide: int | None = None,
    ) -> None:
        """Fill the table; the column ``wide`` takes the room that is left."""
        self.table_model.show(columns, rows, right_aligned=right)
        self.table.setVisible(bool(columns))
        header = self.table.horizontalHeader()
        for column in range(len(columns)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        if wide is not None and columns:
            header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)

    def say(self, text: str, notes: Sequence[str] = ()) -> None:
        """The sentence above the table and the notes below it."""
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        """Ask for what is chosen, of the project as it is now."""
        raise NotImplementedError

    def begin(self) -> None:
        """A new question: answers to earlier ones are no longer taken; their jobs are stopped."""
        for form in self._forms:
            form.show_for(self.workspace.form_context())
        self.stop_asking()
        self._rests_on.clear()
        self._show_freshness()

    def stop_asking(self) -> None:
        """No answer that is still to come is taken; what is on screen stays."""
        for request in self._requests:
            request.cancel()
        self._requests.clear()

    def rest_on(self, question: Question[Answer], of: Narrow = _as_it_is) -> None:
        """Note that an answer to this question is shown: it is greyed once its project has changed.

        ``of``: makes the document that it is asked of from the project's.
        """
        reads = question.facts.reads

        def read() -> Document:
            return reads.of(of(self.workspace.document))

        self._rests_on.append((read, read()))

    @property
    def is_stale(self) -> bool:
        """Whether the project has changed in what the answer reads of it."""
        return any(read() != then for read, then in self._rests_on)

    def _show_freshness(self, _document: object = None) -> None:
        """Grey what was asked of the project before a change, and offer to ask again."""
        is_stale = self.is_stale
        self.veil.draw(is_stale, at_once=True)
        self.again.setVisible(is_stale)

    def _request(self) -> Request:
        """Return a way to ask beside what was asked since ``begin``."""
        made = Request(self, self.workspace)
        self._requests.append(made)
        return made

    def _refuse(self, refusal: Exception) -> None:
        self.say(str(refusal))
        self.show_rows((), ())

    def write(
        self,
        kind: str,
        arguments: object,
        written: type[Written],
        title: str,
        take: Callable[[Written], None],
    ) -> None:
        """Have the engine write a file; ``take`` is called unless a question has been asked."""
        self._request().run(
            kind, arguments, written, title=title, on_result=take, on_error=self._refuse
        )

    def put(
        self,
        question: Question[Answer],
        take: Callable[[Answer], None],
        *,
        of: Narrow = _as_it_is,
        title: str = "",
    ) -> None:
        """Ask a question; ``take`` is called if no newer one has been asked.

        ``of``: makes the document that it is asked of from the project's; left out: the project's
        own. ``title``: of the job, where it is not the question's own.
        """
        self.rest_on(question, of)
        self._request().ask(
            of(self.workspace.document),
            question,
            lane=Lane.LONG,  # a person asked: what the window evaluates by itself can wait
            title=title,
            on_result=take,
            on_error=self._refuse,
        )

    def copy(self) -> None:
        """Put the table on the clipboard, ready for a spreadsheet."""
        model = self.table_model
        columns = range(model.columnCount())
        head = [str(model.headerData(c, Qt.Orientation.Horizontal)) for c in columns]
        rows = (
            [str(model.data(model.index(row, c))) for c in columns]
            for row in range(model.rowCount())
        )
        QGuiApplication.clipboard().setText(pasted_text([head, *rows]))
