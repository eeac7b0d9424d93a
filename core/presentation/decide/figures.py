"""The figures of page Decide, worked out from what the engine answered; no widget is known here.

All amounts are profits, higher is better (a loss counts negative), until the words turn them round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.document.decisions.chosen_depth import DepthWorth, answers, worth_at
from core.document.decisions.commands import is_interval
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.model import ChartMode, Document
from core.document.results import (
    CursorReading,
    DecisionResult,
    Estimate,
    ModelProfit,
    PairedDifference,
    ResampleResult,
)
from payoff.intervals import NORMAL_95
from payoff.types import FloatArray

# How far sums of the same amounts in another order may differ, as a share of the amounts added.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthPoint:
    """One model when the best ``depth`` of the cases are acted on.

    ``is_exact`` tells the engine's exact values from those read off the grid of the chart.
    """

    model: str
    depth: float
    cases: float
    threshold: float
    profit: float
    low: float
    high: float
    class_cases: FloatArray  # (classes,) weighted cases within the depth
    is_exact: bool
    counts: FloatArray | None = None  # (classes, decisions), where the engine worked them out
    profits: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The chosen model's profit less that of something else, with its interval."""

    other: str
    value: float
    low: float
    high: float
    other_profit: float
    ahead: int = 0
    level: int = 0
    resamples: int = 0
    p_value: float = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTable:
    """Classes by decisions: how many cases, and what they bring.

    ``profits`` holds NaN where the amount of one class is not known: a cost that differs from case
    to case is added up by the engine per decision, not per class.
    """

    decisions: tuple[str, ...]
    counts: FloatArray  # (classes, decisions)
    profits: FloatArray  # (classes, decisions)
    total: float


