"""Means over rows, variances, paired differences: from exact sums of terms and products."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from core.evaluation.binding import BoundMetric, refuse_unfilled
from core.evaluation.rows.row_kernels import MARKS, NOT_FINITE, NOT_ONE, NOT_SHARE
from core.evaluation.rows.row_means import STRIP_ROWS, PairedTable
from core.scale.exact_sums import (
    SumArray,
    add_count,
    add_products,
    add_terms,
    exact_value,
    merge_sums,
    nearest_double,
    new_sums,
)
from core.scale.reading import CaseRows
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import COLUMN_ROLE, MetricForm


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row whose term is not finite; the least number in the whole counts."""

    unit: int
    place: str
    value: float


@dataclass(slots=True, eq=False)
class MeanSums:
    """Sums of one metric over all models; they merge in any order.

    Columns are the numerators of every mean of every model, then their divisors.

    Attributes
    ----------
    rows : int
    terms : (columns, 67)
    products : (pairs, 67)
        Of pairs of columns as ``product_pairs`` lists them.
    marks : (models, 5) int64
        As ``settle_rows`` fills them.
    bad : list of BadRow or None, one a model
    is_vast : bool
        A term is too large for its square.
    """

    rows: int
    terms: SumArray
    products: SumArray
    marks: IntArray
    bad: list[BadRow | None]
    is_vast: bool = False

    def merge(self, other: MeanSums) -> None:
        """Take in what other rows gave."""
        self.rows += other.rows
        self.terms = merge_sums(self.terms, other.terms)
        self.products = merge_sums(self.products, other.products)
        self.marks = self.marks + other.marks
        self.is_vast |= other.is_vast
        for place, theirs in enumerate(other.bad):
            ours = self.bad[place]
            if ours is None or (theirs is not None and theirs.unit < ours.unit):
                self.bad[place] = theirs


def product_pairs(metric: BoundMetric, models: int) -> list[tuple[int, int]]:
    """Pairs of columns whose products are added up: all of a mean, squares of a smooth metric."""
    columns = range(2 * models * metric.means)
    if metric.spec.form == MetricForm.SMOOTH:
        return [(column, column) for column in columns]
    return list(combinations_with_replacement(columns, 2))


def new_mean_sums(metric: BoundMetric, models: int) -> MeanSums:
    """Sums of no rows."""
    return MeanSums(
        0,
        new_sums(2 * models * metric.means),
        new_sums(len(product_pairs(metric, models))),
        np.zeros((models, MARKS), dtype=np.int64),
        [None] * models,
    )


def extras_of(metric: BoundMetric, cases: CaseRows) -> tuple[AnyArray, ...]:
    """The columns that a metric's kernel takes beside outcome and prediction."""
    names = [metric.request.columns[column.name] for column in metric.spec.columns]
    return tuple(np.ascontiguousarray(cases.extras[f"{COLUMN_ROLE}{name}"]) for name in names)


