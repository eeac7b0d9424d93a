"""Priors: correcting posteriors to other class shares, and weighting totals to them.

Formulas: ``spec`` of the source, section "Decision theory with priors": posterior' proportional to
posterior * prior / old prior; class weight = prior * all cases / cases of the class.
"""

from __future__ import annotations

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores, checked_priors
from core.document.model import OldPriorKind
from core.kernels import CHUNK_ROWS, own_kernel, parallel_kernel, prange
from payoff.errors import PayoffError
from payoff.types import FloatArray

SMALLEST_SUM = 4.135903e-25
"""A corrected row is divided by its sum only where that exceeds this (SAS score code)."""

REFUSED = -1.0
"""Ratio that marks a class the model was never trained on: any posterior above 0 is bad."""


def prior_ratio(problem: DecisionProblem, model: ModelScores) -> FloatArray | None:
    """Prior over old prior per class, or None where posteriors are taken as they stand.

    ``REFUSED`` stands where the old prior is zero.
    """
    if problem.priors is None or model.old_kind != OldPriorKind.TRAINED_AT:
        return None
    assert model.old_priors is not None  # checked by ModelScores
    return ratio_of(problem.priors, model.old_priors, problem.levels)


def ratio_of(priors: FloatArray, old_priors: FloatArray, levels: tuple[str, ...]) -> FloatArray:
    """Prior over old prior, both scaled to sum to 1; ``REFUSED`` where the old prior is zero."""
    new, old = checked_priors(priors, levels), checked_priors(old_priors, levels, what="old prior")
    return np.asarray(np.divide(new, old, out=np.full(len(levels), REFUSED), where=old > 0))


def check_old_priors(
    priors: FloatArray | None, old_priors: FloatArray | None, levels: tuple[str, ...]
) -> None:
    """Refuse a prior above zero for a class that the model never saw: nothing to weight up."""
    if priors is None or old_priors is None:
        return
    unseen = np.flatnonzero((priors > 0) & (old_priors == 0))
    if len(unseen):
        level = levels[int(unseen[0])]
        raise PayoffError(
            f"The prior of '{level}' is {priors[unseen[0]]:g}, but no training row was of that "
            "class.",
            where=f"level {level}",
            why="Chances of a class that was never seen cannot be corrected.",
            remedy="Give it a prior of 0, or the shares the model was really trained at.",
        )


@own_kernel(inline=True)
def spoiled(probability: float, ratio: float) -> bool:
    """Whether a posterior is missing, outside 0 to 1, or above 0 for a class never trained on."""
    return not (0.0 <= probability <= 1.0) or (ratio < 0.0 and probability > 0.0)


@parallel_kernel
def _adjust(posteriors: FloatArray, ratio: FloatArray, out: FloatArray) -> None:
    levels, n = posteriors.shape
    for chunk in prange((n + CHUNK_ROWS - 1) // CHUNK_ROWS):
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            total = 0.0
            has_any = False
            is_bad = False
            for level in range(levels):
                probability = posteriors[level, row]
                is_bad = is_bad or spoiled(probability, ratio[level])
                has_any = has_any or probability > 0.0
                total += probability * max(ratio[level], 0.0)
            divisor = total if total > SMALLEST_SUM else 1.0
            for level in range(levels):
                if is_bad or not has_any:
                    out[level, row] = np.nan
                else:
                    out[level, row] = posteriors[level, row] * max(ratio[level], 0.0) / divisor


def adjust_posteriors(
    posteriors: FloatArray, priors: FloatArray, old_priors: FloatArray
) -> FloatArray:
    """Posteriors corrected from old class shares to new ones.

    Parameters
    ----------
    posteriors : array (levels, n)
    priors, old_priors : array (levels,)
        Need not sum to 1.

    Returns
    -------
    array (levels, n)
        NaN for a case whose posteriors are missing, outside 0 to 1, none above zero, or above zero
        for a class whose old prior is zero.
    """
    levels = tuple(str(i + 1) for i in range(posteriors.shape[0]))
    out = np.empty_like(posteriors)
    _adjust(posteriors, ratio_of(priors, old_priors, levels), out)
    return out


def prior_weights(priors: FloatArray | None, class_cases: FloatArray) -> FloatArray:
    """Weight of each class in totals: prior * all cases / cases of the class.

    Parameters
    ----------
    priors : array (levels,), optional
        None: every weight is 1.
    class_cases : array (levels,)
        Cases (sum of frequencies) of each class.

    Returns
    -------
    array (levels,)
        NaN for a class with a positive prior and no case: totals are then missing. 0 for a class
        with neither.
    """
    if priors is None:
        return np.ones(class_cases.shape[0])
    levels = tuple(str(i + 1) for i in range(class_cases.shape[0]))
    shares = checked_priors(priors, levels)
    empty = np.where(shares > 0, np.nan, 0.0)
    weights = np.divide(shares * class_cases.sum(), class_cases, out=empty, where=class_cases > 0)
    return np.asarray(weights)
