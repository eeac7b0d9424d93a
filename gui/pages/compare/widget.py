"""Page Compare: which model is best, how sure is that, and what does it look like by depth."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document
from gui.frame.page_list import PageId
from gui.pages.compare.chart_grid import ChartGrid
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.metric_table import MetricTable
from gui.pages.compare.on_report import parts_of
from gui.pages.compare.questions import QuestionRow
from gui.pages.page import Page
from gui.parts import Card, ElidedLabel, IconLabel, NumberField, TextLabel
from gui.parts.veil import Veil
from gui.report.parts import ReportPart
from gui.workspace import Workspace

_MOST_COMBO = 240
ROOM_FOR_WORDS = 1300  # a narrower page leaves out the words beside the cursor's field


class ComparePage(Page):
    """Header, metric table and charts; a ``ComparePresenter`` fills them."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        from gui.pages.compare.presenter import ComparePresenter

        super().__init__(workspace, "", parent)
        self.header.title.setText("Compare")
        self.setAccessibleName("Compare")
        self._make_header()
        self.table = MetricTable()
        self.footer = TableFooter()
        self.warning = ElidedLabel("", "plainNote", mode=Qt.TextElideMode.ElideRight)
        self.grid = ChartGrid()
        self.stack = QStackedWidget()
        self.stack.addWidget(self._make_full())
        self.stack.addWidget(self._make_empty())
        self.body.addWidget(self.stack)
        self.presenter = ComparePresenter(workspace, self)

    def on_shown(self) -> None:
        self.presenter.refresh()

    def show_part(self, part: str) -> None:
        getattr(self.presenter.studies, part)()

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self)

    def report_document(self) -> Document | None:
        is_fresh = self.workspace.decisions_are_fresh  # the profit chart is of the totals
        return (self.workspace.evaluated or self.workspace.document) if is_fresh else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.cursor_text.setVisible(self.width() >= ROOM_FOR_WORDS)
        self._fit_decide()

    def show_decide(self, words: str) -> None:
        """What the button to page Decide says; "Decide" alone where the header has no more room."""
        self._decide_words = words
        self._fit_decide()

    def _fit_decide(self) -> None:
        self.decide_button.setText(self._decide_words)
        words = self.cursor_text  # they shorten themselves: they have what the button leaves
        may_shrink = not words.isHidden()
        spare = words.sizeHint().width() - words.minimumWidth() if may_shrink else 0
        if self.header.needed_width() - spare > self.width():
            self.decide_button.setText("Decide")
        self.decide_button.setToolTip(self._decide_words)

    # ------------------------------------------------------------ building

    def _make_header(self) -> None:
        self.data_choice = _combo()
        self.reference_choice = _combo()
        self.level_choice = _combo()
        self.cursor_field = NumberField(
            0.0, decimals=1, minimum=0.0, maximum=1.0, unit="%", factor=100.0, step=1.0
        )
        self.cursor_field.setFixedWidth(76)
        self.cursor_text = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.cursor_text.setMinimumWidth(40)
        words = (
            "The share of the cases that is acted on, best first by the reference model, how many "
            "cases that is, and the score of the last of them."
        )
        self.cursor_field.setWhatsThis(words)
        self.cursor_text.setWhatsThis(words)
        self.metrics_button = QPushButton("Metrics…")
        self.charts_button = QPushButton("Charts…")
        self.studies_button = QPushButton("Studies")
        self.report_button = self.join_report(PageId.COMPARE)
        self._decide_words = "Decide"
        self.decide_button = QPushButton(self._decide_words)
        self.decide_button.setProperty("kind", "primary")
        self.header.add_left(self.data_choice, "Data")
        self.header.add_left(self.reference_choice, "Reference")
        self.level_caption = TextLabel("Event", "quiet")
        self.level_choice.setAccessibleName("Event")
        self.header.left.addWidget(self.level_caption)
        self.header.left.addWidget(self.level_choice)
        self.header.add_left(self.cursor_field, "Cursor")
        self.cursor_field.setAccessibleName("Depth of the cursor in percent")
        self.header.left.addWidget(self.cursor_text, 1)
        for button in (
            self.metrics_button,
            self.charts_button,
            self.studies_button,
            self.report_button,
        ):
            self.header.add_right(button)
        self.header.add_right(self.decide_button)

    def _make_full(self) -> QWidget:
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        card = Card(margin=12)
        card.body.setContentsMargins(12, 6, 12, 7)
        card.body.setSpacing(6)
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.warning_row = QWidget()
        row = QHBoxLayout(self.warning_row)
        row.setContentsMargins(0, 2, 0, 0)
        row.addWidget(IconLabel("warning", "loss", 16))
        row.addWidget(self.warning, 1)
        card.body.addWidget(self.warning_row)
        self.question = QuestionRow()
        card.body.addWidget(self.question)
        card.body.addWidget(self.table)
        card.body.addWidget(self.footer)
        column.addWidget(card)
        column.addWidget(self.grid, 1)
        self.table_veil, self.grid_veil = Veil(card), Veil(self.grid)
        return full

    def _make_empty(self) -> QWidget:
        """What stands here while nothing can be compared: one sentence and the button."""
        card = QFrame()
        card.setProperty("card", "true")
        column = QVBoxLayout(card)
        column.addStretch(1)
        self.empty_text = TextLabel("", "lead", wraps=True)
        self.empty_text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_button = QPushButton()
        self.empty_button.setProperty("kind", "primary")
        column.addWidget(self.empty_text)
        column.addSpacing(12)
        column.addWidget(self.empty_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return card


def _combo() -> QComboBox:
    combo = QComboBox()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.setMaximumWidth(_MOST_COMBO)
    combo.setMinimumContentsLength(6)
    return combo
