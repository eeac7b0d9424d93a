"""What page Compare offers for the report: the metric table, its charts, studies that are open."""

from __future__ import annotations

from collections.abc import Iterable

from core.document.compare.chart_kinds import title_of
from core.document.model import Document
from core.document.plugin_results import CurveInfo
from core.document.report.commands import METRIC_TABLE
from core.presentation.view import View
from gui.pages.report.parts import ReportPart, view_part


def parts_of(
    document: Document,
    level: str | None,
    kinds: Iterable[str],
    curves: tuple[CurveInfo, ...],
    studies: Iterable[View],
) -> tuple[ReportPart, ...]:
    """The metric table, the charts shown, the studies that are open."""
    metrics = ReportPart(key=entry_kind(METRIC_TABLE, document, level), title="Metric table")
    charts = (
        ReportPart(key=entry_kind(kind, document, level), title=title_of(kind, curves))
        for kind in kinds
    )
    return (metrics, *charts, *map(view_part, studies))


def entry_kind(kind: str, document: Document, level: str | None) -> str:
    """The entry of a chart: with the class that counts as the event, where it is another one."""
    event = document.target.event if document.target is not None else ""
    return f"{kind} {level}" if level and level != event and kind != "profit" else kind
