"""Whatever bytes a file holds: it loads, or is refused in words; never another error."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core import data
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from tests.core.data.helpers import write
from tests.helpers.factories.files import endings, readers, write_as

ENDINGS = endings()
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
TEXTS = st.text(alphabet="abp_1250.,;\t|\"'\r\n \x00-+eE%\u00e9\ufeff", max_size=120)


def try_all(path: str) -> None:
    for attempt in (data.preview, data.load):
        answer = answer_of(attempt, path)
        if isinstance(answer, PayoffError):
            assert answer.what
            assert path in answer.where
        elif isinstance(answer, data.LoadedTable):
            page = data.rows_page(answer, 0, 50)
            assert all(len(row) == len(answer.columns) for row in page.rows)
            assert answer.data.rows == answer.rows > 0
            again = data.load(path, answer.data.reader)
            assert again.kinds == answer.kinds
            assert data.rows_page(again, 0, 50) == page


def answer_of(attempt: Callable[[str], object], path: str) -> object:
    try:
        return attempt(path)
    except PayoffError as error:
        return error


@given(TEXTS)
@settings(max_examples=250, deadline=None, suppress_health_check=QUIET)
@example('a,b\n"1\n2",3\n')
@example("a\n\n1\n")
@example("1,\n")
@example('"')
@example("sep=;\n")
def test_any_text(tmp_path, text):
    try_all(write(tmp_path, text.encode("utf-8")))


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None, suppress_health_check=QUIET)
@example(b"\xff\xfe")
@example(b"\xff\xfea")
@example(b"a,b\n\xc3")
@example(b"PAR1")
def test_any_bytes(tmp_path, content):
    try_all(write(tmp_path, content))


GOOD = b"id,name,p_m,y\n" + b"".join(b'%d,"n, %d",0.%02d,%d\n' % (i, i, i, i % 2) for i in range(9))


@given(st.integers(0, len(GOOD) - 1), st.sampled_from(list(b'\0\n\r",;.0x\xe9')))
@settings(max_examples=200, deadline=None, suppress_health_check=QUIET)
def test_one_changed_byte(tmp_path, place, value):
    changed = bytearray(GOOD)
    changed[place] = value
    try_all(write(tmp_path, bytes(changed)))


@pytest.mark.parametrize("count", range(0, len(GOOD), 7))
def test_cut_off_anywhere(tmp_path, count):
    try_all(write(tmp_path, GOOD[:count]))


@given(
    st.text(alphabet="ab1 0.5\t\n\r\u00e9,;", max_size=160), st.lists(st.integers(1, 9), max_size=5)
)
@settings(max_examples=80, deadline=None, suppress_health_check=QUIET)
@example("a  b\n1  2\n", [])
@example("\n\n \n", [2])
def test_any_text_of_fixed_width(tmp_path, text, widths):
    path = write(tmp_path, text.encode("utf-8"), "cases.fwf")
    settled = ReaderSettings(widths=tuple(widths))
    for attempt in (data.preview, data.load):
        answer = answer_of(partial(attempt, reader=settled, find_readers=readers), path)
        if isinstance(answer, PayoffError):
            assert path in answer.where
        elif isinstance(answer, data.LoadedTable):
            page = data.rows_page(answer, 0, 50)
            again = data.load(path, answer.data.reader, find_readers=readers)
            assert data.rows_page(again, 0, 50) == page


@given(st.integers(0, 9_000), st.integers(0, 255), st.sampled_from(ENDINGS))
@settings(max_examples=80, deadline=None, suppress_health_check=QUIET)
def test_one_changed_byte_in_files_of_other_programs(tmp_path_factory, place, value, ending):
    whole = bytearray(original(tmp_path_factory, ending))
    whole[place % len(whole)] = value
    path = str(tmp_path_factory.getbasetemp() / f"changed.{ending}")
    Path(path).write_bytes(whole)
    answer = answer_of(partial(data.load, find_readers=readers), path)
    assert not isinstance(answer, PayoffError) or path in answer.where


_ORIGINALS: dict[str, bytes] = {}


def original(tmp_path_factory, ending: str) -> bytes:
    """The bytes of a whole file, made once."""
    if ending not in _ORIGINALS:
        folder = tmp_path_factory.mktemp("originals")
        _ORIGINALS[ending] = write_as(folder, ending).read_bytes()
    return _ORIGINALS[ending]
