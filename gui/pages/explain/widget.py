"""The Explain page: influence, then the dependence on one input, then the map of two."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.studies.one_case import OneCaseArguments, OneCaseResult
from core.document.training_results import (
    DependenceCurve,
    DependenceMap,
    ExplainResult,
    Influence,
    Interaction,
)
from core.document.wording import format_number
from core.engine.messages import ExplainArguments
from gui.newest import NewestOnly
from gui.pages.explain.case_view import CaseView
from gui.pages.explain.dependence import DependenceChart
from gui.pages.explain.on_report import parts_of, subject_of_entry
from gui.pages.explain.pair_map import PairMap
from gui.pages.page import Page
from gui.parts import (
    Card,
    EmptyState,
    HelpText,
    RankedBar,
    RankedBars,
    Segments,
    TextLabel,
    ranked,
    series_icon,
)
from gui.report.parts import ReportPart
from gui.theme import current_theme
from gui.workspace import Workspace

LEFT = 320
GAIN, SHUFFLING = "gain", "shuffling"
MODEL, CASE = "model", "case"
MOST_BARS = 60


def tr(text: str) -> str:
    """A text of this page in the user's language."""
    return QCoreApplication.translate("ExplainPage", text)


@dataclass(slots=True)
class Known:
    """What has been worked out of one model in this session."""

    outputs: tuple[str, ...] = ()
    usual_output: int = 0
    influence: tuple[tuple[str, float], ...] = ()
    shuffled: tuple[Influence, ...] = ()  # empty until it was asked for
    rows_text: str = ""
    notes: tuple[str, ...] = ()


def _gain_help() -> HelpText:
    return HelpText(
        title=tr("Relative influence"),
        text=tr(
            "How much of what the trees gained came from splits on each input. Choose an "
            "input to see how the prediction depends on it. Influence says what the model "
            "uses, not what causes the outcome."
        ),
        formula="I(j) = Σ gain of splits on j ÷ Σ gain of all splits",
        reference="Friedman 2001, section 8.1",
    )


def _shuffling_help() -> HelpText:
    return HelpText(
        title=tr("Permutation importance"),
        text=tr(
            "How much worse the model gets on rows that did not train it when the values of one "
            "input are shuffled among them: the rise of its loss, mean of five shuffles. About 0, "
            "or below, is an input that the model could do without."
        ),
        formula="loss with j shuffled − loss",
        reference="Breiman 2001, section 10",
    )


_HELP = {GAIN: _gain_help, SHUFFLING: _shuffling_help}


def shuffled_bars(entries: tuple[Influence, ...]) -> tuple[RankedBar, ...]:
    """The rise of the loss per input, largest first, with half the range of the shuffles."""
    ordered = sorted(entries, key=lambda entry: -entry.shuffled)
    top = max((abs(entry.shuffled) for entry in ordered), default=0.0) or 1.0
    decimals = min(8, max(0, 1 - math.floor(math.log10(top))))
    return tuple(
        RankedBar(
            key=entry.column,
            name=entry.column,
            share=max(0.0, entry.shuffled) / top,
            words=f"{format_number(entry.shuffled, decimals)} ± "
            f"{format_number((entry.shuffled_high - entry.shuffled_low) / 2, decimals)}",
        )
        for entry in ordered[:MOST_BARS]
    )


