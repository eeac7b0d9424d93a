"""Each case's decision and what it brings, and the totals over all cases of one model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.decision_pass import (
    MARK_COST,
    MARK_FREQUENCY,
    MARK_LEVEL,
    MARK_POSTERIOR,
    UNDECIDED,
    decide_rows,
)
from core.decisions.passes.per_case_values import (
    choose,
    expected_values,
    has_decision,
    is_valued,
    kept_codes,
    realised_values,
)
from core.decisions.passes.rating_kernels import (
    add_totals,
    mark_posteriors,
    mark_rows,
    scale_rows,
)
from core.decisions.priors import adjust_posteriors, prior_ratio, prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.kernels import CHUNK_ROWS
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray

NO_FLOATS = np.empty(0)
NO_CODES = np.empty(0, dtype=np.int32)

MARK_LETTERS = ((MARK_LEVEL, "U"), (MARK_POSTERIOR, "P"), (MARK_COST, "C"))
_LETTERS_OF_MARKS = tuple(
    "".join(letter for bit, letter in MARK_LETTERS if mark & bit) for mark in range(16)
)

"""Letters of _WARN_: unknown level, bad posterior, missing cost; and of all marks of a case."""

Texts: TypeAlias = Callable[[ByteArray, Sequence[str]], Any]
"""Makes a column of texts: of codes (n,), and of the texts that they stand for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseDecisions:
    """Results per case, in the sense of profit; NaN (decision 255) where they are undefined.

    Attributes
    ----------
    decision : array (n,) of uint8
        Column of the matrix.
    expected : array (n,)
        E(i), from the posteriors.
    computed, best : array (n,)
        C(i) and B(i), from the outcome; NaN without one.
    investment, roi : array (n,) or None
        IC(i) and C/IC, where decisions have costs. ROI is +-inf where nothing was invested.
    marks : array (n,) of uint8
        Bits of ``passes``: bad posterior, unknown level, missing cost, frequency that does not
        count.
    posteriors : array (levels, n) or None
        Corrected posteriors, where they were corrected.
    class_decision_cases : array (levels, decisions)
        Cases (sum of frequencies) with a known class.
    class_decision_expected : array (levels, decisions)
        Their expected consequences.
    """

    decision: ByteArray
    expected: FloatArray
    computed: FloatArray
    best: FloatArray
    investment: FloatArray | None
    roi: FloatArray | None
    marks: ByteArray
    posteriors: FloatArray | None
    class_decision_cases: FloatArray
    class_decision_expected: FloatArray

    @property
    def warnings(self) -> NDArray[np.str_]:
        """Letters of _WARN_ per case: U unknown level, P bad posterior, C missing cost."""
        return mark_letters(self.marks)


def mark_letters(marks: ByteArray) -> NDArray[np.str_]:
    """Letters of _WARN_ for the marks of some cases."""
    return fixed_texts(marks, _LETTERS_OF_MARKS)


def fixed_texts(codes: ByteArray, texts: Sequence[str]) -> NDArray[np.str_]:
    """Texts of one width for codes, (n,)."""
    return np.asarray(texts)[codes]


def decide_cases(
    problem: DecisionProblem, model: ModelScores, *, with_posteriors: bool = False
) -> CaseDecisions:
    """Decide every case of a model.

    Parameters
    ----------
    problem : DecisionProblem
        ``outcome`` may be left out: then C and B are NaN.
    model : ModelScores
    with_posteriors : bool
        Also return corrected posteriors, where they are corrected.

    Raises
    ------
    PayoffError
        If levels or lengths do not fit.
    """
    check_model(problem, model)
    marks = case_marks(problem, (model,))
    by_case = is_valued(problem, model)
    found = _decide_valued(problem, model, marks) if by_case else _decide(problem, model)
    decision, expected, computed, best, added = found
    investment = _investments(problem, decision) if problem.has_costs else None
    return CaseDecisions(
        decision=decision,
        expected=expected,
        computed=computed,
        best=best,
        investment=investment,
        roi=None if investment is None else return_on_investment(computed, investment),
        marks=marks,
        posteriors=_corrected(problem, model) if with_posteriors else None,
        class_decision_cases=added[0],
        class_decision_expected=added[1],
    )


_Decided: TypeAlias = tuple[ByteArray, FloatArray, FloatArray, FloatArray, FloatArray]


