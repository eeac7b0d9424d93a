"""Who waits for an answer."""

from __future__ import annotations

from enum import StrEnum


class Lane(StrEnum):
    """Who waits for a job: every lane has a thread of the engine and runs one job at a time.

    In ``QUICK`` (short questions) and ``LOOK`` (first looks at a file) the newest request of a kind
    wins. ``OPEN`` reads files that are opened, ``TRAIN`` does what takes minutes while the person
    goes on working, ``LONG`` what else was asked for. ``BACKGROUND`` is what the window asks for by
    itself: it begins, and goes on, only while no file is opened and no long job is there.
    """

    LONG = "long"
    QUICK = "quick"
    LOOK = "look"
    OPEN = "open"
    TRAIN = "train"
    BACKGROUND = "background"

    @property
    def is_short(self) -> bool:
        """Whether its jobs are over soon, and only the newest of a kind counts."""
        return self in (Lane.QUICK, Lane.LOOK)
