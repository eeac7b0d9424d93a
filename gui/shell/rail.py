"""The rail of pages at the left edge: icon above label, 72 px wide."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.shell.page_list import PageEntry, PageId
from gui.theme import current_theme, text_font, theme_notifier
from gui.theme.icons import paint_icon

FULL_HEIGHT, LEAST_HEIGHT = 52, 22
LEAST_WITH_ICON = 42


class RailButton(QAbstractButton):
    """One page: selection ground, accent bar, icon and label; the label alone where it is low."""

    def __init__(self, entry: PageEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = entry.key
        self._icon = entry.icon
        self.setText(entry.title)
        self.setAccessibleName(self.text())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedWidth(self.sizeHint().width())
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setMaximumHeight(FULL_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        theme_notifier().theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(current_theme().sizes.rail - 1, FULL_HEIGHT)

    def _fitting_font(self) -> QFont:
        """The label's font, set closer where the name is a little too long for the rail."""
        font = text_font("note", bold=self.isChecked())
        if QFontMetricsF(font).horizontalAdvance(self.text()) > self.width() - 8:
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 93.0)
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_icon = self.height() >= LEAST_WITH_ICON
        air, edge = (self.height() - 36) / 2, 10 if has_icon else 4
        background = QRectF(4, 0, self.width() - 8, self.height())
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection if self.isChecked() else theme.hover))
            painter.drawRoundedRect(background, 6, 6)
        if self.isChecked():
            painter.fillRect(QRectF(0, edge, 3, self.height() - 2 * edge), QColor(theme.accent))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(background.adjusted(1, 1, -1, -1), 5, 5)
        colour = theme.accent if self.isChecked() else theme.quiet
        if not self.isEnabled():
            colour = theme.disabled
        if has_icon:
            paint_icon(painter, self._icon, colour, QRectF(self.width() / 2 - 10, air, 20, 20))
        painter.setFont(self._fitting_font())
        painter.setPen(QColor(theme.text if self.isChecked() else colour))
        top, high = (air + 21, 18) if has_icon else (0, self.height())
        room = QRectF(2, top, self.width() - 4, high)
        words = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()


class Rail(QFrame):
    """The list of pages; arrow keys move within it. In a low window its entries grow lower."""

    page_chosen = Signal(object)  # PageId

    def __init__(self, pages: tuple[PageEntry, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAccessibleName("Pages")
        self.setFixedWidth(current_theme().sizes.rail)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(4)
        self._group = QButtonGroup(self)
        self.buttons: dict[PageId, RailButton] = {}
        for entry in sorted(pages, key=lambda page: page.is_at_end):
            button = RailButton(entry)
            self._group.addButton(button)
            self.buttons[entry.key] = button
            if entry.is_at_end:
                column.addStretch(1)
            column.addWidget(button)
        if not any(entry.is_at_end for entry in pages):
            column.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: RailButton) -> None:
        self.page_chosen.emit(button.key)

    def show_page(self, key: PageId) -> None:
        """Mark the page that is in front."""
        self.buttons[key].setChecked(True)

    def set_reason(self, key: PageId, reason: str) -> None:
        """Grey a page with the reason, or free it with an empty one."""
        self.buttons[key].setEnabled(not reason)
        self.buttons[key].setToolTip(reason)
