"""Cases that depend on each other, as one named tuple: what kernels of losses over blocks take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from payoff.kernels import KernelShape, kernel_mark
from payoff.types import FloatArray, IntArray

_NO_COLUMN: FloatArray = np.zeros(0)
_NO_STEPS: FloatArray = np.zeros((0, 0))
_NO_CONSEQUENCES: FloatArray = np.zeros((0, 0, 0))
_NO_BLOCKS: tuple[IntArray, IntArray] = (np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))


class BlockCases(NamedTuple):
    """The cases of a loss that has ``arrange``, for kernels marked ``takes_cases``.

    Attributes
    ----------
    outcome : float64 (n,)
    score : float64 (K, n)
        Offsets are in it; for the initial score it is the offsets alone.
    weight : float64 (n,)
    parameters : float64 (P,)
    rows, offsets : int64
        The blocks: block b is ``rows[offsets[b]:offsets[b + 1]]``. None for the initial score.
    gradient, curvature : float64 (K, n)
        For leaf values; else without values.
    group, time, event, entry, strata, upper, treatment, propensity, cluster : float64 (n,)
        Those that the loss names in ``extras``; the others without values.
    consequences : float64 (n, classes, decisions)
        The same.
    """

    outcome: FloatArray
    score: FloatArray
    weight: FloatArray
    parameters: FloatArray
    rows: IntArray = _NO_BLOCKS[0]
    offsets: IntArray = _NO_BLOCKS[1]
    gradient: FloatArray = _NO_STEPS
    curvature: FloatArray = _NO_STEPS
    group: FloatArray = _NO_COLUMN
    time: FloatArray = _NO_COLUMN
    event: FloatArray = _NO_COLUMN
    entry: FloatArray = _NO_COLUMN
    strata: FloatArray = _NO_COLUMN
    upper: FloatArray = _NO_COLUMN
    treatment: FloatArray = _NO_COLUMN
    propensity: FloatArray = _NO_COLUMN
    cluster: FloatArray = _NO_COLUMN
    consequences: FloatArray = _NO_CONSEQUENCES


def block_cases(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    parameters: FloatArray,
    columns: Mapping[str, FloatArray],
    blocks: tuple[IntArray, IntArray] = _NO_BLOCKS,
    steps: tuple[FloatArray, FloatArray] = (_NO_STEPS, _NO_STEPS),
) -> BlockCases:
    """Put arrays together; ``steps`` are gradient and curvature."""
    extras: dict[str, Any] = dict(columns)  # by the names of fields
    return BlockCases(outcome, score, weight, parameters, *blocks, *steps, **extras)


Kernel = Callable[..., Any]


def over_cases(
    kernel: Kernel,
    field: str,
    columns: Mapping[str, FloatArray],
    made: Callable[[Kernel], Kernel] = lambda kernel: kernel,
) -> Kernel:
    """Return a kernel of a loss over blocks as a function of ``BlockCases`` and what follows.

    Kernels of contract 1.0 take the arrays one by one: they are handed them so.

    Parameters
    ----------
    kernel : callable
        Its mark says which form it has.
    field : str
        Of the spec: loss, negative_gradient, initial_score, leaf_values.
    columns : mapping
        Names of the columns that the loss reads, in its order.
    made : callable
        Compiles it; left out = it runs as plain Python.
    """
    mark = kernel_mark(kernel)
    run = made(kernel)
    if mark is not None and mark.takes_cases:
        return run
    names = tuple(columns)
    is_whole = mark is not None and mark.shape is KernelShape.WHOLE

    def spread(cases: BlockCases, *rest: Any) -> None:
        """Call the kernel with the arrays of contract 1.0."""
        extras = [getattr(cases, name) for name in names]
        if field == "initial_score":
            run(cases.outcome, cases.weight, cases.score, cases.parameters, *extras, *rest)
            return
        before = (cases.outcome, cases.score, cases.weight)
        blocks = (cases.rows, cases.offsets)
        if field == "leaf_values":
            steps = (cases.gradient, cases.curvature)
            rest = (*rest[:3], *blocks, *rest[3:]) if is_whole else rest
            run(*before, *steps, cases.parameters, *extras, *rest)
            return
        run(*before, cases.parameters, *extras, *blocks, *rest)

    return spread
