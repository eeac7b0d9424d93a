"""What goes to a spreadsheet never runs there, and numbers stay numbers."""

from __future__ import annotations

import csv
import html
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decisions.matrices.reading import _unguarded
from core.document.files.spreadsheet import SIGNS, csv_text, guarded, pasted_html, pasted_text

HARMLESS = ("-3.2", "+5 %", "-1e-05", "+1,234", "-\u20ac 26", "12", "gbm", "", "-")
RISKY = ("=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-1+2", "-A1", "\t=1", "\uff1d1", "'=1", "\r=1")


@pytest.mark.parametrize("text", HARMLESS)
def test_amounts_and_words_stay(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize("text", RISKY)
def test_formulas_become_texts(text: str) -> None:
    assert guarded(text) == f"'{text}"


@given(st.text(max_size=12))
def test_no_cell_can_pass_for_a_formula_and_names_come_back(text: str) -> None:
    shown = guarded(text)
    assert shown in (text, f"'{text}")
    assert _unguarded(shown) == text
    if shown[:1] in tuple(SIGNS):
        assert not any(letter in shown for letter in "(|!=@")


@given(st.floats(allow_nan=False))
def test_numbers_read_back_the_same(value: float) -> None:
    ((cell,),) = csv.reader(io.StringIO(csv_text([[repr(value)]])))
    if value not in (float("inf"), float("-inf")):
        assert float(cell) == value


def test_rows_for_the_clipboard_keep_their_cells() -> None:
    assert pasted_text([["a\tb", "=1"], ["-2", "x\ny"]]) == "a b\t'=1\n-2\tx y"


@pytest.mark.parametrize("number", ["0", "-0.5", "1.5", "515730", "1e-05", "0.024832855778414518"])
def test_numbers_are_pasted_as_numbers_in_every_language(number: str) -> None:
    """As text "1.5" is the 1st of May where a comma is the decimal mark."""
    cell = f'<td x:num="{number}" sdval="{number}" sdnum="1033;">{number}</td>'
    assert cell in pasted_html([["a", number]])


@pytest.mark.parametrize("code", ["00123", "-", "1234567890123456", "1/2", "=1+1", "<b>", "1,5"])
def test_what_is_no_number_is_pasted_as_the_text_it_is(code: str) -> None:
    shown = html.escape(guarded(code))
    assert f"""mso-number-format:"\\@"' sdnum="1033;0;@">{shown}</td>""" in pasted_html([[code]])
