"""The Explain page: influence, then the dependence on one input, then the map of two."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.document.model import TrainedModel
from core.document.studies.models import OneCaseResult
from core.document.training_results import ExplainResult
from core.engine.messages import Ask
from core.presentation.chart import Chart
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.explain import Explain, OneCase
from gui.charts.shown_chart import ShownChart
from gui.pages.explain.cards import InfluenceCard, PairCard
from gui.pages.explain.case_view import CaseView
from gui.pages.explain.presenter import ExplainPresenter
from gui.pages.explain.words import SHUFFLING
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart, view_part
from gui.session.request import Request
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets import EmptyState, Segments, TextLabel, series_icon
from gui.widgets.veil import Veil

MODEL, CASE = "model", "case"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A view with what it was made of."""

    question: Explain
    answer: ExplainResult
    labels: Labels
    view: View

    def is_of(self, question: Explain, answer: ExplainResult, labels: Labels) -> bool:
        """Whether it is the view of this answer; curves and maps are told apart as objects."""
        drawn = zip(self._drawn(self.answer), self._drawn(answer), strict=True)
        return (
            (self.question, self.labels) == (question, labels)
            and all(one is other for one, other in drawn)
            and _said(self.answer) == _said(answer)
        )

    @staticmethod
    def _drawn(answer: ExplainResult) -> tuple[object, ...]:
        return (*answer.curves, *answer.maps)


def _said(answer: ExplainResult) -> ExplainResult:
    return replace(answer, curves=(), maps=(), interactions=())


