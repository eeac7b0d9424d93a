"""One column of the metric table: a metric's value for every model, and what its interval needs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from core.document.results import Estimate
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.problem import JudgedScores
from core.evaluation.rows.row_means import (
    PairedTable,
    RowMean,
    RowTerms,
    RowTotals,
    mean_skewness,
    paired_rows,
    row_mean,
    row_terms,
    row_totals,
    units_of,
)
from core.inference.delong import (
    CaseInfluence,
)
from core.inference.intervals import (
    FEW_UNITS,
    clopper_pearson,
    normal_estimate,
)
from core.inference.resampled import (
    draw_limits,
)
from payoff.counting import counted, counted_of
from payoff.intervals import wilson_interval
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import ClassAverage, Input, MetricForm, ResampleUnit

_NAN = float("nan")
_HELD = ((10, "93 to 99", "91 to 100"), (5, "92 to 99", "90 to 100"), (0, "88 to 100", "92 to 100"))
"""From how many cases of a class on; how many per cent of values and of differences held."""

_HELD_NOISE = "92 to 100"
ONE_UNIT = "A class has one case only: no interval can be given."


@dataclass(slots=True, eq=False)
class Measured:
    """One metric of one model.

    Attributes
    ----------
    value : float
        NaN with a ``note`` where there is none.
    analytic : Estimate or None
        The value with its analytic interval, where the metric has one.
    draws : (draws,) float64 or None
        Values of the resamples.
    centre : float
        What the resamples' own arithmetic gives for the data as they are.
    is_usable : bool
        Whether resamples of it mean anything.
    """

    model: str
    value: float = _NAN
    note: str = ""
    analytic: Estimate | None = None
    draws: FloatArray | None = None
    centre: float = _NAN
    is_usable: bool = False


@dataclass(slots=True, eq=False)
class Column:
    """One metric over all models; by positions of two models ``difference_variance`` and, for
    shares of the same cases, the ``tables`` that McNemar's exact test reads.
    """

    metric: BoundMetric
    cells: list[Measured]
    difference_variance: dict[tuple[int, int], float] = field(default_factory=dict)
    difference_method: str = ""
    tables: dict[tuple[int, int], PairedTable] = field(default_factory=dict)

    def index(self, model: str) -> int:
        """The position of a model."""
        return next(place for place, cell in enumerate(self.cells) if cell.model == model)


def failed(model: str, note: str) -> Measured:
    """A cell without a value."""
    return Measured(model=model, note=note)


def keep_differences(column: Column, influences: dict[int, CaseInfluence]) -> None:
    """Note the variance of every paired difference of models that have an influence."""
    places = sorted(influences)
    for position, first in enumerate(places):
        for second in places[position + 1 :]:
            ours, theirs = influences[first], influences[second]
            variance = ours.variance(ours.parts - theirs.parts)
            column.difference_variance[first, second] = variance
            column.difference_variance[second, first] = variance
            column.difference_method = ours.method


# ---------------------------------------------------------------- row means


MeasuredRows: TypeAlias = tuple[Measured, RowMean | None, RowTerms | None]


def measure_rows(cases: JudgedCases, metric: BoundMetric, model: JudgedScores) -> MeasuredRows:
    """Value, mean with variance and draw terms of a row_mean or smooth metric.

    Raises
    ------
    MetricRefusal
        Where rows carry no weight, or a needed column is missing.
    """
    terms = row_terms(cases, metric, model)
    totals = row_totals(cases, terms)
    if totals.infinite[0]:
        return _infinite(cases, model, *totals.infinite), None, None
    terms = replace(terms, has_unit_factor=totals.has_unit_factor)
    if metric.spec.form == MetricForm.SMOOTH:
        value = float(metric.combined(totals.means()[:, np.newaxis])[0])
        usable = bool(np.isfinite(value))
        note = "" if usable else "It is undefined for these cases."
        return Measured(model.name, value, note, centre=value, is_usable=usable), None, terms
    mean = row_mean(cases, terms, totals)
    measured = Measured(model.name, mean.value, is_usable=True, centre=mean.value)
    measured.analytic = (
        _share_estimate(cases, mean.value, totals) if mean.is_share else _mean_estimate(cases, mean)
    )
    return measured, mean, terms


def _infinite(
    cases: JudgedCases,
    model: JudgedScores,
    number: int,
    row: int,
    worst: float,
) -> Measured:
    more = f" and {number - 1:,} more" if number > 1 else ""
    what = "infinite" if np.isinf(worst) else "undefined"
    note = f"It is {what}: {cases.problem.row_text(row)}{more}."
    return Measured(model.name, worst if np.isinf(worst) else _NAN, note=note)


def _share_estimate(cases: JudgedCases, value: float, totals: RowTotals) -> Estimate:
    """A share with its exact binomial interval; under weights Wilson's, at the effective cases."""
    above, below = totals.sums[0, 0]
    if len(cases.weight):
        number = float(below**2 / totals.moments[0, 4])
        lows, highs = wilson_interval(np.array([value]), np.array([number]))
        return Estimate(value=value, low=float(lows[0]), high=float(highs[0]), method="Wilson")
    low, high = clopper_pearson(float(above), float(below))
    return Estimate(value=value, low=low, high=high, method="exact binomial")


