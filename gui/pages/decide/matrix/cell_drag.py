"""A number of the matrix that is dragged up or down by the grip in its box."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF

from gui.pages.decide.matrix.parameter import step_for

GRIP = 16  # pixels at the left end of a box that drag its number
PIXELS = 3  # of a drag that make one step


@dataclass(frozen=True, slots=True)
class CellDrag:
    """A drag under way: which cell, where it began, and what the cell held then."""

    cell: QPersistentModelIndex
    start: QPointF
    value: float

    def value_at(self, place: QPointF) -> float:
        """Return the number at a place of the pointer: up is more."""
        steps = math.trunc((self.start.y() - place.y()) / PIXELS)
        return stepped(self.value, steps)


def stepped(value: float, steps: int) -> float:
    """Return a number some of its steps further, on the grid of that step."""
    if not steps:
        return value
    step = step_for(value)
    return round(round(value / step) * step + steps * step, 12)


def grip_of(area: QRectF) -> QRectF:
    """Return where the grip of a cell's rectangle is."""
    return QRectF(area.left() + 9, area.top(), GRIP, area.height())


def is_on_grip(area: QRectF, place: QPointF, index: QModelIndex) -> bool:
    """Whether a pointer is on the grip of a cell that holds a number."""
    return index.isValid() and index.column() > 0 and grip_of(area).contains(place)
