"""The line of the priors card that says how certain the event's share is: a range, or none."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.document.decisions.numbers import SetPriorRange
from core.document.model import Document
from gui.widgets import NumberField, TextLabel

WIDTH = 54
ONE_FIFTH = 0.2  # of the prior: the range that is offered first, 4 to 6 % for 5 %


class PriorRangeLine(QWidget):
    """The two ends of a range and the way back; without a range only ``offer`` is shown.

    ``offer`` is the link that asks for a range; it stands in the head of the card.
    """

    command_requested = Signal(object)
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self.offer = self._link("Give a range")
        self.offer.setToolTip(
            "Not sure? Intervals of money then hold for every share within a range"
        )
        self.words = TextLabel("Anything from", "note")
        self.low, self.high = self._field(), self._field()
        self.middle = TextLabel("to", "note")
        self.clear = self._link("It is certain")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(6)
        for widget in (self.words, self.low, self.middle, self.high):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.clear)
        self.offer.clicked.connect(self.offer_range)
        self.clear.clicked.connect(lambda: self._send(None, None))

    @staticmethod
    def _link(text: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "link")
        return button

    def _field(self) -> NumberField:
        field = NumberField(
            0.0, decimals=1, minimum=0.0, maximum=1.0, unit="%", factor=100.0, step=0.5
        )
        field.setFixedWidth(WIDTH)
        field.value_committed.connect(lambda _value: self._on_committed())
        return field

    def show_document(self, document: Document) -> None:
        """Show the range of a document, or offer one where priors are set."""
        self._document = document
        ends = document.prior_range
        event = document.target.label(document.target.event) if document.target else ""
        self.low.setAccessibleName(f"Lowest share of “{event}”")
        self.high.setAccessibleName(f"Highest share of “{event}”")
        self.setToolTip(f"Between which shares “{event}” lies in real life")
        self.setVisible(ends is not None)
        self.offer.setVisible(document.priors is not None and ends is None)
        if ends is not None:
            self.low.set_value(ends[0])
            self.high.set_value(ends[1])

    def offer_range(self) -> None:
        """A fifth less to a fifth more than the prior, to be edited."""
        priors = self._document.priors
        if priors is None:
            return
        share = self._document.event_share(priors)
        reach = ONE_FIFTH * min(share, 1.0 - share)
        self._send(share - reach, share + reach)

    def _on_committed(self) -> None:
        ends = (self.low.value(), self.high.value())
        if self._document.prior_range is not None and ends != self._document.prior_range:
            self._send(*ends)

    def _send(self, low: float | None, high: float | None) -> None:
        self.command_requested.emit(SetPriorRange(low=low, high=high))
        self.editing_finished.emit()