def _mean_estimate(cases: JudgedCases, mean: RowMean) -> Estimate:
    metric = mean.terms.metric
    holds = cases.holds_fixed() if metric.is_prior_weighted else ""
    bounds = metric.spec.value_range
    estimate = normal_estimate(
        mean.value,
        mean.variance,
        method=mean.method,
        bounds=bounds,
        skewness=0.0 if is_money(metric) else mean_skewness(cases, mean),
    )
    return replace(estimate, holds_fixed=holds)


def keep_row_differences(cases: JudgedCases, column: Column, means: dict[int, RowMean]) -> None:
    """Note the variance of every paired difference, and McNemar's p-value where it is exact."""
    by_unit = {place: mean.by_unit for place, mean in means.items() if mean.by_unit is not None}
    if by_unit:
        keep_differences(column, by_unit)
        return
    for (first, second), pair in paired_rows(cases, means).items():
        for places in ((first, second), (second, first)):
            column.difference_variance[places] = pair.variance
        if pair.table is not None:
            column.tables[first, second] = pair.table
            column.tables[second, first] = pair.table.turned()
        column.difference_method = means[first].method


def by_unit(cases: JudgedCases, metric: BoundMetric, influence: CaseInfluence) -> CaseInfluence:
    """Add parts up over groups or clusters, where those are what is drawn."""
    if metric.spec.unit == ResampleUnit.ROW and cases.clusters is None:
        return influence
    parts = np.bincount(units_of(cases, metric), weights=influence.parts).astype(np.float64)
    method = influence.method if cases.clusters is None else f"{influence.method}, by cluster"
    return CaseInfluence(influence.value, parts, method=method)


def is_money(metric: BoundMetric) -> bool:
    """Whether it is an amount that stands on page Decide too, with the same symmetric limits."""
    return Input.CONSEQUENCES in metric.spec.inputs


def few_words(
    cases: JudgedCases, metric: BoundMetric, units: float, *, is_difference: bool = False
) -> str:
    """What is said of an interval that is rough: how often such ones held the truth, in per cent.

    The figures are those of docs/evaluation.md, "Do the intervals hold?".
    """
    spec = metric.spec
    if is_difference and spec.is_maximum and spec.form == MetricForm.GENERAL:
        return (
            "Chance raises both values, and not alike: in trials such intervals of a difference "
            f"held the truth in {_HELD_NOISE} % of samples, not in 95 %."
        )
    if units >= FEW_UNITS:
        return ""
    if cases.clusters is not None or not cases.has_classes:
        words = ("cluster", "clusters") if cases.clusters is not None else cases.problem.case_word
        return f"Only {counted(units, *words)}: the interval is rough."
    held = next(words for least, *words in _HELD if units >= least)[int(is_difference)]
    return (
        f"Only {counted(units, *cases.problem.case_word)} of a class: in trials with so "
        "few, intervals "
        f"{'of differences ' if is_difference else ''}held the truth in {held} % of samples, "
        "not in 95 %."
    )


