"""A field that shows those lines of a list that hold what is typed: for lists of 200 columns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView, QListWidget, QWidget

from gui.widgets.fields.text_field import TextField

FEWEST_LINES = 12  # a shorter list is seen at a glance


class ListSearch(TextField):
    """Hides the lines of a list that lack one of the typed words; short lists need no search."""

    def __init__(self, view: QListView, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._view = view
        self.setPlaceholderText("Search columns")
        self.setAccessibleName(f"Search {view.accessibleName()}")
        self.setClearButtonEnabled(True)
        self.setProperty("small", True)
        self.textChanged.connect(self.apply)
        model = view.model()
        model.modelReset.connect(self.apply)
        model.rowsInserted.connect(self.apply)
        self.apply()

    def apply(self, *_sent: object) -> None:
        """Show the lines that hold every typed word, all of a short list."""
        model = self._view.model()
        rows = model.rowCount()
        self.setHidden(rows < FEWEST_LINES)
        words = self.text().casefold().split() if rows >= FEWEST_LINES else []
        for row in range(rows):
            place = model.index(row, 0)
            text = f"{place.data()} {place.data(Qt.ItemDataRole.ToolTipRole) or ''}".casefold()
            self._view.setRowHidden(row, not all(word in text for word in words))

    def shown(self) -> list[int]:
        """The lines in sight of the search."""
        rows = range(self._view.model().rowCount())
        return [row for row in rows if not self._view.isRowHidden(row)]


def tick_all(ticks: QListWidget, search: ListSearch) -> None:
    """Tick every line that the search shows and that can be; where all are, take the ticks away."""
    items = [ticks.item(row) for row in search.shown()]
    items = [item for item in items if item.flags() & Qt.ItemFlag.ItemIsEnabled]
    checked, unchecked = Qt.CheckState.Checked, Qt.CheckState.Unchecked
    state = unchecked if all(item.checkState() is checked for item in items) else checked
    for item in items:
        item.setCheckState(state)
