"""Shares of train, validation and test rows, typed into the card of page Data."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.commands import SetSplit
from core.document.model import SplitSpec
from gui.pages.data.rows_card import RowsCard
from gui.widgets import NumberField
from tests.helpers.factories.loaded_file import loaded_document, make_summary


def fields(card: RowsCard) -> dict[str, NumberField]:
    """The fields that stand there now, by their names."""
    return {field.accessibleName(): field for field in card.findChildren(NumberField)}


def test_a_share_that_was_typed_stays_whatever_field_is_passed_by(session, qtbot):
    """The field of the test share got the keyboard as it went, and gave its old 50 % out again."""
    session.project.take_document(loaded_document())
    session.project.execute(SetSplit(split=SplitSpec()))
    session.project.take_summary(make_summary())
    card = RowsCard(session)
    card.refresh()
    qtbot.addWidget(card)
    card.show()
    qtbot.waitExposed(card)
    before = fields(card)
    typed = before["Share of Validation rows"]
    typed.setFocus()
    typed.selectAll()
    QTest.keyClicks(typed, "20")
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert session.project.document.split.shares == (0.0, 0.2, 0.8)
    for field in before.values():
        field.editingFinished.emit()  # as a field does that loses the keyboard
    assert session.project.document.split.shares == (0.0, 0.2, 0.8)
    assert session.project.history.undo_label is not None
