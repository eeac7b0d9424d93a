"""Paired resamples: how often the reference model is ahead, when the cases are drawn again.

Each draw gives every row a Poisson(1) weight that depends on seed, row and draw alone, so all
models see the same drawn cases; a row that stands for F cases gets a Poisson(F) count of them, one
with a sampling weight F times its draw. With priors each class is scaled back to its share (cases
are drawn within their class); without, all cases are scaled back to their number.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.case_codes import coded_cases
from core.decisions.consequences import Consequences
from core.decisions.depths.depth import RatedCases
from core.decisions.rating_kernels import LEVEL, NO_CODE
from core.decisions.uncertainty.draw_patterns import count_patterns, patterns_of
from core.decisions.uncertainty.draw_rows import draw_rows, value_rows
from core.decisions.uncertainty.paired import (
    Cut,
    cut_of,
    depth_differences,
    other_models,
    total_differences,
)
from core.decisions.uncertainty.prior_range import range_weights
from core.decisions.workspace import AnalysisState, DecisionWorkspace
from core.document.results import PairedDifference, ResampleResult
from core.inference.counted_draws import count_draws
from core.kernels import CHUNK_ROWS, LANES, StopFlag, raise_if_stopped
from core.kernels.draws import fill_poisson_counts
from core.kernels.tasks import run_tasks
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

STEP = 4
"""Groups of draws in one call: other work waits for no longer than that."""

Progress = Callable[[float, str], None]
Drawing = Callable[[int, int, FloatArray, FloatArray], None]
Differences = tuple[PairedDifference, ...]


def ignore_progress(fraction: float, stage: str) -> None:
    """The progress call of a caller that does not look."""


@dataclass(frozen=True, slots=True, eq=False)
class _Measures:
    """What is drawn: codes, keys and cuts; measure 2 m of model m by the rule, 2 m + 1 at depth."""

    cases: tuple[RatedCases, ...]
    keys: tuple[FloatArray, ...]
    cuts: tuple[tuple[float, float, float], ...]
    given: Consequences
    acting: int
    copies: FloatArray  # (n,) cases that each row stands for, drawn one by one; empty = 1 each

    def values(self, start: int, stop: int) -> FloatArray:
        """What rows ``start`` to ``stop - 1`` bring, (2 models, rows)."""
        out = np.empty((2 * len(self.cases), stop - start))
        for place, (cases, key, cut) in enumerate(
            zip(self.cases, self.keys, self.cuts, strict=True)
        ):
            for offset, is_by_rule in enumerate((True, False)):
                value_rows(
                    start,
                    stop,
                    cases.code,
                    key,
                    cut,
                    cases.parts,
                    cases.worth,
                    self.given,
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
        raise PayoffError(
            f"{counted(resamples, 'resample says', 'resamples say')} nothing.",
            remedy="Ask for 100 or more.",
        )
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
            keys.append(ordering.key if model.is_by_probability else ordering.key.copy())
            cuts.append((*cut, ordering.sign))
    given, acting = state.problem.consequences, state.problem.acting_index
    weight = state.problem.frequency
    copies = np.empty(0) if weight is None or state.problem.is_sampled else weight
    measures = _Measures(tuple(cases), tuple(keys), tuple(cuts), given, acting, copies)
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
    pieces = range(0, rows, CHUNK_ROWS)
    for done, draw in enumerate(_drawings(measures, pieces, rows)):
        for group in range(0, groups, STEP):
            raise_if_stopped(stop)
            part = slice(group, min(groups, group + STEP))
            draw(seed, group, cases[part], sums[part])
        progress((done + 1) / len(pieces), "Drawing cases again")
    weights = [state.class_weight]
    ends = range_weights(state.problem, state.rows.class_cases)
    weights += [] if ends is None else list(ends)
    return np.stack([_scale(state, cases, sums, weight) for weight in weights])[:, :, :resamples]


def _drawings(measures: _Measures, pieces: range, rows: int) -> Iterator[Drawing]:
    """How the draws of each piece of the rows are added up, one prepared while another is drawn."""

    def prepared(start: int) -> Future[Drawing]:
        values = measures.values(start, min(rows, start + CHUNK_ROWS))
        units = np.arange(start, start + values.shape[1], dtype=np.int64)
        return helper.submit(_drawing_of, measures, units, values)

    with ThreadPoolExecutor(1, thread_name_prefix="payoff-drawing") as helper:
        following = prepared(pieces[0])
        for start in pieces[1:]:
            present, following = following, prepared(start)
            yield present.result()
        yield following.result()


def _drawing_of(measures: _Measures, units: IntArray, values: FloatArray) -> Drawing:
    """How draws of some rows are added up: by pattern where few differ, else row by row."""
    cases = measures.cases[0]
    code = cases.code[units[0] : units[-1] + 1]
    is_counted = code != NO_CODE
    level = np.where(is_counted, cases.parts[np.where(is_counted, code, 0), LEVEL], -1)
    frequency = np.ones(units.shape[0])
    if cases.frequency.shape[0]:
        frequency = np.where(is_counted, cases.frequency[units[0] : units[-1] + 1], 0.0)
    if measures.copies.shape[0]:
        rows = np.flatnonzero(is_counted)
        return _drawing_of_copies(units[rows], values[:, rows], level[rows], frequency[rows])
    patterns = patterns_of(values, level.astype(np.int64), frequency)

    def by_row(seed: int, group: int, counted: FloatArray, sums: FloatArray) -> None:
        draw_rows(
            seed, group, units, values, cases.code, cases.parts, cases.frequency, counted, sums
        )

    def by_pattern(seed: int, group: int, counted: FloatArray, sums: FloatArray) -> None:
        assert patterns is not None
        counts = np.zeros((len(sums), len(patterns.level), LANES), dtype=np.int32)
        count_patterns(seed, group, units, patterns.of_row, counts)
        patterns.add(counts, counted, sums)

    return by_row if patterns is None else by_pattern


def _drawing_of_copies(
    units: IntArray, values: FloatArray, level: IntArray, copies: FloatArray
) -> Drawing:
    """How draws are added up where rows stand for several cases, each of which is drawn."""

    def by_copies(seed: int, group: int, counted: FloatArray, sums: FloatArray) -> None:
        def add(place: int) -> None:
            drawn = np.empty((len(units), LANES))
            fill_poisson_counts(seed, group + place, units, copies, drawn)
            for row in range(counted.shape[1]):
                here = level == row
                counted[place, row] += drawn[here].sum(axis=0)
                # not a matrix product: its sums would depend on threads
                sums[place, row] += np.einsum("mr,rl->ml", values[:, here], drawn[here])

        run_tasks(add, len(counted))

    return by_copies


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
    unsure = min(drawn, key=lambda entry: abs(2 * entry.ahead + entry.level - entry.resamples))
    return replace(
        first,
        estimate=replace(first.estimate, low=low, high=high),
        p_value=max(entry.p_value for entry in drawn),
        ahead=unsure.ahead,
        level=unsure.level,
    )


def _drawn(pair: PairedDifference, difference: FloatArray) -> PairedDifference:
    """A difference with interval, p-value and counts from its draws."""
    found = count_draws(difference)
    if found.draws == 0:
        nothing = replace(pair.estimate, low=np.nan, high=np.nan, note="no draw has every class")
        return replace(pair, estimate=nothing, p_value=np.nan)
    method = f"Poisson bootstrap, {counted(found.draws, 'draw')}"
    return replace(
        pair,
        estimate=replace(pair.estimate, low=found.low, high=found.high, method=method),
        p_value=found.p_value,
        ahead=found.ahead,
        level=found.level,
        resamples=found.draws,
    )
