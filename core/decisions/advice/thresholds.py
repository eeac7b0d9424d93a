"""Cut-offs of two-class matrices: for which chances of the event each decision is best.

With two classes the expected consequence of a decision is a straight line in the chance p of the
event, so each decision is best on one interval of p at most. For two decisions with a = gain of
acting for the event and -b for the other class (a, b > 0): act where p > b / (a + b).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.decisions.problem import DecisionProblem
from core.decisions.ties import first_best_of
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True)
class Region:
    """Chances of the event, ``low`` to ``high``, for which a decision is best."""

    decision: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CutOff:
    """The rule of two classes and two decisions (or one, against doing nothing).

    ``event`` and ``other`` are what acting brings more than its alternative in each class.
    ``kind``: "above", "below" (act there), "always", "never", "equal".
    """

    kind: str
    probability: float | None
    event: float
    other: float
    rest: int  # column of the alternative; one past the last = the implicit do-nothing


def decision_regions(problem: DecisionProblem) -> tuple[Region, ...]:
    """Which decision is best for which chances of the event, from 0 to 1.

    Empty where there are more than two classes or what decisions bring differs by case.
    """
    gain = shared_gains(problem)
    if len(problem.levels) != 2 or gain is None:
        return ()
    gain = gain[:, :-1]
    tolerance = problem.consequences.tolerance
    edges = np.array([0.0, *_crossings(gain), 1.0])
    regions: list[Region] = []
    for low, high in pairwise(edges):
        if high - low < 1e-12:
            continue
        middle = 0.5 * (low + high)
        best = first_best_of(middle * gain[0] + (1.0 - middle) * gain[1], tolerance)
        if regions and regions[-1].decision == best:
            regions[-1] = Region(best, regions[-1].low, float(high))
        else:
            regions.append(Region(best, float(low), float(high)))
    return tuple(regions)


def shared_gains(problem: DecisionProblem) -> FloatArray | None:
    """What decisions bring by class as it is for every case, (levels, decisions + 1).

    The last column is the implicit do-nothing. Where all that differs between decisions is a share
    of an amount that is never below 0, it is given per unit of the largest amount: the case's own
    multiplies all decisions alike and changes no choice. None where choices differ from case to
    case, and for numbers.
    """
    if problem.is_interval or problem.cost_columns:
        return None
    amounts = problem.amounts
    if amounts is None:
        return problem.consequences.gain
    nothing = np.zeros((len(problem.levels), 1))
    slopes = np.hstack([problem.sense * amounts.slopes, nothing])
    fixed = np.hstack([problem.class_gains, nothing])
    real = slice(None) if len(problem.decisions) == 1 else slice(len(problem.decisions))
    if not (slopes[:, real] != slopes[:, :1]).any():
        return np.asarray(fixed + slopes * amounts.largest)  # shares are equal for all decisions
    if (fixed[:, real] != fixed[:, :1]).any() or not amounts.are_never_below_zero:
        return None
    return np.asarray(slopes * amounts.largest) if amounts.largest > 0 else None


def is_share_rule(problem: DecisionProblem) -> bool:
    """Whether decisions differ by shares of the amount alone, so that its size decides nothing."""
    amounts = problem.amounts
    if amounts is None or shared_gains(problem) is None:
        return False
    slopes = amounts.slopes
    return len(problem.decisions) == 1 or bool((slopes != slopes[:, :1]).any())


def _crossings(gain: FloatArray) -> list[float]:
    """Chances between 0 and 1 at which two decisions are worth the same, ascending."""
    slope = gain[0] - gain[1]
    found = set()
    for first in range(gain.shape[1]):
        for second in range(first + 1, gain.shape[1]):
            steep = slope[first] - slope[second]
            if steep != 0:
                probability = float((gain[1, second] - gain[1, first]) / steep)
                if 0.0 < probability < 1.0:
                    found.add(probability)
    return sorted(found)


def cut_off(problem: DecisionProblem) -> CutOff | None:
    """The break-even chance of acting, or None where there is no single one to compare with."""
    gain = shared_gains(problem)
    if gain is None or len(problem.levels) != 2 or len(problem.decisions) > 2:
        return None
    acting = problem.acting_index
    rest = 1 - acting if len(problem.decisions) == 2 else len(problem.decisions)
    event, other = (float(value) for value in gain[:, acting] - gain[:, rest])
    tie = problem.consequences.tolerance
    if abs(event) <= tie and abs(other) <= tie:
        return CutOff("equal", None, event, other, rest)
    if event >= 0 and other >= 0:
        return CutOff("always", None, event, other, rest)
    if event <= 0 and other <= 0:
        return CutOff("never", None, event, other, rest)
    probability = other / (other - event)
    return CutOff("above" if event > 0 else "below", probability, event, other, rest)


def dominated_pairs(problem: DecisionProblem) -> tuple[tuple[int, int, bool], ...]:
    """Pairs (worse, better, equal): a decision that no class makes better than another.

    Where costs differ by case nothing is certain, and no pair is named. Where cells depend on an
    amount the comparison holds for any amount from 0 up.
    """
    if problem.cost_columns:
        return ()
    if problem.is_interval:  # at every knot and on the way outwards: so everywhere
        gain = problem.knot_table.shape_rows()
    else:
        gain = problem.class_gains
        if problem.amounts is not None:  # worse at 0 and with every unit more: worse throughout
            if not problem.amounts.are_never_below_zero:
                return ()
            gain = np.vstack([gain, problem.sense * problem.amounts.slopes])
    found: list[tuple[int, int, bool]] = []
    for worse in range(gain.shape[1]):
        for better in range(gain.shape[1]):
            if worse == better:
                continue
            is_equal = bool(np.all(gain[:, worse] == gain[:, better]))
            if is_equal and worse > better:
                found.append((worse, better, True))
            elif not is_equal and np.all(gain[:, worse] <= gain[:, better]):
                found.append((worse, better, False))
    return tuple(found)
