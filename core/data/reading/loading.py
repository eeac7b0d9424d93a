"""Loading a file, or data that a script already holds, into a ``LoadedTable``."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.data.currency import currency_of
from core.data.identity import content_hash, table_identity
from core.data.lazy.parquet import is_large, open_large
from core.data.names import refuse_repeated
from core.data.profile.summary import summarise_column, summarise_columns
from core.data.reading.choosing import (
    PARQUET,
    FindReaders,
    check_readable,
    choose_reader,
    no_readers,
)
from core.data.reading.opened import (
    as_requested,
    doubts_of,
    open_file,
    read_columns,
    refuse_open_question,
    settings_of,
    unpacked_text,
)
from core.data.reading.parquet import plain_types, read_parquet, settle_table
from core.data.roles.guessing import guess_roles
from core.data.roles.labelled import FileLabels, guess_labelled_roles
from core.data.table import LoadedTable, Overview, RowPlaces
from core.data.text.delimited import read_delimited
from core.data.text.nested import spread
from core.data.text.records import open_plain_text
from core.data.writing import guard_note, without_guard
from core.document.data.model import MEMORY, DataRecipe, DataRef, ReaderSettings
from core.document.data.results import ColumnSummary, TableSummary
from core.document.files.guarded import note_read
from payoff.errors import PayoffError
from payoff.readers import OpenedText, TableReader
from payoff.vocabulary import ReaderForm

MANY_ROWS = 10_000
"""From here on columns of a data frame are read side by side."""


def load(
    path: str,
    reader: ReaderSettings | None = None,
    progress: Progress = no_progress,
    should_stop: ShouldStop = never_stop,
    find_readers: FindReaders = no_readers,
) -> LoadedTable:
    """Read a whole file: delimited text, Parquet, or what a reader of the plugins opens.

    Parameters
    ----------
    path : str
    reader : ReaderSettings, optional
        Settings; what is None is found out.
    progress : callable
        Called with the fraction done and the stage, from this thread.
    should_stop : callable
        Asked about 20 times a second.
    find_readers : callable
        Gives the readers of the plugins, for files that are no plain text and no Parquet.

    Raises
    ------
    PayoffError
        Naming file, line, data row, column and value.
    StoppedError
        Nothing that was loaded before is touched.
    """
    began = time.perf_counter()
    reader = reader or ReaderSettings()
    size = check_readable(path)
    note_read(path)
    try:
        chosen = choose_reader(path, reader, find_readers)
        if chosen == PARQUET and is_large(path):
            return _open_large(path, reader, size, began, progress, should_stop)
        if chosen == PARQUET:
            parquet = read_parquet(path, reader, progress, should_stop)
            settings = replace(reader, format="parquet")
            return _complete(
                parquet.table,
                parquet.kinds,
                _ref(path, parquet.content_hash, size, settings),
                parquet.places,
                parquet.warnings,
                began,
                progress,
            )
        if isinstance(chosen, TableReader) and chosen.form == ReaderForm.COLUMNS:
            return _load_columns(path, chosen, reader, size, progress, should_stop, began)
        if isinstance(chosen, TableReader):
            return _load_unpacked(path, chosen, reader, size, progress, should_stop, began)
        text = read_delimited(open_plain_text(path), reader, progress, should_stop)
    except MemoryError:
        raise PayoffError(
            "There is not enough memory for this file.",
            where=path,
            why=f"The file has {size / 1e6:,.0f} MB.",
            remedy="Close other programs, or leave columns out of the file.",
        ) from None
    ref = _ref(path, text.content_hash, size, text.dialect.settings)
    table, kinds, warnings = text.table, text.kinds, text.warnings
    note = guard_note(path, text.content_hash)
    if note is not None:
        table, kinds, described = without_guard(table, kinds, note)
        warnings = (*warnings, described)
    return _complete(table, kinds, ref, text.places, warnings, began, progress)


def _open_large(
    path: str,
    reader: ReaderSettings,
    size: int,
    began: float,
    progress: Progress,
    should_stop: ShouldStop,
) -> LoadedTable:
    """A large Parquet file, whose columns are read when they are needed."""
    progress(None, "opening")
    large = open_large(path, reader, progress, should_stop)
    ref = _ref(path, large.content_hash, size, replace(reader, format=PARQUET))
    guessed = guess_roles(large.look, large.columns)
    ref = replace(ref, rows=large.table.num_rows, columns=tuple(large.table.column_names))
    summary = TableSummary(
        data=ref,
        columns=large.columns,
        roles=guessed.roles,
        target=guessed.target,
        split=guessed.split,
        warnings=(*large.warnings, *guessed.warnings),
        guesses=guessed.warnings,
        seconds=time.perf_counter() - began,
        currency=currency_of(large.look, large.columns),
    )
    progress(1.0, "opened")
    return LoadedTable(
        table=large.table,
        kinds=large.kinds,
        data=ref,
        overview=Overview.of(summary),
        places=RowPlaces(),
    )


def _load_unpacked(
    path: str,
    chosen: TableReader,
    reader: ReaderSettings,
    size: int,
    progress: Progress,
    should_stop: ShouldStop,
    began: float,
) -> LoadedTable:
    """Delimited text that a plugin's reader unpacks."""
    opened = open_file(path, chosen, reader)
    refuse_open_question(path, chosen, opened)
    assert isinstance(opened, OpenedText)
    requested = settings_of(chosen, reader, opened)
    text = read_delimited(unpacked_text(path, opened), requested, progress, should_stop)
    settings = as_requested(text.dialect.settings, reader, opened)
    ref = _ref(path, content_hash(path, should_stop=should_stop), size, settings)
    warnings = (*opened.notes, *doubts_of(opened), *text.warnings)
    return _complete(text.table, text.kinds, ref, text.places, warnings, began, progress)


