"""The 40 px toolbar: file and undo tools, the project's name and state, search."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gui.theme import current_theme, icon_pixmap, text_font, theme_notifier
from gui.widgets.cards import Rule
from gui.widgets.labels import ElidedLabel, TextLabel


class SearchButton(QAbstractButton):
    """Looks like a field, opens the command palette."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText("Search or run a command")
        self.setAccessibleName(self.text())
        self.setFixedSize(QSize(300, 28))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme_notifier().theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_marked = self.hasFocus()
        width = 2.0 if is_marked else 1.0
        area = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.setPen(QPen(QColor(theme.accent if is_marked else theme.control_border), width))
        painter.setBrush(QColor(theme.hover if self.underMouse() else theme.card))
        painter.drawRoundedRect(area, 4, 4)
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(9, 6, icon_pixmap("search", theme.quiet, 16, ratio))
        painter.setPen(QColor(theme.quiet))
        painter.setFont(text_font("body"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(33, 0, self.width() - 90, self.height()), middle, self.text())
        painter.setFont(text_font("note"))
        right = middle | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, 0, self.width() - 9, self.height()), right, "Ctrl+K")
        painter.end()


class FilterButton(QAbstractButton):
    """The row filter that every number follows; opens page Data. Shortened to the room there is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme_notifier().theme_changed.connect(self.update)
        self.show_filter("")

    def show_filter(self, where: str) -> None:
        """Show the filter; without one nothing is there to press."""
        words = f"Only rows where {where}" if where else ""
        self.setText(words)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.setEnabled(bool(where))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if where else Qt.FocusPolicy.NoFocus)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.text():
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(text_font("note"))
        metrics = painter.fontMetrics()
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - 40)
        width = metrics.horizontalAdvance(words) + 32
        is_marked = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent), 2.0 if is_marked else 1.0))
        painter.setBrush(QColor(theme.hover if self.underMouse() else theme.card))
        painter.drawRoundedRect(QRectF(1, 3, width, 22), 11, 11)
        painter.drawPixmap(9, 7, icon_pixmap("rows", theme.accent, 14, self.devicePixelRatioF()))
        painter.setPen(QColor(theme.accent))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(27, 3, self.width() - 30, 22), middle, words)
        painter.end()


class ToolBar(QFrame):
    """Tools as given, then the project, then search at the right end."""

    def __init__(
        self, groups: tuple[tuple[QAction, ...], ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        sizes = current_theme().sizes
        self.setFixedHeight(sizes.toolbar)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, sizes.page_margin, 1)
        row.setSpacing(8)
        for actions in groups:
            for action in actions:
                row.addWidget(self._button(action))
            rule = Rule(vertical=True)
            rule.setFixedHeight(24)
            row.addSpacing(2)
            row.addWidget(rule)
            row.addSpacing(2)
        self.project = TextLabel("", "strong")
        self.state = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        row.addWidget(self.project)
        row.addWidget(self.state)
        row.addSpacing(8)
        self.filter = FilterButton()
        row.addWidget(self.filter, 1)
        self.search = SearchButton()
        row.addWidget(self.search)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(18, 18))
        button.setFixedSize(28, 28)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.iconText())
        return button

    def show_project(self, name: str, state: str) -> None:
        """Show the project's name, and where and when it was saved."""
        self.project.setText(name)
        self.project.setVisible(bool(name))
        self.state.set_full_text(state)
