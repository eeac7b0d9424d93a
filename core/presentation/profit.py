"""Profit by depth: the large chart of page Decide, and its small form on page Compare."""

from __future__ import annotations

import numpy as np

from core.document.decisions.amount_words import AmountWords
from core.document.model import ChartMode
from core.document.results import DecisionResult, ModelProfit
from core.document.wording import format_money
from core.presentation.chart import (
    AxisSpec,
    BaselineSpec,
    Chart,
    Corner,
    SeriesSpec,
    with_provenance,
)
from core.presentation.labels import Labels, capitalised
from payoff.types import FloatArray


def money_chart(result: DecisionResult, labels: Labels, *, is_small: bool = False) -> Chart | None:
    """Return what the best n % of the cases bring, for every model, with bands.

    Amounts of a loss matrix are shown as losses: turned round, lower is better.

    Parameters
    ----------
    result : DecisionResult
    labels : Labels
    is_small : bool, optional
        One of several: shorter words, and less said in it.

    Returns
    -------
    Chart or None
        None where no model was decided by.
    """
    if not result.models:
        return None
    sign = -1.0 if labels.is_loss else 1.0
    series = tuple(_series(entry, labels, sign) for entry in result.models)
    baselines = _baselines(result, labels, sign, is_small=is_small)
    low, high = _extent(series, baselines)
    amount = "total loss" if labels.is_loss else "total profit"
    chart = Chart(
        kind="profit",
        title=_title(labels),
        subtitle="" if is_small else f"{result.rows.text}, bands 95 %",
        x_axis=_depth_axis(labels, is_small),
        y_axis=AxisSpec(
            label=amount if is_small else capitalised(amount),
            quantity="money",
            low=low,
            high=high,
            currency=labels.currency,
        ),
        series=series,
        baselines=baselines,
        definition=_definition(labels),
        variant=result.holds_fixed,
        rows_text=result.rows.text,
        headroom=22 if is_small else 56,
        box_corner=_box_corner(series, low, high),
    )
    return with_provenance(chart, labels.provenance)


def _title(labels: Labels) -> str:
    amount = "Loss" if labels.is_loss else "Profit"
    if labels.mode is ChartMode.FIRM:
        return f"{amount} if each of the best n % gets its own decision"
    return f"{amount} if the best n % are {labels.done}"


def _depth_axis(labels: Labels, is_small: bool) -> AxisSpec:
    if is_small:
        first, label = "best", f"{labels.cases} {labels.done}"
    else:
        first = "best cases"
        label = f"share of {labels.cases} {labels.done}, highest advantage first"
    return AxisSpec(
        label=label,
        quantity="percent",
        low=0.0,
        high=1.0,
        first_word=first,
        last_word="all",
    )


def _definition(labels: Labels) -> str:
    if labels.mode is ChartMode.FIRM:
        return (
            "Every case gets the decision with the highest expected consequence. Cases are "
            "added up from the best to the worst; the last point is the total."
        )
    return (
        "Cases are sorted by the expected advantage of acting, best first. The best n % "
        "are acted on, all others get their best other decision; the line adds up what "
        f"that really {AmountWords(labels.is_loss).brought}."
    )


def _series(entry: ModelProfit, labels: Labels, sign: float) -> SeriesSpec:
    low, high = (entry.low, entry.high) if sign > 0 else (-entry.high, -entry.low)
    return SeriesSpec(
        name=entry.model,
        series=labels.series_of(entry.model),
        x=entry.depth,
        y=sign * entry.profit,
        low=low,
        high=high,
        is_chosen=entry.model == labels.chosen,
    )


def _baselines(
    result: DecisionResult, labels: Labels, sign: float, *, is_small: bool
) -> tuple[BaselineSpec, ...]:
    """Doing nothing, acting at random, and what acting on all brings."""
    nothing = sign * result.do_nothing
    grid = np.linspace(0.0, 1.0, len(result.random_profit))
    rest = result.rest.lower() or "do nothing"
    if len(result.decisions) > 2 and result.rest_for_all:
        rest = f"“{result.rest_for_all}” for all"
    lines = [
        BaselineSpec(
            name=rest,
            x=np.array([0.0, 1.0]),
            y=np.array([nothing, nothing]),
            is_dashed=False,
            label_at=1.0,
            side="above",
        )
    ]
    random = sign * result.random_profit
    if len(random) and labels.mode is ChartMode.ACT_ON_BEST:
        falls = random[-1] < random[0]
        lines.append(
            BaselineSpec(
                name="random" if is_small else "at random",
                x=grid,
                y=random,
                label_at=0.36 if is_small else 0.54,
                side="below" if falls else "above",
            )
        )
        if not is_small:
            words = f"{result.acting.lower()} all: "
            end = words + format_money(sign * result.act_on_all, labels.currency)
            point = np.array([sign * result.act_on_all])
            lines.append(
                BaselineSpec(
                    name=end,
                    x=np.array([1.0]),
                    y=point,
                    side="below" if falls else "above",
                    needs_room=True,
                )
            )
    return tuple(lines)


def _box_corner(series: tuple[SeriesSpec, ...], low: float, high: float) -> Corner:
    """Where a small chart's read-out covers least: low where the curves end high."""
    ends = [float(np.interp(0.85, entry.x, entry.y)) for entry in series]
    return "bottom right" if ends and min(ends) > low + 0.6 * (high - low) else "top right"


def _extent(
    series: tuple[SeriesSpec, ...], baselines: tuple[BaselineSpec, ...]
) -> tuple[float, float]:
    """The lowest and highest amount that is drawn."""
    arrays: list[FloatArray] = [entry.y for entry in series]
    arrays += [line.y for line in baselines]
    arrays += [entry.low for entry in series if entry.low is not None]
    arrays += [entry.high for entry in series if entry.high is not None]
    finite = [part[np.isfinite(part)] for part in arrays]
    low = min((float(part.min()) for part in finite if len(part)), default=0.0)
    high = max((float(part.max()) for part in finite if len(part)), default=1.0)
    return (low, high) if high > low else (low - 1.0, high + 1.0)
