"""Paired differences: the reference model less each other model, on the same cases.

Kernels of paired differences: what two models' decisions bring on the same cases.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.decisions.depths.chance_curve import ProbabilityCurve, paired_probabilities
from core.decisions.depths.depth import DepthPoints
from core.decisions.depths.sums import acting_share, case_value
from core.decisions.passes.case_blocks import ByteArray, consequence
from core.decisions.passes.case_codes import coded_cases
from core.decisions.passes.cases import weighted_total
from core.decisions.passes.rating_kernels import DECISION, LEVEL, NO_CODE, ShortArray
from core.decisions.passes.workspace import AnalysisState, ModelState
from core.decisions.problem import Consequences
from core.decisions.uncertainty.intervals import METHOD, limits, range_p_value, range_weights
from core.document.results import Estimate, PairedDifference
from core.kernels import CHUNK_ROWS, parallel_kernel, prange
from payoff.types import FloatArray


@parallel_kernel
def rule_sums(
    parts: ByteArray,
    given: Consequences,
    frequency: FloatArray,
    first_code: ShortArray,
    second_code: ShortArray,
    sums: FloatArray,
) -> None:
    """``paired_sums`` where every case gets its own decision: most get the same from both."""
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    n = first_code.shape[0]
    for chunk in prange(sums.shape[0]):
        into = sums[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            first, second = np.int64(first_code[row]), np.int64(second_code[row])
            if first == second:  # also where both are left out
                continue
            ours, theirs = np.int64(parts[first, DECISION]), np.int64(parts[second, DECISION])
            if ours == theirs:
                continue
            level = np.int64(parts[first, LEVEL])
            difference = consequence(gain, cost_row, rate, costs, level, ours, row)
            difference -= consequence(gain, cost_row, rate, costs, level, theirs, row)
            weight = frequency[row] if frequency.shape[0] else 1.0
            into[level, 0] += weight * difference
            into[level, 1] += weight * difference * difference


@parallel_kernel
def paired_sums(
    acting: int,
    parts: ByteArray,
    worth: FloatArray,
    given: Consequences,
    frequency: FloatArray,
    first_code: ShortArray,
    first_key: FloatArray,
    first_cut: tuple[float, float, float],
    second_code: ShortArray,
    second_key: FloatArray,
    second_cut: tuple[float, float, float],
    sums: FloatArray,
) -> None:
    """Sums by class of the difference of two models at a depth, and of its square.

    A cut is (key of the last group within, share of it within, sign of the order). ``sums`` is
    (chunks, levels, 2), zero before.
    """
    cost_row, rate, costs = given.cost_row, given.rate, given.costs
    n = first_code.shape[0]
    for chunk in prange(sums.shape[0]):
        into = sums[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            first, second = np.int64(first_code[row]), np.int64(second_code[row])
            if first == NO_CODE:
                continue
            a = acting_share(first_key[row], first_cut[0], first_cut[1], first_cut[2])
            b = acting_share(second_key[row], second_cut[0], second_cut[1], second_cut[2])
            difference = case_value(
                row, first, parts, worth, cost_row, rate, costs, acting, False, a
            ) - case_value(row, second, parts, worth, cost_row, rate, costs, acting, False, b)
            weight = frequency[row] if frequency.shape[0] else 1.0
            level = np.int64(parts[first, LEVEL])
            into[level, 0] += weight * difference
            into[level, 1] += weight * difference * difference


TOTAL = "total profit"
AT_DEPTH = "profit at the same depth"


Cut = tuple[float, float]
"""Key of the last group of ties within a depth, and the share of it within."""


def other_models(state: AnalysisState) -> Iterator[tuple[int, ModelState]]:
    """Places and states of all models but the reference."""
    for place, model in enumerate(state.models):
        if place != state.reference:
            yield place, model


def cut_of(point: DepthPoints) -> Cut:
    """Where the depth ends in a model's order."""
    return float(point.cut[0]), float(point.fraction[0])


def total_differences(state: AnalysisState) -> tuple[PairedDifference, ...]:
    """Differences of totals when every case gets its own decision."""
    reference = state.models[state.reference]
    return tuple(total_difference(state, reference, model) for _, model in other_models(state))


