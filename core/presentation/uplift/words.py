"""The words of an experiment: its units, amounts for each case, money."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.studies.uplift import (
    UpliftResult,
)
from core.document.wording import (
    NumberText,
    format_money,
    format_number,
)
from core.presentation.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftWords:
    """What charts and tables call things."""

    outcome: str  # "visit"
    units: str  # "visits", or "spend" for amounts
    case: str
    cases: str
    currency: str
    is_binary: bool
    series: tuple[tuple[str, int], ...] = ()  # of each ranking: its colour and dash

    @classmethod
    def of(cls, answer: UpliftResult, labels: Labels) -> UpliftWords:
        """Return the words of an experiment in those of its project."""
        name = answer.outcome.replace("_", " ")
        return cls(
            outcome=name,
            units=_plural(name) if answer.is_binary else name,
            case=labels.case,
            cases=labels.cases,
            currency=labels.currency,
            is_binary=answer.is_binary,
            series=tuple((entry.model, labels.series_of(entry.model)) for entry in answer.models),
        )

    def series_of(self, model: str) -> int:
        """The series of a ranking."""
        return dict(self.series).get(model, 0)

    def money(self, value: float) -> str:
        """An amount of money."""
        return format_money(value, self.currency)

    @property
    def worth(self) -> str:
        """What stands above the price of one: "A visit is worth"."""
        name = self.outcome if len(self.outcome) <= 12 else f"{self.outcome[:11]}…"
        if not self.is_binary:
            return f"1 of {name} is worth"
        if self.units == self.outcome:  # "bought": no word for one of them
            return f"“{name}” is worth"
        return f"{'An' if name[:1].lower() in 'aeio' else 'A'} {name} is worth"


_AS_IT_IS = ("s", "ed", "ght", "paid", "sold", "won", "lost", "sent", "left", "died")
"""Ends of plurals, and of words for what a case did: bought, responded, sold."""


def _plural(name: str) -> str:
    """Several of an outcome: visits, replies; a word that says what a case did stays."""
    if name.lower().endswith(_AS_IT_IS):
        return name
    if name[-1:] == "y" and name[-2:-1] not in tuple("aeiou "):
        return f"{name[:-1]}ies" if len(name) > 1 else name
    return f"{name}s"


def unit_words(value: float) -> NumberText:
    """Units of the outcome, with as many decimals as they need."""
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    return format_number(value, 0 if size >= 100 else 1 if size >= 10 else 2)


def points(value: float, decimals: int = 2) -> NumberText:
    """A share as points of a hundred."""
    return format_number(100.0 * value, decimals)


def per_case(value: float, *, is_binary: bool) -> NumberText:
    """An amount for each case: points of a hundred for 0/1, the amount for numbers."""
    return points(value) if is_binary else format_number(value, 3)
