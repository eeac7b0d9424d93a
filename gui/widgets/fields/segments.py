"""A row of joined buttons of which one is on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.theme import text_font


class _Segment(QPushButton):
    """One of the joined buttons; wide enough for its words in bold, as they are when it is on."""

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        bold = QFontMetrics(text_font(bold=True))
        wider = bold.horizontalAdvance(self.text()) - self.fontMetrics().horizontalAdvance(
            self.text()
        )
        return QSize(size.width() + max(0, wider), size.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Segments(QWidget):
    """One choice of a few, all in sight."""

    chosen = Signal(str)

    def __init__(
        self,
        entries: Sequence[tuple[str, str]],
        *,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for index, (key, words) in enumerate(entries):
            button = _Segment(words)
            button.setCheckable(True)
            place = "first" if index == 0 else "last" if index == len(entries) - 1 else "middle"
            button.setProperty("segment", place)
            button.setProperty("key", key)
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: QPushButton) -> None:
        self.chosen.emit(str(button.property("key")))

    def choose(self, key: str) -> None:
        """Turn one on without telling."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)

    def make_small(self) -> None:
        """Make the buttons as low as those in a card's head."""
        for button in self._buttons.values():
            button.setProperty("small", "true")

    def press(self, place: int) -> None:
        """Press one of the buttons, as a person does."""
        list(self._buttons.values())[place].click()

    def choice(self) -> str:
        """The key of the one that is on, or an empty text."""
        button = self._group.checkedButton()
        return str(button.property("key")) if button is not None else ""
