"""What page Models offers for the report: the list of models and how the chosen one learned."""

from __future__ import annotations

from core.presentation.table import Table
from core.presentation.view import View
from gui.pages.models.model_list import ModelListCard
from gui.pages.models.views import RANGES, ModelViews
from gui.pages.report.parts import ReportPart, view_part


def parts_of(models: ModelListCard, views: ModelViews) -> tuple[ReportPart, ...]:
    """The list, then the curves of the model in view: each model is an entry of its own."""
    parts = [ReportPart(key="models/list", title="List of models", make=lambda: _list(models))]
    learning, entry = views.learning.learning, views.learning.entry
    if learning is not None and entry is not None and not learning.is_running:
        parts.append(view_part(entry, views.learning))
    ranges = views.ranges_view()
    if ranges is not None:
        looks_at_fan = views.choice.choice() == RANGES
        parts.append(view_part(ranges, views.fan if looks_at_fan else views.coverage))
    return tuple(parts)


def _list(models: ModelListCard) -> View | None:
    """Every model, what it is, and its figure."""
    rows = models.rows()
    if not rows:
        return None
    cells = tuple((row.name, row.kind, row.value) for row in rows)
    strong = tuple((place, 2) for place, row in enumerate(rows) if row.is_best)
    return View(
        key="models/list",
        title="Models",
        tables=(
            Table(
                columns=("Model", "Kind", models.figure_words()),
                rows=cells,
                right=(2,),
                strong=strong,
            ),
        ),
    )
