"""From a document to arrays: the rows used, outcomes, chances, weights, matrix, costs and priors.

What costs time is kept in the engine's memory by the part of the document it depends on, so that
an edited cell, prior or cost finds everything else ready.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core import data
from core.data import LoadedTable
from core.decisions import (
    AmountFacts,
    CaseAmounts,
    DecisionProblem,
    ModelScores,
    Words,
    check_old_priors,
    interval_problem,
    predicted_scores,
)
from core.document.data_model import RowUse
from core.document.matrix_model import MatrixKind, MatrixSpec
from core.document.model import ChancesSpec, Document, OldPriorKind, Role, TargetSpec, TrainedModel
from core.document.results import RowsNote
from core.document.wording import format_money
from core.engine.context import JobContext
from core.engine.jobs import weights
from core.engine.jobs.amounts import shares_of_amount
from core.engine.jobs.foreign import called
from core.engine.jobs.scores import posteriors_of
from core.engine.jobs.shared_ids import without_shared_ids
from core.engine.jobs.tables import table_of
from core.engine.jobs.task import task_of
from core.engine.jobs.trained import seen_warnings, trained_predictions
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import DecisionMatrix
from payoff.types import CodeArray, FloatArray, IntArray
from payoff.vocabulary import NumberUnit, Task

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cases:
    """The rows used, as arrays; n = ``len(rows)``.

    Attributes
    ----------
    rows : (n,) int64
        Row numbers in the table, from 0, rising.
    note : RowsNote
    outcome : (n,) int32 or None
        Codes into the target's levels; -1 = not known. None for an interval target.
    target : (n,) float64 or None
        Values of an interval target.
    frequency : (n,) float64 or None
    posteriors : mapping of model to (levels, n) float64
        As they stand in the file.
    predictions : mapping of model to (n,) float64
    key : tuple
        What decided the rows: tells sets of cases apart in the engine's memory.
    warnings : tuple of str
    is_repeated : bool
        Rows stand in ``rows`` as often as their frequency says, and ``frequency`` is None.
    """

    rows: IntArray
    note: RowsNote
    outcome: CodeArray | None
    target: FloatArray | None
    frequency: FloatArray | None
    posteriors: Mapping[str, FloatArray]
    predictions: Mapping[str, FloatArray]
    key: Hashable
    warnings: tuple[str, ...] = ()
    is_repeated: bool = False

    @property
    def size_bytes(self) -> int:
        """Memory of all arrays."""
        single = [self.rows, self.outcome, self.target, self.frequency]
        arrays = [*single, *self.posteriors.values(), *self.predictions.values()]
        return sum(values.nbytes for values in arrays if values is not None)


def named_target(document: Document) -> TargetSpec:
    """The target; refuses a document without one."""
    if document.target is None:
        raise PayoffError(
            "No column is named as the outcome.", remedy="Choose the target on page Data."
        )
    return document.target


def named_classes(document: Document) -> TargetSpec:
    """The target of a document that decides by classes; refuses an interval target."""
    target = named_target(document)
    if not target.levels:
        raise PayoffError(
            f"The outcome '{target.column}' is a number without classes.",
            why="A decision matrix has one row per class.",
            remedy="Choose an outcome with classes, such as yes and no.",
        )
    return target


def require_target(document: Document) -> TargetSpec:
    """The target; refuses a document without one or without a model."""
    target = named_target(document)
    if not document.models:
        raise PayoffError(
            "No model is known.",
            remedy="Name the columns that hold a model's chances on page Data, or train a model.",
        )
    return target


def require_classes(document: Document) -> TargetSpec:
    """The target of a document that decides by classes; refuses one without a model."""
    require_target(document)
    return named_classes(document)


def require_decidable(document: Document) -> TargetSpec:
    """The target of a document that decides, by classes or by a number; refuses other tasks."""
    target = require_target(document)
    if not target.levels and task_of(document) is not Task.REGRESSION:
        raise PayoffError(
            f"The outcome '{target.column}' is a {task_of(document).value} outcome.",
            why="Its models predict no amount that a decision could be read from.",
            remedy="Choose an outcome with classes, or a plain number.",
        )
    return target


def names_of_models(document: Document) -> tuple[str, ...]:
    """All models of a document, in its order."""
    return tuple(model.name for model in document.models)


def models_key(
    document: Document,
) -> tuple[tuple[str, TrainedModel | None, ChancesSpec | None], ...]:
    """What tells the scores of two sets of models apart."""
    return tuple((model.name, model.trained, model.chances) for model in document.models)


def predictions_of(
    table: LoadedTable, document: Document, model: str, context: JobContext
) -> FloatArray:
    """Predictions (n,) of a model for an interval target."""
    trained = document.trained_model(model)
    if trained is not None:
        return trained_predictions(table, document, trained, context)
    return data.predictions(table, document, model)


def _seen_by_models(table: LoadedTable, document: Document, rows: IntArray) -> tuple[str, ...]:
    """Warnings for rows that trained, or chose the size of, a trained model."""
    texts: list[str] = []
    for model in document.models:
        if model.trained is not None:
            texts += seen_warnings(table, document, model.trained, rows)
    return tuple(texts)


def cases_of(document: Document, context: JobContext) -> Cases:
    """The rows used with everything read from them; from memory when it was read before."""
    require_target(document)
    table = table_of(document, context)
    key = (
        "cases",
        table.summary.data.content_hash,
        document.target,
        document.roles,
        document.split,
        document.rows_used,
        document.shared_ids,
        models_key(document),
    )

    def make() -> tuple[Cases, int]:
        cases = _read_cases(table, document, key, context)
        return cases, cases.size_bytes

    cases: Cases = context.workbench.cache.get_or_make(key, make)
    return cases


def all_cases(table: LoadedTable, document: Document, model: str, context: JobContext) -> Cases:
    """Rows of a table for one model, known outcome or not: what a rule is applied to.

    All of them, or those for which the row filter is true.
    """
    target = require_decidable(document)
    context.check()
    rows = np.arange(table.rows, dtype=np.int64)
    outcome: CodeArray | None = None
    numbers: FloatArray | None = None
    warnings: tuple[str, ...] = ()
    if target.column in table.kinds:
        if target.levels:
            outcome, warnings = data.outcome_codes(table, target)
        else:
            numbers = data.column_as_float(table, target.column, role="outcome")
    trained = document.trained_model(model)
    note = RowsNote(use=RowUse.ALL, text=f"all rows, {table.rows:,}", rows=table.rows)
    inside = data.rows_inside(table, document)
    if inside is not None:
        rows = np.flatnonzero(inside[0])
        text = f"rows where {document.split.where}, {len(rows):,} of {table.rows:,}"
        note = RowsNote(use=RowUse.ALL, text=text, rows=len(rows))
    if trained is not None:
        warnings = (*warnings, *seen_warnings(table, document, trained, rows))
    has_weight = document.column_of(Role.WEIGHT) in table.kinds
    weight = data.frequency(table, document) if has_weight else None
    posteriors: dict[str, FloatArray] = {}
    predictions: dict[str, FloatArray] = {}
    if target.levels:
        posteriors[model] = _take(posteriors_of(table, document, model, context), rows)
    else:
        predictions[model] = _take(predictions_of(table, document, model, context), rows)
    return Cases(
        rows=rows,
        note=note,
        outcome=_take(outcome, rows) if outcome is not None else None,
        target=_take(numbers, rows) if numbers is not None else None,
        frequency=_take(weight, rows) if weight is not None else None,
        posteriors=posteriors,
        predictions=predictions,
        key=(
            "all",
            table.summary.data.content_hash,
            document.split.where,
            document.target,
            document.roles,
            model,
            trained,
            document.model(model),
        ),
        warnings=warnings,
    )


def _read_cases(
    table: LoadedTable, document: Document, key: Hashable, context: JobContext
) -> Cases:
    target = require_target(document)
    models = names_of_models(document)
    context.progress(None, "Reading outcomes")
    rows, note = without_shared_ids(
        table, document, *data.usable_rows(table, document, None, models)
    )
    outcome: CodeArray | None = None
    numbers: FloatArray | None = None
    warnings: tuple[str, ...] = ()
    posteriors: dict[str, FloatArray] = {}
    predictions: dict[str, FloatArray] = {}
    if target.levels:
        codes, warnings = data.outcome_codes(table, target)
    else:
        known = data.column_as_float(table, target.column, role="outcome")
    weight = data.frequency(table, document)
    counted = weights.counted_cases(document, rows, weight, note)
    rows, note = counted.rows, counted.note
    if target.levels:
        outcome = _take(codes, rows)
    else:
        numbers = _take(known, rows)
    for index, model in enumerate(models):
        context.progress(index / len(models), f"Reading {model}")
        if target.levels:
            posteriors[model] = _take(posteriors_of(table, document, model, context), rows)
        else:
            predictions[model] = _take(predictions_of(table, document, model, context), rows)
    return Cases(
        rows=rows,
        note=note,
        outcome=outcome,
        target=numbers,
        frequency=counted.frequency,
        posteriors=posteriors,
        predictions=predictions,
        key=key,
        warnings=(
            *warnings,
            *counted.warnings,
            *weights.cluster_warnings(document),
            *_seen_by_models(table, document, rows),
        ),
        is_repeated=counted.is_repeated,
    )


def _take(values: NDArray[Number], rows: IntArray) -> NDArray[Number]:
    """The chosen rows (last axis), C-contiguous; the array itself when all are chosen once."""
    if len(rows) == values.shape[-1] and bool((np.diff(rows) == 1).all()):
        return np.ascontiguousarray(values)
    return np.ascontiguousarray(np.take(values, rows, axis=-1))


# ---------------------------------------------------------------- priors


def prior_array(document: Document, target: TargetSpec) -> FloatArray | None:
    """The priors in the order of the target's levels, or None without priors."""
    if document.priors is None:
        return None
    return _shares(document.priors, target, "priors")


