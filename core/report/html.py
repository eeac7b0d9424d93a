"""The report as one HTML file: headline, charts, metric table, decisions, how it was made.

Small line charts as SVG text, with bands, for the report: no library, no script.

What stands on the report: answered anew, or as it was kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from core.document.compare.words import (
    difference_interval,
    metric_interval,
    metric_value,
    signed_metric,
)
from core.document.decisions.chosen_depth import DepthWorth, answers, estimate_at, worth_at
from core.document.decisions.words import probabilities_sentence, void_reason
from core.document.markup import NOTHING, Html, joined, tag
from core.document.model import ChartMode, Document
from core.document.report.commands import METRIC_TABLE, is_grid_entry, with_report_charts
from core.document.results import (
    NO_MODEL,
    CursorReading,
    DecisionResult,
    Estimate,
    EvaluationResult,
    ModelProfit,
    PairedDifference,
)
from core.document.wording import (
    NBSP,
    estimate_decimals,
    format_money,
    format_money_interval,
    format_number,
    format_p_value,
    format_share,
    format_short,
    name_in_text,
)
from core.presentation.evaluation.charts import evaluation_chart
from core.presentation.labels import Labels
from core.presentation.making_views import part_of, question_of_entry, show
from core.presentation.report.entries import (
    Answers,
    chart_entry,
    is_own_entry,
    own_entry,
)
from core.presentation.report.making import making_block
from core.presentation.report.page import (
    ReportText,
    entries_html,
    entry_html,
    page_html,
    report_html,
    report_text,
    section_html,
)
from core.presentation.view import Table, View
from core.questions.compare import CompareModels
from core.questions.question import Question
from core.questions.stamps import entry_stamp
from payoff.errors import PayoffError
from payoff.types import FloatArray

WIDTH, HEIGHT = 660, 300
LEFT, RIGHT, TOP, BOTTOM = 78, 152, 22, 46
SAMPLE = 22
NAME_STEP = 15
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87D00", "#2E86B8", "#000000")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class SvgLine:
    """One line: ``series`` None draws a thin grey baseline."""

    name: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    series: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis: its words and how its numbers are written."""

    label: str
    text: Callable[[float], str]
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """An upright line at a place of the x axis, with its words: where the cursor stands."""

    at: float
    words: str


def nice_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between two limits, about ``wanted`` of them."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1, 2, 2.5, 5, 10) if power * f >= rough)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def line_chart(
    title: str, lines: tuple[SvgLine, ...], x: Axis, y: Axis, mark: Mark | None = None
) -> Html:
    """One chart as an ``<svg>`` element with an accessible title."""
    to_x = _scale(x.low, x.high, LEFT, WIDTH - RIGHT)
    to_y = _scale(y.low, y.high, HEIGHT - BOTTOM, TOP)
    parts = (
        tag("title", title),
        *_axes(x, y, to_x, to_y),
        _zero(y, to_y),
        *(_band(line, to_x, to_y) for line in lines if line.low is not None),
        *(_path(line, to_x, to_y) for line in lines),
        *(() if mark is None else _mark(mark, to_x)),
        *_names(lines, to_y),
    )
    content = joined((part for part in parts if part), "\n")
    return tag("svg", content, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _tick(text: str, anchor: str = "middle", **place: object) -> Html:
    """A text of an axis."""
    return tag("text", text, **place, text_anchor=anchor, kind="tick")


def _axes(x: Axis, y: Axis, to_x: Scale, to_y: Scale) -> list[Html]:
    base = HEIGHT - BOTTOM
    left, right = LEFT, WIDTH - RIGHT
    parts = []
    for value in nice_ticks(y.low, y.high):
        level = to_y(value)
        at = f"{level:.1f}"
        parts.append(tag("line", x1=left, x2=right, y1=at, y2=at, stroke="#E8EBEF"))
        parts.append(_tick(y.text(value), "end", x=LEFT - 8, y=f"{level + 4:.1f}"))
    for value in nice_ticks(x.low, x.high):
        parts.append(_tick(x.text(value), x=f"{to_x(value):.1f}", y=base + 17))
    parts.append(tag("line", x1=left, x2=right, y1=base, y2=base, stroke="#8A93A0"))
    parts.append(_tick(x.label, x=(left + right) / 2, y=HEIGHT - 8))
    turned = f"translate(14 {(TOP + base) / 2}) rotate(-90)"
    parts.append(_tick(y.label, transform=turned))
    return parts


def _zero(y: Axis, to_y: Scale) -> Html:
    """The line at 0, where gain and loss part; none where it is an end of the axis."""
    if not y.low < 0.0 < y.high:
        return NOTHING
    at = f"{to_y(0.0):.1f}"
    return tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=at, y2=at, stroke="#8A93A0")


