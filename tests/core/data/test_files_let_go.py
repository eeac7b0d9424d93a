"""A file that was read is not held: its owner can write it anew while the program shows it.

Windows neither removes nor replaces what another program has open or mapped.
"""

from __future__ import annotations

import gzip
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core import data
from core.data.lazy import parquet as lazy_parquet
from core.data.lazy.table import LazyTable
from tests.core.data.trade_files import WRITERS, trade_files
from tests.helpers.factories.files import load, preview
from tests.helpers.windows_files import files_as_on_windows, open_here


def _packed(folder: Path) -> Path:
    path = WRITERS["csv"](trade_files()[0], folder)
    with path.open("rb") as plain, gzip.open(f"{path}.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    return Path(f"{path}.gz")


def _zipped(folder: Path) -> Path:
    path = WRITERS["csv"](trade_files()[0], folder)
    with zipfile.ZipFile(f"{path}.zip", "w") as archive:
        archive.write(path, path.name)
    return Path(f"{path}.zip")


FORMS: dict[str, Callable[[Path], Path]] = {
    **{
        ending: lambda folder, made=made: made(trade_files()[0], folder)
        for ending, made in WRITERS.items()
    },
    "csv.gz": _packed,
    "csv.zip": _zipped,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_was_read_can_be_written_anew(tmp_path, monkeypatch, form):
    path = FORMS[form](tmp_path)
    files_as_on_windows(monkeypatch)
    preview(path)
    table = load(path)
    (tmp_path / "next").write_bytes(path.read_bytes())
    (tmp_path / "next").replace(path)
    assert table.rows


def test_columns_of_a_large_file_are_read_without_holding_it(tmp_path, monkeypatch):
    path = WRITERS["parquet"](trade_files()[0], tmp_path)
    monkeypatch.setattr(lazy_parquet, "LARGE_ROWS", 10)
    table = load(path)
    assert isinstance(table.table, LazyTable)
    data.column_as_float(table, table.summary.columns[-1].name)
    assert str(path) not in open_here()
