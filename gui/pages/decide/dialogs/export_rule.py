"""Hand the rule over: which model's, into which folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QWidget

from core.document.files.export_folder import CONTRACT
from core.document.studies.decision_files import ExportRuleArguments, RuleExported
from gui.pages.decide.dialogs.path_row import PathRow, no_folder
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.model_box import ModelBox
from payoff.counting import counted


class RuleFolder(PathRow):
    """A folder that a rule is written into: a new one, or that of a rule exported before."""

    def problem(self) -> str:
        """Why nothing can be written there, or an empty text."""
        text = self.text()
        if not text:
            return "Name a folder to write."
        folder = Path(text)
        if folder.is_file():
            return "This is a file; name a folder."
        if folder.is_dir() and any(folder.iterdir()) and not (folder / CONTRACT).is_file():
            return "The folder holds other files; name another one."
        return no_folder(text)

    def replaced(self) -> str:
        """That a rule was exported there."""
        is_there = (Path(self.text()) / CONTRACT).is_file()
        return "The export that stands there will be replaced." if is_there else ""


class ExportRuleDialog(QDialog):
    """Asks for model and folder and hands it to the engine; the window goes on meanwhile."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        body = dialog_column(self, "Export the rule", width=560)
        text = (
            "Writes the rule for other systems: SQL for SQLite and for DuckDB or PostgreSQL, plain "
            "Python, a SAS DATA step, an Excel workbook with formulas, a contract of the inputs, "
            "and 200 rows with the results expected. They hold real chances and costs of your data."
        )
        body.addWidget(TextLabel(text, wraps=True))
        body.addLayout(self._make_model())
        body.addWidget(TextLabel("Folder", "strong"))
        self.folder = RuleFolder("Folder to write", _ask_for_folder)
        body.addWidget(self.folder)
        body.addStretch(1)  # what is free stands here, not between a caption and its field
        buttons, self.write_button = dialog_buttons(self, "Export the rule")
        body.addWidget(buttons)
        self.folder.path_changed.connect(lambda _path: self._check())
        self.folder.set_text(str(Path(session.folder_to_write) / "rule"))

    def _make_model(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(TextLabel("By the chances of", "quiet"))
        self.model = ModelBox()
        self.model.offer(self.session.project.document)
        row.addWidget(self.model)
        row.addStretch(1)
        return row

    # ------------------------------------------------------------ what is asked for

    def _check(self) -> None:
        problem = self.folder.problem()
        self.write_button.setEnabled(not problem)
        self.folder.show_problem(problem)

    def arguments(self) -> ExportRuleArguments:
        """What the engine is asked to write."""
        return ExportRuleArguments(
            document=self.session.project.document,
            model=str(self.model.currentData()),
            folder=self.folder.text(),
        )

    def accept(self) -> None:
        if self.folder.problem():
            self._check()
            return
        session = self.session
        text = "Exported %s to %s."

        def on_result(result: RuleExported) -> None:
            described = text % (counted(len(result.files), "file"), result.folder)
            session.project.post(" ".join([described, *result.notes]))

        Request(session, session.project).run(
            "export_rule",
            self.arguments(),
            RuleExported,
            title="Handing over the rule",
            on_result=on_result,
        )
        super().accept()


def _ask_for_folder(parent: QWidget, start: str) -> str:
    words = "Export the rule"
    return QFileDialog.getExistingDirectory(parent, words, str(Path(start).parent))
