"""The read-out box of a small chart goes where it covers least."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gui.charts.corners import box_corner, covered, free_corner
from gui.charts.export.export import paint_chart
from gui.charts.layout import make_layout
from gui.charts.overlay import (
    box_rect,
    fitted,
    flag_rect,
    legend_rect,
    overlay_geometry,
    shown_name,
)
from gui.charts.spec import AxisSpec, BarsSpec, Chart, CursorState, ReadingLine, SeriesSpec
from gui.theme import LIGHT

SHARE = {"quantity": "percent", "low": 0.0, "high": 1.0}
X = np.linspace(0.0, 1.0, 201)
STATE = CursorState(
    x=None,
    head="Best 20 %",
    note="",
    lines=tuple(ReadingLine(name=name, value="75 %", series=0) for name in ("gbm 2", "logit")),
)


def chart(*curves, corner="top right", bars=()) -> Chart:
    return Chart(
        kind="roc",
        title="A chart",
        subtitle="",
        x_axis=AxisSpec(label="x", **SHARE),
        y_axis=AxisSpec(label="y", **SHARE),
        series=tuple(
            SeriesSpec(name=f"m{place}", series=place, x=X, y=y) for place, y in enumerate(curves)
        ),
        bars=bars,
        box_corner=corner,
    )


def chosen(spec: Chart, state: CursorState = STATE):
    layout = make_layout(spec, 380.0, 180.0, is_compact=True)
    return free_corner(state, spec, layout), layout


def test_a_free_corner_is_kept():
    falling = np.exp(-8.0 * X)
    assert chosen(chart(falling))[0] == "top right"


@pytest.mark.parametrize(
    ("curve", "corner"),
    [(X, "top left"), (X**0.2, "bottom right"), (np.full(201, 0.1), "top right")],
)
def test_the_box_leaves_a_corner_that_curves_run_through(curve, corner):
    spec = chart(curve)
    found, layout = chosen(spec)
    assert found == corner
    assert covered(box_rect(STATE, layout, found), spec, layout) == 0


def test_the_box_leaves_a_band_for_a_corner_without_one():
    flat = np.full(201, 0.5)
    spec = chart(flat)
    banded = replace(spec.series[0], low=flat - 0.05, high=np.full(201, 0.95))
    large = make_layout(spec, 600.0, 400.0, is_compact=True)
    assert free_corner(STATE, spec, large) == "top right"
    assert free_corner(STATE, replace(spec, series=(banded,)), large) == "bottom right"


def test_where_every_corner_is_taken_one_that_is_clearly_emptier_wins():
    high = [np.full(201, at) for at in (0.7, 0.75, 0.8, 0.85)]
    assert chosen(chart(*high[:2], np.full(201, 0.12)))[0] == "top right"  # not clearly
    spec = chart(*high, np.full(201, 0.12))
    found, layout = chosen(spec)
    assert found == "bottom right"
    assert covered(box_rect(STATE, layout, found), spec, layout) > 0


def test_the_box_is_not_put_over_the_cursor():
    at_the_left = replace(STATE, x=0.2)
    assert chosen(chart(X), STATE)[0] == "top left"
    assert chosen(chart(X), at_the_left)[0] == "bottom right"


def test_lines_that_are_switched_off_do_not_count():
    spec = chart(X)
    assert chosen(replace(spec, hidden=frozenset({"m0"})))[0] == "top right"


def test_bars_count_as_high_as_they_are():
    places = np.linspace(0.0, 0.9, 10)
    high = BarsSpec(
        name="b", series=0, x=places, y=np.linspace(0.0, 1.0, 10), offset=0.0, width=0.1
    )
    assert chosen(chart(bars=(high,)))[0] == "top left"


def large(*curves) -> tuple[Chart, CursorState, object]:
    spec = chart(*curves)
    return spec, replace(STATE, x=0.3), make_layout(spec, 760.0, 240.0, is_compact=False)


def test_a_legend_leaves_the_end_of_a_curve_free():
    for curve, corner in ((X, "bottom right"), (0.5 * np.exp(-8.0 * X), "top right")):
        spec, state, layout = large(curve)
        assert box_corner(state, spec, layout, has_flag=True) == corner
        assert covered(legend_rect(state, layout, corner), spec, layout) == 0


def test_a_legend_that_would_hide_a_curve_everywhere_is_left_to_the_flag():
    spec, state, layout = large(*(np.full(201, at) for at in np.linspace(0.02, 0.98, 12)))
    assert box_corner(state, spec, layout, has_flag=True) is None
    geometry = overlay_geometry(state, layout, has_flag=True, corner=None)
    assert geometry.flag is not None
    assert geometry.box is None
    assert [hit.name for hit in geometry.hits] == ["gbm 2", "logit"]  # switched off there


@pytest.mark.parametrize("is_full", [True, False])
def test_curves_are_seen_through_a_box_that_has_no_free_corner_and_nothing_through_others(
    qapp, is_full
):
    heights = np.linspace(0.05, 0.95, 19) if is_full else [0.02]
    spec, state = chart(*(np.full(201, at) for at in heights)), replace(STATE, lines=())
    bare, boxed = (
        QImage(380, 180, QImage.Format.Format_RGB32),
        QImage(380, 180, QImage.Format.Format_RGB32),
    )
    layout = make_layout(spec, 380.0, 180.0, is_compact=True)
    for image, shown in ((bare, None), (boxed, state)):
        painter = QPainter(image)
        paint_chart(painter, spec, 380, 180, state=shown, is_compact=True, has_title=False)
        painter.end()
    box = box_rect(state, layout, free_corner(state, spec, layout))
    x, rows = round(box.right()) - 3, range(round(box.top()) + 3, round(box.bottom()) - 3)
    paper = QColor(LIGHT.card).rgb()
    curves = [y for y in rows if bare.pixelColor(x, y).rgb() != paper]
    assert curves
    assert all((boxed.pixelColor(x, y).rgb() != paper) is is_full for y in curves)


@pytest.mark.parametrize("name", ["gbm 2", "Scorecard of the agency 2026, retrained in the spring"])
def test_a_long_name_leaves_room_for_the_curves(qapp, name):
    layout = make_layout(chart(X), 380.0, 180.0, is_compact=True)
    lines = (*STATE.lines, ReadingLine(name=name, value="75 %", series=2))
    said = ReadingLine(name=f"“{name}” too low, 0.34 % to 0.51 % and 1.5 %", value="", series=None)
    for state in (replace(STATE, lines=lines), replace(STATE, lines=(said,))):
        box = box_rect(state, layout, "top right")
        assert box.left() >= layout.plot.left()
        assert box.right() <= layout.plot.right()
    assert box_rect(replace(STATE, lines=lines), layout, "top right").width() < 0.8 * 380
    assert shown_name(lines[0], layout) == "gbm 2"
    assert (shown_name(lines[2], layout) == name) == (name == "gbm 2")


@pytest.mark.parametrize("at", [0.0, 0.4, 0.6, 1.0])
def test_a_flag_hides_no_number_of_the_axis_and_shortens_no_name_that_has_room(qapp, at):
    layout = make_layout(chart(X), 900.0, 400.0, is_compact=False)
    names = ("scorecard 2026 application default", "agency", "gbm 2")
    three = tuple(ReadingLine(name=n, value="€ 838,868", series=0) for n in names)
    for lines in (three, three[:2]):
        flag = flag_rect(replace(STATE, x=at, lines=lines), layout)
        assert flag.left() > layout.plot.left() - 1
        assert flag.right() <= layout.width
    assert shown_name(three[0], layout, in_flag=2) == names[0]
    assert shown_name(three[0], layout, in_flag=3) != names[0]


def test_a_name_takes_less_of_a_low_chart_than_of_a_higher_one(qapp):
    """In a low one no corner is free: what the box covers is seen through it."""
    name = "Scorecard of the agency 2026, retrained in the spring"
    line = ReadingLine(name=name, value="75 %", series=0)
    low, high = (
        shown_name(line, make_layout(chart(X), 380.0, height, is_compact=True))
        for height in (150.0, 260.0)
    )
    assert len(low) < len(high) < len(name)


def test_beside_bars_the_box_stands_over_the_cursor_rather_than_over_their_tops(qapp):
    heights = np.array([0.9, 0.9, 0.3, 0.1, 0.1])
    places = np.linspace(0.0, 0.8, 5)
    bars = (BarsSpec(name="others", series=0, x=places, y=heights, offset=0.0, width=0.15),)
    spec, state = chart(bars=bars), replace(STATE, x=0.75)
    assert chosen(spec, state)[0] == "top right"
    assert chosen(spec, replace(STATE, x=0.1))[0] == "top right"


@pytest.mark.parametrize("height", [120.0, 180.0, 400.0])
def test_a_read_out_of_many_models_stays_inside_its_plot(qapp, height):
    names = [f"model {number}" for number in range(1, 41)]
    lines = (ReadingLine(name=n, value="9", series=0, is_chosen=n == "model 30") for n in names)
    state = replace(STATE, lines=tuple(lines))
    layout = make_layout(chart(X), 380.0, height, is_compact=True)
    shown = fitted(state, layout)
    *kept, more = shown.lines
    assert "model 30" in [line.name for line in kept]
    assert more.name == f"{40 - len(kept)} more"
    assert layout.plot.contains(box_rect(shown, layout, "top right"))
    assert fitted(STATE, layout) is STATE


def test_a_picture_of_many_models_has_the_read_out_that_fits(qapp):
    state = replace(STATE, lines=STATE.lines * 20)
    images = []
    for shown in (state, fitted(state, make_layout(chart(X), 380.0, 180.0, is_compact=True))):
        image = QImage(380, 180, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_chart(painter, chart(X), 380.0, 180.0, state=shown, is_compact=True, has_title=False)
        painter.end()
        images.append(image)
    assert images[0] == images[1]
