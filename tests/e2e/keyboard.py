"""The keyboard of a window, which a desktop would give it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tests.helpers.program import Program


def activate(program: Program, window: QWidget | None = None) -> None:
    """Give a window the keyboard, as a desktop does; offscreen nobody else would."""
    wanted = window or program.window
    wanted.windowHandle().requestActivate()
    program.wait(wanted.isActiveWindow)
