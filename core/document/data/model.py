"""What a project says of its data.

What a project says of its data: files, how each is read, what is made of them.

Cells that cannot be meant so: refused with their place, or left as marks on their cases.

Rows whose outcome is not known: no number leaves them out before someone says so.

What is done with evaluated rows whose id a training row has too.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from core.document.made import made
from payoff.errors import PayoffError

PARTS = "parts"  # the format of a folder of parts, or a file, that is read in pieces
HELD_ROWS = 262_144
"""Data of at most so many rows are held as one table, whatever they came in."""
MEMORY = "memory"  # the format of a table that a script handed over: there is no file to read


class RowUse(StrEnum):
    """What a row is for. ``ALL`` stands for every row whose outcome is known."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    TO_DECIDE = "to_decide"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """How a file is read; ``None`` means "find out"."""

    format: str | None = None  # id of a reader: "delimited", "parquet", "excel" ...
    delimiter: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    skip_lines: int = 0
    missing_marks: tuple[str, ...] = (
        "", "NA", "N/A", "n/a", "#N/A", "#NV", "<NA>", "NaN", "nan", "null", "NULL", "None",
        "(null)", "\\N", "NaT", ".",
    )  # fmt: skip
    column_types: tuple[tuple[str, str], ...] = ()  # column -> "number", "text", "date"
    date_order: str | None = None  # "dmy" or "mdy"; "text" = such dates stay text
    part: str | None = None  # the sheet of a workbook, the file of an archive
    widths: tuple[int, ...] = ()  # characters per column of a file of fixed width
    use_labels: bool | None = None  # labels instead of the codes they stand for
    rename_repeated: bool | None = None  # a second column "name" becomes "name_2"; else refused
    left_out: tuple[int, ...] | None = None  # data rows (from 1) that are no cases: totals, notes
    column_names: tuple[tuple[int, str], ...] = ()  # position from 1 -> what the column is called
    number_texts: bool | None = None  # "6,96 %" and "€ 1,234" are numbers; False: they are texts


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRef:
    """A further data file by content."""

    path: str
    content_hash: str = made("", is_kept=True)
    size_bytes: int = made(0, is_kept=True)
    reader: ReaderSettings = field(default_factory=ReaderSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinSpec:
    """Columns of another file that are set beside the rows with the same key.

    ``keys`` are pairs (column of the data, column of the other file). ``columns`` are pairs
    (column of the other file, its name here). A key that stands in several rows of the other file
    is refused, unless ``takes_first``.
    """

    file: FileRef
    keys: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    ignores_case: bool = False  # "Yes" is "yes"
    ignores_zeros: bool = False  # "007" is 7
    takes_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsSpec:
    """Rows of another file that follow those of the data, and what they are for."""

    file: FileRef
    use: RowUse


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedColumn:
    """A column worked out from others by an expression (``core.document.data.expressions``)."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRecipe:
    """What is made of a data file: further rows, then columns of other files, then derived ones.

    With further rows the column ``use_column`` says what each row is for; those of the first file
    are for ``own_use``.
    """

    own_use: RowUse = RowUse.TRAIN
    use_column: str = "row_use"
    rows: tuple[RowsSpec, ...] = ()
    joins: tuple[JoinSpec, ...] = ()
    derived: tuple[DerivedColumn, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is made of the file."""
        return not (self.rows or self.joins or self.derived)

    @property
    def files(self) -> tuple[FileRef, ...]:
        """The further files, rows first."""
        return (*(entry.file for entry in self.rows), *(entry.file for entry in self.joins))


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRef:
    """A data file by content: the hash finds it again when it has moved.

    With a ``recipe`` the ``content_hash`` is that of everything together, ``file_hash`` that of the
    file itself, and ``rows`` and ``columns`` are those of the table made of it.
    """

    path: str
    content_hash: str = made("", is_kept=True)
    rows: int = made(0, is_kept=True)
    columns: tuple[str, ...] = made((), is_kept=True)
    size_bytes: int = made(0, is_kept=True)
    reader: ReaderSettings = field(default_factory=ReaderSettings)
    recipe: DataRecipe = field(default_factory=DataRecipe)
    file_hash: str = made("")  # empty: the content hash
    #: Column -> (printed code, the file's word for it), of files that have words for their codes.
    code_words: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = made(())

    @property
    def own_hash(self) -> str:
        """The content of the file itself."""
        return self.file_hash or self.content_hash

    @property
    def identity(self) -> tuple[str, ReaderSettings]:
        """What tells the table apart from every other: its content, and how that is read.

        Two sheets of a workbook are two tables of one content.
        """
        return self.content_hash, self.reader

    @property
    def is_in_memory(self) -> bool:
        """Whether a script handed the table over: it cannot be read again."""
        return self.reader.format == MEMORY

    @property
    def is_in_parts(self) -> bool:
        """Whether they are read in pieces, and never held as a whole: by their number alone."""
        return self.reader.format == PARTS and self.rows > HELD_ROWS

    @property
    def rows_hash(self) -> str:
        """The same for all tables with the same rows, whatever columns were added to them."""
        reader = self.reader
        is_usual = reader.part is None and not reader.skip_lines and reader.has_header is not False
        if is_usual and not reader.left_out:
            return self.rows_of_files
        text = f"{self.rows_of_files}\n{reader.part}\n{reader.skip_lines}\n{reader.has_header}"
        if reader.left_out:
            text += f"\n{reader.left_out}"
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def rows_of_files(self) -> str:
        """The same for all tables of the same files, whichever part of them is read."""
        additional = [f"{entry.file.content_hash} {entry.use}" for entry in self.recipe.rows]
        if not additional:
            return self.own_hash
        text = "\n".join([self.own_hash, self.recipe.own_use, *additional])
        return hashlib.sha256(text.encode()).hexdigest()


class BadValues(StrEnum):
    """What is done with chances outside 0 to 1, weights below 0 or missing, unknown outcomes.

    ``REFUSE``: nothing is computed, and the first is named; so the window begins. ``MARK``: their
    cases are marked and count in no total, with a warning that says how many; so ``payoff.decide``
    reads its columns. Columns that are mostly so are refused all the same: they hold no chances.
    ``REFUSE_GAPS``: as ``REFUSE``, and of an experiment also what the window leaves out and says
    so: a case without a score, a ranking that cannot be read, chances of treatment that cannot be
    estimated; so ``payoff.uplift`` reads its columns.
    """

    REFUSE = "refuse"
    MARK = "mark"
    REFUSE_GAPS = "refuse_gaps"


class MissingOutcomes(StrEnum):
    """What is done with rows that should have an outcome and have none.

    ``ASK``: nothing is computed until that is said; so the window and the script functions begin.
    ``LEAVE_OUT``: they are left out and counted beside every number. Rows to decide have no outcome
    by nature and are not meant.
    """

    ASK = "ask"
    LEAVE_OUT = "leave_out"


class MissingOutcomesError(PayoffError):
    """Rows without an outcome, and nobody has said whether they may be left out."""


class DataChangedError(PayoffError):
    """A file of the data is another one than the project has seen."""


class SharedIds(StrEnum):
    """Rows of an evaluation that share their id with a row of training.

    They flatter what was trained: nothing is evaluated until someone says what to do with them.
    """

    REFUSE = "refuse"
    LEAVE_OUT = "leave_out"
    COUNT = "count"
