"""Profit by depth, and what the cursor reads there: totals and labels in.

The large chart of page Decide, the small one of page Compare, and that of the report. Amounts of a
loss matrix are shown as losses: turned round, lower is better.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.decisions.words import AmountWords
from core.document.model import ChartMode
from core.document.results import CursorReading, DecisionResult, ModelProfit
from core.document.wording import (
    estimate_decimals,
    format_money,
    format_money_interval,
    format_number,
)
from core.presentation.charts.chart import (
    AxisSpec,
    BaselineSpec,
    Chart,
    Corner,
    SeriesSpec,
    with_provenance,
)
from core.presentation.charts.depths import (
    CursorState,
    ReadingLine,
    Ring,
    depth_head,
    is_rising,
    score_words,
    threshold_words,
    value_at,
)
from core.presentation.labels import Labels, capitalised
from payoff.types import FloatArray

GHOST_DASH = (1.0, 1.5)  # of a line that is no longer so


def money_chart(
    answer: DecisionResult,
    labels: Labels,
    *,
    is_small: bool = False,
    former: DecisionResult | None = None,
) -> Chart | None:
    """Return total profit if the best n % are acted on, for every model, with bands.

    Parameters
    ----------
    answer : DecisionResult
    labels : Labels
    is_small : bool
        Whether it is one of several charts, with shorter words.
    former : DecisionResult, optional
        Totals before numbers were changed: the chosen model's line stays as a ghost.

    Returns
    -------
    Chart or None
        None without a model.
    """
    if not answer.models:
        return None
    series = (*_ghost(former, labels), *(_series(entry, labels) for entry in answer.models))
    baselines = _baselines(answer, labels, is_small=is_small)
    low, high = _extent(series, baselines)
    amount = f"total {labels.amount}"
    chart = Chart(
        kind="profit",
        title=_title(labels),
        subtitle="" if is_small else f"{answer.rows.text}, bands 95 %",
        x_axis=_depth_axis(labels, is_small=is_small),
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
        variant=answer.holds_fixed,
        rows_text=answer.rows.text,
        headroom=22 if is_small else 56,
        box_corner=_box_corner(series, low, high),
    )
    return with_provenance(chart, labels.provenance)


def _title(labels: Labels) -> str:
    amount = capitalised(labels.amount)
    if labels.mode is ChartMode.FIRM:
        return f"{amount} if each of the best n % gets its own decision"
    return f"{amount} if the best n % are {labels.done}"


def _depth_axis(labels: Labels, *, is_small: bool) -> AxisSpec:
    first, label = "best", f"{labels.cases} {labels.done}"
    if not is_small:
        first = "best cases"
        label = f"share of {labels.cases} {labels.done}, highest advantage first"
    return AxisSpec(
        label=label, quantity="percent", low=0.0, high=1.0, first_word=first, last_word="all"
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
        f"that really {AmountWords(labels.is_loss).realised}."
    )


def _series(entry: ModelProfit, labels: Labels) -> SeriesSpec:
    low, high = (-entry.high, -entry.low) if labels.is_loss else (entry.low, entry.high)
    return SeriesSpec(
        name=entry.model,
        series=labels.series_of(entry.model),
        x=entry.depth,
        y=_sign(labels) * entry.profit,
        low=low,
        high=high,
        is_chosen=entry.model == labels.chosen,
    )


def _ghost(former: DecisionResult | None, labels: Labels) -> tuple[SeriesSpec, ...]:
    """The chosen model's former line, in grey and without a band; below the others."""
    known = former.models if former is not None else ()
    chosen = next((entry for entry in known if entry.model == labels.chosen), None)
    if chosen is None:
        return ()
    x, y = _through_known(chosen, labels)
    line = SeriesSpec(
        name="before",
        series=labels.series_of(chosen.model),
        x=x,
        y=_sign(labels) * y,
        dash=GHOST_DASH,
        is_quiet=True,
    )
    return (line,)


def _through_known(model: ModelProfit, labels: Labels) -> tuple[FloatArray, FloatArray]:
    """Return depths and profits of a curve that runs through what is known between its points.

    Nobody reads a former total anew: at the rule and at the best depth it is what stood there.
    """
    known = [(model.best_depth, model.best_profit)]
    if model.has_probabilities and labels.mode is ChartMode.ACT_ON_BEST:
        known.append((model.rule_depth, model.total.value))
    x, y = model.depth, model.profit
    for depth, profit in known:
        if 0.0 <= depth <= 1.0 and math.isfinite(profit) and not (x == depth).any():
            place = int(np.searchsorted(x, depth))
            x, y = np.insert(x, place, depth), np.insert(y, place, profit)
    return x, y


def _sign(labels: Labels) -> float:
    return -1.0 if labels.is_loss else 1.0


def _baselines(
    answer: DecisionResult, labels: Labels, *, is_small: bool
) -> tuple[BaselineSpec, ...]:
    """Doing nothing, acting at random, and what acting on all brings."""
    rest = answer.rest.lower() or "do nothing"
    if len(answer.decisions) > 2 and answer.rest_for_all:
        rest = f"“{answer.rest_for_all}” for all"
    nothing = BaselineSpec(
        name=rest,
        x=np.array([0.0, 1.0]),
        y=np.full(2, _sign(labels) * answer.do_nothing),
        is_dashed=False,
        label_at=1.0,
        side="above",
    )
    if not len(answer.random_profit) or labels.mode is not ChartMode.ACT_ON_BEST:
        return (nothing,)
    return (nothing, *_random_lines(answer, labels, is_small=is_small))


