"""The Decide page: what decisions earn on the left, what follows from it on the right."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from core.document.commands import Command
from core.document.decisions.commands import SetMatrix, is_interval
from core.document.decisions.starting_matrix import starting_matrix
from core.document.results import CursorReading, DecisionResult
from core.document.views import CONSEQUENCES, CORRECTED, COUNTED, DocumentView
from core.presentation.decide import figures
from core.presentation.labels import Labels
from core.presentation.opening import opening_words
from core.questions.decide import GoalSeek, Totals
from gui.charts import ProfitChart
from gui.pages.decide.depth_bar import DepthBar
from gui.pages.decide.first_step import first_step
from gui.pages.decide.header import HeaderButtons, HeaderChoices
from gui.pages.decide.headline import HeadlineCard
from gui.pages.decide.matrix.cost_card import CostCard
from gui.pages.decide.matrix.earns_card import EarnsCard
from gui.pages.decide.matrix.meaning_card import MeaningCard, carried_advice
from gui.pages.decide.on_report import parts_of
from gui.pages.decide.priors_card import PriorsCard
from gui.pages.decide.profit.ghost import Ghost, GhostBar
from gui.pages.decide.profit.lift import ProfitLift
from gui.pages.decide.split import Split
from gui.pages.decide.studies import STUDIES
from gui.pages.decide.studies.goal_seek import GoalSeekStudy
from gui.pages.decide.studies.rankings import RankingsStudy
from gui.pages.decide.table_card import TableCard
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.pauses import PAUSES, single_shot
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme, theme_notifier
from gui.widgets import EmptyState, TextLabel
from gui.widgets.card_column import CardColumn, needed_height, scrolling
from gui.widgets.veil import Veil

COLUMN = 360
GAP, LOW_GAP = 10, 6
CHART = 190  # the least height of the chart
NARROW_PAGE = 1300
FULL_STUDY, FULL_CHART = 400, 300  # least heights in full view; a lower page has the study alone
LOW_PAGE = 690  # below this height the chart needs the room of the secondary lines


class DecidePage(Page):
    """Matrix, priors, costs and reading; the big number, the profit chart and the tables.

    The left side shows the document as it is typed. The right side shows a result together with
    the document it was worked out from, so that no number is ever read with another's words.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Decide", parent)
        self.header.title.setText("Decide")
        self.setAccessibleName("Decide")
        self._result: DecisionResult | None = None
        self._of_document = session.project.document  # what the result was worked out from
        self._reading: CursorReading | None = None
        self._is_working = False
        self._later = single_shot(self, PAUSES.figures, self._show_figures)
        self.choices = HeaderChoices(session, self.header)
        self.report_button = self.join_report(PageId.DECIDE)
        self.buttons = HeaderButtons(self.header, self.report_button)
        self._build_body()
        self._connect_cards()
        self._connect_session()
        self.show_all()

    def show_part(self, part: str) -> None:
        self.tables.show_study(part)

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self.session.project.document, self.chart, self.tables)

    # ------------------------------------------------------------ building

    def _build_body(self) -> None:
        """From the outside in: a widget that moves below another resolves its whole tree's style.

        A card that holds dozens of widgets moves once, into the column that is there already.
        """
        self.stack = QStackedWidget(self)
        margins = self.body.contentsMargins()
        margins.setRight(0)  # the right column scrolls in the page's margin
        self.body.setContentsMargins(margins)
        self.body.addWidget(self.stack)
        content = QWidget(self.stack)
        self.stack.addWidget(content)
        step = first_step(self.session.project.document, self.session.trainings)
        self.empty = EmptyState(step.sentence, step.button, icon="decide")
        self.stack.addWidget(self.empty)
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left, right = CardColumn(), CardColumn(gives_way=True)
        self.left, self.right = scrolling(left), scrolling(right)
        row.addWidget(self.left)
        row.addWidget(self.right, 1)
        self._fill_left(left)
        self._fill_right(right)

    def _fill_left(self, column: CardColumn) -> None:
        column.setFixedWidth(COLUMN)
        self.left.setFixedWidth(COLUMN + GAP)  # the bar runs in the gap, the cards keep their width
        self._cards = cards = QVBoxLayout(column)
        cards.setContentsMargins(0, 0, 0, 0)
        cards.setSpacing(GAP)
        self.earns = EarnsCard(column)
        self.priors = PriorsCard(column)
        self.costs = CostCard(column)
        self.meaning = MeaningCard(column)
        for card in (self.earns, self.priors, self.costs):
            cards.addWidget(card)
        cards.addWidget(self.meaning, 1)
        column.resized.connect(self._fit_meaning)

    def _fill_right(self, column: CardColumn) -> None:
        """The figures with their chart above, the tabs below; each has its own room."""
        right = QVBoxLayout(column)
        margin = current_theme().sizes.page_margin
        right.setContentsMargins(0, 0, margin, 0)
        self.split = Split("decide", column)
        self.split.setHandleWidth(GAP)
        right.addWidget(self.split)
        self.upper = CardColumn(gives_way=True)
        self.split.addWidget(self.upper)
        self.tables = TableCard(self.split)  # a splitter takes its children as they come
        self._fill_upper(self.upper)
        self.tables.add_studies(study(self.session) for study in STUDIES)
        self.tables.add_rankings(RankingsStudy(self.session))
        self._focus_before: QWidget | None = None  # of what the full view hides
        shown = (self.opening, self.headline, self.chart, self.tables, self.meaning)
        self._veils = tuple(Veil(card) for card in shown)
        bar = self.right.verticalScrollBar()
        width = bar.sizeHint().width()
        bar.rangeChanged.connect(  # the bar takes the margin's room, not the cards'
            lambda _low, high: right.setContentsMargins(0, 0, margin - (width if high else 0), 0)
        )

    def _fill_upper(self, column: CardColumn) -> None:
        self._results = upper = QVBoxLayout(column)
        upper.setContentsMargins(0, 0, 0, 0)
        upper.setSpacing(GAP)
        self.headline = HeadlineCard(column)
        self.chart = ProfitChart(column)
        self.chart.setMinimumHeight(CHART)
        self.ghost = Ghost(self.session, self)
        self.ghost_bar = GhostBar(self.ghost)
        self.chart.add_header_button(self.ghost_bar)
        self.lift = ProfitLift(self.session, self.chart)
        self.depths = DepthBar()
        frame = self.chart.layout()
        if frame is not None:
            frame.addWidget(self.depths)
        self.opening = TextLabel("", "quiet", wraps=True)
        upper.addWidget(self.opening)
        upper.addWidget(self.headline)
        upper.addWidget(self.chart, 1)

    def _connect_cards(self) -> None:
        for card in (self.earns, self.priors, self.costs, self.depths):
            card.command_requested.connect(self._execute)
        self.headline.mending_wanted.connect(self._execute)
        self.headline.number.sought.connect(self._seek)
        self.lift.sought.connect(self._seek)
        for card in (self.earns, self.priors, self.costs):
            card.editing_finished.connect(self.session.project.finish_editing)
        self.earns.dialog_requested.connect(self.open_dialog)
        self.meaning.link_followed.connect(self._follow)
        self.depths.depth_chosen.connect(self._go_to)
        self.chart.cursor_requested.connect(self.session.results.move_cursor)
        self.chart.cursor_released.connect(self._settle_cursor)
        self.chart.best_requested.connect(self._go_to_best)
        self.chart.pin_requested.connect(self.session.results.set_pinned)
        self.chart.enlarge_requested.connect(self._on_enlarge)
        self.chart.refused.connect(self.session.project.post)
        self.ghost.changed.connect(self._show_ghost)
        self.tables.full_view_changed.connect(self._on_full_view)
        self.tables.tabs.currentChanged.connect(lambda _place: self._show_size())
        self._escape = QShortcut(Qt.Key.Key_Escape, self, self.tables.leave_full_view)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
        self.buttons.pin.clicked.connect(self._on_pin)
        self.buttons.apply.clicked.connect(self.open_apply)
        self.buttons.save.clicked.connect(self.open_save)
        self.empty.pressed.connect(self._leave_empty)
        theme_notifier().theme_changed.connect(self._show_header)

    def _connect_session(self) -> None:
        space = self.session
        space.project.document_changed.connect(self._show_document)
        space.trainings.changed.connect(self._show_document)
        space.project.summary_changed.connect(self._show_document)
        space.plugins.changed.connect(self._show_left)
        space.results.decisions_changed.connect(self._take_result)
        space.results.reading_changed.connect(self._take_reading)
        space.results.resamples_changed.connect(self._show_figures)
        space.results.cursor_moved.connect(self._show_cursor)
        space.results.pinned_changed.connect(self._show_pin)
        space.results.working_changed.connect(self._set_working)
        space.results.freshness_changed.connect(self._show_freshness)

    # ------------------------------------------------------------ showing

    def show_all(self) -> None:
        """Show the session as it stands."""
        self._is_working = False
        self._take_result(self.session.results.decisions)
        if self.session.results.reading is not None and self._result is not None:
            self._take_reading(self.session.results.reading)
        self._show_document()
        self._show_figures()
        self._show_pin(self.session.results.pinned_depth)
        self._show_freshness()

    def _show_document(self, _sent: object = None) -> None:
        document = self.session.project.document
        is_ready = Totals.why_not(document) is None
        self.stack.setCurrentIndex(0 if is_ready else 1)
        if not is_ready:
            step = first_step(document, self.session.trainings)
            self.empty.sentence.setText(step.sentence)
            self.empty.button.setText(step.button)
        self._show_left()
        self._show_header()
        self._show_freshness()

    def _show_left(self, _sent: object = None) -> None:
        document, plugins = self.session.project.document, self.session.plugins.known
        templates = plugins.templates if plugins is not None else ()
        weights = self._is_now(CORRECTED)
        self.earns.show_document(
            document,
            self._result,
            templates,
            self.session.project.summary,
            cells_are_fresh=self._is_now(CONSEQUENCES),
            shares_are_fresh=weights,
        )
        self.priors.setHidden(is_interval(document))  # a number has no class shares
        self.priors.show_document(document, self._counted(), probabilities_are_fresh=weights)
        self.costs.show_document(document, self.session.project.summary)
        self.meaning.show_result(self._result, carried_advice(document))
        self._fit_meaning()

    def _is_now(self, view: DocumentView) -> bool:
        """Whether what the totals say of a part of the document is of the present one."""
        return view.of(self._of_document) == view.of(self.session.project.document)

    def _counted(self) -> DecisionResult | None:
        """The totals, where they count the rows of the present document."""
        return self._result if self._is_now(COUNTED) else None

    def _fit_meaning(self) -> None:
        """Give the last card of the left column the height that the others leave."""
        others = [card for card in (self.earns, self.priors, self.costs) if not card.isHidden()]
        taken = sum(needed_height(card, COLUMN) + self._cards.spacing() for card in others)
        self.meaning.fit(self.left.maximumViewportSize().height() - taken, COLUMN)
        for card in (*others, self.meaning):  # measuring took the layouts' word of their changes
            layout = card.layout()
            if layout is not None:
                layout.activate()
            card.updateGeometry()
        self._cards.activate()

    def _show_header(self, _sent: object = None) -> None:
        document = self.session.project.document
        self.choices.show_document(document, self._counted())
        self.buttons.show_result(document, self._result)

    def _why_no_totals(self) -> str:
        if self.session.results.outcomes.is_waiting:
            return "No totals yet: say above what is done with rows without an outcome."
        if self.session.project.unread:
            return f"The data are not read. {self.session.project.unread}"
        refusal = self.session.results.refusals.get("decide", "")
        return refusal or "The totals are being worked out."

    def _show_freshness(self) -> None:
        """Grey the totals of another document than there is."""
        space = self.session
        is_stale = self._result is not None and not space.results.decisions_are_fresh
        at_once = space.results.is_of_other_models(space.results.decided)
        for veil in self._veils:
            veil.draw(is_stale, at_once=at_once)
        if self._result is None and not self.stack.currentIndex():
            self.chart.set_empty("Profit", self._why_no_totals(), "")

    def _take_result(self, result: DecisionResult | None) -> None:
        self._result = result
        self._of_document = self.session.results.decided or self.session.project.document
        self._reading = result.at_rest if result is not None else None
        if result is None:
            self.chart.set_result(None)
            self.chart.set_empty("Profit", self._why_no_totals(), "")
        else:
            self.chart.set_result(result, Labels.of(self._of_document))
            if self._reading is not None:
                self.chart.set_reading(self._reading)
        self._show_left()
        self._show_header()
        self._show_cursor()
        self._show_figures()

    def _take_reading(self, reading: CursorReading) -> None:
        # While totals are being worked out again, an answer may belong to the coming ones.
        if self._is_working:
            return
        self._reading = reading
        self.chart.set_reading(reading)
        self._follow_soon()

    def _set_working(self, is_working: bool) -> None:
        self._is_working = is_working

    def _show_cursor(self, _sent: object = None) -> None:
        if self._result is not None:
            self.chart.set_cursor(self.session.results.cursor_depth)
        self._follow_soon()

    def _follow_soon(self) -> None:
        """Show the figures of the newest cursor; a drag does not wait for them."""
        if not self._later.isActive():
            self._later.start()

    def _show_figures(self, _sent: object = None) -> None:
        depth, document = self.session.results.cursor_depth, self._of_document
        resamples = self.session.results.resamples
        args = (document, self._result, depth, self._reading, resamples)
        self.headline.show_result(*args)
        self.tables.show_result(*args)
        self.depths.show_result(document, self._result, depth)
        self._show_opening()
        self.tables.refresh_study()
        self._show_size()

    def _show_ghost(self) -> None:
        """Draw the line from before the numbers were changed, and say what changed."""
        self.chart.set_former(self.ghost.former)
        self.ghost_bar.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes the former line away, once no field and no chart has a use for the key."""
        if event.key() == Qt.Key.Key_Escape and self.ghost.former is not None:
            self.ghost.leave()
        else:
            super().keyPressEvent(event)

    def _show_opening(self) -> None:
        """Say what was read and assumed, until somebody says what decisions earn."""
        summary, document = self.session.project.summary, self._of_document
        left_out = (summary.left_out, summary.totals) if summary is not None else (0, 0)
        words = opening_words(document, self._result, *left_out)
        self.opening.setText(words)
        self.opening.setVisible(bool(words))

    def _show_size(self) -> None:
        """Enlarged, the chart has the page for itself; in full view the tabs have it."""
        is_large, is_full = self.chart.is_large, self.tables.is_full_view
        if is_large or is_full:
            self.headline.hide()
            self.opening.hide()
        if is_large:
            self.tables.hide()
        study = self.tables.study
        has_room = self.split.height() >= FULL_STUDY + FULL_CHART
        self.upper.setHidden(is_full and not (has_room and (study is None or not study.fills_page)))
        self.left.setHidden(is_large or is_full)
        least = FULL_STUDY if is_full else 0
        if self.split.least != least:
            self.split.least = least
            self.split.share_out()

    def _on_full_view(self, is_full: bool) -> None:
        """Give the tabs the page, or take it back; the keyboard stays where it was."""
        self._escape.setEnabled(is_full)
        bar, focus = self.tables.tabs.tabBar(), self.focusWidget()
        hidden = (self.upper, self.left)
        if is_full and focus is not None and any(part.isAncestorOf(focus) for part in hidden):
            self._focus_before = focus
            bar.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_figures()
        self.split.share_out()
        if is_full:
            return
        before, self._focus_before = self._focus_before, None
        if before is not None and isValid(before) and focus is bar:
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_pin(self, depth: float | None) -> None:
        self.buttons.show_pin(depth)
        self.chart.set_pin(depth)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another page has come to the front
            self.ghost.leave()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = event.size()
        is_low = size.height() < LOW_PAGE
        self.headline.set_compact(is_low)
        self.tables.set_compact(is_low)
        for card in (self.earns, self.priors, self.costs, self.meaning):
            card.set_compact(is_low)
        for cards in (self._cards, self._results):
            cards.setSpacing(LOW_GAP if is_low else GAP)
        self.depths.set_compact(size.width() < NARROW_PAGE)
        self._fit_meaning()
        self._show_size()

    # ------------------------------------------------------------ what the user does

    def _execute(self, command: Command) -> None:
        if not self.session.project.execute(command):
            self._show_left()  # a refused entry gives way to what holds

    def _on_pin(self, is_on: bool) -> None:
        self.session.results.set_pinned(self.session.results.cursor_depth if is_on else None)

    def _settle_cursor(self) -> None:
        self.session.results.move_cursor(self.session.results.cursor_depth, finished=True)

    def _go_to(self, depth: float | None) -> None:
        self.session.results.move_cursor(depth, finished=True)

    def _on_enlarge(self) -> None:
        self.chart.set_large(not self.chart.is_large)
        self._show_figures()

    def _go_to_best(self) -> None:
        if self._result is None:
            return
        chosen = figures.profit_of(self._result, self._of_document.reference_model)
        if chosen is not None and math.isfinite(chosen.best_depth):
            self._go_to(chosen.best_depth)

    def _seek(self, total: float) -> None:
        """Show what would bring another total by the rule."""
        if self.session.project.document.cursor_depth is not None:
            self._go_to(None)
        self.tables.show_study(GoalSeek.facts.key)
        study = self.tables.study
        if isinstance(study, GoalSeekStudy):
            study.seek(total)

    def _follow(self, link: str) -> None:
        """Go where an advice points: another page, or a control of this one."""
        places = {
            "priors": self.priors.origin,
            "matrix": self.earns.matrix,
            "costs": self.costs.mode,
            "acting": self.earns.acting,
        }
        if link == "reconcile":
            self.open_dialog(link)
        elif link == "chances":
            self.open_probabilities()
        elif link in places:
            self.left.ensureWidgetVisible(places[link])
            places[link].setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.session.page_requested.emit(PageId.DATA if link == "data" else PageId.COMPARE)

    def _leave_empty(self) -> None:
        document = self.session.project.document
        page = first_step(document, self.session.trainings).page
        if page:
            self.session.page_requested.emit(page)
        elif document.target is not None:
            summary = self.session.project.summary
            columns = summary.columns if summary is not None else ()
            self._execute(SetMatrix(matrix=starting_matrix(document.target, columns)))

    def open_probabilities(self) -> QWidget:
        """Open the dialog that turns scores into chances."""
        from gui.pages.data.dialogs.calibration import ProbabilitiesDialog

        dialog = ProbabilitiesDialog(self.session, parent=self)
        dialog.show()
        return dialog

    def open_save(self) -> QWidget:
        """Open the dialog that writes the decisions."""
        from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog

        dialog = SaveDecisionsDialog(self.session, self)
        dialog.show()
        return dialog

    def open_dialog(self, key: str) -> QWidget:
        """Open a dialog around the matrix or the rule."""
        from gui.shell.dialogs.by_key import open_dialog

        return open_dialog(key, self.session, self)

    def open_apply(self) -> QWidget:
        """Open the dialog that applies the rule to another file."""
        from gui.pages.decide.dialogs.apply_rule import ApplyRuleDialog

        dialog = ApplyRuleDialog(self.session, self)
        dialog.show()
        return dialog
