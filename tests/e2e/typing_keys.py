"""Typing into fields key by key, as a person does, while the document arrives anew."""

from __future__ import annotations

import math
import random

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from gui.shell.dialogs.ask_text import AskDialog
from gui.widgets import NotesField, NumberField, TextField, parse_entry
from tests.e2e.keyboard import activate
from tests.helpers.program import Program
from tests.helpers.typing_sites import Site

ENTRIES = ("25", "12.5", "3", "0.25", "0.5", "7", "60", "150", "0.97", "1", "2", "0")
WORDS = "b c"
KINDS = ("1e-3", "-60%", "1,234.5", "0.125", "12.345678", "(3)", "1e3", "0.00005")
DRAWN_KINDS = 1  # of a field that is typed into for the first time; the long run takes all
AGAIN_KINDS = 0  # of another field made at the same place, which the long run tries once more
LETTERS = "x1"
VISITED: set[Site] = set()
TRIED: set[str] = set()  # of the ways to write a number


def fields_of(root: QWidget) -> list[TextField | NotesField]:
    """Fields that a person can type into now."""
    found = [*root.findChildren(TextField), *root.findChildren(NotesField)]
    return [f for f in found if f.isVisible() and f.isEnabled() and not f.isReadOnly()]


def shown_text(field: TextField | NotesField) -> str:
    return field.text() if isinstance(field, TextField) else field.toPlainText()


def entry_for(field: TextField | NotesField) -> str:
    """Something to type that the field takes and does not show yet."""
    if not isinstance(field, NumberField):
        return WORDS
    low, high = field._range
    for entry in ENTRIES:
        value = float(entry) / field._factor
        is_other = not math.isclose(value, field.value(), rel_tol=1e-9)
        if low <= value <= high and is_other and (field._decimals > 0 or "." not in entry):
            return entry
    return ""


def disturb(program: Program) -> None:
    """The document and what is known of it arrive again."""
    space = program.session
    space.project.document_changed.emit(space.project.document)
    if space.results.decisions is not None and program.window.current_page == "decide":
        space.results.decisions_changed.emit(space.results.decisions)


def click_into(program: Program, field: TextField | NotesField) -> None:
    step = field.parentWidget()
    while step is not None:
        if isinstance(step, QScrollArea):
            step.ensureWidgetVisible(field)
        step = step.parentWidget()
    program.app.processEvents()
    place = field if isinstance(field, TextField) else field.viewport()
    QTest.mouseClick(place, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(8, 8))
    assert field.window().isActiveWindow()
    assert field.hasFocus(), f"a click gives {named(field)} the keyboard"


def named(field: QWidget) -> str:
    return field.accessibleName() or type(field.parentWidget()).__name__


def press(program: Program, field: QWidget, sign: str) -> None:
    """One key, also one that no plain keyboard has."""
    if sign.isascii():
        QTest.keyClick(field, sign)
        return
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, sign)
        program.app.sendEvent(field, event)


def type_keys(program: Program, field: TextField | NotesField, entry: str) -> None:
    """Key by key, the world turning meanwhile."""
    start = "" if isinstance(field, TextField) else shown_text(field)
    for count, key in enumerate(entry, start=1):
        press(program, field, key)
        if count in (1, len(entry)):
            disturb(program)
        assert isValid(field), f"a field was taken away while it was typed into: {entry[:count]}"
        assert shown_text(field) == start + entry[:count], named(field)


def retype(field: TextField, entry: str, program: Program) -> None:
    """Key by key as well, nothing else happening."""
    field.selectAll()
    QTest.keyClicks(field, entry)
    assert field.text() == entry, named(field)


def check_escape(program: Program, field: TextField, entry: str) -> None:
    """Escape takes back what was typed, and nothing else."""
    before, window = shown_text(field), field.window()
    retype(field, entry[:1] if entry[0] != before else "z", program)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert shown_text(field) == before, f"Escape takes back what was typed into {named(field)}"
    assert window.isVisible(), f"Escape in {named(field)} is the field's own"


def check_letters(program: Program, field: NumberField) -> None:
    """Letters are refused by Enter, with the reason, and confirm nothing."""
    before, value, window = shown_text(field), field.value(), field.window()
    retype(field, LETTERS, program)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.isVisible(), f"Enter in {named(field)} confirms no former number"
    if not isValid(field):
        return
    assert shown_text(field) == before, named(field)
    assert field.value() == value or math.isnan(value), named(field)
    assert LETTERS in field.toolTip(), named(field)


