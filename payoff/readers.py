"""Readers: how a plugin opens a kind of file. The fourth family, beside those of ``payoff.specs``.

A reader does one of three things, its ``form``:

delimited
    It opens a stream of delimited text (unpacked, decoded from another layout). The host cuts and
    types it, and tells the line of every fault.
columns
    It opens a table of named columns and hands over its rows in batches. The host watches
    progress and Stop between batches.
parquet
    Nothing: the file is Parquet, which the host reads itself, columns when they are needed.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from payoff.vocabulary import ReaderForm

ColumnValues: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Batch: TypeAlias = Sequence[ColumnValues]

#: Settings of the import dialog that a reader may say it obeys.
READER_SETTINGS = (
    "part",
    "has_header",
    "skip_lines",
    "missing_marks",
    "widths",
    "use_labels",
    "encoding",
)
USUAL_MISSING_MARKS = (
    "", "NA", "N/A", "n/a", "#N/A", "#NV", "<NA>", "NaN", "nan", "null", "NULL", "None",
    "(null)", "\\N", "NaT", ".",
)  # fmt: skip
_NUMBER_OR_DAY = re.compile(r"[+-]?(?:\d+[-/.]){2}|[+-]?\d*[.,]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?\Z")
_NEGATIONS = {"no", "n", "false", "f", "nein", "non", "not", "faux", "falsch"}
_MOST_CLASSES = 50


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """What the host asks a reader to open.

    Attributes
    ----------
    path : str
        An ordinary, readable file that is not empty.
    part : str or None
        The sheet or the file within an archive; None = find out.
    has_header : bool or None
        Whether the first row holds names; None = find out.
    skip_lines : int
        Rows to pass over before the table.
    missing_marks : tuple of str
        Texts that stand for "not known".
    widths : tuple of int
        Characters per column of a file of fixed width; empty = find out.
    use_labels : bool
        Labels instead of the codes they stand for.
    encoding : str or None
        None = find out, or as the file says.
    first_rows : int or None
        How many rows are wanted; None = all.
    should_stop : function
        Asked by a reader that works long before its first batch; True = raise nothing, just end.
    """

    path: str
    part: str | None = None
    has_header: bool | None = None
    skip_lines: int = 0
    missing_marks: tuple[str, ...] = USUAL_MISSING_MARKS
    widths: tuple[int, ...] = ()
    use_labels: bool = False
    encoding: str | None = None
    first_rows: int | None = None
    should_stop: Callable[[], bool] = _never


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One setting that a reader found, with the reason; uncertain ones are asked about."""

    setting: str
    value: str
    reason: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedText:
    """Delimited text that a reader opened.

    Attributes
    ----------
    stream : function
        ``stream() -> binary file`` from the text's first byte, anew at each call. A fault while
        it is read is raised as ``PayoffError``.
    size : int
        Bytes of the text, about.
    delimiter, quote, encoding : str or None
        Where the reader knows them; None = the host finds out. An empty quote = none.
    part : str or None
    parts : tuple of str
        What there is to choose from, if there is a choice.
    found : tuple of Found
    notes : tuple of str
        Warnings, whole sentences.
    """

    stream: Callable[[], BinaryIO]
    size: int
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    part: str | None = None
    parts: tuple[str, ...] = ()
    found: tuple[Found, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class OpenedTable:
    """A table that a reader opened.

    Attributes
    ----------
    columns : tuple of str
        Names in file order; the host refuses two alike, or numbers them where that is asked for,
        and names those left blank.
    batches : iterable of sequences of arrays
        One 1-D array per column and batch, all of a length: float64 (NaN = missing), int64, bool,
        datetime64 (NaT = missing) or object (str, None = missing). A column may change its kind
        from batch to batch: the host finds the common one.
    rows : int or None
        Rows in all, where it is known beforehand.
    first_line : int
        The row of the sheet that data row 1 stands in, as its program counts; 0 = it has none.
    part, parts, found
        As in ``OpenedText``.
    notes : list of str
        Warnings; may grow while batches are read.
    labels : mapping of column to str
        What the file calls a column in words, where its name is a short one.
    value_labels : mapping of column to mapping of code to str
        Words for the codes of a column that are handed over as codes.
    headings : sequence of str
        The cells above the names, one per column, the heading of a group in the first of its
        columns; the host tells names that occur again apart by them. Empty = there are none.
    currencies : sequence of str
        The sign or code of money that the file's format of a column's numbers has, one per column;
        an empty text for no money. Empty = none is known.
    """

    columns: tuple[str, ...]
    batches: Iterable[Batch]
    rows: int | None = None
    first_line: int = 0
    part: str | None = None
    parts: tuple[str, ...] = ()
    found: tuple[Found, ...] = ()
    notes: list[str] = field(default_factory=list)
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    headings: Sequence[str] = ()
    currencies: Sequence[str] = ()


Opened: TypeAlias = OpenedText | OpenedTable


@dataclass(frozen=True, kw_only=True)
class TableReader:
    """A kind of file that can be opened as data.

    Attributes
    ----------
    id, label, help : str
        Name in scripts and project files; words for the list; one plain sentence.
    form : ReaderForm
        delimited, columns or parquet.
    suffixes : tuple of str
        Ends of file names in small letters, with the point: ".xpt".
    marks : tuple of bytes
        First bytes of such files; a file must begin with one of them. Empty = no fixed beginning.
    pattern : str
        A regular expression that the beginning of such a text matches, where no fixed bytes are
        there: a file whose name no reader claims is told by it. Empty = by its name alone.
    open : function or None
        ``open(request: ReadRequest) -> OpenedText or OpenedTable``, by form; None only for parquet
        and for plain text. Refuses damaged files with ``PayoffError``.
    settings : tuple of str
        Settings of the request that are obeyed, among ``READER_SETTINGS``.
    part_word : str
        What a part is called: "sheet", "file".
    example : function or None
        ``example(folder: str) -> str`` writes a small file of two rows or more and returns its
        path; the conformance kit reads it, cuts it off and changes its bytes.
    reference : str
        Where the format is described.
    expected_failures : tuple of (str, str)
        Names of conformance checks that fail for a good reason, each with the reason.
    """

    id: str
    label: str
    help: str
    form: ReaderForm
    suffixes: tuple[str, ...]
    marks: tuple[bytes, ...] = ()
    pattern: str = ""
    open: Callable[[ReadRequest], Opened] | None = None
    settings: tuple[str, ...] = ()
    part_word: str = "part"
    example: Callable[[str], str] | None = None
    reference: str = ""
    expected_failures: tuple[tuple[str, str], ...] = ()

    def claims_name(self, path: str) -> bool:
        """Whether a file's name ends as this reader's files do."""
        return path.lower().endswith(self.suffixes)

    def claims_start(self, start: bytes) -> bool:
        """Whether a file begins as this reader's files do."""
        return not self.marks or start.startswith(self.marks)

    def knows_start(self, start: bytes) -> bool:
        """Whether a file begins as only this reader's files do, whatever its name is."""
        if self.marks and start.startswith(self.marks):
            return True
        text = start.decode("utf-8-sig", "replace")
        return bool(self.pattern) and re.match(self.pattern, text) is not None


def marks_beside(
    names: Sequence[str],
    missing_marks: tuple[str, ...],
    columns: Iterable[Sequence[object]] = (),
) -> tuple[str, ...]:
    """Return the missing marks without "None" where it is a class.

    Parameters
    ----------
    names : sequence of str
        Of the columns: "P_NONE" beside "P_CARD" is the chance of the class None.
    missing_marks : tuple of str
        Marks that are not the usual ones were chosen by a person; only names speak against them.
    columns : iterable of sequences
        First cells of each column: "None" beside "Some" and "Marked" is a value of its column, if
        no column of numbers has it.
    """
    words = [re.split(r"[\W_]+", name.casefold()) for name in names]
    bearing = [parts for parts in words if "none" in parts and len(parts) > 1]
    for parts in bearing:
        at = parts.index("none")
        beside = [o for o in words if len(o) == len(parts) and o != parts]
        if any(other[:at] == parts[:at] and other[at + 1 :] == parts[at + 1 :] for other in beside):
            return _without_none(missing_marks)
    is_class = missing_marks == USUAL_MISSING_MARKS and _none_is_class(columns)
    return _without_none(missing_marks) if is_class else missing_marks


def _without_none(missing_marks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(mark for mark in missing_marks if mark.casefold() != "none")


def _none_is_class(columns: Iterable[Sequence[object]]) -> bool:
    """Whether "None" stands among words that come again and again, and in no other column.

    Beside "no" and the like it is the value that is not there.
    """
    is_class = False
    for cells in columns:
        if "None" not in cells:
            continue
        others = [cell for cell in cells if cell not in USUAL_MISSING_MARKS and cell is not None]
        words = {str(cell).strip().casefold() for cell in others}
        is_list = len(words) >= 2 and 2 * len(words) <= len(others)
        has_numbers = any(map(_NUMBER_OR_DAY.match, words))
        if has_numbers or not is_list or words & _NEGATIONS or len(words) > _MOST_CLASSES:
            return False
        is_class = True
    return is_class


def column_from_cells(
    cells: Sequence[object], missing_marks: Sequence[str] = USUAL_MISSING_MARKS
) -> ColumnValues:
    """Turn cells of mixed Python values, as a sheet holds them, into one array.

    Parameters
    ----------
    cells : sequence of None, bool, int, float, str, date, datetime or timedelta
    missing_marks : sequence of str
        Texts that count as missing.

    Returns
    -------
    (n,) array
        int64 or float64 when all cells are numbers, or lengths of time (seconds), bool, datetime64
        (days or microseconds) for dates, else object with every cell as text. Missing cells turn
        int64 into float64 and bool into text.
    """
    marks = set(missing_marks)
    known = [
        None if cell is None or (isinstance(cell, str) and cell.strip() in marks) else cell
        for cell in cells
    ]
    kinds = {type(cell) for cell in known if cell is not None}
    has_missing = any(cell is None for cell in known)
    if not kinds:
        return np.full(len(known), np.nan)
    if kinds == {bool} and not has_missing:
        return np.array(known, dtype=bool)
    if kinds == {datetime.timedelta}:
        known = [
            cell.total_seconds() if isinstance(cell, datetime.timedelta) else None for cell in known
        ]
        return _numbers(known)
    if kinds <= {int, float}:
        return _numbers(known)
    if kinds <= {datetime.date, datetime.datetime}:
        return np.array(
            [np.datetime64("NaT") if cell is None else cell for cell in known],
            dtype="datetime64[D]" if kinds == {datetime.date} else "datetime64[us]",
        )
    texts = np.empty(len(known), dtype=object)
    texts[:] = [None if cell is None else cell_words(cell) for cell in known]
    return texts


def _numbers(cells: Sequence[Any]) -> ColumnValues:
    """Numbers as int64 where all are whole and exact, else as float64."""
    values = np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64)
    is_whole = bool(np.all(np.isfinite(values) & (values == np.floor(values))))
    if is_whole and bool(np.all(np.abs(values) <= 2.0**53)):
        return values.astype(np.int64)
    return values


def cell_words(cell: object) -> str:
    """One cell as text: whole numbers without a point, dates in year-month-day order."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) <= 2.0**53:
        return str(int(cell))
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return str(cell)
