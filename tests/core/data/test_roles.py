"""Roles guessed from names and contents, each with its reason, ambiguity said."""

from __future__ import annotations

import numpy as np
import pytest

from core import data
from core.data.roles.names import model_label, split_score_name
from core.document.data.events import guess_event
from core.document.data.model import RowUse
from core.document.model import Role
from tests.helpers.shared_data import SHARED


def roles_of(table: data.LoadedTable) -> dict[str, Role]:
    return {entry.column: entry.role for entry in table.summary.roles}


def scored(
    names: list[str], *, levels: tuple[str, ...] = ("1", "0"), target: str = "target", seed: int = 1
) -> data.LoadedTable:
    """A table with a target and columns of chances."""
    draw = np.random.RandomState(seed)
    columns: dict[str, object] = {target: list(np.array(levels)[draw.randint(0, len(levels), 300)])}
    for name in names:
        columns[name] = draw.uniform(0.001, 0.999, 300)
    return data.from_data(columns)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P_target1", ("", "1")),
        ("P_TARGET0", ("", "0")),
        ("prob_1", ("", "1")),
        ("p1", ("", "1")),
        ("proba", ("", None)),
        ("p_gbm2", ("gbm2", None)),
        ("score_logit", ("logit", None)),
        ("gbm_p1", ("gbm", "1")),
        ("gbm_prob_0", ("gbm", "0")),
        ("logit_prob", ("logit", None)),
        ("p_forest_1", ("forest", "1")),
        ("price", None),
        ("age", None),
        ("population", None),
        ("pdays", None),
    ],
)
def test_names_of_scores(name, expected):
    assert split_score_name(name, ("1", "0"), "target") == expected


def test_labels_of_models():
    assert model_label("gbm2") == "gbm 2"
    assert model_label("random_forest") == "random forest"
    assert model_label("") == "model"


def test_two_columns_of_one_model():
    draw = np.random.RandomState(3)
    probability = np.round(draw.uniform(0, 1, 200), 6)
    table = data.from_data(
        {
            "BAD": draw.randint(0, 2, 200),
            "P_BAD1": probability,
            "P_BAD0": 1 - probability,
        }
    )
    found = {e.column: (e.role, e.model, e.level) for e in table.summary.roles}
    assert found["P_BAD1"] == (Role.POSTERIOR, "model", "1")
    assert found["P_BAD0"] == (Role.POSTERIOR, "model", "0")
    assert table.summary.target is not None
    assert table.summary.target.levels == ("1", "0")
    assert not table.summary.warnings


def test_sums_that_are_not_one_are_told():
    table = scored(["m_p1", "m_p0"])
    assert any("do not sum to 1" in warning for warning in table.summary.warnings)


def test_three_classes():
    draw = np.random.RandomState(5)
    raw = draw.dirichlet([1, 2, 3], 400)
    table = data.from_data(
        {
            "class": list(np.array(["low", "mid", "high"])[draw.randint(0, 3, 400)]),
            **{f"prob_{level}": raw[:, i] for i, level in enumerate(("low", "mid", "high"))},
        }
    )
    target = table.summary.target
    assert target is not None
    assert target.kind == "multiclass"
    assert set(target.levels) == {"low", "mid", "high"}
    found = {e.column: (e.role, e.model, e.level) for e in table.summary.roles}
    assert found["prob_mid"] == (Role.POSTERIOR, "model", "mid")
    reason = next(e.reason for e in table.summary.roles if e.role is Role.TARGET)
    assert "rarest" in reason
    assert "please check" in reason


def test_single_columns_are_chances_of_the_event():
    table = scored(["p_gbm2", "score_logit", "agency_prob"])
    found = [(e.model, e.level) for e in table.summary.roles if e.role is Role.POSTERIOR]
    assert found == [("gbm 2", "1"), ("logit", "1"), ("agency", "1")]
    assert all(e.is_guess and e.reason for e in table.summary.roles)


def test_amounts_and_classes_are_no_posteriors():
    draw = np.random.RandomState(9)
    table = data.from_data(
        {
            "y": draw.randint(0, 2, 300),
            "p_amount": draw.uniform(0, 1, 300),
            "p_flag": draw.randint(0, 2, 300),
            "p_gbm": draw.uniform(-3, 3, 300),
            "letter_cost": draw.uniform(0, 1, 300),
            "share": draw.uniform(0, 1, 300),
        }
    )
    found = roles_of(table)
    assert Role.POSTERIOR not in found.values()
    assert found["letter_cost"] is Role.COST
    assert found["share"] is Role.INPUT


@pytest.mark.parametrize(
    ("counts", "event", "word"),
    [
        ({"0": 90, "1": 10}, "1", "usual"),
        ({"yes": 60, "no": 40}, "yes", "usual"),
        ({"false": 10, "true": 90}, "true", "usual"),
        ({"good": 10, "bad": 90}, "bad", "usual"),
        ({"paid": 90, "none": 10}, "paid", "says no"),
        ({"A": 80, "B": 20}, "B", "rarest"),
        ({"1": 700, "2": 300}, "1", "usual"),
    ],
)
def test_event(counts, event, word):
    found, reason = guess_event(counts)
    assert found == event
    assert word in reason


