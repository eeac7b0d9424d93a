"""Matrices at many settings of two numbers at once: what decisions and totals are made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores, checked_priors
from core.decisions.sensitivity.changes import Change, class_weights, prior_line
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberSettings:
    """P settings of two numbers.

    Attributes
    ----------
    gain : array (P, levels, decisions)
        Consequences in the sense of profit, constant costs taken off.
    slopes : array (P, levels, decisions)
        What one unit of the case's amount adds to them; 0 without amounts.
    weight : array (P, levels)
        Weights of the classes in totals.
    shares : array (P, levels) or None
        Priors where they move, else None.
    """

    gain: FloatArray
    slopes: FloatArray
    weight: FloatArray
    shares: FloatArray | None

    def mass(self, problem: DecisionProblem, model: ModelScores) -> FloatArray:
        """(P, levels) or (1, levels): factors of a model's chances, up to one for all classes."""
        ratio = prior_ratio(problem, model)
        if ratio is None:
            return np.ones((1, len(problem.levels)))
        if self.shares is None:
            return np.maximum(ratio, 0.0)[np.newaxis]
        old = checked_priors(np.asarray(model.old_priors), problem.levels)
        return np.divide(self.shares, old, out=np.zeros_like(self.shares), where=old > 0)


def number_settings(
    problem: DecisionProblem,
    changes: tuple[Change, Change],
    values: tuple[FloatArray, FloatArray],
    class_cases: FloatArray,
) -> NumberSettings:
    """The problem at P pairs of values, (P,) each.

    Raises
    ------
    PayoffError
        If both numbers are the same, or totals are missing.
    """
    first, second = changes
    if (first.kind, first.name) == (second.kind, second.name):
        raise PayoffError(
            f"Both axes show “{first.name}”.", remedy="Choose another number for one of them."
        )
    points = values[0].shape[0]
    shape = (points, *problem.class_gains.shape)
    gain, slopes = np.broadcast_to(problem.class_gains, shape), np.zeros(shape)
    if problem.amounts is not None:
        slopes += problem.sense * problem.amounts.slopes
    weight = np.broadcast_to(class_weights(problem, class_cases), (points, len(problem.levels)))
    shares: FloatArray | None = None
    for change, value in zip(changes, values, strict=True):
        step = value - change.now
        if change.delta is not None:
            gain = gain + step[:, np.newaxis, np.newaxis] * change.delta
            if change.share_delta is not None:
                slopes = slopes + step[:, np.newaxis, np.newaxis] * change.share_delta
        else:
            line = prior_line(problem)
            shares = line[0] + step[:, np.newaxis] * line[1]
            size = shares * class_cases.sum()
            weight = np.divide(size, class_cases, out=np.zeros_like(size), where=class_cases > 0)
    return NumberSettings(gain=gain, slopes=slopes, weight=weight, shares=shares)