class ExplainPage(Page):
    """Asks the engine for what is looked at, and keeps the answers of the session."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, QCoreApplication.translate("Pages", "Explain"), parent)
        self.setAccessibleName(self.header.title.text())
        self._model = ""
        self._column = ""
        self._second = ""
        self._measure = GAIN
        self._known: dict[str, Known] = {}
        self._curves: dict[tuple[str, str], DependenceCurve] = {}
        self._maps: dict[tuple[str, str, str], DependenceMap] = {}
        self._together: dict[tuple[str, str], dict[str, Interaction]] = {}  # by model and input
        self._asked: set[object] = set()  # so that nothing is asked for twice
        self._request = NewestOnly(self._send)
        self._case_asked: OneCaseArguments | None = None
        self._case_request = NewestOnly(self._send_case)
        self._build()
        workspace.document_changed.connect(self._on_document)
        workspace.summary_changed.connect(self._on_document)
        workspace.explain_requested.connect(self.show_model)
        self._on_document()

    def on_shown(self) -> None:
        self._on_document()

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self)

    def make_again(self, kind: str) -> bool:
        found = subject_of_entry(kind, self.trained())
        if found is None:
            return False
        model, column = found
        for kept in (self._known, self._curves, self._maps, self._together):
            kept.clear()  # other rows may have been looked at
        self.show_model(model)
        if column:
            self.choose(column)
        return True

    @property
    def model(self) -> str:
        """The model that is explained; empty where there is none."""
        return self._model if self._model in self.trained() else ""

    def known(self) -> Known:
        """What has been worked out of the model that is explained."""
        return self._known.get(self._hash(), Known())

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        self.choice = QComboBox()
        self.choice.setMinimumContentsLength(8)
        self.choice.activated.connect(lambda _p: self.show_model(self.choice.currentText()))
        self.caption = self.header.add_left(self.choice, tr("Model"))
        self.output = QComboBox()
        self.output.setAccessibleName(tr("What is predicted"))
        self.output.activated.connect(lambda _p: self._on_output())
        self.header.left.addWidget(self.output)
        self.view = Segments(
            [(MODEL, tr("The model")), (CASE, tr("One case"))], name=tr("What is explained")
        )
        self.view.choose(MODEL)
        self.view.chosen.connect(self.choose_view)
        self.header.left.addWidget(self.view)
        self.rows = TextLabel("", "quiet")
        self.header.left.addWidget(self.rows)
        self.header.add_right(self.join_report("explain"))
        self.stack = QStackedWidget()
        self.stack.addWidget(self._make_full())
        self.empty = EmptyState(
            tr("A model that was trained here can be explained: what it uses, and how."),
            tr("Train a model"),
            icon="explain",
        )
        self.empty.pressed.connect(lambda: self.workspace.page_requested.emit("models"))
        self.stack.addWidget(self.empty)
        self.case = CaseView()
        self.case.row_chosen.connect(lambda _row: self._ask_case())
        self.stack.addWidget(self.case)
        self.body.addWidget(self.stack, 1)

    def _make_full(self) -> QWidget:
        gap = current_theme().sizes.gap
        full = QWidget()
        row = QHBoxLayout(full)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(gap)
        row.addWidget(self._make_influence())
        right = QVBoxLayout()
        right.setSpacing(gap)
        self.chart = DependenceChart()
        self.chart.refused.connect(self.workspace.post)
        right.addWidget(self.chart, 5)
        right.addWidget(self._make_map(), 4)
        row.addLayout(right, 1)
        return full

    def _make_influence(self) -> Card:
        card = Card(
            tr("What it uses"),
            help_text=_HELP[GAIN](),
            margin=0,
        )
        card.setFixedWidth(LEFT)
        assert card.header is not None
        card.header.setContentsMargins(12, 12, 12, 4)
        self.influence_card = card
        self.measure = Segments(
            [(GAIN, tr("Gain")), (SHUFFLING, tr("Shuffling"))], name=tr("What importance means")
        )
        for button in self.measure.findChildren(QPushButton):
            button.setProperty("small", "true")
        self.measure.choose(GAIN)
        self.measure.chosen.connect(self.choose_measure)
        choice = QHBoxLayout()
        choice.setContentsMargins(12, 0, 12, 4)
        choice.addWidget(TextLabel(tr("Importance by"), "quiet"))
        choice.addStretch(1)
        choice.addWidget(self.measure)
        card.body.addLayout(choice)
        self.bars = RankedBars(can_choose=True)
        self.bars.setAccessibleName(tr("Influence of the inputs"))
        self.bars.chosen.connect(self.choose)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        column = QVBoxLayout(holder)
        column.setContentsMargins(4, 0, 4, 4)
        column.addWidget(self.bars)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(holder)
        card.body.addWidget(scroll, 1)
        self.note = TextLabel("", "note", wraps=True)
        self.note.setContentsMargins(12, 4, 12, 12)
        card.body.addWidget(self.note)
        return card

    def _make_map(self) -> Card:
        card = Card(
            tr("Do two inputs act together?"),
            " ",
            help_text=HelpText(
                title=tr("Two inputs at once"),
                text=tr(
                    "The mean prediction when both inputs are set to each pair of values. Strokes "
                    "at the edges show where cases lie. H is the share of the joint effect that is "
                    "not the sum of two separate ones: 0 means that they do not act together. The "
                    "list names it for each of the strongest other inputs."
                ),
                formula="H² = Σ (f₁₂ − f₁ − f₂)² ÷ Σ f₁₂²",
                reference="Friedman and Popescu 2008",
            ),
        )
        self.map_card = card
        card.add_header_widget(TextLabel(tr("with"), "quiet"))
        self.second = QComboBox()
        self.second.setMinimumContentsLength(10)
        self.second.setAccessibleName(tr("Second input"))
        self.second.activated.connect(lambda _p: self.choose_second(self.second.currentData()))
        card.add_header_widget(self.second)
        self.map = PairMap()
        self.map_empty = TextLabel("", "quiet", wraps=True)
        card.body.addWidget(self.map, 1)
        card.body.addWidget(self.map_empty, 1)
        return card

    # ------------------------------------------------------------ choosing

    def trained(self) -> tuple[str, ...]:
        """Names of the models that can be explained."""
        return tuple(e.name for e in self.workspace.document.models if e.trained is not None)

    def show_model(self, model: str) -> None:
        """Explain another model; the inputs looked at stay where it has them."""
        if model in self.trained():
            self._model = model
            self._asked.clear()
            self._on_document()

    def choose(self, column: str) -> None:
        """Look at another input; the second one is the next strongest."""
        self._column = column
        self._asked.clear()  # what failed may be tried again
        if self._second == column:
            self._second = ""
        self._fill_choices()
        self._ask()

    def choose_measure(self, measure: str) -> None:
        """Show importance by what the trees gained, or by what shuffling an input costs."""
        self._measure = measure
        self._asked.clear()
        self.measure.choose(measure)
        header = self.influence_card.header
        assert header is not None
        assert header.help_button is not None
        header.help_button.set_content(_HELP[measure]())
        self._ask()

    def choose_second(self, column: str) -> None:
        """Take another input for the map."""
        self._second = column
        self._asked.clear()
        self._ask()

    def choose_view(self, view: str) -> None:
        """Explain the model as a whole, or one case."""
        self.view.choose(view)
        self._on_document()

    def show_case_of(self, row: int) -> None:
        """Explain the case of a row, counted from 0."""
        self.choose_view(CASE)
        self.case.row.setValue(row + 1)

    def _on_output(self) -> None:
        self._show()
        self._ask_case()

    # ------------------------------------------------------------ one case

    def _case_wish(self) -> OneCaseArguments:
        return OneCaseArguments(
            document=self.workspace.document,
            model=self._model,
            row=self.case.row.value() - 1,
            output=max(0, self.output.currentIndex()),
        )

    def _ask_case(self) -> None:
        """Ask for the case looked at unless it is the one that was asked for last."""
        is_open = self.view.choice() == CASE and bool(self._model)
        if is_open and self.workspace.summary is not None and self._case_wish() != self._case_asked:
            self.case.set_rows(self.workspace.summary.data.rows)
            self._case_request.request()

    def _send_case(self, done: Callable[[], None]) -> None:
        wish = self._case_asked = self._case_wish()
        shown = self.case.result
        if shown is None or shown.model != wish.model:
            self.case.show_case(None)

        def on_result(result: object) -> None:
            if isinstance(result, OneCaseResult) and result.model == self._model:
                self._show_outputs(result.outputs)
                self.case.show_case(result)

        self.workspace.request_case(wish, on_result, lambda _outcome: done())

    # ------------------------------------------------------------ following the document

    def _on_document(self, *_ignored: object) -> None:
        names = self.trained()
        is_case = self.view.choice() == CASE
        self.stack.setCurrentIndex((2 if is_case else 0) if names else 1)
        for widget in (self.caption, self.choice, self.view):
            widget.setVisible(bool(names))
        self.rows.setVisible(bool(names) and not is_case)
        if not names:
            self._model = ""
            self.output.hide()
            return
        if self._model not in names:
            self._model = names[-1]
        self.choice.clear()
        for name in names:
            spec = self.workspace.document.model(name)
            self.choice.addItem(series_icon(spec.series if spec is not None else 0), name)
        self.choice.setCurrentIndex(names.index(self._model))
        self._fill_choices()
        self._ask_case()
        self._ask()

    def _hash(self) -> str:
        trained = self.workspace.document.trained_model(self._model)
        return trained.model_hash if trained is not None else ""

    def _fill_choices(self) -> None:
        """Keep both inputs among those of the model, the strongest first."""
        known = self._known.get(self._hash())
        if known is None:
            return
        columns = [column for column, share in known.influence if share > 0]
        columns = columns or [column for column, _ in known.influence]
        if self._column not in columns:
            self._column = columns[0] if columns else ""
        others = [column for column in columns if column != self._column]
        if self._second not in others:
            self._second = others[0] if others else ""
        self._fill_partners(others)

    def _fill_partners(self, others: list[str]) -> None:
        """The other inputs, each with how much it acts together with the one looked at."""
        known = self._together.get((self._hash(), self._column), {})
        output = max(0, self.output.currentIndex())
        entries = []
        for name in others:
            found = known.get(name)
            strength = float(found.strength[output]) if found is not None else math.nan
            words = f"{name}   H {strength:.2f}" if math.isfinite(strength) else name
            entries.append((words, name))
        shown = [
            (self.second.itemText(place), self.second.itemData(place))
            for place in range(self.second.count())
        ]
        if shown != entries:
            self.second.clear()
            for words, name in entries:
                self.second.addItem(words, name)
        self.second.setCurrentIndex(self.second.findData(self._second))

    # ------------------------------------------------------------ asking

    def _ask(self) -> None:
        self._show()
        if self.workspace.summary is not None and self._next_wish() is not None:
            self._request.request()

    def _next_wish(self) -> ExplainArguments | None:
        """What is looked at and not known yet: influence, then the curve, then the map."""
        document, key = self.workspace.document, self._hash()
        if not key:
            return None
        wishes: list[ExplainArguments] = []
        if key not in self._known:
            wishes.append(ExplainArguments(document=document, model=self._model))
        elif self._measure == SHUFFLING and not self._known[key].shuffled:
            wishes.append(ExplainArguments(document=document, model=self._model, shuffles=True))
        elif self._column and (key, self._column) not in self._curves:
            wishes.append(
                ExplainArguments(document=document, model=self._model, columns=(self._column,))
            )
        elif self._second and (key, self._column, self._second) not in self._maps:
            pair = (self._column, self._second)
            wishes.append(ExplainArguments(document=document, model=self._model, pairs=(pair,)))
        elif self._second and (key, self._column) not in self._together:
            wishes.append(
                ExplainArguments(document=document, model=self._model, together=(self._column,))
            )
        return next((w for w in wishes if self._name_of(key, w) not in self._asked), None)

    @staticmethod
    def _name_of(key: str, wish: ExplainArguments) -> object:
        return (key, wish.columns, wish.pairs, wish.together, wish.shuffles)

    def _send(self, done: Callable[[], None]) -> None:
        wish, key = self._next_wish(), self._hash()
        if wish is None:
            done()
            return
        name = self._name_of(key, wish)
        self._asked.add(name)

        def on_result(result: object) -> None:
            if isinstance(result, ExplainResult):
                self._take(key, result)

        def on_end(_outcome: object) -> None:
            done()
            self._ask()

        self.workspace.request_explanation(wish, on_result, on_end)

    def _take(self, key: str, result: ExplainResult) -> None:
        earlier = self._known.get(key, Known())
        is_shuffled = any(math.isfinite(entry.shuffled) for entry in result.influence)
        self._known[key] = Known(
            outputs=result.outputs,
            usual_output=result.usual_output,
            influence=tuple((e.column, e.influence / 100) for e in result.influence),
            shuffled=result.influence if is_shuffled else earlier.shuffled,
            rows_text=result.rows_text,
            notes=result.notes,
        )
        self.workspace.take_influence(key, result)
        for curve in result.curves:
            self._curves[key, curve.column] = curve
        for pair in result.maps:
            self._maps[(key, *pair.columns)] = pair
        for entry in result.interactions:
            partners = self._together.setdefault((key, entry.columns[0]), {})
            partners[entry.columns[1]] = entry
        self._fill_choices()
        self._show()

    # ------------------------------------------------------------ showing

    def _show(self) -> None:
        key, name = self._hash(), self._model
        known = self._known.get(key, Known())
        spec = self.workspace.document.model(name)
        series = spec.series if spec is not None else 0
        assert self.influence_card.header is not None
        self.influence_card.header.set_title(tr("What %s uses") % name)
        self._show_bars(known, series)
        waits = tr("Being worked out.")
        self.note.setVisible(bool(self.note.text()))
        self.rows.setText(known.rows_text)
        self._show_outputs(known.outputs, known.usual_output)
        place = max(0, self.output.currentIndex())
        words = known.outputs[place] if known.outputs else ""
        target = self.workspace.document.target
        is_chance = target is not None and bool(target.levels)
        curve = self._curves.get((key, self._column))
        self.chart.show_curve(
            curve,
            name,
            series,
            words=words,
            output=place,
            is_chance=is_chance,
            rows=known.rows_text,
        )
        if curve is None:
            title = tr("How does %s change the prediction?") % self._column
            self.chart.set_empty(title if self._column else "", waits)
        self._show_map(self._maps.get((key, self._column, self._second)), series, place, is_chance)

    def _show_bars(self, known: Known, series: int) -> None:
        """The bars of the chosen measure, and what is to be said of them."""
        if self._measure == GAIN:
            self.bars.show_bars(ranked(known.influence, MOST_BARS, tr("%s others")), series)
            notes, is_known = known.notes, bool(known.influence)
        else:
            self.bars.show_bars(shuffled_bars(known.shuffled), series)
            words = tr(
                "Rise of the loss when an input is shuffled, ± half of what five shuffles differ "
                "by. Inputs that tell the same stand in for each other: each then seems to cost "
                "little."
            )
            notes, is_known = (words,), bool(known.shuffled)
        self.bars.choose(self._column, self._second)
        self.note.setText(" ".join(notes) if is_known else tr("Being worked out."))

    def _show_outputs(self, outputs: tuple[str, ...], usual: int = 0) -> None:
        self.output.setVisible(len(outputs) > 1)
        shown = tuple(self.output.itemText(place) for place in range(self.output.count()))
        if shown != outputs:
            self.output.clear()
            self.output.addItems(outputs)
            self.output.setCurrentIndex(usual if outputs else -1)

    def _show_map(
        self, pair: DependenceMap | None, series: int, output: int, is_chance: bool
    ) -> None:
        self.map.show_map(pair, series=series, output=output, is_chance=is_chance)
        self.map.setVisible(pair is not None)
        self.map_empty.setVisible(pair is None)
        only_one = tr("The model uses one input; there is nothing it could act together with.")
        self.map_empty.setText(tr("Being worked out.") if self._second else only_one)
        assert self.map_card.header is not None
        note = ""
        if pair is not None and math.isfinite(float(pair.interaction[output])):
            note = tr("%s and %s, H = %s") % (
                *pair.columns,
                f"{float(pair.interaction[output]):.2f}",
            )
        self.map_card.header.set_note(note)
