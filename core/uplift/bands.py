"""Bands of the generalised curve: pointwise by formula, uniform from resamples."""

from __future__ import annotations

import numpy as np

from core.inference.normal import normal_reach
from core.uplift.ranking import UpliftRanking
from payoff.types import FloatArray


def pointwise_error(ranking: UpliftRanking, nu: float = 0.0) -> FloatArray:
    """Standard error of V_N at the end of each group, (G,), for the cut-off score as it stands.

    With known chances the variance of the mean of s (y - nu) over the cases above the cut; with the
    share of the treated, of the difference of the two arms' means, each about its own.
    """
    total = ranking.experiment.total
    if ranking.experiment.has_propensity:
        _, sy, s, ssy, ss, ssyy, _ = ranking.signed
        square = ssyy - 2.0 * nu * ssy + nu * nu * ss
        return np.asarray(np.sqrt(np.maximum(square - (sy - nu * s) ** 2, 0.0) / total))
    variance = np.zeros(ranking.groups)
    arms = (ranking.n_t, ranking.r_t, ranking.q_t), (ranking.n_c, ranking.r_c, ranking.q_c)
    for n, r, q in arms:
        size = n[-1]
        centred = r - nu * n
        square = q - 2.0 * nu * r + nu * nu * n
        variance += np.maximum(square - centred**2 / size, 0.0) / size**2
    return np.asarray(np.sqrt(variance))


def uniform_reach(
    draws: FloatArray, centre: FloatArray, error: FloatArray, confidence: float
) -> float:
    """How many standard errors a band must reach to hold the whole curve with this confidence.

    Parameters
    ----------
    draws : (draws, M) float64
        Resampled heights at the points of the band.
    centre, error : (M,) float64
        Heights and their pointwise standard errors.

    Notes
    -----
    The quantile of the largest distance in standard errors; never less than the pointwise reach.
    """
    usable = error > 0
    widest = np.max(np.abs(draws[:, usable] - centre[usable]) / error[usable], axis=1)
    widest = widest[np.isfinite(widest)]
    return max(float(np.quantile(widest, confidence)), normal_reach(confidence))
