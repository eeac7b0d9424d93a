"""Small data of `metrics.md` with published or independently computed answers."""

import numpy as np

from payoff import Sample

A = ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
B = (
    [0, 0, 1, 0, 1, 1, 0, 1, 1, 1],
    [0.05, 0.15, 0.15, 0.35, 0.35, 0.55, 0.65, 0.75, 0.85, 0.95],
)


def binary(happened, probability, weight=None):
    """Return a sample from 0/1 outcomes (1 = the event) and chances of the event."""
    probability = np.asarray(probability, dtype=float)
    return Sample(
        1 - np.asarray(happened),
        prediction=np.vstack([probability, 1.0 - probability]),
        weight=weight,
        labels=("event", "none"),
    )


def numbers(outcome, prediction, weight=None):
    """Return a sample of numbers."""
    return Sample(outcome, prediction=[prediction], weight=weight)
