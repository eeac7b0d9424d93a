"""Expected consequences over a predicted distribution, in place of those at one prediction.

A model that predicts quantiles says more than a number: where the lines of a matrix bend, what a
decision brings on average is not what it brings at the average. Between two quantile levels the
quantile function is taken as straight; beyond the outer levels their values hold what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.number_targets.knots import KnotTable
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictedQuantiles:
    """Quantiles of the outcome that a model predicts for each case.

    Attributes
    ----------
    levels : array (quantiles,)
        Rising, from 0 to 1.
    values : array (quantiles, n)
        Rising along the first axis; a case with a missing quantile is not decided.
    crossed : int
        Cases whose quantiles came in another order and were sorted.
    """

    levels: FloatArray
    values: FloatArray
    crossed: int = 0

    @property
    def is_known(self) -> BoolArray:
        """Cases with every quantile."""
        return np.asarray(np.isfinite(self.values).all(axis=0))

    def some(self, cases: slice | IntArray) -> PredictedQuantiles:
        """The quantiles of some cases."""
        values = np.ascontiguousarray(self.values[:, cases])
        return PredictedQuantiles(levels=self.levels, values=values, crossed=self.crossed)

    @property
    def mean(self) -> FloatArray:
        """Mean of each case's distribution, (n,)."""
        identity = KnotTable(np.array([0.0, 1.0]), np.array([[0.0], [1.0]]))
        return np.asarray(expected_lines(identity, self)[0])


def predicted_quantiles(levels: FloatArray, values: FloatArray) -> PredictedQuantiles:
    """Quantiles in rising order; those of a case that cross are sorted, and counted.

    Parameters
    ----------
    levels : array (quantiles,)
    values : array (quantiles, n)

    Raises
    ------
    PayoffError
        For levels outside 0 to 1 or given twice, or shapes that do not fit.
    """
    if values.ndim != 2 or levels.shape != values.shape[:1] or not levels.shape[0]:
        raise PayoffError(
            f"{levels.shape[0]} quantile levels do not fit values of shape {values.shape}."
        )
    for level in levels:
        if not 0.0 <= level <= 1.0:
            raise PayoffError(
                f"There is no quantile of level {level:g}.", remedy="Levels lie from 0 to 1."
            )
    order = np.argsort(levels)
    rising = levels[order]
    doubled = np.flatnonzero(np.diff(rising) == 0)
    if len(doubled):
        raise PayoffError(f"The quantile of level {rising[doubled[0]]:g} is given twice.")
    placed = np.ascontiguousarray(values[order], dtype=np.float64)
    with np.errstate(invalid="ignore"):
        crossed = int(np.count_nonzero((np.diff(placed, axis=0) < 0).any(axis=0)))
    if crossed:
        placed = np.sort(placed, axis=0)
    return PredictedQuantiles(levels=rising, values=placed, crossed=crossed)


def expected_lines(table: KnotTable, quantiles: PredictedQuantiles) -> FloatArray:
    """Mean of L(Y, d) over each case's distribution, (decisions, n); NaN where it is not known.

    Exact for straight lines between knots and a quantile function straight between its levels.
    """
    levels, values = quantiles.levels, quantiles.values
    out = levels[0] * table.at(values[0]) + (1.0 - levels[-1]) * table.at(values[-1])
    for place in range(levels.shape[0] - 1):
        weight = levels[place + 1] - levels[place]
        out += weight * _mean_between(table, values[place], values[place + 1])
    out[:, ~quantiles.is_known] = np.nan
    return np.asarray(out)


def _mean_between(table: KnotTable, low: FloatArray, high: FloatArray) -> FloatArray:
    """Mean of the lines from ``low`` to ``high``, (decisions, n): a piece for each segment."""
    inner = table.knots[1:-1]
    middle = table.at(0.5 * (low + high))
    span = high - low
    if not inner.shape[0]:
        return middle
    total = np.zeros_like(middle)
    left = low
    for knot in (*inner, np.inf):
        right = np.clip(high if np.isinf(knot) else np.minimum(high, knot), left, None)
        part = np.divide(right - left, span, out=np.zeros_like(span), where=span > 0)
        total += part * table.at(0.5 * (left + right))
        left = right
    return np.where(span > 0, total, middle)
