"""Who waits for an answer.

What work is given to tell how far it is, and to see that it is to stop.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from payoff.errors import PayoffError


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


class LongReadError(PayoffError):
    """A question in a short lane turned out to read all rows of large data: ask it in a long one.

    Whether it does cannot be seen beforehand: it depends on what the engine still holds.
    """


class Watch(Protocol):
    """Progress and Stop of one piece of work."""

    def should_stop(self) -> bool:
        """True once the work is to end."""

    def check(self) -> None:
        """Raise once the work is to end."""

    def progress(self, fraction: float | None, stage: str, partial: object = None) -> None:
        """Say how far the work is (None: unknown); raise once it is to end."""


class Unwatched:
    """Work that nobody watches."""

    def should_stop(self) -> bool:
        """Nobody stops it."""
        return False

    def check(self) -> None:
        """Nobody stops it."""

    def progress(self, fraction: float | None, stage: str, partial: object = None) -> None:
        """Nobody is told."""
