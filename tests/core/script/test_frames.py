"""Data frames: columns as they are read, and columns of texts made from codes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import payoff
from core.data.reading.loading import _frame_columns
from core.script.decide.tables import text_column
from payoff import PayoffError

TEXTS = ("Mail", "", "Größe", "")


@pytest.mark.parametrize("rows", [1, 200, 70_000])
def test_a_column_of_codes_is_the_column_of_its_texts(rows):
    codes = np.random.default_rng(1).integers(0, 4, rows).astype(np.uint8)
    before = codes.copy()
    made = text_column(codes, TEXTS)
    assert made.tolist() == [TEXTS[code] for code in codes]
    assert set(made.cat.categories) == set(made)  # none that no row has
    made[:] = made[0]
    assert (codes == before).all()  # the codes are not the table's to change


def test_two_hundred_decisions_have_their_names():
    codes = np.arange(200, dtype=np.uint8)[::-1]
    names = [f"offer {place}" for place in range(200)]
    assert text_column(codes, names).tolist() == names[::-1]
    assert text_column(codes[:150], names).tolist() == names[::-1][:150]


def test_none_has_rows():
    made = text_column(np.empty(0, dtype=np.uint8), ("Mail",))
    assert isinstance(made.dtype, pd.CategoricalDtype)
    assert len(made) == 0


@pytest.mark.parametrize("rows", [20, 20_000])
def test_a_column_of_a_frame_that_is_none_is_named(rows):
    frame = pd.DataFrame({"y": [0, 1] * (rows // 2), "p": [0.1, complex(1.0, 2.0)] * (rows // 2)})
    with pytest.raises(PayoffError, match="cannot be read as a table") as refusal:
        payoff.evaluate(frame, outcome="y", scores=["p"])
    assert "column p" in refusal.value.where


def test_a_frame_is_read_as_pandas_hands_it_to_arrow():
    frame = pd.DataFrame(
        {
            "number": [1.5, np.nan, 3.0],
            7: [1, 2, 3],
            "word": pd.Series(["a", None, "c"], dtype=object),
            "kind": pd.Categorical(["x", "y", "x"]),
            "day": pd.to_datetime(["2026-01-01", "NaT", "2026-03-01"]),
            "maybe": pd.array([True, None, False], dtype="boolean"),
        },
        index=[5, 6, 9],
    )
    requested = pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)
    names = list(map(str, frame.columns))
    assert pa.table(_frame_columns(frame, "it"), names=names) == requested.replace_schema_metadata(
        None
    )
