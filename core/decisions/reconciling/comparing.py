"""Decisions that another program took, beside ours: equal, different, and the likely cause.

Causes are looked for in ``causes``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.reconciling.causes import UNKNOWN, Search, any_row, differences
from core.decisions.reconciling.hypotheses import NONE, Attempt, Carried, Setup, as_it_stands
from core.document.studies.reconciling import (
    MOST_SHOWN,
    Cause,
    ColumnMatch,
    Reconciliation,
    RowMismatch,
)
from payoff.types import BoolArray, IntArray

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
    is_off = differences(ours, carried, tolerance)
    matches = tuple(
        _column_match(problem, carried, ours, letter, off, place) for letter, off in is_off.items()
    )
    anywhere = any_row(is_off)
    causes: tuple[Cause, ...] = ()
    if anywhere.any():
        search = Search(carried, tolerance)
        causes = search.causes(Setup(problem=problem, model=model), anywhere)
    return Reconciliation(
        path=path,
        model=model.name,
        rows=model.posteriors.shape[1],
        columns=matches,
        different=int(anywhere.sum()),
        causes=causes,
        tolerance=tolerance,
    )


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


__all__ = ["Carried", "decision_codes", "reconcile_cases"]
