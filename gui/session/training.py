"""The trainings of one window: what runs, its curves so far, and what the finished ones learned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.commands import AddTrainedModel
from core.engine.messages import JobOutcome, TrainArguments
from gui.session.request import Request
from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.model import Document, ModelSpec, TrainedModel
    from core.document.training_results import TrainingCurves, TrainResult
    from gui.session.job_queue import JobEntry
    from gui.session.project import Project

PREFIX = "gbm"
TRAINING = "train"  # the kind of its jobs


def next_name(names: tuple[str, ...]) -> str:
    """The next free name: gbm 1, gbm 2 ..."""
    number = 1
    while f"{PREFIX} {number}" in names:
        number += 1
    return f"{PREFIX} {number}"


@dataclass(slots=True)
class RunningTraining:
    """One training that waits or runs; ``series`` is the colour its model will get."""

    job: int
    request: Request
    settings: TrainedModel
    series: int
    progress: JobEntry
    subject: object  # the data and the outcome that it learns from
    before: ModelSpec | None  # of its name when it began: more trees take its place
    curves: TrainingCurves | None = None
    is_stopping: bool = False

    @property
    def name(self) -> str:
        """The name of the model to be."""
        return self.settings.name

    @property
    def fraction(self) -> float:
        """How much of the whole training is done: of its job, as the strip of jobs says."""
        return self.progress.fraction or 0.0


class Trainings(QObject):
    """Starts trainings, follows them, and adds what they end with to the document."""

    changed = Signal()  # begun or ended
    curves_changed = Signal(str)  # name of the model
    progressed = Signal()  # of a training another share is done

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._project = project
        self._running: dict[int, RunningTraining] = {}
        self._curves: dict[str, TrainingCurves] = {}  # model hash -> curves of this session
        project.jobs.job_changed.connect(self._on_job)
        project.left.connect(self._leave_project)

    def _leave_project(self) -> None:
        """Trainings end with their project; the window has asked before."""
        self._running.clear()
        self._curves.clear()
        self.changed.emit()

    def _on_job(self, entry: JobEntry) -> None:
        if entry.job in self._running:
            self.progressed.emit()

    @property
    def running(self) -> tuple[RunningTraining, ...]:
        """Trainings that wait or run, oldest first."""
        return tuple(self._running.values())

    def find(self, name: str) -> RunningTraining | None:
        """A training that waits or runs, by the name of its model."""
        return next((entry for entry in self._running.values() if entry.name == name), None)

    def curves_of(self, name: str) -> TrainingCurves | None:
        """Curves of a model: as far as it has got, or of a finished one as they were seen last."""
        entry = self.find(name)
        if entry is not None:
            return entry.curves
        trained = self._project.document.trained_model(name)
        return self._curves.get(trained.model_hash) if trained is not None else None

    def take_curves(self, name: str, curves: TrainingCurves) -> None:
        """Keep the curves of a finished model, which its file holds."""
        trained = self._project.document.trained_model(name)
        if trained is not None:
            self._curves.setdefault(trained.model_hash, curves)

    def names(self) -> tuple[str, ...]:
        """Names that are taken: of the document's models and of those in training."""
        known = [entry.name for entry in self._project.document.models]
        return (*known, *(entry.name for entry in self.running))

    def start(self, settings: TrainedModel, series: int) -> RunningTraining:
        """Train; the model joins the others when it is done."""
        from core.document.training_results import TrainingCurves, TrainResult

        project = self._project
        holder: list[RunningTraining] = []

        def on_partial(result: TrainingCurves) -> None:
            holder[0].curves = result
            self.curves_changed.emit(settings.name)

        about = f"training {settings.name}"
        project.withdraw(about)  # why the one before it has ended
        request = Request(self, project)
        job = request.run(
            TRAINING,
            TrainArguments(document=project.document, settings=settings),
            TrainResult,
            title=f"Training {settings.name}",
            on_result=lambda result: self._take(holder[0], result),
            part=TrainingCurves,
            on_partial=on_partial,
            on_error=lambda refusal: project.post(refusal, about),
            on_end=lambda outcome: self._end(holder[0], outcome),
        )
        entry = RunningTraining(
            job=job,
            request=request,
            settings=settings,
            series=series,
            progress=project.jobs.entries[job],
            subject=_subject(project.document),
            before=project.document.model(settings.name),
        )
        holder.append(entry)
        self._running[job] = entry
        self.changed.emit()
        return entry

    def stop(self, name: str) -> None:
        """Stop a training; the trees grown so far are kept."""
        entry = self.find(name)
        if entry is not None and not entry.is_stopping:
            entry.is_stopping = True
            entry.request.stop()
            self.changed.emit()

    def _belongs(self, entry: RunningTraining) -> bool:
        """Whether a model learned from what is open: else it is not this project's."""
        return entry.subject == _subject(self._project.document)

    def _turn_away(self, entry: RunningTraining) -> None:
        words = "%s was not kept: the data or outcome it was trained on are not open now."
        self._project.post(words % entry.name)

    def _take(self, entry: RunningTraining, result: TrainResult) -> None:
        self._running.pop(entry.job, None)
        if not self._belongs(entry):
            self._turn_away(entry)
            return
        self._add(entry, result.model, result.curves)
        for warning in result.warnings:
            self._project.post(warning)

    def _add(self, entry: RunningTraining, model: TrainedModel, curves: TrainingCurves) -> str:
        """Add a model under its name, or a free one where another model has that by now."""
        project, name = self._project, model.name
        there = project.document.model(name)
        if there is not None and not _is_same(there, entry.before):
            name = next_name(self.names())
            project.post(f"Another model is called {model.name} by now: this one is {name}.")
        self._curves[model.model_hash] = curves
        project.execute(AddTrainedModel(model=replace(model, name=name)))
        return name

    def _end(self, entry: RunningTraining, outcome: JobOutcome) -> None:
        """A training that ends without a model keeps the trees of its last checkpoint."""
        was_running = self._running.pop(entry.job, None) is not None
        checkpoint = entry.curves.checkpoint if entry.curves is not None else None
        if was_running and checkpoint is not None and self._belongs(entry):
            assert entry.curves is not None
            name = self._add(entry, checkpoint, entry.curves)
            kept = f"Kept of {name}: the first {counted(checkpoint.trees, 'tree')}."
            self._project.post(_with_rest(outcome.error, kept))
        elif was_running and self._project.jobs.entries[entry.job].is_dropped:
            self._turn_away(entry)
        self.changed.emit()


def _with_rest(reason: Exception | None, kept: str) -> PayoffError | str:
    """What is left of a training, with why it ended."""
    if not isinstance(reason, PayoffError):
        return kept
    return PayoffError(reason.what, where=reason.where, why=reason.why, remedy=kept)


def _is_same(there: ModelSpec, before: ModelSpec | None) -> bool:
    """Whether a model that was trained is the one there was before, not another of its name."""
    if there.trained is None or before is None or before.trained is None:
        return False
    return there.trained.model_hash == before.trained.model_hash


def _subject(document: Document) -> object:
    """What a model learns of: a file as it is read, and the outcome."""
    data, target = document.data, document.target
    of_data = None if data is None else (data.own_hash, data.reader)
    return of_data, target.column if target is not None else ""
