"""Charts of made-up results, shown as large as a card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.presentation.labels import Labels
from gui.charts import ChartCard, EvaluationChart, ProfitChart
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation


@pytest.fixture
def look() -> Labels:
    return Labels.of(make_document(), make_decisions())


@pytest.fixture
def show(show) -> Callable[..., ChartCard]:
    """Charts, as large as a card of the grid."""
    return lambda chart, width=460, height=300: show(chart, width, height)


@pytest.fixture
def profit(look, show) -> ProfitChart:
    chart = ProfitChart()
    chart.set_result(make_decisions(), look)
    chart.set_cursor(0.213)
    return show(chart, 964, 391)


@pytest.fixture
def gains(look, show) -> EvaluationChart:
    chart = EvaluationChart("gains")
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    return show(chart)
