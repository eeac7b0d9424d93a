"""The tab Cases: the list of cases, sorted and filtered, and the picture of own break-evens."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QWidget,
)

from core.document.model import Document
from core.document.studies.decided_cases import CasesPage
from core.engine.messages import Ask
from core.presentation.labels import Labels
from core.questions.decide import CasesOneByOne
from core.questions.decide_fields import ALL, WITHIN, which_cases
from gui.pages.decide.studies.case_cloud import CaseCloudStudy
from gui.pages.decide.studies.study import Study
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme, tabular, text_font
from gui.widgets import Segments, TextLabel
from gui.widgets.fields.form import Form, FormLayout
from gui.widgets.tables.cases_model import CasesModel
from gui.widgets.tables.column_widths import MARGIN
from gui.widgets.tables.copying import CopyingTable
from gui.widgets.tables.paged_model import PAGE
from payoff.counting import counted, counted_of

LIST, CLOUD = "list", "cloud"


class CasesStudy(Study):
    """A virtual list of millions of cases; a click on a head sorts."""

    asks = CasesOneByOne
    least_height = 120  # the list scrolls by itself

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._sort, self._is_descending = "expected", True
        self._which = ALL
        self.model = CasesModel(session, self)
        self.table = self._make_table()
        self.cloud = CaseCloudStudy(session)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.table)
        self.pages.addWidget(self.cloud)
        self.body.addLayout(self._make_top())
        self.body.addWidget(self.pages, 1)

    def title(self) -> str:
        return "Cases"

    def _make_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(2, 2, 0, 0)
        row.setSpacing(8)
        self.form = Form(FormLayout.LINE, is_small=True)
        self.form.changed.connect(self._on_which)
        self.count = TextLabel("", "note")
        self.view_choice = Segments(
            ((LIST, "List"), (CLOUD, "Break-evens")),
            name="How cases are shown",
        )
        self.view_choice.choose(LIST)
        self.view_choice.chosen.connect(self._on_view)
        row.addWidget(self.form)
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.view_choice)
        return row

    def _make_table(self) -> CopyingTable:
        table = CopyingTable()
        table.setModel(self.model)
        table.setAccessibleName("Cases")
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        row = current_theme().sizes.row
        table.verticalHeader().setMinimumSectionSize(row)
        table.verticalHeader().setDefaultSectionSize(row)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        table.verticalHeader().setDefaultAlignment(right)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.sectionClicked.connect(self._on_head)
        table.activated.connect(lambda index: self._explain(index.row()))
        return table

    def _explain(self, place: int) -> None:
        """Let the inputs of a case be moved on page Explain, by the model that decides it."""
        document, row = self.session.project.document, self.model.row_of(place)
        trained = [entry.name for entry in document.models if entry.trained is not None]
        if row is None or not trained:
            return
        self.session.page_requested.emit(PageId.EXPLAIN)
        model = document.outcome_reference
        if model in trained:
            self.session.explain_requested.emit(model)
        self.session.case_requested.emit(row)

    def report_parts(self) -> tuple[ReportPart, ...]:
        return self.cloud.report_parts()

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        super().refresh()
        self.cloud.refresh()

    def request_for(self, document: Document) -> CasesOneByOne | None:
        field = which_cases(self._which, document, self.session.results.decisions)
        chosen = self._which = str(field.value)
        self.form.show_fields((field,))
        return CasesOneByOne(
            model=document.outcome_reference,
            sort=self._sort,
            is_descending=self._is_descending,
            decision=None if chosen in (ALL, WITHIN) else chosen,
            within=self.session.results.cursor_depth if chosen == WITHIN else None,
            start=0,
            count=PAGE,
        )

    def _on_which(self, _name: str, value: str) -> None:
        self._which = value
        self.refresh()

    def _on_head(self, section: int) -> None:
        sort = self.model.columns[section].sort
        if not sort:
            return
        is_same = sort == self._sort
        self._is_descending = not self._is_descending if is_same else sort not in ("id", "gap")
        self._sort = sort
        self.refresh()

    def _on_view(self, key: str) -> None:
        self.pages.setCurrentIndex(1 if key == CLOUD else 0)
        self.form.setEnabled(key == LIST)

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: CasesPage) -> None:
        assert self._shown is not None
        first = cast("Ask[CasesOneByOne]", self._shown)
        before = [column.key for column in self.model.columns]
        self.model.show(first, answer, Labels.of(document, self.session.results.decisions))
        shown = counted(answer.cases, *document.row_word)
        if answer.cases < answer.all_cases:
            shown = counted_of(answer.cases, answer.all_cases, *document.row_word)
        self.count.setText(shown)
        explains = any(entry.trained is not None for entry in document.models)
        more = " A double click on a case, or Enter, explains it." if explains else ""
        self.count.setToolTip(f"A click on the head of a column sorts by it.{more}")
        self.model.show_sort(self._sort, is_descending=self._is_descending)
        if before != [column.key for column in self.model.columns]:
            self._fit()

    def _fit(self) -> None:
        """Columns as wide as the widest of what the first page shows; the last takes the rest."""
        head = self.table.horizontalHeader()
        head.setStretchLastSection(True)
        heads, cells = QFontMetrics(text_font("note")), QFontMetrics(tabular(self.table.font()))
        for place, column in enumerate(self.model.columns):
            mark = heads.horizontalAdvance(" ▾") if column.sort else 0
            needed = heads.horizontalAdvance(column.head) + mark
            for text in self.model.texts(place):
                needed = max(needed, cells.horizontalAdvance(text))
            head.resizeSection(place, needed + MARGIN)
