"""Several tests at once."""

from __future__ import annotations

import numpy as np

from payoff.types import FloatArray


def holm_p_values(p_values: FloatArray, parts: FloatArray | None = None) -> FloatArray:
    """Return p-values adjusted for several tests at once (Holm 1979).

    Sound whatever the tests have in common. NaN stays NaN and counts as no test.

    Parameters
    ----------
    p_values : (m,) float64
    parts : (m,) float64, optional
        What part of the level each test may use up (Holm 1979, section 3), in any unit; left out =
        equal parts.
    """
    part = np.ones(len(p_values)) if parts is None else parts
    known = np.flatnonzero(np.isfinite(p_values))
    adjusted = np.full(len(p_values), np.nan)
    rising = known[np.argsort(p_values[known] / part[known], kind="stable")]
    left = np.cumsum(part[rising][::-1])[::-1]
    adjusted[rising] = np.minimum(
        np.maximum.accumulate(p_values[rising] / part[rising] * left), 1.0
    )
    return adjusted
