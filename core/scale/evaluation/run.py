"""The reads and the sort of an evaluation of more than memory holds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.data.splits import note_of_rows, refuse_no_rows
from core.document.model import Document
from core.document.results import RowsNote
from core.evaluation.binding import BoundMetric
from core.evaluation.problem import (
    CallingCall,
    ProgressCall,
    StopCall,
)
from core.kernels.task_runners import Runner, run_tasks_bounded
from core.scale.evaluation.passes import (
    FirstSummary,
    ReadPlan,
    first_read,
    new_first,
)
from core.scale.evaluation.problem import StreamProblem, is_mean, metric_refusal
from core.scale.ranked.bounds import ranking_bounds
from core.scale.ranked.ranges import MOST_RANKED_ROWS, KeyMap, RangeSummary, key_map, sort_range
from core.scale.ranked.ranking import StreamedRanking, put_together, range_tasks
from core.scale.reading import CaseReading, CaseRows, batch_table, cases_of_batch
from core.scale.sources import (
    PlannedTask,
    RowTask,
    read_batches,
    sample_tasks,
)
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray
from payoff.vocabulary import ClassAverage, MetricForm

RowsCall = Callable[[FirstSummary, float, str], None]

_FIRST, SORTED = 0.35, 0.6  # of the progress bar, where draws follow


def rows_note(document: Document, first: FirstSummary) -> RowsNote:
    """Which rows were used, and why others were not."""
    return note_of_rows(
        document,
        document.rows_used,
        first.cases,
        first.seen,
        tuple(sorted(first.dropped.items())),
        tuple(sorted(first.lacking.items())),
    )


class StreamedRun:
    """What is read of the rows, in tasks: counts and sums, then whole rankings.

    Parameters
    ----------
    problem : StreamProblem
    runner : Runner
    progress : callable (fraction, stage, partial)
    should_stop : callable () -> bool
    calling : callable (spec) -> context manager
        Entered around calls into ranked metrics.
    """

    def __init__(
        self,
        problem: StreamProblem,
        runner: Runner,
        *,
        progress: ProgressCall,
        should_stop: StopCall,
        calling: CallingCall,
    ) -> None:
        self.begun = time.perf_counter()
        self.problem = problem
        self.runner = runner
        self.progress = progress
        self.should_stop = should_stop
        self.calling = calling
        self.tasks = problem.source.tasks(
            problem.budget.batch_rows(runner.in_process, len(problem.reading.models))
        )
        self.plan = self._make_plan()

    # ------------------------------------------------------------ plan

    def _make_plan(self) -> ReadPlan:
        problem = self.problem
        levels = tuple(problem.levels[place] for place in problem.reading.places)
        rankings = [
            (model, level) for model in problem.reading.models for level in self._levels_ranked()
        ]
        rows = tuple(
            entry for entry in problem.metrics if is_mean(entry) and not metric_refusal(entry)
        )
        return ReadPlan(
            reading=problem.reading,
            classes=max(len(levels), 1),
            levels=levels,
            metrics=rows,
            rankings=tuple(rankings),
            keys=self._key_maps(rankings),
            folder=str(problem.scratch),
        )

    def _levels_ranked(self) -> list[int]:
        """Classes that cases are ranked by: all where a metric averages over them."""
        if not self.problem.levels:
            return []
        ranked = [r for r in self.problem.metrics if r.spec.form == MetricForm.RANKED]
        over_all = any(entry.spec.over_classes != ClassAverage.EVENT for entry in ranked)
        many = len(self.problem.levels)
        return list(range(many)) if over_all and many > 2 else [0]

    def _key_maps(self, rankings: list[tuple[str, int]]) -> tuple[KeyMap, ...]:
        """Cuts of keys by scores from all over the source."""
        if not rankings:
            return ()
        found: list[list[FloatArray]] = [[] for _ in rankings]
        for task in sample_tasks(self.tasks):
            cases = _first_cases(task, self.problem.reading)
            for place, (model, level) in enumerate(rankings):
                if cases is not None and len(cases):
                    score = cases.predictions[model]
                    found[place].append(score[level if len(score) > 1 else 0])
        return tuple(key_map(np.concatenate(scores or [np.zeros(1)])) for scores in found)

    # ------------------------------------------------------------ reads

    def shuffled(self) -> list[RowTask]:
        """The tasks in a random order of the seed: what comes early is of all rows alike."""
        order = np.random.default_rng(self.problem.document.seed).permutation(len(self.tasks))
        return [self.tasks[place] for place in order]

    def read_first(self, tell: RowsCall) -> FirstSummary:
        """Counts and sums of all rows; ``tell`` is called with those of the rows read so far.

        Raises
        ------
        PayoffError
            For rows that cannot be read or judged, and where only one class is there.
        """
        found = new_first(self.plan)
        tasks = (PlannedTask(rows=task, plan=self.plan) for task in self.shuffled())
        rows = max(self.problem.source.rows, 1)
        for summary in run_tasks_bounded(
            self.runner, first_read, tasks, should_stop=self.should_stop
        ):
            found.merge(summary)
            share = found.seen / rows
            tell(found, _FIRST * share, self._reading_words(found, share))
        document = self.problem.document
        if not found.cases:
            refuse_no_rows(document, rows_note(document, found), self.problem.source.name)
        self._refuse_one_class(found)
        return found

    def _reading_words(self, found: FirstSummary, share: float) -> str:
        """How far the read is, and what the rows so far surely say of the first ranking."""
        words = f"Reading, {share:.0%} of the rows"
        bounds = ranking_bounds(found.rankings[0].counts) if found.rankings else None
        return words if bounds is None else f"{words}: {self.plan.rankings[0][0]} {bounds.words()}"

    def _refuse_one_class(self, first: FirstSummary) -> None:
        if not self.problem.levels:
            return
        if first.cases > MOST_RANKED_ROWS:
            raise PayoffError(
                f"{counted(first.cases, 'row')} cannot be ranked.",
                why=f"The limit is {MOST_RANKED_ROWS:,}.",
            )
        rows = first.class_rows
        if np.count_nonzero(rows) < 2 or rows[0] == 0:
            only = self.plan.levels[int(np.argmax(rows))]
            raise PayoffError(
                f"The outcome has one class only, '{only}': two are needed to compare models."
                if np.count_nonzero(rows) < 2
                else f"No row has the event '{self.plan.levels[0]}'.",
                where=rows_note(self.problem.document, first).text,
                remedy="Choose rows in which both happen.",
            )

    def _shares(self) -> FloatArray:
        """Parameters of ranked metrics that may be shares: ends of groups around them are kept."""
        found: set[float] = set()
        for request in self.problem.metrics:
            if request.spec.form == MetricForm.RANKED:
                values = BoundMetric(request).parameters.values()
                found |= {float(value) for value in values if 0.0 < float(value) < 1.0}
        return np.array(sorted(found), dtype=np.float64)

    def rank(self, first: FirstSummary) -> list[StreamedRanking | None]:
        """Sort every ranking range by range; None for a class that no case has."""
        shares = self._shares()
        held = max(self.problem.budget.sort_bytes(self.runner.in_process) // 20, 65_536)
        is_there = [min(first.sides(place)) > 0 for place in range(len(first.rankings))]
        tasks = [
            task
            for place, counts in enumerate(first.rankings)
            if is_there[place]
            for task in range_tasks(place, counts, self.plan.keys[place], shares, held)
        ]
        ranges: list[list[RangeSummary]] = [[] for _ in first.rankings]
        summaries = run_tasks_bounded(self.runner, sort_range, tasks, should_stop=self.should_stop)
        for done, summary in enumerate(summaries, start=1):
            ranges[summary.ranking].append(summary)
            share = done / len(tasks)
            self.progress(_FIRST + (SORTED - _FIRST) * share, f"Sorting, {share:.0%}", None)
        for counts in first.rankings:
            for spilled in counts.files:
                Path(spilled.path).unlink(missing_ok=True)
        return [
            put_together(parts, first.sides(place), shares) if is_there[place] else None
            for place, parts in enumerate(ranges)
        ]


def _first_cases(task: RowTask, reading: CaseReading) -> CaseRows | None:
    """The cases of the first batch of a task."""
    for first, table in read_batches(task, reading.columns):
        return cases_of_batch(batch_table(table, task.part, first), task.part, first, reading)
    return None


__all__ = ["SORTED", "StreamedRun", "rows_note"]
