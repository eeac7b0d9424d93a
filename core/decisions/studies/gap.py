"""Money-scale calibration: expected against realised profit by depth, and what was left behind.

What one more point of AUC would earn under a matrix.

Two classes, constant consequences: the binormal model (Green and Swets 1966, "Signal detection
theory"; Hanley 1988). The scores of both classes are taken to be normal with equal spread, d apart,
where AUC = Phi(d / sqrt 2). The best cut of such scores gives a best profit V(AUC); one more point
is worth V(AUC + 0.005) - V(AUC - 0.005). Costs by case: no such formula; what is left to perfect
ranking is shared out evenly, so many points as are left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.decisions.depths.best_depth import best_depth
from core.decisions.limits.frontier import StepBase, StepCurve, Steps
from core.decisions.passes.case_values import CaseValues, corrected_probabilities, values_of
from core.decisions.passes.workspace import Analysis, AnalysisState, ModelState
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.words import AmountWords
from core.document.model import ChartMode
from core.document.results import Estimate
from core.document.studies.decided_cases import AucWorth, GapResult, GapStretch
from core.document.wording import format_money, format_number, format_share
from core.inference.delong import weighted_auc
from core.inference.normal import NORMAL, error_of_interval
from core.questions.decide import Gap
from core.questions.lanes import Watch
from payoff.types import FloatArray, IntArray

HALF_POINT = 0.005
BINORMAL = "two normal score distributions with this AUC"
EVEN = "what is left to perfect ranking, shared out evenly over the points that are left"


def auc_worth(
    problem: DecisionProblem, values: CaseValues, model: ModelScores, best_profit: float
) -> AucWorth:
    """What one more point of AUC would earn.

    Parameters
    ----------
    problem : DecisionProblem
    values : CaseValues
        Counted cases.
    model : ModelScores
    best_profit : float
        Of the model, at its best depth.
    """
    nothing = math.nan
    if len(problem.levels) != 2 or len(values.names) != 2:
        why = "AUC ranks two classes; here are more classes or decisions"
        return AucWorth(auc=nothing, per_point=nothing, model_profit=nothing, method=why)
    probability = corrected_probabilities(problem, model, values.rows)[0]
    auc = weighted_auc(probability, values.level == 0, values.frequency)
    if not 0.5 + HALF_POINT < auc < 1.0 - HALF_POINT:
        why = _why_not(auc)
        return AucWorth(auc=auc, per_point=nothing, model_profit=nothing, method=why)
    if values.costs.shape[1] > 1 or values.added is not None:
        left = float(values.weight @ values.best_realised()) - best_profit
        return AucWorth(
            auc=auc, per_point=left / (100.0 * (1.0 - auc)), model_profit=nothing, method=EVEN
        )
    return AucWorth(
        auc=auc,
        per_point=_best_profit(values, auc + HALF_POINT) - _best_profit(values, auc - HALF_POINT),
        model_profit=_best_profit(values, auc),
        method=BINORMAL,
    )


def _why_not(auc: float) -> str:
    """Why there is no next point of AUC that could be valued."""
    if math.isnan(auc):
        return "one class has no case, and AUC needs both"
    described = f"an AUC of {format_number(auc, 3)}"
    if auc < 0.5:
        return f"{described} ranks worse than chance"
    return (
        f"{described} leaves no whole point above"
        if auc > 0.75
        else f"{described} hardly ranks at all"
    )


def _best_profit(values: CaseValues, auc: float) -> float:
    """The best total of binormal scores: at the best cut, or acting on all or none."""
    cases = values.class_weight * values.class_cases
    rest = 1 - values.acting
    gain = values.gain[:, values.acting] - values.gain[:, rest]
    base = float(cases @ values.gain[:, rest])
    return base + binormal_profit(float(cases[0] * gain[0]), float(cases[1] * gain[1]), auc)


def binormal_profit(event: float, other: float, auc: float) -> float:
    """The best of acting above a cut of binormal scores.

    Parameters
    ----------
    event, other : float
        What acting on all events, and on all other cases, would add.
    auc : float
        Between 0.5 and 1.
    """
    if event * other >= 0:
        return max(0.0, event + other)
    if event < 0:  # acting pays on the others: the same with the classes exchanged
        event, other = other, event
    apart = math.sqrt(2.0) * NORMAL.inv_cdf(auc)
    cut = apart / 2.0 + math.log(-other / event) / apart
    return event * (1.0 - NORMAL.cdf(cut - apart)) + other * (1.0 - NORMAL.cdf(cut))


GRID = np.linspace(0.0, 1.0, 201)
STRETCHES = 5
"""Stretches that the acted and the other cases are cut into."""

CLEAR = 3.5
"""Standard errors from which a stretch is named: several are looked at."""


def gap_of(inputs: Analysis, question: Gap, watch: Watch) -> GapResult:
    """Expected and realised profit of one model, and what its decisions left on the table."""
    watch.progress(None, "Comparing promises")
    state, model = inputs.state, inputs.model(question.model)
    values = values_of(state, model)
    own = values.own_decision()
    curve = _gap_curve(values, model, is_firm=state.chart_mode is ChartMode.FIRM)
    rule_depth = float(values.weight @ (own == values.acting) / values.size)
    depths = np.union1d(GRID, [rule_depth])
    points, at = model.curve.points(depths), curve.points(depths * values.size)
    low, high = at.limits
    gap = values.estimate(values.realised(own) - values.expected_of(own))
    expected = float(values.weight @ values.expected_of(own))
    stretches = _stretches(values, model, rule_depth)
    left, cases = left_by_class(values, own)
    _depth, best_profit = best_depth(model.curve, points)
    return GapResult(
        rows=inputs.rows,
        model=model.scores.name,
        depth=depths,
        expected=points.expected,
        realised=points.profit,
        # The realised line lies within where, and only where, the interval of the gap holds 0.
        low=points.expected + at.total - high,
        high=points.expected + at.total - low,
        rule_depth=rule_depth,
        rule_expected=expected,
        rule_realised=expected + gap.value,
        rule_gap=gap,
        stretches=stretches,
        verdict=_verdict(gap, expected, stretches, _Money.of(state)),
        is_kept=gap.low <= 0 <= gap.high,
        levels=state.problem.levels,
        decisions=values.names,
        left=left,
        left_cases=cases,
        left_total=float(left.sum()),
        best_total=float(values.weight @ values.best_realised()),
        best_profit=best_profit,
        auc=auc_worth(state.problem, values, model.scores, best_profit),
        holds_fixed=state.holds_fixed,
    )


def _gap_curve(values: CaseValues, model: ModelState, *, is_firm: bool) -> StepCurve:
    """Realised less expected along the order of the chart, with its exact variance."""
    rest = values.rest_decision()
    before = values.realised(rest) - values.expected_of(rest)
    reached = np.full(rest.shape[0], values.acting)
    if is_firm:
        before, reached = np.zeros_like(before), values.own_decision()
    levels = values.class_weight.shape[0]

    def by_level(amounts: FloatArray) -> FloatArray:
        sums = np.bincount(values.level, weights=values.frequency * amounts, minlength=levels)
        return np.asarray(sums)

    steps = Steps(
        key=_key(values, model),
        use=values.weight,
        level=values.level,
        frequency=values.frequency,
        before=before,
        change=values.realised(reached) - values.expected_of(reached) - before,
        tallies=np.zeros((0, rest.shape[0])),
    )
    base = StepBase(
        class_weight=values.class_weight,
        class_cases=values.class_cases,
        is_within_class=values.is_within_class,
        ends=values.ends,
        value=by_level(before),
        square=by_level(before**2),
        tallies=np.zeros(0),
        used=0.0,
    )
    return StepCurve(steps, base)


def _key(values: CaseValues, model: ModelState) -> FloatArray:
    """Key of the counted cases in the chart's order, the best highest."""
    ordering = model.curve.ordering
    return np.asarray(ordering.sign * ordering.key[values.rows])


