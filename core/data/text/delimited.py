"""Reading delimited text: the fast reader on its own thread, watched for progress and Stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.csv as pacsv

from core.data.cancellation import Progress, ShouldStop, never_stop
from core.data.kinds import Settling, settle_columns
from core.data.reading.left_out import KeptRows, choose_rows
from core.data.table import RowPlaces
from core.data.text.bytescan import ByteScan, padded_columns
from core.data.text.dialect import Dialect, find_dialect
from core.data.text.locate import (
    cell_of_row,
    data_chunks,
    find_bad_bytes,
    find_broken_record,
    find_nul,
)
from core.data.text.source import NulFoundError, ScannedSource
from core.data.text.text_file import TextFile
from core.document.data.model import ReaderSettings
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError

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
    reported = tuple(row for row in settings.left_out or () if row <= rows)
    return replace(settings, left_out=reported)


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
