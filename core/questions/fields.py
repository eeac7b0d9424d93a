"""Fields of a form: what a window must know of each to let a person fill it in.

A field of a question is declared once, with ``given`` or ``assumed``; ``FormField`` is such a field
as it stands now, in the project's own words. Settings that belong to no question (of a model, of a
plugin's parameters) are made into ``FormField`` too, and shown by the same form.

Parameters that plugins declare, as fields of a form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.document.data.results import TableSummary
from core.document.model import Document
from core.document.plugin_results import CurveInfo, MetricInfo
from core.document.results import DecisionResult
from core.questions.asked import Unit
from payoff.parameters import Parameter
from payoff.vocabulary import DataColumn, NumberUnit


class FieldKind(StrEnum):
    """How a field is filled in."""

    NUMBER = "number"
    WHOLE = "whole"
    CHOICE = "choice"
    YES = "yes"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOption:
    """One entry of a field that is a choice; ``series``: the line of a model, drawn before it."""

    value: Any
    words: str
    help: str = ""
    series: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field as a form shows it.

    Attributes
    ----------
    name, label : str
        What it is in the record, and beside the field.
    spoken : str
        Its name for a screen reader, where the label does not say enough.
    kind : FieldKind
    value : object
        What is in it now; None where nothing is said, or its box is off.
    shown : object
        The number a field shows without ``value``: what is suggested, or was assumed.
    lowest, highest : float
        Range of a number, in its own unit (a share, not a percentage).
    step, decimals : float, int
        Of the arrow keys, and those shown at least; both as the number is written.
    unit, factor : str, float
        Written behind the number, and by what it is multiplied there: "%" and 100.
    options : tuple of FieldOption
        Of a choice.
    is_in_sight : bool
        Whether all options stand side by side.
    help, note : str
        Its tool tip, and a line below it.
    is_urgent : bool
        Whether the note asks for something.
    check : function, optional
        Why a text does not count; empty where it does.
    explained : object, optional
        What a "?" beside the label explains: a ``HelpText`` of the window.
    empty : str or None
        What an empty field means; None: it may not be empty.
    has_box : bool
        Whether a box turns it on and off.
    why_not : str
        Why it cannot be filled in now; empty: it can.
    is_offered : bool
        Whether it is shown at all.
    """

    name: str
    label: str
    spoken: str = ""
    kind: FieldKind = FieldKind.NUMBER
    value: Any = None
    shown: Any = None
    lowest: float = -math.inf
    highest: float = math.inf
    step: float = 1.0
    decimals: int = 2
    unit: str = ""
    factor: float = 1.0
    options: tuple[FieldOption, ...] = ()
    is_in_sight: bool = False
    help: str = ""
    note: str = ""
    is_urgent: bool = False
    explained: Any = None
    check: Callable[[str], str] | None = None
    empty: str | None = None
    has_box: bool = False
    why_not: str = ""
    is_offered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FormContext:
    """What is known where a form stands: of the project, and of the fields above the one asked for.

    ``totals`` and ``metrics`` are those of pages Decide and Compare, where they are there;
    ``curves`` the charts of plugins;
    ``done``: what the acting decision does to a case; ``outcome``: in what a mean outcome is given.
    """

    document: Document = field(default_factory=Document)
    summary: TableSummary | None = None
    totals: DecisionResult | None = None
    metrics: tuple[MetricInfo, ...] = ()
    curves: tuple[CurveInfo, ...] = ()
    done: str = "acted on"
    outcome: Unit = Unit.NONE
    values: Mapping[str, Any] = field(default_factory=dict)


OPEN_END = 1e-6  # how far a field stays from an end that its parameter leaves out


def column_field(entry: DataColumn, given: str | None, columns: Sequence[str]) -> FormField:
    """Return a column of the data that a plugin reads as a field: a choice among the columns."""
    value = entry.name if given is None else given
    names = columns if value in columns else (value, *columns)
    return FormField(
        name=entry.name,
        label=entry.words[:1].upper() + entry.words[1:],
        kind=FieldKind.CHOICE,
        value=value,
        options=tuple(FieldOption(value=name, words=name) for name in names),
        help=entry.help,
    )


def parameter_field(
    entry: Parameter, given: float | str | None, *, by_word: bool = False
) -> FormField:
    """Return a plugin's parameter as a field.

    Parameters
    ----------
    given : float or str, optional
        Its value; None: its usual one.
    by_word : bool
        Whether values of a choice are its words, not their positions.
    """
    value = entry.default if given is None else given
    positions: dict[float | str, str] = {
        words if by_word else float(place): words for place, words in enumerate(entry.choices)
    }
    if entry.choices and not isinstance(value, str):
        value = list(positions)[int(value)]
    is_share = entry.unit == NumberUnit.PERCENT
    kind = FieldKind.WHOLE if entry.is_whole else FieldKind.NUMBER
    return FormField(
        name=entry.name,
        label=entry.words[:1].upper() + entry.words[1:],
        kind=FieldKind.CHOICE if entry.choices else kind,
        value=value,
        lowest=entry.minimum + (OPEN_END if entry.is_minimum_open else 0.0),
        highest=entry.maximum - (OPEN_END if entry.is_maximum_open else 0.0),
        decimals=1 if is_share else 2,
        step=1.0 if is_share or entry.is_whole else 0.1,
        unit="%" if is_share else "",
        factor=100.0 if is_share else 1.0,
        options=tuple(FieldOption(value=key, words=said) for key, said in positions.items()),
        help=entry.help,
    )
