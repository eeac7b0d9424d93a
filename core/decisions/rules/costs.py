"""Names for costs by case, so that a rule can ask for them elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.decisions.problem import DecisionProblem
from payoff.types import FloatArray

PREFIX = "COST_"


def named_costs(
    problem: DecisionProblem, columns: Mapping[str, str]
) -> tuple[DecisionProblem, dict[str, str], tuple[str, ...]]:
    """The problem with every cost by case named, or constant where it is the same for all.

    Parameters
    ----------
    problem : DecisionProblem
    columns : mapping of decision to column
        Costs that stand in columns of the data.

    Returns
    -------
    problem : DecisionProblem
    names : mapping of decision to column
        Costs without a column of their own are called COST_ and the decision.
    made_up : tuple of str
        Those names.
    """
    amounts = np.zeros(len(problem.decisions))
    if problem.cost_amounts is not None:
        amounts = np.array(problem.cost_amounts, dtype=np.float64)
    kept: dict[int, FloatArray] = {}
    names: dict[str, str] = {}
    made_up: list[str] = []
    for place, costs in sorted(problem.cost_columns.items()):
        decision = problem.decisions[place]
        if decision not in columns and costs.size and (costs == costs[0]).all():
            amounts[place] = costs[0]
            continue
        kept[place] = costs
        names[decision] = columns.get(decision, f"{PREFIX}{decision}")
        if decision not in columns:
            made_up.append(names[decision])
    return replace(problem, cost_amounts=amounts, cost_columns=kept), names, tuple(made_up)
