"""Consequences of a number: straight lines between knots, going on beyond the outer ones.

The rows of an interval matrix are knots K_1 < ... < K_m of the outcome. Between two knots a
consequence runs in a straight line, beyond the outer knots its line goes on; with one knot it is
constant. On a knot it is exactly what the matrix says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.decisions.number_targets.knot_kernels import lines_at
from core.document.decisions.commands import knot_name
from core.kernels import fitting_threads
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray

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
