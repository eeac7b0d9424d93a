"""What a case of an experiment counts by, in which order, and sums of it by arm.

A case counts by its weight w; where chances of treatment are known, by w s and w s^2 too, with s
the inverse chance of its arm. Where outcomes are amounts y, each of these also times y; and w y^2,
with chances w s^2 y^2. An event needs none: codes say who has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from payoff.types import FloatArray

CODES = 4  # twice the arm (treated 1) and the event
_PLAIN, _WITH_CHANCES = ((0, 0),), ((0, 0), (1, 0), (2, 0))
_AMOUNTS, _AMOUNTS_WITH_CHANCES = ((0, 1), (0, 2)), ((0, 1), (0, 2), (1, 1), (2, 1), (2, 2))


@dataclass(frozen=True, slots=True)
class UpliftMeasures:
    """The measures of a run.

    Attributes
    ----------
    has_chances : bool
        Whether chances of treatment are known case by case.
    has_amounts : bool
        Whether outcomes are other numbers than 0 and 1.
    """

    has_chances: bool = False
    has_amounts: bool = False

    @property
    def powers(self) -> tuple[tuple[int, int], ...]:
        """The powers of s and of y of every measure."""
        sizes = _WITH_CHANCES if self.has_chances else _PLAIN
        amounts = _AMOUNTS_WITH_CHANCES if self.has_chances else _AMOUNTS
        return (*sizes, *amounts) if self.has_amounts else sizes

    def place(self, of_chance: int, of_amount: int) -> int:
        """Which measure has these powers of s and y: of events the size that codes part."""
        return self.powers.index((of_chance, of_amount if self.has_amounts else 0))

    def terms(self, weight: FloatArray, inverse: FloatArray, amount: FloatArray) -> FloatArray:
        """What each case adds to the measures, (measures, n)."""
        once = (weight, weight * inverse, weight * inverse * inverse) if len(inverse) else (weight,)
        return np.stack([once[s] if not y else once[s] * amount**y for s, y in self.powers])

    def arms(
        self, by_code: FloatArray, of_chance: int = 0, of_amount: int = 0
    ) -> tuple[FloatArray, FloatArray]:
        """Sums of a measure over treated and control cases, of (measures, codes, ...)."""
        control, control_event, treated, treated_event = by_code[self.place(of_chance, of_amount)]
        if of_amount and not self.has_amounts:
            return treated_event, control_event
        return treated + treated_event, control + control_event


__all__ = ["CODES", "UpliftMeasures"]
