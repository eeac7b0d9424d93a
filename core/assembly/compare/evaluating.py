"""Page Compare: every model on every metric, with intervals and charts.

Charts of page Compare that need the decision matrix: return on what is spent.

Rows that a model has seen before it is judged on them, and under what results compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from core import data
from core.assembly.analysis import analysis_of
from core.assembly.cases import (
    Cases,
    data_warnings,
    judged_cases,
    model_scores,
    old_prior_array,
    prior_array,
    prior_warnings,
)
from core.assembly.compare.own_probabilities import with_own_probabilities
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import depths_in_points, named_probabilities, without_lost_models
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.spread import quantile_roles
from core.assembly.models.task import (
    additional_columns,
    as_risk,
    check_intervals,
    inputs_served,
    judging_columns,
    named_columns,
    task_of,
    task_of_columns,
    time_warnings,
)
from core.assembly.models.trained import stopping_rows, training_rows
from core.assembly.running import fair_threads, metric_calls
from core.data import LoadedTable, rows_identity
from core.decisions import adjust_posteriors, decide_cases
from core.decisions.depths.chart import roi_by_depth
from core.decisions.limits.frontier import uses_of
from core.decisions.passes.case_values import values_of
from core.document.compare.chart_kinds import CHART_KINDS, chart_kind, charts_shown
from core.document.compare.words import use_words
from core.document.data.model import RowUse
from core.document.judging import guide_of
from core.document.model import Document, MetricChoice, ModelSpec, Role, TargetSpec, TrainedModel
from core.document.results import (
    ChartData,
    CodedWarning,
    Conditions,
    Curve,
    EvaluationResult,
    SeenRows,
    WarningCode,
)
from core.document.studies.compare import RowSetsResult, money_figures
from core.document.wording import join_words
from core.evaluation import EvaluationProblem, EvaluationRequest, JudgedScores, MetricRequest
from core.evaluation.naming import find_metric, metric_request
from core.extensions import Registry
from core.questions.compare import CompareModels, RowSets
from core.questions.needs import require_target
from payoff.errors import PayoffError, nearest
from payoff.parameters import resolve_parameters
from payoff.specs import EvaluationMetric
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import COLUMN_ROLE, Input, Task

POINTS = 401
ROI_TEXT = (
    "What acting on the best share x of the cases brings beyond their best other decision, over "
    "what it costs ({reason}). 0 = it just pays back, 1 = every unit of money comes back twice. "
    "Bands: pointwise 95 % of the ratio."
)


def roi_chart(document: Document, context: AssemblyContext) -> ChartData:
    """Return on what is spent by depth, of every model that says chances."""
    curves, notes, reason = [], [], "costs of the decisions"
    sayers = document.without_rankers()
    grid = np.linspace(0.0, 1.0, POINTS)
    if sayers.models:
        state = analysis_of(sayers, context).state
        for model in state.models:
            context.check()
            values = values_of(state, model)
            uses = uses_of(state.problem, values)
            reason = uses.reason
            curve = roi_by_depth(values, uses, grid)
            if curve is None:
                notes.append(f"{model.scores.name}: nothing is spent, so there is no return on it.")
                continue
            curves.append(
                Curve(
                    model=model.scores.name,
                    x=curve.depth,
                    y=curve.value,
                    low=curve.low,
                    high=curve.high,
                )
            )
    curves.append(Curve(model="", name="pays back", x=np.array([0.0, 1.0]), y=np.zeros(2)))
    return ChartData(
        kind="roi",
        curves=tuple(curves),
        definition=ROI_TEXT.format(reason=reason),
        variant="of acting on the best",
        notes=tuple(notes),
    )


def seen_rows(document: Document, cases: Cases, context: AssemblyContext) -> tuple[SeenRows, ...]:
    """What each model has seen of the rows used, the most flattering first."""
    found: list[SeenRows] = []
    for entry in document.models:
        found += _of_model(document, entry, cases, context)
    return tuple(found)


def _of_model(
    document: Document, entry: ModelSpec, cases: Cases, context: AssemblyContext
) -> list[SeenRows]:
    name, found = entry.name, []
    if entry.trained is not None:
        found += _of_training(document, entry.trained, cases, context)
    choice = document.choice
    if (
        choice is not None
        and choice.model == name
        and choice.rows_used is document.rows_used
        and choice.data_hash == document.data_hash
    ):
        found.append(SeenRows(model=name, how="chosen", rows=len(cases.rows)))
    probabilities = entry.calibration
    if probabilities is not None and probabilities.data_hash == document.data_hash:
        fitted = data.rows_with_use(table_of(document, context), document, (probabilities.rows,))
        both = len(np.intersect1d(fitted, cases.rows))
        if both:
            found.append(SeenRows(model=name, how="fitted", rows=both))
    return found


def _of_training(
    document: Document, trained: TrainedModel, cases: Cases, context: AssemblyContext
) -> list[SeenRows]:
    table, found = table_of(document, context), []
    trained_on = len(np.intersect1d(training_rows(table, document, trained), cases.rows))
    if trained_on:
        how = "folds" if trained.has_folds else "trained"
        found.append(SeenRows(model=trained.name, how=how, rows=trained_on))
    stopped_on = len(np.intersect1d(stopping_rows(table, document, trained), cases.rows))
    if stopped_on:
        found.append(SeenRows(model=trained.name, how="stopped", rows=stopped_on))
    return found


_HOW = {"trained": "trained here", "stopped": "stopped here", "chosen": "chosen here"}


def favoured_words(document: Document, seen: tuple[SeenRows, ...]) -> str:
    """Which models the rows favour over which others; empty where they favour none.

    Where every model is flattered in the same way, nobody is favoured, but all are flattered.
    """
    by_model: dict[str, list[str]] = {}
    for entry in seen:
        if entry.is_flattering:
            by_model.setdefault(entry.model, []).append(_HOW[entry.how])
    if not by_model:
        return ""
    described = [f"{model} ({join_words(how)})" for model, how in by_model.items()]
    others = [entry.name for entry in document.models if entry.name not in by_model]
    text = f"These rows flatter {join_words(described)}"
    if others:
        return f"{text}: favoured over {join_words(others)}. Test rows favour none."
    if len(by_model) > 1 and len({tuple(how) for how in by_model.values()}) == 1:
        return f"{text}: all alike, so the order may stand, but every figure promises too much."
    return f"{text}: every figure promises too much. Test rows do not."


def judging_conditions(document: Document, cases: Cases, level: str) -> Conditions:
    """Under what an evaluation of these cases stands."""
    return Conditions(
        data_hash=document.data_hash,
        rows=f"all {cases.count}" if cases.taken is None else rows_identity(cases.taken),
        weight=document.column_of(Role.WEIGHT) or "",
        priors=document.priors or (),
        seed=document.seed,
        level=level,
    )


_Choice = tuple[str, tuple[tuple[str, Any], ...]]


def evaluate_models(
    document: Document, question: CompareModels, context: AssemblyContext
) -> EvaluationResult:
    """Evaluate all models; a partial result without resampled intervals comes first."""
    return evaluation_of(document, question, context)[1]


def judge_row_sets(
    document: Document, question: RowSets, context: AssemblyContext
) -> RowSetsResult:
    """Evaluate all models on both sets of rows; the same set is evaluated once."""
    uses = (question.first, question.second)
    requested = CompareModels(level=question.level, resamples=question.resamples)

    def judged(place: int, use: RowUse) -> EvaluationResult:
        def tell(fraction: float, stage: str, _partial: EvaluationResult | None) -> None:
            context.progress((place + fraction) / 2, stage)

        on_use = replace(document, rows_used=use)
        return evaluation_of(on_use, requested, context, with_charts=False, progress=tell)[1]

    found = {use: judged(place, use) for place, use in enumerate(dict.fromkeys(uses))}
    names = (use_words(uses[0], document), use_words(uses[1], document))
    return RowSetsResult(names=names, first=found[uses[0]], second=found[uses[1]])


def evaluation_of(
    document: Document,
    question: CompareModels,
    context: AssemblyContext,
    *,
    with_charts: bool = True,
    progress: Callable[[float, str, EvaluationResult | None], None] | None = None,
) -> tuple[EvaluationRequest, EvaluationResult]:
    """The evaluation, which scripts ask for full curves and more pairs, and its result.

    Without charts every figure is the same to the last bit. ``progress`` is told how far it is in
    place of the context, where it is part of other work.

    A metric that is not there (its plugin is off or quarantined) or does not fit is left out with
    a warning; the rest is computed all the same.
    """
    document, lost = without_lost_models(document, context)
    target = require_target(document)
    cases = judged_cases(document, context)
    registry = context.registry
    task = task_of_columns(document, dict(question.columns))
    inputs = inputs_served(task, has_quantiles=_has_quantiles(question, cases))
    metrics, left_out = chosen_metrics(document, target, registry, task, inputs)
    problem = problem_of(document, question, cases, metrics, context)
    described = (*data_warnings(document, cases, context), *prior_warnings(document))
    described += time_warnings(problem)
    table = table_of(document, context)
    problem, unsure = with_own_probabilities(problem, document, table, cases.rows, context)
    described += unsure
    first = (*lost, *described, *left_out, *charts_left_out(document, registry, task))
    seen = seen_rows(document, cases, context)
    money, refused = _money_charts(document, context)

    def with_first(result: EvaluationResult) -> EvaluationResult:
        shown = replace(
            result,
            warnings=(*first, *refused, *result.warnings),
            charts=(*result.charts, *money),
            seen=seen,
            favoured=favoured_words(document, seen),
            conditions=judging_conditions(document, cases, result.level),
        )
        return named_probabilities(depths_in_points(shown, document, context), document)

    def tell(fraction: float, stage: str, partial: EvaluationResult | None) -> None:
        (progress or context.progress)(fraction, stage, with_first(partial) if partial else None)

    with fair_threads(context):
        evaluation = EvaluationRequest(
            problem,
            progress=tell,
            should_stop=context.should_stop,
            calling=metric_calls(context),
            with_charts=with_charts,
        )
    return evaluation, with_first(evaluation.result)


def _has_quantiles(question: CompareModels, cases: Cases) -> bool:
    """Whether a model predicts several quantiles: columns that a script names, or its own."""
    return bool(question.further or cases.spreads)


def _money_charts(
    document: Document, context: AssemblyContext
) -> tuple[tuple[ChartData, ...], tuple[str, ...]]:
    """Charts that need the matrix, and why one could not be drawn."""
    if "roi" not in document.charts or document.matrix is None or document.target is None:
        return (), ()
    if not document.target.levels:
        return (), ()
    try:
        return (roi_chart(document, context),), ()
    except PayoffError as refusal:
        return (), (f"The chart of the return on what is spent is left out: {refusal}",)


def chosen_metrics(
    document: Document,
    target: TargetSpec,
    registry: Registry,
    task: Task | None = None,
    inputs: frozenset[Input] | None = None,
) -> tuple[tuple[MetricRequest, ...], tuple[str, ...]]:
    """The metrics of the table, and a warning for each that is left out."""
    task = task or task_of(document)
    inputs = inputs if inputs is not None else inputs_served(task)
    requests: dict[str, MetricRequest] = {}
    unknown: list[str] = []
    unfit: list[str] = []
    for choice in document.metrics:
        try:
            request = requested_metric(registry, choice, task)
        except PayoffError as missing:
            unknown.append(_left_out(choice, missing))
            continue
        if _fits(request.spec, document, target, task, inputs):
            requests.setdefault(request.key, request)
        else:
            words = (
                f"The metric '{request.spec.label}' is left out: it does not fit this outcome, or "
                "needs columns or a decision matrix that are not there."
            )
            unfit.append(CodedWarning(words, WarningCode.METRIC_LEFT_OUT, request.key))
    if unknown and not requests:
        raise PayoffError("No metric is left to show.", why=" ".join((*unknown, *unfit)))
    if not requests:
        requests = {
            request.key: request
            for request in _usual_requests(document, registry, task)
            if _fits(request.spec, document, target, task, inputs)
        }
    return tuple(requests.values()), (*unknown, *unfit)


def money_metrics(document: Document, registry: Registry) -> tuple[MetricRequest, ...]:
    """Total and average profit (or loss) by the rule, beside the chosen; none without a matrix."""
    served = {spec.id: spec for spec in registry.metrics()}
    wanted = money_figures(document) if document.matrix is not None else ()
    return tuple(MetricRequest(spec=served[name]) for name in wanted if name in served)


def _left_out(choice: MetricChoice, missing: PayoffError) -> str:
    reason = missing.why or ("" if missing.where else "No plugin offers it.")
    what = missing.what if missing.where else ""
    parts = (f"The metric '{choice.metric}' is left out.", what, reason, missing.remedy)
    words = " ".join(part for part in parts if part)
    return CodedWarning(words, WarningCode.METRIC_LEFT_OUT, choice.metric)


def requested_metric(registry: Registry, choice: MetricChoice, task: Task | None) -> MetricRequest:
    """A chosen metric with its parameters, checked.

    Raises
    ------
    PayoffError
        Where no plugin that is on offers it, or a parameter is not possible.
    """
    if find_metric(registry.metrics(), choice.metric, task) is None:
        refusal = registry.why_missing(choice.metric)
        if refusal:
            raise PayoffError(f"There is no metric '{choice.metric}'.", why=refusal)
    return metric_request(registry.metrics(), choice.metric, choice.parameters, task)


def served_curves(
    registry: Registry, task: Task, inputs: frozenset[Input]
) -> tuple[MetricRequest, ...]:
    """The curve plugins that fit a task and the columns there are."""
    return tuple(
        MetricRequest(spec=spec)
        for spec in registry.curves()
        if task in spec.tasks and set(spec.inputs) <= inputs
    )


def charts_left_out(document: Document, registry: Registry, task: Task) -> tuple[str, ...]:
    """A warning for each curve of a plugin that was chosen and cannot be drawn."""
    curves = {spec.id: spec for spec in registry.curves()}
    found = []
    for kind in document.charts:
        if chart_kind(kind) is not None:
            continue
        if kind not in curves:
            near = ", ".join(nearest(kind, [*curves, *(entry.kind for entry in CHART_KINDS)]))
            why = registry.why_missing(kind) or (f"Nearest: {near}." if near else "")
            words = f"The chart '{kind}' is left out: no plugin that is on offers it."
            found.append(f"{words} {why}".rstrip())
        elif task not in curves[kind].tasks:
            found.append(
                f"The chart '{curves[kind].label}' is left out: it does not fit this outcome."
            )
    return tuple(found)


def _usual_requests(
    document: Document, registry: Registry, task: Task
) -> tuple[MetricRequest, ...]:
    """The usual metrics of a task: columns of the table until the user chooses, as far as served.

    Money stands beside them on the page, at the cursor.
    """
    served = {spec.id: spec for spec in registry.metrics()}
    return tuple(
        MetricRequest(spec=served[name], parameters=parameters)
        for name, parameters in _usual(document, registry, task)
        if name in served
    )


def _usual(document: Document, registry: Registry, task: Task) -> list[_Choice]:
    """Ids and parameters of the usual metrics; of a ranking first what it was trained for."""
    names: list[_Choice] = [(spec.id, ()) for spec in usual_metrics(registry, task)]
    if task is Task.REGRESSION:
        return [*names, *_own_deviances(document, registry, names)]
    trained = (entry.trained for entry in document.models if entry.trained is not None)
    in_lists = next((entry for entry in trained if entry.group), None)
    if task is not Task.RANKING or in_lists is None:
        return names
    first = _judging_metric(in_lists, registry)
    return names if first is None else [first, *(entry for entry in names if entry[0] != first[0])]


def usual_metrics(registry: Registry, task: Task) -> tuple[EvaluationMetric, ...]:
    """Return the metrics that stand in the table of a task until the user chooses."""
    return tuple(spec for spec in registry.metrics() if task in spec.usual_for)


def _judging_metric(trained: TrainedModel, registry: Registry) -> _Choice | None:
    """Return the metric that a model's loss names as what it is trained for."""
    losses = {spec.id: spec for spec in registry.distributions()}
    spec = losses.get(trained.distribution)  # a third party's runs in another engine
    if spec is None or spec.judged_by is None:
        return None
    values = resolve_parameters(spec.parameters, dict(trained.distribution_params))
    metric, parameters = spec.judged_by(values)
    return metric, tuple(parameters.items())


