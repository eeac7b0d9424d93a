"""Score rankings: cases best first in bins of equal depth, with the base and the best possible.

Cases are weighted to the priors one by one and cases with equal scores are shared between bins in
proportion, so that the last cumulative figure is the total and nothing depends on the row order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.passes.cases import CaseDecisions, aggregate_roi, case_marks, decide_cases
from core.decisions.passes.workspace import Analysis
from core.decisions.priors import prior_weights
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.studies.outputs import prediction_table
from core.document.studies.decided_cases import RankingsResult
from core.questions.decide import Rankings
from core.questions.lanes import Watch
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

Columns = dict[str, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """Weights of the counted cases, and the depths at which sums are read."""

    weight: FloatArray  # frequency times prior weight
    depths: FloatArray

    def along(self, key: FloatArray, values: FloatArray) -> FloatArray:
        """Cumulative weighted sums at the depths, best key first, ties in proportion."""
        order = np.argsort(-key, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(key[order]) != 0), order.shape[0] - 1)
        cases = np.cumsum(self.weight[order])[ends]
        sums = np.cumsum((self.weight * values)[order])[ends]
        at = self.depths * cases[-1]
        read = np.interp(at, np.append(0.0, cases), np.append(0.0, sums))
        return np.asarray(read, dtype=np.float64)


def ranked_cases(inputs: Analysis, question: Rankings, watch: Watch) -> RankingsResult:
    """Predicted classes, and response and money by depth, of one model."""
    problem = inputs.state.problem
    scores = inputs.model(question.model).scores
    watch.progress(None, "Ranking cases")
    cases = decide_cases(problem, scores, with_posteriors=True)
    columns = rankings(problem, scores, cases, bins=question.bins, by=question.by, as_em=True)
    predicted = adjusted = np.zeros((0, 0))
    if not problem.is_interval:
        width = len(problem.levels)
        cells = prediction_table(problem, scores, cases)
        predicted = np.reshape(cells["cases"], (width, width)).astype(np.float64)
        adjusted = np.reshape(cells["adjusted_cases"], (width, width)).astype(np.float64)
    return RankingsResult(
        rows=inputs.rows,
        model=question.model,
        by=question.by,
        levels=problem.levels,
        has_priors=problem.priors is not None,
        names=tuple(columns),
        values=np.array(list(columns.values())),
        predicted=predicted,
        adjusted=adjusted,
        as_em=question.as_em and not problem.is_interval,
    )


def rankings(
    problem: DecisionProblem,
    model: ModelScores,
    cases: CaseDecisions,
    *,
    bins: int = 20,
    by: str = "",
    level: int = 0,
    as_em: bool = False,
) -> Columns:
    """Response, value and profit by depth, in the user's sense.

    Parameters
    ----------
    problem : DecisionProblem
        With an outcome.
    model : ModelScores
    cases : CaseDecisions
        The model's decisions.
    bins : int
    by : {"chance", "expected"}
        What sorts: the posterior of the level (for an interval target the prediction), the usual
        order of response charts, or the expected profit E(i), that of profit charts. Left out:
        "chance".
    level : int
        The class that counts as the event.
    as_em : bool
        With classes: also the profits that charts of SAS Enterprise Miner draw.

    Returns
    -------
    dict of arrays (bins,)
        depth, cases, mean_score; with classes events, response, captured, lift (each with
        cumulative_, base_ and best_), gain; with a number value (mean outcome),
        captured, lift; total, average, expected_total (each with cumulative_), base_ and best_
        totals and averages; investment, roi, cumulative_roi, base_roi with costs; with ``as_em``
        em_total, em_cumulative_total, em_cumulative_average, em_base_cumulative_average.

    Raises
    ------
    PayoffError
        If there is no outcome or bin, or ``by`` is not known.
    """
    if bins < 1 or by not in ("", "chance", "expected"):
        raise PayoffError(
            f"Rankings in {counted(bins, 'bin')} by '{by}' are not possible.",
            remedy="Ask for 1 bin or more, by 'chance' or 'expected'.",
        )
    if problem.outcome is None:
        raise PayoffError(
            "There is no outcome to rank by.", remedy="Name the target column of these rows."
        )
    is_counted = case_marks(problem, (model,)) == 0
    if not is_counted.any():
        raise PayoffError("No case can be is_counted.", remedy="Check the rows and their columns.")
    outcome = problem.outcome[is_counted]
    frequency = np.ones(outcome.shape[0])
    if problem.frequency is not None:
        frequency = problem.frequency[is_counted]
    class_cases = np.zeros(len(problem.levels))
    class_cases += np.bincount(outcome, weights=frequency, minlength=len(problem.levels))
    weight = frequency * prior_weights(problem.priors, class_cases)[outcome]
    ranked = _Ranked(weight, np.arange(1, bins + 1) / bins)
    score = _score(model, cases, level)[is_counted]
    expected = cases.expected[is_counted]
    key = expected if by == "expected" else score
    columns = _depth_columns(ranked, key, score)
    if problem.actual is None:
        columns |= _response_columns(ranked, key, (outcome == level).astype(np.float64))
    else:
        columns |= _value_columns(ranked, key, problem.actual[is_counted])
    best, computed = cases.best[is_counted], cases.computed[is_counted]
    columns |= _money_columns(ranked, key, problem.sense, computed, expected, best)
    if as_em and problem.actual is None:
        columns |= _enterprise_columns(ranked, score, frequency, problem.sense * computed)
    if problem.has_costs and cases.investment is not None:
        columns |= _return_columns(ranked, key, computed, cases.investment[is_counted])
    return columns


def _score(model: ModelScores, cases: CaseDecisions, level: int) -> FloatArray:
    if model.predicted is not None:
        return model.predicted
    probabilities = model.posteriors if cases.posteriors is None else cases.posteriors
    return np.asarray(probabilities[level])


def _in_bins(cumulative: FloatArray) -> FloatArray:
    return np.asarray(np.diff(cumulative, prepend=0.0))


def _ratio(part: FloatArray, whole: FloatArray | float) -> FloatArray:
    base = np.broadcast_to(whole, part.shape)
    empty = np.full(part.shape, np.nan)
    return np.asarray(np.divide(part, base, out=empty, where=base != 0))


def _depth_columns(ranked: _Ranked, key: FloatArray, score: FloatArray) -> Columns:
    cases = ranked.along(key, np.ones_like(key))
    return {
        "depth": ranked.depths,
        "cases": _in_bins(cases),
        "cumulative_cases": cases,
        "mean_score": _ratio(_in_bins(ranked.along(key, score)), _in_bins(cases)),
    }


def _shares(
    ranked: _Ranked, key: FloatArray, values: FloatArray, name: str, scale: float
) -> Columns:
    """Mean of a value by bin, its share captured and its lift; best = the largest values first."""
    cases = ranked.depths * float(ranked.weight.sum())
    columns: Columns = {}
    for prefix, order in (("", key), ("best_", values)):
        cumulative = ranked.along(order, values)
        in_bins, whole = _in_bins(cumulative), float(cumulative[-1])
        base = scale * whole / float(cases[-1])
        found: Columns = {
            name: scale * _ratio(in_bins, _in_bins(cases)),
            f"cumulative_{name}": scale * _ratio(cumulative, cases),
            "captured": 100.0 * _ratio(in_bins, whole),
            "cumulative_captured": 100.0 * _ratio(cumulative, whole),
        }
        found["lift"] = _ratio(found[name], base)
        found["cumulative_lift"] = _ratio(found[f"cumulative_{name}"], base)
        found["gain"] = 100.0 * (found["cumulative_lift"] - 1.0)
        columns |= {f"{prefix}{column}": amount for column, amount in found.items()}
        columns[f"base_{name}"] = np.full_like(cases, base)
    columns["base_captured"] = np.full_like(cases, 100.0 / cases.shape[0])
    columns["base_cumulative_captured"] = 100.0 * ranked.depths
    columns["base_lift"] = np.ones_like(cases)
    columns["base_gain"] = np.zeros_like(cases)
    return columns


def _response_columns(ranked: _Ranked, key: FloatArray, event: FloatArray) -> Columns:
    events = ranked.along(key, event)
    return {
        "events": _in_bins(events),
        "cumulative_events": events,
        **_shares(ranked, key, event, "response", 100.0),
    }


def _value_columns(ranked: _Ranked, key: FloatArray, actual: FloatArray) -> Columns:
    sums = ranked.along(key, actual)
    return {
        "value_total": _in_bins(sums),
        "cumulative_value_total": sums,
        **_shares(ranked, key, actual, "value", 1.0),
    }


def _money_columns(
    ranked: _Ranked,
    key: FloatArray,
    sense: float,
    computed: FloatArray,
    expected: FloatArray,
    best: FloatArray,
) -> Columns:
    """Realised and expected totals; base = the average everywhere, best = perfect foresight.

    The best line takes every case's best decision and the cases that bring most first.
    """
    cases = ranked.depths * float(ranked.weight.sum())
    columns: Columns = {}
    for prefix, order, values in (
        ("", key, computed),
        ("expected_", key, expected),
        ("best_", best, best),
    ):
        cumulative = sense * ranked.along(order, values)
        columns[f"{prefix}total"] = _in_bins(cumulative)
        columns[f"{prefix}average"] = _ratio(_in_bins(cumulative), _in_bins(cases))
        columns[f"{prefix}cumulative_total"] = cumulative
        columns[f"{prefix}cumulative_average"] = _ratio(cumulative, cases)
    whole = float(columns["cumulative_total"][-1])
    columns["base_total"] = np.full_like(cases, whole / cases.shape[0])
    columns["base_cumulative_total"] = whole * ranked.depths
    columns["base_average"] = np.full_like(cases, whole / float(cases[-1]))
    return columns


def _enterprise_columns(
    ranked: _Ranked, score: FloatArray, frequency: FloatArray, computed: FloatArray
) -> Columns:
    """Realised profits as Enterprise Miner's score rankings draw them, by event posterior.

    Two things differ from ours. Among cases with equal posteriors the profit is averaged before
    it is weighted to the priors: with priors the last point then misses the total, more so the more
    cases tie. And the base line of the cumulative average adds averages up bin by bin.
    """
    cases = ranked.depths * float(ranked.weight.sum())
    cumulative = ranked.along(score, _mean_of_ties(score, computed, frequency))
    base = float(ranked.weight @ computed) / float(cases[-1])
    return {
        "em_total": _in_bins(cumulative),
        "em_cumulative_total": cumulative,
        "em_cumulative_average": _ratio(cumulative, cases),
        "em_base_cumulative_average": base * np.arange(1.0, len(cases) + 1.0),
    }


def _mean_of_ties(key: FloatArray, values: FloatArray, frequency: FloatArray) -> FloatArray:
    """Of every case the mean value of all cases with its key; classes are not weighted."""
    group = np.unique(key, return_inverse=True)[1]
    sums = np.zeros(int(group.max()) + 1) + np.bincount(group, weights=frequency * values)
    cases = np.zeros_like(sums) + np.bincount(group, weights=frequency)
    return np.asarray(_ratio(sums, cases)[group])


def _return_columns(
    ranked: _Ranked, key: FloatArray, computed: FloatArray, invested: FloatArray
) -> Columns:
    """Return on investment of bins and of all within a depth; base = that of all cases."""
    earned, spent = ranked.along(key, computed), ranked.along(key, invested)
    return {
        "investment": _in_bins(spent),
        "roi": _returns(_in_bins(earned), _in_bins(spent)),
        "cumulative_roi": _returns(earned, spent),
        "base_roi": np.full_like(earned, aggregate_roi(float(earned[-1]), float(spent[-1]))),
    }


def _returns(earned: FloatArray, spent: FloatArray) -> FloatArray:
    return np.array([aggregate_roi(a, b) for a, b in zip(earned, spent, strict=True)])
