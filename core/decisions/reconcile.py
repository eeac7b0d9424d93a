"""Decisions that another program took, beside ours: equal, different, and the likely cause.

Causes are tried in turn: the rule is worked out again with one thing changed (priors, ties, costs,
signs, rows and columns), and the change that leaves the fewest differences is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.reconcile_tries import (
    NONE,
    Attempt,
    Carried,
    as_it_stands,
    carried_costs,
    tries,
)
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

Place = Callable[[int, str, str], str]


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
    ours = as_it_stands(problem, model)
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


def _differences(ours: Attempt, carried: Carried, tolerance: float) -> dict[str, BoolArray]:
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
    ours: Attempt,
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
    problem: DecisionProblem, carried: Carried, ours: Attempt, letter: str, row: int
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
    for attempt in (*tries(problem, model), *carried_costs(problem, model, carried)):
        left = int(_any_row(_differences(attempt.work(), carried, tolerance)).sum())
        if left <= 0.9 * now:
            found.append(Cause(text=attempt.text, remedy=attempt.remedy, left=left))
    found += _rounding(problem, model, carried, now)
    found += _names(problem, carried, anywhere)
    found.sort(key=lambda cause: cause.left)
    if found and found[0].left == 0:
        found = [cause for cause in found if cause.left == 0]
    return tuple(found[:MOST_CAUSES])


def _rounding(
    problem: DecisionProblem, model: ModelScores, carried: Carried, now: int
) -> list[Cause]:
    """Amounts that are ours, written with fewer digits."""
    ours = as_it_stands(problem, model)
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


def _rounded(ours: Attempt, digits: int) -> Attempt:
    return Attempt(
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


__all__ = ["Carried", "decision_codes", "reconcile_cases"]
