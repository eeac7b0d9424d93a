"""The decision matrix and the decision problem of a document, as the rooms below take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core import data
from core.assembly import weights
from core.assembly.cases import Cases, prior_array, rows_of
from core.assembly.context import AssemblyContext
from core.assembly.running import called
from core.data import LoadedTable
from core.decisions import (
    AmountFacts,
    CaseAmounts,
    DecisionProblem,
    Words,
    interval_problem,
)
from core.document.decisions.formulas import amount_shares
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, TargetSpec
from core.document.wording import format_money
from core.questions.needs import named_target
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import DecisionMatrix
from payoff.types import FloatArray
from payoff.vocabulary import NumberUnit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matrix:
    """A matrix worked out: cells in the order of the target's levels, and its words."""

    spec: MatrixSpec
    plugin: DecisionMatrix
    cells: FloatArray  # (levels, decisions)
    parameters: Mapping[str, float]
    shares: FloatArray | None = None  # (levels, decisions) of the case's amount, if any cell is one


def matrix_of(document: Document, context: AssemblyContext) -> Matrix:
    """The matrix of a document, its cells from the template where it has none of its own."""
    target = named_target(document)
    spec = document.matrix
    if spec is None:
        raise PayoffError(
            "No decision matrix is set.", remedy="Say what each decision earns on page Decide."
        )
    plugin = context.registry.matrix(spec.template)
    check_knots(plugin, spec, target)
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
            f"The matrix has {counted(cells.shape[1], 'column')} for "
            f"{counted(len(decisions), 'decision')}.",
            where=f"matrix {spec.template}",
        )
    whole = replace(
        spec,
        levels=levels,
        decisions=decisions,
        acting=spec.acting or plugin.acting,
        do_nothing=spec.do_nothing if spec.decisions else plugin.do_nothing,
    )
    shares = _shares_of_amount(whole, levels, plugin, parameters, context)
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


def check_knots(plugin: DecisionMatrix, spec: MatrixSpec, target: TargetSpec) -> None:
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
    context: AssemblyContext,
) -> FloatArray:
    """Cells worked out by a plugin, checked: whatever it returns, the shape and numbers hold."""
    if plugin.n_levels not in (0, count):
        raise PayoffError(
            f"'{plugin.label}' is made for {counted(plugin.n_levels, 'class', 'classes')}; "
            f"the outcome has {count}.",
            remedy="Choose a plain matrix, in which every class has its row.",
        )
    lacks = "give a whole matrix"
    return _asked_of_plugin(plugin, plugin.consequences, parameters, count, lacks, context)


def _asked_of_plugin(
    plugin: DecisionMatrix,
    ask: Callable[[int, Mapping[str, float]], Any],
    parameters: Mapping[str, float],
    count: int,
    lacks: str,
    context: AssemblyContext,
) -> FloatArray:
    """What one of a plugin's functions gives, (count, decisions) finite numbers.

    Raises
    ------
    PayoffError
        Where it gives anything else; it did not ``lacks``.
    """
    registry = context.registry
    mark = registry.owner(plugin).plugin if registry.is_third_party(plugin) else ""
    with called(context, mark, f"matrix {plugin.id}"):
        given = ask(count, parameters)
    found = np.array(given, dtype=np.float64)
    if found.shape != (count, len(plugin.decisions)) or not np.isfinite(found).all():
        raise PayoffError(
            f"The plugin '{plugin.id}' did not {lacks}.",
            where=f"shape {found.shape}",
            why=f"{counted(count, 'class', 'classes')} by "
            f"{counted(len(plugin.decisions), 'decision')} of finite numbers are "
            "needed.",
            remedy="Choose another matrix, or turn the plugin off.",
        )
    return found


