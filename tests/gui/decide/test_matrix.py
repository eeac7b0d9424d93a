"""The matrix editor: typing, pasting, naming; every change is one command with the right value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.document.decisions.commands import choose_template
from core.document.decisions.matrix_model import MatrixKind
from core.document.results import DecisionResult
from gui.pages.decide.matrix.matrix_model import signed_amount
from gui.pages.decide.matrix.parameter import step_for
from payoff.facts import MatrixFacts
from payoff.parameters import Parameter
from payoff.vocabulary import ConsequenceKind, NumberUnit
from tests.gui.decide.matrix import cells, editor_of
from tests.helpers.harness import DecideHarness


def test_a_typed_number_changes_the_cell_as_one_step(harness: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(harness, qtbot, 1, 1)
    QTest.keyClicks(editor, "-2.5")
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))  # not at each key
    with qtbot.waitSignal(harness.page.earns.editing_finished):
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert cells(harness) == ((24.0, 0.0), (-2.5, 0.0))
    harness.session.project.undo()
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))
    assert harness.session.project.history.undo_label is None


def test_while_typing_the_field_keeps_what_was_typed(harness: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(harness, qtbot, 0, 1)
    QTest.keyClicks(editor, "30.")
    qtbot.waitUntil(lambda: cells(harness)[0][0] == 30.0, timeout=3000)  # after a pause
    assert editor.text() == "30."


def test_a_word_is_refused_and_named(harness: DecideHarness, qtbot: QtBot) -> None:
    editor = editor_of(harness, qtbot, 0, 1)
    QTest.keyClicks(editor, "much")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    problem = harness.page.earns.problem
    qtbot.waitUntil(lambda: not problem.isHidden())  # Qt commits an editor in the next turn
    assert cells(harness)[0][0] == 24.0
    assert "much" in problem.text()
    assert "responds" in problem.text()
    assert "Mail" in problem.text()


def test_enter_goes_down_and_tab_goes_right(harness: DecideHarness, qtbot: QtBot) -> None:
    view = harness.page.earns.matrix
    editor = editor_of(harness, qtbot, 0, 1)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 1)
    assert view.currentIndex().column() == 1
    view.select_cell(0, 1)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert (view.currentIndex().row(), view.currentIndex().column()) == (0, 2)


def test_tab_goes_from_number_to_number_and_past_the_names(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    view = harness.page.earns.matrix
    last = view.matrix_model.columnCount() - 1
    editor = editor_of(harness, qtbot, 0, last)
    QTest.keyClicks(editor, "7")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 1)
    assert view.currentIndex().column() == 1  # not 0, the name of the class
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    qtbot.waitUntil(lambda: view.currentIndex().row() == 0)
    assert view.currentIndex().column() == last
    assert cells(harness)[0][last - 1] == 7.0


def test_a_block_from_a_spreadsheet_is_one_step(harness: DecideHarness) -> None:
    view = harness.page.earns.matrix
    QApplication.clipboard().setText("30\t1\n-2\t-0.5\n")
    view.select_cell(0, 1)
    view.paste()
    assert cells(harness) == ((30.0, 1.0), (-2.0, -0.5))
    harness.session.project.undo()
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))


def test_a_bad_block_changes_nothing_and_names_the_cell(harness: DecideHarness) -> None:
    view = harness.page.earns.matrix
    QApplication.clipboard().setText("30\t1\n-2\tfree\n")
    view.select_cell(0, 1)
    view.paste()
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))
    described = harness.page.earns.problem.text()
    assert "free" in described
    assert "does not respond" in described
    assert "Do nothing" in described


def test_copying_all_brings_names_and_numbers_back(harness: DecideHarness) -> None:
    view = harness.page.earns.matrix
    view.copy_all()
    copied = QApplication.clipboard().text()
    assert copied.splitlines()[0] == "\tMail\tDo nothing"
    view.select_cell(0, 1)
    view.paste()
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))


def test_delete_sets_the_selected_cells_to_zero(harness: DecideHarness) -> None:
    view = harness.page.earns.matrix
    view.select_cell(1, 1)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert cells(harness) == ((24.0, 0.0), (0.0, 0.0))


def test_a_decision_is_added_renamed_and_removed(harness: DecideHarness) -> None:
    earns = harness.page.earns
    earns.add_decision()
    matrix = harness.document.matrix
    assert matrix is not None
    assert matrix.decisions == ("Mail", "Do nothing", "Decision 3")
    assert matrix.cells == ((24.0, 0.0, 0.0), (-1.6, 0.0, 0.0))
    field = earns.matrix.header.rename_editor()
    assert field is not None
    field.setText("Call")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert harness.document.matrix is not None
    assert harness.document.matrix.decisions == ("Mail", "Do nothing", "Call")
    earns.remove_decision("Call")
    assert harness.document.matrix.decisions == ("Mail", "Do nothing")


def test_escape_leaves_a_name_as_it_was(harness: DecideHarness) -> None:
    header = harness.page.earns.matrix.header
    header.start_rename(1)
    field = header.rename_editor()
    assert field is not None
    field.setText("Post")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert harness.document.matrix is not None
    assert harness.document.matrix.decisions == ("Mail", "Do nothing")


def test_a_taken_name_is_refused(harness: DecideHarness, qtbot: QtBot) -> None:
    header = harness.page.earns.matrix.header
    header.start_rename(1)
    field = header.rename_editor()
    assert field is not None
    field.setText("Do nothing")
    with qtbot.waitSignal(harness.session.project.message_posted) as posted:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert "name of its own" in str(posted.args[0])
    assert harness.document.matrix is not None
    assert harness.document.matrix.decisions == ("Mail", "Do nothing")


def test_a_class_gets_another_word(harness: DecideHarness) -> None:
    model = harness.page.earns.matrix.matrix_model
    model.setData(model.index(0, 0), "gives")
    assert harness.document.target is not None
    assert harness.document.target.labels == ("gives", "does not respond")


def test_the_acting_decision_is_chosen(harness: DecideHarness) -> None:
    acting = harness.page.earns.acting
    acting.setCurrentIndex(acting.findData("Do nothing"))
    acting.activated.emit(acting.currentIndex())
    assert harness.document.matrix is not None
    assert harness.document.matrix.acting == "Do nothing"
    assert harness.document.matrix.do_nothing is None


def test_marking_the_acting_decision_as_nothing_moves_acting_on(harness: DecideHarness) -> None:
    harness.page.earns.matrix.do_nothing_chosen.emit("Mail")
    assert harness.document.matrix is not None
    assert harness.document.matrix.do_nothing == "Mail"
    assert harness.document.matrix.acting == "Do nothing"


def test_headers_name_the_decision_and_the_unit(harness: DecideHarness) -> None:
    model = harness.page.earns.matrix.matrix_model
    horizontal = Qt.Orientation.Horizontal
    heads = [model.headerData(i, horizontal) for i in range(model.columnCount())]
    assert heads == ["If the customer…", "Mail, €", "Do nothing, €"]
    shown = [model.data(model.index(r, c)) for r in range(2) for c in range(3)]
    assert shown == ["responds", "+24.00", "0.00", "does not respond", "−1.60", "0.00"]


def test_switching_to_loss_keeps_the_meaning(
    harness: DecideHarness, decided: DecisionResult
) -> None:
    kind = harness.page.earns.kind
    kind.setCurrentIndex(kind.findData("payoff.loss"))
    kind.activated.emit(kind.currentIndex())
    matrix = harness.document.matrix
    assert matrix is not None
    assert matrix.kind is MatrixKind.LOSS
    assert matrix.cells == ((-24.0, 0.0), (1.6, 0.0))


def test_a_template_brings_its_decisions_and_parameters(harness: DecideHarness) -> None:
    kind = harness.page.earns.kind
    kind.setCurrentIndex(kind.findData("payoff.credit"))
    kind.activated.emit(kind.currentIndex())
    matrix = harness.document.matrix
    assert matrix is not None
    assert matrix.decisions == ("Lend", "Refuse")
    assert matrix.parameters == (("loss", 5000.0), ("margin", 1000.0))
    assert matrix.acting == "Lend"
    # The user's own words stay.
    assert harness.document.case_word == ("customer", "customers")


def test_a_template_for_three_outcomes_cannot_be_chosen_for_two(harness: DecideHarness) -> None:
    kind = harness.page.earns.kind
    flags = kind.model().flags(kind.model().index(kind.findData("x.three"), 0))
    assert not flags & Qt.ItemFlag.ItemIsEnabled


def test_dragging_the_words_of_a_parameter_is_one_step(harness: DecideHarness) -> None:
    field = harness.page.earns.parameter("cost")
    for _step in range(6):
        field.label.stepped.emit(1)
    field.label.released.emit()
    matrix = harness.document.matrix
    assert matrix is not None
    assert dict(matrix.parameters)["cost"] == pytest.approx(1.6 + 6 * step_for(1.6))
    harness.session.project.undo()
    assert harness.document.matrix is not None
    assert dict(harness.document.matrix.parameters)["cost"] == 1.6
    assert harness.session.project.history.undo_label is None


def test_the_mouse_drags_a_parameter(harness: DecideHarness, qtbot: QtBot) -> None:
    label = harness.page.earns.parameter("cost").label
    start = label.rect().center()
    QTest.mousePress(label, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(label, start + start.__class__(20, 0))
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, pos=start)
    assert harness.document.matrix is not None
    assert dict(harness.document.matrix.parameters)["cost"] > 1.6


def test_a_typed_parameter_is_taken_with_enter(harness: DecideHarness) -> None:
    field = harness.page.earns.parameter("margin").field
    harness.page.activateWindow()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "30")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert harness.document.matrix is not None
    assert dict(harness.document.matrix.parameters)["margin"] == 30.0


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


def offer(harness: DecideHarness, *templates: MatrixFacts) -> None:
    plugins = harness.session.plugins.known
    assert plugins is not None
    harness.session.plugins.known = replace(plugins, templates=(*plugins.templates, *templates))
    harness.session.plugins.changed.emit(harness.session.plugins.known)


def pick(harness: DecideHarness, template: str) -> None:
    kind = harness.page.earns.kind
    kind.setCurrentIndex(kind.findData(template))
    kind.activated.emit(kind.currentIndex())


def test_shares_are_shown_in_per_cent_and_counts_without_decimals(harness: DecideHarness) -> None:
    offer(harness, churn_like())
    pick(harness, "x.churn")
    share = harness.page.earns.parameter("share")
    assert share.field.text().replace("\u00a0", " ") == "30.0 %"
    assert harness.page.earns.parameter("count").field.text() == "20"
    share.field.setText("45")
    share.field.editingFinished.emit()
    matrix = harness.document.matrix
    assert matrix is not None
    assert dict(matrix.parameters)["share"] == pytest.approx(0.45)
    share.field.setText("145")
    share.field.textEdited.emit("145")
    assert "from 0 to 100" in share.field.toolTip()
    assert dict(harness.document.matrix.parameters)["share"] == pytest.approx(0.45)
    assert "Whom to keep." in harness.page.earns.kind.toolTip()


def test_a_dragged_share_stays_in_its_range(harness: DecideHarness) -> None:
    offer(harness, churn_like())
    pick(harness, "x.churn")
    share = harness.page.earns.parameter("share")
    share.label.stepped.emit(5)
    share.label.released.emit()
    assert share.value() == pytest.approx(0.35)
    share.label.stepped.emit(500)
    share.label.released.emit()
    assert share.value() == 1.0


def test_a_matrix_of_knots_brings_its_rows(harness: DecideHarness) -> None:
    matrix = harness.document.matrix
    assert matrix is not None
    number = replace(churn_like(), is_interval=True, knots=(0.0, 2.5, 100.0))
    assert choose_template(number, matrix.levels).matrix.levels == ("0", "2.5", "100")
    assert choose_template(churn_like(), matrix.levels).matrix.levels == matrix.levels


def test_matrices_that_do_not_suit_the_outcome_say_why(harness: DecideHarness) -> None:
    number = replace(churn_like(), id="x.gifts", is_interval=True, knots=(0.0, 100.0))
    three = replace(churn_like(), id="x.three_classes", n_levels=3)
    offer(harness, number, three)
    kind = harness.page.earns.kind
    model = kind.model()
    assert isinstance(model, QStandardItemModel)
    reasons = {"x.gifts": "For numbers", "x.three_classes": "For 3 outcomes"}
    for template, reason in reasons.items():
        item = model.item(kind.findData(template))
        assert not item.isEnabled()
        assert item.toolTip() == reason


@pytest.mark.parametrize(
    ("number", "cell"),
    [(-0.001, "−0.001"), (24.0, "+24.00"), (2.5e6, "+2,500,000"), (0.0, "0.00"), (1e-9, "0.00")],
)
def test_a_cell_shows_no_other_number_than_it_holds(number: float, cell: str) -> None:
    assert signed_amount(number) == cell
