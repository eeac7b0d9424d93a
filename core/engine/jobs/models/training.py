"""The job that trains boosted trees: live curves, checkpoints, Stop keeps the trees.

What early stopping looks at on the rows that judge: deviance, a metric, realised profit.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from core.assembly.cases import cases_of_rows, prior_array
from core.assembly.context import table_of
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.learning import curve_points, loss_words
from core.assembly.models.task import judging_columns
from core.assembly.models.trained import boosted_model
from core.assembly.models.training_plan import TrainingPlan, plan_training, training_shares
from core.assembly.running import fair_threads, named
from core.boosting import (
    BoostedModel,
    Callbacks,
    EarlyStopping,
    Forest,
    Trainer,
    TreeProgress,
    cross_validate,
    model_bytes,
)
from core.boosting.losses import responses
from core.boosting.model import CrossValidation, model_of
from core.decisions import ModelScores, decide_cases, total_cases
from core.document.judging import Guide
from core.document.model import CROSS_VALIDATION, OldPriorKind, TrainedModel
from core.document.training_results import GROWING, TrainingCurves, TrainResult
from core.engine.context import JobContext
from core.engine.messages import TrainArguments
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError
from payoff.parameters import parameter_array
from payoff.types import FloatArray
from payoff.vocabulary import Direction

CHECK_EVERY = 10
"""Trees between two looks at a figure that is costlier than the deviance."""


@dataclass(frozen=True, slots=True)
class TrainingWatch:
    """A figure of the link scores (K, m) of the judging rows; None = their deviance."""

    figure: Callable[[FloatArray], float] | None
    is_higher_better: bool
    every: int
    words: str


def watch_of(plan: TrainingPlan, context: JobContext) -> TrainingWatch:
    """What the settings watch.

    Raises
    ------
    PayoffError
        If there is no such figure, or what it needs is not there.
    """
    name = plan.settings.watch
    if name == "deviance" or len(plan.judging_rows) == 0:
        return TrainingWatch(None, False, 1, "deviance")
    if name == "profit":
        return TrainingWatch(_profit_figure(plan, context), True, CHECK_EVERY, "realised profit")
    spec = context.registry.metric(name)
    if spec.direction == Direction.NONE:
        raise PayoffError(f"'{spec.label}' is not better high or low: it cannot be watched.")
    figure = _metric_figure(plan, MetricRequest(spec=spec), context)
    return TrainingWatch(figure, spec.direction == Direction.HIGHER, CHECK_EVERY, spec.label)


def _predictions(plan: TrainingPlan, link: FloatArray) -> FloatArray:
    """Posteriors in the order of the target's levels, or predictions (1, m), of link scores."""
    values = parameter_array(plan.spec.parameters, plan.parameters)
    response = responses(plan.spec, values, np.ascontiguousarray(link))
    if not plan.classes:
        return response
    if len(response) == 1:  # the chance of the second of two classes
        response = np.vstack([1.0 - response[0], response[0]])
    return plan.in_order_of_levels(response)


def _profit_figure(plan: TrainingPlan, context: JobContext) -> Callable[[FloatArray], float]:
    document = plan.document
    target = document.target
    if target is None or not target.levels or document.matrix is None:
        raise PayoffError(
            "There is no profit to watch.",
            why="It needs an outcome with classes and a decision matrix.",
            remedy="Watch the deviance, or fill in the matrix on page Decide.",
        )
    cases = cases_of_rows(plan.table, plan.document, plan.judging_rows, "judging")
    problem = decision_problem(document, cases, matrix_of(document, context), plan.table, context)
    shares = training_shares(plan)

    def figure(link: FloatArray) -> float:
        scores = ModelScores(
            name=plan.settings.name,
            posteriors=_predictions(plan, link),
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=shares,
        )
        return problem.sense * total_cases(problem, decide_cases(problem, scores)).total

    return figure


