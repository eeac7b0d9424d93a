"""Page Compare: which model is best, how sure is that, and what does it look like by depth."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.commands import SetReferenceModel, SetRowsUsed
from core.document.compare.commands import SetMetrics
from core.document.data.model import RowUse
from core.document.decisions.chosen_depth import chosen_for
from core.document.markup import NOTHING
from core.document.model import Document
from core.document.report.commands import METRIC_TABLE
from core.document.results import (
    CursorReading,
    ModelDepths,
    ModelProfit,
    PairedDifference,
    ResampleResult,
)
from core.document.studies.power import is_offered
from core.presentation.decide_figures import at_depth, paired_at
from core.presentation.depths import (
    is_rising,
    ranking_of_model,
    score_words,
    threshold_words,
    value_at,
)
from core.presentation.labels import Labels
from core.presentation.metrics import (
    MetricColumn,
    metric_columns,
    metric_warnings,
    profit_column,
    rows_sentence,
)
from gui.pages.compare.chart_grid import ChartGrid
from gui.pages.compare.charts_presenter import ChartsPresenter
from gui.pages.compare.dialogs.metrics_dialog import MetricsDialog
from gui.pages.compare.dialogs.studies_menu import StudiesMenu
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.metric_table import MetricTable
from gui.pages.compare.on_report import entry_kind, parts_of
from gui.pages.compare.questions import QuestionRow, open_question
from gui.pages.compare.words import (
    best_other,
    comparison_note,
    comparison_sentence,
    rows_words,
    uses_offered,
)
from gui.pages.first_step import FirstStep, step_to_model
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.commands.copy_python import copy_as_python
from gui.shell.page_list import PageId
from gui.theme import icon, theme_notifier
from gui.widgets import Card, ElidedLabel, IconLabel, NumberField, TextLabel, series_icon
from gui.widgets.labels import whole_parts
from gui.widgets.veil import Veil
from payoff.counting import counted

_MOST_COMBO = 240
ROOM_FOR_WORDS = 1300  # a narrower page leaves out the words beside the cursor's field


class ComparePage(Page):
    """Header, metric table and charts; a ``ComparePresenter`` fills them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "", parent)
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
        self.presenter = ComparePresenter(session, self)

    def on_shown(self) -> None:
        self.presenter.refresh()

    def show_part(self, part: str) -> None:
        getattr(self.presenter.studies, part)()

    def report_parts(self) -> tuple[ReportPart, ...]:
        plugins = self.session.plugins.known
        curves = plugins.curves if plugins is not None else ()
        space, studies = self.session, self.presenter.studies.views()
        return parts_of(
            space.project.document, space.results.level, self.grid.kinds, curves, studies
        )

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


