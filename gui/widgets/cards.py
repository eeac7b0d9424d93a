"""Cards, section titles and rules: the frame of every page."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme import current_theme
from gui.widgets.help_button import HelpButton, HelpText
from gui.widgets.labels import TextLabel

SPACING, TIGHT_SPACING = 8, 4  # between the rows of a card; the second on low pages
LESS_MARGIN = 5  # what a card's upper and lower margins give up on low pages


class Rule(QFrame):
    """A one-pixel line, horizontal unless asked otherwise."""

    def __init__(self, *, vertical: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("rule", "vertical" if vertical else "horizontal")
        if vertical:
            self.setFixedWidth(1)
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


class SectionTitle(QWidget):
    """A 14 px title, a quiet note beside it, a "?" and room for controls at the right."""

    def __init__(
        self,
        title: str,
        note: str = "",
        *,
        help_text: HelpText | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)
        self.title = TextLabel(title, "section")
        self.note = TextLabel(note, "note")
        self.row.addWidget(self.title)
        self.row.addWidget(self.note)
        self.note.setVisible(bool(note))  # as a part of this: before, it would be a window
        self.help_button = HelpButton(help_text) if help_text is not None else None
        if self.help_button is not None:
            self.row.addWidget(self.help_button)
        self.row.addStretch(1)

    def set_title(self, title: str) -> None:
        """Show another title."""
        self.title.setText(title)

    def set_note(self, note: str) -> None:
        """Show another note; empty hides it."""
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def add_widget(self, widget: QWidget) -> None:
        """Put a control at the right end."""
        self.row.addWidget(widget)


class Card(QFrame):
    """A bordered card, inner margin 12, with an optional title row; fill ``body``."""

    def __init__(
        self,
        title: str = "",
        note: str = "",
        *,
        help_text: HelpText | None = None,
        margin: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        inner = current_theme().sizes.card_margin if margin is None else margin
        self._inner = inner
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(inner, inner, inner, inner)
        self.body.setSpacing(SPACING)
        self.header: SectionTitle | None = None
        if title:
            self.header = SectionTitle(title, note, help_text=help_text)
            self.body.addWidget(self.header)

    def set_compact(self, is_compact: bool) -> None:
        """Stand closer where a page is low."""
        upright = self._inner - LESS_MARGIN if is_compact else self._inner
        self.body.setContentsMargins(self._inner, upright, self._inner, upright)
        self.body.setSpacing(TIGHT_SPACING if is_compact else SPACING)

    def add_header_widget(self, widget: QWidget) -> None:
        """Put a control at the right end of the title row."""
        if self.header is None:
            self.header = SectionTitle("")
            self.body.insertWidget(0, self.header)
        self.header.add_widget(widget)


def clear_layout(layout: QLayout) -> None:
    """Take everything out of a layout and let Qt delete it."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            continue
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        inner = item.layout()
        if inner is not None:
            clear_layout(inner)