def _metric_figure(
    plan: TrainingPlan, request: MetricRequest, context: JobContext
) -> Callable[[FloatArray], float]:
    document = plan.document
    target = document.target
    assert target is not None
    cases = cases_of_rows(plan.table, plan.document, plan.judging_rows, "judging")
    registry = context.registry
    guide = Guide.of(plan.settings)
    extras = judging_columns(plan.table, guide, cases.rows, cases.target)
    owner = registry.owner(request.spec).plugin if registry.is_third_party(request.spec) else ""

    def figure(link: FloatArray) -> float:
        values = _predictions(plan, link)
        judged = JudgedScores(name=plan.settings.name, posteriors=values)
        if not target.levels:
            judged = JudgedScores(name=plan.settings.name, prediction=values[0])
        problem = EvaluationProblem(
            kind=target.kind if target.levels else guide.task,
            models=(judged,),
            metrics=(request,),
            rows=cases.note,
            levels=target.levels,
            outcome=cases.outcome,
            target=cases.target,
            frequency=cases.frequency,
            extras=extras,
            priors=prior_array(document, target) if target.levels else None,
            resamples=0,
        )
        with context.marked(owner, f"metric {request.spec.id}"):
            result = assess(problem, with_charts=False)
        return float(result.cells[0].estimate.value)

    return figure


PARTIAL_SECONDS = 0.2


class _Enough(Exception):  # noqa: N818 - Stop was asked for while folds were trained
    """Ends cross-validation; the model itself is finished."""


def train_model(arguments: TrainArguments, context: JobContext) -> TrainResult:
    """Train, or continue, a model; the file of the model lies on the shelf when this returns.

    Raises
    ------
    PayoffError
        For what cannot be trained on, naming column and row.
    StoppedError
        If Stop was asked for before the first tree.
    """
    context.progress(None, "Reading the data")
    table = table_of(arguments.document, context)
    plan = plan_training(table, arguments.document, arguments.settings, context)
    registry = context.registry
    owner = registry.owner(plan.spec).plugin if registry.is_third_party(plan.spec) else ""
    is_in_use = context.marked(owner, f"distribution {plan.spec.id}")
    with fair_threads(context), is_in_use, named(owner, f"The loss '{plan.spec.label}'"):
        return _Training(plan, context).run()


@dataclass(frozen=True, slots=True)
class _Kept:
    """A model file on the shelf; ``is_own``: it was not there before this training."""

    name: str
    is_own: bool
    trees: int