def _decide_valued(problem: DecisionProblem, model: ModelScores, marks: ByteArray) -> _Decided:
    """``_decide`` from amounts laid out by case; what is realised has the case's own costs."""
    expected, number = choose(expected_values(problem, model), problem.tie_tolerance)
    decision = kept_codes(expected, number)
    rows, count = expected.shape[0], (len(problem.levels), len(problem.decisions))
    computed, best = np.full(rows, np.nan), np.full(rows, np.nan)
    added = np.zeros((2, *count))
    is_decided = decision != UNDECIDED
    if problem.outcome is not None:
        realised = realised_values(problem)
        own = np.take_along_axis(realised, number[np.newaxis], axis=0)[0]
        computed, best = (np.where(is_decided, v, np.nan) for v in (own, realised.max(axis=0)))
        here = marks == 0
        weight = np.ones(rows) if problem.frequency is None else problem.frequency
        place = problem.outcome[here].astype(np.int64) * count[1] + number[here]
        size = count[0] * count[1]
        for kind, each in enumerate((weight[here], weight[here] * expected[here])):
            added[kind] = np.bincount(place, weights=each, minlength=size).reshape(count)
    return decision, expected, computed, best, added


def chosen_decisions(problem: DecisionProblem, model: ModelScores) -> ByteArray:
    """Each case's decision alone, (n,); ``UNDECIDED`` where there is none."""
    check_model(problem, model)
    if is_valued(problem, model):
        return kept_codes(*choose(expected_values(problem, model), problem.tie_tolerance))
    return _decide(problem, model, has_outcome=False)[0]


