"""The whole analysis: models under one matrix, as page Decide and scripts show it."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np

from core.decisions.advice.linter import advise
from core.decisions.advice.reading import fixed_phrase, read_rule
from core.decisions.advice.threshold_forms import thresholds_of
from core.decisions.depths.best_depth import SearchedCurve, best_depth, best_range, crossfitted_peak
from core.decisions.depths.depth import (
    GRID,
    DepthCurve,
    DepthPoints,
)
from core.decisions.depths.sums import OWN
from core.decisions.passes.cases import (
    aggregate_roi,
    check_model,
    weighted_total,
)
from core.decisions.passes.model_state import model_state, rank_only_names, with_ranks_only
from core.decisions.passes.tables import ModelTables, constant_totals
from core.decisions.passes.workspace import AnalysisState, DecisionWorkspace, ModelState
from core.decisions.priors import prior_ratio, prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.ties import peak
from core.decisions.uncertainty.intervals import METHOD, limits, range_weights
from core.decisions.uncertainty.paired import depth_differences, total_differences
from core.document.data.model import RowUse
from core.document.decisions.commands import knot_name
from core.document.model import ChartMode
from core.document.results import CursorReading, DecisionResult, Estimate, ModelProfit, RowsNote
from core.inference.normal import normal_interval, standard_error
from core.kernels import fitting_threads
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

RECONCILED = 1e-9
"""Largest difference, relative to the money moved, between a chart's end and its total."""


def analyse(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    *,
    workspace: DecisionWorkspace | None = None,
    reference: str | None = None,
    chart_mode: ChartMode = ChartMode.ACT_ON_BEST,
    rows: RowsNote | None = None,
    seed: int = 20261,
) -> DecisionResult:
    """What each model is worth under the matrix. All amounts are in the sense of profit.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    models : tuple of ModelScores
        All are judged on the same rows: those that count for every one of them.
    workspace : DecisionWorkspace, optional
        Kept between edits of the same rows; afterwards it answers ``read_cursor``.
    reference : str, optional
        The model that others are compared with; left out = the first.
    chart_mode : ChartMode
    rows : RowsNote, optional
        The caller's words for the rows; rows that were dropped here are added.
    seed : int
        Of the folds that choose and value the best depth.

    Raises
    ------
    PayoffError
        If there is no outcome, no model, or no row that counts.
    """
    started = time.perf_counter()
    _check_models(problem, models, reference)
    space = workspace or DecisionWorkspace()
    with space.lock, fitting_threads(models[0].posteriors.shape[1]):
        space.begin(problem, models)
        used = space.counted_rows(problem, models)
        weights = prior_weights(problem.priors, used.class_cases)
        states = tuple(
            model_state(space, problem, model, used, weights, chart_mode, seed) for model in models
        )
        place = [model.name for model in models].index(reference) if reference else 0
        state = AnalysisState(
            problem=problem,
            chart_mode=chart_mode,
            reference=place,
            rows=used,
            class_weight=weights,
            models=states,
            holds_fixed=fixed_phrase(problem),
        )
        space.keep(state)
        result = result_of_state(state, space.cost_sums(problem, used), rows, started)
        resting = result.models[state.reference].resting_depth
        return replace(result, at_rest=read_state_at(state, resting))


def _check_models(
    problem: DecisionProblem, models: tuple[ModelScores, ...], reference: str | None
) -> None:
    if not models:
        raise PayoffError("There is no model to judge.", remedy="Give a column of posteriors.")
    names = [model.name for model in models]
    if len(set(names)) < len(names) or (reference and reference not in names):
        raise PayoffError(
            f"Models are called {', '.join(names)}.",
            why=f"The reference is '{reference}'." if reference else "Names must differ.",
        )
    for model in models:
        check_model(problem, model)


