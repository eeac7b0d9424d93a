"""The charts of page Compare: which ones, what they show, and what they ask for."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton, QWidget

from core.document.compare.chart_kinds import (
    chart_task,
    charts_shown,
    kinds_with,
    title_of,
)
from core.document.compare.commands import SetCharts
from core.document.plugin_results import CurveInfo
from core.document.results import CursorReading
from core.presentation.evaluation.charts import empty_chart_words
from core.presentation.labels import Labels, money_by_depth
from gui.charts import ChartCard
from gui.pages.compare.chart_grid import ChartGrid
from gui.pages.compare.dialogs.charts_dialog import ChartsDialog
from gui.pages.compare.on_report import entry_kind
from gui.session.session import Session
from gui.shell.page_list import PageId

TO_COME = "The curves appear here as soon as they are computed."


class ChartsPresenter(QObject):
    """Keeps the grid of charts in step with the session."""

    def __init__(
        self, session: Session, page: QWidget, grid: ChartGrid, button: QPushButton
    ) -> None:
        super().__init__(page)
        self._session = session
        self._page, self._grid = page, grid
        for chart in grid.every_chart():
            self._connect(chart)
        grid.chart_made.connect(self._connect)
        button.clicked.connect(self.open_choice)
        session.results.pinned_changed.connect(grid.set_pin)
        self._known = frozenset(info.id for info in self._curves())
        session.plugins.changed.connect(self._on_plugins)

    def _connect(self, chart: ChartCard) -> None:
        session = self._session
        chart.cursor_requested.connect(session.results.move_cursor)
        chart.cursor_released.connect(self._finish_move)
        chart.best_requested.connect(self._move_to_best)
        chart.pin_requested.connect(session.results.set_pinned)
        chart.fill_requested.connect(lambda: session.page_requested.emit(PageId.DECIDE))
        chart.refused.connect(session.project.post)
        chart.report_toggled.connect(lambda is_on: self._toggle_report(chart, is_on))

    def _on_plugins(self, _result: object) -> None:
        """A chart that has just come with a plugin is scrolled to: it stands below the others."""
        known, self._known = self._known, frozenset(info.id for info in self._curves())
        if known:  # else these are the charts of the start
            self._grid.bring_into_view(self._known - known)

    # ------------------------------------------------------------ showing

    def show_results(self, look: Labels) -> None:
        """Every chart on what the session has now."""
        session, grid = self._session, self._grid
        document = session.project.document
        grid.show_kinds(charts_shown(document.charts, chart_task(document)))
        for chart in grid.evaluation_charts:
            chart.set_result(session.results.evaluation, look)
        grid.profit.set_result(session.results.decisions, look)
        self._show_empty(look)
        for card in grid.charts():
            card.set_on_report(session.report.is_on(self._entry_of(card)))
        grid.set_pin(session.results.pinned_depth)

    def show_reading(self, reading: CursorReading | None) -> None:
        """The engine's exact values for every chart, once it has answered for these totals."""
        for chart in self._grid.evaluation_charts:
            chart.set_reading(reading, self._session.results.decisions)
        self._grid.profit.set_reading(reading)

    def _show_empty(self, look: Labels) -> None:
        grid, evaluation = self._grid, self._session.results.evaluation
        is_refused = bool(self._session.results.refusals.get("evaluate"))  # said above the table
        waiting = "Not drawn: see above." if is_refused else TO_COME
        for chart in grid.evaluation_charts:
            missing = empty_chart_words(evaluation, look, chart.kind)
            chart.set_empty(title_of(chart.kind, self._curves()), missing or waiting)
        refusal = self._session.results.refusals.get("decide", "")
        step = "Say what each decision earns or costs, and the profit is drawn here."
        button = "" if refusal else "Open Decide"
        title = money_by_depth(self._session.project.document)
        grid.profit.set_empty(title, refusal or step, button)

    def _curves(self) -> tuple[CurveInfo, ...]:
        """The curves of plugins that there are."""
        plugins = self._session.plugins.known
        return plugins.curves if plugins is not None else ()

    # ------------------------------------------------------------ wishes

    def _finish_move(self) -> None:
        self._session.results.move_cursor(self._session.results.cursor_depth, finished=True)

    def _move_to_best(self) -> None:
        best = self._grid.profit.best_depth()
        if best is not None:
            self._session.results.move_cursor(best, finished=True)

    def _toggle_report(self, chart: ChartCard, is_on: bool) -> None:
        self._session.report.put(self._entry_of(chart), is_on)

    def _entry_of(self, chart: ChartCard) -> str:
        """The entry of the report that a chart is."""
        session = self._session
        return entry_kind(
            self._grid.kind_of(chart), session.project.document, session.results.level
        )

    def open_choice(self) -> ChartsDialog:
        """Choose the charts and their order."""
        document = self._session.project.document
        task = chart_task(document)
        offered = kinds_with(task, self._curves())
        dialog = ChartsDialog(task, charts_shown(document.charts, task), offered, self._page)
        dialog.charts_chosen.connect(
            lambda kinds: self._session.project.execute(SetCharts(charts=kinds))
        )
        dialog.show()
        return dialog
