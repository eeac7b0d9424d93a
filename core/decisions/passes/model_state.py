"""One model under one matrix: which way its depths are worked out, and from what.

What a score without chances can say of money: profit by depth, and nothing that needs a chance.

Its "posteriors" only stand in the right order. Where acting pays more the likelier the event (two
classes, at most one other decision, no cost by case) that order is the order of decisions too, so
the realised profit of the best n % is known. The rule, expected amounts and totals are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.decisions.depths.chance_curve import ProbabilityCurve, rule_position
from core.decisions.depths.depth import (
    Weighting,
    depth_curve,
    order_by,
)
from core.decisions.passes.case_codes import rate_cases, rated_cases
from core.decisions.passes.cases import NO_FLOATS
from core.decisions.passes.tables import code_parts, investment_sums, tables_of
from core.decisions.passes.workspace import CountedRows, DecisionWorkspace, ModelState
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.uncertainty.intervals import range_weights
from core.document.model import ChartMode
from core.document.results import Advice, DecisionResult, Estimate, ModelProfit, PairedDifference
from core.document.wording import name_in_text
from payoff.types import FloatArray


def model_state(
    space: DecisionWorkspace,
    problem: DecisionProblem,
    model: ModelScores,
    counted: CountedRows,
    weights: FloatArray,
    chart_mode: ChartMode,
    seed: int,
) -> ModelState:
    """One model under a problem's matrix: its depths, its tables, its mean chances."""
    slope = slope_of(problem) if model.leaf is None else None
    is_firm = chart_mode == ChartMode.FIRM
    if slope and space.is_complement(model):
        sign = math.copysign(1.0, slope)
        return _state_by_probability(space, problem, model, counted, weights, is_firm, seed, sign)
    return _state_by_advantage(space, problem, model, counted, weights, is_firm, seed)


def slope_of(problem: DecisionProblem) -> float | None:
    """Slope of the advantage of acting in the event's chance, or None where it is no line.

    It is one with two classes, at most one other decision and no cost by case. Cases are then in
    the order of the posterior, corrected or not, and nothing but class sums is needed.
    """
    given = problem.consequences
    if len(problem.levels) != 2 or len(problem.decisions) > 2 or given.has_cost_columns:
        return None
    edge = given.gain[:, problem.acting_index] - given.gain[:, _rest_column(problem)]
    return float(edge[0] - edge[1])


def _rest_column(problem: DecisionProblem) -> int:
    """The other of two decisions; the implicit do-nothing where there is one decision."""
    return 1 - problem.acting_index if len(problem.decisions) == 2 else 1


def _state_by_probability(
    space: DecisionWorkspace,
    problem: DecisionProblem,
    model: ModelScores,
    counted: CountedRows,
    weights: FloatArray,
    is_firm: bool,
    seed: int,
    sign: float,
) -> ModelState:
    given, acting, rest = problem.consequences, problem.acting_index, _rest_column(problem)
    ordering = space.probability_order(model, counted, sign)
    prefix = space.probability_sums(problem, model, ordering, seed)
    rule = rule_position(prefix, given.gain, acting, len(problem.decisions), given.tolerance)
    gain = given.gain[:, [acting, rest]]
    weighting = _weighting(problem, counted, weights)
    curve = ProbabilityCurve(
        prefix=prefix,
        weighting=weighting,
        grid=space.grid_places(model, prefix, weighting.location_weight),
        gain=gain,
        cost=np.append(given.constant_cost, 0.0)[[acting, rest]],
        rule=rule,
        rule_sums=prefix.sums(np.array([rule]))[0],
        is_firm=is_firm,
        decisions=len(problem.decisions),
    )
    tables, (own, rest_expected) = curve.tables(), curve.expected_by_class()
    if not is_firm:
        weighting = replace(
            weighting,
            base_value=tables.rest.sum(axis=1),
            base_square=tables.rest_square.sum(axis=1),
            base_expected=rest_expected,
        )
    columns = (0,) if len(problem.decisions) == 1 else (0, 1) if acting == 0 else (1, 0)
    return ModelState(
        scores=model,
        curve=replace(curve, weighting=weighting),
        tables=tables.columns(columns),
        own_expected=own,
        probabilities=space.probabilities(problem, model, counted),
    )