def _mark(mark: Mark, to_x: Scale) -> tuple[Html, Html]:
    at = f"{to_x(mark.at):.1f}"
    line = tag("line", x1=at, x2=at, y1=TOP, y2=HEIGHT - BOTTOM, stroke="#1B1F24")
    middle = (LEFT + WIDTH - RIGHT) / 2
    anchor = "start" if to_x(mark.at) < middle else "end"
    return line, tag("text", mark.words, x=at, y=TOP - 7, text_anchor=anchor, kind="tick")


def _points(x: FloatArray, y: FloatArray, to_x: Scale, to_y: Scale) -> list[str]:
    usable = np.isfinite(x) & np.isfinite(y)
    return [f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in zip(x[usable], y[usable], strict=True)]


def _path(line: SvgLine, to_x: Scale, to_y: Scale) -> Html:
    points = " ".join(_points(line.x, line.y, to_x, to_y))
    return tag("polyline", points=points, fill="none", **_stroke(line))


def _stroke(line: SvgLine) -> dict[str, object]:
    """Colour, width and dash of a line, in the picture and beside its name."""
    if line.series is None:
        return {"stroke": "#5B6470", "stroke_width": 1, "stroke_dasharray": "4 3"}
    return {
        "stroke": COLOURS[line.series % len(COLOURS)],
        "stroke_width": 2,
        "stroke_dasharray": DASHES[line.series % len(DASHES)] or None,
    }


def _band(line: SvgLine, to_x: Scale, to_y: Scale) -> Html:
    if line.low is None or line.high is None or line.series is None:
        return NOTHING
    upper = _points(line.x, line.high, to_x, to_y)
    lower = _points(line.x, line.low, to_x, to_y)
    colour = COLOURS[line.series % len(COLOURS)]
    return tag("polygon", points=" ".join(upper + lower[::-1]), fill=colour, opacity=0.15)


def _names(lines: tuple[SvgLine, ...], to_y: Scale) -> list[Html]:
    """Names at the line ends with a piece of the line, moved apart so that none covers another."""
    ends = []
    for line in lines:
        usable = np.flatnonzero(np.isfinite(line.y))
        if len(usable):
            ends.append((to_y(float(line.y[usable[-1]])), line))
    ends.sort(key=lambda entry: entry[0])
    placed: list[Html] = []
    lowest = float("-inf")
    for index, (level, line) in enumerate(ends):
        margin_below = HEIGHT - BOTTOM - NAME_STEP * (len(ends) - 1 - index)
        lowest = max(min(level + 4, margin_below), lowest + NAME_STEP)
        colour = "#5B6470" if line.series is None else COLOURS[line.series % len(COLOURS)]
        left, middle = WIDTH - RIGHT + 8, f"{lowest - 4:.1f}"
        sample = {"x1": left, "x2": left + SAMPLE, "y1": middle, "y2": middle}
        placed.append(tag("line", **sample, **_stroke(line)))
        place = {"x": left + SAMPLE + 6, "y": f"{lowest:.1f}"}
        placed.append(tag("text", line.name, **place, kind="name", fill=colour))
    return placed


def answers_about(document: Document, ask: Callable[[Document, Question[Any]], object]) -> Answers:
    """Return what answers questions about a document, each once; metrics with all charts of it."""
    charted = with_report_charts(document)

    @cache
    def answer(question: Question[Any]) -> object:
        return ask(charted if isinstance(question, CompareModels) else document, question)

    return answer


