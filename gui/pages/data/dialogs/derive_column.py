"""Work a column out from others; what it gives is shown while the expression is written."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QWidget,
)

from core.document.data.expressions import quoted
from core.document.data.model import DerivedColumn
from core.document.studies.data import ExpressionResult
from core.document.wording import (
    NBSP,
)
from core.questions.data import TryExpression
from gui.pauses import PAUSES
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.message_lines import MessageLines
from payoff.counting import counted

WIDTH = 620
EXAMPLES = (
    "log(income)",
    "ratio(loan, value)",
    "bands(age, 30, 45, 60)",
    'if(region = "N", 1, 0)',
    "min(score, 100) / 100",
    "balance is missing",
)


class DeriveColumnDialog(QDialog):
    """A name, an expression, and its first values."""

    changes_table = True  # it closes by itself when they are there

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.found: ExpressionResult | None = None
        body = dialog_column(self, "Derive a column", width=WIDTH, spacing=10)
        body.addLayout(self._make_fields())
        examples = "   ".join(example.replace(" ", NBSP) for example in EXAMPLES)
        shown = f"For example: {examples}"  # lines break between examples only
        body.addWidget(TextLabel(shown, "note", wraps=True))
        self.lines = MessageLines()
        body.addWidget(self.lines)
        body.addStretch(1)
        body.addWidget(self._make_buttons())
        self._request = Request(self, session.project, self._send, pause=PAUSES.derived_column)
        self._show()

    def _make_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.name = TextField()
        self.name.setAccessibleName("Name")
        self.name.textChanged.connect(self._show)
        self.text = TextField()
        self.text.setAccessibleName("Expression")
        self.text.textChanged.connect(self._changed)
        self.insert = ChoiceBox()
        self.insert.setAccessibleName("Insert a column")
        self.insert.setPlaceholderText("Insert a column…")
        data = self.session.project.document.data
        self.insert.addItems(list(data.columns) if data is not None else [])
        self.insert.setCurrentIndex(-1)
        self.insert.activated.connect(self._insert)
        grid.addWidget(TextLabel("Name", "quiet"), 0, 0)
        grid.addWidget(self.name, 0, 1)
        grid.addWidget(TextLabel("=", "quiet"), 1, 0, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.text, 1, 1)
        grid.addWidget(self.insert, 2, 1, Qt.AlignmentFlag.AlignLeft)
        return grid

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, self.add = dialog_buttons(self, "Add column", self.take)
        return buttons

    def _insert(self, place: int) -> None:
        self.text.insert(quoted(self.insert.itemText(place)))
        self.insert.setCurrentIndex(-1)
        self.text.setFocus()

    # ------------------------------------------------------------ trying

    def _changed(self) -> None:
        self.found = None
        self._show()
        self._request.renew_later()

    def _send(self) -> None:
        text = self.text.text().strip()
        if not text:
            return

        def on_result(result: ExpressionResult) -> None:
            self.found = result
            self._show()

        self._request.ask(
            self.session.project.document,
            TryExpression(text=text),
            on_result=on_result,
            is_wanted=lambda: text == self.text.text().strip(),
        )

    # ------------------------------------------------------------ showing

    def _show(self) -> None:
        name, result = self.name.text().strip(), self.found
        data = self.session.project.document.data
        self.lines.clear()
        is_taken = data is not None and name in data.columns
        if is_taken:
            self.lines.add_error(f"There is a column called “{name}” already.")
        if result is not None and result.refusal:
            self.lines.add_error(result.refusal)
        elif result is not None:
            self._tell(result)
        is_whole = result is not None and not result.refusal
        self.add.setEnabled(bool(name) and not is_taken and is_whole)

    def _tell(self, result: ExpressionResult) -> None:
        kinds = {
            "number": "Numbers",
            "text": "Texts",
            "boolean": "True or false",
        }
        shown = (value or "(missing)" for value in result.examples)
        values = ", ".join(value.replace(" ", NBSP) for value in shown)
        self.lines.add_good(f"{kinds[result.kind]}: {values}\u00a0…")
        for reason, count in result.lost:
            self.lines.add_warning(f"Missing in {counted(count, 'row')}: {reason}.")
        rest = result.missing - sum(count for _reason, count in result.lost)
        if rest > 0:
            text = "Missing in %s: a value that it needs is missing."
            self.lines.add_info(text % counted(rest, "row"))

    def take(self) -> None:
        """Add the column; the dialog closes once it is there."""
        self.add.setEnabled(False)
        column = DerivedColumn(name=self.name.text().strip(), text=self.text.text().strip())
        self.session.tables.derive(column, self._ended, of=self)

    def _ended(self, error: Exception | None) -> None:
        if error is None:
            self.accept()
            return
        self.lines.clear()
        self.lines.add_error(str(error))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 300)
