"""The job behind the choices of page Models: distributions, inputs, rows, figures to watch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core import data
from core.data import LoadedTable
from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment, TargetSpec, TrainedModel
from core.document.training_results import (
    DistributionInfo,
    DistributionParameter,
    DistributionsResult,
    InputInfo,
)
from core.engine.context import JobContext
from core.engine.jobs.data.tables import table_of
from core.engine.jobs.models.effect_training import ON_PAGE_UPLIFT, reads_effect
from core.engine.jobs.models.input_columns import MOST_LEVELS
from core.engine.jobs.models.loss_lines import loss_lines
from core.engine.jobs.models.money_training import NEEDS_MATRIX, reads_money
from core.engine.jobs.task import inputs_served, task_of_domain
from core.engine.messages import DistributionsArguments
from core.extensions import Registry
from payoff.class_order import are_numbers
from payoff.errors import PayoffError
from payoff.parameters import Parameter
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.types import FloatArray
from payoff.vocabulary import Direction, Extra, ParameterKind, TargetDomain, Task

_TARGET_WORDS = {
    TargetDomain.REAL: "any number",
    TargetDomain.BINARY: "two classes, such as yes and no",
    TargetDomain.CLASSES: "two or more classes",
    TargetDomain.COUNTS: "a number of 0 or more",
    TargetDomain.POSITIVE: "a number above 0",
    TargetDomain.TIME_EVENT: "a time above 0, with a column that says whether the event was seen",
    TargetDomain.GRADES: "a grade of 0 or more, with a column that names the groups",
}
_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)
_USUAL = {"binary": "bernoulli", "multiclass": "multinomial", "interval": "gaussian"}
_NEEDED = {Extra.EVENT: "event", Extra.GROUP: "group"}
_USED = {Extra.ENTRY: "entry", Extra.STRATA: "strata"}
_USES = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.TO_DECIDE)


def list_distributions(
    arguments: DistributionsArguments, context: JobContext
) -> DistributionsResult:
    """Every distribution with whether it fits, every column as an input, rows by use."""
    document = arguments.document
    target = document.target
    if target is None:
        raise PayoffError(
            "No column is named as the outcome.", remedy="Choose the target on page Data."
        )
    table = table_of(document, context)
    registry = context.workbench.registry
    outcome = None
    if not target.levels:
        values = data.column_as_float(table, target.column, role="target")
        outcome = values[~np.isnan(values)]
    order = data.known_order(table, target) if target.levels else ()
    return DistributionsResult(
        target=target.column,
        distributions=tuple(
            replace(
                _info(spec, target, outcome, order, document.matrix is not None),
                watches=_watches(document, target, spec, registry),
            )
            for spec in registry.distributions()
        ),
        inputs=tuple(_input(table, document, column) for column in table.summary.columns),
        rows=_rows(table, document),
    )


def needs_of(spec: LossDistribution) -> tuple[str, ...]:
    """Further columns that must be named before a training."""
    needed = [extra for extra in spec.extras if extra not in spec.optional_extras]
    return tuple(_NEEDED[extra] for extra in needed if extra in _NEEDED)


def reason_against(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> str:
    """Why a distribution cannot be fitted to a kind of target with these columns; "" if it can."""
    if reads_effect(spec):
        many = len(target.levels) > 2
        reason = f"'{target.column}' has {len(target.levels)} classes: an effect needs two."
        return reason if many else "" if settings.effect_of else ON_PAGE_UPLIFT
    order = data.known_order(table, target) if target.levels else ()
    reason = _reason_by_kind(spec, target, order)
    if reason:
        return reason
    for name in needs_of(spec):
        if getattr(settings, name) is None:
            return f"It needs a column for '{name}', and none is named."
    return ""


def _reason_by_kind(spec: LossDistribution, target: TargetSpec, order: tuple[str, ...]) -> str:
    wants = _TARGET_WORDS[spec.target]
    if spec.target in _CLASS_DOMAINS:
        if not target.levels:
            return f"It fits {wants}; '{target.column}' is a number."
        if spec.has_ordered_classes and not order:
            return (
                f"It fits classes in a known order; those of '{target.column}' are no numbers. Say "
                "their order on page Data."
            )
        if spec.target == TargetDomain.BINARY and len(target.levels) != 2:
            return f"It fits {wants}; '{target.column}' has {len(target.levels)} classes."
        return ""
    if target.levels:
        few = target.levels if len(target.levels) < 7 else (*target.levels[:5], "...")
        reason = f"It fits {wants}; '{target.column}' has the classes {', '.join(few)}."
        if are_numbers(target.levels):
            reason += " Take it as a number in step Target."
        return reason
    return ""


def _info(
    spec: LossDistribution,
    target: TargetSpec,
    outcome: FloatArray | None,
    order: tuple[str, ...],
    has_matrix: bool,
) -> DistributionInfo:
    reason = ON_PAGE_UPLIFT if reads_effect(spec) else _reason_by_kind(spec, target, order)
    if not reason and outcome is not None:
        reason = _reason_by_values(spec, target, outcome)
    if not reason:
        reason = _unserved(spec, has_matrix)
    return DistributionInfo(
        distribution=spec.id,
        label=spec.label,
        asks=spec.asks,
        help=spec.help,
        formula=spec.formula,
        reference=spec.reference,
        target_words=_TARGET_WORDS[spec.target],
        fits=not reason,
        reason=reason,
        is_usual=_USUAL.get(target.kind) == spec.id and not reason,
        needs=needs_of(spec),
        uses=tuple(_USED[extra] for extra in spec.extras if extra in _USED),
        parameters=tuple(_parameter(item) for item in spec.parameters),
        picture=loss_lines(spec, target),
        domain=spec.target.value,
        predicts_quantiles=spec.quantile_levels is not None,
    )


def _reason_by_values(spec: LossDistribution, target: TargetSpec, outcome: FloatArray) -> str:
    """Why the values of a number cannot be fitted: the least of them says it."""
    if len(outcome) == 0:
        return f"'{target.column}' has no value."
    try:
        check_target(spec, outcome)
    except PayoffError:
        return (
            f"It fits {_TARGET_WORDS[spec.target]}; '{target.column}' goes from "
            f"{outcome.min():g} to {outcome.max():g}."
        )
    return ""


def _unserved(spec: LossDistribution, has_matrix: bool) -> str:
    """Why a distribution is not trained in the window: it reads what is not there."""
    known = {Extra.WEIGHT, Extra.OFFSET, Extra.CONSEQUENCES, *_NEEDED, *spec.optional_extras}
    if reads_money(spec) and not has_matrix:
        return NEEDS_MATRIX
    if spec.score_names is not None and spec.quantile_levels is None:
        return "It predicts several numbers for each case; scripts train it."
    strange = [extra.value for extra in spec.extras if extra not in known]
    return f"It needs a column for '{strange[0]}'." if strange else ""


def _parameter(item: Parameter) -> DistributionParameter:
    return DistributionParameter(
        name=item.name,
        words=item.words,
        default=item.default,
        minimum=item.minimum,
        maximum=item.maximum,
        is_whole=item.kind == ParameterKind.INTEGER,
        choices=item.choices,
        help=item.help,
    )


# ---------------------------------------------------------------- inputs and rows


def _input(table: LoadedTable, document: Document, column: ColumnSummary) -> InputInfo:
    is_nominal = column.kind == "text"
    levels = 0
    if is_nominal:
        levels = column.distinct if column.distinct >= 0 else MOST_LEVELS + 1
    role = document.role_of(column.name)
    reason = _reason_no_input(column, levels, role)
    return InputInfo(
        column=column.name,
        kind="nominal" if is_nominal else "number",
        can_train=not reason,
        reason=reason,
        is_usual=not reason and (role is None or role.role is Role.INPUT),
        missing=column.missing,
        levels=levels,
    )


def _reason_no_input(column: ColumnSummary, levels: int, role: RoleAssignment | None) -> str:
    if role is not None and role.role is Role.TARGET:
        return "It is the outcome itself."
    if column.kind == "date":
        return "Trees cannot split dates; turn it into days or months."
    if column.missing >= column.rows:
        return "It has no value."
    if column.distinct == 1 and column.missing == 0:
        return "It is the same in every row."
    if levels > MOST_LEVELS:
        return f"It has more than {MOST_LEVELS:,} levels."
    return ""


def _rows(table: LoadedTable, document: Document) -> tuple[tuple[str, int], ...]:
    uses = data.row_uses(table, document)
    return tuple((use.value, int((uses == data.ROW_USE_CODES[use]).sum())) for use in _USES)


def _watches(
    document: Document, target: TargetSpec, distribution: LossDistribution, registry: Registry
) -> tuple[tuple[str, str], ...]:
    """What early stopping may watch: the deviance, realised profit, every metric that fits."""
    watches = [("deviance", "deviance")]
    if target.levels and document.matrix is not None:
        watches.append(("profit", "realised profit"))
    task = Task(target.kind) if target.levels else task_of_domain(distribution.target)
    for spec in registry.metrics():
        is_served = task in spec.tasks and set(spec.inputs) <= inputs_served(task)
        if is_served and spec.direction != Direction.NONE:
            watches.append((spec.id, spec.label))
    return tuple(watches)
