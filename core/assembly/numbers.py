"""The numbers of a document that may move, and what its tabs work them out from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.assembly.cases import Cases, cases_of, data_warnings, model_scores, prior_warnings
from core.assembly.context import AssemblyContext, table_of
from core.assembly.matrix import Matrix, decision_problem, matrix_of
from core.assembly.missing_models import without_lost_models
from core.data import LoadedTable
from core.decisions import DecisionProblem, ModelScores
from core.decisions.sensitivity.changes import (
    PARAMETER,
    Change,
    MovingNumbers,
    cell_change,
    cost_change,
    parameter_change,
    prior_change,
    tried_number,
)
from core.document.decisions.commands import SetParameter
from core.document.decisions.formulas import ResolvedCells, formula_at, written_cells
from core.document.model import Document
from core.document.studies.moving_numbers import TriedNumber
from core.questions.needs import require_classes
from payoff.errors import PayoffError
from payoff.types import FloatArray
from payoff.vocabulary import ParameterKind

_STRAIGHT = 1e-9  # share of the cells by which three points may miss a straight line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumbersGround:
    """A document as arrays."""

    table: LoadedTable
    cases: Cases
    matrix: Matrix
    problem: DecisionProblem
    models: tuple[ModelScores, ...]


def ground_of(document: Document, context: AssemblyContext) -> NumbersGround:
    """A document as arrays, from memory where they are there."""
    require_classes(document)
    table = table_of(document, context)
    cases = cases_of(document, context)
    matrix = matrix_of(document, context)
    return NumbersGround(
        table=table,
        cases=cases,
        matrix=matrix,
        problem=decision_problem(document, cases, matrix, table, context),
        models=model_scores(document, cases),
    )


def resolved_cells(document: Document, context: AssemblyContext) -> ResolvedCells:
    """The cells of a document's matrix, worked out where a template gives them."""
    matrix = matrix_of(document, context)
    cells = tuple(tuple(float(value) for value in row) for row in matrix.cells)
    if matrix.shares is None or matrix.spec.cells:  # the document's own formulas stay beside cells
        return cells
    return written_cells(cells, tuple(tuple(map(float, row)) for row in matrix.shares))


def moving_numbers(document: Document, context: AssemblyContext) -> MovingNumbers:
    """A document as arrays, with every number that may move along a straight line."""
    context.progress(None, "Reading cases")
    document, lost = without_lost_models(document, context)
    ground = ground_of(document, context)
    changes, warnings = _changes(document, ground, context)
    first = (*lost, *data_warnings(document, ground.cases, context), *prior_warnings(document))
    return MovingNumbers(
        problem=ground.problem,
        models=ground.models,
        changes=changes,
        reference=document.reference_model,
        rows=ground.cases.note,
        warnings=(*first, *warnings),
    )


def _changes(
    document: Document, ground: NumbersGround, context: AssemblyContext
) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """Every number that may move along a straight line, and warnings for those that do not.

    Parameters first, then cells, constant costs and the event's prior.
    """
    found: list[Change] = []
    warnings: list[str] = []
    for name, words, now in parameters_of(document, ground.matrix):
        change = _parameter(document, ground, name, words, now, context)
        if change is None:
            warnings.append(
                f"“{words}” moves cells or costs by case otherwise than along a straight line: "
                "its break-even is not worked out."
            )
        else:
            found.append(change)
    problem = ground.problem
    for level in range(len(problem.levels)):
        for decision in range(len(problem.decisions)):
            found.append(cell_change(problem, level, decision))
    amounts = problem.cost_amounts
    for decision in range(len(problem.decisions)):
        if amounts is not None and amounts[decision] and decision not in problem.cost_columns:
            found.append(cost_change(problem, decision))
    if has_moving_prior(problem):
        found.append(prior_change(problem))
    return tuple(found), tuple(warnings)


def parameters_of(document: Document, matrix: Matrix) -> tuple[tuple[str, str, float], ...]:
    """Name, words and present value of each parameter that is an amount or a count."""
    spec = document.matrix
    if spec is None:
        return ()
    if spec.cells:
        return tuple((name, name.replace("_", " "), value) for name, value in spec.parameters)
    given = dict(spec.parameters)
    return tuple(
        (item.name, item.words, matrix.parameters[item.name])
        for item in matrix.plugin.parameters
        if item.name in given and item.kind is not ParameterKind.CHOICE
    )


def tried_numbers(
    document: Document, ground: NumbersGround, context: AssemblyContext
) -> tuple[TriedNumber, ...]:
    """Every number that may be tried at other values; cells that follow a formula are left out."""
    problem, spec = ground.problem, document.matrix
    found: list[Change] = []
    for name, words, now in parameters_of(document, ground.matrix):
        is_share = False
        if ground.matrix.shares is not None:  # it may be a share of the amount, not money
            moved = _parameter(document, ground, name, words, now, context)
            is_share = moved is not None and moved.unit == "share"
        found.append(
            Change(
                kind=PARAMETER,
                name=words,
                now=now,
                delta=None,
                parameter=name,
                low=0.0,
                is_share=is_share,
            )
        )
    for level, level_name in enumerate(problem.levels):
        for decision, name in enumerate(problem.decisions):
            if spec is not None and formula_at(spec, level_name, name) is not None:
                continue
            if ground.matrix.shares is not None and ground.matrix.shares[level, decision]:
                continue  # it follows the amount of the case
            found.append(cell_change(problem, level, decision))
    for decision in range(len(problem.decisions)):
        if decision not in problem.cost_columns:
            found.append(cost_change(problem, decision))
    if has_moving_prior(problem):
        found.append(prior_change(problem))
    return tuple(tried_number(change, problem) for change in found)


def has_moving_prior(problem: DecisionProblem) -> bool:
    """Whether the event's prior can move: priors are set, and another class is possible."""
    priors = problem.priors
    return priors is not None and len(priors) > 1 and bool(priors[1:].sum() > 0)


def _parameter(
    document: Document,
    ground: NumbersGround,
    name: str,
    words: str,
    now: float,
    context: AssemblyContext,
) -> Change | None:
    """A parameter as a direction of the cells; None where they do not follow it straight."""
    if not (document.matrix and document.matrix.cells) and ground.matrix.plugin.costs is not None:
        return None  # its costs by case may follow the parameter too
    step = 0.25 * abs(now) if now else 1.0
    try:
        near, far = (
            _table_at(document, name, now + factor * step, context) for factor in (1.0, 2.0)
        )
    except PayoffError:
        return None  # it may not be raised that far
    here = _table_of(ground.matrix)
    bend = np.abs((far - near) - (near - here)).max()
    if bend > _STRAIGHT * max(1e-300, float(np.abs(far).max()), float(np.abs(here).max())):
        return None
    slope: FloatArray = (far - here) / (2.0 * step)
    return parameter_change(ground.problem, name, words, now, slope[0], slope[1])


def _table_at(document: Document, name: str, value: float, context: AssemblyContext) -> FloatArray:
    changed = SetParameter(name=name, value=value).apply(document)
    return _table_of(matrix_of(changed, context))


def _table_of(matrix: Matrix) -> FloatArray:
    """Cells and shares of the case's amount, (2, levels, decisions)."""
    shares = np.zeros_like(matrix.cells) if matrix.shares is None else matrix.shares
    return np.stack([matrix.cells, shares])


__all__ = [
    "NumbersGround",
    "ground_of",
    "has_moving_prior",
    "moving_numbers",
    "parameters_of",
    "resolved_cells",
    "tried_numbers",
]
