"""Tabs that are wide enough for their words in the weight that the one in front has."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTabBar

from gui.theme import strengthen


class TabBar(QTabBar):
    """Tabs that show their words whole, in front or not; none moves when another is chosen.

    Qt measures the words of the one in front as the style sheet draws them, semi-bold, and those of
    the others in the font of the bar.
    """

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        if index == self.currentIndex():
            return hint
        kind, words = Qt.TextFlag.TextShowMnemonic, self.tabText(index)
        heavy = QFontMetrics(strengthen(self.font())).size(kind, words)
        wider = heavy.width() - self.fontMetrics().size(kind, words).width()
        return QSize(hint.width() + max(wider, 0), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)
