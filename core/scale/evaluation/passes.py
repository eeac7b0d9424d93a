"""The two reads of an evaluation: terms, counts and records; then draws and paired places."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.data.cancellation import is_stop_wanted
from core.evaluation.binding import BoundMetric, reason_of
from core.evaluation.problem import MetricRequest
from core.inference.draws import DrawPlan, draw_blocks
from core.kernels import LANES, limited_threads
from core.scale.evaluation.means import MeanSums, add_cases, case_terms, new_mean_sums
from core.scale.exact_sums import SumArray, add_products, add_terms, merge_sums, new_sums
from core.scale.ranked.kernels import KeyArray, find_bins
from core.scale.ranked.ranges import KeyMap, RankingCounts, descending_keys, spill
from core.scale.ranked.ranking import PairCells
from core.scale.reading import CaseReading, CaseRows, read_cases
from core.scale.sources import PlannedTask, RowTask
from payoff.errors import PayoffError, StoppedError
from payoff.sample import Sample
from payoff.types import BoolArray, FloatArray, IntArray

MOST_DRAWN = 9  # times that a row is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPlan:
    """What every task of a run shares.

    Attributes
    ----------
    reading : CaseReading
    classes : int
        1 for a number.
    levels : tuple of str
        The event first.
    metrics : tuple of MetricRequest
        Those of means over rows.
    rankings : tuple of (model, level)
    keys : tuple of KeyMap
        One a ranking.
    folder : str
        Where records are spilled.
    """

    reading: CaseReading
    classes: int
    levels: tuple[str, ...]
    metrics: tuple[MetricRequest, ...]
    rankings: tuple[tuple[str, int], ...]
    keys: tuple[KeyMap, ...]
    folder: str


@dataclass(slots=True, kw_only=True, eq=False)
class FirstSummary:
    """What the first read gives.

    Attributes
    ----------
    cases, seen : int
        Rows used, and all.
    class_rows : (classes,) int64
    dropped, lacking : counters of reasons and models
    means : list of MeanSums, one a metric
    refusals : mapping of (metric, model) places to the reason, of the least row number
    rankings : list of RankingCounts
    """

    cases: int
    seen: int
    class_rows: IntArray
    dropped: Counter[str]
    lacking: Counter[str]
    means: list[MeanSums]
    refusals: dict[int, tuple[int, str]]
    rankings: list[RankingCounts]

    def sides(self, place: int) -> tuple[int, int]:
        """Events and others of a ranking."""
        events, others = self.rankings[place].whole
        return int(events), int(others)

    def merge(self, other: FirstSummary) -> None:
        """Take in what other rows gave."""
        self.cases += other.cases
        self.seen += other.seen
        self.class_rows = self.class_rows + other.class_rows
        self.dropped.update(other.dropped)
        self.lacking.update(other.lacking)
        for ours, theirs in zip(self.means, other.means, strict=True):
            ours.merge(theirs)
        for metric, found in other.refusals.items():
            self.refusals[metric] = min(found, self.refusals.get(metric, found))
        for counts, more in zip(self.rankings, other.rankings, strict=True):
            counts.merge(more)


def new_first(plan: ReadPlan) -> FirstSummary:
    """The summary of no rows."""
    models = len(plan.reading.models)
    return FirstSummary(
        cases=0,
        seen=0,
        class_rows=np.zeros(plan.classes, dtype=np.int64),
        dropped=Counter(),
        lacking=Counter(),
        means=[new_mean_sums(BoundMetric(request), models) for request in plan.metrics],
        refusals={},
        rankings=[RankingCounts(np.zeros((keys.buckets, 2), np.int64)) for keys in plan.keys],
    )


def first_read(task: PlannedTask[ReadPlan]) -> FirstSummary:
    """Read the rows of a task: counts, sums, records by key range.

    Raises
    ------
    PayoffError
        For values that cannot be judged, a part that cannot be read, or a full disk.
    """
    plan = task.plan
    found = new_first(plan)
    metrics = [BoundMetric(request) for request in plan.metrics]
    for number, cases in enumerate(read_cases(task.rows, plan.reading)):
        _check_scores(cases, plan)
        found.cases += len(cases)
        found.seen += cases.seen
        found.class_rows += np.bincount(cases.codes, minlength=plan.classes)
        found.dropped.update(cases.dropped)
        found.lacking.update(cases.lacking)
        if not len(cases):
            continue
        for place, metric in enumerate(metrics):
            _add_means(found, place, metric, cases, plan)
        for place, (model, level) in enumerate(plan.rankings):
            score = cases.predictions[model]
            path = os.path.join(plan.folder, f"{place}-{task.rows.number}-{number}")
            found.rankings[place].merge(
                spill(
                    np.ascontiguousarray(score[level if len(score) > 1 else 0]),
                    cases.codes,
                    level,
                    plan.keys[place],
                    path,
                    cases.part.shown,
                )
            )
    return found


def _add_means(
    found: FirstSummary, place: int, metric: BoundMetric, cases: CaseRows, plan: ReadPlan
) -> None:
    """Add a batch to the sums of a metric; what it refuses is kept with the row it begins at."""
    if place in found.refusals:
        return
    try:
        _check_metric(metric, cases, plan)
        add_cases(found.means[place], metric, cases, plan.reading.models)
    except StoppedError:
        raise
    except Exception as reason:
        found.refusals[place] = int(cases.units[0]), reason_of(reason)


def _check_metric(metric: BoundMetric, cases: CaseRows, plan: ReadPlan) -> None:
    """Let the metric refuse what it cannot judge of these rows.

    Raises
    ------
    MetricRefusal
    """
    if metric.spec.check is None:
        return
    prediction = cases.predictions[plan.reading.models[0]]
    sample = Sample(
        cases.outcome, prediction[0], prediction=prediction, labels=plan.levels, roles=cases.extras
    )
    metric.refuse_sample(sample)


def _check_scores(cases: CaseRows, plan: ReadPlan) -> None:
    """Refuse chances outside 0 to 1, and predictions that are not finite.

    Raises
    ------
    PayoffError
    """
    for model, values in cases.predictions.items():
        is_points = plan.classes > 1 and len(values) == 1
        low, high = (-np.inf, np.inf) if is_points or plan.classes == 1 else (0.0, 1.0)
        is_good = (values >= low) & (values <= high) & np.isfinite(values)
        bad = np.asarray(~np.all(is_good, axis=0))
        if bad.any():
            row = int(np.argmax(bad))
            what = "chance" if high == 1.0 else "prediction"
            raise PayoffError(
                f"A {what} of '{model}' is missing, not finite or out of range.",
                where=f"{cases.place(int(cases.units[row]))}, value {values[0, row]:g}",
                remedy="Mend the value, or leave the row out.",
            )


# ---------------------------------------------------------------- draws


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTerm:
    """A row sum of draws: the column of a metric's terms, and the unit that it is rounded to."""

    metric: int
    column: int
    unit: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawOrder:
    """What the second read draws.

    Attributes
    ----------
    draws : int
        0: none.
    bin_cuts : tuple of (bins - 1,) uint64
        One a ranking.
    terms : tuple of DrawnTerm
    """

    draws: int
    seed: int
    bin_cuts: tuple[KeyArray, ...]
    terms: tuple[DrawnTerm, ...]

    @property
    def bins(self) -> int:
        """Bins of the ranking with most of them."""
        return max((len(cuts) + 1 for cuts in self.bin_cuts), default=1)

    @property
    def groups(self) -> int:
        """Groups of 32 draws."""
        return -(-self.draws // LANES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SecondTask:
    """Rows of the second read.

    ``pairs`` are places of rankings whose areas are compared, ``cells`` one a ranking.
    """

    rows: RowTask
    plan: ReadPlan
    order: DrawOrder
    cells: tuple[PairCells, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(slots=True, kw_only=True, eq=False)
class SecondSummary:
    """What the second read gives.

    Attributes
    ----------
    counts : (groups, rankings, bins, classes, 32) int64
        Draws by bin and class.
    bins : (rankings, bins, classes) int64
        The cases as they are.
    sums : (groups, terms + 1, 32) float64
        Whole numbers of units; the first is how many cases were drawn.
    gaps : (pairs, 2, 2, 67)
        Exact sums, by side, of differences of places, and of their squares.
    """

    counts: IntArray
    bins: IntArray
    sums: FloatArray
    gaps: SumArray

    def merge(self, other: SecondSummary) -> None:
        """Take in what other rows gave."""
        self.counts += other.counts
        self.bins += other.bins
        self.sums += other.sums
        self.gaps = merge_sums(self.gaps, other.gaps)


def new_second(plan: ReadPlan, order: DrawOrder, pairs: int) -> SecondSummary:
    """The summary of no rows."""
    rankings = len(order.bin_cuts)
    return SecondSummary(
        counts=np.zeros((order.groups, rankings, order.bins, plan.classes, LANES), np.int64),
        bins=np.zeros((rankings, order.bins, plan.classes), np.int64),
        sums=np.zeros((order.groups, len(order.terms) + 1, LANES)),
        gaps=new_sums(pairs, 2, 2),
    )


def second_read(task: SecondTask) -> SecondSummary:
    """Draw the cases of a task, and compare their places in pairs of rankings."""
    found = new_second(task.plan, task.order, len(task.pairs))
    with limited_threads(1):
        for cases in read_cases(task.rows, task.plan.reading):
            if len(cases):
                _add_second(found, task, cases)
    return found


def _add_second(found: SecondSummary, task: SecondTask, cases: CaseRows) -> None:
    keys: list[KeyArray] = []
    for model, level in task.plan.rankings:
        score = cases.predictions[model]
        keys.append(descending_keys(np.ascontiguousarray(score[level if len(score) > 1 else 0])))
    if task.order.draws:
        _add_draws(found, task, cases, keys)
    for place, pair in enumerate(task.pairs):
        _add_gaps(found, task, cases, keys, place, pair)


def _add_draws(
    found: SecondSummary, task: SecondTask, cases: CaseRows, keys: list[KeyArray]
) -> None:
    order, plan = task.order, task.plan
    bins = np.zeros((len(order.bin_cuts), len(cases)), dtype=np.uint16)
    for ranking, cuts in enumerate(order.bin_cuts):
        find_bins(keys[ranking], cuts, bins[ranking])
        cell = bins[ranking].astype(np.int64) * plan.classes + cases.codes
        counted = np.bincount(cell, minlength=order.bins * plan.classes)
        found.bins[ranking] += counted.reshape(order.bins, plan.classes)
    metrics = {term.metric: BoundMetric(plan.metrics[term.metric]) for term in order.terms}

    def contributions(start: int, stop: int) -> FloatArray:
        rows = np.ones((len(order.terms) + 1, stop - start))
        columns = {
            metric: _columns(bound, cases, plan, start, stop) for metric, bound in metrics.items()
        }
        for place, term in enumerate(order.terms, start=1):
            np.rint(columns[term.metric][term.column] / term.unit, out=rows[place])
        return rows

    draws = DrawPlan(
        seed=order.seed,
        draws=order.draws,
        units=cases.units,
        codes=cases.codes.astype(np.uint8),
        classes=plan.classes,
        weight=np.empty(0),
        bins=bins,
        bin_count=order.bins,
        sums=len(order.terms) + 1,
        contributions=contributions,
    )
    for block in draw_blocks(draws, should_stop=is_stop_wanted, step=_untold):
        group = block.first // LANES
        found.counts[group] += block.counts.reshape(found.counts[group].shape).astype(np.int64)
        found.sums[group] += block.sums


def _columns(
    metric: BoundMetric, cases: CaseRows, plan: ReadPlan, start: int, stop: int
) -> FloatArray:
    """Terms of a metric as its sums list them, numerators of all models and then divisors."""
    parts = [case_terms(metric, cases, model, start, stop)[:2] for model in plan.reading.models]
    return np.concatenate([part[side] for side in (0, 1) for part in parts])


def _add_gaps(
    found: SecondSummary,
    task: SecondTask,
    cases: CaseRows,
    keys: list[KeyArray],
    place: int,
    pair: tuple[int, int],
) -> None:
    level = task.plan.rankings[pair[0]][1]
    is_event = cases.codes == level
    first, second = (_places(task.cells[side], keys[side], is_event) for side in pair)
    gap = first - second
    own = new_sums(2, 2)
    for side, chosen in enumerate((is_event, ~is_event)):
        part = np.ascontiguousarray(gap[chosen])
        add_terms(part, own[side, 0])
        add_products(part, part, own[side, 1])
    found.gaps[place] = merge_sums(found.gaps[place], own)


def _places(cells: PairCells, keys: KeyArray, is_event: BoolArray) -> FloatArray:
    number = np.empty(len(keys), dtype=np.uint16)
    find_bins(keys, cells.cuts, number)
    return np.asarray(np.where(is_event, cells.below[number], cells.above[number]))


def _untold(_part: float) -> None:
    return None


__all__ = [
    "DrawOrder",
    "DrawnTerm",
    "FirstSummary",
    "ReadPlan",
    "SecondSummary",
    "SecondTask",
    "first_read",
    "new_first",
    "new_second",
    "second_read",
]