def check_kind(program: Program, field: NumberField, entry: str) -> None:
    """Another way to write a number: Enter takes it, or says why not, and presses no button."""
    TRIED.add(entry)
    window, held = field.window(), field.value()
    found = parse_entry(entry, unit=field._unit)
    retype(field, entry, program)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.isVisible(), f"Enter in {named(field)} confirms nothing by itself"
    if not isValid(field):
        return
    low, high = (end * field._factor for end in field._range)
    is_taken = found is not None and low <= found <= high
    if is_taken and not (field.is_whole and found != round(found)):
        assert math.isclose(field.value() * field._factor, found, rel_tol=1e-9), named(field)
        shown = parse_entry(field.text(), unit=field._unit)
        assert shown == pytest.approx(found, rel=1e-9), f"{named(field)} shows {field.text()}"
        return
    assert field.value() == held or math.isnan(held), f"{entry} into {named(field)}"
    assert entry in field.toolTip(), named(field)


def twin_of(program: Program, field: TextField, name: str, window: QWidget) -> TextField:
    """The field, or the one in its place where its part was built anew."""
    program.app.processEvents()

    def found() -> list[TextField]:
        if isValid(field) and field.isVisible():
            return [field]
        return [f for f in fields_of(window) if named(f) == name]

    program.wait(found)
    return found()[0]


def kinds_for(site: Site, name: str, count: int) -> list[str]:
    """Some of the ways to write a number, others in each field, the same ones in every run."""
    return random.Random(f"{site[0]} {name}").sample(KINDS, count)


def type_into(program: Program, field: TextField | NotesField) -> None:
    """Type into one field, take it back, type again, and leave."""
    entry = entry_for(field)
    assert entry, f"{named(field)} takes nothing of what is typed"
    name, window, site = named(field), field.window(), field.made_at
    kinds = kinds_for(site, name, AGAIN_KINDS if site in VISITED else DRAWN_KINDS)
    click_into(program, field)
    if isinstance(field, TextField):
        check_escape(program, field, entry)
        field = twin_of(program, field, name, window)
    if isinstance(field, NumberField):
        check_letters(program, field)
        for kind in kinds if not isinstance(window, AskDialog) else ():  # one Enter is enough there
            field = twin_of(program, field, name, window)
            check_kind(program, field, kind)
        field = twin_of(program, field, name, window)
        entry = entry_for(field)
    field.clearFocus()  # the next click is again the first
    field = twin_of(program, field, name, window)
    click_into(program, field)
    before = shown_text(field)
    if isinstance(field, TextField):
        assert field.selectedText() == before, f"a click into {name} selects all"
    else:
        field.moveCursor(QTextCursor.MoveOperation.End)
    start = parse_entry(before) if isinstance(field, NumberField) else None
    type_keys(program, field, entry[:1])
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shown_text(field) == before, f"Ctrl+Z takes back what was typed into {name}"
    if isinstance(field, NumberField) and start is not None:  # after a pause at most
        program.wait(lambda: abs(field.value() * field._factor - start) < 0.51)
    if isinstance(field, TextField):
        field.selectAll()
    type_keys(program, field, entry)
    parent = field.window()
    QTest.keyClick(field, Qt.Key.Key_Tab)
    disturb(program)
    VISITED.add(site)
    twins = [field] if isValid(field) else []
    twins = twins or [f for f in fields_of(parent) if named(f) == name]
    (twin,) = twins[:1]
    if not isinstance(twin, NumberField):
        assert shown_text(twin) == ("" if isinstance(twin, TextField) else before) + entry, name
        return
    assert parse_entry(twin.text(), unit=twin._unit) == float(entry), name
    assert math.isclose(twin.value() * twin._factor, float(entry), rel_tol=1e-9), name


def walk(program: Program, root: QWidget) -> int:
    """Type into every field below a widget; how many there were."""
    activate(program, root.window())
    space = program.session
    before = space.project.document
    done: set[tuple[object, str]] = set()  # a part that is built anew has its fields elsewhere
    while left := [f for f in fields_of(root) if (f.made_at, named(f)) not in done]:
        done.add((left[0].made_at, named(left[0])))
        type_into(program, left[0])
        while space.project.document != before and space.project.history.undo_label:
            space.project.undo()
        program.app.processEvents()
    return len(done)


def walk_and_close(program: Program, dialog: QWidget) -> None:
    try:
        program.settle()
        walk(program, dialog)
    finally:
        if isValid(dialog):
            dialog.close()
        program.settle()
