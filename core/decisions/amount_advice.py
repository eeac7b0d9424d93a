"""What is worth saying of amounts per case: negative ones, and a few that decide the total."""

from __future__ import annotations

import numpy as np

from core.decisions.problem import DecisionProblem
from core.document.results import Advice
from core.document.wording import NBSP, format_number
from payoff.types import FloatArray

TOP = 0.01
"""The share of cases whose part of all amounts is looked at."""
HEAVY = 0.25
"""A part from which on it is said: totals then hang on few cases."""
FEWEST = 1000
"""With fewer cases the largest hundredth is no more than a handful."""


def amount_advice(problem: DecisionProblem) -> list[Advice]:
    """Amounts below 0, and whether a hundredth of the cases holds much of all that is at stake."""
    if problem.amounts is None:
        return []
    values = problem.amounts.values
    found = []
    if not problem.amounts.are_never_below_zero:
        found.append(_negative(problem, problem.amounts.name, values))
    part = _part_of_largest(values)
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


def _negative(problem: DecisionProblem, name: str, values: FloatArray) -> Advice:
    below = values < 0
    count = int(np.count_nonzero(below))
    row = int(np.argmax(below))
    return Advice(
        state="warning",
        text=f"{name[:1].upper()}{name[1:]} is below 0 for {format_number(float(count), 0)} "
        f"{problem.words.case[int(count != 1)]}: gains and losses change places there.",
        detail=f"The first is row {row + 1:,} of those used: {values[row]:g}.",
    )


def _part_of_largest(values: FloatArray) -> float:
    """The part of all amounts that the largest hundredth of the cases holds; 0 for few cases."""
    sizes = np.abs(values[np.isfinite(values)])
    whole, count = float(sizes.sum()), int(TOP * sizes.size)
    if sizes.size < FEWEST or whole <= 0:
        return 0.0
    largest = np.partition(sizes, sizes.size - count)[sizes.size - count :]
    return float(largest.sum() / whole)
