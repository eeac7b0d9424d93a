"""Tab Goal seek of page Decide: which number, at which value, would bring a wanted total."""

from __future__ import annotations

import math
from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.missing_models import without_lost_models
from core.assembly.numbers import moving_numbers, resolved_cells
from core.decisions.sensitivity.goal_seek import goal_values
from core.document.model import Document
from core.document.studies.moving_numbers import GoalSeekResult
from core.questions.decide import GoalSeek
from payoff.errors import PayoffError


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