def result_of_state(
    state: AnalysisState, cost_sums: FloatArray, rows: RowsNote | None, started: float
) -> DecisionResult:
    """What an analysis says, of what it worked out.

    Parameters
    ----------
    cost_sums : array (levels, decisions)
        What the cost columns add up to.
    rows : RowsNote, optional
    started : float
        When the work began, as ``time.perf_counter`` says.
    """
    problem, used = state.problem, state.rows
    constants = constant_totals(problem.consequences, used.class_cases, cost_sums)
    totals = np.array([weighted_total(state.class_weight, column) for column in constants.T])
    profits = tuple(_profit(state, model) for model in state.models)
    rest_name, all_get, nothing = _rest(problem, totals)
    everyone = float(totals[problem.acting_index])
    rule = read_rule(problem)
    result = DecisionResult(
        rows=_rows_note(state, rows),
        kind=problem.kind.value,
        levels=problem.levels,
        class_counts=used.class_rows,
        class_cases=used.class_cases,
        class_weight=np.nan_to_num(state.class_weight) * used.class_cases,
        decisions=problem.decisions,
        cells=problem.cells,
        shares=None if problem.amounts is None else problem.amounts.slopes,
        acting=problem.decisions[problem.acting_index],
        rest=rest_name,
        rest_for_all=all_get,
        models=profits,
        act_on_all=everyone,
        do_nothing=nothing,
        random_profit=_random_line(state, profits, everyone, nothing),
        perfect_total=profits[state.reference].best_total,
        rule_text=rule.text,
        rule_reason=rule.reason,
        rule_threshold=rule.threshold,
        threshold_kind="chance" if state.models[state.reference].is_by_probability else "advantage",
        threshold_side=rule.side,
        knots=() if problem.knots is None else tuple(knot_name(float(k)) for k in problem.knots),
        advice=advise(state, profits),
        holds_fixed=state.holds_fixed,
        differences=total_differences(state),
        seconds=time.perf_counter() - started,
        warnings=_warnings(state),
    )
    name = state.models[state.reference].scores.name
    forms = thresholds_of(problem, profits[state.reference], state.chart_mode)
    result = replace(result, threshold_reading=forms.reading)
    rankers = rank_only_names(model.scores for model in state.models)
    return with_ranks_only(result, rankers, name, state.chart_mode)


def _rows_note(state: AnalysisState, rows: RowsNote | None) -> RowsNote:
    used = state.rows
    note = rows or RowsNote(
        use=RowUse.ALL.value, text=counted(used.rows, *state.problem.words.case), rows=0
    )
    return replace(note, rows=used.rows, dropped=(*note.dropped, *used.dropped))


def _warnings(state: AnalysisState) -> tuple[str, ...]:
    missing = [
        state.problem.label(int(level)) for level in np.flatnonzero(np.isnan(state.class_weight))
    ]
    return tuple(
        f"No case is “{label}”, though its prior is above zero: totals cannot be worked out."
        for label in missing
    )


def _rest(problem: DecisionProblem, totals: FloatArray) -> tuple[str, str, float]:
    """Words for what cases beyond the depth get; the one decision for all, and its total."""
    acting = problem.acting_index
    others = [place for place in range(len(problem.decisions)) if place != acting]
    if not others:
        return "Do nothing", "Do nothing", 0.0
    named = problem.do_nothing
    if named and problem.decisions.index(named) != acting:
        chosen = problem.decisions.index(named)
    else:
        chosen = others[peak(totals[others])]
    words = problem.decisions[chosen] if len(others) == 1 else "their best other decision"
    return words, problem.decisions[chosen], float(totals[chosen])


def _random_line(
    state: AnalysisState, profits: tuple[ModelProfit, ...], everyone: float, nothing: float
) -> FloatArray:
    """Profit on the grid if cases were taken at random."""
    if state.chart_mode == ChartMode.FIRM:
        return np.asarray(GRID * profits[state.reference].total.value)
    return np.asarray(nothing + GRID * (everyone - nothing))


