"""What page Experiments knows: the parts in the document, what runs and what has run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.document.commands import SetExperimentSpec
from core.document.experiments.files import differing_parts, load_experiment, save_experiment
from core.document.experiments.results import (
    DataFacts,
    ExperimentChoices,
    ExperimentPair,
    ExperimentResult,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document
from core.engine.messages import JobOutcome, JobState
from core.presentation.experiments.views import LOSSES, RunsCard
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.experiments import (
    CheckExperiment,
    CompareExperiments,
    ExperimentParts,
    RunExperiment,
)
from gui.pages.report.parts import AnswerViews
from gui.pauses import PAUSES, single_shot
from gui.session.files import WORTH_KEEPING
from gui.session.request import Request
from gui.session.session import Session
from payoff.errors import PayoffError


class ExperimentsPresenter(QObject):
    """Holds what runs and what has run; the parts stand in the document.

    Nothing is asked about the parts while nobody looks: ``is_looked_at`` says whether the page is
    in view.
    """

    changed = Signal()  # runs, or what they are compared with
    parts_changed = Signal()  # the parts, or what there is to choose from
    facts_changed = Signal()  # what is known of the rows
    other_changed = Signal()  # another experiment was laid beside this one, or taken away

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.result: ExperimentResult | None = None
        self.other: ExperimentResult | None = None
        self.views: AnswerViews | None = None  # of the result
        self.studies: dict[str, View] = {}  # of boosting, that were run in a window of their own
        self.finished: list[ExperimentResult] = []
        self.is_looked_at: Callable[[], bool] = lambda: True
        self._compared: View | None = None  # with the other experiment
        self._compared_of: tuple[int, int, str] = (0, 0, "")
        self._run = Request(self, session.project)
        self._rows = Request(self, session.project)
        self._offer = Request(self, session.project)
        self._running_spec: ExperimentSpec | None = None
        self._exported: ExperimentResult | None = None
        self._seconds = 0.0  # that the runs so far took
        session.files.told_by_pages[RunExperiment.facts.key] = self._loss
        self._facts_of: ExperimentSpec | None = None  # whose rows were asked about
        self.facts: DataFacts | None = None
        self.facts_refusal = ""
        self._choices: dict[str, ExperimentChoices | None] = {}  # None: asked for
        self._timer = single_shot(self, PAUSES.experiment, self._check_now)
        session.project.left.connect(self._leave_project)
        session.plugins.changed.connect(self._on_plugins)

    # ------------------------------------------------------------ parts

    @property
    def spec(self) -> ExperimentSpec:
        """The parts of the document's experiment."""
        return self.session.project.document.experiment or ExperimentSpec()

    @property
    def choices(self) -> ExperimentChoices | None:
        """What there is to choose from in this protocol, once it is known."""
        return self._choices.get(self.spec.protocol)

    def take(self, spec: ExperimentSpec) -> None:
        """Take other parts: one undo step."""
        if spec != self.spec:
            self.session.project.execute(SetExperimentSpec(experiment=spec))

    def take_protocol(self, protocol: str) -> None:
        """Begin another protocol's experiment; how the source is read and the seed stay."""
        kept = self.spec
        if protocol != kept.protocol:
            self.take(ExperimentSpec(protocol=protocol, mode=kept.mode, seed=kept.seed))

    def take_file(self, path: str) -> None:
        """Use the rows of a file."""
        self.take(replace(self.spec, path=path))

    def refresh(self, *_ignored: object) -> None:
        """Follow the document; look at the rows when they are others."""
        self.parts_changed.emit()
        spec = self.spec
        if self._facts_of is None or _rows_key(self._facts_of) != _rows_key(spec):
            self._facts_of = spec
            self._know_rows(None)
            self._timer.start()
        self.changed.emit()

    def _know_rows(self, facts: DataFacts | None, refusal: str = "") -> None:
        self.facts, self.facts_refusal = facts, refusal
        self.facts_changed.emit()

    def _leave_project(self) -> None:
        """Experiments and studies of another project go, with what they are compared with."""
        self._run.cancel()
        self._running_spec = self.other = self._exported = None
        self._seconds = 0.0
        self.finished.clear()
        self.studies.clear()
        self._hold(None)
        self.changed.emit()
        self.other_changed.emit()

    def _check_now(self) -> None:
        """Ask for what is not known yet; while the page is hidden, later."""
        if not self.is_looked_at():
            self._facts_of = self.facts = None
            return
        self._ask_choices()
        if self.facts is None:
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
            self.parts_changed.emit()

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
            self._facts_of = spec
            self._know_rows(result)

        self._rows.ask(
            self.session.project.document,
            CheckExperiment(),
            on_result=on_result,
            on_error=lambda refusal: self._know_rows(None, str(refusal)),
            is_wanted=lambda: _rows_key(spec) == _rows_key(self.spec),
        )

    # ------------------------------------------------------------ running

    @property
    def is_running(self) -> bool:
        """Whether an experiment waits or runs."""
        return self._run.is_under_way

    @property
    def has_begun(self) -> bool:
        """Whether the experiment that runs has fitted a model."""
        return self.result is not None and self.result.spec == self._running_spec

    @property
    def is_of_parts(self) -> bool:
        """Whether the runs are of the parts as they are now."""
        return self.result is not None and self.result.spec == self.spec

    @property
    def can_go_on(self) -> bool:
        """Whether these parts have run, but not to the end."""
        return self.is_of_parts and self.result is not None and not self.result.is_whole

    @property
    def run_word(self) -> str:
        """What the button says that runs them."""
        return "Go on" if self.can_go_on and not self.is_running else "Run"

    def run(self) -> None:
        """Run the experiment; one that was stopped or lost goes on where it ended."""
        if self.is_running:
            return
        spec = self.spec
        self._running_spec = spec
        if not self.can_go_on:
            self._seconds = 0.0

        def on_partial(result: ExperimentResult) -> None:
            self._hold(result)
            self.changed.emit()

        self._run.ask(
            self.session.project.document,
            RunExperiment(),
            title=f"Experiment: {spec.facts.label}",
            on_result=self._take_result,
            on_partial=on_partial,
            on_end=self._on_end,
            is_wanted=lambda: True,  # runs of parts that have changed since are shown as such
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop; what has run is kept, and ``run`` goes on from there."""
        if self.is_running:
            self._run.stop()

    def _hold(self, result: ExperimentResult | None) -> None:
        """Keep the newest runs, and the views of them."""
        self.result = result
        labels = Labels.of(self.session.project.document)
        self.views = None if result is None else AnswerViews(RunExperiment(), result, labels)

    def _loss(self) -> str:
        """What would be lost with the project: its file holds no runs."""
        if self.is_running:
            return "The experiment has not ended: its runs are lost."
        is_kept = self.result is None or self.result is self._exported
        if is_kept or self._seconds < WORTH_KEEPING:
            return ""
        return "The runs of the experiment are lost: Export on page Experiments keeps them."

    def _take_result(self, result: ExperimentResult) -> None:
        self._hold(result)
        if result.is_whole:
            self.finished = [entry for entry in self.finished if entry.spec != result.spec]
            self.finished.append(result)
        for warning in result.data.warnings:
            self.session.project.post(warning)

    def _on_end(self, outcome: JobOutcome) -> None:
        self._seconds += outcome.seconds
        if outcome.state is JobState.LOST:
            self.session.project.post(
                "The engine ended while the experiment ran. The runs so far were kept: "
                f"“{self.run_word}” goes on from there."
            )
        self.changed.emit()

    def ran_document(self) -> Document | None:
        """The document with the parts that ran; the studies of boosting stand on none."""
        document = self.session.project.document
        if self.result is not None:
            return replace(document, experiment=self.result.spec)
        return document if self.studies else None

    # ------------------------------------------------------------ files, other experiments

    def keep_study(self, view: View) -> None:
        """Keep what a study of boosting found, for the report."""
        self.studies[view.key] = view

    def export(self, path: str) -> None:
        """Write the runs (CSV) and the whole experiment (JSON)."""
        if self.result is None:
            return
        try:
            record, table = save_experiment(self.result, path)
        except PayoffError as refusal:
            self.session.project.post(refusal)
            return
        self._exported = self.result
        self.session.project.post(f"Wrote {record} and {Path(table).name}")

    def compare_with_file(self, path: str) -> None:
        """Compare with an experiment that was exported."""
        try:
            self.compare_with(load_experiment(path))
        except PayoffError as refusal:
            self.session.project.post(refusal)

    def compare_with(self, other: ExperimentResult | None) -> None:
        """Lay another experiment's losses beside these, and the differences as a table."""
        self.other = other
        self.changed.emit()
        self.other_changed.emit()
        if other is not None and self.result is not None:
            parts = differing_parts(self.result, other)
            if len(parts) > 1:
                words = (
                    "These experiments differ in %s parts (%s): no difference can be put down to "
                    "one of them."
                )
                self.session.project.post(words % (len(parts), ", ".join(parts)))

    def compared(self, name: RunsCard) -> View | None:
        """Both experiments side by side, where there are two.

        It is made once, for the report knows a chart by its object.
        """
        result, other = self.result, self.other
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
        return self._compared


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
