"""Lines with a sign in front: what was found, what to think of."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.widgets.cards import clear_layout
from gui.widgets.labels import IconLabel, TextLabel


class MessageLines(QWidget):
    """Some lines of text, each with its sign; read aloud as one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = QVBoxLayout(self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(6)
        self._texts: list[str] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """What the lines say."""
        return tuple(self._texts)

    def clear(self) -> None:
        """Take all lines away."""
        clear_layout(self._body)
        self._texts.clear()
        self.setAccessibleName("")

    def add(self, symbol: str, role: str, text: str, detail: str = "") -> None:
        """Add a line; ``symbol`` is an icon, ``role`` its colour in the theme, ``detail`` a tip."""
        line = QWidget()
        line.setToolTip(detail)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel(symbol, role, 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(TextLabel(text, wraps=True), 1)
        self._body.addWidget(line)
        self._texts.append(text)
        self.setAccessibleName(" ".join(self._texts))

    def add_good(self, text: str) -> None:
        """Something that is as it should be."""
        self.add("check", "gain", text)

    def add_info(self, text: str) -> None:
        """Add a line that tells something, without a warning."""
        self.add("info", "quiet", text)

    def add_warning(self, text: str) -> None:
        """Something to think of."""
        self.add("warning", "loss", text)

    def add_error(self, text: str) -> None:
        """Something that stands in the way."""
        self.add("cross", "error", text)
