"""Random streams of an experiment: each run has its own, by its place and the master seed alone."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.document.experiments.spec import SAMPLERS


class Stream(IntEnum):
    """What a stream is drawn for."""

    SUBJECTS = 0
    OTHER_SUBJECTS = 1
    SYSTEM = 2
    SPLIT = 3
    LEARNER = 4
    ROWS = 5


def stream(
    master: int, purpose: Stream, sampler: str = "", system: int = 0, split: int = 0
) -> np.random.Generator:
    """The generator of a purpose; ``SeedSequence(master)`` spawned at that place.

    A sampler's number is its place among all samplers, so that leaving one out changes no other.
    """
    method = SAMPLERS.index(sampler) if sampler else len(SAMPLERS)
    key = (int(purpose), method, system, split)
    return np.random.default_rng(np.random.SeedSequence(master, spawn_key=key))