def _load_columns(
    path: str,
    chosen: TableReader,
    reader: ReaderSettings,
    size: int,
    progress: Progress,
    should_stop: ShouldStop,
    began: float,
) -> LoadedTable:
    """A table that a plugin's reader hands over in columns."""
    read = read_columns(path, chosen, reader, progress, should_stop)
    ref = _ref(path, read.content_hash, size, read.settings)
    return _complete(
        read.table, read.kinds, ref, read.places, read.warnings, began, progress, read.labels
    )


def from_data(
    data: Any,
    *,
    name: str = "data",
    reader: ReaderSettings | None = None,
    find_readers: FindReaders = no_readers,
) -> LoadedTable:
    """A table from a path, a pandas DataFrame, a pyarrow Table, or columns by name.

    Parameters
    ----------
    data : str, os.PathLike, pandas.DataFrame, pyarrow.Table or mapping of name -> 1-D array
    name : str
        What messages call the data.
    reader : ReaderSettings, optional
        How a path is read.
    find_readers : callable
        As in ``load``.

    Raises
    ------
    PayoffError
        For columns of unequal length or of a kind that is no number, text, boolean or date.
    """
    if isinstance(data, LoadedTable):
        return data
    if isinstance(data, str | os.PathLike):
        return load(os.fspath(data), reader, find_readers=find_readers)
    began = time.perf_counter()
    arrow = arrow_of(data, name)
    refuse_repeated(arrow.column_names, name)
    if arrow.num_rows == 0:
        raise PayoffError("The data have no rows.", where=name)
    left_out: list[str] = []
    arrow = spread(arrow, left_out)
    plain = plain_types(arrow, name)
    identity = table_identity(arrow)  # of what was given: types and levels tell tables apart too
    arrow, kinds, more = settle_table(plain, ReaderSettings(), name, decimals_in_texts=False)
    warnings = (*left_out, *more)
    ref = _ref(name, identity, arrow.nbytes, ReaderSettings(format=MEMORY))
    return _complete(arrow, kinds, ref, RowPlaces(), warnings, began, no_progress)


def as_table_of_its_own(table: LoadedTable) -> LoadedTable:
    """A choice of rows as data in their own right; any other table as it is.

    By the name of the whole table a job would find all its rows.
    """
    if table.row_numbers is None:
        return table
    data = replace(
        table.data,
        content_hash=hashlib.sha256(repr(table.identity).encode()).hexdigest(),
        rows=table.rows,
        columns=table.columns,
        reader=ReaderSettings(format=MEMORY),
        recipe=DataRecipe(),
        file_hash="",
    )
    return replace(table, data=data)


def is_collection(data: Any) -> bool:
    """Whether a script's data are a collection of Dask, which nobody has where it is not loaded."""
    dask: Any = sys.modules.get("dask")
    return dask is not None and bool(dask.is_dask_collection(data))


