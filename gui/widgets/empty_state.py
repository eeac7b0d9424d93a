"""What an empty view shows: one sentence and the button that fills it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gui.widgets.labels import IconLabel, TextLabel


class EmptyState(QWidget):
    """An icon, a sentence, and a button."""

    pressed = Signal()

    def __init__(
        self,
        sentence: str,
        button: str = "",
        *,
        icon: str = "data",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(IconLabel(icon, "quiet", 32), 0, Qt.AlignmentFlag.AlignHCenter)
        self.sentence = TextLabel(sentence, "quiet", wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        # The whole width: a layout asks aligned widgets no height for their width, and cuts them.
        column.addWidget(self.sentence)
        self.button = QPushButton(button)
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.pressed)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.button.setVisible(bool(button))  # as a part of this: before, it would be a window
        column.addStretch(1)
