"""Boosted trees as estimators of scikit-learn; loaded only where scikit-learn is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd

from core import boosting
from core.assembly.models.input_columns import input_column, read_inputs
from core.boosting import (
    BoostSettings,
    Inputs,
    MissingPolicy,
    Precision,
    TrainingCases,
    inputs_of_matrix,
)
from core.kernels import limited_threads
from core.kernels import threads as present_threads
from core.script.boost.model import Model
from core.script.session import data_of, engine
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import TargetDomain, Task

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import check_array, check_consistent_length, check_random_state, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ModuleNotFoundError as error:
    raise PayoffError(
        "BoostedTreesClassifier and BoostedTreesRegressor need scikit-learn.",
        why=f"There is no module '{error.name}'.",
        remedy="Install it (pip install scikit-learn), or train with payoff.boost.",
    ) from error


class _BoostedTrees(BaseEstimator):
    """What classifier and regressor share: settings, inputs, the fit."""

    def __init__(
        self,
        *,
        distribution: str = "auto",
        distribution_params: Mapping[str, float] | None = None,
        n_trees: int = 100,
        interaction_depth: int = 4,
        shrinkage: float = 0.1,
        min_cases_in_node: int = 10,
        bag_fraction: float = 1.0,
        column_fraction: float = 1.0,
        l2: float = 0.0,
        level_penalty: float = 1.0,
        missing: str = "learned_side",
        max_bins: int = 255,
        monotone: Sequence[int] | Mapping[str, int] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.distribution = distribution
        self.distribution_params = distribution_params
        self.n_trees = n_trees
        self.interaction_depth = interaction_depth
        self.shrinkage = shrinkage
        self.min_cases_in_node = min_cases_in_node
        self.bag_fraction = bag_fraction
        self.column_fraction = column_fraction
        self.l2 = l2
        self.level_penalty = level_penalty
        self.missing = missing
        self.max_bins = max_bins
        self.monotone = monotone
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = False
        return tags

    @property
    def feature_importances_(self) -> FloatArray:
        """Relative influence of each input, summing to 1."""
        check_is_fitted(self)
        shares: FloatArray = self.model_.boosted.influence() / 100.0
        return shares

    def _train(
        self,
        inputs: Inputs,
        outcome: FloatArray,
        sample_weight: Any,
        spec: LossDistribution,
        classes: tuple[str, ...] = (),
    ) -> None:
        """Fit on checked inputs; weights of 0 leave their rows out."""
        weight = None
        if sample_weight is not None:
            weight = np.asarray(sample_weight, dtype=np.float64)
            rows = np.flatnonzero(weight)
            if len(rows) < len(weight):
                inputs, outcome, weight = inputs.take(rows), outcome[rows], weight[rows]
        cases = TrainingCases(
            inputs=inputs, outcome=outcome, weight=weight, n_classes=max(1, len(classes))
        )
        settings = self._settings([column.name for column in inputs.columns], inputs.n_rows)
        with limited_threads(self.n_jobs if self.n_jobs and self.n_jobs > 0 else present_threads()):
            model = boosting.fit(
                cases, spec, dict(self.distribution_params or {}), settings, classes=classes
            )
        self.model_ = Model(replace(model, trainer=None))
        self.n_iter_ = model.n_trees

    def _settings(self, names: Sequence[str], rows: int) -> BoostSettings:
        """The settings; among few rows the smallest leaf is lowered, as estimators must fit any."""
        roomiest = max(1, (int(rows * self.bag_fraction) - 2) // 2)
        state = self.random_state
        if isinstance(state, (int, np.integer)):
            seed = int(state)
        else:
            seed = int(check_random_state(state).randint(2**31 - 1))
        return BoostSettings(
            n_trees=self.n_trees,
            interaction_depth=self.interaction_depth,
            shrinkage=self.shrinkage,
            min_cases_in_node=min(self.min_cases_in_node, roomiest),
            bag_fraction=self.bag_fraction,
            column_fraction=self.column_fraction,
            l2=self.l2,
            level_penalty=self.level_penalty,
            missing=MissingPolicy(self.missing),
            max_bins=self.max_bins,
            monotone=_signs(self.monotone, names),
            precision=Precision.AUTO,
            seed=seed,
        )

    def _inputs(self, data: Any, *, is_fit: bool) -> Inputs:
        """Checked inputs; texts and categories of a data frame are levels."""
        if not isinstance(data, pd.DataFrame) or _is_all_numbers(data):
            values = validate_data(
                self, data, reset=is_fit, dtype=np.float64, ensure_all_finite="allow-nan"
            )
            matrix = np.ascontiguousarray(values)
            if is_fit:
                return inputs_of_matrix(matrix, list(getattr(self, "feature_names_in_", ())))
            return Inputs(self.model_.boosted.columns, tuple(matrix.T))
        validate_data(self, data, reset=is_fit, skip_check_array=True)
        table = data_of(data)
        if not is_fit:
            return read_inputs(table, self.model_.boosted.columns)
        return read_inputs(table, tuple(input_column(table, str(name)) for name in data.columns))

    def _link(self, data: Any) -> FloatArray:
        check_is_fitted(self)
        return self.model_.boosted.link(self._inputs(data, is_fit=False))

    def _response(self, data: Any) -> FloatArray:
        check_is_fitted(self)
        return self.model_.boosted.response(self._inputs(data, is_fit=False))


class BoostedTreesClassifier(ClassifierMixin, _BoostedTrees):
    """Gradient boosted trees that tell classes apart, as an estimator of scikit-learn.

    Missing values are handled; texts and categories of a data frame are levels. The settings have
    the names of ``payoff.boost``.

    Parameters
    ----------
    distribution : str
        "auto": bernoulli for two classes, multinomial for more; or the name of a distribution.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; the model does not depend on it.

    Attributes
    ----------
    classes_ : array (classes,)
    model_ : Model
        As ``payoff.boost`` gives it: to explain, save, export.
    n_iter_ : int
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on inputs (n, F) and classes (n,)."""
        inputs = self._inputs(X, is_fit=True)
        y = _one_column(self, y, inputs.n_rows)
        check_classification_targets(y)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        known = y if weight is None else y[np.asarray(weight) > 0]
        self.classes_ = np.unique(known)
        if len(self.classes_) < 2:
            raise PayoffError(
                "There is only one class.", why="Trees tell at least two classes apart."
            )
        outcome = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        name = self.distribution
        if name == "auto":
            name = Task.BINARY if len(self.classes_) == 2 else Task.MULTICLASS
        spec = engine().registry.distribution(name)
        if spec.target not in (TargetDomain.BINARY, TargetDomain.CLASSES) or (
            spec.target == TargetDomain.BINARY and len(self.classes_) > 2
        ):
            raise PayoffError(
                f"{spec.label} does not fit {counted(len(self.classes_), 'class', 'classes')}."
            )
        classes = tuple(str(level) for level in self.classes_)
        self._train(inputs, outcome.astype(np.float64), weight, spec, classes)
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """Chances (n, classes), in the order of ``classes_``."""
        probabilities = self._response(X)
        if len(probabilities) == 1:
            probabilities = np.vstack([1.0 - probabilities, probabilities])
        return np.ascontiguousarray(probabilities.T)

    def decision_function(self, X: Any) -> FloatArray:
        """Link scores (n,) of the second of two classes, or (n, classes)."""
        link = self._link(X)
        return link[0] if len(link) == 1 else np.ascontiguousarray(link.T)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The likeliest class (n,)."""
        chosen = self.predict_proba(X).argmax(axis=1)
        classes: np.ndarray[Any, Any] = self.classes_[chosen]
        return classes


