"""Export the matrix: in which form, into which file; the file names its axes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QButtonGroup, QDialog, QFileDialog, QRadioButton, QWidget

from core.document.studies.decision_files import MatrixStyle, MatrixWritten, WriteMatrixArguments
from gui.pages.decide.dialogs.path_row import FileToWrite
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column


class ExportMatrixDialog(QDialog):
    """Asks for form and file and hands it to the engine."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
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
        self.file = FileToWrite("File to write", _ask_to_save)
        body.addWidget(self.file)
        body.addStretch(1)  # what is free stands here, not between a caption and its field
        buttons, self.export_button = dialog_buttons(self, "Export matrix")
        body.addWidget(buttons)
        self.group.buttonClicked.connect(lambda _button: self._follow_style())
        self.file.path_changed.connect(lambda _path: self._check())
        self.file.set_text(str(Path(session.folder_to_write) / "matrix.csv"))

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

    # ------------------------------------------------------------ what is asked for

    def chosen_style(self) -> MatrixStyle:
        """The form that is ticked."""
        return next(style for style, button in self.styles.items() if button.isChecked())

    def _follow_style(self) -> None:
        text = self.file.text()
        ending = ".json" if self.chosen_style() is MatrixStyle.JSON else ".csv"
        if text and Path(text).suffix.lower() in (".csv", ".json"):
            self.file.set_text(str(Path(text).with_suffix(ending)))
        self._check()

    def _check(self) -> None:
        problem = self.file.problem()
        self.export_button.setEnabled(not problem)
        self.file.show_problem(problem)

    def arguments(self) -> WriteMatrixArguments:
        """What the engine is asked to write."""
        return WriteMatrixArguments(
            document=self.session.project.document,
            path=self.file.text(),
            style=self.chosen_style(),
        )

    def accept(self) -> None:
        if self.file.problem():
            self._check()
            return
        session = self.session

        def on_result(result: MatrixWritten) -> None:
            described = " ".join(result.warnings)
            session.project.post(f"Saved {result.path} ({result.axes}). {described}".strip())

        Request(session, session.project).run(
            "write_matrix", self.arguments(), MatrixWritten, on_result=on_result
        )
        super().accept()


def _ask_to_save(parent: QWidget, start: str) -> str:
    kinds = "CSV (*.csv);;JSON (*.json)"
    return QFileDialog.getSaveFileName(parent, "Export matrix", start, kinds)[0]
