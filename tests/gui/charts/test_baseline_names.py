"""Names of grey lines stand clear of every line and of one another, on screen and on paper."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from core.presentation.charts.areas import Box
from core.presentation.charts.names import Frame, Lettering, baseline_names
from core.presentation.charts.svg import chart_svg
from gui.charts.export.export import paint_chart
from gui.charts.layout import make_layout
from gui.charts.spec import AxisSpec, BaselineSpec, Chart, CursorState, SeriesSpec

X = np.linspace(0.0, 1.0, 201)
FRAME = Frame(Box(60.0, 4.0, 620.0, 96.0), 0.0, 1.0, -0.4, 0.7)
LETTERS = Lettering(lambda text: 6.0 * len(text), 10.0, 13.0)
END = {"x": np.array([0.0, 1.0]), "y": np.zeros(2), "is_dashed": False}
FALLING = 0.55 * np.minimum(1.0, 4 * X) - 0.8 * np.maximum(0.0, X - 0.7) ** 0.7


def chart(*lines: BaselineSpec, curves=(FALLING,)) -> Chart:
    share = {"quantity": "percent", "low": 0.0, "high": 1.0}
    return Chart(
        kind="money",
        title="Profit",
        subtitle="",
        x_axis=AxisSpec(label="x", **share),
        y_axis=AxisSpec(label="y", quantity="number", low=-0.4, high=0.7),
        series=tuple(SeriesSpec(name=f"m{k}", series=k, x=X, y=y) for k, y in enumerate(curves)),
        baselines=lines,
    )


def crosses(spec: Chart, room: Box) -> bool:
    """Whether a line runs through a rectangle, looked at in very many places."""
    for line in (*spec.series, *spec.baselines):
        share = np.linspace(0.0, 1.0, 40_001)
        places = share * (len(line.x) - 1)
        x = FRAME.x(np.interp(places, np.arange(len(line.x)), line.x))
        y = FRAME.y(np.interp(places, np.arange(len(line.x)), line.y))
        inside = (x > room.left) & (x < room.right) & (y > room.top) & (y < room.bottom)
        if inside.any():
            return True
    return False


def test_a_name_whose_end_is_crossed_moves_along_its_line():
    spec = chart(BaselineSpec(name="decline", **END, label_at=1.0))
    (name,) = baseline_names(spec, FRAME, LETTERS)
    assert not name.is_over
    assert not crosses(spec, name.room)
    assert name.room.right > FRAME.x(0.6)  # as near to its end as it is free


def test_a_free_name_stays_where_it_is_wanted():
    line = BaselineSpec(name="decline", **END, label_at=1.0)
    (name,) = baseline_names(chart(line, curves=(np.full(201, 0.6),)), FRAME, LETTERS)
    assert name.base == round(FRAME.y(0.0) - 5)
    assert name.room.right == pytest.approx(FRAME.plot.right, abs=3)


def test_names_of_lines_that_meet_do_not_cover_one_another():
    lines = [
        BaselineSpec(name="at random", x=END["x"], y=np.array([0.0, 0.02]), label_at=0.5),
        BaselineSpec(name="do nothing", **END, label_at=0.5),
    ]
    first, second = baseline_names(chart(*lines), FRAME, LETTERS)
    assert (
        first.room.right <= second.room.left
        or second.room.right <= first.room.left
        or (first.room.bottom <= second.room.top or second.room.bottom <= first.room.top)
    )


def test_the_name_of_an_upright_line_stands_beside_it_and_below_a_curve():
    high = np.full(201, 0.62)
    mark = BaselineSpec(
        name="cursor 50 %", x=np.full(2, 0.5), y=np.array([-0.4, 0.7]), label_at=0.5
    )
    spec = chart(mark, curves=(high,))
    (name,) = baseline_names(spec, FRAME, LETTERS)
    assert not name.is_over
    assert not crosses(spec, name.room)


def test_a_name_without_a_free_place_gets_a_plate_or_is_left_out():
    curves = tuple(np.full(201, at) for at in np.linspace(-0.4, 0.7, 14))
    line = BaselineSpec(name="at random", **END, label_at=0.5)
    (name,) = baseline_names(chart(line, curves=curves), FRAME, LETTERS)
    assert name.is_over
    assert 'opacity="0.82"' in str(chart_svg(chart(line, curves=curves)).text)
    spared = BaselineSpec(name="at random", **END, label_at=0.5, needs_margin=True)
    assert baseline_names(chart(spared, curves=curves), FRAME, LETTERS) == []


def test_a_name_keeps_clear_of_the_box():
    line = BaselineSpec(name="decline", **END, label_at=0.5)
    spec = chart(line, curves=(np.full(201, 0.6),))
    box = Box(300.0, 4.0, 200.0, 96.0)
    (name,) = baseline_names(spec, FRAME, LETTERS, (box,))
    assert name.room.right <= box.left or name.room.left >= box.right


def test_lines_with_gaps_and_without_points_have_no_say():
    gaps = np.where(X > 0.5, np.nan, 0.1)
    nothing = BaselineSpec(name="gone", x=np.array([]), y=np.array([]))
    line = BaselineSpec(name="decline", **END, label_at=0.9)
    names = baseline_names(chart(nothing, line, curves=(gaps,)), FRAME, LETTERS)
    assert [(name.text, name.is_over) for name in names] == [("decline", False)]


def test_the_cursors_line_is_broken_where_a_name_stands(qapp):
    line = BaselineSpec(name="a name of some length", **END, label_at=0.5)
    spec = chart(line, curves=(np.full(201, 0.6),))
    image = QImage(640, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    state = CursorState(x=0.5, head="", note="", lines=())
    paint_chart(painter, spec, 640, 300, state=state, is_compact=True, has_title=False)
    painter.end()
    layout = make_layout(spec, 640, 300, is_compact=True)
    at = round(layout.to_x(0.5))
    blue = [
        y
        for y in range(round(layout.plot.top()), round(layout.plot.bottom()))
        if image.pixelColor(at, y).blue() - image.pixelColor(at, y).red() > 60
    ]
    base = layout.to_y(0.0) - 5
    assert any(y < base - 20 for y in blue)
    assert any(y > base + 10 for y in blue)
    assert not [y for y in blue if base - 8 < y < base]
