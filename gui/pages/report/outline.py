"""The entries of the report in order, and the words of the one that is chosen."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from gui.theme import current_theme, icon
from gui.widgets import Card, NotesField, TextField, TextLabel
from gui.widgets.fields.list_box import ListBox
from payoff.counting import counted

NOTE_HEIGHT = 96
_KIND = Qt.ItemDataRole.UserRole


class OutlineCard(Card):
    """The list of entries: chosen by click, moved by dragging or by the buttons."""

    chosen = Signal(str)
    moved = Signal(str, int)
    removed = Signal(str)
    renew_wanted = Signal()  # of every old entry

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("On the report", " ", parent=parent)
        self.list = ListBox()
        self.list.setAccessibleName("Entries of the report")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_current)
        self.list.model().rowsMoved.connect(self._on_dragged)
        self.body.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.up = self._button("Up", lambda: self._move(-1))
        self.down = self._button("Down", lambda: self._move(1))
        self.take_off = self._button("Take off", self._remove)
        row.addWidget(self.up)
        row.addWidget(self.down)
        row.addStretch(1)
        row.addWidget(self.take_off)
        self.body.addLayout(row)
        self.renew = self._button("", self.renew_wanted)
        self.renew.setToolTip("Work out again what is older than the data or the settings")
        self.body.addWidget(self.renew)

    def _button(self, words: str, action: object) -> QPushButton:
        button = QPushButton(words)
        button.setProperty("small", "true")
        button.clicked.connect(action)
        return button

    # ------------------------------------------------------------ showing

    def show_entries(self, entries: list[tuple[str, str, str]], chosen: str) -> None:
        """Show kinds with titles and warnings (empty: none), one of them chosen."""
        kinds = [kind for kind, _, _ in entries]
        with QSignalBlocker(self.list):  # not its model: the view must hear of rows
            if kinds != self.kinds():
                self.list.clear()
                for kind in kinds:
                    item = QListWidgetItem()
                    item.setData(_KIND, kind)
                    self.list.addItem(item)
            for place, (kind, title, warning) in enumerate(entries):
                item = self.list.item(place)
                item.setText(title)
                item.setToolTip(f"{title}\n{warning}" if warning else title)
                item.setIcon(icon("warning", "loss") if warning else icon("check", "gain"))
                if kind == chosen:
                    self.list.setCurrentItem(item)
        if self.header is not None:
            self.header.set_note(str(len(kinds)) if kinds else "")
        self._show_buttons()

    def show_stale(self, count: int) -> None:
        """Offer to make every old entry again, where there is one."""
        self.renew.setVisible(count > 0)
        self.renew.setText(f"Update {counted(count, 'old entry', 'old entries')}")

    def kinds(self) -> list[str]:
        """The kinds in the order of the list."""
        return [self.list.item(row).data(_KIND) for row in range(self.list.count())]

    def current(self) -> str:
        """The kind that is chosen; empty where none is."""
        item = self.list.currentItem()
        return str(item.data(_KIND)) if item is not None else ""

    def _show_buttons(self) -> None:
        row, count = self.list.currentRow(), self.list.count()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.take_off.setEnabled(row >= 0)

    # ------------------------------------------------------------ wishes

    def _on_current(self, _item: object, _before: object) -> None:
        self._show_buttons()
        self.chosen.emit(self.current())

    def _on_dragged(self, *_where: object) -> None:
        kind = self.current()
        if kind:
            self.moved.emit(kind, self.kinds().index(kind))

    def _move(self, step: int) -> None:
        kind, row = self.current(), self.list.currentRow() + step
        if kind and 0 <= row < self.list.count():
            self.moved.emit(kind, row)

    def _remove(self) -> None:
        if self.current():
            self.removed.emit(self.current())


class WordsCard(Card):
    """Caption and note of the chosen entry, and what to do where it is stale."""

    written = Signal(str, str)  # caption, note
    finished = Signal()
    renew_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Your words", parent=parent)
        self.caption = TextField()
        self.caption.setAccessibleName("Caption")
        self.note = NotesField()
        self.note.setAccessibleName("Note")
        self.note.setPlaceholderText("What should the reader see here?")
        self.note.setFixedHeight(NOTE_HEIGHT)
        self.note.setTabChangesFocus(True)
        self.state = TextLabel("", "note", wraps=True)
        self.renew = QPushButton()
        self.renew.setProperty("small", "true")
        self.renew.clicked.connect(self.renew_wanted)
        self.body.addWidget(TextLabel("Caption", "note"))
        self.body.addWidget(self.caption)
        self.body.addWidget(TextLabel("Note below it", "note"))
        self.body.addWidget(self.note)
        self.body.addWidget(self.state)
        self.body.addWidget(self.renew, 0, Qt.AlignmentFlag.AlignLeft)
        self.caption.textEdited.connect(lambda _text: self._on_written())
        self.caption.editingFinished.connect(self.finished)
        self.note.textChanged.connect(self._on_written)
        self.setFixedWidth(current_theme().sizes.inspector + 20)

    def show_entry(self, title: str, caption: str, note: str, state: str, renew: str) -> None:
        """Show an entry; an empty ``title`` greys the fields, ``renew`` is the button's text."""
        is_there = bool(title)
        self.caption.setEnabled(is_there)
        self.note.setEnabled(is_there)
        self.caption.setPlaceholderText(title)
        with QSignalBlocker(self.caption), QSignalBlocker(self.note):
            if self.caption.text() != caption:
                self.caption.setText(caption)
            if self.note.toPlainText() != note:
                self.note.setPlainText(note)
        self.state.setText(state)
        self.state.setVisible(bool(state))
        self.renew.setVisible(bool(renew))
        self.renew.setText(renew)

    def _on_written(self) -> None:
        self.written.emit(self.caption.text().strip(), self.note.toPlainText())
