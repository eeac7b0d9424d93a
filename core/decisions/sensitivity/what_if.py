"""The same cases under other numbers: present decisions kept, and decisions made again.

The kernel behind What-if: totals now, with decisions kept, and with decisions made again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.decisions.advice.reading import fixed_phrase
from core.decisions.passes.case_blocks import ByteArray, Index, consequence
from core.decisions.passes.cases import NO_FLOATS, chosen_decisions
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.workspace import CountedRows, DecisionWorkspace
from core.decisions.priors import prior_weights
from core.decisions.problem import Consequences, DecisionProblem, ModelScores
from core.decisions.uncertainty.intervals import METHOD, total_variance
from core.document.results import Estimate
from core.document.studies.moving_numbers import ModelWhatIf
from core.inference.normal import normal_interval, standard_error
from core.kernels import CHUNK_ROWS, fitting_threads, own_kernel, parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray

NOW, KEPT, REMADE, KEPT_CHANGE, REMADE_CHANGE = range(5)
"""Measures; each has its sum and, ``MEASURES`` places on, the sum of its squares."""
MEASURES = 5
MOVED = 2 * MEASURES
"""Cases whose decision is another."""


@own_kernel(inline=True)
def _realised(
    weight: FloatArray,
    gain: FloatArray,
    cost_row: IntArray,
    rate: FloatArray,
    costs: FloatArray,
    level: Index,
    decision: Index,
    row: Index,
) -> float:
    """What a case adds to the total; nothing without a decision."""
    if decision == UNDECIDED:
        return 0.0
    return float(weight[level] * consequence(gain, cost_row, rate, costs, level, decision, row))


@parallel_kernel
def tried_sums(
    outcome: CodeArray,
    frequency: FloatArray,
    marks: ByteArray,
    before: ByteArray,
    after: ByteArray,
    weight: FloatArray,
    given: Consequences,
    other_weight: FloatArray,
    other: Consequences,
    sums: FloatArray,
) -> None:
    """Sums by class of F x and F x² of every measure x, and of the cases that move.

    Parameters
    ----------
    outcome, before, after : array (n,)
        Class, and decision now and under the changed numbers.
    frequency, marks : array (n,), or empty
        Cases that a row stands for; 0 where a row counts.
    weight, given
        Class weights (levels,) and consequences as they are; ``other`` as they are tried.
    sums : array (chunks, levels, MOVED + 1)
        Zero before.
    """
    gain, cost_row, rate, costs = given.gain, given.cost_row, given.rate, given.costs
    other_gain, other_rate = other.gain, other.rate
    other_row, other_costs = other.cost_row, other.costs
    n = outcome.shape[0]
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            if outcome[row] < 0 or (marks.shape[0] and marks[row] != 0):
                continue
            level = outcome[row]
            first, second = before[row], after[row]
            now = _realised(weight, gain, cost_row, rate, costs, level, first, row)
            kept = _realised(
                other_weight, other_gain, other_row, other_rate, other_costs, level, first, row
            )
            remade = kept
            cases = frequency[row] if frequency.shape[0] else 1.0
            into = sums[chunk, level]
            if first != second:
                into[MOVED] += cases
                remade = _realised(
                    other_weight, other_gain, other_row, other_rate, other_costs, level, second, row
                )
            measures = (now, kept, remade, kept - now, remade - now)
            for place in range(MEASURES):
                into[place] += cases * measures[place]
                into[MEASURES + place] += cases * measures[place] * measures[place]


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


def _one_model(pair: _Pair, model: ModelScores, before: ByteArray) -> ModelWhatIf:
    sums = _sums(pair, before, chosen_decisions(pair.changed, model))

    def estimate(measure: int, problem: DecisionProblem) -> Estimate:
        return _estimate(pair, sums[:, measure], sums[:, MEASURES + measure], problem)

    return ModelWhatIf(
        model=model.name,
        now=estimate(NOW, pair.problem),
        kept=estimate(KEPT, pair.changed),
        remade=estimate(REMADE, pair.changed),
        kept_change=estimate(KEPT_CHANGE, pair.changed),
        remade_change=estimate(REMADE_CHANGE, pair.changed),
        moved=float(sums[:, MOVED].sum()),
    )


def _sums(pair: _Pair, before: ByteArray, after: ByteArray) -> FloatArray:
    """Sums by class of every measure, (levels, MOVED + 1), in one pass over the cases."""
    outcome, frequency = pair.problem.outcome, pair.problem.frequency
    assert outcome is not None  # counted_rows refuses without
    given, other = pair.problem.consequences, pair.changed.consequences
    weight, other_weight = pair.weights
    sums = np.zeros((-(-outcome.shape[0] // CHUNK_ROWS), len(pair.problem.levels), MOVED + 1))
    with fitting_threads(outcome.shape[0]):
        tried_sums(
            outcome,
            NO_FLOATS if frequency is None else frequency,
            pair.counted.marks,
            before,
            after,
            weight,
            given,
            other_weight,
            other,
            sums,
        )
    return np.asarray(sums.sum(axis=0))


def _estimate(
    pair: _Pair, value: FloatArray, square: FloatArray, problem: DecisionProblem
) -> Estimate:
    """A total with its exact interval from its sums by class, (levels,)."""
    # A class without cases that should count makes the total undefined, as everywhere.
    missing = np.isnan(np.concatenate(pair.weights)).any()
    total = float("nan") if missing else float(value.sum())
    variance = total_variance(
        np.ones(value.shape[0]), pair.counted.class_cases, value, square, pair.is_within_class
    )
    low, high = normal_interval(total, standard_error(float(variance)))
    return Estimate(
        value=total,
        low=low,
        high=high,
        method=METHOD,
        holds_fixed=fixed_phrase(replace(problem, prior_range=None)),
    )
