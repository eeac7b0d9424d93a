"""A hold-out: a random share of the chosen that is kept out of the action, to measure its effect.

Whether the action works shows only against cases that would have been acted on and were not. Such a
hold-out costs what acting on it would have earned; what it can show depends on its size.

Cases that were decided: the names of their decisions, how many got each, and totals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.decisions.passes.case_values import IDLE, corrected_probabilities, expected_and_costs
from core.decisions.passes.cases import CaseDecisions, return_on_investment, total_cases
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.per_case_values import choose
from core.decisions.problem import DecisionProblem, ModelScores, refuse_interval
from core.inference.normal import normal_quantile, normal_reach
from payoff.errors import PayoffError
from payoff.types import AnyArray, BoolArray, FloatArray, IntArray

POWER, SIGNIFICANCE = 0.80, 0.05
MOST = 0.9
"""Largest share that can be kept out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HoldOut:
    """Decisions with a hold-out, what it costs and what it can show.

    Attributes
    ----------
    decided : CaseDecisions
        Cases kept out have the decision that does nothing.
    planned : CaseDecisions
        The same before any case was kept out.
    is_held : array (n,)
    chosen, held : int
        Cases that were to be acted on, and how many of them are kept out.
    forgone : float
        Expected profit of acting on the cases kept out (frequencies counted).
    event_rate : float
        Mean chance of the event among the chosen.
    smallest_effect : float
        The smallest difference in the event's rate, acted on against kept out, that 80 of 100 such
        trials would find at 5 % (two-sided); NaN where even the whole rate would not do.
    """

    decided: CaseDecisions
    planned: CaseDecisions
    is_held: BoolArray
    chosen: int
    held: int
    share: float
    seed: int
    forgone: float
    event_rate: float
    smallest_effect: float


def hold_out(
    problem: DecisionProblem,
    model: ModelScores,
    decided: CaseDecisions,
    *,
    share: float,
    seed: int,
) -> HoldOut:
    """Keep a random share of the chosen out of the action.

    Parameters
    ----------
    problem : DecisionProblem
    model : ModelScores
    decided : CaseDecisions
        By the rule or by a cut-off.
    share : float
        Of the chosen, 0 to 0.9.
    seed : int
        Of the draw; the same rows, share and seed draw the same cases.

    Raises
    ------
    PayoffError
        If the share is no share, or the outcome a number.
    """
    refuse_interval(problem)
    if not 0.0 <= share <= MOST:
        raise PayoffError(
            f"{share:g} is no share that can be kept out.",
            where="hold-out",
            remedy="Give a share from 0 to 0.9: 0.1 keeps a tenth of the chosen out.",
        )
    chosen = np.flatnonzero(_is_chosen(problem, decided)).astype(np.int64)
    count = round(share * len(chosen))
    held = np.sort(np.random.default_rng(seed).choice(chosen, count, replace=False))
    is_held = np.zeros(decided.decision.shape[0], dtype=np.bool_)
    is_held[held] = True
    rested = _rested(problem, model, decided, held)
    frequency = problem.frequency
    weight = np.ones(count) if frequency is None else np.maximum(frequency[held], 0.0)
    rate = math.nan
    if len(chosen):
        rate = float(np.mean(corrected_probabilities(problem, model, chosen)[0]))
    return HoldOut(
        decided=rested,
        planned=decided,
        is_held=is_held,
        chosen=len(chosen),
        held=count,
        share=share,
        seed=seed,
        forgone=float(weight @ (decided.expected[held] - rested.expected[held])),
        event_rate=rate,
        smallest_effect=smallest_effect(rate, len(chosen) - count, count),
    )


def _is_chosen(problem: DecisionProblem, decided: CaseDecisions) -> BoolArray:
    """Cases with an action: any decision but doing nothing, or acting where none is named."""
    if problem.do_nothing is None:
        return np.asarray(decided.decision == problem.acting_index)
    nothing = problem.decisions.index(problem.do_nothing)
    return np.asarray((decided.decision != nothing) & (decided.decision != UNDECIDED))


def _rested(
    problem: DecisionProblem, model: ModelScores, decided: CaseDecisions, held: IntArray
) -> CaseDecisions:
    """The same decisions with doing nothing for the cases kept out.

    Where no decision does nothing they get their best decision other than acting; where there is no
    other, none at all, which brings 0.
    """
    expected, costs = expected_and_costs(problem, model, held)
    place = _rest_places(problem, expected)
    is_idle = place >= len(problem.decisions)
    every = np.arange(len(held))
    own_cost = costs[place, 0 if costs.shape[1] == 1 else every]
    decision = decided.decision.copy()
    decision[held] = np.where(is_idle, UNDECIDED, place)
    hoped, computed = decided.expected.copy(), decided.computed.copy()
    hoped[held] = expected[place, every]
    if problem.outcome is not None:
        level = problem.outcome[held]
        table = problem.realised_at(np.maximum(level, 0), held)
        table = np.vstack([table, np.zeros(len(held))])  # the implicit do-nothing brings 0
        realised = table[place, every] - own_cost
        computed[held] = np.where(level >= 0, realised, np.nan)
    investment = decided.investment
    if investment is not None:
        constant = np.append(problem.constant_costs, 0.0)
        investment = investment.copy()
        investment[held] = constant[place] + own_cost
    return replace(
        decided,
        decision=decision,
        expected=hoped,
        computed=computed,
        investment=investment,
        roi=None if investment is None else return_on_investment(computed, investment),
    )


