"""Numbers that stand in a column as text: ``6,96 %``, ``€ 1,234.50``, ``(120)``, ``<0.01``.

Spreadsheets and banks write numbers with the sign of what they are. A column of such cells is read
as numbers, shares where the cells have a percent sign, if every cell is one: a cell that is none
keeps the column text, and is named. Ids and codes stay text.

Laboratories write limits in place of numbers (``<0.01``, ``> 1000``), reports put marks behind them
(``12*``, ``3.4 (a)``, ``5.1 H``): among enough plain numbers they are read as the number they hold,
and counted.

Which mark stands before decimals and which between thousands; never guessed when ambiguous.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.currency import currency_sign
from core.data.roles.words import ID_NAMES
from core.document.data.column_meaning import unit_of_amount
from core.document.data.events import fold
from payoff.counting import counted

_MARKS_OF_THOUSANDS = "'\u2019 \u00a0\u202f\u2009\u2007"
_SHOWN = re.compile(r"-?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d*)(\.\d+)?(e[+-]\d+)?\Z")
_LARGEST_EXACT = 2**53
_PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\Z")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}\Z")
_DECIMALS = re.compile(r"[+-]?\d*([.,])\d+([eE][+-]?\d+)?\Z")
_MIXED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*([.,])\d+\Z")
_REPEATED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})+\Z")
_SPACED = re.compile(
    rf"[+-]?[1-9]\d{{0,2}}(?:([{_MARKS_OF_THOUSANDS}])\d{{3}})(?:\1\d{{3}})*(?:([.,])\d+)?\Z"
)


#: Lakhs and crores: groups of two digits above the first of three.
_INDIAN = re.compile(r"[+-]?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMarks:
    """Decimal and thousands marks with the reasons for them.

    ``is_torn``: both marks are surely decimal marks of some cells.
    """

    decimal: str
    decimal_reason: str
    decimal_certain: bool
    decimal_seen: bool = True  # False: no number has one
    thousands: str | None = None
    thousands_reason: str = ""
    is_torn: bool = False


def looks_numeric(cell: str) -> bool:
    """Whether a cell is a number under some reading of its marks."""
    cell = cell.strip()
    return bool(
        _PLAIN_NUMBER.match(cell)
        or _MIXED.match(cell)
        or _REPEATED.match(cell)
        or _SPACED.match(cell)
        or _INDIAN.match(cell)
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
    if _INDIAN.match(cell):
        sure["."] += "." in cell
        groups[","] = groups.get(",", 0) + 1
        example.setdefault("sure.", cell)
        example.setdefault("group,", cell)
    elif found := _AMBIGUOUS.match(cell):
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
        is_torn=bool(sure["."] and sure[","]),
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


_CURRENCIES = (
    "€", "$", "£", "¥", "₹", "₽", "₺", "₪", "₩", "EUR", "USD", "GBP", "CHF", "SFr.", "Fr.", "JPY",
    "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "kr.", "kr", "PLN", "zł", "CZK", "Kč",
    "HUF", "Ft", "R$", "BRL", "US$", "A$", "C$", "ZAR", "MXN", "TRY", "RUB", "TL", "руб.", "руб",
    "₴", "грн", "lei", "RON", "лв.", "BGN", "円", "元", "원", "RMB", "CN¥", "KRW", "SGD", "HK$",
    "HKD", "NT$", "TWD", "Rp.", "Rp", "IDR", "RM", "MYR", "Rs.", "Rs", "PKR", "₱", "PHP", "฿",
    "THB", "₫", "VND", "AED", "SAR", "ILS", "UAH", "KZT", "₸", "EGP", "KES", "NGN", "₦", "S/.",
    "S/", "PEN", "COP", "CLP", "ARS",
)  # fmt: skip
_SPACES = "[ \u00a0\u202f\u2009\u2007]"
_CURRENCY = "|".join(re.escape(mark) for mark in sorted(_CURRENCIES, key=len, reverse=True))
_SIGNED_SHARE = 0.9  # of the different numbers: a sign on fewer is a slip, not the column's unit
_PLAIN = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_PRICE = re.compile(r"[1-9][.,]\d{3}|0[.,]\d+")  # "$2.785" a gallon, or euros in thousands
_LOOKED_AT = 1_000
_MANY, _MOST_DRESSES = 2_000, 8  # different texts, that are not taken apart one by one
_ENOUGH_PLAIN = 8  # different numbers without a limit or a mark: fewer may be classes, as "<18" is
_TOO_LONG = 16  # digits that a double may not hold exactly
_CODE_NAMES = ("id", "key", "no", "nr", "number", "code", "zip", "phone", "plz")
_SIGN = "[+\u2212-]"
#: Behind a number: of footnotes, and of laboratories for high and low.
_MARK = r"(?:[*†‡§]|[¹²³⁴⁵⁶⁷⁸⁹]\)?){1,3}|\([a-z0-9]\)|\[[a-z0-9]\]"
_STAR = r"\*"
#: Before the number a star (Weka's, of the highest chance), a limit, a sign, a currency or an
#: opening bracket; behind it a dash for no cents, a unit, a minus, a bracket, a side of the books,
#: a mark.
_SCALES = {"k": 1e3, "tsd": 1e3, "t": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6}
_SCALES |= {"b": 1e9, "bn": 1e9, "mrd": 1e9, "md": 1e9}
_SCALE = r"(?P<scale>(?:[Tt]sd|[Mm]io|[Mm]rd|[Mm]ln)\.?|M[Mdn]|mn|bn|[KkMmBT])?"
"""Thousands, millions and more, of amounts of money alone: "$62K", "1,2 Mio. €"."""
_HEAD = (
    rf"\s*(?P<star>{_STAR})?(?P<limit>[<>]=?|[≤≥])?\s*(?P<open>\()?\s*(?P<sign>{_SIGN})?{_SPACES}*"
    rf"(?P<before>%|{_CURRENCY})?{_SPACES}*(?P<sign2>{_SIGN})?"
    rf"(?P<digits>[0-9.,][0-9.,'\u2019 \u00a0\u202f\u2009\u2007]*?(?:[eE][+-]?\d+)?)"
    rf"(?:(?P<dash>[.,])(?:-{{1,2}}|[–—]))?{_SPACES}*"
)
_TAIL = (
    rf"(?P<minus>-)?(?P<after>%|{_CURRENCY})?{_SPACES}*(?P<close>\))?"
    rf"(?P<side>{_SPACES}*(?:CR|DR|Cr|Dr))?(?P<mark>{_SPACES}*(?:{_MARK})|{_SPACES}(?:HH?|LL?))?"
)
_DRESSED = re.compile(rf"{_HEAD}{_SCALE}{_SPACES}*{_TAIL}\s*")
#: Units of measurement and of time: "79.2 kg", "37.3°C", "36 months"; one letter after a space.
_LETTER = r"[^\W\d_]"
_WORDED = re.compile(
    rf"{_HEAD}{_TAIL}(?P<word>{_SPACES}*"
    rf"(?:°[CF]?|‰|(?:{_LETTER}|[²³]){{2,12}}(?:/(?:{_LETTER}|[²³0-9]){{1,6}})?\.?)"
    rf"|{_SPACES}{_LETTER})\s*"
)
_FEWEST_LETTERS, _MOST_ENDING = 3, 2  # of a word, and of its plural's ending: "day", not "m"
_MAY_BE_NUMBER = re.compile(r"[\d–—-]")  # or no amount, which ledgers write as a dash
#: No amount at all, as ledgers write it: "$-", "- €".
_NO_AMOUNT = re.compile(
    rf"\s*(?:(?P<before>{_CURRENCY}){_SPACES}*[-–—]|[-–—]{_SPACES}*(?P<after>{_CURRENCY}))\s*"
)
#: Digits and marks of other scripts, and the wide ones of East Asia, as those of numbers here.
_DIGITS = {first + place: str(place) for first in (0x660, 0x6F0, 0x966) for place in range(10)}
_DIGITS |= {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
_DIGITS |= {0x66A: "%", 0x66B: ".", 0x66C: ",", 0xFFE5: "¥", 0xFFE1: "£", 0x3000: " "}
#: The same for a whole column at once: Arrow's expressions know no escapes of characters.
DRESSED_PATTERN = "^{}$".format(
    re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), _DRESSED.pattern)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberTexts:
    """A column of texts read as numbers.

    ``unit`` is "%", a currency, a word as ``is_worded`` says, or nothing; ``example`` a cell,
    ``number`` what it is read as. ``limits``, ``marked`` and ``sided`` count the rows of each cell
    that gives a limit, has a mark, or is on the other side of the books.
    """

    values: pa.ChunkedArray  # int64 or float64
    unit: str
    is_worded: bool
    example: str
    number: float
    limits: dict[str, int]
    marked: dict[str, int]
    sided: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A number with what stands around it taken off."""

    digits: str
    unit: str
    is_negative: bool
    dash: str = ""  # the decimal mark before a dash that says no cents: "12,-"
    is_limit: bool = False
    is_marked: bool = False
    side: str = ""  # of the books: credit or debit
    is_worded: bool = False  # the unit is a word
    scale: float = 1.0  # what the digits count: thousands, millions


