"""The report as one HTML file: headline, charts, metric table, decisions, how it was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.document.data.model import DataRecipe
from core.document.decisions.chance_words import chances_sentence
from core.document.markup import NOTHING, Content, Html, joined, tag
from core.document.model import Document
from core.document.plugin_results import MetricInfo
from core.document.report.blocks import ReportBlock
from core.document.report.page import page_html
from core.document.results import DecisionResult, Estimate, EvaluationResult, ModelProfit
from core.document.wording import (
    format_count,
    format_interval,
    format_money,
    format_money_interval,
    format_number,
    format_share,
    format_short,
)
from core.report.charts import chart_sections
from core.report.kept import kept_sections
from core.report.svg import Axis, Line, line_chart


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """What a report shows."""

    document: Document
    evaluation: EvaluationResult
    decisions: DecisionResult
    version: str
    kept: tuple[ReportBlock, ...] = ()  # entries of other pages, as the project keeps them


def render_report(content: ReportInput) -> str:
    """The whole report as HTML text."""
    body = joined(
        (
            _head(content),
            _profit_section(content),
            _metric_section(content),
            chart_sections(content.document, content.evaluation),
            kept_sections(content.document, content.kept),
            _decision_section(content),
            _record_section(content),
        )
    )
    return page_html(content.document.name, "", body)


def _head(content: ReportInput) -> Html:
    rows = content.decisions.rows.text
    document = content.document
    said = [chances_sentence(m, document.rows_used, document.data_hash) for m in document.models]
    question = (
        f"What is this model worth, and what should we do with each case? Numbers come from {rows}."
    )
    return joined(tag("p", text, kind="quiet") for text in (question, *said) if text)


def _reference(content: ReportInput) -> ModelProfit | None:
    wanted = content.document.reference_model
    models = content.decisions.models
    return next((m for m in models if m.model == wanted), models[0] if models else None)


def _profit_section(content: ReportInput) -> Html:
    best = _reference(content)
    if best is None:
        return NOTHING
    currency = content.document.currency
    share, total = format_share(best.rule_depth), best.total
    if not best.has_chances:  # no rule: what the best depth of these rows brings, cross-fitted
        share, total = format_share(best.best_depth), best.best_profit_crossfitted
    decisions = content.decisions
    baselines = (
        f"{decisions.acting} for all: {format_money(decisions.act_on_all, currency)}; "
        f"{decisions.rest} for all: {format_money(decisions.do_nothing, currency)}."
    )
    return tag(
        "section",
        tag("h2", f"{best.model}: total when {share} get “{decisions.acting}”"),
        tag("p", format_money(total.value, currency), kind="big"),
        tag("p", f"{_money_interval(total)} {_fixed(total)}"),
        tag("p", f"{decisions.rule_text} {decisions.rule_reason}"),
        tag("p", baselines, kind="quiet"),
        _profit_chart(content),
    )


def _fixed(estimate: Estimate) -> str:
    return f"95 % {estimate.holds_fixed}".strip()


def _money_interval(estimate: Estimate) -> str:
    return format_money_interval(estimate.low, estimate.high)


def _series(document: Document, model: str) -> int:
    settings = document.model(model)
    return settings.series if settings else 0


def _profit_chart(content: ReportInput) -> Html:
    decisions, document = content.decisions, content.document
    lines = tuple(
        Line(
            name=m.model,
            x=m.depth,
            y=m.profit,
            low=m.low,
            high=m.high,
            series=_series(document, m.model),
        )
        for m in decisions.models
    )
    grid = decisions.models[0].depth
    random = Line(name="at random", x=grid, y=decisions.random_profit)
    every = np.concatenate([line.y for line in (*lines, random)])
    finite = every[np.isfinite(every)]
    if not len(finite):
        return NOTHING
    low, high = float(finite.min()), float(finite.max())
    y = Axis(
        label=f"total, {document.currency}",
        text=_plain_amount,
        low=low,
        high=high + 0.05 * (high - low),
    )
    words = document.case_word[1]
    x = Axis(label=f"share of {words} acted on, best first", text=_percent, low=0.0, high=1.0)
    return line_chart("Total if the best n % are acted on", (*lines, random), x, y)


def _plain_amount(value: float) -> str:
    return format_short(value) if abs(value) >= 1e6 else format_number(value, 0)


def _percent(value: float) -> str:
    return format_share(value, 0)


def _metric_text(info: MetricInfo, estimate: Estimate, currency: str) -> tuple[str, str]:
    if info.unit == "money":
        value = format_money(estimate.value, currency)
        return value, format_money_interval(estimate.low, estimate.high)
    value = format_number(estimate.value, info.decimals)
    return value, format_interval(estimate.low, estimate.high, info.decimals)


def _metric_section(content: ReportInput) -> Html:
    evaluation = content.evaluation
    models = list(dict.fromkeys(cell.model for cell in evaluation.cells))
    heads = (tag("th", f"{info.title} {_arrow(info.direction)}") for info in evaluation.metrics)
    rows = (
        tag(
            "tr",
            tag("td", model),
            *(_metric_cell(content, info, model) for info in evaluation.metrics),
        )
        for model in models
    )
    flattered = evaluation.favoured
    return tag(
        "section",
        tag("h2", "How good are the models?"),
        tag("p", f"⚠ {flattered}") if flattered else NOTHING,
        _table((tag("th", "Model"), *heads), rows),
        tag(
            "p",
            "95 % intervals, for these finished models on new cases like these. "
            "Bold = best, ≈ = not distinguishable from the best.",
            kind="quiet",
        ),
    )


def _metric_cell(content: ReportInput, info: MetricInfo, model: str) -> Html:
    cells = content.evaluation.cells
    cell = next((c for c in cells if c.metric == info.metric and c.model == model), None)
    if cell is None:
        return tag("td")
    value, interval = _metric_text(info, cell.estimate, content.document.currency)
    mark = " ≈" if cell.is_tied and not cell.is_best else ""
    kind = "best" if cell.is_best else None
    return tag("td", f"{value}{mark}", tag("br"), tag("span", interval, kind="quiet"), kind=kind)


def _table(head: Iterable[Html], rows: Iterable[Html]) -> Html:
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows))


def _row(name: str, cells: Iterable[Content]) -> Html:
    return tag("tr", *(tag(name, cell) for cell in cells))


def _arrow(direction: str) -> str:
    return {"higher": "↑", "lower": "↓"}.get(direction, "")


def _decision_section(content: ReportInput) -> Html:
    decisions, currency = content.decisions, content.document.currency
    rows = (
        _row(
            "td",
            (
                m.model,
                format_money(m.total.value, currency),
                _money_interval(m.total),
                format_share(m.rule_depth),
                format_money(m.expected_total, currency),
                format_money(m.best_total - m.total.value, currency),
            ),
        )
        for m in decisions.models
    )
    marks = {"ok": "✓", "warning": "⚠", "error": "✗"}
    advice = (tag("li", f"{marks.get(a.state, '')} {a.text}") for a in decisions.advice)
    heads = ("Model", "Total", "95 %", decisions.acting, "Expected", "Left on the table")
    return tag(
        "section",
        tag("h2", "What each model's decisions are worth"),
        _table((tag("th", head) for head in heads), rows),
        tag("p", decisions.holds_fixed, kind="quiet"),
        tag("ul", *advice),
    )


def _recipe_words(recipe: DataRecipe) -> str:
    """What was made of the data file: further files by their hashes, derived columns."""
    parts = [f"{_name_of(file.path)} (SHA-256 {file.content_hash[:16]}…)" for file in recipe.files]
    parts += [f"{entry.name} = {entry.text}" for entry in recipe.derived]
    return f"; with {'; '.join(parts)}" if parts else ""


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _record_section(content: ReportInput) -> Html:
    document, decisions = content.document, content.decisions
    rows = (
        _row(
            "td",
            (
                document.target.label(level) if document.target else level,
                *(format_number(float(value)) for value in row),
            ),
        )
        for level, row in zip(decisions.levels, decisions.cells, strict=True)
    )
    data = document.data
    source = (
        f"{_name_of(data.path)}, {format_count(data.rows)} rows, SHA-256 {data.own_hash[:16]}…"
        + _recipe_words(data.recipe)
        if data
        else ""
    )
    said = (
        f"Data: {source}. Rows: {decisions.rows.text}. Seed {document.seed}. "
        f"Payoff {content.version}."
    )
    heads = (decisions.kind, *decisions.decisions)
    return tag(
        "section",
        tag("h2", "How this was made"),
        _table((tag("th", head) for head in heads), rows),
        tag("p", said, kind="quiet"),
    )
