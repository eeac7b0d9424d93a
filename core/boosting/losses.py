"""A loss distribution bound to the cases of a fit: its kernels compiled and called in chunks.

Sums over cases that do not depend on the number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from core.boosting.growing.rules import MaskArray
from core.boosting.inputs import TrainingCases
from core.kernels import (
    CHUNK_ROWS,
    compile_kernel,
    fitting_threads,
    new_stop_flag,
    parallel_kernel,
    prange,
    run_rows,
)
from payoff.blocks import BlockCases, block_cases, over_cases
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, is_kernel, kernel_mark
from payoff.numeric import newton_leaf_values
from payoff.parameters import parameter_array, resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra, LeafKind, TargetDomain


@parallel_kernel
def _chunk_sums(values: FloatArray, weight: FloatArray, skip: MaskArray, out: FloatArray) -> None:
    for chunk in prange(out.shape[0]):
        total = mass = 0.0
        for i in range(chunk * CHUNK_ROWS, min(values.shape[0], (chunk + 1) * CHUNK_ROWS)):
            if skip.shape[0] == 0 or skip[i] == 0:
                own = 1.0 if weight.shape[0] == 0 else weight[i]
                total += own * values[i]
                mass += own
        out[chunk, 0] = total
        out[chunk, 1] = mass


def masked_sums(
    values: FloatArray, weight: FloatArray | None, skip: MaskArray | None
) -> tuple[float, float]:
    """Sum of weight times value, and of weight, over the cases whose ``skip`` is 0."""
    out = np.zeros((-(-values.shape[0] // CHUNK_ROWS), 2))
    weight = np.zeros(0) if weight is None else weight  # of 1 each, which nobody need read
    skip = np.zeros(0, dtype=np.uint8) if skip is None else skip
    with fitting_threads(values.shape[0]):
        _chunk_sums(values, weight, skip, out)
    total, mass = out.sum(axis=0)
    return float(total), float(mass)


_HOST_EXTRAS = (Extra.WEIGHT, Extra.OFFSET)
_NUMBER_DOMAINS = (TargetDomain.REAL, TargetDomain.COUNTS, TargetDomain.POSITIVE)
FAR_NUMBER = 1e100  # outcomes up to this size, and from 1 / it on, suit every loss
MOST_PULL = 1e145
"""Largest gradient whose square, times the weight of many cases, is a number; least is 1 / it."""


def _ready(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a marked kernel; plain numpy functions stay as they are."""
    return compile_kernel(function) if is_kernel(function) else function


class Blocks(NamedTuple):
    """Blocks of cases that depend on each other: block b is rows[offsets[b]:offsets[b + 1]]."""

    rows: IntArray
    offsets: IntArray

    @property
    def number(self) -> int:
        """Number of blocks."""
        return int(self.offsets.shape[0]) - 1


NO_BLOCKS = Blocks(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))


