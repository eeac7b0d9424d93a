"""What is typed stands: every field of every page and dialog, typed into key by key.

In a window that has the keyboard, as only there a field has the focus. Between the keys the
document and its results arrive anew, as the engine's answers do.
"""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from gui.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from gui.parts import NotesField, NumberField, TextField, parse_entry
from gui.samples import sample_path
from tests.e2e.conftest import Program
from tests.e2e.test_looks import COMPARE_DIALOGS, UPLIFT_TABS, activate

pytestmark = pytest.mark.timeout(400)

ENTRIES = ("25", "12.5", "3", "0.25", "0.5", "7", "60", "150", "0.97", "1", "2", "0")
WORDS = "b c"
SEARCHED = ("Search", "Filter")  # what is searched for takes no part in the document


@pytest.fixture(scope="module")
def desk(program: Program, sample) -> Program:
    program.workspace.open_project(str(sample))
    program.wait(lambda: program.workspace.decisions is not None, 100)
    program.settle()
    activate(program)
    return program


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
    space = program.workspace
    space.document_changed.emit(space.document)
    if space.decisions is not None and program.window.current_page == "decide":
        space.decisions_changed.emit(space.decisions)


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
    """Key by key, the world turning between them."""
    start = "" if isinstance(field, TextField) else shown_text(field)
    for count, key in enumerate(entry, start=1):
        press(program, field, key)
        disturb(program)
        assert isValid(field), f"a field was taken away while it was typed into: {entry[:count]}"
        assert shown_text(field) == start + entry[:count], named(field)


def type_into(program: Program, field: TextField | NotesField) -> None:
    """Type into one field, take it back, type again, and leave."""
    entry = entry_for(field)
    if not entry:
        return
    before, name = shown_text(field), named(field)
    click_into(program, field)
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
    if not isinstance(field, NumberField):
        return
    twins = [field] if isValid(field) else []
    twins = twins or [f for f in fields_of(parent) if named(f) == name]
    (twin,) = twins[:1]
    assert parse_entry(twin.text(), unit=twin._unit) == float(entry), name
    assert math.isclose(twin.value() * twin._factor, float(entry), rel_tol=1e-9), name


def walk(program: Program, root: QWidget) -> int:
    """Type into every field below a widget; how many there were."""
    activate(program, root.window())
    space, place = program.workspace, 0
    before = space.document
    while place < len(fields := fields_of(root)):
        type_into(program, fields[place])
        while space.document != before and space.history.undo_label:
            space.undo()
        program.app.processEvents()
        place += 1
    return place


@pytest.mark.parametrize(("page", "least"), [("models", 6), ("compare", 1), ("data", 2)])
def test_fields_of_a_page(desk: Program, page: str, least: int) -> None:
    desk.window.show_page(page)
    desk.settle()
    assert walk(desk, desk.window.pages[page]) >= least


@pytest.mark.parametrize("page", ["explain", "report", "experiments"])
def test_fields_of_a_page_with_few(desk: Program, page: str) -> None:
    desk.window.show_page(page)
    desk.settle()
    walk(desk, desk.window.pages[page])


@pytest.mark.parametrize("place", range(10))
def test_fields_of_a_tab_of_page_decide(desk: Program, place: int) -> None:
    desk.window.show_page("decide")
    page = desk.window.pages["decide"]
    page.tables.tabs.setCurrentIndex(place)
    desk.settle()
    assert walk(desk, page if place == 0 else page.tables.tabs.currentWidget()) >= (place == 0)


@pytest.mark.parametrize("key", [*early_dialogs(), *data_dialogs()])
def test_fields_of_a_dialog(desk: Program, key: str) -> None:
    dialog = open_dialog(key, desk.workspace, desk.window)
    try:
        desk.settle()
        walk(desk, dialog)
        desk.settle()
    finally:
        dialog.close()