def bare_number(cell: str) -> str:
    """The digits and marks of a cell without currency, percent sign and brackets."""
    if not _MAY_BE_NUMBER.search(cell):
        return cell
    if cell.isascii() and _PLAIN_NUMBER.match(plain := cell.strip()):
        return plain.lstrip("+-")
    found = _undress(cell)
    return _evidence(found) if found is not None else cell


def _evidence(cell: _Cell) -> str:
    """The digits as evidence of their marks: no amount of money has three decimals."""
    if cell.dash:
        return f"{cell.digits}{cell.dash}00"
    grouped = _GROUPED.fullmatch(cell.digits)
    if cell.unit in ("", "%") or cell.is_worded or cell.scale > 1.0 or grouped is None:
        return cell.digits
    return f"{cell.digits}{'.' if grouped[1] == ',' else ','}00"


def _undress(cell: str, pattern: re.Pattern[str] = _DRESSED) -> _Cell | None:
    """Take a cell apart; None where it is no number with what usually stands around one."""
    plain = cell if cell.isascii() else cell.translate(_DIGITS)
    found = pattern.fullmatch(plain)
    if found is None:
        nothing = _NO_AMOUNT.fullmatch(plain)
        return nothing and _Cell("0", nothing["before"] or nothing["after"], is_negative=False)
    part = found.groupdict()
    is_enclosed = bool(part["open"])
    marks = sum(bool(part[name]) for name in ("open", "minus", "sign", "sign2"))
    if is_enclosed != bool(part["close"]) or marks > 1 or (part["before"] and part["after"]):
        return None
    scale, unit = (part.get("scale") or "").rstrip(".").casefold(), part["before"] or part["after"]
    if scale and (unit in (None, "%") or (scale == "t" and not part["after"])):
        return None  # "3M" are months as often, and a T behind dollars is another one
    sign = part["sign"] or part["sign2"] or ""
    negative = is_enclosed or bool(part["minus"]) or sign in ("-", "\u2212")
    word = (part.get("word") or "").strip()
    return _Cell(
        part["digits"].strip(),
        word or unit or "",
        negative,
        part["dash"] or "",
        is_limit=bool(part["limit"]),
        is_marked=bool(part["mark"] or part["star"]),
        side=(part["side"] or "").strip().upper(),
        is_worded=bool(word),
        scale=_SCALES.get(scale, 1.0),
    )


