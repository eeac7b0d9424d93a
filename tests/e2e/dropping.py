"""A file dragged onto the window and let go there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def drop(window: QWidget, path: Path) -> None:
    """Drag a file onto the window, which takes it, and let it go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    spot = QPointF(window.rect().center())
    kinds = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    enter = QDragEnterEvent(spot.toPoint(), *kinds, Qt.KeyboardModifier.NoModifier)
    QTest.qWait(0)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(spot, *kinds, Qt.KeyboardModifier.NoModifier))
