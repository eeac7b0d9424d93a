"""Dates in day-month or month-day order: which it is, and reading them. Never guessed in silence.

Year-month-day is read by the fast reader itself; this is about 03/04/2024, which could be either.
A year may have two digits behind points, 31.12.24: with other marks it could stand first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.document.data.results import ReaderFinding
from payoff.errors import PayoffError

DAY_FIRST, MONTH_FIRST, AS_TEXT = "dmy", "mdy", "text"
_PATTERN = (
    r"^\s*(?:(?P<first>\d{1,2})[./-](?P<second>\d{1,2})[./-](?P<year>\d{4})|"
    r"(?P<one>\d{2})\.(?P<two>\d{2})\.(?P<short>\d{2}))"
    r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<spare>\d{2}))?)?\s*$"
)
_CELL = re.compile(
    r"\s*(\d{1,2})([./-])(\d{1,2})(?:[./-]\d{4}|(?<=\d\d\.\d\d)\.\d{2})"
    r"(?:[ T]+\d{1,2}:\d{2}(?::\d{2})?)?\s*\Z"
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
    hours, minutes = _part(parts, "hour"), _part(parts, "minute")
    if not (np.asarray(pc.not_equal(pc.struct_field(parts, "hour"), "").fill_null(False))).any():
        return ReadDates(pa.chunked_array([pa.array(days, mask=~known)]))
    seconds = days.astype("datetime64[s]") + (
        hours * 3600 + minutes * 60 + _part(parts, "spare")
    ).astype("timedelta64[s]")
    return ReadDates(pa.chunked_array([pa.array(seconds, mask=~known)]))


def _days(parts: pa.StructArray, order: str) -> tuple[np.ndarray, np.ndarray]:
    """Days since 1970 and whether each is in the calendar."""
    first = _part(parts, "first") + _part(parts, "one")
    second = _part(parts, "second") + _part(parts, "two")
    day, month = (first, second) if order == DAY_FIRST else (second, first)
    in_year = (month >= 1) & (month <= 12)
    months = (_years(parts) - 1970) * 12 + np.where(in_year, month, 1) - 1
    begin = months.astype("datetime64[M]")
    length = ((begin + 1).astype("datetime64[D]") - begin.astype("datetime64[D]")).astype(int)
    is_valid = in_year & (day >= 1) & (day <= length)
    is_valid &= (_part(parts, "hour") < 24) & (_part(parts, "minute") < 60)
    return begin.astype("datetime64[D]") + np.where(is_valid, day - 1, 0), is_valid


def _years(parts: pa.StructArray) -> np.ndarray:
    """Years of four digits; of two digits those that are nearest to today."""
    short = _part(parts, "short")
    is_short = np.asarray(pc.not_equal(pc.struct_field(parts, "short"), "").fill_null(False))
    return np.where(
        is_short, short + np.where(short <= LAST_OF_2000, 2000, 1900), _part(parts, "year")
    )


def _part(parts: pa.StructArray, name: str) -> np.ndarray:
    """One group of the pattern as whole numbers; 0 where it is empty."""
    text = pc.struct_field(parts, name).fill_null("")
    digits = pc.if_else(pc.equal(text, ""), "0", text)
    return np.asarray(digits.cast(pa.int64()))


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
