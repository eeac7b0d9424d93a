"""Parameters that plugins declare, as fields of a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from core.document.experiments.results import SystemParameter
from core.document.plugin_results import MetricParameter
from core.document.training_results import DistributionParameter
from core.questions.fields import FieldKind, FieldOption, FormField
from payoff.vocabulary import DataColumn

PluginParameter: TypeAlias = DistributionParameter | MetricParameter | SystemParameter


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


def parameter_field(entry: PluginParameter, given: float | str | None) -> FormField:
    """Return a plugin's parameter as a field.

    Parameters
    ----------
    entry : DistributionParameter, MetricParameter or SystemParameter
    given : float or str, optional
        Its value; None: its usual one. Of a choice the position of a word, of a distribution the
        word itself.
    """
    value = entry.default if given is None else given
    by_word = isinstance(entry, DistributionParameter)
    positions: dict[float | str, str] = {
        words if by_word else float(place): words for place, words in enumerate(entry.choices)
    }
    if entry.choices and not isinstance(value, str):
        value = list(positions)[int(value)]
    is_share = getattr(entry, "unit", "") == "percent"
    kind = FieldKind.WHOLE if entry.is_whole else FieldKind.NUMBER
    return FormField(
        name=entry.name,
        label=entry.words[:1].upper() + entry.words[1:],
        kind=FieldKind.CHOICE if entry.choices else kind,
        value=value,
        lowest=entry.minimum,
        highest=entry.maximum,
        decimals=1 if is_share else 2,
        step=1.0 if is_share or entry.is_whole else 0.1,
        unit="%" if is_share else "",
        factor=100.0 if is_share else 1.0,
        options=tuple(FieldOption(value=key, words=said) for key, said in positions.items()),
        help=getattr(entry, "help", ""),
    )
