"""By column: metrics, totals and a curve in every group of cases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core import data
from core.assembly.cases import judged_cases
from core.assembly.compare.evaluating import (
    chosen_metrics,
    money_metrics,
    problem_of,
)
from core.assembly.context import AssemblyContext, table_of
from core.assembly.missing_models import without_lost_models
from core.assembly.plugin_calls import metric_calls
from core.assembly.threads import fair_threads
from core.document.model import Document
from core.document.results import ChartData, Curve, EvaluationResult
from core.document.studies.compare import (
    FEW_EVENTS,
    FEW_ROWS,
    MOST_GROUPS,
    Segment,
    SegmentCell,
    SegmentsResult,
)
from core.document.wording import join_words
from core.evaluation import AskedEvaluation, EvaluationProblem
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.segments import (
    Groups,
    groups_of_levels,
    groups_of_numbers,
    problem_of_group,
)
from core.questions.compare import CompareModels, Segments
from core.questions.needs import require_target
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import IntArray

CHART_DRAWS = 200


def judge_segments(
    document: Document, question: Segments, context: AssemblyContext
) -> SegmentsResult:
    """Every model on every metric, group by group; the whole beside them."""
    began = time.perf_counter()
    document, lost = without_lost_models(document, context)
    target = require_target(document)
    used = judged_cases(document, context)
    groups = _groups(document, question, used.rows, context)
    registry = context.registry
    requests, left_out = chosen_metrics(document, target, registry)
    known = {request.spec.id for request in requests}
    money = money_metrics(document, registry) if target.levels else ()
    requests += tuple(entry for entry in money if entry.spec.id not in known)
    plain = replace(document, charts=(), metrics=())
    asked = CompareModels(resamples=question.resamples)
    with fair_threads(context):
        problem = problem_of(plain, asked, used, requests, context)
        cases = JudgedCases(problem)
        segments, cells, charts = [], [], []
        for number, name in enumerate(groups.names):
            context.progress(number / (len(groups.names) + 1), f"Judging {name}")
            rows = np.flatnonzero(groups.codes == number)
            segment, result = _judge(problem, cases, rows, name, context)
            segments.append(segment)
            if result is not None:
                cells += [
                    SegmentCell(segment=name, model=c.model, metric=c.metric, estimate=c.estimate)
                    for c in result.cells
                ]
        context.progress(len(groups.names) / (len(groups.names) + 1), "Judging all rows")
        whole = AskedEvaluation(
            replace(problem, reference=document.reference_model),
            should_stop=context.should_stop,
            calling=metric_calls(context),
            with_charts=False,
        ).result
        model = document.reference_model or document.models[0].name
        if question.chart:
            charts = _chart_of(question.chart, problem, cases, groups, model, context)
    return SegmentsResult(
        rows=used.note,
        column=question.column,
        segments=tuple(segments),
        metrics=whole.metrics,
        cells=tuple(cells),
        whole=tuple(
            SegmentCell(segment="", model=c.model, metric=c.metric, estimate=c.estimate)
            for c in whole.cells
        ),
        chart=charts[0] if charts else None,
        model=model,
        metric=question.metric,
        warnings=(*lost, *left_out, *_warnings(groups, segments)),
        seconds=time.perf_counter() - began,
    )


def _groups(
    document: Document, question: Segments, rows: IntArray, context: AssemblyContext
) -> Groups:
    """The group of every row used."""
    table = table_of(document, context)
    summary = table.column_summary(question.column)
    is_number = summary.kind in ("integer", "number")
    if is_number and not 0 <= summary.distinct <= MOST_GROUPS:
        values = data.column_as_float(table, question.column, role="groups")[rows]
        if np.isnan(values).all():
            raise PayoffError(
                f"'{question.column}' is missing in all rows used.",
                remedy="Choose another column.",
            )
        return groups_of_numbers(values, question.groups)
    codes, levels = data.encode_levels(table, question.column)
    return groups_of_levels(codes[rows], levels, MOST_GROUPS)


def _judge(
    problem: EvaluationProblem,
    cases: JudgedCases,
    rows: IntArray,
    name: str,
    context: AssemblyContext,
) -> tuple[Segment, EvaluationResult | None]:
    """The figures of one group; None (and a note) where there are none."""
    events = int((cases.codes[rows] == 0).sum()) if cases.has_classes else 0
    try:
        parts = list(_evaluations(problem, cases, rows, context))
    except PayoffError as refusal:
        return Segment(name=name, rows=len(rows), events=events, note=str(refusal.what)), None
    result = replace(parts[0], cells=tuple(cell for part in parts for cell in part.cells))
    return Segment(name=name, rows=len(rows), events=events, note=_note(cases, rows)), result


def _evaluations(
    problem: EvaluationProblem, cases: JudgedCases, rows: IntArray, context: AssemblyContext
) -> Iterator[EvaluationResult]:
    """One evaluation of metrics that priors weigh, one of the statistics of fit."""
    sides = [(problem.metrics, True)]
    if cases.factor is not None:
        weighted = tuple(r for r in problem.metrics if BoundMetric(r).is_prior_weighted)
        plain = tuple(r for r in problem.metrics if not BoundMetric(r).is_prior_weighted)
        sides = [(side, place == 0) for place, side in enumerate((weighted, plain)) if side]
    for metrics, is_weighted in sides:
        part = problem_of_group(problem, cases, rows, metrics, is_prior_weighted=is_weighted)
        yield AskedEvaluation(
            part,
            should_stop=context.should_stop,
            calling=metric_calls(context),
            with_charts=False,
        ).result


def _note(cases: JudgedCases, rows: IntArray) -> str:
    """Why the figures of a group are rough."""
    if len(rows) < FEW_ROWS:
        return f"only {counted(len(rows), *cases.problem.case_word)}: rough"
    if cases.has_classes:
        counts = np.bincount(cases.codes[rows], minlength=cases.class_count)
        fewest = int(counts.argmin())
        if counts[fewest] < FEW_EVENTS:
            return f"only {counts[fewest]:,} with '{cases.levels[fewest]}': rough"
    return ""


def _chart_of(
    kind: str,
    problem: EvaluationProblem,
    cases: JudgedCases,
    groups: Groups,
    model: str,
    context: AssemblyContext,
) -> list[ChartData]:
    """One chart whose curves are the groups of one model."""
    curves: list[Curve] = []
    found: ChartData | None = None
    grey: list[Curve] | None = None
    alone = replace(
        problem,
        models=tuple(entry for entry in problem.models if entry.name == model),
        reference=model,
        charts=(kind,),
        resamples=CHART_DRAWS,
    )
    for number, name in enumerate(groups.names):
        rows = np.flatnonzero(groups.codes == number)
        try:
            part = problem_of_group(alone, cases, rows, (), is_prior_weighted=True)
            charts = AskedEvaluation(
                part, should_stop=context.should_stop, calling=metric_calls(context)
            ).result.charts
        except PayoffError:
            continue
        chart = next((entry for entry in charts if entry.kind == kind), None)
        if chart is not None:
            found = found or chart
            curves += [replace(c, name=name) for c in chart.curves if c.model and not c.name]
            here = [c for c in chart.curves if not c.model and c.name != "best possible"]
            grey = here if grey is None else [c for c in grey if _is_among(c, here)]
    if found is None or not curves:
        return []
    return [replace(found, curves=(*curves, *(grey or ())), notes=())]


def _is_among(line: Curve, others: list[Curve]) -> bool:
    """Whether a group has this grey line too: only what holds for all groups is drawn."""
    same = (o for o in others if o.name == line.name)
    return any(np.array_equal(o.x, line.x) and np.array_equal(o.y, line.y) for o in same)


def _warnings(groups: Groups, segments: list[Segment]) -> tuple[str, ...]:
    found = []
    number = len(groups.names)
    if number > 5:
        found.append(
            f"{counted(number, 'group')}: with so many, some differ from the whole by chance "
            "alone; of 95 % "
            "intervals one in twenty misses."
        )
    rough = [segment.name for segment in segments if segment.note]
    if rough:
        found.append(f"Small groups, whose figures are rough: {join_words(rough)}.")
    return tuple(found)
