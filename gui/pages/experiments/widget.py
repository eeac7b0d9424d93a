"""Page Experiments: parts at the left, loss distributions growing at the right, tables below.

The presenter shows what when: the parts in the document, the runs in this session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.experiments.commands import SetExperimentSpec
from core.document.experiments.files import (
    SUFFIX,
    differing_parts,
    load_experiment,
    save_experiment,
)
from core.document.experiments.results import (
    DataFacts,
    ExperimentChoices,
    ExperimentPair,
    ExperimentResult,
)
from core.document.experiments.spec import PROTOCOLS, SAMPLERS, ExperimentSpec, learner_label
from core.document.model import Document
from core.document.studies.iterations import CHOOSING, SHRINKAGE
from core.engine.messages import JobOutcome, JobState
from core.presentation.chart import Chart
from core.presentation.experiments import (
    EFFECT,
    GRANTED,
    LOSSES,
    SAMPLER_WORDS,
    SUMMARY,
    VIOLINS,
    RunsCard,
    compared_table,
    experiment_title,
    granted_table,
    progress_words,
    summary_table,
    verdict_of,
)
from core.presentation.iterations import study_title
from core.presentation.labels import Labels
from core.presentation.showing import entry_key, part_of, show
from core.presentation.view import View
from core.questions.experiments import (
    CheckExperiment,
    CompareExperiments,
    ExperimentParts,
    RunExperiment,
)
from gui.charts.shown_chart import ShownChart
from gui.pages.experiments.parts_card import PartsCard, help_of_page
from gui.pages.experiments.runs_model import RunsModel
from gui.pages.page import Page
from gui.pages.report.parts import AnswerViews, ReportPart
from gui.session.request import Request
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme, icon
from gui.widgets import Card, ElidedLabel, HelpButton, Segments, TextLabel
from gui.widgets.dialog import entries_stand
from gui.widgets.tables.figure_table import FigureTable
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.pages.experiments.iteration_dialog import IterationDialog

EVALUATION = "evaluation"
HISTOGRAM, VIOLIN = "histogram", "violin"
RUNS, COMPARED = "runs", "compared"
_PAUSE = 250  # ms without a change before the rows are looked at again
_TABLES = (SUMMARY, RUNS, GRANTED, COMPARED)


class ExperimentsPage(Page):
    """Builds the page; an ``ExperimentsPresenter`` fills it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Experiments", parent)
        self.setAccessibleName(self.header.title.text())
        self._build_header()
        row = QHBoxLayout()
        row.setSpacing(current_theme().sizes.gap)
        self.parts = PartsCard()
        row.addWidget(self.parts)
        right = QVBoxLayout()
        right.setSpacing(current_theme().sizes.gap)
        right.addLayout(self._make_choices())
        right.addWidget(self._make_charts(), 5)
        self.below = self._make_tables()
        right.addWidget(self.below, 4)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)
        self.presenter = ExperimentsPresenter(session, self)

    def on_shown(self) -> None:
        self.presenter.refresh()

    def show_part(self, part: str) -> None:
        self.open_study(part)

    def report_parts(self) -> tuple[ReportPart, ...]:
        return self.presenter.report_parts()

    def report_document(self) -> Document | None:
        """The document with the parts that ran; the studies of boosting stand on none."""
        result, document = self.presenter.result, self.session.project.document
        if result is not None:
            return replace(document, experiment=result.spec)
        return document if self.presenter.studies else None

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.protocol = QComboBox()
        for facts in PROTOCOLS.values():
            self.protocol.addItem(facts.label, facts.id)
        self.header.add_left(self.protocol, "Protocol")
        self.mode = Segments(
            [("default", "Default"), ("paper", "As the paper")],
            name="How ambiguous points of the source are read",
        )
        self.header.left.addWidget(self.mode)
        self.header.left.addWidget(HelpButton(help_of_page()))
        self.compare = QPushButton("Compare with")
        self.compare.setIcon(icon("compare"))
        self.compare_menu = QMenu(self.compare)
        self.compare.setMenu(self.compare_menu)
        self.studies = QPushButton("Studies")
        self.studies.setToolTip("Studies of boosting on made-up data, run here")
        studies = QMenu(self.studies)
        for study in (SHRINKAGE, CHOOSING):
            words = study_title(study)
            studies.addAction(f"{words}…", partial(self.open_study, study))
        self.studies.setMenu(studies)
        self.export = QPushButton("Export")
        self.export.setIcon(icon("export"))
        self.header.add_right(self.join_report(PageId.EXPERIMENTS))
        self.header.add_right(self.studies)
        self.header.add_right(self.compare)
        self.header.add_right(self.export)

    def open_study(self, study: str) -> IterationDialog:
        """Open a study of boosting in a window of its own, beside the page."""
        from gui.pages.experiments.iteration_dialog import IterationDialog

        dialog = IterationDialog(self.session, study, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.answered.connect(self.presenter.keep_study)
        dialog.show()
        return dialog

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
        self.learner = QComboBox()
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
            chart.refused.connect(self.session.project.post)
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
        entries = (
            (SUMMARY, "By method"),
            (RUNS, "Runs"),
            (GRANTED, "What it takes for granted"),
            (COMPARED, "Comparison"),
        )
        self.table_kind = Segments(
            entries,
            name="Which table is shown",
        )
        self.table_kind.make_small()
        self.table_kind.choose(SUMMARY)
        self.verdict = ElidedLabel("", "quiet")
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.table_kind)
        row.addWidget(self.verdict, 1)
        card.body.addLayout(row)
        self.tables = QStackedWidget()
        self.runs = RunsModel(self)
        self.figures: dict[str, FigureTable] = {}
        for key, name in entries:
            if key == RUNS:
                self.tables.addWidget(self._make_runs(name))
            else:
                self.figures[key] = FigureTable(name, wraps=True, scrolls=True)
                self.tables.addWidget(self.figures[key])
        inset = QVBoxLayout()
        inset.setContentsMargins(8, 0, 8, 8)
        inset.addWidget(self.tables)
        card.body.addLayout(inset, 1)
        return card

    def _make_runs(self, name: str) -> QTableView:
        """The table of runs: thousands, straight from the columns."""
        view = QTableView()
        view.setModel(self.runs)
        view.setAccessibleName(name)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setShowGrid(False)
        view.verticalHeader().setDefaultSectionSize(current_theme().sizes.row)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_RUN_WIDTHS):
            view.setColumnWidth(column, width)
        return view


