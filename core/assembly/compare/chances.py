"""A model's scores as chances, every way, cross-fitted, to compare them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import settled_split
from core.assembly.scores import (
    FitCases,
    cross_fitted,
    fit_cases,
    own_posteriors,
    refuse_other_than_two,
)
from core.document.model import ChanceMethod, ChancesSpec, Document, Role
from core.document.studies.compare import ChancesOption, ChancesResult
from core.document.wording import format_share
from core.evaluation.judged_chances import best_option, judge_chances
from core.inference.delong import weighted_auc
from core.questions.compare import FitChances
from core.questions.needs import require_classes
from payoff.counting import counted
from payoff.errors import PayoffError

FEW_EVENTS = 100
"""Below so many events the fitted chances are rough."""


def compare_chances(
    document: Document, question: FitChances, context: AssemblyContext
) -> ChancesResult:
    """Fit chances by every way and judge each by folds that do not contain the row."""
    model = question.model
    target = require_classes(document)
    if document.model(model) is None:
        raise PayoffError(f"There is no model '{model}'.")
    if document.score_role(model) is not None:
        refuse_other_than_two(document, model)
    table = table_of(document, context)
    asked = _asked(document, question)
    cases = fit_cases(table, document, model, asked, context)
    shares = _class_shares(cases, target.levels)
    asked = _described(asked, document, model, cases, shares, table.rows_hash)
    options: list[ChancesOption] = []
    if document.score_role(model) is None:
        as_they_stand = own_posteriors(table, document, model, context)[:, cases.rows]
        options.append(judge_chances(None, as_they_stand, cases.codes, cases.weight))
    ways = tuple(ChanceMethod)
    for place, method in enumerate(ways):
        context.progress(place / len(ways), f"Fitting, {method.value}")
        chances, fitted = cross_fitted(cases, replace(asked, method=method))
        options.append(judge_chances(fitted, chances, cases.codes, cases.weight))
    score = -cases.scores[0] if asked.is_reversed else cases.scores[0]
    area = weighted_auc(score, cases.codes == 0, cases.weight)
    return ChancesResult(
        model=model,
        rows=cases.note,
        options=tuple(options),
        best=best_option(options),
        area=area,
        warnings=_warnings(cases, area, len(target.levels)),
    )


def _asked(document: Document, question: FitChances) -> ChancesSpec:
    model = question.model
    return ChancesSpec(
        method=ChanceMethod.LOGISTIC,
        is_reversed=document.is_score_reversed(model),
        folds=question.folds,
        seed=question.seed,
        bands=question.bands,
        rows=question.rows or document.rows_used,
        split=settled_split(document),
        weight=document.column_of(Role.WEIGHT),
    )


def _described(
    spec: ChancesSpec,
    document: Document,
    model: str,
    cases: FitCases,
    shares: tuple[tuple[str, float], ...],
    content: str,
) -> ChancesSpec:
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
