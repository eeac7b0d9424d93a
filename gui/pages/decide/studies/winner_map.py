"""Tab Winner map: the best model or constant rule at every setting of two numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.model import Document
from core.document.studies.winner_map import MapAxis, WinnerMapResult
from core.questions.decide import WinnerMap
from gui.pages.decide.studies.axis_choice import AxisChoice
from gui.pages.decide.studies.study import Study
from gui.workspace import Workspace

SIDE = 250


class WinnerMapStudy(Study):
    """The map at the left; at the right who wins how much of it, the reading, the small print."""

    asks = WinnerMap

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.across = AxisChoice("Across")
        self.up = AxisChoice("Up")
        self._axes: tuple[MapAxis | None, MapAxis | None] = (None, None)
        self.result: WinnerMapResult | None = None
        self._build()
        self.across.changed.connect(lambda: self._on_axis(0))
        self.up.changed.connect(lambda: self._on_axis(1))

    def _build(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(self.across)
        line.addWidget(self.up)
        line.addStretch(1)
        self.body.addLayout(line)
        self.add_panel("right", SIDE)

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
        self.across.show_axis(answer.x, answer.numbers)
        self.up.show_axis(answer.y, answer.numbers)
        super().show_answer(document, answer)


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
