"""Dragging the cursor over results of 10,000,000 cases: time from the move to the repainted page.

The window holds curves cut to 1,001 depths whatever the number of cases; here they stand for
10,000,000. Timed are the move of the shared cursor through the session, every chart, field and
table cell that follows, and the painting of what changed, on the offscreen platform.

Run: QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.bench_cursor
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QApplication, QWidget

from core.document.results import DecisionResult, EvaluationResult
from core.presentation.labels import Labels
from gui.charts import ProfitChart
from gui.pages.compare.widget import ComparePage
from gui.theme import apply_theme
from tests.benchmarks.harness import print_aim
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation
from tests.helpers.harness import make_session

CASES = 10_000_000
DRAWN = 200_000  # cases drawn to make the curves; counts and amounts are scaled to CASES
MOVES = 120
BUDGET = 16.0  # ms
_FACTOR = CASES / DRAWN


def ten_million() -> tuple[EvaluationResult, DecisionResult]:
    """Results of 10,000,000 cases as the engine sends them."""
    evaluation, decisions = make_evaluation(DRAWN), make_decisions(DRAWN)
    depths = tuple(replace(entry, cases=entry.cases * _FACTOR) for entry in evaluation.depths)
    models = tuple(
        replace(
            entry,
            cases=entry.cases * _FACTOR,
            profit=entry.profit * _FACTOR,
            low=entry.low * _FACTOR,
            high=entry.high * _FACTOR,
        )
        for entry in decisions.models
    )
    evaluation = replace(evaluation, depths=depths, rows=replace(evaluation.rows, rows=CASES))
    random = decisions.random_profit * _FACTOR
    return evaluation, replace(
        decisions, models=models, random_profit=random, act_on_all=decisions.act_on_all * _FACTOR
    )


def median_of_drag(application: QApplication, move: Callable[[float], None]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds of a move with its repaint."""
    times = []
    for step in range(MOVES + 5):
        depth = 0.05 + 0.9 * (step * 37 % MOVES) / MOVES
        start = time.perf_counter()
        move(depth)
        application.processEvents()
        times.append(1000 * (time.perf_counter() - start))
    kept = sorted(times[5:])
    return statistics.median(kept), kept[int(0.95 * len(kept))]


def show(application: QApplication, widget: QWidget, width: int, height: int) -> None:
    """Show a widget at a size and let it settle."""
    widget.resize(width, height)
    widget.show()
    for _ in range(3):
        application.processEvents()


def bench_page(application: QApplication, width: int, height: int) -> tuple[float, float]:
    """The whole of page Compare."""
    evaluation, decisions = ten_million()
    session = make_session(make_document(CASES), evaluation, decisions)
    page = ComparePage(session)
    page.setProperty("surface", "window")
    show(application, page, width, height)
    result = median_of_drag(application, session.results.move_cursor)
    page.close()
    return result


def bench_profit(application: QApplication) -> tuple[float, float]:
    """The large profit chart of page Decide alone."""
    _, decisions = ten_million()
    chart = ProfitChart()
    chart.set_result(decisions, Labels.of(make_document(CASES)))
    chart.set_cursor(0.2)
    show(application, chart, 964, 391)
    result = median_of_drag(application, chart.set_cursor)
    chart.close()
    return result


def main() -> int:
    """Print the figures; 1 if a median is over the budget."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    rows = (
        ("page Compare, 1440 x 900", bench_page(application, 1368, 802)),
        ("page Compare, 1280 x 720", bench_page(application, 1208, 622)),
        ("large profit chart", bench_profit(application)),
    )
    print(f"cursor drag, {CASES:,} cases, {MOVES} moves; ms per move with repaint")
    for name, (median, high) in rows:
        print(f"{name:28s} median {median:6.2f}   95 % {high:6.2f}")
        what = f"cursor at {CASES:,} cases, {name}"
        print_aim(what, f"under {BUDGET:g} ms", f"{median:.1f} ms", median <= BUDGET)
    return int(any(median > BUDGET for _, (median, _) in rows))


if __name__ == "__main__":
    raise SystemExit(main())
