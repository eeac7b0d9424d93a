"""How a delimited file is cut: delimiter, quote, lines to skip, header and names, each with why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.data.names import NameSink, settle_names
from core.data.reading.choosing import check_not_disguised
from core.data.text.dates import find_date_order
from core.data.text.encoding import find_encoding, mark_length, settle_encoding
from core.data.text.footer import Footer, find_footer
from core.data.text.header import find_header, note_doubtful_lines
from core.data.text.number_texts import (
    NumberMarks,
    bare_number,
    find_number_marks,
    looks_numeric,
    thousands_among,
)
from core.data.text.records import Record, TextFile, iterate_records
from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.readers import marks_beside

HEAD_BYTES = 262_144
LARGEST_HEAD = 64 << 20
_SNIFF_RECORDS = 400
_DATE_RECORDS = 1_000
_DELIMITERS = (",", ";", "\t", "|")
_RARE_DELIMITERS = (" ", "~", "^", "\x01", "\x1f", ":")
"""Tried where no usual one cuts evenly: those of old systems and of Hive."""
_DELIMITER_WORDS = {
    **{",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space", ":": "colon"},
    **{"~": "tilde", "^": "caret", "\x01": "sign Ctrl-A", "\x1f": "unit separator"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """Everything needed to read a delimited file, and what was found on the way.

    ``data_offset`` counts bytes of the UTF-8 stream after the byte-order mark; ``data_line`` is the
    line of the first data row.
    """

    settings: ReaderSettings
    names: tuple[str, ...]
    mark_bytes: int
    data_offset: int
    data_line: int
    sample: tuple[Record, ...]  # data records in the head
    head: bytes  # UTF-8, from data_offset on, whole records only
    is_whole: bool  # the head is the whole file
    size: int
    text: TextFile
    findings: tuple[ReaderFinding, ...]
    warnings: tuple[str, ...]
    footer: Footer | None = None  # notes below the table, where they were found
    repeated: PayoffError | None = None  # why columns of one name are refused by loading

    @property
    def delimiter(self) -> bytes:
        """The delimiter as one byte."""
        return (self.settings.delimiter or ",").encode()

    @property
    def quote(self) -> bytes:
        """The quote as one byte, or nothing."""
        return (self.settings.quote or "").encode()


_FEWEST_SMALL = 5  # different whole numbers without a mark, for the others to have one of thousands
_FOR_NAMES = 0.15  # what a line of names at the top is worth, beside the share of even lines
_NAME = re.compile(rb"[^\W\d][\w .%-]*")


@dataclass(frozen=True, slots=True)
class _Cut:
    """One way to cut the head, and how well it fits."""

    delimiter: str
    quote: str
    records: list[Record]
    width: int
    agreeing: int
    first: int  # index of the first record of the table
    score: float

    @property
    def begins_with_names(self) -> bool:
        """Whether the table's first record is a line of plain names, each another one.

        Cells of other rows may all hold a delimiter, as lists do; names of columns hardly do.
        """
        cells = self.records[self.first].fields if self.width > 1 and self.records else []
        return len(set(cells)) == len(cells) > 1 and all(_NAME.fullmatch(cell) for cell in cells)


def find_dialect(text: TextFile, reader: ReaderSettings | None = None) -> Dialect:
    """Find what ``reader`` leaves open in the first 256 KB (more where one row needs more).

    Raises
    ------
    PayoffError
        For a file that is empty, no ordinary file, unreadable, or something else in disguise.
    """
    reader = reader or ReaderSettings()
    count = HEAD_BYTES
    while True:
        start = text.start(count)
        check_not_disguised(start, text.path)
        is_whole = len(start) < count or (text.is_plain and len(start) >= text.size)
        dialect = _try_head(text, reader, start, is_whole)
        if dialect is not None:
            return dialect
        count *= 8
        if count > LARGEST_HEAD:
            raise PayoffError(
                "No line end in the first 64 MB.",
                where=text.path,
                why="A table has one row per line.",
                remedy="Check that this is a text file with line ends.",
            )


def _try_head(
    file: TextFile, reader: ReaderSettings, start: bytes, is_whole: bool
) -> Dialect | None:
    """Cut a head; None when it ends before the first two records do."""
    path = file.path
    findings: list[ReaderFinding] = []
    text, encoding, mark = _decode(path, reader, start, is_whole, findings)
    if not is_whole:
        ends = max(text.rfind("\n"), text.rfind("\r"))
        if ends < 0:
            return None
        text = text[: ends + 1]
    stream = text.encode("utf-8", "surrogatepass")
    if not stream.strip():
        raise PayoffError("The file holds nothing but blank lines.", where=path)
    _check_marks(reader, path)
    cut = _best_cut(stream, reader, findings)
    return _assemble(
        file, replace(reader, encoding=encoding), cut, stream, mark, is_whole, findings
    )


def _decode(
    path: str, reader: ReaderSettings, start: bytes, is_whole: bool, findings: list[ReaderFinding]
) -> tuple[str, str, int]:
    """The head as text; the encoding and length of its byte-order mark."""
    if reader.encoding:
        encoding = settle_encoding(reader.encoding, start, path)
        mark = mark_length(start, encoding)
    else:
        found = find_encoding(start, is_whole)
        encoding, mark = found.encoding, found.mark_length
        findings.append(
            ReaderFinding(
                setting="encoding", value=encoding, reason=found.reason, is_certain=found.is_certain
            )
        )
    # A head cut inside a character loses it; faults inside are reported by the reader with their
    # place, so the preview can still show the rest.
    return start[mark:].decode(encoding, "replace" if is_whole else "ignore"), encoding, mark


def _check_marks(reader: ReaderSettings, path: str) -> None:
    """Refuse settings that no file can be read with."""
    for name in ("delimiter", "quote", "decimal"):
        value = getattr(reader, name)
        if value is not None and not (len(value) == 1 and value.isascii()) and value != "":
            raise PayoffError(f"The {name} must be one plain character, not '{value}'.", where=path)
    if reader.decimal is not None and reader.decimal not in (".", ","):
        raise PayoffError(
            f"The decimal mark must be . or , and not '{reader.decimal}'.", where=path
        )
    if reader.decimal and reader.decimal == reader.thousands:
        raise PayoffError("Decimal and thousands mark cannot be the same.", where=path)


def _best_cut(stream: bytes, reader: ReaderSettings, findings: list[ReaderFinding]) -> _Cut:
    """Try every delimiter and quote that are open; keep the one that cuts most evenly."""
    stated = _separator_line(stream)
    if reader.delimiter is None and stated:
        findings.append(
            ReaderFinding(setting="delimiter", value=stated, reason=f"line 1 says sep={stated}")
        )
    quotes = (reader.quote,) if reader.quote is not None else ('"', "'")
    wanted = reader.delimiter or stated
    delimiters = (wanted,) if wanted else _DELIMITERS
    cuts = [_cut(stream, mark, quote, reader) for mark in delimiters for quote in quotes]
    best = max(cuts, key=lambda cut: cut.score + _FOR_NAMES * cut.begins_with_names)
    if not wanted and best.score < 0.8:
        others = [_cut(stream, m, quote, reader) for m in _RARE_DELIMITERS for quote in quotes]
        rare = max(others, key=lambda cut: cut.score)
        if rare.score >= 0.9 and rare.width > best.width:
            best = rare
            cuts.append(rare)
    if not wanted:
        findings.append(_delimiter_finding(best, cuts))
    if reader.quote is None:
        findings.append(_quote_finding(stream, best))
    return best


def _separator_line(stream: bytes) -> str:
    """The delimiter that Excel's first line ``sep=;`` states, or nothing."""
    first = stream[:16].split(b"\n")[0].strip().lower()
    if first.startswith(b"sep=") and len(first) == 5:
        return chr(first[4])
    return "\t" if stream[:5] == b"sep=\t" else ""


