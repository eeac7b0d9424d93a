"""Figures of predicted numbers by other tools' definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peer

from core.evaluation import EvaluationProblem, JudgedScores
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions import SAME, definition_rows
from tests.helpers.factories.evaluation import note


def made(weight=None):
    random = np.random.default_rng(3)
    target = random.gamma(4.0, 2.5, 212)
    predicted = 0.7 * target + random.gamma(2.0, 2.0, 212)
    more = {} if weight is None else {"frequency": weight}
    problem = EvaluationProblem(
        kind="regression",
        models=(JudgedScores(name="m", prediction=predicted),),
        metrics=(),
        rows=note(212),
        target=target,
        **more,
    )
    return target, predicted, JudgedCases(problem)


def rows_of(cases, convention):
    return {row.figure: row for row in definition_rows(cases, convention)}


def test_figures_as_scikit_learn():
    target, predicted, cases = made()
    rows = rows_of(cases, "scikit-learn")
    wanted = {
        "MSE": peer.mean_squared_error,
        "RMSE": peer.root_mean_squared_error,
        "MAE": peer.mean_absolute_error,
        "R²": peer.r2_score,
        "R² and explained variance": peer.explained_variance_score,
        "Poisson deviance": peer.mean_poisson_deviance,
        "Gamma deviance": peer.mean_gamma_deviance,
    }
    for figure, call in wanted.items():
        assert rows[figure].theirs == pytest.approx(call(target, predicted), rel=1e-12), figure
        assert (rows[figure].cause == SAME) == (figure != "R² and explained variance")
    quantile = rows["Size of a miss, 90 % quantile"]
    assert quantile.theirs == pytest.approx(np.quantile(np.abs(target - predicted), 0.9))
    assert "type 7" in quantile.cause


def test_figures_as_r_name_the_causes():
    target, predicted, cases = made()
    rows = rows_of(cases, "r")
    assert rows["R²"].theirs == pytest.approx(np.corrcoef(target, predicted)[0, 1] ** 2)
    assert "correlation" in rows["R²"].cause
    poisson = rows["Poisson deviance"]
    assert poisson.theirs == pytest.approx(poisson.ours * len(target))
    assert "sum" in poisson.cause
    miss = target - predicted
    mad = 1.4826 * np.median(np.abs(miss - np.median(miss)))
    assert rows["Median size of a miss"].theirs == pytest.approx(mad)
    assert rows["RMSE"].cause == rows["Explained variance"].cause == SAME


def test_figures_as_sas_em():
    target, predicted, cases = made()
    rows = rows_of(cases, "sas_em")
    assert rows["RMSE"].theirs_words.startswith("_RASE_")
    assert rows["MSE"].cause == SAME
    assert rows["Squared misses"].theirs == pytest.approx(((target - predicted) ** 2).sum())
    size = np.abs(target - predicted)
    found = rows["Size of a miss, 90 % quantile"]
    assert found.ours == pytest.approx(np.quantile(size, 0.9, method="averaged_inverted_cdf"))
    assert found.cause == SAME


def test_weights_count_and_quantile_types_are_left_out_under_them():
    weight = np.random.default_rng(5).integers(1, 4, 212).astype(float)
    target, predicted, cases = made(weight)
    rows = rows_of(cases, "scikit-learn")
    wanted = peer.r2_score(target, predicted, sample_weight=weight)
    assert rows["R²"].theirs == pytest.approx(wanted, rel=1e-12)
    assert not any("quantile" in figure for figure in rows)
