"""Dates that can be read in one way only: 4 March 2024, 04-MAR-24, 2024/3/4, 3/14/24.

A month's name, or a year in front, settles the order of each cell; of days and months before a year
of two digits the whole column does, where one of them goes beyond 12.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.text.dates import LAST_OF_2000, hours_of_day, whole_part

_MONTHS = (
    "jan january januar janvier janv enero ene gennaio gen januari janeiro jän jänner styczeń",
    "feb february februar février févr fév febrero febbraio februari fevereiro fev luty",
    "mar march märz mär mrz mars marzo maart mrt março",
    "apr april avril avr abril abr aprile kwiecień",
    "may mai mayo maggio mag mei maio maj",
    "jun june juni juin junio giugno giu junho czerwiec",
    "jul july juli juillet juil julio luglio lug julho lipiec",
    "aug august août aout agosto ago augustus sierpień",
    "sep sept september septembre septiembre settembre set setembro wrzesień",
    "oct october oktober okt octobre octubre ottobre ott outubro out październik",
    "nov november novembre noviembre novembro listopad",
    "dec december dezember dez décembre déc diciembre dic dicembre desember dezembro",
)
_NUMBER_OF = {name: at for at, names in enumerate(_MONTHS, start=1) for name in names.split()}
_NAME = r"(?P<name>[^\W\d_]{3,11})\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?", r"(?P<year>\d{4}|\d{2})"
_PARTS = (
    r"^\s*(?P<date>.*?)(?:(?:[ T]|, ?)+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<spare>\d{2}))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?)?\s*$"
)
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,? (?=\d|[^\W\d_]{3,11}\.? ?\d))?"
_OF = r"(?: de| of)? ?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_WEEKDAY}{_DAY}[-/ ]?{_OF}{_NAME}[-/ ,]{{0,2}}{_OF}{_YEAR}",
        rf"{_WEEKDAY}{_NAME}[- ](?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-,]? ?(?P<year>\d{{4}})",
        rf"(?P<year>\d{{4}})[-/ ]{_NAME}[-/ ](?P<day>\d{{1,2}})",
        r"(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})",
        r"(?P<year>\d{4})\. ?(?P<month>\d{2})\. ?(?P<day>\d{2})\.?",  # 2024.1.3 is a version
        r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
    )
)
_SHORT = re.compile(r"(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>\d{2})")
_HEAD = 200
_FEWEST_DAYS = 12  # different ones, and twice as many as years: these do not stand first


def read_written_dates(values: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str] | None:
    """Read a column of texts as dates; None where a cell is none, or could be another day too.

    Returns
    -------
    (dates, words) or None
        date32, or timestamps in seconds where a time of day stands behind; an example.
    """
    head = _dates_among(_cut(values.slice(0, _HEAD)))
    if not head or not (all(map(_SHORT.fullmatch, head)) or all(map(_day_of_form, head))):
        return None
    parts = _cut(values)
    dates = _dates_among(parts)
    read = _reader_of(dates)
    days = {date: None if read is None else read(date) for date in dates}
    hours, minutes = hours_of_day(parts), whole_part(parts, "minute")
    is_clock = (hours < 24) & (minutes < 60) & (whole_part(parts, "spare") < 60)
    if not dates or any(day is None for day in days.values()) or not is_clock.all():
        return None
    coded = pc.dictionary_encode(pc.struct_field(parts, "date"))
    table = np.array(
        [np.datetime64(days.get(d) or "NaT", "D") for d in coded.dictionary.to_pylist()]
    )
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    found = np.where(codes >= 0, table[codes], np.datetime64("NaT", "D"))
    if (pc.not_equal(pc.struct_field(parts, "hour"), "").fill_null(False)).true_count:
        clock = hours * 3_600 + minutes * 60 + whole_part(parts, "spare")
        found = found.astype("datetime64[s]") + clock.astype("timedelta64[s]")
    at = int(np.argmax(~np.isnat(found)))
    example = values.slice(at, 1).cast(pa.string())[0].as_py().strip()
    shown = str(found[at]).replace("T", " ")
    return pa.chunked_array([pa.array(found, from_pandas=True)]), f"{example}: read as {shown}"


def _cut(values: pa.ChunkedArray) -> pa.StructArray:
    """Each text as its date and, behind it, the parts of a time of day."""
    text = values.cast(pa.string()).combine_chunks()
    text = text if isinstance(text, pa.Array) else pa.concat_arrays(text.chunks)
    return pc.extract_regex(text, _PARTS)


def _dates_among(parts: pa.StructArray) -> list[str]:
    dates = pc.struct_field(parts, "date").drop_null().unique().to_pylist()
    return [date for date in dates if date]


def _reader_of(forms: list[str]) -> Callable[[str], datetime.date | None] | None:
    """What reads each of the texts as a day; None where the order of their parts is not clear."""
    short = [_SHORT.fullmatch(form) for form in forms]
    if all(short):
        order = _order_of([found for found in short if found is not None])
        return None if order is None else lambda form: _day_of(_SHORT.fullmatch(form), order)
    return _day_of_form


def _order_of(dates: Iterable[re.Match[str]]) -> tuple[str, str] | None:
    """Which of two numbers before a year of two digits is the day, where the column tells it."""
    first, second, years = (
        {int(found[part]) for found in dates} for part in ("first", "second", "year")
    )
    if max(second) > 12 and max(first) <= 12:
        return "second", "first"
    many = len(first) > _FEWEST_DAYS and len(first) >= 2 * len(years)
    return ("first", "second") if max(first) > 12 >= max(second) and many else None


def _day_of_form(form: str) -> datetime.date | None:
    """The day of a cell that says itself how it is to be read."""
    for pattern in _FORMS:
        found = pattern.fullmatch(form)
        if found is not None:
            return _day_of(found, ("day", "month"))
    return None


def _day_of(found: re.Match[str] | None, names: tuple[str, str]) -> datetime.date | None:
    """The day of a cell taken apart; None where it is not in the calendar."""
    if found is None:
        return None
    part = found.groupdict()
    year = int(part["year"])
    year += (2000 if year <= LAST_OF_2000 else 1900) * (len(part["year"]) == 2)
    named = _NUMBER_OF.get((part.get("name") or "").casefold(), 0)
    month = named if "name" in part else int(part[names[1]])
    try:
        return datetime.date(year, month, int(part[names[0]]))
    except ValueError:
        return None
