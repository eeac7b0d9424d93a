"""What a score without chances can say of money: profit by depth, and nothing that needs a chance.

Its "posteriors" only stand in the right order. Where acting pays more the likelier the event (two
classes, at most one other decision, no cost by case) that order is the order of decisions too, so
the realised profit of the best n % is known. The rule, expected amounts and totals are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.decisions.model_state import slope_of
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.model import ChartMode
from core.document.results import Advice, DecisionResult, Estimate, ModelProfit, PairedDifference

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
    return frozenset(model.name for model in models if not model.has_chances)


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
        rule_text=f"{reference} ranks cases; it says no chance, so there is no rule yet.",
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
            text=f"{name} is a score without chances: it ranks cases, and has no rule.",
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
        mean_chance_before=np.full_like(profit.mean_chance_before, _NAN),
        mean_chance_after=np.full_like(profit.mean_chance_after, _NAN),
        warnings=(),
        has_chances=False,
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
