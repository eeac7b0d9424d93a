"""The Uplift page: is the experiment valid, what does treating bring, and whom to treat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.data.limits import not_in_pieces
from core.document.model import Document
from core.document.studies.uplift import UpliftResult
from core.document.uplift.commands import SetMostCases, SetUpliftPrice
from core.document.uplift.model import UpliftKind
from core.document.views import EXPERIMENT
from core.presentation.known_figures import KnownFigure, ranking_figures
from core.presentation.labels import Labels
from core.presentation.uplift.cards import (
    CRITERIA,
    CURVE,
    GAIN,
    VALIDITY,
    VARIANTS,
    CardName,
    experiment_card,
)
from core.presentation.uplift.curve import UpliftWords, curve_title, invalid_words
from core.presentation.view import View
from core.questions.asked import Unit
from core.questions.uplift import Uplift
from gui.pages.page import Page
from gui.pages.report.parts import AnswerViews, ReportPart, view_part
from gui.pages.uplift.action_card import ActionCard, CriteriaCard, with_prices
from gui.pages.uplift.curve_chart import UpliftChart
from gui.pages.uplift.experiment_bar import ExperimentBar, treatment_of
from gui.pages.uplift.guard_card import GuardCard, mending
from gui.pages.uplift.next_test import NextTestDialog
from gui.pages.uplift.on_report import card_parts
from gui.pages.uplift.options_menu import (
    ChoiceButton,
    ExperimentSetup,
    TruthDialog,
    baseline_choices,
    fill_choices,
    fill_training,
    price_choices,
)
from gui.pages.uplift.saving import ask_where, save_decisions
from gui.pages.uplift.tabs import UpliftTabs
from gui.pages.uplift.training import UpliftTraining
from gui.pages.uplift.variance import VarianceDialog
from gui.pauses import PAUSES
from gui.session.outcome_watch import ExperimentWatch
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session
from gui.shell.outcome_question import OutcomeQuestion
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets import EmptyState, TextLabel
from gui.widgets.card_column import CardColumn, scrolling
from gui.widgets.scrolled import scrolled
from gui.widgets.veil import Veil

RIGHT = 398
LEAST_CHART, LEAST_TABLE = 280, 240  # heights; where there is less the left column scrolls
NARROW = 1300  # of the page
CURVE_TO_COME = "The curve appears here as soon as it is computed."


class UpliftPage(Page):
    """Asks the engine for the experiment and shows it on the shared cursor."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Uplift", parent)
        self.setAccessibleName(self.header.title.text())
        self.result: UpliftResult | None = None
        self._cards: AnswerViews | None = None  # the views of the result
        self.next_test: NextTestDialog | None = None
        self.study: VarianceDialog | None = None
        self._chosen = ""
        self._is_dragged = False
        self._requested: Document | None = None
        self._measured: Document | None = None  # what the result was worked out from
        self._is_whole = False  # whether nothing of the result is still to come
        self._request = Request(self, session.project, self._send, pause=PAUSES.uplift)
        self.training = UpliftTraining(session)
        self.outcomes = ExperimentWatch(session.project, self)
        self._build_header()
        self._build_body()
        self.outcomes.changed.connect(self._on_document)
        session.project.document_changed.connect(self._on_document)
        session.project.summary_changed.connect(self._on_document)
        session.results.cursor_moved.connect(self._on_cursor)
        session.results.pinned_changed.connect(self.chart.set_pin)
        session.project.data_changed.connect(self._leave_data)
        self._on_document()

    def on_shown(self) -> None:
        self._on_document()

    def show_part(self, part: str) -> None:
        studies = {"next_test": self.show_next_test, "variance": self._show_study}
        studies.get(part, lambda: self.variants.show_tab(part))()

    def known_figures(self) -> tuple[KnownFigure, ...]:
        """What other tools print for each ranking that is shown."""
        if self.result is None or self._measured != self.subject():
            return ()
        return ranking_figures(self.result)

    def report_parts(self) -> tuple[ReportPart, ...]:
        if self._cards is None:
            return ()
        on_report = (item.kind for item in self.session.project.document.report)
        cards = card_parts(self._cards, self._chosen, self.chart.options(), on_report, self.chart)
        return (*cards, *self.variants.report_parts(), *self._dialog_parts())

    def _dialog_parts(self) -> list[ReportPart]:
        """What dialogs have answered of the document as it is."""
        dialogs: list[NextTestDialog | VarianceDialog] = []
        if self.next_test is not None and self.next_test.subject == self.subject():
            dialogs.append(self.next_test)
        if self.study is not None:
            dialogs.append(self.study)
        return [view_part(d.view, d.panel.charts) for d in dialogs if d.view is not None]

    def report_document(self) -> Document | None:
        """The document itself while its figures are shown, else what they were worked out from."""
        document = self.session.project.document
        return document if self._measured == EXPERIMENT.of(document) else self._measured

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.bar = ExperimentBar(self.session, self.header)
        self.bar.model_chosen.connect(self._choose_model)
        self.train = self._menu_button(
            "Train", lambda menu: fill_training(menu, self._train, self._train_effect)
        )
        self.save = QPushButton("Save decisions")
        self.save.setProperty("kind", "primary")
        self.save.clicked.connect(self._save_decisions)
        self.save.setEnabled(False)  # until there is a model to decide by
        self.report_button = self.join_report(PageId.UPLIFT)
        self.header.add_right(self.report_button)
        self.header.add_right(self.train)
        self.header.add_right(self.save)

    def _menu_button(self, words: str, fill: Callable[[QMenu], None]) -> QPushButton:
        button = QPushButton(words)
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: fill(menu))
        button.setMenu(menu)
        return button

    def _build_body(self) -> None:
        gap = current_theme().sizes.gap
        # From the outside in: a widget that moves below another resolves its whole tree's style.
        self.outcome_question = OutcomeQuestion(self.session, self.outcomes, self)
        self.body.addWidget(self.outcome_question.notice)
        self.stack = QStackedWidget(self)
        self.body.addWidget(self.stack, 1)
        self.stack.addWidget(self._make_empty())
        full = QWidget(self.stack)
        self.stack.addWidget(full)
        self._veil = Veil(full)
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(gap)
        self.guard = GuardCard(ExperimentSetup(self.session))
        self.guard.next_test_requested.connect(self.show_next_test)
        column.addWidget(self.guard)
        self.notes = TextLabel("", "note", wraps=True)
        column.addWidget(self.notes)
        row = QHBoxLayout()
        row.setSpacing(gap)
        row.addWidget(self._make_left(gap), 1)
        self.prices = ChoiceButton("Prices", self.session, price_choices)
        self.action = ActionCard(self.prices)
        self.side = scrolled(self.action)
        self.side.setFixedWidth(RIGHT)
        self.action.price_set.connect(self._set_price)
        self.action.editing_finished.connect(self.session.project.finish_editing)
        self.action.limit_set.connect(self._set_limit)
        self.action.mending_wanted.connect(self._mend)
        self.action.refused.connect(self.session.project.post)
        row.addWidget(self.side)
        column.addLayout(row, 1)

    def _make_empty(self) -> QWidget:
        """What is shown while there are no figures: how the experiment was made can be said."""
        place = QWidget(self.stack)
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        self.setup = ExperimentSetup(self.session)
        column.addWidget(self.setup, 0, Qt.AlignmentFlag.AlignLeft)
        self.empty = EmptyState("Name the column that says who was treated.", icon="uplift")
        self.empty.pressed.connect(lambda: self.session.page_requested.emit(PageId.DATA))
        column.addWidget(self.empty, 1)
        return place

    def _make_left(self, gap: int) -> QScrollArea:
        inner = CardColumn(gives_way=True)
        left = QVBoxLayout(inner)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(gap)
        self.chart = UpliftChart()
        self.chart.setMinimumHeight(LEAST_CHART)
        self.chart.cursor_requested.connect(self._on_dragged)
        self.chart.cursor_released.connect(self._on_cursor_released)
        self.chart.best_requested.connect(self._go_to_best)
        self.chart.pin_requested.connect(self.session.results.set_pinned)
        self.chart.refused.connect(self.session.project.post)
        self.chart.fill_requested.connect(self.train.showMenu)
        self.chart.lines_changed.connect(self._show_curve)
        self.baseline = self.chart.lines.addMenu("Baseline")
        self.chart.lines.aboutToShow.connect(self._fill_baseline)
        left.addWidget(self.chart, 6)
        self.tables = QWidget()
        below = self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.tables)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(gap)
        self.variants = UpliftTabs(self.session, self.subject)
        self.variants.truth_wanted.connect(self.show_truth)
        self.criteria = CriteriaCard()
        below.addWidget(self.variants, 13)
        below.addWidget(self.criteria, 7)
        left.addWidget(self.tables, 5)
        self.left = scrolling(inner)
        return self.left

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where two tables side by side would be cut, they stand below each other and scroll."""
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        direction = QBoxLayout.Direction
        self._below.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        for card in (self.variants, self.criteria):
            card.setMinimumHeight(LEAST_TABLE)

    # ------------------------------------------------------------ menus

    def _train_effect(self, distribution: str) -> None:
        treatment, arms = self.bar.treatment.currentText(), self.bar.arms()
        if treatment and all(arms):
            self.training.start_effect(distribution, treatment, arms)

    def _train(self, kind: UpliftKind | None) -> None:
        treatment, arms = self.bar.treatment.currentText(), self.bar.arms()
        if treatment and all(arms):
            self.training.start(kind, treatment, arms)

    def _fill_baseline(self) -> None:
        """Which baseline the curve has, and the study of why."""
        choices = baseline_choices(self.session)
        fill_choices(self.baseline, self.session, choices)
        chosen = next(choice.button_words for choice in choices if choice.is_on)
        self.baseline.setTitle(f"Baseline (nu): {chosen}")
        self.baseline.addSeparator()
        study = self.baseline.addAction("Why a baseline? The variance study…")
        study.triggered.connect(self._show_study)

    def show_truth(self) -> None:
        """Ask for the column of true effects."""
        self.truth = TruthDialog(self.session, self)
        self.truth.open()

    def show_next_test(self) -> None:
        """Open the dialog that plans the next test."""
        subject = self.subject()
        if subject is None or self.result is None:
            return
        outcome = Unit.POINTS if self.result.is_binary else Unit.NONE
        self.next_test = NextTestDialog(self.session, subject, outcome, self)
        self.next_test.open()

    def _show_study(self, _checked: bool = False) -> None:
        self.study = VarianceDialog(self.session, self)
        self.study.open()

    def _save_decisions(self, _checked: bool = False) -> None:
        """Ask for a file and write who is to be treated: to the cursor, or the best depth."""
        if self.subject() is None or self.result is None or not self._chosen:
            return
        ask_where(self, self.session, self.save_to)

    def save_to(self, path: str) -> None:
        """Write who is to be treated to a file."""
        subject = self.subject()
        if subject is not None:
            save_decisions(self.session, subject, self._chosen, path)

    # ------------------------------------------------------------ choosing

    def _mend(self) -> None:
        """Take the step that makes the figures valid."""
        step = (
            mending(self.result, self.session.project.document) if self.result is not None else None
        )
        if step is not None:
            self.session.project.execute(step[1])

    def _choose_model(self, name: str) -> None:
        self._chosen = name
        self._show_models()

    def _set_price(self, name: str, amount: float) -> None:
        if getattr(self.session.project.document.uplift, name) != amount:
            self.session.project.execute(SetUpliftPrice(name=name, amount=amount))

    def _set_limit(self, most: int | None) -> None:
        if self.session.project.document.uplift.most_cases != most:
            self.session.project.execute(SetMostCases(most_cases=most))

    # ------------------------------------------------------------ asking

    def _on_document(self, _changed: object = None) -> None:
        if not self.isVisible():
            return
        self.bar.show_document(self.session.project.document)
        document = self.session.project.document
        if treatment_of(document) == "":
            self._show_message("Name the column that says who was treated: choose it above.")
            return
        if self._is_waiting():
            self._requested = None
            self._request.cancel()
            self._show_message(
                "No numbers yet: say above what is done with rows without an outcome."
            )
            return
        request = EXPERIMENT.of(document)
        self._show_freshness()
        self._show_prices()
        if request != self._requested and self.session.project.summary is not None:
            self._requested = request
            if self.result is None:  # until the answer the page is not what it said before
                self._show_message("Being worked out.")
            self._request.renew_later()
        elif self.result is not None:
            if request == self._measured and self.stack.currentIndex() == 0:
                self.show_result(self.result)  # a change that emptied the page was undone
            self.variants.refresh()

    def _leave_data(self) -> None:
        """The figures are of other data."""
        self.result = self._cards = self._requested = self._measured = None
        self._chosen = ""
        self.bar.forget_models()
        self.variants.forget()
        self._show_message("Being worked out.")

    def _show_freshness(self) -> None:
        """Grey figures of another document than there is; nothing is saved by them."""
        is_stale = self.result is not None and self._measured != EXPERIMENT.of(
            self.session.project.document
        )
        at_once = self.session.results.is_of_other_models(self._measured)
        self._veil.draw(is_stale, at_once=at_once)

    def _is_waiting(self) -> bool:
        """Whether rows without an outcome of the experiment's own are asked about."""
        subject = self.subject()
        if subject is not None:
            self.outcomes.look(subject)
        return self.outcomes.is_waiting

    def subject(self) -> Document | None:
        """What the engine is asked about: the document with the arms that are shown."""
        request = replace(
            EXPERIMENT.of(self.session.project.document),
            uplift=self.session.project.document.uplift,
        )
        if request.data is None or not treatment_of(request):
            return None
        treated, control = self.bar.arms()
        return replace(request, uplift=replace(request.uplift, treated=treated, control=control))

    def _send(self) -> None:
        subject = self.subject()
        if subject is None or self.outcomes.is_waiting:
            return
        self._requested = request = EXPERIMENT.of(self.session.project.document)

        def take(answer: UpliftResult) -> None:
            self._measured = request
            self._is_whole = True
            self.show_result(answer)
            self._show_freshness()

        def take_part(answer: UpliftResult) -> None:
            self._is_whole = False
            self._measured = request
            self.show_result(answer)
            self._show_freshness()

        def is_wanted() -> bool:
            is_now = request == EXPERIMENT.of(self.session.project.document)
            return is_now and not self.outcomes.is_waiting

        def refuse(refusal: Exception) -> None:
            if not isinstance(refusal, NotFinishedError):
                self.result = self._cards = self._measured = None
            elif self._measured == request:
                return  # what is there by now is of this question
            self._show_message(str(refusal))

        self._request.ask(
            subject,
            Uplift(),
            on_result=take,
            on_partial=take_part,
            on_error=refuse,
            is_wanted=is_wanted,
        )

    def _show_message(self, text: str) -> None:
        self.empty.sentence.setText(text)
        self.setup.setVisible(self.subject() is not None)
        self.stack.setCurrentIndex(0)
        self.save.setEnabled(False)

    # ------------------------------------------------------------ showing

    def show_result(self, result: UpliftResult) -> None:
        """Show an answer of the engine, whole or in part."""
        self.result = result
        document = self.session.project.document
        self._cards = cards = AnswerViews(Uplift(), result, Labels.of(document))
        self.stack.setCurrentIndex(1)
        self.guard.show_view(cards.view(VALIDITY))
        notes = [text for text in (document.uplift.note, *result.warnings) if text]
        self.notes.setText(" ".join(notes))
        self.notes.setVisible(bool(notes))
        self._show_prices()
        names = [model.model for model in result.models]
        if self._chosen not in names:
            self._chosen = names[0] if names else ""
        self.bar.show_models(result, Labels.of(document), self._chosen)
        self._show_models()

    def _show_prices(self) -> None:
        if self.result is None or self._cards is None:
            return
        document = self.session.project.document
        worth = UpliftWords.of(self.result, self._cards.labels).worth
        spec = with_prices(document.uplift, self.result)
        self.action.show_prices(spec, document.currency, worth)
        self.prices.show_choice()

    def _card(self, card: str, options: tuple[str, ...] = ()) -> View:
        """A card of the chosen ranking."""
        assert self._cards is not None
        return self._cards.view(str(CardName(card=card, options=options, model=self._chosen)))

    def _show_models(self) -> None:
        result = self.result
        if result is None:
            return
        self.chart.offer_lines(result)
        chosen = next((m for m in result.models if m.model == self._chosen), None)
        for card in (self.tables, self.side):
            card.setVisible(chosen is not None)
        data = self.session.project.document.data
        is_in_parts = data is not None and data.is_in_parts
        invalid = invalid_words(result) or (
            str(not_in_pieces("saved decisions")) if is_in_parts else ""
        )
        self.save.setEnabled(chosen is not None and not invalid)
        self.save.setToolTip(invalid)
        self._show_curve()
        if chosen is None:
            return
        mend = mending(result, self.session.project.document)
        self.action.show_gain(self._card(GAIN), mend[0] if mend is not None else "")
        self.variants.show_model(chosen, self._card(VARIANTS))
        self._show_criteria()
        self.chart.set_cursor(self.shown_depth())

    def _show_curve(self) -> None:
        """Draw the gain of every ranking with the lines that are asked for."""
        result, cards = self.result, self._cards
        if result is None or cards is None:
            return
        words = UpliftWords.of(result, cards.labels)
        chart = self._card(CURVE, self.chart.options()).charts[0] if result.models else None
        self.chart.show_chart(chart, words, result.cases)
        if chart is not None:
            return
        if self._is_whole:
            missing = "No model ranks these cases yet. Train one, or name a column of scores."
            self.chart.set_empty(curve_title(words), missing, "Train")
        else:
            self.chart.set_empty(curve_title(words), CURVE_TO_COME)

    def _show_criteria(self) -> None:
        """Show the six criteria, one of them at the cursor."""
        if self.result is None or self._cards is None:
            return
        part = str(CardName(card=CRITERIA, model=self._chosen))
        labels = replace(self._cards.labels, depth=self.shown_depth(), part=part)
        self.criteria.show_view(experiment_card(self.result, labels))

    def shown_depth(self) -> float:
        """The shared cursor; until it is moved, the best depth of the chosen model."""
        moved = self.session.results.cursor_depth
        is_set = self.session.project.document.cursor_depth is not None or self._is_dragged
        if is_set or self.result is None:
            return moved
        chosen = next((m for m in self.result.models if m.model == self._chosen), None)
        return chosen.choice.depth if chosen is not None else moved

    def _on_cursor(self, _depth: float) -> None:
        if self.isVisible() and self.result is not None and self.result.models:
            self.chart.set_cursor(self.shown_depth())
            self._show_criteria()

    def _on_dragged(self, depth: float) -> None:
        self._is_dragged = True
        self.session.results.move_cursor(depth)

    def _on_cursor_released(self) -> None:
        self._is_dragged = False
        self.session.results.move_cursor(self.session.results.cursor_depth, finished=True)

    def _go_to_best(self) -> None:
        chosen = None
        if self.result is not None:
            chosen = next((m for m in self.result.models if m.model == self._chosen), None)
        if chosen is not None:
            self.session.results.move_cursor(chosen.choice.depth, finished=True)
