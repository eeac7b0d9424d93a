"""Writing: all or nothing, texts guarded, numbers untouched; moved files found; rules fitted."""

from __future__ import annotations

import datetime
import os
import shutil
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import data
from core.document.data.model import ReaderSettings
from core.document.model import Document, TargetSpec
from payoff import PayoffError
from payoff.errors import StoppedError
from tests.helpers.factories.files import load


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_written_columns_read_back(tmp_path, name):
    path = str(tmp_path / name)
    columns = {
        "id": ["007", "x, y", 'say "no"', ""],
        "n": np.array([1, -2, 3, 4]),
        "v": np.array([-3.2, np.nan, 1e-7, 0.1]),
    }
    data.write_columns(path, columns)
    table = data.load(path)
    assert data.column_as_text(table, "id") == columns["id"]
    assert data.column_as_float(table, "n").tolist() == [1, -2, 3, 4]
    assert data.column_as_float(table, "v") == pytest.approx(columns["v"], nan_ok=True, abs=0)
    assert sorted(os.listdir(tmp_path)) == [name]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b"])
def test_formulas_are_guarded_and_numbers_are_not(tmp_path, start):
    path = str(tmp_path / "out.csv")
    data.write_columns(path, {"t": [f"{start}1+1", "plain", None], "v": [-3.5, -1.0, 2.0]})
    elsewhere = shutil.copy(path, tmp_path / "as_others_see_it.csv")
    table = data.load(str(elsewhere), ReaderSettings(column_types=(("t", "text"),)))
    assert data.column_as_text(table, "t") == [f"'{start}1+1", "plain", ""]
    assert data.column_as_float(table, "v").tolist() == [-3.5, -1.0, 2.0]
    data.write_columns(str(tmp_path / "out.parquet"), {"t": [f"{start}1+1"]})
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"t": [f"{start}1+1"]}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=20))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_numbers_survive_to_the_last_bit(tmp_path, numbers):
    path = str(tmp_path / "out.csv")
    data.write_columns(path, {"k": ["x"] * len(numbers), "v": np.array(numbers)})
    table = data.load(path, ReaderSettings(decimal="."))
    assert data.column_as_float(table, "v").tolist() == numbers


def test_old_file_survives_a_failure(tmp_path, monkeypatch):
    path = tmp_path / "out.csv"
    data.write_columns(str(path), {"a": [1]})
    before = path.read_bytes()

    def full(*_args):
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(f"core.document.files.atomic.os.{name}", full)
            with pytest.raises(PayoffError, match=r"untouched.*out.csv.*No space left"):
                data.write_columns(str(path), {"a": [2]})
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == ["out.csv"]
    with pytest.raises(StoppedError):
        data.write_columns(str(path), {"a": [2]}, data.no_progress, lambda: True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["out.csv"]


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(PayoffError, match="folder does not exist"):
        data.write_columns(str(tmp_path / "gone" / "out.csv"), {"a": [1]})
    with pytest.raises(PayoffError, match="folder, not a file"):
        data.write_columns(str(tmp_path), {"a": [1]})


def test_moved_file_is_found_by_its_contents(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("a,b\n1,2\n")
    reference = data.load(str(path)).data
    deep = tmp_path / "one" / "two"
    deep.mkdir(parents=True)
    (tmp_path / "decoy.csv").write_text("a,b\n1,3\n")
    moved = path.rename(deep / "new.csv")
    assert data.find_moved(reference, (str(tmp_path),)) == str(moved)
    moved.write_text("a,b\n9,9\n")
    assert data.find_moved(reference, (str(tmp_path),)) is None


def test_rule_for_another_file(tmp_path):
    document = data.sample_document(data.write_sample(str(tmp_path)))
    fresh = data.load(str(tmp_path / data.NEW_CUSTOMERS_FILE))
    assert "no outcome" in data.check_same_roles(fresh, document)[0]
    assert data.needed_columns(document, ("logit",)) == ("p_logit",)
    lacking = data.from_data({"P_GBM2": [0.5], "p_logit": [0.5], "p_agency": [0.5]})
    with pytest.raises(PayoffError, match=r"lacks a column.*'p_gbm2'.*'P_GBM2' may be 'p_gbm2'"):
        data.check_same_roles(lacking, document)
    assert data.check_same_roles(lacking, document, ("logit",))
    strange = data.from_data(
        {"p_gbm2": [0.5, 0.5], "p_logit": [0.5, 0.5], "p_agency": [0.5, 0.5], "responded": [1, 7]}
    )
    assert "'7'" in data.check_same_roles(strange, document)[0]
    assert data.check_same_roles(fresh, Document(target=TargetSpec(column="k", kind="binary")))


RISKY = ["=1+1", "+49 30", "-5 %", "@me", "\ttab", "'=quoted", "''=twice", "\uff1dwide", "plain"]


def test_csv_guard_is_taken_off_when_it_is_read_again(tmp_path):
    path = str(tmp_path / "out.csv")
    data.write_columns(path, {"=name": RISKY, "n": [-3.25] * len(RISKY)})
    text = (tmp_path / "out.csv").read_text("utf-8")
    assert text.startswith('"\'=name","n"\n"\'=1+1",-3.25\n"\'+49 30",-3.25\n')
    table = data.load(path)
    assert table.columns == ("=name", "n")
    assert data.column_as_text(table, "=name") == RISKY
    assert any("Apostrophes" in warning for warning in table.summary.warnings)
    (tmp_path / "out.csv").write_text(text + "other,1\n", "utf-8")  # changed since: as it stands
    assert data.column_as_text(data.load(path), "'=name")[0] == "'=1+1"
    data.write_columns(path, {"n": [1.0]})
    assert not (tmp_path / "out.csv.guard.json").exists()


def test_workbooks_hold_texts_as_texts(tmp_path):
    path = tmp_path / "out.xlsx"
    columns = {
        "=name": RISKY,
        "n": [-3.25, None, float("inf"), 4.0, 5.5, 6.0, 7.0, 8.0, 1e300],
        "day": [datetime.date(2024, 2, 29)] * 9,
        "ok": [True] * 9,
    }
    data.write_columns(str(path), columns)
    with zipfile.ZipFile(path) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in sheet
        assert 'quotePrefix="1"' in archive.read("xl/styles.xml").decode()
    table = load(path)
    assert data.column_as_text(table, "=name") == RISKY
    assert data.column_as_text(table, "n")[:3] == ["-3.25", "", "inf"]
    assert table.kinds["day"] == "date"
    with pytest.raises(PayoffError, match="too large for an Excel sheet"):
        data.write_columns(str(path), {"n": np.zeros(1_048_576)})
    with pytest.raises(PayoffError, match="too long"):
        data.write_columns(str(path), {"t": ["x" * 40_000]})
