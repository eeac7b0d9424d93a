"""Fields of records: those that the program works out, and those that had other names before.

Fields of a record that the program works out: a person never says them, and no script does.

Fields of answers by names that they had before; each is read for one version.
"""

from __future__ import annotations

import warnings
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


class _FormerName:
    """An attribute under a name that it had before: read with a warning that names today's."""

    def __init__(self, path: str) -> None:
        self._path, self._name = path, ""
        self.__doc__ = f"``{path}``, by the name that it had in version 0.1."

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        warnings.warn(
            f"'{self._name}' of {owner.__name__} is called '{self._path}' now.",
            DeprecationWarning,
            stacklevel=2,
        )
        return attrgetter(self._path)(instance)


def former_name(path: str) -> Any:
    """What is at ``path`` by a name that it had in version 0.1; reading it warns.

    >>> class Range:
    ...     end = 2.0
    ...     high = former_name("end")
    >>> with warnings.catch_warnings(record=True) as found:
    ...     warnings.simplefilter("always")
    ...     print(Range().high, "|", found[0].message)
    2.0 | 'high' of Range is called 'end' now.
    """
    return _FormerName(path)
