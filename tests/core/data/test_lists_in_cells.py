"""Lists and records in cells, as databases and clouds write the chances of all classes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import data
from core.document.data.model import ReaderSettings
from core.document.model import Role
from tests.core.data.helpers import says
from tests.helpers.factories.files import frame_rows, load, preview, write_workbook

ROWS = 80
DRAW = np.random.default_rng(3)
CHANCE = DRAW.uniform(0.02, 0.9, ROWS)
EVENT = DRAW.random(ROWS) < CHANCE
CHURN = np.where(EVENT, "yes", "no").tolist()
BOTH = [[1.0 - p, p] for p in CHANCE.tolist()]
LABELLED = [{"label": "yes", "prob": p} for p in CHANCE.tolist()]
OTHERS = [{"label": "no", "prob": 1.0 - p} for p in CHANCE.tolist()]
NO_VALUES = {"type": 1, "size": None, "indices": None}
PAIRS = pa.map_(pa.string(), pa.float64())
CELLS = {
    "Vertex": (
        "predicted_churn",
        pa.array([{"classes": ["no", "yes"], "scores": both} for both in BOTH]),
    ),
    "BigQuery": (  # the more likely first
        "predicted_churn_probs",
        pa.array([sorted(p, key=lambda e: -e["prob"]) for p in zip(LABELLED, OTHERS, strict=True)]),
    ),
    "a map": ("prob", pa.array([list(zip(["no", "yes"], p, strict=True)) for p in BOTH], PAIRS)),
    "records": ("model", pa.array([{"pd": p, "name": "gbm"} for p in CHANCE.tolist()])),
}


def _written(folder: Path, columns: dict[str, object]) -> data.LoadedTable:
    pq.write_table(pa.table(columns), folder / "scores.parquet", row_group_size=30)
    return load(str(folder / "scores.parquet"))


def _chances(table: data.LoadedTable, level: str) -> np.ndarray:
    (name,) = [
        e.column for e in table.summary.roles if (e.role, e.level) == (Role.POSTERIOR, level)
    ]
    return data.column_as_float(table, name)


@pytest.mark.parametrize("tool", CELLS)
def test_chances_in_lists_and_records_are_those_of_their_classes(tmp_path, tool):
    name, cells = CELLS[tool]
    table = _written(tmp_path, {"id": range(ROWS), "churn": CHURN, name: cells})
    assert (table.summary.target.column, table.summary.target.event) == ("churn", "yes")
    assert _chances(table, "yes") == pytest.approx(CHANCE)
    if tool != "records":
        assert _chances(table, "no") == pytest.approx(1.0 - CHANCE)
    says(" ".join(table.summary.warnings), f"Column '{name}' holds lists or records: read as 2")


@pytest.mark.parametrize("cells", [BOTH, [{**NO_VALUES, "values": both} for both in BOTH]])
def test_chances_without_labels_are_in_the_order_of_the_classes(tmp_path, cells):
    table = _written(tmp_path, {"label": EVENT.astype(float), "probability": cells})
    assert table.columns == ("label", "probability_0", "probability_1")
    assert _chances(table, "1") == pytest.approx(CHANCE)
    given = pa.table({"label": EVENT.astype(float), "probability": cells})
    assert data.from_data(given, name="scores").columns == table.columns


def test_a_row_without_a_list_has_no_chances(tmp_path):
    cells = [None if k % 9 == 4 else both for k, both in enumerate(BOTH)]
    table = _written(tmp_path, {"label": EVENT.astype(float), "probability": cells})
    assert np.isnan(_chances(table, "1")).sum() == sum(cell is None for cell in cells)


@pytest.mark.parametrize(
    "cells",
    [
        [[1.0] * (1 + k % 3) for k in range(ROWS)],  # of several lengths
        [[0.5] * 90 for _ in range(ROWS)],  # an embedding
        [["a", "b"] for _ in range(ROWS)],
        [[{"x": 1.0, "y": 2.0}] for _ in range(ROWS)],
        [[[1.0], [2.0]] for _ in range(ROWS)],
    ],
)
def test_other_lists_are_left_out_and_that_is_said(tmp_path, cells):
    table = _written(tmp_path, {"label": EVENT.astype(int), "x": cells})
    assert table.columns == ("label",)
    says(" ".join(table.summary.warnings), "Column 'x' holds lists or records: left out.")


def test_projects_of_before_read_their_files_as_they_did(tmp_path):
    _written(tmp_path, {"label": EVENT.astype(int), "probability": BOTH})
    before = data.load(str(tmp_path / "scores.parquet"), ReaderSettings(number_texts=False))
    assert before.columns == ("label",)


def test_a_name_that_is_taken_is_not_taken_twice(tmp_path):
    columns = {"label": EVENT.astype(int), "p_1": CHANCE, "p": BOTH}
    assert _written(tmp_path, columns).columns == ("label", "p_1")


@pytest.mark.parametrize("name", ["scores.csv", "scores.xlsx"])
def test_lists_in_cells_of_text_are_shown_before_loading_as_they_stand(tmp_path, name):
    frame = pd.DataFrame({"y": EVENT.astype(int), "p": [str(both) for both in BOTH]})
    if name.endswith("csv"):
        frame.to_csv(tmp_path / name, index=False)
    else:
        write_workbook(tmp_path / name, {"S": frame_rows(frame)})
    seen = preview(tmp_path / name)
    assert (seen.columns, seen.column_types) == (("y", "p"), ("integer", "text"))
    assert seen.rows[0][1] == str(BOTH[0])
    assert load(tmp_path / name).columns == ("y", "p_0", "p_1")


def test_the_class_beside_its_chances_in_a_record_is_passed_over(tmp_path):
    chances = [{"False": 1 - p, "True": p} for p in CHANCE]
    cells = [{"class": "True", "logs": None, "probability": chance} for chance in chances]
    frame = pd.DataFrame({"churned": EVENT, "PREDICTION": [json.dumps(cell) for cell in cells]})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    table = load(tmp_path / "scores.csv")
    assert _chances(table, "true") == pytest.approx(CHANCE)
    assert _chances(table, "false") == pytest.approx(1.0 - CHANCE)
