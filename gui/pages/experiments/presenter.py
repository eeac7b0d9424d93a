"""What page Experiments shows when: the parts in the document, the runs in this session."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

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
    ExperimentResult,
)
from core.document.experiments.spec import ExperimentSpec, learner_label
from core.engine.messages import JobOutcome, JobState
from core.questions.experiments import CheckExperiment, ExperimentParts, RunExperiment
from gui.jobs.request import Request
from gui.pages.experiments.charts import LossGroup
from gui.pages.experiments.tables import (
    compared_rows,
    difference_words,
    granted_rows,
    summary_rows,
    verdict_of,
)
from gui.pages.experiments.widget import (
    COMPARED,
    EFFECT,
    EVALUATION,
    GRANTED,
    HISTOGRAM,
    RUNS,
    SUMMARY,
)
from gui.pages.experiments.words import SAMPLER_WORDS, progress_words, title_of
from gui.parts.column_widths import fit_columns
from gui.parts.dialog_buttons import entries_stand
from gui.workspace import Workspace
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.pages.experiments.widget import ExperimentsPage

_PAUSE = 250  # ms without a change before the rows are looked at again
_TABLES = (SUMMARY, RUNS, GRANTED, COMPARED)


class ExperimentsPresenter(QObject):
    """Holds what runs and what has run; the parts stand in the document."""

    def __init__(self, workspace: Workspace, page: ExperimentsPage) -> None:
        super().__init__(page)
        self.workspace = workspace
        self.page = page
        self.result: ExperimentResult | None = None
        self.other: ExperimentResult | None = None
        self.finished: list[ExperimentResult] = []
        self._run = Request(self, workspace)
        self._rows = Request(self, workspace)
        self._offer = Request(self, workspace)
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
        self.workspace.document_changed.connect(self.refresh)
        self.workspace.data_changed.connect(self._leave_project)
        self.workspace.plugins_changed.connect(self._on_plugins)
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
        return self.workspace.document.experiment or ExperimentSpec()

    def take(self, spec: ExperimentSpec) -> None:
        """Take other parts: one undo step."""
        if spec != self.spec:
            self.workspace.execute(SetExperimentSpec(experiment=spec))

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
        """Runs of another project's experiment go; one that runs is told apart by its words."""
        if not self.is_running and self.result is not None and self.result.spec != self.spec:
            self.result = self.other = None

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
            self.workspace.document,
            ExperimentParts(),
            on_result=on_result,
            on_end=on_end,
            is_wanted=lambda: True,  # kept by protocol
        )

    def _check_rows(self) -> None:
        spec = self.spec

        def on_result(result: DataFacts) -> None:
            self._facts = (spec, result)
            self.page.parts.show_facts(result)

        self._rows.ask(
            self.workspace.document,
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
            self.result = result
            self.show_result()

        self._run.ask(
            self.workspace.document,
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
        self.result = result
        if result.is_whole:
            self.finished = [entry for entry in self.finished if entry.spec != result.spec]
            self.finished.append(result)
        for warning in result.data.warnings:
            self.workspace.post(warning)

    def _on_end(self, outcome: JobOutcome) -> None:
        if outcome.state is JobState.LOST:
            self.workspace.post("The runs so far were kept: Run goes on from there.")
        self.show_result()

    # ------------------------------------------------------------ showing

    def show_table(self, key: str) -> None:
        """Bring one of the tables to the front."""
        page = self.page
        page.table_kind.choose(key)
        page.tables.setCurrentIndex(_TABLES.index(key))
        is_compared = key == COMPARED
        words = difference_words(self.result, self.other) if is_compared else ""
        page.verdict.set_full_text(words or verdict_of(self.result))

    def verdict(self) -> str:
        """What the bounds say of the runs so far."""
        return verdict_of(self.result)

    def groups(self) -> tuple[LossGroup, ...]:
        """The losses in view, one group per sampling method."""
        result = self.result
        if result is None:
            return ()
        runs, is_effect = result.runs, self.page.error_kind.choice() == EFFECT
        learner = self.page.learner.currentData() or runs.learners[0]
        place = runs.learners.index(learner) if learner in runs.learners else 0
        found = []
        for number, sampler in enumerate(runs.samplers):
            mine = (runs.sampler == number) & (runs.learner == place)
            losses, bounds = (
                (runs.effect_error, runs.effect_bound) if is_effect else (runs.error, runs.bound)
            )
            known = bounds[mine][np.isfinite(bounds[mine])]
            found.append(
                LossGroup(
                    name=SAMPLER_WORDS[sampler],
                    series=number,
                    losses=losses[mine],
                    bound=float(known.max()) if len(known) else math.nan,
                    chance=math.nan
                    if is_effect or not mine.any()
                    else float(runs.chance[mine].mean()),
                    other=self._other_losses(sampler, learner, is_effect),
                )
            )
        return tuple(found)

    def _other_losses(
        self, sampler: str, learner: str, is_effect: bool
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
        if self.other is None or sampler not in self.other.runs.samplers:
            return None
        runs = self.other.runs
        place = runs.learners.index(learner) if learner in runs.learners else 0
        mine = (runs.sampler == runs.samplers.index(sampler)) & (runs.learner == place)
        losses = runs.effect_error if is_effect else runs.error
        return np.asarray(losses[mine])

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
        page.summary.show(*summary_rows(result), right_aligned=range(2, 12))
        page.granted.show(*granted_rows(result, self._known_facts()))
        page.views[GRANTED].resizeRowsToContents()
        page.compared.show(*compared_rows(result, self.other), right_aligned=range(2, 8))
        for key in (SUMMARY, COMPARED):
            fit_columns(page.views[key])
        self.show_table(page.table_kind.choice())

    def _known_facts(self) -> DataFacts | None:
        return self._facts[1] if self._facts is not None else None

    def _show_run_words(self) -> None:
        page, result = self.page, self.result
        words = ""
        if self.is_running and (result is None or result.spec != self._running_spec):
            words = "Reading rows"
        elif result is not None:
            words = progress_words(result, self.is_running)
            if not self.is_running and result.spec != self.spec:
                words += "; the parts have changed since"
        page.state.setText(words)
        can_go_on = result is not None and result.spec == self.spec and not result.is_whole
        page.parts.run.setText("Go on" if can_go_on and not self.is_running else "Run")

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
        page = self.page
        is_effect = page.error_kind.choice() == EFFECT
        groups = {group.name: group for group in self.groups()}
        axis = "effect error of a run" if is_effect else "evaluation error of a run"
        for chart in (*page.histograms.values(), page.violins):
            chart.definition = _definition(EFFECT if is_effect else EVALUATION)
            chart.axis_words = axis
            chart.rows_text = title_of(self.result.spec) if self.result is not None else ""
        samplers = (
            self.result.runs.samplers if self.result is not None else self.spec.settled().samplers
        )
        for sampler, chart in page.histograms.items():
            chart.setVisible(sampler in samplers)
            chart.show_group(groups.get(SAMPLER_WORDS[sampler]))
            chart.set_empty(
                SAMPLER_WORDS[sampler],
                "Runs appear here as they end."
                if self.is_running
                else "Press Run: every run adds a loss here.",
            )
        page.violins.show_groups(tuple(groups.values()))
        page.violins.set_empty("", "Press Run: every run adds a loss here.")
        is_histogram = page.picture.choice() == HISTOGRAM
        page.charts.setCurrentIndex(0 if is_histogram else 1)

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
            self.workspace.post(refusal)
            return
        self.workspace.post(f"Wrote {record} and {Path(table).name}")

    def _fill_compare(self) -> None:
        menu = self.page.compare_menu
        menu.clear()
        for entry in reversed(self.finished):
            if self.result is None or entry.spec != self.result.spec:
                menu.addAction(title_of(entry.spec), self._comparing_with(entry))
        menu.addAction("A saved experiment …", self.choose_saved)
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
            self.workspace.post(refusal)

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
                self.workspace.post(words % (len(parts), ", ".join(parts)))


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


def _definition(kind: str) -> str:
    if kind == EFFECT:
        return (
            "The mean squared error of an evaluation model for the difference between two subjects "
            "under the same condition, one value per run. Differences lie in -1 to 1, so that the "
            "loss can be up to 4 and its bound is wider. The true difference is known here because "
            "the evaluation system is made up."
        )
    return (
        "The mean squared error of an evaluation model on the test rows, one value per run. The "
        "bound of a run lies above the error to be expected on new cases at the chosen confidence; "
        "the largest of all runs is drawn. No information: always predicting the mean outcome."
    )
