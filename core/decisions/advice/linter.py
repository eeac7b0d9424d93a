"""The matrix linter: what is worth saying before anyone trusts a number, in plain words.

What is worth saying of amounts per case: negative ones, and a few that decide the total.

Advice on predictions of a number: their mean, and how many lie beyond the knots.
"""

from __future__ import annotations

import math

import numpy as np

from core.decisions.advice.reading import event_phrase, money_words, share_phrase
from core.decisions.advice.thresholds import dominated_pairs, shared_gains
from core.decisions.amounts import AmountFacts, CaseAmounts
from core.decisions.calibration import calibration_groups, find_miscalibration
from core.decisions.depths.best_depth import differences_to
from core.decisions.number_targets.rule import format_value
from core.decisions.passes.workspace import AnalysisState, ModelState
from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from core.document.results import Advice, ModelProfit
from core.document.wording import (
    NBSP,
    format_money,
    format_number,
    format_share,
    join_words,
    name_in_text,
)
from payoff.types import BoolArray, FloatArray

HEAVY = 0.25
"""A part from which on it is said: totals then hang on few cases."""


def amount_advice(problem: DecisionProblem) -> list[Advice]:
    """Amounts below 0, and whether a hundredth of the cases holds much of all that is at stake."""
    if problem.amounts is None:
        return []
    facts = problem.amounts.facts
    found = []
    if not problem.amounts.are_never_below_zero:
        found.append(_negative(problem, problem.amounts.name, facts))
    part = facts.part_of_largest
    if part >= HEAVY:
        found.append(
            Advice(
                state="warning",
                text=f"1{NBSP}% of the {problem.words.case[1]} hold {100 * part:.0f}{NBSP}% of "
                f"{problem.amounts.name}.",
                detail="Totals hang on few of them: look at the intervals before models are told "
                "apart.",
            )
        )
    return [*found, *_whatever_happens(problem, problem.amounts)]


def _whatever_happens(problem: DecisionProblem, amounts: CaseAmounts) -> list[Advice]:
    """Decisions that bring the same in every class: a predicted effect, say, and no outcome."""
    table = np.stack([problem.cells, amounts.slopes])
    is_same = (np.ptp(table, axis=1) == 0).all(axis=0) & amounts.slopes.any(axis=0)
    return [
        Advice(
            state="info",
            text=f"What “{name}” brings follows {amounts.name}, whatever happens: its total is a "
            "promise.",
            detail="No outcome is in it, so expected and realised are one. What a treatment really "
            "changes is for an experiment to say: page Uplift.",
        )
        for name, same in zip(problem.decisions, is_same, strict=True)
        if same and len(problem.levels) > 1
    ]


def _negative(problem: DecisionProblem, name: str, facts: AmountFacts) -> Advice:
    count, row = facts.below_zero
    return Advice(
        state="warning",
        text=f"{name[:1].upper()}{name[1:]} is below 0 for {format_number(float(count), 0)} "
        f"{problem.words.case[int(count != 1)]}: gains and losses change places there.",
        detail=f"The first is row {row + 1:,} of those used: {facts.values[row]:g}.",
    )


Counted = BoolArray | slice
"""Which rows count: a mark for each, or all of them."""

STANDARD_ERRORS = 3.0
MANY_BEYOND = 0.05
"""Share of predictions beyond the outer knots that is worth a word."""


def number_advice(state: AnalysisState) -> list[Advice]:
    """Per model: whether its predictions are right on average, and inside the knots."""
    marks = state.rows.marks
    assert state.problem.actual is not None  # counted_rows refuses without
    counted = marks == 0 if marks.shape[0] else slice(None)  # all: nothing is copied
    found: list[Advice] = []
    for model in state.models:
        found += _mean_advice(state, model, counted)
        found += _knot_advice(state, model, counted)
    return found


def _mean(state: AnalysisState, counted: Counted, values: FloatArray) -> float:
    """Mean over the cases; ``values`` are those of the counted rows."""
    frequency = state.problem.frequency
    if frequency is None:
        return float(values.mean())
    weight = frequency[counted]
    return float(weight @ values) / float(weight.sum())


