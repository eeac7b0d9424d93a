"""Decisions that another program took, beside ours: equal, different, and the likely cause.

Causes are tried in turn: the rule is worked out again with one thing changed (priors, ties, costs,
signs, rows and columns), and the change that leaves the fewest differences is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.cases import decide_cases, return_on_investment
from core.decisions.passes import UNDECIDED
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.model import MatrixKind, OldPriorKind
from core.document.studies.reconciling import (
    MOST_SHOWN,
    Cause,
    ColumnMatch,
    Reconciliation,
    RowMismatch,
)
from payoff.types import BoolArray, FloatArray, IntArray

MOST_CAUSES = 3
UNKNOWN = -1
NONE = 255

Place = Callable[[int, str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Carried:
    """What a file says of its cases, amounts in the sense of profit.

    Attributes
    ----------
    columns : mapping of letter to column name
    names : sequence of str
        Text of the decision column, "" where missing; empty without one.
    codes : array (n,) of int
        Its decisions as columns of the matrix; 255 where missing, -1 for no decision of ours.
    amounts : mapping of letter ("EP", "CP", "BP", "IC", "ROI") to array (n,)
    is_loss : mapping of letter to bool
        Whether the file writes losses (EL_, CL_, BL_).
    """

    columns: Mapping[str, str]
    names: tuple[str, ...]
    codes: IntArray
    amounts: Mapping[str, FloatArray]
    is_loss: Mapping[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attempt:
    """The rule's results under one assumption."""

    codes: IntArray
    amounts: dict[str, FloatArray]


def decision_codes(names: tuple[str, ...], decisions: tuple[str, ...]) -> IntArray:
    """Columns of the matrix for names of a file, compared without regard to case and blanks."""
    known = {name.strip().casefold(): place for place, name in enumerate(decisions)}
    known[""] = NONE
    return np.array([known.get(name.strip().casefold(), UNKNOWN) for name in names], dtype=np.int64)


def reconcile_cases(
    problem: DecisionProblem,
    model: ModelScores,
    carried: Carried,
    *,
    path: str,
    place: Place,
    tolerance: float = 1e-6,
) -> Reconciliation:
    """Compare a file's decisions with the rule's, row by row, and look for the cause.

    Parameters
    ----------
    place : function
        ``place(row, column, value)``: where that is in the file, in words.
    tolerance : float
        Largest difference of amounts that counts as equal, times the amount where that is above 1.
    """
    ours = _as_it_stands(problem, model)
    is_off = _differences(ours, carried, tolerance)
    matches = tuple(
        _column_match(problem, carried, ours, letter, off, place) for letter, off in is_off.items()
    )
    anywhere = _any_row(is_off)
    causes = _causes(problem, model, carried, tolerance, anywhere) if anywhere.any() else ()
    return Reconciliation(
        path=path,
        model=model.name,
        rows=model.posteriors.shape[1],
        columns=matches,
        different=int(anywhere.sum()),
        causes=causes,
        tolerance=tolerance,
    )


def _as_it_stands(problem: DecisionProblem, model: ModelScores) -> _Attempt:
    cases = decide_cases(problem, model)
    amounts = {"EP": cases.expected, "CP": cases.computed, "BP": cases.best}
    if cases.investment is not None and cases.roi is not None:
        amounts |= {"IC": cases.investment, "ROI": cases.roi}
    codes = np.where(cases.decision == UNDECIDED, NONE, cases.decision).astype(np.int64)
    return _Attempt(codes=codes, amounts=amounts)


def _differences(ours: _Attempt, carried: Carried, tolerance: float) -> dict[str, BoolArray]:
    """Letter -> rows that differ; amounts that we cannot know are not compared."""
    found: dict[str, BoolArray] = {}
    if carried.names:
        found["D"] = ours.codes != carried.codes
    for letter, theirs in carried.amounts.items():
        own = ours.amounts.get(letter)
        if own is None:
            own = np.zeros(theirs.shape[0]) if letter == "IC" else np.full(theirs.shape[0], np.nan)
        if letter in ("CP", "BP", "ROI") and not np.isfinite(own).any():
            continue
        found[letter] = _is_apart(own, theirs, tolerance)
    return found


