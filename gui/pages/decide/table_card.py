"""The card below the chart: decision table, totals with their checked footer, and the studies."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.model import ChartMode, Document
from core.document.results import CursorReading, DecisionResult, ResampleResult
from core.presentation.decide import figures, tables
from core.presentation.view import View
from gui.charts.view_widget import SIGNS
from gui.pages.decide.studies import Study
from gui.theme import current_theme
from gui.widgets import Card, ElidedLabel, IconLabel
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.tab_bar import TabBar
from gui.widgets.tables.figure_table import ResultTable

AT_CURSOR, BY_RULE, RANKINGS = "cursor", "rule", "rankings"
NARROW = 860  # below this width the heads of the columns are shortened
IN_FRONT = 6  # tabs; the others are chosen from the menu beside them
TIGHT = 900  # below this width the tabs stand closer together
LEAST = 200  # pixels of the card: tabs, a table of three classes and the footer
LEAST_ROWS = 3  # of a table, its head among them, before the rest scrolls


class _Tabs(QTabWidget):
    """Tabs that stand closer together where all of them beside the corner would need arrows."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabBar(TabBar())
        self.setDocumentMode(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_tight = event.size().width() < TIGHT
        if is_tight != bool(self.tabBar().property("tight")):
            self.tabBar().setProperty("tight", is_tight)
            self.style().unpolish(self.tabBar())
            self.style().polish(self.tabBar())
        super().resizeEvent(event)


class TableCard(Card):
    """Two tabs of figures and a checked footer; a tab for each study.

    The card has the height that it is given: what is in front never moves the tabs. In full view
    it has the page for itself.
    """

    full_view_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setMinimumHeight(LEAST)
        self.decisions = ResultTable("Decision table")
        self.models = ResultTable("All models")
        self.totals = ResultTable("Totals of all models")
        self.rankings: Study | None = None
        self.studies: list[Study] = []
        self._args: (
            tuple[Document, DecisionResult, float, CursorReading | None, ResampleResult | None]
            | None
        ) = None
        self._totals_of: DecisionResult | None = None
        self._is_compact = False
        self.check_holds = True
        self.tabs = _Tabs()
        self.first = QStackedWidget()  # the figures, or the rankings
        self.first.addWidget(self._make_decisions())
        self.tabs.addTab(self.first, "Decision table")
        self._totals_tab = self._make_totals()
        self.tabs.setCornerWidget(self._make_corner(), Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(lambda _index: self._show_tab())
        self.tabs.tabBarDoubleClicked.connect(lambda _index: self._on_double_click())
        self.body.setContentsMargins(12, 6, 12, 10)
        self.body.addWidget(self.tabs)

    # ------------------------------------------------------------ building

    def add_studies(self, studies: Iterable[Study]) -> None:
        """Put studies behind the decision table; those that are not in front, and totals, last."""
        for study in studies:
            self.studies.append(study)
            self._add_tab(study, study.title())
            if self.tabs.count() == IN_FRONT:
                self._add_tab(self._totals_tab, "Totals")

    def _add_tab(self, page: QWidget, title: str) -> None:
        place = self.tabs.addTab(page, title)
        if place >= IN_FRONT:
            self.tabs.setTabVisible(place, False)
            self.more_menu.addAction(title).triggered.connect(
                lambda: self.tabs.setCurrentWidget(page)
            )

    def add_rankings(self, study: Study) -> None:
        """A study as one more view of the first tab."""
        self.rankings = study
        self.studies.append(study)
        self.first.addWidget(study)
        self.view_choice.addItem("Rankings", RANKINGS)

    def _make_decisions(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        self._pair = QHBoxLayout()
        self._pair.setSpacing(20)
        self._pair.addWidget(self.decisions)
        self._pair.addWidget(self.models)
        column.addLayout(self._pair)
        column.addWidget(self._make_footer())
        column.addStretch(1)
        return page

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        row = QHBoxLayout(footer)
        row.setContentsMargins(2, 0, 0, 0)
        row.setSpacing(8)
        self.sign = IconLabel("check", "gain", 14)
        self.check_text = ElidedLabel("", "note", mode=Qt.TextElideMode.ElideRight)
        self.foresight = ElidedLabel("", "note", mode=Qt.TextElideMode.ElideRight)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self.check_text)
        words.addWidget(self.foresight)
        words.addStretch(1)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return footer

    def _make_totals(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.totals)
        self.totals_note = ElidedLabel("", "note", mode=Qt.TextElideMode.ElideRight)
        self.totals_note.setContentsMargins(4, 0, 0, 0)
        column.addWidget(self.totals_note)
        column.addStretch(1)
        return page

    def _make_corner(self) -> QWidget:
        """What the tab in front can be shown as; the menu of further tabs keeps its place."""
        self.view_choice = ChoiceBox()
        self.view_choice.setProperty("small", True)
        self.view_choice.setAccessibleName("Which decisions the table counts")
        self.view_choice.addItem("At the cursor", AT_CURSOR)
        self.view_choice.addItem("By the rule", BY_RULE)
        self.view_choice.activated.connect(lambda _index: self._choose_view())
        self.full_button = QPushButton("Full view")
        self.full_button.setProperty("small", True)
        self.full_button.setCheckable(True)
        self.full_button.toggled.connect(self._on_full_view)
        self.more_button = QPushButton("More")
        self.more_button.setProperty("small", True)
        self.more_menu = QMenu(self.more_button)
        self.more_button.setMenu(self.more_menu)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 2, 0, 2)
        for widget in (self.view_choice, self.full_button, self.more_button):
            row.addWidget(widget)
        self._on_full_view(False)
        return holder

    # ------------------------------------------------------------ which tab, how large

    @property
    def is_full_view(self) -> bool:
        """Whether the tabs have the page for themselves."""
        return self.full_button.isChecked()

    def leave_full_view(self) -> None:
        """Give the rest of the page its room back."""
        self.full_button.setChecked(False)

    def _on_double_click(self) -> None:
        """A study has use for the page; the first click brought it to the front."""
        if self.study is not None or self.is_full_view:
            self.full_button.toggle()

    def _on_full_view(self, is_full: bool) -> None:
        self.full_button.setText("Leave full view" if is_full else "Full view")
        self.full_button.setToolTip(
            "Show the rest of the page again (Escape)"
            if is_full
            else "Give this tab the whole page; so does a double click on a tab"
        )
        self._show_corner()
        self.full_view_changed.emit(is_full)

    @property
    def study(self) -> Study | None:
        """The study in front; None where figures are."""
        front = self.tabs.currentWidget()
        shown = self.first.currentWidget() if front is self.first else front
        return shown if isinstance(shown, Study) else None

    def show_study(self, key: str) -> None:
        """Bring the study of a question to the front."""
        found = next((study for study in self.studies if study.asks.facts.key == key), None)
        if found is not None and found is self.rankings:
            self.view_choice.setCurrentIndex(self.view_choice.findData(RANKINGS))
            self._choose_view()
            self.tabs.setCurrentIndex(0)
        elif found is not None:
            self.tabs.setCurrentWidget(found)

    def _choose_view(self) -> None:
        """Put the figures or the rankings into the first tab."""
        is_rankings = self.view_choice.currentData() == RANKINGS
        if self.rankings is not None:
            self.first.setCurrentIndex(int(is_rankings))
        self._show()

    def refresh_study(self) -> None:
        """The document changed: the study in view asks again if it depends on it."""
        if self.study is not None:
            self.study.refresh()

    def _show_tab(self) -> None:
        for place in range(IN_FRONT, self.tabs.count()):  # of those from the menu the chosen one
            self.tabs.setTabVisible(place, place == self.tabs.currentIndex())
        self._show_corner()
        if self.study is None:
            self._show()

    def _show_choice(self, document: Document, result: DecisionResult) -> None:
        """A score without chances has no rule to count by; firm decisions have no cursor."""
        chosen = figures.profit_of(result, document.reference_model)
        choices = self.view_choice.model()
        if chosen is None or not isinstance(choices, QStandardItemModel):
            return
        is_firm = document.chart_mode is ChartMode.FIRM
        by_rule, cursor = (self.view_choice.findData(view) for view in (BY_RULE, AT_CURSOR))
        choices.item(by_rule).setEnabled(chosen.has_probabilities)
        choices.item(by_rule).setToolTip("" if chosen.has_probabilities else chosen.total.note)
        choices.item(cursor).setEnabled(not is_firm)
        if not chosen.has_probabilities and self.view_choice.currentIndex() == by_rule:
            self.view_choice.setCurrentIndex(cursor)
        elif is_firm and self.view_choice.currentIndex() == cursor:
            self.view_choice.setCurrentIndex(by_rule)

    def _show_corner(self) -> None:
        """Beside the choice of the view the tabs have no room for another button."""
        is_table = self.tabs.currentIndex() == 0
        self.view_choice.setVisible(is_table)
        self.full_button.setVisible(not is_table or self.is_full_view)

    # ------------------------------------------------------------ showing

    def set_compact(self, is_compact: bool) -> None:
        """On a low page the footer keeps its check only; the rest is its tool tip."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.body.setContentsMargins(12, 2 if is_compact else 6, 12, 4 if is_compact else 10)
            self.foresight.setVisible(not is_compact)
            self._show()

    def show_result(
        self,
        document: Document,
        result: DecisionResult | None,
        depth: float,
        reading: CursorReading | None,
        resamples: ResampleResult | None,
    ) -> None:
        """Show the figures at a depth; None empties the card."""
        has_models = result is not None and bool(result.models)
        if not has_models:
            self.leave_full_view()
        self.setVisible(has_models)
        self._args = None
        if result is not None and has_models:
            self._args = (document, result, depth, reading, resamples)
            self._show()

    def is_by_rule_chosen(self) -> bool:
        """Whether somebody chose to count by the rule."""
        return bool(self.view_choice.currentData() == BY_RULE)

    def is_by_rule(self) -> bool:
        """Whether the table counts each case's own decision rather than the depth."""
        is_firm = self._args is not None and self._args[0].chart_mode is ChartMode.FIRM
        return is_firm or self.is_by_rule_chosen()

    def view(self, *, is_narrow: bool = False) -> View | None:
        """The decision table, the models beside it, and what was checked; None without any."""
        if self._args is None:
            return None
        return tables.figures_view(*self._args, is_by_rule=self.is_by_rule(), is_narrow=is_narrow)

    def totals_view(self) -> View | None:
        """The totals of all models; None without any."""
        return tables.totals_view(*self._args[:2]) if self._args is not None else None

    def _show(self) -> None:
        if self._args is None:
            return
        document, result, *_ = self._args
        self._show_choice(document, result)
        view = self.view(is_narrow=self.width() < NARROW)
        if view is None:
            return
        pair = (self.decisions, self.models)
        for table, content in zip(pair, view.tables, strict=True):
            table.show_content(content)
        if not self._fits():
            own, models = view.tables
            short = tables.with_short_heads(document, result, (own, models))
            for table, content in zip(pair, short, strict=True):
                table.show_content(content)
        self._show_totals(result)
        self._show_footer(view)
        self._fit()
        self._show_corner()

    def _show_totals(self, result: DecisionResult) -> None:
        view = self.totals_view() if self._totals_of is not result else None
        if view is not None:
            self._totals_of = result
            self.totals.show_content(view.tables[0])
            self.totals_note.set_full_text(" ".join(view.notes))

    def _show_footer(self, view: View) -> None:
        foresight = " ".join(view.notes)
        self.check_holds = view.state != "error"
        self.check_text.set_full_text(" ".join(view.sentences))
        self.check_text.set_role("note" if self.check_holds else "error")
        self.sign.set_icon(*SIGNS["ok" if self.check_holds else "error"])
        self.foresight.set_full_text(foresight)
        self.sign.setToolTip(foresight if self._is_compact else "")
        if self._is_compact and self.check_holds:
            self.check_text.setToolTip(foresight)

    def _fit(self) -> None:
        """Tables as high as their rows; where the card is lower they scroll."""
        most = max(self.decisions.content_height(), self.models.content_height())
        heights = ((self.decisions, most), (self.models, most))
        for table, height in (*heights, (self.totals, self.totals.content_height())):
            if table.maximumHeight() != height:
                table.setMaximumHeight(height)
                table.setMinimumHeight(min(height, LEAST_ROWS * current_theme().sizes.row))
        self._share_out()

    def _share_out(self) -> None:
        """Each table gets the width it needs; where both fit in full, by their full widths."""
        pair = (self.decisions, self.models)
        full = [sum(table.natural_widths()) for table in pair]
        fits = self._fits()
        for place, table in enumerate(pair):
            self._pair.setStretch(place, full[place] if fits else table.figures_width())

    def _fits(self) -> bool:
        """Is there room for both tables with full heads?"""
        full = sum(sum(table.natural_widths()) for table in (self.decisions, self.models))
        return full + self._pair.spacing() <= self.width() - 26

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()
