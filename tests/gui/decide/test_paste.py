"""Blocks from a spreadsheet: the user's decimal mark, names left out, refusals that name a cell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from gui.pages.decide.matrix.paste import read_block, read_number
from payoff.errors import PayoffError

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMAN = QLocale(QLocale.Language.German, QLocale.Country.Germany)
ROWS, COLUMNS = ("responds", "does not respond"), ("Mail", "Do nothing")


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("24", ENGLISH, 24.0),
        ("-1.6", ENGLISH, -1.6),
        ("−1.60", ENGLISH, -1.6),
        ("+1,234.50", ENGLISH, 1234.5),
        ("(1.60)", ENGLISH, -1.6),
        ("€ 25.60", ENGLISH, 25.6),
        ("1.234,5", GERMAN, 1234.5),
        ("-1,6", GERMAN, -1.6),
        ("2e3", ENGLISH, 2000.0),
        (".5", ENGLISH, 0.5),
    ],
)
def test_numbers_are_read_as_the_user_writes_them(text: str, locale: QLocale, value: float) -> None:
    assert read_number(text, locale, "€") == value


@pytest.mark.parametrize(
    ("text", "locale"),
    [("abc", ENGLISH), ("", ENGLISH), ("1,6", ENGLISH), ("1.6", GERMAN), ("1.2.3", ENGLISH)],
)
def test_what_is_no_number_or_could_be_two_is_refused(text: str, locale: QLocale) -> None:
    assert read_number(text, locale) is None


def test_a_block_with_names_gives_its_numbers() -> None:
    text = "\tMail\tDo nothing\r\nresponds\t24\t0\r\ndoes not respond\t-1.6\t0\r\n"
    block = read_block(text, rows=ROWS, columns=COLUMNS, locale=ENGLISH)
    assert block == ((24.0, 0.0), (-1.6, 0.0))


def test_a_block_starts_at_the_current_cell() -> None:
    assert read_block("7", rows=ROWS, columns=COLUMNS, first=(1, 1), locale=ENGLISH) == ((7.0,),)
    with pytest.raises(PayoffError, match="does not fit"):
        read_block("7\t8", rows=ROWS, columns=COLUMNS, first=(1, 1), locale=ENGLISH)


def test_a_bad_cell_is_named_by_row_column_and_value() -> None:
    with pytest.raises(PayoffError) as refusal:
        read_block("24\t0\n-1,6\t0", rows=ROWS, columns=COLUMNS, locale=ENGLISH)
    described = str(refusal.value)
    assert "does not respond" in described
    assert "Mail" in described
    assert "-1,6" in described


@pytest.mark.parametrize("text", ["", "\n\n", "\t\t\n"])
def test_nothing_to_paste_is_said(text: str) -> None:
    with pytest.raises(PayoffError, match="no numbers"):
        read_block(text, rows=ROWS, columns=COLUMNS, locale=ENGLISH)


def test_ragged_lines_are_refused() -> None:
    with pytest.raises(PayoffError, match="line 2"):
        read_block("1\t2\n3", rows=ROWS, columns=COLUMNS, locale=ENGLISH)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_no_text_brings_anything_but_numbers_or_a_refusal(text: str) -> None:
    try:
        block = read_block(text, rows=ROWS, columns=COLUMNS, locale=ENGLISH)
    except PayoffError:
        return
    assert all(isinstance(value, float) for line in block for value in line)


@settings(max_examples=100, deadline=None)
@given(st.floats(min_value=-1e9, max_value=1e9, allow_nan=False))
def test_a_number_written_by_a_locale_is_read_back(value: float) -> None:
    for locale in (ENGLISH, GERMAN):
        written = locale.toString(value, "f", 3)
        assert read_number(written, locale) == pytest.approx(value, abs=6e-4)
