"""What is shown of one answer, at every door: on a tab, in the report, without a window.

A view has slots and no layout beyond "beside" and "below"; what does not fit is made by hand
around it.

A table of an answer: words left, numbers right, for the screen, the report and the clipboard.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.document.results import Estimate
from core.document.wording import NumberText
from core.presentation.charts.chart import Chart
from core.presentation.labels import every_digit

_ENDS = ("", ", from", ", to")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell. ``role`` is a colour of the theme; ``estimate`` draws a bar instead of the text.

    ``shift`` draws a thin bar below it: how far a value is from the present one, as a share of it.
    """

    text: str = ""
    role: str = "text"
    is_bold: bool = False
    is_left: bool = False
    exact: str = ""
    series: int | None = None
    estimate: Estimate | None = None
    scale: tuple[float, float] = (0.0, 1.0)
    shift: float | None = None

    @property
    def words(self) -> str:
        """What it says: its text, or the interval that its bar shows."""
        return self.exact if self.estimate is not None and not self.text else self.text

    @property
    def numbers(self) -> tuple[float, ...]:
        """What stands behind it: a number, the ends of an interval, or a value and its ends."""
        if isinstance(self.text, NumberText):
            return self.text.numbers
        bar = self.estimate
        return (bar.value, bar.low, bar.high) if bar is not None else ()


def common_scale(estimates: Iterable[Estimate]) -> tuple[float, float]:
    """The scale of a column of bars: from the lowest end to the highest, with 6 % of room."""
    ends = [
        end
        for estimate in estimates
        for end in (estimate.low, estimate.value, estimate.high)
        if math.isfinite(end)
    ]
    if not ends:
        return 0.0, 1.0
    low, high = min(ends), max(ends)
    room = (high - low) * 0.06 or max(abs(high), 1.0) * 0.01
    return low - room, high + room


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyTable:
    """Cells in columns; a text is a plain cell, and further lines of it are quiet.

    ``right`` are the columns of numbers, ``strong`` the (row, column) that stand out, of tables
    of texts; cells say it themselves. ``help`` explains the columns, ``name`` is for who cannot
    see it, ``title`` stands above it; ``spare`` are columns that narrow places leave out, ``wide``
    the one that takes the room that the others leave. ``rows`` may make its rows when they are
    looked at: there may be tens of thousands.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[str | Cell, ...]]
    right: tuple[int, ...] = ()
    strong: tuple[tuple[int, int], ...] = ()
    name: str = ""
    title: str = ""
    help: tuple[str, ...] = ()
    spare: tuple[int, ...] = ()
    wide: int = 0

    def cell(self, row: int, column: int) -> Cell:
        """Return a cell."""
        return self._cell(self.rows[row][column], row, column)

    def _cell(self, found: str | Cell, row: int, column: int) -> Cell:
        if isinstance(found, Cell):
            return found
        is_strong = (row, column) in self.strong
        return Cell(text=found, is_bold=is_strong, is_left=column not in self.right)

    def cells(self, most: int | None = None) -> tuple[tuple[Cell, ...], ...]:
        """Return all cells, row by row; ``most``: of so many rows at the most."""
        count = len(self.rows) if most is None else min(most, len(self.rows))
        made = ((place, self.rows[place]) for place in range(count))  # each row once
        columns = range(len(self.columns))
        return tuple(
            tuple(self._cell(entries[at], row, at) for at in columns) for row, entries in made
        )

    def is_left(self, column: int) -> bool:
        """Return whether a column's cells stand at its left."""
        if not self.rows:
            return False
        first = self.cell(0, column)
        return first.is_left or first.estimate is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(AnyTable):
    """A table whose rows are all there: one that views hold and project files keep."""

    rows: tuple[tuple[str | Cell, ...], ...]

    def without_spare(self) -> Table:
        """Return it without the columns that give way where there is little room."""
        kept = [at for at in range(len(self.columns)) if at not in self.spare]
        return Table(
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in self.rows),
            right=tuple(place for place, at in enumerate(kept) if at in self.right),
            strong=tuple((row, kept.index(at)) for row, at in self.strong if at in kept),
            name=self.name,
            title=self.title,
            help=tuple(self.help[at] for at in kept) if self.help else (),
            wide=kept.index(self.wide) if self.wide in kept else 0,
        )

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of all cells, row by row."""
        return tuple(tuple(cell.words for cell in row) for row in self.cells())

    def as_texts(self) -> Table:
        """Return it without what only a screen draws: bars as the intervals they show, as texts.

        Columns that hold no text are left out.
        """
        if all(isinstance(cell, str) for row in self.rows for cell in row):
            return self
        places = range(len(self.columns))
        cells = self.cells()
        texts = self.texts()
        kept = [at for at in places if any(row[at].strip() for row in texts)]
        lefts = [at == 0 or self.is_left(at) for at in places]
        return Table(
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in texts),
            right=tuple(place for place, at in enumerate(kept) if not lefts[at]),
            strong=tuple(
                (number, place)
                for number, row in enumerate(cells)
                for place, at in enumerate(kept)
                if row[at].is_bold
            ),
            name=self.name,
            title=self.title,
        )


Digits = tuple[str, tuple[float, ...]]
"""A cell as it is shown, and the numbers behind it."""


def every_number(
    columns: Sequence[str], rows: Sequence[Sequence[Digits]]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return header and rows with every digit of what is shown rounded, for files.

    Shares are fractions, amounts have no sign of currency; an interval has a column for each end.

    >>> every_number(["Share"], [[("21.3 %", (0.2134,))]])
    (('Share',), (('0.2134',),))
    """
    widths = [max([1, *(len(row[at][1]) for row in rows)]) for at in range(len(columns))]
    header = (
        f"{name}{end}"
        for name, width in zip(columns, widths, strict=True)
        for end in (_ENDS[1:] if width == 2 else _ENDS[:width])
    )
    cells = (
        tuple(
            text for cell, width in zip(row, widths, strict=True) for text in _padded(cell, width)
        )
        for row in rows
    )
    return tuple(header), tuple(cells)


