"""Estimators of scikit-learn: its own checks, and the same trees as ``payoff.boost``."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import core.script.boost
import core.script.evaluate.experiments
import payoff
from payoff import PayoffError
from tests.helpers.factories.foreign_models import frame, outcomes


def declared_exceptions(estimator: Any) -> dict[str, str]:
    return {
        "check_sample_weight_equivalence_on_dense_data": "as in gbm, the smallest leaf counts "
        "cases, not their weight: a case of weight 2 fills half as much of it as two cases "
        "(test_weights_are_repeated_rows_but_for_the_smallest_leaf); and with 30 columns for 15 "
        "rows several columns part the cases alike: which is taken is settled by the last bit of "
        "sums, which cases of weight 0 can tell"
    }


def weighted_and_repeated(
    kind: Any, x: np.ndarray, y: np.ndarray, weight: np.ndarray, **settings: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Predictions of the rows with weights, and with each row as often as it weighs."""
    found = []
    for rows, given in ((np.arange(len(y)), weight), (np.arange(len(y)).repeat(weight), None)):
        fitted = kind(n_trees=10, random_state=0, n_jobs=1, **settings)
        fitted.fit(x[rows], y[rows], sample_weight=given)
        found.append(getattr(fitted, "predict_proba", fitted.predict)(x))
    return found[0], found[1]


def test_weights_are_repeated_rows_but_for_the_smallest_leaf() -> None:
    """The cause of the declared exception: neither bins nor bags, but what a leaf counts."""
    draw = np.random.default_rng(1)
    x = np.round(draw.normal(size=(300, 4)), 2)
    y = x[:, 0] + (x[:, 1] > 0) + 0.3 * draw.normal(size=300)
    weight = draw.integers(0, 4, 300)
    regressor = payoff.BoostedTreesRegressor
    for bins in (255, 16):
        one, other = weighted_and_repeated(
            regressor, x, y, weight, min_cases_in_node=1, max_bins=bins
        )
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-12)
    one, other = weighted_and_repeated(regressor, x, y, weight, min_cases_in_node=10)
    assert np.abs(one - other).max() > 0.01


@pytest.mark.parametrize("kind", [payoff.BoostedTreesClassifier, payoff.BoostedTreesRegressor])
def test_on_the_rows_of_the_declared_check_only_weightless_cases_differ(kind: Any) -> None:
    draw = np.random.RandomState(42)  # the data of scikit-learn's check
    x, y = draw.rand(15, 30), draw.randint(0, 3, size=15)
    weight = draw.randint(0, 5, size=15)
    one, other = weighted_and_repeated(kind, x, y, weight, min_cases_in_node=1)
    counts = weight > 0
    np.testing.assert_allclose(one[counts], other[counts], rtol=0.0, atol=1e-9)


@parametrize_with_checks(
    [
        payoff.BoostedTreesClassifier(n_trees=10, random_state=0, n_jobs=1),
        payoff.BoostedTreesRegressor(n_trees=10, random_state=0, n_jobs=1),
    ],
    expected_failed_checks=declared_exceptions,
)
def test_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_the_smallest_leaf_gives_way_where_rows_are_few() -> None:
    cases = np.arange(8.0).reshape(4, 2)
    trees = payoff.BoostedTreesRegressor(n_trees=2, random_state=4)
    assert np.isfinite(trees.fit(cases, cases[:, 0]).predict(cases)).all()
    with pytest.raises(PayoffError, match="too few training rows"):
        trees.fit(cases[:2], cases[:2, 0])


def test_a_frame_with_levels_gives_the_trees_of_boost() -> None:
    table = frame()
    y = np.where(outcomes(table)["binary"] > 0, "yes", "no")
    trees = payoff.BoostedTreesClassifier(n_trees=12, random_state=4).fit(table, y)
    own = payoff.boost(
        table.assign(y=y),
        target="y",
        distribution="bernoulli",
        n_trees=12,
        interaction_depth=4,
        bag_fraction=1.0,
        seed=4,
        levels={"y": ["no", "yes"]},
    )
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
        (payoff.BoostedTreesRegressor(monotone=[1]), found["number"], "1 sign for 3"),
        (payoff.BoostedTreesRegressor(monotone={"e": 1}), found["number"], "no input column"),
    ):
        with pytest.raises(PayoffError, match=words):
            estimator.fit(table, y)


def test_without_scikit_learn_the_refusal_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "core.script.boost.estimators")
    monkeypatch.delattr(core.script.boost, "estimators")
    with pytest.raises(PayoffError, match=r"need scikit-learn.*pip install"):
        _ = payoff.BoostedTreesClassifier
    assert payoff.error_bound is core.script.evaluate.experiments.error_bound
