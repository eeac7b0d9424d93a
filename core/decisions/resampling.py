"""Paired resamples: how often the reference model is ahead, when the cases are drawn again.

Each draw gives every row a Poisson(1) weight that depends on seed, row and draw alone, so all
models see the same drawn cases. With priors each class is scaled back to its share (cases are
drawn within their class); without, all cases are scaled back to their number.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.coding import coded_cases
from core.decisions.depth import RatedCases
from core.decisions.depth_kernels import acting_share, case_value
from core.decisions.intervals import LEVEL as CONFIDENCE
from core.decisions.paired import (
    Cut,
    cut_of,
    depth_differences,
    other_models,
    total_differences,
)
from core.decisions.passes import ByteArray
from core.decisions.prior_range import range_weights
from core.decisions.problem import Consequences
from core.decisions.rating_kernels import (
    LEVEL,
    NO_CODE,
    ShortArray,
)
from core.decisions.workspace import AnalysisState, DecisionWorkspace
from core.document.results import PairedDifference, ResampleResult
from core.kernels import (
    CHUNK_ROWS,
    LANES,
    StopFlag,
    check_stop,
    fill_poisson,
    parallel_kernel,
    prange,
)
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

Progress = Callable[[float, str], None]
Differences = tuple[PairedDifference, ...]


def ignore_progress(fraction: float, stage: str) -> None:
    """The progress call of a caller that does not look."""


@parallel_kernel
def _value_rows(
    start: int,
    stop: int,
    code: ShortArray,
    key: FloatArray,
    cut: tuple[float, float, float],
    parts: ByteArray,
    worth: FloatArray,
    cost_row: IntArray,
    costs: FloatArray,
    acting: int,
    is_by_rule: bool,
    out: FloatArray,
) -> None:
    """What the cases of some rows bring; 0 for those that do not count."""
    for place in prange(stop - start):
        row = start + place
        name = np.int64(code[row])
        out[place] = 0.0
        if name != NO_CODE:
            share = 0.0 if is_by_rule else acting_share(key[row], cut[0], cut[1], cut[2])
            out[place] = case_value(
                row, name, parts, worth, cost_row, costs, acting, is_by_rule, share
            )


@parallel_kernel
def _draw_rows(
    seed: int,
    first_group: int,
    start: int,
    values: FloatArray,
    code: ShortArray,
    parts: ByteArray,
    frequency: FloatArray,
    cases: FloatArray,
    sums: FloatArray,
) -> None:
    """Add drawn rows, in row order, to each draw's sums.

    ``values`` (measures, rows) of the rows from ``start``; ``cases`` (groups, levels, LANES) and
    ``sums`` (groups, levels, measures, LANES) go on from what they hold. A group of draws belongs
    to one thread, so that sums do not depend on threads.
    """
    measures, rows = values.shape
    for group in prange(cases.shape[0]):
        drawn = np.empty(LANES, dtype=np.uint8)
        weight = np.empty(LANES)
        for place in range(rows):
            name = np.int64(code[start + place])
            if name == NO_CODE:
                continue
            fill_poisson(seed, start + place, first_group + group, drawn)
            level = np.int64(parts[name, LEVEL])
            factor = frequency[start + place] if frequency.shape[0] else 1.0
            count = cases[group, level]
            for lane in range(LANES):
                weight[lane] = factor * drawn[lane]
                count[lane] += weight[lane]
            for measure in range(measures):
                value = values[measure, place]
                if value != 0.0:
                    into = sums[group, level, measure]
                    for lane in range(LANES):
                        into[lane] += weight[lane] * value


@dataclass(frozen=True, slots=True, eq=False)
class _Measures:
    """What is drawn: codes, keys and cuts; measure 2 m of model m by the rule, 2 m + 1 at depth."""

    cases: tuple[RatedCases, ...]
    keys: tuple[FloatArray, ...]
    cuts: tuple[tuple[float, float, float], ...]
    given: Consequences
    acting: int

    def values(self, start: int, stop: int) -> FloatArray:
        """What rows ``start`` to ``stop - 1`` bring, (2 models, rows)."""
        out = np.empty((2 * len(self.cases), stop - start))
        for place, (cases, key, cut) in enumerate(
            zip(self.cases, self.keys, self.cuts, strict=True)
        ):
            for offset, is_by_rule in enumerate((True, False)):
                _value_rows(
                    start,
                    stop,
                    cases.code,
                    key,
                    cut,
                    cases.parts,
                    cases.worth,
                    self.given.cost_row,
                    self.given.costs,
                    self.acting,
                    is_by_rule,
                    out[2 * place + offset],
                )
        return out


def resample_differences(
    workspace: DecisionWorkspace,
    *,
    depth: float | None = None,
    resamples: int = 1000,
    seed: int = 20261,
    stop: StopFlag | None = None,
    progress: Progress = ignore_progress,
) -> ResampleResult:
    """Draw the cases again and count how often the reference model is ahead.

    Parameters
    ----------
    workspace : DecisionWorkspace
        After ``analyse``.
    depth : float, optional
        The depth of the second comparison; left out = where the reference model's rule stands.
    resamples : int
        Draws; rounded up to a multiple of 32 inside, and cut back.
    seed : int
    stop : uint8 array (1,), optional
        Read between pieces of work.
    progress : callable
        ``progress(fraction, stage)``.

    Raises
    ------
    PayoffError
        If nothing was analysed, or ``resamples`` is below 2.
    StoppedError
        If a stop was asked for.
    """
    started = time.perf_counter()
    if resamples < 2:
        raise PayoffError(f"{resamples} resamples say nothing.", remedy="Ask for 100 or more.")
    state, measures, by_rule, at_depth = _prepare(workspace, depth)
    totals = _draw_totals(state, measures, resamples, seed, stop, progress)
    return ResampleResult(
        resamples=resamples,
        differences=_count_ahead(state, totals, 0, by_rule),
        at_depth=_count_ahead(state, totals, 1, at_depth),
        seconds=time.perf_counter() - started,
    )


def _prepare(
    workspace: DecisionWorkspace, depth: float | None
) -> tuple[AnalysisState, _Measures, Differences, Differences]:
    """The last analysis with codes of its own, so that further edits do not reach them.

    Also the differences as they are on these cases, by the rule and at the depth: draws tell how
    sure they are, not what they are.
    """
    with workspace.lock:
        state = workspace.state
        if state is None:
            raise PayoffError("Nothing has been worked out yet.", remedy="Analyse first.")
        at = rule_depth(state) if depth is None else min(max(depth, 0.0), 1.0)
        points = tuple(model.curve.points(np.array([at])) for model in state.models)
        exact = total_differences(state), depth_differences(state, points)
        cases, keys, cuts = [], [], []
        for model, point in zip(state.models, points, strict=True):
            coded = coded_cases(state, model, is_copy=True)
            ordering = model.curve.ordering
            cut: Cut = cut_of(point)
            cases.append(coded)
            keys.append(ordering.key if model.is_by_chance else ordering.key.copy())
            cuts.append((*cut, ordering.sign))
    given, acting = state.problem.consequences, state.problem.acting_index
    measures = _Measures(tuple(cases), tuple(keys), tuple(cuts), given, acting)
    return state, measures, *exact


def rule_depth(state: AnalysisState) -> float:
    """Share of the (prior-weighted) cases that the reference model's rule acts on."""
    weighted = np.nan_to_num(state.class_weight) @ state.models[state.reference].tables.cases
    total = float(weighted.sum())
    return float(weighted[state.problem.acting_index]) / total if total > 0 else 0.0


