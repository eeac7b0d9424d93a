"""Uplift of rankings of more cases than memory holds: exact areas, of measures by arm and event.

Every area of a curve that is linear in measures is made of whole numbers of their units; those of
heights that are ratios are exact sums of doubles. Errors, and curves, are read at up to 65,536 ends
of whole groups.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.document.studies.uplift import Area
from core.kernels.sorting import scores_of_keys
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.exact_sums import SumArray, add_products, exact_value, merge_sums, new_sums
from core.scale.ranked.coded import (
    GroupBlock,
    group_blocks,
    spill_codes,
)
from core.scale.ranked.coded import new_counts as no_counts
from core.scale.ranked.kernels import KeyArray
from core.scale.ranked.ranges import (
    CELLS,
    KeyMap,
    RankingCounts,
    key_map,
    last_in_cell,
    spilled_ranges,
)
from core.scale.ranked.records import SpilledRange
from core.scale.reading import batch_table
from core.scale.sources import (
    MemoryBudget,
    PlannedTask,
    ProgressCall,
    RowTask,
    Source,
    read_batches,
    sample_tasks,
)
from core.scale.uplift.cases import TermSums, UpliftReading, arm_cases, sum_terms
from core.scale.uplift.measures import CODES, UpliftMeasures
from core.uplift.experiment import make_experiment, narrow_intervals
from core.uplift.ranked.area_kernels import joint_moments, separate_moments
from core.uplift.ranked.areas import area_record, propensity_errors
from core.uplift.ranked.curves import (
    JOINT_CODES,
    SEPARATE_CODES,
    UpliftCurve,
    curve_of_signed,
    curve_of_sums,
)
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import MOST_BINS
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

GroupEnds: TypeAlias = tuple[IntArray, KeyArray]
Moments: TypeAlias = tuple[tuple[Fraction, Fraction], ...]

ENDS = 65_536  # cells of positions in which the last end of a group is kept
_FIRST = 0.6
_NO_TABLES: FloatArray = np.empty((4, 0))
_R_T, _R_C, _N_T, _N_C = range(4)
VARIANTS = (*JOINT_CODES, *SEPARATE_CODES)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftPlan:
    """What every task of a run shares; ``keys`` one a score, ``units`` one a measure.

    Without ``units`` every case counts once.
    """

    reading: UpliftReading
    folder: str
    keys: tuple[KeyMap, ...] = ()
    units: tuple[float, ...] = ()

    def no_counts(self) -> list[RankingCounts]:
        """Counts of no rows, of every ranking."""
        return [no_counts(keys, CODES * max(len(self.units), 1)) for keys in self.keys]


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
    found = UpliftSummary(rankings=plan.no_counts())
    for number, (first, raw) in enumerate(read_batches(task.rows, plan.reading.columns)):
        part = task.rows.part
        table = batch_table(raw, part, first)
        cases, dropped = arm_cases(table, part, first, plan.reading)
        found.seen += raw.num_rows
        found.rows += len(cases.codes)
        found.dropped.update(dropped)
        times = cases.times(plan.units)
        for place, (keys, values) in enumerate(zip(plan.keys, cases.scores, strict=True)):
            path = os.path.join(plan.folder, f"uplift-{place}-{task.rows.number}-{number}")
            found.rankings[place].merge(
                spill_codes(values, cases.codes, keys, CODES, path, part.shown, times)
            )
    return found


# ---------------------------------------------------------------- a key range


@dataclass(slots=True, kw_only=True, eq=False)
class UpliftRange:
    """What the scan of a range gives; ranges merge in any order.

    Attributes
    ----------
    moments : (2, 4, 2, 67)
        Exact sums over groups of (before + after) of r_T, r_C, n_T, n_C times the group's treated
        and its control cases; by weight, and by weight times inverse chance. In units.
    ratios : (2, 67)
        Exact sums of both neighbouring heights of Qini and of uplift curves times cases.
    ends : list of (k, measures * 4) int64 and (k,) uint64
        Units by code, and keys of scores, at the last ends in cells of positions.
    every : the same, or None
        Those at all ends; None where there are too many.
    cuts : the same
        Those at the ends of the bins that draws are counted in.
    """

    ranking: int
    number: int
    groups: int = 0
    moments: SumArray = field(default_factory=lambda: new_sums(2, 4, 2))
    ratios: SumArray = field(default_factory=lambda: new_sums(2))
    ends: list[GroupEnds] = field(default_factory=list)
    every: list[GroupEnds] | None = field(default_factory=list)
    cuts: list[GroupEnds] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MeasuredRange:
    """A range, and what its cases count by."""

    range: SpilledRange
    measures: UpliftMeasures


def scan_uplift(task: MeasuredRange) -> UpliftRange:
    """Scan the groups of a range.

    Raises
    ------
    PayoffError
        For a spilled file that is damaged.
    """
    own = task.range
    found = UpliftRange(ranking=own.ranking, number=own.number)
    whole = float(own.whole[:CODES].sum())
    for block in group_blocks(own):
        _add_block(found, block, whole, task.measures)
    return found


def arm_sums(counts: IntArray, measures: UpliftMeasures, of_chance: int = 0) -> FloatArray:
    """r_T, r_C, n_T, n_C of units (k, measures * 4), (4, k): whole numbers below 2^51."""
    by_code = counts.T.reshape(-1, CODES, len(counts)).astype(np.float64)
    outcomes, cases = (measures.arms(by_code, of_chance, power) for power in (1, 0))
    return np.stack([*outcomes, *cases])


def _add_block(
    found: UpliftRange, block: GroupBlock, whole: float, measures: UpliftMeasures
) -> None:
    own = new_sums(2, 4, 2)
    for measure in range(1 + measures.has_chances):
        sums = arm_sums(block.ends, measures, measure)
        both, step = sums[:, :-1] + sums[:, 1:], np.diff(sums[[_N_T, _N_C]], axis=1)
        for quantity in range(4):
            for arm in range(2):
                add_products(both[quantity], step[arm], own[measure, quantity, arm])
    found.moments = merge_sums(found.moments, own)
    sums = arm_sums(block.ends, measures)
    _add_ratios(found, sums)
    rows = sums[_N_T] + sums[_N_C]
    kept = last_in_cell(rows[1:], whole, CELLS // ENDS)
    found.ends.append((block.ends[1:][kept], block.keys[kept]))
    depths = np.linspace(0.0, whole, MOST_BINS + 1)[1:]
    inside = depths[(depths > rows[0]) & (depths <= rows[-1])]
    cuts = np.unique(np.searchsorted(rows[1:], inside, side="left"))
    found.cuts.append((block.ends[1:][cuts], block.keys[cuts]))
    found.groups += len(block)
    if found.every is not None and found.groups <= ENDS:
        found.every.append((block.ends[1:], block.keys))
    else:
        found.every = None


def _add_ratios(found: UpliftRange, sums: FloatArray) -> None:
    rows = sums[_N_T] + sums[_N_C]
    size = np.diff(rows)
    own = new_sums(2)
    for number, height in enumerate(_ratio_heights(sums)):
        before, after = np.nan_to_num(height[:-1]), height[1:]
        add_products(np.where(np.isfinite(after), before + after, 0.0), size, own[number])
        # The first height that is defined is joined to the origin, past groups without one.
        first = np.flatnonzero(np.isnan(height[:-1]) & np.isfinite(after) & (rows[:-1] > 0))
        add_products(after[first], rows[first], own[number])
    found.ratios = merge_sums(found.ratios, own)


def _ratio_heights(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Heights of the joint Qini and uplift curves, NaN where undefined."""
    r_t, r_c, n_t, n_c = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        qini = np.where(n_c > 0, r_t - r_c * n_t / n_c, np.nan)
        gap = np.where((n_c > 0) & (n_t > 0), r_t / n_t - r_c / n_c, np.nan)
    return qini, gap * (n_t + n_c)