def _mean_advice(state: AnalysisState, model: ModelState, counted: Counted) -> list[Advice]:
    """The mean prediction against the mean outcome, with the noise of their difference."""
    predicted, actual = model.scores.predicted, state.problem.actual
    assert predicted is not None  # an interval problem takes no other models
    assert actual is not None
    gap = actual[counted] - predicted[counted]
    size = float(state.rows.class_cases.sum())
    mean = _mean(state, counted, gap)
    gap -= mean
    np.multiply(gap, gap, out=gap)
    noise = STANDARD_ERRORS * math.sqrt(_mean(state, counted, gap) / size)
    described = _mean(state, counted, predicted[counted])
    happened = _mean(state, counted, actual[counted])
    name, number = model.scores.name, state.problem.words.number
    words = f"{format_value(described)}, the {number} {format_value(happened)}"
    if abs(mean) <= noise:
        text = f"{name}: predictions are not off on average by more than chance explains: {words}."
        return [Advice(state=OK, text=text)]
    return [
        Advice(
            state=WARNING,
            text=f"{name}: predictions are too {'low' if mean > 0 else 'high'} on average: "
            f"{words}.",
            detail="The difference is more than chance explains. Decisions and expected amounts "
            "take predictions as they are.",
        )
    ]


def _knot_advice(state: AnalysisState, model: ModelState, counted: Counted) -> list[Advice]:
    """How many predictions lie where the lines of the matrix are only carried on."""
    knots, predicted = state.problem.knots, model.scores.predicted
    assert knots is not None
    assert predicted is not None
    if knots.shape[0] == 1:
        return []
    values = predicted[counted]
    is_beyond = (values < knots[0]) | (values > knots[-1])
    beyond = _mean(state, counted, is_beyond.astype(np.float64))
    if beyond <= MANY_BEYOND:
        return []
    low, high = format_value(float(knots[0])), format_value(float(knots[-1]))
    return [
        Advice(
            state=WARNING,
            text=f"{model.scores.name}: {format_share(beyond)} of the predictions lie outside the "
            f"knots {low} to {high}.",
            detail="There the last straight line of each column is carried on. Add a knot if the "
            "amounts bend.",
        )
    ]


OK, INFO, WARNING, ERROR = "ok", "info", "warning", "error"
NEAR = math.log(1.25)
"""Mean chance and share are near within a factor of 1.25."""
FAR = math.log(1.5)
CLOSE_DEPTHS = 0.05
"""Depths that lie nearer are said to agree."""


def advise(state: AnalysisState, profits: tuple[ModelProfit, ...]) -> tuple[Advice, ...]:
    """All advice on an analysis, in the order in which it is shown."""
    with_probabilities = [model for model in state.models if model.scores.has_probabilities]
    found = [*_matrix_advice(state.problem), *_cost_advice(state), *amount_advice(state.problem)]
    found += _given_prior_advice(state)
    found += _choice_advice(state, profits)
    if state.problem.is_interval:
        return (*found, *number_advice(state), *_depth_advice(state, profits[state.reference]))
    for model in with_probabilities:
        found += _prior_advice(state, model)
    if state.models[state.reference].scores.has_probabilities:
        found += _depth_advice(state, profits[state.reference])
    for model in with_probabilities:
        found += _calibration_advice(state, model)
    return tuple(found)


def advise_matrix(problem: DecisionProblem) -> tuple[Advice, ...]:
    """Advice on a matrix alone, before any model is looked at."""
    return tuple(_matrix_advice(problem))


def _matrix_advice(problem: DecisionProblem) -> list[Advice]:
    return [
        *_dominance_advice(problem),
        *_sign_advice(problem),
        *_swap_advice(problem),
        *_nothing_advice(problem),
        *_event_advice(problem),
    ]


