"""The catalogue of bad data files: paths, disguises, sizes, what memory holds."""

from __future__ import annotations

import gzip
import io
import os
import zipfile

import pytest

from core import data
from core.data.reading import memory
from core.data.reading.choosing import no_readers
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from payoff.errors import StoppedError
from tests.core.data.helpers import cells, load_text, refusal, says, write


def test_case_32_stop_and_a_long_row(tmp_path):
    path = write(tmp_path, "a,b\n" + "1,2\n" * 400_000)
    with pytest.raises(StoppedError):
        data.load(path, None, data.no_progress, lambda: True)
    text = "x" * (3 << 20)
    table = load_text(tmp_path, f"a,b\n1,{text}\n2,y\n")
    assert cells(table)[0][1] == text


def test_case_35_changed_file_has_another_hash(tmp_path):
    first = load_text(tmp_path, "a,b\n1,2\n").data.content_hash
    assert load_text(tmp_path, "a,b\n1,3\n").data.content_hash != first
    assert load_text(tmp_path, "a,b\n1,2\n").data.content_hash == first
    assert data.content_hash(str(tmp_path / "cases.csv")) == first


def test_case_36_folder_pipe_device_link(tmp_path):
    with pytest.raises(PayoffError, match="folder"):
        data.load(str(tmp_path))
    with pytest.raises(PayoffError, match="no such file"):
        data.load(str(tmp_path / "gone.csv"))
    with pytest.raises(PayoffError, match="folder of this file does not exist"):
        data.load(str(tmp_path / "gone" / "gone.csv"))
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere.csv")
    with pytest.raises(PayoffError, match="link points to a file that no longer exists"):
        data.load(str(tmp_path / "link.csv"))
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(PayoffError, match="device or a pipe"):
        data.preview(str(tmp_path / "pipe.csv"))
    with pytest.raises(PayoffError, match="device or a pipe"):
        data.load("/dev/zero")


def test_case_36_no_permission(tmp_path, monkeypatch):
    path = write(tmp_path, "a,b\n1,2\n")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PayoffError, match="no permission"):
        data.load(path)


def test_case_37_disguises(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    for content, word, advice in (
        (packed.getvalue(), "Excel workbook", ".xlsx"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "old Excel", "save it as a workbook (.xlsx)"),
        (gzip.compress(b"a,b\n1,2\n"), "gzip", "CSV"),
        (b"\n <!DOCTYPE html>\n<html><body>404</body></html>", "web page", "download"),
        (b"%PDF-1.7 ...", "PDF", "CSV"),
        (bytes(range(8)) + b"DUCK" + bytes(40), "DuckDB", "Export the table"),
        (b"ARROW1" + bytes(60), "Feather", "as Parquet"),
        (b"X\n\x00\x00\x00\x03" + bytes(60), "R data", "write.csv"),
        (b"\x80\x05\x95" + bytes(60), "pickle", "to_parquet"),
        (b"PAR1 no parquet at all", "cannot be opened", ""),
    ):
        says(refusal(tmp_path, content), word, advice)


def test_case_39_formulas_are_plain_text(tmp_path):
    table = load_text(tmp_path, "k,v\n1,\"=cmd|' /C calc'!A0\"\n2,+1+1\n")
    assert cells(table)[0][1] == "=cmd|' /C calc'!A0"


@pytest.mark.parametrize("name", ["with space.csv", "\U0001f4c8 chart.csv", "n" * 240 + ".csv"])
def test_case_41_paths(tmp_path, name):
    table = data.load(write(tmp_path, "a,b\n1,2\n", name))
    assert table.path.endswith(name)
    says(not_loaded(str(tmp_path / ("n" * 300))), "n" * 300)


def not_loaded(path: str) -> PayoffError:
    with pytest.raises(PayoffError) as caught:
        data.load(path)
    return caught.value


@pytest.mark.parametrize("name", ["cases.csv.", "cases.", " leading and trailing .csv "])
def test_case_41_trailing_dots_and_spaces(tmp_path, name):
    assert data.load(write(tmp_path, "a,b\n1,2\n", name)).rows == 1


def test_case_41_a_path_of_more_than_300_characters(tmp_path):
    folder = tmp_path.joinpath(*["d" * 60] * 5)
    folder.mkdir(parents=True)
    path = write(folder, "a,b\n1,2\n")
    assert len(path) > 300
    assert data.load(path).rows == 1


@pytest.mark.parametrize("path", [r"\\server\share\cases.csv", "//server/share/cases.csv"])
def test_case_41_a_share_that_is_not_there_is_named(path):
    says(not_loaded(path), path)


def test_case_41_a_path_with_a_nul_is_refused(tmp_path):
    says(not_loaded(str(tmp_path / "a\0b.csv")), "cannot be opened")


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("cell", ['"a, b"', "1"])
def test_case_32_many_columns(tmp_path, cell):
    names = ",".join(f"x{at}" for at in range(20_000))
    rows = ",".join([cell] * 20_000)
    path = write(tmp_path, f"{names}\n{rows}\n{rows}\n")
    # The square of the width would outlast the limit of a test.
    assert len(data.preview(path).columns) == 20_000


def test_case_32_memory_is_said_first_and_refused_above_the_limit(tmp_path, monkeypatch):
    path = write(tmp_path, "a,b\n" + "1,2\n" * 1000)
    assert data.preview(path).memory_estimate_bytes > 0
    assert (data.free_memory() or 1) > 0
    monkeypatch.setattr(memory, "_LOOKED_AT", 1)
    monkeypatch.setattr(memory, "free_memory", lambda: 4_000)
    with pytest.raises(PayoffError) as caught:
        memory.check_memory(path, ReaderSettings(), no_readers)
    says(caught.value, "not enough memory", path, "free")
