"""A matrix in other words: its diagonal form, the priors that do the same, and two ways of working.

Adding a number to a row of the matrix changes no decision: what every decision brings in a class is
not at stake. So a matrix whose wrong decisions are all alike within each class comes down to its
diagonal, and a diagonal matrix to priors: only prior x diagonal counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.advice.reading import read_rule
from core.decisions.advice.thresholds import Region, cut_off, decision_regions, dominated_pairs
from core.decisions.number_targets.rule import number_threshold, prediction_regions
from core.decisions.problem import DecisionProblem
from core.decisions.ties import first_best
from core.document.model import ChartMode
from core.document.results import ModelProfit
from core.document.wording import format_money, format_number, format_share, format_threshold
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class DiagonalForm:
    """The same decisions by a diagonal matrix, and by priors alone.

    Attributes
    ----------
    diagonal : (levels,) float64
        What the right decision brings more than a wrong one, by class.
    subtracted : (levels,) float64
        What was taken off each row.
    right : (levels,) int64
        Column of the right decision of each class.
    priors : (levels,) float64 or None
        With these priors and a matrix of ones on the diagonal (the most likely class wins) the
        decisions are the same; None where no priors are given.
    """

    diagonal: FloatArray
    subtracted: FloatArray
    right: IntArray
    priors: FloatArray | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Thresholds:
    """Every threshold of a matrix, with a model's profit chart where outcomes are known.

    Amounts are in the user's sense: of a loss matrix losses.

    Attributes
    ----------
    rule : float or None
        Chance of the event at which acting starts to pay (two classes, two decisions or one); the
        prediction at which it does where the outcome is a number.
    kind : str
        "above", "below" (where to act), "always", "never", "equal", or "none": no single chance.
    regions : tuple of (decision, low, high)
        Chances of the event (two classes), or predictions, for which each decision is best.
    dominated : tuple of (worse, better)
        Decisions that can never win, and what beats them.
    diagonal : DiagonalForm or None
    is_do_nothing_implicit : bool
        The matrix has no decision beside the acting one: doing nothing is left to the chart.
    chart_depth, chart_threshold, chart_expected : float
        Where the profit chart peaks, the chance there, and what acting is expected to bring there.
    chart_profit, firm_profit : float
        The peak of the chart, and the total of each case's own decision.
    reading : tuple of (heading, text)
        All of it in plain words.
    """

    rule: float | None
    kind: str
    regions: tuple[tuple[str, float, float], ...]
    dominated: tuple[tuple[str, str], ...]
    diagonal: DiagonalForm | None
    is_do_nothing_implicit: bool
    chart_depth: float
    chart_threshold: float
    chart_expected: float
    chart_profit: float
    firm_profit: float
    reading: tuple[tuple[str, str], ...]

    def __float__(self) -> float:
        return float("nan") if self.rule is None else self.rule


def diagonal_form(problem: DecisionProblem) -> DiagonalForm | None:
    """The diagonal form, or None where there is none.

    Needs as many decisions as classes (a single decision stands against doing nothing), no cost by
    case, a right decision of its own for each class, and equal amounts for all wrong ones of a
    class. Two classes and two decisions always have it unless one decision is dominated.
    """
    given = problem.consequences
    levels = len(problem.levels)
    if problem.is_by_case:
        return None
    gain = given.gain if len(problem.decisions) == 1 else given.gain[:, :-1]
    if given.has_cost_columns or gain.shape[1] != levels:
        return None
    right = first_best(gain.T, given.tolerance)
    if len(np.unique(right)) < levels:
        return None
    found = _diagonal_by(gain, right, given.tolerance)
    if found is None:
        return None
    diagonal, subtracted = found
    priors = equivalent_priors(problem.priors, diagonal)
    return DiagonalForm(diagonal, subtracted, right, priors)


def _diagonal_by(
    gain: FloatArray, right: IntArray, tolerance: float
) -> tuple[FloatArray, FloatArray] | None:
    """Diagonal and what is taken off each row, if wrong decisions are alike and right ones pay."""
    rows = np.arange(len(gain))
    is_wrong = np.ones(gain.shape, dtype=bool)
    is_wrong[rows, right] = False
    wrong = gain[is_wrong].reshape(len(gain), -1)
    if np.any(np.ptp(wrong, axis=1) > tolerance):
        return None
    diagonal = gain[rows, right] - wrong[:, 0]
    if np.any(diagonal <= tolerance):
        return None
    return diagonal, wrong[:, 0].copy()


def equivalent_priors(priors: FloatArray | None, diagonal: FloatArray) -> FloatArray | None:
    """Priors x diagonal, scaled to sum to 1: they decide alike with ones on the diagonal."""
    if priors is None:
        return None
    product = priors * diagonal
    return np.asarray(product / product.sum()) if product.sum() > 0 else None


# ---------------------------------------------------------------- all of them


def thresholds_of(
    problem: DecisionProblem,
    profit: ModelProfit | None = None,
    mode: ChartMode = ChartMode.ACT_ON_BEST,
) -> Thresholds:
    """Every threshold of a problem; those of the chart need a model's profits by depth."""
    names = (*problem.decisions, "Do nothing")  # the only decision stands against the implicit one
    rule, kind = _rule(problem)
    form = diagonal_form(problem)
    regions = prediction_regions(problem) if problem.is_interval else decision_regions(problem)
    depth, probability, expected = _at_peak(problem, profit, mode)
    chart, firm = _amounts(problem, profit, mode)
    found = Thresholds(
        rule=rule,
        kind=kind,
        regions=tuple((names[r.decision], r.low, r.high) for r in regions),
        dominated=tuple((names[a], names[b]) for a, b, _ in dominated_pairs(problem)),
        diagonal=form,
        is_do_nothing_implicit=len(problem.decisions) == 1,
        chart_depth=depth,
        chart_threshold=probability,
        chart_expected=expected,
        chart_profit=chart,
        firm_profit=firm,
        reading=(),
    )
    return _with_reading(found, problem, regions)


