"""One column of the metric table: a metric's value for every model, and what its interval needs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.document.results import Estimate
from core.evaluation.binding import BoundMetric, MetricRefusal
from core.evaluation.cases import Cases
from core.evaluation.intervals import (
    Influence,
    draw_limits,
    effective_cases,
    exact_binomial,
    mcnemar_p_value,
    normal_estimate,
    wilson_interval,
)
from core.evaluation.problem import ModelScores
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import Aggregate, MetricForm, ResampleUnit

_NAN = float("nan")


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
    hits : (n,) int8 or None
        Of a share of cases: 1 counted, 0 not, -1 not among the cases it is a share of.
    """

    model: str
    value: float = _NAN
    note: str = ""
    analytic: Estimate | None = None
    draws: FloatArray | None = None
    centre: float = _NAN
    is_usable: bool = False
    hits: NDArray[np.int8] | None = None


@dataclass(slots=True, eq=False)
class Column:
    """One metric over all models; by positions of two models ``difference_variance`` and, where a
    test of its own is exact, ``p_values`` (McNemar's).
    """

    metric: BoundMetric
    cells: list[Measured]
    difference_variance: dict[tuple[int, int], float] = field(default_factory=dict)
    difference_method: str = ""
    p_values: dict[tuple[int, int], float] = field(default_factory=dict)

    def index(self, model: str) -> int:
        """The position of a model."""
        return next(place for place, cell in enumerate(self.cells) if cell.model == model)


def failed(model: str, note: str) -> Measured:
    """A cell without a value."""
    return Measured(model=model, note=note)


def keep_differences(column: Column, influences: dict[int, Influence]) -> None:
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


@dataclass(frozen=True, slots=True, eq=False)
class RowTerms:
    """What one row_mean or smooth metric adds up for one model, block by block."""

    metric: BoundMetric
    model: ModelScores
    prediction: FloatArray
    has_unit_factor: bool

    def block(self, cases: Cases, start: int, stop: int) -> tuple[FloatArray, FloatArray]:
        """Numerators and divisors of rows ``start`` to ``stop``, (means, rows) each."""
        extras = tuple(
            np.ascontiguousarray(column[start:stop])
            for column in self.metric.extras(cases, self.model)
        )
        prediction = np.ascontiguousarray(self.prediction[:, start:stop])
        outcome = np.ascontiguousarray(cases.outcome[start:stop])
        return self.metric.row_values(outcome, prediction, extras)


def row_prediction(cases: Cases, metric: BoundMetric, model: ModelScores) -> FloatArray:
    """Chances or predictions that a row metric reads."""
    if metric.is_prior_weighted and cases.has_classes:
        return cases.chances(model)
    return cases.fit_chances(model)


def measure_rows(
    cases: Cases, metric: BoundMetric, model: ModelScores
) -> tuple[Measured, Influence | None, RowTerms | None]:
    """Value, influence and draw terms of a row_mean or smooth metric.

    Raises
    ------
    MetricRefusal
        Where rows carry no weight, or a needed column is missing.
    """
    prediction = row_prediction(cases, metric, model)
    numerator, divisor = metric.row_values(cases.outcome, prediction, metric.extras(cases, model))
    infinite: BoolArray = np.asarray(~np.isfinite(numerator).all(axis=0))
    if infinite.any():
        return _infinite(cases, model, numerator, infinite), None, None
    terms = RowTerms(metric, model, prediction, bool((divisor == 1.0).all()))
    means = _means(cases, metric, numerator, divisor)
    if metric.spec.form == MetricForm.SMOOTH:
        value = float(metric.combined(means[:, np.newaxis])[0])
        usable = bool(np.isfinite(value))
        note = "" if usable else "It is undefined for these cases."
        return Measured(model.name, value, note, centre=value, is_usable=usable), None, terms
    if not np.isfinite(means[0]):
        raise MetricRefusal("No row has weight in it.")
    influence = ratio_influence(cases, metric, numerator[0], divisor[0])
    scale = cases.total_weight if metric.spec.aggregate == Aggregate.TOTAL else 1.0
    influence = replace(influence, value=influence.value * scale, parts=influence.parts * scale)
    measured = Measured(model.name, influence.value, is_usable=True, centre=influence.value)
    if _is_share(cases, metric, numerator[0], divisor[0]):
        measured.analytic = share_estimate(cases, influence.value, numerator[0], divisor[0])
        measured.hits = numerator[0].astype(np.int8) - (divisor[0] == 0.0)
        return measured, influence, terms
    measured.analytic = _mean_estimate(cases, metric, influence)
    return measured, influence, terms


def _infinite(
    cases: Cases, model: ModelScores, numerator: FloatArray, infinite: BoolArray
) -> Measured:
    row = int(np.argmax(infinite))
    number = int(np.count_nonzero(infinite))
    more = f" and {number - 1:,} more" if number > 1 else ""
    worst = float(numerator[:, row].sum())
    what = "infinite" if np.isinf(worst) else "undefined"
    note = f"It is {what}: {cases.problem.row_text(row)}{more}."
    return Measured(model.name, worst if np.isinf(worst) else _NAN, note=note)


def _means(
    cases: Cases, metric: BoundMetric, numerator: FloatArray, divisor: FloatArray
) -> FloatArray:
    """Weighted ratio of sums per mean, (means,)."""
    weight = _row_weight(cases, metric)
    if weight is None:
        above, below = numerator.sum(axis=1), divisor.sum(axis=1)
    else:
        above, below = numerator @ weight, divisor @ weight
    return np.asarray(np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0))


