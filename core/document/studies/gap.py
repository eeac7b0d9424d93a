"""Expected against realised profit, what was left on the table, and the worth of better ranking."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, RowsNote
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class GapStretch:
    """Some of the cases, by depth: what the chances promise of acting on them, and what came."""

    first_depth: float
    last_depth: float
    expected: float
    gap: Estimate  # realised less expected


@dataclass(frozen=True, slots=True, kw_only=True)
class AucWorth:
    """What one more point of AUC (0.01) would earn; NaN with ``method`` saying why.

    ``model_profit`` is the best profit of the distributions assumed at this AUC; how far the real
    best profit is from it says how far to trust the figure.
    """

    auc: float
    per_point: float
    model_profit: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapResult:
    """What the tab Gap shows of one model. Amounts are profits; arrays lie on ``depth``.

    ``low`` and ``high``: where the realised profit should lie in 95 of 100 if the chances are
    right.
    """

    rows: RowsNote
    model: str
    depth: FloatArray
    expected: FloatArray
    realised: FloatArray
    low: FloatArray
    high: FloatArray
    rule_depth: float
    rule_expected: float
    rule_realised: float
    rule_gap: Estimate  # realised less expected at the rule
    stretches: tuple[GapStretch, ...]
    verdict: tuple[str, ...]  # sentences, the main one first
    is_kept: bool  # the gap's interval holds 0
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    left: FloatArray  # (levels, decisions) best possible less realised, by the rule
    left_cases: FloatArray  # (levels, decisions) cases that lost something
    left_total: float
    best_total: float
    best_profit: float  # at the best depth of the chart
    auc: AucWorth
    holds_fixed: str
