"""Uplift of rankings of more cases than memory holds: areas are exact, of counts by arm and event.

Every area of a curve that is linear in counts is made of whole numbers; those of heights that are
ratios are exact sums of doubles. Errors, and curves, are read at up to 65,536 ends of whole groups.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.data import (
    LoadedTable,
    column_as_float,
    encode_levels,
    rows_with_outcome_expected,
    select_rows,
)
from core.data.levels import is_empty
from core.document.model import Document
from core.document.studies.uplift import Area
from core.kernels.sorting import scores_of_keys
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.exact_sums import SumArray, add_products, exact_value, merge_sums, new_sums
from core.scale.ranked.coded import (
    CodedRange,
    GroupBlock,
    coded_ranges,
    group_blocks,
    spill_codes,
)
from core.scale.ranked.coded import new_counts as no_counts
from core.scale.ranked.kernels import KeyArray
from core.scale.ranked.ranges import CELLS, KeyMap, RankingCounts, key_map, last_in_cell
from core.scale.reading import OutcomeSummary, batch_table, filter_columns
from core.scale.sources import (
    MemoryBudget,
    PlannedTask,
    RowTask,
    Source,
    SourcePart,
    read_batches,
    sample_tasks,
)
from core.uplift.experiment import make_experiment
from core.uplift.ranked.area_kernels import joint_moments, separate_moments
from core.uplift.ranked.areas import area_record
from core.uplift.ranked.curves import JOINT_CODES, SEPARATE_CODES
from core.uplift.ranked.ranking import UpliftRanking
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

ProgressCall: TypeAlias = Callable[[float, str, None], None]
GroupEnds: TypeAlias = tuple[IntArray, KeyArray]

CODES = 4  # twice the arm (treated 1) and the event
ENDS = 65_536  # cells of positions in which the last end of a group is kept
_FIRST = 0.6
_NO_TABLES: FloatArray = np.empty((4, 0))
_R_T, _R_C, _N_T, _N_C = range(4)
VARIANTS = (*JOINT_CODES, *SEPARATE_CODES)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftReading:
    """How rows become cases of an experiment.

    Attributes
    ----------
    scores : tuple of (name, column)
    treatment, treated, control : str
        The column, and the printed levels of both arms; other arms are left out.
    outcome : str
    events : tuple of str
        Printed levels that count as the event; empty: the column is 0 or 1.
    lowest_first : tuple of str
        Rankings in which the lowest score comes first.
    document : Document, optional
        The project that says which rows count; cases that a ranking says nothing of are left out.
        None: all rows, and a gap is refused.
    """

    scores: tuple[tuple[str, str], ...]
    treatment: str
    treated: str
    control: str
    outcome: str
    events: tuple[str, ...] = ()
    lowest_first: tuple[str, ...] = ()
    document: Document | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, once each."""
        names = [*(column for _, column in self.scores), self.treatment, self.outcome]
        if self.document is not None:
            target = self.document.target
            names += [*filter_columns(self.document), *([target.column] if target else [])]
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftPlan:
    """What every task of a run shares; ``keys`` one a score."""

    reading: UpliftReading
    folder: str
    keys: tuple[KeyMap, ...] = ()


@dataclass(slots=True, kw_only=True, eq=False)
class UpliftSummary:
    """What a read gives: rows seen, used and left out, and counts and records of each ranking."""

    seen: int = 0
    rows: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    rankings: list[RankingCounts] = field(default_factory=list)

    def merge(self, other: UpliftSummary) -> None:
        """Take in what other rows gave."""
        self.seen += other.seen
        self.rows += other.rows
        self.dropped.update(other.dropped)
        for ours, theirs in zip(self.rankings, other.rankings, strict=True):
            ours.merge(theirs)


def read_uplift(task: PlannedTask[UpliftPlan]) -> UpliftSummary:
    """Read the rows of a task.

    Raises
    ------
    PayoffError
        For a part that cannot be read, or a value that is missing or none of its kind.
    """
    plan = task.plan
    found = UpliftSummary(rankings=[no_counts(keys, CODES) for keys in plan.keys])
    for number, (first, raw) in enumerate(read_batches(task.rows, plan.reading.columns)):
        part = task.rows.part
        codes, scores, dropped = _cases(batch_table(raw, part, first), part, first, plan.reading)
        found.seen += raw.num_rows
        found.rows += len(codes)
        found.dropped.update(dropped)
        for place, (keys, values) in enumerate(zip(plan.keys, scores, strict=True)):
            path = os.path.join(plan.folder, f"uplift-{place}-{task.rows.number}-{number}")
            found.rankings[place].merge(spill_codes(values, codes, keys, CODES, path, part.shown))
    return found


