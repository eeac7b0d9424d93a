"""``payoff.boost`` and ``payoff.load_model``: boosted trees for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core import boosting
from core.boosting import (
    BoostedModel,
    BoostSettings,
    Callbacks,
    Cases,
    EarlyStopping,
    InputColumn,
    Inputs,
    MissingPolicy,
)
from core.data import LoadedTable, column_as_float, encode_levels, from_data, place_of, printed
from core.data.roles import guess_event
from core.engine.jobs.input_columns import (
    input_column,
    read_inputs,
    refuse_missing,
    role_values,
    whole_codes,
)
from core.kernels import limited_threads
from core.kernels import threads as present_threads
from core.script.session import ScriptData, engine
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import TargetDomain

_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)


@dataclass(frozen=True)
class Model:
    """What ``payoff.boost`` returns. T iterations, K scores per case.

    Attributes
    ----------
    boosted : BoostedModel
        The trained model itself.
    data : LoadedTable or None
        The training data; None for a model read from a file.
    offset : str or None
        The column that was added to the scores while training.
    """

    boosted: BoostedModel
    data: LoadedTable | None = None
    offset: str | None = None

    @property
    def n_trees(self) -> int:
        """Number of iterations."""
        return self.boosted.n_trees

    @property
    def classes(self) -> tuple[str, ...]:
        """Levels of the outcome in class order; of two the event is the second."""
        return self.boosted.classes

    @property
    def initial_score(self) -> float | FloatArray:
        """The constant that trees are added to; an array per class with several scores."""
        initial = self.boosted.initial
        return float(initial[0]) if initial.shape[0] == 1 else initial

    @property
    def train_deviance(self) -> FloatArray:
        """Deviance of the training rows after each iteration."""
        return self.boosted.history.train_deviance

    @property
    def valid_deviance(self) -> FloatArray:
        """Deviance of the rows that did not train; NaN without such rows."""
        return self.boosted.history.valid_deviance

    @property
    def oob_improvement(self) -> FloatArray:
        """Fall of the deviance outside the bag by each iteration; NaN without bags."""
        return self.boosted.history.oob_improvement

    @property
    def cv_deviance(self) -> FloatArray | None:
        """Cross-validated deviance after each iteration; None without folds."""
        crossed = self.boosted.cross_validation
        return None if crossed is None else crossed.deviance

    @property
    def cv_predictions(self) -> pd.DataFrame | None:
        """Per training row its fold and its link score by the model that did not see it."""
        crossed = self.boosted.cross_validation
        if crossed is None:
            return None
        columns = {"fold": crossed.fold}
        names = ["link"] if crossed.link.shape[0] == 1 else [f"link_{c}" for c in self.classes]
        return pd.DataFrame(columns | dict(zip(names, crossed.link, strict=True)))

    def predict(
        self,
        data: ScriptData,
        kind: str = "link",
        n_trees: int | None = None,
        *,
        add_offset: bool = False,
    ) -> FloatArray:
        """Score cases.

        Parameters
        ----------
        data
            A path, DataFrame, Arrow table or mapping with the model's columns.
        kind : str
            "link" or "response".
        n_trees : int, optional
            The first trees only.
        add_offset : bool
            Add the offset column of the training, which must then be in the data.

        Returns
        -------
        float64 (n,), or (n, K) with several scores per case
        """
        table = from_data(data)
        inputs = read_inputs(table, self.boosted.columns)
        offset = None
        if add_offset:
            if self.offset is None:
                raise PayoffError("The model was trained without an offset.")
            offset = column_as_float(table, self.offset, role="offset")
        if kind not in ("link", "response"):
            raise PayoffError(f"There is no kind '{kind}'.", why="There are: link, response.")
        method = self.boosted.link if kind == "link" else self.boosted.response
        scores = method(inputs, n_trees, offset)
        return scores[0] if scores.shape[0] == 1 else np.ascontiguousarray(scores.T)

    def unseen_levels(self, data: ScriptData) -> dict[str, dict[str, int]]:
        """Levels that the model does not know: column -> level -> rows. They are not missing."""
        table = from_data(data)
        found: dict[str, dict[str, int]] = {}
        for column in self.boosted.columns:
            if not column.levels:
                continue
            codes, levels = encode_levels(table, column.name)
            counts = {
                level: int((codes == place).sum())
                for place, level in enumerate(levels)
                if level not in column.levels
            }
            if counts:
                found[column.name] = counts
        return found

    def relative_influence(
        self, scaled: bool = True, n_trees: int | None = None
    ) -> dict[str, float]:
        """Summed improvement by each column; scaled to sum to 100."""
        values = self.boosted.influence(n_trees, is_scaled=scaled)
        names = [column.name for column in self.boosted.columns]
        return {name: float(value) for name, value in zip(names, values, strict=True)}

    def best_iteration(self, method: str = "test") -> int:
        """Number of trees that "test", "oob" or "cv" chooses."""
        return self.boosted.best_iteration(method)

    def partial_dependence(
        self,
        columns: str | Sequence[str],
        grid: Any = None,
        method: str = "tree",
        n_trees: int | None = None,
        data: ScriptData = None,
    ) -> pd.DataFrame:
        """Dependence on one or two columns, on the link scale.

        Parameters
        ----------
        columns : str or list of str
        grid : DataFrame or mapping of column to values, optional
            Points, row by row; left out: 100 over the range of a number, every level.
        method : str
            "tree": weighted traversal of the trees; "brute": mean over the cases.
        data : optional
            Cases to take ranges and means from; left out: the training data.

        Returns
        -------
        DataFrame
            The columns and ``value`` (with several scores ``value_<class>``).
        """
        chosen = [columns] if isinstance(columns, str) else list(columns)
        places = [self._place(name) for name in chosen]
        schema = [self.boosted.columns[place] for place in places]
        if method not in ("tree", "brute"):
            raise PayoffError(f"There is no method '{method}'.", why="There are: tree, brute.")
        if grid is None:
            inputs = self._training_inputs(data)
            points = boosting.grid_of(schema, [inputs.arrays[place] for place in places])
        else:
            table = from_data(grid if isinstance(grid, pd.DataFrame) else dict(grid))
            points = read_inputs(table, tuple(schema)).values()
        cases = None
        if method == "brute":
            inputs = self._training_inputs(data)
            cases = (inputs, np.ones(inputs.n_rows))
        values = self.boosted.dependence(places, points, n_trees, cases)
        frame = {
            column.name: _shown(column, axis) for column, axis in zip(schema, points, strict=True)
        }
        names = ["value"] if len(values) == 1 else [f"value_{c}" for c in self.classes]
        return pd.DataFrame(frame | dict(zip(names, values, strict=True)))

    def interaction(
        self, columns: Sequence[str], n_trees: int | None = None, data: ScriptData = None
    ) -> float | FloatArray:
        """Friedman's H of two or more columns: 0 = effects add up, 1 = nothing but interaction."""
        places = [self._place(name) for name in columns]
        strength = self.boosted.interaction(places, self._training_inputs(data), None, n_trees)
        return float(strength[0]) if strength.shape[0] == 1 else strength

    def continue_training(self, n_trees: int) -> Model:
        """The model with more trees, exactly as if they had been asked for at once."""
        return Model(self.boosted.continued(n_trees), self.data, self.offset)

    def to_sql(self, table: str = "cases", kind: str = "link") -> str:
        """A SELECT that scores every row of a table."""
        return boosting.to_sql(self.boosted, table, kind)

    def to_python(self) -> str:
        """Source of a module that scores cases, standard library only."""
        return boosting.to_python(self.boosted)

    def save(self, path: str | Path) -> None:
        """Write the model to a file (zip of JSON and arrays)."""
        boosting.save_model(self.boosted, path)

    def _place(self, name: str) -> int:
        names = [column.name for column in self.boosted.columns]
        if name not in names:
            raise PayoffError(
                f"The model has no input '{name}'.", why=f"It has: {', '.join(names)}."
            )
        return names.index(name)

    def _training_inputs(self, data: ScriptData) -> Inputs:
        table = self.data if data is None else from_data(data)
        if table is None:
            raise PayoffError(
                "The model was read from a file, without its data.", remedy="Give data=..."
            )
        inputs = read_inputs(table, self.boosted.columns)
        return inputs.take(np.arange(self.boosted.n_train)) if data is None else inputs


