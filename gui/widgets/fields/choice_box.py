"""A list to choose one from; what does not fit into its box ends in an ellipsis."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QToolTip

_BESIDE_ICON = 4  # pixels that Qt leaves between icon and words


class ChoiceBox(QComboBox):
    """A box whose words are shortened to its width, and whole in its tool tip.

    Under a style sheet Qt cuts them at the edge, in the middle of a letter.
    """

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = self._fitted(option)

    def _fitted(self, option: QStyleOptionComboBox) -> str:
        kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(kind, option, part, self).width()
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + _BESIDE_ICON
        return option.fontMetrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def shown_text(self) -> str:
        """The words as they stand in the box."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return str(option.currentText)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.shown_text() != self.currentText():
            lines = (self.currentText(), self.toolTip())
            QToolTip.showText(event.globalPos(), "\n".join(filter(None, lines)), self)
            return True
        return super().event(event)
