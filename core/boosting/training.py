"""The boosting loop: working response, tree, leaf values, scores, deviance; one tree at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.boosting.growing.growers import ExactGrower, Grower, is_exact
from core.boosting.growing.histogram_grower import HistogramGrower
from core.boosting.growing.leaves import (
    add_to_rows,
    bound_values,
    leaf_sums,
    mean_gaps,
    move_subtrees,
    node_weights,
    number_leaves,
    settle_values,
)
from core.boosting.growing.level_search import first_spreads
from core.boosting.growing.sampling import MaskArray, bag_of, check_bag, drawn_columns
from core.boosting.inputs import TrainingCases
from core.boosting.losses import BoundLoss, masked_sums
from core.boosting.predicting import make_predictor
from core.boosting.settings import BoostSettings
from core.boosting.trees import FinishedTree, Forest, finish_tree, join_trees, new_buffers
from core.kernels import fitting_threads, limited_threads, threads
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray

CHECKPOINT_TREES = 25
"""Iterations between two checkpoints."""

SERIAL_CELLS = 60_000
"""Rows times columns below which one thread trains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeProgress:
    """What is known after an iteration; ``done`` of ``wanted`` iterations. NaN = not computed."""

    done: int
    wanted: int
    train_deviance: float
    valid_deviance: float
    oob_improvement: float


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """What the loop calls between trees.

    Attributes
    ----------
    on_tree : function or None
        ``on_tree(progress) -> bool``; True stops, the trees so far are kept.
    on_checkpoint : function or None
        ``on_checkpoint(forest, done)`` every 25 iterations.
    judge : function or None
        ``judge(scores, done) -> bool`` with the (K, n - n_train) link scores of the cases that do
        not train; True stops. Early stopping on any figure comes in here.
    """

    on_tree: Callable[[TreeProgress], bool] | None = None
    on_checkpoint: Callable[[Forest, int], None] | None = None
    judge: Callable[[FloatArray, int], bool] | None = None


@dataclass(frozen=True, slots=True)
class TrainingHistory:
    """Deviance and improvement after each iteration, float64 (iterations,) each."""

    train_deviance: FloatArray
    valid_deviance: FloatArray
    oob_improvement: FloatArray


