"""Every kind of chart of a view can be copied, exported, enlarged, read as a table and drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGridLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from core.presentation.charts.chart import AxisSpec, BarsSpec, Chart
from core.presentation.charts.reading import chart_numbers
from gui.charts.large_chart import LargeChart
from gui.charts.shown_chart import ShownChart
from gui.charts.view_widget import ViewWidget
from gui.theme import LIGHT
from payoff.errors import PayoffError
from tests.helpers.answers.views import VIEWS, shades
from tests.helpers.layout_audit import crowded_ticks

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b""}


@pytest.fixture(params=sorted(VIEWS))
def panel(request: pytest.FixtureRequest, qtbot: QtBot) -> ViewWidget:
    made = ViewWidget("left", 300)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show_view(VIEWS[request.param]())
    made.show()
    qtbot.waitExposed(made)
    return made


def card_of(panel: ViewWidget) -> ShownChart:
    (card,) = panel.charts
    return card


@pytest.mark.parametrize("width", [300, 420, 700, 1600])
def test_words_below_a_chart_do_not_cover_each_other(qtbot: QtBot, width: int) -> None:
    words = tuple(f"{low / 1000:.3f} to {(low + 36) / 1000:.3f}" for low in range(2, 434, 36))
    bars = BarsSpec(
        name="default", x=np.arange(12.0), y=np.ones(12), width=0.8, offset=-0.4, series=0
    )
    chart = Chart(
        kind="shares",
        title="Shares",
        subtitle="",
        x_axis=AxisSpec(label="score", quantity="number", low=-0.5, high=11.5, words=words),
        y_axis=AxisSpec(label="share", quantity="percent", low=0.0, high=1.0),
        bars=(bars,),
    )
    card = ShownChart()
    qtbot.addWidget(card)
    card.resize(width, 260)
    card.show_chart(chart)
    card.show()
    qtbot.waitExposed(card)
    assert not crowded_ticks(card)
    layout = card.view.chart_layout
    assert layout is not None
    assert len(layout.x_ticks.texts) >= 2


def test_it_is_copied_as_picture_and_numbers(panel: ViewWidget) -> None:
    card = card_of(panel)
    card.copy()
    content = QGuiApplication.clipboard().mimeData()
    assert content.hasImage()
    assert bytes(content.data("image/svg+xml").data()).startswith(b"<?xml")
    assert card.view.spec is not None
    header, rows = chart_numbers(card.view.spec)
    assert len(content.text().splitlines()) == len(rows) + 1
    assert content.text().startswith(header[0])
    QGuiApplication.clipboard().clear()  # a picture that outlives the application ends it badly


@pytest.mark.parametrize("ending", sorted(BEGINNINGS))
def test_it_is_exported_at_a_size(panel: ViewWidget, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"chart.{ending}"
    card_of(panel).export_to(str(path), 120.0, 80.0)
    data = path.read_bytes()
    assert data.startswith(BEGINNINGS[ending])
    assert len(data) > 60
    with pytest.raises(PayoffError, match="cannot have this size"):
        card_of(panel).export_to(str(path), 5.0, 80.0)


def test_it_is_enlarged_and_made_small_again(panel: ViewWidget) -> None:
    card = card_of(panel)
    before = card.width()
    button = card._buttons["expand"]
    assert not button.isHidden()
    button.click()
    assert card.is_large
    assert panel.words.isHidden()
    QGuiApplication.processEvents()
    assert card.width() > before
    button.click()
    assert not card.is_large
    assert not panel.words.isHidden()


@pytest.mark.parametrize("holder", [QVBoxLayout, QGridLayout, QStackedWidget])
def test_where_no_page_has_room_it_goes_to_a_window_of_its_own_and_back(holder, show) -> None:
    page, card, other = QWidget(), ShownChart(), QLabel("beside")
    layout = QVBoxLayout(page)
    place = holder()
    (layout.addWidget if place.isWidgetType() else layout.addLayout)(place)
    place.addWidget(card)
    place.addWidget(other)
    card.show_chart(shades())
    show(page, 500, 300)
    button, home = card._buttons["expand"], card.parentWidget()
    for _ in range(2):
        button.click()
        (large,) = page.findChildren(LargeChart)
        assert card.window() is large
        assert card.is_large
        assert large.isModal()
        QTest.keyClick(large, Qt.Key.Key_Escape)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert card.parentWidget() is home
        assert card.isVisible()
        assert not card.is_large
        assert place.indexOf(card) == 0
    button.click()
    button.click()  # the same button ends it
    assert card.parentWidget() is home


def test_it_is_read_as_a_table(panel: ViewWidget) -> None:
    card = card_of(panel)
    dialog = card.open_table()
    assert card.view.spec is not None
    header, rows = chart_numbers(card.view.spec)
    model = dialog.table.model()
    assert model.rowCount() == len(rows)
    assert model.columnCount() == len(header)
    texts = [str(model.index(0, at).data()) for at in range(len(header))]
    assert texts[0] == rows[0][0]
    assert all(texts)
    dialog.close()


def test_it_is_drawn_on_the_screen(panel: ViewWidget) -> None:
    card = card_of(panel)
    image = card.view.grab().toImage()
    colours = {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 3)
        for y in range(0, image.height(), 3)
    }
    assert len(colours) > 3
    assert LIGHT.card.lower() in colours


def test_a_tile_says_all_of_its_group_under_the_pointer(panel: ViewWidget) -> None:
    card = card_of(panel)
    chart, layout = card.view.spec, card.view.chart_layout
    assert chart is not None
    assert layout is not None
    if chart.tiles:
        place = layout.width - 40.0, 40.0  # on the second tile
        words = card.tip(layout.from_x(place[0]), layout.from_y(place[1]))
        assert words == chart.tiles[1].exact


def test_a_point_of_an_area_is_read_in_words(panel: ViewWidget) -> None:
    card = card_of(panel)
    chart = card.view.spec
    assert chart is not None
    QTest.keyClick(card.view, Qt.Key.Key_Right)
    assert (card.point is not None) == chart.fills_area
    assert bool(panel.reading.text()) == chart.fills_area
