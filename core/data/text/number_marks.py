"""Which mark stands before decimals and which between thousands; never guessed when ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from payoff.counting import counted

_SPACES = "'\u2019 \u00a0\u202f"
_SHOWN = re.compile(r"-?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d*)(\.\d+)?(e[+-]\d+)?\Z")
_LARGEST_EXACT = 2**53
_PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\Z")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}\Z")
_DECIMALS = re.compile(r"[+-]?\d*([.,])\d+([eE][+-]?\d+)?\Z")
_MIXED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*([.,])\d+\Z")
_REPEATED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})+\Z")
_SPACED = re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:([{_SPACES}])\d{{3}})(?:\1\d{{3}})*(?:([.,])\d+)?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMarks:
    """Decimal and thousands marks with the reasons for them."""

    decimal: str
    decimal_reason: str
    decimal_certain: bool
    decimal_seen: bool = True  # False: no number has one
    thousands: str | None = None
    thousands_reason: str = ""
    thousands_certain: bool = True


def looks_numeric(cell: str) -> bool:
    """Whether a cell is a number under some reading of its marks."""
    cell = cell.strip()
    return bool(
        _PLAIN_NUMBER.match(cell)
        or _MIXED.match(cell)
        or _REPEATED.match(cell)
        or _SPACED.match(cell)
    )


def find_number_marks(cells: Iterable[str], delimiter: str) -> NumberMarks:
    """Weigh the cells of the first rows.

    A mark followed by other than three digits, or after a leading zero or four digits, is surely a
    decimal mark; ``1.234`` alone could be either, and then ``decimal_certain`` is False.
    """
    sure: dict[str, int] = {".": 0, ",": 0}
    unsure: dict[str, int] = {".": 0, ",": 0}
    groups: dict[str, int] = {}
    example: dict[str, str] = {}
    for cell in cells:
        _weigh(cell.strip(), sure, unsure, groups, example)
    return _settle(sure, unsure, groups, example, delimiter)


def _weigh(
    cell: str,
    sure: dict[str, int],
    unsure: dict[str, int],
    groups: dict[str, int],
    example: dict[str, str],
) -> None:
    """Add what one cell says."""
    if not cell or cell[-1] not in "0123456789":
        return
    if found := _AMBIGUOUS.match(cell):
        unsure[found[1]] += 1
        example.setdefault(f"unsure{found[1]}", cell)
    elif found := _DECIMALS.match(cell):
        sure[found[1]] += 1
        example.setdefault(f"sure{found[1]}", cell)
    elif (found := _MIXED.match(cell)) and found[1] != found[2]:
        sure[found[2]] += 1
        groups[found[1]] = groups.get(found[1], 0) + 1
        example.setdefault(f"sure{found[2]}", cell)
        example.setdefault(f"group{found[1]}", cell)
    elif (found := _REPEATED.match(cell)) or (found := _SPACED.match(cell)):
        groups[found[1]] = groups.get(found[1], 0) + 1
        example.setdefault(f"group{found[1]}", cell)
        if found.re is _SPACED and found[2]:
            sure[found[2]] += 1
            example.setdefault(f"sure{found[2]}", cell)


def _settle(
    sure: dict[str, int],
    unsure: dict[str, int],
    groups: dict[str, int],
    example: dict[str, str],
    delimiter: str,
) -> NumberMarks:
    """Turn the evidence into marks."""
    thousands = max(groups, key=lambda mark: groups[mark]) if groups else None
    decimal, reason, certain = ".", "no number with a decimal mark among the first rows", True
    is_seen = bool(sure["."] or sure[","] or thousands in (".", ",") or unsure["."] or unsure[","])
    if sure["."] and sure[","]:
        decimal = "." if sure["."] >= sure[","] else ","
        certain = False
        reason = f"both {example['sure.']} and {example['sure,']} occur"
    elif sure["."] or sure[","]:
        decimal = "." if sure["."] else ","
        reason = f"{counted(sure[decimal], 'number')} like {example[f'sure{decimal}']}"
    elif thousands in (".", ","):
        decimal = "," if thousands == "." else "."
        reason = f"{example[f'group{thousands}']} uses the other mark for thousands"
    elif unsure["."] or unsure[","]:
        mark = "." if unsure["."] else ","
        decimal = mark if mark != delimiter else "."
        certain = False
        reason = f"{example[f'unsure{mark}']} could be a decimal number or thousands; please say"
    other = "," if decimal == "." else "."
    if thousands is None and certain and unsure[other]:
        thousands = other
        return NumberMarks(
            decimal=decimal,
            decimal_reason=reason,
            decimal_certain=certain,
            decimal_seen=is_seen,
            thousands=thousands,
            thousands_reason=f"the decimal mark is '{decimal}', so {example[f'unsure{other}']} "
            "has a thousands mark",
        )
    words = (
        f"{counted(groups[thousands], 'number')} like {example[f'group{thousands}']}"
        if thousands
        else ""
    )
    return NumberMarks(
        decimal=decimal,
        decimal_reason=reason,
        decimal_certain=certain,
        decimal_seen=is_seen,
        thousands=None if thousands == decimal else thousands,
        thousands_reason=words,
    )


def plain_number(cell: str) -> float | None:
    """A cell as the window shows it (1,234.5 with a true minus) as a number; None if it is none.

    Percent, money, leading zeros, codes such as 1e5 and digits beyond what a number holds exactly
    stay text: their signs say what the number is.
    """
    shown = cell.strip().replace("\u2212", "-")
    if not _SHOWN.match(shown):
        return None
    text = shown.replace(",", "")
    is_long = text.lstrip("-").isdigit() and abs(int(text)) > _LARGEST_EXACT
    return None if is_long else float(text)
