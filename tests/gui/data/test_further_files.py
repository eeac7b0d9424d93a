"""Columns and rows of further files: dialogs, undo steps, files that are gone."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent

from core.document.data.model import (
    DataRecipe,
    DerivedColumn,
    FileRef,
    JoinSpec,
    ReaderSettings,
    RowsSpec,
    RowUse,
)
from core.document.data.opening import with_recipe
from core.document.studies.data import (
    JoinReport,
    MakeTableArguments,
    Overlap,
    OverlapLine,
    SecondFile,
    Spelling,
)
from core.settings import SettingsStore
from gui.pages.data.dialogs.add_columns import AddColumnsDialog
from gui.pages.data.dialogs.add_rows import AddRowsDialog, use_of
from gui.pages.data.dialogs.overlap import OverlapDialog
from gui.widgets import ElidedLabel
from payoff.errors import PayoffError
from tests.gui.data.steps import answer, made_summary
from tests.helpers.factories.loaded_file import make_preview, make_summary
from tests.helpers.forms import choose_data

FILE = FileRef(path="/data/outcomes.csv", content_hash="o", size_bytes=9)


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
    qtbot.waitUntil(lambda: bool(engine.of_kind("data.join")), timeout=2000)
    join = engine.last("data.join").arguments.question.join
    assert join.keys == (("customer_id", "id"),)
    assert join.columns == (("amount", "amount"),)  # age is there already: not checked
    answer(engine, "data.join", report())
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    texts = " ".join(dialog.lines.texts)
    assert "80 of 100 rows find their partner." in texts
    assert "20 rows have a key that the file lacks: K1, K2." in texts
    assert "(5 more rows)" in dialog.case.text()
    assert dialog.spellings.isVisible()
    dialog.case.click()
    assert engine.last("data.join").arguments.question.join.ignores_case
    assert not dialog.add.isEnabled()
    answer(engine, "data.join", report(refusal="2 keys stand in several rows.", by_case=0))
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
    combo = settings._settings.form.editor("rename_repeated")
    choose_data(combo, "yes")
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
    qtbot.waitUntil(lambda: bool(engine.of_kind("data.join")), timeout=2000)
    assert not dialog.key.pairs[0].remove.isVisible()
    dialog.key.more.click()
    second = dialog.key.pairs[1]
    assert second.pair()[0] != "customer_id"  # what is a key already is not proposed again
    assert second.pair()[1] != "id"
    own = second.pair()[0]
    second.other.setCurrentText("age")
    second.other.activated.emit(second.other.currentIndex())
    requested = engine.last("data.join").arguments.question.join
    assert requested.keys == (("customer_id", "id"), (own, "age"))
    assert [name for name, _new in requested.columns] == ["amount"]  # a key is no column to add
    answer(engine, "data.join", report())
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    dialog.key.pairs[1].remove.click()
    assert engine.last("data.join").arguments.question.join.keys == (("customer_id", "id"),)
    dialog.file.take("/data/other.csv")  # another file starts with its own likeliest key
    dialog.key.more.click()
    answer(engine, "second_file", second_file())
    qtbot.waitUntil(lambda: len(dialog.key.pairs) == 1, timeout=2000)


def test_a_join_becomes_an_undo_step_and_can_be_taken_away(opened, engine, qtbot, page):
    join = JoinSpec(file=FILE, keys=(("customer_id", "id"),), columns=(("amount", "amount"),))
    ended: list[object] = []
    opened.tables.add_columns(join, ended.append)
    requested = engine.last("make_table").arguments
    assert isinstance(requested, MakeTableArguments)
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(DataRecipe(joins=(join,)), "amount"))
    assert ended == [None]
    assert opened.project.document.data.recipe.joins == (join,)
    assert opened.project.document.role_of("amount") is not None
    assert opened.project.history.undo_label == "Add columns from another file"
    assert page.warnings.isVisible()
    assert [model.name for model in opened.project.document.models] == ["gbm", "logit"]
    page.table.take_away_wanted.emit("amount")
    assert engine.last("make_table").arguments.data.recipe.is_empty
    opened.project.undo()
    assert opened.project.document.data.recipe.is_empty
    assert opened.project.document.role_of("amount") is None


def test_reading_the_file_in_another_way_keeps_what_was_added(opened, engine, qtbot):
    recipe = DataRecipe(derived=(DerivedColumn(name="older", text="age + 1"),))
    opened.tables.derive(recipe.derived[0])
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(recipe, "older"))
    count = len(engine.of_kind("make_table"))
    job = opened.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary(rows=100_000))
    qtbot.waitUntil(lambda: len(engine.of_kind("make_table")) > count, timeout=2000)
    assert engine.last("make_table").arguments.data.recipe == recipe
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        answer(engine, "make_table", made_summary(recipe, "older"))
    assert "older" in opened.project.document.data.columns
    other = opened.files.open_data("/data/next.csv")
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        engine.answer(other, make_summary("/data/next.csv", rows=100_000))
    assert opened.project.document.data.recipe.is_empty


def test_a_lost_further_file_is_asked_for_and_taken(opened, engine, qtbot, tmp_path):
    base = tmp_path / "mail.csv"
    base.write_text("a\n1\n")
    join = JoinSpec(file=FILE, keys=(("customer_id", "id"),), columns=(("amount", "amount"),))
    document = opened.project.document
    data = with_recipe(replace(document.data, path=str(base)), DataRecipe(joins=(join,)))
    opened.files.take_project(replace(document, data=data))
    with qtbot.waitSignal(opened.files.data_missing, timeout=2000) as missing:
        engine.fail(engine.last("make_table").job, PayoffError("A further file is not there."))
    assert missing.args == [FILE.path]
    there = tmp_path / "moved.csv"
    there.write_text("id\n1\n")
    opened.files.find_data(str(there))
    assert opened.project.document.data.path == str(base)
    requested = engine.last("make_table").arguments.data
    assert requested.recipe.joins[0].file.path == str(there)
    assert requested.content_hash == data.content_hash


def test_a_join_that_fails_leaves_all_as_it_was(opened, engine, qtbot):
    before = opened.project.document
    ended: list[object] = []
    opened.tables.derive(DerivedColumn(name="x", text="age /"), ended.append)
    engine.fail(engine.last("make_table").job, PayoffError("The expression ends too early."))
    qtbot.waitUntil(lambda: len(ended) == 1, timeout=2000)
    assert "ends too early" in str(ended[0])
    assert opened.project.document == before


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
    answer(engine, "data.overlap", found)
    qtbot.waitUntil(lambda: dialog.found is not None, timeout=2000)
    assert "more than one use" in dialog.lines.texts[0]
    cells = [figure.text for figure in dialog.table.figures.content.rows[0]]
    assert cells == ["customer_id", "Training rows", "Test rows", "5", "K7, rows 3 and 41"]


def sheet(path: str, part: str) -> FileRef:
    return FileRef(path=path, content_hash="b", reader=ReaderSettings(format="excel", part=part))


def test_sheets_of_one_workbook_are_told_apart(opened, engine, qtbot, tmp_path):
    path = str(tmp_path / "months.xlsx")
    document = opened.project.document
    data = replace(document.data, path=path, reader=sheet(path, "Jan").reader)
    opened.project.take_document(replace(document, data=data))
    opened.settings = SettingsStore(tmp_path / "settings.json")
    opened.settings.change(opened.settings.settings.with_reader(path, sheet(path, "Jan").reader))
    rows = AddRowsDialog(opened)
    qtbot.addWidget(rows)
    rows.read(path)  # as the last time would be the sheet that is there
    assert engine.last("second_file").arguments.reader.part is None
    for part in ("Feb", "Mar"):
        answer(engine, "second_file", replace(second_file(), file=sheet(path, part)))
        qtbot.waitUntil(
            lambda part=part: rows.files[-1:] == [(sheet(path, part), 90)], timeout=2000
        )
        rows.read(path)
    answer(engine, "second_file", replace(second_file(), file=sheet(path, "Jan")))
    qtbot.waitUntil(
        lambda: "months.xlsx, Jan are in the data" in rows.lines.texts[-1], timeout=2000
    )
    assert [file.reader.part for file, _rows in rows.files] == ["Feb", "Mar"]
    captions = [label.full_text() for label in rows.findChildren(ElidedLabel)]
    assert sorted(set(captions)) == sorted(f"months.xlsx, {part}" for part in ("Jan", "Feb", "Mar"))
    rows.read_again(path)  # the newest is read otherwise
    assert [file.reader.part for file, _rows in rows.files] == ["Feb"]
    columns = AddColumnsDialog(opened)
    qtbot.addWidget(columns)
    columns.file.take(path)
    assert engine.last("second_file").arguments.reader.part is None