def load_model(path: str | Path) -> Model:
    """Read a model file that ``save`` wrote."""
    return Model(boosting.load_model(path, engine().registry.distribution))


def boost(
    data: ScriptData,
    *,
    target: str,
    distribution: str,
    distribution_params: Mapping[str, object] | None = None,
    features: Sequence[str] | None = None,
    n_trees: int = 100,
    interaction_depth: int = 1,
    shrinkage: float = 0.1,
    min_cases_in_node: int = 10,
    bag_fraction: float = 0.5,
    train_fraction: float = 1.0,
    cv_folds: int = 0,
    weight: str | None = None,
    offset: str | None = None,
    group: str | None = None,
    event: str | None = None,
    entry: str | None = None,
    strata: str | None = None,
    monotone: Mapping[str, int] | None = None,
    interactions: Sequence[Sequence[str]] = (),
    levels: Mapping[str, Any] | None = None,
    missing: str = "learned_side",
    max_bins: int = 255,
    max_depth: int = 0,
    column_fraction: float = 1.0,
    l2: float = 0.0,
    bag_groups: bool | None = None,
    precision: str = "auto",
    gbm_compatible: bool = False,
    early_stopping: int | EarlyStopping | None = None,
    seed: int = 0,
    threads: int | None = None,
    callbacks: Callbacks | None = None,
) -> Model:
    """Train gradient boosted trees.

    Parameters
    ----------
    data
        A path, DataFrame, Arrow table or mapping. The first ``train_fraction`` of its rows train,
        the others only judge.
    target, distribution, distribution_params
        The outcome (coxph: the time), and what it follows: "gaussian", "bernoulli", ...
    features : list of str, optional
        Input columns; left out: every column without another role.
    event, entry, strata, group, weight, offset : str, optional
        Columns with a role: coxph reads event, entry, strata; pairwise reads group.
    monotone : mapping of column to -1, 0, 1
    interactions : lists of columns that may stand on one path of a tree
    levels : mapping of column to list of levels in code order, or {"ordered": [...]}
    early_stopping : int or EarlyStopping, optional
        Trees without improvement of the judging rows' deviance (or of another figure).
    threads : int, optional
        The model does not depend on it.

    Raises
    ------
    PayoffError
        For data that cannot be trained on, naming column and row.
    """
    table = from_data(data)
    spec = engine().registry.distribution(distribution)
    roles = {"event": event, "entry": entry, "strata": strata}
    taken = {name for name in (target, weight, offset, group, *roles.values()) if name}
    names = list(features) if features is not None else [c for c in table.columns if c not in taken]
    columns = tuple(input_column(table, name, (levels or {}).get(name)) for name in names)
    outcome, classes = _outcome(table, target, spec, (levels or {}).get(target))
    rows = int(train_fraction * table.rows) if 0.0 < train_fraction <= 1.0 else 0
    cases = Cases(
        inputs=read_inputs(table, columns),
        outcome=outcome,
        weight=None if weight is None else column_as_float(table, weight, role="weight"),
        offset=None if offset is None else column_as_float(table, offset, role="offset"),
        group=None if group is None else whole_codes(table, group),
        extras={name: role_values(table, name, column) for name, column in roles.items() if column},
        n_train=rows,
        n_classes=max(1, len(classes)),
    )
    settings = BoostSettings(
        n_trees=n_trees,
        interaction_depth=interaction_depth,
        max_depth=max_depth,
        shrinkage=shrinkage,
        min_cases_in_node=min_cases_in_node,
        bag_fraction=bag_fraction,
        column_fraction=column_fraction,
        l2=l2,
        missing=_choice(MissingPolicy, "missing", missing),
        max_bins=max_bins,
        monotone=_signs(names, monotone or {}),
        interactions=tuple(tuple(_index(names, c) for c in group) for group in interactions),
        precision=_choice(boosting.Precision, "precision", precision),
        gbm_compatible=gbm_compatible,
        is_group_bagged=group is not None if bag_groups is None else bag_groups,
        seed=seed,
    )
    stopping = early_stopping
    if isinstance(stopping, int):
        stopping = EarlyStopping(patience=stopping)
    with limited_threads(present_threads() if threads is None else threads):
        model = boosting.fit(
            cases,
            spec,
            distribution_params or {},
            settings,
            classes=classes,
            cv_folds=cv_folds,
            early_stopping=stopping,
            callbacks=callbacks,
        )
    return Model(model, table, offset)


