"""An amount per case in the card: its column chosen, shares typed, numbers typed over them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.document.decisions.commands import SetAmount
from core.document.decisions.formulas import amount_shares
from tests.gui.decide.formulas import enter, matrix, plain_desk
from tests.gui.decide.matrix import cells
from tests.helpers.harness import DecideHarness


def test_a_share_needs_its_column_and_says_so(harness: DecideHarness, qtbot: QtBot) -> None:
    plain_desk(harness)
    enter(harness, qtbot, 0, "=0.08*amount")
    card = harness.page.earns
    qtbot.waitUntil(lambda: not card.problem.isHidden())
    assert "No column says" in card.problem.text()
    assert card.name_button.isHidden()  # it is no parameter that could be added


def test_shares_are_shown_kept_and_typed_over(harness: DecideHarness, qtbot: QtBot) -> None:
    plain_desk(harness)
    harness.session.project.execute(SetAmount(column="LOAN"))
    assert harness.page.earns.amount.column.currentData() == "LOAN"
    enter(harness, qtbot, 0, "=-0.6*amount")
    qtbot.waitUntil(lambda: amount_shares(matrix(harness))[0][0] == -0.6)
    model = harness.page.earns.matrix.matrix_model
    assert model.data(model.index(0, 1)).replace("\u00a0", " ") == "\u221260 %"
    assert cells(harness)[0][0] == 0.0
    enter(harness, qtbot, 0, "0")
    qtbot.waitUntil(lambda: amount_shares(matrix(harness))[0][0] == 0.0)
    harness.session.project.undo()
    assert amount_shares(matrix(harness))[0][0] == -0.6


def test_a_column_in_use_is_not_taken_away(harness: DecideHarness, qtbot: QtBot) -> None:
    plain_desk(harness)
    harness.session.project.execute(SetAmount(column="LOAN"))
    enter(harness, qtbot, 0, "=amount - 4")
    qtbot.waitUntil(lambda: amount_shares(matrix(harness))[0][0] == 1.0)
    line = harness.page.earns.amount
    line.column.setCurrentIndex(0)
    line.column.activated.emit(0)
    assert line.column.currentData() == "LOAN"
    assert "in use" in harness.page.earns.problem.text()
