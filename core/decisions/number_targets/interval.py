"""Problems of interval targets: the outcome is a number, rows of the matrix are its knots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.decisions.number_targets.distribution import PredictedQuantiles
from core.decisions.number_targets.knots import band_codes, band_names, sorted_knots
from core.decisions.problem import LARGEST, DecisionProblem, LeafCases, ModelScores, Words
from core.document.decisions.matrix_model import MatrixKind
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray


def _check_size(what: str, values: FloatArray | None) -> None:
    """Refuse numbers whose squares, added up, would overflow."""
    if values is None:
        return
    ends = np.fmin.reduce(values, initial=0.0), np.fmax.reduce(values, initial=0.0)
    if max(-ends[0], ends[1]) <= LARGEST:
        return  # the usual case, without an array in between
    bad = np.flatnonzero(np.isfinite(values) & (np.abs(values) > LARGEST))
    if len(bad):
        raise PayoffError(
            f"The {what} is {values[bad[0]]:g}.",
            where=f"row {int(bad[0]) + 1}",
            why="Sums of such numbers overflow.",
            remedy="Use a larger unit, or mend the value.",
        )


def interval_problem(
    *,
    knots: Sequence[float] | FloatArray,
    decisions: tuple[str, ...],
    cells: FloatArray,
    kind: MatrixKind = MatrixKind.PROFIT,
    actual: FloatArray | None = None,
    frequency: FloatArray | None = None,
    cost_amounts: FloatArray | None = None,
    cost_columns: Mapping[int, FloatArray] | None = None,
    acting: str = "",
    do_nothing: str | None = None,
    words: Words | None = None,
) -> DecisionProblem:
    """The problem of an interval target; rows of ``cells`` are knots, in any order.

    Classes of the outcome, in counts and tables, are the bands that begin at the knots.

    Parameters
    ----------
    knots : array (knots,)
    cells : array (knots, decisions)
    actual : array (n,), optional
        The outcome; missing = NaN.

    Other parameters are those of ``DecisionProblem``.

    Raises
    ------
    PayoffError
        As ``DecisionProblem``; also for knots that stand twice or are no numbers.
    """
    rising, order = sorted_knots(knots)
    actual = None if actual is None else np.require(actual, np.float64, ("C", "W"))
    _check_size("outcome", actual)
    _check_size("knot", rising)
    cells = np.asarray(cells, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != rising.shape[0]:
        raise PayoffError(
            f"{counted(rising.shape[0], 'knot does', 'knots do')} not fit cells of shape "
            f"{cells.shape}.",
            where="decision matrix",
            remedy="Give one row per knot.",
        )
    return DecisionProblem(
        levels=band_names(rising),
        decisions=decisions,
        cells=np.ascontiguousarray(cells[order]),
        kind=kind,
        outcome=None if actual is None else band_codes(actual, rising),
        frequency=frequency,
        cost_amounts=cost_amounts,
        cost_columns=cost_columns or {},
        acting=acting,
        do_nothing=do_nothing,
        words=words or Words(),
        knots=rising,
        actual=actual,
    )


def predicted_scores(
    name: str,
    predicted: FloatArray,
    *,
    quantiles: PredictedQuantiles | None = None,
    leaf: LeafCases | None = None,
) -> ModelScores:
    """A model of an interval target: one prediction per case, no chances.

    With ``quantiles`` expected consequences are averaged over the distribution of each case.
    """
    values = np.require(predicted, np.float64, ("C", "W"))  # one kind of array for the kernels
    _check_size(f"prediction of '{name}'", values)
    for quantile in quantiles.values if quantiles is not None else ():
        _check_size(f"quantile of '{name}'", quantile)
    return ModelScores(
        name=name,
        posteriors=np.empty((0, values.shape[0])),
        predicted=values,
        quantiles=quantiles,
        leaf=leaf,
    )