class Trainer:
    """Training in progress; ``run`` adds trees, as often as wanted.

    Attributes
    ----------
    initial : float64 (K,)
    train_deviance, valid_deviance, oob_improvement : list of float
        One per iteration.
    score : float64 (K, n)
        Link scores of all cases with offsets.
    """

    def __init__(
        self,
        cases: TrainingCases,
        distribution: LossDistribution,
        parameters: Mapping[str, object],
        settings: BoostSettings,
    ) -> None:
        self.settings = settings
        self.cases = cases
        self._rows = cases.train_rows
        self._groups = _group_numbers(cases) if settings.is_group_bagged else None
        check_bag(self._rows, self._groups, settings.bag_fraction, settings.min_cases_in_node)
        self.loss = BoundLoss(distribution, parameters, cases, is_gbm=settings.gbm_compatible)
        offset = _offset_of(cases, self.loss)
        self.weight = scaled_weight(cases, by_group=self.loss.weighs_groups)
        self._is_weighted = cases.weight is not None
        self._grower: Grower = _grower_of(cases, self.weight, settings)
        self.initial = self.loss.initial(self.weight, offset)
        self.score = np.add(offset, self.initial[:, None], out=offset)
        self.train_deviance: list[float] = []
        self.valid_deviance: list[float] = []
        self.oob_improvement: list[float] = []
        self._trees: list[FinishedTree] = []
        self._forest: Forest | None = None
        self._gradient = np.empty_like(self.score)
        self._curvature = np.empty_like(self.score)
        self.loss.check_scale(self.score, self.weight)
        self._first_spread = self._spread_of_levels()
        self._losses = np.empty(cases.n_rows)
        most_leaves = self._grower.tree.leaf_node.shape[0]
        self._leaf_of = np.empty(self._rows, dtype=np.min_scalar_type(most_leaves))
        self._has_losses = False
        self._bag_weight = self.weight
        self._is_small = cases.n_rows * len(cases.inputs.columns) < SERIAL_CELLS

    def loss_of_no_model(self) -> tuple[float, float]:
        """Return the deviance of the training and of the other cases before the first tree.

        Every case then has the best constant score, beside its offset; NaN where there are none.
        """
        losses = self._mean_loss(False), self._mean_loss(True)
        self._has_losses = False
        return losses

    def resume(self, forest: Forest, history: TrainingHistory) -> None:
        """Take over the trees of an earlier training on the same cases.

        Their values are added in tree order, so that the scores are those of that training.
        """
        make_predictor(forest, self.cases.inputs.columns).add_to(self.cases.inputs, self.score)
        self._forest = forest
        self.train_deviance = history.train_deviance.tolist()
        self.valid_deviance = history.valid_deviance.tolist()
        self.oob_improvement = history.oob_improvement.tolist()

    @property
    def history(self) -> TrainingHistory:
        """What was booked after each iteration."""
        return TrainingHistory(
            np.array(self.train_deviance),
            np.array(self.valid_deviance),
            np.array(self.oob_improvement),
        )

    @property
    def done(self) -> int:
        """Finished iterations."""
        return len(self.train_deviance)

    @property
    def forest(self) -> Forest:
        """All trees so far, iteration by iteration, output by output."""
        if self._trees or self._forest is None:
            words = self._grower.tree.levels.shape[1]
            self._forest = join_trees(self._trees, words, self._forest)
            self._trees = []
        return self._forest

    def run(self, iterations: int, callbacks: Callbacks | None = None) -> None:
        """Grow more trees; stops early when a callback says so."""
        # Waking threads costs more than a small tree; answers do not depend on their number.
        with limited_threads(1 if self._is_small else threads()):
            self._run(iterations, callbacks or Callbacks())

    def _run(self, iterations: int, calls: Callbacks) -> None:
        wanted = self.done + iterations
        while self.done < wanted:
            self._iterate()
            done = self.done
            progress = TreeProgress(
                done=done,
                wanted=wanted,
                train_deviance=self.train_deviance[-1],
                valid_deviance=self.valid_deviance[-1],
                oob_improvement=self.oob_improvement[-1],
            )
            if calls.on_checkpoint is not None and done % CHECKPOINT_TREES == 0:
                calls.on_checkpoint(self.forest, done)
            is_stopped = calls.on_tree is not None and calls.on_tree(progress)
            if calls.judge is not None and calls.judge(self.score[:, self._rows :], done):
                is_stopped = True
            if is_stopped:
                return

    def _iterate(self) -> None:
        settings = self.settings
        step = self.done
        bag = bag_of(self._rows, settings.bag_fraction, self._groups, settings.seed, step)
        before = None if bag is None else self._oob_loss(bag)
        self._bag_weight = self._weight_in(bag)
        step_arrays = self._gradient, self._curvature
        if not self.loss.gradients(self.score, self._bag_weight, *step_arrays):
            self.loss.check_step(*step_arrays)
        old_score = self.score
        if (
            self.loss.n_scores > 1
        ):  # every output's tree answers the scores of the iteration's start
            old_score = self.score.copy()
        for output in range(self.loss.n_grown):
            self._grow_one(output, step, bag, old_score)
        for output in range(self.loss.n_grown, self.loss.n_scores):
            self._shift_one(output, bag, old_score)
        self._has_losses = False
        self._book_deviance(bag, before)

    def _weight_in(self, bag: MaskArray | None) -> FloatArray:
        """Weights as dependent cases see them: cases outside the bag are not there."""
        if bag is None or not self.loss.has_blocks:
            return self.weight
        weight = self.weight.copy()
        weight[: self._rows] *= bag
        return weight

    def _grow_one(
        self, output: int, step: int, bag: MaskArray | None, old_score: FloatArray
    ) -> None:
        settings, grower, loss = self.settings, self._grower, self.loss
        g, h = self._fit_columns(output)
        tree_number = step * loss.n_scores + output
        width = len(self.cases.inputs.columns)
        drawn = drawn_columns(width, settings.column_fraction, settings.seed, tree_number)
        rows = grower.grow(g, h, bag, drawn, tree_number, self._first_spread[output])
        tree = grower.tree
        leaves = tree.leaf_node[: tree.counts[1]]
        starts, ends = tree.start[leaves], tree.end[leaves]
        number_leaves(rows, starts, ends, bag, self._leaf_of)
        leaf_weight = self._weight_of_leaves(starts, ends)
        value = np.zeros(tree.feature.shape[0])
        value[leaves] = self._leaf_values(
            output, rows, starts, ends, old_score, leaf_weight, (g, h)
        )
        weight = np.zeros_like(value)
        node_weights(tree, leaf_weight, weight)
        if grower.rules.level_penalty > 0.0:
            self._trust_levels(output, rows, old_score, weight, (g, h), value)
        if grower.rules.has_bounds:
            bound_values(tree, grower.rules.monotone, weight, value)
        settle_values(tree, settings.min_cases_in_node, weight, value)
        value *= settings.shrinkage
        self._add(value, value[leaves], self.score[output], bag)
        self._trees.append(finish_tree(tree, value, weight, grower.rules.nominal.astype(bool)))

    def _spread_of_levels(self) -> FloatArray:
        """Return how much levels differ before the first tree: (grown scores, columns)."""
        inputs, rules, rows = self.cases.inputs, self._grower.rules, self._rows
        found = np.zeros((self.loss.n_grown, len(inputs.columns)))
        if rules.level_penalty > 0.0:
            self.loss.gradients(self.score, self.weight, self._gradient, self._curvature)
            for output in range(self.loss.n_grown):
                g, h = (np.ascontiguousarray(part[:rows]) for part in self._fit_columns(output))
                found[output] = first_spreads(inputs, g, h, self.weight[:rows], rules)
        return found

    def _shift_one(self, output: int, bag: MaskArray | None, old_score: FloatArray) -> None:
        """Move a score without trees by one number for all cases, kept as a tree of one leaf."""
        rows = np.arange(self._rows, dtype=np.int32)
        if bag is not None:
            rows = rows[bag.astype(bool)]
        ends = np.array([rows.shape[0]], dtype=np.int64)
        starts = np.zeros(1, dtype=np.int64)
        number_leaves(rows, starts, ends, bag, self._leaf_of)
        mass = self._weight_of_leaves(starts, ends)
        step = self._leaf_values(
            output, rows, starts, ends, old_score, mass, self._fit_columns(output)
        )
        step *= self.settings.shrinkage
        self.score[output] += step[0]
        tree = new_buffers(0, self._grower.tree.levels.shape[1], False)
        tree.counts[:] = 1
        is_nominal = self._grower.rules.nominal.astype(bool)
        self._trees.append(finish_tree(tree, step, mass, is_nominal))

    def _fit_columns(self, output: int) -> tuple[FloatArray, FloatArray]:
        """Weighted gradient and fit weight: the curvature for Newton leaves, else the weight."""
        g = self._gradient[output]
        by_curvature = self.loss.is_newton and not self.settings.gbm_compatible
        if not self._is_weighted:
            return g, self._curvature[output] if by_curvature else self.weight
        h = self.weight * self._curvature[output] if by_curvature else self.weight
        return g * self.weight, h

    def _weight_of_leaves(self, starts: IntArray, ends: IntArray) -> FloatArray:
        if not self._is_weighted:
            return (ends - starts).astype(np.float64)
        return leaf_sums(self._leaf_of, starts.shape[0], self.weight, self.weight)[:, 0]

    def _add(
        self, value: FloatArray, of_leaves: FloatArray, score: FloatArray, bag: MaskArray | None
    ) -> None:
        """Add node values to the scores (n,): by their leaf where it is known, else by the tree."""
        rows = self._rows
        with fitting_threads(rows):
            add_to_rows(self._leaf_of, np.append(of_leaves, 0.0), score)
        if bag is None and score.shape[0] == rows:
            return
        skip = np.zeros(score.shape[0], dtype=np.uint8)
        skip[:rows] = 1 if bag is None else bag
        self._grower.add_to_others(value, score, skip)

    def _leaf_values(
        self,
        output: int,
        rows: np.ndarray,
        starts: IntArray,
        ends: IntArray,
        score: FloatArray,
        leaf_weight: FloatArray,
        fitted: tuple[FloatArray, FloatArray],
    ) -> FloatArray:
        l2 = self.settings.l2
        if self.loss.is_newton and not self.settings.gbm_compatible:
            sums = leaf_sums(self._leaf_of, starts.shape[0], *fitted)
            divisor = sums[:, 1] + l2
            return np.divide(sums[:, 0], divisor, out=np.zeros_like(divisor), where=divisor > 0.0)
        values = self._solved(output, rows, starts, ends, score, self._bag_weight)
        return values * leaf_weight / (leaf_weight + l2) if l2 > 0.0 else values

    def _solved(
        self,
        output: int,
        rows: np.ndarray,
        starts: IntArray,
        ends: IntArray,
        score: FloatArray,
        weight: FloatArray,
    ) -> FloatArray:
        """Return the value of each range of rows by the loss's own rule."""
        sizes = ends - starts
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        place = np.repeat(starts - offsets[:-1], sizes) + np.arange(offsets[-1])
        return self.loss.leaf_values(
            score,
            weight,
            self._gradient,
            self._curvature,
            output,
            rows[place].astype(np.int64),
            offsets,
            self.settings.min_cases_in_node,
        )

    def _trust_levels(
        self,
        output: int,
        rows: np.ndarray,
        score: FloatArray,
        node_weight: FloatArray,
        fitted: tuple[FloatArray, FloatArray],
        value: FloatArray,
    ) -> None:
        """Set the sides of nominal splits only as far apart as their levels are trusted.

        A side gets what is best for its own cases, taken with the share that is trusted, and for
        all cases of the split, taken with the rest; all below it moves along.
        """
        tree = self._grower.tree
        size = tree.counts[0]
        doubted = np.flatnonzero((tree.feature[:size] >= 0) & (tree.trust[:size] < 1.0))
        if not doubted.size:
            return
        sides, trust = np.stack([tree.left[doubted], tree.right[doubted]]), tree.trust[doubted]
        l2, move = self.settings.l2, np.zeros(size)
        if self.loss.is_newton:
            sums = np.zeros((2, size))
            by_leaf = leaf_sums(self._leaf_of, int(tree.counts[1]), *fitted)
            for column, total in zip(by_leaf.T, sums, strict=True):
                node_weights(tree, column, total)
            pairs = sums[:, sides]  # (g and h, sides, splits)
            own, both = (part[0] / (part[1] + l2) for part in (pairs, pairs.sum(axis=1)))
            move[sides] = (1.0 - trust) * (both - own)
        elif self.loss.has_blocks or self.loss.solves_all_leaves:
            move[sides] = (trust - 1.0) * mean_gaps(tree, node_weight, value)[sides]
        else:
            starts, ends = tree.start[sides], tree.end[sides]
            for pair, share, start, end in zip(sides.T, trust, starts.T, ends.T, strict=True):
                weight = node_weight[pair]
                found = self._half_trusted(output, rows, start, end, score, weight, share)
                move[pair] = found * weight / (weight + l2)
        move_subtrees(tree, move, value)

    def _half_trusted(
        self,
        output: int,
        rows: np.ndarray,
        starts: IntArray,
        ends: IntArray,
        score: FloatArray,
        side_weight: FloatArray,
        trust: float,
    ) -> FloatArray:
        """Return by how much the values of two sides, (2,), move where their cases count in part.

        What is best for a share of one side and the rest of both is found by the loss's own rule:
        between two logarithms of counts lies no mean, where one side has counted nothing.
        """
        found = -self._solved(output, rows, starts, ends, score, self._bag_weight)
        split = rows[starts[0] : ends[1]]
        own = np.repeat([0, 1], ends - starts)
        weight = np.empty_like(self._bag_weight)  # read at the rows of the split alone
        for side in (0, 1):
            rest = (1.0 - trust) * side_weight[side] / side_weight.sum()
            weight[split] = self._bag_weight[split] * (rest + trust * (own == side))
            found[side] += self._solved(output, rows, starts[:1], ends[1:], score, weight)[0]
        return found

    def _current_losses(self) -> FloatArray:
        """The loss of every case at the present scores."""
        if not self._has_losses:
            self.loss.losses(self.score, self._losses)
            self._has_losses = True
        return self._losses

    def _mean_loss(self, is_valid: bool) -> float:
        """Deviance of the training or the other cases; NaN where there are none."""
        rows = self._rows
        if is_valid and self.cases.n_rows == rows:
            return np.nan
        if self.loss.has_blocks:
            blocks = self.loss.valid_blocks if is_valid else self.loss.train_blocks
            total, mass = self.loss.block_loss(self.score, self.weight, blocks)
        else:
            part = slice(rows, None) if is_valid else slice(rows)
            own = self.weight[part] if self._is_weighted else None
            total, mass = masked_sums(self._current_losses()[part], own, None)
        return total / mass if mass > 0.0 else np.nan

    def _oob_loss(self, bag: MaskArray) -> float:
        """Mean loss of the training cases outside the bag at the present scores."""
        rows = self._rows
        if self.loss.has_blocks:
            weight = self.weight.copy()
            weight[:rows] *= 1 - bag
            total, mass = self.loss.block_loss(self.score, weight, self.loss.train_blocks)
        else:
            own = self.weight[:rows] if self._is_weighted else None
            total, mass = masked_sums(self._current_losses()[:rows], own, bag)
        return total / mass if mass > 0.0 else np.nan

    def _book_deviance(self, bag: MaskArray | None, before: float | None) -> None:
        train = self._mean_loss(False) if self.settings.keeps_train_deviance else np.nan
        valid = self._mean_loss(True)
        improvement = np.nan
        if bag is not None and before is not None:
            improvement = before - self._oob_loss(bag)
            if self.settings.gbm_compatible:
                improvement *= self.loss.distribution.gbm_improvement_factor
        self.train_deviance.append(train)
        self.valid_deviance.append(valid)
        self.oob_improvement.append(improvement)