def fresh_views(
    document: Document,
    kept: tuple[View, ...],
    answer: Answers,
    labels: Labels,
    refusals: dict[str, str] | None = None,
) -> tuple[View, ...]:
    """Return the entries of the report, made again of the document wherever that can be done.

    Parameters
    ----------
    document : Document
    kept : tuple of View
        As the project keeps them.
    answer : callable
        Answers a question; an entry that is refused stays as it was kept.
    labels : Labels
    refusals : dict, optional
        Takes up why an entry was not made, by its key.
    """
    by_key = {view.key: view for view in kept}
    known = cache(answer)  # several entries may show one answer
    for item in document.report:
        try:
            view = _made(item.kind, document, by_key.get(item.kind), known, labels)
        except PayoffError as refusal:
            if refusals is not None:
                refusals[item.kind] = str(refusal)
            continue
        if view is not None:
            stamp = entry_stamp(item.kind, document)
            by_key[item.kind] = replace(view, key=item.kind, stamp=stamp, made_at="")
    return tuple(by_key.values())


def _made(
    kind: str, document: Document, kept: View | None, answer: Answers, labels: Labels
) -> View | None:
    """An entry of the present document; None where it can only be kept."""
    if is_own_entry(kind):
        return own_entry(kind, document, answer)
    question = question_of_entry(kind, kept)
    return None if question is None else show(question, answer(question), labels, part_of(kind))


def kept_text(
    document: Document, kept: tuple[View, ...], refusals: Mapping[str, str] | None = None
) -> ReportText:
    """Return the report with its entries as they are kept; ``refusals``: why others are not."""
    by_key, described = {view.key: view for view in kept}, refusals or {}
    return report_text(document, by_key.get, lambda kind: described.get(kind, ""))


def has_metric_table(document: Document) -> bool:
    """Return whether the metric table stands on the report."""
    return any(item.kind == METRIC_TABLE for item in document.report)


_USUAL = ("roc", "gains")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """What a report shows."""

    document: Document
    evaluation: EvaluationResult
    decisions: DecisionResult
    version: str
    kept: tuple[View, ...] = ()  # the entries, as far as they were made
    refusals: Mapping[str, str] = field(default_factory=dict)  # why others were not, by key
    made_at: str = ""  # ISO 8601; empty = not said
    reading: CursorReading | None = None  # exact values at the cursor; else off the chart


@dataclass(frozen=True, slots=True)
class _Money:
    """Profits as the project writes them: those of a loss matrix turned round, as losses."""

    currency: str
    is_loss: bool

    @property
    def word(self) -> str:
        return "loss" if self.is_loss else "profit"

    def turned(self, profit: float) -> float:
        return -profit if self.is_loss else profit

    def amount(self, profit: float, *, sign: bool = False, places: int | None = None) -> str:
        decimals = estimate_decimals(profit) if places is None else places
        return format_money(self.turned(profit), self.currency, decimals=decimals, sign=sign)

    def interval(self, estimate: Estimate) -> str:
        ends = (estimate.low, estimate.high)
        return format_money_interval(*((-ends[1], -ends[0]) if self.is_loss else ends))


def render_report(content: ReportInput) -> str:
    """The whole report as HTML text."""
    money = _Money(content.document.currency, content.decisions.kind == "loss")
    body = joined(
        (
            _head(content),
            _profit_section(content, money),
            _metric_section(content),
            _usual_charts(content),
            entries_html(kept_text(content.document, content.kept, content.refusals)),
            _decision_section(content, money),
            section_html(
                making_block(content.document, content.decisions, content.version, content.made_at)
            ),
        )
    )
    return page_html(content.document.name, "", body)


def render_entries(
    document: Document, kept: tuple[View, ...], refusals: Mapping[str, str] | None = None
) -> str:
    """Return the entries of the report alone, as the window writes them."""
    return report_html(kept_text(document, kept, refusals))


