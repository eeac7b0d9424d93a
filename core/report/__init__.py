"""The headless report: one HTML file with inline pictures, no network, no script."""

from core.report.html import (
    ReportInput,
    answers_about,
    cursor_of,
    fresh_views,
    render_entries,
    render_report,
)
from core.report.record import run_record

__all__ = [
    "ReportInput",
    "answers_about",
    "cursor_of",
    "fresh_views",
    "render_entries",
    "render_report",
    "run_record",
]
