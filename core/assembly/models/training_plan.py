"""From a request to train to cases in order: training rows first, then those that judge."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import boosting, data
from core.assembly.context import AssemblyContext
from core.assembly.models.effect_training import effect_columns, effect_outcome, reads_effect
from core.assembly.models.fitting import reason_against
from core.assembly.models.input_columns import input_column, known_values, read_inputs
from core.assembly.models.money_training import (
    FIXED_MATRIX,
    consequences_of_rows,
    reads_money,
    shares_of,
)
from core.assembly.models.refusals import in_the_file, refuse_one_class
from core.assembly.models.survival_checks import check_intervals
from core.assembly.models.trained import only_rows, settled_split
from core.boosting import BoostSettings, Cases, MissingPolicy
from core.boosting.checks import training_warnings
from core.data import LoadedTable
from core.document.model import Document, TargetSpec, TrainedModel
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra, TargetDomain


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingPlan:
    """Everything a training needs.

    Attributes
    ----------
    settings : TrainedModel
        As asked for, with data, split and numbers of rows filled in.
    classes : tuple of str
        Levels in class order; of two the event is the second.
    rows : (n,) int64
        Row numbers in the table: ``cases.n_train`` that train, then those that judge.
    """

    table: LoadedTable
    document: Document
    settings: TrainedModel
    spec: LossDistribution
    parameters: dict[str, float]
    boost: BoostSettings
    cases: Cases
    classes: tuple[str, ...]
    rows: IntArray
    warnings: tuple[str, ...]

    @property
    def judging_rows(self) -> IntArray:
        """Rows that judge the training."""
        return self.rows[self.cases.train_rows :]


def plan_training(
    table: LoadedTable, document: Document, settings: TrainedModel, context: AssemblyContext
) -> TrainingPlan:
    """Read and check everything before the first tree.

    Raises
    ------
    PayoffError
        Naming column and row of what cannot be trained on.
    """
    target = document.target
    if target is None or target.column != settings.target:
        raise PayoffError(
            f"'{settings.target}' is not the outcome of the project.",
            remedy="Name the outcome on page Data, then train.",
        )
    _check_names(table, document, settings)
    spec = context.registry.distribution(settings.distribution)
    reason = reason_against(spec, target, settings, table)
    if reason:
        raise PayoffError(
            f"{spec.label} does not fit the outcome '{target.column}'.",
            why=reason,
            remedy="Choose another distribution.",
        )
    parameters = resolve_parameters(spec.parameters, dict(settings.distribution_params))
    boost = _boost_settings(settings)
    train, judge = _rows(table, document, settings)
    rows = np.concatenate([train, judge])
    context.progress(None, "Reading the inputs")
    cases, classes = _cases(table, target, spec, settings, rows, len(train))
    if reads_effect(spec):
        arms = effect_columns(table, document, settings, rows, len(train), context, cases.weight)
        cases = replace(cases, extras={**cases.extras, **arms})
    if reads_money(spec):
        cases = _with_money(cases, table, document, rows, classes, context)
    _check(table, spec, parameters, settings, cases, classes, rows)
    if "entry" in cases.extras:
        check_intervals(table, document, rows, cases.outcome, cases.extras["entry"])
    follows_money = reads_money(spec) or settings.watch == "profit"
    settled = replace(
        settings,
        matrix=document.matrix if follows_money else None,
        priors=document.priors if follows_money or settings.watch != "deviance" else None,
        data_hash=table.rows_hash,
        split=settled_split(document),
        trained_rows=len(train),
        stopped_rows=len(judge),
    )
    return TrainingPlan(
        table=table,
        document=document,
        settings=settled,
        spec=spec,
        parameters=parameters,
        boost=boost,
        cases=cases,
        classes=classes,
        rows=rows,
        warnings=_warnings(spec, cases, settings),
    )


def _check_names(table: LoadedTable, document: Document, settings: TrainedModel) -> None:
    if not settings.name.strip():
        raise PayoffError("The model needs a name.")
    present = document.model(settings.name)
    if present is not None and present.trained is None:
        raise PayoffError(
            f"There is a model called '{settings.name}' in the data already.",
            remedy="Give the trained model another name.",
        )
    if not settings.features:
        raise PayoffError("No input is chosen.", remedy="Choose at least one column.")
    named = (
        *(settings.target, settings.weight, settings.offset, settings.group),
        *(settings.event, settings.entry, settings.strata, settings.propensity),
        settings.effect_of[0] if settings.effect_of else None,
    )
    for feature in settings.features:
        table.require_column(feature)
        if feature in named:
            raise PayoffError(
                f"The column '{feature}' cannot be an input.",
                why="It is the outcome itself, or has another part in the training.",
                remedy="Leave it out of the inputs.",
            )


def _boost_settings(settings: TrainedModel) -> BoostSettings:
    try:
        missing = MissingPolicy(settings.missing)
    except ValueError:
        known = ", ".join(policy.value for policy in MissingPolicy)
        raise PayoffError(
            f"There is no way '{settings.missing}' to treat missing values.",
            why=f"There are: {known}.",
        ) from None
    signs = dict(settings.monotone)
    strange = [name for name in signs if name not in settings.features]
    if strange:
        raise PayoffError(f"'{strange[0]}' has a direction but is no input.")
    return BoostSettings(
        n_trees=settings.n_trees,
        interaction_depth=settings.interaction_depth,
        shrinkage=settings.shrinkage,
        min_cases_in_node=settings.min_cases_in_node,
        bag_fraction=settings.bag_fraction,
        l2=settings.l2,
        missing=missing,
        max_bins=settings.max_bins,
        monotone=tuple(signs.get(name, 0) for name in settings.features) if signs else (),
        is_group_bagged=settings.group is not None,
        seed=settings.seed,
    )


def _rows(
    table: LoadedTable, document: Document, settings: TrainedModel
) -> tuple[IntArray, IntArray]:
    """Rows that train and rows that judge; a row that does both only trains."""
    data.check_outcome(table, document)
    train = only_rows(table, settings, data.rows_with_use(table, document, settings.train_rows))
    if len(train) == 0:
        raise PayoffError(
            "There are no training rows.",
            where=table.path,
            why="Every row with a known outcome is for validation or test.",
            remedy="Give training rows a share on page Data, for example 50 %.",
        )
    judge = only_rows(table, settings, data.rows_with_use(table, document, settings.stop_rows))
    return train, np.setdiff1d(judge, train)


def _cases(
    table: LoadedTable,
    target: TargetSpec,
    spec: LossDistribution,
    settings: TrainedModel,
    rows: IntArray,
    n_train: int,
) -> tuple[Cases, tuple[str, ...]]:
    columns = tuple(input_column(table, name) for name in settings.features)
    outcome, classes = _outcome(table, target, spec, rows)
    extras = {}
    for role in ("event", "entry", "strata"):
        name = getattr(settings, role)
        if name is not None and Extra(role) in spec.extras:
            extras[role] = known_values(table, role, name, rows)
    group = None
    if settings.group is not None:
        group = known_values(table, "group", settings.group, rows).astype(np.int64)
    weight = offset = None
    if settings.weight is not None:
        weight = known_values(table, "weight", settings.weight, rows)
    if settings.offset is not None:
        offset = known_values(table, "offset", settings.offset, rows)
    cases = Cases(
        inputs=read_inputs(table, columns).take(rows),
        outcome=outcome,
        weight=weight,
        offset=offset,
        group=group,
        extras=extras,
        n_train=n_train,
        n_classes=max(1, len(classes)),
    )
    return cases, classes


def _with_money(
    cases: Cases,
    table: LoadedTable,
    document: Document,
    rows: IntArray,
    classes: tuple[str, ...],
    context: AssemblyContext,
) -> Cases:
    """The cases with what every decision brings them."""
    m = cases.train_rows
    weight = None if cases.weight is None else cases.weight[:m]
    shares = shares_of(cases.outcome[:m], weight, len(classes))
    brings = consequences_of_rows(table, document, rows, classes, shares, context)
    return replace(cases, extras={**cases.extras, Extra.CONSEQUENCES.value: brings})


def _outcome(
    table: LoadedTable, target: TargetSpec, spec: LossDistribution, rows: IntArray
) -> tuple[FloatArray, tuple[str, ...]]:
    """The outcome as boosting takes it, and its levels in class order."""
    if reads_effect(spec):
        return effect_outcome(table, target, rows), ()
    if not target.levels:
        return data.column_as_float(table, target.column, role="target")[rows], ()
    codes = data.outcome_codes(table, target)[0][rows].astype(np.float64)
    if spec.has_ordered_classes:
        order = data.known_order(table, target)
        places = np.array([order.index(level) for level in target.levels], dtype=np.float64)
        return places[codes.astype(np.int64)], order
    if spec.target == TargetDomain.BINARY:
        return 1.0 - codes, (target.levels[1], target.levels[0])
    return codes, target.levels


def _check(
    table: LoadedTable,
    spec: LossDistribution,
    parameters: dict[str, float],
    settings: TrainedModel,
    cases: Cases,
    classes: tuple[str, ...],
    rows: IntArray,
) -> None:
    """Refuse what cannot be fitted, said in the places of the file."""
    named = {
        "target": settings.target,
        "weight": settings.weight,
        "offset": settings.offset,
        "event": settings.event,
        "entry": settings.entry,
        "strata": settings.strata,
        "group": settings.group,
        "propensity": settings.propensity,
        "treatment": settings.effect_of[0] if settings.effect_of else None,
    }
    try:
        check_target(spec, cases.outcome)
        refuse_one_class(table, settings.target, cases.outcome[: cases.train_rows], classes)
        boosting.check_cases(cases, spec, parameters)
    except PayoffError as refusal:
        columns = {role: column for role, column in named.items() if column is not None}
        raise in_the_file(refusal, table, columns, rows) from refusal


def _warnings(spec: LossDistribution, cases: Cases, settings: TrainedModel) -> tuple[str, ...]:
    warnings = list(training_warnings(cases, spec))
    if reads_money(spec):
        warnings.append(FIXED_MATRIX)
    rows = cases.train_rows
    if cases.group is not None:
        split = np.intersect1d(cases.group[:rows], cases.group[rows:])
        if len(split):
            warnings.append(
                f"{len(split):,} groups of '{settings.group}' have rows that train and rows that "
                "judge: each list is then learned from and judged by a part. Split by group."
            )
    if cases.n_rows == rows and settings.stop_rows and settings.cv_folds < 2:
        warnings.append(
            "No rows judge the training: every tree that is grown is used, nothing chooses among "
            "them."
        )
    return tuple(warnings)


def training_shares(plan: TrainingPlan) -> FloatArray:
    """Weighted class shares of the training rows, in the order of the target's levels."""
    rows, cases = plan.cases.train_rows, plan.cases
    weight = None if cases.weight is None else cases.weight[:rows]
    shares = shares_of(cases.outcome[:rows], weight, cases.n_classes)
    # Of two classes 1 is the event, which stands first.
    return shares[::-1] if plan.spec.target == TargetDomain.BINARY else shares