def _undress_all(forms: Iterable[str]) -> dict[str, _Cell] | None:
    """Take all texts of a column apart, without units that are words or each with one."""
    for pattern in (_DRESSED, _WORDED):
        found: dict[str, _Cell] = {}
        for form in forms:
            cell = _undress(form, pattern)
            if cell is None:
                break
            found[form] = cell
        else:
            return _on_one_side(found)
    return None


def _on_one_side(numbers: dict[str, _Cell]) -> dict[str, _Cell] | None:
    """Amounts of which some are credits, or debits, in place of a minus; None for both of them."""
    sides = {cell.side for cell in numbers.values()} - {""}
    if not sides:
        return numbers
    if len(sides) > 1 or all(cell.side for cell in numbers.values()):
        return None
    return {
        form: replace(cell, is_negative=not cell.is_negative) if cell.side else cell
        for form, cell in numbers.items()
    }


def read_number_texts(
    name: str, values: pa.ChunkedArray, decimal: str, thousands: str
) -> NumberTexts | None:
    """Read a column of texts as numbers; None where it is none.

    Parameters
    ----------
    name : str
        The column's name: an id's stays text.
    values : pyarrow.ChunkedArray
        Texts, plain or as a dictionary.
    decimal, thousands : str
        The file's marks, for cells that could be read either way. Without a decimal mark (of a
        workbook, whose numbers need none) texts such as ``0,25`` alone are numbers too.
    """
    head = _undress_all(_filled(values.slice(0, _LOOKED_AT).cast(pa.string())))
    if not head:
        return None
    text = values.cast(pa.string())
    forms = text.unique()
    usual = _Usual.of(head, decimal, thousands) if len(forms) > _MANY else None
    others = _filled(forms) if usual is None else [*head, *_filled(usual.others(forms))]
    numbers = _undress_all(others)
    unit = None if numbers is None else _unit_of(numbers)
    if numbers is None or unit is None or not _has_enough_plain(numbers):
        return None
    if unit_of_amount(name) > 1 and any(cell.scale > 1.0 for cell in numbers.values()):
        return None  # its name says thousands too: whether once or twice is not told
    parsed = _parsed(numbers, decimal, thousands, is_signed=bool(unit))
    if parsed is None or _may_be_codes(name, numbers, unit):
        return None
    if usual is not None and not usual.agrees(parsed):
        numbers = _undress_all(_filled(forms))
        parsed = _parsed(numbers or {}, decimal, thousands, is_signed=bool(unit))
        usual = None
    if numbers is None or parsed is None:
        return None
    return _as_numbers(text, parsed, numbers, unit, usual)


