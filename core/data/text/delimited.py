"""Reading delimited text: the fast reader on its own thread, watched for progress and Stop.

The stream the fast reader draws from: decodes, hashes, scans, counts, and can be stopped.

The exact place of a fault in a delimited file, looked for after the fast reader gave up.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.csv as pacsv

from core.data.cancellation import Progress, ShouldStop, never_stop
from core.data.kinds import Settling, settle_columns
from core.data.reading.left_out import KeptRows, choose_rows
from core.data.table import RowPlaces
from core.data.text.bytescan import ByteScan, padded_columns
from core.data.text.dialect import Dialect, find_dialect
from core.data.text.records import Record, TextFile, iterate_records
from core.document.data.model import ReaderSettings
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError


class ScannedSource:
    """A file object in the shape pyarrow wants, over the UTF-8 text from a given offset on.

    Read from one thread at a time (the reader's own); ``bytes_read`` and ``stop`` may be used from
    another. A failure is kept in ``failure``, since the reader may wrap it.
    """

    closed = False

    def __init__(
        self, text: TextFile, encoding: str, skip_bytes: int, offset: int, scan: ByteScan | None
    ) -> None:
        self._file = text.open()
        self._path = text.path
        self._encoding = encoding
        self._digest = hashlib.sha256()
        self._scan = scan
        self._decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
        self._pending = b""
        self._ended = False
        self.bytes_read = 0
        self.stop = False
        self.failure: Exception | None = None
        try:
            self._begin(skip_bytes, offset)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, skip_bytes: int, offset: int) -> None:
        """Move past the byte-order mark and the header, hashing what is passed."""
        self._take(skip_bytes)
        if self._decoder is None:
            while offset > 0:
                passed = len(self._take(min(offset, 1 << 20)))
                offset -= passed
                if not passed:
                    return
            return
        while len(self._pending) < offset and not self._ended:
            self._pending += self._decoded(1 << 20)
        self._pending = self._pending[offset:]

    def _take(self, count: int) -> bytes:
        """Raw bytes, hashed and counted."""
        block = self._file.read(count)
        self._digest.update(block)
        self.bytes_read += len(block)
        return block

    def _decoded(self, count: int) -> bytes:
        """The next stretch as UTF-8 bytes; refuses bytes that the encoding does not have."""
        assert self._decoder is not None
        before = self.bytes_read
        block = self._take(count)
        self._ended = not block
        held = len(self._decoder.getstate()[0])
        try:
            return self._decoder.decode(block, final=self._ended).encode("utf-8")
        except UnicodeError as error:
            start = getattr(error, "start", 0)
            place = before - held + start
            raise PayoffError(
                f"The file is not {self._encoding} text.",
                where=f"{self._path}, byte offset {place:,}",
                why="The bytes there mean nothing in this encoding.",
                remedy="Choose another encoding in the import settings.",
            ) from None

    def read(self, count: int = -1) -> bytes:
        """Give the next bytes of the stream; b"" at its end."""
        try:
            return self._read(count if count is not None and count >= 0 else 1 << 20)
        except Exception as error:
            self.failure = error
            raise

    def _read(self, count: int) -> bytes:
        if self.stop:
            raise StoppedError
        if self._decoder is None:
            block = self._take(count)
        else:
            while len(self._pending) < count and not self._ended:
                self._pending += self._decoded(count)
            block, self._pending = self._pending[:count], self._pending[count:]
        if self._scan is not None:
            self._scan.feed(block)
            if self._scan.has_nul:
                raise NulFoundError
        return block

    def digest(self) -> str:
        """The SHA-256 of the whole file; reads what the reader left."""
        while self._take(1 << 20):
            pass
        return self._digest.hexdigest()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def readable(self) -> bool:
        """Say that reading works."""
        return True

    def writable(self) -> bool:
        """Say that writing does not."""
        return False

    def seekable(self) -> bool:
        """Say that the stream only goes forward."""
        return False


class NulFoundError(Exception):
    """A NUL byte went past; its place is looked for afterwards."""


_SHOWN_LINES = 20
_SHOWN_TEXT = 70


def data_chunks(dialect: Dialect, should_stop: ShouldStop) -> Iterator[bytes]:
    """The UTF-8 text of the data rows, a megabyte at a time."""
    source = ScannedSource(
        dialect.text,
        dialect.settings.encoding or "utf-8",
        dialect.mark_bytes,
        dialect.data_offset,
        None,
    )
    try:
        while block := source.read(1 << 20):
            if should_stop():
                raise StoppedError
            yield block
    finally:
        source.close()


def data_records(dialect: Dialect, should_stop: ShouldStop) -> Iterator[Record]:
    """Every data record with its line; blank lines are passed over where the reader does."""
    records = iterate_records(
        data_chunks(dialect, should_stop),
        dialect.delimiter,
        dialect.quote,
        first_line=dialect.data_line,
    )
    for record in records:
        if len(dialect.names) == 1 or not record.is_blank:
            yield record


def find_broken_record(path: str, dialect: Dialect, should_stop: ShouldStop) -> PayoffError | None:
    """Look for rows with a wrong number of fields, quotes left open, text after a closing quote."""
    width = len(dialect.names)
    wrong: list[tuple[Record, int]] = []
    count = 0
    for row, record in enumerate(data_records(dialect, should_stop), start=1):
        if record.open_line is not None:
            if wrong:
                break
            return _open_quote(path, record, row)
        if record.stray and not wrong:
            return _text_after_quote(path, record, row)
        if record.width != width:
            count += 1
            if len(wrong) < _SHOWN_LINES:
                wrong.append((record, row))
    return _wrong_width(path, width, wrong, count) if wrong else None


def _wrong_width(path: str, width: int, wrong: list[tuple[Record, int]], count: int) -> PayoffError:
    record, row = wrong[0]
    found = record.width
    kind = "too many" if found > width else "too few"
    why = f"Expected {counted(width, 'field')}, found {found}: {_shown(record.raw)}."
    if count > 1:
        lines = ", ".join(str(entry.line) for entry, _ in wrong[1:])
        more = " ..." if count > _SHOWN_LINES else ""
        why += (
            f" {counted(count, 'row differs', 'rows differ')}; the others are in lines "
            f"{lines}{more}."
        )
    return PayoffError(
        f"A row has {kind} fields.",
        where=f"{path}, line {record.line}, data row {row}",
        why=why,
        remedy="Check delimiter, quote and skipped lines in the import settings, or mend the line.",
    )


def _open_quote(path: str, record: Record, row: int) -> PayoffError:
    return PayoffError(
        "A quote is opened and never closed.",
        where=f"{path}, line {record.open_line}, data row {row}",
        why=f"The cell would swallow the rest of the file: {_shown(record.raw)}.",
        remedy="Close the quote in that line, or choose another quote mark in the import settings.",
    )


def _text_after_quote(path: str, record: Record, row: int) -> PayoffError:
    return PayoffError(
        "Text follows a closing quote.",
        where=f"{path}, line {record.line}, data row {row}",
        why=f"After the quote comes {_shown(record.stray)}, in {_shown(record.raw)}.",
        remedy="A quote inside a cell is written twice; or an earlier quote was never closed.",
    )


def find_nul(path: str, dialect: Dialect, should_stop: ShouldStop) -> PayoffError:
    """The place of the first NUL byte."""
    line = dialect.data_line
    offset = dialect.data_offset + dialect.mark_bytes
    for block in data_chunks(dialect, should_stop):
        found = block.find(b"\0")
        piece = block if found < 0 else block[:found]
        line += piece.count(b"\n")
        offset += len(piece)
        if found >= 0:
            break
    return PayoffError(
        "The file holds a NUL byte, which no text has.",
        where=f"{path}, line {line}, byte offset {offset:,}",
        why="The file is damaged, binary, or in UTF-16 without saying so.",
        remedy="Choose the encoding in the import settings, or export the file again.",
    )


def find_bad_bytes(text: TextFile) -> PayoffError:
    """The place of the first byte that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines, offset, value = 1, 0, b""
    with text.open() as source:
        while True:
            block = source.read(1 << 20)
            held = decoder.getstate()[0]
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                value = (held + block)[error.start : error.start + 1]
                lines += (held + block)[: error.start].count(b"\n")
                offset += error.start - len(held)
                break
            lines += block.count(b"\n")
            offset += len(block)
            if not block:
                break
    return PayoffError(
        "The file is not UTF-8 text.",
        where=f"{text.path}, line {lines}, byte offset {offset:,}",
        why=f"The byte there is 0x{value.hex().upper()}.",
        remedy="Choose another encoding in the import settings; cp1252 is usual on Windows.",
    )


def cell_of_row(
    dialect: Dialect, row: int, column: int, should_stop: ShouldStop
) -> tuple[int, str]:
    """Line number and text of a cell (data row from 0)."""
    for number, record in enumerate(data_records(dialect, should_stop)):
        if number == row:
            return record.line, record.fields[column].decode("utf-8", "replace")
    return 0, ""


def _shown(raw: bytes) -> str:
    """A stretch of the file short enough for a message."""
    text = raw.decode("utf-8", "replace")
    text = " ".join(text.split("\n"))
    return f"'{text[:_SHOWN_TEXT]}...'" if len(text) > _SHOWN_TEXT else f"'{text}'"


_BLOCK = 1 << 20
_LARGEST_BLOCK = 256 << 20
_DICTIONARY_LEVELS = 1_000
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """What reading delimited text gives."""

    table: pa.Table
    kinds: dict[str, str]
    dialect: Dialect
    places: RowPlaces
    content_hash: str
    warnings: tuple[str, ...]


def read_delimited(
    text: TextFile, reader: ReaderSettings, progress: Progress, should_stop: ShouldStop
) -> ReadText:
    """Read a whole delimited text.

    Raises
    ------
    PayoffError
        Naming file, line, data row, column and value.
    StoppedError
        When ``should_stop`` said so.
    """
    path = text.path
    dialect = find_dialect(text, reader)
    if dialect.repeated is not None:
        raise dialect.repeated
    _refuse_ambiguity(path, reader, dialect)
    if not dialect.sample and dialect.is_whole:
        raise PayoffError(
            "The file has a header and no data rows.",
            where=path,
            why=(
                f"Its {counted(len(dialect.names), 'column is', 'columns are')}: "
                f"{', '.join(dialect.names[:8])}."
            ),
        )
    run = _Run(path, dialect, progress, should_stop)
    table = run.read_table()
    run.check_quotes()
    rows = table.num_rows
    kept = choose_rows(table, dialect.settings, path, lambda row: f"line {run.line_of(row)}")
    table = kept.take(table)
    places = kept.places(RowPlaces())
    settling = Settling(
        settings=dialect.settings,
        reread=lambda names: kept.take_columns(run.reread_as_text(names)),
        place=lambda name, row, value: run.place(name, places.row_in_file(row), value),
        padded=run.padded_columns(),
        has_tiny_numbers=run.scan.has_tiny_numbers,
        has_stated_dates=reader.date_order is not None,
    )
    progress(0.95, "checking columns")
    _refuse_binary(dialect, table)
    table, kinds = settle_columns(table, settling)
    dialect = _with_text_columns(dialect, settling.kept_text)
    warnings = [*dialect.warnings, *_doubts(dialect), *kept.words, *settling.warnings]
    if run.scan.has_mixed_ends:
        warnings.append("Lines end in different ways (LF, CR LF or CR): read all the same.")
    is_regular = run.scan.lines == rows
    return ReadText(
        table=table,
        kinds=kinds,
        dialect=dialect,
        content_hash=run.content_hash,
        places=replace(
            places, first_line=dialect.data_line, is_regular=is_regular, dialect=dialect
        ),
        warnings=tuple(warnings),
    )


def _with_text_columns(dialect: Dialect, names: list[str]) -> Dialect:
    """Note columns that stayed text, so that the same settings read the same table again."""
    if not names:
        return dialect
    types = (*dialect.settings.column_types, *((name, "text") for name in names))
    return replace(dialect, settings=replace(dialect.settings, column_types=types))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSample:
    """What the head of a delimited text gives."""

    table: pa.Table
    kinds: dict[str, str]
    kept: KeptRows
    warnings: tuple[str, ...]


def read_sample(dialect: Dialect, path: str) -> ReadSample:
    """Read the head that a dialect was found in, with the types the first rows suggest."""
    scan = ByteScan(dialect.delimiter[0], dialect.quote[0] if dialect.quote else 0)
    scan.feed(dialect.head)
    scan.finish()

    def place(name: str, row: int, value: str) -> str:
        return f"{path}, line {dialect.sample[row].line}, column {name}, value '{value}'"

    def reread(names: list[str]) -> dict[str, pa.ChunkedArray]:
        text = _parse(pa.BufferReader(dialect.head), dialect, as_text=names)
        return {name: text.column(name) for name in names}

    table = _parse(pa.BufferReader(dialect.head), dialect)
    settings = _of_head(dialect, table.num_rows)
    kept = choose_rows(table, settings, path, lambda row: f"line {dialect.sample[row].line}")
    table, places = kept.take(table), kept.places(RowPlaces())
    settling = Settling(
        settings=dialect.settings,
        reread=lambda names: kept.take_columns(reread(names)),
        place=lambda name, row, value: place(name, places.row_in_file(row), value),
        padded=_padded(dialect, [dialect.head]) if scan.has_leading_zeros else frozenset(),
    )
    table, kinds = settle_columns(table, settling)
    warnings = (*kept.words, *settling.warnings)
    return ReadSample(table=table, kinds=kinds, kept=kept, warnings=warnings)


def _of_head(dialect: Dialect, rows: int) -> ReaderSettings:
    """The settings for the head alone: the end of a longer file is not seen yet."""
    settings = dialect.settings
    if dialect.is_whole:
        return settings
    told = tuple(row for row in settings.left_out or () if row <= rows)
    return replace(settings, left_out=told)


def _padded(dialect: Dialect, blocks: Iterable[bytes]) -> frozenset[str]:
    """Columns of ids such as 007 in the text of the data rows."""
    quote = dialect.quote[0] if dialect.quote else 0
    return padded_columns(blocks, dialect.names, dialect.delimiter[0], quote)


def _refuse_ambiguity(path: str, reader: ReaderSettings, dialect: Dialect) -> None:
    """A decimal mark that could be a thousands mark is asked for, never guessed."""
    if reader.decimal is not None:
        return
    for finding in dialect.findings:
        if finding.setting == "decimal" and not finding.is_certain:
            raise PayoffError(
                "The decimal mark is not clear.",
                where=path,
                why=f"{finding.reason[0].upper()}{finding.reason[1:]}.",
                remedy="State the decimal mark (. or ,) in the import settings.",
            )


def _doubts(dialect: Dialect) -> list[str]:
    """Settings that were found but are not certain, as warnings."""
    words = {
        "delimiter": "delimiter",
        "encoding": "encoding",
        "has_header": "header line",
        "skip_lines": "skipped lines",
        "date_order": "order of dates",
    }
    return [
        f"Please check the {words[entry.setting]} ({entry.value!r}): {entry.reason}."
        for entry in dialect.findings
        if not entry.is_certain and entry.setting in words
    ]


def _refuse_binary(dialect: Dialect, table: pa.Table) -> None:
    """Bytes that are no UTF-8 come out as binary columns: say where they are."""
    for kind in table.schema.types:
        inner = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_binary(inner) or pa.types.is_large_binary(inner):
            raise find_bad_bytes(dialect.text)


def _parse(
    source: pa.NativeFile,
    dialect: Dialect,
    *,
    as_text: list[str] | None = None,
    block: int = _BLOCK,
    has_multi_line_cells: bool = True,
) -> pa.Table:
    """Call the fast reader; with ``as_text`` only those columns, untouched."""
    settings = dialect.settings
    wanted = dict(settings.column_types)
    text = as_text if as_text is not None else [n for n, kind in wanted.items() if kind == "text"]
    convert = pacsv.ConvertOptions(
        column_types=dict.fromkeys(text, pa.string()),
        null_values=list(settings.missing_marks),
        strings_can_be_null=True,
        true_values=["true", "True", "TRUE"],
        false_values=["false", "False", "FALSE"],
        decimal_point=settings.decimal or ".",
        auto_dict_encode=True,
        auto_dict_max_cardinality=_DICTIONARY_LEVELS,
        include_columns=as_text,
    )
    parse = pacsv.ParseOptions(
        delimiter=settings.delimiter,
        quote_char=settings.quote or False,
        newlines_in_values=has_multi_line_cells,
        ignore_empty_lines=len(dialect.names) > 1,
    )
    read = pacsv.ReadOptions(column_names=list(dialect.names), block_size=block, use_threads=True)
    return pacsv.read_csv(source, read_options=read, parse_options=parse, convert_options=convert)


class _Run:
    """One reading of one file, watched from the caller's thread."""

    def __init__(
        self, path: str, dialect: Dialect, progress: Progress, should_stop: ShouldStop
    ) -> None:
        self.path = path
        self.dialect = dialect
        self.progress = progress
        self.should_stop = should_stop
        self.content_hash = ""
        self.rows = 0
        self.scan = self._new_scan()

    def _new_scan(self) -> ByteScan:
        quote = self.dialect.quote
        return ByteScan(self.dialect.delimiter[0], quote[0] if quote else 0)

    def read_table(self) -> pa.Table:
        """Read everything; larger blocks when one row does not fit into a block."""
        block = _BLOCK
        has_multi_line = bool(self.dialect.quote) and self.dialect.quote in self.dialect.head
        while True:
            self.scan = self._new_scan()
            try:
                table = self._watch(block, has_multi_line)
            except pa.ArrowInvalid as error:
                if "block" in str(error) and block < _LARGEST_BLOCK:
                    block *= 16
                    continue
                raise self._explain(error) from None
            self.scan.finish()
            if self.scan.quotes and not has_multi_line:
                has_multi_line = True
                continue
            self.rows = table.num_rows
            return table.unify_dictionaries()

    def _watch(
        self, block: int, has_multi_line: bool, as_text: list[str] | None = None
    ) -> pa.Table:
        """Run the fast reader on a thread; report progress and pass Stop on from this one."""
        settings = self.dialect.settings
        scan = self.scan if as_text is None else None
        source = ScannedSource(
            self.dialect.text,
            settings.encoding or "utf-8",
            self.dialect.mark_bytes,
            self.dialect.data_offset,
            scan,
        )
        outcome: list[pa.Table | BaseException] = []

        def work() -> None:
            try:
                stream = pa.PythonFile(source, mode="r")
                outcome.append(
                    _parse(
                        stream,
                        self.dialect,
                        as_text=as_text,
                        block=block,
                        has_multi_line_cells=has_multi_line,
                    )
                )
            except BaseException as error:
                outcome.append(error)

        worker = threading.Thread(target=work, name="payoff-read", daemon=True)
        worker.start()
        stage = "reading" if as_text is None else "checking ids"
        while worker.is_alive():
            worker.join(_POLL_SECONDS)
            source.stop = source.stop or self.should_stop()
            share = 0.94 * min(1.0, source.bytes_read / self.dialect.size)
            self.progress(share if as_text is None else None, stage)
        try:
            return self._conclude(outcome[0], source, is_first=as_text is None)
        finally:
            source.close()

    def _conclude(
        self, outcome: pa.Table | BaseException, source: ScannedSource, *, is_first: bool
    ) -> pa.Table:
        """The table, or the failure in the caller's terms."""
        if source.stop:
            raise StoppedError
        if isinstance(source.failure, NulFoundError):
            raise find_nul(self.path, self.dialect, self.should_stop)
        if isinstance(source.failure, PayoffError):
            raise source.failure
        if isinstance(outcome, BaseException):
            raise outcome
        if is_first:
            self.content_hash = source.digest()
        return outcome

    def _explain(self, error: pa.ArrowInvalid) -> PayoffError:
        """Find the place of what the fast reader stumbled over."""
        self.progress(None, "looking for the place of the fault")
        found = find_broken_record(self.path, self.dialect, self.should_stop)
        if found is not None:
            return found
        if "UTF" in str(error) or "utf" in str(error):
            return find_bad_bytes(self.dialect.text)
        return PayoffError(
            "The file cannot be read as a table.",
            where=self.path,
            why=str(error).split("\n")[0],
            remedy="Check delimiter, quote and skipped lines in the import settings.",
        )

    def check_quotes(self) -> None:
        """Look carefully where quotes do not open and close as they should."""
        if not self.scan.has_broken_quotes:
            return
        self.progress(None, "checking quotes")
        found = find_broken_record(self.path, self.dialect, self.should_stop)
        if found is not None:
            raise found

    def reread_as_text(self, names: list[str]) -> dict[str, pa.ChunkedArray]:
        """Read some columns again, untouched."""
        table = self._watch(_LARGEST_BLOCK // 16, self.scan.quotes > 0, names)
        return {name: table.column(name) for name in names}

    def padded_columns(self) -> frozenset[str]:
        """Columns with leading zeros: looked for again where the first reading saw any."""
        if not self.scan.has_leading_zeros:
            return frozenset()
        self.progress(None, "checking ids")
        return _padded(self.dialect, data_chunks(self.dialect, self.should_stop))

    def line_of(self, row: int) -> int:
        """The line of a data row (from 0)."""
        if self.scan.lines == self.rows:
            return self.dialect.data_line + row
        return cell_of_row(self.dialect, row, 0, self.should_stop)[0]

    def place(self, name: str, row: int, value: str) -> str:
        """Where a cell stands, with its text as it is in the file."""
        column = self.dialect.names.index(name)
        line, text = cell_of_row(self.dialect, row, column, self.should_stop)
        return (
            f"{self.path}, line {line}, data row {row + 1}, column {name}, value '{text or value}'"
        )


def line_of_row(path: str, places: RowPlaces, row: int) -> int:
    """The line of a data row (from 0) in the file; 0 where the source has no lines."""
    if not places.first_line:
        return 0
    row = places.row_in_file(row)
    if places.is_regular or places.dialect is None:
        return places.first_line + row
    if not os.path.exists(path):
        return 0
    return cell_of_row(places.dialect, row, 0, never_stop)[0]