def _rest_places(problem: DecisionProblem, expected: FloatArray) -> IntArray:
    """What the cases kept out get, as a column of the gains (the last: the implicit do-nothing)."""
    if problem.do_nothing is not None:
        nothing = problem.decisions.index(problem.do_nothing)
        return np.full(expected.shape[1], nothing, dtype=np.int64)
    return choose(expected, problem.tie_tolerance, problem.acting_index)[1]


def smallest_effect(
    rate: float,
    acted: int,
    held: int,
    *,
    power: float = POWER,
    significance: float = SIGNIFICANCE,
) -> float:
    """The smallest difference of two rates that a trial of this size can be expected to show.

    Two-sided test of two proportions, unequal groups (Fleiss, Levin and Paik 2003, "Statistical
    Methods for Rates and Proportions", 3rd edition, section 4.3, without continuity correction):
    the difference delta with

        delta = z(1 - alpha/2) sqrt(pm (1 - pm) (1/n1 + 1/n2))
                + z(power) sqrt(p1 (1 - p1)/n1 + p2 (1 - p2)/n2),

    p1 the rate of the cases acted on, p2 = p1 - delta that of those kept out, pm their mean
    weighted by size.

    Parameters
    ----------
    rate : float
        p1, expected.
    acted, held : int
        n1 and n2.

    Returns
    -------
    float
        NaN where no difference up to the rate itself would do.
    """
    if not 0.0 < rate < 1.0 or acted < 1 or held < 1:
        return math.nan
    alpha, beta = normal_reach(1.0 - significance), normal_quantile(power)

    def shortfall(delta: float) -> float:
        other = rate - delta
        mean = (acted * rate + held * other) / (acted + held)
        under_none = math.sqrt(mean * (1.0 - mean) * (1.0 / acted + 1.0 / held))
        under_some = math.sqrt(rate * (1.0 - rate) / acted + other * (1.0 - other) / held)
        return alpha * under_none + beta * under_some - delta

    low, high = 0.0, rate
    if shortfall(high) > 0:
        return math.nan
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if shortfall(middle) > 0 else (low, middle)
    return high


Figures = tuple[tuple[str, float], ...]
Counts = tuple[tuple[str, int], ...]


def decision_names(problem: DecisionProblem, decided: CaseDecisions) -> NDArray[np.str_]:
    """The decision of each case by name; empty where there is none."""
    is_idle = (decided.decision == UNDECIDED) & ~np.isnan(decided.expected)
    named = np.asarray([*problem.decisions, "", IDLE])
    width = len(problem.decisions)
    place = np.where(is_idle, width + 1, np.minimum(decided.decision, width))
    return np.asarray(named[place])


def decision_counts(problem: DecisionProblem, names: NDArray[np.str_]) -> Counts:
    """Cases per decision, in the matrix's order; cases without a decision at the end."""
    known, numbers = np.unique(names, return_counts=True)
    found = dict(zip(known.tolist(), numbers.tolist(), strict=True))
    order = [*problem.decisions, IDLE, ""]
    words = {"": "without a decision"}
    return tuple((words.get(n, n), found[n]) for n in dict.fromkeys(order) if n in found)


def decision_totals(
    problem: DecisionProblem, decided: CaseDecisions, *, has_probabilities: bool
) -> Figures:
    """Totals of all rows: expected, and realised where the outcome is known.

    Expected totals need no outcome and are not weighted to the priors (the chances are corrected to
    them); realised ones are, as everywhere. Losses are positive for a loss matrix.
    """
    figures: list[tuple[str, float]] = []
    if has_probabilities:
        frequency = problem.frequency
        weight = 1.0 if frequency is None else np.where(frequency > 0, frequency, 0.0)
        expected = problem.sense * float(np.nansum(weight * decided.expected))
        figures.append(("expected_total", expected))
    if problem.outcome is not None and bool(np.any(problem.outcome >= 0)):
        realised = total_cases(problem, decided)
        figures += [
            ("realised_total", realised.total),
            ("realised_total_low", realised.total_low),
            ("realised_total_high", realised.total_high),
            ("realised_average", realised.average),
            ("best_total", realised.best_total),
            ("cases_with_outcome", realised.cases),
        ]
    return tuple(figures)


def planned_columns(
    problem: DecisionProblem, planned: CaseDecisions, target: str
) -> dict[str, AnyArray]:
    """What every case was to get and promised before some were kept out of the action."""
    letter = "L" if problem.sense < 0 else "P"
    return {
        f"PLANNED_D_{target}": decision_names(problem, planned),
        f"PLANNED_E{letter}_{target}": problem.sense * planned.expected,
    }