def _row_weight(cases: Cases, metric: BoundMetric) -> FloatArray | None:
    if metric.is_prior_weighted and cases.factor is not None:
        return cases.prior_weight
    return cases.weight if len(cases.weight) else None


def ratio_influence(
    cases: Cases, metric: BoundMetric, numerator: FloatArray, divisor: FloatArray
) -> Influence:
    """Influence of each case on sum(w * numerator) / sum(w * divisor).

    Under priors class shares are held fixed: parts are centred within each class, and the classes
    are strata.
    """
    weight = _row_weight(cases, metric)
    whole = float(divisor.sum() if weight is None else divisor @ weight)
    value = float((numerator.sum() if weight is None else numerator @ weight) / whole)
    parts = numerator - value * divisor
    strata: IntArray | None = None
    if metric.is_prior_weighted and cases.factor is not None:
        strata = cases.codes.astype(np.int64)
        frequency = cases.weight if len(cases.weight) else None
        sums = np.bincount(strata, weights=parts * (1.0 if frequency is None else frequency),
                           minlength=cases.class_count)  # fmt: skip
        parts -= (sums / np.maximum(cases.class_frequency, np.finfo(float).tiny))[strata]
    parts *= (1.0 if weight is None else weight) / whole
    influence = Influence(value, parts, strata)
    return by_unit(cases, metric, influence)


def by_unit(cases: Cases, metric: BoundMetric, influence: Influence) -> Influence:
    """Add parts up over groups or clusters, where those are what is drawn."""
    if metric.spec.unit == ResampleUnit.ROW and cases.clusters is None:
        return influence
    units = cases.units_of(metric.spec.unit)
    if units is None:
        raise MetricRefusal(f"It needs a column with the role '{metric.spec.unit}'.")
    parts = np.bincount(units, weights=influence.parts).astype(np.float64)
    method = influence.method if cases.clusters is None else f"{influence.method}, by cluster"
    return Influence(influence.value, parts, method=method)


def _is_share(
    cases: Cases, metric: BoundMetric, numerator: FloatArray, divisor: FloatArray
) -> bool:
    """Whether a mean is a plain share of independent cases."""
    if metric.spec.unit != ResampleUnit.ROW or metric.spec.aggregate == Aggregate.TOTAL:
        return False
    if cases.clusters is not None or (metric.is_prior_weighted and cases.factor is not None):
        return False
    return is_zero_one(numerator) and is_zero_one(divisor)


def is_zero_one(values: FloatArray) -> bool:
    """Whether all values are 0 or 1."""
    return bool(((values == 0.0) | (values == 1.0)).all())


def share_estimate(
    cases: Cases, value: float, numerator: FloatArray, divisor: FloatArray
) -> Estimate:
    """A share with its exact binomial interval; under weights Wilson's, at the effective cases."""
    if len(cases.weight):
        number = effective_cases(cases.weight[divisor == 1.0])
        lows, highs = wilson_interval(np.array([value]), np.array([number]))
        return Estimate(value=value, low=float(lows[0]), high=float(highs[0]), method="Wilson")
    low, high = exact_binomial(float(numerator.sum()), float(divisor.sum()))
    return Estimate(value=value, low=low, high=high, method="exact binomial")


def keep_exact_tests(cases: Cases, column: Column) -> None:
    """McNemar's exact test for shares of the same unweighted cases."""
    if len(cases.weight):
        return
    for first, ours in enumerate(column.cells):
        for second in range(first + 1, len(column.cells)):
            theirs = column.cells[second]
            if ours.hits is None or theirs.hits is None:
                continue
            if not np.array_equal(ours.hits < 0, theirs.hits < 0):
                continue  # shares of different cases (precision)
            only_first = int(np.count_nonzero((ours.hits == 1) & (theirs.hits == 0)))
            only_second = int(np.count_nonzero((ours.hits == 0) & (theirs.hits == 1)))
            p_value = mcnemar_p_value(only_first, only_second)
            column.p_values[first, second] = column.p_values[second, first] = p_value


def _mean_estimate(cases: Cases, metric: BoundMetric, influence: Influence) -> Estimate:
    holds = cases.holds_fixed() if metric.is_prior_weighted else ""
    estimate = normal_estimate(
        influence.value, influence.variance(), method=influence.method,
        bounds=metric.spec.value_range,
    )  # fmt: skip
    return replace(estimate, holds_fixed=holds)


# ---------------------------------------------------------------- estimates


def estimate_of(cases: Cases, metric: BoundMetric, measured: Measured) -> Estimate:
    """The cell as it can be shown now: analytic, resampled, or waiting for its resamples."""
    holds = cases.holds_fixed() if metric.is_prior_weighted else ""
    if measured.analytic is not None:
        return measured.analytic
    if measured.draws is None or not measured.is_usable:
        return Estimate(
            value=measured.value, low=_NAN, high=_NAN, note=measured.note, holds_fixed=holds
        )
    low, high = draw_limits(measured.value, measured.draws, measured.centre)
    bottom, top = metric.spec.value_range
    usable = int(np.isfinite(measured.draws).sum())
    note = measured.note
    if np.isnan(low) and not note:
        note = f"Only {usable:,} of {len(measured.draws):,} resamples have a value."
    if low == high and not note:
        note = "Every resample gives the same value: the interval is too narrow."
    return Estimate(
        value=measured.value,
        low=float(np.clip(low, bottom, top)),
        high=float(np.clip(high, bottom, top)),
        method=f"Poisson bootstrap, {usable:,} draws{cases.drawn_words}",
        holds_fixed=holds,
        note=note,
    )
