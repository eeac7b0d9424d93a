"""The card below the curve: definitions, metrics, slices, each arm, and the order of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from core.document.model import Document
from core.document.studies.uplift import UpliftMetricsResult, UpliftModelResult
from core.document.uplift.commands import SetUpliftMetrics
from core.engine.messages import Ask
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.uplift.cards import recognised_words
from core.presentation.view import Table, View
from core.questions.question import Question
from core.questions.uplift import Arms, RowOrder, Slices, UpliftMetrics
from gui.pages.report.parts import ReportPart
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session
from gui.widgets import Card, HelpText, TextField, TextLabel
from gui.widgets.fields.form import FormLayout, QuestionForm
from gui.widgets.fields.segments import Segments
from gui.widgets.tables.figure_table import ResultTable

DEFINITIONS, METRICS, ARMS, ORDER = "definitions", "metrics", "arms", "order"
SLICES = "slices"
Subject = Callable[[], Document | None]
PageRequest = Ask[Question[Any]]


class UpliftTabs(Card):
    """One ranking in every definition; further tabs ask the engine when they are looked at."""

    truth_wanted = Signal()

    def __init__(self, session: Session, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(
            "One ranking",
            " ",
            help_text=HelpText(
                title="Areas, metrics, slices, arms, order of rows",
                text=(
                    "Areas: tools call different areas Qini or AUUC; in an ideal experiment "
                    "most differ only by a factor, else some prefer the wrong model. Metrics: all "
                    "that plugins offer, with intervals. Slices: uplift by equal slices of the "
                    "ranking, and the share treated with the band that chance keeps all slices "
                    "in; RATE, the mean over depths of the effect of the best less that of all, "
                    "as grf and causalml name it, with a resampled standard error. Arms: each arm "
                    "against the control arm without a model. Order: how far tools that read "
                    "tied rows one by one could move with the order of the file."
                ),
                reference="Renaudin and Martin; Devriendt et al. 2020; Yadlowsky et al. 2021",
            ),
            parent=parent,
        )
        self.session = session
        self._subject = subject
        self._is_tab_chosen = False
        self._model: UpliftModelResult | None = None
        self._requested: dict[str, object] = {}
        self._answered: dict[str, object] = {}
        self._shown: dict[
            str, PageRequest
        ] = {}  # what the figures of a tab answer, in part or whole
        self._answers: dict[str, object] = {}  # of the tabs that ask
        self._views: dict[str, View] = {}
        self._notes: dict[str, str] = {}
        self.body.setSpacing(4)
        if self.header is not None:  # the names of the tabs say it, and need the room
            self.header.title.hide()
            self.header.note.hide()
        self._request = Request(self, session.project, self._send)
        self._build_header()
        self._build_body()

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.pasted = TextField()
        self.pasted.setPlaceholderText("paste a figure")
        self.pasted.setAccessibleName("A number from another tool")
        self.pasted.setFixedWidth(112)
        self.pasted.textChanged.connect(self._translate)
        self.choose = QPushButton("Choose")
        self.choose.setAccessibleName("Metrics in the table")
        self._menu = QMenu(self.choose)
        self._menu.aboutToShow.connect(self._fill_metrics)
        self.choose.setMenu(self._menu)
        self.segment = self._make_form(Arms, "segment")
        self.count = self._make_form(Slices, "count")
        self.tabs = Segments(
            (
                (DEFINITIONS, "Areas"),
                (METRICS, "Metrics"),
                (SLICES, "Slices"),
                (ARMS, "Arms"),
                (ORDER, "Order"),
            ),
            name="What is shown below the curve",
        )
        self.tabs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.tabs.choose(DEFINITIONS)
        self.tabs.chosen.connect(self._choose_tab)
        for widget in (self.pasted, self.choose, self.count, self.segment, self.tabs):
            self.add_header_widget(widget)

    def _make_form(self, record: type[Question[Any]], name: str) -> QuestionForm:
        form = QuestionForm(record, (name,), FormLayout.LINE, has_labels=False)
        form.show_for(self.session.form_context())
        form.requested_again.connect(self.refresh)
        return form

    def _build_body(self) -> None:
        self.answer = TextLabel("", "note", wraps=True)
        self.answer.hide()
        self.body.addWidget(self.answer)
        self.stack = QStackedWidget()
        self.tables: dict[str, ResultTable] = {}
        for key, name in (
            (DEFINITIONS, "One ranking in every definition"),
            (METRICS, "Metrics of every model"),
            (SLICES, "Uplift by slices of the ranking"),
            (ARMS, "Each arm against the control arm"),
            (ORDER, "Figures by order of rows"),
        ):
            self.tables[key] = ResultTable(name, wraps=True, scrolls=True)
            self.stack.addWidget(self.tables[key])
        self.body.addWidget(self.stack, 1)
        self._show_controls(DEFINITIONS)

    def hasHeightForWidth(self) -> bool:
        """No: else a note that wraps would make its preferred height the least, off the curve's."""
        return False

    @property
    def table(self) -> ResultTable:
        """The table of definitions."""
        return self.tables[DEFINITIONS]

    @property
    def tab(self) -> str:
        """The tab in front."""
        return self.tabs.choice()

    # ------------------------------------------------------------ showing

    def show_model(self, model: UpliftModelResult, view: View) -> None:
        """Show the definitions of one model's ranking, and renew the tab in front."""
        is_first = self._model is None and not self._is_tab_chosen
        self._model = model
        self.tables[DEFINITIONS].show_content(view.tables[0])
        for form in (self.segment, self.count):
            form.show_for(self.session.form_context())
        self._drop_stale()
        if SLICES in self._shown:
            self._show_answer(SLICES)
        if (
            is_first and self.session.project.document.uplift.metrics
        ):  # chosen ones are what to look at
            self.tabs.choose(METRICS)
        self.show_tab(self.tab)

    def show_tab(self, key: str) -> None:
        """Bring a tab to the front."""
        self.tabs.choose(key)
        self._show_controls(key)
        self.stack.setCurrentIndex(list(self.tables).index(key))
        self.refresh()

    def _choose_tab(self, key: str) -> None:
        """What a person clicks stays in front, also when the first answer comes after it."""
        self._is_tab_chosen = True
        self.show_tab(key)

    def _show_controls(self, key: str) -> None:
        self.pasted.setVisible(key == DEFINITIONS)
        self.choose.setVisible(key == METRICS)
        self.count.setVisible(key == SLICES)
        self.segment.setVisible(key == ARMS)
        if key == DEFINITIONS:
            self._translate(self.pasted.text())
        else:
            self._show_message(self._notes.get(key, ""))

    def _show_answer(self, key: str) -> None:
        """Show the answer of a tab, its sentences above its table; of slices the model in front."""
        requested, model = self._shown[key], self._model
        if model is None:
            return
        labels = Labels.of(self.session.project.document)
        part = model.model if key == SLICES else ""
        view = show(requested.question, self._answers[key], labels, part)
        self._views[key] = view
        self.tables[key].show_content(view.tables[0])
        self._show_message_in(key, " ".join((*view.sentences, *view.notes)))

    def _show_message(self, text: str) -> None:
        self.answer.setText(text)
        self.answer.setVisible(bool(text))

    def _translate(self, text: str) -> None:
        """Say what a pasted number is."""
        if self._model is None or not text.strip():
            self._show_message("")
            return
        self._show_message(recognised_words(text, self._model.named))

    @property
    def metrics_result(self) -> UpliftMetricsResult | None:
        """The metrics that are shown, and those that are offered."""
        found = self._answers.get(METRICS)
        return found if isinstance(found, UpliftMetricsResult) else None

    def _fill_metrics(self) -> None:
        self._menu.clear()
        self._add_metrics()
        truth = self._menu.addAction("True effect, where it is known…")
        truth.setToolTip("Simulated data know it: how far each model is from it joins the table")
        truth.triggered.connect(lambda _checked: self.truth_wanted.emit())

    def _add_metrics(self) -> None:
        result = self.metrics_result
        if result is None:
            return
        shown = {info.metric for info in result.evaluation.metrics}
        for info in result.offered:
            action = self._menu.addAction(info.title)
            action.setCheckable(True)
            action.setChecked(info.metric in shown)
            action.setToolTip(info.help)
            action.triggered.connect(partial(self._toggle, info.metric))
        self._menu.addSeparator()
        usual = self._menu.addAction("The usual ones")
        usual.triggered.connect(
            lambda _checked: self.session.project.execute(SetUpliftMetrics(metrics=()))
        )

    def _toggle(self, metric: str, _checked: bool = False) -> None:
        """Take a metric into the table, or out of it."""
        result = self.metrics_result
        assert result is not None
        shown = [info.metric for info in result.evaluation.metrics]
        wanted = [name for name in shown if name != metric]
        if metric not in shown:
            wanted.append(metric)
        offered = [info.metric for info in result.offered]
        wanted.sort(key=offered.index)
        self.session.project.execute(SetUpliftMetrics(metrics=tuple(wanted)))

    # ------------------------------------------------------------ asking

    def refresh(self) -> None:
        """Ask for the tab in front, unless its answer is there."""
        self._drop_stale()
        request = self._make_request(self.tab)
        if request is None or self._requested.get(self.tab) == request:
            return
        self._request.renew()

    def is_answered(self, key: str) -> bool:
        """Whether a tab shows the answer to what would be asked for it now."""
        request = self._make_request(key)
        return request is not None and self._answered.get(key) == request

    def _make_request(self, tab: str) -> PageRequest | None:
        document = self._subject()
        if document is None or self._model is None or tab == DEFINITIONS:
            return None
        questions: dict[str, Callable[[], Question[Any]]] = {
            METRICS: UpliftMetrics,
            SLICES: self.count.question,
            ARMS: self.segment.question,
            ORDER: RowOrder,
        }
        return Ask.of(document, questions[tab]())

    def _send(self) -> None:
        tab = self.tab
        request = self._make_request(tab)
        if request is None:
            return
        self._requested[tab] = request

        def show_part(answer: object) -> None:
            self._shown[tab], self._answers[tab] = request, answer
            self._show_answer(tab)

        def take(answer: object) -> None:
            self._answered[tab] = request
            show_part(answer)

        def refuse(refusal: Exception) -> None:
            if isinstance(refusal, NotFinishedError):
                self._requested.pop(tab, None)  # asked again when it is looked at again
            self._empty(tab, str(refusal))

        self._request.ask(
            request.document,
            request.question,
            on_result=take,
            on_partial=show_part,
            on_error=refuse,
            is_wanted=lambda: request == self._requested.get(tab) == self._make_request(tab),
        )

    def forget(self) -> None:
        """Everything is of other data."""
        self._model = None
        self._is_tab_chosen = False
        self._requested.clear()
        for form in (self.segment, self.count):
            form.draft.forget()
        for tab in self.tables:
            self._empty(tab, "")

    def _empty(self, tab: str, words: str) -> None:
        """Take the figures of a tab away; ``words`` say why, in that tab."""
        for held in (self._answered, self._shown, self._answers, self._views):
            held.pop(tab, None)
        self.tables[tab].show_content(Table(columns=(), rows=()))
        self._show_message_in(tab, words)

    def _drop_stale(self) -> None:
        """Take away figures that answer another question than the tab would ask now."""
        for tab, request in tuple(self._shown.items()):
            if request != self._make_request(tab):
                self._empty(tab, "Being worked out.")

    def report_parts(self) -> list[ReportPart]:
        """Return the answers of tabs that were looked at, while they are of the document."""
        return [
            ReportPart(key=view.key, title=view.title, answered=partial(self._views.get, key))
            for key, view in self._views.items()
            if self.is_answered(key)
        ]

    def _show_message_in(self, tab: str, text: str) -> None:
        self._notes[tab] = text
        if self.tab == tab:
            self._show_message(text)
