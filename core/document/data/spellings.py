"""Several spellings of an outcome of two classes: Yes, yes, Y and TRUE beside no and N."""

from __future__ import annotations

from collections.abc import Mapping

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
