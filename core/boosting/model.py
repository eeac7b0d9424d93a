"""A trained model: its trees with what is needed to score, explain, continue and keep it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from core.boosting.explaining.influence import (
    dependence_by_cases,
    dependence_by_tree,
    friedman_h,
    permutation_importance,
    relative_influence,
)
from core.boosting.explaining.treeshap import Contributions, contributions, interactions
from core.boosting.inputs import InputColumn, Inputs, TrainingCases
from core.boosting.losses import BoundLoss, masked_sums, responses
from core.boosting.predicting import Predictor, make_predictor
from core.boosting.settings import BoostSettings
from core.boosting.stopping import best_iteration
from core.boosting.training import Callbacks, Trainer, TrainingHistory, scaled_weight
from core.boosting.trees import Forest
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import parameter_array, resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """What cross-validation found.

    Attributes
    ----------
    deviance : float64 (iterations,)
        Mean over folds by their rows.
    fold : int64 (n_train,)
        The fold that each training case was left out of, in the order of the cases.
    link : float64 (K, n_train)
        Scores of each case by the model that did not see it, at the best iteration.
    """

    deviance: FloatArray
    fold: IntArray
    link: FloatArray


@dataclass(frozen=True)
class BoostedModel:
    """A trained model. T iterations, K scores per case.

    Attributes
    ----------
    distribution : LossDistribution
    parameters : mapping of str to float
    settings : BoostSettings
    columns : tuple of InputColumn
    classes : tuple of str
        Printed forms of the outcome's levels in class order (0/1: the event second); empty for
        numbers.
    initial : float64 (K,)
    forest : Forest
    history : History
    cross_validation : CrossValidation or None
    n_train, n_rows : int
        Cases that trained it, and all that it saw (the others judged it).
    choice : str
        What the number of trees was chosen by; empty if by nothing.
    old_priors : tuple of float
        Weighted share of each class among the training cases; empty for numbers.
    roles : mapping of str to str
        Columns of the training data by role (target, weight, offset, event ...), where known.
    no_model : float
        Deviance of the best constant score on the cases that judged it, else on those that trained
        it; NaN = not kept.
    """

    distribution: LossDistribution
    parameters: Mapping[str, float]
    settings: BoostSettings
    columns: tuple[InputColumn, ...]
    classes: tuple[str, ...]
    initial: FloatArray
    forest: Forest
    history: TrainingHistory
    cross_validation: CrossValidation | None
    n_train: int
    n_rows: int
    choice: str = ""
    old_priors: tuple[float, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    no_model: float = math.nan
    trainer: Trainer | None = field(default=None, compare=False, repr=False)

    @property
    def n_scores(self) -> int:
        """Scores per case: one for each class, or a single one."""
        return int(self.initial.shape[0])

    @property
    def output_names(self) -> tuple[str, ...]:
        """A name for each of several predictions: the class, or what the distribution says."""
        names = self.distribution.score_names
        return self.classes if names is None else names(self.parameters)

    @property
    def n_trees(self) -> int:
        """Iterations: with several scores per case each of them grew one tree per score."""
        return self.forest.n_trees // self.n_scores

    @cached_property
    def predictor(self) -> Predictor:
        """The forest made ready for scoring."""
        return make_predictor(self.forest, self.columns)

    def link(
        self, inputs: Inputs, n_trees: int | None = None, offset: FloatArray | None = None
    ) -> FloatArray:
        """Link scores (K, n); the offset (n,) or (K, n) is added where given."""
        score = self.predictor.link(inputs, self.initial, self._trees(n_trees))
        return score if offset is None else self.with_offset(score, offset)

    def staged_links(
        self, inputs: Inputs, trees: Sequence[int], offset: FloatArray | None = None
    ) -> Iterator[FloatArray]:
        """Yield the link scores (K, n) of rising numbers of iterations, as ``link`` gives them."""
        ends = [self._trees(number) for number in trees]
        for score in self.predictor.staged(inputs, self.initial, ends):
            yield score.copy() if offset is None else self.with_offset(score, offset)

    def with_offset(self, score: FloatArray, offset: FloatArray) -> FloatArray:
        """Link scores (K, n) with an offset: (n,) for every score with trees, or (K, n)."""
        moved = score.copy()
        grown = self.distribution.grown_scores if offset.ndim == 1 else 0
        moved[: grown or None] += offset
        return moved

    def response(
        self, inputs: Inputs, n_trees: int | None = None, offset: FloatArray | None = None
    ) -> FloatArray:
        """Predictions (K, n) on the scale of the outcome."""
        return self.on_response(self.link(inputs, n_trees, offset))

    def on_response(self, link: FloatArray) -> FloatArray:
        """Link scores (K, n) as predictions (K, n) on the scale of the outcome."""
        return responses(self.distribution, self.parameter_values, link)

    def parts_by(
        self, columns: Sequence[int], n_trees: int | None = None
    ) -> dict[tuple[bool, ...], Predictor]:
        """The iterations in parts, by whether any of their trees splits on each of some columns.

        The scores of all parts together, and the initial ones, are those of the model.
        """
        forest = self.forest.head(self._trees(n_trees))
        uses = [forest.splits_on(c).reshape(-1, self.n_scores).any(axis=1) for c in columns]
        found: dict[tuple[bool, ...], Predictor] = {}
        for key in product((False, True), repeat=len(columns)):
            is_in = np.all([use == wanted for use, wanted in zip(uses, key, strict=True)], axis=0)
            trees = np.flatnonzero(np.repeat(is_in, self.n_scores))
            found[key] = make_predictor(forest.some(trees), self.columns)
        return found

    @property
    def parameter_values(self) -> FloatArray:
        """The distribution's parameters as its kernels take them."""
        return parameter_array(self.distribution.parameters, self.parameters)

    def influence(self, n_trees: int | None = None, *, is_scaled: bool = True) -> FloatArray:
        """Relative influence of each column, (F,)."""
        width = len(self.columns)
        return relative_influence(self.forest, width, self._trees(n_trees), is_scaled)

    def dependence(
        self,
        chosen: Sequence[int],
        grid: FloatArray,
        n_trees: int | None = None,
        cases: tuple[Inputs, FloatArray] | None = None,
    ) -> FloatArray:
        """Partial dependence (K, points) on the link scale.

        By weighted tree traversal; with ``cases`` (inputs, weight) by brute force over them.
        """
        trees = self._trees(n_trees)
        if cases is None:
            width = len(self.columns)
            return dependence_by_tree(self.forest, self.initial, width, chosen, grid, trees)
        return dependence_by_cases(self.predictor, self.initial, *cases, chosen, grid, trees)

    def interaction(
        self,
        chosen: Sequence[int],
        inputs: Inputs,
        weight: FloatArray | None = None,
        n_trees: int | None = None,
    ) -> FloatArray:
        """Friedman's H of the chosen columns over some cases, (K,)."""
        values = np.stack([np.asarray(inputs.arrays[c], dtype=np.float64) for c in chosen])
        mass = np.ones(inputs.n_rows) if weight is None else weight
        return friedman_h(
            self.forest,
            len(self.columns),
            chosen,
            values,
            mass,
            self.n_scores,
            self._trees(n_trees),
        )

    def contributions(self, inputs: Inputs, n_trees: int | None = None) -> Contributions:
        """What each column adds to the link score of each case: exact Shapley values."""
        return contributions(self.predictor, inputs, self.initial, self._trees(n_trees))

    def interactions(self, inputs: Inputs, n_trees: int | None = None) -> FloatArray:
        """Shapley interaction values (K, F, F, n) of the link scores."""
        return interactions(self.predictor, inputs, self.initial, self._trees(n_trees))

    def deviance(self, cases: TrainingCases, n_trees: int | None = None) -> float:
        """Weighted mean loss over cases."""
        return self.mean_loss(cases)(self.link(cases.inputs, n_trees, cases.offset))

    def mean_loss(self, cases: TrainingCases) -> Callable[[FloatArray], float]:
        """Return what gives the weighted mean loss over cases at their link scores (K, n)."""
        is_gbm = self.settings.gbm_compatible
        everything = replace(cases, n_train=None)
        bound = BoundLoss(self.distribution, self.parameters, everything, is_gbm=is_gbm)
        weight = scaled_weight(cases)

        def loss(score: FloatArray) -> float:
            if bound.has_blocks:
                total, mass = bound.block_loss(score, weight, bound.train_blocks)
                return total / mass
            losses = np.empty(cases.n_rows)
            bound.losses(score, losses)
            total, mass = masked_sums(losses, weight, None)
            return total / mass

        return loss

    def permutation(
        self, cases: TrainingCases, repeats: int = 5, seed: int = 0, n_trees: int | None = None
    ) -> FloatArray:
        """Rise of the deviance when a column is shuffled, (F, repeats)."""
        return permutation_importance(
            cases.inputs,
            lambda inputs: self.deviance(replace(cases, inputs=inputs), n_trees),
            repeats,
            seed,
            cases.weight,
        )

    def best_iteration(self, method: str) -> int:
        """Number of trees that "test", "oob" or "cv" chooses."""
        crossed = self.cross_validation
        return best_iteration(
            method,
            self.history.valid_deviance,
            self.history.oob_improvement,
            None if crossed is None else crossed.deviance,
        )

    def first_trees(self, trees: int, choice: str = "") -> BoostedModel:
        """The model with its first iterations only; ``choice`` says what chose their number."""
        short = slice(self._trees(trees) // self.n_scores)
        history = self.history
        return replace(
            self,
            forest=self.forest.head(trees * self.n_scores),
            history=TrainingHistory(
                history.train_deviance[short],
                history.valid_deviance[short],
                history.oob_improvement[short],
            ),
            choice=choice or self.choice,
            trainer=None,
        )

    def continued(
        self, n_trees: int, cases: TrainingCases | None = None, callbacks: Callbacks | None = None
    ) -> BoostedModel:
        """The model with more trees: exactly as if they had been asked for at once.

        Raises
        ------
        PayoffError
            If the model was read from a file and the cases are not given, or are others.
        """
        trainer = self.trainer
        if trainer is None or trainer.done != self.n_trees:
            if cases is None:
                raise PayoffError(
                    "The model cannot be continued without its training data.",
                    remedy="Give the data that it was trained on.",
                )
            trainer = Trainer(cases, self.distribution, self.parameters, self.settings)
            if not np.array_equal(trainer.initial, self.initial):
                raise PayoffError(
                    "The model was trained on other data.",
                    why="Its initial score does not follow from these rows.",
                )
            trainer.resume(self.forest, self.history)
        trainer.run(n_trees, callbacks)
        return replace(
            self,
            forest=trainer.forest,
            history=trainer.history,
            trainer=trainer,
            settings=replace(self.settings, n_trees=trainer.done),
        )

    def _trees(self, n_trees: int | None) -> int:
        if n_trees is None:
            return self.forest.n_trees
        if not 0 <= n_trees <= self.n_trees:
            raise PayoffError(
                f"The model has no {counted(n_trees, 'tree')}.", why=f"It has {self.n_trees:,}."
            )
        return n_trees * self.n_scores


def model_of(trainer: Trainer, classes: tuple[str, ...] = ()) -> BoostedModel:
    """The model of a training as far as it has come."""
    cases = trainer.cases
    distribution = trainer.loss.distribution
    return BoostedModel(
        distribution=distribution,
        parameters=resolve_parameters(distribution.parameters, trainer.loss.values),
        settings=trainer.settings,
        columns=cases.inputs.columns,
        classes=classes,
        initial=trainer.initial,
        forest=trainer.forest,
        history=trainer.history,
        cross_validation=None,
        n_train=cases.train_rows,
        n_rows=cases.n_rows,
        old_priors=_class_shares(cases, len(classes)),
        trainer=trainer,
    )


def _class_shares(cases: TrainingCases, n_classes: int) -> tuple[float, ...]:
    if n_classes == 0:
        return ()
    rows = cases.train_rows
    mass = np.bincount(
        cases.outcome[:rows].astype(np.int64),
        weights=scaled_weight(cases)[:rows],
        minlength=n_classes,
    )
    return tuple(float(share) for share in mass / mass.sum())
