"""Shared by tests of real data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from core.document.commands import SetChartMode
from core.document.model import ChartMode
from tests.helpers.program import Program


def out_of_fold(inputs: pd.DataFrame, outcome: np.ndarray) -> dict[str, np.ndarray]:
    """Chances of the event by two models, each case scored by a model that has not seen it."""
    words = [name for name in inputs if not pd.api.types.is_numeric_dtype(inputs[name])]
    numbers = [name for name in inputs if name not in words]
    folds = StratifiedKFold(5, shuffle=True, random_state=20261)
    prepare = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", min_frequency=20), words),
        (StandardScaler(), numbers),
    )
    coded = inputs.copy()
    for name in words:
        coded[name] = coded[name].astype("category").cat.codes
    logistic = make_pipeline(prepare, LogisticRegression(max_iter=2000))
    boosting = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.08, max_leaf_nodes=8, random_state=20261
    )
    scored = {}
    for name, model, table in (("logistic", logistic, inputs), ("boosting", boosting, coded)):
        probabilities = cross_val_predict(model, table, outcome, cv=folds, method="predict_proba")
        scored[name] = probabilities[:, 1]
    return scored


def check_numbers(program: Program) -> None:
    """Everything finite, and the last cumulative point is the total."""
    space = program.session
    result = space.results.decisions
    for model in result.models:
        assert np.isfinite(model.profit).all()
        assert np.isfinite([model.total.value, model.total.low, model.total.high]).all()
        assert model.total.low <= model.total.value <= model.total.high
        assert float(np.sum(model.profits)) == pytest.approx(model.total.value)
        assert model.profit[0] == pytest.approx(result.do_nothing)
        assert model.profit[-1] == pytest.approx(result.act_on_all)
    for cell in space.results.evaluation.cells:
        assert np.isfinite(cell.estimate.value), cell
        assert cell.estimate.low <= cell.estimate.value <= cell.estimate.high, cell
    mode = space.project.document.chart_mode
    space.project.execute(SetChartMode(mode=ChartMode.FIRM))
    program.settle()
    for model in space.results.decisions.models:
        assert model.profit[-1] == pytest.approx(model.total.value)
        assert model.chart_end == pytest.approx(model.total.value)
    space.project.execute(SetChartMode(mode=mode))
    program.settle()


def unexpected(program: Program) -> list[str]:
    return [str(m) for m in program.messages if "inside Payoff" in str(m)]
