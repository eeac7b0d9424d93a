"""The metric table of page Compare: its columns, and its entry of the report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from core.document.compare.words import flattering_words, metric_interval, metric_value
from core.document.decisions.chosen_depth import SAME, estimate_at, worth_at
from core.document.decisions.words import AmountWords, void_reason
from core.document.model import ChartMode
from core.document.plugin_results import MetricInfo
from core.document.results import (
    NO_MODEL,
    CursorReading,
    DecisionResult,
    Estimate,
    EvaluationResult,
    ModelProfit,
    PairedDifference,
)
from core.document.wording import NBSP, format_count, format_number, format_share, money_decimals
from core.presentation.labels import Labels
from core.presentation.view import Table, View, common_scale

PROFIT_KEY = "profit at the cursor"
_NOTES = {"higher": "↑ higher", "lower": "↓ lower", "none": ""}
_ARROWS = {"higher": " ↑", "lower": " ↓"}
_LEGEND = (
    "95 % intervals below each value, for these finished models on new cases like these. "
    "Bold = best, ≈ = not distinguishable from the best."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricEntry:
    """One cell as it is shown."""

    text: str
    estimate: Estimate
    scale: tuple[float, float]
    series: int
    is_best: bool
    is_tied: bool
    words: str  # tooltip and screen reader
    mark: str = ""  # "flattering: stopped here (2,000 rows)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """One column: what it is, and its cells from the first model to the last."""

    info: MetricInfo
    note: str  # "↑ higher", "best 21.3 %"
    cells: tuple[MetricEntry, ...]
    no_model: MetricEntry | None = None  # the same prediction, or decision, for every case


def metric_columns(result: EvaluationResult, look: Labels) -> tuple[MetricColumn, ...]:
    """The columns of an evaluation."""
    by_key = {(cell.metric, cell.model): cell for cell in result.cells}
    alone = {cell.metric: cell.estimate for cell in result.no_model}
    columns = []
    for info in result.metrics:
        found = [by_key.get((info.metric, model.name)) for model in look.models]
        scale = common_scale(cell.estimate for cell in found if cell is not None)
        cells = []
        for model, cell in zip(look.models, found, strict=True):
            estimate = cell.estimate if cell is not None else _unknown()
            mark = flattering_words(model.name, result.seen)
            cells.append(
                MetricEntry(
                    text=metric_value(info, estimate.value),
                    estimate=estimate,
                    scale=scale,
                    series=model.series,
                    is_best=cell is not None and cell.is_best,
                    is_tied=cell is not None and cell.is_tied and not cell.is_best,
                    words=_words(info, model.name, estimate, mark),
                    mark=mark,
                )
            )
        columns.append(
            MetricColumn(
                info=info,
                note=_NOTES[info.direction],
                cells=tuple(cells),
                no_model=_no_model_entry(info, alone.get(info.metric), scale),
            )
        )
    return tuple(columns)


def _no_model_entry(
    info: MetricInfo, estimate: Estimate | None, scale: tuple[float, float]
) -> MetricEntry | None:
    """The value of a metric without a model; None where it has none."""
    if estimate is None:
        return None
    return MetricEntry(
        text=_text(info, estimate.value),
        estimate=estimate,
        scale=scale,
        series=-1,
        is_best=False,
        is_tied=False,
        words=_words(info, NO_MODEL, estimate),
    )


def profit_column(
    result: DecisionResult, look: Labels, depth: float, reading: CursorReading | None
) -> MetricColumn:
    """Profit (or loss) of every model at the cursor; exact where the engine has read it there."""
    sign = -1.0 if look.is_loss else 1.0
    exact = reading if reading is not None and abs(reading.depth - depth) < SAME else None
    by_name = {entry.model: entry for entry in result.models}
    estimates = [
        _profit_at(by_name.get(model.name), depth, exact, sign, result.holds_fixed)
        for model in look.models
    ]
    values = [estimate.value for estimate in estimates]
    known = [value for value in values if math.isfinite(value)]
    best = (min(known) if look.is_loss else max(known)) if known else math.nan
    leader = look.models[values.index(best)].name if known else ""
    info, common = _profit_info(look), common_scale(estimates)
    cells = tuple(
        MetricEntry(
            text=_text(info, estimate.value),
            estimate=estimate,
            scale=common,
            series=model.series,
            is_best=model.name == leader,
            is_tied=model.name != leader and _is_tied(exact, leader, model.name),
            words=_words(info, model.name, estimate),
        )
        for model, estimate in zip(look.models, estimates, strict=True)
    )
    alone = _constant_decision(result, look)
    return MetricColumn(
        info=info,
        note=f"best {format_share(depth)}",
        cells=cells,
        no_model=_no_model_entry(info, alone, common),
    )


def _constant_decision(result: DecisionResult, look: Labels) -> Estimate:
    """What the best one decision for all cases brings, wherever the cursor stands."""
    on_all, rest = result.act_on_all, result.do_nothing
    described = look.acting_on_all if on_all > rest else look.resting
    value = look.shown(max(on_all, rest))
    note = f"The best one decision for all: {described}."
    return Estimate(value=value, low=math.nan, high=math.nan, note=note)


def _profit_info(look: Labels) -> MetricInfo:
    name = "Loss" if look.is_loss else "Profit"
    return MetricInfo(
        id=PROFIT_KEY,
        label=name,
        metric=PROFIT_KEY,
        title=f"{name}, {look.currency}" if look.currency else name,
        direction="lower" if look.is_loss else "higher",
        help=_profit_help(look),
        formula="sum of the consequences of each case's decision",
        reference="Follows the cursor; the matrix is on page Decide.",
        decimals=0,
        unit="money",
    )


def _profit_help(look: Labels) -> str:
    """What the column adds up, in the mode of the chart."""
    words = AmountWords(look.is_loss)
    if look.mode is ChartMode.FIRM:
        decided = "each with its own decision"
        return f"What the best {look.cases} up to the cursor {words.bring}, {decided}."
    return f"What acting on the best {look.cases} up to the cursor {words.brings} in all."


def _profit_at(
    entry: ModelProfit | None, depth: float, exact: CursorReading | None, sign: float, fixed: str
) -> Estimate:
    """What these rows say of a model at the cursor, as chart, ties and differences of them do.

    Where they chose the depth for this model, the note has the cross-fitted figure: beside those
    of others it would be of another kind.
    """
    if entry is None:
        return _unknown()
    read = estimate_at(entry, depth, exact, held=fixed)
    worth, note = worth_at(entry, depth, read), ""
    if worth.is_crossfitted:
        kept = format_number(sign * worth.estimate.value, money_decimals(read.value))
        note = f"these rows chose this depth for it, which flatters; cross-fitted {kept}"
    low, high = sorted((sign * read.low, sign * read.high))
    return replace(read, value=sign * read.value, low=low, high=high, note=note)


def _is_tied(exact: CursorReading | None, leader: str, model: str) -> bool:
    """Does the paired interval of the two hold 0?"""
    if exact is None:
        return False
    pairs = exact.differences
    found = find_difference(pairs, leader, model) or find_difference(pairs, model, leader)
    return found is not None and found.estimate.low <= 0 <= found.estimate.high


def _text(info: MetricInfo, value: float) -> str:
    """A value of a column; money has decimals by its size."""
    if info.metric == PROFIT_KEY:
        return format_number(value, money_decimals(value))
    return metric_value(info, value)


def _unknown() -> Estimate:
    return Estimate(value=math.nan, low=math.nan, high=math.nan, note="not computed")


def _words(info: MetricInfo, model: str, estimate: Estimate, mark: str = "") -> str:
    """A cell in words: value, interval, method, what is held fixed."""
    parts = [f"{info.title}, {model}: {metric_value(info, estimate.value)}"]
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        parts.append(f"95 % from {metric_interval(info, estimate.low, estimate.high)}")
    parts += [part for part in (estimate.method, estimate.holds_fixed, estimate.note, mark) if part]
    return "\n".join(parts)


def find_difference(
    differences: tuple[PairedDifference, ...], first: str, second: str, metric: str | None = None
) -> PairedDifference | None:
    """The paired difference of two models, in this order."""
    for entry in differences:
        if entry.first == first and entry.second == second and metric in (None, entry.metric):
            return entry
    return None


# ---------------------------------------------------------------- sentences around it


def rows_sentence(result: EvaluationResult, seed: int) -> str:
    """Return which rows every number comes from, what was left out, and the seed."""
    left = "; ".join(f"{reason}: {format_count(count)}" for reason, count in result.rows.dropped)
    parts = (result.rows.text, f"left out: {left}" if left else "", f"seed {seed}")
    return " · ".join(part for part in parts if part)


def metric_warnings(result: EvaluationResult, decisions: DecisionResult | None) -> tuple[str, ...]:
    """Return what is warned of above the table: money that is none to go by comes first."""
    names = [entry.model for entry in decisions.models] if decisions is not None else []
    void = tuple(reason for reason in (void_reason(decisions, name) for name in names) if reason)
    favoured = (result.favoured,) if result.favoured else ()
    return (*void, *favoured, *result.warnings)


def metric_entry(
    result: EvaluationResult,
    labels: Labels,
    seed: int,
    decisions: DecisionResult | None,
    reading: CursorReading | None,
    depth: float,
) -> View:
    """Return the metric table as an entry of the report.

    Parameters
    ----------
    result : EvaluationResult
    labels : Labels
    seed : int
        Where the project's random numbers begin.
    decisions : DecisionResult, optional
        Its totals: without them there is no column of money.
    reading : CursorReading, optional
        Exact values at the cursor.
    depth : float
        Where the cursor stands.
    """
    columns = metric_columns(result, labels)
    heads = [f"{column.info.title}{_ARROWS.get(column.info.direction, '')}" for column in columns]
    if decisions is not None and decisions.models:
        money = profit_column(decisions, labels, depth, reading)
        heads.append(f"{money.info.title}, {money.note}{_ARROWS[money.info.direction]}")
        columns = (*columns, money)
    warnings = metric_warnings(result, decisions)
    table = Table(
        columns=("Model", *heads),
        rows=(
            *(
                (model.name, *(_cell(column.info, column.cells[row]) for column in columns))
                for row, model in enumerate(labels.models)
            ),
            *no_model_rows(columns),
        ),
        right=tuple(range(1, len(columns) + 1)),
        strong=tuple(
            (row, at)
            for row in range(len(labels.models))
            for at, column in enumerate(columns, start=1)
            if column.cells[row].is_best
        ),
    )
    return View(
        title="Metric table",
        subtitle=rows_sentence(result, seed),
        tables=(table,),
        notes=(*((f"⚠ {'   '.join(warnings)}",) if warnings else ()), _LEGEND),
    )


def no_model_rows(columns: tuple[MetricColumn, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the row of figures without a model, as texts; none where no column has one."""
    entries = [column.no_model for column in columns]
    if not any(entries):
        return ()
    return ((NO_MODEL, *("" if entry is None else entry.text for entry in entries)),)


def _cell(info: MetricInfo, entry: MetricEntry) -> str:
    mark = f"{NBSP}≈" if entry.is_tied else ""
    low, high = entry.estimate.low, entry.estimate.high
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{entry.text}{mark}"
    return f"{entry.text}{mark}\n{metric_interval(info, low, high)}"
