"""What each column is once the whole of it was read: integer, number, text, boolean or date.

The fast reader settles types over the whole file. What it would spoil is put right here: ids with
leading zeros or beyond 2^53 stay text, as do 1E5 among whole numbers, telephone numbers and times
of day; numbers with thousands marks become numbers, infinities are refused. A column that is text
has its cells as they are in the file, whatever marks the numbers of other columns have.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.currency import with_money
from core.data.reading.group_labels import fill_labels
from core.data.roles.names import names_probability, split_score_name
from core.data.text.dates import (
    AS_TEXT,
    DAY_FIRST,
    MONTH_FIRST,
    Place,
    find_date_order,
    looks_like_dates,
    read_dates,
    read_durations,
    read_whole_dates,
    refuse_far_dates,
)
from core.data.text.list_texts import spread_texts
from core.data.text.number_texts import (
    DRESSED_PATTERN,
    NumberTexts,
    read_number_texts,
    why_no_numbers,
)
from core.data.text.written_dates import read_written_dates
from core.document.data.events import fold
from core.document.data.model import ReaderSettings
from payoff.counting import counted_of
from payoff.errors import PayoffError

LARGEST_EXACT = 2**53
NUMBER_PATTERN = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$"
_MOSTLY = 0.9
_HALF, _MARKS = 0.5, 2  # of numbers beside no more than two words: these are marks
_SHOWN_FORMS, _HEAD_ROWS = 3, 1_000
_FEWEST_FORMS = 3  # of numbers with signs, for another text among them to be a slip
_ZONE = r" ?(?:(UTC|GMT|Z)|([+-]\d{2}:?(?:\d{2})?)) *$"
_IN_ZONE = rf"^ *\d{{4}}-\d{{2}}-\d{{2}}[ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d{{1,6}})?)?{_ZONE}"
_ISO = r"^ *\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)? *$"
_PER_MILLE = re.compile(r"‰|pro_?mille|per[ _-]?mil(?:le)?(?![a-z])|pour[ _-]?mille|por[ _-]?mil\b")
_BASIS_POINTS = re.compile(
    r"(?<![a-z])(?:bps?|basis[ _-]?points?|basispunkte?|points? de base)(?![a-z])"
)
_BLANK = r"^\s+$"
_AS_FORMULA = r'^="([^"]*)"$'
_MEASURED = re.compile(
    r"(?:\A|_)(?:age|age_at_\w+|alter|years|months|weeks|days|jahre|monate|wochen|tage|mois|jours)\Z"
)
_TICKS = ("x", "X", "\u2713", "\u2714", "\u2611")

#: Names of columns -> the same columns read as text.
Reread = Callable[[list[str]], dict[str, pa.ChunkedArray]]


@dataclass(slots=True, kw_only=True)
class Settling:
    """What settling needs to know, and the warnings it gives."""

    settings: ReaderSettings
    reread: Reread
    place: Place
    padded: frozenset[str] = frozenset()  # columns with a cell such as 007
    has_tiny_numbers: bool = False
    is_typed: bool = False  # numbers came as numbers: there is no text that they could have spoilt
    decimals_in_texts: bool = True  # texts such as 0,25 may be numbers where no mark is known
    has_stated_dates: bool = False  # the order was said by the user, not found
    kept_text: list[str] = field(default_factory=list)  # columns of dates with a cell that is none
    signed: list[tuple[str, NumberTexts]] = field(default_factory=list)  # numbers with a sign
    empty: list[str] = field(default_factory=list)  # columns without any value
    warnings: list[str] = field(default_factory=list)

    @property
    def reads_texts(self) -> bool:
        """Whether what people write into cells is read as it is meant: "6,96 %", a tick."""
        return self.settings.number_texts is not False and self.decimals_in_texts


def settle_columns(table: pa.Table, settling: Settling) -> tuple[pa.Table, dict[str, str]]:
    """Settle every column; return the table and the kind of each column."""
    columns: dict[str, pa.ChunkedArray] = dict(zip(table.column_names, table.columns, strict=True))
    if settling.reads_texts:
        settling.warnings += fill_labels(columns)
    kept = _keep_ids(columns, settling)
    wanted = dict(settling.settings.column_types)
    kinds: dict[str, str] = dict.fromkeys(kept, "text")
    for name, values in columns.items():
        if name in kept:
            continue
        columns[name], kinds[name] = _settle_one(name, values, wanted.get(name), settling)
        if wanted.get(name) is None and kinds[name] in ("integer", "number"):
            shares = _shares_of_thousand(name, columns[name], settling)
            if shares is not None:
                columns[name], kinds[name] = shares, "number"
    columns = _without_lists(columns, kinds, settling)
    _tell_empty(settling)
    _tell_signed(settling)
    if settling.has_tiny_numbers:
        _warn_underflow(columns, kinds, settling)
    money = {n: r.unit for n, r in settling.signed if r.unit != "%" and not r.is_worded}
    return with_money(pa.table(columns), money), {name: kinds[name] for name in columns}


def _without_lists(
    columns: dict[str, pa.ChunkedArray], kinds: dict[str, str], settling: Settling
) -> dict[str, pa.ChunkedArray]:
    """Texts that are lists of numbers as a column for each of these, in their place."""
    wanted = dict(settling.settings.column_types)
    texts = {n: v for n, v in columns.items() if kinds[n] == "text" and wanted.get(n) is None}
    spread = spread_texts(texts, settling.warnings) if settling.reads_texts else {}
    placed: dict[str, pa.ChunkedArray] = {}
    for name, values in columns.items():
        placed |= spread.get(name, {name: values})
        kinds |= dict.fromkeys(spread.get(name, ()), "number")
    return placed


def _keep_ids(columns: dict[str, pa.ChunkedArray], settling: Settling) -> set[str]:
    """Read columns that a number, or a time of day, would spoil as text; their names."""
    wanted = dict(settling.settings.column_types)
    suspects = [
        name
        for name, values in columns.items()
        if (wanted.get(name) not in ("number", "text") or pa.types.is_time(values.type))
        and _needs_preview(name, values, settling)
    ]
    if not suspects:
        return set()
    kept: set[str] = set()
    for name, text in settling.reread(suspects).items():
        is_time = pa.types.is_time(columns[name].type)
        if is_time and wanted.get(name) != "text":
            lengths = _settle_durations(name, text, wanted.get(name), settling)
            if lengths is not None:
                columns[name] = lengths
                continue
        reason = "" if is_time else _id_reason(text, settling.settings.decimal or ".")
        if reason and settling.reads_texts and _is_measured(name, text):
            continue
        if reason:
            settling.warnings.append(f"Column '{name}' is kept as text: {reason}.")
        if reason or is_time:
            columns[name] = text
            kept.add(name)
    return kept


def _is_measured(name: str, text: pa.ChunkedArray) -> bool:
    """Whether digits filled up with zeros are a number: registers write ages and months so."""
    is_short = pc.match_substring_regex(text, r"^\s*[0-9]{2,4}\s*$")
    is_one_length = pc.count_distinct(pc.utf8_length(text)).as_py() == 1
    return bool(_MEASURED.search(fold(name))) and is_one_length and bool(pc.all(is_short).as_py())


def _needs_preview(name: str, values: pa.ChunkedArray, settling: Settling) -> bool:
    """Whether a column may have lost something of its text."""
    kind = values.type
    is_whole = pa.types.is_integer(kind)
    if len(values) == values.null_count or not (is_whole or kind == pa.float64()):
        return bool(pa.types.is_time(kind))
    if name in settling.padded:
        return True
    if settling.is_typed and not is_whole:
        return False
    if is_whole:
        low, high = pc.min_max(values).as_py().values()
        return bool(max(abs(low), abs(high)) > LARGEST_EXACT)
    head = values.slice(0, 10_000)
    if pc.any(pc.not_equal(head, pc.floor(head))).as_py():
        return False
    return not bool(pc.any(pc.not_equal(values, pc.floor(values))).as_py())


def _id_reason(text: pa.ChunkedArray, decimal: str) -> str:
    """Why a column of digits is no number, or nothing."""
    padded = _first_match(text, r"^\s*[+-]?0[0-9xX]")
    if padded:
        return f"values such as {padded} have leading zeros"
    has_decimals = bool(_first_match(text, re.escape(decimal)))
    long = "" if has_decimals else _too_long(text)
    if long:
        return f"values such as {long} are longer than a number can hold exactly"
    coded = "" if has_decimals else _first_match(text, r"^\s*[0-9]+[eE][0-9]+\s*$")
    if coded:
        return f"values such as {coded} may be codes, not powers of ten"
    dialled = "" if has_decimals else _first_match(text, r"^\s*\+[0-9]")
    if dialled and not _first_match(text, r"^\s*-"):
        return f"values such as {dialled} begin with a plus, as telephone numbers do"
    return ""


def _too_long(text: pa.ChunkedArray) -> str:
    """The first whole number that a double does not hold exactly, or nothing."""
    if _first_match(text, r"^\s*[+-]?[0-9]*[eE]"):
        return ""
    long = _first_match(text, r"^\s*[+-]?[0-9]{17,}\s*$")
    if long:
        return long
    digits = text.filter(pc.match_substring_regex(text, r"^\s*[+-]?[0-9]{16}\s*$"))
    if not len(digits):
        return ""
    plain = pc.replace_substring(pc.utf8_trim_whitespace(digits), "+", "")
    beyond = pc.greater(pc.abs(plain.cast(pa.int64())), LARGEST_EXACT)
    row = pc.index(beyond, True).as_py()
    return str(digits[row].as_py()).strip() if row >= 0 else ""


def _first_match(text: pa.ChunkedArray, pattern: str) -> str:
    """The first value that matches a pattern, or nothing."""
    found = pc.index(pc.match_substring_regex(text, pattern), True).as_py()
    return str(text[found].as_py()).strip() if found >= 0 else ""


def _settle_one(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> tuple[pa.ChunkedArray, str]:
    """What one column is, by all its values: an integer, number, text, boolean or date."""
    kind = values.type
    if pa.types.is_null(kind):
        if len(values):
            settling.empty.append(name)
        return values.cast(pa.float64()), "number"
    if pa.types.is_boolean(kind):
        return values, "boolean"
    if pa.types.is_integer(kind):
        read = read_whole_dates(name, values) if wanted is None and settling.reads_texts else None
        if read is not None:
            settling.warnings.append(f"Column '{name}' holds dates such as {read[1]}.")
            return read[0], "date"
        return values.cast(pa.int64()), "integer"
    if pa.types.is_floating(kind):
        return finite_numbers(name, values.cast(pa.float64()), settling.place), "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        refuse_far_dates(name, values, settling.place)
        return values, "date"
    if pa.types.is_time(kind):
        return values.cast(pa.string()), "text"
    return _settle_text(name, values, wanted, settling)


def _shares_of_thousand(
    name: str, values: pa.ChunkedArray, settling: Settling
) -> pa.ChunkedArray | None:
    """Chances that are in thousandths or basis points by name or unit, as shares; else None."""
    unit = next((read.unit for signed, read in settling.signed if signed == name), "")
    said = f"{name.casefold()} {unit}"
    in_points = bool(_BASIS_POINTS.search(said))
    is_said = in_points or bool(_PER_MILLE.search(said))
    is_chance = split_score_name(name, (), "") is not None if is_said else names_probability(name)
    if not is_chance or not settling.reads_texts or len(values) == values.null_count:
        return None
    low, high = pc.min_max(values).as_py().values()
    whole, what = (10_000.0, "basis points") if in_points else (1_000.0, "thousandths")
    if low < 0.0 or not (1.0 if is_said else 100.0) < high <= whole:
        return None
    shares = pc.divide(values.cast(pa.float64()), whole)
    at = pc.index(pc.is_valid(values), True).as_py()
    settling.warnings.append(
        f"Column '{name}' holds chances in {what}, such as {values[at].as_py():.6g}: read as "
        f"shares ({shares[at].as_py():.6g})"
        + (f"; no chance is {high:.6g} %, please check." if not is_said else ".")
    )
    return shares


def finite_numbers(name: str, values: pa.ChunkedArray, place: Place) -> pa.ChunkedArray:
    """A column of floating numbers with NaN as missing cells.

    Raises
    ------
    PayoffError
        For an infinite number; ``place`` says where it is.
    """
    if _is_finite(values):
        return values
    values = without_nan(values)
    _refuse_infinite(name, values, place)
    return values


def _is_finite(values: pa.ChunkedArray) -> bool:
    """Whether no value is NaN or infinite: one sum tells, unless it overflows itself."""
    total = pc.sum(values).as_py()
    return total is None or bool(np.isfinite(total))


def without_nan(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """NaN is a missing value: one mark for both."""
    nan = pc.is_nan(values)
    if not pc.any(nan).as_py():
        return values
    return pc.if_else(nan, pa.scalar(None, values.type), values)


def _refuse_infinite(name: str, values: pa.ChunkedArray, place: Place) -> None:
    """Refuse infinities and numbers beyond 1.8e308."""
    if len(values) == values.null_count:
        return
    low, high = pc.min_max(values).as_py().values()
    if np.isfinite(low) and np.isfinite(high):
        return
    row = pc.index(pc.is_inf(values), True).as_py()
    raise PayoffError(
        "A number is infinite or too large.",
        where=place(name, row, ""),
        why="Numbers go up to 1.8e308.",
        remedy="Mend the cell, or add its text to the missing marks in the import settings.",
    )


def _settle_text(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> tuple[pa.ChunkedArray, str]:
    """Text stays text, unless it is numbers with thousands marks, or dates of a known order."""
    if settling.reads_texts:
        values = _without_formula(name, values, settling)
    if wanted != "text" and settling.reads_texts:
        values = _without_blanks(name, values, settling)
        if not pa.types.is_string(_plain_type(values.type)):
            return _settle_one(name, values, wanted, settling)
    times = _settle_times(name, values, wanted, settling)
    if times is not None:
        return times
    numbers = None if wanted == "text" else _settle_grouped(name, values, wanted, settling)
    if numbers is not None:
        return numbers, "number"
    if wanted in (None, "number") and settling.settings.number_texts is not False:
        read = _settle_number_texts(name, values, settling)
        if read is not None:
            return read.values, "integer" if pa.types.is_integer(read.values.type) else "number"
    if wanted == "number":
        row, value = first_non_number(values, settling.settings.decimal or ".")
        raise PayoffError(
            f"Column '{name}' is to be a number, and one cell is none.",
            where=settling.place(name, row, value),
            remedy="Mend the cell, add its text to the missing marks, or read the column as text.",
        )
    if wanted is None and settling.reads_texts:
        ticked = _settle_ticks(name, values, settling)
        if ticked is not None:
            return ticked, "boolean"
    if wanted != "text":
        _warn_mixed(name, values, settling)
    return values, "text"


def _without_formula(name: str, values: pa.ChunkedArray, settling: Settling) -> pa.ChunkedArray:
    """Texts that portals write as formulas, ="007", so that spreadsheets leave them alone."""
    for part in (values.slice(0, _HEAD_ROWS), values):
        text = part.cast(pa.string())
        is_such = pc.match_substring_regex(text, _AS_FORMULA)
        if len(text) == text.null_count or not pc.all(is_such).as_py():
            return values
    bare = pc.replace_substring_regex(text, _AS_FORMULA, r"\1")
    settling.warnings.append(f"Column '{name}' has its texts as formulas: read as the texts.")
    return bare


def _settle_times(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> tuple[pa.ChunkedArray, str] | None:
    """Durations as numbers, dates and times as what they are; None for other texts."""
    if wanted in (None, "number"):
        lengths = _settle_durations(name, values, wanted, settling)
        if lengths is not None:
            return lengths, "integer" if pa.types.is_integer(lengths.type) else "number"
    if wanted in (None, "date"):
        dates = _without_zone(values) if settling.reads_texts else None
        if dates is None and settling.reads_texts and settling.settings.date_order != AS_TEXT:
            written = read_written_dates(values)
            if written is not None:
                settling.warnings.append(f"Column '{name}' holds dates such as {written[1]}.")
                return written[0], "date"
        dates = _settle_dates(name, values, wanted, settling) if dates is None else dates
        if dates is not None:
            return dates, "date"
    return None


def _settle_durations(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> pa.ChunkedArray | None:
    """Durations as numbers; None for times of day and other texts."""
    if not settling.reads_texts:
        return None
    read = read_durations(name, values, is_stated=wanted == "number")
    if read is None:
        return None
    settling.warnings.append(f"Column '{name}' holds durations such as {read[1]}.")
    return read[0]


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of a column's values, coded or not."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _without_blanks(name: str, values: pa.ChunkedArray, settling: Settling) -> pa.ChunkedArray:
    """Numbers that only cells of nothing but spaces made texts; all other texts as they are."""
    head = values.slice(0, _HEAD_ROWS).cast(pa.string())
    number = NUMBER_PATTERN.replace(r"\.", re.escape(settling.settings.decimal or "."))
    if not pc.all(pc.match_substring_regex(head, rf"{number}|{_BLANK}")).as_py():
        return values
    text = values.cast(pa.string())
    is_blank = pc.match_substring_regex(text, _BLANK)
    count = pc.sum(is_blank).as_py() or 0
    filled = pc.if_else(is_blank, pa.scalar(None, pa.string()), text)
    if not count or filled.null_count == len(filled):
        return values
    numbers = parse_grouped(filled, settling.settings.decimal or ".", "")
    if numbers is None or _id_reason(filled, settling.settings.decimal or "."):
        return values
    told = counted_of(count, len(values), "row", verbs="holds/hold")
    settling.warnings.append(f"Column '{name}': {told} nothing but spaces, read as missing.")
    is_whole = not pc.any(pc.not_equal(numbers, pc.floor(numbers))).as_py()
    has_decimals = bool(_first_match(filled, re.escape(settling.settings.decimal or ".")))
    return numbers.cast(pa.int64()) if is_whole and not has_decimals else numbers


def _settle_number_texts(
    name: str, values: pa.ChunkedArray, settling: Settling
) -> NumberTexts | None:
    """Numbers with a percent sign, a currency or brackets; what is said of them."""
    settings = settling.settings
    decimal = settings.decimal or ("" if settling.decimals_in_texts else ".")
    read = read_number_texts(name, values, decimal, settings.thousands or "")
    if read is None:
        return None
    if read.unit:
        settling.signed.append((name, read))
    for rows, what in (
        (read.limits, "a limit in place of a number: it is read as the limit itself"),
        (read.marked, "a mark beside the number, and are read without it"),
        (read.sided, "CR or DR behind the number, and are read as negative"),
    ):
        if rows:
            forms = sorted(rows, key=lambda form: (-rows[form], form))
            shown = ", ".join(forms[:_SHOWN_FORMS]) + ", ..." * bool(forms[_SHOWN_FORMS:])
            count = counted_of(sum(rows.values()), len(values), "row", verbs="has/have")
            settling.warnings.append(f"Column '{name}': {count} {what} ({shown}).")
    return read


def _tell_empty(settling: Settling) -> None:
    """Say which columns hold nothing, in one sentence."""
    if settling.empty:
        names = ", ".join(f"'{name}'" for name in settling.empty[:6])
        names += " ..." * bool(settling.empty[6:])
        what = "Columns {} hold" if settling.empty[1:] else "Column {} holds"
        settling.warnings.append(f"{what.format(names)} no value at all.")


def _tell_signed(settling: Settling) -> None:
    """Say which columns hold percentages or amounts as text, one sentence for each sign."""
    for unit in dict.fromkeys(read.unit for _, read in settling.signed):
        alike = [(name, read) for name, read in settling.signed if read.unit == unit]
        names = ", ".join(f"'{name}'" for name, _ in alike[:6]) + (" ..." if alike[6:] else "")
        column = "Column" if len(alike) == 1 else "Columns"
        verb = "holds" if len(alike) == 1 else "hold"
        first = alike[0][1]
        what = "percentages" if unit == "%" else "amounts"
        what = "numbers with a unit" if first.is_worded else what
        as_what = f"shares ({first.number:.6g})" if unit == "%" else "numbers"
        settling.warnings.append(
            f"{column} {names} {verb} {what} such as {first.example}: read as {as_what}."
        )


def _settle_ticks(name: str, values: pa.ChunkedArray, settling: Settling) -> pa.ChunkedArray | None:
    """Yes where a cell is ticked, no where it holds nothing; None for other texts."""
    marks = {*_TICKS, name.strip()}  # a survey's answer stands below its own name
    if not _forms(values.slice(0, 1_000)) <= {"", *marks}:  # most columns of texts
        return None
    ticks = _forms(values) - {""}
    text = pc.fill_null(pc.utf8_trim_whitespace(values.cast(pa.string())), "")
    if len(ticks) != 1 or not ticks <= marks or not pc.any(pc.equal(text, "")).as_py():
        return None
    (tick,) = ticks
    ticked = pc.equal(text, tick)
    count = pc.sum(ticked).as_py()
    settling.warnings.append(
        f"Column '{name}' holds '{tick}' in {counted_of(count, len(values), 'row')} and nothing "
        "in the others: read as true and false."
    )
    return ticked


def _forms(values: pa.ChunkedArray) -> set[str]:
    """The different texts of a column."""
    return set(pc.unique(pc.utf8_trim_whitespace(values.cast(pa.string()))).to_pylist()) - {None}


def _without_zone(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Times that name their zone in every cell, as those of Greenwich; None for others."""
    for part in (values.slice(0, _HEAD_ROWS), values):
        text = part.cast(pa.string())
        is_time = pc.match_substring_regex(text, _IN_ZONE)
        if len(text) == text.null_count or not pc.all(is_time).as_py():
            return None
    try:
        plain = pc.replace_substring_regex(text, r" ?(UTC|GMT|Z) *$", "Z")
        plain = pc.replace_substring_regex(plain, r" ?([+-]\d{2}):?(\d{2})? *$", r"\1\2")
        return pc.cast(pc.cast(plain, pa.timestamp("us", "UTC")), pa.timestamp("us"))
    except pa.ArrowInvalid:  # a day that is not in the calendar
        return None


