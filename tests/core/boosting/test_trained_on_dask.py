"""Models that LightGBM and XGBoost trained on a Dask cluster: imported, they score as there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import payoff
from tests.helpers.cluster import client_of_two_workers

pytest.importorskip("distributed", reason="training elsewhere needs a Dask cluster")
dataframes = pytest.importorskip("dask.dataframe", reason="both train on Dask DataFrames")
pytest.importorskip("dask.array", reason="LightGBM predicts as Dask arrays")

INPUTS = ["age", "visits"]
pytestmark = [
    pytest.mark.soak,  # LightGBM takes a minute to train on busy processors
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own making
    pytest.mark.timeout(400),
]


@pytest.fixture(scope="module")
def customers() -> pd.DataFrame:
    random = np.random.default_rng(1)
    made = pd.DataFrame({"age": random.normal(size=6_000), "visits": random.normal(size=6_000)})
    chance = 1 / (1 + np.exp(-(made["age"] + made["visits"])))
    made["bought"] = (random.random(6_000) < chance).astype(int)
    made.loc[::17, "visits"] = np.nan
    return made


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two_workers() as found:
        yield found


def train_lightgbm(client: Any, data: Any, path: Path) -> Any:
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.DaskLGBMClassifier(client=client, n_estimators=20, num_leaves=7, verbose=-1)
    model.fit(data[INPUTS], data["bought"])
    model.booster_.save_model(path)
    return lambda frame: model.to_local().predict_proba(frame)[:, 1]


def train_xgboost(client: Any, data: Any, path: Path) -> Any:
    xgboost = pytest.importorskip("xgboost")
    dask = pytest.importorskip("xgboost.dask")
    matrix = dask.DaskDMatrix(client, data[INPUTS], data["bought"])
    asked = {"objective": "binary:logistic", "max_depth": 3, "tree_method": "hist"}
    booster = dask.train(client, asked, matrix, num_boost_round=20)["booster"]
    booster.save_model(path)
    return lambda frame: booster.predict(xgboost.DMatrix(frame))


@pytest.mark.parametrize(
    ("train", "name", "near"),
    [(train_lightgbm, "model.txt", 1e-15), (train_xgboost, "model.json", 1e-6)],
)
def test_a_model_trained_on_a_cluster_is_imported_and_judged(
    train: Any, name: str, near: float, client: Any, customers: pd.DataFrame, tmp_path: Path
) -> None:
    data = dataframes.from_pandas(customers, npartitions=4)
    theirs = train(client, data, tmp_path / name)(customers[INPUTS])
    model = payoff.import_model(tmp_path / name)
    assert np.abs(model.predict(customers, "response") - theirs).max() < near
    payoff.predict_to_parts(model, data, tmp_path / "scored", keep=["bought"])
    here = payoff.evaluate(
        customers.assign(chance=model.predict(customers, "response")),
        outcome="bought",
        scores="chance",
        metrics=["auc"],
    )
    there = payoff.evaluate(
        tmp_path / "scored", outcome="bought", scores={"chance": "prediction"}, metrics=["auc"]
    )
    assert there.value("auc", "chance") == here.value("auc", "chance") > 0.7
