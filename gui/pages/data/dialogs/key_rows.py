"""The key of a join: one pair of columns, or several that have to agree all together."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets import TextLabel
from gui.widgets.fields.choice_box import ChoiceBox

MOST_PAIRS = 4


class KeyPair(QWidget):
    """A column of the data and the column of the file that says the same."""

    changed = Signal()
    removal_wanted = Signal()

    def __init__(
        self, own: list[str], other: list[str], *, is_first: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        caption = "Rows belong together where" if is_first else "and where"
        self.caption = TextLabel(caption, "quiet")
        row.addWidget(self.caption)
        self.own, self.other = ChoiceBox(), ChoiceBox()
        self.own.setAccessibleName("Key column of the data")
        self.other.setAccessibleName("Key column of the file")
        self.own.addItems(own)
        self.other.addItems(other)
        row.addWidget(self.own, 1)
        row.addWidget(TextLabel("is", "quiet"))
        row.addWidget(self.other, 1)
        for combo in (self.own, self.other):
            combo.setMinimumContentsLength(12)
            combo.activated.connect(lambda _place: self.changed.emit())
        self.remove = QPushButton("Remove")
        self.remove.setProperty("kind", "link")
        self.remove.setAccessibleName("Remove this key column")
        self.remove.clicked.connect(self.removal_wanted)
        space = self.remove.sizePolicy()  # kept free beside the first pair: boxes of one width
        space.setRetainSizeWhenHidden(True)
        self.remove.setSizePolicy(space)
        self.remove.setVisible(not is_first)
        row.addWidget(self.remove)

    def pair(self) -> tuple[str, str]:
        """Column of the data, column of the file."""
        return self.own.currentText(), self.other.currentText()


class KeyRows(QWidget):
    """The pairs of a key, the first of which is always there."""

    changed = Signal()

    def __init__(self, own: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = own
        self._other: list[str] = []
        self.pairs: list[KeyPair] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(6)
        self.more = QPushButton("Add another key column")
        self.more.setProperty("kind", "link")
        self.more.clicked.connect(self._add_next)
        self._rows.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._add_pair()

    def chosen(self) -> tuple[tuple[str, str], ...]:
        """The pairs as they are chosen; one that is chosen twice counts once."""
        return tuple(dict.fromkeys(entry.pair() for entry in self.pairs))

    def propose(self, other: list[str], found: tuple[tuple[str, str], ...]) -> None:
        """Start anew with the columns of a file and the likeliest key."""
        while len(self.pairs) > 1:
            self._take_away(self.pairs[-1])
        self._other = other
        first = self.pairs[0]
        first.other.clear()
        first.other.addItems(other)
        if found:
            first.own.setCurrentText(found[0][0])
            first.other.setCurrentText(found[0][1])
        self._show_more()

    def _add_next(self) -> None:
        """Another pair: the first columns that are no key yet, of one name where there are such."""
        chosen = self.chosen()
        own = [name for name in self._own if name not in {pair[0] for pair in chosen}]
        other = [name for name in self._other if name not in {pair[1] for pair in chosen}]
        twin = next((name for name in own if name in other), "")
        self._add_pair()
        self.pairs[-1].own.setCurrentText(twin or own[0])
        self.pairs[-1].other.setCurrentText(twin or other[0])
        self.pairs[-1].own.setFocus()
        self.changed.emit()

    def _add_pair(self) -> None:
        entry = KeyPair(self._own, self._other, is_first=not self.pairs)
        entry.changed.connect(self.changed)
        entry.removal_wanted.connect(lambda: self._remove(entry))
        self.pairs.append(entry)
        self._rows.insertWidget(self._rows.count() - 1, entry)
        if len(self.pairs) > 1:  # captions of one width, so that the boxes stand in a column
            width = self.pairs[0].caption.sizeHint().width()
            entry.caption.setMinimumWidth(width)
        self._show_more()

    def _remove(self, entry: KeyPair) -> None:
        self._take_away(entry)
        self.changed.emit()

    def _take_away(self, entry: KeyPair) -> None:
        self.pairs.remove(entry)
        self._rows.removeWidget(entry)
        entry.hide()
        entry.deleteLater()
        self._show_more()

    def _show_more(self) -> None:
        most = min(MOST_PAIRS, len(self._own), len(self._other))
        self.more.setVisible(0 < len(self.pairs) < most)
