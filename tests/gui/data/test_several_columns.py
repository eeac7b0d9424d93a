"""Several columns at once, roles from the table's header, and the search in long lists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QListWidget, QListWidgetItem, QPushButton

from core.document.commands import SetRoles
from core.document.data.model import ReaderSettings
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec
from gui.pages.data.header import CHIP_TOP
from gui.pages.data.reading.import_dialog import ImportDialog
from gui.widgets.fields.list_search import FEWEST_LINES, ListSearch, tick_all
from tests.helpers.factories.loaded_file import loaded_document, make_preview

LINES = 200


def _press(header, place: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, keys, place)


@pytest.fixture
def inputs(page) -> tuple[str, ...]:
    """Three columns of the file, made inputs."""
    document = page.session.project.document
    scored = (Role.TARGET, Role.POSTERIOR)
    names = tuple(e.column for e in document.roles if e.role not in scored)[:3]
    page.session.project.execute(SetRoles(role=Role.INPUT, columns=names))
    return names


def test_a_role_given_in_the_header_shows_its_column_and_who_chose_it(page, inputs):
    page.select_column(inputs[0])
    page.table.role_wanted.emit(inputs[1], Role.IGNORED)
    assert page.chosen_column() == page.roles.chosen() == inputs[1]
    page.table.role_wanted.emit("use", Role.TARGET)
    index = page.roles._model.index(page.roles._model.row_of("use"), 0)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "chosen by you"


def test_columns_chosen_together_get_one_role_in_one_step(page, inputs):
    names = inputs
    page.roles.choose(names[0])
    model = page.roles.list.selectionModel()
    for name in names[1:]:
        row = page.roles._model.row_of(name)
        place = page.roles._model.index(row, 0)
        model.setCurrentIndex(place, QItemSelectionModel.SelectionFlag.Select)
    assert page.roles.chosen_columns() == tuple(names)
    combos = page.roles.findChildren(QComboBox)
    box = next(c for c in combos if c.accessibleName() == f"{len(names)} columns")
    offered = [Role(box.itemData(place)) for place in range(box.count())]
    assert Role.POSTERIOR not in offered
    assert Role.TARGET not in offered
    box.setCurrentIndex(box.findData(Role.IGNORED))
    box.activated.emit(box.currentIndex())
    roles = {entry.column: entry.role for entry in page.session.project.document.roles}
    assert {roles[name] for name in names} == {Role.IGNORED}
    page.session.project.undo()
    roles = {entry.column: entry.role for entry in page.session.project.document.roles}
    assert {roles[name] for name in names} == {Role.INPUT}


def test_a_press_on_a_role_in_the_header_offers_the_others(page, inputs):
    header = page.columns
    names = page.table.column_names()
    name = inputs[0]
    section = names.index(name)
    opened = []
    page.table.open_roles = lambda column, _place: opened.append(column)
    left = header.sectionViewportPosition(section) + 12
    _press(header, QPoint(left, CHIP_TOP + 4))
    assert opened == [name]
    menu = page.table.roles_menu(name, page)
    ticked = [action.text() for action in menu.actions() if action.isChecked()]
    assert ticked == ["Input"]
    next(a for a in menu.actions() if a.text() == "Cost").trigger()
    assert page.session.project.document.role_of(name).role is Role.COST


def test_ctrl_in_the_header_gathers_columns_and_the_menu_is_for_all_of_them(page, inputs):
    header, names = page.columns, page.table.column_names()
    first, second = inputs[:2]
    page.select_column(first)
    left = header.sectionViewportPosition(names.index(second)) + 12
    _press(header, QPoint(left, 6), Qt.KeyboardModifier.ControlModifier)
    assert page.roles.chosen_columns() == (first, second)
    assert page.columns._chosen == (first, second)
    page.roles.give_role(second, Role.IGNORED)
    roles = {entry.column: entry.role for entry in page.session.project.document.roles}
    assert (roles[first], roles[second]) == (Role.IGNORED, Role.IGNORED)


def test_a_long_list_of_columns_is_searched_and_all_in_sight_chosen(page):
    card = page.roles
    assert card.search.isHidden()  # eleven columns are seen at a glance
    entries = tuple(
        RoleAssignment(column=f"{'spend' if row % 4 else 'age'}_{row}", role=Role.INPUT)
        for row in range(LINES)
    )
    document = replace(page.session.project.document, roles=entries)
    page.session.project.take_document(document)
    assert not card.search.isHidden()
    card.search.setText("AGE")
    assert len(card.search.shown()) == LINES // 4
    card.all.click()
    assert card.chosen_columns() == tuple(e.column for e in entries if "age" in e.column)


@pytest.fixture
def ticks(show) -> QListWidget:
    made = QListWidget()
    for row in range(LINES):
        item = QListWidgetItem(f"{'left' if row % 2 else 'right'} {row}")
        item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
        item.setCheckState(Qt.CheckState.Unchecked)
        made.addItem(item)
    return show(made, 300, 400)


def test_all_ticks_what_the_search_shows_and_again_takes_it_away(ticks):
    search = ListSearch(ticks)
    search.setText("left")

    def ticked() -> int:
        items = (ticks.item(row) for row in range(LINES))
        return sum(item.checkState() is Qt.CheckState.Checked for item in items)

    tick_all(ticks, search)
    assert ticked() == LINES // 2
    search.setText("")
    assert len(search.shown()) == LINES
    tick_all(ticks, search)
    assert ticked() == LINES
    tick_all(ticks, search)
    assert ticked() == 0
    ticks.clear()
    assert FEWEST_LINES > 0
    assert search.isHidden()
    search.deleteLater()


def test_several_columns_of_the_preview_get_one_kind(session, engine, qtbot):
    dialog = ImportDialog(session, "/data/mail.csv", ReaderSettings())
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview("/data/mail.csv"))
    columns = dialog._preview.columns
    model, table = dialog._table.model(), dialog._table
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Columns
    for place in (0, 2):
        table.selectionModel().select(model.index(0, place), flags)
    assert dialog.picked(2) == (columns[0], columns[2])
    assert dialog.picked(1) == (columns[1],)
    menu = dialog.types_menu(2)
    next(action for action in menu.actions() if action.text() == "Text").trigger()
    assert dict(dialog.wanted().column_types) == {columns[0]: "text", columns[2]: "text"}
    dialog.reject()


def test_the_logarithm_of_an_exposure_is_one_press_away(page, engine):
    session = page.session
    column = ColumnSummary(
        name="Exposure", kind="number", rows=9, missing=0, distinct=9, minimum=0.1, maximum=1.0
    )
    summary = replace(session.project.summary, columns=(*session.project.summary.columns, column))
    roles = (
        *session.project.document.roles,
        RoleAssignment(column="Exposure", role=Role.IGNORED),
    )
    target = TargetSpec(column="claims", kind="interval")
    session.project.take_document(replace(session.project.document, roles=roles, target=target))
    session.project.summary = summary
    page.roles.choose("Exposure")
    button = next(b for b in page.roles.findChildren(QPushButton) if "logarithm" in b.text())
    button.click()
    made = engine.last("make_table").arguments.data.recipe.derived
    assert [(entry.name, entry.text) for entry in made] == [("log Exposure", "log([Exposure])")]
    classes = replace(session.project.document, target=loaded_document().target)
    session.project.take_document(classes)
    session.project.summary = summary
    page.roles.refresh()
    assert not [b for b in page.roles.findChildren(QPushButton) if "logarithm" in b.text()]