def arrow_of(data: Any, name: str) -> pa.Table:
    """Data of a script as Arrow columns; NaN of numpy and pandas becomes missing."""
    if isinstance(data, pa.Table):
        return data
    if is_collection(data):
        raise PayoffError(
            f"A Dask {type(data).__name__} cannot be read here.",
            where=name,
            why="Its rows need not fit into memory; evaluate, decide, uplift, apply_to_parts and "
            "predict_to_parts read it partition by partition.",
            remedy="Give them the collection, or give this one data.compute().",
        )
    if isinstance(data, Mapping):
        with _columns_that_can_be_read(name):
            return pa.table({str(key): _as_column(values) for key, values in data.items()})
    if hasattr(data, "columns") and hasattr(data, "dtypes"):
        names = [str(column) for column in data.columns]
        refuse_repeated(names, name)
        return pa.table(_frame_columns(data, name), names=names)
    raise PayoffError(
        f"Data of type {type(data).__name__} cannot be read.",
        where=name,
        remedy="Give a path, a pandas DataFrame, a pyarrow Table or a mapping of columns.",
    )


@contextmanager
def _columns_that_can_be_read(where: str) -> Iterator[None]:
    """Refuse what Arrow cannot hold, in its own words."""
    try:
        yield
    except PayoffError:
        raise
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, ValueError) as error:
        raise PayoffError(
            "The data cannot be read as a table.",
            where=where,
            why=str(error).split("\n")[0],
            remedy="Columns of equal length that hold numbers, texts, booleans or dates.",
        ) from None


def _frame_columns(frame: Any, name: str) -> list[pa.Array]:
    """The columns of a data frame: without what pandas notes of itself, which takes longer."""

    def read(column: Any) -> pa.Array:
        with _columns_that_can_be_read(f"{name}, column {column.name}"):
            is_plain_numpy = isinstance(column.dtype, np.dtype)
            return _of_numpy(column.to_numpy()) if is_plain_numpy else pa.array(column)

    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    if len(frame) < MANY_ROWS:
        return [read(column) for column in columns]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(read, columns))


def _as_column(values: Any) -> pa.Array:
    """One column; a mixed list of values becomes their printed forms only if Arrow refuses it."""
    if isinstance(values, pa.ChunkedArray | pa.Array):
        return values
    if isinstance(values, list):
        return pa.array(values, from_pandas=True)
    return _of_numpy(np.asarray(values))


def _of_numpy(values: Any) -> pa.Array:
    """A numpy column (n,), whose NaN are missing.

    Numbers without any are borrowed: Arrow would look at one after the other. In short columns that
    takes no longer than to look first.
    """
    looks = values.dtype.kind == "f" and values.size >= MANY_ROWS
    return pa.array(values, from_pandas=not (looks and not np.isnan(values.min())))


def _ref(path: str, digest: str, size: int, settings: ReaderSettings) -> DataRef:
    """A reference whose rows and columns are filled in later."""
    return DataRef(
        path=path, content_hash=digest, rows=0, columns=(), size_bytes=size, reader=settings
    )


def _complete(
    table: pa.Table,
    kinds: dict[str, str],
    ref: DataRef,
    places: RowPlaces,
    warnings: tuple[str, ...],
    began: float,
    progress: Progress,
    labels: FileLabels | None = None,
) -> LoadedTable:
    """A table whose summary and roles are worked out when somebody first asks for them."""
    words = () if labels is None else labels.code_words
    names = tuple(table.column_names)
    ref = replace(ref, rows=table.num_rows, columns=names, code_words=words)
    seconds = time.perf_counter() - began

    def of_column(name: str) -> ColumnSummary:
        found = summarise_column(name, table.column(name), kinds[name])
        return found if labels is None else labels.beside((found,))[0]

    def of_all() -> TableSummary:
        begun = time.perf_counter()
        columns = summarise_columns(table, kinds)
        columns = columns if labels is None else labels.beside(columns)
        guessed = guess_labelled_roles(table, columns)
        return TableSummary(
            data=ref,
            columns=columns,
            roles=guessed.roles,
            target=guessed.target,
            split=guessed.split,
            warnings=(*warnings, *_column_warnings(columns), *guessed.warnings),
            guesses=guessed.warnings,
            seconds=seconds + time.perf_counter() - begun,
            left_out=len(places.left_out),
            totals=places.totals,
            currency=currency_of(table, columns),
        )

    progress(1.0, "loaded")
    overview = Overview(of_all, of_column)
    return LoadedTable(table=table, kinds=kinds, data=ref, overview=overview, places=places)


def _column_warnings(columns: tuple[ColumnSummary, ...]) -> list[str]:
    """Constant columns, named."""
    constant = [c.name for c in columns if c.distinct == 1 and not c.missing and c.rows > 1]
    if not constant:
        return []
    shown = ", ".join(constant[:6]) + (" ..." if len(constant) > 6 else "")
    word = "Column holds" if len(constant) == 1 else "Columns hold"
    return [f"{word} one value only: {shown}."]
