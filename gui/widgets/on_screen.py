"""Where windows and dialogs stand on the screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QMainWindow, QWidget


def bring_inside(window: QWidget, room: QRect | None = None) -> None:
    """Make a window as small as the room there is, and move it there; ``room``: the screen's."""
    if window.isFullScreen() or window.isMaximized() or not window.isVisible():
        return
    room = window.screen().availableGeometry() if room is None else room
    frame, inner = window.frameGeometry(), window.geometry()
    across, down = frame.width() - inner.width(), frame.height() - inner.height()
    width = min(inner.width(), room.width() - across)
    height = min(inner.height(), room.height() - down)
    if isinstance(window, QMainWindow):  # its least size is for usual screens: here it scrolls
        least = window.minimumSize()
        window.setMinimumSize(min(least.width(), width), min(least.height(), height))
    if (width, height) != (inner.width(), inner.height()):
        window.resize(width, height)
    whole = QSize(width + across, height + down)
    place = _inside(QRect(frame.topLeft(), whole), room)
    if place != frame.topLeft():
        above = window.parentWidget()
        if above is not None:  # not in a corner: a system that has not placed it yet says so too
            middle = QRect(frame.topLeft(), whole)
            middle.moveCenter(above.window().frameGeometry().center())
            place = _inside(middle, room)
        window.move(place)


def _inside(frame: QRect, room: QRect) -> QPoint:
    """Where a frame stands inside a room, as near as can be."""
    return QPoint(
        max(room.left(), min(frame.left(), room.right() + 1 - frame.width())),
        max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height())),
    )