class _Training:
    """One training on its way."""

    def __init__(self, plan: TrainingPlan, context: JobContext) -> None:
        self.plan = plan
        self.context = context
        self.settings = plan.settings
        self.trainer: Trainer | None = None
        self.plugin = context.registry.plugin_of(plan.spec)
        self.watch: TrainingWatch = watch_of(plan, context)
        self.judge = EarlyStopping(
            figure=self.watch.figure or (lambda _: self._trainer.valid_deviance[-1]),
            patience=self.settings.patience or self.settings.n_trees + 1,
            is_higher_better=self.watch.is_higher_better,
            every=self.watch.every,
        )
        self.started = time.perf_counter()
        self.begun_at = 0  # trees that were there when this training began
        self.was_stopped = False
        self.stage = GROWING
        self.crossed: CrossValidation | None = None
        self.kept: _Kept | None = None
        self.shares = plan.class_shares
        self.warnings = list(plan.warnings)
        self.influence: tuple[tuple[str, float], ...] = ()
        self.no_model = math.nan
        self.grown_in_folds = 0
        self._reported = 0.0

    @property
    def _trainer(self) -> Trainer:
        assert self.trainer is not None
        return self.trainer

    @property
    def has_judges(self) -> bool:
        """Whether rows that do not train judge the model."""
        return len(self.plan.judging_rows) > 0

    def run(self) -> TrainResult:
        self.context.progress(None, "Preparing the trees")
        plan = self.plan
        self.trainer = Trainer(plan.cases, plan.spec, plan.parameters, plan.boost)
        train, judged = self.trainer.loss_of_no_model()
        self.no_model = judged if self.has_judges else train
        if self.settings.model_hash:
            self._resume()
        left = plan.boost.n_trees - self._trainer.done
        if left < 1:
            raise PayoffError(
                f"The model has {counted(self._trainer.done, 'tree')} already.",
                remedy="Ask for more trees than it has.",
            )
        calls = Callbacks(
            on_tree=self._on_tree,
            on_checkpoint=self._on_checkpoint,
            judge=self._judge if self.has_judges else None,
        )
        self._trainer.run(left, calls)
        if self._trainer.done == 0:
            raise StoppedError
        if self.settings.cv_folds > 1 and not self.was_stopped:
            self._cross_validate()
        return self._finish()

    def _resume(self) -> None:
        """Take over the trees of the model that is continued."""
        earlier = boosted_model(self.settings, self.context)
        is_same = np.array_equal(self._trainer.initial, earlier.initial)
        if not is_same or earlier.columns != self.plan.cases.inputs.columns:
            raise PayoffError(
                f"The model '{self.settings.name}' cannot be continued on these data.",
                why="Its first score or its inputs do not follow from these rows: the data, the "
                "split or the inputs have changed.",
                remedy="Train it anew.",
            )
        self._trainer.resume(earlier.forest, earlier.history)
        self.begun_at = self._trainer.done
        if self.has_judges:
            self._judge_earlier(earlier)

    def _judge_earlier(self, earlier: BoostedModel) -> None:
        """Take over what the rows that judge say of the trees there are."""
        valid = earlier.history.valid_deviance
        if self.watch.figure is None:
            if not np.isnan(valid).all():
                self.judge.best_trees = int(np.nanargmin(valid)) + 1
                self.judge.best_figure = float(np.nanmin(valid))
            return
        cases = self.plan.cases
        places = np.arange(cases.train_rows, cases.n_rows)
        judging = cases.take(places)
        used = self.settings.as_it_ended.trees_used or earlier.n_trees
        self.judge.best_figure = self.watch.figure(
            earlier.link(judging.inputs, used, judging.offset)
        )
        self.judge.best_trees = used

    # ------------------------------------------------------------ between trees

    def _judge(self, scores: FloatArray, done: int) -> bool:
        return False if self.was_stopped else self.judge(scores, done)

    def _on_tree(self, progress: TreeProgress) -> bool:
        if self.context.should_stop():
            self.was_stopped = True
            return True
        if time.perf_counter() - self._reported >= PARTIAL_SECONDS:
            self._tell()
        return False

    def _tell(self) -> None:
        self._reported = time.perf_counter()
        curves = self._curves()
        words = self.stage
        if not self.grown_in_folds:
            words += f", {curves.done:,} of {curves.wanted:,}"
        with suppress(StoppedError):  # a training stops between two trees, which keeps them
            self.context.progress(curves.fraction, words, curves)

    @property
    def _fraction(self) -> float:
        """How much of the whole training is done, the models of the folds included."""
        trees = self.plan.boost.n_trees
        if self.grown_in_folds:  # Stop or the judges may have ended the model's own trees early
            trees = self._trainer.done
        own = trees - self.begun_at
        whole = own + trees * (self.settings.cv_folds if self.settings.cv_folds > 1 else 0)
        grown = self._trainer.done - self.begun_at + self.grown_in_folds
        return min(1.0, grown / whole) if whole > 0 else 0.0

    def _on_checkpoint(self, forest: Forest, done: int) -> None:
        """Put the trees so far on the shelf, tell of them, then forget the older file."""
        del forest
        if self.context.should_stop():
            return  # the end of the training writes them
        older = self.kept
        model = model_of(self._trainer, self.plan.classes)
        self.kept = self._put(model)
        self.influence = _influence(model)
        self._tell()
        self._forget(older)

    def _put(self, model: BoostedModel) -> _Kept:
        model_store = self.context.model_store
        content = model_bytes(model, self.plugin)
        name = hashlib.sha256(content).hexdigest()
        is_own = not model_store.path(name).is_file()
        return _Kept(model_store.put(content), is_own, model.n_trees)

    def _forget(self, older: _Kept | None) -> None:
        """Remove an older checkpoint, unless something else refers to the same file."""
        if older is not None and older.is_own and self.kept and older.name != self.kept.name:
            self.context.model_store.drop(older.name)

    # ------------------------------------------------------------ folds

    def _cross_validate(self) -> None:
        """Deviance and scores by models that did not see the rows; Stop only ends this part."""
        plan = self.plan
        folds = self.settings.cv_folds
        trees = self._trainer.done

        def on_tree(_progress: TreeProgress) -> bool:
            self.grown_in_folds += 1
            if self.context.should_stop():
                raise _Enough
            if time.perf_counter() - self._reported >= PARTIAL_SECONDS:
                fold = min(folds, 1 + (self.grown_in_folds - 1) // trees)
                self.stage = f"Cross-validation, fold {fold} of {folds}"
                self._tell()
            return False

        settings = replace(plan.boost, n_trees=trees)
        try:
            self.crossed = cross_validate(
                plan.cases,
                plan.spec,
                plan.parameters,
                settings,
                folds,
                Callbacks(on_tree=on_tree),
            )
        except _Enough:
            self.was_stopped = True

    # ------------------------------------------------------------ what comes out

    def _choice(self) -> tuple[int, str]:
        """The trees that scores come from, and what chose them."""
        if self.crossed is not None:
            return int(np.nanargmin(self.crossed.deviance)) + 1, CROSS_VALIDATION
        if self.has_judges and self.judge.best_trees:
            return self.judge.best_trees, f"{self.watch.words} of the rows that judge"
        return self._trainer.done, ""

    def _finish(self) -> TrainResult:
        model = replace(model_of(self._trainer, self.plan.classes), cross_validation=self.crossed)
        if self.settings.cv_folds > 1 and self.crossed is None:
            self.warnings.append(
                f"No models of folds judge {self.settings.name}, since it was stopped: the rows "
                "that trained it flatter it."
            )
        trees_used, choice = self._choice()
        self.influence = _influence(model)
        older = self.kept
        self.kept = self._put(replace(model, choice=choice, no_model=self.no_model))
        self._forget(older)
        finished = self._record(self.kept, trees_used, choice)
        best = trees_used if choice else 0  # nothing chose the number: no tree is the best
        curves = replace(self._curves(), best_trees=best, fraction=1.0, checkpoint=None)
        return TrainResult(
            model=finished,
            curves=curves,
            was_stopped=self.was_stopped,
            warnings=tuple(self.warnings),
        )

    def _record(self, kept: _Kept, trees_used: int, choice: str) -> TrainedModel:
        # Rows that judged only drew a curve when nothing was chosen by them.
        is_stopped_by_rows = self.has_judges and (
            self.settings.patience > 0 or choice.endswith("judge")
        )
        return replace(
            self.settings.as_it_ended,
            model_hash=kept.name,
            plugin=self.plugin,
            trees=kept.trees,
            trees_used=min(trees_used, kept.trees),
            choice=choice,
            stopped_rows=len(self.plan.judging_rows) if is_stopped_by_rows else 0,
            class_shares=self.shares,
            seconds=self.settings.seconds + time.perf_counter() - self.started,
        )

    def _curves(self) -> TrainingCurves:
        trainer = self._trainer
        history = trainer.history
        done, wanted = trainer.done, self.plan.boost.n_trees
        seconds = time.perf_counter() - self.started
        watched = np.full(done, np.nan)
        if self.watch.figure is not None:
            for trees, value in self.judge.history:
                watched[trees - 1] = value
        crossed = np.full(done, np.nan)
        if self.crossed is not None:
            crossed = self.crossed.deviance
        kept = curve_points(done, np.flatnonzero(~np.isnan(watched)))
        checkpoint = self._record(self.kept, *self._choice()) if self.kept else None
        return TrainingCurves(
            model=self.settings.name,
            trees=(kept + 1).astype(np.float64),
            train=history.train_deviance[kept],
            valid=history.valid_deviance[kept],
            oob=np.cumsum(history.oob_improvement)[kept],
            watched=watched[kept],
            crossed=crossed[kept],
            deviance_words=loss_words(self.plan.spec),
            watch=self.settings.watch,
            is_higher_better=self.watch.is_higher_better,
            done=done,
            wanted=wanted,
            best_trees=self.judge.best_trees if self.has_judges else 0,
            seconds=seconds,
            fraction=self._fraction,
            no_model=self.no_model,
            stage=self.stage,
            checkpoint=checkpoint,
            influence=self.influence,
        )


def _influence(model: BoostedModel) -> tuple[tuple[str, float], ...]:
    """Relative influence of the inputs, strongest first, summing to 1."""
    shares = model.influence() / 100.0
    order = np.argsort(-shares, kind="stable")
    return tuple((model.columns[place].name, float(shares[place])) for place in order)
