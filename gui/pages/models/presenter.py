"""Which model page Models looks at, the settings of the next one, and what can be trained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from core.document.decisions.model_commands import SetTrees
from core.document.model import TrainedModel, TreeRule
from core.document.plugin_results import PluginsResult
from core.document.studies.models import TreeChoice
from core.document.training_results import DistributionInfo, DistributionsResult, TrainingCheck
from core.engine.messages import Ask
from core.questions.explain import Distributions
from gui.pages.models.next_model.before_training import count_loss
from gui.pages.models.next_model.draft import (
    begun_again,
    first_draft,
    fresh_copy,
    next_series,
    why_not_ready,
)
from gui.pages.models.next_model.extra_columns import for_distribution, missing_ask
from gui.pages.models.next_model.mending import Mender
from gui.pages.models.words import find_distribution
from gui.session.request import Request
from gui.session.session import Session
from gui.session.training import RunningTraining, next_name


class ModelsPresenter(QObject):
    """Holds the choice and the draft; everything else stands in session and document."""

    changed = Signal()  # anything that is shown
    draft_changed = Signal()  # only the settings of the next model

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.draft: TrainedModel | None = None
        self._begun: TrainedModel | None = None  # the draft before a person changed it
        self._mender = Mender(session, self._change_draft, self)
        self.chosen = ""  # name of the model in view; empty = the next model
        self.offered: DistributionsResult | None = None
        self._key: object = None
        self._requested: object = None  # what the engine was asked about
        self._has_losses = _has_losses(session.plugins.known)
        self._request = Request(self, session.project, self._send)
        session.project.document_changed.connect(self.refresh)
        session.project.summary_changed.connect(self.refresh)
        session.trainings.changed.connect(self._tell)
        session.plugins.changed.connect(self._on_plugins)

    # ------------------------------------------------------------ what is known

    def running(self) -> RunningTraining | None:
        """The training of the model in view, while it is under way."""
        return self.session.trainings.find(self.chosen)

    def trained(self) -> TrainedModel | None:
        """The model in view, once it is finished."""
        if self.running() is not None:
            return None
        return self.session.project.document.trained_model(self.chosen)

    def series(self) -> int:
        """The colour of the model in view, or of the next one."""
        running = self.running()
        if running is not None:
            return running.series
        spec = self.session.project.document.model(self.chosen)
        return spec.series if spec is not None else next_series(self.session.project.document)

    def has_ranges(self) -> bool:
        """Whether the model in view is finished and predicts several quantiles."""
        trained = self.trained()
        info = self.loss_of(trained) if trained is not None else None
        return info is not None and info.predicts_quantiles

    def loss_of(self, model: TrainedModel) -> DistributionInfo | None:
        """What is known of a model's loss."""
        return find_distribution(self.offered, model.distribution)

    def reason(self) -> str:
        """Why the draft cannot be trained."""
        if self.draft is None:
            return "No data yet."
        reason = why_not_ready(self.session.project.document, self.draft)
        info = self.loss_of(self.draft)
        if not reason and info is not None:
            if not info.fits:
                reason = info.reason
            reason = reason or missing_ask(self.draft, info)
        checks = self.offered.checks if self.offered is not None else ()
        stops = any(check.stops for check in checks)  # each says in full why, above the chart
        return reason or "There is nothing to learn." * stops

    def is_first_draft(self) -> bool:
        """Whether the draft is as a new model starts, but for its name."""
        draft, first = self.draft, self._first_draft()
        return draft is None or replace(first, name=draft.name) == draft

    # ------------------------------------------------------------ following the document

    def refresh(self, *_ignored: object) -> None:
        """Follow the document as it is now."""
        document = self.session.project.document
        key = (document.data, document.target, document.roles, document.split)
        if key != self._key:
            self._key = key
            self.offered = None
            if self.draft is None or not self._still_fits(self.draft):
                self.draft = None
                self.chosen = ""
        is_ready = Distributions.why_not(document) is None
        requested = Ask.of(document, Distributions())
        if is_ready and self.session.project.summary is not None and self._requested != requested:
            self._requested = (
                requested  # a project's columns are known some time after it was opened
            )
            self._request.renew()
        if self.chosen and document.model(self.chosen) is None and not self.running():
            # A draft that has the name back is of a training that kept nothing: it stays.
            if self.draft is None or self.draft.name != self.chosen:
                self.draft = None
            self.chosen = ""
        if self.draft is None and self.session.project.summary is not None:
            self._choose_first()
        self._tell()

    def _tell(self) -> None:
        """Have everything shown."""
        if self.draft is not None:  # a name is free again once a training has kept nothing
            taken = self.session.trainings.names()
            self.draft = replace(self.draft, name=next_name(taken))
        self.changed.emit()

    def _on_plugins(self, result: PluginsResult) -> None:
        """Ask again for the losses: a third party's may have come, gone or changed."""
        had_losses, self._has_losses = self._has_losses, _has_losses(result)
        if (had_losses or self._has_losses) and self._is_requested:
            self._request.renew()

    @property
    def _is_requested(self) -> bool:
        """Whether the losses were asked for as the document is now."""
        return self._requested == Ask.of(self.session.project.document, Distributions())

    def _still_fits(self, draft: TrainedModel) -> bool:
        target = self.session.project.document.target
        columns = {entry.column for entry in self.session.project.document.roles}
        return (
            target is not None and draft.target == target.column and set(draft.features) <= columns
        )

    def _choose_first(self) -> None:
        """The newest trained model, else the settings of the next one."""
        trained = [
            entry for entry in self.session.project.document.models if entry.trained is not None
        ]
        if trained:
            self._choose(trained[-1].name)
        else:
            self._begin_draft()

    def _begin_draft(self) -> None:
        """Take the settings that a new model starts with."""
        self.draft = self._begun = self._first_draft()

    def _begin_draft_again(self) -> None:
        """Take what a new model starts with now, and what a person had changed."""
        draft, begun, fresh = self.draft, self._begun, self._first_draft()
        self.draft = self._begun = fresh
        if draft is not None and begun is not None:
            data = self.session.project.document.data
            self.draft = begun_again(draft, begun, fresh, data.columns if data else ())

    def _first_draft(self) -> TrainedModel:
        """Where a new model starts: the inputs and the distribution that the engine suggests."""
        session = self.session
        draft = first_draft(
            session.project.document, session.project.summary, session.plugins.known
        )
        if self.offered is None or self.offered.target != draft.target:
            return draft
        inputs = tuple(
            info.column for info in self.offered.inputs if info.can_train and info.is_usual
        )
        fitting = [info for info in self.offered.distributions if info.fits]
        usual = next((info for info in fitting if info.is_usual), fitting[0] if fitting else None)
        draft = replace(draft, features=inputs, distribution=usual.id if usual is not None else "")
        return for_distribution(draft, usual, session.project.summary, session.project.document)

    def _send(self) -> None:
        key = self._key

        def on_result(result: DistributionsResult) -> None:
            is_first = self.offered is None
            self.offered = result
            if is_first and not self.chosen:  # later answers leave what was set as it is
                self._begin_draft_again()
            self._tell()

        self._request.ask(
            self.session.project.document,
            Distributions(),
            on_result=on_result,
            is_wanted=lambda: key == self._key and self._is_requested,
        )

    # ------------------------------------------------------------ choosing

    def choose(self, name: str) -> None:
        """Show a model: its curves, its settings, what it uses."""
        self._choose(name)
        self._tell()

    def _choose(self, name: str) -> None:
        self.chosen = name
        running = self.session.trainings.find(name)
        trained = self.session.project.document.trained_model(name)
        settings = running.settings if running is not None else trained
        if settings is None:
            self._begin_draft()
        else:
            self.draft = fresh_copy(settings, self.session.trainings.names())

    def choose_trees(self, trees: int | None, rule: TreeRule = TreeRule.HAND) -> None:
        """Let the model in view predict with so many trees; None: as its training left it."""
        trained = self.trained()
        if trained is not None:
            self.session.project.execute(SetTrees(model=trained.name, trees=trees, rule=rule))
            self.session.project.finish_editing()

    def choose_rule(self, choice: TreeChoice | None) -> None:
        """Let a rule choose the number of trees; None: the training."""
        if choice is None:
            self.choose_trees(None)
        else:
            self.choose_trees(choice.trees, choice.rule)

    # ------------------------------------------------------------ the next model

    def begin(self) -> None:
        """Settings of a new model, from the start."""
        self.chosen = ""
        self.reset()

    def reset(self) -> None:
        """Back to the settings that a new model starts with."""
        self._begin_draft()
        self._tell()

    def take_draft(self, draft: TrainedModel) -> None:
        """Take changed settings; they are those of a new model."""
        self.draft = draft
        self.draft_changed.emit()

    def _change_draft(self, change: Callable[[TrainedModel], TrainedModel]) -> None:
        if self.draft is not None:
            self.take_draft(change(self.draft))

    def take_features(self, features: tuple[str, ...]) -> None:
        """Let the next model use these columns."""

        def with_features(draft: TrainedModel) -> TrainedModel:
            monotone = tuple(entry for entry in draft.monotone if entry[0] in features)
            return replace(draft, features=features, monotone=monotone)

        self._change_draft(with_features)

    def take_loss(self, loss: str) -> None:
        """Let the next model learn by another loss, with the columns that it needs."""
        summary, document = self.session.project.summary, self.session.project.document

        def with_loss(draft: TrainedModel) -> TrainedModel:
            draft = replace(draft, distribution=loss, distribution_params=())
            return for_distribution(draft, self.loss_of(draft), summary, document)

        self._change_draft(with_loss)

    def mend(self, check: TrainingCheck) -> None:
        """Do what the button beside a fault says."""
        self._mender.mend(check, count_loss(self.offered))

    # ------------------------------------------------------------ training

    def train(self) -> None:
        """Train the draft as a new model and watch it."""
        draft = self.draft
        if draft is None or self.reason():
            return
        session = self.session
        waiting = len(session.trainings.running)
        series = next_series(session.project.document) + waiting
        session.trainings.start(draft, series)
        self.choose(draft.name)

    def train_on(self, trees: int) -> None:
        """Continue the model in view by more trees; it keeps its name, and undo its old trees.

        All the further trees are grown: patience may have ended the training before.
        """
        trained = self.trained()
        if trained is None:
            return
        ended = trained.as_it_ended  # a number chosen since then is of the trees there were
        more = replace(ended, n_trees=trained.trees + trees, patience=0)
        self.session.trainings.start(more, self.series())
        self.choose(trained.name)

    def stop(self) -> None:
        """End the training in view; its trees are kept."""
        self.session.trainings.stop(self.chosen)


def _has_losses(result: PluginsResult | None) -> bool:
    """Whether a plugin of a third party has losses."""
    plugins = result.plugins if result is not None else ()
    return any(p.source != "built in" and "distributions" in p.families for p in plugins)
