"""Checks of readers, on the file that a reader's ``example`` writes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.readers import OpenedTable, OpenedText, ReadRequest, TableReader
from payoff.testing.checks import Check, CheckFailedError, require
from payoff.vocabulary import ReaderForm

SEED = 20261
_KINDS = "fibMOU"  # numpy's kinds of float, integer, boolean, date, object, text
_CUTS = 24
_CHANGES = 24
_MOST_TEXT = 1 << 22


@contextmanager
def _example(reader: TableReader) -> Iterator[Path]:
    """The example file, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="payoff-check-") as folder:
        assert reader.example is not None
        path = Path(reader.example(folder))
        require(path.is_file() and path.stat().st_size > 0, "example wrote no file")
        yield path


def _opened(reader: TableReader, path: Path, **requested: Any) -> OpenedText | OpenedTable:
    assert reader.open is not None
    opened = reader.open(ReadRequest(path=str(path), **requested))
    wanted = OpenedText if reader.form == ReaderForm.DELIMITED else OpenedTable
    require(
        isinstance(opened, wanted),
        f"open gave {type(opened).__name__} instead of {wanted.__name__}",
    )
    return opened


def _content(reader: TableReader, path: Path, **requested: Any) -> list[list[Any]]:
    """All cells by column, or the text as one of them."""
    opened = _opened(reader, path, **requested)
    if isinstance(opened, OpenedText):
        with opened.stream() as stream:
            return [[stream.read(_MOST_TEXT)]]
    columns: list[list[Any]] = [[] for _ in opened.columns]
    for batch in opened.batches:
        for kept, values in zip(columns, batch, strict=True):
            kept.extend(np.asarray(values).tolist())
    return columns


def _opens_files(check: Callable[[TableReader], str]) -> Callable[[TableReader], str]:
    """A check that only readers with ``open`` can be given."""

    def run(reader: TableReader) -> str:
        """Run the check where the reader opens files itself."""
        return "the host reads it" if reader.open is None else check(reader)

    return run


@_opens_files
def _recognised(reader: TableReader) -> str:
    with _example(reader) as path:
        require(reader.claims_name(str(path)), f"the name {path.name} has none of its suffixes")
        start = path.read_bytes()[:4096]
        require(reader.claims_start(start), f"the example begins with {start[:12]!r}, no mark")
    return f"{path.name}"


@_opens_files
def _well_formed(reader: TableReader) -> str:
    with _example(reader) as path:
        opened = _opened(reader, path)
        if isinstance(opened, OpenedText):
            with opened.stream() as stream:
                text = stream.read(_MOST_TEXT)
            require(isinstance(text, bytes) and text.strip(), "the stream holds no text")
            return f"{counted(len(text), 'byte')} of text"
        count = len(opened.columns)
        require(count and all(isinstance(name, str) for name in opened.columns), "no columns")
        rows = 0
        for batch in opened.batches:
            require(
                len(batch) == count,
                f"{counted(len(batch), 'array')} for {counted(count, 'column')}",
            )
            lengths = {len(values) for values in batch}
            require(len(lengths) == 1, f"arrays of lengths {sorted(lengths)} in one batch")
            kinds = {np.asarray(values).dtype.kind for values in batch} - set(_KINDS)
            require(not kinds, f"arrays of kind {sorted(kinds)}")
            rows += lengths.pop()
        require(rows >= 2, f"{counted(rows, 'row')}; the example needs two or more")
        require(opened.rows in (None, rows), f"announced {opened.rows}, given {rows}")
    return f"{counted(rows, 'row')} x {count}"


@_opens_files
def _repeatable(reader: TableReader) -> str:
    with _example(reader) as path:
        before = path.read_bytes()
        first, again = (repr(_content(reader, path)) for _ in range(2))
        require(first == again, "a second reading gives something else")
        require(path.read_bytes() == before, "reading changed the file")
        require(sorted(os.listdir(path.parent)) == [path.name], "reading left other files behind")
    return "same again"


@_opens_files
def _first_rows(reader: TableReader) -> str:
    if reader.form != ReaderForm.COLUMNS:
        return "the host stops reading"
    with _example(reader) as path:
        whole = _content(reader, path)
        first = _content(reader, path, first_rows=1)
    require(len(first) == len(whole), "the first row has other columns than the whole")
    require(all(len(values) >= 1 for values in first), "no row came")
    return counted_of(len(first[0]), len(whole[0]), "row")


@_opens_files
def _damaged(reader: TableReader) -> str:
    """Cut off and changed files load or are refused in words; nothing else is raised."""
    random = np.random.default_rng(SEED)
    refused = 0
    with _example(reader) as path:
        whole = path.read_bytes()
        cuts = np.unique(np.linspace(1, max(1, len(whole) - 1), _CUTS).astype(int)).tolist()
        versions = [whole[:cut] for cut in cuts]
        for place in random.integers(0, len(whole), _CHANGES).tolist():
            changed = bytearray(whole)
            changed[place] = int(random.integers(0, 256))
            versions.append(bytes(changed))
        for version in versions:
            path.write_bytes(version)
            try:
                _content(reader, path)
            except PayoffError as refusal:
                require(str(path) in refusal.where, f"a refusal names no file: {refusal}")
                refused += 1
            except CheckFailedError:
                raise
            except Exception as error:
                raise CheckFailedError(
                    f"a damaged file raised {type(error).__name__}: {error}"
                ) from None
    return f"{refused} of {len(versions)} refused"


@_opens_files
def _unknown_part(reader: TableReader) -> str:
    if "part" not in reader.settings:
        return "it has no parts"
    with _example(reader) as path:
        try:
            _content(reader, path, part="no such part")
        except PayoffError:
            return "refused"
    raise CheckFailedError("a part that is not there was read")


READER_CHECKS: tuple[Check[TableReader], ...] = (
    Check("Example is recognised", _recognised),
    Check("Example is well formed", _well_formed),
    Check("Same answer again, file untouched", _repeatable),
    Check("First rows alone", _first_rows),
    Check("Damaged files are refused in words", _damaged),
    Check("Unknown part is refused", _unknown_part),
)
