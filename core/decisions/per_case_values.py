"""Decisions from amounts worked out case by case: numbers, amounts per case, leaves of a tree.

Where a consequence is no sum over classes and posteriors, every decision's expected amount is laid
out for every case, (decisions, n), and chosen from. All that follows (depth, tables, resamples)
reads codes of cases and does not know the difference.
"""

from __future__ import annotations

import numpy as np

from core.decisions.case_blocks import ByteArray
from core.decisions.decision_pass import UNDECIDED
from core.decisions.number_targets.knots import expected_lines
from core.decisions.per_case_kernels import choose_amounts, rate_amounts
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, LeafCases, ModelScores
from core.decisions.rating_kernels import ShortArray
from core.kernels import CHUNK_ROWS
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


def is_valued(problem: DecisionProblem, model: ModelScores) -> bool:
    """Whether a model's decisions come from amounts laid out by case."""
    return problem.is_laid_out or model.leaf is not None


def expected_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    """A(i, d) of every case and decision, (decisions, n); NaN where a case cannot be decided.

    With leaves, every case of a leaf has the mean of the leaf's (training) cases: of what their
    predictions or posteriors promise less their costs, or of what their outcomes brought.
    """
    if model.leaf is None:
        return _own_values(problem, model)
    mean = leaf_means(problem, model, model.leaf)
    known = (model.leaf.code >= 0) & _has_scores(problem, model)
    spread = np.full((mean.shape[0], known.shape[0]), np.nan)
    spread[:, known] = mean[:, model.leaf.code[known]]
    return spread


def leaf_means(problem: DecisionProblem, model: ModelScores, leaf: LeafCases) -> FloatArray:
    """What each decision brings on average in each leaf, (decisions, leaves); NaN: not known."""
    if leaf.means is not None:
        return leaf.means
    own = _own_values(problem, model)
    basis = realised_values(problem) if leaf.is_honest else own
    return _leaf_means(problem, leaf, basis, _all_finite(own))


def realised_values(problem: DecisionProblem) -> FloatArray:
    """Q(i, T(i), d) of every case and decision, (decisions, n); NaN without outcome or cost.

    Raises
    ------
    PayoffError
        If the outcome is not known at all.
    """
    if problem.outcome is None:
        raise PayoffError(
            "The outcome of these rows is not known, so nothing is realised.",
            remedy="Name the column of the outcome, or average over predictions.",
        )
    if problem.is_laid_out:
        return -problem.consequences.costs
    table = problem.brought_at(np.maximum(problem.outcome, 0), slice(None))
    table[:, problem.outcome < 0] = np.nan
    return less_costs(problem, table, None)


def _own_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    if problem.is_interval:
        assert model.predicted is not None  # check_model refuses without
        if model.quantiles is not None:
            return less_costs(problem, expected_lines(problem.knot_table, model.quantiles), None)
        return problem.consequences_at(model.predicted)
    chances = model.posteriors
    if prior_ratio(problem, model) is not None:
        assert problem.priors is not None
        assert model.old_priors is not None
        chances = adjust_posteriors(chances, problem.priors, model.old_priors)
    table = problem.promised_at(chances, slice(None))
    table[:, ~_has_scores(problem, model)] = np.nan
    return less_costs(problem, table, chances.sum(axis=0))


def less_costs(problem: DecisionProblem, table: FloatArray, mass: FloatArray | None) -> FloatArray:
    """Costs of the cases taken off; they fall due with the whole mass of the posteriors."""
    for decision, column in problem.cost_columns.items():
        table[decision] -= column if mass is None else column * mass
    return table


def _all_finite(values: FloatArray) -> BoolArray:
    """Cases whose amounts are all there."""
    return np.asarray(np.isfinite(values).all(axis=0))