def _cut(stream: bytes, delimiter: str, quote: str, reader: ReaderSettings) -> _Cut:
    """Cut the head one way and rate it: how many records agree, how clean their cells are."""
    records: list[Record] = []
    above = 1 if _separator_line(stream) else 0  # it is part of nothing; a title may follow
    for record in iterate_records([stream], delimiter.encode(), quote.encode()):
        records.append(record)
        if len(records) >= _SNIFF_RECORDS:
            break
    records = [record for record in records if record.line > above] or records
    usable = [record for record in records[:-1] or records if not record.is_blank]
    if len(usable) < len(records) and not records[-1].is_blank:
        usable.append(records[-1])
    start = next((i for i, r in enumerate(usable) if r.line > reader.skip_lines), 0)
    counts = Counter(record.width for record in usable[start:])
    width = max(counts, key=lambda number: (counts[number] * (number > 1), number), default=1)
    first = start
    if not reader.skip_lines:
        first = next(
            (
                i
                for i in range(len(usable))
                if usable[i].width == width
                and (i + 1 >= len(usable) or usable[i + 1].width == width)
            ),
            0,
        )
        first += _lines_of_title(usable[first:], width)
    agreeing = sum(record.width == width for record in usable[first:])
    share = agreeing / max(1, len(usable))
    broken = sum(record.open_line is not None or bool(record.stray) for record in usable)
    clean = _clean_share(usable[first : first + 60], delimiter, quote.encode())
    score = share * (0.5 + 0.5 * clean) - 0.2 * broken / max(1, len(usable))
    score = score * (1 - 0.02 / width) if width > 1 else min(score, 0.3)
    if quote == "'" and broken:
        score -= 0.3  # an apostrophe that quotes nothing, not a faulty quote
    elif quote == "'" and not _is_quoted_by(usable, delimiter, b"'"):
        score -= 0.01
    return _Cut(delimiter, quote, usable, width, agreeing, first, score)


