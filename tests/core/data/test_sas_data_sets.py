"""SAS data sets (sas7bdat), written by readstat for these tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from payoff import PayoffError
from tests.core.data.helpers import cells
from tests.helpers.factories.files import frame, load, preview
from tests.helpers.factories.sas_files import can_write_sas, write_sas

pytestmark = pytest.mark.skipif(
    not can_write_sas(), reason="this pyreadstat does not let its writer be called"
)


@pytest.mark.parametrize("is_compressed", [False, True])
def test_every_kind_of_column(tmp_path, is_compressed):
    cases = pd.DataFrame(
        {
            "id": ["007", "008", None],
            "score": [0.25, np.nan, -3e10],
            "day": pd.to_datetime(["2024-02-29", None, "1959-01-01"]),
            "at": pd.to_datetime(["2024-02-29 12:30", "1959-01-01 00:00", None]),
            "town": ["Gr\u00fcn", "\u5317\u4eac", "x" * 300],
            "y": [0, 1, 1],
        }
    )
    table = load(write_sas(tmp_path / "cases.sas7bdat", cases, is_compressed=is_compressed))
    assert table.columns == tuple(cases.columns)
    assert table.kinds == {
        "id": "text",
        "score": "number",
        "day": "date",
        "at": "date",
        "town": "text",
        "y": "integer",
    }
    assert cells(table)[0] == ("007", "0.25", "2024-02-29", "2024-02-29 12:30:00", "Gr\u00fcn", "0")
    assert cells(table)[1][1:3] == ("", "")
    assert cells(table)[2][2:5] == ("1959-01-01", "", "x" * 300)


def test_many_rows_over_many_pages(tmp_path):
    draw = np.random.default_rng(20261)
    cases = pd.DataFrame({f"x{at}": draw.normal(size=20_000) for at in range(6)})
    cases["word"] = draw.choice(["North", "South", None], len(cases))
    table = load(write_sas(tmp_path / "cases.sas7bdat", cases))
    assert table.rows == len(cases)
    for name in ("x0", "x5"):
        assert table.table.column(name).to_numpy().tolist() == cases[name].tolist()
    words = table.table.column("word").to_pylist()
    assert words == [None if pd.isna(word) else word for word in cases["word"]]


def test_special_missing_values_are_told_by_column(tmp_path):
    cases = pd.DataFrame({"x": [1.5, ".A", ".B", ".A"], "y": [0.0, 1.0, np.nan, 1.0]})
    table = load(write_sas(tmp_path / "cases.sas7bdat", cases))
    assert table.kinds["x"] == "number"
    assert table.column_summary("x").missing == 3
    assert any(".A (2)" in reported and ".B (1)" in reported for reported in table.summary.warnings)


def test_the_preview_shows_the_first_rows_and_counts_all(tmp_path):
    seen = preview(write_sas(tmp_path / "cases.sas7bdat", frame()))
    assert seen.columns == tuple(frame().columns)
    assert seen.row_estimate == 6
    assert seen.rows[0][0] == "007"


def test_a_data_set_without_rows_is_refused(tmp_path):
    path = write_sas(tmp_path / "cases.sas7bdat", pd.DataFrame({"x": np.empty(0)}))
    with pytest.raises(PayoffError, match="no data rows") as caught:
        load(path)
    assert str(path) in caught.value.where
