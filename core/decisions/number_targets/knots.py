"""Consequences of a number: straight lines between knots, going on beyond the outer ones.

The rows of an interval matrix are knots K_1 < ... < K_m of the outcome. Between two knots a
consequence runs in a straight line, beyond the outer knots its line goes on; with one knot it is
constant. On a knot it is exactly what the matrix says.

The kernel of straight lines between knots: every decision's amount at every value.

Expected consequences over a predicted distribution, in place of those at one prediction.

A model that predicts quantiles says more than a number: where the lines of a matrix bend, what a
decision brings on average is not what it brings at the average. Between two quantile levels the
quantile function is taken as straight; beyond the outer levels their values hold what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.document.decisions.commands import knot_name
from core.kernels import CHUNK_ROWS, fitting_threads, own_kernel, parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray


@own_kernel
def _write_row(
    value: float, knots: FloatArray, amounts: FloatArray, row: int, out: FloatArray
) -> None:
    """The amounts at one value; beyond the outer knots the end lines go on."""
    last = knots.shape[0] - 1
    place = 0
    while place < last - 1 and value >= knots[place + 1]:
        place += 1
    left, right = knots[place], knots[place + 1]
    share = (value - left) / (right - left)
    for decision in range(out.shape[0]):
        first, second = amounts[place, decision], amounts[place + 1, decision]
        line = first + share * (second - first)
        out[decision, row] = second if share == 1.0 else line  # exact on the last knot


@parallel_kernel
def lines_at(values: FloatArray, knots: FloatArray, amounts: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (decisions, n) with the amounts at each value; NaN where there is none.

    ``knots`` (two or more) rise; ``amounts`` is (knots, decisions).
    """
    n = values.shape[0]
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if np.isfinite(values[row]):
                _write_row(values[row], knots, amounts, row, out)
            else:
                for decision in range(out.shape[0]):
                    out[decision, row] = np.nan


NO_CLASS = -1


@dataclass(frozen=True, slots=True, eq=False)
class KnotTable:
    """Amounts at knots, in rising order of the knots.

    Attributes
    ----------
    knots : array (knots,)
    amounts : array (knots, decisions)
    """

    knots: FloatArray
    amounts: FloatArray

    def at(self, values: FloatArray) -> FloatArray:
        """L(y, d) for every value, (decisions, n); NaN for a missing or infinite value."""
        if self.knots.shape[0] == 1:
            constant = self.amounts[0][:, np.newaxis]
            return np.where(np.isfinite(values), constant, np.nan)
        out = np.empty((self.amounts.shape[1], values.shape[0]))
        with fitting_threads(values.shape[0]):
            lines_at(
                np.ascontiguousarray(values, dtype=np.float64),
                self.knots,
                np.ascontiguousarray(self.amounts),
                out,
            )
        return out

    def shape_rows(self) -> FloatArray:
        """Amounts at the knots, then the slopes outwards: equal columns are equal everywhere."""
        if self.knots.shape[0] == 1:
            return self.amounts
        step = np.diff(self.knots)[:, np.newaxis]
        slope = np.diff(self.amounts, axis=0) / step
        return np.vstack([self.amounts, -slope[:1], slope[-1:]])


def sorted_knots(knots: Sequence[float] | FloatArray) -> tuple[FloatArray, np.ndarray]:
    """Knots in rising order and the order that brings rows there.

    Raises
    ------
    PayoffError
        If there is none, one is not a number, or one stands twice.
    """
    values = np.asarray(knots, dtype=np.float64)
    if values.ndim != 1 or values.shape[0] == 0:
        raise PayoffError("The decision matrix has no knot.", remedy="Give one row or more.")
    for value in values:
        if not np.isfinite(value):
            raise PayoffError(
                f"A knot is {value:g}.",
                where="decision matrix",
                remedy="A knot is a number: a value that the outcome can take.",
            )
    order = np.argsort(values, kind="stable")
    rising = values[order]
    doubled = np.flatnonzero(np.diff(rising) == 0)
    if doubled.shape[0]:
        raise PayoffError(
            f"The knot {knot_name(float(rising[doubled[0]]))} stands twice in the decision matrix.",
            remedy="Each knot has one row.",
        )
    return rising, order


def band_names(knots: FloatArray) -> tuple[str, ...]:
    """Names of the bands that begin at the knots; the first also holds what lies below.

    One band per knot, so that tables have as many rows as the matrix.

    >>> band_names(np.array([0.0, 10.0, 50.0]))
    ('below 10', '10 to 50', '50 and more')
    """
    words = [knot_name(float(knot)) for knot in knots]
    if len(words) == 1:
        return ("all values",)
    inner = [f"{low} to {high}" for low, high in pairwise(words[1:])]
    return (f"below {words[1]}", *inner, f"{words[-1]} and more")


def band_codes(values: FloatArray, knots: FloatArray) -> CodeArray:
    """The band of every value, (n,); -1 where the value is missing or infinite."""
    codes = np.maximum(np.searchsorted(knots, values, side="right") - 1, 0).astype(np.int32)
    codes[~np.isfinite(values)] = NO_CLASS
    return codes


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
