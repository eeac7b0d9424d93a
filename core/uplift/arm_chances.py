"""The chance of treatment where no column says it: that of an experiment with one share for all."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.types import FloatArray


def treated_share(treatment: FloatArray, rows: int) -> FloatArray:
    """The share treated among the first ``rows`` cases, for every case, (n,).

    Raises
    ------
    PayoffError
        If one arm is empty there.
    """
    share = float(np.mean(treatment[:rows] == 1.0)) if rows else 0.0
    if not 0.0 < share < 1.0:
        raise PayoffError(
            "The training rows have one arm only.",
            where="treatment",
            why="An effect is a difference between treated and other cases; treated is 1.",
        )
    return np.full(treatment.shape[0], share)
