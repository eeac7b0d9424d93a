"""Deciding more cases than memory holds: totals, the rule and profit by depth, from one read."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.data import (
    LoadedTable,
    column_as_float,
    frequency,
    outcome_codes,
    posteriors,
    refuse_overflow,
    rows_inside,
    rows_with_use,
)
from core.decisions.advice.reading import fixed_phrase
from core.decisions.analysis import result_of_state
from core.decisions.depths.chance_curve import ProbabilityCurve
from core.decisions.depths.depth import GRID, Weighting
from core.decisions.depths.sums import GAINED
from core.decisions.passes.case_codes import rate_cases
from core.decisions.passes.cases import CaseDecisions, CaseTotals, decide_cases, totals_of_sums
from core.decisions.passes.model_state import slope_of
from core.decisions.passes.rating_kernels import DECISION, FOLD, LEVEL, NO_CODE, write_folds_at
from core.decisions.passes.tables import ModelTables, code_parts, code_worth, tables_of
from core.decisions.passes.workspace import (
    CALIBRATION_BINS,
    AnalysisState,
    CountedRows,
    ModelState,
    ProbabilitySums,
    dropped_rows,
)
from core.decisions.priors import adjust_posteriors, prior_ratio, prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.uncertainty.intervals import range_weights
from core.document.data.model import RowUse
from core.document.model import ChartMode, Document
from core.document.results import DecisionResult
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.depths import (
    ROUNDING,
    DepthRule,
    DepthSummary,
    DepthTask,
    scan_depths,
    streamed_curve,
)
from core.scale.exact_sums import (
    SumArray,
    add_products,
    add_scattered,
    add_terms,
    merge_sums,
    new_sums,
    rounded_values,
)
from core.scale.ranked.coded import (
    new_counts,
    spill_codes,
    weighted_counts,
)
from core.scale.ranked.ranges import KeyMap, RankingCounts, key_map, spilled_ranges
from core.scale.ranked.records import CODES
from core.scale.reading import batch_table
from core.scale.sources import (
    MemoryBudget,
    PlannedTask,
    ProgressCall,
    RowTask,
    Source,
    SourcePart,
    read_batches,
    sample_tasks,
)
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

_BLOCK_ROWS = 131_072  # decided at a time
_FIRST = 0.7  # of the progress bar, where depths follow
CASE_SUMS = CASES, EXPECTED, BROUGHT, SQUARED, FORESEEN, SPENT_ON = range(6)
"""Sums by class and decision."""
DEPTHS_NEED = (
    "Profit by depth is made of counts of cases by class and decision, and {} differ from case to "
    "case."
)
_NO_FLOATS = np.empty(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidePlan:
    """What every task of a run shares.

    Attributes
    ----------
    document : Document
        Outcome, roles, row filter; its data are not read.
    problem : DecisionProblem
        The matrix, of no case.
    scores : ModelScores
        The model, of no case.
    columns : tuple of str
    costs : tuple of (decision, column)
    seed : int
        Of the folds.
    folder : str
        Where records are spilled.
    keys : KeyMap or None
        None: depths are not worked out.
    """

    document: Document
    problem: DecisionProblem
    scores: ModelScores
    columns: tuple[str, ...]
    costs: tuple[tuple[int, str], ...]
    seed: int
    folder: str
    keys: KeyMap | None = None

    @property
    def codes(self) -> int:
        """How many codes cases may have."""
        levels, decisions = len(self.problem.levels), len(self.problem.decisions)
        return levels * decisions * (decisions + 1) * 2

    @property
    def slope(self) -> float | None:
        """The slope of the advantage in the event's chance; None or 0: cases go by advantage."""
        return slope_of(self.problem)