def old_prior_array(document: Document, target: TargetSpec, model: str) -> FloatArray | None:
    """The class shares a model was trained at, or None when they are not known or not needed."""
    settings = document.model(model)
    if settings is None or settings.old_priors.kind is not OldPriorKind.TRAINED_AT:
        return None
    if document.is_rank_only(model):
        return None  # an order needs no correction
    return _shares(settings.old_priors.shares, target, f"shares that '{model}' was trained at")


def _shares(shares: tuple[tuple[str, float], ...], target: TargetSpec, what: str) -> FloatArray:
    known = dict(shares)
    unknown = [level for level in known if level not in target.levels]
    missing = [level for level in target.levels if level not in known]
    if unknown or missing:
        raise PayoffError(
            f"The {what} do not fit the outcome's levels.",
            where=f"level {(unknown or missing)[0]}",
            why="There is no such level." if unknown else "It has no share.",
            remedy=f"Give one share for each of {', '.join(target.levels)}.",
        )
    return np.array([known[level] for level in target.levels], dtype=np.float64)


def data_warnings(document: Document, cases: Cases, context: JobContext) -> tuple[str, ...]:
    """What is to be said of the data before any number."""
    changed = context.workbench.changed_data(document.data) if document.data else ()
    return (*changed, *cases.warnings)


