"""Models left out of figures.

Models that cannot be read any more cost their own figures only: the others are judged.

Scores without chances in results: left out where order is not enough, read in their own points.

Inside, such a score stands as the share of cases below it; people see the score itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.bases import basis_of
from core.assembly.context import AssemblyContext
from core.assembly.matrix import matrix_of
from core.assembly.models.trained import boosted_model
from core.assembly.scores import rank_position_of
from core.data.values import no_predictions
from core.decisions import DecisionProblem
from core.decisions.passes.model_state import order_suffices, reason_why_not
from core.document.decisions.words import probabilities_sentence
from core.document.judging import is_risk_score
from core.document.model import Document
from core.document.results import (
    CursorReading,
    DecisionResult,
    EvaluationResult,
    ModelDepths,
    ModelProfit,
)
from core.questions.needs import named_classes
from payoff.errors import PayoffError


def without_effects(document: Document) -> Document:
    """The document without models of an effect: they predict no outcome (page Uplift judges)."""
    staying = document.outcome_models
    if len(staying) == len(document.models):
        return document
    return replace(document, models=staying, reference_model=document.outcome_reference or None)


def without_lost_models(
    document: Document, context: AssemblyContext
) -> tuple[Document, tuple[str, ...]]:
    """The document without models that cannot be read, and a warning for each of them.

    A trained model's file may be back for the next job: the result is then not kept. A score that
    was made for classes says nothing of a number.

    Raises
    ------
    PayoffError
        Of the first such model, where no model is left.
    """
    document = without_effects(document)
    lost: dict[str, PayoffError] = {}
    for entry in document.models:
        try:
            if entry.trained is not None:
                boosted_model(entry.trained, context)
            elif _only_ranks_classes(document, entry.name):
                raise no_predictions(entry.name)
        except PayoffError as refusal:
            lost[entry.name] = refusal
            context.is_kept = context.is_kept and entry.trained is None
    if not lost:
        return document, ()
    staying = tuple(entry for entry in document.models if entry.name not in lost)
    if not staying:
        raise next(iter(lost.values()))
    reference = document.reference_model
    if reference is None or reference in lost:
        reference = staying[0].name
    warnings = tuple(
        " ".join(part for part in (f"'{name}' is left out.", e.what, e.why, e.remedy) if part)
        for name, e in lost.items()
    )
    return replace(document, models=staying, reference_model=reference), warnings


def _only_ranks_classes(document: Document, model: str) -> bool:
    """Whether all that a model says of a number is a score that was made for classes."""
    return (
        document.target is not None
        and not document.target.levels
        and document.prediction_column(model) is None
        and basis_of(document, model) is None
        and not is_risk_score(document, model)
    )


def without_useless_scores(
    document: Document, context: AssemblyContext
) -> tuple[Document, tuple[str, ...]]:
    """The document without scores whose order says nothing under its matrix, and why.

    With several classes, more than two decisions or costs by case even the order of cases needs
    chances.

    Raises
    ------
    PayoffError
        If no model is left.
    """
    rankers = [entry.name for entry in document.models if document.is_rank_only(entry.name)]
    if not rankers or _order_suffices(document, context):
        return document, ()
    staying = tuple(entry for entry in document.models if entry.name not in rankers)
    why = "With this matrix even the order of cases needs chances."
    if not staying:
        raise PayoffError(
            reason_why_not(rankers[0]),
            why=why,
            remedy="Turn the score into chances on page Decide.",
        )
    reference = document.reference_model
    if reference is None or reference in rankers:
        reference = staying[0].name
    described = tuple(
        f"'{name}' is left out: it is a score without chances. {why}" for name in rankers
    )
    return replace(document, models=staying, reference_model=reference), described


def _order_suffices(document: Document, context: AssemblyContext) -> bool:
    target = named_classes(document)
    matrix = matrix_of(document, context)
    spec = matrix.spec
    if matrix.plugin.costs is not None or any(cost.column for cost in spec.costs):
        return False
    if matrix.shares is not None:  # the amount counts beside the score
        return False
    amounts = np.array([cost.amount for cost in spec.costs]) if spec.costs else None
    problem = DecisionProblem(
        levels=target.levels,
        decisions=spec.decisions,
        cells=matrix.cells,
        kind=spec.kind,
        cost_amounts=amounts,
        acting=spec.acting,
        do_nothing=spec.do_nothing,
    )
    return order_suffices(problem)


def require_probabilities(document: Document, model: str) -> None:
    """Refuse a rule by a score that has no chances."""
    if document.is_rank_only(model):
        raise PayoffError(
            reason_why_not(model),
            remedy="Turn the score into chances on page Decide, or act on the best so many.",
        )


# ---------------------------------------------------------------- in points


def in_points(
    result: DecisionResult, document: Document, context: AssemblyContext
) -> DecisionResult:
    """Thresholds of scores without chances in their own points."""

    def shown(profit: ModelProfit) -> ModelProfit:
        if profit.has_probabilities:
            return profit
        standing = rank_position_of(document, profit.model, context)
        return replace(profit, threshold=standing.score(profit.threshold))

    at_rest = result.at_rest and reading_in_points(result.at_rest, document, context)
    return replace(result, models=tuple(shown(entry) for entry in result.models), at_rest=at_rest)


def reading_in_points(
    reading: CursorReading, document: Document, context: AssemblyContext
) -> CursorReading:
    """The same for exact values at a depth."""
    threshold = reading.threshold.copy()
    for place, model in enumerate(reading.models):
        if document.is_rank_only(model):
            here = rank_position_of(document, model, context)
            threshold[place] = here.score(threshold[place : place + 1])[0]
    return replace(reading, threshold=threshold)


def depths_in_points(
    result: EvaluationResult, document: Document, context: AssemblyContext
) -> EvaluationResult:
    """The same for the rankings of page Compare; risks are judged by their own points."""

    def shown(depths: ModelDepths) -> ModelDepths:
        if not document.is_rank_only(depths.model):
            return depths
        if is_risk_score(document, depths.model):
            sign = -1.0 if document.is_score_reversed(depths.model) else 1.0
            return replace(depths, threshold=sign * depths.threshold, has_probabilities=False)
        standing = rank_position_of(document, depths.model, context)
        return replace(depths, threshold=standing.score(depths.threshold), has_probabilities=False)

    return replace(result, depths=tuple(shown(entry) for entry in result.depths))


def named_probabilities(result: EvaluationResult, document: Document) -> EvaluationResult:
    """Every chart says which models' chances were fitted to their scores, and how."""
    described = [
        probabilities_sentence(entry, document.rows_used, document.data_hash)
        for entry in document.models
        if entry.calibration is not None
    ]
    if not described:
        return result
    return replace(
        result,
        charts=tuple(
            replace(chart, definition=" ".join([chart.definition, *described]))
            for chart in result.charts
        ),
    )
