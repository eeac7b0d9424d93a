"""Shared by tests of formulas."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.decisions.commands import SetMatrixKind
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.decisions.numbers import AddParameter
from tests.gui.decide.matrix import cells, editor_of
from tests.helpers.harness import DecideHarness


def plain_desk(harness: DecideHarness) -> DecideHarness:
    """The matrix as plain numbers with two named parameters."""
    space = harness.session
    space.project.execute(SetMatrixKind(kind=MatrixKind.PROFIT, resolved=cells(harness)))
    space.project.execute(AddParameter(name="margin", value=25.6))
    space.project.execute(AddParameter(name="letter", value=1.6))
    return harness


def matrix(harness: DecideHarness) -> MatrixSpec:
    found = harness.document.matrix
    assert found is not None
    return found


def enter(harness: DecideHarness, qtbot: QtBot, row: int, text: str) -> None:
    editor = editor_of(harness, qtbot, row, 1)
    editor.clear()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