_TITLE_LINES = 20


def _lines_of_title(records: list[Record], width: int) -> int:
    """How many lines above the table are a title, padded with delimiters to the table's width.

    They have half of the cells of the lines below or fewer, and the first line below them is full;
    or fewer than all, and names stand below a blank line.
    """
    filled = [sum(bool(cell.strip()) for cell in record.fields) for record in records[:200]]
    usual = sorted(filled)[len(filled) // 2] if filled else 0
    if width < 3 or usual < 3 or len(filled) < 4:
        return 0
    for at in range(1, min(_TITLE_LINES, len(filled) - 2)):
        if filled[at] >= usual or filled[at - 1] >= usual:
            is_apart = not filled[at - 1] or records[at].line > _line_below(records[at - 1])
            is_named = filled[at] == width and not any(map(_is_number, records[at].fields))
            if is_apart and is_named and max(filled[:at]) < usual:
                return at
            break
    above = next((at for at, count in enumerate(filled) if 2 * count > usual), 0)
    is_full = records[above].width == width and filled[above] >= min(usual, width)
    return above if above <= _TITLE_LINES and is_full else 0


def _line_below(record: Record) -> int:
    return record.line + record.raw.count(b"\n") + 1


def _is_number(cell: bytes) -> bool:
    return looks_numeric(bare_number(cell.decode("utf-8", "replace")))


def _clean_share(records: list[Record], delimiter: str, quote: bytes) -> float:
    """The share of cells that hold no other delimiter, but for decimal commas and within quotes.

    A cell that begins or ends within double quotes was cut in two, whatever the quote is.
    """
    others = tuple(mark.encode() for mark in _DELIMITERS if mark != delimiter)
    cells = dirty = 0
    for record in records:
        cells += len(record.fields)
        for cell in record.fields:
            held = [mark for mark in others if mark in cell]
            is_number = held == [b","] and looks_numeric(
                bare_number(cell.decode("utf-8", "replace"))
            )
            is_dirty = bool(held) and not is_number and not _is_enclosed(cell, record, quote)
            dirty += is_dirty or (quote != b'"' and cell.count(b'"') % 2 == 1)
    return 1.0 - dirty / cells if cells else 1.0


def _is_enclosed(cell: bytes, record: Record, quote: bytes) -> bool:
    """Whether a cell stands in quotes in its line: what it holds then says nothing of the cut."""
    return bool(quote) and quote + cell.replace(quote, quote + quote) + quote in record.raw


def _is_quoted_by(records: list[Record], delimiter: str, quote: bytes) -> bool:
    """Whether some cell starts right after a delimiter with this quote and ends with it."""
    mark = delimiter.encode()
    return any(
        record.raw.startswith(quote) or mark + quote in record.raw or record.raw.endswith(quote)
        for record in records[:100]
    )


def _delimiter_finding(best: _Cut, cuts: list[_Cut]) -> ReaderFinding:
    """Say how evenly the delimiter cuts, and what else came close."""
    total = len(best.records) - best.first
    word = _DELIMITER_WORDS.get(best.delimiter, best.delimiter)
    rivals = [c for c in cuts if c.delimiter != best.delimiter and c.width > 1]
    rival = max(rivals, key=lambda cut: cut.score, default=None)
    is_close = rival is not None and rival.score > 0.93 * best.score
    if best.width == 1:
        return ReaderFinding(
            setting="delimiter",
            value=best.delimiter,
            is_certain=False,
            reason="no delimiter cuts the lines evenly: read as one column",
        )
    reason = (
        f"{counted_of(best.agreeing, total, 'line', verbs='has/have')} "
        f"{counted(best.width, 'field')} cut at the {word}"
    )
    if rival is not None and is_close:
        other = _DELIMITER_WORDS.get(rival.delimiter, rival.delimiter)
        reason += f"; the {other} would give {rival.width}"
    return ReaderFinding(
        setting="delimiter",
        value=best.delimiter,
        reason=reason,
        is_certain=not is_close and best.agreeing >= 0.98 * total,
    )


def _quote_finding(stream: bytes, best: _Cut) -> ReaderFinding:
    """Say whether the quote was seen."""
    count = stream.count(best.quote.encode())
    reason = (
        f"{count:,} found, around cells"
        if count and _is_quoted_by(best.records, best.delimiter, best.quote.encode())
        else "none seen; the usual one is kept"
    )
    return ReaderFinding(setting="quote", value=best.quote, reason=reason)


def _assemble(
    file: TextFile,
    reader: ReaderSettings,
    cut: _Cut,
    stream: bytes,
    mark: int,
    is_whole: bool,
    findings: list[ReaderFinding],
) -> Dialect:
    """Find header, names and number marks, and put all of it together."""
    warnings: list[str] = []
    table = cut.records[cut.first :]
    before = cut.records[cut.first - 1] if cut.first else None
    header, rows, note = find_header(reader, table, before, cut.width, findings)
    if header is None and reader.skip_lines == 0 and rows and rows[0].line > 1:
        _note_skipped(rows[0].line - 1, findings, is_stated=bool(_separator_line(stream)))
    elif header is not None and header.line > 1 + reader.skip_lines and not reader.skip_lines:
        _note_skipped(header.line - 1, findings, is_stated=bool(_separator_line(stream)))
    top = header or (rows[0] if rows else None)
    skip = max(reader.skip_lines, (top.line - 1) if top else 0)
    sink = NameSink.of(reader, warnings)
    line = header.line - 1 if header is not None else 0
    above = next((record for record in cut.records if record.line == line), None)
    names = settle_names(header, rows, cut.width, note, file.path, sink, above)
    findings += sink.findings
    data_line = rows[0].line if rows else (header.line + 1 if header else 1)
    data_offset = rows[0].start if rows else len(stream)
    records, head = _data_records(stream[data_offset:], cut, data_line, len(names), is_whole)
    footer = find_footer(records, len(names)) if is_whole else None
    if footer is not None:
        if head[: footer.start].endswith(b"\r\n"):
            footer = replace(footer, text=footer.text.replace(b"\n", b"\r\n"))
        body = head[: footer.start] + footer.text
        records, head = _data_records(body, cut, data_line, len(names), is_whole)
    cases = records[: len(records) - footer.rows] if footer is not None else records
    settled = replace(
        reader,
        format=reader.format or "delimited",
        delimiter=cut.delimiter,
        quote=cut.quote,
        has_header=header is not None,
        skip_lines=skip,
        missing_marks=marks_beside(names, reader.missing_marks, _cells_by_column(cases)),
    )
    if reader.has_header is None:
        note_doubtful_lines(header, list(cases), findings)
    settled = _with_marks(settled, reader, cases, findings)
    settled = _with_date_order(settled, names, cases, findings)
    return Dialect(
        settings=settled,
        names=names,
        mark_bytes=mark,
        data_offset=data_offset,
        data_line=data_line,
        sample=records,
        head=head,
        is_whole=is_whole,
        size=max(file.size, mark + len(head)),
        text=file,
        findings=tuple(findings),
        warnings=tuple(warnings),
        footer=footer,
        repeated=sink.repeated,
    )


def _cells_by_column(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    """The cells of each column in turn, where some record holds the word None."""
    if any(b"None" in record.raw for record in records):
        rows = [[_text(cell) for cell in record.fields] for record in records]
        yield from zip(*rows, strict=False)


def _data_records(
    head: bytes, cut: _Cut, first_line: int, width: int, is_whole: bool
) -> tuple[tuple[Record, ...], bytes]:
    """The data records of the head; of a longer file only those that end in it."""
    marks = cut.delimiter.encode(), cut.quote.encode()
    found = iterate_records([head], *marks, first_line=first_line)
    records = [record for record in found if width == 1 or not record.is_blank]
    if is_whole:
        return tuple(records), head
    records = [record for record in records if record.open_line is None]
    return tuple(records), head[: records[-1].end] if records else b""


def _note_skipped(count: int, findings: list[ReaderFinding], *, is_stated: bool) -> None:
    """Report the lines in front of the table; Excel's own ``sep=;`` alone is nothing to check."""
    words = "the first line does" if count == 1 else f"the first {counted(count, 'line')} do"
    findings.append(
        ReaderFinding(
            setting="skip_lines",
            value=str(count),
            is_certain=count == 1 and is_stated,
            reason=f"{words} not belong to the table",
        )
    )


def _with_date_order(
    settled: ReaderSettings,
    names: tuple[str, ...],
    records: tuple[Record, ...],
    findings: list[ReaderFinding],
) -> ReaderSettings:
    """Fill in the order of dates such as 03/04/2024 where it is certain."""
    if settled.date_order is not None:
        return settled
    rows = [record.fields for record in records[:_DATE_RECORDS]]
    marks = set(settled.missing_marks)
    columns = [
        (name, [text for row in rows if at < len(row) and (text := _text(row[at])) not in marks])
        for at, name in enumerate(names)
    ]
    finding = find_date_order(columns)
    if finding is None:
        return settled
    findings.append(finding)
    return replace(settled, date_order=finding.value) if finding.is_certain else settled


def _marks_by_columns(records: tuple[Record, ...], doubtful: NumberMarks) -> NumberMarks:
    """The marks where each column has its own: those of all but columns with thousands marks.

    "17.145,45" tells how its column is to be read, whatever 0.25 in another one says. A column in
    which both 66.75 and 5,3 occur is text however the file is read, and tells nothing.
    """
    width = max((len(record.fields) for record in records), default=0)
    columns = [
        _marks_of({bare_number(_text(r.fields[at])) for r in records if at < len(r.fields)})
        for at in range(width)
    ]
    seen = [marks for marks in columns if marks.decimal_seen or marks.thousands]
    torn = [marks for marks in seen if marks.is_torn]
    seen = [marks for marks in seen if not marks.is_torn]
    if torn and all(m.decimal_certain for m in seen) and len({m.decimal for m in seen}) < 2:
        return seen[0] if seen else find_number_marks((), "")
    seen += torn
    plain = [marks for marks in seen if not (marks.thousands and marks.decimal_certain)]
    told = {marks.decimal for marks in plain if marks.decimal_certain}
    others = {marks.decimal for marks in seen} - told
    is_clear = all(marks.decimal_certain for marks in plain) and len(told) == 1 and others
    if seen and not plain and len({marks.decimal for marks in seen}) == 1:
        return seen[0]
    return replace(plain[0], thousands=None) if is_clear else doubtful


def _marks_of(cells: set[str]) -> NumberMarks:
    """The marks of one column; "985" beside "12,345" and others tells that these are thousands."""
    marks = find_number_marks(sorted(cells), "")
    mark = "" if marks.decimal_certain else thousands_among(cells - {""})
    small = [int(cell) for cell in cells if cell.isdigit()]
    if not mark or len(small) < _FEWEST_SMALL or max(small) < 100:
        return marks
    reason = f"numbers below 1{mark}000 stand without a '{mark}' in a column where others have one"
    decimal = "." if mark == "," else ","
    return NumberMarks(
        decimal=decimal,
        decimal_reason=reason,
        decimal_certain=True,
        thousands=mark,
        thousands_reason=reason,
    )


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace").strip()


def _with_marks(
    settled: ReaderSettings,
    reader: ReaderSettings,
    records: tuple[Record, ...],
    findings: list[ReaderFinding],
) -> ReaderSettings:
    """Fill in decimal and thousands marks.

    Where amounts with their sign are written in another way than plain numbers, these tell: a
    column with signs is read by its own.
    """
    texts = [c.decode("utf-8", "replace") for r in records[:2000] for c in r.fields]
    bare = list(map(bare_number, texts))
    marks = find_number_marks(bare, settled.delimiter or ",")
    if not marks.decimal_certain:
        plain = (text for text, cell in zip(texts, bare, strict=True) if text == cell)
        by_plain = find_number_marks(plain, settled.delimiter or ",")
        is_told = by_plain.decimal_certain and by_plain.decimal_seen
        marks = by_plain if is_told else _marks_by_columns(records[:2000], marks)
    decimal, thousands = reader.decimal, reader.thousands
    if decimal is None:
        decimal = marks.decimal
        findings.append(
            ReaderFinding(
                setting="decimal",
                value=decimal,
                reason=marks.decimal_reason,
                is_certain=marks.decimal_certain,
            )
        )
    if thousands is None and marks.thousands and marks.thousands != decimal:
        thousands = marks.thousands
        findings.append(
            ReaderFinding(setting="thousands", value=thousands, reason=marks.thousands_reason)
        )
    return replace(settled, decimal=decimal, thousands=thousands)
