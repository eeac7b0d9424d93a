"""The "?" beside every technical word, and the popover it opens."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QVBoxLayout, QWidget

from core.document.markup import joined, tag
from gui.theme import current_theme, icon_pixmap, theme_notifier
from gui.widgets.labels import RichLabel, TextLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpText:
    """What a "?" explains: one plain sentence, the formula, where it comes from."""

    title: str
    text: str
    formula: str = ""
    reference: str = ""


class Popover(QFrame):
    """A small card near a widget; a click elsewhere, Esc or Tab closes it."""

    def __init__(self, content: HelpText, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(content.title)
        self.setAccessibleDescription(content.text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(6)
        layout.addWidget(TextLabel(content.title, "strong"))
        pieces = ((content.text, "body"), (content.formula, "strong"), (content.reference, "note"))
        for text, role in pieces:
            if text:
                label = TextLabel(text, role, wraps=True)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                layout.addWidget(label)
        self.setFixedWidth(320)

    def show_at(self, anchor: QWidget) -> None:
        """Open below a widget, kept on its screen."""
        self.adjustSize()
        place = anchor.mapToGlobal(QPoint(0, anchor.height() + 4))
        screen = anchor.screen() or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        spot = QRect(place, self.sizeHint())
        if spot.bottom() > room.bottom():
            spot.moveBottom(anchor.mapToGlobal(QPoint(0, -4)).y())
        spot.moveLeft(min(spot.left(), room.right() - self.width()))
        self.move(max(room.left(), spot.left()), max(room.top(), spot.top()))
        self.show()


class ReadingPopover(Popover):
    """A popover of several headed paragraphs, wider than that of one sentence."""

    def __init__(
        self, title: str, parts: tuple[tuple[str, str], ...], parent: QWidget | None = None
    ) -> None:
        text = " ".join(f"{heading}: {words}" if words else heading for heading, words in parts)
        super().__init__(HelpText(title=title, text=""), parent)
        self.setAccessibleDescription(text)
        self.setFixedWidth(460)
        # One label of rich text: several wrapped ones claim more height than they need.
        rich = joined(
            tag("p", tag("b", heading), *((tag("br"), words) if words else ()))
            for heading, words in parts
        )
        label = RichLabel(rich, wraps=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(label)
            margins = layout.contentsMargins()
            width = self.width() - margins.left() - margins.right()
            label.setFixedHeight(label.heightForWidth(width))


class HelpButton(QAbstractButton):
    """ "What is this?": a round question mark that opens a popover."""

    def __init__(self, content: HelpText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setFixedSize(18, 18)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_content(content)
        self.clicked.connect(self.open_popover)
        theme_notifier().theme_changed.connect(self.update)

    def set_content(self, content: HelpText) -> None:
        """Explain something else."""
        self._content = content
        self.setAccessibleName(f"What is this? {content.title}")
        self.setToolTip("What is this?")

    def content(self) -> HelpText:
        """Heading and text of the explanation."""
        return self._content

    def open_popover(self) -> Popover:
        """Show the explanation."""
        popover = Popover(self._content, self)
        popover.show_at(self)
        return popover

    def sizeHint(self) -> QSize:
        return QSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        marked = self.underMouse() or self.hasFocus()
        painter = QPainter(self)
        colour = theme.accent if marked else theme.quiet
        painter.drawPixmap(0, 0, icon_pixmap("help", colour, 18, self.devicePixelRatioF()))
        painter.end()