def _cases(
    table: LoadedTable, part: SourcePart, first: int, reading: UpliftReading
) -> tuple[NDArray[np.uint8], list[FloatArray], dict[str, int]]:
    """Codes of the cases of a batch, their scores, and how many rows are left out, and why."""
    arms, levels = encode_levels(table, reading.treatment)
    _refuse(arms < 0, f"The treatment '{reading.treatment}' is missing.", part, first)
    is_treated = np.isin(arms, [p for p, name in enumerate(levels) if name == reading.treated])
    is_control = np.isin(arms, [p for p, name in enumerate(levels) if name == reading.control])
    event, is_known = _events(table, part, first, reading)
    dropped: Counter[str] = Counter()
    is_case = np.ones(table.rows, dtype=bool)
    if reading.document is not None:
        kept = select_rows(
            table, reading.document, reading.document.rows_used, (), keeps_weightless=True
        )
        is_case = kept.rows
        dropped.update(dict(kept.dropped))

    def keep(inside: BoolArray, reason: str) -> None:
        nonlocal is_case
        dropped[reason] += int(np.count_nonzero(is_case & ~inside))
        is_case = is_case & inside

    keep(is_treated | is_control, "in another arm")
    keep(is_known, f"'{reading.outcome}' not known")
    scores = []
    for name, column in reading.scores:
        values = column_as_float(table, column, role="score")
        is_missing = np.isnan(values)
        if reading.document is None:
            _refuse(is_missing & is_case, f"The score '{name}' is missing.", part, first)
        keep(~is_missing, "a model says nothing")
        scores.append(-values if name in reading.lowest_first else values)
    codes = (2 * is_treated[is_case] + event[is_case]).astype(np.uint8)
    found = [np.ascontiguousarray(values[is_case], dtype=np.float64) for values in scores]
    return codes, found, {reason: rows for reason, rows in dropped.items() if rows}


def _events(
    table: LoadedTable, part: SourcePart, first: int, reading: UpliftReading
) -> tuple[BoolArray, BoolArray]:
    """Whether each row has the event, and whether that is known."""
    if reading.events:
        codes, levels = encode_levels(table, reading.outcome)
        events = [place for place, name in enumerate(levels) if name in reading.events]
        return np.isin(codes, events), np.asarray(codes >= 0)
    values = column_as_float(table, reading.outcome, role="outcome")
    is_known = ~np.isnan(values)
    is_other = is_known & (values != 0.0) & (values != 1.0)
    what = f"The outcome '{reading.outcome}' is neither 0 nor 1."
    why = "Read in pieces, cases are counted by arm and event; other numbers have to be added up."
    _refuse(is_other, what, part, first, why)
    return np.asarray(values == 1.0), is_known


def _refuse(is_bad: BoolArray, what: str, part: SourcePart, first: int, why: str = "") -> None:
    if is_bad.any():
        row = first + int(np.argmax(is_bad)) + 1
        raise PayoffError(
            what,
            where=f"{part.shown}, data row {row:,}",
            why=why,
            remedy="Mend the value, or leave such rows out.",
        )


def count_gaps(task: PlannedTask[UpliftReading]) -> OutcomeSummary:
    """Count rows of both arms that should have an outcome and have none."""
    reading, found = task.plan, OutcomeSummary()
    assert reading.document is not None
    for first, raw in read_batches(task.rows, reading.columns):
        table = batch_table(raw, task.rows.part, first)
        arms, levels = encode_levels(table, reading.treatment)
        both = (reading.treated, reading.control)
        compared = np.isin(arms, [place for place, name in enumerate(levels) if name in both])
        expected = rows_with_outcome_expected(table, reading.document) & compared
        piece = OutcomeSummary(rows=table.rows)
        piece.note_missing(is_empty(table, reading.outcome) & expected, task.rows.part, first)
        found.merge(piece)
    return found


# ---------------------------------------------------------------- a key range


