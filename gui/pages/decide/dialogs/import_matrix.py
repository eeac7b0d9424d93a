"""Import a matrix: which file, what its rows are, what it would look like; one undo step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QPushButton,
    QWidget,
)

from core.document.decisions.commands import ImportMatrix
from core.document.decisions.matrix_model import MatrixKind
from core.document.studies.decision_files import MatrixImport, ReadMatrixArguments, Rows
from core.document.wording import format_share, join_words
from core.presentation.view import Cell, Table
from gui.pages.decide.dialogs.path_row import PathRow
from gui.pages.decide.matrix.matrix_model import signed_amount
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import FittedDialog, dialog_buttons, dialog_column
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.message_lines import MessageLines
from gui.widgets.notice import plain_sentences
from gui.widgets.tables.figure_table import ResultTable

MOST_HEIGHT = 320


class ImportMatrixDialog(FittedDialog):
    """Reads a file at once, shows how, and takes the matrix over when it is right."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.document = session.project.document
        self.found: MatrixImport | None = None
        self._request = Request(self, session.project)
        body = dialog_column(self, "Import matrix", width=600)
        text = (
            "A CSV file with the classes or the decisions in rows, SAS decision data saved as CSV, "
            "or JSON."
        )
        self.file = PathRow("File with a matrix", self._ask_for_file)
        self.file.path.setPlaceholderText("File with a matrix")
        self.file.path_changed.connect(lambda _path: self.read())
        body.addWidget(TextLabel(text, wraps=True))
        body.addWidget(self.file)
        body.addLayout(self._make_meaning())
        self.axes = TextLabel("", "strong", wraps=True)
        body.addWidget(self.axes)
        self.preview = ResultTable("The matrix as it would be taken over")
        body.addWidget(self.preview)
        self.checks = MessageLines()
        body.addWidget(self.checks)
        self.priors = QCheckBox()
        body.addWidget(self.priors)
        body.addStretch(1)
        body.addWidget(self._make_buttons())
        self._show_nothing()

    # ------------------------------------------------------------ parts

    def _make_meaning(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(2, 1)
        self.rows = ChoiceBox()
        self.rows.setAccessibleName("Rows of the file")
        self.rows.addItem("as the file says", None)
        self.rows.addItem("what really happens (classes)", Rows.ACTUAL)
        self.rows.addItem("what is decided or predicted", Rows.DECIDED)
        self.kind = ChoiceBox()
        self.kind.setAccessibleName("Numbers of the file")
        self.kind.addItem("as the file says", None)
        self.kind.addItem("profits", MatrixKind.PROFIT)
        self.kind.addItem("losses or costs", MatrixKind.LOSS)
        self.kind.addItem("revenues, costs apart", MatrixKind.REVENUE)
        self.swap = QPushButton("Swap rows and columns")
        self.swap.setToolTip("Read the rows of the file as the other of the two")
        grid.addWidget(TextLabel("Rows of the file are", "quiet"), 0, 0)
        grid.addWidget(self.rows, 0, 1)
        grid.addWidget(self.swap, 0, 2, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(TextLabel("Its numbers are", "quiet"), 1, 0)
        grid.addWidget(self.kind, 1, 1)
        self.rows.activated.connect(lambda _index: self.read())
        self.kind.activated.connect(lambda _index: self.read())
        self.swap.clicked.connect(self._on_swap)
        return grid

    def _make_buttons(self) -> QDialogButtonBox:
        self.buttons, self.import_button = dialog_buttons(self, "Import matrix")
        return self.buttons

    # ------------------------------------------------------------ reading

    def arguments(self) -> ReadMatrixArguments:
        """What the engine is asked to read."""
        rows, kind = self.rows.currentData(), self.kind.currentData()  # Qt keeps plain texts
        return ReadMatrixArguments(
            document=self.document,
            path=self.file.text(),
            rows=Rows(rows) if rows else None,
            kind=MatrixKind(kind) if kind else None,
        )

    def read(self) -> None:
        """Read the file as it is said to be meant; an older answer is not waited for."""
        requested = self.arguments()
        if not requested.path or not Path(requested.path).is_file():
            self._request.cancel()
            self._show_nothing("There is no such file." if requested.path else "")
            return
        self._request.run(
            "read_matrix", requested, MatrixImport, on_result=self._take, on_error=self._take_error
        )

    def _take(self, found: MatrixImport) -> None:
        self.found = found
        self.checks.clear()
        self.axes.setText(self._axes_words(found))
        self._show_cells(found)
        for text in found.file.notes:
            self.checks.add("check", "quiet", text)
        for text in found.file.doubts:
            self.checks.add_warning(text)
        for advice in found.advice:
            if advice.state != "ok":
                self.checks.add_warning(advice.text)
        self._show_priors(found)
        self.preview.show()
        self.swap.setEnabled(True)
        self._set_ready("")

    def _take_error(self, error: Exception) -> None:
        self._show_nothing(plain_sentences(error))
        self.swap.setEnabled(self.rows.currentData() is not None)

    # ------------------------------------------------------------ showing

    def _axes_words(self, found: MatrixImport) -> str:
        if found.file.rows is Rows.ACTUAL:
            return "In the file: DOWN what really happens, ACROSS what is decided."
        return "In the file: DOWN what is decided, ACROSS what really happens."

    def _show_cells(self, found: MatrixImport) -> None:
        matrix, target = found.matrix, self.document.target
        corner = f"If the {self.document.case_word[0]}…"
        rows = []
        for level, cells in zip(matrix.levels, matrix.cells, strict=True):
            word = target.label(level) if target is not None else level
            rows.append(
                (
                    Cell(text=word, is_left=True),
                    *(Cell(text=signed_amount(value), exact=repr(value)) for value in cells),
                )
            )
        self.preview.show_content(Table(columns=(corner, *matrix.decisions), rows=tuple(rows)))
        self.preview.setFixedHeight(min(self.preview.content_height(), MOST_HEIGHT) + 2)

    def _show_priors(self, found: MatrixImport) -> None:
        self.priors.setVisible(found.priors is not None)
        self.priors.setChecked(found.priors is not None)
        target = self.document.target
        shares = [
            f"{format_share(share)} {target.label(level) if target else level}"
            for level, share in found.priors or ()
        ]
        self.priors.setText(f"Take over its priors too: {join_words(shares)}")

    def _show_nothing(self, problem: str = "") -> None:
        self.found = None
        self.axes.clear()
        self.preview.hide()
        self.priors.hide()
        self.swap.setEnabled(False)
        self.checks.clear()
        if problem:
            self.checks.add_error(problem)
        self._set_ready(problem or "Choose a file first.")

    def _set_ready(self, problem: str) -> None:
        self.import_button.setEnabled(not problem)
        self.import_button.setToolTip(problem)
        self.fit()

    # ------------------------------------------------------------ what the user does

    def _ask_for_file(self, parent: QWidget, _start: str) -> str:
        kinds = "Matrices (*.csv *.txt *.json);;All files (*)"
        folder = self.session.folder_to_write
        return QFileDialog.getOpenFileName(parent, "Import matrix", folder, kinds)[0]

    def _on_swap(self) -> None:
        now = self.found.file.rows if self.found is not None else self.arguments().rows
        other = Rows.DECIDED if now is Rows.ACTUAL else Rows.ACTUAL
        self.rows.setCurrentIndex(self.rows.findData(other))
        self.read()

    def command(self) -> ImportMatrix | None:
        """The change that takes the matrix over, or None while there is none."""
        if self.found is None:
            return None
        priors = self.found.priors if self.priors.isChecked() else None
        return ImportMatrix(matrix=self.found.matrix, priors=priors)

    def accept(self) -> None:
        command = self.command()
        if command is not None and self.session.project.execute(command):
            self.session.project.finish_editing()
            super().accept()
