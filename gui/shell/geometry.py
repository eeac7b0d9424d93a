"""Size and place of the window, remembered from one session to the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSettings, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow

from core.settings import state_folder
from gui.widgets.on_screen import bring_inside


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


def _store() -> QSettings:
    return QSettings(str(state_folder() / "window.ini"), QSettings.Format.IniFormat)