def _is_apart(own: FloatArray, theirs: FloatArray, tolerance: float) -> BoolArray:
    """Missing on both sides is equal, and so is the same infinity."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(own - theirs) > tolerance * np.maximum(1.0, np.abs(own))
    is_one_missing = np.isnan(own) != np.isnan(theirs)
    is_endless = np.isinf(own) | np.isinf(theirs)
    return np.asarray(np.where(is_endless, own != theirs, gap | is_one_missing))


def _any_row(is_off: Mapping[str, BoolArray]) -> BoolArray:
    return np.asarray(np.any(np.stack(list(is_off.values())), axis=0))


def _column_match(
    problem: DecisionProblem,
    carried: Carried,
    ours: _Attempt,
    letter: str,
    off: BoolArray,
    place: Place,
) -> ColumnMatch:
    is_loss = carried.is_loss.get(letter, False)
    column = carried.columns[letter.replace("P", "L") if is_loss else letter]
    rows = np.flatnonzero(off)[:MOST_SHOWN].tolist()
    largest = 0.0
    if letter != "D":
        own = ours.amounts.get(letter, np.full(off.shape[0], np.nan))
        with np.errstate(invalid="ignore"):
            gap = np.abs(own - carried.amounts[letter])[off]
        largest = float(np.max(gap[np.isfinite(gap)], initial=0.0))
    first = []
    for row in rows:
        own_text, their_text = _texts(problem, carried, ours, letter, row)
        where = place(row, column, their_text)
        first.append(RowMismatch(row=row + 1, where=where, ours=own_text, theirs=their_text))
    different = int(off.sum())
    return ColumnMatch(
        column=column,
        letter=letter,
        equal=off.shape[0] - different,
        different=different,
        largest=largest,
        first=tuple(first),
    )


def _texts(
    problem: DecisionProblem, carried: Carried, ours: _Attempt, letter: str, row: int
) -> tuple[str, str]:
    if letter == "D":
        code = int(ours.codes[row])
        own = problem.decisions[code] if code != NONE else "none"
        return f"“{own}”", f"“{carried.names[row]}”" if carried.names[row] else "none"
    sign = -1.0 if carried.is_loss.get(letter, False) else 1.0
    own_values = ours.amounts.get(letter)
    own_value = np.nan if own_values is None else sign * own_values[row]
    return _text(own_value), _text(sign * carried.amounts[letter][row])


def _text(value: float) -> str:
    return "missing" if np.isnan(value) else f"{value:.10g}"


# ---------------------------------------------------------------- causes


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    text: str
    remedy: str
    work: Callable[[], _Attempt]


def _causes(
    problem: DecisionProblem,
    model: ModelScores,
    carried: Carried,
    tolerance: float,
    anywhere: BoolArray,
) -> tuple[Cause, ...]:
    """The reasons that lessen the differences by a tenth at least, best first."""
    now = int(anywhere.sum())
    found = []
    for attempt in (*_tries(problem, model), *_carried_costs(problem, model, carried)):
        left = int(_any_row(_differences(attempt.work(), carried, tolerance)).sum())
        if left <= 0.9 * now:
            found.append(Cause(text=attempt.text, remedy=attempt.remedy, left=left))
    found += _rounding(problem, model, carried, now)
    found += _names(problem, carried, anywhere)
    found.sort(key=lambda cause: cause.left)
    if found and found[0].left == 0:
        found = [cause for cause in found if cause.left == 0]
    return tuple(found[:MOST_CAUSES])


def _tries(problem: DecisionProblem, model: ModelScores) -> Iterator[_Try]:
    yield from _prior_tries(problem, model)
    yield from _tie_tries(problem, model)
    yield from _cost_tries(problem, model)
    yield from _matrix_tries(problem, model)


def _again(problem: DecisionProblem, model: ModelScores) -> Callable[[], _Attempt]:
    return lambda: _as_it_stands(problem, model)


def _prior_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[_Try]:
    if prior_ratio(problem, model) is not None:
        yield _Try(
            "The file's decisions come from the chances as they stand, without our correction to "
            "the priors: they are corrected already, or the other program never did it.",
            "Say that the chances are already corrected.",
            _again(problem, replace(model, old_kind=OldPriorKind.CORRECTED, old_priors=None)),
        )
        assert problem.priors is not None
        assert model.old_priors is not None
        twice = adjust_posteriors(model.posteriors, problem.priors, model.old_priors)
        yield _Try(
            "The file's decisions come from chances that were corrected to the priors twice.",
            "Correct them once only in the other program.",
            _again(problem, replace(model, posteriors=twice)),
        )
        return
    shares = _shares(problem)
    if problem.priors is None or shares is None:
        return
    yield _Try(
        "The file's decisions come from chances corrected to the priors, from the class shares of "
        "these rows.",
        "Say at which shares the model was trained.",
        _again(problem, replace(model, old_kind=OldPriorKind.TRAINED_AT, old_priors=shares)),
    )


def _shares(problem: DecisionProblem) -> FloatArray | None:
    """Class shares of the rows with a known outcome; None where a class is missing."""
    if problem.outcome is None:
        return None
    known = problem.outcome >= 0
    weight = None if problem.frequency is None else problem.frequency[known]
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return counts / counts.sum() if (counts > 0).all() else None


def _tie_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[_Try]:
    yield _Try(
        "In ties the file's later decision wins; here the first of the matrix does.",
        "Put the decisions into the other program's order.",
        lambda: _by_ties(problem, model, is_last=True, tolerance=problem.tie_tolerance),
    )
    yield _Try(
        "The file's decisions are taken without a tolerance, so rounding noise decides ties; here "
        "a later decision must be better by more than the largest cell times 2⁻⁴¹.",
        "Nothing is lost: tied decisions are worth the same.",
        lambda: _by_ties(problem, model, is_last=False, tolerance=0.0),
    )


def _by_ties(
    problem: DecisionProblem, model: ModelScores, *, is_last: bool, tolerance: float
) -> _Attempt:
    """The rule with another treatment of ties."""
    ours = _as_it_stands(problem, model)
    values = decision_values(problem, model)
    best = values.max(axis=0)
    is_tied = values >= best - tolerance
    order = np.arange(values.shape[0])[:, np.newaxis]
    codes = np.where(is_tied, order, -1).max(axis=0) if is_last else values.argmax(axis=0)
    codes = np.where(ours.codes == NONE, NONE, codes)
    row = np.arange(values.shape[1])
    chosen = np.minimum(codes, values.shape[0] - 1)
    amounts = dict(ours.amounts)
    amounts["EP"] = np.where(codes == NONE, np.nan, values[chosen, row])
    costs = _costs(problem, values.shape[1])
    if problem.outcome is not None:
        level = np.maximum(problem.outcome, 0)
        brought = (problem.sense * problem.cells)[level, chosen] - costs[chosen, row]
        is_known = (problem.outcome >= 0) & (codes != NONE)
        amounts["CP"] = np.where(is_known, brought, np.nan)
    if "IC" in amounts:
        amounts["IC"] = np.where(codes == NONE, np.nan, costs[chosen, row])
        amounts["ROI"] = return_on_investment(amounts["CP"], amounts["IC"])
    return _Attempt(codes=codes, amounts=amounts)


def decision_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    """A(i, d) of every decision, (decisions, n), in the sense of profit."""
    chances = model.posteriors
    if prior_ratio(problem, model) is not None:
        assert problem.priors is not None
        assert model.old_priors is not None
        chances = adjust_posteriors(chances, problem.priors, model.old_priors)
    gains = problem.sense * problem.cells
    return np.asarray(gains.T @ chances - _costs(problem, chances.shape[1]))


def _costs(problem: DecisionProblem, rows: int) -> FloatArray:
    costs = np.zeros((len(problem.decisions), rows))
    if problem.cost_amounts is not None:
        costs += problem.cost_amounts[:, np.newaxis]
    for decision, column in problem.cost_columns.items():
        costs[decision] = column
    return costs


def _cost_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[_Try]:
    if not problem.has_costs:
        return
    free = replace(problem, cost_amounts=None, cost_columns={})
    yield _Try(
        "The file leaves the costs of the decisions out.",
        "Take the costs away here, or give them there.",
        _again(free, model),
    )
    amounts = None if problem.cost_amounts is None else -problem.cost_amounts
    turned = replace(
        problem,
        cost_amounts=amounts,
        cost_columns={place: -column for place, column in problem.cost_columns.items()},
    )
    yield _Try(
        "The file adds the costs where they are taken off here: their sign is turned round.",
        "Write costs as positive numbers.",
        _again(turned, model),
    )


def _carried_costs(
    problem: DecisionProblem, model: ModelScores, carried: Carried
) -> Iterator[_Try]:
    """Costs that stand in the file's IC_ only, constant by decision."""
    spent = carried.amounts.get("IC")
    if problem.has_costs or spent is None or not carried.names:
        return
    costs = np.zeros(len(problem.decisions))
    for decision in range(len(costs)):
        own = spent[(carried.codes == decision) & np.isfinite(spent)]
        costs[decision] = np.median(own) if own.size else 0.0
    if not costs.any():
        return
    shown = ", ".join(
        f"{name} {cost:g}" for name, cost in zip(problem.decisions, costs, strict=True)
    )
    yield _Try(
        f"The file takes costs into account that are not given here: {shown}.",
        "Give the costs of the decisions.",
        _again(replace(problem, cost_amounts=costs), model),
    )