def _filled(values: pa.ChunkedArray | pa.Array) -> list[str]:
    """The different texts that hold something."""
    return [form for form in values.drop_null().unique().to_pylist() if form.strip()]


@dataclass(frozen=True, slots=True)
class _Usual:
    """How most of the numbers of a long column are dressed, which Arrow then reads at once.

    ``dresses``: what stands before and behind the digits, and the power of ten with its sign.
    """

    dresses: tuple[tuple[str, str, str, bool], ...]
    marks: tuple[str, str]

    @classmethod
    def of(cls, head: dict[str, _Cell], decimal: str, thousands: str) -> _Usual | None:
        """By the first texts; None of a workbook, whose texts are read in two ways."""
        if not decimal:
            return None
        counts: Counter[tuple[str, str, str, bool]] = Counter()
        for form, cell in head.items():
            is_odd = cell.dash or cell.is_limit or cell.is_marked or cell.side
            before, found, behind = form.partition(cell.digits)
            power = round(math.log10(cell.scale)) - 2 * (cell.unit == "%")
            if found and not is_odd:
                counts[before, behind, f"e{power}" if power else "", cell.is_negative] += 1
        marks = _marks(head.values(), decimal, thousands)
        return cls(tuple(dress for dress, _ in counts.most_common(_MOST_DRESSES)), marks)

    def others(self, forms: pa.Array) -> pa.Array:
        """The texts that are dressed otherwise, and the shortest and the longest of these."""
        lengths = pc.utf8_length(forms)
        ends = [pc.index(lengths, size).as_py() for size in pc.min_max(lengths).as_py().values()]
        others = forms.filter(self.read(forms).is_null())
        return pa.concat_arrays([others, forms.take(pa.array(ends))])

    def read(self, forms: pa.Array) -> pa.Array:
        """The numbers of the texts; missing where a text is dressed otherwise."""
        decimal, thousands = self.marks
        whole = r"(?:0|[1-9][0-9]{0,14})"
        if thousands:
            whole = (
                rf"(?:0|[1-9][0-9]{{0,2}}(?:{_escaped(thousands)}[0-9]{{3}})+|[1-9][0-9]{{0,14}})"
            )
        numbers = pa.nulls(len(forms), pa.float64())
        for before, behind, power, is_negative in self.dresses:
            pattern = f"{whole}(?:{_escaped(decimal)}[0-9]{{1,15}})?"
            is_such = pc.match_substring_regex(
                forms, f"^{_escaped(before)}{pattern}{_escaped(behind)}$"
            )
            bare = pc.if_else(is_such, forms, pa.scalar(None, pa.string()))
            bare = pc.utf8_slice_codeunits(bare, len(before), -len(behind) if behind else None)
            bare = pc.replace_substring(bare, thousands, "") if thousands else bare
            bare = pc.replace_substring(bare, decimal, ".")
            bare = pc.binary_join_element_wise(bare, power, "") if power else bare
            read = pc.cast(bare, pa.float64())
            numbers = pc.coalesce(numbers, pc.negate(read) if is_negative else read)
        return numbers

    def agrees(self, parsed: dict[str, float | None]) -> bool:
        """Whether what was read one by one is read alike here, as far as it is read at all."""
        read = self.read(pa.array(list(parsed), pa.string())).to_pylist()
        return all(a is None or a == b for a, b in zip(read, parsed.values(), strict=True))


