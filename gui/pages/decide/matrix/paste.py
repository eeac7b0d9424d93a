"""A block of numbers from the clipboard, as a spreadsheet copies it.

The decimal mark is the user's own. A cell that is no number is refused with its row, column and
text; nothing of the block is taken then.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale

from gui.widgets.fields.entries import parse_entry
from payoff.counting import counted
from payoff.errors import PayoffError


def read_number(text: str, locale: QLocale, currency: str = "") -> float | None:
    """A number of a copied block, or None: only with the marks of the user's own language."""
    decimal = locale.decimalPoint()
    return parse_entry(text, decimal=decimal, unit="", currency=currency, is_exact=True)


def split_block(text: str) -> list[list[str]]:
    """Rows and cells of a copied block: tabs between cells, or semicolons where no tab is."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    mark = "\t" if "\t" in text else ";"
    return [line.split(mark) for line in lines]


def read_block(
    text: str,
    *,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    first: tuple[int, int] = (0, 0),
    locale: QLocale | None = None,
    currency: str = "",
) -> tuple[tuple[float, ...], ...]:
    """Numbers of a block pasted at ``first``; a line and a column of names are left out.

    Parameters
    ----------
    text : str
        The clipboard: tab-separated lines.
    rows, columns : tuple of str
        The user's words for the classes and the decisions of the matrix.
    first : tuple of int
        Row and column of the cell that the block starts in.
    locale : QLocale, optional
        Whose decimal mark counts; the user's own by default.

    Raises
    ------
    PayoffError
        The block is empty, ragged or too large, or a cell is no number.
    """
    block = _without_names(split_block(text), rows, columns, locale or QLocale(), currency)
    _check_shape(block, rows, columns, first)
    return tuple(
        tuple(
            _cell(entry, rows[first[0] + i], columns[first[1] + j], locale or QLocale(), currency)
            for j, entry in enumerate(line)
        )
        for i, line in enumerate(block)
    )


def _without_names(
    block: list[list[str]],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    locale: QLocale,
    currency: str,
) -> list[list[str]]:
    """The block without a first line of decision names and a first column of class names."""

    def is_name(entry: str) -> bool:
        return read_number(entry, locale, currency) is None

    if len(block) > 1 and any(_is_one_of(entry, columns) for entry in block[0]):
        block = block[1:]
    has_names = all(len(line) > 1 and is_name(line[0]) for line in block)
    if block and has_names and any(_is_one_of(line[0], rows) for line in block):
        block = [line[1:] for line in block]
    return block


def _is_one_of(entry: str, names: tuple[str, ...]) -> bool:
    bare = entry.strip().casefold()
    return any(bare == name.casefold() or bare.startswith(f"{name.casefold()},") for name in names)


def _check_shape(
    block: list[list[str]],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    first: tuple[int, int],
) -> None:
    if not block or not any(entry.strip() for line in block for entry in line):
        raise PayoffError(
            "The clipboard holds no numbers.",
            remedy="Copy a block of cells in a spreadsheet first.",
        )
    width = len(block[0])
    for index, line in enumerate(block):
        if len(line) != width:
            raise PayoffError(
                "The pasted lines are not equally long.",
                where=f"line {index + 1}",
                why=f"It has {counted(len(line), 'cell')}, the first line has {width}.",
            )
    free = (len(rows) - first[0], len(columns) - first[1])
    if len(block) > free[0] or width > free[1]:
        raise PayoffError(
            "The pasted block does not fit.",
            why=f"It has {counted(len(block), 'row')} and {counted(width, 'column')}; "
            f"from this cell on there are {free[0]} and {free[1]}.",
            remedy="Paste at the first cell, or add decisions first.",
        )


def _cell(entry: str, row: str, column: str, locale: QLocale, currency: str) -> float:
    value = read_number(entry, locale, currency)
    if value is None:
        raise PayoffError(
            f"“{entry.strip()}” is not a number.",
            where=f"row “{row}”, column “{column}”",
            why=f"The decimal mark here is “{locale.decimalPoint()}”.",
            remedy="Nothing was pasted.",
        )
    return value
