"""Page Data looks at rows: search, sort, columns in sight, the row filter; dialogs on files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton

from core.document.commands import SetRole
from core.document.data.commands import SetWeightKind
from core.document.data.model import DataRecipe, DerivedColumn, FileRef, JoinSpec, RowsSpec, RowUse
from core.document.data.recipes import with_recipe
from core.document.data.results import ColumnSummary, RowsPage
from core.document.model import Role, RoleAssignment, WeightKind
from core.document.studies.joining import (
    JoinReport,
    MakeTableArguments,
    Overlap,
    OverlapLine,
    SecondFile,
    Spelling,
)
from core.document.studies.looking import ExpressionResult
from core.settings import SettingsStore
from gui.dialogs.add_columns import AddColumnsDialog
from gui.dialogs.add_rows import AddRowsDialog, use_of
from gui.dialogs.derive_column import DeriveColumnDialog
from gui.dialogs.overlap import OverlapDialog
from gui.frame.toolbar import FilterButton
from gui.models.rows_model import PAGE
from gui.pages.data import DataPage
from gui.pages.data.bars import edges_of, end_room
from gui.parts import TextLabel
from gui.theme import text_font
from payoff.errors import PayoffError
from tests.gui.fakes import COLUMNS, make_page, make_preview, make_summary

FILE = FileRef(path="/data/outcomes.csv", content_hash="o", size_bytes=9)


@pytest.fixture
def opened(workspace, engine, qtbot):
    job = workspace.open_data("/data/mail.csv")
    with qtbot.waitSignal(workspace.summary_changed, timeout=2000):
        engine.answer(job, make_summary(rows=100_000))
    return workspace


@pytest.fixture
def page(opened, engine, qtbot) -> DataPage:
    made = DataPage(opened)
    qtbot.addWidget(made)
    made.resize(1368, 800)
    made.show()
    qtbot.waitExposed(made)
    qtbot.waitUntil(lambda: bool(engine.of_kind("rows")), timeout=2000)
    with qtbot.waitSignal(made.model.dataChanged, timeout=2000):
        engine.answer(engine.last("rows").job, make_page(0, PAGE))
    return made


def answer(engine, kind: str, result: object) -> None:
    engine.answer(engine.last(kind).job, result)


def some_rows(count: int, total: int) -> RowsPage:
    rows = tuple(tuple(f"{n}" for _ in COLUMNS) for n in range(count))
    return RowsPage(start=0, rows=rows, numbers=tuple(range(7, 7 + count)), total=total)


def test_the_chosen_role_stays_in_sight_when_the_window_gets_lower(page, qtbot):
    view = page.roles.list
    last = page.workspace.document.roles[-1].column
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
    order = engine.last("rows").arguments.order
    assert (order.sort, order.is_falling) == ("age", False)
    with qtbot.waitSignal(page.model.total_changed, timeout=2000):
        answer(engine, "rows", some_rows(3, 3))
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
    assert engine.last("rows").arguments.order.search == "K12"
    with qtbot.waitSignal(page.model.total_changed, timeout=2000):
        answer(engine, "rows", some_rows(2, 2))
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
    assert engine.last("rows").arguments.order.sort == "age"
    with qtbot.waitSignal(page.model.modelReset, timeout=2000):
        answer(engine, "rows", some_rows(3, 3))
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
    ]


def test_a_filter_is_tried_while_it_is_written_and_taken_by_return(page, opened, engine, qtbot):
    bar = page.look
    with qtbot.waitSignal(bar._timer.timeout, timeout=2000):
        QTest.keyClicks(bar.filter, "age >")
    assert engine.last("try_expression").arguments.is_filter
    answer(engine, "try_expression", ExpressionResult(text="age >", refusal="It ends too early."))
    qtbot.waitUntil(lambda: bar.note.text() == "It ends too early.", timeout=2000)
    QTest.keyClick(bar.filter, Qt.Key.Key_Return)
    assert opened.document.split.where == ""
    with qtbot.waitSignal(bar._timer.timeout, timeout=2000):
        QTest.keyClicks(bar.filter, " 40")
    found = ExpressionResult(text="age > 40", kind="boolean", rows=100_000, true=7, missing=3)
    answer(engine, "try_expression", found)
    qtbot.waitUntil(lambda: bar.note.text().startswith("True for 7 of 100,000"), timeout=2000)
    assert "Not known for 3" in bar.note.text()
    QTest.keyClick(bar.filter, Qt.Key.Key_Return)
    assert opened.document.split.where == "age > 40"
    assert bar.only.isVisible()
    bar.only.setChecked(True)
    assert engine.last("rows").arguments.order.only_used
    opened.undo()
    assert opened.document.split.where == ""
    assert page.model.order.is_plain


def test_a_filter_of_an_unknown_column_changes_nothing(page, opened, qtbot):
    seen: list[object] = []
    opened.message_posted.connect(seen.append)
    page.look.filter.setText("income > 3")
    page.look.take()
    assert opened.document.split.where == ""
    assert "income" in str(seen[0])


def test_warnings_are_folded_and_the_one_on_a_weight_goes_when_it_is_answered(
    page, opened, engine, qtbot
):
    texts = ("age is taken as a weight. Say in its role ...", "one", "two", "three")
    opened.summary = replace(opened.summary, warnings=texts)
    opened.execute(SetRole(assignment=RoleAssignment(column="age", role=Role.WEIGHT)))
    shown = [label.text() for label in page.warnings.findChildren(TextLabel)]
    assert "one" in shown
    assert "three" not in shown
    (more,) = page.warnings.findChildren(QPushButton)
    assert more.text() == "2 more…"
    more.click()
    del more
    qtbot.waitUntil(lambda: page._shows_all, timeout=2000)
    opened.execute(SetWeightKind(column="age", kind=WeightKind.SAMPLING))
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


# ---------------------------------------------------------------- dialogs


def second_file() -> SecondFile:
    return SecondFile(
        file=FILE,
        rows=90,
        columns=(("id", "integer", False), ("amount", "number", False), ("age", "integer", True)),
        keys=(("customer_id", "id"),),
    )


def report(**changes: object) -> JoinReport:
    made = JoinReport(
        rows=100,
        other_rows=90,
        matched=80,
        unmatched=20,
        keyless=0,
        unused=10,
        other_keyless=0,
        repeated_own=0,
        repeated_other=0,
        unmatched_examples=("K1", "K2"),
        by_case=5,
        spellings=(Spelling(own="1", other="1.0", rows=3),),
    )
    return replace(made, **changes)


def test_columns_are_added_after_the_counts_were_shown(opened, engine, qtbot):
    dialog = AddColumnsDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.add.isEnabled()
    dialog.file.take("/data/outcomes.csv")
    answer(engine, "second_file", second_file())
    qtbot.waitUntil(lambda: bool(engine.of_kind("look_at_join")), timeout=2000)
    join = engine.last("look_at_join").arguments.join
    assert join.keys == (("customer_id", "id"),)
    assert join.columns == (("amount", "amount"),)  # age is there already: not checked
    answer(engine, "look_at_join", report())
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    texts = " ".join(dialog.lines.texts)
    assert "80 of 100 rows find their partner." in texts
    assert "20 rows have a key that the file lacks: K1, K2." in texts
    assert "(5 more rows)" in dialog.case.text()
    assert dialog.spellings.isVisible()
    dialog.case.click()
    assert engine.last("look_at_join").arguments.join.ignores_case
    assert not dialog.add.isEnabled()
    answer(engine, "look_at_join", report(refusal="2 keys stand in several rows.", by_case=0))
    qtbot.waitUntil(lambda: "2 keys stand in several rows." in dialog.lines.texts[-1], timeout=2000)
    assert not dialog.add.isEnabled()


def test_a_further_file_is_read_as_it_was_said_and_remembered(opened, engine, qtbot, tmp_path):
    opened.settings = SettingsStore(tmp_path / "settings.json")
    path = str(tmp_path / "outcomes.csv")
    dialog = AddColumnsDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.file.how.isVisible()
    dialog.file.take(path)
    engine.fail(engine.last("second_file").job, PayoffError("Two columns are called 'a'."))
    qtbot.waitUntil(lambda: "Two columns" in dialog.lines.texts[-1], timeout=2000)
    settings = dialog.file.how.ask()
    combo = settings._combos["rename_repeated"]
    combo.setCurrentIndex(combo.findData("yes"))
    settings.show_preview(make_preview(path, rename_repeated=True))
    settings.accept()
    assert engine.last("second_file").arguments.reader.rename_repeated is True
    rows = AddRowsDialog(opened)
    qtbot.addWidget(rows)
    rows.read(path)
    assert engine.last("second_file").arguments.reader.rename_repeated is True
    answer(engine, "second_file", replace(second_file(), file=replace(FILE, path=path)))
    qtbot.waitUntil(lambda: len(rows.files) == 1, timeout=2000)
    rows.read(path)  # read again, it stands in the list once
    answer(engine, "second_file", replace(second_file(), file=replace(FILE, path=path)))
    qtbot.waitUntil(lambda: len(rows.files) == 1, timeout=2000)
    assert len(rows.uses) == 1


def test_a_key_of_two_columns(opened, engine, qtbot):
    dialog = AddColumnsDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.file.take("/data/outcomes.csv")
    answer(engine, "second_file", second_file())
    qtbot.waitUntil(lambda: bool(engine.of_kind("look_at_join")), timeout=2000)
    assert not dialog.key.pairs[0].remove.isVisible()
    dialog.key.more.click()
    second = dialog.key.pairs[1]
    assert second.pair()[0] != "customer_id"  # what is a key already is not proposed again
    assert second.pair()[1] != "id"
    own = second.pair()[0]
    second.other.setCurrentText("age")
    second.other.activated.emit(second.other.currentIndex())
    asked = engine.last("look_at_join").arguments.join
    assert asked.keys == (("customer_id", "id"), (own, "age"))
    assert [name for name, _new in asked.columns] == ["amount"]  # a key is no column to add
    answer(engine, "look_at_join", report())
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    dialog.key.pairs[1].remove.click()
    assert engine.last("look_at_join").arguments.join.keys == (("customer_id", "id"),)
    dialog.file.take("/data/other.csv")  # another file starts with its own likeliest key
    dialog.key.more.click()
    answer(engine, "second_file", second_file())
    qtbot.waitUntil(lambda: len(dialog.key.pairs) == 1, timeout=2000)


def made_summary(recipe: DataRecipe, *names: str):
    summary = make_summary(rows=100_000)
    data = with_recipe(summary.data, recipe)
    columns = tuple(
        ColumnSummary(name=name, kind="number", rows=100_000, missing=0, distinct=9)
        for name in names
    )
    roles = tuple(replace(summary.roles[1], column=name) for name in names)
    return replace(
        summary,
        data=replace(data, columns=(*summary.data.columns, *names)),
        columns=(*summary.columns, *columns),
        roles=(*summary.roles, *roles),
        warnings=("3 of 100,000 rows have no partner in outcomes.csv.",),
    )


def test_a_join_becomes_an_undo_step_and_can_be_taken_away(opened, engine, qtbot, page):
    join = JoinSpec(file=FILE, keys=(("customer_id", "id"),), columns=(("amount", "amount"),))
    ended: list[object] = []
    opened.tables.add_columns(join, ended.append)
    asked = engine.last("make_table").arguments
    assert isinstance(asked, MakeTableArguments)
    with qtbot.waitSignal(opened.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(DataRecipe(joins=(join,)), "amount"))
    assert ended == [None]
    assert opened.document.data.recipe.joins == (join,)
    assert opened.document.role_of("amount") is not None
    assert opened.history.undo_label == "Add columns from another file"
    assert page.warnings.isVisible()
    assert [model.name for model in opened.document.models] == ["gbm", "logit"]
    page.table.take_away_wanted.emit("amount")
    assert engine.last("make_table").arguments.data.recipe.is_empty
    opened.undo()
    assert opened.document.data.recipe.is_empty
    assert opened.document.role_of("amount") is None


def test_reading_the_file_in_another_way_keeps_what_was_added(opened, engine, qtbot):
    recipe = DataRecipe(derived=(DerivedColumn(name="older", text="age + 1"),))
    opened.tables.derive(recipe.derived[0])
    with qtbot.waitSignal(opened.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(recipe, "older"))
    count = len(engine.of_kind("make_table"))
    job = opened.open_data("/data/mail.csv")
    with qtbot.waitSignal(opened.summary_changed, timeout=2000):
        engine.answer(job, make_summary(rows=100_000))
    qtbot.waitUntil(lambda: len(engine.of_kind("make_table")) > count, timeout=2000)
    assert engine.last("make_table").arguments.data.recipe == recipe
    with qtbot.waitSignal(opened.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(recipe, "older"))
    assert "older" in opened.document.data.columns
    other = opened.open_data("/data/next.csv")
    with qtbot.waitSignal(opened.summary_changed, timeout=2000):
        engine.answer(other, make_summary("/data/next.csv", rows=100_000))
    assert opened.document.data.recipe.is_empty


def test_a_lost_further_file_is_asked_for_and_taken(opened, engine, qtbot, tmp_path):
    base = tmp_path / "mail.csv"
    base.write_text("a\n1\n")
    join = JoinSpec(file=FILE, keys=(("customer_id", "id"),), columns=(("amount", "amount"),))
    document = opened.document
    data = with_recipe(replace(document.data, path=str(base)), DataRecipe(joins=(join,)))
    opened.take_project(replace(document, data=data))
    with qtbot.waitSignal(opened.data_missing, timeout=2000) as missing:
        engine.fail(engine.last("make_table").job, PayoffError("A further file is not there."))
    assert missing.args == [FILE.path]
    there = tmp_path / "moved.csv"
    there.write_text("id\n1\n")
    opened.find_data(str(there))
    assert opened.document.data.path == str(base)
    asked = engine.last("make_table").arguments.data
    assert asked.recipe.joins[0].file.path == str(there)
    assert asked.content_hash == data.content_hash


def test_a_join_that_fails_leaves_all_as_it_was(opened, engine, qtbot):
    before = opened.document
    ended: list[object] = []
    opened.tables.derive(DerivedColumn(name="x", text="age /"), ended.append)
    engine.fail(engine.last("make_table").job, PayoffError("The expression ends too early."))
    qtbot.waitUntil(lambda: len(ended) == 1, timeout=2000)
    assert "ends too early" in str(ended[0])
    assert opened.document == before


def test_a_derived_column_is_tried_before_it_is_added(opened, engine, qtbot):
    dialog = DeriveColumnDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.name.setText("age")
    assert "already" in dialog.lines.texts[0]
    dialog.name.setText("older")
    with qtbot.waitSignal(dialog._timer.timeout, timeout=2000):
        dialog.text.setText("age / 0")
    found = ExpressionResult(
        text="age / 0",
        kind="number",
        rows=9,
        missing=9,
        lost=(("division by zero", 8),),
        examples=("",),
    )
    answer(engine, "try_expression", found)
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    assert dialog.lines.texts[1] == "Missing in 8 rows: division by zero."
    assert "Missing in 1 rows" in dialog.lines.texts[2]
    dialog.insert.activated.emit(COLUMNS.index("age"))
    assert dialog.text.text() == "age / 0age"
    dialog.text.setText("age / 0")
    answer(engine, "try_expression", found)
    dialog.take()
    assert engine.last("make_table").arguments.data.recipe.derived[0].text == "age / 0"


def test_examples_of_expressions_break_between_examples_only(opened, show):
    dialog = show(DeriveColumnDialog(opened), 620, 240)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("min(score,\u00a0100)\u00a0/\u00a0100" in text for text in texts)


def test_the_last_end_of_a_histogram_has_room_of_its_own(qtbot):
    metrics = QFontMetrics(text_font("note"))
    bins = tuple(f"{at / 10:.3f} to {(at + 1) / 10:.3f}" for at in range(12))
    widest = max(metrics.horizontalAdvance(words) for words in edges_of(bins))
    assert end_room(bins, metrics) >= 4 + widest / 2
    assert end_room(("North", "South"), metrics) == 8.0


def test_files_get_their_uses_by_name(opened, engine, qtbot):
    assert use_of("/x/mail_train.csv") is RowUse.TRAIN
    assert use_of("valid.parquet") is RowUse.VALIDATION
    assert use_of("holdout.csv") is RowUse.TRAIN
    dialog = AddRowsDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.add.isEnabled()
    dialog.read("/data/test.csv")
    answer(engine, "second_file", replace(second_file(), file=replace(FILE, path="/data/test.csv")))
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert RowUse(dialog.uses[0].currentData()) is RowUse.TEST
    assert "The file has no customer_id" in dialog.lines.texts[0]
    dialog.take()
    recipe = engine.last("make_table").arguments.data.recipe
    file = replace(FILE, path="/data/test.csv")
    assert recipe.rows == (RowsSpec(file=file, use=RowUse.TEST),)
    assert recipe.own_use is RowUse.TRAIN


def test_rows_in_common_are_told(opened, engine, qtbot):
    dialog = OverlapDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    line = OverlapLine(what="id", uses=("train", "test"), rows=5, first=(3, 41), example="K7")
    found = Overlap(rows=100, id_column="customer_id", compared=("age",), lines=(line,))
    answer(engine, "overlap", found)
    qtbot.waitUntil(lambda: dialog.found is not None, timeout=2000)
    assert "more than one use" in dialog.lines.texts[0]
    cells = [figure.text for figure in dialog.table.figures.content.rows[0]]
    assert cells == ["customer_id", "Training rows", "Test rows", "5", "K7, rows 3 and 41"]
