"""The tables of page Experiments: by method, run by run, what is taken for granted, compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import overload

from core.document.experiments.results import DataFacts, ExperimentResult, GroupSummary, RunTable
from core.document.experiments.spec import learner_label
from core.document.wording import NumberText, format_count
from core.presentation.experiments.words import SAMPLER_WORDS, error_words, share_words
from core.presentation.table import AnyTable, Table


def summary_table(result: ExperimentResult | None) -> Table:
    """One row per sampling method and learner."""
    columns = (
        "Method",
        "Learner",
        "Runs",
        "Error",
        "From",
        "To",
        "Largest bound",
        "No information",
        "Bound below it",
        "Effect error",
        "Effect bound",
    )
    rows = tuple(_summary(group) for group in result.groups) if result is not None else ()
    return Table(columns=columns, rows=rows, right=tuple(range(2, 11)), name="By method")


def _summary(group: GroupSummary) -> tuple[str, ...]:
    return (
        SAMPLER_WORDS.get(group.sampler, group.sampler),
        learner_label(group.learner),
        format_count(group.runs),
        error_words(group.mean),
        error_words(group.lowest),
        error_words(group.highest),
        error_words(group.bound),
        error_words(group.chance),
        share_words(group.below_chance),
        error_words(group.effect_mean),
        error_words(group.effect_bound),
    )


class RunRows(Sequence[tuple[str, ...]]):
    """The cells of runs, each row made when it is looked at: there may be tens of thousands."""

    def __init__(self, runs: RunTable) -> None:
        self._runs = runs
        self._counts = (runs.n_train, runs.n_test)
        self._losses = (runs.error, runs.variance, runs.bound, runs.chance)
        self._effects = (runs.effect_error, runs.effect_bound)
        self._last: tuple[int, tuple[str, ...]] = (-1, ())

    def __len__(self) -> int:
        return self._runs.count

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(place, slice):
            return [self._row(at) for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        if at != self._last[0]:  # a row is read cell by cell
            self._last = at, self._row(at)
        return self._last[1]

    def _row(self, at: int) -> tuple[str, ...]:
        runs = self._runs
        return (
            SAMPLER_WORDS.get(runs.samplers[int(runs.sampler[at])], ""),
            learner_label(runs.learners[int(runs.learner[at])]),
            format_count(int(runs.system[at]) + 1),
            format_count(int(runs.split[at]) + 1),
            *(format_count(int(values[at])) for values in self._counts),
            *(error_words(float(values[at])) for values in (*self._losses, *self._effects)),
            format_count(int(runs.clipped[at])),
        )


def runs_table(result: ExperimentResult | None) -> AnyTable:
    """One row per fitted evaluation model."""
    columns = (
        "Method",
        "Learner",
        "System",
        "Split",
        "Training rows",
        "Test rows",
        "Error",
        "Variance",
        "Bound",
        "No information",
        "Effect error",
        "Effect bound",
        "Clipped",
    )
    rows = RunRows(result.runs) if result is not None else ()
    return AnyTable(columns=columns, rows=rows, right=tuple(range(2, 13)), name="Runs")


def granted_table(result: ExperimentResult | None, facts: DataFacts | None) -> Table:
    """Conditions of the bounds, warnings of the rows, and how the source was read."""
    rows: list[tuple[str, ...]] = []
    if result is not None:
        rows += [("Bound", line) for line in result.conditions]
    if facts is not None:
        rows += [("Warning", line) for line in facts.warnings]
        rows += [("Reading", line) for line in facts.notes]
    name = "What is taken for granted"
    return Table(columns=("About", name), rows=tuple(rows), name="What it takes for granted")


def compared_table(result: ExperimentResult | None, other: ExperimentResult | None) -> Table:
    """Mean errors of both experiments by method and learner."""
    if result is None or other is None:
        sentence = "Choose “Compare with” above to lay another experiment beside this one."
        return Table(columns=("Comparison",), rows=((sentence,),), name="Comparison")
    columns = (
        "Method",
        "Learner",
        "Error here",
        "Error there",
        "Difference",
        "Effect error here",
        "Effect error there",
        "Difference",
    )
    theirs = {(group.sampler, group.learner): group for group in other.groups}
    rows = []
    for group in result.groups:
        match = theirs.get((group.sampler, group.learner))
        there = (match.mean, match.effect_mean) if match is not None else (math.nan, math.nan)
        rows.append(
            (
                SAMPLER_WORDS.get(group.sampler, group.sampler),
                learner_label(group.learner),
                error_words(group.mean),
                error_words(there[0]),
                _signed(group.mean - there[0]),
                error_words(group.effect_mean),
                error_words(there[1]),
                _signed(group.effect_mean - there[1]),
            )
        )
    return Table(columns=columns, rows=tuple(rows), right=tuple(range(2, 8)), name="Comparison")


def _signed(value: float) -> NumberText:
    if not math.isfinite(value):
        return NumberText("–", value)
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return NumberText(f"{sign}{abs(value):.4f}", value)
