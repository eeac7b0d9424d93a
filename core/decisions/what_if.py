"""The same cases under other numbers: present decisions kept, and decisions made again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.decisions.cases import chosen_decisions
from core.decisions.intervals import METHOD, interval_of, total_variance
from core.decisions.passes import ByteArray
from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.reading import fixed_phrase
from core.decisions.workspace import CountedRows, DecisionWorkspace
from core.document.results import Estimate
from core.document.studies.what_if import ModelWhatIf
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray


def what_if(
    problem: DecisionProblem,
    changed: DecisionProblem,
    models: tuple[ModelScores, ...],
    *,
    present: Present | None = None,
) -> tuple[ModelWhatIf, ...]:
    """Totals of every model now and under a changed problem, with paired differences.

    Parameters
    ----------
    problem, changed : DecisionProblem
        The same rows, levels and decisions; cells, costs and priors may differ.
    models : tuple of ModelScores
    present : Present, optional
        What ``present_of`` gave for ``problem`` and ``models``: a slider asks again and again.

    Raises
    ------
    PayoffError
        If levels or decisions differ, or there is no row that counts.
    """
    if (problem.levels, problem.decisions) != (changed.levels, changed.decisions):
        raise PayoffError(
            "The two matrices cannot be compared case by case.",
            why="Their classes or decisions differ.",
        )
    now = present or present_of(problem, models)
    pair = _Pair(problem, changed, now.counted)
    return tuple(
        _one_model(pair, model, before) for model, before in zip(models, now.decisions, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Present:
    """Which rows count, and each model's present decisions."""

    counted: CountedRows
    decisions: tuple[ByteArray, ...]

    @property
    def size_bytes(self) -> int:
        """Memory of all arrays."""
        return self.counted.marks.nbytes + sum(codes.nbytes for codes in self.decisions)


def present_of(problem: DecisionProblem, models: tuple[ModelScores, ...]) -> Present:
    """What stays the same while other numbers are tried."""
    return Present(
        counted=DecisionWorkspace().counted_rows(problem, models),
        decisions=tuple(chosen_decisions(problem, model) for model in models),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Both problems on the rows that count."""

    problem: DecisionProblem
    changed: DecisionProblem
    counted: CountedRows

    @property
    def weights(self) -> tuple[FloatArray, FloatArray]:
        """Weights of the classes now and under the changed priors."""
        cases = self.counted.class_cases
        return (
            prior_weights(self.problem.priors, cases),
            prior_weights(self.changed.priors, cases),
        )

    @property
    def is_within_class(self) -> bool:
        """Whether class shares are held fixed."""
        return self.problem.priors is not None or self.changed.priors is not None


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """Cases, or groups of cases for which everything is the same."""

    level: IntArray
    before: IntArray
    after: IntArray
    frequency: FloatArray
    costs: tuple[FloatArray, FloatArray, FloatArray]  # by case: now, kept, made again


def _one_model(pair: _Pair, model: ModelScores, before: ByteArray) -> ModelWhatIf:
    entries = _entries(pair, model, before)
    gain, other = pair.problem.class_gains, pair.changed.class_gains
    first, second = pair.weights
    level = entries.level
    now = first[level] * (gain[level, entries.before] - entries.costs[0])
    kept = second[level] * (other[level, entries.before] - entries.costs[1])
    remade = second[level] * (other[level, entries.after] - entries.costs[2])
    has_moved = entries.before != entries.after
    return ModelWhatIf(
        model=model.name,
        now=_estimate(pair, entries, now, pair.problem),
        kept=_estimate(pair, entries, kept, pair.changed),
        remade=_estimate(pair, entries, remade, pair.changed),
        kept_change=_estimate(pair, entries, kept - now, pair.changed),
        remade_change=_estimate(pair, entries, remade - now, pair.changed),
        moved=float(entries.frequency[has_moved].sum()),
    )


def _entries(pair: _Pair, model: ModelScores, present: ByteArray) -> _Entries:
    """What totals depend on: case by case with costs by case, else counted in groups."""
    before = present.astype(np.int64)
    after = chosen_decisions(pair.changed, model).astype(np.int64)
    outcome = pair.problem.outcome
    assert outcome is not None  # counted_rows refuses without
    frequency = pair.problem.frequency
    chosen = np.flatnonzero(pair.counted.marks == 0) if pair.counted.marks.shape[0] else None
    if chosen is not None:
        before, after, outcome = before[chosen], after[chosen], outcome[chosen]
        frequency = None if frequency is None else frequency[chosen]
    both = (pair.problem, pair.changed)
    if any(each.cost_columns or each.has_amounts for each in both):
        return _case_by_case(pair, outcome, before, after, frequency, chosen)
    decisions = len(pair.problem.decisions)
    code = (outcome.astype(np.int64) * decisions + before) * decisions + after
    size = len(pair.problem.levels) * decisions**2
    counts = np.bincount(code, weights=frequency, minlength=size).astype(np.float64)
    groups = np.flatnonzero(counts)
    nothing = np.zeros(groups.shape[0])
    return _Entries(
        level=groups // decisions**2,
        before=groups // decisions % decisions,
        after=groups % decisions,
        frequency=counts[groups],
        costs=(nothing, nothing, nothing),
    )


def _case_by_case(
    pair: _Pair,
    outcome: CodeArray,
    before: IntArray,
    after: IntArray,
    frequency: FloatArray | None,
    chosen: IntArray | None,
) -> _Entries:
    return _Entries(
        level=outcome.astype(np.int64),
        before=before,
        after=after,
        frequency=np.ones(outcome.shape[0]) if frequency is None else frequency,
        costs=(
            _costs(pair.problem, outcome, before, chosen),
            _costs(pair.changed, outcome, before, chosen),
            _costs(pair.changed, outcome, after, chosen),
        ),
    )


def _costs(
    problem: DecisionProblem, outcome: CodeArray, decision: IntArray, chosen: IntArray | None
) -> FloatArray:
    """Cost by case of each case's decision, less what its amount adds; the rest is in the gains."""
    cost = np.zeros(decision.shape[0])
    for place, column in problem.cost_columns.items():
        own = column if chosen is None else column[chosen]
        cost = np.where(decision == place, own, cost)
    if problem.amounts is not None:
        amount = problem.amounts.values if chosen is None else problem.amounts.values[chosen]
        cost = cost - problem.sense * problem.amounts.slopes[outcome, decision] * amount
    return cost


def _estimate(
    pair: _Pair, entries: _Entries, brought: FloatArray, problem: DecisionProblem
) -> Estimate:
    """A total of weighted amounts with its exact interval."""
    count = pair.counted.class_cases.shape[0]
    value = np.bincount(entries.level, weights=entries.frequency * brought, minlength=count)
    square = np.bincount(entries.level, weights=entries.frequency * brought**2, minlength=count)
    # A class without cases that should count makes the total undefined, as everywhere.
    missing = np.isnan(np.concatenate(pair.weights)).any()
    total = float("nan") if missing else float(value.sum())
    variance = total_variance(
        np.ones(count),
        pair.counted.class_cases,
        value.astype(np.float64),
        square.astype(np.float64),
        pair.is_within_class,
    )
    low, high = interval_of(total, variance)
    return Estimate(
        value=total,
        low=low,
        high=high,
        method=METHOD,
        holds_fixed=fixed_phrase(replace(problem, prior_range=None)),
    )
