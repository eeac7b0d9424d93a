"""Tables as files: from the menu, from a table, and tables that come from the clipboard."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QMenu,
    QPushButton,
    QTableView,
    QWidget,
)

from core.document.data.model import ReaderSettings
from core.document.wording import format_money_interval, format_share
from core.presentation.view import Table
from core.questions.decide import BreakEven
from gui.charts.shown_chart import ShownChart
from gui.pages.data.reading.import_dialog import ImportDialog
from gui.session.request import Request
from gui.shell.commands.pasting import keep_pasted
from gui.widgets.dialog import AnswerDialog
from gui.widgets.tables import TextTableModel
from gui.widgets.tables.cells import cells_of
from gui.widgets.tables.copying import copy_table
from gui.widgets.tables.figure_table import ResultTable
from payoff.errors import PayoffError
from tests.helpers.answers.views import shades

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def view(qtbot) -> QTableView:
    made = QTableView()
    qtbot.addWidget(made)
    model = TextTableModel(made)
    model.show(("name", "value", "hidden"), (("a", "1", "x"), ("b", "2.5", "y")), notes=("n",))
    made.setModel(model)
    made.setColumnHidden(2, True)
    return made


def test_a_table_is_written_as_it_is_shown(loaded, engine, view, tmp_path):
    assert cells_of(view) == (("name", "value"), (("a", "1"), ("b", "2.5")))
    view.setColumnHidden(2, False)
    view.model().show(("gbm", "€", "Mail", "€"), (("a", "1", "2", "3"),))
    assert cells_of(view)[0] == ("gbm", "gbm: €", "Mail", "Mail: €")
    view.setColumnHidden(2, True)
    assert cells_of(view)[0] == ("gbm", "gbm: €", "Mail: €")
    loaded.table_exports.export_view(view)
    dialog = loaded.findChild(QFileDialog)
    assert any("xlsx" in kind for kind in dialog.nameFilters())
    dialog.fileSelected.emit(str(tmp_path / "out.xlsx"))
    dialog.close()
    sent = engine.last("export_cells").arguments
    assert sent.columns == ("gbm", "gbm: €", "Mail: €")
    assert sent.path.endswith("out.xlsx")


def test_the_data_are_written_whole(loaded, engine, tmp_path):
    loaded.actions_by_key["export_data"].trigger()
    dialog = loaded.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "out.parquet"))
    dialog.close()
    sent = engine.last("export_data").arguments
    assert sent.document == loaded.session.project.document
    assert sent.path.endswith("out.parquet")


def test_only_a_table_has_the_menu(loaded, view, monkeypatch):
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(1, 1), QPoint(1, 1))
    shown: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append(menu))
    for widget, offered in ((view.viewport(), True), (QLabel("x"), False)):
        monkeypatch.setattr(QApplication, "widgetAt", lambda _place, found=widget: found)
        assert loaded.table_exports.offer_menu(event) is offered
    assert [action.text() for action in shown[0].actions()] == ["Copy table", "Export table…"]


@pytest.mark.parametrize("depth", [1, 2])
def test_a_table_in_a_dialog_has_the_menu_too(loaded, monkeypatch, depth):
    """A dialog is a window of its own, where events end; another may stand in front of it."""
    shown: list[list[str]] = []
    monkeypatch.setattr(
        QMenu, "popup", lambda menu, _place: shown.append([a.text() for a in menu.actions()])
    )
    dialog = loaded
    for _ in range(depth):
        dialog = AnswerDialog(dialog)
    table = ResultTable("Figures", dialog)
    table.show_content(Table(columns=("Name", "Value"), rows=(("a", "1"), ("b", "2.5"))))
    monkeypatch.setattr(QApplication, "widgetAt", lambda _place: table.viewport())
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(table.viewport(), event)
    assert shown == [["Copy table", "Export table…"]]


def test_every_dialog_with_a_table_offers_its_menu():
    """Classes that show a table or a view, and no base that asks the window for the menu."""
    found = []
    for path in (PROJECT / "gui").rglob("*.py"):
        text = path.read_text("utf-8")
        is_plain = re.search(r"^class \w+\(QDialog\)", text, re.MULTILINE)
        has_own = "setContextMenuPolicy" in text
        if is_plain and not has_own and re.search(r"\b(ResultTable|ViewWidget|QTableView)\(", text):
            found.append(path.name)
    assert found == []


def test_a_table_is_copied_as_it_is_shown(loaded, view):
    menu = loaded.table_exports.menu_of(view)
    next(action for action in menu.actions() if action.text() == "Copy table").trigger()
    assert QApplication.clipboard().text() == "name\tvalue\na\t1\nb\t2.5"


def test_a_table_that_rounds_is_written_with_every_digit(loaded, engine, show, tmp_path):
    table = ResultTable("Figures")
    rows = (("a", format_share(0.21344), format_money_interval(1.501, 2.25)), ("b", "", ""))
    table.show_content(Table(columns=("Name", "Share", "95 %"), rows=rows, right=(1, 2)))
    show(table)
    menu = loaded.table_exports.menu_of(table)
    next(action for action in menu.actions() if action.text() == "Copy table").trigger()
    head, *lines = QApplication.clipboard().text().splitlines()
    assert head == "Name\tShare\t95 %, from\t95 %, to"
    assert lines == ["a\t0.21344\t1.501\t2.25", "b\t\t\t"]
    next(action for action in menu.actions() if action.text() == "Copy as shown").trigger()
    assert QApplication.clipboard().text().splitlines()[1] == "a\t21.3\u00a0%\t1.50 to 2.25"
    table.setCurrentIndex(table.model().index(0, 1))
    copy_table(table)
    assert QApplication.clipboard().text() == "0.21344"
    loaded.table_exports.export_view(table)
    dialog = loaded.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "out.csv"))
    dialog.close()
    sent = engine.last("export_cells").arguments
    assert (sent.columns, sent.rows[0]) == (
        ("Name", "Share", "95 %, from", "95 %, to"),
        ("a", "0.21344", "1.501", "2.25"),
    )


def test_the_numbers_of_a_chart_become_a_workbook(loaded, engine, qtbot, tmp_path):
    """By its export, and from the table of its numbers, both in windows of their own."""
    card = ShownChart(AnswerDialog(loaded))
    card.show_chart(shades())
    header, rows = card.table_rows()
    export = card.open_export()
    export.format.choose("xlsx")
    export.export(str(tmp_path / "curve"))
    sent = engine.last("export_cells").arguments
    assert sent.path == str(tmp_path / "curve.xlsx")
    assert (sent.columns, sent.rows) == (header, tuple(rows))
    dialog = card.open_table()
    next(b for b in dialog.findChildren(QPushButton) if b.text() == "Export…").click()
    asked = loaded.findChild(QFileDialog)
    asked.fileSelected.emit(str(tmp_path / "numbers.xlsx"))
    asked.close()
    dialog.close()
    sent = engine.last("export_cells").arguments
    assert sent.path.endswith("numbers.xlsx")
    assert (sent.columns, sent.rows) == (header, tuple(rows))


def test_a_chart_outside_the_program_says_that_it_cannot(qtbot, tmp_path):
    card = ShownChart()
    qtbot.addWidget(card)
    card.show_chart(shades())
    with pytest.raises(PayoffError, match="cannot be written from here"):
        card.export_to(str(tmp_path / "curve.xlsx"), 90.0, 60.0)


def test_a_copied_table_becomes_a_file(tmp_path):
    path = keep_pasted("id\tscore\n007\t0.5\n", tmp_path / "pasted")
    assert path.read_text("utf-8") == "id\tscore\n007\t0.5\n"
    assert path.suffix == ".tsv"
    for text in ("", "one line only"):
        with pytest.raises(PayoffError, match="no table on the clipboard"):
            keep_pasted(text, tmp_path)


def test_paste_opens_the_import_dialog(loaded, engine):
    QApplication.clipboard().setText("id\tscore\n007\t0.5\n")
    loaded.show_page("data")
    press = QKeyEvent(
        QKeyEvent.Type.KeyPress, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier, "v"
    )
    loaded.keyPressEvent(press)
    dialog = loaded.findChild(ImportDialog)
    assert engine.last("preview").arguments.path.endswith(".tsv")
    dialog.reject()
    QApplication.clipboard().clear()
    loaded.files.paste_data()
    assert "clipboard" in loaded.notice.text.text()


def test_the_project_is_copied_as_python(loaded, qtbot):
    action = loaded.actions_by_key["copy_python"]
    assert action.text() == "Copy as Python"
    with qtbot.waitSignal(loaded.session.project.message_posted) as posted:
        action.trigger()
    text = QApplication.clipboard().text()
    assert "payoff.new_project('/data/mail.csv'" in text
    compile(text, "copied", "exec")
    lines = len(text.splitlines())
    assert posted.args[0] == (
        f"Copied as Python: {lines} lines that make this project from its data."
    )


def test_without_data_there_is_nothing_to_copy(window):
    window.refresh_actions()
    assert not window.actions_by_key["copy_python"].isEnabled()


def test_a_table_of_an_answer_copies_the_script_that_asks_for_it(loaded, qtbot):
    loaded.show_page("decide")
    view = QTableView(loaded)
    view.setModel(TextTableModel(view))
    copying = [a for a in loaded.table_exports.menu_of(view).actions() if "Python" in a.text()]
    copying[0].trigger()
    text = QApplication.clipboard().text()
    document = loaded.session.project.document
    assert ("project.totals()" in text) is (document.matrix is not None and bool(document.models))
    assert "project.metrics()" not in text
    loaded.show_page("data")
    assert not [a for a in loaded.table_exports.menu_of(view).actions() if "Python" in a.text()]


def test_what_shows_an_answer_copies_its_question(loaded, engine, qtbot, monkeypatch):
    """Words and charts too: wherever the pointer stands in the place of an answer."""
    place = QWidget(loaded)
    words = QLabel("12,400", place)
    request = Request(place, loaded.session.project)
    job = request.ask(loaded.session.project.document, BreakEven(), on_result=lambda answer: None)
    with qtbot.waitSignal(loaded.session.jobs.job_ended, timeout=2000):
        engine.answer(job, object.__new__(BreakEven.facts.answer))
    shown: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append(menu))
    monkeypatch.setattr(QApplication, "widgetAt", lambda _place: words)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(1, 1), QPoint(1, 1))
    assert loaded.table_exports.offer_menu(event)
    (action,) = shown[0].actions()
    action.trigger()
    assert "project.ask(payoff.questions.BreakEven(" in QApplication.clipboard().text()


def test_a_table_that_shows_one_question_copies_that_question(loaded, engine, qtbot):
    loaded.show_page("decide")
    place = QWidget(loaded)
    view = QTableView(place)
    view.setModel(TextTableModel(view))
    request = Request(place, loaded.session.project)
    requested = BreakEven()

    def copied() -> str:
        menu = loaded.table_exports.menu_of(view)
        next(a for a in menu.actions() if "Python" in a.text()).trigger()
        return QApplication.clipboard().text()

    assert "BreakEven(" not in copied()  # nothing is shown there yet
    job = request.ask(loaded.session.project.document, requested, on_result=lambda answer: None)
    assert "BreakEven(" not in copied()
    answer = object.__new__(requested.facts.answer)
    with qtbot.waitSignal(loaded.session.jobs.job_ended, timeout=2000):
        engine.answer(job, answer)
    assert "payoff.questions.BreakEven(" in copied()
    compile(copied(), "copied", "exec")


def test_a_project_without_a_script_says_why(loaded, qtbot):
    session = loaded.session
    QApplication.clipboard().setText("before")
    memory = replace(session.project.document.data, reader=ReaderSettings(format="memory"))
    session.project.history.reset(replace(session.project.document, data=memory))
    with qtbot.waitSignal(session.project.message_posted) as posted:
        loaded.actions_by_key["copy_python"].trigger()
    assert "no file holds them" in str(posted.args[0])
    assert QApplication.clipboard().text() == "before"