class Compared(StrEnum):
    """What is held against what; the words of a check that fails."""

    TABLE_BY_RULE = "table by the rule and profit statistic"
    CHART_END = "last point of the chart and profit statistic"
    CHART_AT_CURSOR = "chart and total at the cursor"
    TABLE_AT_CURSOR = "table and total at the cursor"


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountCheck:
    """One comparison of the footer: two numbers that must be the same amount."""

    of: Compared
    first: float
    second: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether the two agree; undefined on both sides agrees."""
        if np.isnan(self.first) or np.isnan(self.second):
            return bool(np.isnan(self.first) and np.isnan(self.second))
        return abs(self.first - self.second) <= self.tolerance

    @property
    def is_test(self) -> bool:
        """Whether it could fail: both are known, and not any difference would do."""
        is_undefined = bool(np.isnan(self.first) and np.isnan(self.second))
        return not is_undefined and bool(np.isfinite(self.tolerance))


def profit_of(result: DecisionResult, model: str | None) -> ModelProfit | None:
    """The result of a model; the first one where the name is not known."""
    found = next((entry for entry in result.models if entry.model == model), None)
    return found or (result.models[0] if result.models else None)


def cursor_depth(document: Document, result: DecisionResult) -> float:
    """Where the cursor stands: where it was put, or at the rule of the chosen model."""
    if document.cursor_depth is not None:
        return document.cursor_depth
    chosen = profit_of(result, document.reference_model)
    return chosen.resting_depth if chosen else 0.0


def at_depth(model: ModelProfit, depth: float, reading: CursorReading | None = None) -> DepthPoint:
    """A model at a depth: exact where the engine has answered for it, else read off the grid."""
    if reading is not None and answers(reading, model.model, depth):
        index = reading.models.index(model.model)
        return DepthPoint(
            model=model.model,
            depth=depth,
            cases=float(reading.cases[index]),
            threshold=float(reading.threshold[index]),
            profit=float(reading.profit[index]),
            low=float(reading.low[index]),
            high=float(reading.high[index]),
            class_cases=np.asarray(reading.class_cases[index], dtype=np.float64),
            is_exact=True,
            counts=None if reading.counts is None else reading.counts[index],
            profits=None if reading.profits is None else reading.profits[index],
        )

    def read(values: FloatArray) -> float:
        return float(np.interp(depth, model.depth, values))

    return DepthPoint(
        model=model.model,
        depth=depth,
        cases=read(model.cases),
        threshold=read(model.threshold),
        profit=read(model.profit),
        low=read(model.low),
        high=read(model.high),
        class_cases=np.array([read(row) for row in model.class_cases]),
        is_exact=False,
    )


def worth_of(model: ModelProfit, point: DepthPoint) -> DepthWorth:
    """What a model brings at a depth; where these rows chose the depth, cross-fitted."""
    read = Estimate(value=point.profit, low=point.low, high=point.high)
    return worth_at(model, point.depth, read)


def against_resting(
    document: Document, result: DecisionResult, point: DepthPoint, worth: DepthWorth | None = None
) -> Against:
    """Against one other decision for all.

    Where nobody is acted on, that is the same with two decisions only: of more, each case has its
    own best other one.
    """
    is_same = point.cases <= 0 and len(result.decisions) <= 2
    rest = result.rest_for_all or _rest_name(result)
    return _against(document, result, point, worth, (rest, result.do_nothing), is_same=is_same)


def against_all(
    document: Document, result: DecisionResult, point: DepthPoint, worth: DepthWorth | None = None
) -> Against:
    """Against giving everybody the acting decision."""
    other, is_same = (result.acting, result.act_on_all), point.depth >= 1.0
    return _against(document, result, point, worth, other, is_same=is_same)


def _against(
    document: Document,
    result: DecisionResult,
    point: DepthPoint,
    worth: DepthWorth | None,
    other: tuple[str, float],
    *,
    is_same: bool,
) -> Against:
    """Less one decision for all, on the same cases; ``is_same``: nothing can differ.

    Its total is fixed where class shares are, or where it brings every case nothing; then the
    interval is that of the figure. Else it moves with the cases, and the interval is of what each
    case brings more; where that is not known from the cells there is none.
    """
    name, total = other
    if is_same:
        return Against(other=name, value=0.0, low=0.0, high=0.0, other_profit=total)
    read = Estimate(value=point.profit, low=point.low, high=point.high)
    gap = (worth or DepthWorth(estimate=read)).less(total)
    low, high, column = gap.low, gap.high, _column(document, result, name)
    is_nothing = total == 0.0 if column is None else not column.any()
    is_fixed = document.priors is not None and document.prior_range is None
    if not is_nothing and (column is None or not is_fixed):
        reach = _reach(document, result, point, name)
        low, high = gap.value - reach, gap.value + reach
    return Against(other=name, value=gap.value, low=low, high=high, other_profit=total)


def _column(document: Document, result: DecisionResult, name: str) -> FloatArray | None:
    """What one decision brings for each class; None where cases of a class differ."""
    earned = consequences(document, result)
    if earned is None or name in result.decisions:
        return None if earned is None else earned[:, result.decisions.index(name)]
    return np.zeros(len(earned)) if len(result.decisions) == 1 else None


def _reach(document: Document, result: DecisionResult, point: DepthPoint, name: str) -> float:
    """Half the 95 % interval of a difference from one decision for all, of cases as they came.

    NaN where it does not follow from counts and cells: with cost columns, amounts per case, firm
    decisions, a range of priors, or three decisions and more until the engine has read the depth.
    """
    table = table_at(document, result, point)
    other = _column(document, result, name)
    columns = [_column(document, result, each) for each in table.decisions]
    known = [column for column in columns if column is not None]
    size = float(np.sum(table.counts))
    is_whole = abs(table.total - point.profit) <= ROUNDING * max(1.0, abs(point.profit), size)
    if other is None or len(known) < len(columns) or document.priors is not None or not is_whole:
        return float("nan")
    gap = np.stack(known, axis=1) - other[:, np.newaxis]
    total, square = float(np.sum(table.counts * gap)), float(np.sum(table.counts * gap**2))
    return NORMAL_95 * math.sqrt(max(square - total**2 / size, 0.0))


def paired_at(
    point: DepthPoint,
    other: DepthPoint,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
    *,
    is_drawn_here: bool = False,
) -> PairedDifference | None:
    """The paired difference of two models at one depth, the same on every page.

    Resampled where the draws were made at this very depth (known, or their difference is the one
    shown), else the engine's exact one; None while neither is there.
    """
    value = point.profit - other.profit
    drawn = _pair(resamples.at_depth, point.model, other.model) if resamples else None
    if drawn is not None and (is_drawn_here or _is_same(drawn.estimate.value, value, point.profit)):
        return drawn
    if reading is not None and answers(reading, point.model, point.depth):
        return _pair(reading.differences, point.model, other.model)
    return None


def against_model(
    point: DepthPoint,
    other: DepthPoint,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
) -> Against:
    """Against another model at the same depth, with the paired interval where there is one."""
    value = point.profit - other.profit
    low = high = p_value = float("nan")
    ahead = level = count = 0
    found = paired_at(point, other, reading, resamples)
    if found is not None:
        low, high, p_value = found.estimate.low, found.estimate.high, found.p_value
        ahead, level, count = found.ahead, found.level, found.resamples
    return Against(
        other=other.model,
        value=value,
        low=low,
        high=high,
        other_profit=other.profit,
        ahead=ahead,
        level=level,
        resamples=count,
        p_value=p_value,
    )


def decide_alike(value: float, low: float, high: float, profit: float) -> bool:
    """Do two models decide alike at a depth, so that no resample can tell them apart?"""
    scale = ROUNDING * max(1.0, abs(profit))
    return all(abs(end) <= scale for end in (value, low, high))


def _is_same(first: float, second: float, scale: float) -> bool:
    return abs(first - second) <= 1e-6 * max(1.0, abs(scale))


def _pair(
    differences: tuple[PairedDifference, ...], first: str, second: str
) -> PairedDifference | None:
    return next(
        (entry for entry in differences if (entry.first, entry.second) == (first, second)), None
    )


def best_rival(points: list[DepthPoint], chosen: str) -> DepthPoint | None:
    """The best of the other models at the same depth."""
    others = [entry for entry in points if entry.model != chosen and not np.isnan(entry.profit)]
    return max(others, key=lambda entry: entry.profit, default=None)


def consequences(document: Document, result: DecisionResult) -> FloatArray | None:
    """What a decision brings for a class, constant costs taken off.

    None with a cost column, amounts per case, and for a number.
    """
    costs: tuple[CostSpec, ...] = document.matrix.costs if document.matrix else ()
    if is_interval(document) or result.shares is not None:  # amounts differ within a class
        return None
    if any(cost.column for cost in costs):
        return None
    sign = -1.0 if result.kind == MatrixKind.LOSS.value else 1.0
    amounts = np.array([cost.amount for cost in costs] or [0.0] * len(result.decisions))
    return np.asarray(sign * result.cells - amounts, dtype=np.float64)


def table_by_rule(result: DecisionResult, model: ModelProfit) -> DecisionTable:
    """The decision table when every case gets its own decision."""
    return DecisionTable(
        decisions=result.decisions,
        counts=np.asarray(model.counts, dtype=np.float64),
        profits=np.asarray(model.profits, dtype=np.float64),
        total=float(np.sum(model.profits)),
    )


def table_at(document: Document, result: DecisionResult, point: DepthPoint) -> DecisionTable:
    """The decision table when the best ``depth`` are acted on.

    With two decisions the cases beyond the depth get the other one. With more they get whichever
    suits each of them best: the engine's own table is shown where it came along, else one column
    stands for all of those.
    """
    if point.counts is not None and point.profits is not None:
        return DecisionTable(
            decisions=result.decisions,
            counts=point.counts,
            profits=point.profits,
            total=float(np.sum(point.profits)),
        )
    acted = point.class_cases
    rest = np.maximum(result.class_weight - acted, 0.0)
    name = _rest_name(result)
    counts = np.stack([acted, rest], axis=1)
    earned = consequences(document, result)
    if earned is None:
        profits = np.full_like(counts, np.nan)
        return DecisionTable(
            decisions=(result.acting, name), counts=counts, profits=profits, total=point.profit
        )
    by_acting = acted * earned[:, result.decisions.index(result.acting)]
    by_rest = np.full(len(rest), np.nan)
    if len(result.decisions) <= 2:
        by_rest = rest * _rest_column(result, earned)
        total = float(np.sum(by_acting) + np.sum(by_rest))
    else:
        total = point.profit
    return DecisionTable(
        decisions=(result.acting, name),
        counts=counts,
        profits=np.stack([by_acting, by_rest], axis=1),
        total=total,
    )


def _rest_name(result: DecisionResult) -> str:
    others = [name for name in result.decisions if name != result.acting]
    if len(others) > 1:
        return "Best other"
    return others[0] if others else result.rest or "Do nothing"


def _rest_column(result: DecisionResult, earned: FloatArray) -> FloatArray:
    others = [i for i, name in enumerate(result.decisions) if name != result.acting]
    return earned[:, others[0]] if others else np.zeros(len(earned))


def chart_tolerance(
    document: Document, result: DecisionResult, model: ModelProfit, depth: float
) -> float:
    """How far a line through the chart's grid may lie from the exact total between two points.

    Between two points of the grid a case changes the total by at most the spread of the amounts.
    """
    spot = int(np.searchsorted(model.depth, depth))
    if spot < len(model.depth) and abs(model.depth[spot] - depth) < 1e-12:
        return 0.0
    low, high = max(spot - 1, 0), min(spot, len(model.depth) - 1)
    weight = float(np.sum(result.class_weight)) * float(model.depth[high] - model.depth[low])
    earned = consequences(document, result)
    if earned is None:
        return float("inf")
    return weight * max(float(np.ptp(earned)), float(np.max(np.abs(earned))))


def footer_checks(
    document: Document, result: DecisionResult, model: ModelProfit, point: DepthPoint
) -> tuple[AmountCheck, ...]:
    """Table, chart and profit statistic against each other, each worked out on its own way.

    The table comes from counts and cells, the chart from the curve, the statistic from the engine's
    sums over the cases.
    """
    scale = float(
        np.sum(np.abs(result.class_weight)) * max(1.0, float(np.max(np.abs(result.cells))))
    )
    slack = max(scale * ROUNDING, 1e-6)
    checks = [
        AmountCheck(
            of=Compared.TABLE_BY_RULE,
            first=float(np.sum(model.profits)),
            second=model.total.value,
            tolerance=slack,
        )
    ]
    if document.chart_mode is ChartMode.FIRM:
        checks.append(
            AmountCheck(
                of=Compared.CHART_END,
                first=model.chart_end,
                second=model.total.value,
                tolerance=slack,
            )
        )
        return tuple(check for check in checks if check.is_test)
    drawn = float(np.interp(point.depth, model.depth, model.profit))
    step = chart_tolerance(document, result, model, point.depth)
    table = table_at(document, result, point)
    checks.append(
        AmountCheck(
            of=Compared.CHART_AT_CURSOR,
            first=drawn,
            second=point.profit,
            tolerance=slack + step,
        )
    )
    # a table without all amounts was given the total: that would be held against itself
    has_own_total = point.profits is not None or not bool(np.isnan(table.profits).any())
    if has_own_total:
        checks.append(
            AmountCheck(
                of=Compared.TABLE_AT_CURSOR,
                first=table.total,
                second=point.profit,
                tolerance=slack if point.is_exact else slack + step,
            )
        )
    return tuple(check for check in checks if check.is_test)


def missed_by_class(
    document: Document, result: DecisionResult, table: DecisionTable
) -> FloatArray | None:
    """What perfect foresight would have added, class by class; None where it is not known."""
    earned = consequences(document, result)
    if earned is None or np.isnan(table.profits).any() or np.isnan(result.perfect_total):
        return None
    best = np.max(earned, axis=1)
    if len(result.decisions) == 1:
        best = np.maximum(best, 0.0)
    return np.asarray(result.class_weight * best - table.profits.sum(axis=1), dtype=np.float64)