def _dominance_advice(problem: DecisionProblem) -> list[Advice]:
    names = problem.decisions
    found = []
    seen: set[int] = set()
    for worse, better, is_equal in dominated_pairs(problem):
        if worse in seen:
            continue
        seen.add(worse)
        if is_equal:
            text = f"“{names[worse]}” and “{names[better]}” are the same {_in_every(problem)}."
            detail = f"Of the two “{names[better]}” stands first and is the one taken."
        else:
            text = (
                f"“{names[worse]}” can never win: “{names[better]}” is at least as good everywhere."
            )
            detail = "One column is not above the other in any row of the matrix."
        found.append(Advice(state=WARNING, text=text, detail=detail))
    is_open = bool(problem.cost_columns) or (problem.has_amounts and shared_gains(problem) is None)
    if not found and len(names) == 2 and not is_open:
        found.append(Advice(state=OK, text="Both decisions can win. Neither is always worse."))
    elif not found and len(names) > 2 and not is_open:
        found.append(Advice(state=OK, text="No decision is always worse than another."))
    return found


def _in_every(problem: DecisionProblem) -> str:
    return "at every knot" if problem.is_interval else "in every class"


def _sign_advice(problem: DecisionProblem) -> list[Advice]:
    cells = problem.typical_cells
    if problem.kind == MatrixKind.LOSS and (cells < 0).any():
        if (cells <= 0).all():
            text = "All losses are negative or zero, so they count as money won."
        else:
            text = "A negative loss counts as money won."
        detail = "In a loss matrix write losses as positive numbers, or switch it to profit."
        return [Advice(state=WARNING, text=text, detail=detail)]
    if problem.kind == MatrixKind.PROFIT and (cells <= 0).all() and (cells < 0).any():
        return [
            Advice(
                state=WARNING,
                text="Every profit is negative or zero: are these losses?",
                detail="A profit matrix takes money won as positive. Switch it to loss if the "
                "numbers say what is lost.",
            )
        ]
    if (
        problem.kind == MatrixKind.PROFIT
        and cells.shape[0] == cells.shape[1] > 1
        and (np.diag(cells) < 0).all()
    ):
        return [
            Advice(
                state=WARNING,
                text="All profits on the diagonal are negative: are these losses?",
                detail="Switch the matrix to loss if its numbers say what is lost. Where columns "
                "stand in another order than the rows they suit, nothing is wrong.",
            )
        ]
    acting = cells[:, problem.acting_index]
    if problem.kind == MatrixKind.PROFIT and not problem.has_costs and (acting > 0).all():
        name = problem.decisions[problem.acting_index]
        return [
            Advice(
                state=WARNING,
                text=f"“{name}” earns money {_in_every(problem)}. Is a minus sign missing?",
                detail="Acting on the wrong case usually costs something.",
            )
        ]
    return []


def _swap_advice(problem: DecisionProblem) -> list[Advice]:
    """A matrix with a decision named after each class, whose best cells are not its own."""
    labels = [problem.label(i).lower() for i in range(len(problem.levels))]
    names = [name.lower() for name in problem.decisions]
    if sorted(labels) != sorted(names):
        return []
    if problem.is_interval:
        return []
    gain = problem.sense * problem.typical_cells - problem.constant_costs
    wrong = [
        problem.label(level)
        for level, label in enumerate(labels)
        if gain[level, names.index(label)] < gain[level].max()
    ]
    if not wrong:
        return []
    return [
        Advice(
            state=WARNING,
            text=f"For “{wrong[0]}” the decision of that name is not the best one.",
            detail="Rows are what happens, columns what is decided: they may be swapped.",
        )
    ]


def _nothing_advice(problem: DecisionProblem) -> list[Advice]:
    if len(problem.decisions) > 1:
        return _rest_advice(problem)
    if len(problem.levels) == 1:
        text = "One class and one decision: there is nothing to decide."
        return [Advice(state=WARNING, text=text, detail="The total is that of the only cell.")]
    return [
        Advice(
            state=WARNING,
            text="Doing nothing is not in the matrix, so the total acts on every "
            f"{problem.words.case[0]}.",
            detail="Read the best depth from the chart, or add a decision that does nothing.",
        )
    ]


