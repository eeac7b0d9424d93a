"""The two tables of tab What-if as figures: models now and then, scenarios side by side."""

from __future__ import annotations

import math

from core.document.model import Document
from core.document.results import Estimate
from core.document.studies.what_if import ModelWhatIf, ScenarioOutcome, WhatIfResult
from core.document.wording import NBSP, UNDEFINED, format_count, format_money_interval
from core.presentation.decide_tables import amount, plain_amount
from core.presentation.labels import Labels
from core.presentation.numbers import distance_words, setting_words
from core.presentation.table import Cell, Table, common_scale

LETTERS, NARROW_LETTERS = 34, 15  # of a text column


def model_rows(
    document: Document, result: WhatIfResult, words: Labels, *, is_narrow: bool = False
) -> Table:
    """Each model's total now, with decisions kept and made again, and what that changes."""
    unit = f", {words.currency}" if words.currency and not is_narrow else ""
    columns = (
        ("model", "Model", ""),
        ("now", "Now" + unit, "Total at the present numbers"),
        ("kept", "Kept" + unit, "Every case keeps its present decision"),
        ("kept change", "Change", "Difference to now on the same cases"),
        ("remade", "Made again" + unit, "Decisions are made again at these numbers"),
        ("remade change", "Change", "Difference to now on the same cases"),
        ("bar", f"95{NBSP}%", "Interval of that difference"),
        ("moved", "Other decision", f"{words.cases} that get another decision"),
    )
    left_out = ("kept change", "bar", "moved") if is_narrow else ()
    shown = [entry for entry in columns if entry[0] not in left_out]
    bars = [_turned(entry.remade_change, words) for entry in result.models]
    scale = common_scale(bars)
    series = {model.name: model.series for model in document.models}
    best = max(entry.remade.value for entry in result.models)
    rows = []
    for entry, bar in zip(result.models, bars, strict=True):
        number = series.get(entry.model, 0)
        is_best = entry.remade.value == best
        figures = {
            "model": Cell(text=entry.model, series=number, is_left=True),
            "now": plain_amount(entry.now.value, words),
            "kept": plain_amount(entry.kept.value, words),
            "kept change": _change(entry.kept_change, words),
            "remade": plain_amount(entry.remade.value, words, is_bold=is_best),
            "remade change": _change(entry.remade_change, words),
            "bar": Cell(
                estimate=bar,
                scale=scale,
                series=number,
                exact=format_money_interval(bar.low, bar.high),
            ),
            "moved": Cell(text=format_count(entry.moved)),
        }
        rows.append(tuple(figures[key] for key, _head, _help in shown))
    return Table(
        columns=tuple(head for _key, head, _help in shown),
        rows=tuple(rows),
        help=tuple(text for _key, _head, text in shown),
    )


def _turned(estimate: Estimate, words: Labels) -> Estimate:
    low, high = words.interval(estimate.low, estimate.high)
    return Estimate(value=words.shown(estimate.value), low=low, high=high)


def _change(estimate: Estimate, words: Labels) -> Cell:
    figure = amount(estimate.value, words)
    shown = format_money_interval(*words.interval(estimate.low, estimate.high))
    return Cell(text=figure.text, role=figure.role, exact=shown)


def scenario_rows(result: WhatIfResult, words: Labels, *, is_narrow: bool = False) -> Table:
    """Each scenario: what it changes, decisions kept, decisions made again, the best model."""
    unit = f", {words.currency}" if words.currency and not is_narrow else ""
    header = (
        "Scenario",
        "What is changed",
        "Kept" + unit,
        "Made again" + unit,
        "Best model",
    )
    helps = (
        "",
        "",
        "Total of the model that is best now, present decisions kept",
        "Total of the best model, decisions made again",
        "",
    )
    most = NARROW_LETTERS if is_narrow else LETTERS
    rows = (
        _now_row(result.models, words),
        *(_row(entry, words, most) for entry in result.scenarios),
    )
    return Table(columns=header, rows=rows, help=helps)


def _now_row(models: tuple[ModelWhatIf, ...], words: Labels) -> tuple[Cell, ...]:
    best = max(models, key=lambda entry: entry.now.value)
    return (
        Cell(text="As it is", is_left=True),
        Cell(text=UNDEFINED, role="quiet", is_left=True),
        plain_amount(best.now.value, words),
        plain_amount(best.now.value, words),
        Cell(text=best.model, is_left=True),
    )


def _short(text: str, most: int) -> str:
    """A text cut to so many letters; the tool tip has all of it."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip(' ,')}…"


def _row(entry: ScenarioOutcome, words: Labels, most: int) -> tuple[Cell, ...]:
    changes = ", ".join(
        f"{name} {setting_words(value, unit, words.currency)}"
        + (f" ({distance_words(value, now, unit)})" if now and not math.isnan(now) else "")
        for name, unit, now, value in entry.changes
    )
    name = Cell(text=_short(entry.name, most), is_left=True, is_bold=True, exact=entry.name)
    if entry.refusal:
        gone = Cell(text=UNDEFINED, role="quiet")
        why = Cell(
            text=_short(entry.refusal, most), role="error", is_left=True, exact=entry.refusal
        )
        return (name, why, gone, gone, Cell(text=UNDEFINED, role="quiet", is_left=True))
    return (
        name,
        Cell(text=_short(changes, most), is_left=True, exact=changes),
        plain_amount(entry.kept, words),
        plain_amount(entry.remade, words, is_bold=True),
        Cell(text=entry.best_model, is_left=True),
    )
