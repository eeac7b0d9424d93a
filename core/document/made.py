"""Fields of a record that the program works out: a person never says them, and no script does."""

from __future__ import annotations

from dataclasses import Field, field
from typing import Any, TypeVar

T = TypeVar("T")
_MADE = "made"


def made(blank: T) -> T:
    """Declare a field that the program fills in; ``blank`` stands there until it does."""
    declared: T = field(default=blank, metadata={_MADE: True})
    return declared


def is_made(item: Field[Any]) -> bool:
    """Whether a field of a record is filled in by the program."""
    return _MADE in item.metadata
