"""What studies of figures show: limits of the expected loss, definitions of other tools."""

from __future__ import annotations

import math

from core.document.compare.chart_kinds import CHART_WORDS, CONVENTIONS, chart_kind
from core.document.experiments.results import (
    BoundsResult,
    ConditionState,
    ErrorBound,
    ModelBounds,
    Side,
)
from core.document.studies.compare import DefinitionRow, DefinitionsResult
from core.document.wording import format_count, format_number, format_share
from core.presentation.labels import Labels
from core.presentation.table import Table
from core.presentation.view import View

_MARKS = {
    ConditionState.MET: "✓",
    ConditionState.ASSUMED: "taken for granted:",
    ConditionState.BROKEN: "⚠",
}


def loss_limits(answer: BoundsResult, labels: Labels) -> View:
    """Limits of every model's expected loss, with what each of them takes for granted."""
    del labels  # losses have no words of the project
    columns = "Model", "Bound", "Losses", "Mean loss", "Limit", "Margin", "Cases needed", "Holds"
    title = "How sure is the loss?"
    table = Table(
        columns=columns,
        rows=tuple(row for model in answer.models for row in _limit_rows(model)),
        right=(2, 3, 4, 5, 6),
        name=title,
        wide=7,
    )
    conditions = dict.fromkeys(
        f"{_MARKS[condition.state]} {condition.text}"
        for model in answer.models
        for bound in model.bounds
        for condition in bound.conditions
    )
    return View(
        title=title,
        sentences=(answer.rows_text,),
        tables=(table,),
        notes=(*conditions, *answer.warnings),
    )


def _limit_rows(model: ModelBounds) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            model.model,
            bound.label,
            format_count(bound.n),
            _loss_words(bound.mean),
            _limit_words(bound),
            _loss_words(bound.margin),
            format_count(bound.needed) if bound.needed else "—",
            _holds_words(bound),
        )
        for bound in model.bounds
    ]
    if model.refusal and not rows:
        told = format_count(model.n), _loss_words(model.mean)
        return [(model.model, "", *told, "", "", "", model.refusal)]
    return rows


def _limit_words(bound: ErrorBound) -> str:
    if bound.side is Side.TWO:
        return f"{_loss_words(bound.low)} to {_loss_words(bound.high)}"
    return _loss_words(bound.high if bound.side is Side.UPPER else bound.low)


def _holds_words(bound: ErrorBound) -> str:
    share = format_share(bound.confidence, 0)
    if bound.is_vacuous:
        return "says no more than the range of the loss"
    return f"valid, {share}" if bound.is_valid else f"approximate, {share}"


def _loss_words(value: float) -> str:
    return format_number(value, 4) if math.isfinite(value) else "—"


# ---------------------------------------------------------------- definitions


def other_definitions(answer: DefinitionsResult, labels: Labels) -> View:
    """Figures by Payoff's definitions and by another tool's, with the cause of each difference."""
    del labels  # figures have their own names
    tool = dict(CONVENTIONS)[answer.convention].removeprefix("as ")
    title = f"Definitions of {tool}"
    table = Table(
        columns=("Figure", "Model", "Payoff", tool, "Why they differ"),
        rows=tuple(_definition_row(entry) for entry in answer.rows),
        right=(2, 3),
        name=title,
        wide=4,
    )
    charts = tuple(
        f"{known.subtitle}: {name}. {cause}"
        for (key, kind), (name, cause) in CHART_WORDS.items()
        if key == answer.convention and (known := chart_kind(kind)) is not None
    )
    said = f"Figures as {tool} defines them, beside Payoff's; what differs in charts stands below."
    return View(title=title, sentences=(said,), tables=(table,), notes=charts)


def _definition_row(entry: DefinitionRow) -> tuple[str, ...]:
    ours = f"{format_number(entry.ours, entry.decimals)}  ({entry.ours_words})"
    theirs = f"{format_number(entry.theirs, entry.decimals)}  ({entry.theirs_words})"
    return entry.figure, entry.model, ours, theirs, entry.cause
