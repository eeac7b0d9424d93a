"""Fields of records: those that the program works out, and those that had other names before.

Fields of a record that the program works out: a person never says them, and no script does.

Fields of answers by names that they had before; each is read for one version.
"""

from __future__ import annotations

from dataclasses import Field, field
from operator import attrgetter
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


def former_name(path: str) -> Any:
    """A property that reads the field at ``path`` by a name that it had in answers of version 0.1.

    >>> class Range:
    ...     end = 2.0
    ...     high = former_name("end")
    >>> Range().high
    2.0
    """
    said = f"``{path}``, by the name that it had in answers of version 0.1."
    return property(attrgetter(path), doc=said)