def _event_advice(problem: DecisionProblem) -> list[Advice]:
    """Acting that pays in other classes than the event: lending, or an event named afterwards."""
    if problem.is_interval or len(problem.levels) < 2 or len(problem.decisions) < 2:
        return []
    gain = problem.sense * problem.typical_cells - problem.constant_costs
    acting = problem.acting_index
    ahead = gain[:, acting] - np.delete(gain, acting, axis=1).max(axis=1)
    if not (ahead[0] < 0 and (ahead[1:] > 0).any()):
        return []
    paid = [f"“{problem.label(int(level))}”" for level in np.flatnonzero(ahead > 0)]
    event = problem.label(0)
    return [
        Advice(
            state=INFO,
            text=f"“{problem.decisions[acting]}” pays for {join_words(paid)}, not for the event "
            f"“{event}”.",
            detail=f"Right where acting avoids “{event}”. If it should pay for “{event}”, the "
            "matrix was written for another event: exchange its rows, or name another event.",
        )
    ]


def _rest_advice(problem: DecisionProblem) -> list[Advice]:
    """A decision said to do nothing that brings or costs something."""
    name = problem.do_nothing
    if name is None:
        return []
    column = problem.decisions.index(name)
    shares = None if problem.amounts is None else problem.amounts.slopes[:, column]
    if not problem.cells[:, column].any() and (shares is None or not shares.any()):
        return []
    return [
        Advice(
            state=WARNING,
            text=f"“{name}” is said to do nothing, but not all of its amounts are 0.",
            detail=f"The {money_words(problem).name} chart then begins at the total if nobody is "
            "acted on, which need not be 0.",
        )
    ]


def _cost_advice(state: AnalysisState) -> list[Advice]:
    """Costs of cases that are below 0, with the first of them."""
    found = []
    for decision, column in state.problem.cost_columns.items():
        if not np.fmin.reduce(column, initial=0.0) < 0:  # one quick pass at each edit
            continue
        negative = np.asarray(column) < 0
        row = int(np.argmax(negative))
        found.append(
            Advice(
                state=WARNING,
                text=f"“{state.problem.decisions[decision]}” has a cost below 0 for "
                f"{_so_many(state.problem, float(negative.sum()))}, counted as money won.",
                detail=f"The first is row {row + 1:,} of those used: {column[row]:g}.",
                link="costs",
            )
        )
    return found


def _so_many(problem: DecisionProblem, count: float, does: str = "", do: str = "") -> str:
    """So many cases, and what they do: "1 case counts", "12 cases count"."""
    is_one = count == 1
    words = (format_number(count, 0), problem.words.case[int(not is_one)], does if is_one else do)
    return " ".join(part for part in words if part)


def _given_prior_advice(state: AnalysisState) -> list[Advice]:
    """Priors that do not sum to 1, or that leave out a class there are cases of."""
    priors = state.problem.priors
    if priors is None:
        return []
    found = []
    whole = float(priors.sum())
    if abs(whole - 1.0) > 1e-6:
        found.append(
            Advice(
                state=WARNING,
                text=f"The priors sum to {format_share(whole)}, not 100{NBSP}%: they are scaled.",
                detail="Their ratios are kept.",
                link="priors",
            )
        )
    for level in np.flatnonzero((priors == 0) & (state.rows.class_cases > 0)):
        rows = float(state.rows.class_rows[level])
        found.append(
            Advice(
                state=WARNING,
                text=f"“{state.problem.label(int(level))}” has the prior 0: its "
                f"{_so_many(state.problem, rows, 'counts', 'count')} in no total.",
                detail="A prior of 0 says that the class does not occur in real life.",
                link="priors",
            )
        )
    return found


