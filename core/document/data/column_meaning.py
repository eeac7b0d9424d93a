"""What the values of a column are told to mean.

Several spellings of an outcome of two classes: Yes, yes, Y and TRUE beside no and N.

Exposures of counts (years insured, hours run), told from their logarithms by their values.

Amounts that a name says are in thousands or millions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.document.data.results import ColumnSummary


_CURRENCY = "(?:€|\\$|£|eur|usd|gbp|chf)"
_THOUSANDS = "tsd|thousands?|tausend|milliers|miles de|['\u2019]000"
_MILLIONS = "mio|millions?|millionen|millones"
_UNITS = (
    (1_000_000, rf"(?:m|mn|mio|mill)\.?[ _]?{_CURRENCY}|{_CURRENCY}[ _]?(?:m|mn|mio)|{_MILLIONS}"),
    (1_000, rf"[kt][ _]?{_CURRENCY}|{_CURRENCY}[ _]?k|{_THOUSANDS}"),
)
_POSITIVE, _NEGATIVE = "\0positive", "\0negative"
_SIDES = {
    **dict.fromkeys(("yes", "y", "true", "t", "1"), _POSITIVE),
    **dict.fromkeys(("no", "n", "false", "f", "0"), _NEGATIVE),
}


def spellings_of(counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Which values of a column are spellings of one of two classes.

    Values are alike that differ in capitals only, or that all say yes, or all say no. Nothing is
    taken together unless two classes remain: three spellings of three classes are left alone.

    Parameters
    ----------
    counts : {value as printed: rows}

    Returns
    -------
    tuple of (value, class)
        The class is the spelling of most rows. Empty where every value stands for itself.

    Examples
    --------
    >>> spellings_of({"yes": 8, "Yes": 3, "no": 20, "N": 1})
    (('Yes', 'yes'), ('N', 'no'))
    >>> spellings_of({"0": 8, "1": 3, "2": 20})
    ()
    """
    if len(counts) <= 2:
        return ()
    sides: dict[str, list[str]] = {}
    for value in counts:
        folded = value.strip().casefold()
        sides.setdefault(_SIDES.get(folded, folded), []).append(value)
    if len(sides) != 2:
        return ()
    meant = {}
    for values in sides.values():
        level = max(values, key=lambda value: counts[value])
        meant.update({value: level for value in values if value != level})
    return tuple(meant.items())


def counted_together(
    counts: Mapping[str, int], spellings: tuple[tuple[str, str], ...]
) -> dict[str, int]:
    """Rows of each class, its spellings counted together."""
    meant = dict(spellings)
    together: dict[str, int] = {}
    for value, rows in counts.items():
        level = meant.get(value, value)
        together[level] = together.get(level, 0) + rows
    return together


def spellings_in_words(spellings: tuple[tuple[str, str], ...]) -> str:
    """'Yes' and 'Y' as 'yes'; 'N' as 'no'."""
    by_level: dict[str, list[str]] = {}
    for value, level in spellings:
        by_level.setdefault(level, []).append(f"'{value}'")
    return "; ".join(f"{' and '.join(values)} as '{level}'" for level, values in by_level.items())


_NAMED = re.compile(
    r"exposure|exposition|jahreseinheit|risikojahr|policy.?years?|earned.?years?|"
    r"(?:vehicle|insured|person|car).?years?|(?:personen|policen|fahrzeug)jahre?|"
    r"ann[ée]es?.(?:police|risque)"
)
_MONEY = re.compile(r"amount|betrag|montant|default|ead|loan|credit|kredit")
_LARGEST_LOG = 14.0  # of a million


class ExposureKind(StrEnum):
    """What an exposure's numbers are."""

    PLAIN = "plain"
    LOGARITHM = "logarithm"


def exposure_kind(column: ColumnSummary) -> ExposureKind | None:
    """Return whether a column is an exposure or its logarithm; None where it is neither.

    Parameters
    ----------
    column : ColumnSummary
        Its name must speak of an exposure. Values below 0 are logarithms: no case is watched for
        less than no time.
    """
    name, low, high = column.name.casefold(), column.minimum, column.maximum
    if not _NAMED.search(name) or _MONEY.search(name) or low is None or high is None:
        return None
    if column.kind not in ("integer", "number") or 0 <= column.distinct <= 2:
        return None
    if low >= 0.0:
        return ExposureKind.PLAIN
    return ExposureKind.LOGARITHM if high <= _LARGEST_LOG else None


def unit_of_amount(name: str) -> int:
    """In how many units of money an amount is counted, by its column's name.

    Parameters
    ----------
    name : str
        Of a column of numbers.

    Examples
    --------
    >>> unit_of_amount("EAD (k€)"), unit_of_amount("Umsatz in Mio. EUR"), unit_of_amount("Market")
    (1000, 1000000, 1)
    """
    words = name.casefold()
    return next(
        (unit for unit, form in _UNITS if re.search(rf"(?<![^\W_])(?:{form})(?![^\W_])", words)), 1
    )


def exposure_words(column: ColumnSummary) -> str:
    """Say what an exposure is good for; empty for other columns.

    Parameters
    ----------
    column : ColumnSummary
    """
    kind = exposure_kind(column)
    if kind is None:
        return ""
    span = f"{column.minimum:.4g} to {column.maximum:.4g}"
    if kind is ExposureKind.LOGARITHM:
        return f"the logarithm of an exposure, by its values {span}: the offset of a count"
    zeros = "; rows with 0 were never watched" if column.minimum == 0.0 else ""
    return f"an exposure, not its logarithm, by its values {span}: an offset needs the log{zeros}"
