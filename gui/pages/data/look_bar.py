"""Above the table: search, and the row filter that every number follows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.data.commands import SetRowFilter
from core.document.studies.data import ExpressionResult
from core.document.wording import format_count
from core.questions.data import TryExpression
from gui.pauses import PAUSES, single_shot
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import HelpButton, HelpText, TextField, TextLabel, set_text_role
from gui.widgets.tables.rows_model import RowsModel
from payoff.counting import counted, counted_of

SEARCH_WIDTH = 190


class PreviewBar(QWidget):
    """Search looks only; the filter is part of the project."""

    def __init__(self, session: Session, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._found: ExpressionResult | None = None
        self._shown_of = ("", "")  # file and filter of the document, when it was shown last
        body = QVBoxLayout(self)
        body.setContentsMargins(11, 9, 11, 9)
        body.setSpacing(6)
        body.addLayout(self._make_row())
        self.note = TextLabel("", "note", wraps=True)
        self.note.hide()
        body.addWidget(self.note)
        self._request = Request(self, session.project, self._send, pause=PAUSES.rows)
        self._search_timer = single_shot(self, PAUSES.rows, self._search)
        self.filter.textEdited.connect(self._edited)
        self.filter.returnPressed.connect(self.take)
        self.search.textChanged.connect(lambda _text: self._search_timer.start())
        session.project.document_changed.connect(self.refresh)
        model.total_changed.connect(self._show_total)
        self.refresh()

    def _make_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.search = TextField()
        self.search.setPlaceholderText("Search the rows")
        self.search.setAccessibleName("Search the rows")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(SEARCH_WIDTH)
        self.filter = TextField()
        self.filter.setPlaceholderText('age >= 30 and region = "N"')
        self.filter.setAccessibleName("Use only rows where")
        caption = TextLabel("Use only rows where", "quiet")
        caption.setBuddy(self.filter)
        self.use = QPushButton("Use")
        self.use.clicked.connect(self.take)
        self.clear = QPushButton("All rows")
        self.clear.clicked.connect(self.use_all)
        self.only = QCheckBox("Show only these")
        self.only.toggled.connect(self._toggle_only)
        row.addWidget(self.search)
        row.addWidget(caption)
        row.addWidget(self.filter, 1)
        for widget in (self.use, self.clear, self.only):
            row.addWidget(widget)
        row.addWidget(HelpButton(self._help()))
        return row

    def _help(self) -> HelpText:
        return HelpText(
            title="Row filter",
            text=(
                "Every number of the program then comes from the rows for which this is true, and "
                "says so. Rows where it cannot be told, because a value is missing, are left out "
                "and counted. Names with spaces stand in [brackets], texts in quotes."
            ),
            formula='+ - * /   = <> < <= > >=   and or not   in ("a", "b")   is missing   '
            "log exp sqrt abs min max if bands ratio contains",
        )

    # ------------------------------------------------------------ showing

    def refresh(self, *_ignored: object) -> None:
        """Show the filter of the document where it is another; what was written waits for Use."""
        document = self._session.project.document
        where = document.split.where
        shown = (document.data.path if document.data is not None else "", where)
        if shown != self._shown_of:
            self._shown_of = shown
            self.filter.setText(where)
        self._show_buttons()
        if not where and self.only.isChecked():
            self.only.setChecked(False)
        self._model.read_again()
        if self._found is not None and self._found.text != self.filter.text().strip():
            self._found = None
        self._show_note()

    def _show_buttons(self) -> None:
        where, text = self._session.project.document.split.where, self.filter.text().strip()
        self.use.setVisible(text != where)
        self.use.setEnabled(not (self._found and self._found.refusal))
        self.clear.setVisible(bool(where) and text == where)
        self.only.setVisible(bool(where))

    def _show_note(self) -> None:
        found, text = self._found, ""
        if found is not None and found.refusal:
            text = found.refusal
        elif found is not None:
            text = f"True for {counted_of(found.true, found.rows, 'row')}."
            if found.missing:
                text += (
                    " " + f"Not known for {format_count(found.missing)}, where a value is missing."
                )
        set_text_role(self.note, "error" if found is not None and found.refusal else "note")
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_total(self, total: int) -> None:
        if self._model.order.search:
            self.search.setToolTip(counted(total, "row holds", "rows hold") + " it")
            self._found = None
            set_text_role(self.note, "note")
            self.note.setText(
                f"{counted(total, 'row holds', 'rows hold')} “{self._model.order.search}”."
            )
            self.note.show()

    # ------------------------------------------------------------ answering

    def _edited(self, _text: str) -> None:
        self._found = None
        self._show_buttons()
        self._show_note()
        self._request.renew_later()

    def _send(self) -> None:
        text = self.filter.text().strip()
        if not text or self._session.project.summary is None:
            return

        data = self._session.project.document.data

        def is_wanted() -> bool:
            now = self.filter.text().strip(), self._session.project.document.data
            return (text, data) == now

        def on_result(result: ExpressionResult) -> None:
            self._found = result
            self._show_buttons()
            self._show_note()

        self._request.ask(
            self._session.project.document,
            TryExpression(text=text, is_filter=True),
            on_result=on_result,
            is_wanted=is_wanted,
        )

    def take(self) -> None:
        """Use the rows for which the condition is true."""
        if self._found is not None and self._found.refusal:
            return
        if self._session.project.execute(SetRowFilter(where=self.filter.text())):
            self._session.project.finish_editing()
            self.filter.setCursorPosition(0)  # a long condition is read from its beginning
            self._request.renew()

    def use_all(self) -> None:
        """Use all rows again."""
        self.filter.replace_text("")
        self._found = None
        self._session.project.execute(SetRowFilter(where=""))
        self._session.project.finish_editing()

    def _search(self) -> None:
        text = self.search.text().strip()
        self._model.set_order(replace(self._model.order, search=text))
        if not text:
            self._show_note()

    def _toggle_only(self, is_on: bool) -> None:
        self._model.set_order(replace(self._model.order, only_used=is_on))
