"""Paired comparison of two models on the same cases, and the marks "best" and "tied"."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.document.results import Estimate, MetricCell, PairedDifference
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import (
    ONE_UNIT,
    Column,
    Measured,
    estimate_of,
    few_words,
    fewest_units,
    is_money,
    whole_units,
)
from core.evaluation.rows.row_means import PairedTable
from core.inference.intervals import (
    FEW_UNITS,
    MANY_UNITS,
    holm_p_values,
    paired_share_limits,
)
from core.inference.normal import CONFIDENCE, normal_interval
from core.inference.resampled import (
    FEWEST_DRAWS,
    draw_difference,
    spread_difference,
)
from payoff.counting import counted
from payoff.errors import no_such
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import Direction, MetricForm

_NAN = float("nan")
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceError:
    """The standard error of a paired difference, NaN without one; the units that it rests on."""

    error: float
    units: int
    method: str


def difference(cases: JudgedCases, column: Column, first: str, second: str) -> PairedDifference:
    """First model less second on one metric.

    Analytic where both have it (for the AUC the paired test of DeLong, DeLong and Clarke-Pearson
    1988, for means the variance of the paired differences), else from the same resamples.

    Raises
    ------
    PayoffError
        For a model that is not there.
    """
    ours, theirs = _cell(column, first), _cell(column, second)
    ahead, level, resamples = _ahead(column, ours, theirs)
    estimate, p_value = _estimate(cases, column, ours, theirs)
    if math.isnan(p_value):  # what gives no interval, as a single event, makes nothing sure
        ahead = level = resamples = 0
    holds = cases.holds_fixed() if column.metric.is_prior_weighted else ""
    return PairedDifference(
        first=first,
        second=second,
        metric=column.metric.key,
        estimate=replace(estimate, holds_fixed=holds),
        p_value=p_value,
        ahead=ahead,
        level=level,
        resamples=resamples,
    )


def difference_error(
    cases: JudgedCases,
    column: Column,
    first: str,
    second: str,
) -> DifferenceError:
    """The standard error behind ``difference``: the same variance, else the same resamples.

    Raises
    ------
    PayoffError
        For a model that is not there.
    """
    ours, theirs = _cell(column, first), _cell(column, second)
    is_mean = column.metric.spec.form == MetricForm.ROW_MEAN
    units = (whole_units if is_mean else fewest_units)(cases, column.metric)
    variance = _variance(column, ours, theirs)
    if variance is not None:
        return DifferenceError(error=variance**0.5, units=units, method=_analytic(column))
    if ours.draws is None or theirs.draws is None:
        return DifferenceError(error=_NAN, units=units, method="")
    differences = ours.draws - theirs.draws
    usable = differences[np.isfinite(differences)]
    error = float(usable.std(ddof=1)) if len(usable) >= FEWEST_DRAWS else _NAN
    method = f"spread of {_drawn(cases, len(usable))}"
    return DifferenceError(error=error, units=units, method=method)


def _variance(column: Column, ours: Measured, theirs: Measured) -> float | None:
    """The analytic variance of the difference; None where there is none."""
    if ours.model == theirs.model:
        return 0.0
    place = column.index(ours.model), column.index(theirs.model)
    variance = column.difference_variance.get(place)
    return None if variance is None or np.isnan(variance) else variance


def _analytic(column: Column) -> str:
    return f"{column.difference_method}, paired".removeprefix(", ")


def _drawn(cases: JudgedCases, number: int) -> str:
    return f"Poisson bootstrap, {counted(number, 'draw')}{cases.drawn_words}, paired"


def _cell(column: Column, model: str) -> Measured:
    for cell in column.cells:
        if cell.model == model:
            return cell
    names = [cell.model for cell in column.cells]
    raise no_such("model", model, names, listed="Known models")


def is_level(first: FloatArray, second: FloatArray) -> BoolArray:
    """Where two values are the same but for rounding."""
    return np.asarray(np.isclose(first, second, rtol=_ROUNDING, atol=0.0))


def _ahead(column: Column, ours: Measured, theirs: Measured) -> tuple[int, int, int]:
    """Resamples in which the first is better, both are level, and both have a value."""
    if ours.draws is None or theirs.draws is None:
        return 0, 0, 0
    usable = np.isfinite(ours.draws - theirs.draws)
    first, second = ours.draws[usable], theirs.draws[usable]
    level = is_level(first, second)
    better = first < second if column.metric.spec.direction == Direction.LOWER else first > second
    return int(np.count_nonzero(better & ~level)), int(level.sum()), len(first)


def _estimate(
    cases: JudgedCases, column: Column, ours: Measured, theirs: Measured
) -> tuple[Estimate, float]:
    value = ours.value - theirs.value
    if not np.isfinite(value):
        note = ours.note or theirs.note or "A value is infinite or undefined."
        return Estimate(value=_NAN, low=_NAN, high=_NAN, note=note), _NAN
    place = column.index(ours.model), column.index(theirs.model)
    variance = _variance(column, ours, theirs)
    if variance is not None:
        return _from_variance(cases, column, place, value, variance)
    if ours.draws is None or theirs.draws is None:
        return Estimate(value=value, low=_NAN, high=_NAN), _NAN
    differences = ours.draws - theirs.draws
    units = fewest_units(cases, column.metric)
    low, high, p_value = draw_difference(
        value,
        differences,
        ours.centre - theirs.centre,
        units=units,
        is_maximum=column.metric.spec.is_maximum,
    )
    method = _drawn(cases, int(np.isfinite(differences).sum()))
    if units < FEW_UNITS:
        method = f"{method}, Student's t"
    note = ONE_UNIT if units < 2 else few_words(cases, column.metric, units, is_difference=True)
    return Estimate(value=value, low=low, high=high, method=method, note=note), p_value


def _from_variance(
    cases: JudgedCases, column: Column, place: tuple[int, int], value: float, variance: float
) -> tuple[Estimate, float]:
    """The interval and p-value of a difference whose variance is known."""
    method = _analytic(column)
    table = column.tables.get(place)
    if table is not None:
        low, high = _in_accord(*normal_interval(value, math.sqrt(variance)), table)
        method = f"{method}; McNemar, exact"
        return Estimate(value=value, low=low, high=high, method=method), table.p_value
    units = MANY_UNITS if is_money(column.metric) else fewest_units(cases, column.metric)
    if units < FEW_UNITS:
        method = f"{method}, Student's t"
    low, high, p_value = spread_difference(value, variance, units)
    note = few_words(cases, column.metric, units, is_difference=True)
    return Estimate(value=value, low=low, high=high, method=method, note=note), p_value


def _in_accord(low: float, high: float, table: PairedTable) -> tuple[float, float]:
    """The interval of a difference of shares, so that it agrees with McNemar's exact p-value.

    It reaches to 0 where that does not rule 0 out. With fewer than 30 cases, or without a case on
    which the models differ, it is that of Agresti and Min (2005).
    """
    if table.shared < FEW_UNITS or low == high == 0.0:
        low, high = paired_share_limits(table.only_first, table.only_second, table.shared)
    if table.p_value < 1.0 - CONFIDENCE:
        return low, high
    return min(low, 0.0), max(high, 0.0)


def reference_differences(
    cases: JudgedCases, columns: list[Column], reference: str
) -> tuple[PairedDifference, ...]:
    """The reference model against every other model on every metric."""
    others = [model.name for model in cases.problem.models if model.name != reference]
    found: list[PairedDifference] = []
    for column in columns:
        found += adjusted([difference(cases, column, reference, other) for other in others])
    return tuple(found)


def all_differences(cases: JudgedCases, column: Column) -> tuple[PairedDifference, ...]:
    """Every pair of models on one metric, p-values adjusted for all of them (Holm 1979)."""
    names = [cell.model for cell in column.cells]
    pairs = [
        difference(cases, column, first, second)
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]
    return tuple(adjusted(pairs))


def adjusted(pairs: list[PairedDifference]) -> list[PairedDifference]:
    """The same differences with p-values adjusted for their number (Holm 1979)."""
    p_values = holm_p_values(np.array([pair.p_value for pair in pairs], dtype=np.float64))
    return [
        replace(pair, p_adjusted=float(value)) for pair, value in zip(pairs, p_values, strict=True)
    ]


def marked_cells(cases: JudgedCases, column: Column) -> tuple[MetricCell, ...]:
    """The column's cells with the best marked, and those not distinguishable from it.

    Tied = the paired p-value against the best is 0.05 or more.
    """
    direction = column.metric.spec.direction
    values = np.array([cell.value for cell in column.cells])
    comparable = ~np.isnan(values)
    best = _NAN
    if direction != Direction.NONE and comparable.sum() > 1:
        best = float(np.nanmin(values) if direction == Direction.LOWER else np.nanmax(values))
    leader = next((cell.model for cell in column.cells if cell.value == best), None)
    cells = []
    for cell in column.cells:
        is_best = cell.value == best
        is_tied = False
        if leader is not None and not is_best and np.isfinite(cell.value):
            p_value = difference(cases, column, leader, cell.model).p_value
            is_unsure = math.isnan(p_value) and cell.draws is not None
            is_tied = is_unsure or p_value >= 1.0 - CONFIDENCE
        cells.append(
            MetricCell(
                metric=column.metric.key,
                model=cell.model,
                estimate=estimate_of(cases, column.metric, cell),
                is_best=is_best,
                is_tied=bool(is_tied),
            )
        )
    return tuple(cells)