def _escaped(text: str) -> str:
    """Text for Arrow's expressions, which know no escapes of letters."""
    return "".join(
        sign if sign.isalnum() or not sign.isascii() else f"\\x{ord(sign):02x}" for sign in text
    )


def why_no_numbers(values: pa.ChunkedArray) -> str:
    """Why numbers with signs stay text, in words; empty where their signs are not the reason."""
    forms = values.cast(pa.string()).drop_null().unique().to_pylist()
    cells = [_undress(form) or _undress(form, _WORDED) for form in forms]
    units = sorted({currency_sign(cell.unit) for cell in cells if cell is not None and cell.unit})
    if units == ["%"]:
        return "some of its numbers have a percent sign and others have none"
    doubtful = next((cell.digits for cell in cells if cell and _GROUPED.fullmatch(cell.digits)), "")
    if not units and doubtful and all(cells):
        return (
            f"{doubtful} could have decimals or thousands. Make its cells numbers in their own "
            "program, or state the decimal mark where the import settings offer it"
        )
    return f"its amounts are in several units ({', '.join(units)})" if units[1:] else ""


def _parsed(
    numbers: dict[str, _Cell], decimal: str, thousands: str, *, is_signed: bool
) -> dict[str, float | None] | None:
    """The number of each text; None where they are plain, or one has marks that are not theirs.

    A workbook's numbers are written here with a point, whatever mark stands in its texts.
    """
    plain = {form for form in numbers if form.isascii() and _PLAIN.fullmatch(form)}
    are_plain = not is_signed and len(plain) == len(numbers)
    cells = numbers.values()
    tell = _has_decimals(cells) or thousands_among({cell.digits for cell in cells})
    if are_plain and (decimal or not tell):
        return None
    are_typed = not decimal and not are_plain and not any("," in form for form in plain)
    own = [cell for form, cell in numbers.items() if not are_typed or form not in plain]
    marks = _marks(own, decimal or ".", thousands)
    parsed = {
        form: _number(cell, (".", "") if are_typed and form in plain else marks)
        for form, cell in numbers.items()
    }
    return None if any(number is None for number in parsed.values()) else parsed


