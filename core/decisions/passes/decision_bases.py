"""One model's cases decided by their own scores, and by averages over quantiles or leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.passes.per_case_values import choose, expected_values, realised_values
from core.decisions.passes.workspace import AnalysisState
from core.decisions.problem import ModelScores
from core.decisions.uncertainty.intervals import METHOD, total_variance
from core.document.results import Estimate
from core.document.studies.decided_cases import HONEST, LEAF, MEAN, SCORE, SPREAD, BasisLine
from core.inference.normal import normal_interval, standard_error
from payoff.types import CodeArray, FloatArray, IntArray


def ways_of(scores: ModelScores) -> Iterator[tuple[str, ModelScores]]:
    """The ways to decide: the case's own score first, the averages last."""
    plain = replace(scores, quantiles=None, leaf=None)
    yield SCORE, plain
    if scores.quantiles is not None:
        yield MEAN, replace(plain, predicted=scores.quantiles.mean)
        yield SPREAD, replace(plain, quantiles=scores.quantiles)
    if scores.leaf is not None:
        yield LEAF, replace(scores, leaf=replace(scores.leaf, is_honest=False))
        yield HONEST, replace(scores, leaf=replace(scores.leaf, is_honest=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The cases that count: k of them, with what every decision really brought."""

    rows: IntArray
    level: CodeArray
    frequency: FloatArray
    realised: FloatArray  # (decisions, k)
    state: AnalysisState

    def by_class(self, value: FloatArray) -> FloatArray:
        """Sums of a value per case by class, before class weights."""
        levels = len(self.state.problem.levels)
        sums = np.bincount(self.level, weights=self.frequency * value, minlength=levels)
        return np.asarray(sums, dtype=np.float64)

    def total(self, value: FloatArray) -> float:
        """The weighted total of a value per case."""
        return float(self.state.class_weight @ self.by_class(value))

    def estimate(self, value: FloatArray) -> Estimate:
        """The weighted total with its exact interval."""
        weights, problem = self.state.class_weight, self.state.problem
        sums = self.by_class(value), self.by_class(value**2)
        cases = self.state.rows.class_cases
        variance = total_variance(weights, cases, *sums, problem.priors is not None)
        total = float(weights @ sums[0])
        low, high = normal_interval(total, standard_error(float(variance)))
        fixed = self.state.holds_fixed
        return Estimate(value=total, low=low, high=high, method=METHOD, holds_fixed=fixed)


def way_lines(state: AnalysisState, scores: ModelScores) -> tuple[BasisLine, ...]:
    """Every way's decisions on the rows that count: promised, averaged, realised.

    Parameters
    ----------
    state : AnalysisState
        Of any models on the same rows.
    scores : ModelScores
        With quantiles or leaves, in use or not.
    """
    problem = state.problem
    ways = [(way, expected_values(problem, model)) for way, model in ways_of(scores)]
    counted = _counted(state, ways)
    averages = ways[-1][1] if scores.leaf is None else dict(ways)[LEAF]
    averages = _with_idle(averages[:, counted.rows])
    lines: list[BasisLine] = []
    first: IntArray | None = None
    for way, values in ways:
        here = _with_idle(values[:, counted.rows])
        code = choose(here, problem.tie_tolerance)[1]
        first = code if first is None else first
        lines.append(_line(way, code, first, here, averages, counted))
    return tuple(lines)


def _counted(state: AnalysisState, ways: list[tuple[str, FloatArray]]) -> _Counted:
    """Cases that count in the analysis and that every way decides."""
    problem = state.problem
    assert problem.outcome is not None  # an analysis has one
    counts = np.ones(problem.outcome.shape[0], dtype=bool)
    if state.rows.marks.shape[0]:
        counts &= state.rows.marks == 0
    for _way, values in ways:
        counts &= np.isfinite(values).all(axis=0)
    rows = np.flatnonzero(counts)
    frequency = problem.frequency
    return _Counted(
        rows=rows,
        level=problem.outcome[rows],
        frequency=np.ones(rows.shape[0]) if frequency is None else frequency[rows],
        realised=_with_idle(realised_values(problem)[:, rows]),
        state=state,
    )


def _with_idle(values: FloatArray) -> FloatArray:
    """A row of zeros more: the implicit do-nothing where there is one decision only."""
    if values.shape[0] > 1:
        return values
    return np.vstack([values, np.zeros_like(values)])


def _line(
    way: str,
    code: IntArray,
    first: IntArray,
    values: FloatArray,
    averages: FloatArray,
    counted: _Counted,
) -> BasisLine:
    place = np.arange(code.shape[0])
    came, before = counted.realised[code, place], counted.realised[first, place]
    acting = counted.state.problem.acting_index
    return BasisLine(
        way=way,
        expected=counted.total(values[code, place]),
        averaged=counted.total(averages[code, place]),
        realised=counted.estimate(came),
        difference=counted.estimate(came - before),
        changed=counted.total((code != first).astype(np.float64)),
        acted=counted.total((code == acting).astype(np.float64)),
    )
