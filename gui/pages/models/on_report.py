"""What page Models offers for the report: the list of models and how the chosen one learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.presentation.table import Table
from core.presentation.view import View
from gui.report.parts import ReportPart, chart_part

if TYPE_CHECKING:
    from gui.pages.models.widget import ModelsPage


def parts_of(page: ModelsPage) -> tuple[ReportPart, ...]:
    """The list, then the curves of the model in view: each model is an entry of its own."""
    parts = [ReportPart(key="models/list", title="List of models", make=lambda: _list(page))]
    learning = page.chart.learning
    if learning is not None and not learning.is_running:
        words = f"How {learning.model} learned"
        parts.append(chart_part(f"models/learning {learning.model}", words, page.chart))
    ranges = page.views.fan.result if page.views.is_current else None
    if ranges is not None:
        words = f"Predicted ranges of {ranges.model}"
        parts.append(chart_part(f"models/ranges {ranges.model}", words, page.views.fan))
        words = f"Coverage of the ranges of {ranges.model}"
        parts.append(chart_part(f"models/coverage {ranges.model}", words, page.views.coverage))
    return tuple(parts)


def _list(page: ModelsPage) -> View | None:
    """Every model, what it is, and its figure."""
    rows = page.models.rows()
    if not rows:
        return None
    cells = tuple((row.name, row.kind, row.value) for row in rows)
    strong = tuple((place, 2) for place, row in enumerate(rows) if row.is_best)
    return View(
        key="models/list",
        title="Models",
        tables=(
            Table(
                columns=("Model", "Kind", page.models.figure_words()),
                rows=cells,
                right=(2,),
                strong=strong,
            ),
        ),
    )
