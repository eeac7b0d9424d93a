"""Export the matrix: in which form, into which file; the file names its axes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QWidget,
)

from core.document.studies.matrix_files import MatrixStyle, MatrixWritten, WriteMatrixArguments
from gui.pages.decide.dialogs.save_decisions import folder_to_write
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column


class ExportMatrixDialog(QDialog):
    """Asks for form and file and hands it to the engine."""

    def __init__(self, workspace: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        body = dialog_column(self, "Export matrix", width=560, spacing=8)
        body.addWidget(TextLabel("Form", "strong"))
        self.styles: dict[MatrixStyle, QRadioButton] = {}
        self.group = QButtonGroup(self)
        for style, text, words in self._style_entries():
            button = QRadioButton(text)
            self.styles[style] = button
            self.group.addButton(button)
            body.addWidget(button)
            note = TextLabel(words, "note", wraps=True)
            note.setContentsMargins(24, 0, 0, 4)
            body.addWidget(note)
        self.styles[MatrixStyle.CSV].setChecked(True)
        body.addSpacing(4)
        body.addWidget(TextLabel("File", "strong"))
        body.addLayout(self._make_file())
        self.note = TextLabel("", "note", wraps=True)
        body.addWidget(self.note)
        body.addStretch(1)  # what is free stands here, not between a caption and its field
        body.addWidget(self._make_buttons())
        self.group.buttonClicked.connect(lambda _button: self._follow_style())
        self.path.setText(str(folder_to_write(workspace) / "matrix.csv"))

    def _style_entries(self) -> list[tuple[MatrixStyle, str, str]]:
        return [
            (
                MatrixStyle.CSV,
                "Table: what happens DOWN, what is decided ACROSS",
                "CSV as this program shows it; the first cell names both axes.",
            ),
            (
                MatrixStyle.PREDICTED,
                "Table: what is decided DOWN, what happens ACROSS",
                "CSV as cost matrices of empulse and others stand, predictions in rows.",
            ),
            (
                MatrixStyle.SAS,
                "SAS decision data",
                "CSV with a row per target value, priors, and a column per decision.",
            ),
            (
                MatrixStyle.JSON,
                "JSON, with costs and priors",
                "Everything, for scripts and for reading back.",
            ),
        ]

    def _make_file(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.path = TextField()
        self.path.setAccessibleName("File to write")
        self.browse = QPushButton("Browse…")
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        self.path.textChanged.connect(lambda _text: self._check())
        self.browse.clicked.connect(self._on_browse)
        return row

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, self.export_button = dialog_buttons(self, "Export matrix")
        return buttons

    # ------------------------------------------------------------ what is asked for

    def chosen_style(self) -> MatrixStyle:
        """The form that is ticked."""
        return next(style for style, button in self.styles.items() if button.isChecked())

    def _follow_style(self) -> None:
        text = self.path.text().strip()
        ending = ".json" if self.chosen_style() is MatrixStyle.JSON else ".csv"
        if text and Path(text).suffix.lower() in (".csv", ".json"):
            self.path.setText(str(Path(text).with_suffix(ending)))
        self._check()

    def problem(self) -> str:
        """Why nothing can be written, or an empty text."""
        text = self.path.text().strip()
        if not text:
            return "Name a file to write."
        if Path(text).is_dir():
            return "This is a folder; name a file in it."
        if not Path(text).parent.is_dir():
            return f"There is no folder {Path(text).parent}."
        return ""

    def _check(self) -> None:
        if not hasattr(self, "export_button"):
            return
        problem = self.problem()
        self.export_button.setEnabled(not problem)
        is_there = not problem and Path(self.path.text().strip()).is_file()
        replaced = "The file that stands there will be replaced." if is_there else ""
        self.note.setText(problem or replaced)
        self.note.setVisible(bool(problem or replaced))
        self.note.set_role("error" if problem else "plainNote")

    def arguments(self) -> WriteMatrixArguments:
        """What the engine is asked to write."""
        return WriteMatrixArguments(
            document=self.workspace.project.document,
            path=self.path.text().strip(),
            style=self.chosen_style(),
        )

    def _on_browse(self) -> None:
        kinds = "CSV (*.csv);;JSON (*.json)"
        chosen, _kind = QFileDialog.getSaveFileName(self, "Export matrix", self.path.text(), kinds)
        if chosen:
            self.path.setText(chosen)

    def accept(self) -> None:
        if self.problem():
            self._check()
            return
        workspace = self.workspace

        def on_result(result: MatrixWritten) -> None:
            said = " ".join(result.warnings)
            workspace.project.post(f"Saved {result.path} ({result.axes}). {said}".strip())

        Request(workspace, workspace.project).run(
            "write_matrix", self.arguments(), MatrixWritten, on_result=on_result
        )
        super().accept()