@dataclass(slots=True, kw_only=True, eq=False)
class DecideSummary:
    """What deciding some rows gives.

    Attributes
    ----------
    rows, counted : int
        Rows that are decided, and those that count in totals.
    dropped : counter of reasons why rows do not count
    class_rows : (levels,) int64
    sums : (levels, decisions, 6, 67)
        Exact sums, as ``CASE_SUMS``.
    rest : (levels, 67)
        What the best decision other than acting promises.
    probabilities : (levels, levels, 2, 67)
        Of the class, sums of chances as they are and corrected.
    bins : (bins, levels) int64, bin_sums : (bins, levels, 67)
        Calibration of the event.
    ranking : RankingCounts or None
    """

    rows: int
    counted: int
    dropped: Counter[str]
    class_rows: IntArray
    sums: SumArray
    rest: SumArray
    probabilities: SumArray
    bins: SumArray
    bin_sums: SumArray
    ranking: RankingCounts | None

    def merge(self, other: DecideSummary) -> None:
        """Take in what other rows gave."""
        self.rows += other.rows
        self.counted += other.counted
        self.dropped.update(other.dropped)
        self.class_rows = self.class_rows + other.class_rows
        for name in ("sums", "rest", "probabilities", "bins", "bin_sums"):
            setattr(self, name, merge_sums(getattr(self, name), getattr(other, name)))
        if self.ranking is not None and other.ranking is not None:
            self.ranking.merge(other.ranking)


