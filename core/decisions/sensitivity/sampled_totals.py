"""Totals of any models at many matrices from a part of the cases, and how far off they may be.

The part is drawn within each class, evenly along the chance of the event; each of its cases stands
for as many as its class has more of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.effective import NumberSettings
from core.decisions.sensitivity.sampled_kernels import add_gaps, add_points
from core.decisions.sensitivity.switches import SwitchingCases
from payoff.types import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A part of the cases for every model.

    ``cases`` (one per model), class by class, have frequencies that sum to the whole class's;
    ``share`` (levels,) is
    the part of each class that was drawn, ``rows`` (levels,) how many rows that is.
    """

    cases: tuple[SwitchingCases, ...]
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


def draw_part(cases: tuple[SwitchingCases, ...], reference: int, size: int) -> Part:
    """About ``size`` cases, of each class half an equal share at least, the same for all models."""
    outcome, probability = cases[reference].outcome, cases[reference].chances[0]
    levels = cases[0].chances.shape[0]
    count = np.bincount(outcome, minlength=levels)
    least = size // (2 * levels)
    wanted = np.maximum(np.rint(size * count / count.sum()).astype(np.int64), least)
    rows = np.minimum(count, wanted)
    chosen = []
    for place, wanted_rows in enumerate(rows):
        members = np.flatnonzero(outcome == place)
        if wanted_rows < count[place]:
            members = members[np.argsort(probability[members], kind="stable")]
            places = (np.arange(wanted_rows) + 0.5) * count[place] / wanted_rows
            members = members[places.astype(np.int64)]
        chosen.append(members)
    picked = np.concatenate([np.sort(members) for members in chosen])  # class by class
    level = outcome[picked]
    factor = _factors(cases[reference].frequency, outcome, picked, levels)[level]
    part = tuple(
        SwitchingCases(
            chances=np.ascontiguousarray(entry.chances[:, picked]),
            outcome=level,
            frequency=entry.frequency[picked] * factor,
            costs={decision: column[picked] for decision, column in entry.costs.items()},
            amounts=None if entry.amounts is None else entry.amounts[picked],
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


class SampledTotals:
    """Totals of a part's models and of the constant rules at any settings."""

    def __init__(
        self, problem: DecisionProblem, models: tuple[ModelScores, ...], part: Part
    ) -> None:
        self._problem, self._models, self._part = problem, models, part
        self._tolerance = problem.tie_tolerance
        cases = part.cases[0]
        self._probabilities = np.stack([entry.chances for entry in part.cases])
        self._outcome = np.ascontiguousarray(cases.outcome, dtype=np.int32)
        self._amounts = np.empty(0) if cases.amounts is None else cases.amounts
        self._ends = np.searchsorted(self._outcome, np.arange(len(problem.levels) + 1))
        self._frequency = np.ascontiguousarray(cases.frequency, dtype=np.float64)
        self._costs = np.zeros((0, 0))
        if cases.costs:
            self._costs = np.zeros((len(problem.decisions), cases.rows))
            for decision, column in cases.costs.items():
                self._costs[decision] = column

    def of_models(self, settings: NumberSettings) -> FloatArray:
        """Totals of the models, (models, P)."""
        totals = np.empty((len(self._models), len(settings.weight)))
        add_points(*self._cases(), *self._points(settings), self._tolerance, totals)
        return totals

    def of_constants(self, settings: NumberSettings) -> FloatArray:
        """Totals if every case gets the same decision, (decisions, P)."""
        levels = len(self._problem.levels)

        def by_class(factor: FloatArray | float) -> FloatArray:
            weights = self._frequency * factor
            return np.asarray(np.bincount(self._outcome, weights=weights, minlength=levels))

        realised = settings.gain * by_class(1.0)[:, np.newaxis]
        if self._amounts.shape[0]:
            realised = realised + settings.slopes * by_class(self._amounts)[:, np.newaxis]
        if self._costs.shape[0]:
            realised = realised - np.array([by_class(cost) for cost in self._costs]).T
        return np.asarray(np.einsum("pl,pld->dp", settings.weight, realised))

    def errors(self, settings: NumberSettings, pairs: IntArray) -> FloatArray:
        """Standard errors (P,) of the differences of two candidates, numbers (P, 2).

        From looking at a part of the cases: within each class, as if its cases had been drawn at
        random; the even draw along the chance is at least as good where totals follow the chance.
        """
        levels = len(self._problem.levels)
        moments = np.empty((len(pairs), levels, 2))
        pairs = np.ascontiguousarray(pairs)
        add_gaps(*self._cases(), *self._points(settings), self._tolerance, pairs, moments)
        rows = self._part.rows.astype(np.float64)
        squares = moments[:, :, 1] - moments[:, :, 0] ** 2 / np.maximum(rows, 1.0)
        spread = np.maximum(squares, 0.0) / np.maximum(rows - 1.0, 1.0)
        is_drawn = (self._part.share < 1.0) & (rows > 1)
        variance = (spread * rows * (1.0 - self._part.share))[:, is_drawn].sum(axis=1)
        return np.asarray(np.sqrt(variance))

    def _cases(self) -> tuple[FloatArray, FloatArray, FloatArray, IntArray, FloatArray]:
        return self._probabilities, self._costs, self._amounts, self._ends, self._frequency

    def _points(
        self,
        settings: NumberSettings,
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Gain, shares of the amount, factors of the chances and class weights of each point."""
        shape = settings.weight.shape
        mass = [
            np.broadcast_to(settings.mass(self._problem, model), shape) for model in self._models
        ]
        gain, slopes, weight = (
            np.ascontiguousarray(each) for each in (settings.gain, settings.slopes, settings.weight)
        )
        return gain, slopes, np.stack(mass), weight
