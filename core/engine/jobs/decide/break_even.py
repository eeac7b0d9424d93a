"""The job behind tab Break-even of page Decide."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.cases import data_warnings, prior_warnings
from core.assembly.missing_models import without_lost_models
from core.assembly.numbers import changes_of_document, ground_of
from core.assembly.threads import fair_threads
from core.decisions.moving.break_even import break_even
from core.document.studies.break_even import BreakEvenArguments, BreakEvenResult
from core.engine.context import JobContext


def find_break_even(arguments: BreakEvenArguments, context: JobContext) -> BreakEvenResult:
    """The value of every number at which rule, best model or the worth of the project changes."""
    with fair_threads(context):
        context.progress(None, "Reading cases")
        document, lost = without_lost_models(arguments.document, context)
        ground = ground_of(document, context)
        changes, warnings = changes_of_document(document, ground, context)
        result = break_even(
            ground.problem,
            ground.models,
            changes=tuple(change for _number, change in changes),
            reference=document.reference_model,
            is_kept=arguments.is_kept,
            rows=ground.cases.note,
            progress=context.progress,
        )
    first = (*lost, *data_warnings(document, ground.cases, context), *prior_warnings(document))
    return replace(result, warnings=(*first, *result.warnings, *warnings))
