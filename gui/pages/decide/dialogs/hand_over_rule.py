"""Hand the rule over: which model's, into which folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from core.document.files.hand_over_folder import CONTRACT
from core.document.studies.rule_hand_over import HandOverRuleArguments, RuleHandedOver
from gui.pages.decide.dialogs.save_decisions import folder_to_write
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.model_box import ModelBox
from payoff.counting import counted


class HandOverRuleDialog(QDialog):
    """Asks for model and folder and hands it to the engine; the window goes on meanwhile."""

    def __init__(self, workspace: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        body = dialog_column(self, "Hand over the rule", width=560)
        text = (
            "Writes the rule for other systems: SQL for SQLite and for DuckDB or PostgreSQL, plain "
            "Python, a SAS DATA step, a contract of the inputs, and 200 rows with the results "
            "expected. They hold real chances and costs of your data."
        )
        body.addWidget(TextLabel(text, wraps=True))
        body.addLayout(self._make_model())
        body.addWidget(TextLabel("Folder", "strong"))
        body.addLayout(self._make_folder())
        self.note = TextLabel("", "note", wraps=True)
        body.addWidget(self.note)
        body.addStretch(1)  # what is free stands here, not between a caption and its field
        body.addWidget(self._make_buttons())
        self.path.setText(str(folder_to_write(workspace) / "rule"))

    def _make_model(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(TextLabel("By the chances of", "quiet"))
        self.model = ModelBox()
        self.model.offer(self.workspace.project.document)
        row.addWidget(self.model)
        row.addStretch(1)
        return row

    def _make_folder(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.path = TextField()
        self.path.setAccessibleName("Folder to write")
        self.browse = QPushButton("Browse…")
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        self.path.textChanged.connect(lambda _text: self._check())
        self.browse.clicked.connect(self._on_browse)
        return row

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, self.write_button = dialog_buttons(self, "Hand over the rule")
        return buttons

    # ------------------------------------------------------------ what is asked for

    def problem(self) -> str:
        """Why nothing can be written there, or an empty text."""
        text = self.path.text().strip()
        if not text:
            return "Name a folder to write."
        folder = Path(text)
        if folder.is_file():
            return "This is a file; name a folder."
        if not folder.parent.is_dir():
            return f"There is no folder {folder.parent}."
        if folder.is_dir() and any(folder.iterdir()) and not (folder / CONTRACT).is_file():
            return "The folder holds other files; name another one."
        return ""

    def _check(self) -> None:
        if not hasattr(self, "write_button"):
            return
        problem = self.problem()
        is_there = not problem and (Path(self.path.text().strip()) / CONTRACT).is_file()
        replaced = "The hand-over that stands there will be replaced."
        self.write_button.setEnabled(not problem)
        self.note.setText(problem or (replaced if is_there else ""))
        self.note.setVisible(bool(problem or is_there))
        self.note.set_role("error" if problem else "plainNote")

    def arguments(self) -> HandOverRuleArguments:
        """What the engine is asked to write."""
        return HandOverRuleArguments(
            document=self.workspace.project.document,
            model=str(self.model.currentData()),
            folder=self.path.text().strip(),
        )

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Hand over the rule", str(Path(self.path.text()).parent)
        )
        if chosen:
            self.path.setText(chosen)

    def accept(self) -> None:
        if self.problem():
            self._check()
            return
        workspace = self.workspace
        text = "Handed over %s in %s."

        def on_result(result: RuleHandedOver) -> None:
            said = text % (counted(len(result.files), "file"), result.folder)
            workspace.project.post(" ".join([said, *result.notes]))

        Request(workspace, workspace.project).run(
            "hand_over_rule",
            self.arguments(),
            RuleHandedOver,
            title="Handing over the rule",
            on_result=on_result,
        )
        super().accept()
