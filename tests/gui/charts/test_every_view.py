"""Every chart of every view that a question can give: copied, exported, enlarged, read, reported.

Answers are worked out from the small real projects that the tests of doors ask.
"""

from __future__ import annotations

import math
import re
from functools import cache
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest

from core.document.files.spreadsheet import pasted_html, pasted_text
from core.presentation.charts.reading import chart_numbers, is_number
from core.presentation.making_views import show as view_of
from core.presentation.report.page import entry_html
from core.questions.question import questions
from gui.charts.view_widget import ViewWidget
from gui.pages.report.parts import view_part
from gui.widgets.tables.cells import cells_of, numbers_of
from gui.widgets.tables.copying import copy_table
from tests.helpers.factories.questions import EXAMPLES, PROJECTS, project_of
from tests.helpers.question_views import NOT_SHOWN, every_view, labels_of

pytestmark = pytest.mark.timeout(400)  # the first answer to a question compiles its kernels

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b""}


@pytest.fixture(scope="module")
def projects(local, tmp_path_factory):
    """The document of a project by its name; each is made once."""
    return cache(lambda name: PROJECTS[name](local, tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="module")
def answers(local, projects):
    """The answer to an example; what it takes is not part of a test of the window."""
    return cache(lambda key: local.ask(projects(project_of(key)), EXAMPLES[key][0]))


@pytest.fixture(scope="module")
def answered(local, projects, answers, key, part):
    """A view and its document."""
    document = projects(project_of(key))
    return document, view_of(EXAMPLES[key][0], answers(key), labels_of(local, document), part)


@pytest.fixture
def place(answered, show):
    """A view on the screen, its document, and every chart of it: those of its rows too."""
    document, view = answered
    widget = show(ViewWidget("left", 300), 1000, 700)
    widget.show_view(view)

    def charts():
        yield from widget.charts
        for row in range(1, len(view.by_row)):
            widget.tables[0].selectRow(row)
            yield from widget.charts

    return SimpleNamespace(document=document, view=view, widget=widget, charts=charts)


def test_a_question_without_a_view_has_its_reason():
    assert {key for key, record in questions().items() if not record.facts.view} == set(NOT_SHOWN)


@every_view
@pytest.mark.every_nth(3)
def test_a_chart_is_copied_as_picture_and_numbers(place):
    for card in place.charts():
        card.copy()
        content = QGuiApplication.clipboard().mimeData()
        assert content.hasImage()
        assert bytes(content.data("image/svg+xml").data()).startswith(b"<?xml")
        header, rows = chart_numbers(card.chart)
        assert rows
        assert content.text().splitlines()[0] == "\t".join(header)
        assert len(content.text().splitlines()) == len(rows) + 1
    QGuiApplication.clipboard().clear()  # a picture that outlives the application ends it badly


@every_view
@pytest.mark.every_nth(3)
def test_a_chart_is_exported_in_every_format(place, tmp_path):
    for number, card in enumerate(place.charts()):
        for ending, beginning in BEGINNINGS.items():
            path = tmp_path / f"{number}.{ending}"
            card.export_to(str(path), 90.0, 60.0)
            assert path.read_bytes().startswith(beginning)
            assert path.stat().st_size > 60


@pytest.mark.every_nth(3)
@every_view
def test_a_chart_is_enlarged_and_made_small_again(place):
    for card in place.charts():
        button = card._buttons["expand"]
        assert not button.isHidden()
        button.click()
        assert card.is_large
        assert place.widget.words.isHidden()
        button.click()
        assert not card.is_large
        assert not place.widget.words.isHidden()


@pytest.mark.every_nth(3)
@every_view
def test_a_chart_is_read_as_a_table(place):
    for card in place.charts():
        dialog = card.open_table()
        header, rows = chart_numbers(card.chart)
        model = dialog.table.model()
        assert (model.rowCount(), model.columnCount()) == (len(rows), len(header))
        for row, kept in zip(rows, numbers_of(dialog.table)[1], strict=True):
            assert kept[0] == row[0]
            for cell, found in zip(row[1:], kept[1:], strict=True):
                known = getattr(cell, "numbers", (float(cell),) if cell and is_number(cell) else ())
                assert tuple(map(float, filter(None, [found]))) == known if known else found == cell
        dialog.close()


@pytest.mark.every_nth(3)
@every_view
def test_a_chart_is_put_on_the_report_by_its_button(place, session):
    """As a page offers it; what stands there has a picture of every chart and every table."""
    view, report = place.view, session.report
    session.project.take_document(place.document)
    for card in place.widget.charts:
        part = view_part(view, [card])
        page = SimpleNamespace(
            report_parts=lambda part=part: (part,), report_document=lambda: place.document
        )
        report._pages["page"] = page
        report._collect_page("page", page)
        assert not card._buttons["report"].isHidden()
        card._buttons["report"].click()
        assert report.is_on(view.key)
        card._buttons["report"].click()
        assert not report.is_on(view.key)
    page = entry_html(view).text
    assert page.count("<svg") == len(view.charts)
    assert page.count("<table") >= len(view.tables)


def _is_rounded(cell):
    """Whether a cell is a number, and no sentence with one in it."""
    has_words = re.search("[A-Za-z]{3}", cell.text)
    return re.search("[0-9]", cell.text) and not has_words and not cell.is_left


@pytest.mark.every_nth(3)
@every_view
def test_a_table_is_copied_with_every_digit_and_as_it_is_shown(place):
    for number, shown in enumerate(place.view.tables):
        unknown = [
            (shown.columns[at], cell.text)
            for row in shown.cells()
            for at, cell in enumerate(row)
            if at and _is_rounded(cell) and not cell.numbers
        ]
        assert unknown == [], f"numbers of table {number} are lost when it is written to a file"
        view = place.widget.tables[number]
        view.show_content(shown)  # columns that a narrow place leaves out too
        heads, texts = cells_of(view)
        assert texts == shown.texts()
        assert all(map(str.endswith, heads, shown.columns))
        names, rows = numbers_of(view)
        QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.Copy))
        assert QGuiApplication.clipboard().text() == pasted_text([names, *rows])
        assert QGuiApplication.clipboard().mimeData().html() == pasted_html([names, *rows])
        copy_table(view, whole=True, as_shown=True)
        assert QGuiApplication.clipboard().text() == pasted_text([heads, *texts])
        assert len(rows) == len(shown.rows)
        assert all(len(row) == len(names) for row in rows)
        for row, cells in zip(rows, shown.cells(), strict=True):
            known = {value for cell in cells for value in cell.numbers if not math.isnan(value)}
            assert set(map(float, filter(is_number, filter(None, row)))) >= known


@every_view
def test_every_column_that_is_copied_has_a_head_of_its_own(place):
    for table in place.widget.tables:
        heads = [head for head in numbers_of(table)[0][1:] if head]
        assert len(set(heads)) == len(heads), heads
