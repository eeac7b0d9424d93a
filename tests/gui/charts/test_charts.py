"""What charts read out: flags, rings, marks, words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from core.document.wording import format_share
from core.presentation.charts.depths import depth_of_threshold
from core.presentation.labels import Labels, done_word, group_word
from gui.charts import EvaluationChart, ProfitChart
from gui.charts.fonts import chart_metrics
from gui.charts.frame import y_label_that_fits
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)


def test_the_flag_reads_depth_cases_threshold_and_values(profit):
    state = profit.view.state
    first = make_decisions().models[0]
    assert state.head == "Best 21.3\u00a0%: 4,260 customers"
    threshold = np.interp(0.213, first.depth, first.threshold)
    assert state.note == f"chance above {100 * threshold:.2f}\u00a0%"
    value = np.interp(0.213, first.depth, first.profit)
    assert state.lines[0].value == f"€\u00a0{value:,.0f}"
    assert [line.name for line in state.lines] == ["gbm 2", "logit", "agency"]
    assert profit.view.has_flag


def test_rings_stand_on_the_curves_between_grid_points(profit):
    depth = 0.21337
    profit.set_cursor(depth)
    for ring, model in zip(profit.view.state.rings, make_decisions().models, strict=True):
        below = int(depth * 1000)
        share = depth * 1000 - below
        expected = (1 - share) * model.profit[below] + share * model.profit[below + 1]
        assert ring.x == depth
        assert ring.y == pytest.approx(expected, rel=1e-12)


def test_exact_values_replace_interpolated_ones_only_at_their_depth(profit):
    reading = make_reading(0.213)
    exact = replace(reading, profit=reading.profit + 5000.0, cases=reading.cases + 7)
    profit.set_reading(exact)
    assert profit.view.state.lines[0].value == f"€\u00a0{exact.profit[0]:,.0f}"
    assert "4,267 customers" in profit.view.state.head
    profit.set_cursor(0.3)
    expected = np.interp(0.3, make_decisions().models[0].depth, make_decisions().models[0].profit)
    assert profit.view.state.lines[0].value == f"€\u00a0{expected:,.0f}"


def test_the_flag_flips_left_past_half(profit):
    layout = profit.view.chart_layout
    for depth in (0.2, 0.49):
        profit.set_cursor(depth)
        assert profit.view.geometry_of_cursor.flag.left() >= layout.to_x(depth) - 1
    for depth in (0.52, 0.8, 1.0):
        profit.set_cursor(depth)
        flag = profit.view.geometry_of_cursor.flag
        assert flag.right() <= layout.to_x(depth) + 1
        assert flag.left() >= 0


def test_a_flag_too_wide_for_its_side_stays_inside(profit):
    profit.resize(560, 340)
    for depth in (0.0, 0.3, 0.55, 1.0):
        profit.set_cursor(depth)
        flag = profit.view.geometry_of_cursor.flag
        assert flag.left() >= 0
        assert flag.right() <= profit.view.width()


def test_a_flag_wider_than_the_chart_gives_way_to_the_box(profit):
    assert profit.view.geometry_of_cursor.flag is not None
    for width, height in ((300, 340), (964, 190)):  # too narrow; too low to stand above the curves
        profit.resize(width, height)
        geometry = profit.view.geometry_of_cursor
        assert geometry.flag is None
        assert geometry.box is not None
        assert 0 <= geometry.box.left() <= geometry.box.right() <= profit.view.width()
        assert [hit.name for hit in geometry.hits] == ["gbm 2", "logit", "agency"]
    layout = profit.view.chart_layout
    assert layout.plot.top() - layout.to_y(layout.y_high) < 1
    top = max(float(model.high.max()) for model in make_decisions().models)
    assert layout.to_y(top) - layout.plot.top() < 44  # a low chart keeps no room for a flag


def test_the_flag_stands_in_headroom_above_every_band(profit):
    layout = profit.view.chart_layout
    top = max(float(model.high.max()) for model in make_decisions().models)
    assert layout.to_y(top) > profit.view.geometry_of_cursor.flag.bottom()


def test_the_legend_gives_way_to_the_flag(profit):
    profit.set_cursor(0.1)
    view = profit.view
    assert view.geometry_of_cursor.box is not None
    profit.set_cursor(0.45)
    geometry = view.geometry_of_cursor
    assert geometry.box is None or not geometry.box.intersects(geometry.flag)
    assert len(geometry.hits) == 3


def test_a_small_chart_reads_in_its_box(gains):
    state = gains.view.state
    assert not gains.view.has_flag
    assert state.head == "Best 21.3\u00a0%: 4,260"
    curve = make_evaluation().charts[1].curves[0]
    assert state.lines[0].value == format_share(float(np.interp(0.213, curve.x, curve.y)))
    assert gains.view.geometry_of_cursor.box is not None


def test_roc_shows_marks_and_no_line(look, show):
    chart = EvaluationChart("roc")
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    show(chart)
    state, depths = chart.view.state, make_evaluation().depths[0]
    assert state.x is None
    assert state.rings[0].y == pytest.approx(np.interp(0.213, depths.depth, depths.class_share[0]))
    assert state.rings[0].x == pytest.approx(np.interp(0.213, depths.depth, depths.class_share[1]))
    assert chart.depth_at(state.rings[0].x, 0.0) == pytest.approx(0.213, abs=0.002)


def test_charts_of_chances_stand_at_the_threshold(look, show):
    depths = make_evaluation().depths[0]
    for kind in ("calibration", "score_distribution"):
        chart = EvaluationChart(kind)
        chart.set_result(make_evaluation(), look)
        chart.set_cursor(0.213)
        show(chart)
        threshold = float(np.interp(0.213, depths.depth, depths.threshold))
        assert chart.view.state.x == pytest.approx(threshold)
        assert chart.depth_at(threshold, 0.0) == pytest.approx(0.213, abs=0.002)


def test_calibration_says_the_engines_verdict_in_few_words(qtbot, look):
    chart = EvaluationChart("calibration")
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    assert chart.view.state.head.startswith("Mail above ")
    assert [line.name for line in chart.view.state.lines] == ["agency too low, 4 % to 12 %"]


def test_an_enlarged_calibration_shows_its_verdict_in_the_flag(look, show):
    chart = EvaluationChart("calibration")
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    chart.set_large(True)
    show(chart, 900, 420)
    assert not chart.grab().isNull()  # a verdict has no sample: painting one was an error
    assert chart.view.has_flag


def test_a_threshold_maps_to_a_depth_and_back():
    depths = make_evaluation().depths[1]
    for depth in (0.05, 0.2, 0.61):
        threshold = float(np.interp(depth, depths.depth, depths.threshold))
        assert depth_of_threshold(depths, threshold) == pytest.approx(depth, abs=0.003)


def test_losses_are_shown_as_losses(look, show):
    chart = ProfitChart()
    chart.set_result(make_decisions(), replace(look, is_loss=True))
    chart.set_cursor(0.213)
    show(chart)
    spec = chart.view.spec
    first = make_decisions().models[0]
    assert spec.title == "Loss if the best n % are mailed"
    np.testing.assert_array_equal(spec.series[0].y, -first.profit)
    np.testing.assert_array_equal(spec.series[0].low, -first.high)
    assert chart.view.state.lines[0].value.startswith("−€")


def test_each_its_own_decision_has_its_own_title(look, show):
    chart = ProfitChart()
    chart.set_result(make_decisions(), replace(look, mode=ChartMode.FIRM))
    show(chart)
    assert chart.view.spec.title == "Profit if each of the best n % gets its own decision"
    assert all(line.name != "at random" for line in chart.view.spec.baselines)


def test_where_acting_avoids_the_event_the_cursor_counts_from_the_other_end(show):
    document = make_document()
    matrix = replace(
        document.matrix,
        kind=MatrixKind.PROFIT,
        cells=((-5.0, 0.0), (1.0, 0.0)),
        decisions=("Lend", "Do nothing"),
        acting="Lend",
    )
    look = Labels.of(replace(document, matrix=matrix))
    assert look.is_reversed
    chart = EvaluationChart("gains")
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.8)
    show(chart)
    assert chart.view.state.x == pytest.approx(0.2)
    assert chart.view.state.head.startswith("Highest 20.0")
    assert chart.depth_at(0.2, 0.0) == pytest.approx(0.8)


def test_a_partial_result_without_bands_is_drawn(look, show):
    result = make_evaluation()
    bare = replace(
        result,
        resamples=0,
        charts=tuple(
            replace(c, curves=tuple(replace(v, low=None, high=None) for v in c.curves))
            for c in result.charts
        ),
    )
    chart = EvaluationChart("lift")
    chart.set_result(bare, look)
    chart.set_cursor(0.213)
    show(chart)
    assert chart.view.spec.series[0].low is None
    assert chart.view.state.lines[0].value


def test_words_of_charts():
    assert done_word("Mail") == "mailed"
    assert done_word("Premium") == "given “Premium”"
    assert done_word("") == "acted on"
    assert group_word("responds", "customers") == "responders"
    assert group_word("1", "customers") == "events"
    assert group_word("  ", "customers") == "events"  # a class of blanks
    assert group_word("2", "customers") == "“2” customers"
    assert group_word("bad", "loans") == "bad loans"


def test_a_long_name_of_the_y_axis_loses_its_last_clause_before_it_is_cut(qapp):
    label, metrics = "Bernoulli deviance, lower is better", chart_metrics()
    clause = label.partition(", ")[0]
    wide, room = metrics.horizontalAdvance(label), metrics.horizontalAdvance(clause)
    assert y_label_that_fits(label, clause, metrics, wide + 1) == label
    assert y_label_that_fits(label, clause, metrics, wide - 1) == clause
    assert y_label_that_fits(label, clause, metrics, room - 4).endswith("…")
    assert y_label_that_fits("profit, thousand €", "", metrics, 60).startswith("profit")
