"""Under what terms an answer of the engine is still taken when it comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from shiboken6 import isValid


@dataclass(frozen=True, slots=True)
class Terms:
    """The place that shows an answer must be there still, and its question must be the one asked.

    Where the place is gone nobody is called any more. Where another question has taken the turn of
    this one, neither its answer nor its refusal is shown; that it ended is told all the same.

    Parameters
    ----------
    place : QObject, optional
        Shows the answer: a widget, a dialog.
    is_wanted : callable, optional
        Asked when something comes.
    """

    place: QObject | None = None
    is_wanted: Callable[[], bool] | None = None

    @property
    def is_there(self) -> bool:
        """Whether the place is still there."""
        return self.place is None or isValid(self.place)

    @property
    def holds(self) -> bool:
        """Whether an answer is to be shown."""
        return self.is_there and (self.is_wanted is None or self.is_wanted())


ALWAYS = Terms()
