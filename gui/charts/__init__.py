"""Charts: pyqtgraph curves under one shared cursor, each in a card with a question as its title.

Import this package late: it brings pyqtgraph, which the window's start does without.

A chart takes a result and ``Labels`` (the document's words, currency and models); what it draws and
reads is made of them in ``core.presentation``::

    chart = ProfitChart()  # large, with the flag; is_compact=True has a read-out box
    chart.set_result(decisions, Labels.of(document))
    chart.set_cursor(depth)  # shared cursor, share of cases acted on, 0 to 1
    chart.set_reading(reading)  # the engine's exact values replace interpolated ones at its depth
    chart.set_pin(depth_or_none)
    chart.set_empty(title, sentence, button)  # shown while there is no result
    chart.cursor_requested.connect(session.move_cursor)  # float; cursor_released() ends the step

Signals: cursor_requested(float), cursor_released(), best_requested(), pin_requested(object),
enlarge_requested(), fill_requested(), refused(PayoffError).
"""

from gui.charts.card import ChartCard
from gui.charts.evaluation.cursor_charts import EvaluationChart, ProfitChart
from gui.charts.export.export import export_chart
from gui.charts.spec import CursorState

__all__ = [
    "ChartCard",
    "CursorState",
    "EvaluationChart",
    "ProfitChart",
    "export_chart",
]
