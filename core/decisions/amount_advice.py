"""What is worth saying of amounts per case: negative ones, and a few that decide the total."""

from __future__ import annotations

from core.decisions.amounts import AmountFacts
from core.decisions.problem import DecisionProblem
from core.document.results import Advice
from core.document.wording import NBSP, format_number

HEAVY = 0.25
"""A part from which on it is said: totals then hang on few cases."""


def amount_advice(problem: DecisionProblem) -> list[Advice]:
    """Amounts below 0, and whether a hundredth of the cases holds much of all that is at stake."""
    if problem.amounts is None:
        return []
    facts = problem.amounts.facts
    found = []
    if not problem.amounts.are_never_below_zero:
        found.append(_negative(problem, problem.amounts.name, facts))
    part = facts.part_of_largest
    if part >= HEAVY:
        found.append(
            Advice(
                state="warning",
                text=f"1{NBSP}% of the {problem.words.case[1]} hold {100 * part:.0f}{NBSP}% of "
                f"{problem.amounts.name}.",
                detail="Totals hang on few of them: look at the intervals before models are told "
                "apart.",
            )
        )
    return found


def _negative(problem: DecisionProblem, name: str, facts: AmountFacts) -> Advice:
    count, row = facts.below_zero
    return Advice(
        state="warning",
        text=f"{name[:1].upper()}{name[1:]} is below 0 for {format_number(float(count), 0)} "
        f"{problem.words.case[int(count != 1)]}: gains and losses change places there.",
        detail=f"The first is row {row + 1:,} of those used: {facts.values[row]:g}.",
    )
