"""Cases that were decided: the names of their decisions, how many got each, and totals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.decisions.case_values import IDLE
from core.decisions.cases import CaseDecisions, total_cases
from core.decisions.decision_pass import UNDECIDED
from core.decisions.problem import DecisionProblem
from payoff.types import AnyArray

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
    problem: DecisionProblem, decided: CaseDecisions, *, has_chances: bool
) -> Figures:
    """Totals of all rows: expected, and realised where the outcome is known.

    Expected totals need no outcome and are not weighted to the priors (the chances are corrected to
    them); realised ones are, as everywhere. Losses are positive for a loss matrix.
    """
    figures: list[tuple[str, float]] = []
    if has_chances:
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
