"""From a request to train to cases in order: training rows first, then those that judge.

Refusals of boosting, said in the places of the user's file.

Whether a distribution can be fitted to an outcome, and why not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from core import boosting, data
from core.assembly.context import AssemblyContext
from core.assembly.models.input_columns import input_column, known_values, read_inputs
from core.assembly.models.loss_terms import (
    FIXED_MATRIX,
    ON_PAGE_UPLIFT,
    class_shares,
    consequences_of_rows,
    effect_columns,
    effect_outcome,
    reads_effect,
    reads_money,
)
from core.assembly.models.task import check_intervals
from core.assembly.models.trained import only_rows
from core.boosting import BoostSettings, MissingPolicy, Precision, TrainingCases
from core.boosting.checks import training_warnings
from core.data import LoadedTable, place_of
from core.document.model import Document, TargetSpec, TrainedModel, WeightKind
from payoff.class_order import are_numbers
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra, TargetDomain

_CASE = re.compile(r"(?:(?P<role>[a-z]+), )?row (?P<row>\d+)")


def in_the_file(
    refusal: PayoffError,
    table: LoadedTable,
    columns: Mapping[str, str],
    rows: IntArray | None = None,
) -> PayoffError:
    """The refusal with file, line, data row and column instead of the number of a case.

    Parameters
    ----------
    refusal : PayoffError
        ``where`` says "row 3", "event, row 3" (the third case, and the role at fault), a role
        alone, or anything else; without a role it is about the target.
    table : LoadedTable
    columns : mapping of role to column
    rows : int64 (n,), optional
        The row of each case in the table; left out: they are the same.
    """
    where = refusal.where or "target"
    case = _CASE.fullmatch(where)
    if case is not None:
        row = int(case["row"]) - 1
        column = columns.get(case["role"] or "target", columns["target"])
        where = place_of(table, row if rows is None else int(rows[row]), column)
    elif where in columns:
        where = f"{table.path}, column {columns[where]}"
    return PayoffError(refusal.what, where=where, why=refusal.why, remedy=refusal.remedy)


def refuse_one_class(
    table: LoadedTable, target: str, outcome: FloatArray, classes: tuple[str, ...]
) -> None:
    """Refuse training cases that are all of one class, by its name.

    Parameters
    ----------
    outcome : float64 (n,)
        Class numbers of the training cases.
    """
    if classes and len(outcome) and bool((outcome == outcome[0]).all()):
        raise PayoffError(
            f"The target '{target}' is always '{classes[int(outcome[0])]}' in the training rows.",
            where=f"{table.path}, column {target}",
            why="Training needs at least 2 classes and found 1.",
            remedy="Choose another target, or training rows that hold "
            + ("both." if len(classes) == 2 else "several of them."),
        )


TARGET_WORDS = {
    TargetDomain.REAL: "any number",
    TargetDomain.BINARY: "two classes, such as yes and no",
    TargetDomain.CLASSES: "two or more classes",
    TargetDomain.COUNTS: "a number of 0 or more",
    TargetDomain.POSITIVE: "a number above 0",
    TargetDomain.TIME_EVENT: "a time above 0, with a column that says whether the event was seen",
    TargetDomain.GRADES: "a grade of 0 or more, with a column that names the groups",
}
_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)
NEEDED = {Extra.EVENT: "event", Extra.GROUP: "group"}


def needs_of(spec: LossDistribution) -> tuple[str, ...]:
    """Further columns that must be named before a training."""
    needed = [extra for extra in spec.extras if extra not in spec.optional_extras]
    return tuple(NEEDED[extra] for extra in needed if extra in NEEDED)


def check_fit(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> None:
    """Refuse a distribution that does not fit an outcome, or a column that it needs and lacks."""
    reason = _reason_of_outcome(spec, target, table)
    if reason:
        raise PayoffError(
            f"{spec.label} does not fit the outcome '{target.column}'.",
            why=reason,
            remedy="Choose another distribution.",
        )
    for role in _missing_roles(spec, settings):
        raise PayoffError(
            f"{spec.label} needs a column for the role '{role}'.",
            why=ON_PAGE_UPLIFT if reads_effect(spec) else "",
            remedy=f"Name it; in scripts {role}=...",
        )


def reason_against(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> str:
    """Why a distribution cannot be fitted to a kind of target with these columns; "" if it can."""
    missing = _missing_roles(spec, settings)
    if reads_effect(spec) and missing:
        return ON_PAGE_UPLIFT
    reason = _reason_of_outcome(spec, target, table)
    if not reason and missing:
        return f"It needs a column for '{missing[0]}', and none is named."
    return reason


def _missing_roles(spec: LossDistribution, settings: TrainedModel) -> tuple[str, ...]:
    """Further columns that a training cannot do without, and that are not named."""
    if reads_effect(spec):
        return () if settings.effect_of else (Extra.TREATMENT.value,)
    return tuple(name for name in needs_of(spec) if getattr(settings, name) is None)


def _reason_of_outcome(spec: LossDistribution, target: TargetSpec, table: LoadedTable) -> str:
    if not reads_effect(spec):
        order = data.known_order(table, target) if target.levels else ()
        return reason_by_kind(spec, target, order)
    if len(target.levels) > 2:
        count = counted(len(target.levels), "class", "classes")
        return f"'{target.column}' has {count}: an effect needs two."
    return ""


def reason_by_kind(spec: LossDistribution, target: TargetSpec, order: tuple[str, ...]) -> str:
    wants = TARGET_WORDS[spec.target]
    if spec.target in _CLASS_DOMAINS:
        if not target.levels:
            return f"It fits {wants}; '{target.column}' is a number."
        if spec.has_ordered_classes and not order:
            return (
                f"It fits classes in a known order; those of '{target.column}' are no numbers. Say "
                "their order on page Data."
            )
        if spec.target == TargetDomain.BINARY and len(target.levels) != 2:
            return (
                f"It fits {wants}; '{target.column}' has "
                f"{counted(len(target.levels), 'class', 'classes')}."
            )
        return ""
    if target.levels:
        few = target.levels if len(target.levels) < 7 else (*target.levels[:5], "...")
        reason = f"It fits {wants}; '{target.column}' has the classes {', '.join(few)}."
        if spec.target == TargetDomain.TIME_EVENT:  # that something happened is no time
            reason += " Name the column of the times in step Target."
        elif are_numbers(target.levels):
            reason += " Take it as a number in step Target."
        return reason
    return ""


Word = TypeVar("Word", bound=StrEnum)
_ROLES = ("target", "weight", "offset", "group", "event", "entry", "strata", "upper", "propensity")
_EXTRAS = ("event", "entry", "strata", "upper")


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
    cases: TrainingCases
    classes: tuple[str, ...]
    rows: IntArray
    warnings: tuple[str, ...]

    @property
    def judging_rows(self) -> IntArray:
        """Rows that judge the training."""
        return self.rows[self.cases.train_rows :]

    @property
    def class_shares(self) -> tuple[tuple[str, float], ...]:
        """Weighted share of each level among the training rows; empty for an interval target."""
        target = self.document.target
        if target is None or not target.levels or not self.classes:
            return ()
        return tuple(zip(target.levels, training_shares(self).tolist(), strict=True))

    def in_order_of_levels(self, values: FloatArray) -> FloatArray:
        """Values (classes, ...) in the order of the target's levels."""
        target = self.document.target
        assert target is not None  # by ``plan_training``
        return values[[self.classes.index(level) for level in target.levels]]

    def in_the_file(self, refusal: PayoffError) -> PayoffError:
        """A refusal of boosting with file, line and column in place of the number of a case."""
        return in_the_file(refusal, self.table, columns_by_role(self.settings), self.rows)


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
    check_fit(spec, target, settings, table)
    parameters = resolve_parameters(spec.parameters, dict(settings.distribution_params))
    boost = _boost_settings(settings)
    train, judge = _rows(table, document, settings)
    rows = np.concatenate([train, judge])
    context.progress(None, "Reading the inputs")
    cases, classes = cases_of_training(table, target, spec, settings, rows, len(train))
    cases = replace(cases, counts_cases=_counts_cases(document, settings))
    if reads_effect(spec):
        arms = effect_columns(table, document, settings, rows, len(train), context, cases.weight)
        cases = replace(cases, extras={**cases.extras, **arms})
    if reads_money(spec):
        cases = _with_money(cases, table, document, rows, classes, context)
    follows_money = reads_money(spec) or settings.watch == "profit"
    settled = replace(
        settings,
        matrix=document.matrix if follows_money else None,
        priors=document.priors if follows_money or settings.watch != "deviance" else None,
        data_hash=table.rows_hash,
        split=document.settled_split,
        trained_rows=len(train),
        stopped_rows=len(judge),
    )
    plan = TrainingPlan(
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
    _check(plan)
    return plan


def _counts_cases(document: Document, settings: TrainedModel) -> bool:
    """Whether whole weights say how often a case was seen, as they do where nobody says more."""
    role = document.role_of(settings.weight) if settings.weight is not None else None
    return role is None or role.weight_kind is not WeightKind.SAMPLING


def columns_by_role(settings: TrainedModel) -> dict[str, str]:
    """The columns that a training reads beside its inputs, by role."""
    named = {role: getattr(settings, role) for role in _ROLES}
    named["treatment"] = settings.effect_of[0] if settings.effect_of else None
    return {role: column for role, column in named.items() if column is not None}


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
    roles = {column: role for role, column in columns_by_role(settings).items()}
    for feature in settings.features:
        table.require_column(feature)
        if feature in roles:
            raise PayoffError(
                f"The column '{feature}' cannot be an input.",
                why=f"It is the {roles[feature]} of this training.",
                remedy="Leave it out of the inputs.",
            )


def _boost_settings(settings: TrainedModel) -> BoostSettings:
    inputs = settings.features
    signs = {_place_of(name, inputs): sign for name, sign in settings.monotone}
    is_group_bagged = settings.group is not None
    if settings.bag_groups is not None:
        is_group_bagged = settings.bag_groups
    return BoostSettings(
        n_trees=settings.n_trees,
        interaction_depth=settings.interaction_depth,
        max_depth=settings.max_depth,
        shrinkage=settings.shrinkage,
        min_cases_in_node=settings.min_cases_in_node,
        bag_fraction=settings.bag_fraction,
        column_fraction=settings.column_fraction,
        l2=settings.l2,
        level_penalty=settings.level_penalty,
        missing=_choice(MissingPolicy, "missing", settings.missing),
        max_bins=settings.max_bins,
        monotone=tuple(signs.get(place, 0) for place in range(len(inputs))) if signs else (),
        interactions=tuple(
            tuple(_place_of(name, inputs) for name in names) for names in settings.interactions
        ),
        precision=_choice(Precision, "precision", settings.precision),
        gbm_compatible=settings.gbm_compatible,
        is_group_bagged=is_group_bagged,
        seed=settings.seed,
    )


def _choice(kind: type[Word], name: str, value: str) -> Word:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(item.value for item in kind)
        raise PayoffError(f"{name} is '{value}'.", why=f"There are: {known}.") from None


def _place_of(name: str, inputs: Sequence[str]) -> int:
    if name not in inputs:
        raise PayoffError(
            f"'{name}' is no input column.", remedy=f"Input columns are: {', '.join(inputs)}."
        )
    return inputs.index(name)


def _rows(
    table: LoadedTable, document: Document, settings: TrainedModel
) -> tuple[IntArray, IntArray]:
    """Rows that train and rows that judge; a row that does both only trains."""
    train, judge = data.checked_rows(table, document, settings.train_rows, settings.stop_rows)
    train = only_rows(table, settings, train)
    if len(train) == 0:
        raise PayoffError(
            "There are no training rows.",
            where=table.path,
            why="Every row with a known outcome is for validation or test.",
            remedy="Give training rows a share on page Data, for example 50 %.",
        )
    judge = only_rows(table, settings, judge)
    return train, np.setdiff1d(judge, train, assume_unique=True)


def cases_of_training(
    table: LoadedTable,
    target: TargetSpec,
    spec: LossDistribution,
    settings: TrainedModel,
    rows: IntArray,
    n_train: int,
) -> tuple[TrainingCases, tuple[str, ...]]:
    """Return some rows as cases of a training, and the levels of the outcome in class order."""
    reported = {entry.column: entry for entry in settings.levels}
    columns = tuple(input_column(table, name, reported.get(name)) for name in settings.features)
    inputs = read_inputs(table, columns)
    if not _is_every_row(rows, table.rows):
        inputs = inputs.take(rows)
    outcome, classes = _outcome(table, target, spec, settings, rows)
    extras = {}
    for role in _EXTRAS:
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
    cases = TrainingCases(
        inputs=inputs,
        outcome=outcome,
        weight=weight,
        offset=offset,
        group=group,
        extras=extras,
        n_train=n_train,
        n_classes=max(1, len(classes)),
    )
    return cases, classes


def _is_every_row(rows: IntArray, count: int) -> bool:
    """Whether rows are all there are, in their order: nothing needs to be copied then."""
    return len(rows) == count and bool((rows[1:] > rows[:-1]).all())


def _with_money(
    cases: TrainingCases,
    table: LoadedTable,
    document: Document,
    rows: IntArray,
    classes: tuple[str, ...],
    context: AssemblyContext,
) -> TrainingCases:
    """The cases with what every decision brings them."""
    m = cases.train_rows
    weight = None if cases.weight is None else cases.weight[:m]
    shares = class_shares(cases.outcome[:m], weight, len(classes))
    brings = consequences_of_rows(table, document, rows, classes, shares, context)
    return replace(cases, extras={**cases.extras, Extra.CONSEQUENCES.value: brings})


def _outcome(
    table: LoadedTable,
    target: TargetSpec,
    spec: LossDistribution,
    settings: TrainedModel,
    rows: IntArray,
) -> tuple[FloatArray, tuple[str, ...]]:
    """The outcome as boosting takes it, and its levels in class order."""
    if reads_effect(spec):
        return effect_outcome(table, target, rows), ()
    if not target.levels:
        return data.column_as_float(table, target.column, role="target")[rows], ()
    classes = _class_order(table, target, spec, settings)
    places = np.array([float(classes.index(level)) for level in target.levels])
    return places[data.outcome_codes(table, target)[0][rows]], classes


def _class_order(
    table: LoadedTable, target: TargetSpec, spec: LossDistribution, settings: TrainedModel
) -> tuple[str, ...]:
    """The levels of the outcome as the model numbers them: as told; of two the event is second.

    Raises
    ------
    PayoffError
        If an order was told that does not name each once.
    """
    for reported in settings.levels:
        if reported.column == target.column:
            return data.known_order(table, replace(target, order=reported.levels))
    if spec.has_ordered_classes:
        return data.known_order(table, target)
    if spec.target == TargetDomain.BINARY:
        return target.levels[1], target.levels[0]
    return target.levels


def _check(plan: TrainingPlan) -> None:
    """Refuse what cannot be fitted, said in the places of the file."""
    cases = plan.cases
    trained = cases.outcome[: cases.train_rows]
    try:
        refuse_one_class(plan.table, plan.settings.target, trained, plan.classes)
        boosting.check_cases(cases, plan.spec, plan.parameters)
    except PayoffError as refusal:
        raise plan.in_the_file(refusal) from refusal
    if "entry" in cases.extras:
        entry = cases.extras["entry"]
        check_intervals(plan.table, plan.document, plan.rows, cases.outcome, entry)


def _warnings(
    spec: LossDistribution, cases: TrainingCases, settings: TrainedModel
) -> tuple[str, ...]:
    warnings = list(training_warnings(cases, spec))
    if reads_money(spec):
        warnings.append(FIXED_MATRIX)
    rows = cases.train_rows
    is_shrunk = settings.level_penalty > 0.0 and not settings.gbm_compatible
    for column, codes in zip(cases.inputs.columns, cases.inputs.arrays, strict=True):
        if column.is_nominal:
            known = int((codes[:rows] >= 0.0).sum())
            words = data.sparse_levels_words(column.name, len(column.levels), known, is_shrunk)
            warnings.extend([words] if words else [])
    if cases.group is not None:
        split = np.intersect1d(cases.group[:rows], cases.group[rows:])
        if len(split):
            warnings.append(
                f"{counted(len(split), 'group')} of '{settings.group}' have rows that train "
                "and rows that "
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
    return plan.in_order_of_levels(class_shares(cases.outcome[:rows], weight, cases.n_classes))