def _head(content: ReportInput) -> Html:
    rows = content.decisions.rows.text
    document = content.document
    described = [
        probabilities_sentence(m, document.rows_used, document.data_hash) for m in document.models
    ]
    question = (
        f"What is this model worth, and what should we do with each case? Numbers come from {rows}."
    )
    return joined(tag("p", text, kind="quiet") for text in (question, *described) if text)


# ---------------------------------------------------------------- the total and its chart


def _of_reference(document: Document, decisions: DecisionResult) -> ModelProfit | None:
    wanted, models = document.reference_model, decisions.models
    return next((m for m in models if m.model == wanted), models[0] if models else None)


def _depth_of(document: Document, profit: ModelProfit) -> float:
    """Where the cursor stands: where it was put, else where it rests."""
    put = document.cursor_depth
    return profit.resting_depth if put is None else put


def _worth(content: ReportInput, profit: ModelProfit, depth: float) -> DepthWorth:
    """What the model brings at the cursor: by its rule exactly, elsewhere off the chart."""
    held = content.decisions.holds_fixed
    read = estimate_at(profit, depth, content.reading, held=held)
    if not answers(content.reading, profit.model, depth):
        if depth == profit.rule_depth and content.document.chart_mode is not ChartMode.FIRM:
            return DepthWorth(estimate=profit.total)
        if depth == profit.best_depth:  # between two points of the chart, known exactly
            shift = profit.best_profit - read.value
            read = replace(
                read, value=profit.best_profit, low=read.low + shift, high=read.high + shift
            )
    return worth_at(profit, depth, read)


def cursor_of(document: Document, decisions: DecisionResult) -> float | None:
    """The depth that the report reads its total at: the engine is asked for it exactly."""
    best = _of_reference(document, decisions)
    if best is None:
        return None
    depth = _depth_of(document, best)
    return depth if math.isfinite(depth) else None


def _profit_section(content: ReportInput, money: _Money) -> Html:
    best = _of_reference(content.document, content.decisions)
    if best is None:
        return NOTHING
    decisions, depth = content.decisions, _depth_of(content.document, best)
    worth = _worth(content, best, depth)
    described = [f"{money.interval(worth.estimate)}, 95 % {worth.estimate.holds_fixed}".strip()]
    how = ""
    if worth.flattered is not None:
        how = ", cross-fitted"
        described.append(
            f"On the rows that chose this depth {money.amount(worth.flattered.value)}, which "
            "flatters."
        )
    described.append(f"{decisions.rule_text} {decisions.rule_reason}".strip())
    described.append(
        f"“{decisions.acting}” for all: {money.amount(decisions.act_on_all)}; "
        f"“{decisions.all_get}” for all: {money.amount(decisions.do_nothing)}."
    )
    block = View(
        key="total",
        title=f"{best.model}: total {money.word} {_when(content, depth)}{how}",
        figure=money.amount(worth.estimate.value),
        sentences=tuple(line for line in described if line),
    )
    void = void_reason(decisions, best.model)
    return section_html(block, warning=void, pictures=(_profit_chart(content, money, depth),))


def _when(content: ReportInput, depth: float) -> str:
    """What happens down to the cursor, in the mode of the chart."""
    best = f"the best {format_share(depth)}"
    if content.document.chart_mode is ChartMode.FIRM:
        return f"when each of {best} gets its own decision"
    return f"when {best} get “{content.decisions.acting}”"


def _series(document: Document, model: str) -> int:
    settings = document.model(model)
    return settings.series if settings else 0


