"""The profit chart as a table: cases by expected profit, best first, in bins of equal depth.

Where the source's product weighs realised profits of tied cases without their priors, cases here
are weighted one by one, so the last cumulative total equals the total.

Return on what is spent when the best n % are acted on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.decisions.depths.depth import Weighting, depth_curve, order_by
from core.decisions.depths.sums import CASES, COST, EXPECTED, OWN
from core.decisions.limits.frontier import Uses
from core.decisions.passes.case_codes import rate_cases, rated_cases
from core.decisions.passes.case_values import CaseValues
from core.decisions.passes.cases import aggregate_roi
from core.decisions.passes.workspace import DecisionWorkspace
from core.decisions.priors import prior_weights
from core.decisions.problem import Consequences, DecisionProblem, ModelScores
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.intervals import NORMAL_95
from payoff.types import FloatArray


def profit_chart(
    problem: DecisionProblem, model: ModelScores, *, bins: int = 20
) -> dict[str, FloatArray]:
    """Totals by depth when every case gets its own decision, in the user's sense.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    model : ModelScores
    bins : int
        Bins of equal (prior-weighted) depth; tied cases are shared between bins in proportion.

    Returns
    -------
    dict of arrays (bins,)
        depth (share of cases, upper end), cases, total, average, cumulative_total,
        cumulative_average, expected_total, expected_average, expected_cumulative_total,
        expected_cumulative_average, roi (of the bin), cumulative_roi. For a loss matrix totals are
        losses, the smallest expected loss first.

    Raises
    ------
    PayoffError
        If there is no outcome, no row that counts, or no bin.
    """
    if bins < 1:
        raise PayoffError(
            f"{counted(bins, 'bin is', 'bins are')} not possible.", remedy="Ask for 1 or more."
        )
    space = DecisionWorkspace()
    used = space.counted_rows(problem, (model,))
    weights = prior_weights(problem.priors, used.class_cases)
    rows = model.posteriors.shape[1]
    code, advantage, expected = np.empty(rows, dtype=np.uint16), np.empty(rows), np.empty(rows)
    folds = np.zeros(rows, dtype=np.uint8)
    rate_cases(problem, model, used.marks, folds, code, advantage, expected)
    if used.marks.shape[0]:
        expected[used.marks != 0] = np.nan
    nothing = np.zeros(weights.shape[0])
    rated = rated_cases(problem, code, expected, is_firm=True)
    weighting = Weighting(
        class_weight=weights,
        class_cases=used.class_cases,
        is_within_class=problem.priors is not None,
        base_value=nothing,
        base_square=nothing,
        base_expected=nothing,
    )
    ordering = order_by(expected, used.rows)
    curve = depth_curve(ordering, rated, weighting)
    points = curve.points(np.arange(1, bins + 1) / bins)
    sums = {what: points.linear(what) @ weights for what in (CASES, OWN, EXPECTED, COST)}
    if problem.is_by_case:  # amounts stand where costs do: costs are added up along the same order
        spent = replace(rated, consequences=_costs_alone(problem, rows))
        sums[COST] = (
            -depth_curve(ordering, spent, weighting).points(points.depth).linear(OWN).sum(axis=1)
        )
    return _columns(problem, points.depth, sums)


def _costs_alone(problem: DecisionProblem, rows: int) -> Consequences:
    """Consequences that hold nothing but what decisions cost."""
    costs = np.repeat(problem.constant_costs[:, np.newaxis], rows, axis=1)
    for decision, column in problem.cost_columns.items():
        costs[decision] = column
    cost_row = np.append(np.arange(costs.shape[0]), -1)
    rate = np.repeat([np.where(cost_row >= 0, 1.0, 0.0)], len(problem.levels), axis=0)
    return problem.consequences._replace(
        gain=np.zeros_like(rate),
        cost_row=cost_row,
        rate=rate,
        costs=costs,
    )


def _columns(
    problem: DecisionProblem, depth: FloatArray, sums: dict[int, FloatArray]
) -> dict[str, FloatArray]:
    cumulative_cases = sums[CASES]
    cases = np.diff(cumulative_cases, prepend=0.0)
    columns = {"depth": depth, "cases": cases}
    for prefix, what in (("", OWN), ("expected_", EXPECTED)):
        cumulative = problem.sense * sums[what]
        total = np.diff(cumulative, prepend=0.0)
        columns[f"{prefix}total"] = total
        columns[f"{prefix}average"] = _ratio(total, cases)
        columns[f"{prefix}cumulative_total"] = cumulative
        columns[f"{prefix}cumulative_average"] = _ratio(cumulative, cumulative_cases)
    spent = np.diff(sums[COST], prepend=0.0)
    earned = np.diff(sums[OWN], prepend=0.0)
    columns["roi"] = _returns(problem, earned, spent)
    columns["cumulative_roi"] = _returns(problem, sums[OWN], sums[COST])
    return columns


def _ratio(total: FloatArray, cases: FloatArray) -> FloatArray:
    return np.divide(total, cases, out=np.full_like(total, np.nan), where=cases > 0)


def _returns(problem: DecisionProblem, earned: FloatArray, spent: FloatArray) -> FloatArray:
    if not problem.has_costs:
        return np.full_like(earned, np.nan)
    return np.array([aggregate_roi(a, b) for a, b in zip(earned, spent, strict=True)])


SMALLEST = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class RoiCurve:
    """Return by depth; arrays of one length.

    ``value`` = what acting on the best brings beyond their best other decision, over what it
    costs; ``low`` and ``high``: 95 % limits of that ratio.
    """

    depth: FloatArray
    value: FloatArray
    low: FloatArray
    high: FloatArray


def roi_by_depth(values: CaseValues, uses: Uses, depth: FloatArray) -> RoiCurve | None:
    """Return on the money spent by depth, best advantage first; None where nothing is spent.

    Parameters
    ----------
    values : CaseValues
    uses : Uses
        What a decision costs.
    depth : (M,) float64
        Rising shares of the cases; points below 0.5 % are left out, where few cases say nothing.
    """
    rest, acting = values.rest_decision(), values.acting
    cases = np.arange(len(rest))
    advantage = values.expected[acting] - values.expected[rest, cases]
    gained = values.realised(acting) - values.realised(rest)
    money = np.broadcast_to(uses.money, (uses.money.shape[0], len(rest)))
    spent = money[acting] - money[rest, cases]
    if not (spent > 0).any():
        return None
    weight = values.weight
    order = np.argsort(-advantage, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(advantage[order])), len(order) - 1)
    at = depth[depth >= SMALLEST]

    def along(of_case: FloatArray) -> FloatArray:
        running = np.append(0.0, np.cumsum((weight * of_case)[order])[ends])
        share = np.append(0.0, np.cumsum(weight[order])[ends])
        return np.asarray(np.interp(at, share / share[-1], running))

    cost = along(spent)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = along(gained) / cost
        squares = [along(weight * part) for part in (gained**2, gained * spent, spent**2)]
        away = squares[0] - 2.0 * ratio * squares[1] + ratio**2 * squares[2]
        half = NORMAL_95 * np.sqrt(np.maximum(away, 0.0)) / cost
    return RoiCurve(at, ratio, ratio - half, ratio + half)
