from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from core.document.wording import format_share
from gui.plots import (
    CalibrationChart,
    ChartCard,
    ChartLook,
    GainsChart,
    LiftChart,
    ProfitChart,
    RocChart,
    ScoreDistributionChart,
)
from gui.plots.curves import series_pen
from gui.plots.readings import depth_of_threshold
from gui.plots.threshold_charts import short_verdict
from gui.plots.words import done_word, group_word
from gui.theme import DARK, LIGHT, apply_theme
from tests.gui.synthetic import make_decisions, make_document, make_evaluation, make_reading

EVALUATION_CHARTS = (RocChart, GainsChart, LiftChart, CalibrationChart, ScoreDistributionChart)


@pytest.fixture
def look() -> ChartLook:
    return ChartLook.from_document(make_document(), None, make_decisions())


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
def gains(look, show) -> GainsChart:
    chart = GainsChart()
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    return show(chart)


def at_depth(chart, depth: float) -> QPoint:
    layout = chart.view.chart_layout
    return QPoint(round(layout.to_x(depth)), round(layout.plot.center().y()))


# ---------------------------------------------------------------- reading


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
    chart = RocChart()
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
    for kind in (CalibrationChart, ScoreDistributionChart):
        chart = kind()
        chart.set_result(make_evaluation(), look)
        chart.set_cursor(0.213)
        show(chart)
        threshold = float(np.interp(0.213, depths.depth, depths.threshold))
        assert chart.view.state.x == pytest.approx(threshold)
        assert chart.depth_at(threshold, 0.0) == pytest.approx(0.213, abs=0.002)


def test_calibration_says_the_engines_verdict_in_few_words(qtbot, look):
    chart = CalibrationChart()
    chart.set_result(make_evaluation(), look)
    chart.set_cursor(0.213)
    assert chart.view.state.head.startswith("Mail above ")
    assert [line.name for line in chart.view.state.lines] == ["agency too low, 4 % to 12 %"]
    assert short_verdict("gbm: the chances come true, as far as 20 groups can tell.") == ""


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
    look = ChartLook.from_document(replace(document, matrix=matrix))
    assert look.is_reversed
    chart = GainsChart()
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
    chart = LiftChart()
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
    assert group_word("bad", "loans") == "bad loans"


# ---------------------------------------------------------------- mouse and keyboard


def test_a_drag_asks_for_the_depth_under_the_mouse(qtbot, gains):
    asked: list[float] = []
    gains.cursor_requested.connect(asked.append)
    viewport = gains.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.3))
    qtbot.mouseMove(viewport, at_depth(gains, 0.45))
    with qtbot.waitSignal(gains.cursor_released):
        qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.45))
    assert asked[0] == pytest.approx(0.3, abs=0.003)
    assert asked[-1] == pytest.approx(0.45, abs=0.003)


def test_a_drag_beyond_the_end_stays_at_the_end(qtbot, gains):
    asked: list[float] = []
    gains.cursor_requested.connect(asked.append)
    viewport = gains.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at_depth(gains, 0.5))
    qtbot.mouseMove(viewport, QPoint(viewport.width() - 1, 60))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(viewport.width() - 1, 60))
    assert asked[-1] == 1.0


