"""Names that come from files are shown as text wherever the window shows them."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMessageBox, QToolTip, QWidget
from pytestqt.qtbot import QtBot

import gui
from core.document.files.project import Headline
from core.presentation.charts.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.charts.svg import chart_svg
from core.presentation.report.page import ReportEntry, ReportText, report_html
from core.presentation.view import Table, View
from gui.pages.home.cards import headline_words
from gui.widgets import RichLabel, strong

EVIL = "<svg/onload=alert(1)>\"'&<b>x</b><img src=file:///etc/passwd>"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p"),
    *("table", "thead", "tbody", "tr", "th", "td", "br", "span", "figure", "img", "details"),
    *("summary", "svg", "line", "polyline", "polygon", "text", "ul", "li"),
    *("rect", "image", "circle", "path"),
}


class _Tags(HTMLParser):
    """Collects what an element is and what it may do."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name == "href"]
        self.sources += [value or "" for name, value in attrs if name == "src"]


def check_page(page: str) -> None:
    parser = _Tags()
    parser.feed(page)
    assert parser.found <= TAGS
    assert all(source.startswith("data:image/svg+xml;base64,") for source in parser.sources)
    assert "Content-Security-Policy" in page


def evil_entry() -> ReportEntry:
    axis = AxisSpec(label=EVIL, quantity="money", low=0.0, high=1.0, currency=EVIL)
    line = SeriesSpec(name=EVIL, series=0, x=np.array([0.0, 1.0]), y=np.array([0.0, 0.5]))
    chart = Chart(kind="x", title=EVIL, subtitle=EVIL, x_axis=axis, y_axis=axis, series=(line,))
    table = Table(columns=(EVIL, "b"), rows=((f"{EVIL}\n{EVIL}", "1"),))
    block = View(
        key="a",
        title=EVIL,
        subtitle=EVIL,
        figure=EVIL,
        sentences=(EVIL,),
        tables=(table,),
        charts=(chart,),
    )
    return ReportEntry(kind="a", title=EVIL, note=f"{EVIL}\n{EVIL}", block=block, warning=EVIL)


def test_a_report_holds_no_element_of_a_name(qapp: QApplication) -> None:
    page = report_html(ReportText(title=EVIL, subtitle=EVIL, entries=(evil_entry(),)))
    check_page(page)


def test_a_picture_holds_no_element_of_a_name(qapp: QApplication) -> None:
    chart = evil_entry().block.charts[0]
    assert chart is not None
    root = ElementTree.fromstring(chart_svg(chart).text)
    names = {entry.tag.rpartition("}")[2] for entry in root.iter()}
    assert not names & {"b", "img", "script", "foreignObject"}
    assert not [key for entry in root.iter() for key in entry.attrib if key.startswith("on")]


def test_tool_tips_are_plain(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.show()
    QToolTip.showText(QPoint(10, 10), EVIL, owner)
    tips = [w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel"]
    assert [tip.textFormat() for tip in tips if isinstance(tip, QLabel)] == [
        Qt.TextFormat.PlainText
    ]
    QToolTip.hideText()
    del tips
    qtbot.waitUntil(lambda: not QToolTip.isVisible(), timeout=5000)


@pytest.mark.parametrize("kind", [QMessageBox, QInputDialog])
def test_questions_are_plain(qtbot: QtBot, kind: type[QMessageBox] | type[QInputDialog]) -> None:
    dialog = kind()
    qtbot.addWidget(dialog)
    if isinstance(dialog, QMessageBox):
        dialog.setText(EVIL)
    else:
        dialog.setLabelText(EVIL)
    dialog.show()
    shown = [label for label in dialog.findChildren(QLabel) if label.text() == EVIL]
    assert shown
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in shown)
    dialog.close()


def test_a_rich_label_escapes_what_is_no_markup(qtbot: QtBot) -> None:
    label = RichLabel(EVIL)
    qtbot.addWidget(label)
    assert "<" not in label.text()
    label.setText(strong(EVIL))
    assert label.text().count("<") == 2


def test_the_headline_of_a_project_is_text() -> None:
    words = headline_words(Headline(best_model=EVIL, profit=1.0, depth=0.5), EVIL).text
    assert words.count("<") == 2


def test_no_label_takes_its_text_for_markup() -> None:
    """Texts are plain, or go through RichLabel, which knows markup from text by its type.

    What is put on the clipboard for other programs is no label.
    """
    for place in Path(gui.__file__).parent.rglob("*.py"):
        source = place.read_text(encoding="utf-8")
        if place.name == "labels.py":
            continue
        assert not re.search(
            r"TextFormat\.(Rich|Auto)Text|(?<!mime\.)setHtml|QTextBrowser", source
        ), place
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "QLabel" not in calls, place
        assert "Html" not in calls, place
