"""The sentences of page Compare."""

from __future__ import annotations

import math

from core.document.compare.words import difference_interval, signed_metric, use_words
from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.markup import NOTHING, Html, joined
from core.document.model import Document
from core.document.plugin_results import MetricInfo
from core.document.results import EvaluationResult, PairedDifference, RowsNote
from core.document.wording import (
    format_certainty,
    format_money,
    format_money_interval,
    name_in_text,
)
from core.presentation.compare.metrics import find_difference
from core.presentation.decide.figures import decide_alike
from gui.widgets import strong
from payoff.counting import counted


def uses_offered(document: Document) -> tuple[RowUse, ...]:
    """The uses that some rows have and whose outcome is known."""
    found = list(uses_there(document.split))
    if document.rows_used not in (*found, RowUse.ALL):
        found.append(document.rows_used)
    return (*found, RowUse.ALL)


def rows_words(document: Document, use: RowUse, rows: RowsNote | None) -> str:
    """An entry of the data selector: "Validation, 20,000 customers"."""
    if rows is None or use is not document.rows_used:
        return use_words(use, document)
    return f"{use_words(use, document)}, {counted(rows.rows, *document.row_word)}"


def difference_words(info: MetricInfo, difference: PairedDifference) -> str:
    """One metric's paired difference: "AUC +0.022 (0.012 to 0.032)"."""
    estimate = difference.estimate
    if not math.isfinite(estimate.value):
        return ""
    text = f"{info.title} {signed_metric(info, estimate.value)}"
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        text += f" ({difference_interval(info, estimate.low, estimate.high)})"
    return text


def profit_words(difference: PairedDifference, currency: str, *, is_loss: bool) -> str:
    """The paired difference of the money: "profit +€ 1,638 (896 to 2,381)"."""
    sign = -1.0 if is_loss else 1.0
    estimate = difference.estimate
    if not math.isfinite(estimate.value):
        return ""
    name = "loss" if is_loss else "profit"
    text = f"{name} {format_money(sign * estimate.value, currency, sign=True)}"
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        low, high = sorted((sign * estimate.low, sign * estimate.high))
        text += f" ({format_money_interval(low, high)})"
    return text


def certainty_words(difference: PairedDifference) -> str:
    """How sure it is: "Ahead in 1,000 of 1,000 resamples (p < 0.002)"."""
    sure = difference
    text = format_certainty(sure.ahead, sure.resamples, sure.p_value, sure.level)
    return f"{text[:1].upper()}{text[1:]}"


def comparison_sentence(
    result: EvaluationResult,
    reference: str,
    other: str,
    money: PairedDifference | None,
    currency: str,
    *,
    is_loss: bool,
    profit: float = 0.0,
    chosen_for: str = "",
) -> Html:
    """The footer as markup: the reference model against another one, on the same cases.

    ``profit`` is the reference model's at the depth of ``money``: what its rounding is measured by.
    ``chosen_for`` is the model for which these rows chose that depth, if they did.
    """
    place = "At this depth"
    if chosen_for:
        place += f", which these rows chose for {name_in_text(chosen_for)},"
    described: list[tuple[str, PairedDifference]] = []
    shown = _shown_difference(result, reference, other)
    if shown is not None:
        described.append((difference_words(*shown), shown[1]))
    if money is not None:
        amount = profit_words(money, currency, is_loss=is_loss)
        described.append((f"{place} {amount}" if amount else "", money))
    parts = [_with_certainty(text, difference) for text, difference in described if text]
    if money is not None and _is_alike(money, profit):
        parts[-1] = "At this depth the same decisions."
    if not parts:
        return NOTHING
    return joined(
        (
            strong(f"{name_in_text(reference)} against {name_in_text(other)}:"),
            " ".join(["", *parts]),
        )
    )


def comparison_note(result: EvaluationResult, reference: str, other: str) -> str:
    """What is to know of the difference in the footer, as that it rests on few cases."""
    shown = _shown_difference(result, reference, other)
    return "" if shown is None else shown[1].estimate.note


def _shown_difference(
    result: EvaluationResult, reference: str, other: str
) -> tuple[MetricInfo, PairedDifference] | None:
    """The paired difference of the first metric that has a direction."""
    for info in result.metrics:
        difference = find_difference(result.comparisons, reference, other, info.metric)
        if difference is not None and info.direction != "none":
            return info, difference
    return None


def _is_alike(money: PairedDifference, profit: float) -> bool:
    ends = money.estimate
    return decide_alike(ends.value, ends.low, ends.high, profit)


def _with_certainty(text: str, difference: PairedDifference) -> str:
    """A difference and how sure that one is: what is sure of AUC says nothing of the profit."""
    certainty = certainty_words(difference)
    return f"{text}. {certainty}." if certainty else f"{text}."


def best_other(result: EvaluationResult, reference: str) -> str | None:
    """The strongest of the other models by the first metric that has a direction."""
    info = next((entry for entry in result.metrics if entry.direction != "none"), None)
    others = [entry.model for entry in result.depths if entry.model != reference]
    if info is None or not others:
        return others[0] if others else None
    values = {
        cell.model: cell.estimate.value
        for cell in result.cells
        if cell.metric == info.metric and cell.model in others
    }
    known = [model for model in others if math.isfinite(values.get(model, math.nan))]
    if not known:
        return others[0]
    pick = max if info.direction == "higher" else min
    return pick(known, key=lambda model: values[model])