def _settle_dates(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> pa.ChunkedArray | None:
    """Dates in the order that is known; None where the column stays text."""
    order = settling.settings.date_order
    if order is None and settling.is_typed and settling.reads_texts:
        dates = _year_first(values)
        dates = _both_ways(name, values, settling) if dates is None else dates
        if dates is not None:
            return dates
        order = _own_order(name, values)
    if wanted is None and (order in (None, AS_TEXT) or not looks_like_dates(values)):
        return None
    read = read_dates(values, order or AS_TEXT)
    if read.values is not None:
        return read.values
    where = settling.place(name, read.row, read.value)
    if wanted is None and not settling.has_stated_dates:
        settling.warnings.append(
            f"Column '{name}' is read as text, because not every cell is a date ({where})."
        )
        settling.kept_text.append(name)
        return None
    words = {DAY_FIRST: "day, month, year", MONTH_FIRST: "month, day, year"}
    raise PayoffError(
        f"A cell of column '{name}' is no date of the calendar.",
        where=where,
        why=f"Dates are read as {words.get(order or '', 'year, month, day')}.",
        remedy="Mend the cell, choose the other order, or keep dates as text in the import "
        "settings.",
    )


def _year_first(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Texts such as 2024-01-31 in a file whose dates have a type of their own; None for others."""
    for part in (values.slice(0, _HEAD_ROWS), values):
        text = part.cast(pa.string())
        if len(text) == text.null_count or not pc.all(pc.match_substring_regex(text, _ISO)).as_py():
            return None
    text = pc.utf8_trim_whitespace(text)
    has_time = pc.any(pc.greater(pc.utf8_length(text), len("2024-01-31"))).as_py()
    try:
        return pc.cast(text, pa.timestamp("us") if has_time else pa.date32())
    except pa.ArrowInvalid:  # a day that is not in the calendar
        return None


def _both_ways(name: str, values: pa.ChunkedArray, settling: Settling) -> pa.ChunkedArray | None:
    """Dates of a type of their own beside texts of dates, in an order that these say themselves.

    A workbook knows no day before 1900: births of then stand as texts among its dates.
    """
    if not pc.any(
        pc.match_substring_regex(values.slice(0, _HEAD_ROWS).cast(pa.string()), _ISO)
    ).as_py():
        return None
    text = values.cast(pa.string()).combine_chunks()
    text = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
    is_typed = pc.fill_null(pc.match_substring_regex(text, _ISO), True)
    others = pa.chunked_array([pc.if_else(is_typed, pa.scalar(None, pa.string()), text)])
    order = _own_order(name, others)
    first = _year_first(
        pa.chunked_array([pc.if_else(is_typed, text, pa.scalar(None, pa.string()))])
    )
    read = read_dates(others, order) if order not in (None, AS_TEXT) else None
    if first is None or read is None or read.values is None:
        return None
    example = next(cell for cell in others.to_pylist() if cell is not None)
    count = counted_of(len(others) - others.null_count, len(others), "row", verbs="holds/hold")
    settling.warnings.append(
        f"Column '{name}': {count} a text such as {example.strip()} among dates, read as the date."
    )
    return pc.coalesce(first, read.values.cast(first.type))


def _own_order(name: str, values: pa.ChunkedArray) -> str | None:
    """The order of dates that stand as texts in a workbook or a database's file, if they say it."""
    if not looks_like_dates(values):
        return None
    cells = [cell for cell in values.cast(pa.string()).unique().to_pylist() if cell]
    found = find_date_order([(name, cells)])
    return found.value if found is not None and found.is_certain else None


def _distinct_text(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """A few thousand values to look at, as plain text; None for a column without any."""
    head = values.slice(0, 5_000)
    if pa.types.is_dictionary(head.type):
        head = head.cast(pa.string())
    head = head.drop_null()
    return head if len(head) else None


def _settle_grouped(
    name: str, values: pa.ChunkedArray, wanted: str | None, settling: Settling
) -> pa.ChunkedArray | None:
    """Numbers with thousands marks; None where the column stays text, as it is in the file."""
    decimal, thousands = settling.settings.decimal or ".", settling.settings.thousands or ""
    if _distinct_text(values) is None:
        return None
    if wanted == "number":
        return parse_grouped(values, decimal, thousands)
    numbers = parse_grouped(values, decimal, thousands) if thousands else None
    if numbers is None:
        return None
    text = values.cast(pa.string())
    if not pc.any(pc.match_substring(text, thousands)).as_py():
        return None  # not one mark: the fast reader took it for text for a reason of its own
    reason = _id_reason(pc.replace_substring(text, thousands, ""), decimal)
    if reason:
        settling.warnings.append(f"Column '{name}' is kept as text: {reason}.")
        return None
    return numbers


def parse_grouped(values: pa.ChunkedArray, decimal: str, thousands: str) -> pa.ChunkedArray | None:
    """Read numbers with thousands marks (none: an empty one); None unless every cell is one."""
    text = values.cast(pa.string())
    plain = rf"\d{{1,3}}({re.escape(thousands)}\d{{3}})+|\d+"
    pattern = rf"^\s*[+-]?(({plain})({re.escape(decimal)}\d*)?|{re.escape(decimal)}\d+)\s*$"
    head = text.slice(0, 1_000)
    for part in (head, text):
        if not pc.all(pc.match_substring_regex(part, pattern)).as_py():
            return None
    text = pc.utf8_trim_whitespace(text)
    for mark, instead in ((thousands, ""), (decimal, "."), ("+", "")):
        text = pc.replace_substring(text, mark, instead) if mark and mark != instead else text
    return pc.cast(text, pa.float64())


def first_non_number(values: pa.ChunkedArray, decimal: str = ".") -> tuple[int, str]:
    """Row and text of the first cell that is no number; (-1, "") when all are."""
    text = values.cast(pa.string())
    pattern = NUMBER_PATTERN.replace(r"\.", ",") if decimal == "," else NUMBER_PATTERN
    row = pc.index(pc.match_substring_regex(text, pattern), False).as_py()
    return (row, text[row].as_py()) if row >= 0 else (-1, "")


def _warn_mixed(name: str, values: pa.ChunkedArray, settling: Settling) -> None:
    """Warn of a column that is text only because of a few cells, naming the first of them."""
    head = _distinct_text(values)
    if head is None or not pc.any(pc.match_substring_regex(head, r"\pN")).as_py():
        return
    pattern = NUMBER_PATTERN
    if settling.settings.decimal == ",":
        pattern = pattern.replace(r"\.", ",")
    dressed = (
        (("a number", DRESSED_PATTERN),) if settling.settings.number_texts is not False else ()
    )
    for kind, expression in (
        ("a number", pattern),
        *dressed,
        ("a date", r"^\d{4}-\d{2}-\d{2}([ T].*)?$"),
    ):
        is_such = pc.match_substring_regex(head, expression)
        share = pc.mean(is_such.cast(pa.float64())).as_py()
        if expression == DRESSED_PATTERN and len(pc.unique(head.filter(is_such))) < _FEWEST_FORMS:
            continue  # "<30" and ">30" are classes
        is_marked = share >= _HALF and len(pc.unique(head.filter(pc.invert(is_such)))) <= _MARKS
        if share < _MOSTLY and not is_marked:
            continue
        text = values.cast(pa.string())
        row = pc.index(pc.match_substring_regex(text, expression), False).as_py()
        reason = why_no_numbers(text) if row < 0 and kind == "a number" else ""
        if row < 0 and kind == "a date":
            settling.warnings.append(_no_such_day(name, text, settling))
        elif reason:
            settling.warnings.append(f"Column '{name}' is kept as text: {reason}.")
        elif row >= 0:
            where = settling.place(name, row, text[row].as_py())
            remedy = ""
            if kind == "a number" and not any(char.isdigit() for char in text[row].as_py()):
                remedy = (
                    f" If '{text[row].as_py().strip()}' stands for a missing value, add it to the "
                    "missing marks."
                )
            settling.warnings.append(
                f"Column '{name}' is read as text, because not every cell is {kind} ({where})."
                + remedy
            )
        return


def _no_such_day(name: str, text: pa.ChunkedArray, settling: Settling) -> str:
    """Say which cell of a column of year-month-day is not in the calendar."""
    words = f"Column '{name}' is read as text: some of its dates do not exist in the calendar"
    for row, value in enumerate(text.to_pylist()):
        try:
            datetime.date.fromisoformat((value or "2000-01-01")[:10])
        except ValueError:
            return f"{words} ({settling.place(name, row, value)})."
    return f"{words}, or only some of them name a time zone."


def _warn_underflow(
    columns: dict[str, pa.ChunkedArray], kinds: dict[str, str], settling: Settling
) -> None:
    """Warn of numbers closer to zero than a double can be."""
    suspects = [
        name
        for name, values in columns.items()
        if kinds[name] == "number" and pc.any(pc.equal(values, 0.0)).as_py()
    ]
    for name, text in settling.reread(suspects).items() if suspects else ():
        tiny = _first_match(text, r"[1-9][0-9.]*[eE]-([3-9][0-9]{2}|[0-9]{4,})\s*$")
        if tiny and float(tiny.replace(",", ".")) == 0.0:
            settling.warnings.append(f"Column '{name}': numbers such as {tiny} are read as 0.")
