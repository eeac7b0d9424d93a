"""The chance of treatment where no column says it: that of an experiment with one share for all."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.types import FloatArray


def treated_share(treatment: FloatArray, rows: int, weight: FloatArray | None = None) -> FloatArray:
    """The share treated among the first ``rows`` cases, by weight, for every case, (n,).

    Raises
    ------
    PayoffError
        If one arm is empty there.
    """
    part = np.ones(rows) if weight is None else weight[:rows]
    whole = float(part.sum())
    share = float(part @ (treatment[:rows] == 1.0)) / whole if whole > 0 else 0.0
    if not 0.0 < share < 1.0:
        raise PayoffError(
            "The training rows have one arm only.",
            where="treatment",
            why="An effect is a difference between treated and other cases; treated is 1.",
        )
    return np.full(treatment.shape[0], share)
