"""Studies of figures on page Compare.

Bounds of the expected loss of a document's models on rows they have not seen.

Definitions: figures as another tool has them, beside Payoff's.

A model's scores as chances, every way, cross-fitted, to compare them.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np

from core import data
from core.assembly.cases import Cases, judged_cases
from core.assembly.compare.evaluating import judged_probabilities, problem_of
from core.assembly.context import AssemblyContext, table_of
from core.assembly.left_out import without_lost_models
from core.assembly.models.trained import stopping_rows, training_rows
from core.assembly.running import fair_threads
from core.assembly.scores import (
    FitCases,
    cross_fitted,
    fit_cases,
    own_posteriors,
    refuse_other_than_two,
)
from core.data import LoadedTable
from core.document.experiments.results import (
    BoundsResult,
    ErrorBound,
    ModelBounds,
)
from core.document.model import CalibrationMethod, CalibrationSpec, Document, ModelSpec, Role
from core.document.studies.compare import CalibrationOption, CalibrationResult, DefinitionsResult
from core.document.wording import format_share
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions import definition_rows
from core.evaluation.judged_predictions import best_option, judge_probabilities
from core.experiments.bounds import (
    METHODS,
    PLANNED,
    cases_needed,
    compute_error_bound,
    default_methods,
)
from core.experiments.losses import LossSource
from core.inference.delong import weighted_auc
from core.questions.compare import CompareModels, Definitions, ErrorBounds, FitCalibration
from core.questions.needs import require_classes, require_target
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

LOSSES = ("squared", "zero_one")


def bound_models(
    document: Document, question: ErrorBounds, context: AssemblyContext
) -> BoundsResult:
    """Limits of the expected loss of every model on the rows used.

    A model that trained or stopped on these rows has no bound, and the result says so.
    """
    target = require_target(document)
    if question.loss not in LOSSES or (question.loss == "zero_one" and not target.levels):
        raise PayoffError(
            f"There is no loss '{question.loss}' for this outcome.",
            remedy="squared; zero_one for classes.",
        )
    if document.column_of(Role.WEIGHT) is not None:
        raise PayoffError(
            "No bound can be given for weighted cases.",
            why="A bound counts cases, and each must count once.",
            remedy="Take the weight's role away.",
        )
    cases = judged_cases(document, context)
    table = table_of(document, context)
    models: list[ModelBounds] = []
    for entry in document.models:
        context.progress(len(models) / len(document.models), f"Bounding {entry.name}")
        if document.is_rank_only(entry.name):
            models.append(_without_probabilities(entry.name, len(cases.rows)))
            continue
        losses, span = _losses(document, entry.name, question, cases, context)
        models.append(_bounds_of(document, entry, question, cases, table, losses, span))
    return BoundsResult(
        loss=question.loss,
        rows_text=cases.note.text,
        models=tuple(models),
        warnings=cases.warnings,
        no_model=_loss_without_model(question.loss, cases, len(target.levels)),
    )


def _loss_without_model(loss: str, cases: Cases, levels: int) -> float:
    """The mean loss of the one prediction for all that is best on these rows."""
    if cases.outcome is None:
        return float(np.var(cases.target)) if cases.target is not None else math.nan
    shares = np.bincount(cases.outcome) / len(cases.outcome)
    if loss == "zero_one":
        return float(1.0 - shares.max())
    squared = float((shares * (1.0 - shares)).sum())
    return squared / 2.0 if levels == 2 else squared  # of two classes one is judged


def _without_probabilities(model: str, rows: int) -> ModelBounds:
    words = f"'{model}' is a score without chances. Turn the score into chances first."
    return ModelBounds(model=model, mean=math.nan, n=rows, bounds=(), refusal=words)


def _bounds_of(
    document: Document,
    entry: ModelSpec,
    question: ErrorBounds,
    cases: Cases,
    table: LoadedTable,
    losses: FloatArray,
    span: tuple[float, float] | None,
) -> ModelBounds:
    """Every asked-for bound of one model; the first refusal stands for all that fail."""
    source = LossSource(
        trained_on=_has_seen(entry, document, table, cases),
        ids=_column(table, document.column_of(Role.ID), cases),
        clusters=_column(table, question.cluster or None, cases),
        chosen_among=question.chosen_among or len(document.models),
    )
    usual = default_methods(losses) if span is not None else ("student_t", "bootstrap")
    found: list[ErrorBound] = []
    refusal = ""
    for method in question.methods or usual:
        if method not in METHODS:
            raise PayoffError(f"There is no bound '{method}'.", remedy=", ".join(METHODS))
        try:
            bound = compute_error_bound(
                losses,
                method=method,
                confidence=question.confidence,
                side=question.side,
                loss_range=span,
                source=source,
                seed=document.seed,
            )
            needed = _needed(bound, question.margin, source.chosen_among)
            found.append(replace(bound, needed=needed))
        except PayoffError as reason:
            refusal = refusal or str(reason)
    return ModelBounds(
        model=entry.name,
        mean=float(losses.mean()) if len(losses) else float("nan"),
        n=len(losses),
        bounds=tuple(found),
        refusal=refusal,
    )


def _needed(bound: ErrorBound, margin: float, chosen_among: int) -> int:
    """Losses of the same mean and spread that would bring the margin asked for; 0 = not known."""
    if margin <= 0.0 or bound.method not in PLANNED or bound.loss_range is None:
        return 0
    return cases_needed(
        margin,
        method=bound.method,
        confidence=bound.confidence,
        side=bound.side,
        loss_range=bound.loss_range,
        chosen_among=chosen_among,
        expected_loss=bound.mean,
        expected_sd=math.sqrt(bound.variance) if bound.variance > 0.0 else 0.0,
    )


def _losses(
    document: Document, model: str, question: ErrorBounds, cases: Cases, context: AssemblyContext
) -> tuple[FloatArray, tuple[float, float] | None]:
    """Losses of a model in row order, and the range they can have.

    They are those of the chances that page Compare's Brier score and accuracy judge.
    """
    if cases.outcome is None:
        assert cases.target is not None
        return (cases.predictions[model] - cases.target) ** 2, question.loss_range
    probabilities = judged_probabilities(document, require_target(document), model, cases, context)
    if question.loss == "zero_one":
        return (probabilities.argmax(axis=0) != cases.outcome).astype(np.float64), (0.0, 1.0)
    if probabilities.shape[0] == 2:
        return (probabilities[0] - (cases.outcome == 0)) ** 2, (0.0, 1.0)
    hit = np.arange(probabilities.shape[0])[:, None] == cases.outcome[None, :]
    return ((probabilities - hit) ** 2).sum(axis=0), (0.0, 2.0)


def _has_seen(entry: ModelSpec, document: Document, table: LoadedTable, cases: Cases) -> bool:
    if entry.trained is None:
        return False
    seen = np.union1d(
        training_rows(table, document, entry.trained), stopping_rows(table, document, entry.trained)
    )
    return bool(np.isin(cases.rows, seen).any())


def _column(table: LoadedTable, name: str | None, cases: Cases) -> np.ndarray | None:
    if name is None or name not in table.kinds:
        if name:
            table.require_column(name)
        return None
    return np.array(data.column_as_text(table, name))[cases.rows]


def compare_definitions(
    document: Document, question: Definitions, context: AssemblyContext
) -> DefinitionsResult:
    """Every figure that the tool names or computes in its own way."""
    began = time.perf_counter()
    document, _ = without_lost_models(document, context)
    require_target(document)
    used = judged_cases(document, context)
    plain = replace(document, charts=(), metrics=())
    requested = CompareModels(level=question.level, resamples=0)
    with fair_threads(context):
        context.progress(None, "Comparing definitions")
        cases = JudgedCases(problem_of(plain, requested, used, (), context))
        rows = definition_rows(cases, question.convention)
    return DefinitionsResult(
        convention=question.convention, rows=rows, seconds=time.perf_counter() - began
    )


FEW_EVENTS = 100
"""Below so many events the fitted chances are rough."""


def compare_probabilities(
    document: Document, question: FitCalibration, context: AssemblyContext
) -> CalibrationResult:
    """Fit chances by every way and judge each by folds that do not contain the row."""
    model = question.model
    target = require_classes(document)
    if document.model(model) is None:
        raise PayoffError(f"There is no model '{model}'.")
    if document.score_role(model) is not None:
        refuse_other_than_two(document, model)
    table = table_of(document, context)
    requested = _requested(document, question)
    cases = fit_cases(table, document, model, requested, context)
    shares = _class_shares(cases, target.levels)
    requested = _described(requested, document, model, cases, shares, table.rows_hash)
    options: list[CalibrationOption] = []
    if document.score_role(model) is None:
        as_they_stand = own_posteriors(table, document, model, context)[:, cases.rows]
        options.append(judge_probabilities(None, as_they_stand, cases.codes, cases.weight))
    ways = tuple(CalibrationMethod)
    for place, method in enumerate(ways):
        context.progress(place / len(ways), f"Fitting, {method.value}")
        probabilities, fitted = cross_fitted(cases, replace(requested, method=method))
        options.append(judge_probabilities(fitted, probabilities, cases.codes, cases.weight))
    score = -cases.scores[0] if requested.is_reversed else cases.scores[0]
    area = weighted_auc(score, cases.codes == 0, cases.weight)
    return CalibrationResult(
        model=model,
        rows=cases.note,
        options=tuple(options),
        best=best_option(options),
        area=area,
        warnings=_warnings(cases, area, len(target.levels)),
    )


def _requested(document: Document, question: FitCalibration) -> CalibrationSpec:
    model = question.model
    return CalibrationSpec(
        method=CalibrationMethod.LOGISTIC,
        is_reversed=document.is_score_reversed(model),
        folds=question.folds,
        seed=question.seed,
        bands=question.bands,
        rows=question.rows or document.rows_used,
        split=document.settled_split,
        weight=document.column_of(Role.WEIGHT),
    )


def _described(
    spec: CalibrationSpec,
    document: Document,
    model: str,
    cases: FitCases,
    shares: tuple[tuple[str, float], ...],
    content: str,
) -> CalibrationSpec:
    trained = document.trained_model(model)
    return replace(
        spec,
        columns=document.score_columns(model),
        model_hash=trained.model_hash if trained is not None else "",
        class_shares=shares,
        data_hash=content,
        fitted_rows=len(cases.rows),
    )


def _class_shares(cases: FitCases, levels: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    counts = np.bincount(cases.codes, weights=cases.weight, minlength=len(levels))
    return tuple(zip(levels, (counts / counts.sum()).tolist(), strict=True))


def _warnings(cases: FitCases, area: float, levels: int) -> tuple[str, ...]:
    found = []
    if levels == 2 and area < 0.5:
        found.append(
            f"Only {format_share(area)} of the pairs are put right: the direction of the score "
            "may be the other way round."
        )
    fewest = int(np.bincount(cases.codes, minlength=levels).min())
    if fewest < FEW_EVENTS:
        found.append(
            f"The rarest class has {counted(fewest, 'case')} only: a logistic curve is safer than "
            "isotonic "
            "regression or bands."
        )
    return tuple(found)