def scaled_weight(cases: TrainingCases, *, by_group: bool = False) -> FloatArray:
    """Case weights that sum to the number of cases (gbm's scale: l2 and influence follow it).

    With ``by_group`` the weights of whole groups sum to the number of groups, as ``gbm()`` of R has
    them for rankings.
    """
    if cases.weight is None:
        return np.ones(cases.n_rows)
    weight: FloatArray = np.asarray(cases.weight, dtype=np.float64)
    if by_group and cases.group is not None:
        first = np.unique(cases.group, return_index=True)[1]
        by_groups: FloatArray = weight * (first.shape[0] / weight[first].sum())
        return by_groups
    scaled: FloatArray = weight * (weight.shape[0] / weight.sum())
    return scaled


def _offset_of(cases: TrainingCases, loss: BoundLoss) -> FloatArray:
    """Offsets (K, n); a score without trees has none, unless every score is given its own."""
    offset = np.zeros((loss.n_scores, cases.n_rows))
    if cases.offset is not None and cases.offset.ndim == 1:
        offset[: loss.n_grown] += cases.offset
    elif cases.offset is not None:
        offset += cases.offset
    return offset


def _group_numbers(cases: TrainingCases) -> IntArray | None:
    if cases.group is None:
        return None
    numbers: IntArray = np.unique(cases.group[: cases.train_rows], return_inverse=True)[1]
    return numbers.astype(np.int64)


def _grower_of(cases: TrainingCases, weight: FloatArray, settings: BoostSettings) -> Grower:
    rows = cases.train_rows
    is_by_value = is_exact(settings, cases.inputs, rows)
    grower = ExactGrower if is_by_value else HistogramGrower
    return grower(cases.inputs, weight[:rows], _case_weight(cases, weight[:rows]), settings)


def _case_weight(cases: TrainingCases, weight: FloatArray) -> float:
    """Return what one case weighs, for noise falls with the number of cases.

    Whole weights count cases, one of weight 2 is the case twice, unless it is known that they do
    not. Others stand for as many cases as
    unweighted ones that would be as uncertain (Kish).
    """
    if cases.weight is None:
        return 1.0
    own: FloatArray = np.asarray(cases.weight, dtype=np.float64)[: cases.train_rows]
    if cases.counts_cases and bool((own == np.floor(own)).all()):
        return float(weight.sum() / own.sum())
    return float(np.square(weight).sum() / weight.sum())
