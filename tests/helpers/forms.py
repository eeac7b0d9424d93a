"""Filling in forms as a person does."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox


def choose_data(combo: QComboBox, value: object) -> None:
    """Choose the entry of a value; what is told of it is what a person's choice tells."""
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())
