"""Whether a table has a header line, and which of its first lines it is.

Lines that may be no rows of the table: a second header line, the start of another table.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from core.data.names import ANY_ANSWER
from core.data.text.number_texts import bare_number, looks_numeric
from core.data.text.records import Record
from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding
from payoff.counting import counted
from payoff.name_lines import names_of_index, names_stand_below
from payoff.readers import USUAL_MISSING_MARKS

_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
_CODE = re.compile(rb"[A-Za-z]{2,}\d+[A-Za-z]?")  # names as CAD1, DKK2 are no amounts of money
_TIME = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])?")  # a year, or one and its month
_CLASS = re.compile(r"\d{1,2}")
_PLAIN_SHARE = re.compile(r"[01]?(?:\.\d+)?(?:[eE]-?\d+)?")
_FEWEST_COUNTED = 4
_SAME_STEP = 1e-6
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ROUNDED = 0.005
"""By which rounded shares of all classes may miss 1 in sum."""


def find_header(
    reader: ReaderSettings,
    table: list[Record],
    before: Record | None,
    width: int,
    findings: list[ReaderFinding],
) -> tuple[Record | None, list[Record], str]:
    """Find the header.

    Parameters
    ----------
    reader : ReaderSettings
    table : list of Record
        Records from the first of full width on.
    before : Record, optional
        The record in front of them.
    width : int
        Fields of the table's rows.
    findings : list of ReaderFinding
        Gets the finding on the header.

    Returns
    -------
    header, rows, note
        The header record or None, the data records, and "short" when the header has one name less
        than the rows have fields.
    """
    is_short = before is not None and before.width == width - 1
    if reader.has_header is not None:
        return _as_reported(reader, table, before if is_short else None, width)
    if before is not None and is_short and _names_all([before, *table]):
        _show_message(findings, "yes", "it has one name less than the rows have fields")
        return before, table, "short"
    has_header = _judge(table, findings)
    above_names = (_are_headings, _are_questions, _is_title, _is_less_than_names)
    if has_header and not reader.skip_lines and any(test(table) for test in above_names):
        return _with_index(table[1], table[2:])
    return _with_index(table[0], table[1:]) if has_header else (None, table, "")


def _as_reported(
    reader: ReaderSettings, table: list[Record], before: Record | None, width: int
) -> tuple[Record | None, list[Record], str]:
    """The header where the user says that there is one, or none."""
    if not reader.has_header:
        return None, table, ""
    if before is not None and before.line > reader.skip_lines:
        return before, table, "short"
    if table[0].width == width - 1:
        return table[0], table[1:], "short"
    return _with_index(table[0], table[1:])


def _judge(table: list[Record], findings: list[ReaderFinding]) -> bool:
    """Whether the first record is a header, by what it and the records below hold."""
    first = table[0]
    numeric = sum(_is_number(cell) for cell in first.fields)
    if numeric == first.width:
        words = f"line {first.line} holds only numbers: kept as data; please check"
        return _show_message(findings, "no", words, is_certain=False)
    if numeric and _names_classes(table):
        words = f"the classes whose chances stand below are named in line {first.line}"
        return _show_message(findings, "yes", words)
    if numeric and (_names_numbers(table) or _counts_columns(table)):
        words = f"line {first.line} holds words where the lines below hold numbers"
        return _show_message(findings, "yes", words)
    if numeric:
        words = f"line {first.line} holds numbers among its cells, so it is data"
        return _show_message(findings, "no", words, is_certain=numeric > 1)
    if len(table) == 1:
        return _show_message(findings, "yes", f"line {first.line} holds words only")
    if any(_is_number(cell) for record in table[1:50] for cell in record.fields):
        words = f"line {first.line} holds words only, the lines below hold numbers"
        return _show_message(findings, "yes", words)
    later = {cell for record in table[1:] for cell in record.fields}
    if len(set(first.fields)) == first.width and not later & set(first.fields):
        words = f"all cells are words; those of line {first.line} occur nowhere else"
        return _show_message(findings, "yes", words, is_certain=len(table) > 20)
    words = f"all cells are words; those of line {first.line} occur in other lines too"
    return _show_message(findings, "no", words, is_certain=False)


def _are_headings(table: list[Record]) -> bool:
    """Whether the first line has headings of groups, with blanks between, and the next the names.

    As sheets with merged cells are exported: "Old model;;New model;" above "good;bad;good;bad".
    """
    if len(table) < 4 or table[0].width != table[1].width:
        return False
    above, names = table[0].fields, [cell.strip() for cell in table[1].fields]
    spans = sum(not cell.strip() and bool(name) for cell, name in zip(above, names, strict=True))
    words = [cell for cell in names if cell]
    is_again = len(set(words)) < len(words) and all(map(_is_word, words))
    if spans < 2 or not is_again or any(len(cell) == 1 for cell in words):
        return False
    below = _Columns()
    for record in table[2:_HEAD_LINES]:
        below.add(_Line(record))
    return _speaks_of_columns(_Line(table[1]), below)


def _are_questions(table: list[Record]) -> bool:
    """Whether the first line has the questions of a survey, and the next what could be answered.

    "Date,Which of these?,,Did you buy?" above ",Car,House,Response": the answers begin below a
    question, and blanks stand where every row below holds something, numbers among it.
    """
    if len(table) < 5 or table[0].width != table[1].width:
        return False
    above, names = ([cell.strip() for cell in record.fields] for record in table[:2])
    blank = [at for at, cell in enumerate(names) if not cell]
    words = [cell for cell in names if cell]
    is_asked = any(not cell for cell in above) or {*map(_folded, words)} <= {*ANY_ANSWER}
    if not (is_asked and above[0] and blank and words and all(map(_is_word, words))):
        return False
    if not all(above[at] or names[at] for at in range(len(names))):
        return False
    below = [record.fields for record in table[2:_HEAD_LINES] if record.width == len(names)]
    are_full = all(len(cells[at].strip()) > 0 for cells in below for at in blank)
    return are_full and any(all(_is_number(cells[at]) for cells in below) for at in blank)


def _is_title(table: list[Record]) -> bool:
    """Whether the first line, which has gaps, holds days, and a full line of words is below it."""
    if len(table) < 4 or table[0].width != table[1].width:
        return False
    above, names = ([_text(cell) for cell in record.fields] for record in table[:2])
    has_days = not all(above) and any(map(_DAY.fullmatch, above))
    is_named = all(map(_is_word, table[1].fields)) and len(set(names)) == len(names)
    return has_days and is_named and any(map(_is_number, table[2].fields))


def _is_less_than_names(table: list[Record]) -> bool:
    """Whether the first line only counts the columns, or groups them, and the next names them."""
    if len(table) < 5 or not names_stand_below(_texts(table[0]), _texts(table[1])):
        return False
    below = _Columns()
    for record in table[3:_HEAD_LINES]:
        below.add(_Line(record))
    return _speaks_of_columns(_Line(table[1]), below)


def _texts(record: Record) -> list[str]:
    return [_text(cell) for cell in record.fields]


def _with_index(names: Record, rows: list[Record]) -> tuple[Record, list[Record], str]:
    """Header and rows, a line that names the index of a data frame below them put into it."""
    whole = names_of_index(_texts(names), _texts(rows[0])) if len(rows) > 1 else []
    if not whole:
        return names, rows, ""
    delimiter, quote = (chr(mark) if mark else "" for mark in names.marks)
    cells = (f"{quote}{name.replace(quote, 2 * quote)}{quote}" if quote else name for name in whole)
    return replace(names, raw=delimiter.join(cells).encode()), rows[1:], ""


def _folded(cell: bytes) -> str:
    return cell.decode("utf-8", "replace").casefold()


def _names_numbers(table: list[Record]) -> bool:
    """Whether words stand above two columns of numbers, at least, and above most of them.

    The other names are whole numbers, each another one: classes such as 0 and 1, or years.
    """
    looked = [_Line(record) for record in table[:_HEAD_LINES]]
    if len(looked) < 3:
        return False
    first, others = looked[0], looked[1:]
    named = [
        cell for cell, is_number in zip(first.cells, first.are_numbers, strict=True) if is_number
    ]
    if len(set(named)) < len(named) or not all(cell.strip().isdigit() for cell in named):
        return False
    below = _Columns()
    for line in others:
        below.add(line)
    above = [cell for cell in below.among_numbers(first) if cell.strip()]
    words = {
        cell for cell in above if _is_word(cell) and cell.decode("utf-8", "replace") not in MARKS
    }
    words -= {cell for line in others for cell in line.cells}
    return len(words) > 1 and len(words) + len(named) >= len(above)


def _counts_columns(table: list[Record]) -> bool:
    """Whether numbers that rise by one step stand above numbers, and words beside them.

    0, 1, 2, 3 of a data frame whose columns have no names, four or more; five or more of any step
    from any start, as the wavelengths of a spectrum; four years or months ("201912", "202001") of a
    table turned sideways. The words occur in no row.
    """
    first, *others = (_texts(record) for record in table[:_HEAD_LINES])
    shown = [cell for cell in first if _PLAIN_NUMBER.fullmatch(cell)]
    numbers = list(map(float, shown))
    words = {cell for cell in first if not _PLAIN_NUMBER.fullmatch(cell)}
    steps = [after - before for before, after in pairwise(numbers)]
    are_times = all(map(_TIME.fullmatch, shown))
    fewest = _FEWEST_COUNTED + (numbers[:1] not in ([0.0], [1.0]) and not are_times)
    is_rising = len(numbers) >= fewest and min(steps) > 0.0
    is_even = is_rising and (are_times or min(steps) >= max(steps) - _SAME_STEP)
    if not is_even or len(others) < 3 or not words:
        return False
    are_words = all(map(_is_word, (cell.encode() for cell in words if cell)))
    return are_words and not words & {cell for row in others for cell in row}


def _names_classes(table: list[Record]) -> bool:
    """Whether 0, 1 and so on stand above columns of shares that sum to 1 in every line.

    As a data frame of chances is written, its index without a name.
    """
    first, *others = table[:_HEAD_LINES]
    cells = [_text(cell) for cell in first.fields]
    places = {int(cell): at for at, cell in enumerate(cells) if _CLASS.fullmatch(cell)}
    named = [cell for cell in cells if cell and not _CLASS.fullmatch(cell)]
    is_even = all(line.width == first.width for line in others)
    if sorted(places) != list(range(len(places))) or len(places) < 2 or not is_even:
        return False
    if len(others) < 3 or len(places) + len(named) < first.width - 1:
        return False
    if any(_is_number(cell.encode()) for cell in named):
        return False
    rows = [[_text(line.fields[at]).replace(",", ".") for at in places.values()] for line in others]
    if not all(_PLAIN_SHARE.fullmatch(cell) for row in rows for cell in row):
        return False
    sums = [sum(map(float, row)) for row in rows]
    return any("." in cell for row in rows for cell in row) and all(
        abs(total - 1.0) <= _ROUNDED for total in sums
    )


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace").strip()


def _show_message(
    findings: list[ReaderFinding], value: str, reason: str, *, is_certain: bool = True
) -> bool:
    """Add the finding on the header; True for "yes"."""
    findings.append(
        ReaderFinding(setting="has_header", value=value, reason=reason, is_certain=is_certain)
    )
    return value == "yes"


def _is_number(cell: bytes) -> bool:
    if _CODE.fullmatch(cell):
        return False
    text = cell.decode("utf-8", "replace")
    return looks_numeric(text) or looks_numeric(bare_number(text))


def _names_all(lines: list[Record]) -> bool:
    """Whether the first line has names alone, years among them."""
    return _is_all_words(lines[0]) or _counts_columns(lines)


def _is_all_words(record: Record) -> bool:
    """No cell is a number and none is empty."""
    return all(cell.strip() and not _is_number(cell) for cell in record.fields)


_HEAD_LINES = 50


_LOOKED_AT = 400
_MOSTLY = 0.8
MARKS = frozenset(USUAL_MISSING_MARKS)


def note_doubtful_lines(
    header: Record | None, rows: list[Record], findings: list[ReaderFinding]
) -> None:
    """Ask about lines of words where the lines around them hold numbers.

    Nothing is cut off by itself: the reader's settings can skip lines in front of a table, and a
    table below another one has to go into a file of its own.
    """
    if header is None:
        return
    names = [cell.strip() for cell in header.fields]
    looked = [_Line(record) for record in rows[:_LOOKED_AT] if not _repeats(record, names)]
    if len(looked) < 3:
        return
    first, others = looked[0], looked[1:]
    below = _Columns()
    for line in others:
        below.add(line)
    if _speaks_of_columns(first, below) or _mixes_names(first, others, below):
        number = first.record.line
        _doubt(
            findings,
            ReaderFinding(
                setting="has_header",
                value="yes",
                is_certain=False,
                reason=f"line {number} holds words above numbers too: if it is part of the header, "
                f"skip {number - 1} {'line' if number == 2 else 'lines'} and say that there is one",
            ),
        )
    above = _Columns()
    for line, following in pairwise(looked):
        above.add(line)
        if _is_apart(line.record, following.record) and _speaks_of_columns(following, above):
            _doubt(findings, _second_table(following.record.line))
            return


def _repeats(record: Record, names: list[bytes]) -> bool:
    """Whether a line holds the names again, as each page of a list does, or rules below them."""
    cells = [cell.strip() for cell in record.fields]
    return cells == names or all(cell and not cell.strip(b"-=_") for cell in cells)


class _Line:
    """A record cut once, and which of its cells are numbers: a wide table has many of them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.cells = record.fields
        self.are_numbers = [_is_number(cell) for cell in self.cells]


