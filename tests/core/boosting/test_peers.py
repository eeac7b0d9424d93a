"""Trees against other programs: scikit-learn live, LightGBM by figures."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from core.boosting import inputs_of_matrix
from core.boosting.inputs import TrainingCases
from tests.helpers.factories.boosting import train

LIGHTGBM = {1: 0.673719591, 5: 0.622619192, 20: 0.543125676}
"""Training log loss by trees, of LightGBM 4.7.0: binary, 31 leaves, learning rate 0.1,
min_data_in_leaf 20, min_data_in_bin 1, on the cases below."""


def few_values(rows=10_000):
    """Columns of under 100 values, so that every program has the same bins."""
    random = np.random.default_rng(1)
    matrix = np.clip(random.normal(size=(rows, 12)), -2.4, 2.4).astype(np.float32)
    matrix = np.round(matrix * 20).astype(np.float32)
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] / 20 + 20 * np.sin(matrix[:, 3] / 10)
    probability = 1 / (1 + np.exp(-score / 20))
    return matrix, (random.random(rows) < probability).astype(float)


def log_loss(outcome, probability):
    return float(-np.mean(outcome * np.log(probability) + (1 - outcome) * np.log1p(-probability)))


def our_loss(matrix, outcome, trees, precision="exact"):
    cases = TrainingCases(inputs=inputs_of_matrix(matrix), outcome=outcome)
    model = train(
        "bernoulli",
        cases,
        n_trees=trees,
        interaction_depth=30,
        min_cases_in_node=20,
        bag_fraction=1.0,
        precision=precision,
        shrinkage=0.1,
    )
    return log_loss(outcome, model.response(cases.inputs)[0])


@pytest.mark.filterwarnings("ignore:Could not find the number of physical cores")
@pytest.mark.parametrize("trees", [1, 5, 20])
def test_exact_trees_are_those_of_other_programs(trees):
    matrix, outcome = few_values()
    peer = HistGradientBoostingClassifier(
        max_iter=trees,
        max_leaf_nodes=31,
        learning_rate=0.1,
        min_samples_leaf=20,
        l2_regularization=0.0,
        early_stopping=False,
    ).fit(matrix, outcome)
    ours = our_loss(matrix, outcome, trees)
    assert ours == pytest.approx(log_loss(outcome, peer.predict_proba(matrix)[:, 1]), abs=2e-6)
    assert ours == pytest.approx(LIGHTGBM[trees], abs=2e-6)


def test_rounded_gradients_grow_nearly_the_same_trees():
    matrix, outcome = few_values()
    assert our_loss(matrix, outcome, 20, "histogram") == pytest.approx(LIGHTGBM[20], abs=2e-3)
