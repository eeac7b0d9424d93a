"""The dialog of derived columns."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from core.document.studies.data import ExpressionResult
from gui.pages.data.dialogs.derive_column import DeriveColumnDialog
from tests.gui.data.steps import answer
from tests.helpers.factories.loaded_file import COLUMNS


def test_a_derived_column_is_tried_before_it_is_added(opened, engine, qtbot):
    dialog = DeriveColumnDialog(opened)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.name.setText("age")
    assert "already" in dialog.lines.texts[0]
    dialog.name.setText("older")
    with qtbot.waitSignal(dialog._request._timer.timeout, timeout=2000):
        dialog.text.setText("age / 0")
    found = ExpressionResult(
        text="age / 0",
        kind="number",
        rows=9,
        missing=9,
        lost=(("division by zero", 8),),
        examples=("",),
    )
    answer(engine, "data.expression", found)
    qtbot.waitUntil(dialog.add.isEnabled, timeout=2000)
    assert dialog.lines.texts[1] == "Missing in 8 rows: division by zero."
    assert "Missing in 1 row" in dialog.lines.texts[2]
    dialog.insert.activated.emit(COLUMNS.index("age"))
    assert dialog.text.text() == "age / 0age"
    dialog.text.replace_text("age / 0")
    answer(engine, "data.expression", found)
    dialog.take()
    assert engine.last("make_table").arguments.data.recipe.derived[0].text == "age / 0"


def test_examples_of_expressions_break_between_examples_only(opened, show):
    dialog = show(DeriveColumnDialog(opened), 620, 240)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("min(score,\u00a0100)\u00a0/\u00a0100" in text for text in texts)
