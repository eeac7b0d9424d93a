from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from core.presentation.charts.reading import chart_csv, chart_numbers
from core.presentation.labels import Labels
from core.settings import documents_folder
from gui.charts import EvaluationChart, ProfitChart
from gui.charts.export.export import PNG_DOTS, export_chart
from gui.charts.export.export_dialog import ExportDialog
from gui.charts.export.table_dialog import TableDialog
from gui.theme import LIGHT, apply_theme
from gui.widgets.tables.copying import copy_table
from payoff.errors import PayoffError
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def chart(qtbot) -> Iterator[ProfitChart]:
    made = ProfitChart()
    made.set_result(make_decisions(), Labels.of(make_document()))
    made.set_cursor(0.213)
    made.resize(960, 390)
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_png_has_the_size_asked_for(chart, tmp_path):
    path = tmp_path / "profit.png"
    chart.export_to(str(path), 160, 100)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (
        round(160 * PNG_DOTS / 25.4),
        round(100 * PNG_DOTS / 25.4),
    )
    assert image.dotsPerMeterX() == pytest.approx(PNG_DOTS / 0.0254, abs=1)
    assert image.pixelColor(2, 2) == QColor(LIGHT.card)


def test_lines_on_paper_are_as_thick_as_on_screen(chart, tmp_path):
    path = tmp_path / "profit.png"
    chart.export_to(str(path), 160, 100)
    image = QImage(str(path))
    wanted = QColor(LIGHT.series_colour(0))
    column = [image.pixelColor(image.width() // 2, y) for y in range(image.height())]
    run = longest = 0
    for colour in column:
        run = run + 1 if colour == wanted else 0
        longest = max(longest, run)
    assert longest >= 5  # 2 px at 96 dpi are 6.25 px at 300 dpi


def test_export_is_light_in_the_dark(chart, tmp_path):
    application = QApplication.instance()
    apply_theme(application, "dark")
    try:
        path = tmp_path / "profit.png"
        chart.export_to(str(path), 100, 70)
    finally:
        apply_theme(application, "light")
    assert QImage(str(path)).pixelColor(1, 1) == QColor(LIGHT.card)


def test_svg_is_read_again_and_keeps_text_as_text(chart, tmp_path):
    path = tmp_path / "profit.svg"
    chart.export_to(str(path), 160, 100)
    root = ElementTree.parse(path).getroot()
    assert float(root.attrib["width"].removesuffix("mm")) == pytest.approx(160, abs=0.5)
    assert float(root.attrib["height"].removesuffix("mm")) == pytest.approx(100, abs=0.5)
    texts = {"".join(node.itertext()).strip() for node in root.iter(f"{SVG}text")}
    for wanted in ("Profit if the best n % are mailed", "best cases", "all", "gbm 2", "20\u00a0%"):
        assert wanted in texts
    lines = [
        node
        for node in (*root.iter(f"{SVG}polyline"), *root.iter(f"{SVG}path"))
        if len(node.attrib.get("points", node.attrib.get("d", ""))) > 5000
    ]
    assert len(lines) >= 3
    assert QSvgRenderer(str(path)).isValid()


def test_a_zoomed_svg_is_clipped(chart, tmp_path):
    chart.view.set_zoom((0.2, 0.4, 5000.0, 12000.0))
    path = tmp_path / "zoomed.svg"
    chart.export_to(str(path), 160, 100)
    root = ElementTree.parse(path).getroot()
    assert list(root.iter(f"{SVG}clipPath"))


def test_pdf_is_one_page_with_fonts(chart, tmp_path):
    path = tmp_path / "profit.pdf"
    chart.export_to(str(path), 160, 100)
    data = path.read_bytes()
    assert data.startswith(b"%PDF-1.")
    assert data.rstrip().endswith(b"%%EOF")
    assert b"/FontFile" in data or b"/Font" in data
    box = data.split(b"/MediaBox")[1].split(b"]")[0].strip(b" [")
    width, height = (float(part) for part in box.split()[2:4])
    assert width == pytest.approx(160 / 25.4 * 72, abs=1.5)
    assert height == pytest.approx(100 / 25.4 * 72, abs=1.5)


def test_csv_has_every_curve_with_its_band(chart, tmp_path):
    path = tmp_path / "profit.csv"
    chart.export_to(str(path), 160, 100)
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert rows[0][0] == "curve"
    assert rows[0][2] == "Total profit (€)"
    by_name: dict[str, list[list[str]]] = {}
    for row in rows[1:]:
        by_name.setdefault(row[0], []).append(row)
    for model in make_decisions().models:
        numbers = np.array([[float(cell) for cell in row[1:]] for row in by_name[model.model]])
        np.testing.assert_array_equal(numbers[:, 0], model.depth)
        np.testing.assert_array_equal(numbers[:, 1], model.profit)
        np.testing.assert_array_equal(numbers[:, 2], model.low)
        np.testing.assert_array_equal(numbers[:, 3], model.high)
    assert by_name["at random"][0][3:] == ["", ""]


def test_hidden_curves_are_left_out(chart):
    chart.toggle_series("logit")
    assert "\nlogit," not in chart_csv(chart.view.spec)


def test_a_wrong_ending_is_refused(chart, tmp_path):
    with pytest.raises(PayoffError, match="not written in this format"):
        chart.export_to(str(tmp_path / "profit.gif"), 160, 100)


def test_a_size_that_is_no_size_is_refused(chart, tmp_path):
    with pytest.raises(PayoffError, match="size"):
        chart.export_to(str(tmp_path / "profit.png"), 5, 100)


def test_a_folder_that_is_not_there_is_named(chart, tmp_path):
    target = tmp_path / "none" / "profit.png"
    with pytest.raises(PayoffError) as refusal:
        chart.export_to(str(target), 160, 100)
    assert refusal.value.where == str(target)
    assert refusal.value.remedy


def test_an_empty_chart_is_not_exported(qtbot, tmp_path):
    empty = EvaluationChart("gains")
    qtbot.addWidget(empty)
    empty.set_empty("Found?", "Nothing yet.")
    with pytest.raises(PayoffError, match="nothing to export"):
        empty.export_to(str(tmp_path / "a.png"), 160, 100)


def test_small_charts_keep_their_box_on_paper(qtbot, tmp_path):
    gains = EvaluationChart("gains")
    gains.set_result(make_evaluation(), Labels.of(make_document()))
    gains.set_cursor(0.213)
    qtbot.addWidget(gains)
    path = tmp_path / "gains.svg"
    gains.export_to(str(path), 120, 80)
    text = path.read_text(encoding="utf-8")
    assert "Best 21.3\u00a0%: 4,260" in text


def test_copy_puts_picture_and_numbers_on_the_clipboard(chart):
    chart.copy()
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.hasImage()
    assert bytes(mime.data("image/svg+xml").data()).startswith(b"<?xml")
    header, rows = chart_numbers(chart.view.spec)
    lines = mime.text().split("\n")
    assert lines[0].split("\t") == list(header)
    assert len(lines) == len(rows) + 1
    QGuiApplication.clipboard().clear()  # a picture that outlives the application ends it badly


def test_the_table_shows_and_copies_the_numbers(qtbot, chart):
    dialog = chart.open_table()
    assert isinstance(dialog, TableDialog)
    model = dialog.table.model()
    header, rows = chart_numbers(chart.view.spec)
    assert model.rowCount() == len(rows)
    assert model.headerData(1, Qt.Orientation.Horizontal) == header[1]
    assert float(model.data(model.index(500, 2), Qt.ItemDataRole.ToolTipRole)) == float(
        rows[500][2]
    )
    assert dialog.table.accessibleName() == "Profit if the best n % are mailed"
    copy_table(dialog.table, whole=True)
    assert QGuiApplication.clipboard().text().count("\n") == len(rows)
    dialog.close()


def test_the_dialog_writes_and_adds_the_ending(qtbot, chart, tmp_path):
    dialog = ExportDialog(chart, chart.export_to)
    dialog.format.choose("svg")
    dialog.width_mm.set_value(90.0)
    with qtbot.waitSignal(dialog.exported) as done:
        dialog.export(str(tmp_path / "chart"))
    assert done.args == [str(tmp_path / "chart.svg")]
    assert Path(done.args[0]).is_file()


def test_the_dialog_passes_a_refusal_on(qtbot, chart, tmp_path):
    dialog = ExportDialog(chart, chart.export_to)
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.export(str(tmp_path / "none" / "chart.png"))
    assert isinstance(failed.args[0], PayoffError)
    dialog.close()


def test_the_dialog_offers_a_name_that_windows_takes(monkeypatch, chart, tmp_path):
    requested = []

    def choose(_parent, _title, name, _kinds):
        requested.append(name)
        return "", ""

    monkeypatch.setattr("gui.charts.export.export_dialog.QFileDialog.getSaveFileName", choose)
    chart.setAccessibleName("Mail: what is it worth?")
    dialog = ExportDialog(chart, chart.export_to)
    dialog._ask_where()
    assert requested == [str(documents_folder() / "Mail what is it worth.png")]
    dialog.close()


def test_export_needs_no_screen_chart(tmp_path, chart):
    path = tmp_path / "plain.png"
    export_chart(chart.view.spec, str(path), width_mm=50, height_mm=40)
    assert not QImage(str(path)).isNull()
