"""What page Decide offers for the report: the total, the profit chart, the tables, the studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.presentation.labels import money_by_depth
from core.presentation.view import View
from gui.pages.report.parts import ReportPart, chart_part, table_part

if TYPE_CHECKING:
    from core.document.model import Document
    from gui.charts.card import ChartCard
    from gui.pages.decide.headline import HeadlineCard
    from gui.pages.decide.table_card import TableCard
    from gui.widgets.tables.figure_table import FigureTable


def parts_of(
    document: Document, headline: HeadlineCard, rule: str, chart: ChartCard, tables: TableCard
) -> tuple[ReportPart, ...]:
    """The big number with the rule in words first, what explains it after it."""

    def total() -> View | None:
        if headline.said is None:
            return None
        wrong = headline.wrong.reason if headline.wrong is not None else ""
        return headline.said.view(wrong, rule)

    return (
        ReportPart(key="decide/total", title="The total at the cursor", make=total),
        chart_part("decide/profit", money_by_depth(document), chart),
        figure_part("decide/decisions", "Decision table", tables.decisions),
        figure_part("decide/models", "All models at the cursor", tables.models),
        figure_part("decide/totals", "Totals of all models", tables.totals),
        *(part for study in tables.studies for part in study.report_parts()),
    )


def figure_part(key: str, title: str, table: FigureTable) -> ReportPart:
    """A table of figures as a part."""
    return table_part(key, title, table, table=table.report_table)
