"""Further columns of a scored file: predicted class, unformatted value, actual class, residual.

Names and rules are those of the source's scored data: P_ posteriors after the correction to the
priors, I_ and U_ the predicted class, F_ the actual one, R_ residuals before the correction.

Classification tables: actual class by predicted class, or by decision, raw and adjusted.

Per cell: share of its column (of those predicted or decided so, how many are of the class), share
of its row, share of all, and the share of all when classes are weighted to the priors.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.decisions.passes.cases import CaseDecisions, case_marks
from core.decisions.passes.decision_pass import MARK_POSTERIOR, UNDECIDED
from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.ties import first_best
from payoff.errors import PayoffError
from payoff.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray

LETTERS = ("P", "I", "U", "F", "R")
"""Prefixes that can be asked for."""

CLASS_TOLERANCE = 1e-8
"""A later class must have a chance larger by more than this to be the predicted one."""


def predicted_classes(probabilities: FloatArray) -> CodeArray:
    """The most likely class of each case, (n,); -1 where a posterior is missing.

    No matrix enters. The first class wins unless a later one is better by more than 1e-8.

    Parameters
    ----------
    probabilities : array (levels, n)
    """
    code = first_best(probabilities, CLASS_TOLERANCE).astype(np.int32)
    code[np.isnan(probabilities).any(axis=0)] = -1
    return code


def residuals(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    """Outcome less what was predicted, before any correction to priors; NaN where not known.

    Returns
    -------
    array (levels, n)
        1 or 0 less the posterior; for an interval target (1, n), the outcome less the prediction.
    """
    if problem.outcome is None:
        raise PayoffError(
            "There is no residual without an outcome.", remedy="Name the target column."
        )
    if model.predicted is not None:
        assert problem.actual is not None  # as there is an outcome
        return (problem.actual - model.predicted)[np.newaxis]
    happened = np.arange(len(problem.levels))[:, np.newaxis] == problem.outcome
    table = happened - model.posteriors
    table[:, problem.outcome < 0] = np.nan
    return np.asarray(table)


def output_columns(
    problem: DecisionProblem,
    model: ModelScores,
    cases: CaseDecisions,
    target: str,
    letters: Iterable[str],
) -> dict[str, AnyArray]:
    """The columns asked for by prefix, named after the target.

    Raises
    ------
    PayoffError
        For an unknown prefix, one that has no meaning for a number, or R_ and F_ without outcome.
    """
    columns: dict[str, AnyArray] = {}
    for letter in letters:
        if letter not in LETTERS:
            raise PayoffError(
                f"There is no output column {letter}_.", why=f"There are {', '.join(LETTERS)}."
            )
        if problem.is_interval:
            columns |= _number_columns(problem, model, target, letter)
        else:
            columns |= _class_columns(problem, model, cases, target, letter)
    return columns


def with_input_marks(marks: AnyArray, lacks_input: BoolArray | None) -> AnyArray:
    """_WARN_ with M before the other letters where an input of the model is missing."""
    if lacks_input is None:
        return marks
    return np.char.add(np.where(lacks_input, "M", ""), marks.astype(str))


def _number_columns(
    problem: DecisionProblem, model: ModelScores, target: str, letter: str
) -> dict[str, AnyArray]:
    assert model.predicted is not None  # check_model refused others
    if letter == "P":
        return {f"P_{target}": model.predicted, **_quantile_columns(model, target)}
    if letter == "R":
        return {f"R_{target}": residuals(problem, model)[0]}
    raise PayoffError(
        f"{letter}_{target} is a class, and '{target}' is a number.",
        remedy="Ask for P and R only.",
    )


def _quantile_columns(model: ModelScores, target: str) -> dict[str, AnyArray]:
    """A column for each predicted quantile: P_gift_q0.05."""
    if model.quantiles is None:
        return {}
    levels = model.quantiles.levels.tolist()
    return {
        f"P_{target}_q{level:g}": values
        for level, values in zip(levels, model.quantiles.values, strict=True)
    }


def _class_columns(
    problem: DecisionProblem,
    model: ModelScores,
    cases: CaseDecisions,
    target: str,
    letter: str,
) -> dict[str, AnyArray]:
    probabilities = model.posteriors if cases.posteriors is None else cases.posteriors
    levels = problem.levels
    if letter == "P":
        return {f"P_{target}{level}": row for level, row in zip(levels, probabilities, strict=True)}
    if letter == "R":
        table = residuals(problem, model)
        return {f"R_{target}{level}": row for level, row in zip(levels, table, strict=True)}
    if letter == "F":
        if problem.outcome is None:
            raise PayoffError("F_ needs the outcome.", remedy="Name the target column.")
        return {f"F_{target}": np.asarray([*levels, ""])[problem.outcome]}
    code = predicted_classes(probabilities)
    code[(cases.marks & MARK_POSTERIOR) != 0] = -1
    if letter == "I":
        return {f"I_{target}": np.asarray([*levels, ""])[code]}
    return {f"U_{target}": _unformatted(levels)[code]}


def _unformatted(levels: tuple[str, ...]) -> AnyArray:
    """Values of the levels, what is missing at the end: numbers where all of them are."""
    try:
        return np.array([*(float(level) for level in levels), np.nan])
    except ValueError:
        return np.asarray([*levels, ""])


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
