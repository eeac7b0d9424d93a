"""What page Experiments offers for the report: loss distributions and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.pages.experiments.words import title_of
from gui.report.parts import ReportPart, chart_part, table_part

if TYPE_CHECKING:
    from gui.pages.experiments.widget import ExperimentsPage


def parts_of(page: ExperimentsPage) -> tuple[ReportPart, ...]:
    """Nothing before something has run."""
    result = page.presenter.result
    if result is None:
        return ()
    parts = [
        chart_part(f"experiments/losses {sampler}", chart.group.name, chart)
        for sampler, chart in page.histograms.items()
        if chart.group is not None
    ]
    parts.append(chart_part("experiments/violins", "All methods at one scale", page.violins))
    names = {
        "summary": "Losses by method",
        "granted": "What it takes for granted",
        "compared": "Comparison",
    }
    for key, title in names.items():
        if key == "compared" and page.presenter.other is None:
            continue
        parts.append(
            table_part(
                f"experiments/{key}",
                title,
                page.views[key],
                subtitle=lambda: title_of(result.spec),
                lines=lambda: (page.presenter.verdict(),),
            )
        )
    return tuple(parts)
