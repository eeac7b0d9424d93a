"""Ranked metrics of experiments: read from sums along the ranking that a higher room adds up.

Metrics of the task "uplift" get sums by arm in place of events and others. The room of uplift
knows how to add them, so it is handed in as ``RankedSums``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.call_guard import CallGuard
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Column
from core.evaluation.problem import RankedSums
from payoff.counting import counted
from payoff.types import FloatArray
from payoff.vocabulary import Input


def reads_probabilities(metric: BoundMetric) -> bool:
    """Whether a metric wants the sums that the chance of treatment enters."""
    return Input.PROPENSITY in metric.spec.inputs


def measure_sums(guard: CallGuard, column: Column, sums: RankedSums) -> None:
    """Fill the values of a ranked metric of an experiment."""
    metric = column.metric
    for place, cell in enumerate(column.cells):
        if cell.note:
            continue
        whole = sums.whole(place, has_propensity=reads_probabilities(metric))
        binned = sums.binned(place, has_propensity=reads_probabilities(metric))
        found = guard.call(metric, cell, partial(metric.rank_values, whole))
        centre = guard.call(metric, cell, partial(metric.rank_values, binned))
        if found is None or centre is None:
            continue
        cell.value, cell.centre = float(found[0]), float(centre[0])
        cell.is_usable = bool(np.isfinite(cell.value))
        if not cell.is_usable:
            cell.note = "It is undefined for these cases."


def draw_sums(
    guard: CallGuard,
    cases: JudgedCases,
    columns: Sequence[Column],
    sums: RankedSums,
    draws: int,
    step: Callable[[float, str], None],
) -> None:
    """Fill the resamples of the ranked metrics of an experiment, paired over models."""
    if not any(cell.is_usable for column in columns for cell in column.cells):
        return
    has_propensity = any(reads_probabilities(column.metric) for column in columns)
    text = f"Resampling, {counted(draws, 'draw')}"
    blocks = sums.draws(
        draws,
        cases.problem.seed,
        has_propensity=has_propensity,
        should_stop=guard.should_stop,
        step=lambda part: step(part, text),
    )
    for first, by_model in blocks:
        for column in columns:
            rows = 10 if reads_probabilities(column.metric) else 4
            _spread(guard, column, first, [drawn[:rows] for drawn in by_model])


def _spread(guard: CallGuard, column: Column, first: int, by_model: list[FloatArray]) -> None:
    for cell, drawn in zip(column.cells, by_model, strict=True):
        if not cell.is_usable or cell.draws is None:
            continue
        found = guard.call(column.metric, cell, partial(column.metric.rank_values, drawn))
        kept = cell.draws[first : first + drawn.shape[1]]
        kept[:] = np.nan if found is None else found[: len(kept)]