def depths_of_cases(values: CaseValues, model: ModelState) -> FloatArray:
    """The depth at which each case is reached, (k,); tied cases stand in their group's middle."""
    _, group = np.unique(-_key(values, model), return_inverse=True)
    size = np.bincount(group, weights=values.weight)
    end = np.cumsum(size)
    return np.asarray(((end - 0.5 * size) / values.size)[group])


def _stretches(values: CaseValues, model: ModelState, rule_depth: float) -> tuple[GapStretch, ...]:
    """Acted cases in five stretches of equal size, and the others likewise: gaps of acting."""
    inner = np.linspace(0.0, rule_depth, STRETCHES + 1)
    ends = np.unique(np.concatenate([inner, np.linspace(rule_depth, 1.0, STRETCHES + 1)]))
    rest = values.rest_decision()
    gain = values.realised(values.acting) - values.realised(rest)
    hope = values.expected[values.acting] - values.expected_of(rest)
    position = depths_of_cases(values, model)
    place = np.clip(np.searchsorted(ends, position) - 1, 0, len(ends) - 2)
    found = []
    for stretch in range(len(ends) - 1):
        inside = place == stretch
        if inside.any():
            found.append(
                GapStretch(
                    first_depth=float(ends[stretch]),
                    last_depth=float(ends[stretch + 1]),
                    expected=float(values.weight @ (hope * inside)),
                    gap=values.estimate((gain - hope) * inside),
                )
            )
    return tuple(found)


