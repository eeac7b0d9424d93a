"""The tab Cases: the list of cases, sorted and filtered, and the picture of own break-evens."""

from __future__ import annotations

from typing import cast

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTableView,
    QWidget,
)

from core.document.model import Document, Role
from core.document.studies.cases import CasesPage
from core.engine.messages import Ask
from core.presentation.labels import Labels, capitalised
from core.questions.decide import CasesOneByOne
from core.questions.decide_fields import ALL, WITHIN, which_cases
from gui.pages.decide.studies.case_cloud import CaseCloudStudy
from gui.pages.decide.studies.study import Study
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.theme import current_theme, tabular, text_font
from gui.widgets import Segments, TextLabel
from gui.widgets.fields.form import Form, FormLook
from gui.widgets.tables.cases_model import PAGE, CaseColumn, CasesModel
from gui.widgets.tables.column_widths import ROOM
from payoff.counting import counted, counted_of

LIST, CLOUD = "list", "cloud"


class CasesStudy(Study):
    """A virtual list of millions of cases; a click on a head sorts."""

    asks = CasesOneByOne

    def __init__(self, workspace: Session, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._sort, self._is_descending = "expected", True
        self._which = ALL
        self.model = CasesModel(workspace, self)
        self.table = self._make_table()
        self.cloud = CaseCloudStudy(workspace)
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
        self.form = Form(FormLook.LINE, is_small=True)
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

    def _make_table(self) -> QTableView:
        table = QTableView()
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
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.sectionClicked.connect(self._on_head)
        return table

    def report_parts(self) -> tuple[ReportPart, ...]:
        return self.cloud.report_parts()

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        super().refresh()
        self.cloud.refresh()

    def wish(self, document: Document) -> CasesOneByOne | None:
        field = which_cases(self._which, document, self.workspace.results.decisions)
        chosen = self._which = str(field.value)
        self.form.show_fields((field,))
        return CasesOneByOne(
            model=document.reference_model or document.models[0].name,
            sort=self._sort,
            is_descending=self._is_descending,
            decision=None if chosen in (ALL, WITHIN) else chosen,
            within=self.workspace.results.cursor_depth if chosen == WITHIN else None,
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
        words = Labels.of(document, self.workspace.results.decisions)
        before = [column.key for column in self.model.columns]
        columns = case_columns(document, words, answer)
        self.model.show(first, answer, columns, words.currency, is_loss=words.is_loss)
        shown = counted(answer.cases, *document.row_word)
        if answer.cases < answer.all_cases:
            shown = counted_of(answer.cases, answer.all_cases, *document.row_word)
        self.count.setText(shown)
        self.count.setToolTip("A click on the head of a column sorts by it.")
        self.model.show_sort(self._sort, is_descending=self._is_descending)
        if before != [column.key for column in columns]:
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
            head.resizeSection(place, needed + ROOM)


def case_columns(document: Document, words: Labels, page: CasesPage) -> tuple[CaseColumn, ...]:
    """The columns that there is something to show in."""
    amount, money = words.amount, words.currency
    name = document.column_of(Role.ID) or words.case
    event = document.target.label(document.target.event) if document.target else "event"
    columns = [
        CaseColumn(key="id", head=name, sort="id", is_left=True),
        CaseColumn(key="chance", head="Chance", help=f"Chance of “{event}”", sort="chance"),
        CaseColumn(key="decision", head="Decision", help="By the rule", is_left=True),
        CaseColumn(
            key="expected",
            head=f"Expected, {money}",
            help=f"Expected {amount} of the decision (EP_)",
            sort="expected",
        ),
        CaseColumn(
            key="gap",
            head="Gap",
            help="Expected advantage over the second best decision: small = nearly a toss-up",
            sort="gap",
        ),
        CaseColumn(key="outcome", head="Outcome", is_left=True),
        CaseColumn(
            key="computed",
            head="Realised",
            help=f"{capitalised(amount)} that the decision really brought (CP_)",
            sort="computed",
        ),
        CaseColumn(
            key="best",
            head="Best possible",
            help="With the outcome known beforehand (BP_)",
            sort="best",
        ),
    ]
    if page.roi is not None:
        columns.append(
            CaseColumn(
                key="roi",
                head="ROI",
                help="What was won, less than 0 for a loss, by cost (ROI_)"
                if words.is_loss
                else "Realised by cost (ROI_)",
                sort="roi",
            )
        )
    if page.break_even is not None:
        columns.append(
            CaseColumn(
                key="break_even",
                head="Own break-even",
                help="The chance at which acting on this case begins to pay",
            )
        )
    columns.append(
        CaseColumn(key="marks", head="Marks", help="Why a case counts in no total", is_left=True)
    )
    return tuple(columns)