class BoundLoss:
    """The functions of a distribution over the n cases of a fit.

    Parameters
    ----------
    distribution : LossDistribution
    parameters : mapping
        By name; what is left out has its default.
    cases : TrainingCases
    is_gbm : bool
        Take the distribution's variant with R gbm's arithmetic where it has one.

    Raises
    ------
    PayoffError
        If a parameter is wrong or a column that the distribution reads is absent.
    """

    def __init__(
        self,
        distribution: LossDistribution,
        parameters: Mapping[str, object],
        cases: TrainingCases,
        *,
        is_gbm: bool = False,
    ) -> None:
        used = _variant(distribution, cases) if is_gbm else distribution
        self.distribution = distribution
        self.values = resolve_parameters(used.parameters, parameters)
        self.parameters = parameter_array(used.parameters, self.values)
        self.outcome = np.ascontiguousarray(cases.outcome, dtype=np.float64)
        self.n_scores = used.n_scores or cases.n_classes
        if used.score_names is not None:
            self.n_scores = len(used.score_names(self.values))
        self.n_grown = used.grown_scores or self.n_scores
        self.columns = extra_columns(used, cases)
        self.extras = tuple(self.columns.values())
        self.train_rows = cases.train_rows
        self.is_newton = used.leaf_kind == LeafKind.NEWTON
        self.has_blocks = used.arrange is not None
        self.weighs_groups = self.has_blocks and Extra.GROUP in used.extras
        self.train_blocks = self._blocks(used, 0, self.train_rows)
        self.valid_blocks = self._blocks(used, self.train_rows, cases.n_rows)
        self._loss = self._bound(used, "loss")
        self._gradient = self._bound(used, "negative_gradient")
        self._initial = self._bound(used, "initial_score")
        self._leaves = self._bound(used, "leaf_values")
        self._leaf_extras = () if used.leaf_values is None else self.extras
        self.solves_all_leaves = shape_of(used.leaf_values) == KernelShape.WHOLE
        self._leaves_take_cases = self.has_blocks and used.leaf_values is not None

    def _bound(self, used: LossDistribution, field: str) -> Callable[..., Any]:
        """A kernel of the distribution, compiled; over blocks it takes cases."""
        kernel = getattr(used, field) or newton_leaf_values
        if self.has_blocks and kernel is not newton_leaf_values:
            return over_cases(kernel, field, self.columns, _ready)
        return _ready(kernel)

    def _blocks(self, used: LossDistribution, start: int, stop: int) -> Blocks:
        if used.arrange is None or start == stop:
            return NO_BLOCKS
        columns = {name: array[start:stop] for name, array in self.columns.items()}
        rows, offsets = used.arrange(self.outcome[start:stop], self.values, columns)
        return Blocks(np.ascontiguousarray(rows + start), np.ascontiguousarray(offsets))

    def initial(self, weight: FloatArray, offset: FloatArray) -> FloatArray:
        """The best constant score (K,) of the training cases."""
        out = np.zeros(self.n_scores)
        rows = self.train_rows
        outcome, weight = self.outcome[:rows], weight[:rows]
        offset = np.ascontiguousarray(offset[:, :rows])
        columns = {name: array[:rows] for name, array in self.columns.items()}
        given: tuple[object, ...]
        if self.has_blocks:
            given = (block_cases(outcome, offset, weight, self.parameters, columns),)
        else:
            given = (outcome, weight, offset, self.parameters, *columns.values())
        self._initial(*given, out, new_stop_flag())
        return out

    def _cases(
        self,
        score: FloatArray,
        weight: FloatArray,
        blocks: Blocks,
        *steps: tuple[FloatArray, FloatArray],
    ) -> BlockCases:
        """The cases as kernels over blocks take them; ``steps`` are gradient and curvature."""
        return block_cases(
            self.outcome, score, weight, self.parameters, self.columns, blocks, *steps
        )

    def losses(self, score: FloatArray, out: FloatArray) -> None:
        """Fill the loss (n,) of every case at scores (K, n); not for losses over blocks."""
        arguments = (self.outcome, score, self.parameters, *self.extras, out)
        run_rows(self._loss, arguments, self.outcome.shape[0])

    def block_loss(
        self, score: FloatArray, weight: FloatArray, blocks: Blocks
    ) -> tuple[float, float]:
        """Sum of weight x factor x loss, and of weight x factor, over blocks."""
        out = np.zeros(self.outcome.shape[0])
        factor = np.zeros_like(out)
        self._loss(self._cases(score, weight, blocks), out, factor, 0, blocks.number)
        return masked_sums(out, weight * factor, None)

    def gradients(
        self, score: FloatArray, weight: FloatArray, gradient: FloatArray, curvature: FloatArray
    ) -> bool:
        """Fill the working response and the curvature, (K, n) each; whether all are numbers.

        Over blocks a case of weight 0 adds nothing to the others, and validation rows get 0. Where
        sums of training rows overflow the answer is False too: ``check_step`` looks closely.
        """
        sums: list[float] = []  # finite only where all of it is; taken while it is in the cache

        def fill(start: int, stop: int) -> None:
            if self.has_blocks:
                cases = self._cases(score, weight, self.train_blocks)
                self._gradient(cases, gradient, curvature, 0, self.train_blocks.number)
            else:
                given = (self.outcome, score, self.parameters, *self.extras, gradient, curvature)
                self._gradient(*given, start, stop)
            used = slice(start, min(stop, self.train_rows))
            with np.errstate(all="ignore"):
                sums.append(float(gradient[:, used].sum() + curvature[:, used].sum()))

        if self.has_blocks:
            gradient[:] = 0.0
            curvature[:] = 0.0
            fill(0, self.train_rows)
        else:
            run_rows(fill, (), self.outcome.shape[0])
        return math.isfinite(sum(sums))

    def check_scale(self, score: FloatArray, weight: FloatArray) -> None:
        """Refuse numbers too small or too large for the loss at the scores (K, n) of the start.

        Trees compare squares of gradients: where these vanish or overflow, every tree would be one
        leaf and the model a constant. Losses over blocks depend on the order of cases alone.

        Raises
        ------
        PayoffError
            Naming the largest outcome.
        """
        rows = self.train_rows
        used = weight[:rows] > 0.0
        outcome = self.outcome[:rows][used]
        size = float(np.abs(outcome).max(initial=0.0))
        is_far = size < 1.0 / FAR_NUMBER or max(size, float(np.abs(score).max())) > FAR_NUMBER
        is_number = self.distribution.target in _NUMBER_DOMAINS
        if self.has_blocks or not is_far or not is_number or np.ptp(outcome) == 0.0:
            return
        gradient, curvature = np.empty_like(score), np.empty_like(score)
        losses = np.empty(self.outcome.shape[0])
        with np.errstate(all="ignore"):
            self.gradients(score, weight, gradient, curvature)
            self.losses(score, losses)
        pulls = gradient[: self.n_grown, :rows][:, used]
        largest = float(np.abs(pulls).max())
        is_told_apart = bool((np.ptp(pulls, axis=1) > 0.0).any())
        is_known = bool(np.isfinite(losses[:rows][used]).all())
        if is_known and is_told_apart and 1.0 / MOST_PULL <= largest <= MOST_PULL:
            return
        raise PayoffError(
            f"The loss '{self.distribution.label}' cannot tell outcomes of this size apart.",
            where=f"largest outcome {size:g}",
            why="In double precision its squares vanish or overflow: every tree would be one leaf.",
            remedy=f"Divide the outcome by {10.0 ** math.floor(math.log10(size)):g}, and multiply "
            "the predictions by it."
            if size > 0.0
            else "Take another unit for the outcome.",
        )

    def check_step(self, gradient: FloatArray, curvature: FloatArray) -> None:
        """Refuse a working response or curvature, (K, n), that is no number in a training row.

        Raises
        ------
        PayoffError
            Naming the first such row: without it every leaf that holds the row would be missing.
        """
        for words, values in (("gradient", gradient), ("curvature", curvature)):
            used = values[:, : self.train_rows]
            wrong = ~np.isfinite(used)
            if wrong.any():
                output, row = np.argwhere(wrong)[0]
                raise PayoffError(
                    f"The loss '{self.distribution.label}' cannot be trained further.",
                    where=f"row {row + 1}",
                    why=f"Its {words} is {used[output, row]:g} there.",
                    remedy="Train with a smaller shrinkage or another loss; if a plugin brought "
                    "the loss, check it on page Plugins.",
                )

    def leaf_values(
        self,
        score: FloatArray,
        weight: FloatArray,
        gradient: FloatArray,
        curvature: FloatArray,
        output: int,
        rows: IntArray,
        offsets: IntArray,
        min_cases: int,
    ) -> FloatArray:
        """The value of each leaf by the distribution's own rule, (leaves,)."""
        leaves = offsets.shape[0] - 1
        out = np.zeros(leaves)
        given: tuple[object, ...]
        if self._leaves_take_cases:
            given = (self._cases(score, weight, self.train_blocks, (gradient, curvature)),)
        else:
            steps = (gradient, curvature, self.parameters)
            given = (self.outcome, score, weight, *steps, *self._leaf_extras)
        last: tuple[object, ...] = (out, 0, leaves)
        if self.solves_all_leaves:
            blocks = () if self._leaves_take_cases else self.train_blocks
            last = (*blocks, min_cases, out, new_stop_flag())
        self._leaves(*given, output, rows, offsets, *last)
        return out


