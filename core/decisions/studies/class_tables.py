"""Classification tables: actual class by predicted class, or by decision, raw and adjusted.

Per cell: share of its column (of those predicted or decided so, how many are of the class), share
of its row, share of all, and the share of all when classes are weighted to the priors.
"""

from __future__ import annotations

import numpy as np

from core.decisions.cases import CaseDecisions, case_marks
from core.decisions.decision_pass import UNDECIDED
from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.studies.outputs import predicted_classes
from payoff.errors import PayoffError
from payoff.types import AnyArray, BoolArray, FloatArray, IntArray


def prediction_table(
    problem: DecisionProblem, model: ModelScores, cases: CaseDecisions
) -> dict[str, AnyArray]:
    """Actual by predicted class; predictions come from the corrected posteriors alone.

    Returns
    -------
    dict of arrays (levels * levels,)
        target, outcome (predicted), cases, target_percent, outcome_percent, total_percent,
        adjusted_cases, adjusted_percent.

    Raises
    ------
    PayoffError
        Without outcome, and for an interval target, which has no classes to predict.
    """
    if problem.is_interval:
        raise PayoffError(
            "A number has no predicted class.", remedy="Ask for the decision table instead."
        )
    probabilities = model.posteriors if cases.posteriors is None else cases.posteriors
    counted = _counted(problem, model)
    code = predicted_classes(probabilities).astype(np.int64)
    counts = _counts(problem, code, counted, len(problem.levels))
    return _cells(problem, counts, "outcome", problem.levels)


def decision_table(
    problem: DecisionProblem, model: ModelScores, cases: CaseDecisions
) -> dict[str, AnyArray]:
    """Actual class by decision, with what the cases of each cell brought and promised.

    Returns
    -------
    dict of arrays (levels * decisions,)
        target, decision, cases, the shares of ``prediction_table``, and total, expected_total,
        best_total: weighted to the priors, in the user's sense; left: what perfect foresight
        would have added, never below 0.
    """
    counted = _counted(problem, model)
    width = len(problem.decisions)
    code = np.where(cases.decision == UNDECIDED, 0, cases.decision).astype(np.int64)
    counts = _counts(problem, code, counted, width)
    columns = _cells(problem, counts, "decision", problem.decisions)
    weights = prior_weights(problem.priors, counts.sum(axis=1))
    amounts: dict[str, FloatArray] = {}
    for name, values in (
        ("total", cases.computed),
        ("expected_total", cases.expected),
        ("best_total", cases.best),
    ):
        sums = _counts(problem, code, counted, width, values)
        amounts[name] = (problem.sense * weights[:, np.newaxis] * sums).ravel()
    amounts["left"] = problem.sense * (amounts["best_total"] - amounts["total"])
    return {**columns, **amounts}


def _counted(problem: DecisionProblem, model: ModelScores) -> BoolArray:
    """The cases that count in every total."""
    if problem.outcome is None:
        raise PayoffError(
            "There is no outcome to set beside the decisions.",
            remedy="Name the target column of rows whose outcome is known.",
        )
    return np.asarray(case_marks(problem, (model,)) == 0)


def _counts(
    problem: DecisionProblem,
    code: IntArray,
    counted: BoolArray,
    width: int,
    values: FloatArray | None = None,
) -> FloatArray:
    """Sums of frequencies, or of frequency times a value, by class and code, (levels, width)."""
    assert problem.outcome is not None  # _counted refuses without
    weight = np.ones(code.shape[0]) if problem.frequency is None else problem.frequency
    place = problem.outcome[counted].astype(np.int64) * width + code[counted]
    added = weight[counted] if values is None else weight[counted] * values[counted]
    sums = np.bincount(place, weights=added, minlength=len(problem.levels) * width)
    return np.asarray(sums.reshape(len(problem.levels), width))


def _cells(
    problem: DecisionProblem, counts: FloatArray, what: str, names: tuple[str, ...]
) -> dict[str, AnyArray]:
    weights = prior_weights(problem.priors, counts.sum(axis=1))
    size = counts.sum()
    adjusted = weights[:, np.newaxis] * counts
    return {
        "target": np.repeat(np.asarray(problem.levels), len(names)),
        what: np.tile(np.asarray(names), len(problem.levels)),
        "cases": counts.ravel(),
        "target_percent": _percent(counts, counts.sum(axis=0, keepdims=True)),
        "outcome_percent": _percent(counts, counts.sum(axis=1, keepdims=True)),
        "total_percent": _percent(counts, size),
        "adjusted_cases": adjusted.ravel(),
        "adjusted_percent": _percent(adjusted, size),
    }


def _percent(part: FloatArray, whole: FloatArray | float) -> FloatArray:
    """100 * part / whole, (cells,); NaN where the whole is empty."""
    base = np.broadcast_to(whole, part.shape)
    share = np.divide(100.0 * part, base, out=np.full(part.shape, np.nan), where=base > 0)
    return np.asarray(share.ravel())
