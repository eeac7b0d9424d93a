"""``payoff.boost`` and ``payoff.load_model``: boosted trees for scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core import boosting
from core.boosting import EarlyStopping
from core.kernels import limited_threads
from core.kernels import threads as present_threads
from core.script.boost.document import plan_boost
from core.script.boost.model import Model
from core.script.boost.request import BoostRequest
from core.script.requests import called_with_fields_of
from core.script.session import engine
from payoff.errors import PayoffError


def load_model(path: str | Path) -> Model:
    """Read a model file that ``save`` wrote."""
    return Model(boosting.read_model(path, engine().registry.distribution))


@called_with_fields_of(BoostRequest)
def boost(request: BoostRequest) -> Model:
    """Train gradient boosted trees.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    train_fraction : float
        The first rows of the data, as many as this share, train; the others only judge.
    target, distribution, distribution_params
        The outcome (coxph: the time), and what it follows: "gaussian", "bernoulli", ...
    features : list of str, optional
        Input columns; left out: every column without another role.
    n_trees, interaction_depth, max_depth, shrinkage
        Number of trees, splits of each, its deepest split (0 = any), factor on every leaf.
    min_cases_in_node, l2
        Fewest cases on either side of a split; added to the divisor of a leaf's value.
    level_penalty : float
        Means of levels are shrunk by their counts: 1 = by the noise that is found, 0 = not at all.
    bag_fraction, column_fraction
        Shares of the training rows and of the input columns that each tree is given.
    cv_folds : int
        Folds that judge each number of trees; 0 = none.
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
    missing : {"learned_side", "third_child"}
        Where a case without a value goes at a split: to the side that fits better, or to a branch
        of its own.
    max_bins : int
        Distinct values of a column that splits tell apart.
    bag_groups : bool, optional
        Draw whole groups in place of rows; left out: where ``group`` is named.
    precision : {"auto", "exact", "histogram"}
        Splits from every value, or from bins and rounded sums; auto is exact up to 150,000 cells
        (rows times columns).
    gbm_compatible : bool
        The arithmetic of R's gbm: exact splits, a third branch for missing values, its ties.
    early_stopping : int or EarlyStopping, optional
        Trees without improvement of the judging rows' deviance (or of another figure).
    seed : int
        Of the draws of rows and columns; the same seed gives the same model.
    threads : int, optional
        The model does not depend on it.
    callbacks : Callbacks, optional
        Functions told of the progress, which may stop the training and keep its trees.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.

    Returns
    -------
    Model

    Raises
    ------
    PayoffError
        For data that cannot be trained on, naming column and row.
    """
    return _trained(request)


def _trained(request: BoostRequest) -> Model:
    """Plan the training as page Models does, and grow the trees."""
    planned = plan_boost(request)
    plan = planned.plan
    try:
        with limited_threads(present_threads() if request.threads is None else request.threads):
            model = boosting.fit_checked(
                plan.cases,
                plan.spec,
                plan.parameters,
                plan.boost,
                classes=plan.classes,
                cv_folds=request.cv_folds,
                early_stopping=_stopping(request.early_stopping),
                callbacks=request.callbacks,
            )
    except PayoffError as refusal:
        raise plan.in_the_file(refusal) from refusal
    boosted = replace(model, roles=request.roles)
    return Model(boosted, plan.table, planned.warnings, training=planned.training)


def _stopping(requested: int | EarlyStopping | None) -> EarlyStopping | None:
    return EarlyStopping(patience=requested) if isinstance(requested, int) else requested
