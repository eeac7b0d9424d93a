"""Decisions that the file brings along, beside those of the rule: where they differ, and why."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from core.document.studies.reconciling import Reconciliation
from core.document.wording import format_count
from core.presentation.table import Cell, Table
from core.questions.decide import Reconcile
from gui.jobs.request import Request
from gui.parts import IconLabel, TextLabel, clear_layout
from gui.parts.dialog_column import dialog_column
from gui.parts.figure_table import FigureTable
from gui.parts.model_box import ModelBox
from gui.parts.notice import plain_sentences
from gui.workspace import Workspace

WIDTH = 640
FIRST = 4


class ReconcileDialog(QDialog):
    """Compares at once, and again for another model."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.found: Reconciliation | None = None
        self._request = Request(self, workspace)
        body = dialog_column(self, "Decisions in the file", width=WIDTH)
        body.addLayout(self._make_model())
        self.lines = QVBoxLayout()
        self.lines.setSpacing(6)
        body.addLayout(self.lines)
        self.columns = FigureTable("Columns of the file beside ours")
        self.rows = FigureTable("First rows that differ")
        self.rows_title = TextLabel("First rows that differ", "strong")
        for widget in (self.columns, self.rows_title, self.rows):
            body.addWidget(widget)
            widget.hide()
        body.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        body.addWidget(buttons)
        self.compare()

    def _make_model(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(TextLabel("Compare with the decisions of", "quiet"))
        self.model = ModelBox()
        self.model.offer(self.workspace.document)
        self.model.activated.connect(lambda _index: self.compare())
        row.addWidget(self.model)
        row.addStretch(1)
        return row

    # ------------------------------------------------------------ comparing

    def question(self) -> Reconcile:
        """What the engine is asked to compare."""
        return Reconcile(model=str(self.model.currentData()))

    def compare(self) -> None:
        """Ask the engine; only the newest answer counts."""
        self._show_nothing()
        self._add_line("clock", "quiet", "Comparing every row …")
        self._request.ask(
            self.workspace.document,
            self.question(),
            title="Comparing decisions",
            on_result=self._take,
            on_error=self._take_error,
        )

    def _take(self, found: Reconciliation) -> None:
        self.found = found
        clear_layout(self.lines)
        first, *more = found.sentences
        is_equal = found.agrees
        self._add_line("check" if is_equal else "warning", "gain" if is_equal else "loss", first)
        columns = len([entry for entry in found.columns if entry.different])
        for text in more[columns:]:
            self._add_line("info", "quiet", text)
        self._show_columns(found)
        self._show_rows(found)
        self.adjustSize()

    def _show_nothing(self) -> None:
        self.found = None
        clear_layout(self.lines)
        for widget in (self.columns, self.rows_title, self.rows):
            widget.hide()

    def _take_error(self, error: Exception) -> None:
        self._show_nothing()
        self._add_line("cross", "error", plain_sentences(error))
        self.adjustSize()

    # ------------------------------------------------------------ showing

    def _show_columns(self, found: Reconciliation) -> None:
        header = (
            "Column",
            "Equal",
            "Different",
            "Largest difference",
        )
        rows = tuple(
            (
                Cell(text=entry.column, is_left=True),
                Cell(text=format_count(entry.equal)),
                Cell(
                    text=format_count(entry.different),
                    role="loss" if entry.different else "text",
                ),
                Cell(text="" if entry.letter == "D" else f"{entry.largest:.4g}"),
            )
            for entry in found.columns
        )
        self.columns.show_content(Table(columns=header, rows=rows))
        self.columns.setFixedHeight(self.columns.content_height() + 2)
        self.columns.show()

    def _show_rows(self, found: Reconciliation) -> None:
        entries = [(entry.column, row) for entry in found.columns for row in entry.first[:FIRST]]
        entries.sort(key=lambda pair: pair[1].row)
        header = ("Row", "Column", "In the file", "Ours")
        rows = tuple(
            (
                Cell(text=format_count(row.row), is_left=True, exact=row.where),
                Cell(text=column, is_left=True),
                Cell(text=row.theirs),
                Cell(text=row.ours),
            )
            for column, row in entries[: 2 * FIRST]
        )
        self.rows.show_content(Table(columns=header, rows=rows))
        self.rows.setFixedHeight(self.rows.content_height() + 2)
        for widget in (self.rows_title, self.rows):
            widget.setVisible(bool(rows))

    def _add_line(self, symbol: str, role: str, text: str) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel(symbol, role, 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(TextLabel(text, wraps=True), 1)
        self.lines.addWidget(line)

    def sizeHint(self) -> QSize:
        layout, hint = self.layout(), super().sizeHint()
        if layout is None:
            return hint
        width = max(WIDTH, hint.width())
        return QSize(width, max(hint.height(), layout.totalHeightForWidth(width)))
