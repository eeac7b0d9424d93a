"""Definitions: figures as another tool has them, beside Payoff's."""

from __future__ import annotations

import time
from dataclasses import replace

from core.assembly.cases import judged_cases
from core.assembly.compare.evaluating import problem_of
from core.assembly.context import AssemblyContext
from core.assembly.missing_models import without_lost_models
from core.assembly.threads import fair_threads
from core.document.model import Document
from core.document.studies.compare import DefinitionsResult
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions.classes import definition_rows
from core.questions.compare import CompareModels, Definitions
from core.questions.needs import require_target


def compare_definitions(
    document: Document, question: Definitions, context: AssemblyContext
) -> DefinitionsResult:
    """Every figure that the tool names or computes in its own way."""
    began = time.perf_counter()
    document, _ = without_lost_models(document, context)
    require_target(document)
    used = judged_cases(document, context)
    plain = replace(document, charts=(), metrics=())
    asked = CompareModels(level=question.level, resamples=0)
    with fair_threads(context):
        context.progress(None, "Comparing definitions")
        cases = JudgedCases(problem_of(plain, asked, used, (), context))
        rows = definition_rows(cases, question.convention)
    return DefinitionsResult(
        convention=question.convention, rows=rows, seconds=time.perf_counter() - began
    )
