"""The matrix editor: typing, pasting, naming; every change is one command with the right value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.document.decisions.matrix_commands import choose_template
from core.document.decisions.matrix_model import MatrixKind
from core.document.results import DecisionResult
from gui.pages.decide.matrix.parameter import step_for
from payoff.facts import MatrixFacts
from payoff.parameters import Parameter
from payoff.vocabulary import ConsequenceKind, NumberUnit
from tests.gui.decide.matrix import cells, editor_of
from tests.helpers.harness import DecideHarness


def test_a_typed_number_changes_the_cell_as_one_step(desk: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(desk, qtbot, 1, 1)
    QTest.keyClicks(editor, "-2.5")
    assert cells(desk) == ((24.0, 0.0), (-1.6, 0.0))  # not at each key
    with qtbot.waitSignal(desk.page.earns.editing_finished):
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert cells(desk) == ((24.0, 0.0), (-2.5, 0.0))
    desk.session.project.undo()
    assert cells(desk) == ((24.0, 0.0), (-1.6, 0.0))
    assert desk.session.project.history.undo_label is None


def test_while_typing_the_field_keeps_what_was_typed(desk: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(desk, qtbot, 0, 1)
    QTest.keyClicks(editor, "30.")
    qtbot.waitUntil(lambda: cells(desk)[0][0] == 30.0, timeout=3000)  # after a pause
    assert editor.text() == "30."


def test_a_word_is_refused_and_named(desk: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(desk, qtbot, 0, 1)
    QTest.keyClicks(editor, "much")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    problem = desk.page.earns.problem
    qtbot.waitUntil(lambda: not problem.isHidden())  # Qt commits an editor in the next turn
    assert cells(desk)[0][0] == 24.0
    assert "much" in problem.text()
    assert "responds" in problem.text()
    assert "Mail" in problem.text()


def test_enter_goes_down_and_tab_goes_right(desk: DecideHarness, qtbot: QtBot) -> None:
    view = desk.page.earns.matrix
    editor = editor_of(desk, qtbot, 0, 1)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 1)
    assert view.currentIndex().column() == 1
    view.select_cell(0, 1)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert (view.currentIndex().row(), view.currentIndex().column()) == (0, 2)


def test_tab_goes_from_number_to_number_and_past_the_names(
    desk: DecideHarness, qtbot: QtBot
) -> None:
    view = desk.page.earns.matrix
    last = view.matrix_model.columnCount() - 1
    editor = editor_of(desk, qtbot, 0, last)
    QTest.keyClicks(editor, "7")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 1)
    assert view.currentIndex().column() == 1  # not 0, the name of the class
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 0)
    assert view.currentIndex().column() == last
    assert cells(desk)[0][last - 1] == 7.0


def test_a_block_from_a_spreadsheet_is_one_step(desk: DecideHarness) -> None:
    view = desk.page.earns.matrix
    QApplication.clipboard().setText("30\t1\n-2\t-0.5\n")
    view.select_cell(0, 1)
    view.paste()
    assert cells(desk) == ((30.0, 1.0), (-2.0, -0.5))
    desk.session.project.undo()
    assert cells(desk) == ((24.0, 0.0), (-1.6, 0.0))


def test_a_bad_block_changes_nothing_and_names_the_cell(desk: DecideHarness) -> None:
    view = desk.page.earns.matrix
    QApplication.clipboard().setText("30\t1\n-2\tfree\n")
    view.select_cell(0, 1)
    view.paste()
    assert cells(desk) == ((24.0, 0.0), (-1.6, 0.0))
    said = desk.page.earns.problem.text()
    assert "free" in said
    assert "does not respond" in said
    assert "Do nothing" in said


def test_copying_all_brings_names_and_numbers_back(desk: DecideHarness) -> None:
    view = desk.page.earns.matrix
    view.copy_all()
    copied = QApplication.clipboard().text()
    assert copied.splitlines()[0] == "\tMail\tDo nothing"
    view.select_cell(0, 1)
    view.paste()
    assert cells(desk) == ((24.0, 0.0), (-1.6, 0.0))


def test_delete_sets_the_selected_cells_to_zero(desk: DecideHarness) -> None:
    view = desk.page.earns.matrix
    view.select_cell(1, 1)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert cells(desk) == ((24.0, 0.0), (0.0, 0.0))


def test_a_decision_is_added_renamed_and_removed(desk: DecideHarness) -> None:
    earns = desk.page.earns
    earns.add_decision()
    matrix = desk.document.matrix
    assert matrix is not None
    assert matrix.decisions == ("Mail", "Do nothing", "Decision 3")
    assert matrix.cells == ((24.0, 0.0, 0.0), (-1.6, 0.0, 0.0))
    field = earns.matrix.header.rename_editor()
    assert field is not None
    field.setText("Call")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.document.matrix is not None
    assert desk.document.matrix.decisions == ("Mail", "Do nothing", "Call")
    earns.remove_decision("Call")
    assert desk.document.matrix.decisions == ("Mail", "Do nothing")


def test_escape_leaves_a_name_as_it_was(desk: DecideHarness) -> None:
    header = desk.page.earns.matrix.header
    header.start_rename(1)
    field = header.rename_editor()
    assert field is not None
    field.setText("Post")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert desk.document.matrix is not None
    assert desk.document.matrix.decisions == ("Mail", "Do nothing")


def test_a_taken_name_is_refused(desk: DecideHarness, qtbot: QtBot) -> None:
    header = desk.page.earns.matrix.header
    header.start_rename(1)
    field = header.rename_editor()
    assert field is not None
    field.setText("Do nothing")
    with qtbot.waitSignal(desk.session.project.message_posted) as posted:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert "name of its own" in str(posted.args[0])
    assert desk.document.matrix is not None
    assert desk.document.matrix.decisions == ("Mail", "Do nothing")


def test_a_class_gets_another_word(desk: DecideHarness) -> None:
    model = desk.page.earns.matrix.matrix_model
    model.setData(model.index(0, 0), "gives")
    assert desk.document.target is not None
    assert desk.document.target.labels == ("gives", "does not respond")


def test_the_acting_decision_is_chosen(desk: DecideHarness) -> None:
    acting = desk.page.earns.acting
    acting.setCurrentIndex(acting.findData("Do nothing"))
    acting.activated.emit(acting.currentIndex())
    assert desk.document.matrix is not None
    assert desk.document.matrix.acting == "Do nothing"
    assert desk.document.matrix.do_nothing is None


def test_marking_the_acting_decision_as_nothing_moves_acting_on(desk: DecideHarness) -> None:
    desk.page.earns.matrix.do_nothing_chosen.emit("Mail")
    assert desk.document.matrix is not None
    assert desk.document.matrix.do_nothing == "Mail"
    assert desk.document.matrix.acting == "Do nothing"


def test_headers_name_the_decision_and_the_unit(desk: DecideHarness) -> None:
    model = desk.page.earns.matrix.matrix_model
    horizontal = Qt.Orientation.Horizontal
    heads = [model.headerData(i, horizontal) for i in range(model.columnCount())]
    assert heads == ["If the customer…", "Mail, €", "Do nothing, €"]
    shown = [model.data(model.index(r, c)) for r in range(2) for c in range(3)]
    assert shown == ["responds", "+24.00", "0.00", "does not respond", "−1.60", "0.00"]


def test_switching_to_loss_keeps_the_meaning(desk: DecideHarness, decided: DecisionResult) -> None:
    kind = desk.page.earns.kind
    kind.setCurrentIndex(kind.findData("payoff.loss"))
    kind.activated.emit(kind.currentIndex())
    matrix = desk.document.matrix
    assert matrix is not None
    assert matrix.kind is MatrixKind.LOSS
    assert matrix.cells == ((-24.0, 0.0), (1.6, 0.0))


def test_a_template_brings_its_decisions_and_parameters(desk: DecideHarness) -> None:
    kind = desk.page.earns.kind
    kind.setCurrentIndex(kind.findData("payoff.credit"))
    kind.activated.emit(kind.currentIndex())
    matrix = desk.document.matrix
    assert matrix is not None
    assert matrix.decisions == ("Lend", "Refuse")
    assert matrix.parameters == (("loss", 5000.0), ("margin", 1000.0))
    assert matrix.acting == "Lend"
    # The user's own words stay.
    assert desk.document.case_word == ("customer", "customers")


def test_a_template_for_three_outcomes_cannot_be_chosen_for_two(desk: DecideHarness) -> None:
    kind = desk.page.earns.kind
    flags = kind.model().flags(kind.model().index(kind.findData("x.three"), 0))
    assert not flags & Qt.ItemFlag.ItemIsEnabled


def test_dragging_the_words_of_a_parameter_is_one_step(desk: DecideHarness) -> None:
    field = desk.page.earns.parameter("cost")
    for _step in range(6):
        field.label.stepped.emit(1)
    field.label.released.emit()
    matrix = desk.document.matrix
    assert matrix is not None
    assert dict(matrix.parameters)["cost"] == pytest.approx(1.6 + 6 * step_for(1.6))
    desk.session.project.undo()
    assert desk.document.matrix is not None
    assert dict(desk.document.matrix.parameters)["cost"] == 1.6
    assert desk.session.project.history.undo_label is None


def test_the_mouse_drags_a_parameter(desk: DecideHarness, qtbot: QtBot) -> None:
    label = desk.page.earns.parameter("cost").label
    start = label.rect().center()
    QTest.mousePress(label, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(label, start + start.__class__(20, 0))
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, pos=start)
    assert desk.document.matrix is not None
    assert dict(desk.document.matrix.parameters)["cost"] > 1.6


def test_a_typed_parameter_is_taken_with_enter(desk: DecideHarness) -> None:
    field = desk.page.earns.parameter("margin").field
    desk.page.activateWindow()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "30")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.document.matrix is not None
    assert dict(desk.document.matrix.parameters)["margin"] == 30.0


def churn_like() -> MatrixFacts:
    share = Parameter(
        name="share",
        words="who accept",
        default=0.3,
        minimum=0.0,
        maximum=1.0,
        unit=NumberUnit.PERCENT,
    )
    return MatrixFacts(
        id="x.churn",
        label="Churn",
        help="Whom to keep.",
        kind=ConsequenceKind.PROFIT,
        parameters=(
            share,
            Parameter(name="count", words="asked before", default=20.0, minimum=0.0),
        ),
        decisions=("Offer", "Do nothing"),
        acting="Offer",
        do_nothing="Do nothing",
        formula="γ × value",
    )


def offer(desk: DecideHarness, *templates: MatrixFacts) -> None:
    plugins = desk.session.plugins.known
    assert plugins is not None
    desk.session.plugins.known = replace(plugins, templates=(*plugins.templates, *templates))
    desk.session.plugins.changed.emit(desk.session.plugins.known)


def pick(desk: DecideHarness, template: str) -> None:
    kind = desk.page.earns.kind
    kind.setCurrentIndex(kind.findData(template))
    kind.activated.emit(kind.currentIndex())


def test_shares_are_shown_in_per_cent_and_counts_without_decimals(desk: DecideHarness) -> None:
    offer(desk, churn_like())
    pick(desk, "x.churn")
    share = desk.page.earns.parameter("share")
    assert share.field.text().replace("\u00a0", " ") == "30.0 %"
    assert desk.page.earns.parameter("count").field.text() == "20"
    share.field.setText("45")
    share.field.editingFinished.emit()
    matrix = desk.document.matrix
    assert matrix is not None
    assert dict(matrix.parameters)["share"] == pytest.approx(0.45)
    share.field.setText("145")
    share.field.textEdited.emit("145")
    assert "from 0 to 100" in share.field.toolTip()
    assert dict(desk.document.matrix.parameters)["share"] == pytest.approx(0.45)
    assert "Whom to keep." in desk.page.earns.kind.toolTip()


def test_a_dragged_share_stays_in_its_range(desk: DecideHarness) -> None:
    offer(desk, churn_like())
    pick(desk, "x.churn")
    share = desk.page.earns.parameter("share")
    share.label.stepped.emit(5)
    share.label.released.emit()
    assert share.value() == pytest.approx(0.35)
    share.label.stepped.emit(500)
    share.label.released.emit()
    assert share.value() == 1.0


def test_a_matrix_of_knots_brings_its_rows(desk: DecideHarness) -> None:
    matrix = desk.document.matrix
    assert matrix is not None
    number = replace(churn_like(), is_interval=True, knots=(0.0, 2.5, 100.0))
    assert choose_template(number, matrix.levels).matrix.levels == ("0", "2.5", "100")
    assert choose_template(churn_like(), matrix.levels).matrix.levels == matrix.levels


def test_matrices_that_do_not_suit_the_outcome_say_why(desk: DecideHarness) -> None:
    number = replace(churn_like(), id="x.gifts", is_interval=True, knots=(0.0, 100.0))
    three = replace(churn_like(), id="x.three_classes", n_levels=3)
    offer(desk, number, three)
    kind = desk.page.earns.kind
    model = kind.model()
    assert isinstance(model, QStandardItemModel)
    reasons = {"x.gifts": "For numbers", "x.three_classes": "For 3 outcomes"}
    for template, reason in reasons.items():
        item = model.item(kind.findData(template))
        assert not item.isEnabled()
        assert item.toolTip() == reason
