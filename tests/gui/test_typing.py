"""Fields to type in: one kind for numbers, one for texts, and nothing else to type into."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.parts import EntryBox, NotesField, NumberField, TextField, parse_entry, read_entry

GUI = Path(__file__).resolve().parents[2] / "gui"
RAW = re.compile(
    r"\b(QLineEdit|QSpinBox|QDoubleSpinBox|QPlainTextEdit|QTextEdit)\(|getDouble|getInt\b|setEditable"
)


def test_no_field_is_made_but_those_of_the_parts():
    """A field made otherwise would be rewritten while it is typed into."""
    found = [
        f"{path.relative_to(GUI)}: {line.strip()}"
        for path in GUI.rglob("*.py")
        if path.name != "text_field.py"
        for line in path.read_text("utf-8").splitlines()
        if RAW.search(line)
    ]
    assert not found


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
