"""The two cards beside the curve: what the model uses, and whether two inputs act together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.document.training_results import ExplainResult, Influence, Interaction
from core.presentation.charts.chart import Chart
from core.presentation.models.explain import shuffling_decimals, shuffling_notes, shuffling_words
from gui.charts.shown_chart import ShownChart
from gui.pages.explain.words import GAIN, SHUFFLING, measure_help
from gui.widgets import Card, RankedBar, RankedBars, Segments, TextLabel, ranked
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.scrolled import scrolled

LEFT = 320
_WIDEST = 240  # of the list of second inputs
MOST_BARS = 60


def shuffled_bars(entries: tuple[Influence, ...]) -> tuple[RankedBar, ...]:
    """The rise of the loss per input, largest first, with half the range of the shuffles."""
    ordered = sorted(entries, key=lambda entry: -entry.shuffled)
    top = max((abs(entry.shuffled) for entry in ordered), default=0.0) or 1.0
    decimals = shuffling_decimals(entries)
    return tuple(
        RankedBar(
            key=entry.column,
            name=entry.column,
            share=max(0.0, entry.shuffled) / top,
            words=shuffling_words(entry, decimals),
        )
        for entry in ordered[:MOST_BARS]
    )


class InfluenceCard(Card):
    """Inputs as bars, the strongest first, by one of two measures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What it uses", help_text=measure_help(GAIN), margin=0, parent=parent)
        self.setFixedWidth(LEFT)
        assert self.header is not None
        self.header.setContentsMargins(12, 12, 12, 4)
        self.measure = Segments(
            [(GAIN, "Gain"), (SHUFFLING, "Shuffling")], name="What importance means"
        )
        for button in self.measure.findChildren(QPushButton):
            button.setProperty("small", "true")
        self.measure.choose(GAIN)
        choice = QHBoxLayout()
        choice.setContentsMargins(12, 0, 12, 4)
        choice.addWidget(TextLabel("Importance by", "quiet"))
        choice.addStretch(1)
        choice.addWidget(self.measure)
        self.body.addLayout(choice)
        self.bars = RankedBars(can_choose=True)
        self.bars.setAccessibleName("Influence of the inputs")
        self.body.addWidget(_scrolled(self.bars), 1)
        self.note = TextLabel("", "note", wraps=True)
        self.note.setContentsMargins(12, 4, 12, 12)
        self.body.addWidget(self.note)

    def show_measure(self, measure: str) -> None:
        """Mark the measure, and explain it behind the "?"."""
        self.measure.choose(measure)
        assert self.header is not None
        assert self.header.help_button is not None
        self.header.help_button.set_content(measure_help(measure))

    def show_influence(
        self,
        model: str,
        known: ExplainResult | None,
        *,
        is_shuffled: bool,
        series: int,
        chosen: tuple[str, str],
        refusal: str = "",
    ) -> None:
        """The bars of a measure with both inputs marked, and what is to be said of them.

        ``known``: what is known by that measure; ``refusal``: why nothing is.
        """
        assert self.header is not None
        self.header.set_title(f"What {model} uses")
        entries = known.influence if known is not None else ()
        shares = [(entry.column, entry.influence / 100) for entry in entries]
        gained = ranked(shares, MOST_BARS)
        self.bars.show_bars(shuffled_bars(entries) if is_shuffled else gained, series)
        self.bars.choose(*chosen)
        notes = known.notes if known is not None else ()
        if is_shuffled and known is not None:
            notes = shuffling_notes(known)
        self.note.setText(" ".join(notes) if known is not None else refusal or "Being worked out.")
        self.note.setVisible(bool(self.note.text()))


class PairCard(ShownChart):
    """The map of two inputs, and the list from which the second one is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.add_header_button(TextLabel("with", "quiet"))
        self.second = ChoiceBox()
        self.second.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.second.setMaximumWidth(_WIDEST)
        self.second.setAccessibleName("Second input")
        self.add_header_button(self.second)

    def show_partners(
        self, names: Sequence[str], known: Mapping[str, Interaction], second: str, output: int
    ) -> None:
        """The other inputs, each with how much it acts together with the one looked at."""
        entries = []
        for name in names:
            found = known.get(name)
            strength = float(found.strength[output]) if found is not None else math.nan
            words = f"{name}   H {strength:.2f}" if math.isfinite(strength) else name
            entries.append((words, name))
        shown = [
            (self.second.itemText(place), self.second.itemData(place))
            for place in range(self.second.count())
        ]
        if shown != entries:
            self.second.clear()
            for words, name in entries:
                self.second.addItem(words, name)
        self.second.setCurrentIndex(self.second.findData(second))

    def show_pair(self, chart: Chart | None, *, has_second: bool, refusal: str = "") -> None:
        """The map, or why there is none: ``refusal`` where it was asked for in vain."""
        self.show_chart(chart)
        only_one = "The model uses one input; there is nothing it could act together with."
        waiting = refusal or "Being worked out."
        words = waiting if has_second or refusal else only_one
        self.set_empty("Do two inputs act together?", words)


def _scrolled(bars: RankedBars) -> QScrollArea:
    holder = QWidget()
    holder.setProperty("scrolled", "true")
    column = QVBoxLayout(holder)
    column.setContentsMargins(4, 0, 4, 4)
    column.addWidget(bars)
    column.addStretch(1)
    return scrolled(holder, is_sideways=True)