@pytest.mark.parametrize("study", COMPARE_DIALOGS)
def test_fields_of_a_dialog_of_page_compare(desk: Program, study: str) -> None:
    desk.window.show_page("compare")
    desk.settle()
    dialog = getattr(desk.window.pages["compare"].presenter.studies, study)()
    try:
        desk.settle()
        walk(desk, dialog)
        desk.settle()
    finally:
        dialog.close()


@pytest.mark.parametrize("entry", ["25", "12.5", "0.8"])
def test_a_share_in_real_life_is_what_was_typed(desk: Program, entry: str) -> None:
    desk.window.show_page("decide")
    desk.settle()
    activate(desk)
    card = desk.window.pages["decide"].priors
    event, other = desk.workspace.document.target.levels
    field = card.real_life[event]
    before = desk.workspace.document.priors
    click_into(desk, field)
    type_keys(desk, field, entry)
    desk.wait(lambda: desk.workspace.document.priors != before)  # a pause is enough
    assert field.text() == entry
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dict(desk.workspace.document.priors)[event] == pytest.approx(float(entry) / 100)
    assert parse_entry(field.text()) == float(entry)
    assert parse_entry(card.real_life[other].text()) == pytest.approx(100 - float(entry))
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.workspace.document.priors == before  # complete: undo is the project's again
    desk.settle()


def cell_editor(program: Program, row: int, column: int) -> TextField:
    view = program.window.pages["decide"].earns.matrix
    view.setFocus()
    view.select_cell(row, column)
    view.edit(view.currentIndex())
    return view.viewport().findChildren(TextField)[-1]


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("-2.5", -2.5),
        ("\u22122.5", -2.5),
        ("1,234.5", 1234.5),
        ("12,5", 12.5),
        ("+7", 7.0),
        ("1e2", 100.0),
        ("(3)", -3.0),
        ("\u20ac 12", 12.0),
        ("-60%", None),
        ("-0.02*loan_amount", None),
        ("abc", None),
        ("12 13", None),
    ],
)
def test_a_cell_holds_what_was_typed_or_what_it_held(
    desk: Program, entry: str, value: float | None
) -> None:
    desk.window.show_page("decide")
    desk.settle()
    activate(desk)
    earns = desk.window.pages["decide"].earns
    before = earns.matrix.matrix_model.cells()[0][0]
    editor = cell_editor(desk, 0, 1)
    for count, key in enumerate(entry, start=1):
        press(desk, editor, key)
        disturb(desk)
        assert editor.text() == entry[:count]
        if entry[count - 2 : count] == "02":
            QTest.qWait(700)  # a pause in the middle of a formula
    QTest.keyClick(editor, Qt.Key.Key_Return)
    desk.app.processEvents()
    wanted = before if value is None else value
    desk.wait(lambda: earns.matrix.matrix_model.cells()[0][0] == pytest.approx(wanted))
    if value is None:
        assert entry in earns.problem.text()
        assert "stays at" in earns.problem.text()
    while desk.workspace.history.undo_label:
        desk.workspace.undo()
    desk.settle()


@pytest.mark.parametrize("tab", UPLIFT_TABS[:1])
def test_fields_of_page_uplift(desk: Program, tab: str) -> None:
    if desk.workspace.document.name != "Treated by choice":
        desk.workspace.history.mark_saved()
        desk.window.files.open_path(sample_path("toy-observational"))
        desk.wait(lambda: desk.workspace.summary is not None)
    desk.window.show_page("uplift")
    page = desk.window.pages["uplift"]
    desk.wait(lambda: page.result is not None)
    page.variants.show_tab(tab)
    walk(desk, page)
    limit = page.action.limit
    activate(desk)
    click_into(desk, limit)
    type_keys(desk, limit, "1,234")
    QTest.keyClick(limit, Qt.Key.Key_Tab)
    assert desk.workspace.document.uplift.most_cases == 1234
    click_into(desk, limit)
    QTest.keyClick(limit, Qt.Key.Key_Tab)  # passing through changes nothing
    assert desk.workspace.document.uplift.most_cases == 1234