def _own_deviances(
    document: Document, registry: Registry, names: Sequence[_Choice]
) -> list[_Choice]:
    """Return what trained models of a number were fitted by and the table does not say."""
    found: list[_Choice] = []
    for entry in document.models:
        trained = entry.trained
        if trained is None:
            continue
        choice = _judging_metric(trained, registry) or (
            f"{trained.distribution}_deviance",
            trained.distribution_params,
        )
        if choice not in (*names, *found):
            found.append(choice)
    return found


def _fits(
    spec: EvaluationMetric,
    document: Document,
    target: TargetSpec,
    task: Task,
    inputs: frozenset[Input],
) -> bool:
    needed = set(spec.inputs)
    if Input.CONSEQUENCES in needed and (document.matrix is None or not target.levels):
        return False
    return task in set(spec.tasks) and needed <= {*inputs, Input.CONSEQUENCES}


def problem_of(
    document: Document,
    question: CompareModels,
    cases: Cases,
    metrics: tuple[MetricRequest, ...],
    context: AssemblyContext,
) -> EvaluationProblem:
    """The rows used as arrays, with what the metrics need of each model."""
    target = require_target(document)
    needs_money = any(Input.CONSEQUENCES in request.spec.inputs for request in metrics)
    realised = _consequences(document, cases, context) if needs_money else {}
    table, named = table_of(document, context), dict(question.columns)
    extras = judging_columns(table, guide_of(document), cases.rows, cases.target)
    if named:
        extras = named_columns(table, named, cases.rows, cases.target)
    extras = {**extras, **_chosen_columns(table, metrics, cases.rows)}
    if "event" in extras:
        check_intervals(table, document, cases.rows, extras["time"], extras["entry"])
    return EvaluationProblem(
        kind=target.kind if target.levels else task_of_columns(document, named).value,
        models=_with_additional(
            question, cases, table, _scores(document, question, target, cases, realised, context)
        ),
        metrics=metrics,
        rows=cases.note,
        levels=target.levels,
        labels=target.labels,
        class_order=data.known_order(table, target) if target.levels else (),
        outcome=cases.outcome,
        target=cases.target,
        frequency=cases.frequency,
        extras=extras,
        priors=prior_array(document, target) if target.levels else None,
        level=question.level if question.level in target.levels else None,
        reference=document.reference_model,
        seed=document.seed,
        resamples=question.resamples,
        # rows written out for their frequency are cases of their own, each drawn by itself
        row_numbers=None if cases.is_repeated else cases.rows + 1,
        case_word=document.case_word,
        charts=charts_shown(document.charts, task_of_columns(document, named).value),
        curves=served_curves(
            context.registry,
            task_of_columns(document, named),
            inputs_served(
                task_of_columns(document, named), has_quantiles=_has_quantiles(question, cases)
            ),
        ),
        convention=document.convention,
        cluster=_clusters(document, cases, table),
    )