def _has_enough_plain(numbers: dict[str, _Cell]) -> bool:
    """Whether limits and marks stand among numbers: "<18" and ">=18" are classes."""
    plain = sum(not (cell.is_limit or cell.is_marked) for cell in numbers.values())
    limits = sum(cell.is_limit for cell in numbers.values())
    return plain == len(numbers) or (plain >= _ENOUGH_PLAIN and plain > 2 * limits)


def _unit_of(numbers: dict[str, _Cell]) -> str | None:
    """The sign of the column's numbers, nothing for none; None where it is not one for all."""
    cells = [cell for cell in numbers.values() if not _is_zero(cell)]
    units = {cell.unit for cell in numbers.values()} - {""}
    if not units:
        return ""
    if len(units) > 1:
        units = set(map(currency_sign, units))
    if all(cell.is_worded for cell in numbers.values()):
        return _word_of(units)
    signed = sum(bool(cell.unit) for cell in cells)
    if len(units) > 1 or not cells or signed < _SIGNED_SHARE * len(cells):
        return None
    unit = next(iter(units))
    return None if unit == "%" and signed < len(cells) else unit


def _word_of(words: set[str]) -> str | None:
    """The one word that all cells have, some of them in the plural; None for several."""
    shortest, *others = sorted({word.rstrip(".").casefold() for word in words}, key=len)
    stem = shortest[: max(_FEWEST_LETTERS, len(shortest) - 1)]
    is_long = len(shortest) >= _FEWEST_LETTERS
    alike = all(
        (len(shortest) > 1 and other == f"{shortest}s")
        or (is_long and other.startswith(stem) and len(other) - len(shortest) <= _MOST_ENDING)
        for other in others
    )
    return max(sorted(words), key=len) if alike else None


def _has_decimals(cells: Iterable[_Cell]) -> bool:
    """Whether the cells themselves tell which mark stands before decimals."""
    found = find_number_marks(map(_evidence, cells), "")
    return found.decimal_certain and found.decimal_seen


def thousands_among(digits: Collection[str]) -> str:
    """The mark that must part thousands: three digits behind it in all cells but small whole ones.

    "985" beside "12,345" and "1,234" would be the only number without its three decimals.
    """
    grouped = [found for form in digits if (found := _GROUPED.fullmatch(form))]
    small = sum(form.isdigit() and len(form) <= 3 for form in digits)
    marks = {found[1] for found in grouped}
    is_clear = len(marks) == 1 and len(grouped) >= _ENOUGH_PLAIN and small > 0
    return marks.pop() if is_clear and len(grouped) + small == len(digits) else ""


def _is_zero(cell: _Cell) -> bool:
    return not cell.digits.strip("0.,")


def _marks(cells: Iterable[_Cell], decimal: str, thousands: str) -> tuple[str, str]:
    """The column's own marks where its cells tell, else the file's."""
    given = list(cells)
    mark = thousands_among({cell.digits for cell in given})
    if mark:
        return "," if mark == "." else ".", mark
    prices = [cell for cell in given if cell.unit and _PRICE.fullmatch(cell.digits)]
    evidence = (
        (cell.digits for cell in given) if len(prices) == len(given) else map(_evidence, given)
    )
    found = find_number_marks(evidence, "")
    tells = bool(found.thousands) or found.decimal_seen
    if found.decimal_certain and tells:
        other = thousands if thousands != found.decimal else ""
        return found.decimal, found.thousands or other
    return decimal, thousands


