"""What page Models offers for the report: the list of models and how the chosen one learned."""

from __future__ import annotations

from gui.pages.models.views import ModelViews
from gui.pages.report.parts import ReportPart, view_part


def parts_of(views: ModelViews) -> tuple[ReportPart, ...]:
    """The list, then the curves of the model in view: each model is an entry of its own."""
    parts = [ReportPart(key="models/list", title="List of models")]
    learning, entry = views.learning.learning, views.learning.entry
    if learning is not None and entry is not None and not learning.is_running:
        parts.append(view_part(entry, [views.learning]))
    ranges = views.ranges_view()
    if ranges is not None:
        parts.append(view_part(ranges, (views.fan, views.coverage)))
    return tuple(parts)
