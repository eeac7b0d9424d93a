"""``payoff.evaluate`` of data that are read in pieces: folders of parts, batches, ``memory=``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pyarrow as pa

from core.assembly.compare.evaluating import requested_metric
from core.assembly.context import AssemblyContext
from core.assembly.models.task import task_of
from core.assembly.pieces.compare import evaluate_pieces, stream_problem
from core.assembly.pieces.opened import Pieces
from core.data import printed
from core.document.data.expressions import column_names
from core.document.data.limits import EVALUATE, not_in_pieces
from core.document.data.model import DataRef
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.evaluation import MetricRequest
from core.scale.evaluation.evaluate import StreamedEvaluation
from core.scale.evaluation.problem import StreamProblem
from core.scale.reading import (
    OutcomeSummary,
)
from core.scale.sources import Source
from core.script.evaluate.calibration import rank_role
from core.script.evaluate.request import EvaluateRequest
from core.script.files.pieces import opened_pieces, outcome_levels, refuse_arguments
from core.script.metric_choices import metric_choices
from core.script.session import (
    MAX_CLASSES,
    check_class_count,
    check_task,
    document_of_roles,
    outcome_is_number,
    score_roles,
    target_of_counts,
)
from payoff.errors import PayoffError, no_such
from payoff.vocabulary import MetricForm


def evaluate_in_pieces(request: EvaluateRequest) -> StreamedEvaluation | pa.Table:
    """Read the data twice and sort their scores on disk; never more than memory allows is held.

    Small data are given back as one table, to be evaluated as any other: which way is taken
    depends on the number of rows alone, and never on the memory there is.

    Raises
    ------
    PayoffError
        For arguments that need all cases at once, with what would help; for data that cannot be
        read or judged, with file and row.
    """
    columns = _columns(request)
    with opened_pieces(request, columns) as pieces:
        if pieces.is_small:
            return pieces.as_table()
        refuse_arguments(request, EVALUATE)
        if not request.seconds > 0:
            raise PayoffError("seconds must be above 0.", where=f"seconds={request.seconds:g}")
        return evaluate_pieces(_problem(request, pieces), pieces)


def _columns(request: EvaluateRequest) -> tuple[str, ...]:
    """All columns that the request may read, as far as names alone tell."""
    found = [request.outcome, *_score_columns(request)]
    found += [name for name in (request.weight, request.cluster) if name is not None]
    found += column_names(request.rows) if request.rows else []
    for choice in metric_choices(request.metrics):
        found += [str(value) for _, value in choice.parameters if isinstance(value, str)]
    return tuple(dict.fromkeys(found))


def _score_columns(request: EvaluateRequest) -> list[str]:
    scores = request.scores
    if isinstance(scores, str):
        return [scores]
    if not isinstance(scores, Mapping):
        return [str(column) for column in scores]
    found: list[str] = []
    for columns in scores.values():
        own = columns.values() if hasattr(columns, "values") else [columns]
        found += [str(column) for column in own]
    return found


def _problem(request: EvaluateRequest, pieces: Pieces) -> StreamProblem:
    """What is asked, as the document of page Compare says it."""
    source, context = pieces.source, pieces.context
    outcome = outcome_levels(
        pieces, request.outcome, request.rows, request.missing_outcomes, MAX_CLASSES
    )
    target = _target(request, source, outcome)
    document = _document(request, source, target)
    level = target.event if request.event is not None and target.levels else None
    problem = stream_problem(
        document,
        pieces,
        outcome,
        level=level,
        resamples=request.resamples if request.intervals else 0,
        seconds=request.seconds,
    )
    _refuse_metrics(document, problem.metrics, context)
    return replace(problem, curves=(), notes=(), more_draws="Say seconds= for more.")


def _target(request: EvaluateRequest, source: Source, found: OutcomeSummary) -> TargetSpec:
    """The outcome, by the rules of tables in memory."""
    check_task(request.task)
    counts = found.levels()
    distinct = -1 if found.too_many else len(counts)
    is_number = dict(source.kinds)[request.outcome] in ("integer", "number")
    if outcome_is_number(request.task, is_number=is_number, distinct=distinct):
        return TargetSpec(column=request.outcome, kind="interval")
    check_class_count(request.outcome, MAX_CLASSES + 1 if found.too_many else len(counts))
    event = None if request.event is None else printed(request.event)
    return target_of_counts(request.outcome, counts, request.task, event)


def _document(request: EvaluateRequest, source: Source, target: TargetSpec) -> Document:
    """The document that a person would have made of the request."""
    roles = score_roles(target, request.scores)
    ranks = request.ranks or {}
    known = {entry.model for entry in roles}
    for name in ranks:
        if name not in known:
            raise no_such("score", name, sorted(filter(None, known)), where="ranks")
    roles = tuple(
        rank_role(entry.model or "", entry.column, ranks[entry.model or ""])
        if entry.model in ranks
        else entry
        for entry in roles
    )
    columns = tuple(name for name, _ in source.kinds)
    document = document_of_roles(
        DataRef(path=source.name, rows=source.rows, columns=columns),
        target,
        (RoleAssignment(column=target.column, role=Role.TARGET), *roles),
        request.rows,
        request.missing_outcomes,
    )
    return replace(document, metrics=metric_choices(request.metrics), seed=request.seed)


def _refuse_metrics(
    document: Document, metrics: tuple[MetricRequest, ...], context: AssemblyContext
) -> None:
    """Refuse where nothing that was asked for can be computed in pieces, or does not exist."""
    task = task_of(document)
    requested = [requested_metric(context.registry, choice, task) for choice in document.metrics]
    keys = {entry.key for entry in metrics}
    if requested and not any(entry.key in keys for entry in requested):
        raise PayoffError(
            "None of the metrics fits this outcome.",
            where="metrics",
            remedy="Leave metrics= out for the usual ones.",
        )
    if requested and all(entry.spec.form == MetricForm.GENERAL for entry in requested):
        names = ", ".join(entry.spec.label for entry in requested)
        raise not_in_pieces("general metrics", names)


__all__ = ["evaluate_in_pieces"]
