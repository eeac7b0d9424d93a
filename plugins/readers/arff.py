"""ARFF, the text of Weka and OpenML: names and kinds of columns line by line, then rows.

The kinds are left to the host, which finds them in the values; a sparse row leaves out zeros and
first classes, by what its column is said to be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from payoff import Found, OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from plugins.readers.fixed_width import encoding_of, lines_of
from plugins.readers.text_stream import SEPARATOR, text_stream

_NAME = re.compile(
    r"(?i)@attribute\s+(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s{]+))\s*(.*)"
)
_CELL = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^,\t]*))\s*(?:[,\t]|\Z)")
_PLACE = re.compile(r"(\d+)\s+(.*)\Z", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    zero: str  # what a sparse row does not write


def _open(request: ReadRequest) -> OpenedText:
    """Open an ARFF file as delimited text."""
    encoding, note = encoding_of(request)
    columns: list[_Column] = []
    number = 0
    for number, line in enumerate(lines_of(request.path, encoding)):  # noqa: B007 - of @data
        if line.lstrip()[:5].lower() == "@data":
            break
        if line.lstrip()[:10].lower() == "@attribute":
            columns.append(_column(line.strip()))
    else:
        raise PayoffError(
            "This ARFF file has no @data.",
            where=request.path,
            why="The rows stand below that line.",
            remedy="Export it again; the file may have been cut off.",
        )
    reason = "the names and kinds of the columns stand there, down to @data"
    found = (
        Found(setting="skip_lines", value=str(number), reason=reason),
        Found(setting="has_header", value="yes", reason="the columns are named by @attribute"),
    )
    return OpenedText(
        stream=partial(_stream, request.path, encoding, columns),
        size=os.path.getsize(request.path),
        delimiter=SEPARATOR,
        quote="",
        encoding="utf-8",
        found=found,
        notes=(note,) if note else (),
    )


def _column(line: str) -> _Column:
    found = _NAME.match(line)
    if found is None:
        return _Column("", "")
    kind = found[4]
    levels = _cells(kind[1:].rpartition("}")[0]) if kind.startswith("{") else []
    return _Column(_plain(found), levels[0] if levels else "0")


def _stream(path: str, encoding: str, columns: list[_Column]) -> BinaryIO:
    """Names, and rows with a separator after each cell; a question mark is a missing one.

    Lines that are none of these are blank ones, so that refusals name the lines of the file.
    """

    def lines() -> Iterator[str]:
        names = SEPARATOR.join(column.name.replace(SEPARATOR, " ") for column in columns)
        is_data = False
        for line in lines_of(path, encoding):
            text = line.strip()
            if not is_data:
                is_data = text[:5].lower() == "@data"
                yield f"{names}\n" if is_data else "\n"
            elif not text or text.startswith("%"):
                yield "\n"
            else:
                cells = _sparse(text, columns) if text.startswith("{") else _cells(text)
                shown = ("" if cell == "?" else cell.replace(SEPARATOR, " ") for cell in cells)
                yield SEPARATOR.join(shown) + "\n"

    return text_stream(lines())


def _cells(text: str) -> list[str]:
    """The cells of a row; commas or tabs part them, quotes of both kinds hold them together."""
    if "'" not in text and '"' not in text:
        return [cell.strip() for cell in re.split(r"[,\t]", text)]
    cells: list[str] = []
    at = 0
    while True:
        found = _CELL.match(text, at)
        if found is None:  # something behind a closing quote: as it stands
            return [*cells, *(cell.strip() for cell in text[at:].split(","))]
        cells.append(_plain(found))
        if found.end() == len(text) and found[0][-1:] not in (",", "\t"):
            return cells
        at = found.end()


def _sparse(text: str, columns: list[_Column]) -> list[str]:
    """A row that names the places of its cells, from 0."""
    cells = [column.zero for column in columns]
    for entry in text.strip("{} \t").split(","):
        found = _PLACE.match(entry.strip())
        if found is not None and int(found[1]) < len(cells):
            cells[int(found[1])] = _cells(found[2])[0]
        elif entry.strip():
            return [*cells, entry.strip()]  # a cell too many: the host refuses it by its line
    return cells


def _plain(found: re.Match[str]) -> str:
    """What was matched without quotes and escapes."""
    quoted = found[1] if found[1] is not None else found[2]
    return found[3].strip() if quoted is None else _ESCAPED.sub(r"\1", quoted)


def _example(folder: str) -> str:
    path = Path(folder) / "cases.arff"
    names = "@attribute id {007,008}\n@attribute score numeric\n@attribute y {0,1}\n"
    path.write_text(f"@relation cases\n{names}@data\n007,0.25,0\n008,0.75,1\n", encoding="utf-8")
    return str(path)


ARFF = TableReader(
    id="arff",
    label="ARFF (Weka, OpenML)",
    help="Text whose first lines name the columns, sparse rows too.",
    form=ReaderForm.DELIMITED,
    suffixes=(".arff",),
    pattern=r"(?i)\s*(?:%[^\n]*\n\s*)*@relation\b",
    open=_open,
    settings=("missing_marks", "encoding"),
    example=_example,
    reference="https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/",
)
