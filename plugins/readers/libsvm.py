"""LibSVM text: ``label index:value ...`` per row, what is not written is 0.

Lists to rank name their query as ``qid:7`` in each row, or by a file beside this one with ".query"
behind its name that holds the number of rows of each query.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import BinaryIO

from payoff import OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from payoff.counting import counted
from plugins.readers.text_stream import text_stream

MOST_FEATURES = 50_000
_REMEDY = "A row reads: label index:value index:value ..., with rising whole indices from 0 or 1."


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    label: str
    query: str
    cells: dict[int, str]


def _rows(path: str) -> Iterator[_Row]:
    """The rows of a file; a refusal names the line."""
    try:
        with open(path, encoding="utf-8-sig", newline=None) as source:
            for number, text in enumerate(source, start=1):
                parts = text.split("#", 1)[0].split()
                if parts:
                    yield _row_of(parts, f"{path}, line {number}", number)
    except UnicodeError as error:
        raise PayoffError(
            "The file is no text.", where=f"{path}, line {_line_of_no_text(path)}", why=f"{error}."
        ) from None


def _line_of_no_text(path: str) -> int:
    """The first line that is not UTF-8: text is decoded ahead of the lines that are given out."""
    with open(path, "rb") as source:
        for number, line in enumerate(source, start=1):
            try:
                line.decode("utf-8")
            except UnicodeError:
                return number
    return 1


def _row_of(parts: list[str], where: str, line: int) -> _Row:
    label, query, last = parts[0], "", -1
    cells: dict[int, str] = {}
    _check_number(label, where)
    for part in parts[1:]:
        name, colon, value = part.partition(":")
        if colon and name == "qid" and not cells:
            query = value
            continue
        if not colon or not (name.isascii() and name.isdigit()) or int(name) <= last:
            raise PayoffError(
                f"'{part[:60]}' is no feature of LibSVM text.", where=where, remedy=_REMEDY
            )
        last = int(name)
        if last > MOST_FEATURES:
            raise PayoffError(
                f"The feature {last:,} would make a table of too many columns.",
                where=where,
                why=f"Up to {MOST_FEATURES:,} are read.",
            )
        _check_number(value, where)
        cells[last] = value
    return _Row(line, label, query, cells)


def _check_number(text: str, where: str) -> None:
    try:
        float(text)
    except ValueError:
        raise PayoffError(f"'{text[:60]}' is no number.", where=where, remedy=_REMEDY) from None


def _open(request: ReadRequest) -> OpenedText:
    """Open LibSVM text as a table with a column per feature."""
    path = request.path
    features: set[int] = set()
    rows, has_query = 0, False
    for row in _rows(path):
        if request.should_stop():
            break
        features.update(row.cells)
        has_query = has_query or bool(row.query)
        rows += 1
    if not features:
        raise PayoffError("No row has a feature.", where=path, remedy=_REMEDY)
    indices = range(min(1, *features, 1), max(features) + 1)
    sizes = () if has_query else _query_sizes(path, rows)
    notes = [f"{counted(len(indices), 'feature')}; those that a row does not name are 0."]
    if sizes:
        notes.append(f"Queries are those of {Path(path).name}.query: {len(sizes):,}.")
    return OpenedText(
        stream=partial(_stream, path, indices, has_query, sizes),
        size=max(os.path.getsize(path), 2 * rows * len(indices)),
        delimiter=",",
        quote="",
        encoding="utf-8",
        notes=tuple(notes),
    )


def _query_sizes(path: str, rows: int) -> tuple[int, ...]:
    """Rows of each query, where a file beside this one says them; none where it does not fit."""
    beside = Path(f"{path}.query")
    if not beside.is_file():
        return ()
    try:
        sizes = tuple(int(line) for line in beside.read_text("utf-8").split())
    except (ValueError, OSError):
        sizes = ()
    if min(sizes, default=0) < 1 or sum(sizes) != rows:
        raise PayoffError(
            "The sizes of the queries do not add up to the rows.",
            where=str(beside),
            why=f"They name {counted(sum(sizes), 'row')}; the file has {rows:,}.",
            remedy="Put the file right, or move it away.",
        )
    return sizes


def _stream(path: str, indices: range, has_query: bool, sizes: tuple[int, ...]) -> BinaryIO:
    """The rows with all their cells."""

    def lines() -> Iterator[str]:
        named = has_query or bool(sizes)
        yield (
            ",".join(["label", *(["query"] if named else []), *(f"f{index}" for index in indices)])
            + "\n"
        )
        queries = chain.from_iterable(
            repeat(str(number), size) for number, size in enumerate(sizes, start=1)
        )
        for row in _rows(path):
            query = row.query if has_query else next(queries, "")
            cells = (row.cells.get(index, "0") for index in indices)
            yield ",".join([row.label, *([query] if named else []), *cells]) + "\n"

    return text_stream(lines())


def _example(folder: str) -> str:
    path = Path(folder) / "cases.libsvm"
    path.write_text("1 qid:1 1:0.25 3:2\n0 qid:1 2:0.5\n1 qid:2 1:1\n", encoding="utf-8")
    return str(path)


LIBSVM = TableReader(
    id="libsvm",
    label="LibSVM text",
    help="A label and index:value pairs per row; what is not written is 0. Queries as qid:7, or "
    "in a file beside it.",
    form=ReaderForm.DELIMITED,
    suffixes=(".libsvm", ".svm", ".svmlight"),
    pattern=r"\s*[+-]?\d+(\.\d+)?( +qid:\d+)?( +\d+:[+-]?[\d.]+(e[+-]?\d+)?){2}",
    open=_open,
    settings=("missing_marks",),
    example=_example,
    reference="https://www.csie.ntu.edu.tw/~cjlin/libsvm",
)
