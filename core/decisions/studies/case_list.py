"""The list of cases: what each gets, how near the second best decision is, and its break-even."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.advice.thresholds import cut_off
from core.decisions.passes.case_values import CaseValues, expected_and_costs
from core.decisions.passes.cases import CaseDecisions, decide_cases
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.problem import DecisionProblem, ModelScores, refuse_interval
from core.kernels import argsort_descending, chunks, fitting_threads
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseList:
    """Every case of one model, n of them, in the rows' order."""

    decided: CaseDecisions
    probability: FloatArray  # (n,), of the event, as it decides
    gap: FloatArray  # (n,), expected of the own decision less that of the second best
    break_even: FloatArray | None  # (n,), where cases have their own

    @property
    def size_bytes(self) -> int:
        """Memory that it takes."""
        rows = self.probability.shape[0]
        arrays = 5 + (self.decided.roi is not None) * 2 + (self.break_even is not None)
        return int(rows * (8 * arrays + 2))

    def column(self, name: str) -> FloatArray:
        """A column to sort by: expected, gap, chance, computed, best, missed, roi."""
        decided = self.decided
        if name == "missed":
            return np.asarray(decided.best - decided.computed)
        if name == "roi":
            if decided.roi is None:
                raise PayoffError(
                    "No decision has a cost, so there is no return on it.",
                    remedy="Sort by another column, or give the decisions costs.",
                )
            return decided.roi
        return {
            "expected": decided.expected,
            "gap": self.gap,
            "chance": self.probability,
            "computed": decided.computed,
            "best": decided.best,
        }[name]


def case_list(problem: DecisionProblem, model: ModelScores) -> CaseList:
    """All cases of a model, also those that count in no total."""
    refuse_interval(problem)
    decided = decide_cases(problem, model, with_posteriors=True)
    probabilities = model.posteriors if decided.posteriors is None else decided.posteriors
    rows = probabilities.shape[1]
    gap = np.empty(rows)
    for start, stop in chunks(rows):
        here = np.arange(start, stop, dtype=np.int64)
        gap[here] = _gaps(problem, model, here)
    return CaseList(
        decided=decided,
        probability=np.ascontiguousarray(probabilities[0]),
        gap=np.where(np.isnan(decided.expected), np.nan, gap),
        break_even=own_break_even(problem),
    )


def _gaps(problem: DecisionProblem, model: ModelScores, rows: IntArray) -> FloatArray:
    expected = np.sort(expected_and_costs(problem, model, rows)[0], axis=0)
    return np.asarray(expected[-1] - expected[-2])


def order_of(key: FloatArray, *, is_descending: bool) -> IntArray:
    """Rows by a key, ties in the order of the file, undefined ones last."""
    with fitting_threads(key.shape[0]):
        ordered = argsort_descending(np.ascontiguousarray(key if is_descending else -key))
    return np.asarray(ordered, dtype=np.int64)


def own_break_even(problem: DecisionProblem) -> FloatArray | None:
    """The chance of the event at which acting begins to pay, case by case.

    p*(i) = -o / (e - o), where e and o are what acting adds to the other decision for an event and
    for any other case, after the case's own costs. Below 0 acting always pays, above 1 never (the
    other way round where acting pays below). None where all cases share one, or there is none: more
    than two classes or decisions, or the same gain in both classes.
    """
    if len(problem.levels) != 2 or len(problem.decisions) > 2:
        return None
    if problem.amounts is not None:
        return _break_even_by_amount(problem)
    if not problem.cost_columns:
        return None
    event, other = _edges(problem, problem.class_gains)
    if event == other:
        return None
    return np.asarray((_own_costs(problem) - other) / (event - other))


def _edges(problem: DecisionProblem, by_class: FloatArray) -> tuple[float, float]:
    """What acting adds to the other decision, for an event and for any other case."""
    acting = problem.acting_index
    edge = by_class[:, acting]
    if len(problem.decisions) == 2:
        edge = edge - by_class[:, 1 - acting]
    return float(edge[0]), float(edge[1])


def _own_costs(problem: DecisionProblem) -> FloatArray | float:
    """What acting costs a case more than the other decision, beside constant costs."""
    own: FloatArray | float = 0.0
    for decision, column in problem.cost_columns.items():
        own = own + (column if decision == problem.acting_index else -column)
    return own


def _break_even_by_amount(problem: DecisionProblem) -> FloatArray | None:
    """Break-evens where cells are shares of the case's amount; None where one serves all cases.

    NaN for a case of which no chance says anything: acting adds the same in both classes.
    """
    assert problem.amounts is not None  # by the caller
    if not problem.cost_columns and cut_off(problem) is not None:
        return None
    amount, own = problem.amounts.values, _own_costs(problem)
    fixed = _edges(problem, problem.class_gains)
    share = _edges(problem, problem.sense * problem.amounts.slopes)
    event, other = (fixed[place] + share[place] * amount - own for place in (0, 1))
    steep = event - other
    if not np.any(steep):
        return None
    nothing = np.full_like(amount, np.nan)
    return np.divide(-other, steep, out=nothing, where=steep != 0)


def acts_above(problem: DecisionProblem) -> bool:
    """Whether acting pays where the chance of the event is above the break-even.

    With amounts: at their mean, which is how it is for all where they keep one sign.
    """
    event, other = _edges(problem, problem.sense * problem.typical_cells)
    return event > other


@dataclass(frozen=True, slots=True, kw_only=True)
class OneForAll:
    """What own break-evens bring over the mean one for all cases; weighted to the priors."""

    mean_break_even: float
    acted_share: float
    acted_share_at_mean: float
    expected_gain: float
    realised_gain: float


def against_one_for_all(
    values: CaseValues, probability: FloatArray, break_even: FloatArray, *, is_above: bool
) -> OneForAll:
    """Compare own break-evens with one for all: the mean of the cases' own.

    Parameters
    ----------
    values : CaseValues
    probability, break_even : array (k,)
        Of the counted cases.
    is_above : bool
        Whether acting pays above.
    """
    weight, size = values.weight, values.size
    mean = float(weight @ break_even / size)
    own, rest = values.own_decision(), values.rest_decision()
    reached: BoolArray = probability >= mean if is_above else probability <= mean
    at_mean = np.where(reached, values.acting, rest)
    expected = values.expected_of(own) - values.expected_of(at_mean)
    realised = values.realised(own) - values.realised(at_mean)
    return OneForAll(
        mean_break_even=mean,
        acted_share=float(weight @ (own == values.acting) / size),
        acted_share_at_mean=float(weight @ reached / size),
        expected_gain=float(weight @ expected),
        realised_gain=float(weight @ realised),
    )


def is_undecided(cases: CaseList) -> BoolArray:
    """Cases without a decision."""
    return np.asarray(cases.decided.decision == UNDECIDED)