def prior_warnings(document: Document, only: str | None = None) -> tuple[str, ...]:
    """What stands between models' chances and the priors, said before any number."""
    texts = []
    for model in document.models:
        if only is not None and model.name != only:
            continue
        kind = model.old_priors.kind
        if document.is_rank_only(model.name):
            continue  # an order needs no correction
        if document.priors is not None and kind is OldPriorKind.UNKNOWN:
            texts.append(
                f"It is not known at which class shares '{model.name}' was trained: its chances "
                "are taken as they stand and are not corrected to the priors."
            )
        elif document.priors is None and kind is OldPriorKind.TRAINED_AT:
            if model.trained is not None and model.trained.weight is None:
                continue  # trained here at the shares of these data: nothing to correct
            if model.chances is not None:
                continue  # fitted to the shares of these data
            texts.append(
                f"'{model.name}' was trained at known class shares, but no priors are given: its "
                "chances are not corrected."
            )
    return tuple(texts)


# ---------------------------------------------------------------- matrix and costs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matrix:
    """A matrix worked out: cells in the order of the target's levels, and its words."""

    spec: MatrixSpec
    plugin: DecisionMatrix
    cells: FloatArray  # (levels, decisions)
    parameters: Mapping[str, float]
    shares: FloatArray | None = None  # (levels, decisions) of the case's amount, if any cell is one


