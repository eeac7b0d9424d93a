"""Small files that ask for far more than their size: refused before anything is made of them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import data
from core.data.lazy import parquet as lazy_parquet
from payoff import OpenedTable, ReaderForm, TableReader, unpacking
from payoff.errors import PayoffError
from plugins.readers.excel_size import tag_stretches
from tests.helpers.factories.files import readers

_OPEN = "http://schemas.openxmlformats.org"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_OPEN}/package/2006/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_OPEN}/package/2006/relationships"><Relationship Id="r" '
        f'Type="{_OPEN}/officeDocument/2006/relationships/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_OPEN}/spreadsheetml/2006/main" '
        f'xmlns:r="{_OPEN}/officeDocument/2006/relationships"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_OPEN}/package/2006/relationships"><Relationship Id="r" '
        f'Type="{_OPEN}/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}
_TABLE = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t>'
    '</is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>'
)


def workbook(path: Path, rows: str, **parts: str) -> str:
    """A workbook of one sheet with these rows."""
    sheet = (
        f'<worksheet xmlns="{_OPEN}/spreadsheetml/2006/main"><sheetData>{rows}</sheetData>'
        "</worksheet>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**_PARTS, "xl/worksheets/sheet1.xml": sheet, **parts}.items():
            archive.writestr(name, text)
    return str(path)


def refusal(path: str | Path) -> PayoffError:
    """What both the first rows and the whole file are refused with."""
    with pytest.raises(PayoffError) as first:
        data.preview(str(path), find_readers=readers)
    with pytest.raises(PayoffError) as whole:
        data.load(str(path), find_readers=readers)
    assert str(path) in first.value.where
    assert str(path) in whole.value.where
    return whole.value


FAR = {
    "the far corner": '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    "small letters": '<row r="9"><c r="xfd1048576"><v>1</v></c></row>',
    "a sign in an attribute": '<row r="9"><c x="a>b" r="XFD1048576"><v>1</v></c></row>',
    "an empty-looking cell": '<row r="9"><c r="XFD1048576" x="/>"><v>1</v></c></row>',
    "single quotes": "<row r='9'><c r = 'XFD1048576'><v>1</v></c></row>",
    "a prefix": '<x:row r="9"><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>',
    "a long tag": f'<row r="9"><c {" " * 300_000} r="XFD1048576"><v>1</v></c></row>',
    "no places": '<row r="1048576">' + "<c><v>1</v></c>" * 16_384 + "</row>",
}


@pytest.mark.parametrize("way", FAR)
def test_one_cell_far_away_asks_for_no_memory(tmp_path: Path, way: str) -> None:
    found = refusal(workbook(tmp_path / "far.xlsx", _TABLE + FAR[way]))
    assert "memory" in found.what
    assert "columns need about" in found.why


def test_a_cell_that_no_sheet_has_is_refused(tmp_path: Path) -> None:
    rows = _TABLE + '<row r="9"><c r="ZZZZZ99999999999999"><v>1</v></c></row>'
    assert "no sheet can have" in refusal(workbook(tmp_path / "far.xlsx", rows)).what


def test_styled_cells_and_cells_without_places_are_read(tmp_path: Path) -> None:
    styled = '<row r="1048576"><c r="XFD1048576" s="0"/></row>'
    path = workbook(tmp_path / "styled.xlsx", _TABLE + styled)
    assert data.load(path, find_readers=readers).rows == 1
    plain = "".join(f"<row><c><v>{i}</v></c><c><v>{i % 2}</v></c></row>" for i in range(500))
    path = workbook(tmp_path / "plain.xlsx", plain)
    assert data.load(path, find_readers=readers).rows == 500


def test_text_of_other_widths_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PayoffError, match="UTF-16"):
        list(tag_stretches(["<row/>".encode("utf-16")], "x"))
    with pytest.raises(PayoffError, match="does not end"):
        list(tag_stretches([b"<c"] + [b" " * 100_000] * 20, "x"))


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    more = {"XL/worksheets/sheet1.xml": "<x/>"}
    found = refusal(workbook(tmp_path / "twice.xlsx", _TABLE, **more))
    assert "there twice" in found.why


def test_a_member_that_lies_about_its_size_is_counted(tmp_path: Path, small: None) -> None:
    path = Path(workbook(tmp_path / "lies.xlsx", _TABLE + " " * 5_000_000))
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    content = path.read_bytes().replace(struct.pack("<I", size), struct.pack("<I", 100))
    path.write_bytes(content)
    with zipfile.ZipFile(path) as archive:
        assert archive.getinfo("xl/worksheets/sheet1.xml").file_size == 100
    assert "memory" in refusal(path).what


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches in no time."""
    monkeypatch.setattr(unpacking, "SMALL_BYTES", 1 << 20)