class BoostedTreesRegressor(RegressorMixin, _BoostedTrees):
    """Gradient boosted trees that predict a number, as an estimator of scikit-learn.

    Missing values are handled; texts and categories of a data frame are levels. The settings have
    the names of ``payoff.boost``.

    Parameters
    ----------
    distribution : str
        "auto": gaussian; or "laplace", "quantile", "poisson", "gamma", "tweedie", "huber" ...
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; the model does not depend on it.

    Attributes
    ----------
    model_ : Model
        As ``payoff.boost`` gives it: to explain, save, export.
    n_iter_ : int
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on inputs (n, F) and outcomes (n,)."""
        inputs = self._inputs(X, is_fit=True)
        outcome = np.asarray(_one_column(self, y, inputs.n_rows, is_number=True), dtype=np.float64)
        if inputs.n_rows < 2:
            raise PayoffError("There is one sample only.", why="A split needs two.")
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        name = Task.REGRESSION if self.distribution == "auto" else self.distribution
        spec = engine().registry.distribution(name)
        if spec.target in (TargetDomain.BINARY, TargetDomain.CLASSES) or spec.arrange is not None:
            raise PayoffError(
                f"{spec.label} does not predict a number.",
                remedy="Take BoostedTreesClassifier, or payoff.boost.",
            )
        self._train(inputs, outcome, weight, spec)
        return self

    def predict(self, X: Any) -> FloatArray:
        """Predictions (n,) on the scale of the outcome; (n, scores) of several scores."""
        found = self._response(X)
        return found[0] if len(found) == 1 else np.ascontiguousarray(found.T)


def _is_all_numbers(data: pd.DataFrame) -> bool:
    return all(kind.kind in "biufc" for kind in data.dtypes if isinstance(kind, np.dtype)) and all(
        isinstance(kind, np.dtype) for kind in data.dtypes
    )


def _one_column(
    estimator: BaseEstimator, y: Any, rows: int, *, is_number: bool = False
) -> np.ndarray[Any, Any]:
    """The outcome (n,), checked as scikit-learn checks it."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y "
            "is None."
        )
    values = check_array(
        y,
        ensure_2d=False,
        dtype=np.float64 if is_number else None,
        ensure_all_finite=True,
        input_name="y",
        estimator=estimator,
    )
    flat: np.ndarray[Any, Any] = column_or_1d(values, warn=True)
    check_consistent_length(flat, np.empty(rows))
    return flat


def _signs(
    monotone: Sequence[int] | Mapping[str, int] | None, names: Sequence[str]
) -> tuple[int, ...]:
    if monotone is None:
        return ()
    if isinstance(monotone, Mapping):
        lost = [name for name in monotone if name not in names]
        if lost:
            raise PayoffError(f"'{lost[0]}' is no input column.", why=f"There are: {names}.")
        return tuple(int(monotone.get(name, 0)) for name in names)
    if len(monotone) != len(names):
        raise PayoffError(
            f"monotone has {counted(len(monotone), 'sign')} for {counted(len(names), 'input')}."
        )
    return tuple(int(sign) for sign in monotone)
