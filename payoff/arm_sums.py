"""Sums of an experiment along a ranking, from which metrics of the task "uplift" are read."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.sample import Sample
from payoff.types import FloatArray


def uplift_sums(sample: Sample, *, has_propensity: bool = False) -> FloatArray:
    """Cumulative sums at the ends of the groups of equal scores, highest score first.

    Parameters
    ----------
    sample : Sample
        With the role "treatment" (1 treated, 0 control); its outcome is a number.
    has_propensity : bool
        Whether the sums that read the chance of treatment are wanted too. Where the sample has no
        role "propensity", that chance is the share of the treated.

    Returns
    -------
    sums : float64 array (4, groups) or (10, groups)
        Rows as in ``UpliftSum``. With s = t/e - (1 - t)/(1 - e), and over the weight of all cases.

    Raises
    ------
    PayoffError
        If the sample has no treatment.
    """
    if "treatment" not in sample.roles:
        raise PayoffError("The sample has no role 'treatment'.", where="sample")
    order, last = sample.order, sample.group_ends - 1
    treated = sample.roles["treatment"][order].astype(np.float64)
    weight = sample.weight[order]
    amount = weight * sample.outcome[order]
    rows = [weight * treated, weight * (1 - treated), amount * treated, amount * (1 - treated)]
    arms = np.array([np.cumsum(values)[last] for values in rows])
    if not has_propensity:
        return arms
    if "propensity" not in sample.roles:
        return with_shares(arms)
    e = sample.roles["propensity"][order].astype(np.float64)
    signed: FloatArray = np.where(treated > 0, 1.0 / e, -1.0 / (1.0 - e))
    additional = [
        0.5 * weight * np.abs(signed),
        amount * signed,
        weight * signed,
        amount * signed**2,
        weight * signed**2,
        amount * np.maximum(signed, 0.0),
    ]
    total = weight.sum()
    return np.vstack([arms, [np.cumsum(values)[last] / total for values in additional]])


def with_shares(arms: FloatArray) -> FloatArray:
    """The ten sums where the chance of treatment is the share of the treated.

    Parameters
    ----------
    arms : (4, ..., groups) float64
        The sums of the arms; further axes (draws) stay as they are.
    """
    n_t, n_c, r_t, r_c = arms
    with np.errstate(divide="ignore", invalid="ignore"):
        t, c = n_t[..., -1:], n_c[..., -1:]
        up, down = 1.0 / t, 1.0 / c
        rise, fall = (t + c) / t, (t + c) / c
        additional = (
            0.5 * (n_t * up + n_c * down),
            r_t * up - r_c * down,
            n_t * up - n_c * down,
            r_t * up * rise + r_c * down * fall,
            n_t * up * rise + n_c * down * fall,
            r_t * up,
        )
    return np.stack([n_t, n_c, r_t, r_c, *additional])
