"""Four tiles: both act, only the first, only the second, neither."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from core.document.studies.swap import BOTH, FIRST, NEITHER, SECOND, SwapGroup, SwapSet
from core.document.wording import format_count, format_share, share_that
from core.presentation.labels import Labels
from gui.parts import ElidedLabel, TextLabel
from payoff.counting import counted

PLACES = {BOTH: (1, 1), FIRST: (1, 2), SECOND: (2, 1), NEITHER: (2, 2)}


class SwapTile(QFrame):
    """Cases and their rate of events."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.setSpacing(1)
        self.name = ElidedLabel("", "note")
        self.cases = TextLabel("", "strong")
        self.rate = TextLabel("", "note")
        for label in (self.name, self.cases, self.rate):
            column.addWidget(label)

    def show_group(self, name: str, group: SwapGroup, words: Labels, event: str) -> None:
        """Show one group."""
        self.name.set_full_text(name)
        self.cases.setText(format_count(group.cases))
        is_empty = group.cases <= 0
        self.rate.setText(
            "" if is_empty else share_that(format_share(group.event_rate.value), event)
        )
        if is_empty:
            self.setToolTip("")  # nobody, and no share of nobody
            return
        low, high = format_share(group.event_rate.low), format_share(group.event_rate.high)
        share = f"{format_share(group.event_rate.value)} ({low} to {high}, 95\u00a0%)"
        self.setToolTip(
            f"{counted(group.cases, words.case, words.cases)}, {share_that(share, event)}"
        )


class SwapPicture(QWidget):
    """Columns: what the second does; rows: what the first does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        self.tiles = {name: SwapTile() for name in PLACES}
        self.top = (ElidedLabel("", "note"), ElidedLabel("", "note"))
        for column, label in enumerate(self.top, start=1):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, 1)
        for name, (row, column) in PLACES.items():
            grid.addWidget(self.tiles[name], row, column)

    def show_swap(self, swap: SwapSet, words: Labels, event: str) -> None:
        """Show the four groups."""
        acts = f"second: {words.done}"
        self.top[0].set_full_text(acts)
        self.top[1].set_full_text("second: not")
        names = {
            BOTH: "both",
            FIRST: "only the first",
            SECOND: "only the second",
            NEITHER: "neither",
        }
        for name, tile in self.tiles.items():
            tile.show_group(names[name], swap.group(name), words, event)
