"""Lists drawn with bars and lines: what SAP saves unconverted, psql prints, Markdown holds.

Rows are cut at their bars. Lines drawn with dashes, titles, page heads and rows of stars, which
SAP puts before sums, are passed over.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from payoff import OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from payoff.counting import counted
from plugins.readers.fixed_width import encoding_of, lines_of
from plugins.readers.text_stream import SEPARATOR, text_stream

_RULE = re.compile(r"[\s|+:]*[-=]{2}[-=+|:\s]*")
_SUMS = re.compile(r"\*+")
_SAMPLE_LINES = 500


def _open(request: ReadRequest) -> OpenedText:
    """Open a list with bars as delimited text."""
    encoding, note = encoding_of(request)
    rows = partial(_rows, request.path, encoding)
    sample = Counter(len(cells) for cells in islice(rows(), _SAMPLE_LINES))
    width = sample.most_common(1)[0][0] if sample else 0
    if width < 2:
        raise PayoffError(
            "No line is cut by bars.",
            where=request.path,
            remedy="Read the file as delimited text, or save it as CSV in its own program.",
        )
    sums = sum(bool(_SUMS.fullmatch(cells[0])) for cells in rows())
    words = f"{counted(sums, 'row of sums', 'rows of sums')} (*) of the list passed over."
    return OpenedText(
        stream=partial(_stream, request.path, encoding, width),
        size=os.path.getsize(request.path),
        delimiter=SEPARATOR,
        quote="",
        encoding="utf-8",
        notes=(*((note,) if note else ()), *((words,) if sums else ())),
    )


def _rows(path: str, encoding: str) -> Iterator[list[str]]:
    """The cells of the lines with bars; the names once, though each page repeats them."""
    names: list[str] = []
    for line in lines_of(path, encoding):
        if "|" not in line or _RULE.fullmatch(line):
            continue
        cells = [cell.strip() for cell in line.replace(SEPARATOR, " ").split("|")]
        is_framed = line.lstrip().startswith("|") and line.rstrip().endswith("|")
        cells = cells[1:-1] if is_framed else cells
        if cells and cells != names:
            names = names or cells
            yield cells


def _stream(path: str, encoding: str, width: int) -> BinaryIO:
    """The rows with a separator between their cells, without sums and lines of other widths."""
    rows = (cells for cells in _rows(path, encoding) if not _SUMS.fullmatch(cells[0]))
    return text_stream(SEPARATOR.join(cells) + "\n" for cells in rows if len(cells) == width)


def _example(folder: str) -> str:
    path = Path(folder) / "cases.ruled"
    rule = "-" * 22
    path.write_text(
        f"{rule}\n| id  | score | y |\n{rule}\n| 007 | 0.25  | 0 |\n| 008 | 0.75  | 1 |\n{rule}\n",
        encoding="utf-8",
    )
    return str(path)


RULED = TableReader(
    id="ruled",
    label="List with bars",
    help="Rows cut by bars, between drawn lines: an unconverted list of SAP, psql, Markdown.",
    form=ReaderForm.DELIMITED,
    suffixes=(".ruled", ".md"),
    pattern=r"(?s).{0,3000}?(?:\|[^\n]*\n[ |+]*[-=]{3}[-=+| :]*\r?\n|"
    r"(?:\A|\n)[ |+]*[-=]{10}[-=+| :]*\r?\n *\|)",
    open=_open,
    settings=("has_header", "skip_lines", "missing_marks", "encoding"),
    example=_example,
)
