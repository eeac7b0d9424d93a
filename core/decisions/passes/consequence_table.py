"""What every decision brings every case in every class: what a loss in money learns from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.decisions.passes.per_case_values import less_costs
from core.decisions.priors import ratio_of
from core.decisions.problem import DecisionProblem
from payoff.errors import PayoffError
from payoff.types import FloatArray


def consequence_table(
    problem: DecisionProblem, levels: Sequence[str], shares: FloatArray | None = None
) -> FloatArray:
    """Q(i, t, d) of every case, class and decision, costs and amounts of the case included.

    Parameters
    ----------
    problem : DecisionProblem
        Of classes, with a row for each case.
    levels : sequence of str
        The classes in the order wanted.
    shares : float64 (levels,), optional
        Class shares of the rows that train, in that order. Where the problem has priors, a class
        counts prior / share times: deciding by chances at those shares is then deciding by chances
        at the priors.

    Returns
    -------
    float64 (n, levels, decisions)
        In the sense of profit; NaN where a cost or amount is missing.

    Raises
    ------
    PayoffError
        If the matrix has no row for a class, or the outcome is a number.
    """
    if problem.is_interval or problem.outcome is None:
        raise PayoffError(
            "A loss in money needs an outcome with classes.",
            remedy="Choose an outcome with classes and a matrix with a row for each.",
        )
    missing = [level for level in levels if level not in problem.levels]
    if missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            remedy="Give one row per level of the outcome.",
        )
    n = problem.outcome.shape[0]
    brings = np.empty((n, len(levels), len(problem.decisions)))
    for place, level in enumerate(levels):
        codes = np.full(n, problem.levels.index(level), dtype=np.int32)
        brings[:, place] = less_costs(problem, problem.realised_at(codes, slice(None)), None).T
    if problem.priors is not None and shares is not None:
        order = [problem.levels.index(level) for level in levels]
        brings *= ratio_of(problem.priors[order], shares, tuple(levels))[:, np.newaxis]
    return brings


def in_stakes(brings: FloatArray) -> FloatArray:
    """Consequences (n, levels, decisions) in units of the mean stake of the cases.

    The stake of a case is the best less the worst decision, summed over the classes. A model then
    does not depend on the currency, and numbers such as ``l2`` mean the same for every matrix.
    """
    if not brings.size:
        return brings
    stakes = (brings.max(axis=2) - brings.min(axis=2)).sum(axis=1)
    known = stakes[np.isfinite(stakes)]
    mean = float(known.mean()) if known.size else 0.0
    return brings / mean if mean > 0.0 else brings
