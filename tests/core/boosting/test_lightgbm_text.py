"""A model written as the text of LightGBM predicts and explains there as it does here."""

from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pytest

import payoff
from payoff import PayoffError
from tests.helpers.factories.foreign_models import frame, new_cases, outcomes

LOSSES = {
    "gaussian": "number",
    "bernoulli": "binary",
    "multinomial": "classes",
    "poisson": "count",
    "tweedie": "positive",
    "quantile": "number",
    "expectile": "number",
}


def trained(distribution: str, outcome: str, **more: Any) -> Any:
    table = frame()
    return payoff.boost(
        table.assign(y=outcomes(table)[outcome]),
        target="y",
        distribution=distribution,
        n_trees=15,
        interaction_depth=5,
        bag_fraction=1.0,
        seed=2,
        **more,
    )


def written(model: Any, folder: Path, **more: Any) -> tuple[Path, Any]:
    path = folder / "model.txt"
    model.save_lightgbm(path, **more)
    return path, lightgbm.Booster(model_file=str(path))


@pytest.mark.parametrize("distribution", LOSSES)
def test_lightgbm_predicts_the_same(distribution: str, tmp_path: Path) -> None:
    model = trained(distribution, LOSSES[distribution])
    path, theirs = written(model, tmp_path)
    for table in (frame(), new_cases()):
        np.testing.assert_allclose(
            theirs.predict(table, raw_score=True), model.predict(table), rtol=1e-12, atol=1e-12
        )
        kind = "link" if distribution == "expectile" else "response"
        np.testing.assert_allclose(
            theirs.predict(table), model.predict(table, kind=kind), rtol=1e-12, atol=1e-12
        )
    again = payoff.import_model(path, distribution=distribution)
    np.testing.assert_allclose(again.predict(frame()), model.predict(frame()), atol=1e-12)


def test_its_contributions_are_those_of_lightgbm(tmp_path: Path) -> None:
    model = trained("gaussian", "number")
    _, theirs = written(model, tmp_path)
    found = theirs.predict(frame(), pred_contrib=True)
    np.testing.assert_allclose(found, model.contributions(frame()), atol=1e-9)


def test_values_on_a_threshold_fall_on_the_same_side(tmp_path: Path) -> None:
    model = trained("gaussian", "number")
    _, theirs = written(model, tmp_path)
    forest = model.boosted.forest
    column = [c.name for c in model.boosted.columns].index("d")
    limits = np.unique(forest.threshold[forest.feature == column])
    assert len(limits) > 3
    for step in (-np.inf, None, np.inf):
        values = limits if step is None else np.nextafter(limits, step)
        table = frame().head(len(values)).assign(d=values)
        np.testing.assert_allclose(theirs.predict(table), model.predict(table), atol=1e-12)


def test_fewer_trees_none_and_names_with_blanks(tmp_path: Path) -> None:
    table = frame().rename(columns={"a": "first number", "c": "first  number"})
    y = outcomes(frame())["number"]
    model = payoff.boost(table.assign(y=y), target="y", distribution="gaussian", n_trees=6, seed=2)
    _, theirs = written(model, tmp_path, n_trees=2)
    assert theirs.feature_name()[0] == "first_number"
    assert len(set(theirs.feature_name())) == 4
    wanted = model.predict(table, n_trees=2)
    np.testing.assert_allclose(theirs.predict(frame()), wanted, atol=1e-12)


def test_a_third_branch_and_a_bad_path_are_refused(tmp_path: Path) -> None:
    model = trained("gaussian", "number", missing="third_child")
    with pytest.raises(PayoffError, match="a branch of their own"):
        model.save_lightgbm(tmp_path / "model.txt")
    fine = trained("gaussian", "number")
    with pytest.raises(PayoffError, match="could not be written"):
        fine.save_lightgbm(tmp_path / "nowhere" / "model.txt")