def _profit_chart(content: ReportInput, money: _Money, depth: float) -> Html:
    decisions, document = content.decisions, content.document
    lines = tuple(
        SvgLine(
            name=m.model,
            x=m.depth,
            y=np.array([money.turned(float(v)) for v in m.profit]),
            low=np.array([money.turned(float(v)) for v in m.low]),
            high=np.array([money.turned(float(v)) for v in m.high]),
            series=_series(document, m.model),
        )
        for m in decisions.models
    )
    grid = decisions.models[0].depth
    random = np.array([money.turned(float(v)) for v in decisions.random_profit])
    by_probability = SvgLine(name="at random", x=grid, y=random)
    bands = [end for line in lines for end in (line.low, line.high) if end is not None]
    every = np.concatenate([*(line.y for line in (*lines, by_probability)), *bands])
    finite = every[np.isfinite(every)]
    if not len(finite):
        return NOTHING
    low, high = float(finite.min()), float(finite.max())
    y = Axis(
        label=f"total {money.word}, {document.currency}",
        text=_plain_amount,
        low=low,
        high=high + 0.05 * (high - low),
    )
    cases, acting = document.case_word[1], decisions.acting
    x = Axis(
        label=f"share of {cases} that get “{acting}”, highest advantage first",
        text=_percent,
        low=0.0,
        high=1.0,
    )
    is_firm = document.chart_mode is ChartMode.FIRM
    title = f"Total {money.word} if the best n{NBSP}% get “{acting}”"
    if is_firm:
        title = f"Total {money.word} if each of the best n{NBSP}% gets its own decision"
    mark = Mark(at=depth, words=f"cursor {format_share(depth)}")
    return line_chart(title, (*lines, by_probability), x, y, mark)


def _plain_amount(value: float) -> str:
    return format_short(value) if abs(value) >= 1e6 else format_number(value, 0)


def _percent(value: float) -> str:
    return format_share(value, 0)


# ---------------------------------------------------------------- metrics


def _usual_charts(content: ReportInput) -> Html:
    """The charts of a report that nobody put one of page Compare on."""
    kinds = (item.kind for item in content.document.report)
    if any(is_grid_entry(kind) and kind != METRIC_TABLE for kind in kinds):
        return NOTHING
    labels = Labels.of(content.document, content.decisions)
    made = (evaluation_chart(kind, content.evaluation, labels) for kind in _USUAL)
    return joined(entry_html(chart_entry(chart)) for chart in made if chart is not None)


def _metric_section(content: ReportInput) -> Html:
    evaluation = content.evaluation
    if has_metric_table(content.document):  # it stands among the entries
        return _comparison_section(evaluation)
    cells = {(cell.metric, cell.model): cell for cell in evaluation.cells}
    models = list(dict.fromkeys(cell.model for cell in evaluation.cells))
    rows, strong = [], []
    for number, model in enumerate(models):
        row = [model]
        for column, info in enumerate(evaluation.metrics, start=1):
            cell = cells.get((info.metric, model))
            if cell is None:
                row.append("")
                continue
            mark = " ≈" if cell.is_tied and not cell.is_best else ""
            interval = metric_interval(info, cell.estimate.low, cell.estimate.high)
            row.append(f"{metric_value(info, cell.estimate.value)}{mark}\n{interval}")
            if cell.is_best:
                strong.append((number, column))
        rows.append(tuple(row))
    alone = {cell.metric: cell.estimate.value for cell in evaluation.no_model}
    if alone:
        shown = (
            metric_value(info, alone[info.metric]) if info.metric in alone else ""
            for info in evaluation.metrics
        )
        rows.append((NO_MODEL, *shown))
    heads = [f"{info.title} {_arrow(info.direction)}".strip() for info in evaluation.metrics]
    block = View(
        key="metrics",
        title="How good are the models?",
        tables=(_table(("Model", *heads), rows, strong),),
        notes=(
            "95 % intervals, for these finished models on new cases like these. "
            "Bold = best, ≈ = not distinguishable from the best. "
            "No model: every case gets the same prediction.",
            *_notes(evaluation, [(c.metric, c.estimate) for c in evaluation.cells]),
        ),
    )
    return joined(
        (section_html(block, warning=evaluation.favoured), _comparison_section(evaluation))
    )


def _notes(evaluation: EvaluationResult, estimates: list[tuple[str, Estimate]]) -> tuple[str, ...]:
    """What is to know of intervals and missing numbers, each note once, after its metrics."""
    titles = {info.metric: info.title for info in evaluation.metrics}
    found: dict[str, list[str]] = {}
    for metric, estimate in estimates:
        if estimate.note:
            found.setdefault(estimate.note, []).append(titles[metric])
    return tuple(f"{', '.join(dict.fromkeys(of))}: {note}" for note, of in found.items())