class ExplainPage(Page):
    """What the presenter knows of a model, or of one case of it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Explain", parent)
        self.setAccessibleName(self.header.title.text())
        self.presenter = ExplainPresenter(session, self)
        self.presenter.is_looked_at = self.isVisible
        self._case_asked: Ask[OneCase] | None = None
        self._case_shown: Ask[OneCase] | None = None  # what the case on screen was asked by
        self._case_request = Request(self, session.project, self._send_case)
        self._shown: dict[str, Shown] = {}  # by part: influence, curve, pair
        self._build()
        self.presenter.inputs_changed.connect(self._show_partners)
        self.presenter.changed.connect(self._show)
        session.project.document_changed.connect(self._on_document)
        session.project.summary_changed.connect(self._on_document)
        session.explain_requested.connect(self.show_model)
        session.project.data_changed.connect(self._leave_case)
        self._on_document()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_document()  # what nobody looked at was not asked

    def show_part(self, part: str) -> None:
        self.choose_view(part)

    def report_parts(self) -> tuple[ReportPart, ...]:
        views = {name: shown.view for name, shown in self._shown.items()} if self.model else {}
        charts = {"curve": self.chart, "pair": self.pairs}
        parts = [
            view_part(view, [charts[name]] if name in charts else [])
            for name, view in views.items()
        ]
        case = self.case_view()
        if case is not None and self.model:
            parts.insert(1, view_part(case, self.case.panel.charts))
        return tuple(parts)

    @property
    def model(self) -> str:
        """The model that is explained; empty where there is none."""
        model = self.presenter.model
        return model if model in self.presenter.trained() else ""

    def case_view(self) -> View | None:
        """What is shown of one case, while it is of the present document."""
        is_current = self._case_shown is not None and self._case_shown == self._case_wish()
        return self.case.view if is_current else None

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        self.choice = QComboBox()
        self.choice.setMinimumContentsLength(8)
        self.choice.activated.connect(lambda _p: self.show_model(self.choice.currentText()))
        self.caption = self.header.add_left(self.choice, "Model")
        self.output = QComboBox()
        self.output.setAccessibleName("What is predicted")
        self.output.activated.connect(lambda _p: self._on_output())
        self.header.left.addWidget(self.output)
        self.view = Segments([(MODEL, "The model"), (CASE, "One case")], name="What is explained")
        self.view.choose(MODEL)
        self.view.chosen.connect(self.choose_view)
        self.header.left.addWidget(self.view)
        self.rows = TextLabel("", "quiet")
        self.header.left.addWidget(self.rows)
        self.header.add_right(self.join_report(PageId.EXPLAIN))
        self.stack = QStackedWidget()
        self.stack.addWidget(self._make_full())
        self.empty = EmptyState(
            "A model that was trained here can be explained: what it uses, and how.",
            "Train a model",
            icon="explain",
        )
        self.empty.pressed.connect(lambda: self.session.page_requested.emit(PageId.MODELS))
        self.stack.addWidget(self.empty)
        self.case = CaseView()
        self.case.row_chosen.connect(lambda _row: self._ask_case())
        self.stack.addWidget(self.case)
        self.case.panel.refused.connect(self.session.project.post)
        self._case_veil = Veil(self.case)
        self.body.addWidget(self.stack, 1)

    def _make_full(self) -> QWidget:
        gap = current_theme().sizes.gap
        full = QWidget()
        row = QHBoxLayout(full)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(gap)
        self.influence = InfluenceCard()
        self.influence.measure.chosen.connect(self.choose_measure)
        self.influence.bars.chosen.connect(self.presenter.choose)
        row.addWidget(self.influence)
        right = QVBoxLayout()
        right.setSpacing(gap)
        self.chart = ShownChart()
        self.chart.refused.connect(self.session.project.post)
        right.addWidget(self.chart, 5)
        self.pairs = PairCard()
        self.pairs.refused.connect(self.session.project.post)
        second = self.pairs.second
        second.activated.connect(lambda _p: self.presenter.choose_second(second.currentData()))
        right.addWidget(self.pairs, 4)
        row.addLayout(right, 1)
        return full

    # ------------------------------------------------------------ choosing

    def show_model(self, model: str) -> None:
        """Explain another model; the inputs looked at stay where it has them."""
        if model in self.presenter.trained():
            self.presenter.look_at_model(model)
            self._on_document()

    def choose_measure(self, measure: str) -> None:
        """Show importance by what the trees gained, or by what shuffling an input costs."""
        self.influence.show_measure(measure)
        self.presenter.choose_measure(measure)

    def choose_view(self, view: str) -> None:
        """Explain the model as a whole, or one case."""
        self.view.choose(view)
        self._on_document()

    def show_case_of(self, row: int) -> None:
        """Explain the case of a row, counted from 0."""
        self.choose_view(CASE)
        self.case.row.setValue(row + 1)

    def _on_output(self) -> None:
        self._show_partners()
        self._show()
        self._ask_case()

    # ------------------------------------------------------------ one case

    def _case_wish(self) -> Ask[OneCase]:
        question = OneCase(
            model=self.presenter.model,
            row=round(self.case.row.value()) - 1,
            output=max(0, self.output.currentIndex()),
        )
        return Ask.of(self.session.project.document, question)

    def _ask_case(self) -> None:
        """Ask for the case looked at unless it is the one that was asked for last."""
        summary = self.session.project.summary
        is_open = self.isVisible() and self.view.choice() == CASE and bool(self.presenter.model)
        if not is_open or summary is None:
            return
        self.case.set_rows(summary.data.rows)
        if self._case_wish() != self._case_asked:
            self._show_case_state()
            self._case_request.renew()

    def _leave_case(self) -> None:
        """The case shown is of other data: nothing of it stays."""
        self._case_asked = self._case_shown = None
        self.case.show_case(None)

    def _show_case_state(self) -> None:
        """Grey a case that another one is to take the place of; one of another model goes."""
        wish, shown = self._case_wish(), self._case_shown
        if shown is not None and _model_of(shown) != _model_of(wish):
            self._case_shown = None
            self.case.show_case(None)
        self._case_veil.draw(self._case_shown is not None and self._case_shown != wish)

    def _send_case(self) -> None:
        wish = self._case_asked = self._case_wish()

        def on_result(result: OneCaseResult) -> None:
            self._case_shown = wish
            self._show_outputs(result.outputs)
            labels = Labels.of(wish.document, self.session.results.decisions)
            self.case.show_case(show(wish.question, result, labels))
            self._show_case_state()

        def on_error(refusal: Exception) -> None:
            self._case_shown = None
            self.case.show_case(None, str(refusal))
            self._show_case_state()

        self._case_request.ask(
            wish.document,
            wish.question,
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: wish == self._case_asked == self._case_wish(),
        )

    # ------------------------------------------------------------ following the document

    def _on_document(self, *_ignored: object) -> None:
        names = self.presenter.trained()
        self.presenter.follow_document()
        is_case = self.view.choice() == CASE
        self.stack.setCurrentIndex((2 if is_case else 0) if names else 1)
        for widget in (self.caption, self.choice, self.view):
            widget.setVisible(bool(names))
        self.rows.setVisible(bool(names) and not is_case)
        if not names:
            self.output.hide()
            return
        self.choice.clear()
        for name in names:
            spec = self.session.project.document.model(name)
            self.choice.addItem(series_icon(spec.series if spec is not None else 0), name)
        self.choice.setCurrentIndex(names.index(self.presenter.model))
        self._ask_case()
        self.presenter.ask()

    # ------------------------------------------------------------ showing

    def _show_partners(self) -> None:
        seen = self.presenter
        output = max(0, self.output.currentIndex())
        self.pairs.show_partners(seen.other_inputs(), seen.partners(), seen.second, output)

    def _show(self) -> None:
        seen, known = self.presenter, self.presenter.known()
        spec = self.session.project.document.model(seen.model)
        series = spec.series if spec is not None else 0
        is_shuffled = seen.measure == SHUFFLING
        refusal = seen.refusal()
        self.influence.show_influence(
            seen.model,
            None if is_shuffled and not seen.is_shuffled() else known,
            is_shuffled=is_shuffled,
            series=series,
            chosen=(seen.column, seen.second),
            refusal=refusal,
        )
        self.rows.setText(known.rows_text if known is not None else "")
        if known is not None:
            self._show_outputs(known.outputs, known.usual_output)
        else:
            self._show_outputs(())
        self._make_views()
        self._show_charts(refusal)

    def _make_views(self) -> None:
        """Make the views of what is known anew, where that, or how it is shown, is another."""
        labels, output = (
            Labels.of(self.session.project.document),
            max(0, self.output.currentIndex()),
        )
        found: dict[str, Shown] = {}
        for question, answer in self.presenter.answered(output):
            name = "curve" if answer.curves else "pair" if answer.maps else "influence"
            former = self._shown.get(name)
            if former is None or not former.is_of(question, answer, labels):
                view = show(question, answer, labels)
                former = Shown(question=question, answer=answer, labels=labels, view=view)
            found[name] = former
        self._shown = found

    def _show_charts(self, refusal: str) -> None:
        """The curve and the map, or why they are not there; a cursor stays in the same chart."""
        seen = self.presenter
        curve, pair = (self._chart_of(name) for name in ("curve", "pair"))
        if curve is not self.chart.chart:
            self.chart.show_chart(curve)
        if curve is None:
            title = f"How does {seen.column} change the prediction?"
            self.chart.set_empty(title if seen.column else "", refusal or "Being worked out.")
        if pair is None or pair is not self.pairs.chart:
            self.pairs.show_pair(pair, has_second=bool(seen.second), refusal=refusal)

    def _chart_of(self, name: str) -> Chart | None:
        found = self._shown.get(name)
        return None if found is None else found.view.charts[0]

    def _show_outputs(self, outputs: tuple[str, ...], usual: int = 0) -> None:
        self.output.setVisible(len(outputs) > 1)
        shown = tuple(self.output.itemText(place) for place in range(self.output.count()))
        if shown != outputs:
            self.output.clear()
            self.output.addItems(outputs)
            self.output.setCurrentIndex(usual if outputs else -1)


def _model_of(wish: Ask[OneCase]) -> TrainedModel | None:
    """The model that is asked, by its content: another may bear its name."""
    return wish.document.trained_model(wish.question.model)