def _random_lines(
    answer: DecisionResult, labels: Labels, *, is_small: bool
) -> tuple[BaselineSpec, ...]:
    """Acting at random, and in the large chart what acting on all brings at its end."""
    random = _sign(labels) * answer.random_profit
    falls = random[-1] < random[0]
    line = BaselineSpec(
        name="random" if is_small else "at random",
        x=np.linspace(0.0, 1.0, len(random)),
        y=random,
        label_at=0.36 if is_small else 0.54,
        side="below" if falls else "above",
    )
    if is_small:
        return (line,)
    on_all = _sign(labels) * answer.act_on_all
    end = BaselineSpec(
        name=f"{answer.acting.lower()} all: {format_money(on_all, labels.currency)}",
        x=np.array([1.0]),
        y=np.array([on_all]),
        side="below" if falls else "above",
        needs_margin=True,
    )
    return line, end


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


# ---------------------------------------------------------------- the cursor


def profit_cursor(
    answer: DecisionResult,
    labels: Labels,
    depth: float,
    *,
    reading: CursorReading | None = None,
    hidden: frozenset[str] = frozenset(),
    is_long: bool = False,
    former: DecisionResult | None = None,
) -> CursorState | None:
    """Return where the cursor stands in the chart of profits, and what it reads.

    Parameters
    ----------
    answer : DecisionResult
    labels : Labels
    depth : float
    reading : CursorReading, optional
        The engine's exact values; taken where they were read at this very depth.
    hidden : frozenset of str
        Models that the legend has switched off.
    is_long : bool
        Whether there is room for longer words: the large chart with its flag.
    former : DecisionResult, optional
        Totals before, whose line is a ghost.
    """
    if not answer.models:
        return None
    chosen = chosen_profit(answer, labels)
    profits = [_sign(labels) * _read(e, "profit", depth, reading) for e in answer.models]
    places = estimate_decimals(*profits)
    lines, rings = [], []
    for entry, shown in zip(answer.models, profits, strict=True):
        series = labels.series_of(entry.model)
        is_hidden = entry.model in hidden
        lines.append(
            ReadingLine(
                name=entry.model,
                value=_amount(shown, labels, places, is_long=is_long),
                series=series,
                is_chosen=entry.model == labels.chosen,
                is_hidden=is_hidden,
            )
        )
        if not is_hidden:
            rings.append(Ring(x=depth, y=shown, series=series, name=entry.model))
    for ghost in _ghost(former, labels):
        lines.append(
            ReadingLine(
                name="before",
                value=_amount(value_at(ghost.x, ghost.y, depth), labels, places, is_long=is_long),
                series=ghost.series,
                dash=ghost.dash,
                is_quiet=True,
                is_hidden=ghost.name in hidden,
            )
        )
    from_best = replace(labels, is_reversed=False, is_apart=False)
    cases = _read(chosen, "cases", depth, reading)
    return CursorState(
        x=depth,
        head=depth_head(from_best, depth, cases, is_long=is_long),
        note=_note(answer, labels, chosen, _read(chosen, "threshold", depth, reading))
        if is_long
        else "",
        lines=tuple(lines),
        rings=tuple(rings),
    )


def chosen_profit(answer: DecisionResult, labels: Labels) -> ModelProfit:
    """Return the chosen model's totals, or those of the first."""
    found = (entry for entry in answer.models if entry.model == labels.chosen)
    return next(found, answer.models[0])


def _read(entry: ModelProfit, name: str, depth: float, reading: CursorReading | None) -> float:
    """``profit``, ``cases`` or ``threshold`` at a depth: the engine's exact value if it was
    read at this very depth, else read off the curve."""
    is_exact = reading is not None and abs(reading.depth - depth) <= 1e-12
    if reading is not None and is_exact and entry.model in reading.models:
        return float(getattr(reading, name)[reading.models.index(entry.model)])
    return value_at(entry.depth, getattr(entry, name), depth)


def _note(answer: DecisionResult, labels: Labels, chosen: ModelProfit, threshold: float) -> str:
    """The chosen model's cut-off in words."""
    if not chosen.has_probabilities:
        return score_words(threshold, is_upper=is_rising(chosen.threshold))
    if answer.threshold_kind != "advantage":
        return threshold_words(threshold, is_upper=answer.threshold_side == "below")
    if not np.isfinite(threshold):
        return ""
    return f"advantage above {format_money(threshold, labels.currency)}"


def _amount(value: float, labels: Labels, places: int, *, is_long: bool) -> str:
    if is_long:
        return format_money(value, labels.currency, decimals=places)
    return format_number(value, places)


def profit_tip(answer: DecisionResult, labels: Labels, x: float) -> str:
    """Return profit and interval of every model at a depth."""
    sign = _sign(labels)
    rows = [f"best {100 * x:.1f} %"]
    profits = [sign * value_at(entry.depth, entry.profit, x) for entry in answer.models]
    places = estimate_decimals(*profits)
    for entry, profit in zip(answer.models, profits, strict=True):
        ends = sorted(sign * value_at(entry.depth, line, x) for line in (entry.low, entry.high))
        value = format_money(profit, labels.currency, decimals=places)
        rows.append(f"{entry.model}: {value} ({format_money_interval(*ends)})")
    return "\n".join(rows)


def best_cases_axis(labels: Labels) -> AxisSpec:
    """The axis of a share of the cases, those with the highest chance first."""
    return AxisSpec(
        label=f"share of {labels.cases} {labels.done}",
        quantity="percent",
        template="best {}",
        low=0.0,
        high=1.0,
    )