class _Columns:
    """Filled cells of each column, and numbers among them, in the lines that were added."""

    def __init__(self) -> None:
        self._filled: list[int] = []
        self._numbers: list[int] = []

    def add(self, line: _Line) -> None:
        """Count the cells of one more line."""
        lacking = len(line.cells) - len(self._filled)
        self._filled += [0] * lacking
        self._numbers += [0] * lacking
        for place, (cell, is_number) in enumerate(zip(line.cells, line.are_numbers, strict=True)):
            self._filled[place] += bool(cell)
            self._numbers[place] += is_number

    def among_numbers(self, line: _Line) -> list[bytes]:
        """The cells of a line that stand in columns of numbers."""
        counts = zip(line.cells, self._filled, self._numbers, strict=False)
        return [
            cell for cell, filled, numbers in counts if filled >= 2 and numbers >= _MOSTLY * filled
        ]


def _is_apart(above: Record, below: Record) -> bool:
    """Whether blank lines stand between two records."""
    return below.line > above.line + above.raw.count(b"\n") + 1


def _second_table(line: int) -> ReaderFinding:
    return ReaderFinding(
        setting="skip_lines",
        value="0",
        is_certain=False,
        reason=f"line {line}, below a blank line, may begin another table: skip "
        f"{counted(line - 1, 'line')} "
        "to read that one, or save each table in a file of its own",
    )


