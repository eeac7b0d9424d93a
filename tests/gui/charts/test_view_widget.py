"""The widget of a view: where its parts have their room."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QStyle
from pytestqt.qtbot import QtBot

from core.presentation.table import Table
from core.presentation.view import View
from gui.charts.view_widget import ViewWidget


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


def test_buttons_of_dialogs_have_words_alone(qtbot: QtBot) -> None:
    """Pictures of the desktop are black on dark."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(box)
    box.ensurePolished()
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert not box.style().styleHint(hint, None, box)
    with qtbot.waitExposed(box):
        box.show()
    assert box.button(QDialogButtonBox.StandardButton.Close).icon().isNull()
