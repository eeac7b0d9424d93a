"""What page Decide offers for the report: the total, the profit chart, the tables, the studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.presentation.labels import money_by_depth
from gui.pages.report.parts import ReportPart

if TYPE_CHECKING:
    from core.document.model import Document
    from gui.charts.card import ChartCard
    from gui.pages.decide.table_card import TableCard


def parts_of(document: Document, chart: ChartCard, tables: TableCard) -> tuple[ReportPart, ...]:
    """The big number first, what explains it after it; tables as they count at present."""
    by_rule = tables.is_by_rule_chosen()
    suffix, words = (" rule", "by the rule") if by_rule else ("", "at the cursor")
    return (
        ReportPart(key="decide/total", title="The total at the cursor"),
        ReportPart(key="decide/profit", title=money_by_depth(document), charts=(chart,)),
        ReportPart(key=f"decide/decisions{suffix}", title=f"Decision table, {words}"),
        ReportPart(key=f"decide/models{suffix}", title=f"All models, {words}"),
        ReportPart(key="decide/totals", title="Totals of all models"),
        *(part for study in tables.studies for part in study.report_parts()),
    )