def _chosen_columns(
    table: LoadedTable, metrics: tuple[MetricRequest, ...], rows: IntArray
) -> dict[str, FloatArray]:
    """Columns of numbers that metrics chose, by role; a metric refuses what is not there."""
    found: dict[str, FloatArray] = {}
    for name in sorted({name for request in metrics for name in request.columns.values()}):
        with suppress(PayoffError):  # no such column, or texts
            found[f"{COLUMN_ROLE}{name}"] = data.column_as_float(table, name, role="metric")[rows]
    return found


def _clusters(document: Document, cases: Cases, table: LoadedTable) -> IntArray | None:
    """Numbers of what hangs together; a row without a cluster is one of its own."""
    column = document.column_of(Role.CLUSTER)
    if column is None:
        return None
    codes = data.encode_levels(table, column)[0][cases.rows]
    return np.where(codes < 0, codes.max(initial=0) + 1 + cases.rows, codes).astype(np.int64)


def _with_additional(
    question: CompareModels,
    cases: Cases,
    table: LoadedTable,
    models: tuple[JudgedScores, ...],
) -> tuple[JudgedScores, ...]:
    """The models with the further columns that a script names for them (quantiles ...)."""
    found = []
    for model in models:
        named = {role: column for name, role, column in question.further if name == model.name}
        columns = additional_columns(table, named, cases.rows)
        found.append(replace(model, extras={**model.extras, **columns}) if named else model)
    return tuple(found)


