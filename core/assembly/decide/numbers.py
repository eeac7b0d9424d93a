"""The numbers of a document that may move.

The numbers of a document that may move, and what its tabs work them out from.

Tab Goal seek of page Decide: which number, at which value, would bring a wanted total.

Tab What-if of page Decide: numbers tried, and the scenarios side by side.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from core.assembly.cases import Cases, cases_of, data_warnings, model_scores, prior_warnings
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.matrix import Matrix, decision_problem, matrix_of
from core.data import LoadedTable
from core.decisions import DecisionProblem, ModelScores
from core.decisions.advice.reading import read_rule
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
from core.decisions.sensitivity.goal_seek import goal_values
from core.decisions.sensitivity.what_if import Present, present_of, what_if
from core.decisions.ties import peak
from core.document.decisions.commands import SetParameter
from core.document.decisions.formulas import ResolvedCells, formula_at, written_cells
from core.document.decisions.matrix_model import NumberKind, NumberSetting, Scenario
from core.document.decisions.numbers import with_settings
from core.document.model import Document
from core.document.studies.moving_numbers import (
    GoalSeekResult,
    RuleChangeResult,
    ScenarioOutcome,
    TriedNumber,
    WhatIfResult,
)
from core.document.views import DECISION
from core.questions.decide import GoalSeek, RuleChange, WhatIf
from core.questions.needs import require_classes
from payoff.errors import PayoffError
from payoff.types import FloatArray
from payoff.vocabulary import ParameterKind

__all__ = [
    "NumbersGround",
    "ground_of",
    "has_moving_prior",
    "moving_numbers",
    "parameters_of",
    "resolved_cells",
    "tried_numbers",
]


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


def seek_goal(document: Document, question: GoalSeek, context: AssemblyContext) -> GoalSeekResult:
    """The nearest value of every number that brings a wanted total, and the model that would."""
    if not math.isfinite(question.total):
        raise PayoffError(
            f"A total of {question.total} cannot be wanted.",
            where="decide.goal_seek, total",
            remedy="Give an amount.",
        )
    inputs = moving_numbers(document, context)
    found = goal_values(
        inputs.problem,
        inputs.models,
        inputs.problem.sense * question.total,
        changes=inputs.changes,
        reference=inputs.reference,
        rows=inputs.rows,
        progress=context.progress,
    )
    present = without_lost_models(document, context)[0]
    return replace(
        found,
        resolved=resolved_cells(present, context),
        warnings=(*inputs.warnings, *found.warnings),
    )


def try_numbers(document: Document, question: WhatIf, context: AssemblyContext) -> WhatIfResult:
    """Every model's total now and with numbers at other values; the scenarios side by side."""
    started = time.perf_counter()
    document, lost = without_lost_models(document, context)
    ground = ground_of(document, context)
    present = _present(document, ground, context)
    numbers = tried_numbers(document, ground, context)
    changed = changed_document(document, question.settings, context)
    there = ground_of(changed, context)
    models = what_if(ground.problem, there.problem, ground.models, present=present)
    scenarios = []
    for scenario in document.scenarios:
        context.check()
        scenarios.append(_outcome(document, ground, scenario, numbers, present, context))
    warnings = (*lost, *data_warnings(document, ground.cases, context), *prior_warnings(document))
    return WhatIfResult(
        rows=ground.cases.note,
        numbers=numbers,
        models=models,
        rule_text=read_rule(there.problem).text,
        resolved=_resolved(document, question.settings, context),
        scenarios=tuple(scenarios),
        holds_fixed=models[0].remade.holds_fixed,
        seconds=time.perf_counter() - started,
        warnings=warnings,
    )


def compare_with_former(
    document: Document, question: RuleChange, context: AssemblyContext
) -> RuleChangeResult:
    """What the rules bring beside those of the former matrix and shares, case by case."""
    document, lost = without_lost_models(document, context)
    former = replace(document, matrix=question.matrix, priors=question.priors)
    before, now = ground_of(former, context), ground_of(document, context)
    present = _present(former, before, context)
    models = what_if(before.problem, now.problem, now.models, present=present)
    warnings = (*lost, *data_warnings(document, now.cases, context), *prior_warnings(document))
    return RuleChangeResult(
        rows=now.cases.note,
        models=models,
        holds_fixed=models[0].remade_change.holds_fixed,
        warnings=warnings,
    )


def _present(document: Document, ground: NumbersGround, context: AssemblyContext) -> Present:
    """Present decisions, from memory while only the numbers tried are others."""
    stays = DECISION.of(document)

    def make() -> tuple[Present, int]:
        present = present_of(ground.problem, ground.models)
        return present, present.size_bytes

    kept: Present = context.cache.get_or_make(("present decisions", ground.cases.key, stays), make)
    return kept


def changed_document(
    document: Document, settings: tuple[NumberSetting, ...], context: AssemblyContext
) -> Document:
    """The document with numbers at other values."""

    def resolve(at: Document) -> ResolvedCells:
        return resolved_cells(at, context)

    return with_settings(document, settings, resolve)


def _resolved(
    document: Document, settings: tuple[NumberSetting, ...], context: AssemblyContext
) -> ResolvedCells:
    """Cells with the parameters at their values, before single cells are changed."""
    parameters = tuple(s for s in settings if s.number.kind is NumberKind.PARAMETER)
    return resolved_cells(changed_document(document, parameters, context), context)


def _outcome(
    document: Document,
    ground: NumbersGround,
    scenario: Scenario,
    numbers: tuple[TriedNumber, ...],
    present: Present,
    context: AssemblyContext,
) -> ScenarioOutcome:
    """One scenario's totals; one that does not fit any more says why and costs nothing else."""
    changes = _scenario_changes(scenario, numbers)
    try:
        there = ground_of(changed_document(document, scenario.settings, context), context)
        models = what_if(ground.problem, there.problem, ground.models, present=present)
    except PayoffError as refusal:
        return ScenarioOutcome(name=scenario.name, changes=changes, refusal=str(refusal))
    now = models[peak(np.array([entry.now.value for entry in models]))]
    best = models[peak(np.array([entry.remade.value for entry in models]))]
    return ScenarioOutcome(
        name=scenario.name,
        changes=changes,
        kept_model=now.model,
        kept=now.kept.value,
        best_model=best.model,
        remade=best.remade.value,
    )


def _scenario_changes(
    scenario: Scenario, numbers: tuple[TriedNumber, ...]
) -> tuple[tuple[str, str, float, float], ...]:
    """Words, unit, present and tried value of each number of a scenario."""
    known = {entry.number: entry for entry in numbers}
    found = []
    for setting in scenario.settings:
        entry = known.get(setting.number)
        ref = setting.number
        words = ", ".join(part for part in (ref.name, ref.decision, ref.level) if part)
        found.append(
            (
                entry.name if entry else words,
                entry.unit if entry else "money",
                entry.now if entry else float("nan"),
                setting.value,
            )
        )
    return tuple(found)
