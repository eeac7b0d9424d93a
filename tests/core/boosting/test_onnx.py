"""ONNX files: accepted by onnx, and run by onnxruntime with the program's own scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest

import payoff
from core.boosting import to_onnx
from payoff import PayoffError
from tests.helpers.factories.foreign_models import frame, outcomes

RANKS = ["low", "middle", "high"]
TARGETS = {
    "bernoulli": "binary",
    "adaboost": "binary",
    "multinomial": "classes",
    "gaussian": "number",
    "poisson": "count",
    "ordinal": "classes",
}


def table_of(outcome: str) -> pd.DataFrame:
    table = frame()
    draw = np.random.default_rng(3)
    table["rank"] = draw.choice(RANKS, len(table))
    table.loc[::13, "rank"] = None
    table["b"] = table["b"].astype(object)
    return table.assign(y=outcomes(frame())[outcome])


def strange_cases() -> pd.DataFrame:
    """Unknown levels, unknown ranks, values missing where the training had none."""
    table = table_of("number").drop(columns="y")
    table.loc[:40, "b"] = "unknown"
    table.loc[30:60, "rank"] = "unheard of"
    table.loc[50:90, "c"] = np.nan
    return table


def run(content: bytes, table: pd.DataFrame) -> dict[str, np.ndarray]:
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    fed: dict[str, Any] = {}
    for entry in session.get_inputs():
        column = table[entry.name]
        if entry.type == "tensor(string)":
            texts = ["" if pd.isna(value) else str(value) for value in column]
            fed[entry.name] = np.array(texts, dtype=object)[:, None]
        else:
            fed[entry.name] = column.to_numpy(np.float64)[:, None]
    names = [entry.name for entry in session.get_outputs()]
    return dict(zip(names, session.run(None, fed), strict=True))


@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
@pytest.mark.parametrize("distribution", TARGETS)
def test_onnxruntime_scores_as_the_program_does(distribution: str, missing: str) -> None:
    model = payoff.boost(
        table_of(TARGETS[distribution]),
        target="y",
        distribution=distribution,
        n_trees=10,
        interaction_depth=5,
        missing=missing,
        levels={"rank": {"ordered": RANKS}},
    )
    cases = strange_cases()
    found = run(to_onnx(model.boosted), cases)
    wide = {"rtol": 1e-12, "atol": 1e-12}
    link = model.predict(cases).reshape(len(cases), -1)
    np.testing.assert_allclose(found["score"], link, **wide)
    if distribution == "ordinal":  # its chances are differences, which have no formula here
        assert set(found) == {"score"}
        return
    response = model.predict(cases, kind="response").reshape(len(cases), -1)
    np.testing.assert_allclose(found["prediction"], response, **wide)


def test_names_that_clash_fewer_trees_and_facts(tmp_path: Path) -> None:
    table = table_of("binary").rename(columns={"a": "score", "c": "prediction", "d": "inputs"})
    table["y"] = np.where(table["y"] > 0, "yes", "no")
    model = payoff.boost(table, target="y", distribution="bernoulli", n_trees=5, offset=None)
    model.save_onnx(tmp_path / "m.onnx", n_trees=3)
    content = (tmp_path / "m.onnx").read_bytes()
    found = run(content, table)
    np.testing.assert_allclose(
        found["prediction_"][:, 0], model.predict(table, "response", 3), rtol=1e-12
    )
    facts = {entry.key: entry.value for entry in onnx.load_from_string(content).metadata_props}
    assert facts["outputs"] == "no\nyes"
    assert facts["distribution"] == "bernoulli"


def test_a_constant_without_numbers_and_a_bad_place_are_refused(tmp_path: Path) -> None:
    table = pd.DataFrame({"b": ["x"] * 30 + ["y"] * 30, "y": np.r_[np.zeros(30), np.ones(30)]})
    model = payoff.boost(
        table, target="y", distribution="gaussian", n_trees=1, min_cases_in_node=14
    )
    with pytest.raises(PayoffError, match="could not be written"):
        model.save_onnx(tmp_path)
    model.boosted.forest.feature[:] = -1  # every tree its first node alone
    with pytest.raises(PayoffError, match="nothing to export"):
        to_onnx(model.boosted)
