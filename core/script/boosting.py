"""``payoff.boost`` and ``payoff.load_model``: boosted trees for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core import boosting
from core.boosting import BoostSettings, Callbacks, Cases, EarlyStopping, MissingPolicy
from core.boosting.checks import training_warnings
from core.data import LoadedTable, column_as_float, encode_levels, place_of, printed
from core.data.roles import guess_event
from core.engine.jobs.input_columns import (
    input_column,
    read_inputs,
    refuse_missing,
    role_values,
    whole_codes,
)
from core.engine.jobs.refusals import in_the_file, refuse_one_class
from core.kernels import limited_threads
from core.kernels import threads as present_threads
from core.script.model import Model
from core.script.session import ScriptData, data_of, engine, rows_of
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import TargetDomain

_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)


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
    upper: str | None = None,
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
    rows: str | None = None,
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
    event, entry, strata, upper, group, weight, offset : str, optional
        Columns with a role: coxph reads event, entry, strata; pairwise reads group; aft reads
        event and upper, the latest time at which the event may have happened (0 = at the time).
    monotone : mapping of column to -1, 0, 1
    interactions : lists of columns that may stand on one path of a tree
    levels : mapping of column to list of levels in code order, or {"ordered": [...]}
    early_stopping : int or EarlyStopping, optional
        Trees without improvement of the judging rows' deviance (or of another figure).
    threads : int, optional
        The model does not depend on it.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.

    Raises
    ------
    PayoffError
        For data that cannot be trained on, naming column and row.
    """
    table = rows_of(data_of(data), rows)
    spec = engine().registry.distribution(distribution)
    given = {
        "target": target, "weight": weight, "offset": offset, "group": group, "event": event,
        "entry": entry, "strata": strata, "upper": upper,
    }  # fmt: skip
    roles = {role: column for role, column in given.items() if column is not None}
    names = _feature_names(table, features, roles)
    cases, classes = _cases(table, spec, names, roles, levels or {}, train_fraction)
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
    try:
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
    except PayoffError as refusal:
        raise in_the_file(refusal, table, roles) from refusal
    return Model(replace(model, roles=roles), table, training_warnings(cases, spec))


def _feature_names(
    table: LoadedTable, features: Sequence[str] | None, roles: Mapping[str, str]
) -> list[str]:
    """The input columns: those named, or every column without a role."""
    if features is None:
        return [name for name in table.columns if name not in roles.values()]
    for name in features:
        if name in roles.values():
            role = next(role for role, column in roles.items() if column == name)
            raise PayoffError(
                f"The column '{name}' cannot be an input.",
                why=f"It is the {role} of this training.",
                remedy="Leave it out of features.",
            )
    return list(features)


def _cases(
    table: LoadedTable,
    spec: LossDistribution,
    names: Sequence[str],
    roles: Mapping[str, str],
    levels: Mapping[str, Any],
    train_fraction: float,
) -> tuple[Cases, tuple[str, ...]]:
    """The cases of a fit and the levels of the outcome in class order."""
    columns = tuple(input_column(table, name, levels.get(name)) for name in names)
    target = roles["target"]
    outcome, classes = _outcome(table, target, spec, levels.get(target))
    rows = int(train_fraction * table.rows) if 0.0 < train_fraction <= 1.0 else 0
    if rows:
        refuse_one_class(table, target, outcome[:rows], classes)
    numbers = {
        role: column_as_float(table, roles[role], role=role)
        for role in ("weight", "offset")
        if role in roles
    }
    extras = {
        role: role_values(table, role, roles[role])
        for role in ("event", "entry", "strata", "upper")
        if role in roles
    }
    cases = Cases(
        inputs=read_inputs(table, columns),
        outcome=outcome,
        weight=numbers.get("weight"),
        offset=numbers.get("offset"),
        group=whole_codes(table, roles["group"]) if "group" in roles else None,
        extras=extras,
        n_train=rows,
        n_classes=max(1, len(classes)),
    )
    return cases, classes


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