def _draw_totals(
    state: AnalysisState,
    measures: _Measures,
    resamples: int,
    seed: int,
    stop: StopFlag | None,
    progress: Progress,
) -> FloatArray:
    """Totals of every measure in every draw, (weights, measures, resamples).

    At the prior itself, and at the ends of its range where there is one.
    """
    first = measures.cases[0]
    rows, levels = first.code.shape[0], len(state.problem.levels)
    groups, count = -(-resamples // LANES), 2 * len(measures.cases)
    cases = np.zeros((groups, levels, LANES))
    sums = np.zeros((groups, levels, count, LANES))
    step = 4  # groups in one call: other work waits for no longer than that
    pieces = range(0, rows, CHUNK_ROWS)
    for done, start in enumerate(pieces):
        values = measures.values(start, min(rows, start + CHUNK_ROWS))
        for group in range(0, groups, step):
            check_stop(stop)
            part = slice(group, min(groups, group + step))
            _draw_rows(
                seed,
                group,
                start,
                values,
                first.code,
                first.parts,
                first.frequency,
                cases[part],
                sums[part],
            )
        progress((done + 1) / len(pieces), "Drawing cases again")
    weights = [state.class_weight]
    ends = range_weights(state.problem, state.rows.class_cases)
    weights += [] if ends is None else list(ends)
    return np.stack([_scale(state, cases, sums, weight) for weight in weights])[:, :, :resamples]


def _scale(
    state: AnalysisState, cases: FloatArray, sums: FloatArray, weight: FloatArray
) -> FloatArray:
    """Draws brought back to the class shares (with priors) or to the number of cases."""
    counts = cases.transpose(1, 0, 2).reshape(cases.shape[1], -1)  # (levels, draws)
    values = sums.transpose(2, 1, 0, 3).reshape(sums.shape[2], sums.shape[1], -1)
    if state.problem.priors is None:
        size = counts.sum(axis=0)
        factor = np.divide(state.rows.class_cases.sum(), size, where=size > 0, out=size * np.nan)
        return np.asarray(values.sum(axis=1) * factor)
    wanted = (weight * state.rows.class_cases)[:, np.newaxis]
    factor = np.divide(wanted, counts, where=counts > 0, out=np.full_like(counts, np.nan))
    factor = np.where(wanted == 0, 0.0, factor)
    return np.asarray((values * factor).sum(axis=1))


def _count_ahead(
    state: AnalysisState, totals: FloatArray, offset: int, exact: Differences
) -> Differences:
    """The exact differences with interval, p-value and counts from the draws."""
    base = totals[:, 2 * state.reference + offset]
    found = []
    for (place, _), pair in zip(other_models(state), exact, strict=True):
        difference = base - totals[:, 2 * place + offset]
        drawn = [_drawn(pair, entry[~np.isnan(entry)]) for entry in difference]
        found.append(_widest(drawn))
    return tuple(found)


def _widest(drawn: list[PairedDifference]) -> PairedDifference:
    """One answer for a whole range of the prior: the widest interval, the least sure count."""
    first = drawn[0]
    low = min(entry.estimate.low for entry in drawn)
    high = max(entry.estimate.high for entry in drawn)
    unsure = min(drawn, key=lambda entry: abs(2 * entry.ahead - entry.resamples))
    return replace(
        first,
        estimate=replace(first.estimate, low=low, high=high),
        p_value=max(entry.p_value for entry in drawn),
        ahead=unsure.ahead,
    )


def _drawn(pair: PairedDifference, difference: FloatArray) -> PairedDifference:
    """Interval and two-sided p-value from draws: never smaller than 2 / draws."""
    draws = difference.shape[0]
    if draws == 0:
        nothing = replace(pair.estimate, low=np.nan, high=np.nan, note="no draw has every class")
        return replace(pair, estimate=nothing, p_value=np.nan)
    ahead, behind = int((difference > 0).sum()), int((difference < 0).sum())
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(difference, [tail, 1.0 - tail])
    fewer = min(draws - ahead, draws - behind)
    method = f"Poisson bootstrap, {draws:,} draws"
    return replace(
        pair,
        estimate=replace(pair.estimate, low=float(low), high=float(high), method=method),
        p_value=min(1.0, max(2.0 * fewer / draws, 2.0 / draws)),
        ahead=ahead,
        resamples=draws,
    )