@dataclass(slots=True, kw_only=True, eq=False)
class UpliftRange:
    """What the scan of a range gives; ranges merge in any order.

    Attributes
    ----------
    moments : (4, 2) int64
        Sums over groups of (before + after) of r_T, r_C, n_T, n_C times the group's treated and
        its control cases.
    ratios : (2, 67)
        Exact sums of both neighbouring heights of Qini and of uplift curves times cases.
    ends : list of (k, 4) int64 and (k,) uint64
        Counts by code, and keys of scores, at the last ends in cells of positions.
    every : the same, or None
        Those at all ends; None where there are too many.
    """

    ranking: int
    number: int
    groups: int = 0
    moments: IntArray = field(default_factory=lambda: np.zeros((4, 2), dtype=np.int64))
    ratios: SumArray = field(default_factory=lambda: new_sums(2))
    ends: list[GroupEnds] = field(default_factory=list)
    every: list[GroupEnds] | None = field(default_factory=list)


def scan_uplift(task: CodedRange) -> UpliftRange:
    """Scan the groups of a range.

    Raises
    ------
    PayoffError
        For a spilled file that is damaged.
    """
    found = UpliftRange(ranking=task.ranking, number=task.number)
    whole = int(task.whole.sum())
    for block in group_blocks(task, task.start, task.before):
        _add_block(found, block, whole)
    return found


def arm_sums(counts: IntArray) -> IntArray:
    """r_T, r_C, n_T, n_C of counts by code (k, 4), (4, k)."""
    control, control_event, treated, treated_event = counts.T
    return np.stack(
        [treated_event, control_event, treated + treated_event, control + control_event]
    )


