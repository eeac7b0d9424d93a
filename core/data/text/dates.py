"""Dates in day-month or month-day order: which it is, and reading them. Never guessed in silence.

Year-month-day is read by the fast reader itself; this is about 03/04/2024, which could be either.
A year may have two digits behind points, 31.12.24: with other marks it could stand first.

Durations such as 1:05:30, and dates that are written as whole numbers: 45123, 20240131.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.roles.names import has_word
from core.data.roles.words import COST_WORDS
from core.document.data.events import fold
from core.document.data.results import ReaderFinding
from payoff.errors import PayoffError

DAY_FIRST, MONTH_FIRST, AS_TEXT = "dmy", "mdy", "text"
_PATTERN = (
    r"^\s*(?:(?P<first>\d{1,2})[./-](?P<second>\d{1,2})[./-](?P<year>\d{4})|"
    r"(?P<one>\d{2})\.(?P<two>\d{2})\.(?P<short>\d{2}))"
    r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<spare>\d{2}))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?)?\s*$"
)
_CELL = re.compile(
    r"\s*(\d{1,2})([./-])(\d{1,2})(?:[./-]\d{4}|(?<=\d\d\.\d\d)\.\d{2})"
    r"(?:[ T]+\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]\.?M\.?)?)?\s*\Z",
    re.IGNORECASE,
)
LAST_OF_2000 = 29
"""Years of two digits are 1930 to 2029, as in spreadsheets."""
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # of the years 1 and 9999, from 1970
_TICKS = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_MOSTLY = 0.9
_HEAD = 1_000


#: Column, row (from 0) and value -> "file, line 5, data row 4, column x, value 'inf'".
Place = Callable[[str, int, str], str]


@dataclass(frozen=True, slots=True)
class ReadDates:
    """Dates of one column, or the first cell that is none (``row`` from 0; -1 = all are)."""

    values: pa.ChunkedArray | None
    row: int = -1
    value: str = ""


def find_date_order(columns: Iterable[tuple[str, Sequence[str]]]) -> ReaderFinding | None:
    """Say in which order the dates of the first rows stand; None where there are none.

    Parameters
    ----------
    columns : iterable of (name, cells)
    """
    days: list[str] = []  # an example for day first ...
    months: list[str] = []  # ... for month first
    doubtful: list[str] = []
    for name, cells in columns:
        found = [_CELL.match(cell) for cell in cells if cell.strip()]
        dates = [match for match in found if match]
        if not dates or len(dates) < _MOSTLY * len(found):
            continue
        day = next((m[0].strip() for m in dates if int(m[1]) > 12 or m[2] == "."), "")
        month = next((m[0].strip() for m in dates if int(m[3]) > 12 and m[2] != "."), "")
        days += [f"{day} in column {name}"] if day else []
        months += [f"{month} in column {name}"] if month else []
        if not day and not month:
            doubtful.append(f"{dates[0][0].strip()} in column {name}")
    return _finding(days, months, doubtful)


def _finding(days: list[str], months: list[str], doubtful: list[str]) -> ReaderFinding | None:
    """Weigh what the columns say."""
    if not (days or months or doubtful):
        return None
    value, reason, is_certain = AS_TEXT, "", False
    if days and months:
        reason = f"{days[0]} has the day first, {months[0]} the month; please say"
    elif days or months:
        value = DAY_FIRST if days else MONTH_FIRST
        which = "day" if days else "month"
        reason, is_certain = f"{(days or months)[0]} can only have the {which} first", True
    else:
        reason = f"{doubtful[0]} could have the day or the month first; please say"
    return ReaderFinding(setting="date_order", value=value, reason=reason, is_certain=is_certain)


def looks_like_dates(values: pa.ChunkedArray) -> bool:
    """Whether nearly all of the first filled cells of a text column are such dates."""
    head = values.slice(0, _HEAD).cast(pa.string()).drop_null()
    if not len(head):
        return False
    share = pc.mean(pc.match_substring_regex(head, _PATTERN).cast(pa.float64())).as_py()
    return bool(share >= _MOSTLY)


def read_dates(values: pa.ChunkedArray, order: str) -> ReadDates:
    """Read a text column as dates in a given order.

    Returns
    -------
    ReadDates
        date32, or timestamps in seconds where a time of day stands behind; or the first cell that
        is no date or not in the calendar.
    """
    text = values.cast(pa.string()).combine_chunks()
    text = text if isinstance(text, pa.Array) else pa.concat_arrays(text.chunks)
    parts = pc.extract_regex(text, _PATTERN)
    known = ~np.asarray(pc.is_null(text))
    fits = ~np.asarray(pc.is_null(parts))
    bad = known & ~fits
    if not bad.any():
        days, is_valid = _days(parts, order)
        bad = known & ~is_valid
    if bad.any():
        row = int(np.argmax(bad))
        return ReadDates(None, row, str(text[row].as_py()).strip())
    hours, minutes = hours_of_day(parts), whole_part(parts, "minute")
    if not (np.asarray(pc.not_equal(pc.struct_field(parts, "hour"), "").fill_null(False))).any():
        return ReadDates(pa.chunked_array([pa.array(days, mask=~known)]))
    seconds = days.astype("datetime64[s]") + (
        hours * 3600 + minutes * 60 + whole_part(parts, "spare")
    ).astype("timedelta64[s]")
    return ReadDates(pa.chunked_array([pa.array(seconds, mask=~known)]))


def _days(parts: pa.StructArray, order: str) -> tuple[np.ndarray, np.ndarray]:
    """Days since 1970 and whether each is in the calendar."""
    first = whole_part(parts, "first") + whole_part(parts, "one")
    second = whole_part(parts, "second") + whole_part(parts, "two")
    day, month = (first, second) if order == DAY_FIRST else (second, first)
    in_year = (month >= 1) & (month <= 12)
    months = (_years(parts) - 1970) * 12 + np.where(in_year, month, 1) - 1
    begin = months.astype("datetime64[M]")
    length = ((begin + 1).astype("datetime64[D]") - begin.astype("datetime64[D]")).astype(int)
    is_valid = in_year & (day >= 1) & (day <= length)
    is_valid &= (hours_of_day(parts) < 24) & (whole_part(parts, "minute") < 60)
    return begin.astype("datetime64[D]") + np.where(is_valid, day - 1, 0), is_valid


def _years(parts: pa.StructArray) -> np.ndarray:
    """Years of four digits; of two digits those that are nearest to today."""
    short = whole_part(parts, "short")
    is_short = np.asarray(pc.not_equal(pc.struct_field(parts, "short"), "").fill_null(False))
    return np.where(
        is_short, short + np.where(short <= LAST_OF_2000, 2000, 1900), whole_part(parts, "year")
    )


def hours_of_day(parts: pa.StructArray) -> np.ndarray:
    """The hours of a day; of halves of one, where 12 stands for 0, an hour of 13 is none: 99."""
    hours = whole_part(parts, "hour")
    half = np.asarray(pc.utf8_lower(pc.struct_field(parts, "half").fill_null("")))
    of_half = np.where((hours >= 1) & (hours <= 12), hours % 12 + 12 * (half == "p"), 99)
    return np.where(half == "", hours, of_half)


def whole_part(parts: pa.StructArray, name: str) -> np.ndarray:
    """One group of the pattern as whole numbers; 0 where it is empty."""
    text = pc.struct_field(parts, name).fill_null("")
    digits = pc.if_else(pc.equal(text, ""), "0", text)
    return np.asarray(digits.cast(pa.int64()))


_DURATION = (
    r"^\s*(?P<sign>-)?(?:(?P<days>\d+) ?(?:d|days?),? +)?(?P<first>\d+):(?P<second>[0-5]\d)"
    r"(?::(?P<third>[0-5]\d(?:[.,]\d+)?))?\s*$"
)
_LENGTHS = (
    *("duration", "elapsed", "wait", "waiting", "hold", "talk", "handle", "handling", "delay"),
    *("lag", "los", "aht", "acw", "asa", "idle", "downtime", "uptime", "runtime", "dauer"),
    *(
        "durée",
        "attente",
        "retard",
        "délai",
        "duración",
        "espera",
        "durata",
        "attesa",
        "verspätung",
    ),
)
_LENGTH_NAME = re.compile(
    r"(?:dauer|(?:warte|bearbeitungs|lauf|gesprächs|fahr|reaktions|stand|verweil|rüst)zeit)\Z|"
    r"\Atime_to_|(?:response|resolution|process(?:ing)?|travel|cycle|lead|run|turnaround|service|"
    r"queue|call|work|down|up)_?time\Z"
)
_FEWEST_LENGTHS = 20  # different ones below an hour: of times of day these would be after midnight


def read_durations(
    name: str, values: pa.ChunkedArray, *, is_stated: bool
) -> tuple[pa.ChunkedArray, str] | None:
    """Read a text column of durations as numbers; None where it is none, or may be times of day.

    Parameters
    ----------
    name : str
        The column's name, which may say that it is a duration.
    values : pyarrow.ChunkedArray
        Texts.
    is_stated : bool
        Whether a person wants numbers; else 8:30 may be a time of day.

    Returns
    -------
    (numbers, words) or None
        Seconds, or of cells of two parts such as 8:30 the smaller of their units; an example.
    """
    head = values.slice(0, _HEAD).cast(pa.string()).drop_null()
    if not len(head) or not pc.all(pc.match_substring_regex(head, _DURATION)).as_py():
        return None
    text = values.cast(pa.string()).combine_chunks()
    text = text if isinstance(text, pa.Array) else pa.concat_arrays(text.chunks)
    parts = pc.extract_regex(text, _DURATION)
    known = ~np.asarray(pc.is_null(text))
    if (known & np.asarray(pc.is_null(parts))).any():
        return None
    first, days = whole_part(parts, "first"), whole_part(parts, "days")
    third = pc.replace_substring(pc.struct_field(parts, "third").fill_null(""), ",", ".")
    has_third = np.asarray(pc.not_equal(third, ""))
    seconds = np.asarray(pc.if_else(pc.equal(third, ""), "0", third).cast(pa.float64()))
    is_long = bool(
        (first > 23).any() or days.any() or (has_third.any() and not has_third[known].all())
    )
    is_short = has_third.all() and len(np.unique(text)) >= _FEWEST_LENGTHS and not first.any()
    if not (is_stated or is_long or is_short or _names_duration(name)):
        return None
    smaller = first * 60 + whole_part(parts, "second")
    hours = np.where(has_third, smaller * 60 + seconds, smaller)
    in_days = days * np.where(has_third.any(), 86_400, 1_440)
    is_negative = np.asarray(pc.equal(pc.struct_field(parts, "sign").fill_null(""), "-"))
    numbers = np.where(is_negative, -1, 1) * (hours + in_days)
    at = int(np.argmax(known & (numbers != 0)))
    unit = " seconds" if has_third.any() else ", in the smaller of its two units"
    words = f"{text[at].as_py().strip()}: read as {numbers[at]:,.6g}{unit}"
    column = pa.array(numbers, mask=~known)
    is_whole = bool((numbers == np.floor(numbers)).all())
    return pa.chunked_array([column.cast(pa.int64()) if is_whole else column]), words


def _names_duration(name: str) -> bool:
    folded = fold(name)
    return bool(set(folded.split("_")) & set(_LENGTHS)) or bool(_LENGTH_NAME.search(folded))


_DATE_NAME = re.compile(r"(?:\A|_)(?:date|dates|dt|datum|fecha|dato|tarih|dátum)(?:_|\Z)|datum\Z")
#: Of when something was, whole or at the end of a German word: "opened", "Vertragsende".
_MOMENT_NAME = re.compile(
    r"(?:\A|_)(?:opened|closed|started|ended|issued|expires|expiry|maturity|since|birth|dob|born|seit|"
    r"geboren|geburtstag|ouverture|échéance|naissance|clôture|vencimiento|nacimiento|scadenza|"
    r"nascita)(?:_|\Z)|"
    r"(?:\A|_)(?:valid|gültig|valable|contract|policy|loan|membership|coverage|vertrag)_"
    r"(?:from|to|until|start|begin|end|von|bis|ab|du|au)\Z|"
    r"(?:eröffnet|erstellt|geschlossen|angelegt|gekündigt|abgeschlossen|created|updated|signed)_"
    r"(?:am|at|on)\Z|"
    r"[^\W_](?:ende|beginn|start|abschluss|fälligkeit|eintritt|austritt|eröffnung|ablauf)\Z"
)
"""A start, end, from or until alone may be one of kilometres or amounts: "salary_from"."""
_NUMBERING = ("no", "nr", "id", "number", "nummer", "num", "numéro", "numero")
"""Of orders that count days and cases: "order_no" 20240131."""
_FIRST_SERIAL, _LAST_SERIAL = 25_569, 60_000  # 1970 and 2064, as spreadsheets count days
_EARLY, _LATE, _SPAN = 29_221, 54_789, 15_000  # 1980 and 2050; days that a file is about
_FEWEST_ENDS, _FEWEST_WORKDAYS, _FEWEST_WRITTEN = 20, 60, 12  # different ones, to be no chance
_FIRST_WRITTEN, _LAST_WRITTEN = 19_000_101, 21_001_231


def read_whole_dates(name: str, values: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str] | None:
    """Read whole numbers as dates where all of them may be one, and name or numbers say so.

    Year, month and day in eight digits, or days as spreadsheets count them: the ends or beginnings
    of months, or no weekend among many. Amounts and ids fall on all days.

    Returns
    -------
    (dates, words) or None
        date32; an example with how it was read.
    """
    if len(values) == values.null_count:
        return None
    known = ~np.asarray(pc.is_null(values))
    numbers = np.asarray(pc.fill_null(values, 0).cast(pa.int64()))
    low, high = int(numbers[known].min()), int(numbers[known].max())
    is_named = bool(_DATE_NAME.search(fold(name)))
    if has_word(name, (*COST_WORDS, *_NUMBERING)) and not is_named:
        return None
    if low >= _FIRST_SERIAL and high <= _LAST_SERIAL:
        days, how = numbers - _FIRST_SERIAL, "as spreadsheets count days"
        dates = days.astype("datetime64[D]")
        is_usual = low >= _EARLY and high <= _LATE and high - low <= _SPAN
        is_moment = bool(_MOMENT_NAME.search(fold(name)))
        if not is_named and not (is_usual and (is_moment or _keep_calendar(dates[known]))):
            return None
    elif low >= _FIRST_WRITTEN and high <= _LAST_WRITTEN:
        year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
        in_year = (month >= 1) & (month <= 12)
        begin = ((year - 1970) * 12 + np.where(in_year, month, 1) - 1).astype("datetime64[M]")
        dates = begin.astype("datetime64[D]") + day - 1
        if (known & ~(in_year & (day >= 1) & (dates < (begin + 1).astype("datetime64[D]")))).any():
            return None
        if not is_named and len(np.unique(numbers[known])) < _FEWEST_WRITTEN:
            return None
        how = "year, month, day"
    else:
        return None
    at = int(np.argmax(known))
    words = f"{numbers[at]}: read as {dates[at]}, {how}"
    return pa.chunked_array([pa.array(dates, mask=~known)]), words


def _keep_calendar(dates: np.ndarray) -> bool:
    """Whether days are all ends, or all beginnings, of months; or many, and none on a weekend."""
    days = np.unique(dates)
    months = days.astype("datetime64[M]")
    begins, ends = (
        days == months.astype("datetime64[D]"),
        days + 1 == (months + 1).astype(days.dtype),
    )
    if len(days) >= _FEWEST_ENDS and (begins.all() or ends.all()):
        return True
    return len(days) >= _FEWEST_WORKDAYS and bool(np.is_busday(days).all())


def refuse_far_dates(name: str, values: pa.ChunkedArray, place: Place) -> None:
    """Refuse dates and times beyond the years that a calendar here has.

    Typed files may hold any count of days or of parts of a second, damaged ones do.

    Raises
    ------
    PayoffError
    """
    kind = values.type
    if pa.types.is_date32(kind):
        a_day, ticks = 1, values.cast(pa.int32()).cast(pa.int64())
    else:
        a_day = _TICKS["ms" if pa.types.is_date64(kind) else kind.unit]
        ticks = values.cast(pa.int64())
    low, high = pc.min_max(ticks).as_py().values()
    # A day at each end is left to the time zones.
    first, last = (_FIRST_DAY + 1) * a_day, _LAST_DAY * a_day
    if low is None or (low >= first and high < last):
        return
    is_far = pc.or_(pc.less(ticks, first), pc.greater_equal(ticks, last))
    row = pc.index(is_far, True).as_py()
    raise PayoffError(
        "A date is outside the years 1 to 9999.",
        where=place(name, row, f"{ticks[row].as_py():,}"),
        why="The value is the count from 1970 that the file holds.",
        remedy="Mend the cell; the file may be damaged.",
    )