TEXT = b"a,y\n" + b"0,1\n1,0\n" * 500_000


def _zip(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cases.csv", content)
    return stream.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".csv.gz": gzip.compress,
    ".csv.bz2": bz2.compress,
    ".csv.xz": lzma.compress,
    ".zip": _zip,
}


@pytest.mark.parametrize("ending", PACKERS)
def test_text_that_grows_too_much_is_refused(tmp_path: Path, small: None, ending: str) -> None:
    path = tmp_path / f"cases{ending}"
    path.write_bytes(PACKERS[ending](TEXT))
    assert path.stat().st_size * unpacking.MOST_RATIO < len(TEXT)
    with pytest.raises(PayoffError, match="far more memory"):
        data.load(str(path), find_readers=readers)
    path.write_bytes(PACKERS[ending](TEXT[:400_004]))
    assert data.load(str(path), find_readers=readers).rows == 100_000


def test_a_table_in_few_bytes_is_refused(tmp_path: Path, small: None) -> None:
    path = tmp_path / "features.libsvm"
    path.write_text("1 40000:1\n" + "0 1:1\n" * 3_000, encoding="utf-8")
    assert "far more memory" in refusal(path).what


def test_columns_that_repeat_one_value_are_refused(tmp_path: Path, small: None) -> None:
    path = tmp_path / "same.parquet"
    zeros = pa.array(np.zeros(300_000))
    pq.write_table(pa.table({f"c{i}": zeros for i in range(40)}), path)
    with pytest.raises(PayoffError, match="300,000 rows of 40 columns need about 96 MB"):
        data.load(str(path))


@pytest.mark.parametrize("is_large", [False, True])
def test_a_text_that_is_repeated_is_refused(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch, is_large: bool
) -> None:
    if is_large:
        monkeypatch.setattr(lazy_parquet, "LARGE_ROWS", 1_000)
    path = tmp_path / "texts.parquet"
    codes = pa.array(np.zeros(50_000, dtype=np.int32))
    texts = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 10_000]))
    plain = {"a": texts, "y": pa.array(np.arange(50_000) % 2)}
    pq.write_table(pa.table(plain), path, store_schema=False)
    with pytest.raises(PayoffError, match="the texts of column 'a'"):
        data.load(str(path))


def test_texts_of_few_kinds_are_read_as_before(tmp_path: Path, small: None) -> None:
    path = tmp_path / "texts.parquet"
    codes = pa.array(np.arange(30_000, dtype=np.int32) % 3)
    texts = pa.DictionaryArray.from_arrays(codes, pa.array(["red", "green", "blue" * 9]))
    pq.write_table(pa.table({"a": texts, "y": codes}), path, store_schema=False)
    seen = data.rows_page(data.load(str(path)), 0, 3).rows
    assert [row[0] for row in seen] == ["red", "green", "blue" * 9]


class PanicException(BaseException):
    """As a library in Rust panics: no Exception."""


def _reader(batches: Callable[[], object]) -> TableReader:
    def opened(request: object) -> OpenedTable:
        return OpenedTable(columns=("a",), batches=batches())

    return TableReader(
        id="odd", label="Odd", help="Odd.", form=ReaderForm.COLUMNS, suffixes=(".odd",), open=opened
    )


def test_a_panic_is_a_refusal(tmp_path: Path) -> None:
    def panic() -> object:
        raise PanicException("index out of bounds")

    def late() -> object:
        yield [np.zeros(3)]
        raise PanicException("index out of bounds")

    path = tmp_path / "cases.odd"
    path.write_bytes(b"x")
    for batches in (panic, late):
        with pytest.raises(PayoffError, match=r"reader 'Odd' failed.*index out of bounds"):
            data.load(str(path), find_readers=lambda: [_reader(batches)])  # noqa: B023  called at once


def test_any_reader_s_columns_are_counted(tmp_path: Path, small: None) -> None:
    def endless() -> object:
        while True:
            yield [np.zeros(100_000)]

    path = tmp_path / "cases.odd"
    path.write_bytes(b"x")
    with pytest.raises(PayoffError, match="far more memory"):
        data.load(str(path), find_readers=lambda: [_reader(endless)])
