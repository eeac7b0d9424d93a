"""Fields of a record that the program works out: a person never says them, and no script does."""

from __future__ import annotations

from dataclasses import Field, field
from typing import Any, TypeVar

T = TypeVar("T")
_MADE = "made"
_KEPT = "kept"


def made(blank: T, *, is_kept: bool = False) -> T:
    """Declare a field that the program fills in; ``blank`` stands there until it does.

    ``is_kept``: every file that holds such a record holds this field; one without it is damaged.
    """
    declared: T = field(default=blank, metadata={_MADE: True, _KEPT: is_kept})
    return declared


def is_kept(item: Field[Any]) -> bool:
    """Whether a file that holds a record always holds this field."""
    return bool(item.metadata.get(_KEPT))


def is_made(item: Field[Any]) -> bool:
    """Whether a field of a record is filled in by the program."""
    return _MADE in item.metadata
