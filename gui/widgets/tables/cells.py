"""What a table of the window shows: as texts to copy, with every digit for files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import QTableView

from core.document.wording import NumberText

if TYPE_CHECKING:
    from core.presentation.view import Digits

MOST_CELLS = 2_000_000  # of a table that the window holds itself
NUMBERS = Qt.ItemDataRole.UserRole + 20
"""The numbers behind a cell: one, the ends of an interval, or a value and its ends."""

Texts: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
Rows: TypeAlias = "Sequence[Sequence[Digits]]"


def cells_of(view: QTableView) -> Texts:
    """Column names and shown cells of a table, without hidden columns and rows."""
    return words_only(*rows_of(view))


def numbers_of(view: QTableView) -> Texts:
    """Return them with every digit of the numbers behind them."""
    return with_every_digit(*rows_of(view))


def words_only(names: tuple[str, ...], rows: Rows) -> Texts:
    """Return heads and rows as they are shown."""
    return names, tuple(tuple(text for text, _numbers in row) for row in rows)


def with_every_digit(names: tuple[str, ...], rows: Rows) -> Texts:
    """Return heads and rows as data: every digit, a column for each end of an interval."""
    from core.presentation.view import every_number  # with numpy: not before the first paint

    return every_number(names, rows)


def has_numbers(view: QTableView) -> bool:
    """Whether numbers are known behind what a table shows: its first row is looked at."""
    model = view.model()
    return model.rowCount() > 0 and any(_cell(model, 0, at)[1] for at in range(model.columnCount()))


def digits(value: object) -> Digits:
    """Return a text with the numbers that it was made of."""
    numbers = value.numbers if isinstance(value, NumberText) else ()
    return "" if value is None else str(value), numbers


def rows_of(
    view: QTableView, chosen: AbstractSet[tuple[int, int]] = frozenset()
) -> tuple[tuple[str, ...], list[list[Digits]]]:
    """Return heads and cells with the numbers behind them, of all rows and columns that show.

    ``chosen``: rows and columns to take; empty: all of them, with what stands in front of the rows.
    """
    model = view.model()
    for_room = getattr(view, "left_out", ())  # hidden where there is no room: copied all the same
    count = model.columnCount()
    columns = [at for at in range(count) if at in for_room or not view.isColumnHidden(at)]
    most = max(1, MOST_CELLS // max(1, len(columns)))
    places = [at for at in range(min(model.rowCount(), most)) if not view.isRowHidden(at)]
    if chosen:
        every = [(row, at) for row in places for at in columns if (row, at) in chosen]
        places, columns = sorted({row for row, _ in every}), sorted({at for _, at in every})
    heads = distinct_heads([_head(model, at) for at in range(model.columnCount())])
    names = tuple(heads[at] for at in columns)
    rows = [[_cell(model, row, at) for at in columns] for row in places]
    headings = None if chosen else _row_names(view)
    if headings is None:
        return names, rows
    return ("", *names), [[(head, ()), *row] for head, row in zip(headings, rows, strict=False)]


def distinct_heads(heads: Sequence[str]) -> tuple[str, ...]:
    """Return heads of which each names its column, as under those that stand to their left.

    >>> distinct_heads(["gbm", "Mail", "Profit", "Do nothing", "Profit"])
    ('gbm', 'Mail', 'Mail: Profit', 'Do nothing', 'Do nothing: Profit')
    """
    counts = Counter(heads)
    found, left = [], ""
    for head in heads:
        is_repeated = counts[head] > 1
        found.append(f"{left}: {head}" if is_repeated and head and left else head)
        left = left if is_repeated else head
    return tuple(found)


def _head(model: QAbstractItemModel, column: int) -> str:
    """The head of a column; one that is blank on screen says what it is in its tooltip."""
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    words = (model.headerData(column, Qt.Orientation.Horizontal, role) for role in roles)
    return next((line for word in words if (line := str(word or "").split("\n")[0])), "")


def _cell(model: QAbstractItemModel, row: int, column: int) -> Digits:
    """A cell; asked in Python, since what a text was made of is lost on the way through Qt."""
    index = model.index(row, column, QModelIndex())
    shown, numbers = digits(model.data(index, Qt.ItemDataRole.DisplayRole))
    return shown, tuple(index.data(NUMBERS) or numbers)


def _row_names(view: QTableView) -> list[str] | None:
    """What stands in front of the rows, unless it is hidden or only numbers them."""
    if view.verticalHeader().isHidden():
        return None
    model = view.model()
    heads = [
        str(model.headerData(row, Qt.Orientation.Vertical) or "")
        for row in range(model.rowCount())
        if not view.isRowHidden(row)
    ]
    is_count = [head.replace(",", "") for head in heads] == [
        str(row + 1) for row in range(len(heads))
    ]
    return None if is_count else heads
