"""The tab Cases: the list of cases, sorted and filtered, and the picture of own break-evens."""

from __future__ import annotations

from typing import cast

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document, Role
from core.document.studies.cases import (
    CaseCloud,
    CasesPage,
)
from core.document.wording import format_money, format_share
from core.engine.messages import Ask
from core.presentation.labels import Labels, capitalised
from core.questions.decide import CasesAsPoints, CasesOneByOne
from gui.jobs.request import Request
from gui.models.cases_model import PAGE, CaseColumn, CasesModel
from gui.pages.decide.studies.case_cloud import CaseCloudChart
from gui.pages.decide.studies.study import Study
from gui.parts import Segments, TextLabel
from gui.theme import current_theme, tabular, text_font
from gui.workspace import Workspace
from payoff.counting import counted, counted_of

LIST, CLOUD = "list", "cloud"
ROOM = 14  # beside the words of a column
ALL, WITHIN = "\0all", "\0within"


class CasesStudy(Study):
    """A virtual list of millions of cases; a click on a head sorts."""

    asks = CasesOneByOne

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._sort, self._is_descending = "expected", True
        self._first: Ask[CasesOneByOne] | None = None
        self._cloud_of: Ask[CasesAsPoints] | None = None
        self._cloud_request = Request(self, workspace)
        self.model = CasesModel(workspace, self)
        self.table = self._make_table()
        self.cloud = CaseCloudChart()
        self.cloud.refused.connect(workspace.post)
        self.cloud_words = TextLabel("", "note", wraps=True)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.table)
        self.pages.addWidget(self._make_cloud_page())
        self.body.addLayout(self._make_top())
        self.body.addWidget(self.pages, 1)

    def title(self) -> str:
        return "Cases"

    def _make_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(2, 2, 0, 0)
        row.setSpacing(8)
        self.filter = QComboBox()
        self.filter.setProperty("small", True)
        self.filter.setAccessibleName("Which cases are listed")
        self.filter.activated.connect(lambda _place: self.refresh())
        self.count = TextLabel("", "note")
        self.view_choice = Segments(
            ((LIST, "List"), (CLOUD, "Break-evens")),
            name="How cases are shown",
        )
        self.view_choice.choose(LIST)
        self.view_choice.chosen.connect(self._on_view)
        row.addWidget(self.filter)
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

    def _make_cloud_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.cloud, 1)
        column.addWidget(self.cloud_words)
        return page

    # ------------------------------------------------------------ asking

    def wish(self, document: Document) -> CasesOneByOne | None:
        self._show_filter(document)
        chosen = self.filter.currentData()
        return CasesOneByOne(
            model=document.reference_model or document.models[0].name,
            sort=self._sort,
            is_descending=self._is_descending,
            decision=None if chosen in (ALL, WITHIN) else str(chosen),
            within=self.workspace.cursor_depth if chosen == WITHIN else None,
            start=0,
            count=PAGE,
        )

    def _show_filter(self, document: Document) -> None:
        result = self.workspace.decisions
        matrix = document.matrix
        names = result.decisions if result is not None else matrix.decisions if matrix else ()
        wanted = [ALL, WITHIN, *names, ""]
        if [self.filter.itemData(place) for place in range(self.filter.count())] == wanted:
            return
        kept = self.filter.currentData()
        self.filter.clear()
        self.filter.addItem(f"All {document.case_word[1]}", ALL)
        self.filter.addItem("Down to the cursor", WITHIN)
        for name in names:
            self.filter.addItem(name, name)
        self.filter.addItem("Without a decision", "")
        self.filter.setCurrentIndex(max(0, self.filter.findData(kept)))

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
        self.filter.setEnabled(key == LIST)
        self._ask_cloud()

    def _ask_cloud(self) -> None:
        """The picture is worked out when it is looked at."""
        if self._first is None or self.pages.currentIndex() == 0:
            return
        document, model = self._first.document, self._first.question.model
        wish = Ask.of(document, CasesAsPoints(model=model))
        if wish == self._cloud_of:
            return
        self._cloud_of = wish
        self._wait_for_cloud("Being worked out…")
        self._cloud_request.ask(
            document,
            wish.question,
            on_result=self._show_cloud,
            on_error=lambda refusal: self._wait_for_cloud(str(refusal)),
            is_wanted=lambda: wish == self._cloud_of,
        )

    def _wait_for_cloud(self, words: str) -> None:
        self.cloud.wait(words)
        self.cloud_words.hide()

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: CasesPage) -> None:
        assert self._shown is not None
        self._first = cast("Ask[CasesOneByOne]", self._shown)
        words = Labels.of(document, self.workspace.decisions)
        before = [column.key for column in self.model.columns]
        columns = case_columns(document, words, answer)
        self.model.show(self._first, answer, columns, words.currency, is_loss=words.is_loss)
        shown = counted(answer.cases, *document.row_word)
        if answer.cases < answer.all_cases:
            shown = counted_of(answer.cases, answer.all_cases, *document.row_word)
        self.count.setText(shown)
        self.count.setToolTip("A click on the head of a column sorts by it.")
        self.model.show_sort(self._sort, is_descending=self._is_descending)
        if before != [column.key for column in columns]:
            self._fit()
        self._ask_cloud()

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

    def _show_cloud(self, answer: CaseCloud) -> None:
        document = self.workspace.document
        words = Labels.of(document, self.workspace.decisions)
        model = document.model(document.reference_model or "")
        self.cloud.show_cloud(answer, words, model.series if model is not None else 0)
        self.cloud_words.setText("" if answer.reason else cloud_sentence(answer, words))
        self.cloud_words.setVisible(not answer.reason)


def cloud_sentence(cloud: CaseCloud, words: Labels) -> str:
    """What own break-evens bring over one for all."""
    mean = format_share(cloud.mean_break_even)
    text = f"By its own break-even {format_share(cloud.acted_share)} of {words.cases} are "
    text += f"{words.done}; with one break-even for all, the mean {mean}, it would be "
    text += f"{format_share(cloud.acted_share_at_mean)}. "
    promised = format_money(abs(cloud.expected_gain), words.currency)
    came = format_money(abs(cloud.realised_gain), words.currency)
    verbs = words.verbs
    hope, truth = verbs.more(cloud.expected_gain), verbs.more(cloud.realised_gain)
    verb = "to lose " if words.is_loss else ""
    text += f"The own ones promise {verb}{promised} {hope}; "
    return f"{text}they really {verbs.brought} {came} {truth}."


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
