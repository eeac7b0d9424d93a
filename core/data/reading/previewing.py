"""The first rows of a file and the settings found, without reading the rest.

The first rows of a table that a plugin's reader opens.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import replace

import pyarrow as pa

from core.data.cancellation import never_stop, no_progress
from core.data.lazy import parquet as lazy_parquet
from core.data.lazy.table import column_bytes
from core.data.names import REPEATED, NameSink, settle_given_names
from core.data.profile.summary import cell_text
from core.data.reading.choosing import (
    PARQUET,
    FindReaders,
    check_readable,
    choose_reader,
    no_readers,
)
from core.data.reading.opened import (
    as_requested,
    choose_rows_of,
    findings_of,
    open_file,
    settings_of,
    take_table,
    unpacked_text,
)
from core.data.reading.parquet import open_parquet, settle_table
from core.data.text.delimited import read_sample
from core.data.text.dialect import Dialect, find_dialect
from core.data.text.number_texts import bare_number, looks_numeric
from core.data.text.records import TextFile, open_plain_text
from core.document.data.model import ReaderSettings
from core.document.data.results import PreviewResult, ReaderFinding
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.readers import OpenedTable, TableReader

_OPENED_LOADING_FACTOR = 3.0  # the reader's own cells, and the columns they are being made into


def preview_columns(
    path: str, reader: TableReader, opened: OpenedTable, settings: ReaderSettings
) -> PreviewResult:
    """Show what a reader hands over first; faults that loading refuses are warnings here."""
    sink = NameSink.of(settings)
    names = settle_given_names(opened.columns, path, sink, opened.headings)
    warnings, shown = sink.warnings, settings
    table = take_table(path, reader, opened, names, no_progress, never_stop)
    try:
        kept = choose_rows_of(table, opened, _of_head(settings, table, opened), path)
        if opened.rows is None or table.num_rows >= opened.rows:
            shown = kept.in_settings(settings)
        settled, kinds, more = settle_table(
            kept.take(table), settings, path, first_line=opened.first_line
        )
        warnings += [*kept.words, *more]
        are_own = not kept.left_out and settled.column_names == list(names)  # no list was spread
        cells = settled if are_own else table
    except PayoffError as error:
        settled, cells, kinds = table, table, dict.fromkeys(names, "text")
        warnings.append(str(error))
    rows = opened.rows if opened.rows is not None else settled.num_rows
    width = settled.nbytes / max(1, settled.num_rows)
    columns = [[cell_text(cell) for cell in column.to_pylist()] for column in cells.columns]
    return PreviewResult(
        path=path,
        size_bytes=os.path.getsize(path),
        settings=shown,
        findings=(*findings_of(opened.found), *sink.findings),
        columns=names,
        column_types=_kinds_of(names, kinds),
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        row_estimate=rows,
        memory_estimate_bytes=int(rows * width * _OPENED_LOADING_FACTOR),
        warnings=(*warnings, *opened.notes),
        parts=opened.parts,
        obeyed=(*reader.settings, "column_types", "date_order", REPEATED),
    )


def _kinds_of(names: tuple[str, ...], kinds: dict[str, str]) -> tuple[str, ...]:
    """Kinds of the columns as the file has them: lists, which become columns, are shown as text."""
    return tuple(kinds.get(name, "text") for name in names)


def _of_head(settings: ReaderSettings, table: pa.Table, opened: OpenedTable) -> ReaderSettings:
    """The settings for the first rows alone: the end of a longer table is not seen yet."""
    if opened.rows is None or table.num_rows >= opened.rows:
        return settings
    reported = tuple(row for row in settings.left_out or () if row <= table.num_rows)
    return replace(settings, left_out=reported)


_USUAL_MARKS = (
    "-",
    "--",
    "..",
    "?",
    "*",
    "#N/A",
    "#N/V",
    "n/a",
    "na",
    "NIL",
    "nil",
    "missing",
    "Missing",
    "unknown",
    "none",
    "null",
    "<NA>",
    "#VALUE!",
    "#DIV/0!",
    "k.A.",
    "k. A.",
    "keine Angabe",
    "n.v.",
    "n.b.",
    "unbekannt",
    "inconnu",
    "n.c.",
    "n.d.",
    "ND",
    "NR",
    "unk",
    "UNK",
)
#: Numbers that often stand for "not known"; offered only where they stick out.
_NUMBER_MARKS = (
    *("999", "-999", "9999", "-9999", "99999", "-99", "-1"),
    *("-9", "-8", "-88", "-77", "99"),
)
#: Settings of the window that hold for delimited text only, and for any text.
TEXT_SETTINGS = ("delimiter", "quote", "encoding")
NUMBER_SETTINGS = ("decimal", "thousands", "date_order", "column_types", REPEATED)
#: Words in a column of numbers that are offered as marks whatever they are.
_FEW, _ENOUGH = 0.02, 20
_LOADING_FACTOR = 2.0  # columns, and the stretches of text they are being made from


def preview(
    path: str,
    reader: ReaderSettings | None = None,
    *,
    count: int = 100,
    find_readers: FindReaders = no_readers,
) -> PreviewResult:
    """Look at the first 256 KB, or the first rows.

    Parameters
    ----------
    path : str
    reader : ReaderSettings, optional
        What the user has settled; the rest is found, with a reason each.
    count : int
        Rows to show.
    find_readers : callable
        As in ``load``.

    Returns
    -------
    PreviewResult
        Findings that are not certain are to be asked about. Faults in the rows shown are warnings
        here, so that settings can be changed; ``load`` refuses them.

    Raises
    ------
    PayoffError
        For a file that is empty, no ordinary file, unreadable, or something else in disguise.
    """
    reader = reader or ReaderSettings()
    check_readable(path)
    chosen = choose_reader(path, reader, find_readers)
    if chosen == PARQUET:
        return _preview_parquet(path, reader, count)
    if not isinstance(chosen, TableReader):
        return _preview_text(open_plain_text(path), reader, count)
    opened = open_file(path, chosen, reader, count)
    requested = settings_of(chosen, reader, opened)
    if isinstance(opened, OpenedTable):
        return preview_columns(path, chosen, opened, requested)
    seen = _preview_text(unpacked_text(path, opened), requested, count)
    return replace(
        seen,
        size_bytes=os.path.getsize(path),
        settings=as_requested(seen.settings, reader, opened),
        findings=(*findings_of(opened.found), *seen.findings),
        warnings=(*opened.notes, *seen.warnings),
        parts=opened.parts,
        obeyed=(*chosen.settings, *(() if opened.delimiter else TEXT_SETTINGS), *NUMBER_SETTINGS),
    )


def _preview_text(text: TextFile, reader: ReaderSettings, count: int) -> PreviewResult:
    """The first rows of delimited text."""
    path = text.path
    dialect = find_dialect(text, reader)
    warnings, settings = [*dialect.warnings, *_faults(dialect)], dialect.settings
    left_out: tuple[int, ...] = ()
    try:
        sample = read_sample(dialect, path)
        warnings += sample.warnings
        types = _kinds_of(dialect.names, sample.kinds)
        width = sample.table.nbytes / max(1, sample.table.num_rows)
        settings = sample.kept.in_settings(settings)
        left_out = sample.kept.left_out
    except (PayoffError, pa.ArrowInvalid) as error:
        if isinstance(error, PayoffError):
            warnings.append(str(error))
        types = ("text",) * len(dialect.names)
        width = len(dialect.head) / max(1, len(dialect.sample))
    rows = _row_estimate(dialect)
    return PreviewResult(
        path=path,
        size_bytes=dialect.size,
        settings=settings,
        findings=(*dialect.findings, *_missing_marks(dialect, reader, left_out)),
        columns=dialect.names,
        column_types=types,
        rows=_shown_rows(dialect, count),
        row_estimate=rows,
        memory_estimate_bytes=int(rows * width * _LOADING_FACTOR),
        warnings=tuple(warnings),
        obeyed=(*TEXT_SETTINGS, *NUMBER_SETTINGS, "has_header", "skip_lines", "missing_marks"),
    )


def _shown_rows(dialect: Dialect, count: int) -> tuple[tuple[str, ...], ...]:
    """Cells as they stand in the file, short rows filled up and long ones cut."""
    width = len(dialect.names)
    rows: list[tuple[str, ...]] = []
    for record in dialect.sample[:count]:
        cells = [cell.decode("utf-8", "replace") for cell in record.fields[:width]]
        rows.append(tuple(cells + [""] * (width - len(cells))))
    return tuple(rows)


def _row_estimate(dialect: Dialect) -> int:
    """Rows of the whole file, from the mean length of the rows seen."""
    if dialect.is_whole or not dialect.sample:
        return len(dialect.sample)
    wide = 2 if (dialect.settings.encoding or "").startswith("utf-16") else 1
    mean = wide * len(dialect.head) / len(dialect.sample)
    return int((dialect.size - wide * dialect.data_offset) / mean)


def _faults(dialect: Dialect) -> list[str]:
    """Rows of the head that loading would refuse."""
    width = len(dialect.names)
    warnings: list[str] = []
    wrong = [record for record in dialect.sample if record.width != width]
    if wrong:
        lines = ", ".join(str(record.line) for record in wrong[:5])
        more = " ..." if len(wrong) > 5 else ""
        warnings.append(
            f"{len(wrong):,} of the first rows do not have {counted(width, 'field')}: lines "
            f"{lines}{more}."
        )
    broken = [r for r in dialect.sample if r.open_line is not None or r.stray]
    if broken:
        warnings.append(f"A quote does not open and close a cell in line {broken[0].line}.")
    if not dialect.sample:
        warnings.append("The file has a header and no data rows.")
    return warnings


def _missing_marks(
    dialect: Dialect, reader: ReaderSettings, left_out: tuple[int, ...]
) -> list[ReaderFinding]:
    """Marks such as ? or 999 that stand where numbers do: offered, never taken by itself."""
    findings: list[ReaderFinding] = []
    # Cut once: a record cut anew for every column costs the square of a wide file's width.
    heads = enumerate(dialect.sample[:2_000])
    records = [record.fields for row, record in heads if row not in left_out]
    for index, name in enumerate(dialect.names):
        cells = Counter(
            fields[index].decode("utf-8", "replace").strip()
            for fields in records
            if index < len(fields)
        )
        filled = {c: n for c, n in cells.items() if c and c not in reader.missing_marks}
        for mark in (*_word_marks(filled), *_number_marks(filled)):
            words = (
                f"column {name} holds numbers except for"
                if mark not in _NUMBER_MARKS
                else (f"in column {name} all other numbers are far from")
            )
            findings.append(
                ReaderFinding(
                    setting="missing_marks",
                    value=mark,
                    reason=f"{words} '{mark}' ({filled[mark]:,} of the first rows)",
                    is_certain=False,
                )
            )
    return findings


def _word_marks(filled: dict[str, int]) -> list[str]:
    """Marks among at most two words in a column of numbers; of any kind where they are few."""
    words = {cell: count for cell, count in filled.items() if not looks_numeric(bare_number(cell))}
    count = sum(words.values())
    numbers = sum(filled.values()) - count
    if not words or len(words) > 2 or count > numbers:
        return []
    are_few = count <= max(1, _FEW * numbers) and numbers >= _ENOUGH
    return [cell for cell in words if cell in _USUAL_MARKS or are_few]


def _number_marks(filled: dict[str, int]) -> list[str]:
    """A repeated 999 or -9999 far beyond every other number of the column."""
    found: list[str] = []
    for mark in _NUMBER_MARKS:
        if filled.get(mark, 0) < 2 or len(filled) < 4:
            continue
        others = [_plain_number(cell) for cell in filled if cell != mark]
        if any(math.isnan(number) for number in others):
            continue
        value = float(mark)
        is_far = value > 3 * max(others) if value > 0 else min(others) >= 0
        if is_far:
            found.append(mark)
    return found


def _plain_number(cell: str) -> float:
    """A cell as a number with a point; NaN for anything else."""
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _preview_parquet(path: str, reader: ReaderSettings, count: int) -> PreviewResult:
    """The first rows of a Parquet file; its own description says the rest."""
    with open_parquet(path) as file:
        meta = file.metadata
        first = next(file.iter_batches(batch_size=max(1, count)), None)
        empty = file.schema_arrow.empty_table()
    table = pa.Table.from_batches([first]) if first is not None else empty
    columns = [[cell_text(v) for v in column.to_pylist()] for column in table.columns]
    sink = NameSink.of(reader)
    names = settle_given_names(table.column_names, path, sink)
    widths = column_bytes(meta, table.schema)
    is_lazy = meta.num_rows > lazy_parquet.LARGE_ROWS
    finding = ReaderFinding(
        setting="format", value="parquet", reason="the file starts with Parquet's mark PAR1"
    )
    return PreviewResult(
        path=path,
        size_bytes=os.path.getsize(path),
        settings=ReaderSettings(
            format="parquet",
            column_types=reader.column_types,
            rename_repeated=reader.rename_repeated,
            column_names=reader.column_names,
            left_out=reader.left_out,
        ),
        findings=(finding, *sink.findings),
        columns=names,
        column_types=tuple(_parquet_kind(field.type) for field in table.schema),
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        row_estimate=meta.num_rows,
        memory_estimate_bytes=int(sum(widths) * (1.0 if is_lazy else _LOADING_FACTOR)),
        column_bytes=int(max(widths, default=0)) if is_lazy else 0,
        warnings=tuple(sink.warnings),
    )


def _parquet_kind(kind: pa.DataType) -> str:
    """The kind a Parquet column will have."""
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_boolean(kind):
        return "boolean"
    return "date" if pa.types.is_temporal(kind) and not pa.types.is_time(kind) else "text"
