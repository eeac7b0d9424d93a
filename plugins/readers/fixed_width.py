"""Text in columns of fixed width: cut at the same characters in every line."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from payoff import Found, OpenedText, PayoffError, ReaderForm, ReadRequest, TableReader
from payoff.counting import counted
from plugins.readers.text_stream import SEPARATOR, text_stream

_SAMPLE_LINES = 500
_FEWEST_EVEN = 10
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_SAMPLE_BYTES = 1 << 18
_DECLARED_BYTES = 1 << 12  # at the head of a page, in which it may say what it is written in


def _open(request: ReadRequest) -> OpenedText:
    """Open a file of fixed width as delimited text."""
    encoding, note = encoding_of(request)
    notes = [note] if note else []
    found: tuple[Found, ...] = ()
    widths = request.widths
    if any(width < 1 for width in widths):
        raise PayoffError("A width is less than one character.", where=request.path)
    is_given = bool(widths)
    sample = _sample(request, encoding) if not widths else []
    parts = _even_parts(sample)
    if parts:
        stream = partial(_parted, request.path, encoding, request.skip_lines)
        fields = counted(parts, "field")
        told = f"Every line has {fields} between blanks, at other characters each: cut there."
        notes = [*notes, told]
    elif not widths:
        widths, reason = _find_widths(sample, request.path)
        value = ", ".join(str(width) for width in widths)
        found = (Found(setting="widths", value=value, reason=reason, is_certain=False),)
    if not parts:
        stream = partial(_stream, request.path, encoding, widths, is_given, request.skip_lines)
    return OpenedText(
        stream=stream,
        size=os.path.getsize(request.path),
        delimiter=SEPARATOR,
        quote="",
        encoding="utf-8",
        found=found,
        notes=tuple(notes),
    )


def encoding_of(request: ReadRequest, declared: re.Pattern[bytes] | None = None) -> tuple[str, str]:
    """UTF-8 if the first stretch is, else what it declares, else Windows-1252, with a note."""
    if request.encoding:
        return request.encoding, ""
    with open(request.path, "rb") as source:
        head = source.read(_SAMPLE_BYTES)
    try:
        head[: head.rfind(b"\n") + 1 or len(head)].decode("utf-8")
    except UnicodeDecodeError:
        said = declared.search(head[:_DECLARED_BYTES]) if declared is not None else None
        with suppress(LookupError):
            if said is not None and codecs.lookup(said[1].decode()).name != "utf-8":
                return said[1].decode(), ""
        return "cp1252", "The text is not UTF-8: read as Windows-1252; please check its accents."
    return "utf-8-sig" if head.startswith(b"\xef\xbb\xbf") else "utf-8", ""


def lines_of(path: str, encoding: str) -> Iterator[str]:
    """Lines without their ends."""
    number = 0
    try:
        with open(path, encoding=encoding, newline=None) as source:
            for number, line in enumerate(source, start=1):  # noqa: B007 - the refusal below names the line
                yield line.rstrip("\n")
    except (UnicodeError, LookupError) as error:
        raise PayoffError(
            f"The file is not {encoding} text.",
            where=f"{path}, line {number + 1}",
            why=f"{error}.",
            remedy="Choose another encoding in the import settings.",
        ) from None


def _sample(request: ReadRequest, encoding: str) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(lines_of(request.path, encoding), start=1):
        if number > request.skip_lines and line.strip():
            lines.append(line[:20_000])
        if len(lines) >= _SAMPLE_LINES:
            break
    return lines


def _even_parts(lines: Sequence[str]) -> int:
    """How many fields all lines have between blanks, where no widths would part them all; else 0.

    Numbers that are not aligned, as in tables of UCI: "1   24   6" above "12 5   900".
    """
    counts = {len(line.split()) for line in lines}
    if len(lines) < _FEWEST_EVEN or len(counts) != 1 or min(counts) < 2:
        return 0
    longest = max(map(len, lines))
    places = list(pairwise((*_starts(lines, longest), longest)))
    joined = [w for line in lines for a, b in places if len(w := line[a:b].split()) > 1]
    are_numbers = all(_NUMBER.fullmatch(word) for words in joined for word in words)
    return min(counts) if joined and are_numbers else 0


def _parted(path: str, encoding: str, skip_lines: int) -> BinaryIO:
    """Give the lines with a separator for each run of blanks."""

    def cut() -> Iterator[str]:
        for number, line in enumerate(lines_of(path, encoding), start=1):
            is_row = line.strip() and number > skip_lines
            yield (SEPARATOR.join(line.replace(SEPARATOR, " ").split()) if is_row else "") + "\n"

    return text_stream(cut())


def _find_widths(lines: Sequence[str], path: str) -> tuple[tuple[int, ...], str]:
    """Find the characters that are blank in every line: columns begin after them.

    A first line of as many words as the others have columns need not stand above them.
    """
    longest = max((len(line) for line in lines), default=0)
    starts, below = _starts(lines, longest), _starts(lines[1:], longest)
    if len(lines) > 2 and len(below) >= len(starts):
        words = _words(lines[0], len(below))
        ends = [*starts[1:], longest]
        cut = [lines[0][a:b].strip() for a, b in zip(starts, ends, strict=True)]
        starts = below if words and words != cut else starts
    if len(starts) < 2:
        raise PayoffError(
            "The columns are not parted by blanks.",
            where=path,
            why=f"No character is blank in all of the first {counted(len(lines), 'line')}.",
            remedy="Say how many characters each column has (widths, in the import settings).",
        )
    starts[0] = 0
    widths = tuple(after - before for before, after in pairwise((*starts, longest)))
    return (
        widths,
        f"blank in all of the first {counted(len(lines), 'line')}: the ends of these columns",
    )


def _starts(lines: Sequence[str], longest: int) -> list[int]:
    """Where columns begin: behind what is blank in all lines."""
    blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(longest)]
    return [at for at in range(longest) if not blank[at] and (at == 0 or blank[at - 1])]


def _words(line: str, count: int) -> list[str]:
    """The names in a line, if it has as many: parted by two blanks or more, else by one."""
    ways = (re.split(r" {2,}|\t+", line.strip()), line.split())
    return next((words for words in ways if len(words) == count), [])


def _stream(
    path: str, encoding: str, widths: tuple[int, ...], is_given: bool, skip_lines: int
) -> BinaryIO:
    """Give the lines with a separator after each column."""
    cuts = [0]
    for width in widths:
        cuts.append(cuts[-1] + width)
    places = list(pairwise(cuts))
    if not is_given:
        places[-1] = (places[-1][0], 1 << 30)

    def names_of(line: str) -> list[str]:
        """Names that the columns' ends would cut in two."""
        is_cut = any(line[at - 1 : at].strip() and line[at : at + 1].strip() for at in cuts[1:-1])
        is_cut = is_cut or not all(line[a:b].strip() for a, b in places)
        return _words(line, len(places)) if is_cut else []

    def cut() -> Iterator[str]:
        is_first = True
        for number, line in enumerate(lines_of(path, encoding), start=1):
            if not line.strip() or number <= skip_lines:
                yield "\n"
                continue
            names = names_of(line) if is_first else []
            is_first = False
            if names:
                yield SEPARATOR.join(names) + "\n"
                continue
            if is_given and line[cuts[-1] :].strip():
                raise PayoffError(
                    "A line is longer than the columns.",
                    where=f"{path}, line {number}",
                    why=f"Behind character {cuts[-1]:,} stands '{line[cuts[-1] :].strip()[:60]}'.",
                    remedy="Correct the widths in the import settings.",
                )
            plain = line.replace(SEPARATOR, " ")
            yield SEPARATOR.join(plain[a:b].strip() for a, b in places) + "\n"

    return text_stream(cut())


def _example(folder: str) -> str:
    path = Path(folder) / "cases.fwf"
    path.write_text("id   score  y\n007   0.25  0\n008   0.75  1\n", encoding="utf-8")
    return str(path)


FIXED_WIDTH = TableReader(
    id="fixed_width",
    label="Fixed width",
    help="Text whose columns begin at the same character in every line.",
    form=ReaderForm.DELIMITED,
    suffixes=(".fwf", ".prn"),
    # names parted by blanks, two together somewhere, and so each of the next lines; no delimiter
    pattern=r"[^,;\t|\n]*\S {2,}\S[^,;\t|\n]*\n(?:[^,;\t|\n]*\S {2,}\S[^,;\t|\n]*\n){3}",
    open=_open,
    settings=("widths", "has_header", "skip_lines", "missing_marks", "encoding"),
    example=_example,
)