def _add_block(found: UpliftRange, block: GroupBlock, whole: int) -> None:
    sums = arm_sums(block.ends)
    both = sums[:, :-1] + sums[:, 1:]
    found.moments += both @ np.diff(sums[[_N_T, _N_C]], axis=1).T
    rows = sums[_N_T] + sums[_N_C]
    size = np.diff(rows).astype(np.float64)
    own = new_sums(2)
    for number, height in enumerate(_ratio_heights(sums)):
        before, after = np.nan_to_num(height[:-1]), height[1:]
        add_products(np.where(np.isfinite(after), before + after, 0.0), size, own[number])
        # The first height that is defined is joined to the origin, past groups without one.
        first = np.flatnonzero(np.isnan(height[:-1]) & np.isfinite(after) & (rows[:-1] > 0))
        add_products(after[first], rows[first].astype(np.float64), own[number])
    found.ratios = merge_sums(found.ratios, own)
    kept = last_in_cell(rows[1:], whole, CELLS // ENDS)
    found.ends.append((block.ends[1:][kept], block.keys[kept]))
    found.groups += len(block)
    if found.every is not None and found.groups <= ENDS:
        found.every.append((block.ends[1:], block.keys))
    else:
        found.every = None


def _ratio_heights(sums: IntArray) -> tuple[FloatArray, FloatArray]:
    """Heights of the joint Qini and uplift curves, NaN where undefined."""
    r_t, r_c, n_t, n_c = sums.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        qini = np.where(n_c > 0, r_t - r_c * n_t / n_c, np.nan)
        gap = np.where((n_c > 0) & (n_t > 0), r_t / n_t - r_c / n_c, np.nan)
    return qini, gap * (n_t + n_c)


# ---------------------------------------------------------------- a whole ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamedUplift:
    """One ranking of an experiment that was read in pieces.

    Attributes
    ----------
    groups : int
    moments, ratios
        Of all ranges, as ``UpliftRange`` has them.
    sums : (6, k) float64
        n_T, n_C, r_T, r_C and squares of outcomes of both arms at the ends that are kept.
    counts : (k, 4) int64
        Cases by code down to these ends.
    thresholds : (k,) float64
        Scores there, falling.
    """

    groups: int
    moments: tuple[tuple[int, int], ...]
    ratios: tuple[Fraction, Fraction]
    sums: FloatArray
    counts: IntArray
    thresholds: FloatArray

    @property
    def sizes(self) -> tuple[int, int]:
        """Treated and control cases."""
        return int(self.sums[0, -1]), int(self.sums[1, -1])

    def overall_nu(self) -> float:
        """The baseline that is best for the last point: as ``Curves.overall_nu``."""
        treated, control = self.sizes
        r_t, r_c = int(self.sums[2, -1]), int(self.sums[3, -1])
        up, down = Fraction(1, treated**2), Fraction(1, control**2)
        return float((r_t * up + r_c * down) / (treated * up + control * down))

    def ranking(self) -> UpliftRanking:
        """The ranking as one of counts: a row for each end that is kept, arm and event.

        Curves are read at these ends, areas are the exact ones.
        """
        inside = np.diff(self.counts, axis=0, prepend=0)
        place, code = np.nonzero(inside)
        counted_cases = make_experiment(
            (code % 2).astype(np.float64), code > 1, weight=inside[place, code].astype(np.float64)
        )
        return UpliftRanking(counted_cases, self.thresholds[place], exact_area=self.area)

    def area(self, variant: str, nu: float, confidence: float) -> Area:
        """The area of a variant: exact; its errors are of the ends that are kept.

        Parameters
        ----------
        variant : str
            One of ``VARIANTS``.
        """
        area, end = self._figures(variant, Fraction(nu))
        out = np.empty(6)
        if variant in SEPARATE_CODES:
            separate_moments(SEPARATE_CODES[variant], tuple(self.sums), _NO_TABLES, out)
        else:
            first = self._first_defined(variant)
            baseline = nu if variant == "generalised" else 0.0
            joint_moments(JOINT_CODES[variant], baseline, tuple(self.sums), first, _NO_TABLES, out)
        errors = (math.sqrt(out[2]), math.sqrt(out[3]), math.sqrt(out[4]))
        figures = float(area), float(area - end / 2), float(end)
        method = "analytic"
        if self.sums.shape[1] < self.groups:
            method = f"analytic, read at {counted_of(self.sums.shape[1], self.groups, 'score')}"
        return area_record(figures, errors, confidence, method)

    def _first_defined(self, variant: str) -> int:
        n_t, n_c = self.sums[:2]
        if variant == "uplift_joint_absolute":
            return int(np.argmax((n_t > 0) & (n_c > 0)))
        return int(np.argmax(n_c > 0)) if variant == "qini_joint_absolute" else 0

    def _figures(self, variant: str, nu: Fraction) -> tuple[Fraction, Fraction]:
        """Area and last height."""
        t, c = self.sizes
        total, r_t, r_c = t + c, int(self.sums[2, -1]), int(self.sums[3, -1])
        m = self.moments
        rates = Fraction(r_t, t) - Fraction(r_c, c)
        if variant in ("qini_joint_absolute", "uplift_joint_absolute"):
            place = int(variant == "uplift_joint_absolute")
            end = rates * total if place else r_t - Fraction(r_c * t, c)
            return self.ratios[place] / (2 * total), end
        if variant == "generalised":

            def along(q: int) -> Fraction:
                return Fraction(m[q][0], t) + Fraction(m[q][1], c)

            height = along(_R_T) / t - along(_R_C) / c
            return (height - nu * (along(_N_T) / t - along(_N_C) / c)) / 4, rates
        if variant in SEPARATE_CODES:
            own_t, own_c = Fraction(m[_R_T][0], 2 * t), Fraction(m[_R_C][1], 2 * c)
            scale_t, scale_c = {
                "qini_separate_absolute": (Fraction(1), Fraction(t, c)),
                "uplift_separate_absolute": (Fraction(1), Fraction(1)),
                "separate_relative": (Fraction(1, t), Fraction(1, c)),
            }[variant]
            return own_t * scale_t - own_c * scale_c, r_t * scale_t - r_c * scale_c
        plain = variant == "plain"
        scale_t = Fraction(1, total if plain else t)
        scale_c = Fraction(1, total if plain else c)
        area = (sum(m[_R_T]) * scale_t - sum(m[_R_C]) * scale_c) / (2 * total)
        return area, r_t * scale_t - r_c * scale_c


def whole_uplift(parts: list[UpliftRange]) -> StreamedUplift:
    """One ranking of the scans of its ranges, in any order."""
    ratios = new_sums(2)
    for part in parts:
        ratios = merge_sums(ratios, part.ratios)
    ordered = sorted(parts, key=lambda part: part.number)
    groups = sum(part.groups for part in parts)
    is_whole = groups <= ENDS
    kept = [end for part in ordered for end in (part.every if is_whole else part.ends) or ()]
    ends, keys = (np.concatenate(column) for column in zip(*kept, strict=True))
    if not is_whole:
        rows = ends.sum(axis=1)
        last = last_in_cell(rows, int(rows[-1]), CELLS // ENDS)
        ends, keys = ends[last], keys[last]
    r_t, r_c, n_t, n_c = arm_sums(ends).astype(np.float64)
    moments = [[sum(int(p.moments[q, a]) for p in parts) for a in (0, 1)] for q in range(4)]
    return StreamedUplift(
        groups=groups,
        moments=tuple((first, second) for first, second in moments),
        ratios=(exact_value(ratios[0]), exact_value(ratios[1])),
        sums=np.stack([n_t, n_c, r_t, r_c, r_t, r_c]),
        counts=ends,
        thresholds=scores_of_keys(keys),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpliftOfSource:
    """Rankings of an experiment that was read in pieces, by score."""

    seen: int
    rows: int
    dropped: tuple[tuple[str, int], ...]
    rankings: dict[str, StreamedUplift]
    pieces: int


def uplift_of_source(
    source: Source,
    reading: UpliftReading,
    folder: Path,
    budget: MemoryBudget,
    runner: Runner,
    *,
    progress: ProgressCall,
    should_stop: Callable[[], bool],
) -> UpliftOfSource:
    """Rank the cases of a source by every score.

    Raises
    ------
    PayoffError
        For rows that cannot be read, and an arm without a case.
    StoppedError
    """
    tasks = source.tasks(budget.batch_rows(runner.in_process, len(reading.scores)))
    plan = UpliftPlan(reading=reading, folder=str(folder))
    plan = replace(plan, keys=_key_maps(tasks, reading))
    found = UpliftSummary(rankings=[no_counts(keys, CODES) for keys in plan.keys])
    work = (PlannedTask(rows=task, plan=plan) for task in tasks)
    summaries = run_tasks_bounded(runner, read_uplift, work, should_stop=should_stop)
    for done, summary in enumerate(summaries, start=1):
        found.merge(summary)
        share = done / len(tasks)
        progress(_FIRST * share, f"Reading, {share:.0%} of the rows", None)
    _check_arms(found, reading, source)
    held = max(budget.sort_bytes(runner.in_process) // 24, 65_536)
    ranges = [
        entry
        for place, (counts, keys) in enumerate(zip(found.rankings, plan.keys, strict=True))
        for entry in coded_ranges(place, counts, keys, held)
    ]
    scanned: list[list[UpliftRange]] = [[] for _ in plan.keys]
    scans = run_tasks_bounded(runner, scan_uplift, ranges, should_stop=should_stop)
    for done, scan in enumerate(scans, start=1):
        scanned[scan.ranking].append(scan)
        share = done / len(ranges)
        progress(_FIRST + (1.0 - _FIRST) * share, f"Sorting, {share:.0%}", None)
    names = [name for name, _ in reading.scores]
    return UpliftOfSource(
        seen=found.seen,
        rows=found.rows,
        dropped=tuple(sorted(found.dropped.items())),
        rankings={n: whole_uplift(parts) for n, parts in zip(names, scanned, strict=True)},
        pieces=len(tasks),
    )


def _key_maps(tasks: tuple[RowTask, ...], reading: UpliftReading) -> tuple[KeyMap, ...]:
    seen: list[list[FloatArray]] = [[np.zeros(1)] for _ in reading.scores]
    for task in sample_tasks(tasks):
        batch = next(read_batches(task, reading.columns), None)
        if batch is not None:
            table = batch_table(batch[1], task.part, batch[0])
            for own, values in zip(
                seen, _cases(table, task.part, batch[0], reading)[1], strict=True
            ):
                own.append(values)
    return tuple(key_map(np.concatenate(values)) for values in seen)


def _check_arms(found: UpliftSummary, reading: UpliftReading, source: Source) -> None:
    counts = arm_sums(found.rankings[0].whole[np.newaxis])[:, 0]
    for place, arm in ((_N_T, reading.treated), (_N_C, reading.control)):
        if not counts[place]:
            raise PayoffError(
                f"No case with a known outcome is in the arm '{arm}'.",
                where=f"{source.name}, {counted(found.rows, 'case')}",
                remedy="An effect is the difference of two arms: both have to have cases.",
            )


__all__ = [
    "VARIANTS",
    "StreamedUplift",
    "UpliftOfSource",
    "UpliftReading",
    "count_gaps",
    "uplift_of_source",
]