def _speaks_of_columns(line: _Line, columns: _Columns) -> bool:
    """Whether a line has words in half of the columns, at least, that hold numbers elsewhere."""
    cells = columns.among_numbers(line)
    words = sum(map(_is_word, cells))
    return words > 0 and 2 * words >= len(cells) and _is_mostly_words(line)


def _mixes_names(line: _Line, others: list[_Line], columns: _Columns) -> bool:
    """Whether a line names some columns of numbers, years or blanks standing in the others.

    Two names, or one beside no number at all, that occur in no other row: what is missing is marked
    alike in several rows, and one wrong cell is a fault of its column.
    """
    words = {cell for cell in columns.among_numbers(line) if _is_name(cell)}
    if words:
        words -= {cell for entry in others for cell in entry.cells}
    return len(words) > 1 or (len(words) == 1 and not any(line.are_numbers))


def _is_word(cell: bytes) -> bool:
    return any(byte > 64 for byte in cell) and not _is_number(cell)


def _is_name(cell: bytes) -> bool:
    return _is_word(cell) and cell.decode("utf-8", "replace") not in MARKS


def _is_mostly_words(line: _Line) -> bool:
    """Names of columns: more words than numbers, and none a mark for a missing value."""
    given = [cell for cell in line.cells if cell.strip()]
    has_letters = sum(any(byte > 64 for byte in cell) for cell in given)
    return has_letters > len(line.cells) / 2 and sum(line.are_numbers) <= len(given) / 2


def _doubt(findings: list[ReaderFinding], doubt: ReaderFinding) -> None:
    """Put a doubt beside what was found on the same setting."""
    for place, known in enumerate(findings):
        if known.setting == doubt.setting:
            reason = f"{known.reason}; {doubt.reason}"
            findings[place] = replace(known, is_certain=False, reason=reason)
            return
    findings.append(doubt)
