"""The report as one HTML file: headline, charts, metric table, decisions, how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from core.document.data.model import DataRecipe
from core.document.decisions.chance_words import chances_sentence
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
    body = "".join(
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


def _head(content: ReportInput) -> str:
    rows = escape(content.decisions.rows.text)
    document = content.document
    said = [chances_sentence(m, document.rows_used, document.data_hash) for m in document.models]
    fitted = "".join(f'<p class="quiet">{escape(text)}</p>' for text in said if text)
    return (
        f'<p class="quiet">What is this model worth, and what should we do with each case? '
        f"Numbers come from {rows}.</p>{fitted}"
    )


def _reference(content: ReportInput) -> ModelProfit | None:
    wanted = content.document.reference_model
    models = content.decisions.models
    return next((m for m in models if m.model == wanted), models[0] if models else None)


def _profit_section(content: ReportInput) -> str:
    best = _reference(content)
    if best is None:
        return ""
    currency = content.document.currency
    share, total = format_share(best.rule_depth), best.total
    if not best.has_chances:  # no rule: what the best depth of these rows brings, cross-fitted
        share, total = format_share(best.best_depth), best.best_profit_crossfitted
    decisions = content.decisions
    baselines = (
        f"{escape(decisions.acting)} for all: {format_money(decisions.act_on_all, currency)}; "
        f"{escape(decisions.rest)} for all: {format_money(decisions.do_nothing, currency)}."
    )
    return (
        f"<section><h2>{escape(best.model)}: total when {share} get "
        f"“{escape(decisions.acting)}”</h2>"
        f'<p class="big">{format_money(total.value, currency)}</p>'
        f"<p>{_money_interval(total)} {escape(_fixed(total))}</p>"
        f"<p>{escape(decisions.rule_text)} {escape(decisions.rule_reason)}</p>"
        f'<p class="quiet">{baselines}</p>{_profit_chart(content)}</section>'
    )


def _fixed(estimate: Estimate) -> str:
    return f"95 % {estimate.holds_fixed}".strip()


def _money_interval(estimate: Estimate) -> str:
    return escape(format_money_interval(estimate.low, estimate.high))


def _series(document: Document, model: str) -> int:
    settings = document.model(model)
    return settings.series if settings else 0


def _profit_chart(content: ReportInput) -> str:
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
        return ""
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


def _metric_section(content: ReportInput) -> str:
    evaluation = content.evaluation
    cells = {(cell.metric, cell.model): cell for cell in evaluation.cells}
    models = list(dict.fromkeys(cell.model for cell in evaluation.cells))
    head = "".join(
        f"<th>{escape(info.title)} {_arrow(info.direction)}</th>" for info in evaluation.metrics
    )
    rows = []
    for model in models:
        row = [f"<td>{escape(model)}</td>"]
        for info in evaluation.metrics:
            cell = cells.get((info.metric, model))
            if cell is None:
                row.append("<td></td>")
                continue
            value, interval = _metric_text(info, cell.estimate, content.document.currency)
            mark = " ≈" if cell.is_tied and not cell.is_best else ""
            kind = ' class="best"' if cell.is_best else ""
            row.append(
                f"<td{kind}>{escape(value)}{mark}"
                f'<br><span class="quiet">{escape(interval)}</span></td>'
            )
        rows.append(f"<tr>{''.join(row)}</tr>")
    flattered = evaluation.favoured
    warning = f"<p>⚠ {escape(flattered)}</p>" if flattered else ""
    return (
        f"<section><h2>How good are the models?</h2>{warning}<table><thead><tr><th>Model</th>"
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        '<p class="quiet">95 % intervals, for these finished models on new cases like these. '
        "Bold = best, ≈ = not distinguishable from the best.</p></section>"
    )


def _arrow(direction: str) -> str:
    return {"higher": "↑", "lower": "↓"}.get(direction, "")


def _decision_section(content: ReportInput) -> str:
    decisions, currency = content.decisions, content.document.currency
    rows = "".join(
        f"<tr><td>{escape(m.model)}</td><td>{format_money(m.total.value, currency)}</td>"
        f"<td>{_money_interval(m.total)}</td><td>{format_share(m.rule_depth)}</td>"
        f"<td>{format_money(m.expected_total, currency)}</td>"
        f"<td>{format_money(m.best_total - m.total.value, currency)}</td></tr>"
        for m in decisions.models
    )
    advice = "".join(
        f"<li>{escape({'ok': '✓', 'warning': '⚠', 'error': '✗'}.get(a.state, ''))} "
        f"{escape(a.text)}</li>"
        for a in decisions.advice
    )
    return (
        "<section><h2>What each model's decisions are worth</h2><table><thead><tr><th>Model</th>"
        f"<th>Total</th><th>95 %</th><th>{escape(decisions.acting)}</th><th>Expected</th>"
        f"<th>Left on the table</th></tr></thead><tbody>{rows}</tbody></table>"
        f'<p class="quiet">{escape(decisions.holds_fixed)}</p><ul>{advice}</ul></section>'
    )


def _recipe_words(recipe: DataRecipe) -> str:
    """What was made of the data file: further files by their hashes, derived columns."""
    parts = [
        f"{escape(file.path.replace(chr(92), '/').rsplit('/', 1)[-1])} "
        f"(SHA-256 {escape(file.content_hash[:16])}…)"
        for file in recipe.files
    ]
    parts += [f"{escape(entry.name)} = {escape(entry.text)}" for entry in recipe.derived]
    return f"; with {'; '.join(parts)}" if parts else ""


def _record_section(content: ReportInput) -> str:
    document, decisions = content.document, content.decisions
    cells = "".join(
        f"<tr><td>{escape(document.target.label(level) if document.target else level)}</td>"
        + "".join(f"<td>{format_number(float(value))}</td>" for value in row)
        + "</tr>"
        for level, row in zip(decisions.levels, decisions.cells, strict=True)
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in decisions.decisions)
    data = document.data
    source = (
        f"{escape(data.path.replace(chr(92), '/').rsplit('/', 1)[-1])}, "
        f"{format_count(data.rows)} rows, SHA-256 {escape(data.own_hash[:16])}…"
        + _recipe_words(data.recipe)
        if data
        else ""
    )
    return (
        f"<section><h2>How this was made</h2><table><thead><tr><th>{escape(decisions.kind)}</th>"
        f"{head}</tr></thead><tbody>{cells}</tbody></table>"
        f'<p class="quiet">Data: {source}. Rows: {escape(decisions.rows.text)}. '
        f"Seed {document.seed}. Payoff {escape(content.version)}.</p></section>"
    )