def matrix_of(document: Document, context: JobContext) -> Matrix:
    """The matrix of a document, its cells from the template where it has none of its own."""
    target = named_target(document)
    spec = document.matrix
    if spec is None:
        raise PayoffError(
            "No decision matrix is set.", remedy="Say what each decision earns on page Decide."
        )
    plugin = context.workbench.registry.matrix(spec.template)
    check_outcome(plugin, spec, target)
    own = {} if spec.cells else dict(spec.parameters)  # beside cells they are the user's own
    parameters = resolve_parameters(plugin.parameters, own)
    levels = target.levels or spec.levels  # an interval target has no levels but the knots
    if not target.levels:
        knots_of(spec)
    if spec.cells:
        cells = _own_cells(spec, levels)
    else:
        cells = _template_cells(plugin, parameters, len(levels), context)
    decisions = spec.decisions or plugin.decisions
    if cells.shape[1] != len(decisions):
        raise PayoffError(
            f"The matrix has {cells.shape[1]} columns for {len(decisions)} decisions.",
            where=f"matrix {spec.template}",
        )
    whole = replace(
        spec,
        levels=levels,
        decisions=decisions,
        acting=spec.acting or plugin.acting,
        do_nothing=spec.do_nothing if spec.decisions else plugin.do_nothing,
    )
    shares = shares_of_amount(whole, levels, plugin, parameters, context)
    return Matrix(spec=whole, plugin=plugin, cells=cells, parameters=parameters, shares=shares)


def knots_of(spec: MatrixSpec) -> FloatArray:
    """The rows of an interval matrix as values of the outcome, in the order of its rows.

    Raises
    ------
    PayoffError
        If there is none, or one is no number.
    """
    if not spec.levels:
        raise PayoffError("The decision matrix has no knot.", remedy="Add one on page Decide.")
    knots = []
    for knot in spec.levels:
        try:
            knots.append(float(knot))
        except ValueError as reason:
            raise PayoffError(
                f"The knot '{knot}' is not a number.",
                where="decision matrix",
                remedy="Its rows are values that the outcome can take.",
            ) from reason
    return np.array(knots)


def check_outcome(plugin: DecisionMatrix, spec: MatrixSpec, target: TargetSpec) -> None:
    """Refuse a worded matrix of knots for classes, or for other knots than its own."""
    if not plugin.is_interval or spec.cells:
        return
    if target.levels:
        raise PayoffError(
            f"'{plugin.label}' is made for an outcome that is a number.",
            where=f"matrix {plugin.id}",
            remedy="Choose a matrix for classes.",
        )
    knots = tuple(f"{knot:g}" for knot in plugin.knots)
    if knots and spec.levels != knots:
        raise PayoffError(
            f"'{plugin.label}' has the rows {', '.join(knots)}, "
            f"the matrix {', '.join(spec.levels)}.",
            where=f"matrix {plugin.id}",
            remedy="Choose it again, or write the cells yourself.",
        )