def _rule(problem: DecisionProblem) -> tuple[float | None, str]:
    """The chance (or prediction) at which acting starts to pay, and on which side of it."""
    if problem.is_interval:
        return number_threshold(problem) or (None, "none")
    cut = cut_off(problem)
    return (None, "none") if cut is None else (cut.probability, cut.kind)


def _at_peak(
    problem: DecisionProblem, profit: ModelProfit | None, mode: ChartMode
) -> tuple[float, float, float]:
    """Depth, chance and expected advantage of the last case within the best depth."""
    nothing = (math.nan, math.nan, math.nan)
    if profit is None or mode is ChartMode.FIRM or math.isnan(profit.best_depth):
        return nothing
    probability = profit.best_threshold
    cut = cut_off(problem)
    if cut is None or not profit.has_probabilities or problem.has_amounts:
        return profit.best_depth, probability, math.nan
    return (
        profit.best_depth,
        probability,
        problem.sense * (probability * cut.event + (1.0 - probability) * cut.other),
    )


def _amounts(
    problem: DecisionProblem, profit: ModelProfit | None, mode: ChartMode
) -> tuple[float, float]:
    if profit is None:
        return math.nan, math.nan
    chart = math.nan if mode is ChartMode.FIRM else problem.sense * profit.best_profit
    return chart, problem.sense * profit.total.value


# ---------------------------------------------------------------- words


def _with_reading(
    found: Thresholds, problem: DecisionProblem, regions: tuple[Region, ...]
) -> Thresholds:
    parts = [
        ("Break-even", _break_even(found, problem, regions)),
        ("Diagonal form", _diagonal_words(found.diagonal, problem)),
        ("Priors that do the same", _prior_words(found.diagonal, problem)),
        ("Two ways of working", _ways(found, problem)),
    ]
    return replace(found, reading=tuple((title, text) for title, text in parts if text))


