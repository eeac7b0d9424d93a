"""A decision workbook read back: what was changed in it, and taking its numbers over."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QWidget

from core.document.decisions.numbers import TakeOverNumbers
from core.document.studies.decision_files import WorkbookChanges
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.decide import Workbook
from gui.charts.view_widget import ViewWidget
from gui.pages.decide.dialogs.path_row import PathRow
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import FittedDialog, dialog_buttons, dialog_column
from gui.widgets.notice import plain_sentences

_WORDS = (
    "Name a decide.xlsx that was handed over and that somebody has changed since: numbers on sheet "
    "Rule, decisions or rows on sheet Cases."
)


class WorkbookRow(PathRow):
    """A workbook that is there."""

    def problem(self) -> str:
        """Why nothing can be read there, or an empty text."""
        text = self.text()
        if not text:
            return "Name a workbook."
        return "" if Path(text).is_file() else "There is no such file."


class ReadWorkbookDialog(FittedDialog):
    """Reads a workbook as soon as its path names a file; *Take over* changes the matrix."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.answer: WorkbookChanges | None = None
        self._request = Request(self, session.project)
        body = dialog_column(self, "Read a decision workbook back", width=640)
        body.addWidget(TextLabel(_WORDS, wraps=True))
        self.file = WorkbookRow("Workbook to read", _ask_for_workbook)
        body.addWidget(self.file)
        self.panel = ViewWidget("left", 0, is_whole=True)
        body.addWidget(self.panel, 1)
        buttons, self.take_button = dialog_buttons(self, "Take over the numbers")
        close = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        close.setText("Close")
        body.addWidget(buttons)
        self.take_button.setEnabled(False)
        self.file.path_changed.connect(lambda _path: self.read())
        self.file.set_text(str(Path(session.folder_to_write) / "rule" / "decide.xlsx"))

    def read(self) -> None:
        """Ask the engine; only the newest answer counts."""
        self.answer = None
        self.take_button.setEnabled(False)
        problem = self.file.problem()
        self.file.show_problem(problem)
        if problem:
            self._request.cancel()
            self.panel.show_words("")
            return
        self.panel.show_words("Reading the workbook …")
        question = Workbook(path=self.file.text())

        def on_result(answer: WorkbookChanges) -> None:
            self.answer = answer
            document = self.session.project.document
            labels = Labels.of(document, self.session.results.decisions)
            self.panel.show_view(show(question, answer, labels))
            self.take_button.setEnabled(bool(answer.numbers))
            self.fit()

        self._request.ask(
            self.session.project.document,
            question,
            title="Reading the workbook",
            on_result=on_result,
            on_error=self._take_error,
        )

    def accept(self) -> None:
        """Take the numbers over, in one step to undo."""
        if self.answer is None or not self.answer.numbers:
            return
        answer = self.answer
        self.session.project.execute(
            TakeOverNumbers(numbers=answer.numbers, resolved=answer.resolved)
        )
        super().accept()

    def _take_error(self, error: Exception) -> None:
        self.answer = None
        self.panel.show_words(plain_sentences(error))
        self.fit()


def _ask_for_workbook(parent: QWidget, start: str) -> str:
    words = "Read a decision workbook back"
    kinds = "Workbooks (*.xlsx *.xlsm)"
    return QFileDialog.getOpenFileName(parent, words, start, kinds)[0]
