"""Row_mean and smooth metrics in one pass: chunk by chunk, value and variance, no column kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from core.evaluation.binding import BoundMetric, MetricRefusal, refuse_unfilled
from core.evaluation.cases import JudgedCases
from core.evaluation.problem import JudgedScores
from core.evaluation.rows.row_kernels import (
    FIRST,
    MARKS,
    MOMENTS,
    NOT_FINITE,
    NOT_ONE,
    NOT_SHARE,
    add_strip,
)
from core.inference.delong import (
    CaseInfluence,
    stratum_variance,
)
from core.inference.intervals import (
    mcnemar_p_value,
)
from core.kernels import CHUNK_ROWS, chunks, run_chunks
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import Aggregate, MetricForm, ResampleUnit

_NO_STRATA: AnyArray = np.empty(0, dtype=np.int32)
_ONE_FACTOR = np.ones(1)

SKEW_ROWS = 4 * CHUNK_ROWS  # beyond, the skewness of a mean moves no limit that is shown
STRIP_ROWS = CHUNK_ROWS // 4
"""Rows whose terms are made and added up while they lie in the nearest cache."""


@dataclass(frozen=True, slots=True, eq=False)
class RowTerms:
    """What one row_mean or smooth metric adds up for one model, block by block."""

    metric: BoundMetric
    model: JudgedScores
    prediction: FloatArray
    extras: tuple[AnyArray, ...]
    has_unit_factor: bool = False

    def block(
        self,
        cases: JudgedCases,
        start: int,
        stop: int,
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """Numerators and divisors of rows ``start`` to ``stop``, (means, rows) each, and marks."""
        return self.metric.row_values(*self._inputs(cases, start, stop))

    def fill(
        self,
        cases: JudgedCases,
        start: int,
        stop: int,
        contribution: FloatArray,
        factor: FloatArray,
    ) -> None:
        """As the plugin fills them, (means, rows) each, not settled yet."""
        self.metric.fill_rows(*self._inputs(cases, start, stop), contribution, factor)

    def _inputs(
        self, cases: JudgedCases, start: int, stop: int
    ) -> tuple[AnyArray, FloatArray, tuple[AnyArray, ...]]:
        extras = tuple(np.ascontiguousarray(column[start:stop]) for column in self.extras)
        prediction = np.ascontiguousarray(self.prediction[:, start:stop])
        return np.ascontiguousarray(cases.outcome[start:stop]), prediction, extras


def row_terms(cases: JudgedCases, metric: BoundMetric, model: JudgedScores) -> RowTerms:
    """The terms of a metric: chances or predictions as it reads them, and further columns.

    Raises
    ------
    MetricRefusal
        If a column is missing.
    """
    decides = metric.is_prior_weighted and cases.has_classes
    prediction = cases.probabilities(model) if decides else cases.fitted_probabilities(model)
    return RowTerms(metric, model, prediction, metric.extras(cases, model))


@dataclass(frozen=True, slots=True, eq=False)
class RowTotals:
    """Sums over all rows, by stratum: one, or under priors the classes.

    Attributes
    ----------
    sums : (means, strata, 2) float64
        Case weight times numerator, and times divisor.
    moments : (strata, 9) float64
        As ``add_moments`` fills them, of the first mean; zeros for smooth metrics.
    shift : float
        The shift of the moments.
    factor : (strata,) float64
        Prior weight of each stratum.
    infinite : (rows that are not finite, the first of them, its value)
    has_unit_factor, is_share : bool
        Whether all divisors are 1; whether all terms are 0 or 1.
    """

    sums: FloatArray
    moments: FloatArray
    shift: float
    factor: FloatArray
    infinite: tuple[int, int, float]
    has_unit_factor: bool
    is_share: bool

    def means(self) -> FloatArray:
        """Weighted ratio of sums per mean, (means,); NaN without weight."""
        above, below = (self.sums[:, :, side] @ self.factor for side in (0, 1))
        missing = np.full(len(above), np.nan)
        return np.asarray(np.divide(above, below, out=missing, where=below > 0))

    @property
    def whole(self) -> float:
        """Weighted divisors of the first mean."""
        return float(self.sums[0, :, 1] @ self.factor)

    def centres(self, value: float, class_weight: FloatArray) -> FloatArray:
        """Weighted mean of numerator - value x divisor in each stratum of the given weight."""
        gap = value - self.shift
        safe = np.where(class_weight > 0, class_weight, 1.0)
        return np.asarray((self.moments[:, 0] - gap * self.moments[:, 1]) / safe)

    def variance(self, value: float, rows: IntArray, centres: FloatArray) -> float:
        """Variance of the first mean; class shares held fixed where strata are classes.

        Parameters
        ----------
        rows : (strata,) int64
            Rows of each stratum.
        centres : (strata,) float64
            What the terms are centred at; zeros for one stratum, whose terms sum to 0.
        """
        gap = value - self.shift
        _, _, ee, ed, dd, e, d, ww, _ = self.moments.T
        squares = ee - 2.0 * gap * ed + gap * gap * dd
        squares += centres * centres * ww - 2.0 * centres * (e - gap * d)
        squares = np.maximum(squares, 0.0) * self.factor**2
        return stratum_variance(squares, rows) / self.whole**2


class _Pass:
    """The sums of one metric of one model, chunk by chunk, added in the order of chunks."""

    def __init__(self, cases: JudgedCases, terms: RowTerms) -> None:
        self.cases = cases
        self.terms = terms
        self.is_mean = terms.metric.spec.form == MetricForm.ROW_MEAN
        splits = terms.metric.is_prior_weighted and cases.factor is not None
        self.strata: AnyArray = cases.codes if splits else _NO_STRATA
        self.factor = cases.factor if splits and cases.factor is not None else _ONE_FACTOR
        self.means = terms.metric.means
        chunks, size = -(-len(cases) // CHUNK_ROWS), len(self.factor)
        self._sums = np.zeros((chunks, self.means, size, 2))
        self._moments = np.zeros((chunks, size if self.is_mean else 0, MOMENTS))
        self._marks = np.zeros((chunks, MARKS), dtype=np.int64)
        self._worst = np.zeros((chunks, 1))
        self._rooms = threading.local()
        self._first = self._blank(min(STRIP_ROWS, len(cases)))
        terms.fill(cases, 0, len(self._first[0][0]), *self._first)
        self._shift = self._start()

    def _blank(self, rows: int) -> tuple[FloatArray, FloatArray]:
        numerator, divisor = np.full((2, self.means, rows), np.nan)
        return numerator, divisor

    def _margin(self, rows: int) -> tuple[FloatArray, FloatArray]:
        """Room for the terms of a strip, NaN; a thread's own, kept for its next strips."""
        if rows < STRIP_ROWS:
            return self._blank(rows)
        if not hasattr(self._rooms, "kept"):
            self._rooms.kept = self._blank(STRIP_ROWS)
        kept: tuple[FloatArray, FloatArray] = self._rooms.kept
        return kept

    def _start(self) -> float:
        """The mean of the first strip, from which squares are counted; 0 where it has none."""
        numerator, divisor = self._first[0][0], self._first[1][0]
        below = float(divisor.sum())
        if not (self.is_mean and below > 0.0):
            return 0.0
        with np.errstate(all="ignore"):
            start = float(np.where(divisor == 0.0, 0.0, numerator * divisor).sum()) / below
        return start if np.isfinite(start) else 0.0

    def __call__(self, start: int, stop: int) -> None:
        for begin in range(start, stop, STRIP_ROWS):
            end = min(begin + STRIP_ROWS, stop)
            terms = self._margin(end - begin) if begin else self._first
            if begin:
                self.terms.fill(self.cases, begin, end, *terms)
            self._add(start // CHUNK_ROWS, begin, end, *terms)

    def _add(
        self, chunk: int, start: int, stop: int, numerator: FloatArray, divisor: FloatArray
    ) -> None:
        """Add the terms of one strip to the sums of its chunk, and clear them."""
        marks = self._marks[chunk]
        add_strip(
            numerator,
            divisor,
            self.cases.weight[start:stop],
            self.strata[start:stop],
            self._shift,
            start - chunk * CHUNK_ROWS,
            self._sums[chunk],
            self._moments[chunk],
            marks,
            self._worst[chunk],
        )
        refuse_unfilled(marks)

    def totals(self) -> RowTotals:
        """All sums, chunks added in their order."""
        run_chunks(self, (), len(self.cases))
        marks = self._marks.sum(axis=0)
        infinite = (0, 0, 0.0)
        if marks[NOT_FINITE]:
            chunk = int(np.argmax(self._marks[:, NOT_FINITE] > 0))
            row = chunk * CHUNK_ROWS + int(self._marks[chunk, FIRST])
            infinite = (int(marks[NOT_FINITE]), row, float(self._worst[chunk, 0]))
        sums, moments = np.cumsum(self._sums, axis=0)[-1], np.zeros((len(self.factor), MOMENTS))
        if self.is_mean:
            moments = np.cumsum(self._moments, axis=0)[-1]
            sums[0] = moments[:, [8, 1]]
        return RowTotals(
            sums=sums,
            moments=moments,
            shift=self._shift,
            factor=self.factor,
            infinite=infinite,
            has_unit_factor=not marks[NOT_ONE],
            is_share=not marks[NOT_SHARE],
        )


def row_totals(cases: JudgedCases, terms: RowTerms) -> RowTotals:
    """All sums of a metric's terms.

    Raises
    ------
    MetricRefusal
        Where the plugin leaves rows unfilled.
    """
    return _Pass(cases, terms).totals()


@dataclass(frozen=True, slots=True, eq=False)
class RowMean:
    """A mean over rows with its variance, and what each case adds to it, made again on need.

    ``by_unit`` holds these parts where whole groups or clusters are what is drawn.
    """

    terms: RowTerms
    value: float
    whole: float
    variance: float
    centres: FloatArray
    is_share: bool
    scale: float
    method: str = "exact variance"
    by_unit: CaseInfluence | None = None
    strata: AnyArray = field(default_factory=lambda: _NO_STRATA)

    def parts(
        self, cases: JudgedCases, numerator: FloatArray, divisor: FloatArray, start: int, stop: int
    ) -> FloatArray:
        """Influence of some rows from their terms, (rows,)."""
        parts = numerator - (self.value / self.scale) * divisor
        weight = cases.weight[start:stop] if len(cases.weight) else 1.0
        if len(self.strata):
            parts -= self.centres[self.strata[start:stop]]
            weight = cases.prior_weight[start:stop]
        parts *= weight * (self.scale / self.whole)
        return parts


def row_mean(cases: JudgedCases, terms: RowTerms, totals: RowTotals) -> RowMean:
    """The mean and its variance from the sums of a row_mean metric.

    Under priors class shares are held fixed: parts are centred within each class, and the classes
    are strata.

    Raises
    ------
    MetricRefusal
        Where no row has weight, or the column of what is drawn is missing.
    """
    value = float(totals.means()[0])
    if not np.isfinite(value):
        raise MetricRefusal("No row has weight in it.")
    spec = terms.metric.spec
    splits = len(totals.factor) > 1
    rows = cases.class_rows if splits else np.array([len(cases)], dtype=np.int64)
    centres = totals.centres(value, cases.class_frequency) if splits else np.zeros(1)
    scale = cases.total_weight if spec.aggregate == Aggregate.TOTAL else 1.0
    by_rows = spec.unit == ResampleUnit.ROW and cases.clusters is None
    found = RowMean(
        terms=terms,
        value=value * scale,
        whole=totals.whole,
        variance=totals.variance(value, rows, centres) * scale**2,
        centres=centres,
        is_share=by_rows and totals.is_share and not splits and spec.aggregate != Aggregate.TOTAL,
        scale=scale,
        strata=cases.codes if splits else _NO_STRATA,
    )
    return found if by_rows else _with_units(cases, found)


def mean_skewness(cases: JudgedCases, mean: RowMean) -> float:
    """Third cumulant of a mean over its standard error cubed; 0 for many rows."""
    if mean.by_unit is not None:
        parts = mean.by_unit.parts
        return _skewness(float(np.sum(parts**2)), float(np.sum(parts**3)))
    if len(cases) > SKEW_ROWS:
        return 0.0
    squares = cubes = 0.0
    for start, stop in chunks(len(cases)):
        numerator, divisor, _ = mean.terms.block(cases, start, stop)
        parts = mean.parts(cases, numerator[0], divisor[0], start, stop)
        squares += float(np.sum(parts**2))
        cubes += float(np.sum(parts**3))
    return _skewness(squares, cubes)


def _skewness(squares: float, cubes: float) -> float:
    return cubes / squares**1.5 if squares > 0.0 else 0.0


def _with_units(cases: JudgedCases, mean: RowMean) -> RowMean:
    """Parts added up over the groups or clusters that are drawn."""
    units = units_of(cases, mean.terms.metric)
    size = int(units.max()) + 1
    parts = np.zeros(size)
    for start, stop in chunks(len(cases)):
        numerator, divisor, _ = mean.terms.block(cases, start, stop)
        these = mean.parts(cases, numerator[0], divisor[0], start, stop)
        parts += np.bincount(units[start:stop], weights=these, minlength=size)
    method = mean.method if cases.clusters is None else f"{mean.method}, by cluster"
    influence = CaseInfluence(mean.value, parts, method=method)
    return replace(mean, variance=influence.variance(), method=method, by_unit=influence)


def units_of(cases: JudgedCases, metric: BoundMetric) -> IntArray:
    """The number of each case's unit.

    Raises
    ------
    MetricRefusal
        Where its column is missing.
    """
    units = cases.units_of(metric.spec.unit)
    if units is None:
        raise MetricRefusal(f"It needs a column with the role '{metric.spec.unit}'.")
    return units


@dataclass(frozen=True, slots=True, eq=False)
class PairedTable:
    """Two models that are right or wrong on the same unweighted cases.

    Attributes
    ----------
    only_first, only_second : int
        Cases that one of them has right alone.
    shared : int
        All cases that count.
    """

    only_first: int
    only_second: int
    shared: int

    def turned(self) -> PairedTable:
        """The same with the models exchanged."""
        return PairedTable(self.only_second, self.only_first, self.shared)

    @property
    def p_value(self) -> float:
        """McNemar's exact one."""
        return mcnemar_p_value(self.only_first, self.only_second)


@dataclass(frozen=True, slots=True, eq=False)
class PairedRows:
    """Two models on one metric: variance of the difference, and the table of shares or None."""

    variance: float
    table: PairedTable | None


class _PairPass:
    """Squares of paired differences of several models, chunk by chunk."""

    def __init__(self, cases: JudgedCases, means: dict[int, RowMean]) -> None:
        self.cases = cases
        self.means = means
        self.pairs = list(combinations(sorted(means), 2))
        first = next(iter(means.values()))
        self.strata = first.strata
        self.classes = cases.class_count if len(self.strata) else 1
        chunks = -(-len(cases) // CHUNK_ROWS)
        self.squares = np.zeros((chunks, len(self.pairs), self.classes))
        self.discordant = np.zeros((chunks, len(self.pairs), 4), dtype=np.int64)

    def __call__(self, start: int, stop: int) -> None:
        chunk = start // CHUNK_ROWS
        blocks = {
            place: mean.terms.block(self.cases, start, stop) for place, mean in self.means.items()
        }
        parts = {
            place: self.means[place].parts(self.cases, above[0], below[0], start, stop)
            for place, (above, below, _) in blocks.items()
        }
        for number, (first, second) in enumerate(self.pairs):
            gap = parts[first] - parts[second]
            if len(self.strata):
                self.squares[chunk, number] = np.bincount(
                    self.strata[start:stop], weights=gap * gap, minlength=self.classes
                )
            else:
                self.squares[chunk, number, 0] = np.dot(gap, gap)
            if self.means[first].is_share and self.means[second].is_share:
                ours, theirs = blocks[first], blocks[second]
                hit, other = ours[0][0] == 1.0, theirs[0][0] == 1.0
                self.discordant[chunk, number] = (
                    np.count_nonzero(hit & ~other),
                    np.count_nonzero(other & ~hit),
                    np.count_nonzero(ours[1][0] != theirs[1][0]),
                    np.count_nonzero(ours[1][0]),
                )

    def found(self) -> dict[tuple[int, int], PairedRows]:
        run_chunks(self, (), len(self.cases))
        squares, counts = self.squares.sum(axis=0), self.discordant.sum(axis=0)
        rows = self.cases.class_rows if len(self.strata) else np.array([len(self.cases)])
        answers = {}
        for number, (first, second) in enumerate(self.pairs):
            variance = stratum_variance(squares[number], rows)
            is_share = self.means[first].is_share and self.means[second].is_share
            # Shares of different cases (precision) have no discordant pairs.
            is_exact = is_share and not len(self.cases.weight) and not counts[number, 2]
            table = PairedTable(*(int(n) for n in counts[number, [0, 1, 3]])) if is_exact else None
            answers[first, second] = PairedRows(variance, table)
        return answers


def paired_rows(cases: JudgedCases, means: dict[int, RowMean]) -> dict[tuple[int, int], PairedRows]:
    """Every pair of models that have a mean, by their places in the table.

    McNemar's exact test (1947) is given for shares of the same unweighted cases.
    """
    if len(means) < 2:
        return {}
    return _PairPass(cases, means).found()
