"""How charts are drawn, at every size and in both themes."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from gui.charts import EvaluationChart
from gui.charts.curves import series_pen
from gui.theme import DARK, LIGHT, apply_theme

EVALUATION_CHARTS = ("roc", "gains", "lift", "calibration", "score_distribution")


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
    from gui.charts.curves import band_colour

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
    chart = EvaluationChart(kind)
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
