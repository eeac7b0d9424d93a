"""The job that turns a model's scores into chances, every way, cross-fitted, to compare them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.assembly.context import table_of
from core.assembly.models.trained import settled_split
from core.assembly.scores import (
    FitCases,
    cross_fitted,
    fit_cases,
    own_posteriors,
    refuse_other_than_two,
)
from core.document.model import ChanceMethod, ChancesSpec, Document, Role
from core.document.results import Estimate
from core.document.studies.chances import ChancesOption, ChancesResult
from core.document.wording import format_share
from core.engine.context import JobContext
from core.questions.compare import FitChances
from core.questions.needs import require_classes
from payoff.errors import PayoffError
from payoff.intervals import NORMAL_95, wilson_interval
from payoff.types import BoolArray, FloatArray

GROUPS = 10
FEW_EVENTS = 100
"""Below so many events the fitted chances are rough."""


def fit_chances(document: Document, question: FitChances, context: JobContext) -> ChancesResult:
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
        options.append(_judged(None, as_they_stand, cases))
    ways = tuple(ChanceMethod)
    for place, method in enumerate(ways):
        context.progress(place / len(ways), f"Fitting, {method.value}")
        chances, fitted = cross_fitted(cases, replace(asked, method=method))
        options.append(_judged(fitted, chances, cases))
    area = _area(cases, asked.is_reversed)
    return ChancesResult(
        model=model,
        rows=cases.note,
        options=tuple(options),
        best=_best(options),
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


# ---------------------------------------------------------------- judging


def _judged(spec: ChancesSpec | None, chances: FloatArray, cases: FitCases) -> ChancesOption:
    """Brier score, log loss and groups of some chances on the rows of the fit."""
    happened = chances[cases.codes, np.arange(len(cases.rows))]
    wrong = np.zeros_like(chances)
    wrong[cases.codes, np.arange(len(cases.rows))] = 1.0
    parts = ((chances - wrong) ** 2).sum(axis=0) / (2.0 if len(chances) == 2 else 1.0)
    with np.errstate(divide="ignore"):
        loss = -np.log(happened)
    said, seen, low, high = _groups(chances[0], cases.codes == 0, cases.weight)
    return ChancesOption(
        spec=spec,
        brier=_mean(parts, cases.weight, ""),
        log_loss=_mean(loss, cases.weight, _infinite(loss)),
        said=said,
        seen=seen,
        low=low,
        high=high,
    )


def _infinite(loss: FloatArray) -> str:
    count = int(np.isinf(loss).sum())
    if not count:
        return ""
    cases = "case has" if count == 1 else "cases have"
    return f"{count:,} {cases} an outcome that was given the chance 0."


def _mean(parts: FloatArray, weight: FloatArray, note: str) -> Estimate:
    """A weighted mean with its 95 % interval for these finished chances."""
    value = float(np.average(parts, weights=weight))
    if not math.isfinite(value):
        return Estimate(value=value, low=value, high=value, note=note)
    gap = weight * (parts - value)
    spread = float(np.sqrt(gap @ gap)) / float(weight.sum())
    return Estimate(
        value=value,
        low=value - NORMAL_95 * spread,
        high=value + NORMAL_95 * spread,
        method="exact variance",
        note=note,
    )


def _groups(
    chance: FloatArray, is_event: BoolArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean chance and observed share in ten groups of equal weight, equal chances together."""
    values, place = np.unique(chance, return_inverse=True)
    mass = np.bincount(place, weights=weight, minlength=len(values))
    running = np.cumsum(mass)
    middle = (running - 0.5 * mass) / running[-1]
    group = np.minimum((middle * GROUPS).astype(np.int64), GROUPS - 1)[place]

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=values, minlength=GROUPS).astype(np.float64)

    whole = total(weight)
    kept = whole > 0
    said = total(weight * chance)[kept] / whole[kept]
    seen = np.clip(total(weight * is_event)[kept] / whole[kept], 0.0, 1.0)
    low, high = wilson_interval(seen, whole[kept] ** 2 / total(weight**2)[kept])
    return said, seen, low, high


def _best(options: list[ChancesOption]) -> int:
    """The way with the smallest log loss; the Brier score where that is infinite for all."""
    losses = [option.log_loss.value for option in options]
    if all(math.isinf(loss) for loss in losses):
        losses = [option.brier.value for option in options]
    return int(np.argmin(losses))


def _area(cases: FitCases, is_reversed: bool) -> float:
    """The share of pairs that the score puts right in the direction said; ties count half."""
    score = -cases.scores[0] if is_reversed else cases.scores[0]
    values, place = np.unique(score, return_inverse=True)
    is_event = cases.codes == 0
    events = np.bincount(place, weights=cases.weight * is_event, minlength=len(values))
    others = np.bincount(place, weights=cases.weight * ~is_event, minlength=len(values))
    below = np.cumsum(others) - 0.5 * others
    return float(events @ below / (events.sum() * others.sum()))


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
            f"The rarest class has {fewest:,} cases only: a logistic curve is safer than isotonic "
            "regression or bands."
        )
    return tuple(found)
