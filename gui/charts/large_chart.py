"""A chart in a window of its own, for places that have no room to give."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.widgets.dialog import MARGIN, AnswerDialog

_SHARE = 0.85  # of the window that it stands before


class LargeChart(AnswerDialog):
    """Takes the card itself, so that it goes on as it was, and puts it back when it is closed."""

    def __init__(self, card: QWidget, set_large: Callable[[bool], None]) -> None:
        home = card.parentWidget()
        assert home is not None  # a card is a part of a page or of a dialog
        super().__init__(home)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(card.accessibleName())
        self.resize(home.window().size() * _SHARE)
        self._set_large = set_large
        self._card, self._home, self._place = card, home, QWidget()
        _change(home, card, self._place)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.addWidget(card)
        card.show()
        set_large(True)

    def done(self, result: int) -> None:
        self._set_large(False)
        _change(self._home, self._place, self._card)
        super().done(result)


def _change(home: QWidget, old: QWidget, new: QWidget) -> None:
    """Put a widget where another one is, shown or hidden as that was."""
    layout, is_hidden = home.layout(), old.isHidden()
    assert layout is not None
    layout.replaceWidget(old, new)
    new.setHidden(is_hidden)
