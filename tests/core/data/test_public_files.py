"""Names of public data sets and of systems that everybody exports from: roles as they are meant."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import LoadedTable
from core.document.data.model import RowUse
from core.document.model import Role
from tests.core.data.helpers import load_text

ROWS = 120
DRAW = np.random.default_rng(41)
CHANCE = np.round(DRAW.beta(1.3, 3.0, ROWS), 4).clip(0.003, 0.97)
EVENT = DRAW.random(ROWS) < CHANCE
CODES = EVENT.astype(int)
AGE = DRAW.integers(18, 85, ROWS)
MANY = DRAW.permutation(range(708_000_000, 708_010_000))[:ROWS]
ARM = DRAW.integers(0, 2, ROWS)


def _table(folder, columns: dict[str, object]) -> LoadedTable:
    lines = ["\t".join(columns)]
    lines += ["\t".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return load_text(folder, "\n".join(lines) + "\n")


def _roles(table: LoadedTable) -> dict[str, Role]:
    return {entry.column: entry.role for entry in table.summary.roles}


@pytest.mark.parametrize(
    ("columns", "role"),
    [
        ({"RowNumber": range(1, ROWS + 1), "CustomerId": MANY}, {"RowNumber": Role.IGNORED}),
        ({"CLIENTNUM": MANY}, {}),
        ({"subject_id": range(ROWS), "hadm_id": MANY}, {"subject_id": Role.IGNORED}),
        ({"subject_id": MANY, "hadm_id": MANY[::-1]}, {"subject_id": Role.ID}),
        ({"id": MANY, "loan": MANY[::-1]}, {"id": Role.ID, "loan": Role.INPUT}),
        ({"msno": [f"ugx0+Cj{k:03X}OMz=" for k in range(ROWS)]}, {}),
    ],
)
def test_of_several_ids_one_tells_cases_apart_and_none_is_an_input(tmp_path, columns, role):
    found = _roles(_table(tmp_path, {**columns, "age": AGE, "churn": CODES}))
    assert {name: found[name] for name in role} == role
    assert [found[name] for name in columns].count(Role.ID) == 1
    assert found["age"] is Role.INPUT


@pytest.mark.parametrize("name", ["wt.loss", "birth_weight", "Weight change"])
def test_what_a_weight_did_is_no_weight_of_cases(tmp_path, name):
    values = np.round(DRAW.gamma(2.0, 4.0, ROWS), 1)
    found = _roles(_table(tmp_path, {"time": AGE, "status": CODES, name: values}))
    assert found[name] is Role.INPUT


def test_a_dummy_of_the_other_arm_is_no_input(tmp_path):
    columns = {"treatment": ARM, "control": 1 - ARM, "flag": ARM[::-1], "converted": CODES}
    found = _roles(_table(tmp_path, columns))
    assert (found["treatment"], found["control"]) == (Role.TREATMENT, Role.IGNORED)
    assert found["flag"] is Role.INPUT


def test_partitions_of_sas_say_what_rows_are_for(tmp_path):
    part = DRAW.integers(0, 3, ROWS)
    table = _table(tmp_path, {"BAD": CODES, "_PartInd_": part, "P_BAD1": CHANCE})
    assert _roles(table)["_PartInd_"] is Role.ROW_USE
    uses = {"0": RowUse.VALIDATION, "1": RowUse.TRAIN, "2": RowUse.TEST}
    assert dict(table.summary.split.meaning) == uses
