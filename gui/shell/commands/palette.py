"""The command palette: type a few letters, run any command or go to a column or project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.theme import current_theme, text_font
from gui.widgets import TextField, TextLabel

_ENTRY = Qt.ItemDataRole.UserRole
LEAST, MOST = 520, 680  # pixels of its width, by the window's
MAXIMUM_SHOWN = 150  # what can be done and asked, before anything is typed


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One line: ``note`` stands at the right (shortcut, kind); ``reason`` says why it is greyed."""

    text: str
    note: str
    run: Callable[[], object]
    icon: QIcon | None = None
    reason: str = ""
    words: str = ""  # more words to find it by


def match_rank(wanted: str, entry: PaletteEntry) -> int | None:
    """How well an entry fits what was typed (smaller is better), or None.

    Every typed word must be the start of a word, a part of the text, or its letters in order.
    """
    if not wanted.strip():
        return 0
    text, more = entry.text.lower().replace("…", " "), entry.words.lower()
    rank = 0
    for part in wanted.lower().split():
        if _begins(part, text):
            continue
        if part in text or _begins(part, more):
            rank += 1
        elif part in more:
            rank += 2
        elif _in_order(part, text):
            rank += 3
        else:
            return None
    return rank + (5 if entry.reason else 0)


def _begins(part: str, text: str) -> bool:
    return any(word.startswith(part) for word in text.split())


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


class _Lines(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        return QSize(100, 30)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry: PaletteEntry = index.data(_ENTRY)
        theme = current_theme()
        area: QRect = option.rect
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_chosen:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection))
            painter.drawRoundedRect(area, 4, 4)
        if entry.icon is not None:
            mode = QIcon.Mode.Disabled if entry.reason else QIcon.Mode.Normal
            entry.icon.paint(painter, area.left() + 8, area.top() + 7, 16, 16, mode=mode)
        painter.setPen(QColor(theme.disabled if entry.reason else theme.text))
        painter.setFont(text_font("body"))
        text = painter.fontMetrics().elidedText(
            entry.text, Qt.TextElideMode.ElideRight, area.width() - 42
        )
        painter.drawText(area.adjusted(34, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, text)
        used = painter.fontMetrics().horizontalAdvance(text) + 50
        painter.setFont(text_font("note"))
        painter.setPen(QColor(theme.text if is_chosen else theme.quiet))
        note = painter.fontMetrics().elidedText(
            entry.reason or entry.note, Qt.TextElideMode.ElideRight, max(0, area.width() - used)
        )
        painter.drawText(
            area.adjusted(34, 0, -10, 0),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            note,
        )
        painter.restore()


class CommandPalette(QFrame):
    """A field and a list under the search button."""

    def __init__(
        self,
        entries: Sequence[PaletteEntry],
        parent: QWidget,
        *,
        look_up: Callable[[str], Sequence[PaletteEntry]] = lambda _typed: (),
        nothing: Callable[[str], str] = lambda _typed: "",
    ) -> None:
        """``look_up`` answers what is typed; ``nothing`` says why it has no answer."""
        super().__init__(parent, Qt.WindowType.Popup)
        self._look_up, self._nothing = look_up, nothing
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._entries = list(entries)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        self.field = TextField()
        self.field.setPlaceholderText("Search, run a command, or paste a figure from any tool")
        self.field.setAccessibleName("Search or run a command")
        self.list = QListWidget()
        self.list.setItemDelegate(_Lines(self.list))
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Commands")
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.nothing = TextLabel("", "quiet", wraps=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing.hide()
        column.addWidget(self.nothing, 1)
        self.why = TextLabel("", "quiet", wraps=True)
        self.why.setContentsMargins(4, 0, 4, 0)
        column.addWidget(self.why)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self.run_current)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._on_clicked)
        self.list.currentItemChanged.connect(lambda item, _before: self._show_reason(item))
        self._fill("")

    def open_below(self, anchor: QWidget) -> None:
        """Show it with its right edge under the search button."""
        self.resize(max(LEAST, min(MOST, anchor.window().width() * 9 // 20)), 420)
        corner = anchor.mapToGlobal(QPoint(anchor.width(), anchor.height() + 4))
        self.move(corner.x() - self.width(), corner.y())
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                row = self.list.currentRow() + step
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, row)))
                return True
            if event.key() == Qt.Key.Key_Escape:  # one is enough, whatever was typed
                self.close()
                return True
        return super().eventFilter(watched, event)

    def run_current(self) -> None:
        """Run the marked line and close; a greyed one stays and says why."""
        if self.list.currentRow() < 0:
            return
        item = self.list.currentItem()
        entry: PaletteEntry = item.data(_ENTRY)
        if entry.reason:
            return
        self.close()
        entry.run()

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.list.setCurrentItem(item)
        self.run_current()

    def _show_reason(self, item: QListWidgetItem | None) -> None:
        """Say in full why the marked line cannot be run; at the line there is not always room."""
        reason = "" if item is None else item.data(_ENTRY).reason
        self.why.setText(reason)
        self.why.setVisible(bool(reason))

    def _fill(self, wanted: str) -> None:
        ranked = [
            (rank, place, entry)
            for place, entry in enumerate(self._entries)
            if (rank := match_rank(wanted, entry)) is not None
        ]
        self.list.clear()
        best = [entry for _, _, entry in sorted(ranked, key=lambda line: line[:2])]
        shown = [*self._look_up(wanted), *best][:MAXIMUM_SHOWN]
        for entry in shown:
            item = QListWidgetItem(entry.text)
            item.setData(_ENTRY, entry)
            item.setToolTip(entry.reason)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(shown))
        reason = self._nothing(wanted) or f"Nothing is called “{wanted.strip()}”."
        self.nothing.setText("" if shown else reason)
        self.nothing.setVisible(not shown)
