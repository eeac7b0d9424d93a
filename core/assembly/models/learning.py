"""How a trained model learned, and its loss and profit by the number of its trees.

The curves of a training: which trees they are drawn at, and those that a model's file keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.assembly.cases import Cases, cases_of, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.explaining import trained_entry
from core.assembly.models.loss_terms import reads_effect, reads_money
from core.assembly.models.spread import one_number, spread_of
from core.assembly.models.trained import boosted_model, in_order_of_levels, training_rows
from core.assembly.models.training_plan import cases_of_training
from core.boosting import BoostedModel
from core.boosting.losses import responses
from core.boosting.stopping import best_by_oob
from core.data import LoadedTable
from core.decisions import decide_cases, total_cases
from core.document.data.model import RowUse
from core.document.model import Document, TrainedModel, TreeRule
from core.document.studies.models import LearnedResult, TreeChoice
from core.document.training_results import TrainingCurves
from core.questions.explain import TreeNumbers
from core.questions.needs import RULE
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray

CURVE_POINTS = 1000


def loss_words(spec: LossDistribution) -> str:
    """What a training's curves show: a deviance only where a perfect prediction costs nothing.

    Elsewhere they are the loss itself; the metric called deviance takes off what a perfect
    prediction would lose.
    """
    return f"{spec.label} deviance" if spec.saturated is None else f"{spec.label} loss"


def curve_points(done: int, wanted: IntArray) -> IntArray:
    """Trees to draw: all up to 1,000, else evenly spaced ones with those that were looked at."""
    if done <= CURVE_POINTS:
        return np.arange(done)
    spaced = np.linspace(0, done - 1, CURVE_POINTS).astype(np.int64)
    looks = wanted[:: max(1, len(wanted) // CURVE_POINTS)] if len(wanted) else wanted
    return np.union1d(spaced, looks)


def kept_curves(name: str, model: BoostedModel) -> TrainingCurves:
    """Return the curves that a model's file keeps; NaN where it has none."""
    done = model.n_trees
    kept = curve_points(done, np.empty(0, dtype=np.int64))
    crossed = model.cross_validation
    history = model.history

    def drawn(values: FloatArray | None) -> FloatArray:
        known = values is not None and len(values) == done
        return values[kept] if known and values is not None else np.full(len(kept), np.nan)

    return TrainingCurves(
        model=name,
        trees=(kept + 1).astype(np.float64),
        train=drawn(history.train_deviance),
        valid=drawn(history.valid_deviance),
        oob=drawn(np.cumsum(history.oob_improvement)),
        watched=np.full(len(kept), np.nan),
        crossed=drawn(None if crossed is None else crossed.deviance),
        deviance_words=loss_words(model.distribution),
        done=done,
        wanted=done,
        fraction=1.0,
        no_model=model.no_model,
    )


FEWEST_POINTS = 50
MOST_SCORES = 30_000_000
"""Scores that are judged in all: with many rows fewer numbers of trees are tried."""


def learning_of(
    document: Document, question: TreeNumbers, context: AssemblyContext
) -> LearnedResult:
    """Return the curves of a model's file, and its figures on rows that did not train it.

    Raises
    ------
    PayoffError
        If there is no such model, or its file is gone.
    """
    trained = trained_entry(document, question.model)
    model = boosted_model(trained, context)
    curves = kept_curves(trained.name, model)
    table = table_of(document, context)
    rows = _fresh_rows(table, document, trained, context)
    every = np.array([float(model.n_trees)])
    unknown = np.full(1, np.nan)
    found = LearnedResult(
        model=trained.name,
        curves=curves,
        choices=(),
        points=every,
        loss=unknown,
        profit=unknown,
        no_profit="No rows are left that did not train it."
        if trained.effect_of is None
        else "It ranks by what treating changes: page Uplift says what that earns.",
    )
    if rows is not None:
        found = _with_figures(found, rows, model, trained, table, context)
    return replace(found, choices=_choices(curves, model, found))


@dataclass(frozen=True, kw_only=True, eq=False)
class _FreshRows:
    """Rows that did not train a model, and the document that uses them."""

    document: Document
    cases: Cases
    use: RowUse