# ---------------------------------------------------------------- a whole ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedEnds:
    """Some ends of groups of a ranking, falling, and what is before and with them.

    Attributes
    ----------
    measures : (measures, 4, k) float64
        By code; the last end is that of all cases.
    counts : (k, measures * 4) int64
        The same in units.
    keys : (k,) uint64
    kind : UpliftMeasures
    """

    measures: FloatArray
    counts: IntArray
    keys: KeyArray
    kind: UpliftMeasures

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def sums(self) -> FloatArray:
        """n_T, n_C, r_T, r_C and squares of outcomes of both arms, (6, k)."""
        found = (self.kind.arms(self.measures, 0, power) for power in range(3))
        return np.stack([sums for both in found for sums in both])

    @property
    def signed(self) -> FloatArray:
        """Sums with the chances of treatment, (9, k), as ``UpliftRanking.signed``."""
        arms, by = self.kind.arms, self.measures
        (once_t, once_c), (n_t, n_c) = arms(by, 1), arms(by, 2)
        (s_t, s_c), (r_t, r_c), (q_t, q_c) = arms(by, 1, 1), arms(by, 2, 1), arms(by, 2, 2)
        return np.stack(
            [
                0.5 * (once_t + once_c),
                s_t - s_c,
                once_t - once_c,
                r_t + r_c,
                n_t + n_c,
                q_t + q_c,
                s_t,
                r_t - r_c,
                n_t - n_c,
            ]
        ) / float(self.measures[0, :, -1].sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamedUplift:
    """One ranking of an experiment that was read in pieces.

    Attributes
    ----------
    groups : int
    moments : (2, 4, 2) of Fraction
    ratios : pair of Fraction
        Of all ranges, as ``UpliftRange`` has them, in what units are of.
    ends : RankedEnds
        Where curves and errors are read.
    cuts : RankedEnds
        Ends of the bins that draws are counted in.
    """

    groups: int
    moments: tuple[Moments, Moments]
    ratios: tuple[Fraction, Fraction]
    ends: RankedEnds
    cuts: RankedEnds

    @property
    def has_propensity(self) -> bool:
        """Whether chances of treatment are known case by case."""
        return self.ends.kind.has_chances

    @property
    def thresholds(self) -> FloatArray:
        """Scores at the ends that are kept, falling, (k,)."""
        return scores_of_keys(self.ends.keys)

    @property
    def last(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Treated and control cases, and events among them."""
        t, c, r_t, r_c = (Fraction(float(value)) for value in self.ends.sums[:4, -1])
        return t, c, r_t, r_c

    def overall_nu(self) -> float:
        """The baseline that is best for the last point: as ``Curves.overall_nu``."""
        if self.has_propensity:
            signed = self.ends.signed[:, -1]
            return float(signed[3] / signed[4])
        t, c, r_t, r_c = self.last
        return float((r_t / t**2 + r_c / c**2) / (1 / t + 1 / c))

    def ranking(self, widening: float | None = None) -> UpliftRanking:
        """The ranking as one of counts: a row for each end that is kept, arm and event.

        Of amounts, two rows for each end and arm. Curves are read at these ends, areas are the
        exact ones. Cases count by their weights, which are sampling weights where ``widening`` says
        by how much intervals are wider.
        """
        inside = np.diff(self.ends.measures[0].T, axis=0, prepend=0.0)
        place, code = np.nonzero(inside)
        outcome, is_treated, weight = (code % 2).astype(np.float64), code > 1, inside[place, code]
        if self.ends.kind.has_amounts:
            sums = np.diff(self.ends.sums, axis=1, prepend=0.0).reshape(3, 2, -1)
            outcome, weight, (arm, place) = _two_amounts(sums, is_sampled=widening is not None)
            is_treated = arm == 0
        counted_cases = make_experiment(
            outcome,
            is_treated,
            weight=weight,
            is_sampled=widening is not None,
            widening=1.0 if widening is None else widening,
        )
        return UpliftRanking(counted_cases, self.thresholds[place], exact_area=self.area)

    def curve(self, variant: str, nu: float, ends: RankedEnds | None = None) -> UpliftCurve:
        """A joint or the generalised curve at the ends that are kept, or at others."""
        at = self.ends if ends is None else ends
        if variant == "generalised" and self.has_propensity:
            return curve_of_signed(at.signed, at.sums[:2].sum(axis=0), nu)
        return curve_of_sums(variant, at.sums, nu)

    def area(self, variant: str, nu: float, confidence: float) -> Area:
        """The area of a variant: exact; its errors are of the ends that are kept.

        Parameters
        ----------
        variant : str
            One of ``VARIANTS``.
        """
        area, chord, end = self._figures(variant, Fraction(nu))
        figures = float(area), float(area - chord), float(end)
        method = "analytic"
        if len(self.ends) < self.groups:
            method = f"analytic, read at {counted_of(len(self.ends), self.groups, 'score')}"
        return area_record(figures, self._errors(variant, nu), confidence, method)

    def _errors(self, variant: str, nu: float) -> tuple[float, float, float]:
        """Standard errors of the area, of the area less its chord's, and of the last height."""
        sums = self.ends.sums
        if variant == "generalised" and self.has_propensity:
            return propensity_errors(self.ends.signed, float(sums[:2, -1].sum()), nu)
        if variant in SEPARATE_CODES:
            of_all = np.empty((len(SEPARATE_CODES), 6))
            separate_moments(tuple(sums), 0, _NO_TABLES, of_all)
            out = of_all[SEPARATE_CODES[variant]]
        else:
            out = np.empty(6)
            baseline = nu if variant == "generalised" else 0.0
            joint_moments(JOINT_CODES[variant], baseline, tuple(sums), _NO_TABLES, out)
        return math.sqrt(out[2]), math.sqrt(out[3]), math.sqrt(out[4])

    def _figures(self, variant: str, nu: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Area, area of the chord, and last height."""
        t, c, r_t, r_c = self.last
        total, m = t + c, self.moments[0]
        rates = r_t / t - r_c / c
        if variant == "generalised" and self.has_propensity:
            m = self.moments[1]
            height = sum(m[_R_T]) - sum(m[_R_C]) - nu * (sum(m[_N_T]) - sum(m[_N_C]))
            kind, last = self.ends.kind, self.ends.measures[:, :, -1]
            n_t, n_c = (Fraction(float(value)) for value in kind.arms(last, 1))
            s_t, s_c = (Fraction(float(value)) for value in kind.arms(last, 1, 1))
            depth = (n_t + n_c) / (2 * total)
            end = s_t - s_c - nu * (n_t - n_c)
            return height / (4 * total**2), depth * end / total / 2, end / total
        if variant in ("qini_joint_absolute", "uplift_joint_absolute"):
            place = int(variant == "uplift_joint_absolute")
            end = rates * total if place else r_t - r_c * t / c
            area = self.ratios[place] / (2 * total)
        elif variant == "generalised":

            def along(q: int) -> Fraction:
                return m[q][0] / t + m[q][1] / c

            height = along(_R_T) / t - along(_R_C) / c
            end = rates
            area = (height - nu * (along(_N_T) / t - along(_N_C) / c)) / 4
        elif variant in SEPARATE_CODES:
            scale_t, scale_c = {
                "qini_separate_absolute": (Fraction(1), t / c),
                "uplift_separate_absolute": (Fraction(1), Fraction(1)),
                "separate_relative": (1 / t, 1 / c),
            }[variant]
            end = r_t * scale_t - r_c * scale_c
            area = m[_R_T][0] / (2 * t) * scale_t - m[_R_C][1] / (2 * c) * scale_c
        else:
            plain = variant == "plain"
            scale_t, scale_c = (1 / total, 1 / total) if plain else (1 / t, 1 / c)
            end = r_t * scale_t - r_c * scale_c
            area = (sum(m[_R_T]) * scale_t - sum(m[_R_C]) * scale_c) / (2 * total)
        return area, end / 2, end


def _two_amounts(
    sums: FloatArray, *, is_sampled: bool
) -> tuple[FloatArray, FloatArray, tuple[IntArray, ...]]:
    """Two amounts in place of all of a cell: as many, with their sum and that of their squares.

    Parameters
    ----------
    sums : (3, ...) float64
        Of the cases of each cell: their weights, amounts, and squares of amounts.
    is_sampled : bool
        Weights need not be whole.

    Returns
    -------
    amounts, weights : (m,) float64
    cells : tuple of (m,) int64
        Where each belongs, as ``numpy.nonzero`` says it.
    """
    cells = np.nonzero(sums[0])
    count, total, squares = (sums[power][cells] for power in range(3))
    mean = total / count
    spread = np.sqrt(np.maximum(squares / count - mean * mean, 0.0))
    above = count / 2 if is_sampled else np.floor(count / 2)
    below = count - above
    with np.errstate(divide="ignore", invalid="ignore"):
        high = mean + spread * np.sqrt(below / above)
    low = mean - spread * np.sqrt(above / below)
    has_two = above > 0  # one case alone is its amount
    return (
        np.concatenate([high[has_two], np.where(has_two, low, mean)]),
        np.concatenate([above[has_two], below]),
        tuple(np.concatenate([entry[has_two], entry]) for entry in cells),
    )


def whole_uplift(
    parts: list[UpliftRange], units: tuple[float, ...], measures: UpliftMeasures
) -> StreamedUplift:
    """One ranking of the scans of its ranges, in any order; without units they are 1."""
    ratios, moments = new_sums(2), new_sums(2, 4, 2)
    for part in parts:
        ratios = merge_sums(ratios, part.ratios)
        moments = merge_sums(moments, part.moments)
    ordered = sorted(parts, key=lambda part: part.number)
    groups = sum(part.groups for part in parts)
    is_whole = groups <= ENDS

    def joined(kept: list[GroupEnds]) -> RankedEnds:
        return _joined(kept, units, measures)

    ends = joined([end for p in ordered for end in (p.every if is_whole else p.ends) or ()])
    cuts = joined([end for p in ordered for end in p.cuts])
    if not is_whole:
        rows = ends.counts[:, :CODES].sum(axis=1, dtype=np.float64)
        ends = joined([_some(ends, last_in_cell(rows, rows[-1], CELLS // ENDS))])

    def unit(of_chance: int, of_amount: int) -> Fraction:
        return Fraction(units[measures.place(of_chance, of_amount)]) if units else Fraction(1)

    def scaled(level: int) -> Moments:
        by_quantity = zip(moments[level], (1, 1, 0, 0), strict=True)
        own = [(sums, unit(level, power) * unit(level, 0)) for sums, power in by_quantity]
        return tuple((exact_value(t) * scale, exact_value(c) * scale) for (t, c), scale in own)

    height = unit(0, 1) * unit(0, 0)
    return StreamedUplift(
        groups=groups,
        moments=(scaled(0), scaled(1) if measures.has_chances else scaled(0)),
        ratios=(exact_value(ratios[0]) * height, exact_value(ratios[1]) * height),
        ends=ends,
        cuts=ends if groups <= MOST_BINS else cuts,
    )


def _some(ends: RankedEnds, chosen: BoolArray) -> GroupEnds:
    return ends.counts[chosen], ends.keys[chosen]


def _joined(
    kept: list[GroupEnds], units: tuple[float, ...], measures: UpliftMeasures
) -> RankedEnds:
    """Ends of ranges one after the other."""
    counts, keys = (np.concatenate(column) for column in zip(*kept, strict=True))
    by_code = counts.T.reshape(-1, CODES, len(keys)).astype(np.float64)
    scale = np.array(units or (1.0,))[:, np.newaxis, np.newaxis]
    return RankedEnds(measures=by_code * scale, counts=counts, keys=keys, kind=measures)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpliftOfSource:
    """Rankings of an experiment that was read in pieces, by score."""

    seen: int
    rows: int
    dropped: tuple[tuple[str, int], ...]
    rankings: dict[str, StreamedUplift]
    pieces: int
    units: tuple[float, ...] = ()
    widening: float | None = None  # of intervals, where weights are sampling weights

    def narrow_intervals(self, column: str | None) -> tuple[str, ...]:
        """That intervals take sampling weights as counts, where that makes a difference."""
        total = float(sum(next(iter(self.rankings.values())).last[:2]))
        return narrow_intervals(self.widening or 1.0, total, self.rows, column)


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
    tasks = source.tasks(budget.batch_rows(runner.in_process, reading.width))
    terms = None
    if not reading.is_counted:
        progress(0.0, "Adding up what cases count", None)
        terms = _terms(tasks, reading, runner, should_stop)
    units = () if terms is None else terms.units
    plan = UpliftPlan(
        reading=reading, folder=str(folder), keys=_key_maps(tasks, reading), units=units
    )
    found = UpliftSummary(rankings=plan.no_counts())
    work = (PlannedTask(rows=task, plan=plan) for task in tasks)
    summaries = run_tasks_bounded(runner, read_uplift, work, should_stop=should_stop)
    for done, summary in enumerate(summaries, start=1):
        found.merge(summary)
        share = done / len(tasks)
        progress(_FIRST * share, f"Reading, {share:.0%} of the rows", None)
    _check_arms(found, reading, source)
    held = max(budget.sort_bytes(runner.in_process) // (24 + 40 * len(units)), 65_536)
    measures = reading.measures
    ranges = [
        MeasuredRange(entry, measures)
        for place, (counts, keys) in enumerate(zip(found.rankings, plan.keys, strict=True))
        for entry in spilled_ranges(place, counts.counts, counts.files, keys, held)
    ]
    scanned: list[list[UpliftRange]] = [[] for _ in plan.keys]
    scans = run_tasks_bounded(runner, scan_uplift, ranges, should_stop=should_stop)
    for done, scan in enumerate(scans, start=1):
        scanned[scan.ranking].append(scan)
        share = done / len(ranges)
        progress(_FIRST + (1.0 - _FIRST) * share, f"Sorting, {share:.0%}", None)
    names = [name for name, _ in reading.scores]
    is_sampled = terms is not None and (reading.is_sampled or terms.has_fractions)
    return UpliftOfSource(
        seen=found.seen,
        rows=found.rows,
        dropped=tuple(sorted(found.dropped.items())),
        rankings={
            name: whole_uplift(parts, units, measures)
            for name, parts in zip(names, scanned, strict=True)
        },
        pieces=len(tasks),
        units=units,
        widening=None if terms is None or not is_sampled else terms.widening(),
    )


def _terms(
    tasks: tuple[RowTask, ...],
    reading: UpliftReading,
    runner: Runner,
    should_stop: Callable[[], bool],
) -> TermSums:
    """What all cases count, read once before they are ranked."""
    found = TermSums(sums=new_sums(len(reading.measures.powers)))
    work = (PlannedTask(rows=task, plan=reading) for task in tasks)
    for summary in run_tasks_bounded(runner, sum_terms, work, should_stop=should_stop):
        found.merge(summary)
    return found


def _key_maps(tasks: tuple[RowTask, ...], reading: UpliftReading) -> tuple[KeyMap, ...]:
    seen: list[list[FloatArray]] = [[np.zeros(1)] for _ in reading.scores]
    for task in sample_tasks(tasks):
        batch = next(read_batches(task, reading.columns), None)
        if batch is not None:
            table = batch_table(batch[1], task.part, batch[0])
            cases, _ = arm_cases(table, task.part, batch[0], reading)
            for own, values in zip(seen, cases.scores, strict=True):
                own.append(values)
    return tuple(key_map(np.concatenate(values)) for values in seen)


def _check_arms(found: UpliftSummary, reading: UpliftReading, source: Source) -> None:
    by_code = found.rankings[0].whole[:CODES].reshape(1, CODES).astype(np.float64)
    sizes = UpliftMeasures().arms(by_code)
    for size, arm in zip(sizes, (reading.treated, reading.control), strict=True):
        if not size:
            raise PayoffError(
                f"No case with a known outcome is in the arm '{arm}'.",
                where=f"{source.name}, {counted(found.rows, 'case')}",
                remedy="An effect is the difference of two arms: both have to have cases.",
            )


__all__ = [
    "VARIANTS",
    "RankedEnds",
    "StreamedUplift",
    "UpliftOfSource",
    "uplift_of_source",
]