def _choice_advice(state: AnalysisState, profits: tuple[ModelProfit, ...]) -> list[Advice]:
    """Decisions that no model ever takes on these rows."""
    dominated = {worse for worse, _, _ in dominated_pairs(state.problem)}
    deciding = [model for model in state.models if model.scores.has_probabilities]
    if not deciding:
        return []
    chosen = sum(model.tables.rows for model in deciding)
    idle = [
        f"“{name}”"
        for place, name in enumerate(state.problem.decisions)
        if np.asarray(chosen)[place] == 0 and place not in dominated
    ]
    if not idle:
        return []
    who = f"by {profits[0].model}" if len(profits) == 1 else "by any model"
    return [
        Advice(
            state=WARNING,
            text=f"{join_words(idle)} {'is' if len(idle) == 1 else 'are'} never chosen {who} here.",
            detail=f"No {state.problem.words.case[0]} has a "
            f"{'prediction' if state.problem.is_interval else 'chance'} that makes "
            f"{'it' if len(idle) == 1 else 'one of them'} the best decision.",
        )
    ]


# ------------------------------------------------------------------ priors


def _prior_advice(state: AnalysisState, model: ModelState) -> list[Advice]:
    """Whether mean chances fit the shares they should, before and after correction."""
    problem, weights = state.problem, np.nan_to_num(state.class_weight)
    cases = state.rows.class_cases
    size = float(weights @ cases)
    if size <= 0:
        return []
    shares = weights * cases / size
    before = weights @ model.probabilities.sums[:, :, 0] / size
    after = weights @ model.probabilities.sums[:, :, 1] / size
    level = 0 if len(problem.levels) == 2 else int(np.argmax(_gap(after, shares)))
    described, mended, share = float(before[level]), float(after[level]), float(shares[level])
    noise = 3.0 * math.sqrt(share * (1.0 - share) / max(float(cases.sum()), 1.0))
    fits_before, fits_after = _is_near(described, share, noise), _is_near(mended, share, noise)
    name = model.scores.name
    if prior_ratio(problem, model.scores) is not None:
        return _corrected_advice(
            problem, name, level, described, mended, share, fits_before, fits_after
        )
    if fits_before:
        return []
    return [_uncorrected_advice(problem, model, level, described, share)]


def _gap(mean: np.ndarray, share: np.ndarray) -> np.ndarray:
    tiny = 1e-12
    return np.asarray(np.abs(np.log((mean + tiny) / (share + tiny))))


def _is_near(mean: float, share: float, noise: float) -> bool:
    if abs(mean - share) <= noise:
        return True
    return mean > 0 and share > 0 and abs(math.log(mean / share)) <= NEAR


def _of_class(problem: DecisionProblem, level: int) -> str:
    """Whose chances are meant, where there are more classes than the event and the rest."""
    return "" if len(problem.levels) == 2 else f" of “{problem.label(level)}”"


def _corrected_advice(
    problem: DecisionProblem,
    name: str,
    level: int,
    described: float,
    mended: float,
    share: float,
    fits_before: bool,
    fits_after: bool,
) -> list[Advice]:
    if fits_before and not fits_after and abs(math.log(max(mended, 1e-12) / share)) > FAR:
        return [
            Advice(
                state=ERROR,
                model=name,
                text=f"{name}: the chances look corrected twice.",
                detail=f"In the file they average {format_share(described)}, where "
                f"{share_phrase(problem, share, level)}; the correction brings them to "
                f"{format_share(mended)}. Say that they are already corrected.",
                link="priors",
            )
        ]
    if fits_after:
        return [
            Advice(
                state=OK,
                text=f"{name}: chances{_of_class(problem, level)} are corrected from "
                f"{format_share(described)} to {format_share(mended)} once, not twice.",
                detail=f"Mean chance of {event_phrase(problem, level)}, weighted to the priors.",
            )
        ]
    return [
        Advice(
            state=WARNING,
            text=f"{name}: after the correction chances{_of_class(problem, level)} average "
            f"{format_share(mended)}, but "
            f"{share_phrase(problem, share, level)}.",
            detail="Check the shares the model was trained at.",
            link="priors",
        )
    ]


