"""Page Compare of data that are read in pieces: from a document to the evaluation of all rows."""

from __future__ import annotations

from core.assembly.compare.evaluating import chosen_metrics, served_curves
from core.assembly.context import AssemblyContext
from core.assembly.models.task import inputs_served, task_of
from core.assembly.pieces.look import outcome_of_document, pieces_of_document
from core.assembly.pieces.opened import Pieces
from core.assembly.running import metric_calls
from core.document.data.limits import not_in_pieces
from core.document.model import Document, Role
from core.document.results import EvaluationResult
from core.questions.compare import CompareModels
from core.questions.needs import require_target
from core.scale.evaluation.evaluate import StreamedEvaluation
from core.scale.evaluation.problem import StreamProblem
from core.scale.evaluation.run import StreamedRun
from core.scale.reading import (
    OutcomeSummary,
    reading_of,
    refuse_drawn_rows,
    refuse_full_posteriors,
    refuse_unknown_outcomes,
    with_event,
)
from payoff.class_order import are_numbers, own_order

SECONDS = 120.0
"""What draws may take: fewer are made where they would take longer, and the answer says so."""


def stream_problem(
    document: Document,
    pieces: Pieces,
    outcome: OutcomeSummary,
    *,
    level: str | None,
    resamples: int,
    seconds: float = SECONDS,
) -> StreamProblem:
    """What is to be evaluated of a source, as the document of page Compare says it.

    Parameters
    ----------
    outcome : OutcomeSummary
        Of all rows.
    level : str or None
        The level that counts as the event; None: the first.

    Raises
    ------
    PayoffError
        For rows without an outcome, and models that pieces of data do not serve.
    """
    target = require_target(document)
    refuse_unknown_outcomes(outcome, document)
    refuse_full_posteriors(document)
    task = task_of(document)
    inputs, registry = inputs_served(task), pieces.context.registry
    metrics, left_out = chosen_metrics(document, target, registry, task, inputs)
    source = pieces.source
    known = dict(source.kinds)
    additional = {name for entry in metrics for name in entry.columns.values() if name in known}
    reading = reading_of(document, source, tuple(sorted(additional)))
    return StreamProblem(
        source=source,
        document=document,
        reading=with_event(reading, level),
        metrics=metrics,
        curves=served_curves(registry, task, inputs),
        kind=target.kind if target.levels else task.value,
        levels=target.levels,
        class_order=own_order(target.levels) if are_numbers(target.levels) else (),
        labels=target.labels,
        level=level,
        resamples=resamples,
        seconds=seconds,
        budget=pieces.budget,
        scratch=pieces.folder,
        notes=(*left_out, *pieces.notes),
    )


def evaluate_parts(
    document: Document, question: CompareModels, context: AssemblyContext
) -> EvaluationResult:
    """Evaluate all models on all rows; a partial result without resampled intervals comes first.

    Raises
    ------
    PayoffError
        For what is made of all cases at once, with what would help.
    """
    _refuse_whole(document, question)
    with pieces_of_document(document, context, f"{question!r} {document!r}") as pieces:
        outcome = outcome_of_document(document, pieces, context)
        problem = stream_problem(
            document, pieces, outcome, level=question.level, resamples=question.resamples
        )
        return evaluate_pieces(problem, pieces).result


def evaluate_pieces(problem: StreamProblem, pieces: Pieces) -> StreamedEvaluation:
    """Evaluate what is read in pieces, telling how far it is.

    Raises
    ------
    PayoffError
        For rows that cannot be read or judged.
    """
    context = pieces.context
    run = StreamedRun(
        problem,
        pieces.runner,
        progress=pieces.tell,
        should_stop=context.should_stop,
        calling=metric_calls(context),
    )
    return StreamedEvaluation(run)


def _refuse_whole(document: Document, question: CompareModels) -> None:
    """Refuse what is made of all cases at once."""
    refuse_drawn_rows(document)
    refuse_models_of_the_program(document)
    weight = document.column_of(Role.WEIGHT)
    if weight is not None or document.priors is not None:
        raise not_in_pieces("weighted metrics")
    if question.columns or question.further:
        raise not_in_pieces("further columns")


def refuse_models_of_the_program(document: Document) -> None:
    """Refuse models that score here: of data in pieces scores are read, not made.

    Raises
    ------
    PayoffError
    """
    for entry in document.models:
        if entry.trained is not None:
            raise not_in_pieces("own models", f"the model '{entry.name}', which scores here")


__all__ = ["evaluate_parts", "refuse_models_of_the_program", "stream_problem"]
