"""``payoff.boost`` and ``payoff.load_model``: boosted trees for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from core import boosting
from core.boosting import BoostSettings, Callbacks, EarlyStopping, MissingPolicy, Precision
from core.boosting.checks import training_warnings
from core.engine.jobs.models.refusals import in_the_file
from core.kernels import limited_threads
from core.kernels import threads as present_threads
from core.script.boosting_cases import cases_of, feature_names
from core.script.boosting_money import DecisionTerms
from core.script.model import Model
from core.script.session import ScriptData, data_of, engine, rows_of
from payoff.errors import PayoffError

Word = TypeVar("Word", bound=StrEnum)


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
    treatment: str | None = None,
    propensity: str | None = None,
    decision: DecisionTerms | None = None,
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
    weight, offset, group, event, entry, strata, upper, treatment, propensity : str, optional
        Columns with a role: coxph reads event, entry, strata; pairwise group; aft event and upper,
        the latest time at which the event may have happened (0 = at the time); uplift treatment,
        1 = treated, and propensity, its chance (left out: the share treated).
    decision : mapping, optional
        For losses in money: ``matrix``, ``kind``, ``decisions``, ``costs``, ``amount``, ``priors``
        as ``payoff.decide`` takes them.
    monotone, interactions, levels
        Column to -1, 0, 1; lists of columns that may stand on one path of a tree; column to list
        of levels in code order, or {"ordered": [...]}.
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
    roles = _named(
        target=target,
        weight=weight,
        offset=offset,
        group=group,
        event=event,
        entry=entry,
        strata=strata,
        upper=upper,
        treatment=treatment,
        propensity=propensity,
    )
    names = feature_names(table, features, roles)
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
        precision=_choice(Precision, "precision", precision),
        gbm_compatible=gbm_compatible,
        is_group_bagged=group is not None if bag_groups is None else bag_groups,
        seed=seed,
    )
    try:
        cases, classes = cases_of(table, spec, names, roles, levels or {}, train_fraction, decision)
        with limited_threads(present_threads() if threads is None else threads):
            model = boosting.fit(
                cases,
                spec,
                distribution_params or {},
                settings,
                classes=classes,
                cv_folds=cv_folds,
                early_stopping=_stopping(early_stopping),
                callbacks=callbacks,
            )
    except PayoffError as refusal:
        raise in_the_file(refusal, table, roles) from refusal
    return Model(replace(model, roles=roles), table, training_warnings(cases, spec))


def _named(**columns: str | None) -> dict[str, str]:
    """The columns that were named, by role."""
    return {role: column for role, column in columns.items() if column is not None}


def _stopping(asked: int | EarlyStopping | None) -> EarlyStopping | None:
    return EarlyStopping(patience=asked) if isinstance(asked, int) else asked


def _choice(kind: type[Word], name: str, value: str) -> Word:
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