def _number(cell: _Cell, marks: tuple[str, str]) -> float | None:
    """A cell's number; None where its marks are not the column's."""
    decimal, thousands = marks
    if cell.dash and (cell.dash != decimal or decimal in cell.digits):
        return None
    mantissa, exponent, power = cell.digits.partition("e" if "e" in cell.digits else "E")
    whole, point, fraction = mantissa.partition(decimal)
    groups = re.split(f"[{re.escape(thousands)}]", whole) if thousands else [whole]
    is_grouped = len(groups) > 1
    if is_grouped and not _are_groups(groups):
        return None
    digits = "".join(groups)
    if not (digits + fraction).isdigit() or not (digits + fraction).isascii():
        return None
    scale = int(power) if exponent else 0
    text = f"{digits or '0'}{'.' if point else ''}{fraction}"
    scale += round(math.log10(cell.scale)) - 2 * (cell.unit == "%")
    number = float(f"{text}e{scale}")
    return -number if cell.is_negative else number


def _are_groups(groups: list[str]) -> bool:
    """Whether digits are parted by thousands, or as in India above these by two."""
    first, *middle, last = map(len, groups)
    is_usual = 1 <= first <= 3 and all(size == 3 for size in middle)
    return last == 3 and (is_usual or (first <= 2 and all(size == 2 for size in middle)))


def _may_be_codes(name: str, numbers: dict[str, _Cell], unit: str) -> bool:
    """Whether numbers may be codes: ids by name, dialled numbers, digits of one length."""
    digits = [cell.digits for cell in numbers.values()]
    is_worded = any(cell.is_worded for cell in numbers.values())
    if any(len(form) > 1 and form[0] == "0" and form[1].isdigit() for form in digits):
        return True
    if any(len(form) >= _TOO_LONG and form.isdigit() for form in digits):
        return True
    if unit and not is_worded:
        return False
    if any(cell.dash or cell.is_limit or cell.is_marked for cell in numbers.values()):
        return False
    is_signed = any(cell.is_negative for cell in numbers.values())
    if not is_signed and any(form.lstrip().startswith("+") for form in numbers):
        return True
    folded = fold(name)
    if folded in ID_NAMES or folded.split("_")[-1] in _CODE_NAMES:
        return True
    is_of_one_length = not is_worded and len({len(form) for form in digits}) == 1
    return is_of_one_length and len(digits[0]) > 2 and all(form.isdigit() for form in digits)


def _as_numbers(
    text: pa.ChunkedArray,
    parsed: dict[str, float | None],
    cells: dict[str, _Cell],
    unit: str,
    usual: _Usual | None,
) -> NumberTexts:
    """Numbers by the texts' codes."""
    coded = text.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    forms = coded.dictionary
    table = np.full(len(forms), np.nan)
    if usual is not None:
        table[:] = usual.read(forms).to_numpy(zero_copy_only=False)
    others = np.flatnonzero(np.isnan(table))
    table[others] = [_value(parsed.get(form)) for form in forms.take(others).to_pylist()]
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    known = codes >= 0
    numbers = np.full(len(codes), np.nan)
    numbers[known] = table[codes[known]]
    array = pa.array(numbers, from_pandas=True)
    if unit != "%" and np.array_equal(np.floor(table), table, equal_nan=True):
        array = array.cast(pa.int64())
    first = int(np.argmax(~np.isnan(table)))
    rows = np.bincount(codes[known], minlength=len(forms))

    def counts(told: Callable[[_Cell], object]) -> dict[str, int]:
        """How many rows have each text of which something is told."""
        texts = [form for form, cell in cells.items() if told(cell)]
        places = pc.index_in(pa.array(texts, pa.string()), value_set=forms).to_pylist()
        return {form.strip(): int(rows[at]) for form, at in zip(texts, places, strict=True)}

    return NumberTexts(
        values=pa.chunked_array([array]),
        unit=unit,
        is_worded=any(cell.is_worded for cell in cells.values()),
        example=forms[first].as_py().strip(),
        number=float(table[first]),
        limits=counts(lambda cell: cell.is_limit),
        marked=counts(lambda cell: cell.is_marked),
        sided=counts(lambda cell: cell.side),
    )


def _value(number: float | None) -> float:
    return np.nan if number is None else number
