"""What page Decide offers for the report: the total, the profit chart, the tables, the studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.presentation.labels import money_by_depth
from core.presentation.view import View
from gui.pages.decide.studies import Study
from gui.parts.figure_table import FigureTable
from gui.plots.card import ChartCard
from gui.report.parts import ReportPart, chart_part, table_part

if TYPE_CHECKING:
    from gui.pages.decide.widget import DecidePage


def parts_of(page: DecidePage) -> tuple[ReportPart, ...]:
    """The big number first, what explains it after it."""
    card = page.tables
    parts = [
        ReportPart(
            key="decide/total", title="The total at the cursor", make=lambda: total_block(page)
        ),
        chart_part("decide/profit", money_by_depth(page.workspace.document), page.chart),
        figure_part("decide/decisions", "Decision table", card.decisions),
        figure_part("decide/models", "All models at the cursor", card.models),
        figure_part("decide/totals", "Totals of all models", card.totals),
    ]
    for study in card.findChildren(Study):
        parts += _study_parts(study)
    return tuple(parts)


def figure_part(key: str, title: str, table: FigureTable) -> ReportPart:
    """A table of figures as a part."""
    return table_part(key, title, table, table=table.report_table)


def _study_parts(study: Study) -> list[ReportPart]:
    """Charts and tables of a study, while its answer is of the present document."""
    if not study.is_current:
        return []
    if study.view is not None:
        view, shown = study.view, study.panel.charts[0] if study.panel.charts else None
        return [ReportPart(key=view.key, title=study.title(), make=lambda: view, chart=shown)]
    parts = []
    name = study.asks.facts.key.replace(".", "/")
    for number, chart in enumerate(study.findChildren(ChartCard)):
        key = f"{name}/chart{number}"
        parts.append(chart_part(key, _chart_title(study, chart), chart))
    for number, table in enumerate(study.findChildren(FigureTable)):
        key = f"{name}/table{number}"
        parts.append(figure_part(key, table.accessibleName(), table))
    return parts


def _chart_title(study: Study, chart: ChartCard) -> str:
    spec = chart.view.spec
    return spec.title if spec is not None else study.title()


def total_block(page: DecidePage) -> View | None:
    """The headline in words: the total, its interval, and what it is compared with."""
    card = page.headline
    if card.isHidden() and not page.chart.is_large:
        return None
    wrong = "" if card.invalid.isHidden() else card.invalid.text()
    lines = [wrong, card.interval.text(), card.per_thousand.text()]
    for block in card.blocks:
        if not block.isHidden():
            parts = (block.amount.text(), block.interval.text(), block.words.text())
            more = ", ".join(part for part in parts if part)
            lines.append(f"{block.title.text()}: {more}")
    lines.append(page.meaning.rule.accessibleName())
    return View(
        key="decide/total",
        title=card.title_words,
        figure=card.number.text(),
        sentences=tuple(line for line in lines if line),
    )