def _scores(
    document: Document,
    question: CompareModels,
    target: TargetSpec,
    cases: Cases,
    realised: dict[str, FloatArray],
    context: AssemblyContext,
) -> tuple[JudgedScores, ...]:
    """Every model's chances as decisions use them, and as the statistics of fit judge them.

    Statistics of fit are not prior-weighted, so they judge chances corrected to the class shares
    of the rows they are computed on. On rows with the shares the model was trained at that is no
    correction, as in SAS EM; on others raw chances would be judged by a wrong base rate.
    """
    if not target.levels:
        return _number_scores(document, question, cases, context)
    scores = []
    for name, posteriors in cases.posteriors.items():
        corrected = probabilities_for_decisions(document, target, name, cases, context)
        scores.append(
            JudgedScores(
                name=name,
                posteriors=posteriors if corrected is None else corrected,
                fit_posteriors=probabilities_for_fit(document, target, name, cases, context),
                extras={"consequences": realised[name]} if name in realised else {},
                has_probabilities=not document.is_rank_only(name),
            )
        )
    return tuple(scores)


def probabilities_for_decisions(
    document: Document, target: TargetSpec, model: str, cases: Cases, context: AssemblyContext
) -> FloatArray | None:
    """A model's chances as decisions use them; None where they stand as they are."""
    priors = prior_array(document, target)
    return None if priors is None else _corrected(document, target, model, cases, priors, context)


