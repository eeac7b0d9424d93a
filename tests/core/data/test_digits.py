"""Digits are found in whole numbers as in their texts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.profile.row_order import hold_digits

WHOLE = st.integers(-(2**63), 2**63 - 1) | st.integers(-1200, 1200)
SOUGHT = st.from_regex(r"-?[0-9]{1,3}", fullmatch=True) | WHOLE.map(str)


@settings(deadline=None)
@given(st.lists(WHOLE | st.none(), max_size=20), SOUGHT)
def test_what_is_found_is_what_is_displayed(numbers, text):
    values = pa.chunked_array([pa.array(numbers, pa.int64())])
    wanted = [number is not None and text in str(number) for number in numbers]
    assert hold_digits(values, text).tolist() == wanted


def test_a_part_of_every_number_is_found():
    numbers = np.arange(-120, 12_000)
    for text in ("0", "00", "1", "01", "10", "119", "-1", "-12", "-0", "11999", "12000"):
        wanted = [text in str(number) for number in numbers]
        assert hold_digits(pa.array(numbers), text).tolist() == wanted, text


def test_what_is_no_whole_number_stands_in_none():
    for text in ("1.0", "+1", "1e0", "1_0", "nan", "\u0661", "--1", "1 "):
        assert not hold_digits(pa.array([1, 10, -1]), text).any(), text
