"""The view One case of page Explain: plain words, steps, and what would change the decision."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.presentation.view import View
from gui.charts.view_widget import ViewWidget
from gui.widgets import Card

LEFT = 400


class CaseView(QWidget):
    """The words of a case and its waterfall."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card("In words")
        card.setAccessibleName("What the model says of this case")
        self.panel = ViewWidget("left", LEFT, card=card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.panel)
        self.show_case(None)

    @property
    def view(self) -> View | None:
        """What is shown of a case; None while none is known."""
        return self.panel.view

    def show_case(self, view: View | None, refusal: str = "") -> None:
        """Show what is known of a case; None while it is worked out, or was refused."""
        if view is None:
            self.panel.show_words(refusal or "Being worked out.")
        else:
            self.panel.show_view(view)
