"""What page Models offers: distributions, inputs, rows, figures to watch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.effect_training import ON_PAGE_UPLIFT, reads_effect
from core.assembly.models.fitting import NEEDED, TARGET_WORDS, needs_of, reason_by_kind
from core.assembly.models.input_columns import MOST_LEVELS
from core.assembly.models.loss_lines import loss_lines
from core.assembly.models.money_training import NEEDS_MATRIX, reads_money
from core.assembly.models.task import inputs_served, task_of_domain, task_of_target
from core.assembly.models.training_checks import training_checks
from core.data import LoadedTable
from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.document.training_results import (
    DistributionInfo,
    DistributionsResult,
    InputInfo,
)
from core.extensions import Registry
from core.questions.explain import Distributions
from core.questions.needs import named_target
from payoff.errors import PayoffError
from payoff.facts import facts_of
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import Direction, Extra, Task

_USED = {Extra.ENTRY: "entry", Extra.STRATA: "strata", Extra.UPPER: "upper"}
_USES = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.TO_DECIDE)


def list_distributions(
    document: Document, question: Distributions, context: AssemblyContext
) -> DistributionsResult:
    """Every distribution with whether it fits, every column as an input, rows by use."""
    del question
    target = named_target(document)
    table = table_of(document, context)
    registry = context.registry
    found = data.rows_inside(table, document)
    inside = None if found is None else found[0]
    outcome = None
    if not target.levels:
        values = data.column_as_float(table, target.column, role="target")
        outcome = values[~np.isnan(values) if inside is None else inside & ~np.isnan(values)]
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
        inputs=tuple(
            _input(document, column, _levels(table, document, column, context))
            for column in _summaries(table, document, context)
        ),
        rows=_rows(table, document),
        outcome=_class_rows(table, target, inside),
        checks=training_checks(table, document),
    )


def _info(
    spec: LossDistribution,
    target: TargetSpec,
    outcome: FloatArray | None,
    order: tuple[str, ...],
    has_matrix: bool,
) -> DistributionInfo:
    reason = ON_PAGE_UPLIFT if reads_effect(spec) else reason_by_kind(spec, target, order)
    if not reason and outcome is not None:
        reason = _reason_by_values(spec, target, outcome)
    if not reason:
        reason = _unserved(spec, has_matrix)
    return facts_of(
        spec,
        DistributionInfo,
        target_words=TARGET_WORDS[spec.target],
        fits=not reason,
        reason=reason,
        is_usual=not reason and task_of_target(target) in spec.usual_for,
        needs=needs_of(spec),
        uses=tuple(_USED[extra] for extra in spec.extras if extra in _USED),
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
            f"It fits {TARGET_WORDS[spec.target]}; '{target.column}' goes from "
            f"{outcome.min():g} to {outcome.max():g}."
        )
    return ""


def _unserved(spec: LossDistribution, has_matrix: bool) -> str:
    """Why a distribution is not trained in the window: it reads what is not there."""
    known = {Extra.WEIGHT, Extra.OFFSET, Extra.CONSEQUENCES, *NEEDED, *spec.optional_extras}
    if reads_money(spec) and not has_matrix:
        return NEEDS_MATRIX
    if spec.score_names is not None and spec.quantile_levels is None:
        return "It predicts several numbers for each case; scripts train it."
    strange = [extra.value for extra in spec.extras if extra not in known]
    return f"It needs a column for '{strange[0]}'." if strange else ""


# ---------------------------------------------------------------- inputs and rows


def _summaries(
    table: LoadedTable, document: Document, context: AssemblyContext
) -> tuple[ColumnSummary, ...]:
    """The columns over the rows that can train: those inside the row filter."""

    def make() -> tuple[tuple[ColumnSummary, ...], int]:
        found = data.rows_inside(table, document)
        columns = data.summarise_rows(table, None if found is None else found[0])
        return columns, 1_000 * len(columns)

    key = ("columns inside", table.identity, document.split.where)
    columns: tuple[ColumnSummary, ...] = context.cache.get_or_make(key, make)
    return columns


def _class_rows(
    table: LoadedTable, target: TargetSpec, inside: BoolArray | None
) -> tuple[tuple[str, int], ...]:
    """Rows of each level of the outcome inside the row filter."""
    if not target.levels:
        return ()
    codes, _ = data.outcome_codes(table, target)
    is_counted = codes >= 0 if inside is None else inside & (codes >= 0)
    counts = np.bincount(codes[is_counted], minlength=len(target.levels))
    return tuple(zip(target.levels, counts.tolist(), strict=True))


def _levels(
    table: LoadedTable, document: Document, column: ColumnSummary, context: AssemblyContext
) -> int:
    """Return the number of levels of a column of texts inside the row filter, 0 for any other.

    They are counted where its summary has stopped counting.
    """
    if column.kind != "text":
        return 0
    if column.distinct >= 0:
        return column.distinct

    def make() -> tuple[int, int]:
        values, found = table.require_column(column.name), data.rows_inside(table, document)
        if found is not None:
            values = values.filter(pa.array(found[0]))
        return pc.count_distinct(values).as_py(), 8

    key = ("levels inside", table.identity, document.split.where, column.name)
    found: int = context.cache.get_or_make(key, make)
    return found


def _input(document: Document, column: ColumnSummary, levels: int) -> InputInfo:
    is_nominal = column.kind == "text"
    role = document.role_of(column.name)
    known = column.rows - column.missing
    reason = _reason_no_input(column, levels, role)
    is_sparse = levels > known // 2 and levels > data.FEW_LEVELS
    return InputInfo(
        column=column.name,
        kind="nominal" if is_nominal else "number",
        can_train=not reason,
        reason=reason,
        is_usual=not reason and not is_sparse and (role is None or role.role is Role.INPUT),
        missing=column.missing,
        levels=levels,
        note="" if reason else data.sparse_levels_words(column.name, levels, known),
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
    if levels > data.FEW_LEVELS and levels >= column.rows - column.missing:
        return "It is different in every row."
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
        if is_served and not spec.columns and spec.direction != Direction.NONE:
            watches.append((spec.id, spec.label))
    return tuple(watches)