def _decide(problem: DecisionProblem, model: ModelScores, *, has_outcome: bool = True) -> _Decided:
    """Decision, expected, computed and best by case; sums by class and decision.

    ``has_outcome`` False: outcomes are not looked at, and what needs them is empty or 0.
    """
    rows = model.posteriors.shape[1]
    ratio = prior_ratio(problem, model)
    shape = (len(problem.levels), len(problem.decisions))
    sums = np.zeros((2, -(-rows // CHUNK_ROWS), shape[0] * shape[1] + 1))
    decision = np.empty(rows, dtype=np.uint8)
    expected = np.empty(rows)
    outcome = problem.outcome if has_outcome else None  # with it the kernel writes all of both
    blank = (2, rows if has_outcome else 0)
    computed, best = np.full(blank, np.nan) if outcome is None else np.empty(blank)
    decide_rows(
        model.posteriors,
        NO_FLOATS if ratio is None else ratio,
        problem.consequences,
        NO_CODES if outcome is None else outcome,
        NO_FLOATS if problem.frequency is None else problem.frequency,
        decision,
        expected,
        computed,
        best,
        sums[0],
        sums[1],
    )
    added = sums.sum(axis=1)[:, :-1].reshape(2, *shape)
    return decision, expected, computed, best, added


def check_model(problem: DecisionProblem, model: ModelScores) -> None:
    """Refuse a model whose scores do not fit the levels or the number of cases."""
    levels, rows = model.posteriors.shape
    if problem.is_interval != (model.predicted is not None):
        has = "predictions" if model.predicted is not None else "posteriors"
        raise PayoffError(
            f"'{model.name}' has {has}.",
            why="The rows of the matrix are "
            + ("knots of a number." if problem.is_interval else "classes."),
            remedy="Give predictions with knots, posteriors with classes.",
        )
    if not problem.is_interval and levels != len(problem.levels):
        raise PayoffError(
            f"'{model.name}' has posteriors for {counted(levels, 'class', 'classes')}.",
            why=f"The decision matrix has {counted(len(problem.levels), 'level')}.",
        )
    leaf = None if model.leaf is None else model.leaf.code
    amounts = None if problem.amounts is None else problem.amounts.values
    columns = (problem.outcome, problem.frequency, *problem.cost_columns.values(), amounts, leaf)
    for column in columns:
        if column is not None and column.shape != (rows,):
            raise PayoffError(
                f"'{model.name}' has {counted(rows, 'case')}, another column {column.shape[0]:,}."
            )


def case_marks(problem: DecisionProblem, models: tuple[ModelScores, ...]) -> ByteArray:
    """Marks of every case: bad posterior of any model, unknown level, missing cost, frequency."""
    marks = np.zeros(models[0].posteriors.shape[1], dtype=np.uint8)
    mark_rows(
        NO_CODES if problem.outcome is None else problem.outcome,
        NO_FLOATS if problem.frequency is None else problem.frequency,
        _case_costs(problem),
        marks,
    )
    for model in models:
        if is_valued(problem, model):
            marks[~has_decision(problem, model)] |= np.uint8(MARK_POSTERIOR)
            continue
        ratio = prior_ratio(problem, model)
        mark_posteriors(model.posteriors, NO_FLOATS if ratio is None else ratio, marks)
    return marks


def return_on_investment(computed: FloatArray, investment: FloatArray) -> FloatArray:
    """C / IC; where nothing was invested +inf for a profit, -inf for a loss, NaN for neither."""
    endless = np.where(computed > 0, np.inf, np.where(computed < 0, -np.inf, np.nan))
    with np.errstate(over="ignore"):  # of a cost next to nothing: endless too
        return np.divide(computed, investment, out=endless, where=investment > 0)


def _case_costs(problem: DecisionProblem) -> FloatArray:
    """Costs and amounts that differ from case to case, (columns, n)."""
    if not problem.is_by_case:
        return problem.consequences.costs
    columns = [problem.cost_columns[decision] for decision in sorted(problem.cost_columns)]
    if problem.amounts is not None:
        columns.append(problem.amounts.values)  # a missing one leaves the case undecided alike
    return np.vstack(columns) if columns else np.empty((0, 0))


def _investments(problem: DecisionProblem, decision: ByteArray) -> FloatArray:
    """IC(i): the cost of the chosen decision; NaN where none was chosen."""
    constant = np.append(problem.constant_costs, np.nan)
    chosen = np.where(decision == UNDECIDED, constant.shape[0] - 1, decision)
    cost: FloatArray = constant[chosen]
    for place, column in problem.cost_columns.items():
        here = decision == place
        cost[here] = column[here]
    return cost


def _corrected(problem: DecisionProblem, model: ModelScores) -> FloatArray | None:
    if prior_ratio(problem, model) is None:
        return None
    assert problem.priors is not None
    assert model.old_priors is not None
    return adjust_posteriors(model.posteriors, problem.priors, model.old_priors)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseTotals:
    """Totals of one model over the cases with a known outcome, in the user's sense.

    For a loss matrix totals are losses (positive = money lost). NaN where undefined; ``notes`` say
    why.
    """

    total: float
    average: float
    expected_total: float
    best_total: float
    roi: float
    cases: float  # sum of frequencies that count
    total_low: float
    total_high: float
    counts: FloatArray  # (levels, decisions), sums of frequencies, not prior-weighted
    profits: FloatArray  # (levels, decisions), prior-weighted
    prior_weights: FloatArray  # (levels,)
    notes: tuple[str, ...]

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals of total and average."""
        low, high = self.total_low, self.total_high
        return {
            "total": (low, high),
            "average": (low / self.cases, high / self.cases) if self.cases else (low, high),
        }


def total_cases(problem: DecisionProblem, cases: CaseDecisions) -> CaseTotals:
    """Totals by the rules of the source: each class weighted to its prior, missing if impossible.

    Only cases with a known outcome, a decision, a cost and a frequency above zero count.

    Raises
    ------
    PayoffError
        If the outcome is not known at all.
    """
    if problem.outcome is None:
        raise PayoffError(
            "There is no outcome to add up.", remedy="Expected totals need no outcome."
        )
    sums, by_decision = _totals(problem, problem.outcome, cases)
    return totals_of_sums(
        problem, cases.class_decision_cases, cases.class_decision_expected, sums, by_decision
    )


def totals_of_sums(
    problem: DecisionProblem,
    class_decision_cases: FloatArray,
    class_decision_expected: FloatArray,
    sums: FloatArray,
    by_decision: FloatArray,
) -> CaseTotals:
    """Totals from sums over the cases that count.

    Parameters
    ----------
    class_decision_cases, class_decision_expected, by_decision : array (levels, decisions)
        Cases, and what their decisions promise and brought, not weighted to priors.
    sums : array (levels, 4)
        What cases brought, its square, what they bring with foresight, what was spent on them.
    """
    from core.decisions.uncertainty.intervals import limits, range_weights

    class_cases = class_decision_cases.sum(axis=1)
    weights = prior_weights(problem.priors, class_cases)
    value, square, best, spent = sums.T
    expected = class_decision_expected.sum(axis=1)
    total = weighted_total(weights, value)
    ends = range_weights(problem, class_cases)
    is_within = problem.priors is not None
    profits = limits(weights, ends, class_cases, value, square, is_within)
    interval = sorted(problem.sense * float(end) for end in profits)
    size = float(class_cases.sum())
    return CaseTotals(
        total=problem.sense * total,
        average=problem.sense * total / size if size else math.nan,
        expected_total=problem.sense * weighted_total(weights, expected),
        best_total=problem.sense * weighted_total(weights, best),
        roi=math.nan
        if not problem.has_costs
        else aggregate_roi(total, weighted_total(weights, spent)),
        cases=size,
        total_low=interval[0],
        total_high=interval[1],
        counts=class_decision_cases,
        profits=problem.sense * weights[:, np.newaxis] * by_decision,
        prior_weights=weights,
        notes=_missing_notes(problem, weights),
    )


def weighted_total(weights: FloatArray, sums: FloatArray) -> float:
    """Sum over classes of weight times sum; NaN if a class that should count has no case."""
    return float(np.sum(weights * sums))


def _totals(
    problem: DecisionProblem, outcome: CodeArray, cases: CaseDecisions
) -> tuple[FloatArray, FloatArray]:
    """Sums by class, (levels, 4) as ``add_totals`` has them, and by class and decision."""
    sums = np.zeros((len(problem.levels), 4))
    by_decision = np.zeros((len(problem.levels), len(problem.decisions)))
    add_totals(
        cases.marks,
        outcome,
        NO_FLOATS if problem.frequency is None else problem.frequency,
        cases.decision,
        cases.computed,
        cases.best,
        NO_FLOATS if cases.investment is None else cases.investment,
        sums,
        by_decision,
    )
    return sums, by_decision


def aggregate_roi(total: float, invested: float) -> float:
    """Total over what was invested, by the rule for single cases."""
    return float(return_on_investment(np.array([total]), np.array([invested]))[0])


def _missing_notes(problem: DecisionProblem, weights: FloatArray) -> tuple[str, ...]:
    missing = [problem.label(int(i)) for i in np.flatnonzero(np.isnan(weights))]
    return tuple(
        f"No case is “{label}”, though its prior is above zero: totals cannot be worked out."
        for label in missing
    )


def _scaled(values: FloatArray, factor: float) -> FloatArray:
    """A new array: the values times a factor."""
    made = np.empty(values.shape)
    scale_rows(np.ascontiguousarray(values), factor, made)
    return made


def case_columns(
    problem: DecisionProblem, cases: CaseDecisions, target: str, *, texts: Texts = fixed_texts
) -> dict[str, Any]:
    """Columns of the scored file: D_, EP_ or EL_, CP_ or CL_, BP_ or BL_, IC_, ROI_, _WARN_.

    Decisions by name ("" where there is none); losses positive for a loss matrix. ``texts`` makes a
    column of codes (n,) and the texts that they stand for.
    """
    letter = "L" if problem.sense < 0 else "P"
    chosen = np.minimum(cases.decision, np.uint8(len(problem.decisions)))
    columns: dict[str, Any] = {
        f"D_{target}": texts(chosen, (*problem.decisions, "")),
        f"E{letter}_{target}": _scaled(cases.expected, problem.sense),
    }
    if problem.outcome is not None:
        columns[f"C{letter}_{target}"] = _scaled(cases.computed, problem.sense)
        columns[f"B{letter}_{target}"] = _scaled(cases.best, problem.sense)
    if cases.investment is not None and cases.roi is not None:
        columns[f"IC_{target}"] = cases.investment
        if problem.outcome is not None:
            columns[f"ROI_{target}"] = cases.roi
    columns["_WARN_"] = texts(cases.marks, _LETTERS_OF_MARKS)
    return columns


__all__ = [
    "MARK_FREQUENCY",
    "CaseDecisions",
    "CaseTotals",
    "aggregate_roi",
    "case_columns",
    "case_marks",
    "decide_cases",
    "mark_letters",
    "return_on_investment",
    "total_cases",
    "totals_of_sums",
    "weighted_total",
]