def _profit(state: AnalysisState, model: ModelState) -> ModelProfit:
    problem, weights = state.problem, state.class_weight
    tables, size = model.tables, float(state.rows.class_cases.sum())
    points = model.curve.points(GRID)
    low, high = points.limits
    total = _estimate(state, tables)
    acting = problem.acting_index
    weighted = np.nan_to_num(weights)[:, np.newaxis] * tables.cases
    rule_depth = float(weighted[:, acting].sum() / max(weighted.sum(), 1e-300))
    best, best_profit = best_depth(model.curve, points)
    end = weighted_total(weights, model.curve.end[:, OWN])
    moved = float(np.sum(np.nan_to_num(weights)[:, np.newaxis] * np.abs(tables.own)))
    before, after = _mean_probabilities(state, model)
    return ModelProfit(
        model=model.scores.name,
        depth=GRID,
        cases=points.rows,
        threshold=_thresholds(state, model, points),
        profit=points.profit,
        low=low,
        high=high,
        expected=points.expected,
        class_cases=points.class_cases,
        total=total,
        average=_scaled(total, 1.0 / size),
        expected_total=weighted_total(weights, model.own_expected),
        best_total=weighted_total(weights, tables.best),
        roi=_roi(problem, weights, tables, total.value),
        rule_depth=rule_depth,
        rule_cases=float(tables.rows[acting]),
        best_depth=best,
        best_threshold=_threshold_at(state, model, best),
        best_profit=best_profit,
        best_profit_crossfitted=_crossfitted(state, model.curve, points),
        chart_end=end,
        counts=weighted,
        profits=weights[:, np.newaxis] * tables.own,
        mean_probability_before=before,
        mean_probability_after=after,
        warnings=_chart_warning(end, total.value, moved),
        best_range=_range_of_best(points, best),
    )


def _estimate(state: AnalysisState, tables: ModelTables) -> Estimate:
    weights = state.class_weight
    value = tables.own.sum(axis=1)
    cases = state.rows.class_cases
    low, high = limits(
        weights,
        range_weights(state.problem, cases),
        cases,
        value,
        tables.own_square.sum(axis=1),
        state.problem.priors is not None,
    )
    total = weighted_total(weights, value)
    note = " ".join(_warnings(state))
    return Estimate(
        value=total,
        low=float(low),
        high=float(high),
        method=METHOD,
        holds_fixed=state.holds_fixed,
        note=note,
    )


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    return replace(
        estimate,
        value=estimate.value * factor,
        low=estimate.low * factor,
        high=estimate.high * factor,
    )


def _range_of_best(points: DepthPoints, best: float) -> tuple[float, float]:
    """Depths as good as the best, which may lie between those of the grid."""
    low, high = best_range(points)
    return min(low, best), max(high, best)


def _crossfitted(state: AnalysisState, curve: SearchedCurve, points: DepthPoints) -> Estimate:
    if np.isnan(points.profit).any():
        return Estimate(value=math.nan, low=math.nan, high=math.nan, note="not defined")
    found = crossfitted_peak(curve, points)
    low, high = normal_interval(found.value, standard_error(float(found.variance)))
    return Estimate(
        value=found.value,
        low=low,
        high=high,
        method="depth chosen on one half, valued on the other",
        holds_fixed=fixed_phrase(replace(state.problem, prior_range=None)),
    )


def _roi(problem: DecisionProblem, weights: FloatArray, tables: ModelTables, total: float) -> float:
    if not problem.has_costs:
        return math.nan
    return aggregate_roi(total, weighted_total(weights, tables.cost.sum(axis=1)))


def _mean_probabilities(state: AnalysisState, model: ModelState) -> tuple[FloatArray, FloatArray]:
    """Mean posterior by class as in the file (rows as they are) and corrected (to the priors)."""
    sums, cases = model.probabilities.sums, state.rows.class_cases
    before = sums[:, :, 0].sum(axis=0) / cases.sum()
    weights = np.nan_to_num(state.class_weight)
    size = float(np.sum(weights * cases))
    after = weights @ sums[:, :, 1] / size if size > 0 else np.full(cases.shape[0], math.nan)
    return np.asarray(before), np.asarray(after)


