"""Size and place of the window, remembered from one session to the next."""

from __future__ import annotations

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMainWindow

from core.settings import state_folder


def save_geometry(window: QMainWindow) -> None:
    """Remember size and place."""
    _store().setValue("geometry", window.saveGeometry())


def restore_geometry(window: QMainWindow) -> None:
    """Take the remembered size and place, if they fit the screens there are."""
    saved = _store().value("geometry")
    if saved is not None:
        window.restoreGeometry(saved)


def _store() -> QSettings:
    return QSettings(str(state_folder() / "window.ini"), QSettings.Format.IniFormat)
