"""Lines that no ranking passes: the best one by what happened, and the best one where none lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.uplift.experiment import Experiment
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceLine:
    """Corners of a line: share of the cases, and extra units for all cases at hand, (k,)."""

    depth: FloatArray
    height: FloatArray


def perfect_line(experiment: Experiment) -> ReferenceLine | None:
    """The highest generalised curve that any order of these very cases has.

    Treated cases with the outcome first, control cases with it last: scikit-uplift's perfect Qini
    curve with negative effects, times N / |T|. It reads the outcome, so no model reaches it.

    Returns
    -------
    ReferenceLine or None
        None for outcomes other than 0 and 1, and where cases have chances of their own.
    """
    found = _shares(experiment)
    if found is None:
        return None
    rate_t, rate_c = found
    total, (t, c) = experiment.total, experiment.sizes
    depth = np.array([0.0, rate_t * t, total - rate_c * c, total]) / total
    height = total * np.array([0.0, rate_t, rate_t, rate_t - rate_c])
    return ReferenceLine(depth, height)


def maximal_line(experiment: Experiment) -> ReferenceLine | None:
    """The highest curve to be expected if the treatment puts nobody off.

    Those whom it moves are then as large a share of the cases as the effect of all; found first,
    each brings one unit, and the others none. It is scikit-uplift's perfect Qini curve with
    ``negative_effect=False``, on depths of both arms.

    Returns
    -------
    ReferenceLine or None
        None as ``perfect_line``, and where the effect of all is below 0.
    """
    found = _shares(experiment)
    if found is None or found[0] < found[1]:
        return None
    effect = found[0] - found[1]
    total = experiment.total
    return ReferenceLine(np.array([0.0, effect, 1.0]), total * np.array([0.0, effect, effect]))


def _shares(experiment: Experiment) -> tuple[float, float] | None:
    """Share with the outcome of the treated and of the control cases."""
    if not experiment.is_binary or experiment.has_propensity:
        return None
    weight, inside = experiment.frequency, experiment.treated > 0
    with_it = weight * experiment.outcome
    t, c = experiment.sizes
    return float(with_it[inside].sum()) / t, float(with_it[~inside].sum()) / c
