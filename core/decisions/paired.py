"""Paired differences: the reference model less each other model, on the same cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.decisions.cases import weighted_total
from core.decisions.depth import DepthPoints
from core.decisions.depth_kernels import paired_sums
from core.decisions.intervals import METHOD, interval_of, p_value_of, total_variance
from core.decisions.workspace import AnalysisState, ModelState
from core.document.results import Estimate, PairedDifference
from core.kernels import CHUNK_ROWS

TOTAL = "total profit"
AT_DEPTH = "profit at the same depth"

Cut = tuple[float, float, float]
NO_CUT: Cut = (0.0, 0.0, 1.0)


def other_models(state: AnalysisState) -> Iterator[tuple[int, ModelState]]:
    """Places and states of all models but the reference."""
    for place, model in enumerate(state.models):
        if place != state.reference:
            yield place, model


def cut_of(model: ModelState, point: DepthPoints) -> Cut:
    """Where the depth ends in a model's order, as the kernels read it."""
    return float(point.cut[0]), float(point.fraction[0]), model.curve.ordering.sign


def total_differences(state: AnalysisState) -> tuple[PairedDifference, ...]:
    """Differences of totals when every case gets its own decision."""
    reference = state.models[state.reference]
    return tuple(
        _difference(state, reference, model, None, None, TOTAL) for _, model in other_models(state)
    )


def depth_differences(
    state: AnalysisState, points: tuple[DepthPoints, ...]
) -> tuple[PairedDifference, ...]:
    """Differences when each model's best cases are acted on to the same depth."""
    reference = state.models[state.reference]
    cut = cut_of(reference, points[state.reference])
    return tuple(
        _difference(state, reference, model, cut, cut_of(model, points[place]), AT_DEPTH)
        for place, model in other_models(state)
    )


def _difference(
    state: AnalysisState,
    first: ModelState,
    second: ModelState,
    first_cut: Cut | None,
    second_cut: Cut | None,
    metric: str,
) -> PairedDifference:
    cases = first.curve.cases
    given = cases.consequences
    sums = np.zeros((-(-cases.code.shape[0] // CHUNK_ROWS), len(state.problem.levels), 2))
    paired_sums(
        first_cut is None,
        cases.acting,
        cases.parts,
        cases.worth,
        given.cost_row,
        given.costs,
        cases.frequency,
        cases.code,
        first.curve.ordering.key,
        first_cut or NO_CUT,
        second.curve.cases.code,
        second.curve.ordering.key,
        second_cut or NO_CUT,
        sums,
    )
    added = sums.sum(axis=0)
    value = weighted_total(state.class_weight, added[:, 0])
    variance = float(
        total_variance(
            state.class_weight,
            state.rows.class_cases,
            added[:, 0],
            added[:, 1],
            state.problem.priors is not None,
        )
    )
    low, high = interval_of(value, variance)
    return PairedDifference(
        first=first.scores.name,
        second=second.scores.name,
        metric=metric,
        estimate=Estimate(
            value=value, low=low, high=high, method=METHOD, holds_fixed=state.holds_fixed
        ),
        p_value=p_value_of(value, variance),
    )