def total_difference(
    state: AnalysisState, first: ModelState, second: ModelState
) -> PairedDifference:
    """Return the difference of two models' totals when every case gets its own decision."""
    return _difference(state, first, second, None, TOTAL)


def depth_differences(
    state: AnalysisState, points: tuple[DepthPoints, ...]
) -> tuple[PairedDifference, ...]:
    """Differences when each model's best cases are acted on to the same depth."""
    reference = state.models[state.reference]
    cut = cut_of(points[state.reference])
    return tuple(
        _difference(state, reference, model, (cut, cut_of(points[place])), AT_DEPTH)
        for place, model in other_models(state)
    )


def _difference(
    state: AnalysisState,
    first: ModelState,
    second: ModelState,
    cuts: tuple[Cut, Cut] | None,
    metric: str,
) -> PairedDifference:
    """The difference of two models; ``cuts`` None: every case gets its own decision."""
    if isinstance(first.curve, ProbabilityCurve) and isinstance(second.curve, ProbabilityCurve):
        sums = _probability_sums(first.curve, second.curve, cuts)
    else:
        sums = _coded_sums(state, first, second, cuts)
    value = weighted_total(state.class_weight, sums[:, 0])
    cases = state.rows.class_cases
    given = (
        state.class_weight,
        range_weights(state.problem, cases),
        cases,
        sums[:, 0],
        sums[:, 1],
        state.problem.priors is not None,
    )
    low, high = limits(*given)
    return PairedDifference(
        first=first.scores.name,
        second=second.scores.name,
        metric=metric,
        estimate=Estimate(
            value=value,
            low=float(low),
            high=float(high),
            method=METHOD,
            holds_fixed=state.holds_fixed,
        ),
        p_value=range_p_value(*given),
    )


def _probability_sums(
    first: ProbabilityCurve,
    second: ProbabilityCurve,
    cuts: tuple[Cut, Cut] | None,
) -> FloatArray:
    """Sums of the difference and its square by class, (levels, 2), from posteriors alone."""
    rows = first.ordering.key.shape[0]
    sums = np.zeros((-(-rows // CHUNK_ROWS), 2, 2))
    gain = np.column_stack([first.gain[:, 1], first.gain[:, 0] - first.gain[:, 1]])
    sign = first.ordering.sign
    everyone = (-sign * np.inf, 1.0)

    def both(curve: ProbabilityCurve, cut: Cut | None) -> tuple[float, float, float, float]:
        if cut is None:
            return (*everyone, *curve.rule_cut)
        return (*cut, *curve.rule_cut) if curve.is_firm else (*everyone, *cut)

    paired_probabilities(
        first.prefix.outcome,
        first.prefix.frequency,
        gain,
        first.ordering.key,
        both(first, cuts[0] if cuts else None),
        second.ordering.key,
        both(second, cuts[1] if cuts else None),
        sign,
        sums,
    )
    return np.asarray(sums.sum(axis=0))


def _coded_sums(
    state: AnalysisState, first: ModelState, second: ModelState, cuts: tuple[Cut, Cut] | None
) -> FloatArray:
    """The same from codes of cases, for any matrix."""
    one, other = coded_cases(state, first), coded_cases(state, second)
    given = state.problem.consequences
    sums = np.zeros((-(-one.code.shape[0] // CHUNK_ROWS), len(state.problem.levels), 2))
    if cuts is None:
        rule_sums(
            one.parts,
            given,
            one.frequency,
            one.code,
            other.code,
            sums,
        )
        return np.asarray(sums.sum(axis=0))
    (first_key, first_sign), (second_key, second_sign) = (
        (model.curve.ordering.key, model.curve.ordering.sign) for model in (first, second)
    )
    paired_sums(
        state.problem.acting_index,
        one.parts,
        one.worth,
        given,
        one.frequency,
        one.code,
        first_key,
        (*cuts[0], first_sign),
        other.code,
        second_key,
        (*cuts[1], second_sign),
        sums,
    )
    return np.asarray(sums.sum(axis=0))
