"""What work is given to tell how far it is, and to see that it is to stop."""

from __future__ import annotations

from typing import Protocol


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
