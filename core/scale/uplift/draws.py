"""Poisson draws of an experiment that is read in pieces: cases by bin and code, draw by draw.

The draws of a row depend on the seed and its number alone; what they add up are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.data.cancellation import is_stop_wanted
from core.inference.draws import DrawPlan, draw_blocks
from core.kernels import LANES, limited_threads
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.ranked.kernels import KeyArray, find_bins
from core.scale.ranked.ranges import descending_keys
from core.scale.reading import batch_table
from core.scale.sources import MemoryBudget, PlannedTask, RowTask, Source, read_batches
from core.scale.uplift.cases import UNIT_BITS, ArmCases, UpliftReading, arm_cases
from core.scale.uplift.measures import CODES, UpliftMeasures
from core.scale.uplift.rankings import StreamedUplift, UpliftOfSource
from core.uplift.ranked.resampling import (
    DrawnCurves,
    areas_below,
    curves_of_arms,
    signed_curves,
)
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

_NONE: FloatArray = np.empty(0)
_MOST_DRAWN = 4  # in bits: sums of draws are below 2^4 times those of the cases


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpliftDraws:
    """What is drawn of one ranking.

    Attributes
    ----------
    reading : UpliftReading
    score : int
        Which of its scores ranks.
    units : (measures,)
        Of the first read; none where every case counts once.
    drawn_units : (drawn,)
        Of what is added up draw by draw: how often cases are drawn, by their inverse chances where
        these are known; of amounts the same times the amount, too.
    cuts : (bins - 1,) uint64
        Keys at which the next bin begins.
    seed, first, stop : int
        Draws from ``first``, a multiple of 32, to ``stop``.
    """

    reading: UpliftReading
    score: int
    units: tuple[float, ...]
    drawn_units: tuple[float, ...]
    cuts: KeyArray
    seed: int
    first: int
    stop: int

    @property
    def bins(self) -> int:
        """Bins of whole groups of equal scores."""
        return len(self.cuts) + 1


@dataclass(slots=True, kw_only=True, eq=False)
class DrawnCases:
    """Cases by bin and code.

    Attributes
    ----------
    cases : (bins, measures * 4) int64
        As they are, in units.
    drawn : (groups of 32, drawn, bins, 4, 32) int64
        What is drawn of them, in units.
    """

    cases: IntArray
    drawn: IntArray

    def merge(self, other: DrawnCases) -> None:
        """Take in what other rows gave."""
        self.cases += other.cases
        self.drawn += other.drawn


def _none_drawn(plan: UpliftDraws) -> DrawnCases:
    groups = -(-(plan.stop - plan.first) // LANES)
    return DrawnCases(
        cases=np.zeros((plan.bins, CODES * max(len(plan.units), 1)), dtype=np.int64),
        drawn=np.zeros((groups, len(plan.drawn_units), plan.bins, CODES, LANES), dtype=np.int64),
    )


def draw_cases(task: PlannedTask[UpliftDraws]) -> DrawnCases:
    """Draw the cases of a task."""
    plan, found = task.plan, _none_drawn(task.plan)
    with limited_threads(1):
        for first, raw in read_batches(task.rows, plan.reading.columns):
            part = task.rows.part
            cases, _ = arm_cases(batch_table(raw, part, first), part, first, plan.reading)
            _add_draws(found, plan, cases)
    return found


def _add_draws(found: DrawnCases, plan: UpliftDraws, cases: ArmCases) -> None:
    bins = np.zeros((1, len(cases.rows)), dtype=np.uint16)
    find_bins(descending_keys(cases.scores[plan.score]), plan.cuts, bins[0])
    times = cases.times(plan.units)
    cells = bins[0].astype(np.int64) * CODES + cases.codes
    for number in range(max(len(plan.units), 1)):
        weight = None if times is None else times[:, number].astype(np.float64)
        counted = np.bincount(cells, weight, plan.bins * CODES).reshape(plan.bins, CODES)
        found.cases[:, number * CODES : (number + 1) * CODES] += counted.astype(np.int64)
    for number, unit in enumerate(plan.drawn_units):
        amount = cases.amount if number else np.ones(len(cases.rows))
        each = amount * cases.inverse if len(cases.inverse) else amount
        is_once = not (number or len(cases.inverse))
        draws = DrawPlan(
            seed=plan.seed,
            draws=plan.stop,
            units=cases.rows,
            codes=cases.codes,
            classes=CODES,
            weight=_NONE if is_once else np.rint(each / unit),
            bins=bins,
            bin_count=plan.bins,
            sums=0,
            contributions=lambda start, stop: np.empty((0, stop - start)),
            copies=cases.weight,
            first=plan.first,
        )
        for block in draw_blocks(draws, should_stop=is_stop_wanted, step=lambda _part: None):
            group = (block.first - plan.first) // LANES
            found.drawn[group, number] += block.counts[0].astype(np.int64)


def draw_uplift(
    source: Source,
    reading: UpliftReading,
    found: UpliftOfSource,
    name: str,
    *,
    nu: float,
    draws: int,
    seed: int,
    budget: MemoryBudget,
    runner: Runner,
    progress: Callable[[float, str, None], None],
    should_stop: Callable[[], bool],
) -> DrawnCurves:
    """Resample the generalised curve of the ranking by one score, reading the rows again.

    As many draws go by in one read as memory allows.

    Raises
    ------
    PayoffError
        For rows that are not those that were ranked.
    StoppedError
    """
    ranking = found.rankings[name]
    cuts, units = ranking.cuts, _drawn_units(reading.measures, found.units)
    cell = 3 * 8 * LANES * CODES * len(units)
    held = budget.sort_bytes(runner.in_process) // (cell * len(cuts))
    at_once = LANES * max(held, 1)
    tasks = source.tasks(budget.batch_rows(runner.in_process, reading.width))
    areas, less, heights = np.empty(draws), np.empty(draws), np.empty((draws, len(cuts)))
    for first in range(0, draws, at_once):
        plan = UpliftDraws(
            reading=reading,
            score=[score for score, _ in reading.scores].index(name),
            units=found.units,
            drawn_units=units,
            cuts=cuts.keys[:-1] + np.uint64(1),
            seed=seed,
            first=first,
            stop=min(first + at_once, draws),
        )

        def report(part: float, first: int = first, stop: int = plan.stop) -> None:
            progress((first + (stop - first) * part) / draws, "Drawing the cases", None)

        drawn = _drawn(tasks, plan, runner, report, should_stop)
        if not np.array_equal(np.cumsum(drawn.cases, axis=0), cuts.counts):
            raise PayoffError(
                "The data are not those that were ranked.",
                where=source.name,
                why="Draws read the rows again, and find other cases.",
                remedy="Judge the data anew.",
            )
        scale = np.array(units)[:, np.newaxis, np.newaxis, np.newaxis]
        sums = np.cumsum(drawn.drawn, axis=2).astype(np.float64) * scale
        for group, lanes in enumerate(sums):
            x, y = _curves(lanes, ranking, nu)
            area, above_chord = areas_below(x, y)
            here = slice(first + group * LANES, min(first + (group + 1) * LANES, draws))
            width = here.stop - here.start
            areas[here], less[here] = area[:width], above_chord[:width]
            heights[here] = y[1:, :width].T
    ends = np.arange(len(cuts), dtype=np.int64)
    return DrawnCurves(areas[np.newaxis], less[np.newaxis], (heights,), (ends,))


def _drawn_units(measures: UpliftMeasures, units: tuple[float, ...]) -> tuple[float, ...]:
    """Units such that what is drawn, less than 2^4 times as much as there is, is below 2^52."""
    of_chance = int(measures.has_chances)
    drawn = [(of_chance, power) for power in range(1 + measures.has_amounts)]
    return tuple(
        math.ldexp(units[measures.place(*powers)], UNIT_BITS + _MOST_DRAWN - 52)
        if any(powers)
        else 1.0
        for powers in drawn
    )


def _drawn(
    tasks: tuple[RowTask, ...],
    plan: UpliftDraws,
    runner: Runner,
    report: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> DrawnCases:
    found = _none_drawn(plan)
    work = (PlannedTask(rows=task, plan=plan) for task in tasks)
    summaries = run_tasks_bounded(runner, draw_cases, work, should_stop=should_stop)
    for done, summary in enumerate(summaries, start=1):
        found.merge(summary)
        report(done / len(tasks))
    return found


def _curves(sums: FloatArray, ranking: StreamedUplift, nu: float) -> tuple[FloatArray, FloatArray]:
    """Depths and heights of curves, (bins + 1, lanes), of what is drawn (drawn, bins, 4, lanes)."""
    by_code = np.moveaxis(sums, 2, 1)
    kind = UpliftMeasures()
    n_t, n_c = kind.arms(by_code)
    r_t, r_c = kind.arms(by_code, 0, 1) if len(sums) == 1 else kind.arms(by_code[1:])
    if not ranking.has_propensity:
        return curves_of_arms(np.stack([n_t, n_c, r_t, r_c], axis=1), nu)
    total = float(ranking.cuts.measures[0, :, -1].sum())
    signed = np.stack([0.5 * (n_t + n_c), r_t - r_c, n_t - n_c], axis=1)
    return signed_curves(signed / total, nu)


__all__ = ["draw_cases", "draw_uplift"]
