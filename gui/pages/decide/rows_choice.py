"""Choice of the rows that page Decide is worked out on, with how many there are."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from core.document.data.model import RowUse
from core.document.model import Document
from core.document.results import DecisionResult
from core.document.wording import format_count
from payoff.counting import counted


class RowsChoice(QComboBox):
    """Lists the kinds of rows that have an outcome; the tool tip says what was left out."""

    chosen = Signal(object)  # RowUse

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(lambda index: self.chosen.emit(RowUse(self.itemData(index))))

    def show_rows(self, document: Document, result: DecisionResult | None) -> None:
        """List the rows of a document; the count comes with its result."""
        names = {
            RowUse.TRAIN: "Training",
            RowUse.VALIDATION: "Validation",
            RowUse.TEST: "Test",
            RowUse.ALL: "All rows",
        }
        self.blockSignals(True)
        self.clear()
        for use in row_uses(document):
            text = names.get(use, use.value)
            if use is document.rows_used and result is not None:
                text = f"{text}, {counted(result.rows.rows, *document.row_word)}"
            self.addItem(text, use)
        self.setCurrentIndex(self.findData(document.rows_used))
        self.setToolTip(_words(result))
        self.blockSignals(False)


def _words(result: DecisionResult | None) -> str:
    if result is None:
        return ""
    dropped = [f"{format_count(count)} {reason}" for reason, count in result.rows.dropped]
    return "; ".join([result.rows.text, *dropped])


def row_uses(document: Document) -> tuple[RowUse, ...]:
    """Kinds of rows with an outcome that a document has, the one in use among them."""
    split = document.split
    if split.column is not None:
        found = {use for _value, use in split.meaning}
    else:
        kinds = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
        found = {use for use, share in zip(kinds, split.shares, strict=True) if share > 0}
    found |= {document.rows_used, RowUse.ALL}
    order = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.ALL)
    return tuple(use for use in order if use in found)
