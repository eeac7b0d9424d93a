"""Columns that give the outcome away, or that a name says were measured afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from core import data
from core.data.roles.structure import says_afterwards
from core.document.model import Role

ROWS = 400


def table(**columns: object) -> data.LoadedTable:
    draw = np.random.default_rng(4)
    outcome = draw.integers(0, 2, ROWS)
    made = {name: make(outcome, draw) for name, make in columns.items()}
    return data.from_data({"responded": outcome, "age": draw.integers(18, 80, ROWS), **made})


def roles(loaded: data.LoadedTable) -> dict[str, Role]:
    return {entry.column: entry.role for entry in loaded.summary.roles}


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda y, draw: y * draw.uniform(1, 90, ROWS), "tell the classes apart (AUC 1.000)"),
        (lambda y, draw: -y - draw.uniform(0, 0.5, ROWS), "tell the classes apart (AUC 1.000)"),
        (lambda y, draw: np.where(y == 1, "paid", "open").tolist(), "goes with one class only"),
        (
            lambda y, draw: [f"r{n % 3}" if hit else None for n, hit in enumerate(y)],
            "missing in one class",
        ),
    ],
)
def test_a_column_that_gives_the_outcome_away_is_left_out_and_told(make, why):
    loaded = table(sign=make)
    assert roles(loaded)["sign"] is Role.IGNORED
    (warning,) = loaded.summary.warnings
    assert warning.startswith("sign gives the outcome away")
    assert why in warning


def test_a_strong_but_honest_column_stays_an_input():
    loaded = table(strong=lambda y, draw: y + draw.normal(0, 0.7, ROWS))
    assert roles(loaded)["strong"] is Role.INPUT
    assert not loaded.summary.warnings


def test_few_rows_prove_nothing():
    loaded = data.from_data({"responded": [0, 1] * 10, "sign": [0.0, 5.0] * 10})
    assert roles(loaded)["sign"] is Role.INPUT


def test_a_copy_of_a_number_is_told():
    draw = np.random.default_rng(1)
    y = draw.normal(100, 20, ROWS)
    loaded = data.from_data({"target": y, "age": draw.normal(size=ROWS), "with_tax": y * 1.2})
    assert roles(loaded)["with_tax"] is Role.IGNORED
    assert roles(loaded)["age"] is Role.INPUT


@pytest.mark.parametrize(
    ("name", "is_after"),
    [
        ("balance_post24", True),
        ("time_to_default", True),
        ("daysAfter", True),
        ("recoveries", True),
        ("chargeoff_amount", True),
        ("follow_up_visits", True),
        ("postage", False),
        ("postcode", False),
        ("newsletter", False),
        ("closest_shop", False),
        ("text", False),
    ],
)
def test_names_that_speak_of_afterwards(name, is_after):
    assert says_afterwards(name) is is_after


def test_a_name_that_speaks_of_afterwards_is_told_and_stays_an_input():
    loaded = table(spend_post24=lambda y, draw: draw.normal(size=ROWS))
    assert roles(loaded)["spend_post24"] is Role.INPUT
    assert any("spend_post24 may be measured after" in text for text in loaded.summary.warnings)


def test_rows_that_belong_together_and_survival_times_get_their_roles():
    draw = np.random.default_rng(8)
    loaded = data.from_data(
        {
            "event": draw.integers(0, 2, ROWS),
            "time": draw.uniform(1, 50, ROWS),
            "entry": draw.uniform(0, 1, ROWS),
            "hospital": draw.integers(0, 20, ROWS),
            "query_id": draw.integers(0, 50, ROWS),
        }
    )
    found = roles(loaded)
    assert found["hospital"] is Role.CLUSTER
    assert found["query_id"] is Role.GROUP
    assert loaded.summary.target is not None
    assert loaded.summary.target.column == "event"
    assert found["time"] is Role.EXIT
    assert found["entry"] is Role.ENTRY
