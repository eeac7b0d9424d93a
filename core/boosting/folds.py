"""Fitting a model, with cross-validation where asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.boosting.checks import check_cases
from core.boosting.growing.sampling import STREAM_FOLDS, generator
from core.boosting.inputs import TrainingCases
from core.boosting.model import BoostedModel, CrossValidation, model_of
from core.boosting.settings import BoostSettings
from core.boosting.stopping import EarlyStopping
from core.boosting.training import Callbacks, Trainer
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import IntArray
from payoff.vocabulary import TargetDomain

_SMALLEST = ("case in the smallest class", "cases in the smallest class")


def fit(
    cases: TrainingCases,
    distribution: LossDistribution,
    parameters: Mapping[str, object],
    settings: BoostSettings,
    *,
    classes: tuple[str, ...] = (),
    cv_folds: int = 0,
    early_stopping: EarlyStopping | None = None,
    callbacks: Callbacks | None = None,
) -> BoostedModel:
    """Train a model.

    Parameters
    ----------
    cases : TrainingCases
    distribution : LossDistribution
    parameters : mapping
    settings : BoostSettings
    classes : tuple of str
        Printed forms of the outcome's levels.
    cv_folds : int
        0 or 1 = no cross-validation. Folds are drawn by class for outcomes of classes, by group
        where there are groups.
    early_stopping : EarlyStopping, optional
        Judges the cases that do not train; the model keeps the best number of trees.
    callbacks : Callbacks, optional

    Raises
    ------
    PayoffError
        If the cases do not suit, naming column and row.
    """
    check_cases(cases, distribution, resolve_parameters(distribution.parameters, parameters))
    return fit_checked(
        cases,
        distribution,
        parameters,
        settings,
        classes=classes,
        cv_folds=cv_folds,
        early_stopping=early_stopping,
        callbacks=callbacks,
    )


def fit_checked(
    cases: TrainingCases,
    distribution: LossDistribution,
    parameters: Mapping[str, object],
    settings: BoostSettings,
    *,
    classes: tuple[str, ...] = (),
    cv_folds: int = 0,
    early_stopping: EarlyStopping | None = None,
    callbacks: Callbacks | None = None,
) -> BoostedModel:
    """``fit`` for cases that were checked already, as those of a training plan are."""
    trainer = Trainer(cases, distribution, parameters, settings)
    calls = callbacks or Callbacks()
    if early_stopping is not None:
        if cases.train_rows == cases.n_rows:
            raise PayoffError(
                "There are no rows to stop by.",
                why="All rows train the model.",
                remedy="Train with train_fraction below 1.",
            )
        if early_stopping.figure is None:
            early_stopping = replace(early_stopping, figure=lambda _: trainer.valid_deviance[-1])
        calls = replace(calls, judge=early_stopping)
    crossed = None
    if cv_folds > 1:
        crossed = cross_validate(cases, distribution, parameters, settings, cv_folds)
    trainer.run(settings.n_trees, calls)
    model = replace(model_of(trainer, classes), cross_validation=crossed)
    if early_stopping is not None and 0 < early_stopping.best_trees < model.n_trees:
        return model.first_trees(early_stopping.best_trees, "early stopping")
    return model


def fold_numbers(cases: TrainingCases, folds: int, seed: int, domain: TargetDomain) -> IntArray:
    """The fold of each training case: by class, whole groups together, else at random.

    Raises
    ------
    PayoffError
        If the smallest class, or the groups, are fewer than the folds.
    """
    rows = cases.train_rows
    source = generator(seed, STREAM_FOLDS, 0)
    if cases.group is not None:
        groups, number = np.unique(cases.group[:rows], return_inverse=True)
        _check_enough(groups.shape[0], folds, "group", "groups")
        drawn = source.permutation(np.arange(groups.shape[0]) % folds)
        by_group: IntArray = drawn[number]
        return by_group
    if domain not in (TargetDomain.BINARY, TargetDomain.CLASSES):
        _check_enough(rows, folds, "training row", "training rows")
        return source.permutation(np.arange(rows) % folds)
    fold = np.empty(rows, dtype=np.int64)
    shift = 0
    for level in np.unique(cases.outcome[:rows]):
        members = np.flatnonzero(cases.outcome[:rows] == level)
        _check_enough(members.shape[0], folds, *_SMALLEST)
        fold[members] = source.permutation((np.arange(members.shape[0]) + shift) % folds)
        shift += members.shape[0]
    return fold


def _check_enough(count: int, folds: int, one: str, many: str) -> None:
    if count < folds:
        raise PayoffError(
            f"There are too few {many} for {counted(folds, 'fold')}.",
            where=counted(count, one, many),
            remedy="Ask for fewer folds.",
        )


def cross_validate(
    cases: TrainingCases,
    distribution: LossDistribution,
    parameters: Mapping[str, object],
    settings: BoostSettings,
    folds: int,
    callbacks: Callbacks | None = None,
) -> CrossValidation:
    """Fit once per fold on the other folds; deviance per iteration, and scores out of fold.

    ``callbacks`` may watch the folds' training; to end it they must raise.
    """
    rows = cases.train_rows
    fold = fold_numbers(cases, folds, settings.seed, distribution.target)
    deviance = np.zeros(settings.n_trees)
    models = []
    for number in range(folds):
        inside = np.flatnonzero(fold != number)
        outside = np.flatnonzero(fold == number)
        order = np.concatenate([inside, outside])
        trainer = Trainer(cases.take(order, inside.shape[0]), distribution, parameters, settings)
        trainer.run(settings.n_trees, callbacks)
        deviance += trainer.history.valid_deviance * (outside.shape[0] / rows)
        models.append((outside, model_of(trainer)))
    best = int(np.nanargmin(deviance)) + 1
    link = np.empty((models[0][1].n_scores, rows))
    for outside, model in models:
        link[:, outside] = model.link(cases.inputs.take(outside), best)
    return CrossValidation(deviance, fold, link)
