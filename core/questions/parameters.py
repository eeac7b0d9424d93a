"""Parameters that plugins declare, as fields of a form."""

from __future__ import annotations

from collections.abc import Sequence

from core.questions.fields import FieldKind, FieldOption, FormField
from payoff.parameters import Parameter
from payoff.vocabulary import DataColumn, NumberUnit

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
        options=tuple(
            FieldOption(value=key, words=described) for key, described in positions.items()
        ),
        help=entry.help,
    )
