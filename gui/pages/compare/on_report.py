"""What page Compare offers for the report: the metric table, its charts, studies that are open."""

from __future__ import annotations

import math
from collections.abc import Iterable

from core.document.compare.chart_kinds import title_of
from core.document.compare.metric_words import metric_interval
from core.document.plugin_results import CurveInfo, MetricInfo
from core.document.report.commands import METRIC_TABLE
from core.document.wording import NBSP
from core.presentation.metrics import MetricEntry, no_model_rows
from core.presentation.table import Table
from core.presentation.view import View
from gui.pages.compare.chart_grid import ChartGrid
from gui.pages.compare.metric_model import MetricTableModel
from gui.pages.compare.metric_table import MetricTable
from gui.pages.report.parts import ReportPart, chart_part, table_part, view_part

_ARROWS = {"higher": " ↑", "lower": " ↓"}


def parts_of(
    table: MetricTable,
    warnings: tuple[str, ...],
    grid: ChartGrid,
    curves: tuple[CurveInfo, ...],
    studies: Iterable[View],
) -> tuple[ReportPart, ...]:
    """The metric table with its warnings, the charts shown, the studies that are open."""
    metrics = table_part(
        METRIC_TABLE,
        "Metric table",
        table,
        subtitle=lambda: table.rows_text,
        lines=lambda: _words_below(warnings),
        table=lambda: metric_cells(table.metrics),
    )
    charts = (
        chart_part(kind, title_of(kind, curves), card)
        for kind, card in ((grid.kind_of(card), card) for card in grid.charts())
    )
    return (metrics, *charts, *map(view_part, studies))


def _words_below(warnings: tuple[str, ...]) -> tuple[str, ...]:
    legend = (
        "95 % intervals below each value, for these finished models on new cases like these. "
        "Bold = best, ≈ = not distinguishable from the best."
    )
    said = (f"⚠ {'   '.join(warnings)}",) if warnings else ()
    return (*said, legend)


def metric_cells(model: MetricTableModel) -> Table:
    """The metric table in the order of its rows, with intervals as text."""
    columns = model.columns()
    names = tuple(f"{c.info.title}{_ARROWS.get(c.info.direction, '')}" for c in columns)
    rows, strong = [], []
    for row in range(sum(not model.is_no_model(row) for row in range(model.rowCount()))):
        place = model.place_of(row)
        cells = [model.model_at(row)]
        for at, column in enumerate(columns):
            entry = column.cells[place]
            cells.append(_cell(column.info, entry))
            if entry.is_best:
                strong.append((row, at + 1))
        rows.append(tuple(cells))
    return Table(
        columns=("Model", *names),
        rows=(*rows, *no_model_rows(columns)),
        right=tuple(range(1, len(columns) + 1)),
        strong=tuple(strong),
    )


def _cell(info: MetricInfo, entry: MetricEntry) -> str:
    mark = f"{NBSP}≈" if entry.is_tied else ""
    low, high = entry.estimate.low, entry.estimate.high
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{entry.text}{mark}"
    return f"{entry.text}{mark}\n{metric_interval(info, low, high)}"