def _uncorrected_advice(
    problem: DecisionProblem, model: ModelState, level: int, described: float, share: float
) -> Advice:
    where = "in real life" if problem.priors is not None else "of these rows"
    if model.scores.old_kind == OldPriorKind.CORRECTED:
        detail = "They are said to be corrected. Check that, or give the shares at training."
    else:
        detail = "Say at which shares the model was trained, so that its chances can be corrected."
    happens = share_phrase(problem, share, level).replace(f"{NBSP}%", f"{NBSP}% {where}", 1)
    return Advice(
        state=WARNING,
        text=f"{model.scores.name}: chances{_of_class(problem, level)} average "
        f"{format_share(described)}, but {happens}.",
        detail=detail,
        link="priors",
    )


# ------------------------------------------------------------------ depth and calibration


def _depth_advice(state: AnalysisState, profit: ModelProfit) -> list[Advice]:
    """Whether the rule's depth and the best depth on these rows agree, for the reference."""
    if math.isnan(profit.best_profit) or len(state.problem.decisions) < 2:
        return []
    points = state.models[state.reference].curve.points(
        np.array([profit.rule_depth, profit.best_depth])
    )
    apart = max(profit.best_profit - float(points.profit[0]), 0.0)
    _low, high = differences_to(points, 1)  # as the depths that are as good as the best are found
    is_sure = bool(high[0] < 0.0)
    cases = state.problem.words.case[1]
    depths = f"{format_share(profit.rule_depth)} and {format_share(profit.best_depth)}"
    money = format_money(apart, state.problem.words.currency, decimals=_decimals(apart))
    if not is_sure:
        return [
            Advice(
                state=OK,
                text=f"The rule and the best depth on these {cases} {_alike(profit)}: {depths}, "
                f"{money} apart.",
            )
        ]
    return [
        Advice(
            state=WARNING,
            text=f"The rule and the best depth on these {cases} differ: {depths}, {money} apart.",
            detail=f"The {'predictions' if state.problem.is_interval else 'chances'} of "
            f"{profit.model} may be off, or the peak is chance: chosen on one half and valued on "
            f"the other, the best depth {_brings(state.problem, profit)}.",
            link="compare" if state.problem.is_interval else "calibration",
        )
    ]


def _alike(profit: ModelProfit) -> str:
    """Two depths that are far from each other may still be no different in profit."""
    is_near = abs(profit.rule_depth - profit.best_depth) <= CLOSE_DEPTHS
    return "agree" if is_near else "cannot be told apart"


def _brings(problem: DecisionProblem, profit: ModelProfit) -> str:
    """What the best depth is worth on rows that did not choose it; of a loss matrix its loss."""
    value = profit.best_profit_crossfitted.value
    words = money_words(problem)
    amount = format_money(-value if words.is_loss else value, problem.words.currency)
    return f"{words.brings} {amount}"


def _decimals(amount: float) -> int:
    return 0 if amount >= 10 or amount == 0 else 2


def _calibration_advice(state: AnalysisState, model: ModelState) -> list[Advice]:
    found = find_miscalibration(calibration_groups(model.probabilities, state.class_weight))
    if found is None:
        return []
    what = {"all": "chances", "low": "low chances", "high": "high chances"}[found.where]
    way = "too low" if found.is_too_low else "too high"
    happens = "more" if found.is_too_low else "less"
    event = event_phrase(state.problem)
    return [
        Advice(
            state=WARNING,
            text=f"{name_in_text(model.scores.name)} rates {what} {way} "
            f"({_percents(found.low, found.high)}).",
            detail=f"{event[:1].upper()}{event[1:]} happens {happens} often than it says, by more "
            "than chance explains.",
            link="calibration",
        )
    ]


def _percents(low: float, high: float) -> str:
    """A stretch of chances: 4 to 12 %."""
    if round(100 * low) == round(100 * high) or high < 0.02:
        if round(1000 * low) == round(1000 * high):
            return format_share(high)
        return f"{format_number(100 * low, 1)} to {format_number(100 * high, 1)}{NBSP}%"
    return f"{100 * low:.0f} to {100 * high:.0f}{NBSP}%"
