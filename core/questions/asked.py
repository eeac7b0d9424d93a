"""What a question says of each of its fields, once: for forms, the verb's help and documents.

The window's start imports this; what a form needs beside it is in ``core.questions.fields``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from core.questions.needs import Need
from payoff.errors import PayoffError


class Unit(StrEnum):
    """What a number of a question counts."""

    NONE = ""
    CASES = "cases"
    MONEY = "money"
    SHARE = "share"
    POINTS = "points"  # a difference of two shares, in hundredths


ByContext: TypeAlias = Callable[[Any], Any]
"""Works out a fact of a field from where its form stands (``FormContext``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescription:
    """What is known of a question's field beside its type: for forms, help, verb and documents.

    Attributes
    ----------
    label : str
        May speak of the project: "{Cases} {done} at most".
    help : str
        One sentence, or part of one.
    unit : Unit, or a function of the context
    is_assumed : bool
        Whether it is asked for only where the project does not know it.
    is_subject : bool
        Whether the question is about it: named beside its title.
    at_least, at_most : float
        Of a number; outside, and where it is NaN, it is refused at every door in the same words.
    lowest, highest, step, decimals
        As in ``FormField``: what a form takes, which may be less than can be asked for; ``step``
        and ``decimals`` left out: as is usual for the unit.
    options : sequence of FieldOption, or a function of the context
    suggest : function of the context, optional
        A value to begin with; kept until another is given, or other data come.
    is_relative : bool
        Whether what is suggested is measured by the totals: with others it is suggested anew.
    empty : str, optional
        What is taken where nothing is given; a number's field may then be empty.
    box : bool, optional
        A box turns the field on; whether it is on at first.
    follows : tuple of str
        Fields above without which a value has no meaning: another value there takes it back.
    why_not, note : function of the context, optional
        Why it cannot be given now; what is to be said below it.
    offered : function of the context, optional
        Whether it is shown.
    is_in_sight : bool
        Whether its options stand side by side.
    meets : Need, optional
        What the project need not have where the field is given.
    number, made : bool, function
        A field that is filled in by one number, and what the question gets of it.
    """

    label: str
    help: str = ""
    unit: Unit | ByContext = Unit.NONE
    is_assumed: bool = False
    is_subject: bool = False
    at_least: float = -math.inf
    at_most: float = math.inf
    lowest: float = -math.inf
    highest: float = math.inf
    step: float | None = None
    decimals: int | None = None
    options: Sequence[Any] | ByContext = ()
    suggest: ByContext | None = None
    is_relative: bool = False
    empty: str | None = None
    box: bool | None = None
    follows: tuple[str, ...] = ()
    why_not: ByContext | None = None
    note: ByContext | None = None
    offered: ByContext | None = None
    is_in_sight: bool = False
    meets: Need | None = None
    number: bool = False
    made: Callable[[Any], Any] | None = None

    @property
    def bounds(self) -> str:
        """What a number may be: "0 to 1", "0 or more"; empty where any may be given."""
        if math.isinf(self.at_least):
            return ""
        end = "or more" if math.isinf(self.at_most) else f"to {self.at_most:g}"
        return f"{self.at_least:g} {end}"

    def refusal(self, value: object, where: str) -> PayoffError | None:
        """Return why a number is none that can be asked for, or None where it can."""
        is_inside = not isinstance(value, int | float) or self.at_least <= value <= self.at_most
        if is_inside or not self.bounds:
            return None
        return PayoffError(
            f"“{in_words(self.label)}” is {value:g}, which cannot be asked for.",
            where=where,
            remedy=f"Give {self.bounds}.",
        )

    def words(self) -> str:
        """Return label, unit, range and choices for help and documents, of no one project."""
        unit = "" if callable(self.unit) else self.unit.value
        options = [] if callable(self.options) else [entry.value for entry in self.options]
        plain = all(isinstance(value, str) for value in options)
        parts = (
            *(unit, self.bounds or range_words(self.lowest, self.highest), self.help),
            f"one of {', '.join(map(str, options))}" if options and plain else "",
            f"left out: {self.empty}" if self.empty else "",
        )
        described = ", ".join(part for part in parts if part)
        label = in_words(self.label)
        return f"{label} ({described})" if described else label


def range_words(lowest: float, highest: float) -> str:
    """Return a range in words: "usually 0.5 to 0.99", "0 or more"; empty where it has no ends."""
    if math.isinf(lowest) and math.isinf(highest):
        return ""
    if math.isinf(highest):
        return f"{lowest:g} or more"
    return f"{highest:g} or less" if math.isinf(lowest) else f"usually {lowest:g} to {highest:g}"


def in_words(
    text: str, case_word: tuple[str, str] = ("case", "cases"), done: str = "acted on"
) -> str:
    """Return a label in a project's words for a case, for cases, and for acting on them."""
    case, cases = case_word
    return text.format(case=case, cases=cases, Cases=cases[:1].upper() + cases[1:], done=done)