def _own_cells(spec: MatrixSpec, levels: tuple[str, ...]) -> FloatArray:
    """The document's cells, rows brought into the order of the levels."""
    missing = [level for level in levels if level not in spec.levels]
    unknown = [level for level in spec.levels if level not in levels]
    if missing or unknown or len(spec.cells) != len(spec.levels):
        what = (missing or unknown or ["?"])[0]
        raise PayoffError(
            "The rows of the matrix do not fit the outcome's levels.",
            where=f"level {what}",
            why="The matrix has no row for it." if missing else "The outcome has no such level.",
            remedy=f"The matrix needs one row for each of {', '.join(levels)}.",
        )
    widths = {len(row) for row in spec.cells}
    if len(widths) != 1:
        raise PayoffError("The rows of the matrix differ in length.", where="decision matrix")
    rows = [spec.cells[spec.levels.index(level)] for level in levels]
    return np.array(rows, dtype=np.float64)


def _template_cells(
    plugin: DecisionMatrix,
    parameters: Mapping[str, float],
    count: int,
    context: JobContext,
) -> FloatArray:
    """Cells worked out by a plugin, checked: whatever it returns, the shape and numbers hold."""
    if plugin.n_levels not in (0, count):
        raise PayoffError(
            f"'{plugin.label}' is made for {plugin.n_levels} classes; the outcome has {count}.",
            remedy="Choose a plain matrix, in which every class has its row.",
        )
    registry = context.workbench.registry
    owner = registry.owner(plugin).plugin
    mark = owner if registry.is_third_party(plugin) else ""
    with called(context, mark, f"matrix {plugin.id}"):
        given = plugin.consequences(count, parameters)
    cells = np.array(given, dtype=np.float64)
    if cells.shape != (count, len(plugin.decisions)) or not np.isfinite(cells).all():
        raise PayoffError(
            f"The plugin '{plugin.id}' did not give a whole matrix.",
            where=f"shape {cells.shape}",
            why=f"{count} classes by {len(plugin.decisions)} decisions of finite numbers are "
            "needed.",
            remedy="Choose another matrix, or turn the plugin off.",
        )
    return cells


def cost_arrays(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: JobContext
) -> tuple[FloatArray | None, dict[int, FloatArray]]:
    """Costs per decision: constants (decisions,), and columns (n,) by decision number."""
    spec = matrix.spec
    if not spec.costs:
        return None, _template_costs(matrix, table, cases, context)
    if len(spec.costs) != len(spec.decisions):
        raise PayoffError(
            f"There are {len(spec.costs)} costs for {len(spec.decisions)} decisions.",
            where="costs",
        )
    amounts = np.array(
        [0.0 if cost.column else cost.amount for cost in spec.costs], dtype=np.float64
    )
    columns = {
        index: cost_column(table, cost.column, cases, context)
        for index, cost in enumerate(spec.costs)
        if cost.column
    }
    return amounts, columns


def cost_column(
    table: LoadedTable, column: str, cases: Cases, context: JobContext, role: str = "cost"
) -> FloatArray:
    """A column of costs or amounts over the cases, kept in memory for the next edit."""
    key = (role, column, cases.key)

    def make() -> tuple[FloatArray, int]:
        amounts = data.column_as_float(table, column, role=role)
        data.refuse_overflow(table, column, amounts)
        values = _take(amounts, cases.rows)
        return values, values.nbytes

    values: FloatArray = context.workbench.cache.get_or_make(key, make)
    return values


def case_amounts(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: JobContext
) -> CaseAmounts | None:
    """The amount of each case, where cells of the matrix are shares of it."""
    column = matrix.spec.amount
    if matrix.shares is None or column is None:
        return None
    values = cost_column(table, column, cases, context, role="amount")
    facts: AmountFacts = context.workbench.cache.get_or_make(
        ("amount facts", column, cases.key), lambda: (AmountFacts(values), values.nbytes)
    )
    return CaseAmounts(values=values, slopes=matrix.shares, name=column, facts=facts)


