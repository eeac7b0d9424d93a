"""Page Data: the rows of the file, what each column is for, which rows count."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.data.limits import not_in_pieces
from core.document.data.results import ColumnDetail, ColumnSummary, TableSummary
from core.document.model import Role
from core.document.results import CodedWarning, WarningCode
from core.document.wording import (
    format_bytes,
)
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.data import ColumnByClass
from gui.pages.data.column_card import ColumnCard
from gui.pages.data.look_bar import PreviewBar
from gui.pages.data.roles_card import RolesCard
from gui.pages.data.rows_card import RowsCard
from gui.pages.data.rows_view import RowsView
from gui.pages.data.words import chip_words
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart, view_part
from gui.session.request import Request
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets import Card, ElidedLabel, IconLabel, Rule, TextLabel, clear_layout
from gui.widgets.card_column import CardColumn, scrolling, side_width
from gui.widgets.tables.rows_model import RowsModel
from payoff.counting import counted

LEFT = 360
CHANGE, FIND = "Change how it is read…", "Find the data file…"
SHOWN_WARNINGS = 2


class DataPage(Page):
    """Roles and rows on the left; the table and the chosen column on the right."""

    read_again_wanted = Signal()
    find_data_wanted = Signal()
    dialog_wanted = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Data", parent)
        self.setAccessibleName("Data")
        self._chosen = ""
        self._shows_all = False  # of the warnings
        self._warnings_shown: tuple[tuple[str, ...], bool] = ((), False)
        self._detail_request = Request(self, session.project, self._send_detail)
        self._detail_key: object = None
        self._build_header()
        self._build_body()
        session.project.summary_changed.connect(self._show_summary)
        session.project.document_changed.connect(self._show_document)
        session.results.outcomes.changed.connect(self._show_document)
        session.report.adopt(PageId.DATA, self)
        self._show_summary(session.project.summary)

    def report_parts(self) -> tuple[ReportPart, ...]:
        """The column in view: its chart has the button."""
        view = self.column.view
        return () if view is None else (view_part(view, [self.column.bars]),)

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.file = ElidedLabel("", "strong")
        self.facts = TextLabel("", "quiet")
        self.header.add_left(self.file)
        self.header.add_left(self.facts)
        self.adding = self._make_adding()
        self.header.add_right(self.adding)
        self.again = QPushButton(CHANGE)
        self.again.clicked.connect(self._on_again)
        self.header.add_right(self.again)
        self.next = QPushButton("Compare models")
        self.next.setProperty("kind", "primary")
        self.next.clicked.connect(lambda: self.session.page_requested.emit(PageId.COMPARE))
        self.header.add_right(self.next)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_left()

    def _fit_left(self) -> None:
        width = side_width(LEFT, self.width())
        self._left.setFixedWidth(width)
        gap = current_theme().sizes.gap
        self._left_area.setFixedWidth(width + gap)  # its bar runs in the gap: cards keep theirs

    def _build_body(self) -> None:
        gap = current_theme().sizes.gap
        row = QHBoxLayout()
        row.setSpacing(0)
        column = self._left = CardColumn()
        left = QVBoxLayout(column)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(gap)
        self.roles = RolesCard(self.session)
        self.roles.column_chosen.connect(self.select_column)
        self.roles.selection_changed.connect(self._mark_columns)
        self.rows = RowsCard(self.session)
        left.addWidget(self.roles, 1)
        left.addWidget(self.rows)
        area = self._left_area = scrolling(column)
        self._fit_left()
        row.addWidget(area)
        right = QVBoxLayout()
        right.setSpacing(gap)
        self.warnings = Card()
        self.warnings.hide()
        right.addWidget(self.warnings)
        right.addWidget(self._table_card(), 1)
        self.column = ColumnCard()
        self.column.bars.refused.connect(self.session.project.post)
        self.column.setFixedHeight(208)  # all other height goes to the rows
        right.addWidget(self.column)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)

    def _table_card(self) -> Card:
        card = Card(margin=1)
        card.body.setSpacing(0)
        self.model = RowsModel(self.session, self)
        self.look = PreviewBar(self.session, self.model)
        card.body.addWidget(self.look)
        card.body.addWidget(Rule())
        self.table = RowsView(self.model)
        self.table.setAccessibleName("Rows of the file")
        self.table.column_chosen.connect(self.select_column)
        self.table.take_away_wanted.connect(self.session.tables.take_away)
        self.table.role_wanted.connect(self.roles.give_role)
        self.table.column_toggled.connect(self.roles.toggle)
        self.columns = self.table.columns
        card.body.addWidget(self.table)
        return card

    def _make_adding(self) -> QPushButton:
        """Whatever can be added to the data, in one menu."""
        button = QPushButton("Add to the data")
        menu = QMenu(button)
        for key, text in (
            ("add_columns", "Columns from another file…"),
            ("add_rows", "Training, validation or test files…"),
            ("derive_column", "A derived column…"),
        ):
            menu.addAction(text).triggered.connect(
                lambda _on=False, key=key: self.dialog_wanted.emit(key)
            )
        button.setMenu(menu)
        return button

    # ------------------------------------------------------------ showing

    def on_shown(self) -> None:
        self._show_document()

    def _show_summary(self, summary: TableSummary | None) -> None:
        if summary is None:
            self.model.show(None)
            self.file.set_full_text("")
            unread = self.session.project.unread
            self.facts.setText(f"Not read. {unread}" if unread else "The file is being read.")
            self.again.setText(FIND if self._is_lost() else CHANGE)
            self._show_warnings(())
            self._detail_key = None
            self.column.show_nothing()
            self.roles.refresh()
            self.rows.refresh()
            return
        data = summary.data
        self.file.set_full_text(Path(data.path).name)
        self.file.setToolTip(data.path)
        parts = f" in {counted(summary.parts, 'part')}" if summary.parts else ""
        self.facts.setText(
            f"{counted(data.rows, 'row')}{parts}, {counted(len(data.columns), 'column')}, "
            f"{format_bytes(data.size_bytes)}"
        )
        self.again.setText("Read again" if summary.parts else CHANGE)
        self._show_what_fits(is_in_parts=data.is_in_parts)
        self.model.show(summary)
        self.table.show_columns(summary, self.session.project.document, self._marked())
        if not self.table.frozen:
            name = self.session.project.document.column_of(Role.ID)
            self.table.freeze((name,) if name is not None else ())
        self._show_warnings(summary.warnings)
        self._detail_key = None
        self.roles.refresh()
        self.rows.refresh()
        known = {column.name for column in summary.columns}
        if self._chosen not in known:
            self._chosen = ""
            self.select_column(self._first_column(summary), reveal=False)
        self._show_document()

    def _is_lost(self) -> bool:
        """Whether the file of the data is not where it was."""
        data = self.session.project.document.data
        return (
            data is not None and bool(self.session.project.unread) and not Path(data.path).exists()
        )

    def _on_again(self) -> None:
        """Read the file in another way; where it is not there, say where it is."""
        if self.session.project.summary is None and self._is_lost():
            self.find_data_wanted.emit()
        else:
            self.read_again_wanted.emit()

    def _show_what_fits(self, *, is_in_parts: bool) -> None:
        """Nothing is added to data that are read in pieces: write it into the parts."""
        self.adding.setEnabled(not is_in_parts)
        self.adding.setToolTip(str(not_in_pieces("new columns")) if is_in_parts else "")

    def _first_column(self, summary: TableSummary) -> str:
        """What is worth a look first: a model's chances, else the outcome, else any column."""
        document = self.session.project.document
        for role in (Role.POSTERIOR, Role.SCORE, Role.PREDICTION, Role.TARGET):
            column = document.column_of(role)
            if column is not None:
                return column
        return summary.columns[0].name

    def _show_warnings(self, warnings: tuple[str, ...]) -> None:
        warnings = tuple(text for text in warnings if not self._is_answered(text))
        if (warnings, self._shows_all) == self._warnings_shown:
            return
        self._warnings_shown = (warnings, self._shows_all)
        clear_layout(self.warnings.body)
        self.warnings.body.setSpacing(4)
        shown = warnings if self._shows_all else warnings[:SHOWN_WARNINGS]
        for warning in shown:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(IconLabel("warning", "loss", 16))
            row.addWidget(TextLabel(warning, wraps=True), 1)
            if warning == shown[-1] and len(warnings) > SHOWN_WARNINGS:
                row.addWidget(self._more_button(warnings))
            self.warnings.body.addLayout(row)
        self.warnings.setVisible(bool(warnings))

    def _is_answered(self, warning: str) -> bool:
        """Whether a warning asks for what has been said since: a weight's kind, a guessed role."""
        if not isinstance(warning, CodedWarning):
            return False
        role = self.session.project.document.role_of(warning.about)
        if warning.code is WarningCode.GUESSED_ROLE:
            return role is None or not role.is_guess
        if warning.code is WarningCode.WEIGHT_KIND:
            return role is None or role.role is not Role.WEIGHT or role.weight_kind is not None
        return False

    def _more_button(self, warnings: tuple[str, ...]) -> QPushButton:
        """Shows the other warnings, or folds them again."""
        rest = len(warnings) - SHOWN_WARNINGS
        words = "Show less" if self._shows_all else f"{rest:d} more…"
        more = QPushButton(words)
        more.setProperty("kind", "link")
        # afterwards: the button goes with the lines, and may not while it is being pressed
        more.clicked.connect(
            lambda: QTimer.singleShot(0, self, lambda: self._toggle_warnings(warnings))
        )
        return more

    def _toggle_warnings(self, warnings: tuple[str, ...]) -> None:
        self._shows_all = not self._shows_all
        self._show_warnings(warnings)

    def _show_document(self, *_ignored: object) -> None:
        document, summary = self.session.project.document, self.session.project.summary
        if self.is_behind:
            self._show_column()  # the report may have it
            return
        self.roles.refresh()
        self.table.show_columns(summary, document, self._marked())
        if summary is not None:
            self._show_warnings(summary.warnings)
        has_models = bool(document.models) and document.target is not None
        self.next.setEnabled(has_models)
        reason = "Name the outcome and at least one model's chances first."
        self.next.setToolTip("" if has_models else reason)
        self._show_column()

    def _show_column(self) -> None:
        column = self._summary_of(self._chosen)
        if column is None:
            return
        document = self.session.project.document
        entry = document.role_of(self._chosen)
        notes = [chip_words(entry, document.target)] if entry is not None else []
        if document.split.where:  # the bars beside count the rows of the filter
            notes.append("all rows of the file")
        self.column.show_summary(column, ", ".join(notes))
        key = (self._chosen, document.data, document.target, document.split.where)
        if key != self._detail_key:
            self._detail_key = key
            self.column.show_view(None, "Being worked out.")
            self._detail_request.renew()

    def _summary_of(self, name: str) -> ColumnSummary | None:
        summary = self.session.project.summary
        if summary is None:
            return None
        return next((column for column in summary.columns if column.name == name), None)

    def _send_detail(self) -> None:
        key = self._detail_key
        if not self._chosen:
            return

        document, question = self.session.project.document, ColumnByClass(column=self._chosen)

        def on_result(result: ColumnDetail) -> None:
            self.session.project.withdraw("column")
            self.column.show_view(show(question, result, Labels.of(document)))

        def on_error(refusal: Exception) -> None:
            self.column.show_view(None, str(refusal))
            self.session.project.post(refusal, about="column")

        self._detail_request.ask(
            document,
            question,
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: key == self._detail_key,
        )

    # ------------------------------------------------------------ choosing a column

    def select_column(self, name: str, reveal: bool = True) -> None:
        """Choose a column here, in the list of roles and in the table's header.

        ``reveal`` False leaves the table scrolled to its left edge, as when a file is first shown.
        """
        if name == self._chosen or self._summary_of(name) is None:
            return
        self._chosen = name
        self.roles.choose(name)
        self.table.show_columns(
            self.session.project.summary, self.session.project.document, self._marked()
        )
        place = self._place_of(name)
        current = self.table.currentIndex()
        if reveal and current.column() != place:
            row = max(0, current.row())
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            index = self.model.index(row, place)
            self.table.selectionModel().setCurrentIndex(index, flag)
            self.table.scrollTo(index)
        self._show_column()

    def _marked(self) -> tuple[str, ...]:
        """The columns that the table's header marks."""
        several = self.roles.chosen_columns()
        return several if len(several) > 1 else (self._chosen,)

    def _mark_columns(self) -> None:
        document, summary = self.session.project.document, self.session.project.summary
        self.table.show_columns(summary, document, self._marked())

    def chosen_column(self) -> str:
        """The column that is chosen."""
        return self._chosen

    def _place_of(self, name: str) -> int:
        summary = self.session.project.summary
        names = [column.name for column in summary.columns] if summary is not None else []
        return names.index(name) if name in names else -1
