"""The headless report: one HTML file with inline pictures, no network, no script."""

from core.report.charts import with_report_charts
from core.report.html import ReportInput, cursor_of, render_report
from core.report.record import record_of

__all__ = ["ReportInput", "cursor_of", "record_of", "render_report", "with_report_charts"]