def _template_costs(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: JobContext
) -> dict[int, FloatArray]:
    """Per-case costs that a template works out from columns of the data."""
    plugin = matrix.plugin
    if plugin.costs is None:
        return {}
    found = {
        item.name: cost_column(table, item.name, cases, context)
        for item in plugin.columns
        if item.name in table.kinds
    }
    missing = [item for item in plugin.columns if item.is_required and item.name not in found]
    if missing:
        raise PayoffError(
            f"'{plugin.label}' needs the column '{missing[0].name}'.",
            where=table.path,
            remedy="Choose another matrix, or add the column to the data.",
        )
    registry = context.workbench.registry
    mark = registry.owner(plugin).plugin if registry.is_third_party(plugin) else ""
    with called(context, mark, f"costs of {plugin.id}"):
        costs = np.array(plugin.costs(len(cases.rows), matrix.parameters, found), dtype=np.float64)
    if costs.shape != (len(plugin.decisions), len(cases.rows)):
        raise PayoffError(
            f"The plugin '{plugin.id}' gave costs of shape {costs.shape}.",
            why=f"({len(plugin.decisions)}, {len(cases.rows)}) is needed.",
        )
    return {index: np.ascontiguousarray(costs[index]) for index in range(len(costs))}


def words_of(document: Document, matrix: Matrix) -> Words:
    """The user's words for sentences; a worded template says why its threshold is what it is."""
    reason = ""
    if not matrix.spec.cells:
        reason = " and ".join(
            f"{item.words} {format_money(matrix.parameters[item.name], document.currency)}"
            for item in matrix.plugin.parameters
            if item.unit == NumberUnit.MONEY
        )
        reason = reason[:1].upper() + reason[1:]
    number = document.target.column if document.target is not None else "value"
    return Words(case=document.case_word, currency=document.currency, reason=reason, number=number)


# ---------------------------------------------------------------- the decision problem


def decision_problem(
    document: Document, cases: Cases, matrix: Matrix, table: LoadedTable, context: JobContext
) -> DecisionProblem:
    """What all models share, for the decisions room."""
    target = named_target(document)
    amounts, columns = cost_arrays(matrix, table, cases, context)
    if not target.levels:
        return interval_problem(
            knots=knots_of(matrix.spec),
            decisions=matrix.spec.decisions,
            cells=matrix.cells,
            kind=MatrixKind(matrix.spec.kind),
            actual=cases.target,
            frequency=cases.frequency,
            cost_amounts=amounts,
            cost_columns=columns,
            acting=matrix.spec.acting,
            do_nothing=matrix.spec.do_nothing,
            words=words_of(document, matrix),
        )
    return DecisionProblem(
        levels=target.levels,
        decisions=matrix.spec.decisions,
        cells=matrix.cells,
        kind=MatrixKind(matrix.spec.kind),
        outcome=cases.outcome,
        frequency=cases.frequency,
        priors=prior_array(document, target),
        cost_amounts=amounts,
        cost_columns=columns,
        amounts=case_amounts(matrix, table, cases, context),
        acting=matrix.spec.acting,
        do_nothing=matrix.spec.do_nothing,
        labels=target.labels,
        words=words_of(document, matrix),
        prior_range=document.prior_range if document.priors is not None else None,
    )


def model_scores(document: Document, cases: Cases) -> tuple[ModelScores, ...]:
    """Every model with its chances as they stand in the file and what it was trained at."""
    target = require_decidable(document)
    if not target.levels:
        return tuple(predicted_scores(name, values) for name, values in cases.predictions.items())
    priors, scores = prior_array(document, target), []
    for name, posteriors in cases.posteriors.items():
        settings = document.model(name)
        kind = settings.old_priors.kind if settings is not None else OldPriorKind.UNKNOWN
        if document.is_rank_only(name):
            kind = OldPriorKind.CORRECTED
        old = old_prior_array(document, target, name)
        check_old_priors(priors, old, target.levels)
        scores.append(
            ModelScores(
                name=name,
                posteriors=posteriors,
                old_kind=kind,
                old_priors=old,
                has_chances=not document.is_rank_only(name),
            )
        )
    return tuple(scores)
