"""What train, validation and test rows have in common, by id and by value."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from core.document.data.model import RowUse
from core.document.studies.data import Overlap, OverlapLine
from core.document.wording import format_count
from core.presentation.view import Cell, Table
from core.questions.data import RowsInCommon
from gui.pages.data.words import USE_WORDS
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import FittedDialog, dialog_column
from gui.widgets.message_lines import MessageLines
from gui.widgets.notice import plain_sentences
from gui.widgets.tables.figure_table import ResultTable

WIDTH = 640


class OverlapDialog(FittedDialog):
    """Which cases two uses of the rows share: looked for as soon as it opens."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.found: Overlap | None = None
        body = dialog_column(self, "Rows in common", width=WIDTH)
        hint = (
            "A case that trained a model and tests it as well makes the model look better than it "
            "is."
        )
        body.addWidget(TextLabel(hint, "quiet", wraps=True))
        self.lines = MessageLines()
        body.addWidget(self.lines)
        self.table = ResultTable("Rows in common")
        self.table.hide()
        body.addWidget(self.table)
        body.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        body.addWidget(buttons)
        self.lines.add("clock", "quiet", "Comparing every row …")
        Request(self, session.project).ask(
            session.project.document,
            RowsInCommon(),
            title="Comparing rows",
            on_result=self._take,
            on_error=self._take_error,
        )

    def _take(self, found: Overlap) -> None:
        self.found = found
        self.lines.clear()
        across = [line for line in found.lines if line.uses[0] != line.uses[1]]
        if across:
            self.lines.add_warning("Some cases are in more than one use.")
        else:
            self.lines.add_good("No case is in more than one use.")
        if found.id_column is None:
            self.lines.add_info(
                "No column has the role of a name: rows are compared by value only."
            )
        header = (
            "Compared by",
            "First",
            "Second",
            "Rows of the second",
            "For example",
        )
        rows = tuple(self._row(line, found) for line in found.lines)
        self.table.show_content(Table(columns=header, rows=rows))
        self.table.setFixedHeight(self.table.content_height() + 2)
        self.table.setVisible(bool(rows))
        self.fit()

    def _row(self, line: OverlapLine, found: Overlap) -> tuple[Cell, ...]:
        by = found.id_column if line.what == "id" else "all values"
        is_across = line.uses[0] != line.uses[1]
        first, second = (USE_WORDS[RowUse(use)] for use in line.uses)
        pair = "rows {} and {}".format(*tuple(format_count(row) for row in line.first))
        return (
            Cell(text=by or "", is_left=True),
            Cell(text=first, is_left=True),
            Cell(text=second if is_across else "the same", is_left=True),
            Cell(text=format_count(line.rows), role="loss" if is_across else "text"),
            Cell(text=f"{line.example}, {pair}" if line.example else pair, is_left=True),
        )

    def _take_error(self, error: Exception) -> None:
        self.lines.clear()
        self.lines.add_error(plain_sentences(error))
        self.table.hide()
