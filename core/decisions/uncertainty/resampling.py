"""Paired resamples: how often the reference model is ahead, when the cases are drawn again.

Each draw gives every row a Poisson(1) weight that depends on seed, row and draw alone, so all
models see the same drawn cases; a row that stands for F cases gets a Poisson(F) count of them, one
with a sampling weight F times its draw. With priors each class is scaled back to its share (cases
are drawn within their class); without, all cases are scaled back to their number.

Kernels that draw cases again and add up what the drawn rows bring.

Rows that bring the same are drawn as one pattern: their draws are counted, then weighed.

Paired differences of resamples, counted.

Beside ``core.inference.resampled`` for two reasons: nothing here needs scipy, which the first
totals do without; and docs/decisions.md promises of money that a p-value is the smaller share
doubled, never below 2 / draws. One draw added to each tail would move it by up to 2 / draws, in the
third digit that is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.decisions.depths.depth import RatedCases
from core.decisions.depths.sums import acting_share, case_value
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.case_codes import coded_cases
from core.decisions.passes.rating_kernels import LEVEL, NO_CODE, ShortArray
from core.decisions.passes.workspace import AnalysisState, DecisionWorkspace
from core.decisions.problem import Consequences
from core.decisions.uncertainty.intervals import range_weights
from core.decisions.uncertainty.paired import (
    Cut,
    cut_of,
    depth_differences,
    other_models,
    total_differences,
)
from core.document.results import PairedDifference, ResampleResult
from core.inference.normal import CONFIDENCE
from core.kernels import (
    CHUNK_ROWS,
    LANES,
    StopFlag,
    own_kernel,
    parallel_kernel,
    prange,
    raise_if_stopped,
)
from core.kernels.draws import fill_poisson_counts, fill_poisson_rows
from core.kernels.tasks import run_tasks
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray

BLOCK = 512
"""Rows whose weights are drawn in one go."""

WordArray = NDArray[np.uint32]


@parallel_kernel
def value_rows(
    start: int,
    stop: int,
    code: ShortArray,
    key: FloatArray,
    cut: tuple[float, float, float],
    parts: ByteArray,
    worth: FloatArray,
    given: Consequences,
    acting: int,
    is_by_rule: bool,
    out: FloatArray,
) -> None:
    """What the cases of some rows bring; 0 for those that do not count."""
    cost_row, rate, costs = given.cost_row, given.rate, given.costs
    for place in prange(stop - start):
        row = start + place
        name = np.int64(code[row])
        out[place] = 0.0
        if name != NO_CODE:
            share = 0.0 if is_by_rule else acting_share(key[row], cut[0], cut[1], cut[2])
            out[place] = case_value(
                row, name, parts, worth, cost_row, rate, costs, acting, is_by_rule, share
            )


@own_kernel
def _add_rows(
    words: WordArray,
    base: int,
    count: int,
    start: int,
    values: FloatArray,
    code: ShortArray,
    parts: ByteArray,
    frequency: FloatArray,
    cases: FloatArray,
    sums: FloatArray,
) -> None:
    """Add ``count`` drawn rows from ``base`` to the sums of one group of draws."""
    drawn = words.view(np.uint8)
    weight = np.empty(LANES)
    for step in range(count):
        place = base + step
        name = np.int64(code[start + place])
        if name == NO_CODE:
            continue
        level = np.int64(parts[name, LEVEL])
        factor = frequency[start + place] if frequency.shape[0] else 1.0
        first = np.uint64(step) * np.uint64(LANES)
        into = cases[level]
        for lane in range(np.uint64(LANES)):
            weight[lane] = factor * drawn[first + lane]
            into[lane] += weight[lane]
        for measure in range(values.shape[0]):
            value = values[measure, place]
            if value != 0.0:
                total = sums[level, measure]
                for lane in range(np.uint64(LANES)):
                    total[lane] += weight[lane] * value


@parallel_kernel
def draw_rows(
    seed: int,
    first_group: int,
    units: IntArray,
    values: FloatArray,
    code: ShortArray,
    parts: ByteArray,
    frequency: FloatArray,
    cases: FloatArray,
    sums: FloatArray,
) -> None:
    """Add drawn rows, in row order, to each draw's sums.

    ``units``: their numbers, rising by 1; ``values`` (measures, rows) what they bring; ``cases``
    (groups, levels, LANES) and ``sums`` (groups, levels, measures, LANES) go on from what they
    hold. A group of draws belongs to one thread, so that sums do not depend on threads.
    """
    rows, start = units.shape[0], units[0]
    for group in prange(cases.shape[0]):
        words = np.empty(BLOCK * LANES // 4, dtype=np.uint32)
        for base in range(0, rows, BLOCK):
            count = min(BLOCK, rows - base)
            own = units[base : base + count]
            fill_poisson_rows(seed, first_group + group, own, words, 0, count)
            _add_rows(
                words,
                base,
                count,
                start,
                values,
                code,
                parts,
                frequency,
                cases[group],
                sums[group],
            )


MOST_PATTERNS = 256
"""Beyond so many different rows they are added one by one; each pattern has 32 counters."""

PATTERN_SAMPLE = 2048
"""Rows that are sorted to find patterns; the others are looked up among theirs."""


@own_kernel
def _add_patterns(
    words: WordArray, base: int, count: int, pattern: IntArray, counts: CodeArray
) -> None:
    """Add ``count`` drawn rows from ``base`` to the counters of their patterns."""
    drawn = words.view(np.uint8)
    for step in range(count):
        name = pattern[base + step]
        if name >= 0:
            into = counts[np.uint64(name)]
            first = np.uint64(step) * np.uint64(LANES)
            for lane in range(np.uint64(LANES)):
                into[lane] += np.int32(drawn[first + lane])


@parallel_kernel
def count_patterns(
    seed: int, first_group: int, units: IntArray, pattern: IntArray, counts: CodeArray
) -> None:
    """Count the drawn rows of each pattern, (groups, patterns, LANES); -1 = does not count."""
    rows = pattern.shape[0]
    for group in prange(counts.shape[0]):
        words = np.empty(BLOCK * LANES // 4, dtype=np.uint32)
        for base in range(0, rows, BLOCK):
            count = min(BLOCK, rows - base)
            own = units[base : base + count]
            fill_poisson_rows(seed, first_group + group, own, words, 0, count)
            _add_patterns(words, base, count, pattern, counts[group])


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Rows that bring the same by every measure, and stand for as many cases of one class.

    ``of_row`` (rows,), -1 = does not count; ``level`` and ``frequency`` (patterns,); ``values``
    (measures, patterns).
    """

    of_row: IntArray
    level: IntArray
    frequency: FloatArray
    values: FloatArray

    def add(self, counts: CodeArray, cases: FloatArray, sums: FloatArray) -> None:
        """Add drawn rows, counts (groups, patterns, LANES), to the sums of their draws."""
        weight = counts * self.frequency[:, np.newaxis]
        for level in range(cases.shape[1]):
            here = self.level == level
            drawn = weight[:, here]
            cases[:, level] += drawn.sum(axis=1)
            sums[:, level] += np.einsum("gpl,mp->gml", drawn, self.values[:, here])


