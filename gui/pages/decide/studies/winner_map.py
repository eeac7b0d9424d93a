"""Tab Winner map: the best model or constant rule at every setting of two numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.document.studies.moving_numbers import MapAxis, WinnerMapResult
from core.questions.decide import WinnerMap
from core.questions.decide_fields import Axes, axis_fields, has_number, with_axis
from gui.pages.decide.studies.study import Study
from gui.session.session import Session
from gui.widgets.fields.form import Form, FormLook

SIDE = 250
NUMBER, CHOICE = 76, 160  # pixels of an end of an axis, and of the number that it is of


class WinnerMapStudy(Study):
    """The map at the left; at the right who wins how much of it, the reading, the small print."""

    asks = WinnerMap

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._axes: Axes | None = None  # as they were said; None: the engine chooses
        self.form = Form(FormLook.LINE, width=NUMBER, choice_width=CHOICE, is_small=True)
        self.form.changed.connect(self._on_said)
        self.body.addWidget(self.form)
        self.add_panel("right", SIDE)

    # ------------------------------------------------------------ asking

    def title(self) -> str:
        return "Winner map"

    def forget(self) -> None:
        self._axes = None

    def wish(self, document: Document) -> WinnerMap | None:
        across, up = self._axes or (None, None)
        return WinnerMap(x=_left(across, document), y=_left(up, document))

    def _on_said(self, name: str, value: object) -> None:
        answer = self.answer
        if value is None or answer is None:
            return
        self._axes = with_axis(self._axes or _axes_of(answer), answer.numbers, name, value)
        self.form.show_fields(axis_fields(self._axes, answer.numbers))
        self.refresh()

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: WinnerMapResult) -> None:
        self.form.show_fields(axis_fields(_axes_of(answer), answer.numbers))
        super().show_answer(document, answer)


def _axes_of(answer: WinnerMapResult) -> Axes:
    across, up = (
        MapAxis(number=axis.number, low=axis.low, high=axis.high) for axis in (answer.x, answer.y)
    )
    return across, up


def _left(axis: MapAxis | None, document: Document) -> MapAxis | None:
    """An axis whose number the document still has."""
    return axis if axis is not None and has_number(document, axis.number) else None