def _shares_of_amount(
    spec: MatrixSpec,
    levels: tuple[str, ...],
    plugin: DecisionMatrix,
    parameters: Mapping[str, float],
    context: AssemblyContext,
) -> FloatArray | None:
    """Shares (levels, decisions) by the document's formulas, or by the template; None = none.

    Raises
    ------
    PayoffError
        If a formula cannot be read, or the template needs an amount and no column is chosen.
    """
    if spec.cells:
        shares = np.array(amount_shares(spec), dtype=np.float64)
        shares = shares[[spec.levels.index(level) for level in levels]]
    elif plugin.shares is None:
        return None
    else:
        lacks = "say what shares of the amount the cells are"
        shares = _asked_of_plugin(plugin, plugin.shares, parameters, len(levels), lacks, context)
    if not shares.any():
        return None
    if spec.amount is None:
        words = plugin.amount.words if plugin.amount is not None else "amount"
        raise PayoffError(
            f"'{plugin.label}' needs to know the {words} of each case.",
            where="amount per case",
            remedy="Choose its column below the matrix.",
        )
    return shares


def cost_arrays(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: AssemblyContext
) -> tuple[FloatArray | None, dict[int, FloatArray]]:
    """Costs per decision: constants (decisions,), and columns (n,) by decision number."""
    spec = matrix.spec
    if not spec.costs:
        return None, _template_costs(matrix, table, cases, context)
    if len(spec.costs) != len(spec.decisions):
        raise PayoffError(
            f"{counted(len(spec.costs), 'cost is', 'costs are')} given for "
            f"{counted(len(spec.decisions), 'decision')}.",
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
    table: LoadedTable, column: str, cases: Cases, context: AssemblyContext, role: str = "cost"
) -> FloatArray:
    """A column of costs or amounts over the cases, kept in memory for the next edit."""
    if column in cases.columns:
        return cases.columns[column]
    key = (role, column, cases.key)

    def make() -> tuple[FloatArray, int]:
        amounts = data.column_as_float(table, column, role=role)
        data.refuse_overflow(table, column, amounts)
        values = rows_of(amounts, cases.taken)
        return values, values.nbytes

    values: FloatArray = context.cache.get_or_make(key, make)
    return values


def case_amounts(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: AssemblyContext
) -> CaseAmounts | None:
    """The amount of each case, where cells of the matrix are shares of it."""
    column = matrix.spec.amount
    if matrix.shares is None or column is None:
        return None
    values = cost_column(table, column, cases, context, role="amount")

    def make() -> tuple[AmountFacts, int]:
        return AmountFacts(values), values.nbytes

    is_tried = column in cases.columns
    key = ("amount facts", column, cases.key)
    facts: AmountFacts = make()[0] if is_tried else context.cache.get_or_make(key, make)
    return CaseAmounts(values=values, slopes=matrix.shares, name=column, facts=facts)


def _template_costs(
    matrix: Matrix, table: LoadedTable, cases: Cases, context: AssemblyContext
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
    registry = context.registry
    mark = registry.owner(plugin).plugin if registry.is_third_party(plugin) else ""
    with called(context, mark, f"costs of {plugin.id}"):
        costs = np.array(plugin.costs(len(cases.rows), matrix.parameters, found), dtype=np.float64)
    if costs.shape != (len(plugin.decisions), len(cases.rows)):
        raise PayoffError(
            f"The plugin '{plugin.id}' gave costs of shape {costs.shape}.",
            why=f"({len(plugin.decisions)}, {len(cases.rows)}) is needed.",
        )
    return {index: np.ascontiguousarray(costs[index]) for index in range(len(costs))}


def matrix_words(document: Document, matrix: Matrix) -> Words:
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


def decision_problem(
    document: Document, cases: Cases, matrix: Matrix, table: LoadedTable, context: AssemblyContext
) -> DecisionProblem:
    """What all models share, for the decisions room."""
    target = named_target(document)
    amounts, columns = cost_arrays(matrix, table, cases, context)
    if not target.levels:
        numbers = interval_problem(
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
            words=matrix_words(document, matrix),
        )
        return replace(numbers, is_sampled=True) if weights.is_sampled(document) else numbers
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
        words=matrix_words(document, matrix),
        prior_range=document.prior_range if document.priors is not None else None,
        is_sampled=weights.is_sampled(document),
    )
