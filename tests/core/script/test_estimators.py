"""Estimators of scikit-learn: its own checks, and the same trees as ``payoff.boost``."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import core.script.face
import payoff
from payoff import PayoffError
from tests.core.boosting.foreign_samples import frame, outcomes


def declared_exceptions(estimator: Any) -> dict[str, str]:
    return {
        "check_sample_weight_equivalence_on_dense_data": "as in gbm, the smallest leaf counts "
        "cases, not their weight: a case of weight 2 fills half as much of it as two cases"
    }


@parametrize_with_checks(
    [
        payoff.BoostedTreesClassifier(n_trees=10, random_state=0, n_jobs=1),
        payoff.BoostedTreesRegressor(n_trees=10, random_state=0, n_jobs=1),
    ],
    expected_failed_checks=declared_exceptions,
)
def test_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_a_frame_with_levels_gives_the_trees_of_boost() -> None:
    table = frame()
    y = np.where(outcomes(table)["binary"] > 0, "yes", "no")
    trees = payoff.BoostedTreesClassifier(n_trees=12, random_state=4).fit(table, y)
    own = payoff.boost(
        table.assign(y=y), target="y", distribution="bernoulli", n_trees=12, interaction_depth=4,
        bag_fraction=1.0, seed=4, levels={"y": ["no", "yes"]},
    )  # fmt: skip
    assert list(trees.classes_) == ["no", "yes"]
    np.testing.assert_array_equal(
        trees.predict_proba(table)[:, 1], own.predict(table, kind="response")
    )
    np.testing.assert_array_equal(trees.decision_function(table), own.predict(table))
    assert set(trees.predict(table)) == {"no", "yes"}
    assert trees.feature_importances_.sum() == pytest.approx(1.0)
    assert trees.model_.contributions(table).shape == (len(table), 5)


def test_other_losses_signs_and_refusals() -> None:
    table = frame()[["a", "c", "d"]]
    found = outcomes(frame())
    counts = payoff.BoostedTreesRegressor(
        distribution="poisson", n_trees=10, monotone={"d": 1}, random_state=0
    ).fit(table, found["count"])
    line = pd.DataFrame({"a": 0.1, "c": 1.0, "d": np.linspace(0.0, 4.0, 30)})
    assert (np.diff(counts.predict(line)) >= 0).all()
    assert (counts.predict(table) > 0).all()
    three = payoff.BoostedTreesClassifier(n_trees=5).fit(table, found["classes"])
    assert three.predict_proba(table).shape == (len(table), 3)
    np.testing.assert_allclose(three.predict_proba(table).sum(axis=1), 1.0)
    for estimator, y, words in (
        (payoff.BoostedTreesRegressor(distribution="bernoulli"), found["binary"], "a number"),
        (payoff.BoostedTreesClassifier(distribution="gaussian"), found["binary"], "2 classes"),
        (payoff.BoostedTreesClassifier(), np.zeros(len(table)), "one class"),
        (payoff.BoostedTreesRegressor(monotone=[1]), found["number"], "1 signs for 3"),
        (payoff.BoostedTreesRegressor(monotone={"e": 1}), found["number"], "no input column"),
    ):
        with pytest.raises(PayoffError, match=words):
            estimator.fit(table, y)


def test_without_scikit_learn_the_refusal_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "core.script.estimators")
    monkeypatch.delattr(core.script, "estimators")
    with pytest.raises(PayoffError, match=r"needs scikit-learn.*pip install"):
        _ = payoff.BoostedTreesClassifier
    assert payoff.error_bound is core.script.face.error_bound