def _fresh_rows(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> _FreshRows | None:
    """The test rows; without any, the validation rows; None where all of them trained it."""
    entry = document.model(trained.name)
    assert entry is not None  # its trees have been read
    seen = training_rows(table, document, trained)
    for use in (RowUse.TEST, RowUse.VALIDATION):
        alone = replace(document, models=(entry,), reference_model=trained.name, rows_used=use)
        try:
            cases = cases_of(alone, context)
        except PayoffError:
            continue  # there are no rows of this use
        if not len(np.intersect1d(seen, cases.rows)):
            return _FreshRows(document=alone, cases=cases, use=use)
    return None


def _with_figures(
    found: LearnedResult,
    fresh: _FreshRows,
    model: BoostedModel,
    trained: TrainedModel,
    table: LoadedTable,
    context: AssemblyContext,
) -> LearnedResult:
    """Score the rows with ever more trees and judge them at each number."""
    rows = fresh.cases.rows
    target = fresh.document.target
    assert target is not None  # by ``cases_of``
    training, _ = cases_of_training(table, target, model.distribution, trained, rows, len(rows))
    is_judged = not (reads_money(model.distribution) or reads_effect(model.distribution))
    loss_of = model.mean_loss(training) if is_judged else None
    profit_of, no_profit = _profit_figure(fresh, model, table, context)
    points = _points(model.n_trees, len(rows) * model.n_scores)
    loss, profit = np.full(len(points), np.nan), np.full(len(points), np.nan)
    staged = model.staged_links(training.inputs, points.tolist(), training.offset)
    for place, link in enumerate(staged):
        context.progress(place / len(points), "Judging numbers of trees")
        if loss_of is not None:
            loss[place] = loss_of(link)
        if profit_of is not None:
            profit[place] = profit_of(link)
    is_test = fresh.use is RowUse.TEST
    return replace(
        found,
        points=points.astype(np.float64),
        loss=loss,
        profit=profit,
        rows_text=counted(len(rows), "test row" if is_test else "validation row"),
        are_test_rows=is_test,
        no_profit=no_profit,
    )


def _points(trees: int, scores: int) -> IntArray:
    """Numbers of trees to judge: all, or as many as the rows leave time for; the last is all."""
    drawn = curve_points(trees, np.empty(0, dtype=np.int64)) + 1
    most = max(FEWEST_POINTS, MOST_SCORES // max(1, scores))
    if len(drawn) <= most:
        return drawn
    places = np.unique(np.linspace(0, len(drawn) - 1, most).round().astype(np.int64))
    return np.asarray(drawn[places])


def _profit_figure(
    fresh: _FreshRows, model: BoostedModel, table: LoadedTable, context: AssemblyContext
) -> tuple[Callable[[FloatArray], float] | None, str]:
    """What gives the profit at link scores (K, n); None and why where there is none."""
    document, cases = fresh.document, fresh.cases
    try:
        for need in RULE:
            refusal = need(document)
            if refusal is not None:
                raise refusal
        matrix = matrix_of(document, context)
        problem = decision_problem(document, cases, matrix, table, context)
    except PayoffError as refusal:
        return None, refusal.what
    name = document.models[0].name

    def profit(link: FloatArray) -> float:
        described = responses(
            model.distribution, model.parameter_values, np.ascontiguousarray(link)
        )
        (scores,) = model_scores(document, _with_scores(cases, name, described, document, model))
        return problem.sense * total_cases(problem, decide_cases(problem, scores)).total

    return profit, ""


def _with_scores(
    cases: Cases, name: str, described: FloatArray, document: Document, model: BoostedModel
) -> Cases:
    """The cases with other predictions (K, n) of the one model."""
    if document.target is not None and document.target.levels:
        return replace(cases, posteriors={name: in_order_of_levels(described, document, model)})
    spread = spread_of(model, described)
    spreads = {} if spread is None else {name: spread}
    return replace(cases, predictions={name: one_number(model, described)}, spreads=spreads)


def _choices(
    curves: TrainingCurves, model: BoostedModel, found: LearnedResult
) -> tuple[TreeChoice, ...]:
    """What every rule chooses."""
    oob = model.history.oob_improvement
    has_bags = len(oob) == model.n_trees and not np.isnan(oob).any()
    crossed = model.cross_validation
    loss = found.loss if found.are_test_rows else np.full(1, np.nan)
    return (
        _lowest(TreeRule.VALIDATION, model.history.valid_deviance, "No rows judged the training."),
        _lowest(
            TreeRule.FOLDS,
            np.full(1, np.nan) if crossed is None else crossed.deviance,
            "The model was not cross-validated.",
        ),
        TreeChoice(
            rule=TreeRule.OUT_OF_BAG,
            trees=best_by_oob(oob) if has_bags else 0,
            why_not="" if has_bags else "Every tree was grown from all rows.",
        ),
        _lowest(TreeRule.TEST, loss, "There are no test rows with a loss.", found.points),
        TreeChoice(rule=TreeRule.ALL, trees=curves.done),
    )


def _lowest(
    rule: TreeRule, loss: FloatArray, why_not: str, trees: FloatArray | None = None
) -> TreeChoice:
    """The number of trees at which a loss is lowest."""
    if not np.isfinite(loss).any():
        return TreeChoice(rule=rule, trees=0, why_not=why_not)
    place = int(np.nanargmin(loss))
    return TreeChoice(rule=rule, trees=place + 1 if trees is None else int(trees[place]))
