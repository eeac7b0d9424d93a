"""What page Decide offers for the report: the total, the profit chart, the tables, the studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.presentation.labels import money_by_depth
from core.presentation.view import View
from gui.pages.report.parts import ReportPart, chart_part

if TYPE_CHECKING:
    from core.document.model import Document
    from core.presentation.table import Table
    from gui.charts.card import ChartCard
    from gui.pages.decide.headline import HeadlineCard
    from gui.pages.decide.table_card import TableCard


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
        _figures("decide/decisions", "Decision table", tables, 0),
        _figures("decide/models", "All models at the cursor", tables, 1),
        _totals("decide/totals", "Totals of all models", tables),
        *(part for study in tables.studies for part in study.report_parts()),
    )


def _figures(key: str, title: str, tables: TableCard, place: int) -> ReportPart:
    """One of the two tables of the first tab; what was checked belongs to the first."""

    def make() -> View | None:
        view = tables.view()
        if view is None:
            return None
        notes = (*view.sentences, *view.notes) if place == 0 else ()
        return _entry(key, title, view.tables[place], notes)

    return ReportPart(
        key=key, title=title, make=make, view=(tables.decisions, tables.models)[place]
    )


def _totals(key: str, title: str, tables: TableCard) -> ReportPart:
    """The totals, with the rows that they are of."""

    def make() -> View | None:
        view = tables.totals_view()
        return _entry(key, title, view.tables[0], view.notes) if view is not None else None

    return ReportPart(key=key, title=title, make=make, view=tables.totals)


def _entry(key: str, title: str, table: Table, notes: tuple[str, ...]) -> View:
    return View(key=key, title=title, tables=(table.as_texts(),), notes=notes)