def test_arrow_keys_step_one_case_and_one_percent(qtbot, gains):
    asked: list[float] = []
    gains.cursor_requested.connect(asked.append)
    qtbot.keyClick(gains.view, Qt.Key.Key_Right)
    qtbot.keyClick(gains.view, Qt.Key.Key_Left)
    qtbot.keyClick(gains.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(gains.view, Qt.Key.Key_Home)
    with qtbot.waitSignal(gains.cursor_released):
        qtbot.keyClick(gains.view, Qt.Key.Key_End)
    one = 1 / 20_000
    assert asked == pytest.approx([0.213 + one, 0.213 - one, 0.223, 0.0, 1.0])


def test_a_typed_number_moves_the_cursor(qtbot, gains):
    gains.view.setFocus()
    qtbot.keyClicks(gains.view, "3")
    entry = gains._entry
    assert entry.isVisible()
    qtbot.keyClicks(entry, "5.5")
    with qtbot.waitSignal(gains.cursor_requested) as asked:
        qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert asked.args == [pytest.approx(0.355)]
    assert not entry.isVisible()


def test_escape_leaves_the_typed_number(qtbot, gains):
    qtbot.keyClicks(gains.view, "9")
    with qtbot.assertNotEmitted(gains.cursor_requested):
        qtbot.keyClick(gains._entry, Qt.Key.Key_Escape)
    assert not gains._entry.isVisible()


def test_a_double_click_asks_for_the_best(qtbot, profit):
    with qtbot.waitSignal(profit.best_requested):
        qtbot.mouseDClick(
            profit.view.viewport(), Qt.MouseButton.LeftButton, pos=at_depth(profit, 0.6)
        )
    assert profit.best_depth() == make_decisions().models[0].best_depth


def test_a_click_in_the_legend_switches_a_line_off_and_on(qtbot, gains):
    hit = gains.view.geometry_of_cursor.hits[1]
    place = hit.rect.center().toPoint()
    with qtbot.assertNotEmitted(gains.cursor_requested):
        qtbot.mouseClick(gains.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gains.hidden == {"logit"}
    assert {ring.name for ring in gains.view.state.rings} == {"gbm 2", "agency"}
    assert gains.view.state.lines[1].is_hidden
    qtbot.mouseClick(gains.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gains.hidden == set()


def test_a_rectangle_zooms_and_reset_shows_all(qtbot, profit):
    view = profit.view
    profit._buttons["zoom"].setChecked(True)
    layout = view.chart_layout
    corner = QPoint(round(layout.to_x(0.2)), round(layout.plot.top()) + 60)
    other = QPoint(round(layout.to_x(0.4)), round(layout.plot.top()) + 200)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=corner)
    qtbot.mouseMove(view.viewport(), other)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert view.zoom is not None
    assert view.chart_layout.x_low == pytest.approx(0.2, abs=0.005)
    assert view.chart_layout.x_high == pytest.approx(0.4, abs=0.005)
    qtbot.mouseClick(profit._buttons["reset"], Qt.MouseButton.LeftButton)
    assert view.zoom is None
    assert view.chart_layout.x_high == 1.0
    assert not view.is_zooming


def test_pinning_keeps_a_second_cursor(qtbot, profit):
    with qtbot.waitSignal(profit.pin_requested) as asked:
        qtbot.mouseClick(profit._buttons["pin"], Qt.MouseButton.LeftButton)
    assert asked.args == [0.213]
    profit.set_pin(0.213)
    profit.set_cursor(0.6)
    state = profit.view.state
    assert state.pin == 0.213
    assert {ring.x for ring in state.pin_rings} == {0.213}
    profit.set_pin(None)
    assert profit.view.state.pin is None


# ---------------------------------------------------------------- drawing


def test_lines_clip_and_downsample_together(profit):
    lines = [item for item in profit.view._items if isinstance(item, pg.PlotDataItem)]
    assert len(lines) == 6
    for line in lines:
        assert line.opts["clipToView"]
        assert line.opts["autoDownsample"]
        assert line.opts["downsampleMethod"] == "peak"
        assert line.opts["antialias"]


def test_nothing_of_pyqtgraphs_own_look_is_left(profit):
    box = profit.view._box
    assert not box.menuEnabled()
    assert box.state["mouseEnabled"] == [False, False]
    assert box.autoRangeEnabled() == [False, False]


def test_series_keep_colour_and_dash():
    pens = [series_pen(index, LIGHT) for index in range(3)]
    assert [pen.color().name().upper() for pen in pens] == ["#0072B2", "#D55E00", "#009E73"]
    assert not pens[0].dashPattern()
    assert pens[1].dashPattern() != pens[2].dashPattern()


def test_bands_are_stronger_for_the_chosen_model(profit):
    from gui.plots.curves import band_colour

    spec = profit.view.spec
    alphas = {entry.name: band_colour(entry, LIGHT).alphaF() for entry in spec.series}
    assert alphas["gbm 2"] == pytest.approx(0.15, abs=0.01)
    assert alphas["logit"] == pytest.approx(0.07, abs=0.01)


def test_a_theme_switch_repaints_without_a_white_flash(qtbot, profit):
    def corner() -> str:
        image = profit.view.viewport().grab().toImage()
        return image.pixelColor(3, image.height() - 3).name().upper()

    assert corner() == LIGHT.card
    application = QApplication.instance()
    apply_theme(application, "dark")
    try:
        assert corner() == DARK.card
        image = profit.grab().toImage()
        white = sum(
            image.pixelColor(x, y) == QColor("#FFFFFF")
            for x in range(0, image.width(), 7)
            for y in range(0, image.height(), 7)
        )
        assert white == 0
    finally:
        apply_theme(application, "light")
    assert corner() == LIGHT.card


def test_moving_the_cursor_keeps_the_picture_of_the_curves(profit):
    profit.view.viewport().grab()
    layer = profit.view._layer
    profit.set_cursor(0.7)
    profit.view.viewport().grab()
    assert profit.view._layer is layer


def test_the_cursor_is_painted_where_it_stands(profit):
    profit.set_cursor(0.3)
    layout = profit.view.chart_layout
    image = profit.view.viewport().grab().toImage()
    x, y = round(layout.to_x(0.3)), round(layout.plot.bottom() - 20)
    colours = {image.pixelColor(x + step, y).name().upper() for step in (-1, 0, 1)}
    assert LIGHT.accent in colours or any(QColor(c).blue() > 200 for c in colours)


def test_below_the_useful_size_only_the_line_is_left(qtbot, gains):
    gains.resize(240, 150)
    assert gains.view.chart_layout.is_sparse
    assert gains.view.geometry_of_cursor.box is None
    gains.resize(460, 300)
    assert not gains.view.chart_layout.is_sparse


def test_low_charts_keep_their_values_readable(qtbot, gains):
    gains.resize(384, 196)
    box, layout = gains.view.geometry_of_cursor.box, gains.view.chart_layout
    assert layout.is_short
    assert layout.plot.contains(box)


@pytest.mark.parametrize("kind", EVALUATION_CHARTS)
def test_without_a_result_one_sentence_and_a_button_stand_there(qtbot, kind, show):
    chart = kind()
    show(chart)
    chart.set_empty("Some question?", "Nothing yet.", "Fill it")
    assert chart.view.spec is None
    assert chart._empty_text.isVisible()
    with qtbot.waitSignal(chart.fill_requested):
        qtbot.mouseClick(chart._empty_button, Qt.MouseButton.LeftButton)
    assert not chart._buttons["export"].isEnabled()


def test_hovering_tells_values_with_their_interval(profit):
    text = profit.tip(0.213, 0.0)
    assert text.splitlines()[0] == "best 21.3 %"
    assert "gbm 2: €\u00a0" in text
    assert " to " in text


def test_the_read_out_is_told_to_screen_readers(gains):
    assert gains.view.accessibleName().startswith("Responders found by depth")
    assert gains.view.accessibleDescription().startswith("Best 21.3\u00a0%: 4,260, gbm 2 ")


def test_an_enlarged_small_chart_carries_the_flag(qtbot, gains):
    gains.set_large(True)
    assert gains.view.has_flag
    assert gains.view.state.note.startswith("chance above")
    gains.set_large(False)
    assert not gains.view.has_flag


def test_what_is_this_opens_the_definition(qtbot, gains):
    gains.explain()
    popover = QApplication.activePopupWidget()
    assert popover is not None
    assert popover.accessibleDescription().startswith("Share of events among the best.")
    popover.close()


def test_a_place_outside_the_plot_has_no_tip(qtbot, gains):
    layout = gains.view.chart_layout
    assert not layout.plot.contains(QPointF(1.0, 1.0))
    assert layout.from_x(layout.to_x(0.4)) == pytest.approx(0.4)
    assert layout.from_y(layout.to_y(0.4)) == pytest.approx(0.4)
