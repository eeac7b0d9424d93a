"""What page Uplift offers for the report: validity, curve, net gain, prices, tables and tabs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.presentation.table import Table
from core.presentation.view import View
from gui.pages.decide.on_report import figure_part
from gui.pages.uplift.tabs import ARMS, METRICS, ORDER, SLICES
from gui.report.parts import ReportPart, chart_part, table_part

if TYPE_CHECKING:
    from gui.pages.uplift.widget import UpliftPage

_SIGNS = {"ok": "✓", "warning": "⚠", "error": "✗"}


def parts_of(page: UpliftPage) -> tuple[ReportPart, ...]:
    """Validity first, as on the page; nothing before the experiment has been measured."""
    if page.result is None:
        return ()
    validity = ReportPart(
        key="uplift/validity",
        title="Is the experiment valid?",
        make=lambda: _validity(page),
    )
    if not page.result.models:
        return (validity,)
    action = page.action
    return (
        validity,
        chart_part("uplift/curve", "Gain by depth", page.chart),
        ReportPart(key="uplift/total", title="Net gain", make=lambda: _total(page)),
        figure_part("uplift/depths", "Best depth of each model", action.table),
        chart_part("uplift/prices", "Which model wins at which price?", action.chart),
        figure_part("uplift/variants", "One ranking in every definition", page.variants.table),
        figure_part("uplift/criteria", "Six criteria", page.criteria.table),
        *_tab_parts(page),
    )


def _tab_parts(page: UpliftPage) -> list[ReportPart]:
    """Tables of the tabs that were looked at, while they answer the present document."""
    tabs, model = page.variants, page.bar.model.currentText()
    titles = {
        METRICS: "Metrics of every model",
        SLICES: f"Slices of the ranking with their balance, {model}",
        ARMS: "Each arm against the control arm",
        ORDER: "Figures by order of rows",
    }
    return [
        table_part(
            f"uplift/{key}",
            title,
            tabs.tables[key],
            lines=partial(tabs.words_of, key),
            table=tabs.tables[key].report_table,
        )
        for key, title in titles.items()
        if tabs.is_answered(key)
    ]


def _validity(page: UpliftPage) -> View | None:
    """The guard's verdict, its checks as a table, and the effect without a model."""
    if page.result is None:
        return None
    guard, rows = page.result.guard, page.result.rows
    checks = tuple(
        (f"{_SIGNS.get(line.state, '')} {line.title}".strip(), line.value, line.detail)
        for line in guard.checks
    )
    return View(
        key="uplift/validity",
        title=guard.headline,
        subtitle=rows.text,
        notes=tuple(line for line in (guard.advice, page.guard.effect.text()) if line),
        tables=(Table(columns=("Check", "Found", "What it says"), rows=checks),),
    )


def _total(page: UpliftPage) -> View | None:
    """The net gain of the chosen model at its best depth."""
    action = page.action
    lines = (
        action.invalid.text(),
        action.interval.text(),
        action.advice.text(),
        action.detail.text(),
    )
    if not action.gain.text():
        return None
    return View(
        key="uplift/total",
        title=f"{action.gain_label.text()}, {page.bar.model.currentText()}",
        figure=action.gain.text(),
        sentences=tuple(line for line in lines if line),
    )