def probabilities_for_fit(
    document: Document, target: TargetSpec, model: str, cases: Cases, context: AssemblyContext
) -> FloatArray | None:
    """A model's chances as statistics of fit judge them; None where that is as decisions do."""
    shares = _row_shares(cases, len(target.levels))
    if prior_array(document, target) is None or not np.all(shares > 0):
        return None
    return _corrected(document, target, model, cases, shares, context)


def judged_probabilities(
    document: Document, target: TargetSpec, model: str, cases: Cases, context: AssemblyContext
) -> FloatArray:
    """A model's chances that its Brier score, log loss and accuracy judge."""
    for find in (probabilities_for_fit, probabilities_for_decisions):
        found = find(document, target, model, cases, context)
        if found is not None:
            return found
    return cases.posteriors[model]


def _number_scores(
    document: Document, question: CompareModels, cases: Cases, context: AssemblyContext
) -> tuple[JudgedScores, ...]:
    """Every model's predictions; of survival times their risk."""
    registry = context.registry
    is_survival = task_of_columns(document, dict(question.columns)) is Task.SURVIVAL
    is_survival = is_survival and question.predicts != "risk"
    return tuple(
        JudgedScores(
            name=name,
            prediction=as_risk(values, document, name, registry) if is_survival else values,
            extras=quantile_roles(cases.spreads[name]) if name in cases.spreads else {},
        )
        for name, values in cases.predictions.items()
    )


