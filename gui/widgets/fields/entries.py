"""What counts as a number where one is typed or pasted: defined once, for every field and cell.

Blanks around it do not count. Minus is -, − or a dash; brackets round an amount are a minus; a
leading plus, a currency sign, groups of three digits and powers of ten (1.5e3) are read. Comma and
point: the user's decimal sign is one; the other parts groups of three digits (1,234), and is the
decimal sign too where it can part no groups (1,5). What could be two numbers (12 13), words, nan
and infinity are none. A per cent sign is read only where the field is in per cent.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from core.document.wording import MINUS

PERCENT = "%"
SHORT = 4  # digits of a number that a person wrote, not one that was worked out
_DASHES = str.maketrans(dict.fromkeys((MINUS, "\u2012", "\u2013", "\ufe63", "\uff0d"), "-"))
_MONEY = r"R\$|[$\u00a2-\u00a5\u20a0-\u20cf]|EUR|USD|GBP|CHF|kr|zł"
_GAP = r"[ \u00a0\u202f\u2009'\u2019]"
_PARTS = re.compile(r"(?P<sign>[+-]?)(?P<digits>[0-9.,]+)(?P<power>[eE][+-]?[0-9]+)?\Z")
_SPACED = re.compile(rf"([0-9]{{1,3}})((?:{_GAP}[0-9]{{3}})+)(?![0-9])")
_PLAIN = re.compile(r"[0-9]*\.?[0-9]*\Z")


def read_entry(
    text: str, *, decimal: str = ".", unit: str = "", currency: str = "", is_exact: bool = False
) -> float | str:
    """The number a person typed, or in a sentence why it is none.

    Parameters
    ----------
    text : str
    decimal : str
        The user's decimal sign, point or comma.
    unit : str
        What the field shows behind its number; may be typed. Only "%" takes a per cent sign.
    currency : str
        The project's own.
    is_exact : bool
        Marks only as the user's language has them: of a copied block nobody looks at each cell.
    """
    bare = text.strip().translate(_DASHES)
    if not bare:
        return "Nothing is written here."
    if unit and bare.endswith(unit):
        bare = bare.removesuffix(unit).strip()
    if PERCENT in bare:
        return "A per cent sign says a share, and this is an amount."
    bare, is_negative = _without_brackets(_without_money(bare, currency))
    spaced = _SPACED.sub(lambda found: found[1] + re.sub(_GAP, "", found[2]), bare)
    spaced = re.sub(rf"^([+-]){_GAP}+", r"\1", spaced)
    parts = _PARTS.match(spaced)
    plain = _with_point(parts["digits"], decimal, is_exact=is_exact) if parts is not None else None
    if parts is None or plain is None:
        return "This is not a number."
    value = float(parts["sign"] + plain + (parts["power"] or ""))
    if not math.isfinite(value):
        return "The number is too large."
    return -value if is_negative else value


def parse_entry(
    text: str,
    *,
    decimal: str = ".",
    unit: str = PERCENT,
    currency: str = "",
    is_exact: bool = False,
) -> float | None:
    """The number a person typed, or None; as ``read_entry``."""
    found = read_entry(text, decimal=decimal, unit=unit, currency=currency, is_exact=is_exact)
    return None if isinstance(found, str) else found


def decimals_for(value: float, least: int, *, exact: bool) -> int:
    """How many decimals a field shows: all where the number was typed, or is as short as typed.

    What is not zero is never shown as zero.
    """
    plain = Decimal(f"{value:.12g}").normalize()
    _sign, digits, power = plain.as_tuple()
    needed = -int(power)
    if not value or needed <= least:
        return least
    if exact or len(digits) <= SHORT:
        return needed
    return max(least, needed - len(digits) + 2) if round(value, least) == 0 else least


def _without_money(text: str, currency: str) -> str:
    """The text without one currency sign before its number, with or without sign, or behind it."""
    marks = rf"{re.escape(currency)}|{_MONEY}" if currency else _MONEY
    before = re.sub(rf"^([+(-]?){_GAP}*(?:{marks}){_GAP}*", r"\1", text, count=1)
    return before if before != text else re.sub(rf"{_GAP}*(?:{marks})(\)?)$", r"\1", text, count=1)


def _without_brackets(text: str) -> tuple[str, bool]:
    """An amount in brackets is negative, as bookkeepers write it."""
    if text.startswith("(") and text.endswith(")") and text[1:2] not in ("-", "+"):
        return text[1:-1].strip(), True
    return text, False


def _with_point(digits: str, decimal: str, *, is_exact: bool) -> str | None:
    """Digits with marks as plain ones with a point; None where the marks make no sense."""
    other = "," if decimal == "." else "."
    is_turned = digits.count(decimal) > 1 or (other in digits and decimal in digits)
    if _is_grouped(digits, other, decimal):
        digits = digits.replace(other, "").replace(decimal, ".")
    elif is_exact and other in digits:
        return None
    elif not is_exact and is_turned and _is_grouped(digits, decimal, other):
        digits = digits.replace(decimal, "").replace(other, ".")
    elif digits.count(decimal) + digits.count(other) <= 1:
        digits = digits.replace(decimal, ".").replace(other, ".")
    is_number = _PLAIN.match(digits) is not None and any(sign.isdigit() for sign in digits)
    return digits if is_number else None


def _is_grouped(digits: str, group: str, decimal: str) -> bool:
    """Whether a mark parts groups of three digits: 1,234.5 and 1,234, not 0,234 or 12,34."""
    mark, point = re.escape(group), re.escape(decimal)
    groups = rf"[1-9][0-9]{{0,2}}({mark}[0-9]{{3}})+({point}[0-9]*)?"
    return re.fullmatch(groups, digits) is not None
