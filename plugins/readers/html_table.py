"""Tables of web pages: what portals of banks and SAP save under ``.xls``.

XML workbooks of Excel 2003 too, whose sheets are tables of rows and cells. Of several tables on a
page the one with the most rows is read. Nothing that a page names is loaded or run.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import BinaryIO

from payoff import OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from payoff.counting import counted
from plugins.readers.fixed_width import encoding_of, lines_of
from plugins.readers.text_stream import SEPARATOR, text_stream

_MOST_SPAN = 1_000  # columns that one cell may say it covers
_HIDDEN = ("style", "script", "comment")
_CHARSET = re.compile(rb"""(?i)<(?:meta|\?xml)\b[^>]*(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""")
_Row = tuple[int, list[str]]  # the number of its table, from 1, and its cells


class _Tables(HTMLParser):
    """Rows of all tables, as they are complete; a table inside a cell is one of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[_Row] = []
        self._tables = 0
        self._open: list[tuple[int, list[str], list[str] | None]] = []  # number, row, cell
        self._hidden = 0  # inside of a style or a script

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        tag = _html_of(tag)
        self._hidden += tag in _HIDDEN
        if tag == "table":
            self._tables += 1
            self._open.append((self._tables, [], None))
        elif tag == "tr":
            self._end_row()
        elif tag in ("td", "th") and self._open:
            self._end_cell()
            number, row, _ = self._open[-1]
            given = {name.rpartition(":")[2]: value or "" for name, value in attrs}
            blanks = _count(given.get("colspan")) - 1, _count(given.get("mergeacross"))
            place = _count(given.get("index")) - 1  # of an XML workbook: blank cells are left out
            row = row + [""] * (place - len(row))
            self._open[-1] = number, row, [""] * (1 + max(0, *blanks))
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        """End what is open."""
        tag = _html_of(tag)
        self._hidden -= tag in _HIDDEN and self._hidden > 0
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self._end_row()
            if tag == "table" and self._open:
                self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add to the text of the cell that is open."""
        if self._open and not self._hidden and self._open[-1][2] is not None:
            self._open[-1][2][0] += data

    def _end_cell(self) -> None:
        if self._open and self._open[-1][2] is not None:
            number, row, cell = self._open[-1]
            words = [" ".join(text.replace(SEPARATOR, " ").split()) for text in cell or ()]
            self._open[-1] = number, [*row, *words], None

    def _end_row(self) -> None:
        self._end_cell()
        if self._open and self._open[-1][1]:
            number, row, _ = self._open[-1]
            self.rows.append((number, row))
            self._open[-1] = number, [], None


def _html_of(tag: str) -> str:
    """A tag as HTML calls it: rows and cells of an XML workbook are those of a table."""
    bare = tag.rpartition(":")[2]
    return {"row": "tr", "cell": "td"}.get(bare, bare)


def _count(value: str | None) -> int:
    return min(int(value), _MOST_SPAN) if value and value.isdecimal() else 0


def _open(request: ReadRequest) -> OpenedText:
    """Open the largest table of a page as delimited text."""
    encoding, note = encoding_of(request, _CHARSET)
    shapes = Counter((number, len(row)) for number, row in _rows(request.path, encoding))
    shapes = Counter({shape: rows for shape, rows in shapes.items() if shape[1] > 1 and rows > 1})
    if not shapes:
        raise PayoffError(
            "This web page holds no table of two rows and two columns.",
            where=request.path,
            why="A download sometimes saves an error or log-in page under the name of the file.",
            remedy="Open it in a browser to see what it says, and download the data again.",
        )
    (number, width), _ = shapes.most_common(1)[0]
    tables = len({table for table, _ in shapes})
    words = f"A page with {counted(tables, 'table')}: the one with the most rows is read."
    return OpenedText(
        stream=partial(_stream, request.path, encoding, number, width),
        size=os.path.getsize(request.path),
        delimiter=SEPARATOR,
        quote="",
        encoding="utf-8",
        notes=(*((note,) if note else ()), *((words,) if tables > 1 else ())),
    )


def _rows(path: str, encoding: str) -> Iterator[_Row]:
    """The rows of all tables of a page in its order."""
    parser = _Tables()
    for line in lines_of(path, encoding):
        parser.feed(f"{line}\n")
        yield from parser.rows
        parser.rows.clear()
    parser.close()
    yield from parser.rows


def _stream(path: str, encoding: str, number: int, width: int) -> BinaryIO:
    """The rows of one table with a separator between their cells; short ones are filled up."""
    rows = (row for table, row in _rows(path, encoding) if table == number)
    return text_stream(
        SEPARATOR.join(row + [""] * (width - len(row))) + "\n" for row in rows if len(row) <= width
    )


def _example(folder: str) -> str:
    path = Path(folder) / "cases.html"
    cells = (("id", "score", "y"), ("007", "0.25", "0"), ("008", "0.75", "1"))
    rows = "\n".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in cells)
    path.write_text(f"<html><body><table>\n{rows}\n</table></body></html>\n", encoding="utf-8")
    return str(path)


HTML_TABLE = TableReader(
    id="html_table",
    label="Table of a web page",
    help="A table in HTML, as portals save it, often under the name of a workbook.",
    form=ReaderForm.DELIMITED,
    suffixes=(".html", ".htm"),
    pattern=r"(?is)\s*(?:<\?xml[^>]*>\s*)?"
    r"(?:(?:<!doctype html|<html|<head|<body|<meta|<table).*<table|"
    r"(?:<\?mso-application[^>]*>\s*)?<(?:\w+:)?workbook\b)",
    open=_open,
    settings=("has_header", "skip_lines", "missing_marks", "encoding"),
    example=_example,
)
