"""The card below the chart: decision table, totals with their checked footer, and the studies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.model import ChartMode, Document
from core.document.results import CursorReading, DecisionResult, ModelProfit, ResampleResult
from core.document.wording import format_share
from core.presentation import decide_figures as figures
from core.presentation import decide_tables as tables
from core.presentation.labels import Labels
from gui.pages.decide.studies import Study
from gui.widgets import Card, ElidedLabel, IconLabel
from gui.widgets.tab_bar import TabBar
from gui.widgets.tables.figure_table import FigureTable

AT_CURSOR, BY_RULE, RANKINGS = "cursor", "rule", "rankings"
NARROW = 860  # below this width the heads of the columns are shortened
IN_FRONT = 6  # tabs; the others are chosen from the menu beside them
TIGHT = 900  # below this width the tabs stand closer together


class _Tabs(QTabWidget):
    """Tabs as high as the one in front needs, not as the highest of all.

    They stand closer together where all of them beside the corner would need arrows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTabBar(TabBar())

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_tight = event.size().width() < TIGHT
        if is_tight != bool(self.tabBar().property("tight")):
            self.tabBar().setProperty("tight", is_tight)
            self.style().unpolish(self.tabBar())
            self.style().polish(self.tabBar())
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:
        return self._fitted(super().sizeHint(), self.currentWidget().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._fitted(super().minimumSizeHint(), self.currentWidget().minimumSizeHint())

    def _fitted(self, hint: QSize, page: QSize) -> QSize:
        least = max(page.height(), self.currentWidget().minimumHeight())
        return QSize(hint.width(), least + self.tabBar().sizeHint().height() + 2)


class TableCard(Card):
    """Two tabs of figures and a checked footer; a tab for each study."""

    room_wanted = Signal(bool)  # a study asks for the room of the chart, or gives it back
    study_shown = Signal()  # a study came to the front

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=0, parent=parent)
        self.decisions = FigureTable("Decision table")
        self.models = FigureTable("All models")
        self.totals = FigureTable("Totals of all models")
        self.tabs = _Tabs()
        self.tabs.setDocumentMode(True)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._figures = self._make_decisions()
        self._rankings: Study | None = None
        self.studies: list[Study] = []
        self.tabs.addTab(self._figures, "Decision table")
        self._totals_tab = self._make_totals()
        self.tabs.setCornerWidget(self._make_view(), Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(lambda _index: self._show_tab())
        self.body.setContentsMargins(12, 6, 12, 10)
        self._is_compact = False
        self.body.addWidget(self.tabs)
        self._args: tuple[Document, DecisionResult, float] | None = None
        self._reading: CursorReading | None = None
        self._resamples: ResampleResult | None = None
        self._totals_of: DecisionResult | None = None
        self.check_holds = True

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
        self._rankings = study
        self.studies.append(study)
        study.setParent(self)
        study.hide()
        self.view_choice.addItem("Rankings", RANKINGS)

    def show_study(self, key: str) -> None:
        """Bring the study of a question to the front."""
        rankings = self._rankings
        if rankings is not None and rankings.asks.facts.key == key:
            self.view_choice.setCurrentIndex(self.view_choice.findData(RANKINGS))
            self._choose_view()
            self.tabs.setCurrentIndex(0)
            return
        for place in range(self.tabs.count()):
            study = self.tabs.widget(place)
            if isinstance(study, Study) and study.asks.facts.key == key:
                self.tabs.setCurrentIndex(place)

    def _choose_view(self) -> None:
        """Put the figures or the rankings into the first tab."""
        is_rankings = self.view_choice.currentData() == RANKINGS
        wanted = self._rankings if is_rankings and self._rankings is not None else self._figures
        before = self.tabs.widget(0)
        if wanted is before:
            self._show()
            return
        self.tabs.blockSignals(True)
        self.tabs.removeTab(0)
        self.tabs.insertTab(0, wanted, "Decision table")
        self.tabs.setCurrentIndex(0)
        self.tabs.blockSignals(False)
        if before is not None:
            before.hide()
        self._show_tab()

    def refresh_study(self) -> None:
        """The document changed: the study in view asks again if it depends on it."""
        study = self.tabs.currentWidget()
        if isinstance(study, Study):
            study.refresh()

    @property
    def has_room(self) -> bool:
        """Whether a study has taken the room of the chart; the rankings always do."""
        return self._is_rankings() or (self._is_study() and self.enlarge_button.isChecked())

    def _is_rankings(self) -> bool:
        return self._rankings is not None and self.tabs.currentWidget() is self._rankings

    def _is_study(self) -> bool:
        return isinstance(self.tabs.currentWidget(), Study)

    def _show_tab(self) -> None:
        """A study may grow with the window; figures are as high as their rows."""
        for place in range(IN_FRONT, self.tabs.count()):  # of those from the menu the chosen one
            self.tabs.setTabVisible(place, place == self.tabs.currentIndex())
        policy = QSizePolicy.Policy.Expanding if self._is_study() else QSizePolicy.Policy.Fixed
        for widget in (self.tabs, self):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
        self._show_corner()
        self.tabs.updateGeometry()
        self.room_wanted.emit(self.has_room)
        if self._is_study():
            self.study_shown.emit()
        if not self._is_study():
            self._show()

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

    def _make_view(self) -> QWidget:
        self.view_choice = QComboBox()
        self.view_choice.setProperty("small", True)
        self.view_choice.setAccessibleName("Which decisions the table counts")
        self.view_choice.addItem("At the cursor", AT_CURSOR)
        self.view_choice.addItem("By the rule", BY_RULE)
        self.view_choice.activated.connect(lambda _index: self._choose_view())
        self.more_button = QPushButton("More")
        self.more_button.setProperty("small", True)
        self.more_menu = QMenu(self.more_button)
        self.more_button.setMenu(self.more_menu)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 2, 0, 2)
        row.addWidget(self.more_button)
        row.addWidget(self.view_choice)
        self.enlarge_button = QPushButton("Enlarge")
        self.enlarge_button.setProperty("small", True)
        self.enlarge_button.setCheckable(True)
        self.enlarge_button.setToolTip("Give this tab the room of the chart")
        self.enlarge_button.toggled.connect(lambda _is_on: self.room_wanted.emit(self.has_room))
        self.enlarge_button.hide()
        row.addWidget(self.enlarge_button)
        return holder

    def _show_choice(self, chosen: ModelProfit) -> None:
        """A score without chances has no rule to count by."""
        place = self.view_choice.findData(BY_RULE)
        choices = self.view_choice.model()
        if isinstance(choices, QStandardItemModel):
            choices.item(place).setEnabled(chosen.has_chances)
            choices.item(place).setToolTip("" if chosen.has_chances else chosen.total.note)
        if not chosen.has_chances and self.view_choice.currentData() == BY_RULE:
            self.view_choice.setCurrentIndex(self.view_choice.findData(AT_CURSOR))
        is_firm = self._args is not None and self._args[0].chart_mode is ChartMode.FIRM
        cursor = self.view_choice.findData(AT_CURSOR)
        if isinstance(choices, QStandardItemModel):  # each case has its own decision: no cursor
            choices.item(cursor).setEnabled(not is_firm)
        if is_firm and self.view_choice.currentIndex() == cursor:
            self.view_choice.setCurrentIndex(place)

    def _show_corner(self) -> None:
        is_table = self.tabs.currentIndex() == 0
        # Beside the choice of the view there is no room for the button without arrows at the tabs.
        self.enlarge_button.setVisible(self._is_study() and not self._is_rankings())
        self.view_choice.setVisible(is_table)

    # ------------------------------------------------------------ showing

    def set_compact(self, is_compact: bool) -> None:
        """On a low page the footer keeps its check only; the rest is its tool tip."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.body.setContentsMargins(12, 2 if is_compact else 6, 12, 4 if is_compact else 10)
            self.foresight.setVisible(not is_compact)
            self.enlarge_button.setChecked(is_compact)  # a low page has room for one of the two
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
        self.setVisible(result is not None and bool(result.models))
        if result is None or not result.models:
            self._args = None
            return
        self._args = (document, result, depth)
        self._reading, self._resamples = reading, resamples
        self._show()

    def is_by_rule_chosen(self) -> bool:
        """Whether somebody chose to count by the rule."""
        return bool(self.view_choice.currentData() == BY_RULE)

    def is_by_rule(self) -> bool:
        """Whether the table counts each case's own decision rather than the depth."""
        is_firm = self._args is not None and self._args[0].chart_mode is ChartMode.FIRM
        return is_firm or self.is_by_rule_chosen()

    def _show(self) -> None:
        if self._args is None:
            return
        document, result, depth = self._args
        chosen = figures.profit_of(result, document.reference_model)
        if chosen is None:
            return
        words = Labels.of(document, result)
        self._show_choice(chosen)
        points = [figures.at_depth(entry, depth, self._reading) for entry in result.models]
        point = next(entry for entry in points if entry.model == chosen.model)
        is_narrow = self.width() < NARROW
        if self.is_by_rule():
            table = figures.table_by_rule(result, chosen)
            caption = f"{chosen.model} by its rule"
            side = tables.models_by_rule(document, result, words, chosen.model, self._resamples)
        else:
            table = figures.table_at(document, result, point)
            caption = f"{chosen.model} at the cursor"
            side = tables.models_at(
                document,
                result,
                words,
                points,
                chosen.model,
                self._reading,
                self._resamples,
                is_narrow=is_narrow,
            )
        self.decisions.show_content(
            tables.decision_rows(document, result, words, table, caption, is_narrow=is_narrow)
        )
        self.models.show_content(side)
        if not self._fits() and side.columns[0] != "All models":
            columns = ("All models", *side.columns[1:])
            self.models.show_content(replace(side, columns=columns))
        if self._totals_of is not result:
            self._totals_of = result
            self.totals.show_content(tables.totals_rows(document, result, words))
            self.totals_note.set_full_text(self._totals_words(document, result))
        self._show_footer(document, result, chosen.model, depth)
        foresight = tables.foresight_sentence(document, result, words, table)
        self.foresight.set_full_text(foresight)
        self.sign.setToolTip(foresight if self._is_compact else "")
        if self._is_compact and self.check_holds:
            self.check_text.setToolTip(foresight)
        self._fit()
        self._show_corner()

    def _show_footer(
        self, document: Document, result: DecisionResult, model: str, depth: float
    ) -> None:
        chosen = figures.profit_of(result, model)
        if chosen is None:
            return
        point = figures.at_depth(chosen, depth, self._reading)
        checks = figures.footer_checks(document, result, chosen, point)
        self.check_holds, text = tables.check_sentence(checks)
        self.check_text.set_full_text(text)
        self.check_text.set_role("note" if self.check_holds else "error")
        self.sign.set_icon(
            "check" if self.check_holds else "cross", "gain" if self.check_holds else "error"
        )

    def _totals_words(self, document: Document, result: DecisionResult) -> str:
        parts = [result.rows.text]
        if result.holds_fixed:
            parts.append(f"intervals {result.holds_fixed}")
        if document.priors is not None:
            shares = ", ".join(
                f"{document.target.label(level) if document.target else level} "
                f"{format_share(share)}"
                for level, share in document.priors
            )
            parts.append(f"weighted to {shares}")
        return "; ".join(part for part in parts if part) + "."

    def _fit(self) -> None:
        """Tables as high as their rows, up to eight; beyond that they scroll."""
        height = min(max(self.decisions.content_height(), self.models.content_height()), 9 * 26)
        for table in (self.decisions, self.models):
            if table.height() != height:
                table.setFixedHeight(height)
        self.totals.setFixedHeight(min(self.totals.content_height(), height))
        self._share_out()

    def _share_out(self) -> None:
        """Each table gets the width it needs; where both fit in full, by their full widths."""
        pair = (self.decisions, self.models)
        full = [sum(table.natural_widths()) for table in pair]
        fits = self._fits()
        for place, table in enumerate(pair):
            self._pair.setStretch(place, full[place] if fits else table.least_width())

    def _fits(self) -> bool:
        """Is there room for both tables with full heads?"""
        full = sum(sum(table.natural_widths()) for table in (self.decisions, self.models))
        return full + self._pair.spacing() <= self.width() - 26

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()
