"""Page Compare: which model is best, how sure is that, and what does it look like by depth."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.compare.chart_kinds import chart_task, charts_shown
from core.document.compare.commands import SetMetrics
from core.document.report.commands import METRIC_TABLE
from core.document.results import CursorReading
from core.document.studies.compare import is_offered
from core.presentation.compare.metrics import (
    MetricColumn,
    metric_columns,
    metric_warnings,
    profit_column,
    rows_sentence,
)
from core.presentation.labels import Labels
from core.questions.needs import predicts_no_amount
from gui.pages.compare.chart_grid import ChartGrid
from gui.pages.compare.charts_presenter import ChartsPresenter
from gui.pages.compare.choices import HeaderChoices
from gui.pages.compare.comparison import Comparison, labels_of
from gui.pages.compare.cursor import HeaderCursor
from gui.pages.compare.dialogs.metrics_dialog import MetricsDialog
from gui.pages.compare.dialogs.studies_menu import StudiesMenu
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.metric_table import MetricTable
from gui.pages.compare.on_report import entry_kind, parts_of
from gui.pages.compare.questions import QuestionRow, open_question
from gui.pages.first_step import FirstStep, step_to_model
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.commands.copy_python import copy_as_python
from gui.shell.page_list import PageId
from gui.theme import icon, theme_notifier
from gui.widgets import Card, ElidedLabel, IconLabel, TextLabel
from gui.widgets.veil import Veil

WORDS_MARGIN = 1300  # a narrower page leaves out the words beside the cursor's field


class ComparePage(Page):
    """Header, metric table and charts; it follows the session and holds no truth."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Compare", parent)
        self.setAccessibleName("Compare")
        self._reading = session.results.reading  # kept only while it belongs to the totals shown
        self._shown: tuple[object, ...] = ()  # what the table was made of
        self.warnings: tuple[str, ...] = ()  # above the table
        self._make_header()
        self.table = MetricTable()
        self.footer = TableFooter()
        self.warning = ElidedLabel("", "plainNote", mode=Qt.TextElideMode.ElideRight)
        self.grid = ChartGrid()
        self.stack = QStackedWidget()
        self.stack.addWidget(self._make_full())
        self.stack.addWidget(self._make_empty())
        self.body.addWidget(self.stack)
        self.comparison = Comparison(session, self.footer)
        self.charts = ChartsPresenter(session, self, self.grid, self.charts_button)
        self.studies = StudiesMenu(session, self, self.studies_button, self.charts)
        self._connect()
        self._connect_session()
        self.refresh()

    def on_shown(self) -> None:
        self.refresh()

    def show_part(self, part: str) -> None:
        getattr(self.studies, part)()

    def report_parts(self) -> tuple[ReportPart, ...]:
        plugins = self.session.plugins.known
        curves = plugins.curves if plugins is not None else ()
        document, studies = self.session.project.document, self.studies.views()
        kinds = charts_shown(document.charts, chart_task(document))
        return parts_of(document, self.session.results.level, kinds, curves, studies)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header_cursor.words.setVisible(self.width() >= WORDS_MARGIN)
        self.choices.fit(self.width())
        self._fit_decide()

    def _show_decide(self, words: str) -> None:
        """What the button to page Decide says; "Decide" alone where the header has no more room."""
        self._decide_words = words
        self._fit_decide()

    def _fit_decide(self) -> None:
        self.decide_button.setText(self._decide_words)
        words = self.header_cursor.words  # they shorten themselves: the button goes first
        may_shrink = not words.isHidden()
        spare = words.sizeHint().width() - words.minimumWidth() if may_shrink else 0
        if self.header.needed_width() - spare > self.width():
            self.decide_button.setText("Decide")
        self.decide_button.setToolTip(self._decide_words)

    # ------------------------------------------------------------ building

    def _make_header(self) -> None:
        self.choices = HeaderChoices(self.session, self.header)
        self.header_cursor = HeaderCursor(self.session, self.header)
        self.metrics_button = QPushButton("Metrics…")
        self.charts_button = QPushButton("Charts…")
        self.studies_button = QPushButton("Studies")
        self.report_button = self.join_report(PageId.COMPARE)
        self._decide_words = "Decide"
        self.decide_button = QPushButton(self._decide_words)
        self.decide_button.setProperty("kind", "primary")
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

    def _connect(self) -> None:
        session = self.session
        self.metrics_button.clicked.connect(self.open_metrics)
        self.decide_button.clicked.connect(lambda: session.page_requested.emit(PageId.DECIDE))
        self.empty_button.clicked.connect(self._fill)
        self.table.model_chosen.connect(self.comparison.compare_with)
        self.table.menu_made.connect(self._offer_report)
        self.question.answered.connect(session.project.execute)
        theme_notifier().theme_changed.connect(self._show_choices)

    def _connect_session(self) -> None:
        session = self.session
        session.project.document_changed.connect(self._follow)
        session.trainings.changed.connect(self._show_results)
        session.results.evaluation_changed.connect(self._follow)
        session.results.decisions_changed.connect(self._on_decisions_changed)
        session.results.reading_changed.connect(self._on_reading_changed)
        session.results.cursor_moved.connect(self._on_cursor_moved)
        session.results.freshness_changed.connect(self._show_freshness)

    # ------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show everything anew."""
        self._show_choices()
        self._show_results()
        self._show_freshness()

    def _follow(self, _changed: object = None) -> None:
        if not self.is_behind:
            self._show_choices()
            self._show_results()

    def _on_decisions_changed(self, _result: object) -> None:
        self._reading = self.session.results.reading
        self._follow()

    def _show_choices(self, _theme: object = None) -> None:
        document = self.session.project.document
        self.choices.show_document(document)
        reference = document.outcome_reference
        self._show_decide(f"Decide with {reference}" if reference else "Decide")
        is_ready = bool(reference) and document.target is not None
        self.decide_button.setHidden(predicts_no_amount(document))
        for button in (
            self.decide_button,
            self.metrics_button,
            self.charts_button,
            self.report_button,
            self.studies_button,
        ):
            button.setEnabled(is_ready)

    def _show_results(self) -> None:
        session = self.session
        step = self._first_step()
        self.stack.setCurrentIndex(0 if step is None else 1)
        if step is not None:
            self.empty_text.setText(step.sentence)
            self.empty_button.setText(step.button)
        look = labels_of(self.session)
        self.charts.show_results(look)
        self.charts.show_reading(self._reading)
        self._show_table(look)
        self._show_warnings()
        self.question.ask(open_question(session.project.document, session.project.summary))
        self._on_cursor_moved(session.results.cursor_depth)

    def _show_freshness(self) -> None:
        """Grey the figures of another document than there is."""
        space = self.session
        is_stale = not space.results.evaluation_is_fresh
        at_once = space.results.is_of_other_models(space.results.evaluated)
        self.table_veil.draw(is_stale, at_once=at_once)
        is_stale = is_stale or not space.results.decisions_are_fresh
        at_once = at_once or space.results.is_of_other_models(space.results.decided)
        self.grid_veil.draw(is_stale, at_once=at_once)

    def _first_step(self) -> FirstStep | None:
        """What to do before anything can be compared; None when it can."""
        document = self.session.project.document
        if document.data is None:
            sentence = "Open a file with a known outcome and the scores of one or more models."
            return FirstStep(sentence, "Open data", PageId.HOME)
        if document.target is None:
            sentence = "Say which column holds the outcome, and models can be compared."
            return FirstStep(sentence, "Choose columns", PageId.DATA)
        return step_to_model(document, self.session.trainings)

    def _show_table(self, look: Labels) -> None:
        evaluation = self.session.results.evaluation
        profit = self._profit_column(look)
        wanted = (evaluation, look, profit is None)
        if len(self._shown) == 3 and self._shown[0] is evaluation and self._shown[1:] == wanted[1:]:
            self.table.set_profit(profit)
        else:
            self._shown = wanted
            columns = metric_columns(evaluation, look) if evaluation is not None else ()
            self.table.set_reference(look.chosen)
            seed = self.session.project.document.seed
            self.table.rows_text = rows_sentence(evaluation, seed) if evaluation is not None else ""
            self.table.metrics.set_columns(look, columns, profit)
        self.comparison.show_reading(self._reading)

    def _profit_column(self, look: Labels) -> MetricColumn | None:
        decisions = self.session.results.decisions
        if decisions is None or not decisions.models:
            return None
        depth = self.session.results.cursor_depth
        return profit_column(decisions, look, depth, self._reading)

    def _show_warnings(self) -> None:
        evaluation = self.session.results.evaluation
        refusal = self.session.results.refusals.get("evaluate", "")
        warnings: tuple[str, ...] = (refusal,) if refusal else ()
        if evaluation is not None:
            warnings = metric_warnings(evaluation, self.session.results.decisions)
        self.warnings = warnings
        more = len(warnings) - 1
        shorter = (f"{warnings[0]} ({f'{more:d} more'})",) if more > 0 else ()
        self.warning.set_full_text("   ".join(warnings), *shorter)
        self.warning.setToolTip("\n".join(warnings))
        self.warning_row.setVisible(bool(warnings))

    # ------------------------------------------------------------ cursor

    def _on_cursor_moved(self, depth: float) -> None:
        if self.is_behind:
            return
        results = self.session.results
        has_any = results.evaluation is not None or results.decisions is not None
        self.grid.set_cursor(depth if has_any else None)
        self.header_cursor.show_depth(depth, self._reading)
        self.table.set_profit(self._profit_column(labels_of(self.session)))
        self.comparison.follow(depth)

    def _on_reading_changed(self, reading: CursorReading) -> None:
        self._reading = reading
        if self.is_behind:
            return
        self.charts.show_reading(self._reading)
        self._on_cursor_moved(self.session.results.cursor_depth)
        self.comparison.show_reading(self._reading)

    # ------------------------------------------------------------ wishes

    def open_metrics(self) -> MetricsDialog | None:
        """Choose the metrics of the table."""
        session = self.session
        if session.plugins.known is not None:
            offered = session.plugins.known.metrics
        elif session.results.evaluation is not None:
            offered = session.results.evaluation.metrics
        else:
            return None
        chosen = session.project.document.metrics or tuple(
            info.choice()
            for info in (session.results.evaluation.metrics if session.results.evaluation else ())
        )
        named = {choice.metric for choice in chosen}
        offered = tuple(
            info
            for info in offered
            if info.metric in named or is_offered(info, session.project.document)
        )
        known = session.project.summary.columns if session.project.summary is not None else ()
        columns = tuple(column.name for column in known if column.kind in ("integer", "number"))
        dialog = MetricsDialog(offered, chosen, columns, self)
        dialog.metrics_chosen.connect(
            lambda made: session.project.execute(SetMetrics(metrics=made))
        )
        dialog.show()
        return dialog

    def _offer_report(self, menu: QMenu) -> None:
        """Put the table on the report, take it off, or copy it as a script, from its own menu."""
        report = self.session.report
        action = menu.addAction("Add to report")
        action.setCheckable(True)
        kind = entry_kind(METRIC_TABLE, self.session.project.document, self.session.results.level)
        action.setChecked(report.is_on(kind))
        action.triggered.connect(lambda is_on: report.put(kind, is_on))
        menu.addAction(
            icon("copy"),
            "Copy as Python",
            lambda: copy_as_python(self.session, "compare"),
        )

    def _fill(self) -> None:
        step = self._first_step()
        if step is not None:
            self.session.page_requested.emit(step.page)