def new_summary(plan: DecidePlan) -> DecideSummary:
    """The summary of no rows."""
    levels, decisions = len(plan.problem.levels), len(plan.problem.decisions)
    return DecideSummary(
        rows=0,
        counted=0,
        dropped=Counter(),
        class_rows=np.zeros(levels, dtype=np.int64),
        sums=new_sums(levels, decisions, len(CASE_SUMS)),
        rest=new_sums(levels),
        probabilities=new_sums(levels, levels, 2),
        bins=new_sums(CALIBRATION_BINS, levels),
        bin_sums=new_sums(CALIBRATION_BINS, levels),
        ranking=None if plan.keys is None else new_counts(plan.keys, plan.codes),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecidedBatch:
    """Cases of one batch, decided. ``units`` (n,) are row numbers in the whole, from 1."""

    problem: DecisionProblem
    scores: ModelScores
    units: IntArray
    decided: CaseDecisions


def decide_piece(task: PlannedTask[DecidePlan]) -> DecideSummary:
    """Decide the rows of a task, and add up what counts.

    Raises
    ------
    PayoffError
        For a part that cannot be read, or values that cannot be judged.
    """
    plan = task.plan
    found = new_summary(plan)
    part = task.rows.part
    for number, (first, raw) in enumerate(read_batches(task.rows, plan.columns)):
        ranked = []
        for batch in _decided_blocks(raw, part, first, plan):
            _add_sums(found, batch)
            ranked += [] if plan.keys is None else [_ranked(batch, plan)]
        if plan.keys is not None and found.ranking is not None and ranked:
            scores, codes = (np.concatenate(held) for held in zip(*ranked, strict=True))
            path = os.path.join(plan.folder, f"decide-{task.rows.number}-{number}")
            found.ranking.merge(spill_codes(scores, codes, plan.keys, plan.codes, path, part.shown))
    return found


def _decided_blocks(
    raw: pa.Table, part: SourcePart, first: int, plan: DecidePlan
) -> Iterator[DecidedBatch]:
    """A batch, decided a block at a time: a decided case takes many times what its row does."""
    for start in range(0, raw.num_rows, _BLOCK_ROWS):
        table = batch_table(raw.slice(start, _BLOCK_ROWS), part, first + start)
        yield _decided(table, part, first + start, plan)


def _decided(table: LoadedTable, part: SourcePart, first: int, plan: DecidePlan) -> DecidedBatch:
    document, target = plan.document, plan.document.target
    assert target is not None
    rows = _rows_used(table, document)
    weight = frequency(table, document)
    costs = {decision: _costs(table, name)[rows] for decision, name in plan.costs}
    probabilities = posteriors(table, document, plan.scores.name)
    scores = replace(plan.scores, posteriors=np.ascontiguousarray(probabilities[:, rows]))
    problem = replace(
        plan.problem,
        outcome=outcome_codes(table, target)[0][rows],
        frequency=None if weight is None else weight[rows],
        cost_columns=costs,
    )
    units = rows + (part.first_row + first + 1)
    return DecidedBatch(
        problem=problem, scores=scores, units=units, decided=decide_cases(problem, scores)
    )


def _rows_used(table: LoadedTable, document: Document) -> IntArray:
    """Rows of a batch that are decided: those of the filter and of the use chosen."""
    if document.rows_used is not RowUse.ALL:
        return rows_with_use(table, document, (document.rows_used,))
    inside = rows_inside(table, document)
    return np.arange(table.rows) if inside is None else np.flatnonzero(inside[0])


def _costs(table: LoadedTable, name: str) -> FloatArray:
    values = column_as_float(table, name, role="cost")
    refuse_overflow(table, name, values)
    return values


# ---------------------------------------------------------------- sums


def _add_sums(found: DecideSummary, batch: DecidedBatch) -> None:
    problem, decided = batch.problem, batch.decided
    assert problem.outcome is not None
    found.rows += len(batch.units)
    found.dropped.update(dict(dropped_rows(problem, decided.marks)))
    here = np.flatnonzero(decided.marks == 0)
    if not len(here):
        return
    found.counted += len(here)
    outcome = problem.outcome[here]
    found.class_rows += np.bincount(outcome, minlength=len(problem.levels))
    weight = np.ones(len(here)) if problem.frequency is None else problem.frequency[here]
    chosen = decided.decision[here].astype(np.int64)
    brought, spent = decided.computed[here], decided.investment
    terms = {
        CASES: weight,
        EXPECTED: weight * decided.expected[here],
        BROUGHT: weight * brought,
        FORESEEN: weight * decided.best[here],
    }
    if spent is not None:
        terms[SPENT_ON] = weight * spent[here]
    kinds = outcome * np.int64(len(problem.decisions)) + chosen
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():
        level, decision = divmod(kind, len(problem.decisions))
        rows = kinds == kind
        own = found.sums[level, decision]
        for term, values in terms.items():
            add_terms(np.ascontiguousarray(values[rows]), own[term])
        add_products(terms[BROUGHT][rows], np.ascontiguousarray(brought[rows]), own[SQUARED])
    _add_chances(found, batch, here, outcome, weight)


def _add_chances(
    found: DecideSummary,
    batch: DecidedBatch,
    here: IntArray,
    outcome: NDArray[np.int32],
    weight: FloatArray,
) -> None:
    """Mean chances before and after correction, calibration, and what the rest promises."""
    before = batch.scores.posteriors[:, here]
    after = before
    if prior_ratio(batch.problem, batch.scores) is not None:
        assert batch.problem.priors is not None
        assert batch.scores.old_priors is not None
        after = adjust_posteriors(before, batch.problem.priors, batch.scores.old_priors)
    for level in np.unique(outcome).tolist():
        rows = outcome == level
        for place in range(len(before)):
            for kind, probabilities in enumerate((before, after)):
                own = found.probabilities[level, place, kind]
                add_terms(np.ascontiguousarray((weight * probabilities[place])[rows]), own)
    event = after[0]
    bins = np.minimum((event * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1)
    places = bins * len(batch.problem.levels) + outcome
    add_scattered(weight, places, found.bins.reshape(-1, found.bins.shape[-1]))
    add_scattered(weight * event, places, found.bin_sums.reshape(-1, found.bins.shape[-1]))
    if not len(batch.problem.cost_columns):
        _add_rest(found, batch, here, outcome, weight, after)


def _add_rest(
    found: DecideSummary,
    batch: DecidedBatch,
    here: IntArray,
    outcome: NDArray[np.int32],
    weight: FloatArray,
    probabilities: FloatArray,
) -> None:
    """What the best decision other than acting promises: acting less its advantage."""
    given, acting = batch.problem.consequences, batch.problem.acting_index
    act = np.zeros(len(here))
    for level, probability in enumerate(probabilities):
        act += probability * given.gain[level, acting]
    rest = weight * (act - _rated(batch, 0)[1][here])
    for level in np.unique(outcome).tolist():
        add_terms(np.ascontiguousarray(rest[outcome == level]), found.rest[level])


def _rated(batch: DecidedBatch, seed: int) -> tuple[NDArray[np.uint16], FloatArray]:
    """Codes of cases, and their advantages of acting."""
    rows = len(batch.units)
    folds = np.empty(rows, dtype=np.uint8)
    write_folds_at(seed, batch.units - 1, folds)
    code, advantage = np.empty(rows, dtype=np.uint16), np.empty(rows)
    marks = batch.decided.marks
    rate_cases(batch.problem, batch.scores, marks, folds, code, advantage, _NO_FLOATS)
    return code, advantage


def _ranked(batch: DecidedBatch, plan: DecidePlan) -> tuple[FloatArray, NDArray[np.uint8]]:
    """What cases that count are ranked by, and their codes."""
    code, advantage = _rated(batch, plan.seed)
    here = code != NO_CODE
    slope = plan.slope
    score = np.sign(slope) * batch.scores.posteriors[0] if slope else advantage
    return np.ascontiguousarray(score[here]), code[here].astype(np.uint8)


# ---------------------------------------------------------------- the run


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamedDecision:
    """What a rule is worth on cases that were read in pieces.

    Attributes
    ----------
    rows : int
        Those that were decided.
    dropped : tuple of (reason, rows)
        Why rows do not count.
    totals : CaseTotals
    result : DecisionResult or None
    no_result : str
        Why there is none.
    pieces : int
    state : AnalysisState or None
        What the result was read from: depths that were kept can be read of it.
    """

    rows: int
    dropped: tuple[tuple[str, int], ...]
    totals: CaseTotals
    result: DecisionResult | None
    no_result: str
    pieces: int
    state: AnalysisState | None = None


def decide_source(
    source: Source,
    plan: DecidePlan,
    budget: MemoryBudget,
    runner: Runner,
    *,
    progress: ProgressCall,
    should_stop: Callable[[], bool],
) -> StreamedDecision:
    """Decide every case of a source.

    Raises
    ------
    PayoffError
        For rows that cannot be read or judged, or where none counts.
    StoppedError
    """
    started = time.perf_counter()
    tasks = source.tasks(budget.batch_rows(runner.in_process, len(plan.problem.levels)))
    refusal = _no_depths(plan)
    plan = plan if refusal else replace(plan, keys=_key_map(tasks, plan))
    found = new_summary(plan)
    order = np.random.default_rng(plan.seed).permutation(len(tasks))
    work = (PlannedTask(rows=tasks[place], plan=plan) for place in order)
    summaries = run_tasks_bounded(runner, decide_piece, work, should_stop=should_stop)
    for done, summary in enumerate(summaries, start=1):
        found.merge(summary)
        share = done / len(tasks)
        progress((1.0 if refusal else _FIRST) * share, f"Deciding, {share:.0%} of the rows", None)
    dropped = tuple(sorted(found.dropped.items()))
    if not found.counted:
        raise PayoffError(
            "No row can be counted.",
            where=source.name,
            why="; ".join(f"{reason}: {count:,}" for reason, count in dropped),
            remedy="Check the columns and the rows chosen.",
        )
    result = state = None
    if found.ranking is not None:
        state = _scanned(found, plan, budget, runner, progress, should_stop)
        costs = np.zeros((len(plan.problem.levels), len(plan.problem.decisions)))
        result = result_of_state(state, costs, None, started)
    return StreamedDecision(
        rows=found.rows,
        dropped=dropped,
        totals=_totals(found, plan.problem),
        result=result,
        no_result=refusal,
        pieces=len(tasks),
        state=state,
    )


def _no_depths(plan: DecidePlan) -> str:
    """Why profit by depth is not worked out; empty where it is."""
    if plan.costs:
        return DEPTHS_NEED.format("costs of a column")
    if any(entry.role == "weight" for entry in plan.document.roles):
        return DEPTHS_NEED.format("weights")
    if plan.codes > CODES:
        classes = counted(len(plan.problem.levels), "class", "classes")
        decisions = counted(len(plan.problem.decisions), "decision")
        return (
            f"{classes} with {decisions} make {plan.codes:,} kinds of cases; up to {CODES} are "
            "told apart."
        )
    return ""


def _key_map(tasks: tuple[RowTask, ...], plan: DecidePlan) -> KeyMap:
    scores = [np.zeros(1)]
    for task in sample_tasks(tasks):
        first, raw = next(read_batches(task, plan.columns), (0, None))
        if raw is not None:
            blocks = _decided_blocks(raw, task.part, first, plan)
            scores += [_ranked(batch, plan)[0] for batch in blocks]
    return key_map(np.concatenate(scores))


def _totals(found: DecideSummary, problem: DecisionProblem) -> CaseTotals:
    by_class = new_sums(len(problem.levels), len(CASE_SUMS))
    for decision in range(len(problem.decisions)):
        by_class = merge_sums(by_class, found.sums[:, decision])
    each, whole = rounded_values(found.sums), rounded_values(by_class)
    kinds = [BROUGHT, SQUARED, FORESEEN, SPENT_ON]
    return totals_of_sums(
        problem, each[..., CASES], each[..., EXPECTED], whole[:, kinds], each[..., BROUGHT]
    )


def _scanned(
    found: DecideSummary,
    plan: DecidePlan,
    budget: MemoryBudget,
    runner: Runner,
    progress: ProgressCall,
    should_stop: Callable[[], bool],
) -> AnalysisState:
    """Sort and scan the ranking, and put the analysis together."""
    problem, ranking = plan.problem, found.ranking
    assert ranking is not None
    assert plan.keys is not None
    class_cases = found.class_rows.astype(np.float64)
    weights = prior_weights(problem.priors, class_cases)
    parts = code_parts(len(problem.levels), len(problem.decisions))
    tables = _tables(problem, parts, ranking.whole, class_cases)
    weighting = _weighting(found, plan, tables, class_cases, weights)
    depths = np.unique(np.append(GRID, _rule_depth(tables, problem, weights)))
    rule = _rule(plan, parts, ranking.whole, weighting, depths)
    held = max(budget.sort_bytes(runner.in_process) // 24, 65_536)
    ranges = spilled_ranges(0, ranking.counts, ranking.files, plan.keys, held)
    tasks = [DepthTask(range=own, rule=rule) for own in ranges]
    summaries: list[DepthSummary] = []
    for summary in run_tasks_bounded(runner, scan_depths, tasks, should_stop=should_stop):
        summaries.append(summary)
        share = len(summaries) / len(tasks)
        progress(_FIRST + (1 - _FIRST) * share, f"Sorting, {share:.0%}", None)
    for spilled in ranking.files:
        Path(spilled.path).unlink(missing_ok=True)
    gain = np.zeros(2) if not rule.is_by_probability else rule_gain(problem)
    curve = streamed_curve(summaries, rule, depths, ranking.whole, weighting, gain)
    model = ModelState(
        scores=plan.scores,
        # Read as those of cases in memory: what it lacks, analyses of one model do not ask for.
        curve=cast(ProbabilityCurve, curve),
        tables=tables,
        own_expected=rounded_values(found.sums)[..., EXPECTED].sum(axis=1),
        probabilities=ProbabilitySums(
            rounded_values(found.probabilities),
            np.stack([rounded_values(found.bins), rounded_values(found.bin_sums)], -1),
        ),
    )
    used = CountedRows(
        0,
        np.empty(0, dtype=np.uint8),
        found.counted,
        class_cases,
        class_cases,
        tuple(sorted(found.dropped.items())),
    )
    return AnalysisState(
        problem=problem,
        chart_mode=ChartMode.ACT_ON_BEST,
        reference=0,
        rows=used,
        class_weight=weights,
        models=(model,),
        holds_fixed=fixed_phrase(problem),
    )


def rule_gain(problem: DecisionProblem) -> FloatArray:
    """What acting adds to the other decision by class, (levels,), of at most two decisions."""
    gain, acting = problem.consequences.gain, problem.acting_index
    rest = 1 - acting if len(problem.decisions) == 2 else 1
    return np.asarray(gain[:, acting] - gain[:, rest])


def _tables(
    problem: DecisionProblem,
    parts: NDArray[np.uint8],
    whole: IntArray,
    class_cases: FloatArray,
) -> ModelTables:
    given = problem.consequences
    best = class_cases * given.gain[:, :-1].max(axis=1)
    codes = np.arange(len(parts), dtype=np.uint16)
    tables = tables_of(codes, whole.astype(np.float64), parts, given, np.asarray(best))
    rows = np.bincount(parts[:, DECISION], weights=whole, minlength=len(problem.decisions))
    return replace(tables, rows=rows.astype(np.float64))


def _weighting(
    found: DecideSummary,
    plan: DecidePlan,
    tables: ModelTables,
    class_cases: FloatArray,
    weights: FloatArray,
) -> Weighting:
    return Weighting(
        class_weight=weights,
        class_cases=class_cases,
        is_within_class=plan.problem.priors is not None,
        base_value=tables.rest.sum(axis=1),
        base_square=tables.rest_square.sum(axis=1),
        base_expected=rounded_values(found.rest),
        ends=range_weights(plan.problem, class_cases),
    )


def _rule_depth(tables: ModelTables, problem: DecisionProblem, weights: FloatArray) -> float:
    """The share of cases that the rule acts on, as the analysis works it out."""
    weighted = np.nan_to_num(weights)[:, np.newaxis] * tables.cases
    return float(weighted[:, problem.acting_index].sum() / max(weighted.sum(), 1e-300))


def _rule(
    plan: DecidePlan,
    parts: NDArray[np.uint8],
    whole: IntArray,
    weighting: Weighting,
    depths: FloatArray,
) -> DepthRule:
    problem = plan.problem
    worth = code_worth(parts, problem.consequences, problem.acting_index, is_firm=False)
    level, gained = parts[:, LEVEL], worth[:, GAINED]
    location = weighting.location_weight[level].astype(np.float64)
    value = np.nan_to_num(weighting.class_weight)[level] * gained
    first = parts[:, FOLD] == 0
    objectives = np.stack([value, np.where(first, value, 0.0), np.where(first, 0.0, value)])
    total = float(weighted_counts(whole, location))
    moved = _moved(whole, parts, worth, np.nan_to_num(weighting.class_weight))
    ratio = prior_ratio(problem, plan.scores)
    slope = plan.slope
    return DepthRule(
        parts=parts,
        worth=worth,
        location=location,
        objectives=objectives,
        slacks=np.full(3, ROUNDING * moved),
        targets=depths * total,
        sign=-1.0 if slope and slope < 0 else 1.0,
        ratio=_NO_FLOATS if ratio is None else ratio,
        is_by_probability=bool(slope),
    )


def _moved(
    whole: IntArray, parts: NDArray[np.uint8], worth: FloatArray, weights: FloatArray
) -> float:
    """How much money acting moves, as the search for the best depth measures it."""
    moved = 0.0
    for level, weight in enumerate(weights):
        own = np.where(parts[:, LEVEL] == level, whole, 0)
        square = float(weighted_counts(own, worth[:, GAINED] ** 2))
        moved += float(np.sqrt(float(own.sum()) * square)) * float(weight)
    return moved


__all__ = [
    "DecidePlan",
    "StreamedDecision",
    "decide_piece",
    "decide_source",
]
