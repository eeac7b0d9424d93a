"""How a piece of work reports progress and is told to stop."""

from __future__ import annotations

from typing import Protocol


class JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised inside a piece of work once Stop was seen."""


class Watch(Protocol):
    """How a piece of work reports progress and sees Stop."""

    def should_stop(self) -> bool:
        """True once the work is to end."""

    def check(self) -> None:
        """Raise JobStopped once the work is to end."""

    def progress(self, fraction: float | None, stage: str, partial: object = None) -> None:
        """Say how far the work is (None = unknown); raises JobStopped once it is to end."""
