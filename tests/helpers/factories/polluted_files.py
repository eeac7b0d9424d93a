"""A seeded generator of polluted CSV files: clean tables, and what the world does to them.

Each file is a table of a known shape with one to three pollutions of its separators, quotes, line
ends, encoding, rows, header or bytes. ``is_clean`` says that nothing of it can change what is read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

Rows = list[list[str]]
_WORDS = (
    "North",
    "Süd",
    "Mail order",
    "O'Neil",
    'say "no"',
    "a;b",
    "x, y",
    "",
    "NA",
    "naïve",
    "1E5",
)


@dataclass(slots=True)
class Draft:
    """A file on its way from rows to bytes."""

    draw: random.Random
    rows: Rows
    delimiter: str = ","
    quote: str = '"'
    end: str = "\n"
    encoding: str = "utf-8"
    bytes_hook: Callable[[bytes], bytes] | None = None
    lines_hook: Callable[[list[str]], list[str]] | None = None


@dataclass(frozen=True, slots=True)
class Polluted:
    """A file: its bytes, what was done to it, and what it would hold if nothing had been."""

    content: bytes
    pollutions: tuple[str, ...]
    width: int
    rows: int


def polluted(seed: int) -> Polluted:
    """Make the file of a seed; the same bytes on every machine."""
    draw = random.Random(seed)
    draft = Draft(draw, _clean_rows(draw))
    width, count = len(draft.rows[0]), len(draft.rows) - 1
    names = draw.sample(sorted(POLLUTIONS), draw.randint(0, 3))
    for name in names:
        POLLUTIONS[name](draft)
    return Polluted(_bytes_of(draft), tuple(names), width, count)


def _clean_rows(draw: random.Random) -> Rows:
    """A header, then ids, numbers, words and a class."""
    count = draw.choice((1, 2, 5, 30, 120))
    extra = draw.randint(0, 6)
    header = ["id", "score", "word", "y", *(f"x{at}" for at in range(extra))]
    rows = [header]
    for number in range(count):
        row = [
            f"{number:04d}",
            f"{draw.random():.4f}",
            draw.choice(_WORDS),
            str(draw.randint(0, 1)),
        ]
        rows.append(row + [str(draw.randint(-999, 99_999)) for _ in range(extra)])
    return rows


def _bytes_of(draft: Draft) -> bytes:
    """Quote where needed, join, encode."""
    lines = [draft.delimiter.join(_cell(cell, draft) for cell in row) for row in draft.rows]
    if draft.lines_hook is not None:
        lines = draft.lines_hook(lines)
    text = draft.end.join(lines) + draft.end
    content = text.encode(draft.encoding, "replace")
    return draft.bytes_hook(content) if draft.bytes_hook is not None else content


def _cell(cell: str, draft: Draft) -> str:
    quote = draft.quote
    if quote and any(mark in cell for mark in (draft.delimiter, quote, "\n", "\r")):
        return quote + cell.replace(quote, quote * 2) + quote
    return cell


def _place(draft: Draft) -> tuple[int, int]:
    row = draft.draw.randrange(len(draft.rows))
    return row, draft.draw.randrange(max(1, len(draft.rows[row])))


def _other_delimiter(draft: Draft) -> None:
    draft.delimiter = draft.draw.choice((";", "\t", "|", " ", ":", "^"))


def _single_quotes(draft: Draft) -> None:
    draft.quote = draft.draw.choice(("'", ""))


def _other_ends(draft: Draft) -> None:
    draft.end = draft.draw.choice(("\r\n", "\r", "\n\r", "\n\n", "\u2028"))


def _other_encoding(draft: Draft) -> None:
    draft.encoding = draft.draw.choice(
        ("cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "cp1251", "shift_jis")
    )


def _extra_separator(draft: Draft) -> None:
    row, at = _place(draft)
    draft.rows[row].insert(at, "")


def _missing_separator(draft: Draft) -> None:
    row, at = _place(draft)
    cells = draft.rows[row]
    if len(cells) > 1:
        at = min(at, len(cells) - 2)
        draft.rows[row] = [*cells[:at], cells[at] + cells[at + 1], *cells[at + 2 :]]


def _at_random(sign: bytes) -> Callable[[Draft], None]:
    """A byte sequence put anywhere in the file."""

    def pollute(draft: Draft) -> None:
        def put(content: bytes) -> bytes:
            place = draft.draw.randrange(len(content) + 1)
            return content[:place] + sign + content[place:]

        draft.bytes_hook = put

    return pollute


def _cut_off(draft: Draft) -> None:
    draft.bytes_hook = lambda content: content[: draft.draw.randrange(len(content) + 1)]


def _changed_bytes(draft: Draft) -> None:
    def change(content: bytes) -> bytes:
        changed = bytearray(content)
        for _ in range(draft.draw.randint(1, 5)):
            changed[draft.draw.randrange(len(changed))] = draft.draw.randrange(256)
        return bytes(changed)

    draft.bytes_hook = change


def _preamble(draft: Draft) -> None:
    extra = ["Report of the spring", "made by someone, twice", ""][: draft.draw.randint(1, 3)]
    draft.lines_hook = lambda lines: [*extra, *lines]


def _footnote(draft: Draft) -> None:
    draft.lines_hook = lambda lines: [*lines, "", "Source: our own; all figures without warranty"]


def _two_tables(draft: Draft) -> None:
    draft.lines_hook = lambda lines: [*lines, "", "name,value", "total,3"]


def _mixed_ends(draft: Draft) -> None:
    draft.lines_hook = lambda lines: [
        line + ("\r" if draft.draw.random() < 0.3 else "") for line in lines
    ]


def _no_header(draft: Draft) -> None:
    del draft.rows[0]
    if not draft.rows:
        draft.rows.append(["1", "2"])


def _same_names(draft: Draft) -> None:
    draft.rows[0] = ["id" for _ in draft.rows[0]]


def _blank_names(draft: Draft) -> None:
    draft.rows[0] = ["" if draft.draw.random() < 0.4 else name for name in draft.rows[0]]


def _broken_lines(draft: Draft) -> None:
    row, at = _place(draft)
    cells = draft.rows[row]
    if cells:
        cells[min(at, len(cells) - 1)] += "\nand more"


def _long_cell(draft: Draft) -> None:
    row, at = _place(draft)
    if draft.rows[row]:
        draft.rows[row][min(at, len(draft.rows[row]) - 1)] = "x" * draft.draw.choice(
            (5_000, 400_000)
        )


def _odd_numbers(draft: Draft) -> None:
    odd = ("1.234", "1,234", "1'234", "12%", "$5", "inf", "1e309", "1e-400", "0x1F", "٣", "9" * 40)
    for _ in range(4):
        row, at = _place(draft)
        if draft.rows[row]:
            draft.rows[row][min(at, len(draft.rows[row]) - 1)] = draft.draw.choice(odd)


def _blank_lines(draft: Draft) -> None:
    row, _ = _place(draft)
    draft.rows.insert(row, [""])


def _cut_row(draft: Draft) -> None:
    row, at = _place(draft)
    draft.rows[row] = draft.rows[row][:at] or [""]


POLLUTIONS: dict[str, Callable[[Draft], None]] = {
    "other delimiter": _other_delimiter,
    "other quotes": _single_quotes,
    "other line ends": _other_ends,
    "other encoding": _other_encoding,
    "extra separator": _extra_separator,
    "missing separator": _missing_separator,
    "stray quote": _at_random(b'"'),
    "stray apostrophe": _at_random(b"'"),
    "NUL byte": _at_random(b"\0"),
    "bad byte": _at_random(b"\xff\xfe\xc3"),
    "mark inside": _at_random(b"\xef\xbb\xbf"),
    "cut off": _cut_off,
    "changed bytes": _changed_bytes,
    "preamble": _preamble,
    "footnote": _footnote,
    "two tables": _two_tables,
    "mixed line ends": _mixed_ends,
    "no header": _no_header,
    "same names": _same_names,
    "blank names": _blank_names,
    "line break in a cell": _broken_lines,
    "long cell": _long_cell,
    "odd numbers": _odd_numbers,
    "blank line": _blank_lines,
    "short row": _cut_row,
}
