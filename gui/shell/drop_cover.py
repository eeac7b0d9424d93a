"""The cover over the window while a file is dragged across it, and which file that is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QRectF, Qt
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.shell.file_flow import PLUGIN_SUFFIXES
from gui.theme import current_theme, text_font
from gui.theme.icons import paint_icon


class DropCover(QWidget):
    """Says what happens when the file is let go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self._words = self._note = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self, path: str, *, is_plugin: bool) -> None:
        """Cover the parent, and say what letting this file go does."""
        name = Path(path).name
        self._words = "Drop to install a plugin" if is_plugin else "Drop to open"
        requested = "%s: you are asked before anything is installed"
        self._note = requested % name if is_plugin else name
        self.setAccessibleName(self._words)
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        background = QColor(theme.window)
        background.setAlphaF(0.92)
        painter.fillRect(self.rect(), background)
        pen = QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(24, 24, -24, -24), 12, 12)
        centre = QRectF(self.rect()).center()
        spot = QRectF(centre.x() - 24, centre.y() - 60, 48, 48)
        paint_icon(painter, "import", theme.accent, spot)
        painter.setPen(QColor(theme.text))
        painter.setFont(text_font("title"))
        room = QRectF(0, centre.y(), self.width(), 40)
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter, self._words)
        painter.setPen(QColor(theme.quiet))
        painter.setFont(text_font("body"))
        room = QRectF(48, centre.y() + 36, self.width() - 96, 24)
        note = painter.fontMetrics().elidedText(
            self._note, Qt.TextElideMode.ElideMiddle, int(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter, note)
        painter.end()


def is_plugin(path: str) -> bool:
    """Whether a file is one to install, by its name."""
    return Path(path).suffix.lower() in PLUGIN_SUFFIXES


def dropped_path(event: QDropEvent) -> str | None:
    """The one local file being dropped, or None; Qt's own paths are not those of Windows."""
    urls = event.mimeData().urls()
    paths = [QDir.toNativeSeparators(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return paths[0] if len(paths) == 1 else None
