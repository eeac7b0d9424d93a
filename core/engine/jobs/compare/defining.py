"""The job behind "Definitions": figures as another tool has them, beside Payoff's."""

from __future__ import annotations

import time
from dataclasses import replace

from core.document.studies.definitions import DefinitionsArguments, DefinitionsResult
from core.engine.context import JobContext
from core.engine.jobs.assemble import judged_cases, require_target
from core.engine.jobs.compare.evaluating import problem_of
from core.engine.jobs.lost_models import without_lost_models
from core.engine.jobs.threads import fair_threads
from core.engine.messages import EvaluateArguments
from core.evaluation.cases import Cases
from core.evaluation.definitions.classes import definition_rows


def compare_definitions(arguments: DefinitionsArguments, context: JobContext) -> DefinitionsResult:
    """Every figure that the tool names or computes in its own way."""
    began = time.perf_counter()
    document, _ = without_lost_models(arguments.document, context)
    require_target(document)
    used = judged_cases(document, context)
    asked = EvaluateArguments(
        document=replace(document, charts=(), metrics=()), level=arguments.level, resamples=0
    )
    with fair_threads(context):
        context.progress(None, "Comparing definitions")
        rows = definition_rows(Cases(problem_of(asked, used, (), context)), arguments.convention)
    return DefinitionsResult(
        convention=arguments.convention, rows=rows, seconds=time.perf_counter() - began
    )
