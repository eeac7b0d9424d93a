"""Totals of any models at many matrices from a part of the cases, and how far off they may be.

The part is drawn within each class, evenly along the chance of the event; each of its cases stands
for as many as its class has more of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.effective import Settings
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.switches import CountedCases
from payoff.types import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A part of the cases for every model.

    ``cases`` (one per model) have frequencies that sum to the whole class's; ``share`` (levels,) is
    the part of each class that was drawn, ``rows`` (levels,) how many rows that is.
    """

    cases: tuple[CountedCases, ...]
    share: FloatArray
    rows: IntArray

    @property
    def size(self) -> int:
        """Rows in the part."""
        return int(self.rows.sum())

    @property
    def is_whole(self) -> bool:
        """Whether every case is in it."""
        return bool(np.all(self.share >= 1.0))


def draw_part(cases: tuple[CountedCases, ...], reference: int, size: int) -> Part:
    """About ``size`` cases, of each class half an equal share at least, the same for all models."""
    outcome, chance = cases[reference].outcome, cases[reference].chances[0]
    levels = cases[0].chances.shape[0]
    count = np.bincount(outcome, minlength=levels)
    least = size // (2 * levels)
    wanted = np.maximum(np.rint(size * count / count.sum()).astype(np.int64), least)
    rows = np.minimum(count, wanted)
    chosen = []
    for place, wanted_rows in enumerate(rows):
        members = np.flatnonzero(outcome == place)
        if wanted_rows < count[place]:
            members = members[np.argsort(chance[members], kind="stable")]
            places = (np.arange(wanted_rows) + 0.5) * count[place] / wanted_rows
            members = members[places.astype(np.int64)]
        chosen.append(members)
    picked = np.sort(np.concatenate(chosen))
    level = outcome[picked]
    factor = _factors(cases[reference].frequency, outcome, picked, levels)[level]
    part = tuple(
        CountedCases(
            chances=np.ascontiguousarray(entry.chances[:, picked]),
            outcome=level,
            frequency=entry.frequency[picked] * factor,
            costs={decision: column[picked] for decision, column in entry.costs.items()},
        )
        for entry in cases
    )
    share = np.divide(rows, count, out=np.ones(levels), where=count > 0)
    return Part(cases=part, share=share, rows=rows)


def _factors(
    frequency: FloatArray, outcome: CodeArray, picked: IntArray, levels: int
) -> FloatArray:
    """By how much the frequencies of each class are raised so that they sum to the whole."""
    whole = np.bincount(outcome, weights=frequency, minlength=levels)
    part = np.bincount(outcome[picked], weights=frequency[picked], minlength=levels)
    return np.divide(whole, part, out=np.ones(levels), where=part > 0)


def values_at(
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    part: Part,
    settings: Settings,
    point: int,
) -> list[FloatArray]:
    """What each case of the part adds to the total of every model at one setting."""
    found = []
    for model, cases in zip(models, part.cases, strict=True):
        mass = settings.mass(problem, model)
        factor = mass[min(point, mass.shape[0] - 1)]
        chances = cases.chances * factor[:, np.newaxis]
        expected = settings.gain[point].T @ chances
        if cases.costs:
            whole = chances.sum(axis=0)
            for decision, column in cases.costs.items():
                expected[decision] -= column * whole
        decision = expected.argmax(axis=0)
        found.append(_brought(cases, settings, point, decision))
    return found


def constant_values_at(cases: CountedCases, settings: Settings, point: int) -> list[FloatArray]:
    """What each case adds if every case gets the same decision, one array per decision."""
    decisions = settings.gain.shape[2]
    same = np.empty(cases.rows, dtype=np.int64)
    found = []
    for decision in range(decisions):
        same[:] = decision
        found.append(_brought(cases, settings, point, same))
    return found


def _brought(cases: CountedCases, settings: Settings, point: int, decision: IntArray) -> FloatArray:
    brought = settings.gain[point][cases.outcome, decision]
    for place, column in cases.costs.items():
        brought = brought - np.where(decision == place, column, 0.0)
    return np.asarray(brought * cases.frequency * settings.weight[point][cases.outcome])


def margin_error(part: Part, outcome: CodeArray, first: FloatArray, second: FloatArray) -> float:
    """Standard error of a difference of two totals from looking at a part of the cases.

    Within each class, as if its cases had been drawn at random; the even draw along the chance is
    at least as good where totals follow the chance.
    """
    gap = first - second
    variance = 0.0
    for level in range(part.share.shape[0]):
        here = gap[outcome == level]
        if part.share[level] < 1.0 and here.shape[0] > 1:
            variance += here.shape[0] * float(here.var(ddof=1)) * (1.0 - part.share[level])
    return float(np.sqrt(variance))
