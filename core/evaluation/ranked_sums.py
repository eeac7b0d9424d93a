"""Ranked metrics of experiments: read from sums along the ranking that a higher room adds up.

Metrics of the task "uplift" get sums by arm in place of events and others. The room of uplift
knows how to add them, so it is handed in as ``RankedSums``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from core.evaluation.binding import BoundMetric
from core.evaluation.columns import Column
from payoff.types import FloatArray
from payoff.vocabulary import Input, MetricForm

if TYPE_CHECKING:
    from core.evaluation.host import MetricsHost


class RankedSums(Protocol):
    """Sums at the ends of groups of equal scores of every model, rows as in ``UpliftSum``."""

    def whole(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Of the cases as they are, (rows, 1, groups)."""

    def binned(self, model: int, *, has_propensity: bool) -> FloatArray:
        """The same at the ends of the bins that draws are made on, (rows, 1, bins)."""

    def draws(
        self,
        draws: int,
        seed: int,
        *,
        has_propensity: bool,
        should_stop: Callable[[], bool],
        step: Callable[[float], None],
    ) -> Iterator[tuple[int, list[FloatArray]]]:
        """Number of the first draw, and for every model (rows, lanes, bins)."""


def reads_chances(metric: BoundMetric) -> bool:
    """Whether a metric wants the sums that the chance of treatment enters."""
    return Input.PROPENSITY in metric.spec.inputs


def measure_sums(host: MetricsHost, column: Column, sums: RankedSums) -> None:
    """Fill the values of a ranked metric of an experiment."""
    metric = column.metric
    for place, cell in enumerate(column.cells):
        if cell.note:
            continue
        whole = sums.whole(place, has_propensity=reads_chances(metric))
        binned = sums.binned(place, has_propensity=reads_chances(metric))
        found = host.guarded(metric, cell, partial(metric.rank_values, whole))
        centre = host.guarded(metric, cell, partial(metric.rank_values, binned))
        if found is None or centre is None:
            continue
        cell.value, cell.centre = float(found[0]), float(centre[0])
        cell.is_usable = bool(np.isfinite(cell.value))
        if not cell.is_usable:
            cell.note = "It is undefined for these cases."


def draw_sums(
    host: MetricsHost, sums: RankedSums, draws: int, step: Callable[[float, str], None]
) -> None:
    """Fill the resamples of all ranked metrics of an experiment, paired over models."""
    columns = [c for c in host.columns if c.metric.spec.form == MetricForm.RANKED]
    if not any(cell.is_usable for column in columns for cell in column.cells):
        return
    has_propensity = any(reads_chances(column.metric) for column in columns)
    text = f"Resampling, {draws:,} draws"
    blocks = sums.draws(
        draws,
        host.cases.problem.seed,
        has_propensity=has_propensity,
        should_stop=host.should_stop,
        step=lambda part: step(part, text),
    )
    for first, by_model in blocks:
        for column in columns:
            rows = 10 if reads_chances(column.metric) else 4
            _spread(host, column, first, [drawn[:rows] for drawn in by_model])


def _spread(host: MetricsHost, column: Column, first: int, by_model: list[FloatArray]) -> None:
    for cell, drawn in zip(column.cells, by_model, strict=True):
        if not cell.is_usable or cell.draws is None:
            continue
        found = host.guarded(column.metric, cell, partial(column.metric.rank_values, drawn))
        kept = cell.draws[first : first + drawn.shape[1]]
        kept[:] = np.nan if found is None else found[: len(kept)]
