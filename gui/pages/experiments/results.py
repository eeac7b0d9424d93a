"""The runs of an experiment: which losses are looked at, their charts, the tables below."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.experiments.spec import SAMPLERS, learner_label
from core.presentation.charts.chart import Chart
from core.presentation.experiments.views import (
    EFFECT,
    GRANTED,
    LOSSES,
    RUNS,
    SAMPLER_WORDS,
    SUMMARY,
    VIOLINS,
    RunsCard,
    compared_table,
    granted_table,
    progress_words,
    runs_table,
    summary_table,
    verdict_of,
)
from core.presentation.making_views import entry_key, part_of
from core.presentation.view import View
from core.questions.experiments import RunExperiment
from gui.charts.shown_chart import ShownChart
from gui.pages.experiments.presenter import ExperimentsPresenter
from gui.pages.report.parts import ReportPart
from gui.theme import current_theme, icon
from gui.widgets import Card, ElidedLabel, Segments, TextLabel
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.tables.figure_table import ResultTable

EVALUATION = "evaluation"
HISTOGRAM, VIOLIN = "histogram", "violin"
COMPARED = "compared"
_TABLES = {
    SUMMARY: "By method",
    RUNS: "Runs",
    GRANTED: "What it takes for granted",
    COMPARED: "Comparison",
}


class ExperimentResults(QWidget):
    """Shows what has run, as it grows, and what it is compared with."""

    def __init__(self, presenter: ExperimentsPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._seen = presenter
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().sizes.gap)
        column.addLayout(self._make_choices())
        column.addWidget(self._make_charts(), 5)
        self.below = self._make_tables()
        column.addWidget(self.below, 4)
        self.error_kind.chosen.connect(lambda _kind: self.show_result())
        self.picture.chosen.connect(lambda _kind: self.show_result())
        self.learner.activated.connect(lambda _place: self.show_result())
        self.table_kind.chosen.connect(self.show_table)
        self.stop.clicked.connect(self._on_stop)
        presenter.changed.connect(self.show_result)
        presenter.other_changed.connect(self._on_other)

    # ------------------------------------------------------------ building

    def _make_choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.error_kind = Segments(
            [(EVALUATION, "Evaluation error"), (EFFECT, "Effect error")],
            name="Which error is shown",
        )
        self.error_kind.choose(EVALUATION)
        self.picture = Segments(
            [(HISTOGRAM, "Histograms"), (VIOLIN, "Violins")], name="Kind of picture"
        )
        self.picture.choose(HISTOGRAM)
        self.learner = ChoiceBox()
        self.learner.setAccessibleName("Learner whose runs are shown")
        self.state = TextLabel("", "quiet")
        self.stop = QPushButton("Stop")
        self.stop.setIcon(icon("stop", "error"))
        self.stop.setProperty("kind", "danger")
        self.stop.hide()
        for widget in (self.error_kind, self.picture, self.learner):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.state)
        row.addWidget(self.stop)
        return row

    def _make_charts(self) -> QStackedWidget:
        self.charts = QStackedWidget()
        side_by_side = QWidget()
        grid = QGridLayout(side_by_side)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(current_theme().sizes.gap)
        self.histograms = {name: ShownChart() for name in SAMPLERS}
        for place, chart in enumerate(self.histograms.values()):
            grid.addWidget(chart, 0, place)
            grid.setColumnStretch(place, 1)
        self.violins = ShownChart()
        self.charts.addWidget(side_by_side)
        self.charts.addWidget(self.violins)
        for chart in (*self.histograms.values(), self.violins):
            chart.refused.connect(self._seen.session.project.post)
            chart.enlarge_requested.connect(partial(self._toggle_large, chart))
        return self.charts

    def _toggle_large(self, chart: ShownChart) -> None:
        """Give a chart the room of all charts and of the tables, or take it back."""
        chart.set_large(not chart.is_large)
        self.below.setVisible(not chart.is_large)
        for other in self.histograms.values():
            is_there = other.view.spec is not None
            other.setVisible(other is chart or (is_there and not chart.is_large))

    def _make_tables(self) -> Card:
        card = Card(margin=0)
        row = QHBoxLayout()
        row.setContentsMargins(12, 10, 12, 2)
        row.setSpacing(8)
        self.table_kind = Segments(list(_TABLES.items()), name="Which table is shown")
        self.table_kind.make_small()
        self.table_kind.choose(SUMMARY)
        self.verdict = ElidedLabel("", "quiet")
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.table_kind)
        row.addWidget(self.verdict, 1)
        card.body.addLayout(row)
        self.tables = QStackedWidget()
        self.figures = {
            key: ResultTable(name, wraps=key != RUNS, scrolls=True) for key, name in _TABLES.items()
        }
        for table in self.figures.values():
            self.tables.addWidget(table)
        inset = QVBoxLayout()
        inset.setContentsMargins(8, 0, 8, 8)
        inset.addWidget(self.tables)
        card.body.addLayout(inset, 1)
        return card

    # ------------------------------------------------------------ showing

    def _on_stop(self) -> None:
        self.stop.setEnabled(False)
        self._seen.stop()

    def _on_other(self) -> None:
        self.show_table(COMPARED if self._seen.other is not None else SUMMARY)

    def show_table(self, key: str) -> None:
        """Bring one of the tables to the front."""
        self.table_kind.choose(key)
        self.tables.setCurrentIndex(list(_TABLES).index(key))
        if key == RUNS:  # tens of thousands: only while they are looked at
            self.figures[key].show_content(runs_table(self._seen.result))
        compared = self._compared() if key == COMPARED else None
        words = " ".join(compared.sentences) if compared else verdict_of(self._seen.result)
        self.verdict.set_full_text(words)

    def show_result(self) -> None:
        """Fill charts and tables from the runs so far."""
        seen, result = self._seen, self._seen.result
        self.stop.setVisible(seen.is_running)
        self.stop.setEnabled(seen.is_running)
        self._show_state()
        self._show_learners()
        self._show_charts()
        facts = seen.facts if result is None else result.data
        tables = {
            SUMMARY: summary_table(result),
            GRANTED: granted_table(result, facts),
            COMPARED: compared_table(result, seen.other),
        }
        for key, table in tables.items():
            self.figures[key].show_content(table)
        self.show_table(self.table_kind.choice())

    def _show_state(self) -> None:
        seen, result = self._seen, self._seen.result
        words = ""
        if seen.is_running and not seen.has_begun:
            words = "no model fitted yet"
        elif result is not None:
            words = progress_words(result, seen.is_running)
            if not seen.is_running and not seen.is_of_parts:
                words += "; the parts have changed since"
        self.state.setText(words)

    def _show_learners(self) -> None:
        result = self._seen.result
        names = result.runs.learners if result is not None else ()
        shown = tuple(self.learner.itemData(place) for place in range(self.learner.count()))
        if shown != names:
            self.learner.clear()
            for name in names:
                self.learner.addItem(learner_label(name), name)
        self.learner.setVisible(len(names) > 1)

    def _show_charts(self) -> None:
        seen, result = self._seen, self._seen.result
        ask = f"Press {seen.run_word}: every run adds a loss here."
        samplers = seen.spec.settled().samplers if result is None else result.runs.samplers
        for sampler, card in self.histograms.items():
            card.setVisible(sampler in samplers)
            card.show_chart(self._loss_chart(sampler))
            words = "Runs appear here as they end." if seen.is_running else ask
            card.set_empty(SAMPLER_WORDS[sampler], words)
        view = self._view(self._card(VIOLINS))
        self.violins.show_chart(None if view is None else view.charts[0])
        self.violins.set_empty("", ask)
        self.charts.setCurrentIndex(0 if self.picture.choice() == HISTOGRAM else 1)

    def _card(self, card: str, sampler: str = "") -> RunsCard:
        """A card of the losses in view."""
        is_effect = self.error_kind.choice() == EFFECT
        learner = str(self.learner.currentData()) if self.learner.currentIndex() > 0 else ""
        return RunsCard(card=card, is_effect=is_effect, sampler=sampler, learner=learner)

    def _view(self, card: RunsCard) -> View | None:
        views = self._seen.views
        return None if views is None else views.view_or_none(str(card))

    def _compared(self) -> View | None:
        """The losses in view beside those of another experiment, where there are two."""
        return self._seen.compared(self._card(LOSSES))

    def _loss_chart(self, sampler: str) -> Chart | None:
        """The losses of a method, with those of another experiment where one is beside it."""
        compared = self._compared()
        if compared is not None:
            charts = (c for c in compared.charts if c.title == SAMPLER_WORDS[sampler])
            return next(charts, None)
        view = self._view(self._card(LOSSES, sampler))
        return None if view is None else view.charts[0]

    # ------------------------------------------------------------ report

    def report_parts(self) -> Iterator[ReportPart]:
        """Return what has run: the losses in view, the tables, and what is on the report."""
        views, runs = self._seen.views, entry_key(RunExperiment)
        if views is None:
            return
        cards: dict[str, tuple[ShownChart, ...]] = {
            str(self._card(LOSSES, sampler)): (self.histograms[sampler],)
            for sampler in views.answer.runs.samplers
        }
        cards |= {str(self._card(VIOLINS)): (self.violins,), SUMMARY: (), GRANTED: ()}
        kinds = (item.kind for item in self._seen.session.project.document.report)
        for part in (part_of(kind) for kind in kinds if kind.partition(" ")[0] == runs):
            cards.setdefault(part, ())
        for part, charts in cards.items():
            yield ReportPart(
                key=f"{runs} {part}".rstrip(),
                title=_title_of_card(RunsCard.read(part)),
                answered=partial(views.view_or_none, part),
                charts=charts,
            )
        beside = self._compared()
        if beside is not None:
            yield ReportPart(key=beside.key, title=beside.title, answered=lambda: beside)


def _title_of_card(name: RunsCard) -> str:
    """What a card is called where it can be put on the report."""
    kinds = {
        LOSSES: SAMPLER_WORDS.get(name.sampler, name.sampler),
        VIOLINS: "All methods at one scale",
        SUMMARY: "Losses by method",
        GRANTED: "What it takes for granted",
    }
    known = kinds.get(name.card, "All of the experiment")
    described = (known, name.learner, "effect" if name.is_effect else "")
    return ", ".join(part for part in described if part)