def _has_scores(problem: DecisionProblem, model: ModelScores) -> BoolArray:
    """Cases whose posteriors or prediction can be used."""
    if model.predicted is not None:
        known = np.isfinite(model.predicted)
        return known if model.quantiles is None else known & model.quantiles.is_known
    chances = model.posteriors
    is_good = ((chances >= 0.0) & (chances <= 1.0)).all(axis=0) & (chances > 0.0).any(axis=0)
    ratio = prior_ratio(problem, model)
    if ratio is not None:
        is_good &= ~(chances[ratio < 0] > 0).any(axis=0)
    return np.asarray(is_good)


def _leaf_means(
    problem: DecisionProblem, leaf: LeafCases, basis: FloatArray, usable: BoolArray
) -> FloatArray:
    """Mean of each leaf by decision, (decisions, leaves); NaN for a leaf that nothing trained."""
    weight = np.ones(leaf.code.shape[0])
    if problem.frequency is not None:
        weight = np.where(problem.frequency > 0, problem.frequency, 0.0)
    counts = usable & _all_finite(basis) & (leaf.code >= 0) & np.isfinite(weight)
    if leaf.is_training is not None:
        counts &= leaf.is_training
    size = int(leaf.code.max(initial=-1)) + 1
    code, weight = leaf.code[counts], weight[counts]
    cases = np.bincount(code, weights=weight, minlength=size)
    sums = np.array(
        [np.bincount(code, weights=weight * row[counts], minlength=size) for row in basis]
    ).reshape(basis.shape[0], size)
    empty = np.full_like(sums, np.nan)
    return np.asarray(np.divide(sums, cases, out=empty, where=cases > 0))


def has_decision(problem: DecisionProblem, model: ModelScores) -> BoolArray:
    """Cases whose scores (with leaves: whose leaf) say something; costs are looked at elsewhere."""
    is_good = _has_scores(problem, model)
    if model.leaf is None:
        return is_good
    return is_good & _all_finite(expected_values(problem, model))


def point_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    """L(i, prediction, d) of every case and decision, the prediction taken as exact."""
    assert model.predicted is not None  # asked of interval problems only
    return problem.consequences_at(model.predicted)


# ------------------------------------------------------------------ choosing


def choose(values: FloatArray, tolerance: float, skipped: int = -1) -> tuple[FloatArray, IntArray]:
    """The best decision of every case: its amount (NaN: none) and its number.

    A later decision must be better by more than a tie. Where nothing but ``skipped`` is there, the
    implicit do-nothing is worth 0; its number is that of the decisions.
    """
    table = np.ascontiguousarray(values, dtype=np.float64)
    best, number = np.empty(values.shape[1]), np.empty(values.shape[1], dtype=np.int64)
    choose_amounts(table, float(tolerance), skipped, best, number)
    return best, number


def kept_codes(best: FloatArray, number: IntArray) -> ByteArray:
    """Decision numbers as they are kept by case; UNDECIDED where there is none."""
    return np.where(np.isnan(best), UNDECIDED, number).astype(np.uint8)


def rate_valued(
    problem: DecisionProblem,
    model: ModelScores,
    marks: ByteArray,
    folds: ByteArray,
    code: ShortArray,
    advantage: FloatArray,
    expected: FloatArray,
) -> FloatArray:
    """``rate_cases`` from amounts by case: fills codes, advantage of acting, expected amounts.

    Returns
    -------
    array (levels, 2)
        Sums of the expected consequence of the own and of the rest decision by class.
    """
    assert problem.outcome is not None  # counted_rows refuses without
    values = expected_values(problem, model)
    rows = values.shape[1]
    sums = np.zeros((-(-rows // CHUNK_ROWS), len(problem.levels), 2))
    rate_amounts(
        values,
        problem.consequences.tolerance,
        problem.acting_index,
        problem.outcome,
        np.empty(0) if problem.frequency is None else problem.frequency,
        marks,
        folds,
        code,
        advantage,
        expected,
        sums,
    )
    return np.asarray(sums.sum(axis=0))