def patterns_of(values: FloatArray, level: IntArray, frequency: FloatArray) -> Patterns | None:
    """Patterns of some rows, or None where there are too many to be worth it.

    ``level`` is -1 where a row does not count.
    """
    columns = np.vstack([values, level, frequency])
    of_row = _numbered(np.sqrt(np.arange(2.0, 2.0 + columns.shape[0])) @ columns)
    if of_row is None:
        return None
    first = np.empty(of_row.max() + 1, dtype=np.int64)
    first[of_row[::-1]] = np.arange(of_row.shape[0])[::-1]
    if not np.array_equal(columns[:, first][:, of_row], columns):
        return None  # two patterns met in one mixed number
    return Patterns(
        of_row=np.where(level < 0, -1, of_row).astype(np.int64),
        level=level[first],
        frequency=frequency[first],
        values=values[:, first],
    )


def _numbered(values: FloatArray) -> IntArray | None:
    """The rank of each value among the different ones; None where there are too many of them.

    Most stand among the first rows, and finding a value is quicker than sorting all of them.
    """
    known = np.unique(values[:PATTERN_SAMPLE])
    place = np.minimum(np.searchsorted(known, values), known.shape[0] - 1)
    is_new = known[place] != values
    if is_new.any():
        known = np.unique(np.concatenate([known, values[is_new]]))
        place = np.searchsorted(known, values)
    return place if known.shape[0] <= MOST_PATTERNS else None


_NAN = float("nan")


@dataclass(frozen=True, slots=True)
class CountedDraws:
    """Paired differences of resamples, counted.

    ``low`` and ``high`` are the 95 % percentiles, between draws by a straight line; ``p_value`` is
    two-sided, never below 2 / ``draws``; ``ahead`` and ``level`` are the draws above 0 and at it.
    """

    draws: int
    low: float
    high: float
    p_value: float
    ahead: int
    level: int


def count_draws(difference: FloatArray) -> CountedDraws:
    """Count paired differences (draws,) of resamples that no value or bias is known of."""
    draws = len(difference)
    if draws == 0:
        return CountedDraws(0, _NAN, _NAN, _NAN, 0, 0)
    ahead, behind = int((difference > 0).sum()), int((difference < 0).sum())
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(difference, [tail, 1.0 - tail])
    fewer = min(draws - ahead, draws - behind)
    p_value = min(1.0, max(2.0 * fewer / draws, 2.0 / draws))
    return CountedDraws(draws, float(low), float(high), p_value, ahead, draws - ahead - behind)


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