def _matrix_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[_Try]:
    is_loss = problem.kind is MatrixKind.LOSS
    yield _Try(
        f"The file takes the numbers of the matrix for {'profits' if is_loss else 'losses'}: "
        "all signs are turned round.",
        "Switch the kind of the matrix.",
        _again(replace(problem, cells=-problem.cells), model),
    )
    if problem.cells.shape[0] == problem.cells.shape[1]:
        yield _Try(
            "The file reads rows and columns of the matrix the other way round.",
            "Swap them in one of the two.",
            _again(replace(problem, cells=np.ascontiguousarray(problem.cells.T)), model),
        )
        likely = replace(
            problem,
            cells=np.eye(len(problem.levels)),
            kind=MatrixKind.PROFIT,
            cost_amounts=None,
            cost_columns={},
        )
        yield _Try(
            "The file gives each case its most likely class: the matrix was not used.",
            "Use the decision column, not the predicted class.",
            _again(likely, model),
        )
    if len(problem.levels) == 2:
        turned = np.ascontiguousarray(model.posteriors[::-1])
        yield _Try(
            "The file uses the chance of the other class.",
            "Check which level the posterior column belongs to.",
            _again(problem, replace(model, posteriors=turned)),
        )


def _rounding(
    problem: DecisionProblem, model: ModelScores, carried: Carried, now: int
) -> list[Cause]:
    """Amounts that are ours, written with fewer digits."""
    ours = _as_it_stands(problem, model)
    for digits in range(9):
        is_off = _differences(_rounded(ours, digits), _rounded_carried(carried, digits), 1e-9)
        left = int(_any_row(is_off).sum())
        is_written_so = all(_fits_digits(values, digits) for values in carried.amounts.values())
        if is_written_so and carried.amounts and left <= 0.9 * now:
            return [
                Cause(
                    text=f"The file writes amounts with {digits} decimals.",
                    remedy="Compare with a larger tolerance.",
                    left=left,
                )
            ]
    return []