def _variant(distribution: LossDistribution, cases: TrainingCases) -> LossDistribution:
    """The distribution as R's gbm computes it."""
    has_offset = cases.offset is not None and bool(np.any(cases.offset))
    if has_offset and distribution.gbm_with_offset is not None:
        return distribution.gbm_with_offset
    return distribution.gbm or distribution


def responses(
    distribution: LossDistribution, parameters: FloatArray, score: FloatArray
) -> FloatArray:
    """Scores (K, n) as predictions (K, n)."""
    out = np.empty_like(score)
    run_rows(_ready(distribution.response), (score, parameters, out), score.shape[1])
    return out


def extra_columns(distribution: LossDistribution, cases: TrainingCases) -> dict[str, FloatArray]:
    """The further columns a distribution reads, by role, in its order; absent optional ones are 0.

    Raises
    ------
    PayoffError
        If a column that it cannot do without is absent.
    """
    found = {}
    for extra in distribution.extras:
        if extra in _HOST_EXTRAS:
            continue
        array = cases.group if extra == Extra.GROUP else cases.extras.get(extra.value)
        if array is None and extra in distribution.optional_extras:
            array = np.zeros(cases.n_rows)
        if array is None:
            raise PayoffError(
                f"{distribution.label} needs a column for the role '{extra.value}'.",
                remedy=f"Name it: {extra.value}=...",
            )
        found[extra.value] = np.ascontiguousarray(array, dtype=np.float64)
    return found


def shape_of(function: Callable[..., Any] | None) -> KernelShape | None:
    """The declared shape of a kernel, if it has one."""
    mark = None if function is None else kernel_mark(function)
    return None if mark is None else mark.shape
