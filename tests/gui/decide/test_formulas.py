"""Formulas in the matrix editor: typed, refused with a way out, following their parameters."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.document.decisions.commands import SetCosts
from core.document.decisions.formulas import formula_at
from core.document.decisions.matrix_model import CostSpec
from tests.gui.decide.formulas import enter, matrix, plain_desk
from tests.gui.decide.matrix import cells, editor_of
from tests.helpers.harness import DecideHarness


def test_a_typed_formula_fills_the_cell_and_follows_its_parameter(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    plain_desk(harness)
    enter(harness, qtbot, 0, "=margin - letter")
    qtbot.waitUntil(lambda: formula_at(matrix(harness), "1", "Mail") is not None)
    enter(harness, qtbot, 1, "=-letter")
    qtbot.waitUntil(lambda: formula_at(matrix(harness), "0", "Mail") is not None)
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))
    harness.page.earns.parameter("letter").value_changed.emit("letter", 2.0)
    assert cells(harness) == ((23.6, 0.0), (-2.0, 0.0))
    harness.session.project.undo()
    assert cells(harness) == ((24.0, 0.0), (-1.6, 0.0))


def test_the_cell_shows_its_number_and_opens_with_its_formula(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    plain_desk(harness)
    enter(harness, qtbot, 0, "=margin - letter")
    qtbot.waitUntil(lambda: formula_at(matrix(harness), "1", "Mail") is not None)
    model = harness.page.earns.matrix.matrix_model
    index = model.index(0, 1)
    assert index.data(Qt.ItemDataRole.DisplayRole) == "+24.00"
    assert "=margin - letter" in index.data(Qt.ItemDataRole.ToolTipRole)
    editor = editor_of(harness, qtbot, 0, 1)
    assert editor.text() == "=margin - letter"


def test_an_unknown_name_is_refused_and_can_be_added_on_the_spot(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    plain_desk(harness)
    earns = harness.page.earns
    enter(harness, qtbot, 0, "=margin - stamp")
    qtbot.waitUntil(lambda: not earns.problem.isHidden())
    assert cells(harness)[0][0] == 24.0
    assert "stamp" in earns.problem.text()
    assert "column Mail" in earns.problem.text()
    assert not earns.name_button.isHidden()
    earns.name_button.add(0.8)
    assert cells(harness)[0][0] == 24.8
    assert earns.problem.isHidden()
    assert earns.name_button.isHidden()
    assert dict(matrix(harness).parameters)["stamp"] == 0.8


def test_a_formula_that_cannot_be_read_says_why(harness: DecideHarness, qtbot: QtBot) -> None:
    plain_desk(harness)
    enter(harness, qtbot, 0, "=(margin")
    problem = harness.page.earns.problem
    qtbot.waitUntil(lambda: not problem.isHidden())
    assert "not closed" in problem.text()
    assert harness.page.earns.name_button.isHidden()
    assert cells(harness)[0][0] == 24.0


def test_a_named_parameter_may_be_negative(harness: DecideHarness) -> None:
    plain_desk(harness)
    field = harness.page.earns.parameter("letter").field
    field.setText("-3")
    field.editingFinished.emit()
    assert dict(matrix(harness).parameters)["letter"] == -3.0


def test_parameters_are_added_and_removed_from_the_menu(harness: DecideHarness) -> None:
    plain_desk(harness)
    texts = [action.text() for action in harness.page.earns.more_menu().actions()]
    assert "&Add a parameter…" in texts
    remove = next(
        action
        for action in harness.page.earns.more_menu().actions()
        if "letter" in action.text() and "Remove" in action.text()
    )
    remove.trigger()
    assert [name for name, _ in matrix(harness).parameters] == ["margin"]


def type_into(harness: DecideHarness, qtbot: QtBot, field: QLineEdit, text: str) -> None:
    """Begin to type in place of what is there; the typing goes on afterwards."""
    harness.page.window().activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, text)


def test_templates_that_come_late_leave_the_parameter_that_is_typed(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    card = harness.page.earns
    field = card.parameter("cost").field
    type_into(harness, qtbot, field, "1")
    card.show_document(harness.document, harness.session.results.decisions, ())
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dict(matrix(harness).parameters)["cost"] == 17.0
    QCoreApplication.processEvents()
    assert card.parameter("cost").field.value() == 17.0


def test_columns_that_come_late_leave_the_extra_cost_that_is_typed(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    plain_desk(harness)
    harness.session.project.execute(SetCosts(costs=(CostSpec(), CostSpec())))
    card = harness.page.costs
    field = card.form.editor("Mail")
    type_into(harness, qtbot, field, "1")
    card.show_document(replace(harness.document, currency="$"), harness.session.project.summary)
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert matrix(harness).costs[0].amount == 17.0
    QCoreApplication.processEvents()
    assert card.form.editor("Mail").value() == 17.0
