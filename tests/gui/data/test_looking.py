"""Page Data looks at rows: search, sort, columns in sight, the row filter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton

from core.document.commands import SetRole
from core.document.data.commands import SetRowFilter, SetWeightKind
from core.document.model import Role, RoleAssignment, WeightKind
from core.document.results import CodedWarning, WarningCode
from core.document.studies.data import ExpressionResult
from gui.pages.data.header import MOST
from gui.shell.toolbar import FilterButton
from gui.widgets import TextLabel
from tests.gui.data.steps import answer, some_rows
from tests.helpers.factories.loaded_file import COLUMNS


def test_the_chosen_role_stays_in_sight_when_the_window_gets_lower(page, qtbot):
    view = page.roles.list
    last = page.session.project.document.roles[-1].column
    page.select_column(last)

    def is_seen() -> bool:
        line = view.visualRect(view.currentIndex())
        return line.top() >= 0 and line.bottom() <= view.viewport().height()

    for height in (900, 622, 480):
        page.resize(1208, height)
        qtbot.waitUntil(is_seen, timeout=2000)
    assert page.roles.chosen() == last
    assert view.verticalScrollBar().value() > 0


def test_a_double_click_sorts_and_the_rows_keep_their_numbers(page, engine, qtbot):
    age = COLUMNS.index("age")
    page.columns.sectionDoubleClicked.emit(age)
    order = engine.last("data.rows").arguments.question.order
    assert (order.sort, order.is_falling) == ("age", False)
    with qtbot.waitSignal(page.model.total_changed, timeout=2000):
        answer(engine, "data.rows", some_rows(3, 3))
    assert page.model.rowCount() == 3
    assert page.model.headerData(0, Qt.Orientation.Vertical) == "7"
    page.columns.sectionDoubleClicked.emit(age)
    assert page.model.order.is_falling
    page.columns.sectionDoubleClicked.emit(age)
    assert page.model.order.is_plain
    assert page.model.rowCount() == 100_000


def test_search_counts_what_it_finds(page, engine, qtbot):
    with qtbot.waitSignal(page.look._search_timer.timeout, timeout=2000):
        page.look.search.setText("K12")
    assert engine.last("data.rows").arguments.question.order.search == "K12"
    with qtbot.waitSignal(page.model.total_changed, timeout=2000):
        answer(engine, "data.rows", some_rows(2, 2))
    assert "2 rows hold “K12”" in page.look.note.text()


def test_the_name_of_the_case_stays_in_sight_and_another_can(page, qtbot):
    assert page.table.frozen == ("customer_id",)
    assert page.table.pinned.isVisible()
    page.table.freeze(("age", "customer_id"))
    header = page.columns
    assert [header.logicalIndex(place) for place in (0, 1)] == [1, 0]
    hidden = [page.table.pinned.isColumnHidden(place) for place in range(len(COLUMNS))]
    assert hidden == [False, False, True, True, True, True]
    page.table.setColumnWidth(1, 170)
    assert page.table.pinned.columnWidth(1) == 170
    page.table.verticalScrollBar().setValue(40)
    assert page.table.pinned.verticalScrollBar().value() == 40
    page.table.freeze(())
    assert not page.table.pinned.isVisible()
    assert [header.logicalIndex(place) for place in (0, 1)] == [0, 1]


def test_no_column_is_narrower_than_its_name_and_role_where_all_have_room(page, qtbot, monkeypatch):
    header = page.columns
    monkeypatch.setattr(header, "_needed", lambda: [120, 400, 120, 120, 120, 120])

    def widths():
        return [header.sectionSize(place) for place in range(6)]

    page.resize(700, 500)
    qtbot.waitUntil(lambda: widths()[0] == 120, timeout=2000)
    assert widths() == [120, MOST, 120, 120, 120, 120]
    page.resize(2200, 900)
    qtbot.waitUntil(lambda: widths()[1] >= 400)
    assert sum(widths()) <= header.viewport().width()
    page.table.setColumnWidth(2, 90)  # by hand: from now on they stay
    page.resize(1000, 500)
    qtbot.wait(1)
    assert widths()[1:3] == [widths()[1], 90]
    assert widths()[1] >= 400


def test_frozen_columns_lie_over_the_left_ones_while_the_others_move(page, engine, qtbot):
    table, pinned = page.table, page.table.pinned
    table.freeze(("customer_id",))
    page.resize(700, 500)
    table.horizontalScrollBar().setValue(150)
    assert table.horizontalScrollBar().value() == 150  # the file is wider than the page
    left = table.verticalHeader().width() + table.frameWidth()
    height = table.viewport().height() + table.columns.height()
    width = table.columnWidth(0)
    assert pinned.geometry().getRect() == (left, table.frameWidth(), width, height)
    assert pinned.columns.sectionViewportPosition(0) == 0  # the moved columns went below it
    assert table.columns.sectionViewportPosition(0) == -150
    below = pinned.viewport().rect().center()
    hit = table.childAt(pinned.mapTo(table, pinned.viewport().mapTo(pinned, below)))
    assert hit is pinned.viewport()
    assert pinned.indexAt(below).column() == 0
    with qtbot.waitSignal(table.column_chosen, timeout=2000) as chosen:
        QTest.mouseClick(pinned.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert chosen.args == ["customer_id"]
    assert table.currentIndex() == pinned.currentIndex()  # one selection, in both
    table.freeze(tuple(COLUMNS))  # however many are kept, there is room for the others
    assert pinned.width() <= table.viewport().width() - 80


def test_frozen_columns_stay_through_sorting_and_are_let_go_from_the_menu(page, engine, qtbot):
    from PySide6.QtWidgets import QMenu

    table, menu = page.table, QMenu(page)
    entries = [entry for entry in table.menu_actions("age", menu) if entry is not None]
    next(entry for entry in entries if entry.text() == "Keep in sight").trigger()
    assert table.frozen == ("customer_id", "age")
    table.pinned.columns.sectionDoubleClicked.emit(COLUMNS.index("age"))
    assert engine.last("data.rows").arguments.question.order.sort == "age"
    with qtbot.waitSignal(page.model.modelReset, timeout=2000):
        answer(engine, "data.rows", some_rows(3, 3))
    shown = [place for place in range(len(COLUMNS)) if not table.pinned.isColumnHidden(place)]
    qtbot.waitUntil(table.pinned.isVisible, timeout=2000)
    assert shown == [COLUMNS.index("customer_id"), COLUMNS.index("age")]
    assert table.pinned.model().rowCount() == 3
    entries = [entry for entry in table.menu_actions("age", menu) if entry is not None]
    next(entry for entry in entries if entry.text() == "Let the column move again").trigger()
    assert table.frozen == ("customer_id",)


def test_a_column_menu_offers_what_can_be_done(page, qtbot):
    from PySide6.QtWidgets import QMenu

    menu = QMenu(page)
    words = [a.text() for a in page.table.menu_actions("age", menu) if a is not None]
    assert words == [
        "Sort, smallest first",
        "Sort, largest first",
        "Order of the file",
        "Keep in sight",
        "Role",
    ]


def test_a_filter_is_tried_while_it_is_written_and_taken_by_return(page, opened, engine, qtbot):
    bar = page.look
    with qtbot.waitSignal(bar._request._timer.timeout, timeout=2000):
        QTest.keyClicks(bar.filter, "age >")
    assert engine.last("data.expression").arguments.question.is_filter
    answer(engine, "data.expression", ExpressionResult(text="age >", refusal="It ends too early."))
    qtbot.waitUntil(lambda: bar.note.text() == "It ends too early.", timeout=2000)
    QTest.keyClick(bar.filter, Qt.Key.Key_Return)
    assert opened.project.document.split.where == ""
    with qtbot.waitSignal(bar._request._timer.timeout, timeout=2000):
        QTest.keyClicks(bar.filter, " 40")
    found = ExpressionResult(text="age > 40", kind="boolean", rows=100_000, true=7, missing=3)
    answer(engine, "data.expression", found)
    qtbot.waitUntil(lambda: bar.note.text().startswith("True for 7 of 100,000"), timeout=2000)
    assert "Not known for 3" in bar.note.text()
    QTest.keyClick(bar.filter, Qt.Key.Key_Return)
    assert opened.project.document.split.where == "age > 40"
    assert bar.only.isVisible()
    bar.only.setChecked(True)
    assert engine.last("data.rows").arguments.question.order.only_used
    opened.project.undo()
    assert opened.project.document.split.where == ""
    assert page.model.order.is_plain


def test_a_filter_that_is_written_waits_for_use_whatever_else_is_done(page, opened, qtbot):
    bar = page.look
    QTest.keyClicks(bar.filter, "age > 40")
    bar.filter.editingFinished.emit()  # left, to look something up
    opened.project.execute(SetWeightKind(column="age", kind=WeightKind.SAMPLING))
    assert bar.filter.text() == "age > 40"
    opened.project.execute(SetRowFilter(where="age > 30"))
    assert bar.filter.text() == "age > 30"


def test_a_filter_of_an_unknown_column_changes_nothing(page, opened, qtbot):
    seen: list[object] = []
    opened.project.message_posted.connect(seen.append)
    page.look.filter.setText("income > 3")
    page.look.take()
    assert opened.project.document.split.where == ""
    assert "income" in str(seen[0])


def test_warnings_are_folded_and_the_one_on_a_weight_goes_when_it_is_answered(
    page, opened, engine, qtbot
):
    asks = CodedWarning("Say the kind of age ...", WarningCode.WEIGHT_KIND, "age")
    texts = (asks, "one", "two", "three")
    opened.project.summary = replace(opened.project.summary, warnings=texts)
    opened.project.execute(SetRole(assignment=RoleAssignment(column="age", role=Role.WEIGHT)))
    shown = [label.text() for label in page.warnings.findChildren(TextLabel)]
    assert "one" in shown
    assert "three" not in shown
    (more,) = page.warnings.findChildren(QPushButton)
    assert more.text() == "2 more…"
    more.click()
    del more
    qtbot.waitUntil(lambda: page._shows_all, timeout=2000)
    opened.project.execute(SetWeightKind(column="age", kind=WeightKind.SAMPLING))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    shown = [label.text() for label in page.warnings.findChildren(TextLabel)]
    assert shown == ["one", "two", "three"]
    page.roles.choose("age")
    kinds = [box.currentText() for box in page.roles.findChildren(QComboBox)]
    assert "1 case for 3 (sampling)" in kinds


def test_the_toolbar_names_the_filter(qtbot):
    button = FilterButton()
    qtbot.addWidget(button)
    assert not button.isEnabled()
    button.show_filter("age >= 30")
    assert button.accessibleName() == "Only rows where age >= 30"
    assert button.isEnabled()


@pytest.mark.parametrize("role", [Role.SCORE, Role.IGNORED])
def test_a_guess_is_asked_about_until_somebody_says_what_the_column_is_for(page, opened, role):
    asks = CodedWarning("age is taken as ...", WarningCode.GUESSED_ROLE, "age")
    guess = RoleAssignment(column="age", role=Role.SCORE, model="age", is_guess=True)
    opened.project.summary = replace(opened.project.summary, warnings=(asks,))
    opened.project.execute(SetRole(assignment=guess))
    assert [label.text() for label in page.warnings.findChildren(TextLabel)] == [asks]
    opened.project.execute(SetRole(assignment=replace(guess, role=role, is_guess=False)))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not page.warnings.findChildren(TextLabel)
    assert not page.warnings.isVisibleTo(page)


@pytest.mark.parametrize(("width", "left"), [(1208, 360), (1368, 360), (2488, 540)])
def test_the_column_of_names_is_wider_on_a_wide_page(page, qtbot, width, left):
    page.resize(width, 700)
    qtbot.waitUntil(lambda: page.roles.width() == left, timeout=2000)
