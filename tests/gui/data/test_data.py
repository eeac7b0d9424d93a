"""Page Data: the virtual table, roles with reasons, use of rows, the chosen column."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from core.document.commands import SetRole, SetSplit
from core.document.data.model import RowUse
from core.document.data.results import ColumnDetail, ColumnSummary
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.starting_matrix import starting_matrix
from core.document.model import Role, TargetSpec
from core.engine.messages import JobState
from core.presentation.data import missing_words, value_words
from gui.pages.data.rows_card import shared_out
from gui.pages.data.targets import name_event, name_label, target_of
from gui.pages.data.widget import DataPage
from gui.pages.data.words import chip_words
from gui.widgets import ElidedLabel, NumberField
from gui.widgets.tables.paged_model import KEPT_PAGES, PAGE
from gui.widgets.tables.rows_model import RowsModel
from payoff.errors import PayoffError
from tests.helpers.answers.synthetic import make_document
from tests.helpers.factories.loaded_file import COLUMNS, loaded_document, make_page, make_summary


@pytest.fixture
def page(opened, qtbot) -> DataPage:
    made = DataPage(opened)
    qtbot.addWidget(made)
    made.resize(1368, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


# ---------------------------------------------------------------- the virtual table


@pytest.fixture
def model(opened) -> RowsModel:
    made = RowsModel(opened)
    made.show(opened.project.summary)
    return made


def fetch(model, engine, qtbot, row: int) -> str:
    """A cell, after the page that holds it has arrived."""
    model.index(row, 1).data()
    requested = engine.last("data.rows")
    with qtbot.waitSignal(model.dataChanged, timeout=2000):
        engine.answer(requested.job, make_page(requested.arguments.question.start, PAGE))
    return model.index(row, 1).data()


def test_table_is_as_long_as_the_file_and_holds_nothing_yet(model, engine):
    assert model.rowCount() == 100_000
    assert model.columnCount() == len(COLUMNS)
    assert model.loaded_pages == 0
    assert engine.of_kind("data.rows") == []


def test_cells_are_fetched_by_page_when_looked_at(model, engine, qtbot):
    assert model.index(777, 1).data() == ""
    assert engine.last("data.rows").arguments.question.start == 600
    assert engine.last("data.rows").arguments.question.count == PAGE
    assert fetch(model, engine, qtbot, 777) == "r777c1"
    assert len(engine.of_kind("data.rows")) == 1


def test_a_fast_scroll_fetches_where_it_ends(model, engine, qtbot):
    for row in range(0, 90_000, 1000):
        model.index(row, 0).data()
    assert len(engine.of_kind("data.rows")) == 1
    first = engine.last("data.rows")
    with qtbot.waitSignal(model.dataChanged, timeout=2000):
        engine.answer(first.job, make_page(first.arguments.question.start, PAGE))
    assert [requested.arguments.question.start for requested in engine.of_kind("data.rows")] == [
        0,
        89_000,
    ]


def test_a_cancelled_page_is_asked_for_again_when_looked_at(model, engine, qtbot, opened):
    model.index(0, 0).data()
    with qtbot.waitSignal(opened.jobs.job_ended, timeout=2000):
        engine.end(engine.last("data.rows").job, JobState.CANCELLED)
    assert model.index(0, 0).data() == ""
    assert len(engine.of_kind("data.rows")) == 2


def test_memory_is_bounded(model, engine, qtbot):
    for page in range(KEPT_PAGES + 5):
        fetch(model, engine, qtbot, page * PAGE)
    assert model.loaded_pages == KEPT_PAGES


def test_numbers_stand_right_and_rows_count_from_one(model):
    align = model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole)
    assert align & Qt.AlignmentFlag.AlignRight
    assert model.headerData(999, Qt.Orientation.Vertical) == "1,000"
    assert model.headerData(1, Qt.Orientation.Horizontal) == "age"


# ---------------------------------------------------------------- the page


def test_header_names_file_rows_columns_and_size(page):
    assert page.file.full_text() == "mail.csv"
    assert page.facts.text() == "100,000 rows, 6 columns, 64\u00a0KB"


def test_first_look_is_at_a_models_chances(page):
    assert page.chosen_column() == "p_gbm"
    assert page.table.horizontalScrollBar().value() == 0


def test_choosing_a_column_chooses_it_everywhere(page, engine):
    page.columns.sectionClicked.emit(COLUMNS.index("age"))
    assert page.chosen_column() == "age"
    assert page.roles.chosen() == "age"
    assert page.column.title.full_text() == "age"
    assert engine.of_kind("data.column")


def test_detail_by_outcome_is_drawn(page, engine, qtbot, opened):
    requested = engine.last("data.column")
    summary = opened.project.summary.columns[4]
    detail = ColumnDetail(
        summary=summary,
        bins=("below 0.3", "0.3 and more"),
        levels=("1", "0"),
        by_level=np.array([[0.4, 0.6], [0.9, 0.1]]),
    )
    with qtbot.waitSignal(opened.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, detail)
    bars = page.column.bars
    assert [group.name for group in bars.chart.bars] == ["1", "0"]
    state = bars.make_state(1.0)
    assert state.head == "0.30 and more"
    assert [line.value for line in state.lines] == ["60.0\u00a0%", "10.0\u00a0%"]
    opened.report.collect()
    bars._buttons["report"].click()
    assert opened.report.is_on(f"data/column {summary.name}")


def test_roles_list_gives_the_reason_of_each_guess(page):
    model = page.roles.list.model()
    spoken = model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "responded: Outcome. its name"


def role_combo(page: DataPage):
    from PySide6.QtWidgets import QComboBox

    return next(c for c in page.roles.findChildren(QComboBox) if c.findData(Role.WEIGHT) >= 0)


def pick(combo, value) -> None:
    """Choose as a person does."""
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())


def test_a_long_name_leaves_room_for_the_usual_roles(page, qtbot):
    from PySide6.QtWidgets import QGridLayout

    entry = page.roles._session.project.document.role_of("p_gbm")
    grid, combo = QGridLayout(), page.roles._role_combo(entry)
    page.roles._add_row(grid, "Probabilità di insolvenza dei clienti", combo, bold=True)
    grid.setColumnStretch(1, 1)
    page.roles._form.addLayout(grid)
    qtbot.waitUntil(lambda: combo.isVisible() and combo.width() > 100)
    words = combo.fontMetrics().horizontalAdvance("Chance from a model")
    assert combo.width() > words + 60  # the arrow and the frame, and a desktop's wider letters


def test_a_role_is_changed_by_a_command(page, opened):
    page.select_column("age")
    pick(role_combo(page), Role.WEIGHT)
    entry = opened.project.document.role_of("age")
    assert entry.role is Role.WEIGHT
    assert entry.reason == "chosen by you"
    assert opened.project.history.undo_label == "Change role"
    opened.project.undo()
    assert opened.project.document.role_of("age").role is Role.INPUT


def test_a_new_model_appears_when_a_column_becomes_its_chance(page, opened):
    page.select_column("age")
    pick(role_combo(page), Role.POSTERIOR)
    entry = opened.project.document.role_of("age")
    assert (entry.model, entry.level) == ("age", "1")
    assert [model.name for model in opened.project.document.models] == ["age", "gbm", "logit"]


def test_naming_another_outcome_is_one_undo_step(page, opened):
    page.select_column("use")
    pick(role_combo(page), Role.TARGET)
    document = opened.project.document
    assert document.target.column == "use"
    assert document.role_of("responded").role is Role.IGNORED
    assert document.matrix.levels == document.target.levels
    opened.project.undo()
    assert opened.project.document.target.column == "responded"
    assert opened.project.document.role_of("responded").role is Role.TARGET


def test_role_of_a_column_without_classes_as_outcome_is_a_number(page, opened):
    page.select_column("p_gbm")
    pick(role_combo(page), Role.TARGET)
    assert opened.project.document.target.kind == "interval"


def test_the_event_moves_labels_and_matrix_rows_with_it():
    document = loaded_document()
    labelled = name_label(document, "1", "responds").apply(document)
    written = replace(starting_matrix(labelled.target), cells=((24.0, 0.0), (-1.6, 0.0)))
    labelled = replace(labelled, matrix=written)
    turned = name_event(labelled, "0").apply(labelled)
    assert turned.target.levels == ("0", "1")
    assert turned.target.label("1") == "responds"
    assert turned.matrix.levels == ("0", "1")
    assert turned.matrix.cells == ((-1.6, 0.0), (24.0, 0.0))
    assert name_event(labelled, "1") is None


@pytest.mark.parametrize("levels", [("1", "0"), ("a", "b", "c")])
def test_a_matrix_that_nobody_touched_pays_for_the_event(levels):
    target = TargetSpec(column="y", kind="binary", levels=levels)
    document = replace(loaded_document(), target=target, matrix=starting_matrix(target))
    turned = name_event(document, levels[-1]).apply(document)
    assert turned.matrix == starting_matrix(turned.target)
    # Another name of a decision, or a cost, says nothing of what the classes bring.
    renamed = replace(document.matrix, decisions=("Mail", "Do nothing"), acting="Mail")
    document = replace(document, matrix=renamed)
    turned = name_event(document, levels[-1]).apply(document)
    assert turned.matrix.cells[0] == (1.0, 0.0)
    assert turned.matrix.decisions == ("Mail", "Do nothing")


def test_labels_are_set_and_taken_away():
    document = loaded_document()
    named = name_label(document, "0", "does not respond").apply(document)
    assert named.target.label("0") == "does not respond"
    assert name_label(named, "0", " ").apply(named).target.label("0") == "0"
    assert name_label(named, "0", "does not respond") is None


@pytest.mark.parametrize(
    ("levels", "kind", "expected_kind", "event"),
    [
        ((("no", 90), ("yes", 10)), "text", "binary", "yes"),
        ((("a", 90), ("b", 10)), "text", "binary", "b"),
        ((("x", 50), ("y", 30), ("z", 20)), "text", "multiclass", "z"),
        ((("0", 95), ("1", 5)), "integer", "binary", "1"),
        ((), "number", "interval", ""),
    ],
)
def test_outcomes_are_understood_from_their_values(levels, kind, expected_kind, event):
    column = ColumnSummary(
        name="y", kind=kind, rows=100, missing=0, distinct=len(levels) or -1, levels=levels
    )
    target = target_of(column)
    assert (target.kind, target.event) == (expected_kind, event)


def test_starting_matrix_claims_nothing(opened):
    matrix = opened.project.document.matrix
    assert matrix.kind is MatrixKind.PROFIT
    assert matrix.cells == ((1.0, 0.0), (-1.0, 0.0))
    assert matrix.do_nothing == "Do nothing"


# ---------------------------------------------------------------- use of rows


def test_rows_used_are_chosen_by_a_command(page, opened):
    assert opened.project.document.rows_used is RowUse.TEST
    pick(page.rows._use, RowUse.VALIDATION)
    assert opened.project.document.rows_used is RowUse.VALIDATION
    assert opened.project.history.undo_label == "Choose rows"


def test_meaning_of_the_row_use_column_can_be_changed(page, opened):
    from PySide6.QtWidgets import QComboBox

    combos = [c for c in page.rows.findChildren(QComboBox) if c.findData(RowUse.TO_DECIDE) >= 0]
    assert len(combos) == 2
    pick(combos[1], RowUse.TRAIN)
    assert dict(opened.project.document.split.meaning)["test"] is RowUse.TRAIN


def test_rows_drawn_by_lot_have_shares_and_a_seed(page, opened, qtbot):
    pick(page.rows._source, "\0lot")
    assert opened.project.document.split.column is None
    fields = page.rows.findChildren(NumberField)
    assert len(fields) == 4
    seed = fields[3]
    assert "," not in seed.text()
    seed.setFocus()
    seed.selectAll()
    qtbot.keyClicks(seed, "7")
    qtbot.keyClick(seed, Qt.Key.Key_Return)
    assert opened.project.document.split.seed == 7


def test_rows_can_be_used_as_they_stand(page, opened):
    pick(page.rows._source, "\0order")
    assert opened.project.document.split.in_order
    assert opened.project.document.split.column is None
    assert len(page.rows.findChildren(NumberField)) == 3  # shares, and no draw
    assert page.rows._source.currentData() == "\0order"
    pick(page.rows._source, "\0lot")
    assert not opened.project.document.split.in_order
    assert len(page.rows.findChildren(NumberField)) == 4


def test_a_file_that_came_with_scores_has_all_rows_judged(page, opened):
    """As roles are guessed: nothing is drawn, so neither shares nor a seed are shown."""
    scored = replace(opened.project.document.split, column=None, shares=(0.0, 0.0, 1.0), meaning=())
    opened.project.execute(SetSplit(split=scored))
    assert page.rows._source.currentText() == "All rows"
    assert page.rows._details.count() == 0
    pick(page.rows._source, "\0lot")
    assert opened.project.document.split.shares == (0.0, 0.5, 0.5)
    assert page.rows._source.currentText() == "Drawn by lot"
    assert len(page.rows.findChildren(NumberField)) == 4
    pick(page.rows._source, "\0all")
    assert opened.project.document.split == scored
    assert opened.project.document.rows_used is RowUse.ALL  # there are no others


@pytest.mark.parametrize(
    ("shares", "place", "value", "expected"),
    [
        ((0.0, 0.5, 0.5), 0, 0.6, (0.6, 0.2, 0.2)),
        ((0.6, 0.2, 0.2), 1, 1.0, (0.0, 1.0, 0.0)),
        ((1.0, 0.0, 0.0), 0, 0.5, (0.5, 0.0, 0.5)),
        ((0.0, 0.5, 0.5), 2, 2.0, (0.0, 0.0, 1.0)),
    ],
)
def test_shares_always_add_up(shares, place, value, expected):
    changed = shared_out(shares, place, value)
    assert changed == pytest.approx(expected)
    assert sum(changed) == pytest.approx(1.0, abs=1e-12)


def test_warnings_of_the_file_stand_above_the_table(session, engine, qtbot):
    from PySide6.QtWidgets import QLabel

    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, replace(make_summary(), warnings=("3 rows were longer.",)))
    made = DataPage(session)
    qtbot.addWidget(made)
    made.show()
    assert made.warnings.isVisible()
    assert "3 rows were longer." in [label.text() for label in made.warnings.findChildren(QLabel)]


def test_failed_detail_is_told_and_the_page_lives(page, engine, qtbot, opened):
    with qtbot.waitSignal(opened.project.message_posted, timeout=2000):
        engine.fail(engine.last("data.column").job, PayoffError("No such column."))
    page.select_column("age")
    assert page.chosen_column() == "age"


def test_undo_to_an_empty_project_clears_the_page(page, opened):
    opened.project.undo()
    assert page.model.rowCount() == 0


def test_next_step_needs_models(page, opened):
    assert page.next.isEnabled()
    for column in ("p_gbm", "p_logit"):
        page.select_column(column)
        pick(role_combo(page), Role.IGNORED)
    assert not page.next.isEnabled()
    assert "chances" in page.next.toolTip()


def test_words_of_columns():
    document = loaded_document()
    target = document.target
    assert target is not None
    assert chip_words(document.role_of("p_gbm"), target) == "gbm: 1"
    labelled = replace(target, labels=("responds", "does not respond"))
    assert chip_words(document.role_of("p_gbm"), labelled) == "gbm: responds"
    assert chip_words(document.role_of("p_gbm"), None) == "gbm: 1"
    assert chip_words(document.role_of("customer_id"), target) == "name"
    summary = make_summary().columns
    assert missing_words(summary[0]) == "no gaps"
    assert missing_words(summary[1]) == "10.0\u00a0% missing"
    assert [value_words(v) for v in (1234.6, 0.01234, 0.5, 12.34, 3.0)] == [
        "1,235",
        "0.0123",
        "0.500",
        "12.3",
        "3",
    ]


def test_values_beyond_chances_become_a_score_whose_direction_is_asked(page, opened):
    column = next(c for c in opened.project.summary.columns if c.kind in ("number", "integer"))
    summaries = tuple(
        replace(c, kind="number", minimum=300.0, maximum=850.0) if c is column else c
        for c in opened.project.summary.columns
    )
    opened.project.summary = replace(opened.project.summary, columns=summaries)
    page.roles.choose(column.name)
    page.roles._take_role(Role.POSTERIOR)
    entry = opened.project.document.role_of(column.name)
    assert entry.role is Role.SCORE
    assert opened.project.document.is_rank_only(entry.model)
    page.roles._turn(True)
    assert opened.project.document.role_of(column.name).is_reversed
    document = opened.project.document
    assert chip_words(document.role_of(column.name), document.target).endswith("score")


def test_values_up_to_a_hundred_are_read_as_percent(page, opened):
    column = next(c for c in opened.project.summary.columns if c.kind in ("number", "integer"))
    summaries = tuple(
        replace(c, kind="number", minimum=0.0, maximum=97.0) if c is column else c
        for c in opened.project.summary.columns
    )
    opened.project.summary = replace(opened.project.summary, columns=summaries)
    page.roles.choose(column.name)
    page.roles._take_role(Role.POSTERIOR)
    assert opened.project.document.role_of(column.name).is_percent


def test_case_42_names_with_tags_are_plain_text(page, opened):
    plain = make_summary(rows=1000)
    name = "<b>age</b>"
    columns = tuple(
        replace(column, name=name) if column.name == "age" else column for column in plain.columns
    )
    roles = tuple(
        replace(entry, column=name) if entry.column == "age" else entry for entry in plain.roles
    )
    opened.project.summary = replace(
        plain, columns=columns, roles=roles, warnings=(f"{name} is odd.",)
    )
    page._show_summary(opened.project.summary)
    page.select_column(name)
    labels = page.findChildren(QLabel)  # one that is shortened is called by its whole text
    shown = [label for label in labels if name in (label.text(), label.accessibleName())]
    shown += [label for label in labels if name in label.text() and label not in shown]
    assert len(shown) >= 2  # the warning and the chosen column
    assert {label.textFormat() for label in shown} == {Qt.TextFormat.PlainText}


def test_the_long_name_of_a_model_leaves_a_column_its_name(page, opened):
    def left_half(name: str) -> QImage:
        entry = replace(opened.project.document.role_of("p_gbm"), model=name)
        opened.project.execute(SetRole(assignment=entry))
        row = page.roles._model.row_of("p_gbm")
        return (
            page.roles.list.grab(page.roles.list.visualRect(page.roles._model.index(row, 0)))
            .toImage()
            .copy(0, 0, 100, 18)
        )

    assert left_half("gbm") == left_half("Scorecard of the agency 2026, retrained in the spring")


def test_the_name_of_the_chosen_column_is_whole_where_it_has_room(page, opened):
    page.select_column("p_gbm")
    (label,) = [one for one in page.roles.findChildren(ElidedLabel) if one.full_text() == "p_gbm"]
    assert label.text() == "p_gbm"
    assert label.width() >= label.sizeHint().width()


def test_data_that_have_gone_are_looked_for_from_the_page(session, qtbot, tmp_path):
    lost = make_document()
    lost = replace(lost, data=replace(lost.data, path=str(tmp_path / "gone.csv")))
    session.files.take_project(lost)
    shown = DataPage(session)
    qtbot.addWidget(shown)
    assert shown.again.text() == "Find the data file…"
    with qtbot.waitSignal(shown.find_data_wanted, timeout=2000):
        shown.again.click()
