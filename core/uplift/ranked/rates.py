"""RATE with a standard error: the targeting operator curve over resampled experiments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.document.studies.uplift import Rate
from core.inference.normal import normal_interval, two_sided_p_value
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import drawn_sums, group_cuts
from core.uplift.segments import rate_of
from payoff.types import FloatArray

WEIGHTINGS = ("autoc", "qini")


def rates_of(
    ranking: UpliftRanking,
    *,
    draws: int = 500,
    seed: int = 20261,
    should_stop: Callable[[], bool] = lambda: False,
    step: Callable[[float], None] = lambda _part: None,
) -> tuple[Rate, ...]:
    """Both RATEs of a ranking, with the standard deviation over Poisson resamples of its cases.

    Resamples read the ranking at up to 1,000 depths, as all resampled curves do.

    Parameters
    ----------
    draws : int
        2 or more; grf and causalml take 200 half-samples.

    References
    ----------
    Yadlowsky, Fleming, Shah, Brunskill, Wager 2021.
    """
    drawn = np.empty((len(WEIGHTINGS), draws))
    additional = 6 if ranking.experiment.has_propensity else 0
    blocks = drawn_sums(
        [ranking],
        [group_cuts(ranking)],
        draws,
        seed,
        additional=additional,
        should_stop=should_stop,
        step=step,
    )
    for first, by_model in blocks:
        sums = by_model[0]
        width = min(draws, first + sums.shape[-1]) - first
        drawn[:, first : first + width] = _rates(sums[:, :, :width], additional > 0)
    return tuple(
        _rate(
            weighting,
            rate_of(ranking, weighting=weighting),
            float(np.nanstd(drawn[place], ddof=1)),
        )
        for place, weighting in enumerate(WEIGHTINGS)
    )


def _rate(weighting: str, value: float, error: float) -> Rate:
    """With the interval and the p-value of the normal distribution."""
    low, high = normal_interval(value, error)
    return Rate(
        weighting=weighting,
        value=value,
        standard_error=error,
        low=low,
        high=high,
        p_value=1.0 if error <= 0 else two_sided_p_value(value / error),
    )


def _rates(sums: FloatArray, is_signed: bool) -> FloatArray:
    """Both RATEs of every lane, (2, lanes), from sums (bins, values, lanes)."""
    n_t, n_c, r_t, r_c = (sums[:, column] for column in range(4))
    both = (n_t > 0) & (n_c > 0)
    if is_signed:  # means of each arm by inverse chances and their own sums
        x, sy, s, ty = (sums[:, column] for column in (4, 5, 6, 9))
        n_t, n_c, r_t, r_c = x + 0.5 * s, x - 0.5 * s, ty, ty - sy
    else:
        x = 0.5 * (n_t / n_t[-1] + n_c / n_c[-1])
    safe_t, safe_c = np.where(both, n_t, 1.0), np.where(both, n_c, 1.0)
    effect = r_t / safe_t - r_c / safe_c
    depth = x / x[-1]
    first = np.argmax(both, axis=0)[np.newaxis]
    # Cases before both arms appear count with the first bin at which both do.
    effect = np.where(both, effect, np.take_along_axis(effect, first, axis=0))
    depth = np.where(both, depth, np.take_along_axis(depth, first, axis=0))
    height = effect - effect[-1]
    step = np.diff(x / x[-1], axis=0, prepend=0.0)
    return np.stack([(step * height).sum(axis=0), (step * height * depth).sum(axis=0)])
