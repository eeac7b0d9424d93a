"""Widgets that scroll where they are higher than their room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


def scrolled(widget: QWidget, *, name: str = "", is_sideways: bool = False) -> QScrollArea:
    """A widget in an area without a frame that scrolls down, and sideways only where asked.

    An area with a ``name`` takes the focus, so that the keyboard scrolls it; one without leaves
    the focus to its controls.
    """
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if name:
        area.setAccessibleName(name)
    else:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not is_sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area