def fewest_units(cases: JudgedCases, metric: BoundMetric) -> int:
    """How many units an interval from draws rests on: of classes those of the smaller side.

    A ranking sets the event against all others, its averages over classes each class; a metric of
    the whole table of three classes and more counts all cases.
    """
    spec = metric.spec
    is_averaged = spec.over_classes != ClassAverage.EVENT
    key = ("units", str(spec.unit), spec.form == MetricForm.RANKED, is_averaged)
    return cases.counted(key, lambda: _count_units(cases, metric))


def whole_units(cases: JudgedCases, metric: BoundMetric) -> int:
    """How many units a mean over all cases rests on: rows, groups or clusters."""
    units = _drawn_units(cases, metric)
    if units is None:
        return len(cases)
    key = ("units", str(metric.spec.unit))
    return cases.counted(key, lambda: len(np.unique(units)))


def _drawn_units(cases: JudgedCases, metric: BoundMetric) -> IntArray | None:
    """The number of each case's group or cluster; None where each case is a unit."""
    is_plain = metric.spec.unit == ResampleUnit.ROW and cases.clusters is None
    return None if is_plain else cases.units_of(metric.spec.unit)


def _count_units(cases: JudgedCases, metric: BoundMetric) -> int:
    units = _drawn_units(cases, metric)

    def number(chosen: BoolArray) -> int:
        return len(np.unique(units[chosen])) if units is not None else 0

    rows = cases.class_rows
    is_ranked = metric.spec.form == MetricForm.RANKED
    if not cases.has_classes or (cases.class_count > 2 and not is_ranked):
        return len(cases) if units is None else len(np.unique(units))
    if metric.spec.over_classes == ClassAverage.EVENT or cases.class_count <= 2:
        if units is None:
            return int(min(rows[0], rows[1:].sum()))
        return min(number(cases.codes == 0), number(cases.codes != 0))
    present = np.flatnonzero(rows)
    if units is None:
        return int(rows[present].min())
    return min(number(cases.codes == code) for code in present)


# ---------------------------------------------------------------- estimates


def estimate_of(cases: JudgedCases, metric: BoundMetric, measured: Measured) -> Estimate:
    """The cell as it can be shown now: analytic, resampled, or waiting for its resamples."""
    estimate = _as_measured(cases, metric, measured)
    beyond = _beyond_range(metric, estimate.value)
    return replace(estimate, note=f"{estimate.note} {beyond}".strip()) if beyond else estimate


def _beyond_range(metric: BoundMetric, value: float) -> str:
    """What is said of a value that the metric's own spec rules out; empty where it does not."""
    low, high = metric.spec.value_range
    slack = 1e-9 * max(1.0, abs(value))  # of rounding, as the conformance kit allows
    if not np.isfinite(value) or low - slack <= value <= high + slack:
        return ""
    return f"It lies outside {low:g} to {high:g}, the range that its plugin announces."


def _as_measured(cases: JudgedCases, metric: BoundMetric, measured: Measured) -> Estimate:
    holds = cases.holds_fixed() if metric.is_prior_weighted else ""
    if measured.analytic is not None:
        return measured.analytic
    if measured.draws is None or not measured.is_usable:
        return Estimate(
            value=measured.value, low=_NAN, high=_NAN, note=measured.note, holds_fixed=holds
        )
    units = fewest_units(cases, metric)
    low, high = draw_limits(
        measured.value,
        measured.draws,
        measured.centre,
        units=units,
        is_maximum=metric.spec.is_maximum,
    )
    bottom, top = metric.spec.value_range
    usable = int(np.isfinite(measured.draws).sum())
    note = measured.note
    if units < 2:
        note = f"{note} {ONE_UNIT}".strip()
    elif np.isfinite(low) and low < high:
        note = f"{note} {few_words(cases, metric, units)}".strip()
    elif np.isnan(low) and not note:
        note = (
            f"Only {counted_of(usable, len(measured.draws), 'resample', verbs='has/have')} a value."
        )
    if low == high and not note:
        note = "Every resample gives the same value: the interval is too narrow."
    return Estimate(
        value=measured.value,
        low=float(np.clip(low, bottom, top)),
        high=float(np.clip(high, bottom, top)),
        method=f"Poisson bootstrap, {counted(usable, 'draw')}{cases.drawn_words}",
        holds_fixed=holds,
        note=note,
    )