def _shown(column: InputColumn, axis: FloatArray) -> Any:
    """Grid values as the user knows them: levels by name, None for a missing one."""
    if not column.levels:
        return axis
    return [None if np.isnan(code) else column.levels[int(code)] for code in axis]


def _choice(kind: Any, name: str, value: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(item.value for item in kind)
        raise PayoffError(f"{name} is '{value}'.", why=f"There are: {known}.") from None


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise PayoffError(
            f"'{name}' is no input column.", remedy=f"Input columns are: {', '.join(names)}."
        )
    return list(names).index(name)


def _signs(names: Sequence[str], monotone: Mapping[str, int]) -> tuple[int, ...]:
    signs = [0] * len(names)
    for name, sign in monotone.items():
        signs[_index(names, name)] = sign
    return tuple(signs) if monotone else ()


def _outcome(
    table: LoadedTable, name: str, spec: LossDistribution, wanted: Any
) -> tuple[FloatArray, tuple[str, ...]]:
    """The outcome as numbers, and its levels in class order for classes."""
    if spec.target not in _CLASS_DOMAINS:
        values = column_as_float(table, name, role="target")
        refuse_missing(table, name, np.isnan(values))
        return values, ()
    codes, found = encode_levels(table, name)
    refuse_missing(table, name, codes < 0)
    classes = (
        tuple(map(printed, wanted)) if wanted is not None else _class_order(found, codes, spec)
    )
    unknown = [level for level in found if level not in classes]
    if unknown:
        raise PayoffError(
            f"The target '{name}' has the level '{unknown[0]}', which is not listed.",
            where=place_of(table, int(np.argmax(codes == found.index(unknown[0]))), name),
        )
    if spec.target == TargetDomain.BINARY and len(classes) > 2:
        raise PayoffError(
            f"The target '{name}' has {len(classes)} levels.",
            why=f"{spec.label} tells two apart.",
            remedy="Take distribution='multinomial', or a target of two levels.",
        )
    lookup = np.array([float(classes.index(level)) for level in found])
    return lookup[codes], classes


def _class_order(found: tuple[str, ...], codes: Any, spec: LossDistribution) -> tuple[str, ...]:
    """Levels sorted, as numbers where they all are; of two the event stands last."""
    try:
        ordered = sorted(found, key=float)
    except ValueError:
        ordered = sorted(found)
    if spec.target == TargetDomain.BINARY and len(ordered) == 2 and ordered != ["0", "1"]:
        counts = {level: int((codes == place).sum()) for place, level in enumerate(found)}
        chosen = guess_event(counts)[0]
        ordered = [level for level in ordered if level != chosen] + [chosen]
    if spec.target == TargetDomain.BINARY and len(ordered) == 1:
        ordered = ["0", "1"] if ordered[0] in ("0", "1") else [*ordered, ""]
    return tuple(ordered)
