"""What the studies of page Compare share: choices above, a table, what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
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
from core.questions.lanes import Lane
from core.questions.question import Answer, Question
from gui.jobs.terms import Terms
from gui.models.text_table import TextTableModel
from gui.parts import TextLabel
from gui.workspace import Workspace


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
        self._asked = 0
        self._jobs: list[int] = []
        self.column = column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(TextLabel(lead, "quiet", wraps=True))
        self.choices = QHBoxLayout()
        self.choices.setSpacing(8)
        column.addLayout(self.choices)
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
        copy = QPushButton(self.tr("Copy table"))
        copy.setAutoDefault(False)
        # Enter ends a number that is typed above, and must not press Close.
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy)
        self.buttons.rejected.connect(self.close)
        column.addWidget(self.buttons)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table, self.copy)

    # ------------------------------------------------------------ building

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

    def begin(self) -> int:
        """A new question: answers to earlier ones are no longer taken; their jobs are stopped."""
        self._asked += 1
        for job in self._jobs:
            self.workspace.jobs.drop(job)
        self._jobs.clear()
        return self._asked

    def ask(
        self, kind: str, arguments: object, title: str, take: Callable[[Any], None], number: int
    ) -> None:
        """Ask the engine; ``take(result)`` is called if no newer question has been asked."""

        def on_error(refusal: Exception) -> None:
            self.say(str(refusal))
            self.show_rows((), ())

        job = self.workspace.jobs.submit(
            kind,
            arguments,
            lane=Lane.LONG,  # a person asked: what the window evaluates by itself can wait
            title=title,
            on_result=take,
            on_error=on_error,
            terms=Terms(self, lambda: number == self._asked),
        )
        self._jobs.append(job)

    def put(
        self,
        question: Question[Answer],
        take: Callable[[Answer], None],
        number: int,
        *,
        of: Document | None = None,
        title: str = "",
    ) -> None:
        """Ask a question; ``take`` is called if no newer one has been asked.

        ``of``: the document that it is asked of; left out: the project's. ``title``: of the job,
        where it is not the question's own.
        """

        def on_error(refusal: Exception) -> None:
            self.say(str(refusal))
            self.show_rows((), ())

        job = self.workspace.jobs.ask(
            of or self.workspace.document,
            question,
            lane=Lane.LONG,
            title=title,
            on_result=take,
            on_error=on_error,
            terms=Terms(self, lambda: number == self._asked),
        )
        self._jobs.append(job)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.begin()
        super().closeEvent(event)

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