def left_by_class(values: CaseValues, own: IntArray) -> tuple[FloatArray, FloatArray]:
    """Best possible less realised by class and decision, and the cases that lost something.

    Parameters
    ----------
    values : CaseValues
    own : array (k,)
        The decisions taken.

    Returns
    -------
    left, cases : array (levels, decisions)
        Prior-weighted.
    """
    missed = values.best_realised() - values.realised(own)
    shape = (values.class_weight.shape[0], len(values.names))
    place = values.level.astype(np.int64) * shape[1] + own

    def table(weights: FloatArray) -> FloatArray:
        return np.asarray(
            np.bincount(place, weights=weights, minlength=shape[0] * shape[1]).reshape(shape)
        )

    weight = values.weight
    return table(weight * missed), table(weight * (missed > 0))


# ---------------------------------------------------------------- the verdict


@dataclass(frozen=True, slots=True)
class _Money:
    """How the verdict writes amounts."""

    currency: str
    words: AmountWords

    @classmethod
    def of(cls, state: AnalysisState) -> _Money:
        problem = state.problem
        return cls(problem.words.currency, AmountWords(problem.kind is MatrixKind.LOSS))

    def amount(self, gain: float) -> str:
        """The size of a gain or loss."""
        return format_money(abs(gain), self.currency)

    def less_or_more(self, gain: float) -> str:
        """ "less came in", "more was lost": what a gap in the sense of profit comes to."""
        return f"{self.words.more(gain)} {self.words.came_in}"


def _verdict(
    gap: Estimate, expected: float, stretches: tuple[GapStretch, ...], money: _Money
) -> tuple[str, ...]:
    """Whether the promise was kept, in money, and where not."""
    if not math.isfinite(gap.value):
        return ("Whether the chances keep their promise cannot be told: totals are not known.",)
    share = f" ({format_share(abs(gap.value / expected))})" if expected else ""
    difference = f"{money.amount(gap.value)}{share} {money.less_or_more(gap.value)}"
    return (_first_sentence(gap, difference, money), *_where(stretches, money))


def _first_sentence(gap: Estimate, difference: str, money: _Money) -> str:
    if gap.value == 0 == gap.low == gap.high:
        return f"The chances keep their promise: what {money.words.came_in} is what they say."
    if not (math.isfinite(gap.low) and math.isfinite(gap.high)):
        return f"Too few cases to tell whether the chances keep their promise: {difference}."
    if gap.low <= 0 <= gap.high:
        return f"The chances keep their promise: {difference}, which luck alone can explain."
    what = " loss" if money.words.is_loss else ""
    much = "much" if (gap.value < 0) != money.words.is_loss else "little"
    return f"The chances promise too {much}{what}: {difference} than they say."


def _where(stretches: tuple[GapStretch, ...], money: _Money) -> tuple[str, ...]:
    """The stretch of the chart that is furthest off for sure."""
    clear = [entry for entry in stretches if _errors(entry.gap) > CLEAR]
    if not clear:
        return ()
    worst = max(clear, key=lambda entry: abs(entry.gap.value))
    ends = f"{format_share(worst.first_depth)} and {format_share(worst.last_depth)}"
    gain = worst.gap.value
    described = f"{money.words.brings} {money.amount(gain)} {money.words.more(gain)} than said"
    return (f"Most of all between depths {ends}: acting there {described}.",)


def _errors(gap: Estimate) -> float:
    """Standard errors that a gap is away from 0."""
    error = error_of_interval(gap.low, gap.high)
    if not math.isfinite(error) or error <= 0:
        return 0.0
    return abs(gap.value) / error