def _padded(cell: Digits, width: int) -> tuple[str, ...]:
    shown, numbers = cell
    texts = tuple(every_digit(float(value)).removesuffix(".0") for value in numbers) or (shown,)
    return (*texts, *[""] * (width - len(texts)))


State: TypeAlias = Literal["", "ok", "warning", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a person can do with an answer: a button below its words.

    ``name`` says what it does ("move_cursor"), ``value`` to what; ``help`` also says why it cannot
    be done, where ``is_possible`` is not.
    """

    name: str
    label: str
    value: float
    help: str = ""
    is_possible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One answer as it is shown.

    Attributes
    ----------
    key : str
        What the report knows it by: the question's key ("decide/capacity"), which ``show`` sets,
        behind it what tells several answers of one question apart, which the view function sets.
        An entry that is no question's has a key of its own.
    figure, interval : str
        The one big number, and its interval.
    sentences : tuple of str
        What it says.
    strong : int
        Which sentence stands out, from 0.
    state : str
        "ok", "warning" or "error": the sign before it; empty = none. Of an error the figures are
        none to go by: they are grey.
    tables, charts, notes, actions
        Below it or beside it; notes are small print.
    by_row : tuple of View
        Where a row of the first table can be chosen: what is said and drawn of each row, in place
        of this view's own sentences and charts, which are those of the first.
    asked : str
        The question that was answered, as JSON of its fields; empty where it is no question's.
    stamp, made_at : str
        What it was made from, and when (ISO 8601, UTC): set by who keeps it.
    """

    key: str = ""
    title: str
    subtitle: str = ""
    figure: str = ""
    interval: str = ""
    sentences: tuple[str, ...] = ()
    strong: int = 0
    state: State = ""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    by_row: tuple[View, ...] = ()
    asked: str = ""
    stamp: str = ""
    made_at: str = ""
