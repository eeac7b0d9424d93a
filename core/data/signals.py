"""How long work in this room reports and how it is told to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Called with the fraction done (None = unknown) and a few words on the stage.
Progress: TypeAlias = Callable[[float | None, str], None]
#: Asked between blocks; True ends the work with ``Stopped``.
ShouldStop: TypeAlias = Callable[[], bool]


class Stopped(Exception):  # noqa: N818 - being told to stop is no error
    """The user pressed Stop; nothing that was loaded before is touched."""


def no_progress(_fraction: float | None, _stage: str) -> None:
    """Report to nobody."""


def never_stop() -> bool:
    """Run to the end."""
    return False
