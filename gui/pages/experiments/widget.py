"""Page Experiments: parts at the left, loss distributions growing at the right, tables below."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.experiments.spec import PROTOCOLS, SAMPLERS
from core.document.model import Document
from core.document.studies.iterations import CHOOSING, SHRINKAGE
from gui.frame.page_list import PageId
from gui.models.text_table import TextTableModel
from gui.pages.experiments.charts import HistogramChart, ViolinChart
from gui.pages.experiments.on_report import parts_of
from gui.pages.experiments.parts_card import PartsCard, help_of_page
from gui.pages.experiments.runs_model import RunsModel
from gui.pages.experiments.words import study_title
from gui.pages.page import Page
from gui.parts import Card, ElidedLabel, HelpButton, Segments, TextLabel
from gui.report.parts import ReportPart
from gui.theme import current_theme, icon
from gui.workspace import Workspace

if TYPE_CHECKING:
    from gui.pages.experiments.iteration_dialog import IterationDialog

EVALUATION, EFFECT = "evaluation", "effect"
HISTOGRAM, VIOLIN = "histogram", "violin"
SUMMARY, RUNS, GRANTED, COMPARED = "summary", "runs", "granted", "compared"


class ExperimentsPage(Page):
    """Builds the page; an ``ExperimentsPresenter`` fills it."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        from gui.pages.experiments.presenter import ExperimentsPresenter

        super().__init__(workspace, "Experiments", parent)
        self.setAccessibleName(self.header.title.text())
        self._build_header()
        row = QHBoxLayout()
        row.setSpacing(current_theme().sizes.gap)
        self.parts = PartsCard()
        row.addWidget(self.parts)
        right = QVBoxLayout()
        right.setSpacing(current_theme().sizes.gap)
        right.addLayout(self._make_choices())
        right.addWidget(self._make_charts(), 5)
        right.addWidget(self._make_tables(), 4)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)
        self.presenter = ExperimentsPresenter(workspace, self)

    def on_shown(self) -> None:
        self.presenter.refresh()

    def show_part(self, part: str) -> None:
        self.open_study(part)

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self)

    def report_document(self) -> Document | None:
        """The document with the parts that ran."""
        result = self.presenter.result
        return replace(self.workspace.document, experiment=result.spec) if result else None

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.protocol = QComboBox()
        for facts in PROTOCOLS.values():
            self.protocol.addItem(facts.label, facts.id)
        self.header.add_left(self.protocol, "Protocol")
        self.mode = Segments(
            [("default", "Default"), ("paper", "As the paper")],
            name="How ambiguous points of the source are read",
        )
        self.header.left.addWidget(self.mode)
        self.header.left.addWidget(HelpButton(help_of_page()))
        self.compare = QPushButton("Compare with")
        self.compare.setIcon(icon("compare"))
        self.compare_menu = QMenu(self.compare)
        self.compare.setMenu(self.compare_menu)
        self.studies = QPushButton("Studies")
        self.studies.setToolTip("Studies of boosting on made-up data, run here")
        studies = QMenu(self.studies)
        for study in (SHRINKAGE, CHOOSING):
            words = study_title(study)
            studies.addAction(f"{words}…", partial(self.open_study, study))
        self.studies.setMenu(studies)
        self.export = QPushButton("Export")
        self.export.setIcon(icon("export"))
        self.header.add_right(self.join_report(PageId.EXPERIMENTS))
        self.header.add_right(self.studies)
        self.header.add_right(self.compare)
        self.header.add_right(self.export)

    def open_study(self, study: str) -> IterationDialog:
        """Open a study of boosting in a window of its own, beside the page."""
        from gui.pages.experiments.iteration_dialog import IterationDialog

        dialog = IterationDialog(self.workspace, study, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        return dialog

    def _make_choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.error_kind = Segments(
            [(EVALUATION, "Evaluation error"), (EFFECT, "Effect error")],
            name="Which error is shown",
        )
        self.error_kind.choose(EVALUATION)
        self.picture = Segments(
            [(HISTOGRAM, "Histograms"), (VIOLIN, "Violins")], name="Kind of picture"
        )
        self.picture.choose(HISTOGRAM)
        self.learner = QComboBox()
        self.learner.setAccessibleName("Learner whose runs are shown")
        self.state = TextLabel("", "quiet")
        self.stop = QPushButton("Stop")
        self.stop.setIcon(icon("stop", "error"))
        self.stop.setProperty("kind", "danger")
        self.stop.hide()
        for widget in (self.error_kind, self.picture, self.learner):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.state)
        row.addWidget(self.stop)
        return row

    def _make_charts(self) -> QStackedWidget:
        self.charts = QStackedWidget()
        side_by_side = QWidget()
        grid = QGridLayout(side_by_side)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(current_theme().sizes.gap)
        self.histograms = {name: HistogramChart() for name in SAMPLERS}
        for place, chart in enumerate(self.histograms.values()):
            grid.addWidget(chart, 0, place)
            grid.setColumnStretch(place, 1)
        self.violins = ViolinChart()
        self.charts.addWidget(side_by_side)
        self.charts.addWidget(self.violins)
        return self.charts

    def _make_tables(self) -> Card:
        card = Card(margin=0)
        row = QHBoxLayout()
        row.setContentsMargins(12, 10, 12, 2)
        row.setSpacing(8)
        entries = (
            (SUMMARY, "By method"),
            (RUNS, "Runs"),
            (GRANTED, "What it takes for granted"),
            (COMPARED, "Comparison"),
        )
        self.table_kind = Segments(
            entries,
            name="Which table is shown",
        )
        for button in self.table_kind.findChildren(QPushButton):
            button.setProperty("small", "true")
        self.table_kind.choose(SUMMARY)
        self.verdict = ElidedLabel("", "quiet")
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.table_kind)
        row.addWidget(self.verdict, 1)
        card.body.addLayout(row)
        self.tables = QStackedWidget()
        self.summary, self.compared = TextTableModel(self), TextTableModel(self)
        self.granted = TextTableModel(self)
        self.runs = RunsModel(self)
        self.views = {
            SUMMARY: _table(self.summary),
            RUNS: _table(self.runs),
            GRANTED: _table(self.granted),
            COMPARED: _table(self.compared),
        }
        names = dict(entries)
        for key, view in self.views.items():
            view.setAccessibleName(names[key])
            self.tables.addWidget(view)
        for key in (SUMMARY, COMPARED):
            self.views[key].verticalHeader().hide()
        self.views[GRANTED].verticalHeader().hide()
        self.views[GRANTED].horizontalHeader().setStretchLastSection(True)
        self.views[GRANTED].setWordWrap(True)
        for column, width in enumerate(_RUN_WIDTHS):
            self.views[RUNS].setColumnWidth(column, width)
        card.body.addWidget(self.tables, 1)
        return card


_RUN_WIDTHS = (80, 190, 64, 56, 96, 80, 76, 80, 76, 104, 92, 96, 72)


def _table(model: TextTableModel | RunsModel) -> QTableView:
    view = QTableView()
    view.setModel(model)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setShowGrid(False)
    view.verticalHeader().setDefaultSectionSize(current_theme().sizes.row)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    view.horizontalHeader().setDefaultSectionSize(104)
    return view
