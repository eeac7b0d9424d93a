"""What is worth saying of amounts per case: negative ones, and a few that decide the total."""

from __future__ import annotations

import numpy as np

from core.decisions.amounts import AmountFacts, CaseAmounts
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
    return [*found, *_whatever_happens(problem, problem.amounts)]


def _whatever_happens(problem: DecisionProblem, amounts: CaseAmounts) -> list[Advice]:
    """Decisions that bring the same in every class: a predicted effect, say, and no outcome."""
    table = np.stack([problem.cells, amounts.slopes])
    is_same = (np.ptp(table, axis=1) == 0).all(axis=0) & amounts.slopes.any(axis=0)
    return [
        Advice(
            state="info",
            text=f"What “{name}” brings follows {amounts.name}, whatever happens: its total is a "
            "promise.",
            detail="No outcome is in it, so expected and realised are one. What a treatment really "
            "changes is for an experiment to say: page Uplift.",
        )
        for name, same in zip(problem.decisions, is_same, strict=True)
        if same and len(problem.levels) > 1
    ]


def _negative(problem: DecisionProblem, name: str, facts: AmountFacts) -> Advice:
    count, row = facts.below_zero
    return Advice(
        state="warning",
        text=f"{name[:1].upper()}{name[1:]} is below 0 for {format_number(float(count), 0)} "
        f"{problem.words.case[int(count != 1)]}: gains and losses change places there.",
        detail=f"The first is row {row + 1:,} of those used: {facts.values[row]:g}.",
    )