def _state_by_advantage(
    space: DecisionWorkspace,
    problem: DecisionProblem,
    model: ModelScores,
    counted: CountedRows,
    weights: FloatArray,
    is_firm: bool,
    seed: int,
) -> ModelState:
    given = problem.consequences
    rows = model.posteriors.shape[1]
    code = space.buffer(model.name, "code", rows, np.uint16)
    advantage = space.buffer(model.name, "advantage", rows, np.float64)
    expected = space.buffer(model.name, "expected", rows, np.float64) if is_firm else NO_FLOATS
    folds = space.folds(rows, seed)
    sums = rate_cases(problem, model, counted.marks, folds, code, advantage, expected)
    parts = code_parts(len(problem.levels), len(problem.decisions))
    frequency = NO_FLOATS if problem.frequency is None else problem.frequency
    tables = tables_of(code, frequency, parts, given, space.best_sums(problem, counted, code))
    if problem.is_by_case:  # its amounts stand where costs do, so costs are added up apart
        tables = replace(tables, cost=investment_sums(problem, code))
    weighting = _weighting(problem, counted, weights)
    if not is_firm:
        weighting = replace(
            weighting,
            base_value=tables.rest.sum(axis=1),
            base_square=tables.rest_square.sum(axis=1),
            base_expected=sums[:, 1],
        )
    cases = rated_cases(problem, code, expected if is_firm else advantage, is_firm=is_firm)
    return ModelState(
        scores=model,
        curve=depth_curve(order_by(advantage, counted.rows), cases, weighting),
        tables=tables,
        own_expected=sums[:, 0],
        probabilities=space.probabilities(problem, model, counted),
    )


def _weighting(problem: DecisionProblem, counted: CountedRows, weights: FloatArray) -> Weighting:
    """Weights of classes; at depth 0 nothing is counted, until the rest decision is put in."""
    nothing = np.zeros(weights.shape[0])
    return Weighting(
        class_weight=weights,
        class_cases=counted.class_cases,
        is_within_class=problem.priors is not None,
        base_value=nothing,
        base_square=nothing,
        base_expected=nothing,
        ends=range_weights(problem, counted.class_cases),
    )


NEEDS_PROBABILITIES = (
    "'{model}' is a score without chances: it ranks cases, but no chance, no rule and no expected "
    "profit follow from it. Turn the score into chances for those."
)
_NAN = float("nan")


def order_suffices(problem: DecisionProblem) -> bool:
    """Whether cases are decided in the order of the event's chance, whatever the chances are."""
    return bool(slope_of(problem))


def reason_why_not(model: str) -> str:
    """Why a figure of a score without chances is missing."""
    return NEEDS_PROBABILITIES.format(model=model)


def rank_only_names(models: Iterable[ModelScores]) -> frozenset[str]:
    """Names of the models that only rank."""
    return frozenset(model.name for model in models if not model.has_probabilities)


def with_ranks_only(
    result: DecisionResult, rankers: frozenset[str], reference: str, mode: ChartMode
) -> DecisionResult:
    """A result without what some models cannot say; the rule is left unsaid for the reference."""
    if not rankers:
        return result
    changed = replace(
        result,
        models=tuple(
            _ranks_only(entry, mode) if entry.model in rankers else entry for entry in result.models
        ),
        differences=comparable(result.differences, rankers),
        advice=(*_described(rankers), *result.advice),
    )
    if reference not in rankers:
        return changed
    return replace(
        changed,
        rule_text=f"{name_in_text(reference)} ranks cases; it says no chance, so there is no rule "
        "yet.",
        rule_reason="Act on the best so many, read off the chart, or turn the score into chances.",
        rule_threshold=None,
        threshold_kind="score",
    )


def comparable(
    differences: tuple[PairedDifference, ...], rankers: frozenset[str]
) -> tuple[PairedDifference, ...]:
    """Differences of totals by the rule, without those of models that have no rule."""
    return tuple(entry for entry in differences if not {entry.first, entry.second} & rankers)


def _described(rankers: frozenset[str]) -> tuple[Advice, ...]:
    return tuple(
        Advice(
            state="warning",
            text=f"{name_in_text(name)} is a score without chances: it ranks cases, and has no "
            "rule.",
            detail=reason_why_not(name),
            link="chances",
        )
        for name in sorted(rankers)
    )


def _ranks_only(profit: ModelProfit, mode: ChartMode) -> ModelProfit:
    gap = Estimate(value=_NAN, low=_NAN, high=_NAN, note=reason_why_not(profit.model))
    nothing = np.full_like(profit.profit, _NAN)
    masked = replace(
        profit,
        expected=nothing,
        total=gap,
        average=gap,
        expected_total=_NAN,
        roi=_NAN,
        rule_depth=_NAN,
        rule_cases=_NAN,
        chart_end=_NAN,
        counts=np.full_like(profit.counts, _NAN),
        profits=np.full_like(profit.profits, _NAN),
        mean_probability_before=np.full_like(profit.mean_probability_before, _NAN),
        mean_probability_after=np.full_like(profit.mean_probability_after, _NAN),
        warnings=(),
        has_probabilities=False,
    )
    if mode is not ChartMode.FIRM:
        return masked
    # Firm decisions are each case's own, and those need chances.
    return replace(
        masked,
        profit=nothing,
        low=nothing,
        high=nothing,
        best_depth=_NAN,
        best_profit=_NAN,
        best_profit_crossfitted=gap,
    )
