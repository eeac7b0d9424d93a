"""The box in which one of the project's models is chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.figures.series import series_icon


class ModelBox(ChoiceBox):
    """The models of the outcome, each with its line; the data of an entry is the model's name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Model")

    def offer(self, document: Document, chosen: str = "") -> None:
        """Offer the document's models anew; without a choice the reference model is chosen."""
        self.clear()
        for entry in document.outcome_models:
            self.addItem(series_icon(entry.series), entry.name, entry.name)
        self.setCurrentIndex(max(0, self.findData(chosen or document.outcome_reference)))