def _break_even(found: Thresholds, problem: DecisionProblem, regions: tuple[Region, ...]) -> str:
    if problem.is_interval:
        return read_rule(problem).reason
    if found.rule is not None:
        return (
            f"Acting pays where the chance of the event is {found.kind} "
            f"{format_threshold(found.rule)}: there both decisions are expected to bring the same. "
            "Adding an amount to a whole row of the matrix, or to all costs of a case, does not "
            "move it."
            + (f" Nor does {problem.amounts.name}." if problem.amounts is not None else "")
        )
    if found.dominated:
        worse, better = found.dominated[0]
        return f"“{better}” is at least as good as “{worse}” in every class: no chance decides."
    if regions:
        parts = [
            f"“{problem.decisions[r.decision]}” from {format_threshold(r.low)} to "
            f"{format_threshold(r.high)}"
            for r in regions
        ]
        return f"By the chance of the event: {'; '.join(parts)}."
    if problem.amounts is not None:
        return (
            f"The chance at which acting pays depends on {problem.amounts.name}: every case has "
            "its own."
        )
    if problem.cost_columns:
        return "Costs differ from case to case, and so does the chance at which acting pays."
    return "With more than two classes no single chance decides: all of them are weighed."


def _diagonal_words(form: DiagonalForm | None, problem: DecisionProblem) -> str:
    if problem.is_interval:
        return ""  # classes have diagonals
    if form is None:
        return (
            "This matrix has none: the wrong decisions of a class differ, a decision can never "
            "win, or costs or amounts differ by case."
        )
    currency = problem.words.currency
    parts = [
        f"{format_money(float(value), currency)} for “{problem.label(level)}”"
        for level, value in enumerate(form.diagonal)
    ]
    return (
        "What every decision brings in a class is not at stake, so it can be taken off its row. "
        f"What is left is what the right decision adds: {', '.join(parts)}. Decisions and "
        "differences of models stay the same; totals and ratios do not."
    )


def _prior_words(form: DiagonalForm | None, problem: DecisionProblem) -> str:
    if form is None:
        return ""
    if form.priors is None:
        ratio = " : ".join(format_number(float(v), 2) for v in form.diagonal)
        return (
            f"Multiplying the chances by {ratio} and taking the most likely class decides the "
            "same way."
        )
    parts = [
        f"{format_share(float(value))} “{problem.label(level)}”"
        for level, value in enumerate(form.priors)
    ]
    return (
        f"With priors of {', '.join(parts)} in place of yours, taking the most likely class "
        "decides the same way: only prior × diagonal counts."
    )


def _ways(found: Thresholds, problem: DecisionProblem) -> str:
    """Firm decisions and profit chart are two ways; mixing them counts doing nothing twice."""
    acting = problem.decisions[problem.acting_index]
    firm = (
        "Firm decisions: every decision, doing nothing too, stands in the matrix, each case gets "
        "the best one, and models are compared by their total."
    )
    chart = (
        "Profit chart: doing nothing is left out of the matrix, totals are ignored, and the best "
        "depth is read off the chart"
    )
    if math.isnan(found.chart_depth):
        return f"{firm} {chart}. Never mix the two."
    peak = f"; here {format_share(found.chart_depth)}"
    if not math.isnan(found.chart_expected):
        expected = problem.sense * found.chart_expected  # in words always money won
        amount = format_money(expected, problem.words.currency, decimals=2)
        peak += (
            f", where the chance is {format_threshold(found.chart_threshold)} and “{acting}” is "
            f"expected to bring {amount}"
        )
    if found.is_do_nothing_implicit:
        mine = (
            "This matrix has no do-nothing, so the second way is meant: do nothing beyond that "
            "depth, and do not read the total."
        )
    else:
        mine = "This matrix names doing nothing, so the first way is meant; the chart checks it."
    return f"{firm} {chart}{peak}. {mine} Never mix the two."


__all__ = ["DiagonalForm", "Thresholds", "diagonal_form", "equivalent_priors", "thresholds_of"]
