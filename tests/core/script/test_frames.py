"""Columns of texts made from codes are what pandas would have made of the texts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.script.frames import text_column


def test_a_column_of_codes_is_the_column_of_its_texts():
    codes = np.random.default_rng(1).integers(0, 4, 200).astype(np.uint8)
    texts = ("Mail", "Größe", "", "a longer one")
    pd.testing.assert_series_equal(text_column(codes, texts), pd.Series(np.asarray(texts)[codes]))


def test_none_has_rows():
    made = text_column(np.empty(0, dtype=np.uint8), ("Mail",))
    assert made.dtype == pd.Series(["Mail"]).dtype
    assert len(made) == 0