def _thresholds(state: AnalysisState, model: ModelState, points: DepthPoints) -> FloatArray:
    """Event chance of the last case within, or its advantage."""
    if not model.is_by_probability:
        return points.cut
    ratio = prior_ratio(state.problem, model.scores)
    if ratio is None:
        return points.cut
    event = points.cut * max(float(ratio[0]), 0.0)
    other = (1.0 - points.cut) * max(float(ratio[1]), 0.0)
    return np.asarray(event / (event + other))


def _threshold_at(state: AnalysisState, model: ModelState, depth: float) -> float:
    if math.isnan(depth):
        return math.nan
    return float(_thresholds(state, model, model.curve.points(np.array([depth])))[0])


def _chart_warning(end: float, total: float, moved: float) -> tuple[str, ...]:
    if math.isnan(total) or abs(end - total) <= RECONCILED * max(moved, 1.0):
        return ()
    return (f"The chart ends at {end:,.6g}, the total is {total:,.6g}: they should be equal.",)


def read_cursor(
    workspace: DecisionWorkspace, depth: float, *, with_differences: bool = True
) -> CursorReading:
    """Exact values at a depth from the last analysis.

    Parameters
    ----------
    workspace : DecisionWorkspace
    depth : float
        0 to 1; beyond is cut.
    with_differences : bool
        Also compare the models case by case, which takes time in proportion to the cases. All else
        comes from kept sums, however many cases there are.

    Raises
    ------
    PayoffError
        If nothing was analysed yet.
    """
    with workspace.lock:
        state = workspace.state
        if state is None:
            raise PayoffError("Nothing has been worked out yet.", remedy="Analyse first.")
        reading, points = _read_at(state, depth)
        tables = _cursor_tables(workspace, state, points)
        return replace(
            reading,
            differences=depth_differences(state, points) if with_differences else (),
            counts=None if tables is None else tables[:, 0],
            profits=None if tables is None else tables[:, 1],
        )


def read_state_at(state: AnalysisState, depth: float) -> CursorReading:
    """Exact values at a depth, as far as they follow from the curves alone.

    Parameters
    ----------
    state : AnalysisState
    depth : float
        0 to 1; beyond is cut.
    """
    return _read_at(state, depth)[0]


def _read_at(state: AnalysisState, depth: float) -> tuple[CursorReading, tuple[DepthPoints, ...]]:
    at = np.array([min(max(depth, 0.0), 1.0)])
    points = tuple(model.curve.points(at) for model in state.models)
    ends = np.array([point.limits for point in points])[:, :, 0]
    reading = CursorReading(
        depth=float(at[0]),
        models=tuple(model.scores.name for model in state.models),
        cases=np.array([round(point.rows[0]) for point in points], dtype=np.int64),
        threshold=np.array(
            [
                _thresholds(state, model, point)[0]
                for model, point in zip(state.models, points, strict=True)
            ]
        ),
        profit=np.array([point.profit[0] for point in points]),
        low=ends[:, 0],
        high=ends[:, 1],
        class_cases=np.array([point.class_cases[:, 0] for point in points]),
    )
    return reading, points


def _cursor_tables(
    workspace: DecisionWorkspace, state: AnalysisState, points: tuple[DepthPoints, ...]
) -> FloatArray | None:
    """Weighted cases and profits by class and decision, (models, 2, levels, decisions).

    None with two decisions at most and no cost by case: they follow from the cases within.
    """
    problem, given = state.problem, state.problem.consequences
    if len(problem.decisions) <= 2 and not given.has_cost_columns:
        return None
    tables = [
        workspace.depth_table(model.curve).at(point) * state.class_weight[:, np.newaxis]
        for model, point in zip(state.models, points, strict=True)
        if isinstance(model.curve, DepthCurve)  # as every model's is where there are such tables
    ]
    return np.array(tables)
