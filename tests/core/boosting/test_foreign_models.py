"""Model files of LightGBM and XGBoost: the same scores and contributions as their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost

import payoff
from payoff import PayoffError
from tests.helpers.factories.foreign_models import frame, new_cases, outcomes
from tests.helpers.shared_data import SHARED

LIGHTGBM = {
    "binary": "binary",
    "multiclass": "classes",
    "regression": "number",
    "huber": "number",
    "quantile": "number",
    "poisson": "count",
    "tweedie": "positive",
    "gamma": "positive",
}
XGBOOST = {
    "binary:logistic": "binary",
    "multi:softprob": "classes",
    "reg:squarederror": "number",
    "reg:quantileerror": "number",
    "count:poisson": "count",
    "reg:tweedie": "positive",
    "reg:gamma": "positive",
}


def train_lightgbm(objective: str, table: pd.DataFrame, y: Any, **more: Any) -> Any:
    given = {
        "objective": objective,
        "verbose": -1,
        "num_leaves": 8,
        "min_data_in_leaf": 5,
        "min_data_per_group": 5,
        "num_threads": 1,
        **more,
    }
    if objective == "multiclass":
        given["num_class"] = 3
    return lightgbm.train(given, lightgbm.Dataset(table, y), 10)


def xgboost_data(table: pd.DataFrame, y: Any = None) -> Any:
    return xgboost.DMatrix(table, y, enable_categorical=True, nthread=1)


def train_xgboost(objective: str, table: pd.DataFrame, y: Any, **more: Any) -> Any:
    given = {"objective": objective, "max_depth": 4, "nthread": 1, **more}
    if objective.startswith("multi"):
        given["num_class"] = 3
    if "quantile" in objective:
        given["quantile_alpha"] = 0.3
    return xgboost.train(given, xgboost_data(table, y), 10)


def assert_same(model: Any, table: pd.DataFrame, raw: Any, predicted: Any, paid: Any) -> None:
    """Link scores, predictions and contributions (n, K, F + 1) to 1e-6 of their size."""
    close = {"rtol": 1e-6, "atol": 1e-6}
    np.testing.assert_allclose(model.predict(table), raw, **close)
    own = model.predict(table, kind="response")
    # 32 bits of a score of 4 are 2e-7, and e to its power has that as its relative error.
    np.testing.assert_allclose(own, predicted, rtol=3e-6, atol=1e-6)
    names = model.classes if model.boosted.n_scores > 1 else (None,)
    paid = np.asarray(paid).reshape(len(table), len(names), -1)
    for place, name in enumerate(names):
        found = model.contributions(table, output=name).to_numpy()
        np.testing.assert_allclose(found, paid[:, place], rtol=1e-6, atol=2e-6)


@pytest.mark.parametrize("objective", LIGHTGBM)
def test_lightgbm_text_scores_and_explains_alike(objective: str, tmp_path: Path) -> None:
    table, cases = frame(), new_cases()
    theirs = train_lightgbm(objective, table, outcomes(table)[LIGHTGBM[objective]])
    theirs.save_model(tmp_path / "model.txt")
    ours = payoff.import_model(tmp_path / "model.txt")
    paid = theirs.predict(cases, pred_contrib=True)
    assert_same(ours, cases, theirs.predict(cases, raw_score=True), theirs.predict(cases), paid)
    np.testing.assert_array_equal(ours.predict(cases), theirs.predict(cases, raw_score=True))


def test_lightgbm_json_and_forests_and_slopes(tmp_path: Path) -> None:
    table, cases = frame(), new_cases()
    y = outcomes(table)["binary"]
    bagged = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
    for more in ({"sigmoid": 2.0}, bagged):
        theirs = train_lightgbm("binary", table, y, **more)
        (tmp_path / "model.json").write_text(json.dumps(theirs.dump_model()))
        ours = payoff.import_model(tmp_path / "model.json", classes=["no", "yes"])
        assert ours.classes == ("no", "yes")
        found = ours.predict(cases, kind="response")
        np.testing.assert_allclose(found, theirs.predict(cases), rtol=1e-9)


@pytest.mark.parametrize("objective", XGBOOST)
def test_xgboost_scores_and_explains_alike(objective: str, tmp_path: Path) -> None:
    table, cases = frame(), new_cases()
    theirs = train_xgboost(objective, table, outcomes(table)[XGBOOST[objective]])
    theirs.save_model(tmp_path / "model.json")
    ours = payoff.import_model(tmp_path / "model.json")
    data = xgboost_data(cases)
    raw, paid = theirs.predict(data, output_margin=True), theirs.predict(data, pred_contribs=True)
    assert_same(ours, cases, raw, theirs.predict(data), paid)


def test_xgboost_dart_and_parallel_trees_and_rounding(tmp_path: Path) -> None:
    """Thresholds are compared in float32: values between two of its numbers fall as theirs do."""
    table = frame()[["a", "d"]]
    y = outcomes(frame())["classes"]
    theirs = train_xgboost(
        "multi:softprob", table, y, booster="dart", rate_drop=0.4, num_parallel_tree=2
    )
    theirs.save_model(tmp_path / "model.json")
    ours = payoff.import_model(tmp_path / "model.json")
    cut = np.concatenate(
        [np.float32(column.threshold) for column in [ours.boosted.forest]]
    )  # the thresholds themselves, and both sides of each
    near = np.concatenate([cut, np.nextafter(cut, -9.0), np.nextafter(cut, 9.0)]).astype(float)
    near = np.concatenate([near, near + 2e-9, near - 2e-9])
    cases = pd.DataFrame({"a": near, "d": near[::-1]})
    data = xgboost_data(cases)
    np.testing.assert_allclose(
        ours.predict(cases), theirs.predict(data, output_margin=True), rtol=1e-6, atol=1e-6
    )


def test_an_imported_model_is_a_model(tmp_path: Path) -> None:
    """It is saved, read again, renamed, handed over and explained like any other."""
    table = frame()
    theirs = train_lightgbm("binary", table, outcomes(table)["binary"])
    theirs.save_model(tmp_path / "model.txt")
    ours = payoff.import_model(tmp_path / "model.txt", columns={"a": "age"})
    cases = new_cases().rename(columns={"a": "age"})
    ours.save(tmp_path / "m.payoffmodel")
    again = payoff.load_model(tmp_path / "m.payoffmodel")
    np.testing.assert_array_equal(again.predict(cases), ours.predict(cases))
    ours.export(tmp_path / "folder", data=cases)
    assert ours.unseen_levels(pd.DataFrame({"age": [1.0], "b": ["new"], "c": [0.0], "d": [0.0]}))
    shares = ours.relative_influence()
    assert sum(shares.values()) == pytest.approx(100.0)
    gain = dict(zip(theirs.feature_name(), theirs.feature_importance("gain"), strict=True))
    assert shares["age"] == pytest.approx(100.0 * gain["a"] / sum(gain.values()), rel=1e-4)
    with pytest.raises(PayoffError, match="training data"):
        ours.continue_training(5)


@pytest.mark.shared_data
def test_hmeq_with_missing_values_and_jobs(tmp_path: Path) -> None:
    table = pd.read_csv(SHARED / "hmeq" / "hmeq.csv")
    y = table.pop("BAD")
    for name in ("REASON", "JOB"):
        table[name] = table[name].astype("category")
    light = train_lightgbm("binary", table, y)
    light.save_model(tmp_path / "model.txt")
    ours = payoff.import_model(tmp_path / "model.txt")
    np.testing.assert_allclose(ours.predict(table, kind="response"), light.predict(table))
    other = train_xgboost("binary:logistic", table, y)
    other.save_model(tmp_path / "model.json")
    ours = payoff.import_model(tmp_path / "model.json")
    found, wanted = ours.predict(table, kind="response"), other.predict(xgboost_data(table))
    np.testing.assert_allclose(found, wanted, atol=1e-6)


# ---------------------------------------------------------------- refusals


def text_model(tmp_path: Path, **more: Any) -> str:
    table = frame()
    model = train_lightgbm(
        more.pop("objective", "binary"), table, outcomes(table)["binary"], **more
    )
    return str(model.model_to_string())


def refused(path: Path, content: str | bytes) -> PayoffError:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(PayoffError) as caught:
        payoff.import_model(path)
    assert str(path) in caught.value.where
    return caught.value


def test_files_that_are_no_models(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    for content in (b"\x80\x04pickle\xff", "", "a,b\n1,2\n", "{}", "[1]", "{" * 5000):
        assert "model" in refused(path, content).what
    with pytest.raises(PayoffError, match="could not be read"):
        payoff.import_model(tmp_path / "absent.txt")


def test_damaged_text_names_the_tree(tmp_path: Path) -> None:
    path, good = tmp_path / "model.txt", text_model(tmp_path)
    assert "cut" in refused(path, good[: len(good) // 3]).why
    tree = good.index("\nTree=3")
    for old, new in (
        ("left_child=", "left_child=99 "),
        ("split_feature=", "split_feature=7 "),
        ("leaf_value=", "leaf_value=nan "),
        ("threshold=", "nothreshold="),
    ):
        at = good.index(old, tree)
        assert "tree 3" in refused(path, good[:at] + new + good[at + len(old) :]).where
    left = good.index("left_child=", tree)
    end = good.index("\n", left)
    own = "left_child=" + " ".join(["0"] * len(good[left:end].split()))
    assert "tree 3" in refused(path, good[:left] + own + good[end:]).where  # leads to itself


def test_what_cannot_be_told_exactly_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    numbers = frame()[["a", "c", "d"]].fillna(0.0)
    y = outcomes(frame())["binary"]
    linear = lightgbm.train(
        {"linear_tree": True, "verbose": -1, "num_threads": 1}, lightgbm.Dataset(numbers, y), 2
    )
    assert "linear leaves" in refused(path, linear.model_to_string()).what
    zeros = train_lightgbm("binary", numbers, y, zero_as_missing=True)
    assert "zeros of" in refused(path, zeros.model_to_string()).what
    custom = text_model(tmp_path).replace("objective=binary sigmoid:1", "objective=mine")
    error = refused(path, custom)
    assert "'mine'" in error.what
    assert "distribution=" in error.remedy
    assert payoff.import_model(path, distribution="gaussian").classes == ()
    with pytest.raises(PayoffError, match="2 different"):
        payoff.import_model(path, distribution="bernoulli", classes=["a", "b", "c"])
    with pytest.raises(PayoffError, match="no input 'zz'"):
        payoff.import_model(path, distribution="bernoulli", columns={"zz": "a"})


def test_damaged_xgboost_files(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    table = frame()
    good = json.loads(
        bytes(train_xgboost("binary:logistic", table, outcomes(table)["binary"]).save_raw("json"))
    )

    def broken(change: Any) -> PayoffError:
        copy = json.loads(json.dumps(good))
        change(copy["learner"])
        return refused(path, json.dumps(copy))

    def trees(learner: Any) -> Any:
        return learner["gradient_booster"]["model"]["trees"]

    assert "tree 2" in broken(lambda x: trees(x)[2]["left_children"].append(1)).where
    assert "tree 2" in broken(lambda x: trees(x)[2].pop("default_left")).where
    assert broken(lambda x: trees(x)[2]["right_children"].__setitem__(0, 0)).where.count("tree 2")
    assert (
        "base_score"
        in broken(lambda x: x["learner_model_param"].__setitem__("base_score", "[2E0]")).where
    )
    assert "linear" in broken(lambda x: x["gradient_booster"].__setitem__("name", "gblinear")).what
    assert (
        "survival:aft" in broken(lambda x: x["objective"].__setitem__("name", "survival:aft")).what
    )
    assert "learner" in broken(lambda x: x.pop("learner_model_param")).where
