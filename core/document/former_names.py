"""Fields of answers by names that they had before; each is read for one version."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


def former_name(path: str) -> Any:
    """A property that reads the field at ``path`` by a name that it had in answers of version 0.1.

    >>> class Range:
    ...     end = 2.0
    ...     high = former_name("end")
    >>> Range().high
    2.0
    """
    described = f"``{path}``, by the name that it had in answers of version 0.1."
    return property(attrgetter(path), doc=described)
