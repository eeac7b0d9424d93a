"""Size and place of the window, remembered from one session to the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSettings, QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from core.settings import state_folder


def save_geometry(window: QMainWindow) -> None:
    """Remember size and place."""
    _store().setValue("geometry", window.saveGeometry())


def restore_geometry(window: QMainWindow) -> None:
    """Take the remembered size and place, if they fit the screens there are."""
    saved = _store().value("geometry")
    if saved is not None:
        window.restoreGeometry(saved)


def save_share(name: str, share: float) -> None:
    """Remember the share of its page that a part was given."""
    _store().setValue(f"shares/{name}", share)


def saved_share(name: str, usual: float) -> float:
    """Return the share that a part was given; ``usual`` where nobody gave it one."""
    try:
        share = float(str(_store().value(f"shares/{name}", usual)))
    except ValueError:  # a damaged line of the file
        return usual
    return share if 0.0 < share < 1.0 else usual


class InsideScreen(QObject):
    """Keeps windows and dialogs inside the screen when they are first shown, their frame included.

    Where nothing is shown on a screen (no display), windows keep the size they ask for.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._unframed: set[QObject] = set()  # shown, and no frame around them yet
        if QGuiApplication.platformName() != "offscreen":
            application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See every window when it is shown, and once more when the system has put its frame on.

        X11 does that at some time after the window is there, and moves it then.
        """
        if not isinstance(watched, QMainWindow | QDialog):
            return False
        if event.type() is QEvent.Type.Show:
            self._unframed.add(watched)
            QTimer.singleShot(0, watched, lambda: bring_inside(watched))
        elif event.type() in (QEvent.Type.Hide, QEvent.Type.DeferredDelete):
            self._unframed.discard(watched)
        elif watched in self._unframed and watched.frameGeometry().size() != watched.size():
            self._unframed.discard(watched)
            QTimer.singleShot(0, watched, lambda: bring_inside(watched))
        return False


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


def _store() -> QSettings:
    return QSettings(str(state_folder() / "window.ini"), QSettings.Format.IniFormat)
