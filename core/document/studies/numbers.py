"""A number that can be tried at other values, as tabs offer it."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.decisions.matrix_model import NumberRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedNumber:
    """A number with its words, its present value, and the range that is offered for it."""

    number: NumberRef
    name: str
    unit: str  # "money" or "share"
    now: float
    low: float
    high: float