def _row_shares(cases: Cases, levels: int) -> FloatArray:
    """Class shares of the rows used, weighted by frequency."""
    assert cases.outcome is not None
    counts = np.bincount(cases.outcome, weights=cases.frequency, minlength=levels)
    return np.asarray(counts / counts.sum(), dtype=np.float64)


def _corrected(
    document: Document,
    target: TargetSpec,
    model: str,
    cases: Cases,
    shares: FloatArray,
    context: AssemblyContext,
) -> FloatArray | None:
    """A model's chances corrected to class shares, kept in memory; None where they stand."""
    old = old_prior_array(document, target, model)
    if old is None:
        return None
    key = ("corrected", cases.key, model, shares.tobytes(), old.tobytes())

    def make() -> tuple[FloatArray, int]:
        values = adjust_posteriors(cases.posteriors[model], shares, old)
        return values, values.nbytes

    values: FloatArray = context.cache.get_or_make(key, make)
    return values


def _consequences(
    document: Document, cases: Cases, context: AssemblyContext
) -> dict[str, FloatArray]:
    """What each case brought under each model's decisions, in the sense of profit."""
    matrix = matrix_of(document, context)
    table = table_of(document, context)
    problem = decision_problem(document, cases, matrix, table, context)
    return {
        scores.name: decide_cases(problem, scores).computed
        for scores in model_scores(document, cases)
        if scores.has_probabilities
    }
