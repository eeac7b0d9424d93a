"""Tab Winner map: the best model or constant rule at every setting of two numbers."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.model import Document
from core.document.studies.numbers import TriedNumber
from core.document.studies.winner_map import (
    MapAxis,
    WinnerMapResult,
)
from core.document.wording import format_count, format_share
from core.questions.decide import WinnerMap
from gui.pages.decide.figure_table import Figure, FigureRows, FigureTable
from gui.pages.decide.studies.asking import amount_words
from gui.pages.decide.studies.axis_choice import AxisChoice
from gui.pages.decide.studies.study import Study
from gui.pages.decide.words import DecisionWords, words_of
from gui.parts import HelpButton, HelpText, TextLabel
from gui.plots.region_map import CONSTANT, MapAxisSpec, RegionMap, RegionMapSpec
from gui.plots.words import capitalised
from gui.workspace import Workspace
from payoff.counting import counted, counted_of

SIDE = 250


class WinnerMapStudy(Study):
    """The map at the left; at the right who wins how much of it, the reading, the small print."""

    asks = WinnerMap

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.across = AxisChoice("Across")
        self.up = AxisChoice("Up")
        self._axes: tuple[MapAxis | None, MapAxis | None] = (None, None)
        self.map = RegionMap("Winner map")
        self.legend = FigureTable("Who wins how much of the map")
        self.reading = TextLabel("", "body", wraps=True)
        self.note = TextLabel("", "note", wraps=True)
        self.result: WinnerMapResult | None = None
        self._words = words_of(workspace.document)
        self._names: tuple[str, ...] = ()
        self._build()
        self.across.changed.connect(lambda: self._on_axis(0))
        self.up.changed.connect(lambda: self._on_axis(1))
        self.map.pointed.connect(self._read)

    def _build(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(self.across)
        line.addWidget(self.up)
        line.addStretch(1)
        line.addWidget(self._help())
        side = QWidget()
        side.setFixedWidth(SIDE)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.legend)
        column.addWidget(self.reading)
        column.addStretch(1)
        column.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.map, 1)
        row.addWidget(side)
        self.body.addLayout(line)
        self.body.addLayout(row, 1)

    def _help(self) -> HelpButton:
        return HelpButton(
            HelpText(
                title="Winner map",
                text=(
                    "Two numbers take every value of their ranges, all others stay as they are. At "
                    "each point decisions are made again, and the colour names what is best: a "
                    "model, or one decision for all cases, which needs no model. The colour is "
                    "the stronger the clearer it wins. The filled point is where you are now."
                ),
                formula="max over m of Σᵢ Fᵢ w Q(Tᵢ, Dₘ(i; x, y); x, y)",
                reference="Generalises cost curves (Drummond and Holte, 2006)",
            )
        )

    # ------------------------------------------------------------ asking

    def title(self) -> str:
        return "Winner map"

    def forget(self) -> None:
        self._axes = (None, None)

    def wish(self, document: Document) -> WinnerMap | None:
        x, y = (
            axis if axis is not None and _is_there(axis.number, document) else None
            for axis in self._axes
        )
        return WinnerMap(x=x, y=y)

    def _on_axis(self, place: int) -> None:
        chosen = [self.across.axis(), self.up.axis()]
        first, second = chosen
        is_same = first is not None and second is not None and first.number == second.number
        if self.result is not None and is_same:  # the other axis takes what this one had
            old = self.result.x if place == 0 else self.result.y
            chosen[1 - place] = MapAxis(number=old.number, low=old.low, high=old.high)
        self._axes = (chosen[0], chosen[1])
        self.refresh()

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: WinnerMapResult) -> None:
        self.result = answer
        self._words = words_of(document)
        self._names = tuple(
            name if place < answer.models else _constant_words(name, self._words)
            for place, name in enumerate(answer.names)
        )
        self.across.show_axis(answer.x, answer.numbers)
        self.up.show_axis(answer.y, answer.numbers)
        series = {model.name: model.series for model in document.models}
        marks = tuple(
            series.get(name, 0) if place < answer.models else CONSTANT
            for place, name in enumerate(answer.names)
        )
        self.map.show_map(
            RegionMapSpec(
                x=self._axis_spec(answer.x),
                y=self._axis_spec(answer.y),
                region=answer.winner,
                margin=answer.margin,
                names=self._names,
                series=marks,
            )
        )
        self._show_legend(answer, marks)
        self.reading.setText(self._now_words(answer))
        self.note.setText(self._note(answer))

    def _axis_spec(self, axis: TriedNumber) -> MapAxisSpec:
        unit = self._words.currency if axis.unit == "money" else ""
        label = capitalised(axis.name)
        return MapAxisSpec(
            label=f"{label}, {unit}" if unit else label,
            low=axis.low,
            high=axis.high,
            now=axis.now,
            is_share=axis.unit == "share",
        )

    def _show_legend(self, result: WinnerMapResult, marks: tuple[int, ...]) -> None:
        counts = np.bincount(result.winner.ravel(), minlength=len(result.names))
        rows = []
        for place, name in enumerate(self._names):
            mark = marks[place]
            rows.append(
                (
                    Figure(
                        text=name,
                        is_left=True,
                        series=mark if mark != CONSTANT else None,
                        role="text" if counts[place] else "quiet",
                        is_bold=place == result.now_winner,
                    ),
                    Figure(
                        text=format_share(counts[place] / result.winner.size),
                        role="text" if counts[place] else "quiet",
                    ),
                )
            )
        header = ("Wins here", "Share of map")
        self.legend.show_content(FigureRows(header=header, rows=tuple(rows)))
        self.legend.setFixedHeight(min(self.legend.content_height(), 7 * 26))

    # ------------------------------------------------------------ words

    def _now_words(self, result: WinnerMapResult) -> str:
        name = self._names[result.now_winner]
        return f"Now: {name}, {self._words.money(result.now_profit)}"

    def _read(self, column: int, row: int) -> None:
        result = self.result
        if result is None:
            return
        self.reading.setText(self.words_at(column, row))
        self.map.setAccessibleDescription(self.reading.text())

    def words_at(self, column: int, row: int) -> str:
        """Winner, its profit and its margin to the second at a point of the map."""
        result = self.result
        if result is None:
            return ""
        currency = self._words.currency
        x = amount_words(float(result.x_values[column]), result.x.unit, currency)
        y = amount_words(float(result.y_values[row]), result.y.unit, currency)
        winner = self._names[int(result.winner[row, column])]
        second = self._names[int(result.second[row, column])]
        profit = self._words.money(float(result.profit[row, column]))
        margin = amount_words(float(result.margin[row, column]), "money", currency)
        place = f"{capitalised(result.x.name)} {x}, {result.y.name} {y}:"
        return f"{place}\n{winner}, {profit}\n" + (f"{margin} ahead of {second}")

    def _note(self, result: WinnerMapResult) -> str:
        rows = counted(result.rows.rows, "row")
        parts = [f"Exact for all {rows}."] if result.is_exact else [self._part_words(result, rows)]
        return " ".join((*parts, *result.warnings[:1]))

    def _part_words(self, result: WinnerMapResult, rows: str) -> str:
        parts = []
        if result.cases < result.rows.rows:
            error = amount_words(result.error, "money", self._words.currency)
            parts.append(
                f"From {format_count(result.cases)} of {rows}, drawn evenly: a margin "
                f"is right within {error} (95 %)."
            )
        else:
            parts.append(f"From all {rows}.")
        if result.checked:
            parts.append(
                "Between points worked out: "
                f"{counted_of(result.missed, result.checked, 'check')} had another "
                "winner."
            )
        return " ".join(parts)


def _constant_words(name: str, words: DecisionWords) -> str:
    """A constant rule in words: mailing all, doing nothing."""
    if name == words.acting:
        return words.acting_on_all
    return words.all_get(name)


def _is_there(number: NumberRef, document: Document) -> bool:
    """Whether a document still has a number."""
    matrix = document.matrix
    if matrix is None:
        return False
    if number.kind is NumberKind.PARAMETER:
        return number.name in dict(matrix.parameters)
    if number.kind is NumberKind.PRIOR:
        return document.priors is not None
    if number.kind is NumberKind.COST:
        return bool(matrix.costs) and number.decision in matrix.decisions
    return number.level in matrix.levels and number.decision in matrix.decisions
