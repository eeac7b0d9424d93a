"""Studies of rows on page Compare: metrics by column, and two sets of rows beside each other.

By column: metrics, totals and a curve in every group of cases.

Shift: scores and inputs of two sets of rows beside each other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.cases import judged_cases, predictions_of
from core.assembly.compare.evaluating import (
    chosen_metrics,
    money_metrics,
    problem_of,
)
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.models.trained import training_rows
from core.assembly.running import fair_threads, metric_calls
from core.assembly.scores import posteriors_of
from core.data import LoadedTable
from core.decisions.studies.shift import MeasuredShift, shift_of_levels, shift_of_numbers
from core.document.model import Document, Role, TrainedModel
from core.document.results import ChartData, Curve, EvaluationResult
from core.document.studies.compare import (
    FEW_EVENTS,
    FEW_ROWS,
    MOST_GROUPS,
    ColumnShift,
    Segment,
    SegmentCell,
    SegmentsResult,
    ShiftResult,
    ShiftSide,
)
from core.document.wording import format_share, join_words
from core.evaluation import EvaluationProblem, EvaluationRequest
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.segments import (
    Groups,
    groups_of_levels,
    groups_of_numbers,
    problem_of_group,
)
from core.questions.compare import CompareModels, Segments, Shift
from core.questions.needs import named_target, require_target
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray

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
    requested = CompareModels(resamples=question.resamples)
    with fair_threads(context):
        problem = problem_of(plain, requested, used, requests, context)
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
        whole = EvaluationRequest(
            replace(problem, reference=document.reference_model),
            should_stop=context.should_stop,
            calling=metric_calls(context),
            with_charts=False,
        ).result
        model = document.outcome_reference
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
        yield EvaluationRequest(
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
            charts = EvaluationRequest(
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


FEW_VALUES = 12  # a number with no more values is compared value by value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """Rows of a table with their weights; ``is_own``: of the project's own data."""

    table: LoadedTable
    rows: IntArray
    weight: FloatArray
    text: str
    is_own: bool


def compare_populations(
    document: Document, question: Shift, context: AssemblyContext
) -> ShiftResult:
    """The index of every score and input that both sides have."""
    began = time.perf_counter()
    then, now = (_side(document, side, context) for side in (question.then, question.now))
    found: list[ColumnShift] = []
    left_out: list[str] = []
    for entry in document.models:
        context.check()
        try:
            first, second = (_scores(document, entry.name, side, context) for side in (then, now))
        except PayoffError:
            left_out.append(f"score of {entry.name}")
            continue
        shift = shift_of_numbers(first, second, then.weight, now.weight)
        if shift is not None:
            found.append(_column(entry.name, shift, is_score=True))
    names = inputs_of(document)
    for number, name in enumerate(names):
        context.progress(number / max(1, len(names)), f"Comparing {name}")
        if name not in then.table.kinds or name not in now.table.kinds:
            left_out.append(name)
            continue
        shift = _input_shift(name, then, now)
        if shift is not None:
            found.append(_column(name, shift, is_score=False))
    ordered = sorted(found, key=lambda entry: (not entry.is_score, -entry.index))
    names = tuple(entry.name for entry in ordered)
    if question.column and question.column not in names:
        raise no_such("score or input in both", question.column, names)
    return ShiftResult(
        then_text=then.text,
        now_text=now.text,
        then_rows=len(then.rows),
        now_rows=len(now.rows),
        columns=tuple(ordered),
        left_out=tuple(left_out),
        warnings=tuple(_seen_words(document, (then, now))),
        drawn=question.column,
        seconds=time.perf_counter() - began,
    )


def inputs_of(document: Document) -> tuple[str, ...]:
    """Columns that models learn from, or could: inputs by role, then those of trained models."""
    names = list(document.columns_of(Role.INPUT))
    for entry in document.models:
        for name in entry.trained.features if entry.trained is not None else ():
            if name not in names:
                names.append(name)
    return tuple(names)


def _side(document: Document, side: ShiftSide, context: AssemblyContext) -> _Side:
    if side.path:
        table = context.tables.read(side.path, side.reader, context)
        rows = np.arange(table.rows, dtype=np.int64)
        name = side.path.replace("\\", "/").rsplit("/", 1)[-1]
        text = f"{name}, {counted(table.rows, 'row')}"
    else:
        table = table_of(document, context)
        rows, note = data.usable_rows(table, document, side.use)
        text = note.text
    weight = np.ones(len(rows))
    if document.column_of(Role.WEIGHT) in table.kinds:
        given = data.frequency(table, document)
        weight = weight if given is None else given[rows]
    return _Side(table=table, rows=rows, weight=weight, text=text, is_own=not side.path)


def _scores(document: Document, model: str, side: _Side, context: AssemblyContext) -> FloatArray:
    """A model's chance of the event, or its prediction, over the rows of a side."""
    if named_target(document).levels:
        probabilities: FloatArray = posteriors_of(side.table, document, model, context)[0]
        return probabilities[side.rows]
    return predictions_of(side.table, document, model, context)[side.rows]


def _seen_words(document: Document, sides: tuple[_Side, _Side]) -> Iterator[str]:
    """Models whose scores shift because they learned from more of one side than of the other."""
    for entry in document.models:
        if entry.trained is None:
            continue
        seen = [_share_seen(document, entry.trained, side) for side in sides]
        if seen[0] == seen[1]:
            continue
        how = "by models of its folds" if entry.trained.has_folds else "nearer to what happened"
        yield (
            f"{entry.name} learned from {format_share(seen[0])} of the rows then and "
            f"{format_share(seen[1])} of those now. Rows that trained it are scored {how}, so that "
            "its score shifts even where the cases are alike."
        )


def _share_seen(document: Document, trained: TrainedModel, side: _Side) -> float:
    """The share of a side's rows that trained a model."""
    if not side.is_own or not len(side.rows):
        return 0.0
    return float(np.isin(side.rows, training_rows(side.table, document, trained)).mean())


def _input_shift(name: str, then: _Side, now: _Side) -> MeasuredShift | None:
    kinds = {side.table.kinds[name] for side in (then, now)}
    distinct = then.table.column_summary(name).distinct
    if kinds <= {"integer", "number"} and not 0 <= distinct <= FEW_VALUES:
        first, second = (
            data.column_as_float(side.table, name, role="input")[side.rows] for side in (then, now)
        )
        return shift_of_numbers(first, second, then.weight, now.weight)
    (codes, levels), (others, other_levels) = (
        data.encode_levels(side.table, name) for side in (then, now)
    )
    return shift_of_levels(
        (codes[then.rows], levels), (others[now.rows], other_levels), then.weight, now.weight
    )


def _column(name: str, shift: MeasuredShift, *, is_score: bool) -> ColumnShift:
    return ColumnShift(
        name=name,
        is_score=is_score,
        index=shift.found.index,
        noise=shift.found.noise,
        verdict=shift.found.verdict,
        bins=shift.bins,
        then=shift.then,
        now=shift.now,
    )
