"""The foot of the metric table: the paired comparison, and how to read the table."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from core.document.markup import Html, plain_text
from gui.widgets import RichLabel, TextLabel

_GAP = 16
PAIRED = (
    "The first model less the second on the same cases, with a 95 % interval of the difference; "
    'p is the chance of a difference this far from 0 if the two were equally good; "ahead" is '
    "the share of resamples of the cases in which the first is better. It is for these finished "
    "models on new cases like these: training again, drift and choosing among models are not in it."
)


class TableFooter(QWidget):
    """A sentence on the left, of two lines if need be; the legend on the right gives way to it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = RichLabel("", "plainNote", wraps=True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.sentence.setSizePolicy(policy)
        self.legend = TextLabel("", "note")
        self._legends: tuple[str, ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.legend)

    def set_texts(self, sentence: Html, legends: tuple[str, ...], note: str = "") -> None:
        """Show a sentence, its note on hovering, and the longest of the legends that fits."""
        self.sentence.setText(sentence)
        described = plain_text(sentence)
        parts = (described, note, PAIRED) if described else ()
        self.sentence.setToolTip("\n\n".join(part for part in parts if part))
        self._legends = legends
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self.sentence.natural_width() - _GAP
        metrics = self.legend.fontMetrics()
        fitting = (text for text in self._legends if metrics.horizontalAdvance(text) <= room)
        self.legend.setText(next(fitting, ""))
        self.legend.setToolTip(self._legends[0] if self._legends else "")
