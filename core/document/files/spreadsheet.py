"""Tables as text for a spreadsheet: nothing that stands in a cell can pass for a formula.

A spreadsheet takes a text that begins with one of a few signs for a formula, in a file it opens and
in what is pasted alike (CWE-1236). Such texts get an apostrophe in front; numbers never do.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable

SIGNS = "=+-@\t\r\0\uff1d\uff0b\uff0d\uff20"
"""Signs a spreadsheet may take for the start of a formula, full-width ones included."""

#: A number, a share, an amount with its sign: nothing in it refers to a cell or calls anything.
_AMOUNT = re.compile(r"[+-][^A-Za-z(){}|!\"'&;=@\\*/^+-]*(e[+-]?[0-9]+)?\Z")
#: Digits as every computer writes them; codes that begin with 0 or are too long stay texts.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?\Z")
_BREAKS = re.compile(r"[\t\r\n]+")


def is_risky(text: str) -> bool:
    """Whether a spreadsheet could take a text for a formula, with apostrophes in front or not."""
    return text.lstrip("'")[:1] in tuple(SIGNS)


def guarded(text: str) -> str:
    """A text as it may stand in a cell: one that could pass for a formula gets an apostrophe."""
    return f"'{text}" if is_risky(text) and not _AMOUNT.match(text) else text


def csv_text(rows: Iterable[Iterable[object]], end: str = "\n") -> str:
    """Rows as CSV: comma, point, UTF-8."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=end)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return stream.getvalue()


def pasted_text(rows: Iterable[Iterable[str]]) -> str:
    """Rows for the clipboard, cells parted by tabs."""
    return "\n".join("\t".join(guarded(_BREAKS.sub(" ", cell)) for cell in row) for row in rows)


def pasted_html(rows: Iterable[Iterable[str]]) -> str:
    """The same rows for spreadsheets, which prefer it: numbers are numbers in every language.

    Where a comma is the decimal mark, the text "1.5" is pasted as the 1st of May, and a code such
    as 00123 loses its zeros everywhere. Excel reads ``x:num`` and the format; LibreOffice ``sdval``
    and ``sdnum``.
    """
    lines = ("".join(map(_html_cell, row)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    office = 'xmlns:x="urn:schemas-microsoft-com:office:excel"'
    return f'<html {office}><meta charset="utf-8"><body><table>{body}</table></body></html>'


def _html_cell(text: str) -> str:
    if _NUMBER.match(text):
        return f'<td x:num="{text}" sdval="{text}" sdnum="1033;">{text}</td>'
    shown = html.escape(guarded(_BREAKS.sub(" ", text)))
    return f"""<td style='mso-number-format:"\\@"' sdnum="1033;0;@">{shown}</td>"""


def _cell(cell: object) -> object:
    return guarded(cell) if isinstance(cell, str) else cell
