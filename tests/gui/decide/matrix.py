"""Shared by tests of matrix."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.helpers.harness import DecideHarness


def cells(harness: DecideHarness) -> tuple[tuple[float, ...], ...]:
    matrix = harness.document.matrix
    assert matrix is not None
    return matrix.cells


def editor_of(harness: DecideHarness, qtbot: QtBot, row: int, column: int) -> QLineEdit:
    view = harness.page.earns.matrix
    view.select_cell(row, column)
    index = view.matrix_model.index(row, column)
    view.edit(index)
    editor = view.indexWidget(index)  # a child of the viewport may be one that was left before
    assert isinstance(editor, QLineEdit)
    return editor
