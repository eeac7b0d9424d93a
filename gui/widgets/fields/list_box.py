"""A list of lines to choose from or to tick."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QListWidget


class ListBox(QListWidget):
    """Lays its lines out anew when it gets its style.

    A list whose current line is set while it is being built has laid out its lines by then, at
    the height that they have without a style, and Qt leaves them there.
    """

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.Polish:
            self.scheduleDelayedItemsLayout()
        return is_done