class ComparePresenter(QObject):
    """Watches the session and repaints what changed; the page holds no truth."""

    def __init__(self, session: Session, page: ComparePage) -> None:
        super().__init__(page)
        self._session = session
        self._page = page
        self._other: str | None = None  # the row that was clicked: compared with the reference
        self._reading = session.results.reading  # kept only while it belongs to the totals shown
        self._is_typing = False  # into the cursor's field
        self._resampled_at: float | None = None  # the depth that resamples were seen to come at
        self._footer_depth: float | None = None  # the depth that the footer's money belongs to
        self._shown: tuple[object, ...] = ()  # what the table was made of
        self.warnings: tuple[str, ...] = ()  # above the table
        session.project.document_changed.connect(self._on_document_changed)
        session.trainings.changed.connect(self._show_results)
        session.results.evaluation_changed.connect(self._on_results_changed)
        session.results.decisions_changed.connect(self._on_decisions_changed)
        session.results.resamples_changed.connect(self._on_resamples_changed)
        session.results.reading_changed.connect(self._on_reading_changed)
        session.results.cursor_moved.connect(self._on_cursor_moved)
        session.results.freshness_changed.connect(self._show_freshness)
        theme_notifier().theme_changed.connect(self._show_choices)
        self.charts = ChartsPresenter(session, page, page.grid, page.charts_button)
        self.studies = StudiesMenu(session, page, page.studies_button, self.charts)
        self._connect_page()
        self.refresh()

    def _connect_page(self) -> None:
        page, session = self._page, self._session
        page.data_choice.activated.connect(self._choose_rows)
        page.reference_choice.activated.connect(self._choose_reference)
        page.level_choice.activated.connect(self._choose_level)
        page.cursor_field.value_changed.connect(self._type_cursor)
        page.cursor_field.value_committed.connect(self._commit_typing)
        page.metrics_button.clicked.connect(self.open_metrics)
        page.decide_button.clicked.connect(lambda: session.page_requested.emit(PageId.DECIDE))
        page.empty_button.clicked.connect(self._fill)
        page.table.model_chosen.connect(self.compare_with)
        page.table.menu_made.connect(self._offer_report)
        page.question.answered.connect(session.project.execute)

    # ------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show everything anew."""
        self._show_choices()
        self._show_results()
        self._show_freshness()

    def _on_document_changed(self, _document: Document) -> None:
        self._show_choices()
        self._show_results()

    def _on_decisions_changed(self, _result: object) -> None:
        self._reading = None
        self._on_results_changed(None)

    def _on_results_changed(self, _result: object) -> None:
        self._show_choices()
        self._show_results()

    def _look(self) -> Labels:
        session = self._session
        return Labels.of(
            session.project.document, session.results.decisions, level=session.results.level
        )

    def _show_choices(self, _theme: object = None) -> None:
        document, page = self._session.project.document, self._page
        evaluation = self._session.results.evaluation
        rows = evaluation.rows if evaluation is not None else None
        uses = uses_offered(document)
        _fill_combo(
            page.data_choice,
            [(rows_words(document, use, rows), use) for use in uses],
            uses.index(document.rows_used) if document.rows_used in uses else 0,
        )
        names = [model.name for model in document.models]
        reference = document.reference_model or (names[0] if names else "")
        _fill_combo(
            page.reference_choice,
            [(name, name) for name in names],
            names.index(reference) if reference in names else 0,
        )
        for index, model in enumerate(document.models):
            page.reference_choice.setItemIcon(index, series_icon(model.series))
        self._show_levels(document)
        words = f"Decide with {reference}" if reference else "Decide"
        page.show_decide(words)
        is_ready = bool(names) and document.target is not None
        page.decide_button.setEnabled(is_ready)
        for button in (page.metrics_button, page.charts_button, page.report_button):
            button.setEnabled(is_ready)
        page.studies_button.setEnabled(is_ready)

    def _show_levels(self, document: Document) -> None:
        """The event is chosen only where there are more than two classes."""
        target, page = document.target, self._page
        levels = target.levels if target is not None and len(target.levels) > 2 else ()
        page.level_choice.setVisible(bool(levels))
        page.level_caption.setVisible(bool(levels))
        if target is None or not levels:
            return
        shown = self._session.results.level or target.event
        _fill_combo(
            page.level_choice,
            [(target.label(level), level) for level in levels],
            levels.index(shown) if shown in levels else 0,
        )

    def _show_results(self) -> None:
        page, session = self._page, self._session
        step = self._first_step()
        page.stack.setCurrentIndex(0 if step is None else 1)
        if step is not None:
            page.empty_text.setText(step.sentence)
            page.empty_button.setText(step.button)
        look = self._look()
        self.charts.show_results(look)
        self.charts.show_reading(self._reading)
        self._show_table(look)
        self._show_warnings()
        page.question.ask(open_question(session.project.document, session.project.summary))
        self._on_cursor_moved(session.results.cursor_depth)

    def _show_freshness(self) -> None:
        """Grey the figures of another document than there is."""
        space, page = self._session, self._page
        is_stale = not space.results.evaluation_is_fresh
        at_once = space.results.is_of_other_models(space.results.evaluated)
        page.table_veil.draw(is_stale, at_once=at_once)
        is_stale = is_stale or not space.results.decisions_are_fresh
        at_once = at_once or space.results.is_of_other_models(space.results.decided)
        page.grid_veil.draw(is_stale, at_once=at_once)

    def _first_step(self) -> FirstStep | None:
        """What to do before anything can be compared; None when it can."""
        document = self._session.project.document
        if document.data is None:
            sentence = "Open a file with a known outcome and the scores of one or more models."
            return FirstStep(sentence, "Open data", PageId.HOME)
        if document.target is None:
            sentence = "Say which column holds the outcome, and models can be compared."
            return FirstStep(sentence, "Choose columns", PageId.DATA)
        return step_to_model(document, self._session.trainings)

    def _show_table(self, look: Labels) -> None:
        page, evaluation = self._page, self._session.results.evaluation
        profit = self._profit_column(look)
        wanted = (evaluation, look, profit is None)
        if len(self._shown) == 3 and self._shown[0] is evaluation and self._shown[1:] == wanted[1:]:
            page.table.set_profit(profit)
        else:
            self._shown = wanted
            columns = metric_columns(evaluation, look) if evaluation is not None else ()
            page.table.set_reference(look.chosen)
            seed = self._session.project.document.seed
            page.table.rows_text = rows_sentence(evaluation, seed) if evaluation is not None else ""
            page.table.metrics.set_columns(look, columns, profit)
        self._show_footer()

    def _profit_column(self, look: Labels) -> MetricColumn | None:
        decisions = self._session.results.decisions
        if decisions is None or not decisions.models:
            return None
        depth = self._session.results.cursor_depth
        return profit_column(decisions, look, depth, self._reading)

    def _show_warnings(self) -> None:
        evaluation = self._session.results.evaluation
        refusal = self._session.results.refusals.get("evaluate", "")
        warnings: tuple[str, ...] = (refusal,) if refusal else ()
        if evaluation is not None:
            warnings = metric_warnings(evaluation, self._session.results.decisions)
        self.warnings = warnings
        more = len(warnings) - 1
        shorter = (f"{warnings[0]} ({f'{more:d} more'})",) if more > 0 else ()
        self._page.warning.set_full_text("   ".join(warnings), *shorter)
        self._page.warning.setToolTip("\n".join(warnings))
        self._page.warning_row.setVisible(bool(warnings))

    # ------------------------------------------------------------ footer

    def compare_with(self, model: str) -> None:
        """Compare another model with the reference in the footer."""
        self._other = model
        self._show_footer()

    def _chosen_for(self, *models: str) -> str:
        """The model for which these rows chose the depth of the cursor: it looks better there."""
        decisions = self._session.results.decisions
        profits = decisions.models if decisions is not None else ()
        return chosen_for(profits, self._session.results.cursor_depth, models)

    def _show_footer(self, _resamples: object = None) -> None:
        page, session = self._page, self._session
        evaluation, look = session.results.evaluation, self._look()
        if evaluation is None:
            page.footer.set_texts(NOTHING, ())
            return
        names = [model.name for model in look.models]
        other = self._other if self._other in names and self._other != look.chosen else None
        other = other or best_other(evaluation, look.chosen)
        sentence, note = NOTHING, ""
        money = self._money_difference(look.chosen, other) if other is not None else None
        self._footer_depth = session.results.cursor_depth if money is not None else None
        if other is not None:
            sentence = comparison_sentence(
                evaluation,
                look.chosen,
                other,
                money,
                look.currency,
                is_loss=look.is_loss,
                profit=self._profit_of(look.chosen),
                chosen_for=self._chosen_for(look.chosen, other),
            )
            note = comparison_note(evaluation, look.chosen, other)
        gap, best = " " * 5, "bold = best"
        tied = "≈ = not distinguishable from the best"
        bars = f"Bars: 95 %, same {look.cases} drawn for every model"
        short = "Bars: 95 %"
        if len(names) < 2:  # one model is neither the best nor like the best
            page.footer.set_texts(sentence, (short,))
            return
        page.footer.set_texts(
            sentence, (gap.join((bars, best, tied)), gap.join((short, best, tied)), tied), note
        )

    def _on_resamples_changed(self, result: ResampleResult | None) -> None:
        self._resampled_at = self._session.results.cursor_depth if result is not None else None
        self._show_footer()

    def _profit_of(self, model: str) -> float:
        """What a model brings at the cursor; 0 where that is not known."""
        decisions, depth = self._session.results.decisions, self._session.results.cursor_depth
        found = [entry for entry in decisions.models if entry.model == model] if decisions else []
        return at_depth(found[0], depth, self._reading).profit if found else 0.0

    def _money_difference(self, first: str, second: str) -> PairedDifference | None:
        """The paired difference of profits where the cursor rests: resampled, else exact."""
        session = self._session
        depth, decisions = session.results.cursor_depth, session.results.decisions
        chosen, rest = session.results.chosen_profit(), session.project.document.cursor_depth
        if rest is None and chosen is not None:
            rest = chosen.resting_depth
        if depth != rest or decisions is None:
            return None  # on the move
        models = {entry.model: entry for entry in decisions.models}
        if first not in models or second not in models:
            return None
        own, other = (at_depth(models[name], depth, self._reading) for name in (first, second))
        return paired_at(
            own,
            other,
            self._reading,
            session.results.resamples,
            is_drawn_here=self._resampled_at == depth,
        )

    # ------------------------------------------------------------ cursor

    def _on_cursor_moved(self, depth: float) -> None:
        page, session = self._page, self._session
        has_any = session.results.evaluation is not None or session.results.decisions is not None
        page.grid.set_cursor(depth if has_any else None)
        page.cursor_field.set_value(depth)
        page.cursor_field.setEnabled(has_any)
        words = self._cursor_words(depth) if has_any else ""
        page.cursor_text.set_full_text(words, *whole_parts(words))
        look = self._look()
        column = self._profit_column(look)
        page.table.set_profit(column)
        if self._footer_depth not in (None, depth):
            self._show_footer()  # its money belongs to another depth

    def _cursor_words(self, depth: float) -> str:
        """Cases and threshold at the cursor: exact where the engine has read it, else the curve."""
        document, evaluation = self._session.project.document, self._session.results.evaluation
        chosen = self._session.results.chosen_profit()
        if chosen is None:
            depths = (
                ranking_of_model(evaluation, document.reference_model or "") if evaluation else None
            )
            if depths is None:
                return ""
            entry: ModelProfit | ModelDepths = depths
        else:
            entry = chosen
        cases = value_at(entry.depth, entry.cases, depth)
        threshold = value_at(entry.depth, entry.threshold, depth)
        exact = self._reading
        if exact is not None and abs(exact.depth - depth) <= 1e-12 and entry.model in exact.models:
            row = exact.models.index(entry.model)
            cases, threshold = float(exact.cases[row]), float(exact.threshold[row])
        text = counted(cases, *document.row_word)
        decisions = self._session.results.decisions
        is_chance = document.target is not None and len(document.target.levels) == 2
        if chosen is not None and decisions is not None:
            is_chance = decisions.threshold_kind != "advantage"
        words = ""
        if not entry.has_chances:
            words = score_words(threshold, is_upper=is_rising(entry.threshold))
        elif is_chance:
            words = threshold_words(threshold, is_upper=is_rising(entry.threshold))
        return f"{text}, {words}" if words else text

    def _on_reading_changed(self, reading: CursorReading) -> None:
        self._reading = reading
        self.charts.show_reading(self._reading)
        self._on_cursor_moved(self._session.results.cursor_depth)
        self._show_footer()

    def _type_cursor(self, depth: float) -> None:
        self._is_typing = True
        self._session.results.move_cursor(depth)

    def _commit_typing(self, _depth: float) -> None:
        """Leaving the field ends a move that was typed; passing through it moves nothing."""
        if self._is_typing:
            self._is_typing = False
            self._finish_move()

    def _finish_move(self) -> None:
        self._session.results.move_cursor(self._session.results.cursor_depth, finished=True)

    # ------------------------------------------------------------ wishes

    def _choose_rows(self, index: int) -> None:
        use = self._page.data_choice.itemData(index)
        self._session.project.execute(SetRowsUsed(rows_used=RowUse(use)))

    def _choose_reference(self, index: int) -> None:
        name = str(self._page.reference_choice.itemData(index))
        self._session.project.execute(SetReferenceModel(model=name))

    def _choose_level(self, index: int) -> None:
        self._session.results.set_level(str(self._page.level_choice.itemData(index)))

    def open_metrics(self) -> MetricsDialog | None:
        """Choose the metrics of the table."""
        session = self._session
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
        dialog = MetricsDialog(offered, chosen, columns, self._page)
        dialog.metrics_chosen.connect(
            lambda made: session.project.execute(SetMetrics(metrics=made))
        )
        dialog.show()
        return dialog

    def _offer_report(self, menu: QMenu) -> None:
        """Put the table on the report, take it off, or copy it as a script, from its own menu."""
        report = self._session.report
        action = menu.addAction("Add to report")
        action.setCheckable(True)
        kind = entry_kind(METRIC_TABLE, self._session.project.document, self._session.results.level)
        action.setChecked(report.is_on(kind))
        action.triggered.connect(lambda is_on: report.put(kind, is_on))
        menu.addAction(
            icon("copy"),
            "Copy as Python",
            lambda: copy_as_python(self._session, "compare"),
        )

    def _fill(self) -> None:
        step = self._first_step()
        if step is not None:
            self._session.page_requested.emit(step.page)


def _fill_combo(combo: QComboBox, entries: list[tuple[str, object]], current: int) -> None:
    """Put entries into a selector without telling anyone."""
    before = [(combo.itemText(row), combo.itemData(row)) for row in range(combo.count())]
    with QSignalBlocker(combo):
        if before != entries:
            combo.clear()
            for words, value in entries:
                combo.addItem(words, value)
        combo.setCurrentIndex(current if entries else -1)
