"""The widget of a view: where its parts have their room."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QProxyStyle, QStyle
from pytestqt.qtbot import QtBot

from core.presentation.view import Table, View
from gui.charts.view_widget import ViewWidget
from gui.widgets.tables.figure_table import ResultTable


def test_a_table_without_a_chart_has_all_the_room_there_is(qtbot: QtBot) -> None:
    widget = ViewWidget("above")
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    rows = tuple((f"model {number}", "0.5") for number in range(60))
    table = Table(columns=("Model", "AUC"), rows=rows, name="Models")
    widget.show_view(View(title="", sentences=("One sentence.",), tables=(table,), notes=("Note",)))
    with qtbot.waitExposed(widget):
        widget.show()
    assert widget.tables[0].height() > 0.8 * widget.height()


def test_a_table_whose_words_take_more_lines_in_less_width_still_shows_its_last_row(
    qtbot: QtBot,
) -> None:
    widget = ViewWidget("left", 900)
    qtbot.addWidget(widget)
    rows = tuple((f"scorecard of applications {number}", "94.3 %") for number in range(4))
    table = Table(columns=("Wins here", "Share of map"), rows=rows, name="Winners", wide=0)
    widget.resize(900, 700)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.show_view(View(title="", sentences=("One sentence.",), tables=(table,)))
    (shown,) = widget.tables
    before = shown.height()
    widget.words.setFixedWidth(190)
    qtbot.waitUntil(lambda: shown.height() > before)
    assert shown.height() >= shown.content_height()


def test_lines_of_a_table_do_not_come_and_go_with_the_bar_of_an_area_that_scrolls(
    qtbot: QtBot,
) -> None:
    table = ResultTable("", wraps=True)
    qtbot.addWidget(table)
    rows = tuple((f"scorecard of applications {number}", "94.3 %") for number in range(4))
    with qtbot.waitExposed(table):
        table.show()
    table.show_content(Table(columns=("Wins", "Share"), rows=rows, name="Winners", wide=0))
    table.resize(400, 200)
    whole = table.content_height()
    narrow = next(width for width in range(390, 60, -10) if _height(table, width) > whole)
    table.resize(400, 200)
    told: list[int] = []
    table.height_changed.connect(lambda: told.append(table.width()))
    for width in (narrow, narrow + 10, narrow, narrow + 10):
        table.resize(width, 200)
    assert told == [narrow]
    table.resize(narrow + 100, 200)
    assert told == [narrow, narrow + 100]


def _height(table: ResultTable, width: int) -> int:
    table.resize(width, 200)
    return table.content_height()


def test_one_sentence_stands_out_and_all_others_are_small(qtbot: QtBot) -> None:
    widget = ViewWidget("above")
    qtbot.addWidget(widget)
    widget.show_view(View(title="", sentences=("First.", "The answer.", "Last."), strong=1))
    assert [label.property("textRole") for label in widget.sentences] == ["note", "body", "note"]


class DesktopStyle(QProxyStyle):
    """A desktop that puts pictures on the buttons of dialogs."""

    def styleHint(self, hint, option=None, widget=None, returnData=None) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, option, widget, returnData)


def test_buttons_of_dialogs_have_words_alone(qtbot: QtBot) -> None:
    """Pictures of the desktop are black on dark."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(box)
    style = DesktopStyle()
    box.setStyle(style)
    box.ensurePolished()
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert not box.style().styleHint(hint, None, box)