def _arrow(direction: str) -> str:
    return {"higher": "↑", "lower": "↓"}.get(direction, "")


def _table(
    columns: tuple[str, ...],
    rows: list[tuple[str, ...]],
    strong: list[tuple[int, int]] | None = None,
) -> Table:
    """A table whose first column names its rows and whose others are numbers."""
    return Table(
        columns=columns,
        rows=tuple(rows),
        right=tuple(range(1, len(columns))),
        strong=tuple(strong or ()),
    )


def _comparison_section(evaluation: EvaluationResult) -> Html:
    """The reference model less every other one, on the same cases, metric by metric."""
    infos = [info for info in evaluation.metrics if info.direction != "none"]
    pairs = {(d.second, d.metric): d for d in evaluation.comparisons}
    others = list(dict.fromkeys(d.second for d in evaluation.comparisons))
    if not others or not infos:
        return NOTHING
    rows: list[tuple[str, ...]] = []
    for other in others:
        row = [other]
        for info in infos:
            pair = pairs.get((other, info.metric))
            if pair is None or not math.isfinite(pair.estimate.value):
                row.append("")
                continue
            value: str = signed_metric(info, pair.estimate.value)
            low, high = pair.estimate.low, pair.estimate.high
            if math.isfinite(low):
                ends = difference_interval(info, low, high)
                value += f"\n{ends}, {format_p_value(pair.p_value)}"
            row.append(value)
        rows.append(tuple(row))
    first = evaluation.comparisons[0].first
    block = View(
        key="comparisons",
        title=f"{name_in_text(first)} against each other model",
        tables=(_table(("Less", *(info.title for info in infos)), rows),),
        notes=(
            f"{name_in_text(first)} less the model of the row on the same cases, with a 95 % "
            "interval of the difference; p is the chance of a difference this far from 0 if both "
            "were equally good.",
            *_notes(evaluation, [(d.metric, d.estimate) for d in pairs.values()]),
        ),
    )
    return section_html(block)


# ---------------------------------------------------------------- decisions


def _decision_section(content: ReportInput, money: _Money) -> Html:
    decisions = content.decisions
    pairs = {pair.second: pair for pair in decisions.differences}
    first = decisions.differences[0].first if decisions.differences else ""
    places = estimate_decimals(*(entry.total.value for entry in decisions.models))
    rows = [
        _decision_row(entry, money, pairs, places, has_pairs=bool(first))
        for entry in decisions.models
    ]
    marks = {"ok": "✓", "warning": "⚠", "error": "✗"}
    advice = tuple(f"{marks.get(a.state, '')} {a.text}".strip() for a in decisions.advice)
    heads = ("Model", f"Total {money.word}", "95 %", decisions.acting, "Expected", "Left")
    block = View(
        key="decisions",
        title="What each model's decisions are worth",
        tables=(_table((*heads, *((f"{first} less it",) if first else ())), rows),),
        notes=tuple(
            line
            for line in (
                f"Each case its own decision. Left: what perfect foresight would have "
                f"{'saved' if money.is_loss else 'added'}.",
                decisions.holds_fixed,
                *advice,
            )
            if line
        ),
    )
    return section_html(block)


def _decision_row(
    entry: ModelProfit,
    money: _Money,
    pairs: dict[str, PairedDifference],
    places: int,
    *,
    has_pairs: bool,
) -> tuple[str, ...]:
    row = [
        entry.model,
        money.amount(entry.total.value, places=places),
        money.interval(entry.total),
        format_share(entry.rule_depth),
        money.amount(entry.expected_total, places=places),
        format_money(entry.best_total - entry.total.value, money.currency, decimals=places),
    ]
    if has_pairs:
        pair = pairs.get(entry.model)
        row.append(
            ""
            if pair is None
            else f"{money.amount(pair.estimate.value, sign=True, places=places)}\n"
            f"{money.interval(pair.estimate)}, {format_p_value(pair.p_value)}"
        )
    return tuple(row)