def case_terms(
    metric: BoundMetric, cases: CaseRows, model: str, start: int, stop: int
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Numerators and divisors of some cases, (means, rows) each, and marks.

    Raises
    ------
    MetricRefusal
        Where the plugin leaves rows unfilled.
    """
    return metric.row_values(
        np.ascontiguousarray(cases.outcome[start:stop]),
        np.ascontiguousarray(cases.predictions[model][:, start:stop]),
        tuple(column[start:stop] for column in extras_of(metric, cases)),
    )


def add_cases(
    sums: MeanSums, metric: BoundMetric, cases: CaseRows, models: tuple[str, ...]
) -> None:
    """Add the terms of a batch.

    Raises
    ------
    MetricRefusal
        Where the plugin leaves rows unfilled.
    """
    for start in range(0, len(cases), STRIP_ROWS):
        stop = min(start + STRIP_ROWS, len(cases))
        _add_strip(sums, metric, cases, models, start, stop)
    sums.rows += len(cases)


def _add_strip(
    sums: MeanSums,
    metric: BoundMetric,
    cases: CaseRows,
    models: tuple[str, ...],
    start: int,
    stop: int,
) -> None:
    width, rows = len(models) * metric.means, stop - start
    terms = np.empty((2 * width, rows))
    is_unit = True
    for place, model in enumerate(models):
        above, below, marks = case_terms(metric, cases, model, start, stop)
        refuse_unfilled(marks)
        if marks[NOT_FINITE]:
            _note_bad(sums, place, cases, start, above)
            above = np.zeros_like(above)
        is_unit = is_unit and not marks[NOT_ONE]
        sums.marks[place] += marks
        own = slice(place * metric.means, (place + 1) * metric.means)
        terms[own], terms[width:][own] = above, below
    for column in range(width if is_unit else 2 * width):
        add_terms(terms[column], sums.terms[column])
    if is_unit:
        for column in range(width, 2 * width):
            add_count(rows, sums.terms[column])
    for place, (first, second) in enumerate(product_pairs(metric, len(models))):
        if not (is_unit and second >= width):
            sums.is_vast |= bool(add_products(terms[first], terms[second], sums.products[place]))
        elif first >= width:
            add_count(rows, sums.products[place])
        else:
            add_terms(terms[first], sums.products[place])


def _note_bad(sums: MeanSums, place: int, cases: CaseRows, start: int, above: FloatArray) -> None:
    row = int(np.argmax(~np.isfinite(above).all(axis=0)))
    unit = int(cases.units[start + row])
    ours = sums.bad[place]
    if ours is None or unit < ours.unit:
        value = float(np.sum(above[:, row]))
        sums.bad[place] = BadRow(unit=unit, place=cases.place(unit), value=value)


@dataclass(frozen=True, slots=True, eq=False)
class ExactMeans:
    """Means of one metric and their variances, as rational numbers until they are read.

    Parameters
    ----------
    metric : BoundMetric
    sums : MeanSums
    models : int
    """

    metric: BoundMetric
    sums: MeanSums
    models: int
    _grams: dict[tuple[int, int], Fraction] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Numerators of all models."""
        return self.models * self.metric.means

    def total(self, column: int) -> Fraction:
        """The exact sum of a column."""
        return exact_value(self.sums.terms[column])

    def product(self, first: int, second: int) -> Fraction:
        """The exact sum of products of two columns."""
        pair = min(first, second), max(first, second)
        if pair not in self._grams:
            place = product_pairs(self.metric, self.models).index(pair)
            self._grams[pair] = exact_value(self.sums.products[place])
        return self._grams[pair]

    def means(self, model: int) -> FloatArray:
        """Ratios of sums, (means,); NaN without weight."""
        own = range(model * self.metric.means, (model + 1) * self.metric.means)
        return np.array([self._rounded(column) for column in own])

    def _rounded(self, column: int) -> float:
        below = self.total(self.width + column)
        return nearest_double(self.total(column) / below) if below > 0 else float("nan")

    def is_share(self, model: int) -> bool:
        """Whether all terms are 0 or 1."""
        return not self.sums.marks[model, NOT_SHARE]

    def variance(self, model: int, other: int | None = None) -> float:
        """Of the mean of a model, or of the paired difference with another's."""
        weights = dict(self._influence(model, 1))
        if other is not None:
            weights.update(self._influence(other, -1))
        squares = sum(
            (
                ours * theirs * self.product(first, second)
                for first, ours in weights.items()
                for second, theirs in weights.items()
            ),
            Fraction(0),
        )
        rows = self.sums.rows
        if rows < 2 or self.sums.is_vast:
            return float("nan")
        return nearest_double(max(squares, Fraction(0)) * rows / (rows - 1))

    def _influence(self, model: int, sign: int) -> list[tuple[int, Fraction]]:
        """What a case adds to the mean: weights of its numerator and of its divisor."""
        above, below = self.total(model), self.total(self.width + model)
        return [(model, sign / below), (self.width + model, -sign * above / below**2)]

    def table(self, first: int, second: int) -> PairedTable | None:
        """Who is right alone, of two models judged on the same cases; None for other cases."""
        a, b = self.width + first, self.width + second
        apart = self.total(a) + self.total(b) - 2 * self.product(a, b)
        if not (self.is_share(first) and self.is_share(second)) or apart:
            return None
        both = self.product(first, second)
        return PairedTable(
            int(self.total(first) - both), int(self.total(second) - both), int(self.total(a))
        )

    def unit(self, column: int, largest: int) -> float:
        """A power of two such that draws of a column, in units of it, add up without rounding.

        A row is drawn ``largest`` times at most; the sum of sizes is at most the root of rows times
        the sum of squares.
        """
        square = self.product(column, column) * self.sums.rows
        bound = nearest_double(square) ** 0.5 * largest
        return 2.0 ** max(int(np.ceil(np.log2(bound))) - 52, -900) if bound > 0 else 1.0


__all__ = ["BadRow", "ExactMeans", "MeanSums", "add_cases", "case_terms", "new_mean_sums"]