def _rounded(ours: _Attempt, digits: int) -> _Attempt:
    return _Attempt(
        codes=ours.codes,
        amounts={letter: np.round(values, digits) for letter, values in ours.amounts.items()},
    )


def _rounded_carried(carried: Carried, digits: int) -> Carried:
    return replace(
        carried,
        amounts={letter: np.round(values, digits) for letter, values in carried.amounts.items()},
    )


def _fits_digits(values: FloatArray, digits: int) -> bool:
    known = values[np.isfinite(values)]
    return bool(np.all(np.abs(known - np.round(known, digits)) < 1e-12 * np.maximum(1, abs(known))))


def _names(problem: DecisionProblem, carried: Carried, anywhere: BoolArray) -> list[Cause]:
    """Decisions of the file that the matrix does not have."""
    strange = np.flatnonzero(carried.codes == UNKNOWN) if carried.names else np.empty(0, np.int64)
    if not strange.size:
        return []
    names = sorted({carried.names[row] for row in strange[:1000].tolist()})
    shown = ", ".join(f"“{name}”" for name in names[:5])
    return [
        Cause(
            text=f"The file has decisions that the matrix does not have: {shown}.",
            remedy=f"The matrix has {', '.join(problem.decisions)}. Rename them.",
            left=int((anywhere & (carried.codes != UNKNOWN)).sum()),
        )
    ]


__all__ = [
    "Carried",
    "decision_codes",
    "decision_values",
    "reconcile_cases",
]
