"""What page Explain offers for the report: what a model uses, and how one input acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.document.wording import format_share
from core.presentation.table import Table
from core.presentation.view import View
from gui.report.parts import ReportPart, chart_part

if TYPE_CHECKING:
    from gui.pages.explain.widget import ExplainPage


def parts_of(page: ExplainPage) -> tuple[ReportPart, ...]:
    """The inputs by influence, then the curve of the input in view."""
    model = page.model
    if not model:
        return ()
    key = f"explain/influence {model}"
    title = f"What {model} uses"
    parts = [ReportPart(key=key, title=title, make=lambda: _influence(page, key, title))]
    view = page.case_view()
    if view is not None:
        chart = page.case.panel.charts[0]
        parts.append(ReportPart(key=view.key, title=view.title, make=lambda: view, chart=chart))
    curve = page.chart.curve
    if curve is not None:
        words = f"How does {curve.column} change the prediction?"
        parts.append(chart_part(f"explain/{model} {curve.column}", words, page.chart))
    pair = page.pairs.view.spec
    if pair is not None:
        names = f"{pair.x_axis.label} and {pair.y_axis.label}"
        words = f"{names} together"
        parts.append(chart_part(f"explain/pair {model}: {names}", words, page.pairs))
    return tuple(parts)


def subject_of_entry(kind: str, models: tuple[str, ...]) -> tuple[str, str] | None:
    """Model and input that an entry is about, the input empty for all; None for a lost model."""
    part = kind.removeprefix("explain/")
    if part.removeprefix("influence ") in models:
        return part.removeprefix("influence "), ""
    named = [model for model in models if part.startswith(f"{model} ")]
    model = max(named, key=len, default="")
    return (model, part[len(model) + 1 :]) if model else None


def _influence(page: ExplainPage, key: str, title: str) -> View | None:
    """Every input with its share of the influence."""
    known = page.known()
    if not known.influence:
        return None
    rows = tuple((column, format_share(share)) for column, share in known.influence)
    return View(
        key=key,
        title=title,
        subtitle=known.rows_text,
        notes=known.notes,
        tables=(Table(columns=("Input", "Influence"), rows=rows, right=(1,)),),
    )
