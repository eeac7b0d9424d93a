"""Tab What-if of page Decide: numbers tried, and the scenarios side by side."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from core.assembly.cases import data_warnings, prior_warnings
from core.assembly.context import AssemblyContext
from core.assembly.missing_models import without_lost_models
from core.assembly.numbers import NumbersGround, ground_of, resolved_cells, tried_numbers
from core.decisions.advice.reading import read_rule
from core.decisions.sensitivity.what_if import Present, present_of, what_if
from core.decisions.ties import peak
from core.document.decisions.formulas import ResolvedCells
from core.document.decisions.matrix_model import NumberKind, NumberSetting, Scenario
from core.document.decisions.numbers import with_settings
from core.document.model import Document
from core.document.studies.moving_numbers import (
    RuleChangeResult,
    ScenarioOutcome,
    TriedNumber,
    WhatIfResult,
)
from core.document.views import DECISION
from core.questions.decide import RuleChange, WhatIf
from payoff.errors import PayoffError


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
    changes = _changes(scenario, numbers)
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


def _changes(
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