def test_use_columns_are_mapped():
    spellings = ["TRAIN", "VALID", "Test", "score"]
    table = data.from_data({"y": [1, 0, 1, 0] * 30, "_role_": spellings * 30})
    split = table.summary.split
    assert split.column == "_role_"
    assert dict(split.meaning) == {
        "TRAIN": RowUse.TRAIN,
        "VALID": RowUse.VALIDATION,
        "Test": RowUse.TEST,
        "score": RowUse.TO_DECIDE,
    }
    plain = data.from_data({"y": [1, 0, 1, 0], "set": ["a", "b", "a", "c"]})
    assert plain.summary.split.column is None


def test_two_possible_targets_are_said():
    table = data.from_data(
        {"converted": [1, 0] * 50, "churned": [0, 1] * 50, "y_score": [0.5] * 100}
    )
    assert any("'churned'" in w or "'converted'" in w for w in table.summary.warnings)
    reason = next(e.reason for e in table.summary.roles if e.role is Role.TARGET)
    assert "please check" in reason


def test_id_weight_treatment():
    table = data.from_data(
        {
            "CustomerID": list(range(1000, 1200)),
            "weight": np.linspace(0.5, 2, 200),
            "treatment": [0, 1] * 100,
            "y": [1, 0] * 100,
            "note": [f"text {i}" for i in range(200)],
        }
    )
    assert roles_of(table) == {
        "CustomerID": Role.ID,
        "weight": Role.WEIGHT,
        "treatment": Role.TREATMENT,
        "y": Role.TARGET,
        "note": Role.IGNORED,
    }


@pytest.mark.parametrize(
    ("outcome", "expected", "other"),
    [
        ("Claims", "Expected claims", "expected_premium"),
        ("claim_count", "claim_count_expected", "expected_claim_cost"),
    ],
)
def test_what_is_expected_of_the_outcome_is_a_prediction(outcome, expected, other):
    draw = np.random.RandomState(3)
    names = ("age", expected, other)
    columns = {name: draw.gamma(2, size=300) for name in names}
    columns[outcome] = list(draw.poisson(0.4, 300))
    found = roles_of(data.from_data(columns))
    assert found[outcome] is Role.TARGET
    assert found[expected] is Role.PREDICTION
    assert found[other] is not Role.PREDICTION


def test_a_table_to_train_on_says_what_happened_and_which_row_is_which():
    draw = np.random.RandomState(4)
    columns = {
        "machine": [f"{row:04d}" for row in range(300)],
        "remark": [f"seen by team {row}" for row in range(300)],
        "temperature": draw.normal(60, 8, 300),
        "has_fan": list(draw.randint(0, 2, 300)),
        "failed within 30 days": list(draw.randint(0, 2, 300)),
    }
    found = roles_of(data.from_data(columns))
    assert found["failed within 30 days"] is Role.TARGET
    assert found["machine"] is Role.ID
    assert found["remark"] is Role.IGNORED
    assert found["has_fan"] is Role.INPUT
    found = roles_of(data.from_data(columns | {"policy": [f"P{row}" for row in range(300)]}))
    assert (found["policy"], found["machine"]) == (Role.ID, Role.IGNORED)


def test_interval_target_with_predictions():
    draw = np.random.RandomState(2)
    table = data.from_data(
        {
            "target": draw.normal(size=300),
            "pred_forest": draw.normal(size=300),
            "P_target": draw.normal(size=300),
            "x": draw.normal(size=300),
        }
    )
    target = table.summary.target
    assert target is not None
    assert target.kind == "interval"
    found = {e.column: (e.role, e.model) for e in table.summary.roles}
    assert found["pred_forest"] == (Role.PREDICTION, "forest")
    assert found["P_target"][0] is Role.PREDICTION
    assert found["x"][0] is Role.INPUT


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("file", "target", "levels", "others"),
    [
        ("pva97nk/pva97nk.csv", "TARGET_B", ("1", "0"), {"ID": Role.ID, "TARGET_D": Role.IGNORED}),
        ("hmeq/hmeq.csv", "BAD", ("1", "0"), {"LOAN": Role.INPUT}),
        ("hillstrom/hillstrom.csv", "conversion", ("1", "0"), {"spend": Role.IGNORED}),
        ("german_credit/german.data", None, (), {"column_21": Role.INPUT}),
    ],
)
def test_real_files(file, target, levels, others):
    table = data.load(str(SHARED / file))
    summary = table.summary
    assert (summary.target.column if summary.target else None) == target
    assert (summary.target.levels if summary.target else ()) == levels
    found = roles_of(table)
    for column, role in others.items():
        assert found[column] is role
    assert all(entry.reason for entry in summary.roles)


@pytest.mark.shared_data
def test_real_files_hold_what_is_known_of_them():
    table = data.load(str(SHARED / "hillstrom/hillstrom.csv"))
    segment = np.array(data.column_as_text(table, "segment"))
    visit = data.column_as_float(table, "visit")
    means = [visit[segment == arm].mean() for arm in ("Mens E-Mail", "Womens E-Mail", "No E-Mail")]
    assert means == pytest.approx([0.1828, 0.1514, 0.1062], abs=5e-5)
    pva = data.load(str(SHARED / "pva97nk/pva97nk.csv"))
    assert pva.rows == 9686
    assert data.column_as_text(pva, "ID")[0] == "00014974"
    german = data.load(str(SHARED / "german_credit/german.data"))
    assert german.rows == 1000
    assert len(german.columns) == 21
