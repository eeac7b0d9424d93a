"""Shared by tests of looks."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tests.e2e.conftest import Program


def activate(program: Program, window: QWidget | None = None) -> None:
    """Give a window the keyboard, as a desktop does; offscreen nobody else would."""
    wanted = window or program.window
    wanted.windowHandle().requestActivate()
    program.wait(wanted.isActiveWindow)
