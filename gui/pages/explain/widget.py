"""The Explain page: influence, then the dependence on one input, then the map of two."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.document.model import Document, Role, TrainedModel
from core.document.studies.models import CaseWhatIfResult, FoundCase, OneCaseResult
from core.document.training_results import ExplainResult
from core.engine.messages import Ask
from core.presentation.charts.chart import Chart
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.decide import CasesOneByOne
from core.questions.explain import CaseWhatIf, Explain, FindCase, OneCase
from gui.charts.shown_chart import ShownChart
from gui.pages.explain.cards import InfluenceCard, PairCard
from gui.pages.explain.case_chooser import CaseChooser
from gui.pages.explain.case_view import CaseView
from gui.pages.explain.presenter import ExplainPresenter
from gui.pages.explain.what_if_view import WhatIfView
from gui.pages.explain.words import SHUFFLING
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart, view_part
from gui.session.request import Request
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets import EmptyState, Segments, TextLabel, series_icon
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.veil import Veil

MODEL, CASE, WHAT_IF = "model", "case", "what_if"
_PLACES = {MODEL: 0, CASE: 2, WHAT_IF: 3}
_SLOW = 0.04  # s: what takes longer looks for the smallest change once the hand rests


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
            and _described(self.answer) == _described(answer)
        )

    @staticmethod
    def _drawn(answer: ExplainResult) -> tuple[object, ...]:
        return (*answer.curves, *answer.maps)


def _described(answer: ExplainResult) -> ExplainResult:
    return replace(answer, curves=(), maps=(), interactions=())


class ExplainPage(Page):
    """What the presenter knows of a model, or of one case of it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Explain", parent)
        self.setAccessibleName(self.header.title.text())
        self.presenter = ExplainPresenter(session, self)
        self.presenter.is_looked_at = self.isVisible
        self._case_requested: Ask[OneCase] | None = None
        self._case_shown: Ask[OneCase] | None = None  # what the case on screen was asked by
        self._case_request = Request(self, session.project, self._send_case)
        self._tried_asked: Ask[CaseWhatIf] | None = None
        self._tried_shown: Ask[CaseWhatIf] | None = None
        self._tried_took = 0.0  # s, of the last answer
        self._tried_request = Request(self, session.project, self._send_tried)
        self._find_requested: FindCase | None = None
        self._found: tuple[Ask[FindCase], FoundCase] | None = None
        self._find_request = Request(self, session.project, self._send_find)
        self._shown: dict[str, Shown] = {}  # by part: influence, curve, pair
        self._build()
        self.presenter.inputs_changed.connect(self._show_partners)
        self.presenter.changed.connect(self._show)
        session.project.document_changed.connect(self.in_front(self._on_document))
        session.project.summary_changed.connect(self.in_front(self._on_document))
        session.explain_requested.connect(self.show_model)
        session.case_requested.connect(self.try_case_of)
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
        tried = self.tried_view()
        if tried is not None and self.model:
            parts.insert(1, view_part(tried, self.what_if.panel.charts))
        return tuple(parts)

    @property
    def model(self) -> str:
        """The model that is explained; empty where there is none."""
        model = self.presenter.model
        return model if model in self.presenter.trained() else ""

    def case_view(self) -> View | None:
        """What is shown of one case, while it is of the present document."""
        is_current = self._case_shown is not None and self._case_shown == self._make_case_request()
        return self.case.view if is_current else None

    def tried_view(self) -> View | None:
        """What is shown of a case with other inputs, while it is of the present document."""
        is_current = (
            self._tried_shown is not None and self._tried_shown == self._make_tried_request()
        )
        return self.what_if.view if is_current else None

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        self.choice = ChoiceBox()
        self.choice.setMinimumContentsLength(8)
        self.choice.activated.connect(lambda _p: self.show_model(self.choice.currentText()))
        self.caption = self.header.add_left(self.choice, "Model")
        self.output = ChoiceBox()
        self.output.setAccessibleName("What is predicted")
        self.output.activated.connect(lambda _p: self._on_output())
        self.header.left.addWidget(self.output)
        self.view = Segments(
            [(MODEL, "The model"), (CASE, "One case"), (WHAT_IF, "What if")],
            name="What is explained",
        )
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
        self.stack.addWidget(self.case)
        self.case.panel.refused.connect(self.session.project.post)
        self._case_veil = Veil(self.case)
        self.what_if = WhatIfView()
        self.what_if.requested_again.connect(self._ask_tried)
        self.what_if.panel.refused.connect(self.session.project.post)
        self.stack.addWidget(self.what_if)
        self._build_chooser()
        self.body.addWidget(self.chooser)
        self.body.addWidget(self.stack, 1)

    def _build_chooser(self) -> None:
        self.chooser = CaseChooser()
        self.chooser.row_chosen.connect(self._on_row)
        self.chooser.id_chosen.connect(lambda text: self._find(case_id=text))
        self.chooser.rank_chosen.connect(lambda rank: self._find(rank=rank))
        self.chooser.list_wanted.connect(
            lambda: self.session.part_requested.emit(PageId.DECIDE, CasesOneByOne.facts.key)
        )

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
            self.presenter.open_model(model)
            self._on_document()

    def choose_measure(self, measure: str) -> None:
        """Show importance by what the trees gained, or by what shuffling an input costs."""
        self.influence.show_measure(measure)
        self.presenter.choose_measure(measure)

    def choose_view(self, view: str) -> None:
        """Explain the model as a whole, or one case."""
        self.view.choose(view)
        if view != MODEL:
            self.presenter.leave()
        self._on_document()

    def show_case_of(self, row: int) -> None:
        """Explain the case of a row, counted from 0."""
        self.choose_view(CASE)
        self.chooser.row.setValue(row + 1)

    def try_case_of(self, row: int) -> None:
        """Let the inputs of a case be moved, of a row counted from 0."""
        self.choose_view(WHAT_IF)
        self.chooser.row.setValue(row + 1)

    def _on_output(self) -> None:
        self._show_partners()
        self._show()
        self._ask_case()
        self._ask_tried()
        self._find_anew()

    # ------------------------------------------------------------ which case

    @property
    def _row(self) -> int:
        return round(self.chooser.row.value()) - 1

    def _on_row(self, _row: int) -> None:
        self.what_if.leave_case()
        self._ask_case()
        self._ask_tried()
        self._find_anew()

    def _is_about_a_case(self) -> bool:
        """Whether a case is looked at, and there is one."""
        is_open = self.isVisible() and self.view.choice() != MODEL and bool(self.presenter.model)
        return is_open and self.session.project.summary is not None

    def _find_anew(self) -> None:
        """Say id and place of the case of the present row, unless they are known."""
        document = self.session.project.document
        request = Ask.of(document, self._find_question(row=self._row))
        if self._is_about_a_case() and (self._found is None or self._found[0] != request):
            self._find(row=self._row)

    def _find_question(
        self, row: int | None = None, case_id: str = "", rank: int | None = None
    ) -> FindCase:
        return FindCase(
            model=self.presenter.model,
            row=row,
            case_id=case_id,
            rank=rank,
            output=max(0, self.output.currentIndex()),
        )

    def _find(self, row: int | None = None, case_id: str = "", rank: int | None = None) -> None:
        self._find_requested = self._find_question(row, case_id, rank)
        self._find_request.renew()

    def _send_find(self) -> None:
        request, document = self._find_requested, self.session.project.document
        if request is None:
            return

        def on_result(found: FoundCase) -> None:
            self.session.project.withdraw("case")
            is_other = found.row != self._row
            known = replace(request, row=found.row, case_id="", rank=None)
            self._found = Ask.of(document, known), found
            self.chooser.show_found(found)
            if is_other:
                self._on_row(found.row)

        def on_error(refusal: Exception) -> None:
            self.session.project.post(refusal, about="case")
            if self._found is not None:
                self.chooser.show_found(self._found[1])

        self._find_request.ask(
            document,
            request,
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: request == self._find_requested and self._is_about_a_case(),
        )

    # ------------------------------------------------------------ other inputs

    def _make_tried_request(self, *, seeks: bool = True) -> Ask[CaseWhatIf]:
        question = CaseWhatIf(
            model=self.presenter.model,
            row=self._row,
            inputs=self.what_if.values(),
            along=self.what_if.along,
            output=max(0, self.output.currentIndex()),
            seeks_flips=seeks,
        )
        return Ask.of(self.session.project.document, question)

    def _ask_tried(self) -> None:
        """Ask for what follows from the inputs as they are by now, unless it is known."""
        is_open = self._is_about_a_case() and self.view.choice() == WHAT_IF
        if is_open and self._make_tried_request() not in (self._tried_shown, self._tried_asked):
            self._tried_request.renew()

    def _send_tried(self) -> None:
        """Ask for the newest; a slow search for the smallest change waits until the hand rests."""
        request = self._make_tried_request()
        if request == self._tried_shown:
            return
        is_slow = self._tried_took > _SLOW and self._tried_asked != self._make_tried_request(
            seeks=False
        )
        sent = self._make_tried_request(seeks=False) if is_slow else request
        self._tried_asked = sent

        def on_result(result: CaseWhatIfResult) -> None:
            if result.is_searched:
                self._tried_took = result.seconds
            if self.what_if.along == "" and result.inputs:
                self.what_if.along = result.inputs[0].column
            self._show_outputs(result.outputs)
            document = self.session.project.document  # its view knows no colours
            labels = Labels.of(document, self.session.results.decisions)
            self.what_if.show_answer(result, show(sent.question, result, labels), labels)
            self._tried_shown = sent
            if self._make_tried_request() != sent:
                self._tried_request.renew()

        def on_error(refusal: Exception) -> None:
            self._tried_shown = None
            self.what_if.leave_case()
            self.what_if.show_words(str(refusal))

        self._tried_request.ask(
            request.document,
            sent.question,
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: self._is_of_case(sent),
        )

    def _is_of_case(self, sent: Ask[CaseWhatIf]) -> bool:
        """Whether an answer is of the case looked at, whatever was moved meanwhile."""
        now = self._make_tried_request()
        facts = (now.question.model, now.question.row, now.question.output)
        same = (sent.question.model, sent.question.row, sent.question.output)
        return now.document == sent.document and facts == same

    # ------------------------------------------------------------ one case

    def _make_case_request(self) -> Ask[OneCase]:
        question = OneCase(
            model=self.presenter.model,
            row=self._row,
            output=max(0, self.output.currentIndex()),
        )
        return Ask.of(self.session.project.document, question)

    def _ask_case(self) -> None:
        """Ask for the case looked at unless it is the one that was asked for last."""
        summary = self.session.project.summary
        if summary is None or not self._is_about_a_case():
            return
        self.chooser.set_rows(summary.data.rows)
        if self.view.choice() == CASE and self._make_case_request() != self._case_requested:
            self._show_case_state()
            self._case_request.renew()

    def _leave_case(self) -> None:
        """The case shown is of other data: nothing of it stays."""
        self._case_requested = self._case_shown = None
        self._tried_asked = self._tried_shown = self._found = self._find_requested = None
        self.case.show_case(None)
        self.what_if.leave_case()
        self.what_if.show_words("Being worked out.")

    def _show_case_state(self) -> None:
        """Grey a case that another one is to take the place of; one of another model goes."""
        request, shown = self._make_case_request(), self._case_shown
        if shown is not None and _model_of(shown) != _model_of(request):
            self._case_shown = None
            self.case.show_case(None)
        self._case_veil.draw(self._case_shown is not None and self._case_shown != request)

    def _send_case(self) -> None:
        request = self._case_requested = self._make_case_request()

        def on_result(result: OneCaseResult) -> None:
            self._case_shown = request
            self._show_outputs(result.outputs)
            labels = Labels.of(request.document, self.session.results.decisions)
            self.case.show_case(show(request.question, result, labels))
            self._show_case_state()

        def on_error(refusal: Exception) -> None:
            self._case_shown = None
            self.case.show_case(None, str(refusal))
            self._show_case_state()

        self._case_request.ask(
            request.document,
            request.question,
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: request == self._case_requested == self._make_case_request(),
        )

    # ------------------------------------------------------------ following the document

    def _on_document(self) -> None:
        names = self.presenter.trained()
        self.presenter.follow_document()
        chosen = self.view.choice()
        is_case = chosen != MODEL
        self.stack.setCurrentIndex(_PLACES[chosen] if names else 1)
        self._show_chooser(self.session.project.document, is_shown=bool(names) and is_case)
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
        self._ask_tried()
        self._find_anew()
        if chosen == MODEL:
            self.presenter.ask()

    def _show_chooser(self, document: Document, *, is_shown: bool) -> None:
        self.chooser.setVisible(is_shown)
        has_list = CasesOneByOne.why_not(document) is None
        self.chooser.set_offered(has_ids=document.column_of(Role.ID) is not None, has_list=has_list)

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


def _model_of(request: Ask[OneCase]) -> TrainedModel | None:
    """The model that is asked, by its content: another may bear its name."""
    return request.document.trained_model(request.question.model)
