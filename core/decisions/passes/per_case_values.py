"""Decisions from amounts worked out case by case: numbers, amounts per case, leaves of a tree.

Where a consequence is no sum over classes and posteriors, every decision's expected amount is laid
out for every case, (decisions, n), and chosen from. All that follows (depth, tables, resamples)
reads codes of cases and does not know the difference.

Kernels that choose and rate where amounts are laid out by case and decision.
"""

from __future__ import annotations

import numpy as np

from core.decisions.number_targets.knots import expected_lines
from core.decisions.passes.case_blocks import ByteArray
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.rating_kernels import NO_CODE, ShortArray
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, LeafCases, ModelScores
from core.decisions.ties import better
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray


@own_kernel
def _best_of(values: FloatArray, row: int, tolerance: float, skipped: int) -> tuple[float, int]:
    """The best decision of a case among all but ``skipped``, its amount first.

    Where there is no other: the implicit do-nothing, worth 0 and numbered one past the last.
    """
    decisions = values.shape[0]
    best, number = -np.inf, float(decisions)
    for decision in range(decisions):
        if decision != skipped:
            best, number = better(best, number, values[decision, row], float(decision), tolerance)
    if number == float(decisions):
        return 0.0, decisions
    return best, int(number)


@own_kernel
def _is_whole(values: FloatArray, row: int) -> bool:
    """Whether every decision of a case has an amount."""
    gap = 0.0
    for decision in range(values.shape[0]):
        gap += values[decision, row] - values[decision, row]  # NaN for one missing or infinite
    return gap == 0.0


@parallel_kernel
def choose_amounts(
    values: FloatArray, tolerance: float, skipped: int, best: FloatArray, number: IntArray
) -> None:
    """The best decision of every case among all but ``skipped`` (-1: among all), and its amount.

    A case with an amount missing gets NaN and decision 0.
    """
    for row in prange(values.shape[1]):
        best[row], number[row] = np.nan, 0
        if _is_whole(values, row):
            best[row], number[row] = _best_of(values, row, tolerance, skipped)


@parallel_kernel
def rate_amounts(
    values: FloatArray,
    tolerance: float,
    acting: int,
    outcome: CodeArray,
    frequency: FloatArray,
    marks: ByteArray,
    folds: ByteArray,
    code: ShortArray,
    advantage: FloatArray,
    expected: FloatArray,
    sums: FloatArray,
) -> None:
    """Code, advantage of acting and expected amount of every case from ``values`` (decisions, n).

    ``frequency``, ``marks`` and ``expected`` may be empty. ``sums`` (chunks, levels, 2), zero
    before, gets the expected amount of the own and of the rest decision of the counted cases.
    """
    decisions, n = values.shape
    for chunk in prange(sums.shape[0]):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            code[row] = np.uint16(NO_CODE)
            advantage[row] = np.nan
            if expected.shape[0]:
                expected[row] = np.nan
            if not _is_whole(values, row):
                continue
            best, number = _best_of(values, row, tolerance, -1)
            if expected.shape[0]:
                expected[row] = best
            level = np.int64(outcome[row])
            if level < 0 or (marks.shape[0] and marks[row] != 0):
                continue
            rest, other = _best_of(values, row, tolerance, acting)
            place = (level * decisions + number) * (decisions + 1) + other
            code[row] = np.uint16(place * 2 + np.int64(folds[row]))
            advantage[row] = values[acting, row] - rest
            weight = frequency[row] if frequency.shape[0] else 1.0
            sums[chunk, level, 0] += weight * best
            sums[chunk, level, 1] += weight * rest


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
    table = problem.realised_at(np.maximum(problem.outcome, 0), slice(None))
    table[:, problem.outcome < 0] = np.nan
    return less_costs(problem, table, None)


def _own_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    if problem.is_interval:
        assert model.predicted is not None  # check_model refuses without
        if model.quantiles is not None:
            return less_costs(problem, expected_lines(problem.knot_table, model.quantiles), None)
        return problem.consequences_at(model.predicted)
    probabilities = model.posteriors
    if prior_ratio(problem, model) is not None:
        assert problem.priors is not None
        assert model.old_priors is not None
        probabilities = adjust_posteriors(probabilities, problem.priors, model.old_priors)
    table = problem.expected_value_at(probabilities, slice(None))
    table[:, ~_has_scores(problem, model)] = np.nan
    return less_costs(problem, table, probabilities.sum(axis=0))


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
    probabilities = model.posteriors
    is_good = ((probabilities >= 0.0) & (probabilities <= 1.0)).all(axis=0) & (
        probabilities > 0.0
    ).any(axis=0)
    ratio = prior_ratio(problem, model)
    if ratio is not None:
        is_good &= ~(probabilities[ratio < 0] > 0).any(axis=0)
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
