"""Exact totals of two-class models at many matrices at once, from sums along the order of chances.

With two classes and costs that are the same for all cases the best decision depends on the event's
chance alone, and changes at the crossings of the decisions' lines. Class sums up to those crossings
give the total, however many cases there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.effective import NumberSettings
from core.decisions.sensitivity.switches import SwitchingCases
from core.decisions.ties import first_best
from payoff.types import FloatArray, IntArray

_NEAR = 1e-12  # chances this close to a crossing are looked at by themselves
_BLOCK = 8192  # settings at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbabilityGroups:
    """Groups of equal chances, highest first.

    ``chance`` (groups,) falling; ``cases`` (2, groups + 1): sums of frequencies by class before
    each group.
    """

    chance: FloatArray
    cases: FloatArray


def sums_by_probability(cases: SwitchingCases) -> ProbabilityGroups:
    """Sort the cases by the event's chance and add up frequencies by class."""
    order = np.argsort(cases.chances[0])[::-1]
    probability = cases.chances[0][order]
    is_last = np.ones(probability.shape[0], dtype=bool)
    is_last[:-1] = probability[1:] != probability[:-1]
    weight, level = cases.frequency[order], cases.outcome[order]
    sums = np.zeros((2, int(is_last.sum()) + 1))
    for place in (0, 1):
        sums[place, 1:] = np.cumsum(np.where(level == place, weight, 0.0))[is_last]
    return ProbabilityGroups(chance=probability[is_last], cases=sums)


def prefix_totals(
    problem: DecisionProblem, model: ModelScores, sums: ProbabilityGroups, settings: NumberSettings
) -> FloatArray:
    """The model's total at each setting, decisions made anew, (P,)."""
    points = settings.gain.shape[0]
    totals = np.empty(points)
    mass = np.broadcast_to(settings.mass(problem, model), (points, 2))
    tolerance = problem.consequences.tolerance
    for start in range(0, points, _BLOCK):
        here = slice(start, min(points, start + _BLOCK))
        real = settings.gain[here] * settings.weight[here][:, :, np.newaxis]
        totals[here] = _block(sums, settings.gain[here], mass[here], real, tolerance)
    return totals


def _block(
    sums: ProbabilityGroups, gain: FloatArray, mass: FloatArray, real: FloatArray, tolerance: float
) -> FloatArray:
    """Totals of a block of settings; ``gain`` and ``real`` are (P, 2, decisions), mass (P, 2)."""
    expect = gain * mass[:, :, np.newaxis]
    edges = _edges(sums, expect, tolerance * mass)
    total = np.zeros(expect.shape[0])
    every = np.arange(expect.shape[0])
    groups = sums.chance.shape[0]
    for left, right in pairwise(edges):
        middle = np.minimum((left + right) // 2, groups - 1)
        probability = sums.chance[middle]
        margin = tolerance * (probability * mass[:, 0] + (1.0 - probability) * mass[:, 1])
        value = (
            probability[:, np.newaxis] * expect[:, 0]
            + (1.0 - probability)[:, np.newaxis] * expect[:, 1]
        )
        decision = first_best(value.T, margin)
        for level in (0, 1):
            cases = sums.cases[level, right] - sums.cases[level, left]
            total += cases * real[every, level, decision]
    return total


def _edges(sums: ProbabilityGroups, expect: FloatArray, margin: FloatArray) -> IntArray:
    """Numbers of groups before each possible change of the decision, rising, (edges, P).

    A later decision takes over where its line is above that of an earlier one by the margin of a
    tie, (P, 2) by class.
    """
    groups = sums.chance.shape[0]
    rising = sums.chance[::-1]
    found = [np.zeros(expect.shape[0], dtype=np.int64)]
    for first, second in combinations(range(expect.shape[2]), 2):
        event, other = (expect[:, :, second] - expect[:, :, first] - margin).T
        turn = other - event
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.where(turn != 0, other / turn, np.inf)
        for near in (1.0 - _NEAR, 1.0 + _NEAR):
            found.append(groups - np.searchsorted(rising, crossing * near, side="left"))
    found.append(np.full(expect.shape[0], groups, dtype=np.int64))
    edges = np.stack(found)
    return np.sort(edges, axis=0) if edges.shape[0] > 3 else edges