_RUN_WIDTHS = (80, 190, 64, 56, 96, 80, 76, 80, 76, 104, 92, 96, 72)


class ExperimentsPresenter(QObject):
    """Holds what runs and what has run; the parts stand in the document."""

    def __init__(self, session: Session, page: ExperimentsPage) -> None:
        super().__init__(page)
        self.session = session
        self.page = page
        self.result: ExperimentResult | None = None
        self.other: ExperimentResult | None = None
        self.views: AnswerViews | None = None  # of the result
        self._compared: View | None = None  # with the other experiment
        self.studies: dict[str, View] = {}  # of boosting, that were run in a window of their own
        self._compared_of: tuple[int, int, str] = (0, 0, "")
        self.finished: list[ExperimentResult] = []
        self._run = Request(self, session.project)
        self._rows = Request(self, session.project)
        self._offer = Request(self, session.project)
        self._running_spec: ExperimentSpec | None = None
        self._facts: tuple[ExperimentSpec, DataFacts | None] | None = None
        self._choices: dict[str, ExperimentChoices | None] = {}  # None: asked for
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self._look)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        page = self.page
        self.session.project.document_changed.connect(self.refresh)
        self.session.project.data_changed.connect(self._leave_project)
        self.session.plugins.changed.connect(self._on_plugins)
        page.protocol.activated.connect(self._on_protocol)
        page.mode.chosen.connect(lambda mode: self.take(replace(self.spec, mode=mode)))
        page.parts.spec_changed.connect(self.take)
        page.parts.file_wanted.connect(self.choose_file)
        page.parts.run.clicked.connect(self.run)
        page.stop.clicked.connect(self.stop)
        page.error_kind.chosen.connect(lambda _kind: self.show_result())
        page.picture.chosen.connect(lambda _kind: self.show_result())
        page.learner.activated.connect(lambda _place: self.show_result())
        page.table_kind.chosen.connect(self.show_table)
        page.export.clicked.connect(self.choose_export)
        page.compare_menu.aboutToShow.connect(self._fill_compare)

    # ------------------------------------------------------------ parts

    @property
    def spec(self) -> ExperimentSpec:
        """The parts of the document's experiment."""
        return self.session.project.document.experiment or ExperimentSpec()

    def take(self, spec: ExperimentSpec) -> None:
        """Take other parts: one undo step."""
        if spec != self.spec:
            self.session.project.execute(SetExperimentSpec(experiment=spec))

    def _on_protocol(self, _place: int) -> None:
        protocol = str(self.page.protocol.currentData())
        if protocol != self.spec.protocol:
            kept = self.spec
            self.take(ExperimentSpec(protocol=protocol, mode=kept.mode, seed=kept.seed))

    def choose_file(self) -> None:
        """Ask for the rows' file."""
        dialog = QFileDialog(self.page, "Rows of the experiment")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter("All files (*)")
        dialog.fileSelected.connect(self.take_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take_file(self, path: str) -> None:
        """Use the rows of a file."""
        self.take(replace(self.spec, path=path))

    def refresh(self, *_ignored: object) -> None:
        """Show the parts; look at the rows when they are others."""
        page, spec = self.page, self.spec
        page.protocol.setCurrentIndex(page.protocol.findData(spec.protocol))
        page.mode.choose(spec.mode)
        page.parts.show_spec(spec, self._choices.get(spec.protocol))
        if self._facts is None or _rows_key(self._facts[0]) != _rows_key(spec):
            self._facts = (spec, None)
            page.parts.show_facts(None)
            self._timer.start()
        self.show_result()

    def _leave_project(self) -> None:
        """An experiment of another project goes, with its runs and what they are compared with."""
        if self.is_running and self._running_spec != self.spec:
            self._run.cancel()
        if self.result is None or self.result.spec != self.spec:
            self.other = None
            self._hold(None)

    def _hold(self, result: ExperimentResult | None) -> None:
        """Keep the newest runs, and the views of them."""
        self.result = result
        labels = Labels.of(self.session.project.document)
        self.views = None if result is None else AnswerViews(RunExperiment(), result, labels)

    def _look(self) -> None:
        """Ask for what is not known yet; while the page is hidden, later."""
        if not self.page.isVisible():
            self._facts = None
            return
        self._ask_choices()
        if self._facts is None or self._facts[1] is None:
            self._check_rows()

    def _on_plugins(self, _result: object) -> None:
        """Other plugins may offer other systems and distributions."""
        self._choices.clear()
        self._timer.start()

    def _ask_choices(self) -> None:
        protocol = self.spec.protocol
        if protocol in self._choices:
            return
        self._choices[protocol] = None

        def on_result(result: ExperimentChoices) -> None:
            self._choices[protocol] = result
            self.page.parts.show_spec(self.spec, self._choices.get(self.spec.protocol))

        def on_end(outcome: JobOutcome) -> None:
            if outcome.error is None and self._choices.get(protocol) is None:
                self._choices.pop(protocol, None)  # taken back: asked for when it is needed

        self._offer.ask(
            self.session.project.document,
            ExperimentParts(),
            on_result=on_result,
            on_end=on_end,
            is_wanted=lambda: True,  # kept by protocol
        )

    def _check_rows(self) -> None:
        spec = self.spec

        def on_result(result: DataFacts) -> None:
            self._facts = (spec, result)
            self.page.parts.show_facts(show(CheckExperiment(), result, Labels()))

        self._rows.ask(
            self.session.project.document,
            CheckExperiment(),
            on_result=on_result,
            on_error=lambda refusal: self.page.parts.show_refusal(str(refusal)),
            is_wanted=lambda: _rows_key(spec) == _rows_key(self.spec),
        )

    # ------------------------------------------------------------ running

    @property
    def is_running(self) -> bool:
        """Whether an experiment waits or runs."""
        return self._run.is_under_way

    def run(self) -> None:
        """Run the experiment; one that was stopped or lost goes on where it ended."""
        if self.is_running or not entries_stand(self.page):
            return
        spec = self.spec
        self._running_spec = spec

        def on_partial(result: ExperimentResult) -> None:
            self._hold(result)
            self.show_result()

        self._run.ask(
            self.session.project.document,
            RunExperiment(),
            title=f"Experiment: {spec.facts.label}",
            on_result=self._take_result,
            on_partial=on_partial,
            on_end=self._on_end,
            is_wanted=lambda: True,  # runs of parts that have changed since are shown as such
        )
        self.show_result()

    def stop(self) -> None:
        """Stop; what has run is kept, and Run goes on from there."""
        if self.is_running:
            self.page.stop.setEnabled(False)
            self._run.stop()

    def _take_result(self, result: ExperimentResult) -> None:
        self._hold(result)
        if result.is_whole:
            self.finished = [entry for entry in self.finished if entry.spec != result.spec]
            self.finished.append(result)
        for warning in result.data.warnings:
            self.session.project.post(warning)

    def _on_end(self, outcome: JobOutcome) -> None:
        if outcome.state is JobState.LOST:
            self.session.project.post("The runs so far were kept: Run goes on from there.")
        self.show_result()

    # ------------------------------------------------------------ showing

    def show_table(self, key: str) -> None:
        """Bring one of the tables to the front."""
        page = self.page
        page.table_kind.choose(key)
        page.tables.setCurrentIndex(_TABLES.index(key))
        words = verdict_of(self.result)
        if key == COMPARED and self._compared is not None:
            words = " ".join(self._compared.sentences)
        page.verdict.set_full_text(words)

    def _card(self, card: str, sampler: str = "") -> RunsCard:
        """A card of the losses in view."""
        page = self.page
        is_effect = page.error_kind.choice() == EFFECT
        learner = str(page.learner.currentData()) if page.learner.currentIndex() > 0 else ""
        return RunsCard(card=card, is_effect=is_effect, sampler=sampler, learner=learner)

    def show_result(self) -> None:
        """Fill charts and tables from the runs so far."""
        page, result = self.page, self.result
        page.stop.setVisible(self.is_running)
        page.stop.setEnabled(self.is_running)
        page.parts.run.setEnabled(not self.is_running)
        page.export.setEnabled(result is not None and result.done > 0)
        self._show_run_words()
        self._show_learners()
        self._show_charts()
        page.runs.show(result.runs if result is not None else None)
        tables = {
            SUMMARY: summary_table(result),
            GRANTED: granted_table(result, self._known_facts() if result is None else result.data),
            COMPARED: compared_table(result, self.other),
        }
        for key, table in tables.items():
            page.figures[key].show_content(table)
        self.show_table(page.table_kind.choice())

    def _known_facts(self) -> DataFacts | None:
        return self._facts[1] if self._facts is not None else None

    def _show_run_words(self) -> None:
        page, result = self.page, self.result
        words = ""
        if self.is_running and (result is None or result.spec != self._running_spec):
            words = "no model fitted yet"
        elif result is not None:
            words = progress_words(result, self.is_running)
            if not self.is_running and result.spec != self.spec:
                words += "; the parts have changed since"
        page.state.setText(words)
        can_go_on = result is not None and result.spec == self.spec and not result.is_whole
        page.parts.run.setText("Go on" if can_go_on and not self.is_running else "Run")
        left = result.wanted - result.done if can_go_on and result is not None else self.spec.fits
        page.parts.show_fits(left, is_rest=can_go_on)

    def _show_learners(self) -> None:
        page, result = self.page, self.result
        names = result.runs.learners if result is not None else ()
        shown = tuple(page.learner.itemData(place) for place in range(page.learner.count()))
        if shown != names:
            page.learner.clear()
            for name in names:
                page.learner.addItem(learner_label(name), name)
        page.learner.setVisible(len(names) > 1)

    def _show_charts(self) -> None:
        page, result, other = self.page, self.result, self.other
        ask = f"Press {page.parts.run.text()}: every run adds a loss here."
        self._lay_beside(result, other)
        samplers = self.spec.settled().samplers if result is None else result.runs.samplers
        for sampler, card in page.histograms.items():
            card.setVisible(sampler in samplers)
            card.show_chart(self._loss_chart(sampler))
            card.set_empty(
                SAMPLER_WORDS[sampler],
                "Runs appear here as they end." if self.is_running else ask,
            )
        view = None if self.views is None else self.views.view_or_none(str(self._card(VIOLINS)))
        page.violins.show_chart(None if view is None else view.charts[0])
        page.violins.set_empty("", ask)
        is_histogram = page.picture.choice() == HISTOGRAM
        page.charts.setCurrentIndex(0 if is_histogram else 1)

    def _lay_beside(self, result: ExperimentResult | None, other: ExperimentResult | None) -> None:
        """Compare both, where there are two; once, for the report knows a chart by its object."""
        name = self._card(LOSSES)
        key = (id(result), id(other), str(name))
        if result is None or other is None or not result.done:
            self._compared = None
        elif self._compared is None or key != self._compared_of:
            self._compared = show(
                CompareExperiments(other=other.spec),
                ExperimentPair(here=result, there=other),
                Labels.of(self.session.project.document),
                "" if str(name) == LOSSES else str(name),
            )
        self._compared_of = key

    def _loss_chart(self, sampler: str) -> Chart | None:
        """The losses of a method, with those of another experiment where one is beside it."""
        if self._compared is not None:
            charts = (c for c in self._compared.charts if c.title == SAMPLER_WORDS[sampler])
            return next(charts, None)
        if self.views is None:
            return None
        view = self.views.view_or_none(str(self._card(LOSSES, sampler)))
        return None if view is None else view.charts[0]

    # ------------------------------------------------------------ report

    def report_parts(self) -> tuple[ReportPart, ...]:
        """Return what has run: the losses in view, the tables, and what is on the report."""
        studies = tuple(
            ReportPart(key=view.key, title=view.title, answered=partial(self.studies.get, view.key))
            for view in self.studies.values()
        )
        return (*self._run_parts(), *studies)

    def keep_study(self, view: View) -> None:
        """Keep what a study of boosting found, for the report."""
        self.studies[view.key] = view

    def _run_parts(self) -> tuple[ReportPart, ...]:
        if self.views is None:
            return ()
        page, runs = self.page, entry_key(RunExperiment)
        cards: dict[str, tuple[ShownChart, ...]] = {
            str(self._card(LOSSES, sampler)): (page.histograms[sampler],)
            for sampler in self.views.answer.runs.samplers
        }
        cards |= {str(self._card(VIOLINS)): (page.violins,), SUMMARY: (), GRANTED: ()}
        kinds = (item.kind for item in self.session.project.document.report)
        cards |= {
            part_of(kind): ()
            for kind in kinds
            if kind.partition(" ")[0] == runs and part_of(kind) not in cards
        }
        parts = [
            ReportPart(
                key=f"{runs} {part}".rstrip(),
                title=_title_of_card(RunsCard.read(part)),
                answered=partial(self.views.view_or_none, part),
                charts=charts,
            )
            for part, charts in cards.items()
        ]
        beside = self._compared
        if beside is not None:
            parts.append(ReportPart(key=beside.key, title=beside.title, answered=lambda: beside))
        return tuple(parts)

    # ------------------------------------------------------------ export, compare

    def choose_export(self) -> None:
        """Ask where to write the runs and the whole experiment."""
        dialog = QFileDialog(self.page, "Export the experiment")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilter(f"Experiments (*{SUFFIX})")
        dialog.selectFile(f"{self.spec.protocol}{SUFFIX}")
        dialog.fileSelected.connect(self.export)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export(self, path: str) -> None:
        """Write the runs (CSV) and the whole experiment (JSON)."""
        if self.result is None:
            return
        try:
            record, table = save_experiment(self.result, path)
        except PayoffError as refusal:
            self.session.project.post(refusal)
            return
        self.session.project.post(f"Wrote {record} and {Path(table).name}")

    def _fill_compare(self) -> None:
        menu = self.page.compare_menu
        menu.clear()
        for entry in reversed(self.finished):
            if self.result is None or entry.spec != self.result.spec:
                menu.addAction(experiment_title(entry.spec), self._comparing_with(entry))
        menu.addAction("A saved experiment…", self.choose_saved)
        if self.other is not None:
            menu.addAction("Nothing", lambda: self.compare_with(None))

    def choose_saved(self) -> None:
        """Ask for an experiment that was exported."""
        dialog = QFileDialog(self.page, "Compare with a saved experiment")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(f"Experiments (*{SUFFIX})")
        dialog.fileSelected.connect(self.compare_with_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def compare_with_file(self, path: str) -> None:
        """Compare with an experiment that was exported."""
        try:
            self.compare_with(load_experiment(path))
        except PayoffError as refusal:
            self.session.project.post(refusal)

    def _comparing_with(self, other: ExperimentResult) -> Callable[[], None]:
        return lambda: self.compare_with(other)

    def compare_with(self, other: ExperimentResult | None) -> None:
        """Show another experiment's losses in grey, and the differences as a table."""
        self.other = other
        self.show_result()
        self.show_table(COMPARED if other is not None else SUMMARY)
        if other is not None and self.result is not None:
            parts = differing_parts(self.result, other)
            if len(parts) > 1:
                words = (
                    "These experiments differ in %s parts (%s): no difference can be put down to "
                    "one of them."
                )
                self.session.project.post(words % (len(parts), ", ".join(parts)))


def _rows_key(spec: ExperimentSpec) -> tuple[object, ...]:
    """What the rows of an experiment depend on."""
    seed = 0 if spec.path else spec.seed
    return (
        spec.protocol,
        spec.mode,
        spec.path,
        seed,
        spec.synthetic_rows,
        spec.outcome,
        spec.columns,
        spec.slot_days,
    )


def _title_of_card(name: RunsCard) -> str:
    """What a card is called where it can be put on the report."""
    kinds = {
        LOSSES: SAMPLER_WORDS.get(name.sampler, name.sampler),
        VIOLINS: "All methods at one scale",
        SUMMARY: "Losses by method",
        GRANTED: "What it takes for granted",
    }
    known = kinds.get(name.card, "All of the experiment")
    said = (known, name.learner, "effect" if name.is_effect else "")
    return ", ".join(part for part in said if part)
