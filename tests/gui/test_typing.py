"""Fields to type in: one kind for numbers, one for texts, and nothing else to type into."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gui.pages.data.reading.import_settings import read_widths
from gui.shell.dialogs.ask_text import ask_name, ask_number
from gui.widgets import EntryBox, NotesField, NumberField, TextField, parse_entry, read_entry
from gui.widgets.dialog import dialog_buttons
from tests.helpers.typing_sites import called, field_classes, modules

# Qt's own things to type into: nobody but the shared fields makes one. Files are asked for by the
# system's dialog (QFileDialog), which is not the program's.
RAW = {
    "QLineEdit",
    "QSpinBox",
    "QDoubleSpinBox",
    "QAbstractSpinBox",
    "QPlainTextEdit",
    "QTextEdit",
    "QDateEdit",
    "QTimeEdit",
    "QDateTimeEdit",
    "QKeySequenceEdit",
    "QInputDialog",
    "QItemEditorFactory",
    "setEditable",
}
# Models and tables whose cells Qt lets be typed into unless somebody says otherwise.
TABLES = {"QTableWidget", "QTreeWidget", "QStandardItemModel"}


def names_in(module: ast.Module) -> set[str]:
    found = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}
    return found | {
        name.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


def test_no_field_is_made_but_those_of_the_parts():
    """A field made otherwise would be rewritten while it is typed into."""
    found = {
        name: sorted(names_in(module) & RAW)
        for name, module in modules(RAW)
        if name != "widgets/fields/text_field.py"
    }
    assert not {name: raw for name, raw in found.items() if raw}


def test_cells_that_can_be_typed_into_open_a_shared_field():
    """Who lets a cell be typed into says which field it opens."""
    fields = field_classes()
    for name, module in modules({"ItemIsEditable", "createEditor", *TABLES}):
        names = names_in(module)
        is_open = (
            "ItemIsEditable" in names
            or {called(node) for node in ast.walk(module) if isinstance(node, ast.Call)} & TABLES
        )
        assert not is_open or names & {"EntryDelegate", "MatrixSpec"}, name
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name == "createEditor":
                made = {called(call) for call in ast.walk(node) if isinstance(call, ast.Call)}
                assert made & fields, name


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("1,234", ".", 1234.0),
        ("1.234", ",", 1234.0),
        ("0,234", ".", 0.234),
        ("12,34", ".", 12.34),
        ("1.234.567,5", ".", 1234567.5),
        ("1 234 567", ".", 1234567.0),
        ("1\u00a0234,5", ",", 1234.5),
        ("1'234.5", ".", 1234.5),
        ("+5", ".", 5.0),
        ("- 5", ".", -5.0),
        ("\u20135", ".", -5.0),
        ("(1.60)", ".", -1.6),
        ("1e3", ".", 1000.0),
        ("-2.5E-2", ".", -0.025),
        ("12 \u20ac", ".", 12.0),
        ("-\u20ac12", ".", -12.0),
        ("CHF 3", ".", 3.0),
        (" 7 \n", ".", 7.0),
        (".5", ".", 0.5),
        ("5.", ".", 5.0),
    ],
)
def test_what_counts_as_a_number(text, decimal, value):
    assert read_entry(text, decimal=decimal) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "abc", "12 13", "1\n2", "1.2.3", "1,2,3", "--5", "1e", "e5", "1_000", "٣"),
        *("nan", "inf", "1e999", "0x10", "5%", "€", "-", ".", "1,23,456"),
    ],
)
def test_what_is_no_number_is_refused_with_the_reason(text):
    found = read_entry(text)
    assert isinstance(found, str)
    assert found.endswith(".")
    assert parse_entry(text, unit="") is None


def test_a_per_cent_sign_is_for_shares():
    assert "share" in str(read_entry("-60%"))
    assert read_entry("-60 %", unit="%") == -60.0


@given(st.floats(-1e12, 1e12), st.sampled_from([".", ","]), st.integers(0, 6))
@settings(deadline=None, max_examples=100)
def test_grouped_numbers_read_back(value, decimal, digits):
    text = f"{value:,.{digits}f}"
    if decimal == ",":
        text = text.translate(str.maketrans(",.", ".,"))
    assert read_entry(text, decimal=decimal) == pytest.approx(float(f"{value:.{digits}f}"))


@pytest.fixture
def pair(qtbot) -> Iterator[tuple[NumberField, TextField]]:
    """Two fields in a window that has the keyboard."""
    holder = QWidget()
    number, text = NumberField(0.05, unit="%", factor=100.0, decimals=1), TextField("words")
    column = QVBoxLayout(holder)
    column.addWidget(number)
    column.addWidget(text)
    qtbot.addWidget(holder)
    with qtbot.waitExposed(holder):
        holder.show()
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    yield number, text
    holder.close()


def test_nothing_rewrites_what_is_being_typed(pair, qtbot):
    number, text = pair
    qtbot.mouseClick(number, Qt.MouseButton.LeftButton)
    assert number.hasFocus()
    assert number.selectedText() == number.text()
    for count, key in enumerate("12.5", start=1):
        qtbot.keyClick(number, key)
        number.set_value(0.3)
        number.set_decimals(2)
        number.set_scale(100.0, "%")
        assert number.text() == "12.5"[:count]
    qtbot.keyClick(number, Qt.Key.Key_Tab)
    assert number.value() == 0.125
    assert number.text() == "12.50\u00a0%"
    assert text.selectedText() == "words"
    qtbot.keyClick(text, "x")
    text.setText("from the document")
    assert text.text() == "x"
    qtbot.keyClick(text, Qt.Key.Key_Return)
    text.setText("from the document")
    assert text.text() == "from the document"


def test_a_rewritten_field_with_the_keyboard_stays_selected(pair):
    number, _text = pair
    number.setFocus()
    number.selectAll()
    number.set_value(0.4)
    assert number.selectedText() == "40.0\u00a0%"


def test_undo_is_the_fields_own_while_typing(pair, qtbot):
    number, _text = pair
    heard: list[str] = []
    project = QShortcut(QKeySequence("Ctrl+Z"), number.window())
    project.activated.connect(lambda: heard.append("project"))
    qtbot.mouseClick(number, Qt.MouseButton.LeftButton)
    qtbot.keyClick(number, "7")
    qtbot.keyClick(number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert number.text() == "5.0\u00a0%"
    assert not heard
    qtbot.keyClick(number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["project"]
    number.selectAll()
    qtbot.keyClicks(number, "9")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    qtbot.keyClick(number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["project", "project"]
    assert number.value() == 0.09


def test_a_field_may_be_empty(pair, qtbot):
    _number, text = pair
    limit = NumberField(math.nan, decimals=0, minimum=0, may_be_empty=True)
    text.parentWidget().layout().addWidget(limit)
    limit.show()
    assert limit.text() == ""
    assert limit.entered() is None
    limit.setFocus()
    qtbot.keyClicks(limit, "0")
    qtbot.keyClick(limit, Qt.Key.Key_Return)
    assert limit.entered() == 0.0  # nothing and none are two things
    limit.selectAll()
    qtbot.keyClick(limit, Qt.Key.Key_Backspace)
    qtbot.keyClick(limit, Qt.Key.Key_Return)
    assert limit.entered() is None


def test_lists_and_notes_keep_what_is_typed(pair, qtbot):
    box, notes = EntryBox(), NotesField()
    box.addItems(["gbm 1", "gbm 2"])
    for widget in (box, notes):
        pair[0].parentWidget().layout().addWidget(widget)
        widget.show()
    box.field.setFocus()
    box.field.selectAll()
    qtbot.keyClicks(box.field, "g")
    assert box.currentText() == "g"  # not gbm 1, which is offered
    box.setCurrentText("gbm 2")
    assert box.currentText() == "g"
    notes.setFocus()
    qtbot.keyClicks(notes, "so ")
    notes.setPlainText("so")
    assert notes.toPlainText() == "so "


def typed(qtbot, field: TextField, entry: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, entry)


def test_escape_takes_back_what_was_typed_and_what_a_pause_took(pair, qtbot):
    number, text = pair
    typed(qtbot, number, "12")
    with qtbot.waitSignal(number.value_changed, timeout=5000):
        pass  # a pause
    typed(qtbot, number, "13")
    with qtbot.waitSignal(number.value_committed, timeout=5000) as reported:
        qtbot.keyClick(number, Qt.Key.Key_Escape)
    assert reported.args == [0.05]
    assert number.text() == "5.0\u00a0%"
    typed(qtbot, text, "other")
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert text.text() == "words"
    assert not text.is_being_typed()


def test_a_button_that_takes_no_keyboard_finds_the_number_complete(pair, qtbot):
    """Else its answer would be passed over, and what was typed would count after it."""
    number, _text = pair
    back = QToolButton()
    number.parentWidget().layout().addWidget(back)
    back.show()
    back.clicked.connect(lambda: number.set_value(0.05))
    typed(qtbot, number, "12")
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert number.hasFocus()
    assert number.text() == "5.0\u00a0%"
    qtbot.keyClick(number, Qt.Key.Key_Tab)
    assert number.value() == 0.05


def test_a_tool_tip_of_its_own_comes_back(pair, qtbot):
    number, _text = pair
    number.setToolTip("How common it is")
    typed(qtbot, number, "x")
    assert "not a number" in number.toolTip()
    qtbot.keyClick(number, Qt.Key.Key_Tab)
    assert "“x” was not taken" in number.toolTip()
    typed(qtbot, number, "7")
    assert number.toolTip() == "How common it is"


@pytest.mark.parametrize(
    ("entry", "shown"),
    [("1e-3", "0.001"), ("0.00005", "0.00005"), ("1,234.5", "1234.50"), ("1,234", "1234.00")],
)
def test_a_field_shows_the_number_that_was_typed(qtbot, entry, shown):
    field = NumberField(2.0)
    qtbot.addWidget(field)
    field.show()
    typed(qtbot, field, entry)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == shown
    again = NumberField(field.value())  # built anew, or opened again
    qtbot.addWidget(again)
    assert parse_entry(again.text()) == field.value()


@given(st.floats(1e-15, 1e9))
@settings(deadline=None, max_examples=60)
def test_what_is_not_zero_is_never_shown_as_zero(qapp, value):
    assert parse_entry(NumberField(value, decimals=1).text()) != 0.0


def test_whole_numbers_take_no_halves(qtbot):
    field = NumberField(5, whole=True, minimum=2, maximum=20)
    qtbot.addWidget(field)
    field.show()
    for entry in ("2.5", "1e-3", "21"):
        typed(qtbot, field, entry)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert field.value() == 5
        assert entry in field.toolTip()
    typed(qtbot, field, "1e1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (field.value(), field.text()) == (10, "10")


class Folds(QDialog):
    """A dialog with one number, as many are."""

    def __init__(self, *, confirms: bool) -> None:
        super().__init__()
        self.taken: list[float] = []
        self.field = NumberField(5, whole=True, minimum=2, maximum=20)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        if confirms:
            box, self.button = dialog_buttons(self, "Use", self.take)
        else:
            box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
            box.rejected.connect(self.reject)
            self.button = box.button(QDialogButtonBox.StandardButton.Close)
        column.addWidget(box)

    def take(self) -> None:
        self.taken.append(self.field.value())


@pytest.fixture
def opened(qtbot):
    """Open a dialog and give it the keyboard."""
    shown: list[QDialog] = []

    def open_one(dialog: QDialog) -> QDialog:
        shown.append(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    yield open_one
    for dialog in filter(isValid, shown):
        dialog.close()


def test_enter_in_a_field_never_closes_a_dialog_that_has_only_close(opened, qtbot):
    dialog = opened(Folds(confirms=False))
    typed(qtbot, dialog.field, "7")
    for _ in range(2):
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.field.value() == 7


def test_enter_after_a_number_is_the_fields_and_the_next_one_confirms(opened, qtbot):
    dialog = opened(Folds(confirms=True))
    typed(qtbot, dialog.field, "7")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert (dialog.field.value(), dialog.taken) == (7, [])
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.taken == [7.0]


def test_enter_confirms_after_the_button_had_the_keyboard(opened, qtbot):
    dialog = opened(Folds(confirms=True))
    dialog.button.setFocus()
    dialog.field.setFocus()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.taken == [5.0]


def test_a_refused_number_is_not_confirmed_over(opened, qtbot):
    dialog = opened(Folds(confirms=True))
    typed(qtbot, dialog.field, "500")
    dialog.button.setFocus()
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    assert dialog.taken == []
    assert dialog.field.hasFocus()
    assert "500" in dialog.field.toolTip()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Tab)
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    assert dialog.taken == [5.0]  # the field was looked at since


def test_escape_in_a_dialog_is_first_the_fields(opened, qtbot):
    dialog = opened(Folds(confirms=True))
    heard: list[float] = []
    dialog.field.value_changed.connect(heard.append)
    typed(qtbot, dialog.field, "7")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert heard == []


def test_questions_take_one_enter_and_stay_where_they_are_refused(pair, opened, qtbot):
    number, _text = pair
    heard: list[object] = []
    dialog = opened(ask_name(number.window(), "Rename", "Name", lambda name: name != "taken"))
    typed(qtbot, dialog.field, "taken")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.field.text() == "taken"
    typed(qtbot, dialog.field, "free")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    requested = opened(ask_number(number.window(), "Add", "Value", heard.append, 1e12))
    typed(qtbot, requested.field, "x")
    qtbot.keyClick(requested.field, Qt.Key.Key_Return)
    assert requested.isVisible()
    assert heard == []
    qtbot.keyClicks(requested.field, "1,234.5")  # the number before is selected
    qtbot.keyClick(requested.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: heard == [1234.5])


def test_a_list_to_type_into_is_taken_back_to_its_entry(pair, qtbot):
    box = EntryBox()
    box.addItems(["gbm 1", "gbm 2"])
    pair[0].parentWidget().layout().addWidget(box)
    box.show()
    QComboBox.setCurrentIndex(box, 1)
    typed(qtbot, box.field, "other")
    qtbot.keyClick(box.field, Qt.Key.Key_Escape)
    assert box.currentText() == "gbm 2"


@pytest.mark.parametrize(
    ("text", "widths"),
    [("8, 12,5", (8, 12, 5)), ("8 12 5", (8, 12, 5)), ("", ()), ("8;12,", (8, 12))],
)
def test_widths_of_columns_are_read(text, widths):
    assert read_widths(text) == widths


@pytest.mark.parametrize("text", ["8, x, 5", "8, 1.5", "0", "²", "-3"])
def test_widths_that_are_none_are_refused(text):
    assert isinstance(read_widths(text), str)
