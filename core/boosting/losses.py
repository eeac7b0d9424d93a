"""A loss distribution bound to the cases of a fit: its kernels compiled and called in chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from core.boosting.inputs import Cases, InputArray
from core.kernels import StopFlag, compile_kernel, new_stop_flag, run_chunks
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, is_kernel, kernel_mark
from payoff.numeric import newton_leaf_values
from payoff.parameters import parameter_array, resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra, LeafKind

_HOST_EXTRAS = (Extra.WEIGHT, Extra.OFFSET)


def _ready(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a marked kernel; plain numpy functions stay as they are."""
    return compile_kernel(function) if is_kernel(function) else function


class BoundLoss:
    """The functions of a distribution over the n cases of a fit.

    Parameters
    ----------
    distribution : LossDistribution
    parameters : mapping
        By name; what is left out has its default.
    cases : Cases

    Raises
    ------
    PayoffError
        If a parameter is wrong or a column that the distribution reads is absent.
    """

    def __init__(
        self, distribution: LossDistribution, parameters: Mapping[str, object], cases: Cases
    ) -> None:
        self.distribution = distribution
        self.values = resolve_parameters(distribution.parameters, parameters)
        self.parameters = parameter_array(distribution.parameters, self.values)
        self.outcome = np.ascontiguousarray(cases.outcome, dtype=np.float64)
        self.n_scores = distribution.n_scores or cases.n_classes
        self.extras = _extra_arrays(distribution, cases)
        self._loss = _ready(distribution.loss)
        self._gradient = _ready(distribution.negative_gradient)
        self._initial = _ready(distribution.initial_score)
        self._response = _ready(distribution.response)
        self._leaves = _ready(distribution.leaf_values or newton_leaf_values)

    @property
    def is_newton(self) -> bool:
        """Whether a leaf is a sum of gradients over a sum of curvatures."""
        return self.distribution.leaf_kind == LeafKind.NEWTON

    def initial(self, rows: int, weight: FloatArray, offset: FloatArray) -> FloatArray:
        """The best constant score (K,) of the first ``rows`` cases."""
        out = np.zeros(self.n_scores)
        flag: StopFlag = new_stop_flag()
        extras = tuple(array[:rows] for array in self.extras)
        self._initial(
            self.outcome[:rows], weight[:rows], np.ascontiguousarray(offset[:, :rows]),
            self.parameters, *extras, out, flag,
        )  # fmt: skip
        return out

    def losses(self, score: FloatArray, out: FloatArray) -> None:
        """Fill the loss (n,) of every case at scores (K, n)."""
        arguments = (self.outcome, score, self.parameters, *self.extras, out)
        run_chunks(self._loss, arguments, self.outcome.shape[0])

    def gradients(self, score: FloatArray, gradient: FloatArray, curvature: FloatArray) -> None:
        """Fill the working response and the curvature, (K, n) each."""
        arguments = (self.outcome, score, self.parameters, *self.extras, gradient, curvature)
        run_chunks(self._gradient, arguments, self.outcome.shape[0])

    def leaf_values(
        self,
        score: FloatArray,
        weight: FloatArray,
        gradient: FloatArray,
        curvature: FloatArray,
        output: int,
        rows: IntArray,
        offsets: IntArray,
    ) -> FloatArray:
        """The value of each leaf by the distribution's own rule, (leaves,)."""
        leaves = offsets.shape[0] - 1
        out = np.zeros(leaves)
        extras = () if self.distribution.leaf_values is None else self.extras
        arguments = (
            self.outcome, score, weight, gradient, curvature, self.parameters, *extras, output,
            rows, offsets, out,
        )  # fmt: skip
        self._leaves(*arguments, 0, leaves)
        return out

    def response(self, score: FloatArray) -> FloatArray:
        """Scores (K, n) as predictions (K, n)."""
        return responses(self.distribution, self.parameters, score)


def responses(
    distribution: LossDistribution, parameters: FloatArray, score: FloatArray
) -> FloatArray:
    """Scores (K, n) as predictions (K, n)."""
    out = np.empty_like(score)
    run_chunks(_ready(distribution.response), (score, parameters, out), score.shape[1])
    return out


def _extra_arrays(distribution: LossDistribution, cases: Cases) -> tuple[InputArray, ...]:
    """The further columns a distribution reads, in its order."""
    found = []
    for extra in distribution.extras:
        if extra in _HOST_EXTRAS:
            continue
        array = cases.group if extra == Extra.GROUP else cases.extras.get(extra.value)
        if array is None:
            raise PayoffError(
                f"{distribution.label} needs a column for the role '{extra.value}'.",
                remedy=f"Name it: {extra.value}=...",
            )
        found.append(np.ascontiguousarray(array))
    return tuple(found)


def shape_of(function: Callable[..., Any]) -> KernelShape:
    """The declared shape of a kernel; plain functions count as elementwise."""
    mark = kernel_mark(function)
    return KernelShape.ELEMENTWISE if mark is None else mark.shape
